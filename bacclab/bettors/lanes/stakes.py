"""The stakes of many sessions from a progression written for one: from its table, or from the object in one lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.lanes.sides import OneLane
from bacclab.errors import BettorError
from bacclab.money import MAX_AMOUNT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.base import Progression
    from bacclab.bettors.lanes.base import LaneProgression, LaneResult, LaneView
    from bacclab.bettors.lanes.stake_table import StakeTable
    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table

    Amounts = NDArray[np.int64]
    Mask = NDArray[np.bool_]
    Edge = NDArray[np.float64] | None

__all__ = ["SingleStake", "TabledStakes", "WholeStakes"]


class TabledStakes:
    """The stakes of many lanes, from one table."""

    def __init__(self, table: StakeTable, layout: Layout, *, lanes: int) -> None:
        self.table = table
        self.rules = (
            table.next.reshape(-1),
            table.asked.reshape(-1),
            *table.next.shape[1:],
            table.by_line,
            layout.line,
        )
        self.state = np.zeros(lanes, dtype=np.int32)
        self.spots = np.full(lanes, -1, dtype=np.int16)
        self.columns = self.spots

    def stake(self, view: LaneView, spots: NDArray[Any], *, edge: Edge = None) -> Amounts:
        """The stake a lane for the bets ``spots``."""
        self.spots = np.asarray(spots).astype(np.int16, copy=False)
        self.columns = self.table.column[self.spots]
        if self.columns.min() < -1:
            bet = view.bet_of(int(self.spots[self.columns.argmin()]))
            raise BettorError(f"the selection names the bet {bet!r}, which it did not say it can name (can_name)")
        if self.table.amount.shape[1] == 1:
            one: Amounts = self.table.amount[self.state, 0]
            return one
        amounts: Amounts = self.table.amount[self.state, np.maximum(self.columns, 0)]
        return amounts

    def settle(self, result: LaneResult) -> None:
        """A round is over; the state of a lane that named no stake stays."""
        from bacclab.bettors.lanes.state_kernels import step_stakes

        step_stakes(self.state, self.columns, self.spots, result.code, result.staked, result.net, self.rules)

    def reset_lanes(self, where: Mask) -> None:
        """Begin again in some lanes."""
        self.state[where] = self.table.reset[self.state[where], np.maximum(self.columns[where], 0)]


class SingleStake:
    """The stake of one lane, from the progression itself, asked only when there is a bet."""

    def __init__(self, progression: Progression, table: Table) -> None:
        self.progression, self.rules = progression, table
        self.lane = OneLane(table)
        progression.start(table)

    def shoe_lanes(self, where: Mask) -> None:
        """A new shoe begins."""
        if where[0]:
            self.lane.shoe()

    def stake(self, view: LaneView, spots: NDArray[Any], *, edge: Edge = None) -> Amounts:
        """The stake for the bet ``spots[0]``."""
        if spots[0] < 0:
            return np.zeros(1, dtype=np.int64)
        self.lane.show(view)
        bet = view.bet_of(int(spots[0]))
        reckoned = None if edge is None else float(edge[0])
        stake = self.progression.stake_on(bet, self.lane.view, edge=reckoned)
        ((_, amount),) = self.lane.view.on(bet, stake).items
        return np.array([max(-1, min(amount, MAX_AMOUNT + 1))], dtype=np.int64)

    def settle(self, result: LaneResult) -> None:
        """A round is over."""
        one = self.lane.result(result)
        if one.laid:
            self.progression.settle(one)

    def reset_lanes(self, where: Mask) -> None:
        """Begin again."""
        if where[0]:
            self.progression.start(self.rules)


class WholeStakes:
    """The stakes of a vectorised progression."""

    def __init__(self, progression: LaneProgression, table: Table, *, lanes: int) -> None:
        self.progression = progression
        progression.lanes = lanes
        progression.start(table)
        self.settle = progression.settle
        self.reset_lanes = progression.reset_lanes

    def stake(self, view: LaneView, spots: NDArray[Any], *, edge: Edge = None) -> Amounts:
        """The stake a lane for the bets ``spots``."""
        return self.progression.stake_on(spots, view, edge=edge)
