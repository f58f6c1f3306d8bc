"""Bankroll and cost figures that users ask for, against values published or worked out elsewhere."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from bacclab.analysis.costs.bonus import bonus_formula, bonus_play
from bacclab.analysis.costs.play import comps, span
from bacclab.analysis.costs.rebates import rebate_after
from bacclab.exact.flat.bet import FlatBet
from bacclab.exact.flat.kelly import kelly
from bacclab.exact.flat.ruin import endings, ruin, smallest_bankroll
from bacclab.exact.flat.totals import total
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import to_amount


def bet(name, stake=1, *, table="commission"):
    return FlatBet.at(BUILT_IN_TABLES[table], {name: to_amount(stake)})


def game(stake, nets):
    """A bet of another game: nets in units of the stake."""
    amount = to_amount(stake)
    return FlatBet(amount, {int(net * amount): chance for net, chance in nets.items()})


def test_twenty_bets_to_double_or_lose():
    found = endings(bet("player"), bankroll=to_amount(20), goal=to_amount(20))
    assert found.goal == pytest.approx(0.366788, abs=5e-7)
    assert found.bust == pytest.approx(0.633212, abs=5e-7)
    assert ruin(bet("player"), bankroll=to_amount(20)) == 1
    banker = endings(bet("banker"), bankroll=to_amount(20), goal=to_amount(20))
    assert banker.goal == pytest.approx(0.368510, abs=5e-7)
    assert banker.rounds == pytest.approx(451.86, abs=5e-3)


@pytest.mark.parametrize(
    ("goal", "bankroll", "percent"), [(10, 10, 43.217), (20, 20, 36.679), (10, 20, 57.271), (5, 40, 81.959)]
)
def test_stops_on_player(goal, bankroll, percent):
    found = endings(bet("player"), bankroll=to_amount(bankroll), goal=to_amount(goal))
    assert 100 * found.goal == pytest.approx(percent, abs=6e-4)
    assert found.net == pytest.approx(-bet("player").edge * found.rounds * to_amount(1), rel=1e-12)


def test_stops_on_banker():
    found = endings(bet("banker"), bankroll=to_amount(10), goal=to_amount(10))
    assert 100 * found.goal == pytest.approx(41.594, abs=6e-4)
    assert found.rounds == pytest.approx(113.7, abs=0.06)


def test_double_or_bust_elsewhere():
    """Twenty units on the pass line of craps (chance 0.493, as printed), and on red at a wheel with one zero."""
    craps = game(1, {1: Fraction(493, 1000), -1: Fraction(507, 1000)})
    red = game(1, {1: Fraction(18, 37), -1: Fraction(19, 37)})
    for flat, percent in ((craps, 36.35), (red, 25.33)):
        found = endings(flat, bankroll=to_amount(20), goal=to_amount(20))
        assert 100 * found.goal == pytest.approx(percent, abs=6e-3)


def test_spread():
    hundred = span(bet("banker"), 100)
    assert hundred.deviation / to_amount(1) == pytest.approx(9.2737, abs=6e-5)
    assert span(bet("banker"), 72).deviation / to_amount(1) == pytest.approx(7.869, abs=6e-4)


@pytest.mark.parametrize(
    ("name", "table", "rounds"),
    [
        ("banker", "commission", 7_684),
        ("player", "commission", 5_931),
        ("tie", "commission", 338),
        ("banker", "ez", 8_508),
        ("banker", "no-commission", 4_065),
    ],
)
def test_rounds_until_the_loss_is_one_deviation(name, table, rounds):
    assert round(bet(name, table=table).rounds_to_n0) == rounds


@pytest.mark.parametrize(
    ("flat", "fraction", "raw"),
    [
        (game(1, {2: Fraction(6, 10), -1: Fraction(4, 10)}), 0.4, 0.4),
        (game(1, {1: Fraction(1, 2), -1: Fraction(1, 2)}), 0, 0),
        (bet("banker"), 0, -0.01114),
        (game(1, {11: Fraction(1, 10), -1: Fraction(9, 10)}), 0.018182, 0.018182),
    ],
)
def test_kelly(flat, fraction, raw):
    found = kelly(flat)
    assert found.fraction == pytest.approx(fraction, abs=5e-7)
    assert found.raw == pytest.approx(raw, abs=5e-6)


@pytest.mark.parametrize(
    ("name", "rounds", "bets"),
    [
        ("banker", 80, 18),
        ("banker", 500, 46),
        ("banker", 1_000, 68),
        ("player", 80, 18),
        ("player", 500, 47),
        ("player", 1_000, 70),
    ],
)
def test_bankroll_for_five_per_cent(name, rounds, bets):
    found = smallest_bankroll(bet(name, 25), risk=0.05, rounds=rounds)
    assert (found.bets, found.amount) == (bets, to_amount(25 * bets))
    assert smallest_bankroll(bet(name, 25), risk=0.05) is None


@pytest.mark.parametrize(
    ("name", "rounds", "ahead", "even", "behind"),
    [
        ("player", 100, 42.76, 4.15, 53.09),
        ("banker", 100, 44.74, 0.00, 55.26),
        ("player", 500, 37.68, 1.80, 60.52),
        ("banker", 500, 40.11, 0.01, 59.88),
        ("player", 1_000, 33.46, 1.22, 65.32),
        ("banker", 1_000, 35.76, 0.07, 64.16),
    ],
)
def test_ahead_after_a_session(name, rounds, ahead, even, behind):
    found = span(bet(name), rounds)
    figures = [100 * share for share in (found.ahead, found.even, found.behind)]
    assert figures == pytest.approx([ahead, even, behind], abs=6e-3)


def test_two_hours():
    """Some 300 rounds of Player: above +10, above +20, below -20."""
    sums = total(bet("player"), 300)
    units = sums.nets // to_amount(1)
    found = [100 * sums.chances[where].sum() for where in (units > 10, units > 20, units < -20)]
    assert found == pytest.approx([19.4, 7.1, 15.4], abs=0.06)


@pytest.mark.parametrize(
    ("name", "table", "pace", "loss"),
    [
        ("banker", "commission", 72, 19.04),
        ("banker", "ez", 72, 18.33),
        ("banker", "no-commission", 72, 26.25),
        ("player", "commission", 72, 22.23),
        ("tie", "commission", 72, 258.47),
        ("banker", "ez", 90, 22.91),
    ],
)
def test_an_hour(name, table, pace, loss):
    assert span(bet(name, 25, table=table), pace).loss / to_amount(1) == pytest.approx(loss, abs=6e-3)


def test_a_toy():
    """Player with a bankroll of 2 for at most 3 rounds."""
    found = endings(bet("player"), bankroll=to_amount(2), rounds=3)
    assert found.rounds == pytest.approx(2.789688, abs=5e-7)
    assert found.net / to_amount(1) == pytest.approx(-0.0344549, abs=5e-8)
    assert found.bust == pytest.approx(0.2503364, abs=5e-8)


@pytest.mark.parametrize(("name", "worth"), [("banker", 68.26), ("player", 62.95), ("tie", -330.79)])
def test_a_bonus_of_100_with_3000_to_stake(name, worth):
    found = bonus_formula(bet(name), bonus=to_amount(100), requirement=to_amount(3_000))
    assert found / to_amount(1) == pytest.approx(worth, abs=6e-3)


def test_larger_stakes_raise_the_worth_of_a_bonus():
    """French roulette, 60 times the bonus: published as 19 at tiny stakes, 41 at 10, 73 at 100.

    What is left when it does not cover a stake is worth something to who plays on, so the published figures lie between
    the gain without it and with it.
    """
    found = {}
    for stake in (10, 100):
        half_back = game(stake, {1: Fraction(18, 37), -1: Fraction(18, 37), Fraction(-1, 2): Fraction(1, 37)})
        terms = {"bonus": to_amount(100), "requirement": to_amount(6_000), "deposit": to_amount(100)}
        found[stake] = bonus_play(half_back, **terms)
        assert round(found[stake].formula / to_amount(1)) == 19
    for stake, worth in ((10, 41), (100, 73)):
        play = found[stake]
        assert play.gain / to_amount(1) < worth < (play.gain + play.leftover) / to_amount(1)


@pytest.mark.parametrize(
    ("name", "rounds", "percent"),
    [
        ("player", 100, 27.8),
        ("player", 500, 51.8),
        ("player", 1_000, 64.4),
        ("banker", 100, 24.9),
        ("banker", 500, 47.3),
        ("banker", 1_000, 59.6),
    ],
)
def test_rebate_that_gives_back_the_whole_loss(name, rounds, percent):
    assert 100 * rebate_after(bet(name), rounds).break_even == pytest.approx(percent, abs=0.06)


def test_comps_of_a_trip():
    """25 a round, four hours: the house rates 60 rounds an hour at 1 %; 72 rounds at the real edge cost more."""
    found = comps(bet("banker", 25), rounds=4 * 72, rate=0.3, rated_rounds=4 * 60, rated_edge=0.01)
    assert found.rated_loss == pytest.approx(to_amount(60))
    assert found.loss / to_amount(1) == pytest.approx(76.17, abs=6e-3)


def test_classes_of_an_hour():
    """Reach the goal, go bust, run out of time ahead, even or behind: every class has its chance."""
    for rounds in (72, 288):
        found = endings(bet("banker", 25), bankroll=to_amount(500), goal=to_amount(250), rounds=rounds)
        classes = (found.goal, found.bust, found.ahead, found.even, found.behind)
        assert math.fsum(classes) == pytest.approx(1, abs=1e-12)
        assert all(0 < chance < 1 for chance in classes[:3])
        # Every bet that is placed loses its edge on average, whatever ends the play.
        assert found.net == pytest.approx(-bet("banker", 25).edge * found.rounds * to_amount(25), rel=1e-10)
