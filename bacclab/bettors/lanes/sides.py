"""The sides of many sessions from a selection written for one: from its table, or from the object in a single lane."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

from bacclab.bettors.base import Bettor, Selection
from bacclab.bettors.table import NotTabular, TransitionTable
from bacclab.bettors.view import Bets, Result, View
from bacclab.bettors.walk import walk
from bacclab.game.settlement import DOWN, EXACT
from bacclab.money import Money

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.lanes.base import LaneResult, LaneView
    from bacclab.bettors.slip import Slip
    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table

    Mask = NDArray[np.bool_]

__all__ = ["Asking", "OneLane", "SingleSide", "TabledSides", "walk_sides"]


def walk_sides(selection: Selection, table: Table, layout: Layout, *, rounds: int) -> TransitionTable:
    """A selection walked into a table, a slip of one bet a state. Raises NotTabular where that cannot be done."""
    if type(selection).edge is not Selection.edge:
        raise NotTabular("its selection reckons an edge")
    alone = copy.copy(layout)
    alone.needs_main = False  # a side is asked for whether or not the table takes it
    tabled = walk(Asking(selection, alone), table, alone, policy="skip", rounds=rounds)
    if tabled.looks_at_amounts:
        raise NotTabular("its selection looks at amounts")
    if tabled.looks_at_results and layout.rounding not in (EXACT, DOWN):
        raise NotTabular("its selection looks at wins, and a rounded commission may take a small win whole")
    return tabled


class Asking(Bettor):
    """A selection as a bettor that lays the least the table takes, so that it can be walked."""

    def __init__(self, selection: Selection, layout: Layout) -> None:
        super().__init__()
        self.selection = selection
        self._least = {
            bet: Money.of(-(-max(1, int(low)) // int(step)) * int(step))
            for bet, low, step in zip(layout.ids, layout.minimum, layout.increment, strict=True)
        }

    def start(self, table: Table) -> None:
        self.selection.start(table)

    def shoe(self) -> None:
        self.selection.shoe()

    def bet(self, view: View) -> Bets | None:
        side = self.selection.side(view)
        return None if side is None else view.on(side, self._least.get(side, 0))

    def settle(self, result: Result) -> None:
        self.selection.see(result)


class TabledSides:
    """The sides of many lanes, from one transition table."""

    def __init__(self, table: TransitionTable, *, lanes: int) -> None:
        self.class_of, self.classes = table.class_of, table.classes
        self.next, self.idle, self.shoe = table.next.reshape(-1), table.idle.reshape(-1), table.shoe
        self.bet = np.array([_first_bet(slip) for slip in table.slips], dtype=np.int16)
        self.state = np.zeros(lanes, dtype=np.int32)
        self.spots = self.bet[self.state]

    def shoe_lanes(self, where: Mask) -> None:
        """A new shoe begins in some lanes."""
        from bacclab.bettors.lanes.state_kernels import renew

        if len(self.bet) > 1:
            renew(self.state, self.spots, where, self.shoe, self.bet)

    def side(self, view: LaneView) -> NDArray[np.int16]:
        """The index of the bet a lane, −1 for none."""
        return self.spots

    def edge(self, view: LaneView) -> None:
        """A selection that reckons an edge has no table."""

    def see(self, result: LaneResult) -> None:
        """A round is over in every lane."""
        from bacclab.bettors.lanes.state_kernels import step

        if len(self.bet) > 1:
            rules = (self.class_of, self.classes, self.next, self.idle, self.bet)
            step(self.state, self.spots, result.code, result.staked, rules)


def _first_bet(slip: Slip) -> int:
    return slip.bets[0][0] if slip.bets else -1


class OneLane:
    """The view of a bettor written for one session, on a `LaneView` of a single lane."""

    def __init__(self, table: Table) -> None:
        self.view = View(table)

    def shoe(self) -> None:
        """A new shoe begins."""
        self.view._past = []

    def show(self, lanes: LaneView) -> None:
        """Take over what the lane shows before a round."""
        view = self.view
        view._bankroll, view._round = int(lanes.bankroll[0]), lanes.round
        view._shoe = int(lanes.shoe[0])
        view._unseen = None if lanes._unseen is None else [int(n) for n in lanes.unseen[:, 0]]
        view._random = None if lanes._random is None else lambda *_: float(lanes.random()[0])

    def result(self, lanes: LaneResult) -> Result:
        """The round of the lane, now a part of the past."""
        code = int(lanes.code[0])
        self.view._past.append(code)
        return Result(code, staked=int(lanes.staked[0]), net=int(lanes.net[0]))


class SingleSide:
    """The side of one lane, from the selection itself."""

    def __init__(self, selection: Selection, table: Table) -> None:
        self.selection = selection
        self.lane = OneLane(table)
        selection.start(table)

    def shoe_lanes(self, where: Mask) -> None:
        """A new shoe begins."""
        if where[0]:
            self.lane.shoe()
            self.selection.shoe()

    def side(self, view: LaneView) -> NDArray[np.int16]:
        """The index of the bet, −1 for none."""
        self.lane.show(view)
        side = self.selection.side(self.lane.view)
        return np.array([-1 if side is None else view.spot(side)], dtype=np.int16)

    def edge(self, view: LaneView) -> NDArray[np.float64] | None:
        """What the chosen bet is reckoned to win on average, if it is."""
        edge = self.selection.edge(self.lane.view)
        return None if edge is None else np.array([edge])

    def see(self, result: LaneResult) -> None:
        """A round is over."""
        self.selection.see(self.lane.result(result))
