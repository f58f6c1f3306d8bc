"""How much, along a written list of stakes: ladders of wins, ladders of losses, and two ladders that go both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from bacclab.bettors.base import Progression, progression
from bacclab.bettors.params import Param
from bacclab.bettors.progressions.classic import OneThreeTwoSix
from bacclab.money import MAX_AMOUNT, Money

if TYPE_CHECKING:
    from bacclab.bettors.view import Result, View
    from bacclab.game.tables import Table

__all__ = ["Ascot", "Guetting", "Ladder", "OneThreeTwoFour", "ReverseMartingale"]

Units = tuple[Annotated[int, Param(ge=1)], ...]


@progression("reverse-martingale")
class ReverseMartingale(Progression):
    """Doubles after a win and goes back to one unit after a loss; with a ``cap`` also after that many wins in a row.

    Without a cap it is the table's maximum, or the player's nerve, that ends a run of wins. With ``cap = 3`` it is
    Paroli.

    Source: netbet.org, "Martingale" (the reverse Martingale).

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(ReverseMartingale(unit=1), "W W T W L W")
    '1 2 4 4 8 1'
    >>> stakes(ReverseMartingale(unit=1, cap=2), "W W W L")
    '1 2 1 2'
    """

    cap: Annotated[int | None, Param(ge=1, text="wins in a row after which it begins again; none: no end")] = None

    def start(self, table: Table) -> None:
        self.won = 0

    def stake(self, view: View) -> Money:
        units: int = 2**self.won
        return self.unit * units

    def settle(self, result: Result) -> None:
        self.won = result.pick(won=self._after_win(), push=self.won, lost=0)

    def _after_win(self) -> int:
        # Past the largest amount no table takes the stake as it is: the wins need no further counting.
        won = self.won if self.unit.amount << self.won > MAX_AMOUNT else self.won + 1
        return 0 if won == self.cap else won


@progression("1-3-2-4")
class OneThreeTwoFour(OneThreeTwoSix):
    """1-3-2-6 with 4 as the last stake: a loss at step 1, 2, 3, 4 leaves −1, −2, +2, +2 units, four wins gain ten.

    Source: fortunepalace.co.uk, "1324 strategy"; blog.betway.com.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(OneThreeTwoFour(unit=1), "W W T W W L W")
    '1 3 2 2 4 1 1'
    """

    stakes: Annotated[Units, Param(min_length=1, text="units staked after 0, 1, 2, … wins")] = (1, 3, 2, 4)


@progression("ladder")
class Ladder(Progression):
    """Your own list of stakes for successive wins, or for successive losses; any other result begins the list again.

    ``up_on`` says what goes one place along the list, ``at_end`` what follows when that happens at its last place:
    ``restart`` begins the list again, ``stay`` stays at the last stake, ``stop`` bets no more.

    Source: common practice; 1, 2, 4, 6 and 1, 1, 2, 2, 3 are lists in use.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Ladder(unit=1), "W W T L W W W W")
    '1 2 4 4 1 2 4 6'
    >>> stakes(Ladder(unit=1, up_on="loss", stakes=[1, 1, 2, 2, 3], at_end="stay"), "L L L L L L W")
    '1 1 2 2 3 3 3'
    """

    stakes: Annotated[Units, Param(min_length=1, text="the stakes, in units")] = (1, 2, 4, 6)
    up_on: Annotated[Literal["win", "loss"], Param(text="what goes one place along the list")] = "win"
    at_end: Annotated[
        Literal["restart", "stay", "stop"], Param(text="when that happens at the last place: begin again, stay, stop")
    ] = "restart"

    def start(self, table: Table) -> None:
        self.place = 0

    def stake(self, view: View) -> Money:
        return self.unit * self.stakes[self.place] if self.place < len(self.stakes) else Money(0)

    def settle(self, result: Result) -> None:
        along = self._along()
        won, lost = (along, 0) if self.up_on == "win" else (0, along)
        self.place = result.pick(won=won, push=self.place, lost=lost)

    def _along(self) -> int:
        if self.place + 1 < len(self.stakes):
            return self.place + 1
        return {"restart": 0, "stay": self.place, "stop": len(self.stakes)}[self.at_end]


@progression("ascot")
class Ascot(Progression):
    """Walks along a line of stakes from its middle: one place up after a win, one place down after a loss.

    At the first place a loss stays there. A win at the last place ends the series, and the next begins in the middle.

    Parameters: ``line``, the stakes in units, an odd number of them so that one is in the middle (of an even number
    the upper of the two in the middle is the start).

    Source: roulettesystemreviews.com, "Ascot".

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Ascot(unit=1), "L L L L W T W W W W W W W")
    '8 5 3 2 2 3 3 5 8 13 20 30 8'
    """

    line: Annotated[Units, Param(min_length=1, text="the stakes of the line, in units")] = (2, 3, 5, 8, 13, 20, 30)

    def start(self, table: Table) -> None:
        self.place = len(self.line) // 2

    def stake(self, view: View) -> Money:
        return self.unit * self.line[self.place]

    def settle(self, result: Result) -> None:
        up = self.place + 1 if self.place + 1 < len(self.line) else len(self.line) // 2
        self.place = result.pick(won=up, push=self.place, lost=max(0, self.place - 1))


_LEVELS = ((2,), (3, 4, 6), (8, 12, 16), (20, 30, 40))
_SIZES = tuple(size for level in _LEVELS for size in level)
_LEVEL_OF = tuple(place for place, level in enumerate(_LEVELS) for _ in level)


@progression("guetting")
class Guetting(Progression):
    """Plays each size until it wins twice in a row, then the next: 2 / 3 4 6 / 8 12 16 / 20 30 40 units.

    Two wins at the last size end the progression, which begins again. Pages differ in what a loss does (``on_loss``):

    - ``level``: back to the first size of the level before; in the first level the size stays;
    - ``second-chance``: so after a loss of a size's first bet; after a loss of its second bet the size is tried again;
    - ``size``: back by one size.

    Source: laroulette.it, "Guetting" (``level``); roulettepilot.de, "Guetting-Progression" (``second-chance``);
    roulettesystemreviews.com, "Guetting" (the sizes).

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Guetting(unit=1), "W W W T W W W L W")
    '2 2 3 3 3 4 4 6 2'
    >>> stakes(Guetting(unit=1, on_loss="second-chance"), "W W W W W W W L L W")
    '2 2 3 3 4 4 6 6 6 2'
    >>> stakes(Guetting(unit=1, on_loss="size"), "W W W W W W L L W")
    '2 2 3 3 4 4 6 4 3'
    """

    on_loss: Annotated[
        Literal["level", "second-chance", "size"], Param(text="what a loss does: see the rules in words")
    ] = "level"

    def start(self, table: Table) -> None:
        self.place, self.won = 0, False

    def stake(self, view: View) -> Money:
        return self.unit * _SIZES[self.place]

    def settle(self, result: Result) -> None:
        up = (self.place + 1) % len(_SIZES) if self.won else self.place
        self.place, self.won = result.pick(
            won=(up, not self.won), push=(self.place, self.won), lost=(self._after_loss(), False)
        )

    def _after_loss(self) -> int:
        if self.on_loss == "size":
            return max(0, self.place - 1)
        if self.on_loss == "second-chance" and self.won:
            return self.place
        return _LEVEL_OF.index(max(0, _LEVEL_OF[self.place] - 1))
