"""Progressions against bet sequences that were worked out by others, and against published tables of their costs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bacclab.bettors.base import Combined, Progression
from bacclab.bettors.lanes.base import LaneResult, LaneView
from bacclab.bettors.progressions.classic import (
    DAlembert,
    Fibonacci,
    Flat,
    GrandMartingale,
    Martingale,
    OneThreeTwoSix,
    Paroli,
)
from bacclab.bettors.progressions.money import Labouchere, OscarsGrind
from bacclab.bettors.progressions.series import Hollandish, Whittaker
from bacclab.bettors.selections.recent import Always
from bacclab.bettors.slip import Requests
from bacclab.bettors.view import Result, View
from bacclab.errors import BettorError, MoneyError
from bacclab.game.codes import Round
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import MAX_AMOUNT, Money

UNITS = 10_000
BANKER_WINS, PLAYER_WINS, TIE = Round(3, 5, 3, 3).code, Round(5, 3, 3, 3).code, Round(4, 4, 3, 3).code

# One row of results for all, with the bets and the final net in units.
COMMON = "L L T W L W T W L W W W"
GOLDEN = [
    (Flat, {}, "1 1 1 1 1 1 1 1 1 1 1 1", 2),
    (Martingale, {}, "1 2 4 4 1 2 1 1 1 2 1 1", 6),
    (DAlembert, {}, "1 2 3 3 2 3 2 2 1 2 1 1", 6),
    (Fibonacci, {}, "1 1 2 2 1 1 1 1 1 1 1 1", 3),
    (Labouchere, {}, "5 6 7 7 7 9 8 8 4 8 5 5", 20),
    (Paroli, {}, "1 1 1 1 2 1 2 2 4 1 2 4", 3),
    (OneThreeTwoSix, {}, "1 1 1 1 3 1 3 3 2 1 3 2", 4),
    (OscarsGrind, {}, "1 1 1 1 2 2 2 2 1 1 1 1", 3),
]


def units(amounts: list[int]) -> list[Fraction]:
    return [Fraction(amount, UNITS) for amount in amounts]


@pytest.mark.parametrize(("system", "values", "bets", "net"), GOLDEN, ids=[row[0].id for row in GOLDEN])
def test_common_row(system, values, bets, net, even):
    stakes, nets = even(system(unit=1, **values), COMMON)
    assert units(stakes) == [int(bet) for bet in bets.split()]
    assert nets[-1] == net * UNITS


@pytest.mark.parametrize("system", [row[0] for row in GOLDEN], ids=[row[0].id for row in GOLDEN])
def test_stakes_are_in_proportion_to_the_unit(system, even):
    one, _ = even(system(unit=1), COMMON)
    odd, _ = even(system(unit="2.35"), COMMON)
    assert [Fraction(a, b) for a, b in zip(odd, one, strict=True)] == [Fraction("2.35")] * len(one)


def test_published_dalembert(even):
    stakes, nets = even(DAlembert(unit=1), "L L L W L W W L W W W")
    assert units(stakes) == [1, 2, 3, 4, 3, 4, 3, 2, 3, 2, 1]
    assert units(nets) == [-1, -3, -6, -2, -5, -1, 2, 0, 3, 5, 6]


def test_ties_move_nothing(even):
    stakes, nets = even(Martingale(unit=1), "L T L T W")
    assert units(stakes) == [1, 2, 2, 4, 4]
    assert nets[-1] == UNITS


@pytest.mark.parametrize("system", [row[0] for row in GOLDEN], ids=[row[0].id for row in GOLDEN])
def test_pushes_can_be_left_out_of_any_row(system, even):
    without, _ = even(system(unit=1), COMMON.replace("T", ""))
    with_ties, _ = even(system(unit=1), COMMON)
    assert [s for s, r in zip(with_ties, COMMON.split(), strict=True) if r != "T"] == without


def test_up_on_loss_down_on_win_with_a_floor(even):
    stakes, nets = even(Martingale(unit="0.01", factor=10, back=1), "L L W W W")
    assert units(stakes) == [Fraction(s) for s in ("0.01", "0.1", "1", "0.1", "0.01")]
    assert nets[-1] == UNITS


def test_martingale_with_a_set_number_of_steps(even):
    assert units(even(Martingale(unit=5, steps=3), "L L L W")[0]) == [5, 10, 20, 5]
    assert units(even(Martingale(unit=5), "L L L W")[0]) == [5, 10, 20, 40]
    stakes, nets = even(Martingale(unit=5, steps=3, at_end="stop"), "L L L L")
    assert units(stakes) == [5, 10, 20, 0]
    assert nets[-1] == -35 * UNITS
    # A win at the last step ends the series as any other does.
    assert units(even(Martingale(unit=5, steps=3, at_end="stop"), "L L W L")[0]) == [5, 10, 20, 5]


@pytest.mark.parametrize(("steps", "lost"), [(3, 7), (4, 15)])
def test_mini_martingale_loses_by_its_own_rule(steps, lost, even):
    stakes, nets = even(Martingale(unit=1, steps=steps), "L" * (steps + 1))
    assert -nets[-2] == lost * UNITS
    assert stakes[-1] == UNITS


def test_stakes_past_the_largest_amount_stay_refused(even):
    stakes, _ = even(Martingale(unit=1), "L" * 200 + "WL")
    assert stakes[60] > MAX_AMOUNT
    assert units(stakes[-1:]) == [1]


@pytest.mark.parametrize(("policy", "eighth"), [("cap", 500), ("reset", 5), ("stop", None)])
def test_martingale_from_5_at_a_maximum_of_500(policy, eighth):
    table = BUILT_IN_TABLES["commission"].override({"minimum": 5, "maximum": 500, "increment": 5})
    requests, view = Requests(Layout(table)), View(table)
    bettor = Combined(Always(on="player"), Martingale(unit=5))
    bettor.start(table)
    laid, lost = [], 0
    for _ in range(8):
        slip, ending = requests.ask(bettor, view, policy=policy)
        if ending:
            break
        laid.append(slip.total // UNITS)
        lost += slip.total if len(laid) < 8 else 0
        bettor.settle(Result(BANKER_WINS, staked=slip.total, net=-slip.total))
    assert laid[:7] == [5, 10, 20, 40, 80, 160, 320]
    assert lost == 635 * UNITS
    assert laid[7:] == ([] if eighth is None else [eighth])
    assert (ending == "limit") == (policy == "stop")


# Straight losses that a maximum of S units covers, units lost by then, and the next stake wanted.
COVERED = {
    Martingale: {20: (5, 31, 32), 50: (6, 63, 64), 100: (7, 127, 128), 200: (8, 255, 256), 500: (9, 511, 512)},
    GrandMartingale: {20: (4, 26, 31), 50: (5, 57, 63), 100: (6, 120, 127), 200: (7, 247, 255), 500: (8, 502, 511)},
    Fibonacci: {20: (7, 33, 21), 50: (9, 88, 55), 100: (11, 232, 144), 200: (12, 376, 233), 500: (14, 986, 610)},
    DAlembert: {
        20: (20, 210, 21),
        50: (50, 1275, 51),
        100: (100, 5050, 101),
        200: (200, 20100, 201),
        500: (500, 125250, 501),
    },
    Labouchere: {
        20: (16, 200, 21),
        50: (46, 1265, 51),
        100: (96, 5040, 101),
        200: (196, 20090, 201),
        500: (496, 125240, 501),
    },
}


COVERED |= {
    Whittaker: {20: (6, 32, 21), 50: (8, 87, 55), 100: (10, 231, 144), 200: (11, 375, 233), 500: (13, 985, 610)},
    Hollandish: {
        20: (30, 300, 21),
        50: (75, 1875, 51),
        100: (150, 7500, 101),
        200: (300, 30000, 201),
        500: (750, 187500, 501),
    },
}


@pytest.mark.parametrize("maximum", [20, 50, 100, 200, 500])
@pytest.mark.parametrize("system", COVERED, ids=lambda system: system.id)
def test_straight_losses_that_a_maximum_covers(system, maximum, even):
    stakes, nets = even(system(unit=1), "L" * 760)
    covered = next(i for i, stake in enumerate(stakes) if stake > maximum * UNITS)
    assert (covered, -nets[covered - 1] // UNITS, stakes[covered] // UNITS) == COVERED[system][maximum]


def net_on(bet: str, progression: Progression, codes: list[int], table: Table) -> list[Fraction]:
    """The running net in units of a progression on one bet of a real table."""
    layout, view = Layout(table), View(table)
    progression.start(table)
    nets, total = [], 0
    for code in codes:
        staked = progression.stake(view).amount
        net, _ = layout.settle(layout.index[bet], staked, code)
        progression.settle(Result(code, staked=staked, net=net))
        total += net
        nets.append(Fraction(total, 10 * UNITS))
    return nets


def test_commission_eats_the_recovery_of_a_martingale(table):
    series = ["0.95", "0.90", "0.80", "0.60", "0.20", "-0.60", "-2.20", "-5.40"]
    for losses, net in enumerate(series):
        codes = [PLAYER_WINS] * losses + [BANKER_WINS]
        assert net_on("banker", Martingale(unit=10), codes, table)[-1] == Fraction(net)


@pytest.mark.parametrize(
    ("stakes", "bet", "ends"),
    [
        ((1, 3, 2, 6), "player", ["-1", "-2", "2", "0", "12"]),
        ((1, 3, 2, 6), "banker", ["-1", "-2.05", "1.8", "-0.3", "11.4"]),
        ((1, 3, 2, 4), "player", ["-1", "-2", "2", "2", "10"]),
    ],
)
def test_results_of_the_four_step_ladders(stakes, bet, ends, table):
    win, lose = (PLAYER_WINS, BANKER_WINS) if bet == "player" else (BANKER_WINS, PLAYER_WINS)
    for wins, net in enumerate(ends):
        codes = [win] * wins + ([lose] if wins < 4 else [])
        system = OneThreeTwoSix(unit=10, stakes=stakes)
        assert net_on(bet, system, codes, table)[-1] == Fraction(net)
        assert system.stake(View(table)) == Money(10)


def test_paroli_gains_seven_units(even):
    assert even(Paroli(unit=1), "W W W")[1][-1] == 7 * UNITS
    assert units(even(Paroli(unit=1, wins=1), "W W L W")[0]) == [1, 1, 1, 1]


def test_fibonacci_one_place_back(even):
    assert units(even(Fibonacci(unit=1, back=1), "L L L L W W L")[0]) == [1, 1, 2, 3, 5, 3, 2]


@given(st.lists(st.sampled_from([1, 0, -1]), max_size=60))
def test_grand_martingale_gains_a_unit_a_bet(results):
    system, view, table = GrandMartingale(unit=1), View(BUILT_IN_TABLES["commission"]), BUILT_IN_TABLES["commission"]
    system.start(table)
    net = bets = 0
    for result in results:
        staked = system.stake(view).amount
        net += result * staked
        bets += result != 0
        system.settle(Result(TIE, staked=staked, net=result * staked))
        if result == 1:
            assert net == bets * UNITS
            net = bets = 0


def lanes_of(system, table: Table, *, lanes: int) -> LaneView:
    system.lanes = lanes
    system.start(table)
    return LaneView(table, Layout(table), lanes=lanes)


# In each round and lane: won, lost, push, not laid (a refused or idle round), or begin again after a refusal.
EVENTS = st.lists(st.lists(st.sampled_from("WWLLLT-R"), min_size=3, max_size=3), max_size=120)


@settings(max_examples=60, deadline=None)
@given(EVENTS, st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_labouchere_is_a_list_of_numbers_in_every_lane(rounds, line):
    system = Labouchere(unit="0.50", line=line)
    view = lanes_of(system, BUILT_IN_TABLES["commission"], lanes=3)
    fresh = [number * UNITS // 2 for number in line]
    papers = [list(fresh) for _ in range(3)]
    for events in rounds:
        stakes = [paper[0] + paper[-1] if len(paper) > 1 else paper[0] for paper in papers]
        assert system.stake(view).tolist() == stakes
        again = np.array([event == "R" for event in events])
        staked = np.array([s if e in "WLT" else 0 for s, e in zip(stakes, events, strict=True)])
        sign = np.array([{"W": 1, "L": -1}.get(event, 0) for event in events])
        system.settle(LaneResult(np.zeros(3, np.uint16), staked=staked, net=staked * sign))
        system.reset_lanes(again)
        for lane, event in enumerate(events):
            if event == "W":
                papers[lane] = papers[lane][1:-1] or list(fresh)
            elif event == "L":
                papers[lane].append(stakes[lane])
            elif event == "R":
                papers[lane] = list(fresh)


def test_labouchere_writes_what_was_really_lost(table):
    system = Labouchere(unit=1)
    view = lanes_of(system, table, lanes=1)
    system.settle(LaneResult(np.zeros(1, np.uint16), staked=np.array([3 * UNITS]), net=np.array([-3 * UNITS])))
    assert system.stake(view).tolist() == [(1 + 3) * UNITS]


def test_labouchere_cleared_gains_the_sum_of_its_line(even):
    for results in ("W W", "L W W W", "L L L W L W W W"):
        stakes, nets = even(Labouchere(unit=1), results + " T")
        assert nets[-1] == 10 * UNITS
        assert stakes[-1] == 5 * UNITS


def test_a_line_that_is_too_large_for_money():
    with pytest.raises(MoneyError, match="too large"):
        Labouchere(unit=1, line=[10**15]).start(BUILT_IN_TABLES["commission"])


@settings(max_examples=60, deadline=None)
@given(EVENTS, st.sampled_from([Fraction(1), Fraction(95, 100), Fraction(1, 2)]))
def test_oscar_by_its_rule_in_every_lane(rounds, pays):
    system = OscarsGrind(unit=10)
    view = lanes_of(system, BUILT_IN_TABLES["commission"], lanes=3)
    stake, balance = [1, 1, 1], [Fraction(0)] * 3
    for events in rounds:
        assert system.stake(view).tolist() == [s * 10 * UNITS for s in stake]
        net = [0, 0, 0]
        for lane, event in enumerate(events):
            won = {"W": pays * stake[lane], "L": Fraction(-stake[lane])}.get(event, Fraction(0))
            net[lane] = int(won * 10 * UNITS)
            balance[lane] += won
            if event == "R" or balance[lane] >= 1:
                stake[lane], balance[lane] = 1, Fraction(0)
            elif event == "W":
                enough = next(units for units in range(1, 1000) if balance[lane] + units >= 1)
                stake[lane] = min(stake[lane] + 1, enough)
        staked = system.stake(view) * np.array([event in "WLT" for event in events])
        system.settle(LaneResult(np.zeros(3, np.uint16), staked=staked, net=np.array(net)))
        system.reset_lanes(np.array([event == "R" for event in events]))


def test_oscar_series_end_on_money(even, table):
    # At even money every series ends at exactly one unit: five of them here. 0.95 is not yet one.
    stakes, nets = even(OscarsGrind(unit=1), "L L L W W W  L W W  W W W")
    assert units(stakes) == [1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1]
    assert units([nets[5], nets[8], nets[9], nets[10], nets[11]]) == [1, 2, 3, 4, 5]
    system = OscarsGrind(unit=1)
    view = lanes_of(system, table, lanes=1)
    wins = []
    for _ in range(4):
        staked = system.stake(view)
        wins.append(int(staked[0]) // UNITS)
        system.settle(LaneResult(np.zeros(1, np.uint16), staked=staked, net=staked * 95 // 100))
    assert wins == [1, 1, 1, 1]
    assert system.balance.tolist() == [0]


@pytest.mark.parametrize(
    ("system", "values"),
    [
        (Martingale, {"steps": 0}),
        (Martingale, {"factor": 1}),
        (Martingale, {"at_end": "cry"}),
        (Fibonacci, {"back": 0}),
        (Paroli, {"wins": 0}),
        (OneThreeTwoSix, {"stakes": []}),
        (OneThreeTwoSix, {"stakes": [1, 0]}),
        (Labouchere, {"line": [1, -2]}),
        (Labouchere, {"line": [True]}),
        (OscarsGrind, {"unit": True}),
    ],
)
def test_impossible_parameters_are_refused(system, values):
    with pytest.raises(BettorError, match=next(iter(values))):
        system(**values)
