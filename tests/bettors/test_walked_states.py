"""Which states a walk reaches, and what it does when the bettor fails in one of them."""

from __future__ import annotations

import dataclasses

import pytest

import bacclab as bl
from bacclab.bettors.base import Bettor, Selection
from bacclab.bettors.freeze import freeze
from bacclab.bettors.lanes.combined import LaneCombined
from bacclab.bettors.progressions.money import Labouchere
from bacclab.bettors.rehearsal import bets
from bacclab.bettors.table import NotTabular
from bacclab.bettors.view import Bets, Result, View
from bacclab.bettors.walk import walk
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.shoes.scripted import RESULTS

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
        bettor.tabulate(table, Layout(table), policy="skip", rounds=20)
    else:
        with pytest.raises(NotTabular, match="looks at wins"):
            bettor.tabulate(table, Layout(table), policy="skip", rounds=20)


def stakes_from_the_table(bettor: Bettor, letters: str) -> list[int]:
    """The stakes, in units of ten, that the walked table lays on the rounds of one shoe."""
    table = walk(bettor, TABLE, Layout(TABLE), policy="stop", rounds=len(letters))
    state, stakes = int(table.shoe[0]), []
    for letter in letters:
        stakes.append(table.slips[state].total // 100_000)
        state = int(table.next[state, table.class_of[RESULTS[letter].code]])
    return stakes


def stakes_of_itself(bettor: Bettor, letters: str) -> list[int]:
    laid = bets(bettor, letters, table="commission")
    return [int(float(bet.split()[1])) // 10 if bet else 0 for bet in laid]


class OneLineUnderTwoNames(Bettor):
    """What is added to the line is added to the full line too, until a win gives it a line of its own."""

    def start(self, table: Table) -> None:
        self.full = self.left = [1, 2]

    def bet(self, view: View) -> Bets:
        return view.player(10 * len(self.full) + 10 * self.left[0])

    def settle(self, result: Result) -> None:
        if result.won:
            self.left = self.left[1:] or [1, 2]
        elif result.lost:
            self.left.append(3)


class ReadsTheOrder(Bettor):
    """Bets by the result that came first, which only the order of a dict tells."""

    def start(self, table: Table) -> None:
        self.seen: dict[str, int] = {}

    def bet(self, view: View) -> Bets:
        return view.player(20 if next(iter(self.seen), "tie") == "player" else 10)

    def settle(self, result: Result) -> None:
        self.seen[str(result.outcome)] = 1


class KeepsItsTable(Bettor):
    """Holds on to the table and one of its bets."""

    def start(self, table: Table) -> None:
        self.tables, self.kept, self.last = [table], table.bet("player"), "tie"

    def bet(self, view: View) -> Bets:
        return view.on(self.kept.id, 10 if self.tables[0].bets[self.last] is self.kept else 20)

    def settle(self, result: Result) -> None:
        self.last = str(result.outcome)


class TellsOneFromTrue(Bettor):
    """A frozenset of 1 is equal to one of True, and is another state."""

    def start(self, table: Table) -> None:
        self.held: frozenset[object] = frozenset()

    def bet(self, view: View) -> Bets:
        return view.player(10 * len(str(sorted(map(str, self.held)))))

    def settle(self, result: Result) -> None:
        self.held = frozenset([result.pick(won=1, push=2, lost=True)])


@pytest.mark.parametrize("bettor", [OneLineUnderTwoNames(), ReadsTheOrder(), KeepsItsTable(), TellsOneFromTrue()])
@pytest.mark.parametrize("letters", ["BBPPBPBT", "PBBPTPPB", "BPPPBBPB", "TTBPPBBP"])
def test_a_state_is_all_that_a_bettor_holds(bettor: Bettor, letters: str) -> None:
    assert stakes_from_the_table(bettor, letters) == stakes_of_itself(bettor, letters)


def test_equal_states_are_one_whatever_way_they_were_reached() -> None:
    """Two equal rounds are one value, whether held once or twice, and so are attributes set in another order."""
    one, other = KeepsItsTable(), KeepsItsTable()
    one.a, one.b = RESULTS["P"], dataclasses.replace(RESULTS["P"])  # type: ignore[attr-defined]
    other.b = other.a = RESULTS["P"]  # type: ignore[attr-defined]
    assert freeze(one) == freeze(other)
