"""How much, where the state is money: Labouchere's line, that line turned round, and the balance of Oscar's grind.

Their states have no bound, so they are written for many sessions at once: every attribute is an array with one entry
a lane, and amounts are int64 in ten-thousandths of the currency unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from bacclab.bettors.base import progression
from bacclab.bettors.lanes.base import LaneProgression
from bacclab.bettors.params import Param
from bacclab.money import within_range

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.lanes.base import LaneResult, LaneView
    from bacclab.game.tables import Table

    Amounts = NDArray[np.int64]
    Mask = NDArray[np.bool_]

__all__ = ["Labouchere", "OscarsGrind"]

_ROOM = 64
"""Numbers by which the longest line can grow before the arrays are made longer."""


@progression("labouchere")
class Labouchere(LaneProgression):
    """Bets the first number of a line plus the last; a win strikes both out, a loss writes the stake at the end.

    If one number is left it is the stake. When the line is empty the series has gained the sum of the line (at even
    money), and the line is written afresh. What is written after a loss is what was really laid and lost, also when
    the table or the bankroll cut the bet. Also called cancellation or split martingale.

    Parameters: ``line``, the numbers in units.

    Source: everything2.com, "Labouchere System".

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Labouchere(unit=1), "L L T W L W T W L W W W")
    '5 6 7 7 7 9 8 8 4 8 5 5'
    """

    line: Annotated[
        tuple[Annotated[int, Param(ge=1)], ...], Param(min_length=1, text="the numbers of the line, in units")
    ] = (1, 2, 3, 4)

    # Lane k holds its line in the rows first[k] … last[k] of column k, and wants wanted[k] on the next round.

    def start(self, table: Table) -> None:
        fresh = (self.unit * number for number in self.line)
        self.fresh = np.array([within_range(n.amount, what="a labouchere number") for n in fresh], dtype=np.int64)
        self.numbers = np.zeros((self.fresh.size + _ROOM, self.lanes), dtype=np.int64)
        self.first = np.zeros(self.lanes, dtype=np.int64)
        self.last = np.zeros(self.lanes, dtype=np.int64)
        self.wanted = np.zeros(self.lanes, dtype=np.int64)
        self.longest = self.fresh.size  # no line reaches past this row
        self.reset_lanes(np.ones(self.lanes, dtype=np.bool_))

    def reset_lanes(self, where: Mask) -> None:
        self.numbers[: self.fresh.size, where] = self.fresh[:, np.newaxis]
        self.first[where] = 0
        self.last[where] = self.fresh.size - 1
        self.wanted[where] = self.fresh[0] + (self.fresh[-1] if self.fresh.size > 1 else 0)

    def stake(self, view: LaneView) -> Amounts:  # type: ignore[override]
        return self.wanted.copy()

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        self.play(result.staked, result.net)

    def play(self, staked: Amounts, net: Amounts) -> None:
        """Strike both ends out where ``net`` is above zero, write the stake where it is below."""
        from bacclab.bettors.progressions.money_kernels import strike_or_write

        self.longest += 1
        if self.longest >= len(self.numbers):
            self.longest = int(self.last.max()) + 1
            if self.longest >= len(self.numbers):
                self.numbers = np.concatenate([self.numbers, np.zeros_like(self.numbers)])
        strike_or_write(self.numbers, self.first, self.last, self.wanted, self.fresh, staked, net)


@progression("reverse-labouchere")
class ReverseLabouchere(Labouchere):
    """A line of numbers, Labouchere turned round: a win writes the stake at the end, a loss strikes out both ends.

    When the line is empty the series has lost the sum of the line and the line is written afresh. So it is once a
    series is ``goal`` units ahead in money, commission taken off. Without a goal a series goes on until the table's
    maximum refuses the stake; ``when_refused = "reset"`` then begins a new line.

    Parameters: ``line``, the numbers in units, and ``goal``.

    Source: greatbridgelinks.com/betting-systems; "How the Reverse Labouchere Roulette System Works".

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(ReverseLabouchere(unit=1), "W W T L L L W")
    '5 6 7 7 7 7 5'
    >>> stakes(ReverseLabouchere(unit=1, goal=10), "W W W")
    '5 6 5'
    """

    goal: Annotated[int | None, Param(ge=1, text="units ahead at which a series ends; none: no such end")] = None

    def start(self, table: Table) -> None:
        self.balance = np.zeros(self.lanes, dtype=np.int64)
        super().start(table)

    def reset_lanes(self, where: Mask) -> None:
        super().reset_lanes(where)
        self.balance[where] = 0

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        emptied = result.lost & (self.last - self.first <= 1)
        self.play(result.staked, -result.net)
        self.balance += result.net
        self.balance[emptied] = 0
        if self.goal is not None:
            self.reset_lanes(self.balance >= self.unit.amount * self.goal)


@progression("oscar")
class OscarsGrind(LaneProgression):
    """Plays series that gain one unit: the same stake after a loss, one unit more after a win, never more than needed.

    A series begins with one unit and ends as soon as its balance, in money, is one unit or more. After a win that does
    not end it the stake is the smaller of two: one unit more than before, or what an even-money win would need to
    bring the balance to one unit, rounded up to whole units. With a commission a win may fall a little short of that
    (0.95 is not yet one unit); the series then goes on with the smallest bet that is enough.

    Parameters: ``unit``, the first stake, the step, and the aim of each series.

    Source: baccaratonlinegame.com and roulettestar.com, "Oscar's grind".

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(OscarsGrind(unit=1), "L L T W L W T W L W W W")
    '1 1 1 1 2 2 2 2 1 1 1 1'
    """

    def start(self, table: Table) -> None:
        self.size = np.full(self.lanes, self.unit.amount, dtype=np.int64)
        self.balance = np.zeros(self.lanes, dtype=np.int64)

    def reset_lanes(self, where: Mask) -> None:
        self.size[where] = self.unit.amount
        self.balance[where] = 0

    def stake(self, view: LaneView) -> Amounts:  # type: ignore[override]
        return self.size.copy()

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        from bacclab.bettors.progressions.money_kernels import grind

        grind(self.size, self.balance, result.net, self.unit.amount)
