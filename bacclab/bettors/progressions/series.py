"""How much, in series of bets that end by a rule of their own: Hollandish, the 31 system, Whittaker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from bacclab.bettors.base import Progression, progression
from bacclab.bettors.params import Param
from bacclab.money import Money

if TYPE_CHECKING:
    from bacclab.bettors.view import Result, View
    from bacclab.game.tables import Table

__all__ = ["Hollandish", "ThirtyOne", "Whittaker"]

_BLOCK = 3


@progression("hollandish")
class Hollandish(Progression):
    """Bets in blocks of three of one size, 1 3 5 7 9 …: two or three wins go back to 1, none or one to the next size.

    A block is judged when its three bets are decided; a tie does not use up one of them.

    Source: livedealer.org, "The Hollandish betting system".

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Hollandish(unit=1), "L L W  L W T W  W")
    '1 1 1 3 3 3 3 1'
    """

    def start(self, table: Table) -> None:
        self.level = self.decided = self.won = 0

    def stake(self, view: View) -> Money:
        return self.unit * (2 * self.level + 1)

    def settle(self, result: Result) -> None:
        self.decided += result.pick(won=1, push=0, lost=1)
        self.won += result.pick(won=1, push=0, lost=0)
        if self.decided == _BLOCK:
            self.level = 0 if 2 * self.won > _BLOCK else self.level + 1
            self.decided = self.won = 0


@progression("thirty-one")
class ThirtyOne(Progression):
    """Risks 31 units in nine bets, 1 1 1 / 2 2 / 4 4 / 8 8, until two bets in a row are won.

    A loss goes to the next bet of the list. A win is followed by a bet of twice the size: if that is won as well the
    list begins again, if it is lost the win and the doubled bet together have lost the bet once, and the next of the
    list follows. After the last bet is lost, 31 units down, the list begins again.

    Parameters: ``stakes``, the list in units; some write it with six bets, 1 1 1 4 8 16.

    Source: common practice; six bets: blog.betway.com, "Understanding the 31 System".

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(ThirtyOne(unit=1), "L L L L W L W T W L")
    '1 1 1 2 2 4 4 8 8 1'
    >>> stakes(ThirtyOne(unit=1), "L L L L L L L L L L")
    '1 1 1 2 2 4 4 8 8 1'
    """

    stakes: Annotated[
        tuple[Annotated[int, Param(ge=1)], ...], Param(min_length=1, text="the bets of the list, in units")
    ] = (1, 1, 1, 2, 2, 4, 4, 8, 8)

    def start(self, table: Table) -> None:
        self.place, self.doubled = 0, False

    def stake(self, view: View) -> Money:
        return self.unit * self.stakes[self.place] * (2 if self.doubled else 1)

    def settle(self, result: Result) -> None:
        self.place, self.doubled = result.pick(
            won=(0, False) if self.doubled else (self.place, True),
            push=(self.place, self.doubled),
            lost=((self.place + 1) % len(self.stakes), False),
        )


@progression("whittaker")
class Whittaker(Progression):
    """Bets the sum of the last two open losses; a win strikes those two out.

    With no loss open the stake is 1, with a single one it is 2, so straight losses are 1 2 3 5 8 13 …, and what is open
    is always the beginning of that row. A won bet pays for the two losses that it strikes out.

    Source: casinoencyclopedia.com, "Whittacker progression for even money bets".

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Whittaker(unit=1), "L L L T L W W W W")
    '1 2 3 5 5 8 3 1 1'
    """

    def start(self, table: Table) -> None:
        self.open = 0

    def stake(self, view: View) -> Money:
        this, following = 1, 2
        for _ in range(self.open):
            this, following = following, this + following
        return self.unit * this

    def settle(self, result: Result) -> None:
        self.open = result.pick(won=max(0, self.open - 2), push=self.open, lost=self.open + 1)
