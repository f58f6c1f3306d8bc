"""Which states a walk reaches, and what it does when the bettor fails in one of them."""

from __future__ import annotations

import pytest

import bacclab as bl
from bacclab.bettors.base import Bettor, Selection
from bacclab.bettors.lanes import LaneCombined
from bacclab.bettors.progressions_money import Labouchere
from bacclab.bettors.table import NotTabular, walk
from bacclab.bettors.view import Bets, Result, View
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table

TABLE = BUILT_IN_TABLES["commission"]


class ShoeCounter(Bettor):
    """Counts its shoes without end."""

    def start(self, table: Table) -> None:
        self.shoes = 0

    def shoe(self) -> None:
        self.shoes += 1

    def bet(self, view: View) -> Bets:
        return view.banker(10 * self.shoes)


def test_a_new_shoe_begins_at_most_once_a_round() -> None:
    table = walk(ShoeCounter(), TABLE, Layout(TABLE), policy="stop", rounds=6)
    stakes = {slip.total // 100_000 for slip in table.slips}
    # Six rounds have at most six shoes; the last round played is the seventh state.
    assert stakes == set(range(8))


class FallsOffTheList(Bettor):
    """Wants a fifth stake after four losses, and has none."""

    def start(self, table: Table) -> None:
        self.losses = 0

    def bet(self, view: View) -> Bets:
        return view.player([1, 2, 4, 8][self.losses])

    def settle(self, result: Result) -> None:
        self.losses = result.pick(won=0, push=self.losses, lost=self.losses + 1)


def test_a_fault_in_a_state_that_need_not_come_is_a_reason_and_no_error() -> None:
    with pytest.raises(NotTabular, match="IndexError"):
        walk(FallsOffTheList(), TABLE, Layout(TABLE), policy="stop", rounds=20)


class TurnsAfterWins(Selection):
    """Changes sides after a win."""

    def start(self, table: Table) -> None:
        self.next = "banker"

    def side(self, view: View) -> str:
        return self.next

    def see(self, result: Result) -> None:
        self.next = result.pick(won="player", push="banker", lost="banker")


@pytest.mark.parametrize(("rounding", "tabled"), [("exact", True), ("down", True), ("up", False), ("half-up", False)])
def test_a_selection_that_looks_at_wins_is_not_tabled_where_a_win_may_be_rounded_away(
    rounding: str, tabled: bool
) -> None:
    table = TABLE.override({"commission_rounding": rounding, "commission_coin": 5})
    bettor = LaneCombined(TurnsAfterWins(), Labouchere(unit=bl.Money(10)))
    if tabled:
        bettor.tabulate(table, Layout(table), rounds=20)
    else:
        with pytest.raises(NotTabular, match="looks at wins"):
            bettor.tabulate(table, Layout(table), rounds=20)
