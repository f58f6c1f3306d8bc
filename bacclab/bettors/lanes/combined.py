"""A selection with a progression for many sessions at once, where one of the two is vectorised, or both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.base import Selection
from bacclab.bettors.lanes.base import LaneBets, LaneBettor, LaneProgression, LaneResult, LaneSelection, LaneView
from bacclab.bettors.lanes.sides import SingleSide, TabledSides, walk_sides
from bacclab.bettors.lanes.stake_table import StakeTable, walk_stakes
from bacclab.bettors.lanes.stakes import SingleStake, TabledStakes, WholeStakes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.base import Progression
    from bacclab.bettors.table import TransitionTable
    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table

    Mask = NDArray[np.bool_]

__all__ = ["LaneCombined"]


class LaneCombined(LaneBettor):
    """A selection with a progression, one of them vectorised, or both.

    The part that is an ordinary object is walked into a table (one state a lane) where there are many lanes; with a
    single lane the object itself plays.
    """

    def __init__(self, selection: Selection | LaneSelection, progression: Progression | LaneProgression) -> None:
        super().__init__()
        self.selection = selection
        self.progression = progression
        self._walked_sides: TransitionTable | None = None
        self._walked_stakes: StakeTable | None = None
        self._layout: Layout | None = None
        self._sides: LaneSelection | TabledSides | SingleSide | None = None
        self._stakes: WholeStakes | TabledStakes | SingleStake | None = None

    def tabulate(self, table: Table, layout: Layout, *, policy: str, rounds: int) -> None:
        """Walk what is not vectorised into a table. Raises NotTabular where that cannot be done."""
        if isinstance(self.selection, LaneSelection):
            self.selection.tabulate(table, layout, rounds=rounds)
        else:
            self._walked_sides = walk_sides(self.selection, table, layout, rounds=rounds)
        if not isinstance(self.progression, LaneProgression):
            whole = self.selection if isinstance(self.selection, LaneSelection) else None
            self._walked_stakes = walk_stakes(
                self.progression,
                table,
                layout,
                policy=policy,
                rounds=rounds,
                bets=None if whole is None else whole.can_name(),
                edges=type(self.selection).edge not in (Selection.edge, LaneSelection.edge),
            )
            self._layout = layout

    @property
    def parameters(self) -> dict[str, Any]:
        """The selection and the progression, by those names."""
        return {"selection": self.selection, "progression": self.progression}

    def __repr__(self) -> str:
        return f"Combined({self.selection!r}, {self.progression!r})"

    def start(self, table: Table) -> None:
        self._sides = self._start_sides(table)
        self._stakes = self._start_stakes(table)

    def _start_sides(self, table: Table) -> LaneSelection | TabledSides | SingleSide:
        if isinstance(self.selection, LaneSelection):
            self.selection.lanes = self.lanes
            self.selection.start(table)
            return self.selection
        if self._walked_sides is not None:
            return TabledSides(self._walked_sides, lanes=self.lanes)
        return SingleSide(self.selection, table)

    def _start_stakes(self, table: Table) -> WholeStakes | TabledStakes | SingleStake:
        if isinstance(self.progression, LaneProgression):
            return WholeStakes(self.progression, table, lanes=self.lanes)
        if self._walked_stakes is not None:
            assert self._layout is not None
            return TabledStakes(self._walked_stakes, self._layout, lanes=self.lanes)
        return SingleStake(self.progression, table)

    def shoe_lanes(self, where: Mask) -> None:
        assert self._sides is not None
        self._sides.shoe_lanes(where)
        if isinstance(self._stakes, SingleStake):
            self._stakes.shoe_lanes(where)

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        assert self._sides is not None
        assert self._stakes is not None
        spots = self._sides.side(view)
        return view.on(spots, self._stakes.stake(view, spots, edge=self._sides.edge(view)))

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        assert self._sides is not None
        assert self._stakes is not None
        self._sides.see(result)
        self._stakes.settle(result)

    def reset_lanes(self, where: Mask) -> None:
        assert self._stakes is not None
        self._stakes.reset_lanes(where)
