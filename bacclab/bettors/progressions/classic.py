"""How much: the classic progressions with a small state, each a rule of a few lines.

A stake is counted in units. W is a won bet, L a lost one, T a push, which moves nothing: the next bet has the same
size. The doctests show the stakes (in units of 1.00) for a run of results at even money.

Beside this module: `ladders` of stakes, `series` of bets, states that are `money`, commission and `chips`, shares of
the `bankroll`, and tables of states `written` by the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from bacclab.bettors.base import Progression, progression
from bacclab.bettors.params import Param
from bacclab.money import MAX_AMOUNT, Money

if TYPE_CHECKING:
    from bacclab.bettors.view import Result, View
    from bacclab.game.tables import Table

__all__ = [
    "ContraDAlembert",
    "DAlembert",
    "Fibonacci",
    "Flat",
    "GrandMartingale",
    "Martingale",
    "MiniMartingale",
    "OneThreeTwoSix",
    "Paroli",
]


@progression("flat")
class Flat(Progression):
    """The same stake on every round.

    Parameters: ``unit``, the stake.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Flat(unit=1), "L L T W L W T W L W W W")
    '1 1 1 1 1 1 1 1 1 1 1 1'
    """

    def stake(self, view: View) -> Money:
        return self.unit


@progression("martingale")
class Martingale(Progression):
    """Doubles after a loss and goes back to one unit after a win, so that a won series gains one unit.

    The stake is ``unit × factor ** step``: a loss takes one step up, a win goes back to the first step. With ``steps``
    the series is given up after that many losses ("seven-step Martingale": 5, 10, … 320, then 5 again).

    Source: netbet.org, "Martingale"; the set number of steps is the Mini-Martingale.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Martingale(unit=1), "L L T W L W T W L W W W")
    '1 2 4 4 1 2 1 1 1 2 1 1'
    >>> stakes(Martingale(unit=5, steps=3), "L L L L W")
    '5 10 20 5 10'
    >>> stakes(Martingale(unit=5, steps=3, at_end="stop"), "L L L L")
    '5 10 20 0'
    >>> stakes(Martingale(unit="0.01", factor=10, back=1), "L L W W W")
    '0.01 0.10 1 0.10 0.01'
    """

    steps: Annotated[int | None, Param(ge=1, text="bets of a series; none: no end but the table's")] = None
    factor: Annotated[int, Param(ge=2, le=100, text="what a stake is multiplied by after a loss")] = 2
    back: Annotated[int | None, Param(ge=1, text="steps back after a win; none: to the first")] = None
    at_end: Annotated[
        Literal["restart", "stop"], Param(text="after the last step is lost: begin again, or bet no more")
    ] = "restart"

    def start(self, table: Table) -> None:
        self.step = 0

    def stake(self, view: View) -> Money:
        return Money(0) if self.step == self.steps else self.unit * self.units_at(self.step)

    def units_at(self, step: int) -> int:
        """The stake at a step (0 for the first), in units."""
        units: int = self.factor**step
        return units

    def settle(self, result: Result) -> None:
        first = 0 if self.back is None else max(0, self.step - self.back)
        self.step = result.pick(won=first, push=self.step, lost=self._step_after_loss())

    def _step_after_loss(self) -> int:
        if self.steps is None:
            # Past the largest amount no table takes the stake as it is: the steps need no further counting.
            beyond = (self.unit * self.units_at(self.step)).amount > MAX_AMOUNT
            return self.step if beyond else self.step + 1
        return 0 if self.step + 1 == self.steps and self.at_end == "restart" else self.step + 1


@progression("mini-martingale")
class MiniMartingale(Martingale):
    """A Martingale of a few steps: after the last of them is lost the series is given up and begins again.

    Three steps lose 7 units, four lose 15. The parameters are those of `Martingale`, with ``steps`` set.

    Source: common practice.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(MiniMartingale(unit=1), "L L T L L L W")
    '1 2 4 4 8 1 2'
    """

    steps: Annotated[int, Param(ge=1, text="bets of a series")] = 4


@progression("grand-martingale")
class GrandMartingale(Martingale):
    """Doubles and adds one unit after a loss (1, 3, 7, 15, 31, …), so that a won series gains a unit for every bet.

    Also called Great Martingale. The parameters are those of `Martingale`; with another ``factor`` the stake is
    multiplied by it and one unit is added.

    Source: netbet.org, "Martingale" (the Grand Martingale).

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(GrandMartingale(unit=1), "L L L T L W W")
    '1 3 7 15 15 31 1'
    """

    def units_at(self, step: int) -> int:
        units: int = (self.factor ** (step + 1) - 1) // (self.factor - 1)
        return units


@progression("fibonacci")
class Fibonacci(Progression):
    """Walks along 1 1 2 3 5 8 13 …: one place on after a loss, two places back after a win, not below the first.

    A win at place three or later pays for the two losses before it; the series is won when a win comes at one of the
    first two places. ``back`` is the number of places that a win goes back; some pages say one, and end the series
    after two wins in a row (``back = 1, wins = 2``).

    Source: the usual rule; the variant with one place back: bookmakersports.website, "Fibonacci".

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Fibonacci(unit=1), "L L T W L W T W L W W W")
    '1 1 2 2 1 1 1 1 1 1 1 1'
    >>> stakes(Fibonacci(unit=1), "L L L L L L W W")
    '1 1 2 3 5 8 13 5'
    >>> stakes(Fibonacci(unit=1, back=1, wins=2), "L L L L W L W W W")
    '1 1 2 3 5 3 5 3 1'
    """

    back: Annotated[int, Param(ge=1, text="places back after a win")] = 2
    wins: Annotated[int | None, Param(ge=2, text="wins in a row that end the series; none: no such rule")] = None

    def start(self, table: Table) -> None:
        self.place = self.won = 0

    def stake(self, view: View) -> Money:
        this, following = 1, 1
        for _ in range(self.place):
            this, following = following, this + following
        return self.unit * this

    def settle(self, result: Result) -> None:
        won = 0 if self.wins is None else (self.won + 1) % self.wins
        ended = self.wins is not None and won == 0
        self.place = result.pick(
            won=0 if ended else max(0, self.place - self.back), push=self.place, lost=self.place + 1
        )
        self.won = result.pick(won=won, push=self.won, lost=0)


@progression("dalembert")
class DAlembert(Progression):
    """One unit more after a loss, one unit less after a win, never below one unit (d'Alembert).

    Parameters: ``unit``, the first stake and the step.

    Source: sportsbookreview.com forum, "here every betting system known to man", with the example below.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(DAlembert(unit=1), "L L L W L W W L W W W")
    '1 2 3 4 3 4 3 2 3 2 1'
    """

    def start(self, table: Table) -> None:
        self.units = 1

    def stake(self, view: View) -> Money:
        return self.unit * self.units

    def settle(self, result: Result) -> None:
        self.units = result.pick(won=max(1, self.units - 1), push=self.units, lost=self.units + 1)


@progression("contra-dalembert")
class ContraDAlembert(DAlembert):
    """One unit more after a win, one unit less after a loss, never below one unit (d'Alembert turned round).

    Parameters: ``unit``, the first stake and the step.

    Source: the reverse of d'Alembert, common practice.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(ContraDAlembert(unit=1), "W W T L L L W")
    '1 2 3 3 2 1 1'
    """

    def settle(self, result: Result) -> None:
        self.units = result.pick(won=self.units + 1, push=self.units, lost=max(1, self.units - 1))


@progression("paroli")
class Paroli(Progression):
    """Doubles after a win, back to one unit after a loss or after ``wins`` wins in a row (a reverse Martingale).

    With three wins the stakes are 1, 2, 4 and a completed row gains seven units.

    Source: computercatering.net, "The basics of baccarat" (Paroli).

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Paroli(unit=1), "L L T W L W T W L W W W")
    '1 1 1 1 2 1 2 2 4 1 2 4'
    """

    wins: Annotated[int, Param(ge=1, le=30, text="wins in a row that complete the row")] = 3

    def start(self, table: Table) -> None:
        self.won = 0

    def stake(self, view: View) -> Money:
        units: int = 2**self.won
        return self.unit * units

    def settle(self, result: Result) -> None:
        self.won = result.pick(won=(self.won + 1) % self.wins, push=self.won, lost=0)


@progression("1-3-2-6")
class OneThreeTwoSix(Progression):
    """Goes along a list of stakes with each win; a loss, or a win at the end of the list, goes back to its start.

    With 1, 3, 2, 6 a loss at step 1, 2, 3, 4 leaves −1, −2, +2, 0 units and four wins gain twelve. ``stakes`` may be
    any list: 1, 3, 2, 4 is the tamer variant, 1, 2, 4 is Paroli, and 1, 1, 2, 2, 3 or 1, 2, 4, 6 are other ladders.

    Source: netbet.org, "1-3-2-6"; 1-3-2-4: fortunepalace.co.uk.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(OneThreeTwoSix(unit=1), "L L T W L W T W L W W W")
    '1 1 1 1 3 1 3 3 2 1 3 2'
    >>> stakes(OneThreeTwoSix(unit=1, stakes=[1, 3, 2, 4]), "W W W W W")
    '1 3 2 4 1'
    """

    stakes: Annotated[
        tuple[Annotated[int, Param(ge=1)], ...], Param(min_length=1, text="units staked after 0, 1, 2, … wins")
    ] = (1, 3, 2, 6)

    def start(self, table: Table) -> None:
        self.won = 0

    def stake(self, view: View) -> Money:
        return self.unit * self.stakes[self.won]

    def settle(self, result: Result) -> None:
        self.won = result.pick(won=(self.won + 1) % len(self.stakes), push=self.won, lost=0)
