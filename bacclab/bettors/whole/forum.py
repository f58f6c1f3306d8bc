"""Systems of betting forums that skip, wait and stop by their own wins and losses.

The selection counts a decision for its side as a win and one against it as a loss, whatever was laid and paid; the
whole bettor goes by what its bets won.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from bacclab.bettors.base import Bettor, bettor, selection
from bacclab.bettors.params import Param
from bacclab.bettors.selections.recent import opposite
from bacclab.bettors.selections.trend import RunSelection
from bacclab.game.codes import Outcome
from bacclab.money import Money

if TYPE_CHECKING:
    from bacclab.bettors.view import Bets, Result, View
    from bacclab.game.tables import Table

__all__ = ["OneThreeFiveK", "SilverBullet"]

_LONG: Final = 4
"""A column past three: no shape that is waited for has one."""


@selection("silver-bullet")
class SilverBullet(RunSelection):
    """Opposite the last from the second decision on; after two losses in a row it waits for singles.

    While it waits it does not bet until the last two columns of the road are singles (the current one and the one
    before it), or the last three are 3, 2 and 1 long; then it goes on. It sits out the rest of the shoe once it is
    ``win`` bets ahead or ``loss`` bets behind, each bet counted as one; 0 for no such stop.

    Source: the Silver Bullet rules in a program for the PyBaccarat library, of unnamed origin (stop at +3 and -6).

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(SilverBullet(), "B P T B P B P")
    '- P B B P - -'
    >>> sides(SilverBullet(), "B B B P B P P P")
    '- P P - - P B B'
    >>> sides(SilverBullet(loss=2), "B B B P B P")
    '- P P - - -'
    """

    win: Annotated[int, Param(ge=0, text="bets ahead at which it stops for the shoe; 0: it does not")] = 3
    loss: Annotated[int, Param(ge=0, text="bets behind at which it stops for the shoe; 0: it does not")] = 6

    def longest(self) -> int:
        return _LONG

    def start(self, table: Table) -> None:
        self.score = 0
        super().start(table)

    def shoe(self) -> None:
        self.score = 0
        super().shoe()

    def forget(self) -> None:
        super().forget()
        self.columns: tuple[int, ...] = ()
        self.lost = 0
        self.waiting = False

    def learn(self, outcome: Outcome) -> None:
        side = None if self.sitting_out else self.choose()
        if side is not None:
            self.count(won=side is outcome)
        # Two losses in a row lie in one column: no column before it can be among those that are waited for.
        if self.waiting and outcome is not self.last:
            self.columns = (*self.columns, self.length)[-2:]
        super().learn(outcome)
        if self.waiting and self.length == 1 and (self.columns[-1:] == (1,) or self.columns == (3, 2)):
            self.waiting, self.columns = False, ()

    def count(self, *, won: bool) -> None:
        """A bet was won or lost."""
        self.lost = 0 if won else self.lost + 1
        # The score is of no matter where no stop looks at it.
        self.score += (1 if won else -1) if self.win or self.loss else 0
        if self.lost == 2:
            self.lost, self.waiting = 0, True

    def stopped(self) -> bool:
        """Whether the rest of the shoe is sat out."""
        return bool((self.win and self.score >= self.win) or (self.loss and self.score <= -self.loss))

    def choose(self) -> Outcome | None:
        return None if self.last is None or self.waiting or self.stopped() else opposite(self.last)


@bettor("135k")
class OneThreeFiveK(Bettor):
    """The "135k" system: bets the time before last, skips a decision after a win, doubles once after a loss.

    After two decisions, equal or different (``begin`` may ask for one of the two), it bets one unit on the side of the
    time before last. After a win it skips one decision, then bets one unit so again. After a loss it bets two units on
    the same side; after a second loss it forgets the shoe and waits for a new beginning. A push changes nothing.

    Source: a forum system written out in a program for the PyBaccarat library, of unnamed origin.

    >>> from bacclab.bettors.rehearsal import bets
    >>> bets(OneThreeFiveK(unit=10), "B P B T P P B")
    ['', '', 'banker 10.00', '', '', 'banker 10.00', 'banker 20.00']
    >>> bets(OneThreeFiveK(unit=10), "B B T P P B B B")
    ['', '', 'banker 10.00', 'banker 10.00', 'banker 20.00', '', '', 'banker 10.00']
    """

    unit: Annotated[Money, Param(gt=0, text="the first stake")] = Money(10)
    begin: Annotated[Literal["any", "equal", "different"], Param(text="the two decisions that begin it")] = "any"

    def start(self, table: Table) -> None:
        self.shoe()

    def shoe(self) -> None:
        self.begin_anew()

    def reset(self, table: Table) -> None:
        self.doubled: Outcome | None = None

    def begin_anew(self) -> None:
        """Nothing is known, and nothing is at stake."""
        self.last: Outcome | None = None
        self.before_last: Outcome | None = None
        self.begun = self.skipping = False
        self.doubled = None

    def bet(self, view: View) -> Bets | None:
        if self.doubled is not None:
            return view.on(self.doubled, self.unit * 2)
        side = self.side()
        return None if side is None else view.on(side, self.unit)

    def side(self) -> Outcome | None:
        """The side of a first bet; None while it skips or waits."""
        return self.before_last if self.begun and not self.skipping else None

    def settle(self, result: Result) -> None:
        outcome = result.outcome
        side, second = (self.doubled or self.side()), self.doubled is not None
        if outcome is not Outcome.TIE:
            self.before_last, self.last = self.last, outcome
            self.skipping = False
            self.begun = self.begun or self.begins()
        if result.won:
            self.doubled, self.skipping = None, True
        elif result.lost and second:
            self.begin_anew()
        elif result.lost:
            self.doubled = side

    def begins(self) -> bool:
        """Whether the last two decisions are such as it begins with."""
        if self.before_last is None:
            return False
        return self.begin == "any" or (self.begin == "equal") == (self.last is self.before_last)
