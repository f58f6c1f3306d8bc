"""A stop rule that is no sum of money: go home after so many losses in a row. It wraps any bettor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.base import Bettor
from bacclab.bettors.lanes.base import LaneBets, LaneBettor, LaneResult, LaneView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.view import Bets, Result, View
    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table

    Mask = NDArray[np.bool_]

__all__ = ["LaneStopAfterLosses", "StopAfterLosses", "stop_after_losses"]


def stop_after_losses(bettor: Bettor, losses: int) -> Bettor:
    """The same bettor, which ends its session after that many lost rounds in a row; pushes neither count nor break.

    >>> from bacclab.bettors.whole.flat import FlatBettor
    >>> from bacclab.bettors.rehearsal import bets
    >>> bets(stop_after_losses(FlatBettor(on="player", unit=5), 2), "B P B T B")
    ['player 5.00', 'player 5.00', 'player 5.00', 'player 5.00', 'player 5.00']
    >>> bets(stop_after_losses(FlatBettor(on="player", unit=5), 2), "B T B P")
    ['player 5.00', 'player 5.00', 'player 5.00', '']
    """
    if isinstance(bettor, LaneBettor):
        return LaneStopAfterLosses(bettor, losses)
    return StopAfterLosses(bettor, losses)


class StopAfterLosses(Bettor):
    """A bettor that goes home after a number of lost rounds in a row. A reset of the progression does not reset it."""

    def __init__(self, bettor: Bettor, losses: int) -> None:
        super().__init__()
        self.bettor = bettor
        self.losses = losses

    @property
    def parameters(self) -> dict[str, Any]:
        """Those of the bettor itself."""
        return self.bettor.parameters

    def __repr__(self) -> str:
        return repr(self.bettor)

    def start(self, table: Table) -> None:
        self.lost = 0
        self.bettor.start(table)

    def shoe(self) -> None:
        self.bettor.shoe()

    def bet(self, view: View) -> Bets | None:
        return view.stop() if self.lost >= self.losses else self.bettor.bet(view)

    def settle(self, result: Result) -> None:
        self.lost = result.pick(won=0, push=self.lost, lost=self.lost + 1)
        self.bettor.settle(result)

    def reset(self, table: Table) -> None:
        self.bettor.reset(table)


class LaneStopAfterLosses(LaneBettor):
    """The same for a vectorised bettor."""

    def __init__(self, bettor: LaneBettor, losses: int) -> None:
        super().__init__()
        self.bettor = bettor
        self.losses = losses

    @property
    def parameters(self) -> dict[str, Any]:
        """Those of the bettor itself."""
        return self.bettor.parameters

    def __repr__(self) -> str:
        return repr(self.bettor)

    def tabulate(self, table: Table, layout: Layout, *, policy: str, rounds: int) -> None:
        self.bettor.tabulate(table, layout, policy=policy, rounds=rounds)

    def start(self, table: Table) -> None:
        self.lost = np.zeros(self.lanes, dtype=np.int64)
        self.bettor.lanes = self.lanes
        self.bettor.start(table)

    def shoe_lanes(self, where: Mask) -> None:
        self.bettor.shoe_lanes(where)

    def bet(self, view: LaneView) -> LaneBets | None:  # type: ignore[override]
        bets, over = self.bettor.bet(view), self.lost >= self.losses
        return (bets or LaneBets(())) + view.stop(over) if over.any() else bets

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        self.lost = result.pick(won=0, push=self.lost, lost=self.lost + 1)
        self.bettor.settle(result)

    def reset_lanes(self, where: Mask) -> None:
        self.bettor.reset_lanes(where)
