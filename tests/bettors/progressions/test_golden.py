"""Bet sequences worked out by hand from the written rules: ties, runs of losses, recoveries, Banker's commission."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bacclab.bettors.lanes.base import LaneView
from bacclab.bettors.progressions.bankroll import Kelly, Proportional
from bacclab.bettors.progressions.chips import CommissionMartingale, Parlay, least_stake
from bacclab.bettors.progressions.classic import ContraDAlembert, Fibonacci, GrandMartingale, MiniMartingale
from bacclab.bettors.progressions.ladders import Ascot, Guetting, Ladder, OneThreeTwoFour, ReverseMartingale
from bacclab.bettors.progressions.money import ReverseLabouchere
from bacclab.bettors.progressions.series import Hollandish, ThirtyOne, Whittaker
from bacclab.bettors.rehearsal import stakes
from bacclab.errors import BettorError
from bacclab.game.codes import Round
from bacclab.game.layout import Layout
from bacclab.game.settlement import ROUNDINGS
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import Money

if TYPE_CHECKING:
    from bacclab.bettors.base import Progression

COMMON = "L L T W L W T W L W W W"
# The bets of this row and its final net, in units at even money.
GOLDEN: list[tuple[type[Progression], dict[str, Any], str, int]] = [
    (GrandMartingale, {}, "1 3 7 7 1 3 1 1 1 3 1 1", 10),  # a unit for each of ten decided bets
    (MiniMartingale, {"steps": 3}, "1 2 4 4 1 2 1 1 1 2 1 1", 6),
    (ReverseMartingale, {}, "1 1 1 1 2 1 2 2 4 1 2 4", 3),
    (CommissionMartingale, {}, "1 2 4 4 1 2 1 1 1 2 1 1", 6),
    (ContraDAlembert, {}, "1 1 1 1 2 1 2 2 3 2 3 4", 6),
    (ReverseLabouchere, {}, "5 5 5 5 6 6 8 8 10 9 12 15", 29),
    (OneThreeTwoFour, {}, "1 1 1 1 3 1 3 3 2 1 3 2", 4),
    (Hollandish, {}, "1 1 1 1 3 3 3 3 1 1 1 1", 4),
    (Ascot, {}, "8 5 3 3 5 3 5 5 8 5 8 13", 11),
    (ThirtyOne, {}, "1 1 1 1 2 2 4 4 1 1 2 1", 6),
    (Whittaker, {}, "1 2 3 3 1 2 1 1 1 2 1 1", 5),
    (Guetting, {}, "2 2 2 2 2 2 2 2 3 2 2 3", 4),
    (Parlay, {}, "1 1 1 1 2 1 2 2 1 1 2 1", 3),
    (Ladder, {}, "1 1 1 1 2 1 2 2 4 1 2 4", 3),
    (Ladder, {"up_on": "loss", "stakes": [1, 1, 2, 2, 3]}, "1 1 2 2 1 1 1 1 1 1 1 1", 3),
    (Fibonacci, {"back": 1, "wins": 2}, "1 1 2 2 1 2 1 1 1 1 1 1", 4),
]
NAMES = [f"{system.id} {values}" for system, values, _, _ in GOLDEN]


@pytest.mark.parametrize(("system", "values", "bets", "net"), GOLDEN, ids=NAMES)
def test_common_row(system: type[Progression], values: dict[str, Any], bets: str, net: int, even: Any) -> None:
    laid, nets = even(system(unit=1, **values), COMMON)
    assert [Fraction(amount, 10_000) for amount in laid] == [int(bet) for bet in bets.split()]
    assert nets[-1] == net * 10_000


@pytest.mark.parametrize(("system", "values"), [row[:2] for row in GOLDEN], ids=NAMES)
def test_a_push_moves_nothing(system: type[Progression], values: dict[str, Any]) -> None:
    bare = stakes(system(unit=1, **values), "L L W L W W L W W W W L W L L L").split()
    tied = stakes(system(unit=1, **values), "TL TL TW TL TW TW TL TW TW TW TW TL TW TL TL TL").split()
    assert tied[1::2] == bare == tied[::2]


RUNS: list[tuple[type[Progression], dict[str, Any], str, str]] = [
    # Straight losses past the end, then a recovery.
    (MiniMartingale, {"steps": 3}, "L L L L L T L L W W", "1 2 4 1 2 4 4 1 2 1"),
    (MiniMartingale, {"at_end": "stop"}, "L L L L W", "1 2 4 8 0"),
    (Whittaker, {}, "L L L L L L W W W W", "1 2 3 5 8 13 21 8 3 1"),
    (ContraDAlembert, {}, "W W W T L L L L L", "1 2 3 4 4 3 2 1 1"),
    # A block of three is judged when it is full: L W L up, W L L up, W W L back, and two wins do not end it early.
    (Hollandish, {}, "L W L  W T L L  W W L  L L L  L L L  L L L  W", "1 1 1 3 3 3 3 5 5 5 1 1 1 3 3 3 5 5 5 7"),
    (Ascot, {}, "L L L L L W W W W W W W W", "8 5 3 2 2 2 3 5 8 13 20 30 8"),
    (Ascot, {"line": [1, 2, 3, 4]}, "W W L L L L W", "3 4 3 2 1 1 1"),
    # Thirty-one units are lost in nine bets, with and without a win that is lost again at twice the bet.
    (ThirtyOne, {}, "L L L L L L L L L W W W", "1 1 1 2 2 4 4 8 8 1 2 1"),
    (ThirtyOne, {}, "W L W L W L W L W L W L W L W L W L L", "1 2 1 2 1 2 2 4 2 4 4 8 4 8 8 16 8 16 1"),
    (ThirtyOne, {"stakes": [1, 1, 1, 4, 8, 16]}, "L L L L L L L", "1 1 1 4 8 16 1"),
    # Two wins a size; a loss goes to the first size of the level before.
    (
        Guetting,
        {},
        "WW WW WW WW WW WW L WW WW WW WW WW WW WW WW WW W",
        "2 2 3 3 4 4 6 6 8 8 12 12 16 3 3 4 4 6 6 8 8 12 12 16 16 20 20 30 30 40 40 2",
    ),
    (Guetting, {}, "WW WW WW WW WW W L L L L", "2 2 3 3 4 4 6 6 8 8 12 12 3 2 2"),
    (Guetting, {"on_loss": "second-chance"}, "WW WW WW WW W L L WL WL W", "2 2 3 3 4 4 6 6 8 8 8 3 3 3 3 3"),
    (Guetting, {"on_loss": "size"}, "WW WW WW L L L L W L", "2 2 3 3 4 4 6 4 3 2 2 2"),
    (ReverseMartingale, {"cap": 3}, "W W W W L W", "1 2 4 1 2 1"),
    (OneThreeTwoFour, {}, "W W W W W L", "1 3 2 4 1 3"),
    (ReverseLabouchere, {}, "W W L L L W L L", "5 6 7 7 7 5 6 6"),
    (ReverseLabouchere, {"line": [3]}, "L W W L T L", "3 3 6 9 3 3"),
    (ReverseLabouchere, {"goal": 11}, "W T W W", "5 6 6 5"),
    (Ladder, {"up_on": "loss", "stakes": [1, 3, 9]}, "L L L L T L W", "1 3 9 1 3 3 9"),
    (Ladder, {"up_on": "loss", "stakes": [1, 3, 9], "at_end": "stay"}, "L L L L W L", "1 3 9 9 9 1"),
    (Ladder, {"up_on": "loss", "stakes": [1, 3], "at_end": "stop"}, "L L W", "1 3 0"),
    (Ladder, {"stakes": [1, 2], "at_end": "stay"}, "W W W L W", "1 2 2 2 1"),
    (Fibonacci, {"back": 1, "wins": 2}, "L L L L L W T W W L", "1 1 2 3 5 8 5 5 1 1"),
]


@pytest.mark.parametrize(("system", "values", "results", "bets"), RUNS, ids=[f"{r[0].id} {r[2]}" for r in RUNS])
def test_runs(system: type[Progression], values: dict[str, Any], results: str, bets: str) -> None:
    assert stakes(system(unit=1, **values), results) == bets


@pytest.mark.parametrize(
    ("system", "results", "bets"),
    [
        # 20 / 0.95 = 21.05, 45 / 0.95 = 47.37, 95 / 0.95 = 100, 195 / 0.95 = 205.26, in chips of 5.
        (CommissionMartingale(unit=10, chip=5), "L L L T L W L", "10 25 50 100 100 210 10"),
        # In cents: 20 / 0.95 = 21.053, 41.06 / 0.95 = 43.22 (to 43.23), 84.29 / 0.95 = 88.73 (88.726).
        (CommissionMartingale(unit=10), "L L L L", "10 21.06 43.23 88.73"),
        # 10 + 9.50 = 19.50; 19.50 + 18.525 = 38.025.
        (Parlay(unit=10, wins=4), "W W T W W", "10 19.50 38.02 38.02 74.13"),
        (Parlay(unit=10, wins=3, chip=5), "W W L", "10 15 25"),
        # A tenth of 1000, of 1095, of 985, in chips of 5.
        (Proportional(unit=5, share=0.1), "W L T W", "100 105 95 95"),
    ],
    ids=repr,
)
def test_on_banker(system: Progression, results: str, bets: str) -> None:
    assert stakes(system, results, on="banker") == bets


def test_a_commission_martingale_grows_by_the_odds_of_the_tie() -> None:
    # At 8:1 ten units win 80: enough for seven losses and a unit more. Then (80 + 10) / 8 = 11.25, (95 + 10) / 8 =
    # 13.13, 120 / 8 = 15, 135 / 8 = 16.88, 155 / 8 = 19.38, 175 / 8 = 21.88, in chips of 5.
    found = stakes(CommissionMartingale(unit=10, chip=5), "L " * 13 + "W L", on="tie")
    assert found == "10 10 10 10 10 10 10 10 15 15 15 20 20 25 10"
    with pytest.raises(BettorError, match="made of W, L; it has 'T'"):
        stakes(CommissionMartingale(unit=10), "L T", on="tie")
    with pytest.raises(BettorError, match="not on 'dragon_7'"):
        stakes(CommissionMartingale(unit=10), "L", on="dragon_7")


def test_a_commission_martingale_is_a_martingale_on_player() -> None:
    assert stakes(CommissionMartingale(unit=10, chip=5), "L L L T L W") == "10 20 40 80 80 160"


@pytest.mark.parametrize("rounding", ROUNDINGS[1:])
@pytest.mark.parametrize(("coin", "chip"), [("0.25", "0.50"), ("5", "1"), ("0.07", "0.01")])
def test_the_smallest_stake_is_the_smallest(rounding: str, coin: str, chip: str) -> None:
    settings = {"commission_rounding": rounding, "commission_coin": coin, "increment": "0.01", "minimum": "0.01"}
    table = BUILT_IN_TABLES["commission"].override(settings)
    layout, won = Layout(table), Round(3, 5, 3, 3).code
    step = Money(chip).amount

    def net(amount: int) -> int:
        return layout.settle(layout.index["banker"], amount, won)[0]

    for wanted in (1, 7, 20, 33.5, 95):
        needed = Money(wanted)
        first = next(n for n in range(1, 100_000) if net(n * step) >= needed.amount)
        assert least_stake(table, "banker", net=needed, chip=Money(chip)).amount == first * step


@pytest.mark.parametrize(
    ("system", "wins", "nets"),
    [
        # All bets of one size until then: a Hollandish block of 1 1 1, and so on, in units.
        (Whittaker(unit=1), "L L L W W", "-1 -3 -6 -1 1"),
        (ThirtyOne(unit=1), "L L L L L L L L L", "-1 -2 -3 -5 -7 -11 -15 -23 -31"),
        (Hollandish(unit=1), "L L L L L L W W W", "-1 -2 -3 -6 -9 -12 -7 -2 3"),
    ],
    ids=repr,
)
def test_running_nets(system: Progression, wins: str, nets: str, even: Any) -> None:
    assert [net / 10_000 for net in even(system, wins)[1]] == [int(net) for net in nets.split()]


def test_an_empty_reverse_line_has_lost_its_sum(even: Any) -> None:
    for results in ("L L", "W L L L", "W W W L W L L L"):
        laid, nets = even(ReverseLabouchere(unit=1), results + " T")
        assert nets[-1] == -10 * 10_000, results
        assert laid[-1] == 5 * 10_000


@pytest.mark.parametrize("system", [ReverseMartingale(unit=1), ReverseLabouchere(unit=1)], ids=repr)
def test_two_hundred_wins_stay_a_number(system: Progression) -> None:
    with_wins = stakes(system, "W " * 200 + "L").split()
    assert len(with_wins) == 201
    assert all(Money(stake) > 0 for stake in with_wins)


@pytest.mark.parametrize(
    ("system", "values"),
    [
        (MiniMartingale, {"steps": None}),
        (ReverseMartingale, {"cap": 0}),
        (Ladder, {"up_on": "tie"}),
        (Ladder, {"stakes": []}),
        (Ascot, {"line": []}),
        (Guetting, {"on_loss": "cry"}),
        (ThirtyOne, {"stakes": [0]}),
        (ReverseLabouchere, {"goal": 0}),
        (Parlay, {"chip": 0}),
        (CommissionMartingale, {"chip": -1}),
        (Fibonacci, {"wins": 1}),
        (Proportional, {"share": 0.0}),
        (Proportional, {"share": 5}),
        (Kelly, {"fraction": 1.5}),
    ],
    ids=str,
)
def test_impossible_parameters_are_refused(system: type[Progression], values: dict[str, Any]) -> None:
    with pytest.raises(BettorError, match=next(iter(values))):
        system(**values)


@pytest.mark.parametrize(
    ("bet", "edge", "fraction", "stake"),
    [
        # 2 % on Player: 0.02 / 0.904844 of 1000 is 22.10; half of it is 11.05.
        ("player", 0.02, 1.0, 20),
        ("player", 0.02, 0.5, 10),
        # b of Banker is 0.95: 0.02 / (0.95 × 0.904844) of 1000 is 23.27. Tie: 0.5 / 8 of 1000 is 62.50.
        ("banker", 0.02, 1.0, 20),
        ("tie", 0.5, 1.0, 60),
        # Under the minimum of 10, at nothing, and below nothing: no bet.
        ("player", 0.008, 1.0, 0),
        ("player", 0.0, 1.0, 0),
        ("player", -0.3, 1.0, 0),
        # Off the top of a full shoe.
        ("player", None, 1.0, 0),
        ("banker", None, 1.0, 0),
    ],
)
def test_kelly_by_the_edge_of_the_selection(bet: str, edge: float | None, fraction: float, stake: int) -> None:
    table = BUILT_IN_TABLES["commission"].override({"minimum": 10})
    view = LaneView(table, Layout(table), lanes=1)
    view._bankroll = np.array([1000 * 10_000])
    system = Kelly(unit=5, fraction=fraction)
    system.start(table)
    spots = np.array([view.spot(bet)], dtype=np.int16)
    found = system.stake_on(spots, view, edge=None if edge is None else np.array([edge]))
    assert found.tolist() == [stake * 10_000]
