"""Costs, comps, bonuses and rebates against every sequence of rounds and other ways to work them out."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from bacclab.analysis.costs.bonus import bonus_formula, bonus_play
from bacclab.analysis.costs.play import comps, rounds_of, span
from bacclab.analysis.costs.rebates import best_stops, least_rebate, rebate_after
from bacclab.errors import BetError, MoneyError
from bacclab.exact.flat.bet import FlatBet
from bacclab.exact.flat.ruin import endings
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import to_amount

TABLES = BUILT_IN_TABLES
SMALL = FlatBet(2, {-2: Fraction(45, 100), 0: Fraction(1, 10), 1: Fraction(1, 10), 2: Fraction(35, 100)})


def sequences_of(bet, rounds):
    for sequence in itertools.product(bet.nets.items(), repeat=rounds):
        yield [net for net, _ in sequence], math.prod(chance for _, chance in sequence)


def test_span_against_every_sequence():
    found = span(SMALL, 6)
    sums = {}
    for nets, chance in sequences_of(SMALL, 6):
        sums[sum(nets)] = sums.get(sum(nets), 0) + chance
    mean = sum(net * chance for net, chance in sums.items())
    assert found.action == 12
    assert found.loss == pytest.approx(float(-mean), rel=1e-13)
    spread = math.sqrt(sum(chance * (net - mean) ** 2 for net, chance in sums.items()))
    assert found.deviation == pytest.approx(spread, rel=1e-13)
    for key, holds in (("ahead", lambda n: n > 0), ("even", lambda n: n == 0), ("behind", lambda n: n < 0)):
        assert getattr(found, key) == pytest.approx(float(sum(c for n, c in sums.items() if holds(n))), rel=1e-13)
    for value, share in ((found.low, 0.05), (found.high, 0.95)):
        assert sum(chance for net, chance in sums.items() if net < value) < share
        assert sum(chance for net, chance in sums.items() if net <= value) >= share


def test_rounds_of_a_trip():
    assert rounds_of(pace=72, hours=1) == 72
    assert rounds_of(pace=33.3, hours=2.5) == 83
    for pace, hours in ((0, 1), (72, -1), (math.nan, 1), (math.inf, 1), (0.1, 1)):
        with pytest.raises(BetError):
            rounds_of(pace=pace, hours=hours)


def test_comps():
    banker = FlatBet.at(TABLES["commission"], {"banker": to_amount(100)})
    as_it_is = comps(banker, rounds=200, rate=0.4)
    assert as_it_is.rated_loss == pytest.approx(as_it_is.loss)
    assert as_it_is.returned == pytest.approx(0.4)
    assert as_it_is.cost == pytest.approx(0.6 * as_it_is.loss)
    edge = FlatBet.at(TABLES["commission"].override({"commission": 0}), {"banker": to_amount(100)})
    assert comps(edge, rounds=200, rate=0.4).comps == 0
    assert comps(edge, rounds=200, rate=0.4).returned is None


@pytest.mark.parametrize("stake", [2, 6])
@pytest.mark.parametrize("requirement", [1, 7, 12])
@pytest.mark.parametrize("deposit", [0, 5])
def test_bonus_against_every_sequence(stake, requirement, deposit):
    bet = FlatBet(stake, {net * stake // 2: chance for net, chance in SMALL.nets.items()})
    bonus = 6
    rounds = -(-requirement // stake)
    gain = leftover = bust = ahead = played = Fraction(0)
    for nets, chance in sequences_of(bet, rounds):
        balance = deposit + bonus
        for done in range(1, rounds + 1):
            balance += nets[done - 1]
            if balance < stake:
                break
        played += chance * done
        if balance < stake:
            bust += chance
            leftover += chance * balance
            gain -= chance * deposit
        else:
            gain += chance * (balance - deposit)
            ahead += chance * (balance > deposit)
    found = bonus_play(bet, bonus=bonus, requirement=requirement, deposit=deposit)
    expected = {"gain": gain, "leftover": leftover, "bust": bust, "ahead": ahead, "played": played}
    for key, value in expected.items():
        assert getattr(found, key) == pytest.approx(float(value), rel=1e-12, abs=1e-14), key


def test_tiny_stakes_come_near_the_formula():
    banker = FlatBet.at(TABLES["commission"], {"banker": to_amount(1)})
    found = bonus_play(banker, bonus=to_amount(100), requirement=to_amount(1_000), deposit=to_amount(400))
    assert found.bust < 1e-12
    assert found.gain == pytest.approx(found.formula, rel=1e-9)


def test_a_stake_that_counts_for_less_asks_for_more_play():
    banker = FlatBet.at(TABLES["commission"], {"banker": to_amount(10)})
    terms = {"bonus": to_amount(100), "deposit": to_amount(100)}
    part = bonus_play(banker, requirement=to_amount(300), weight=0.1, **terms)
    full = bonus_play(banker, requirement=to_amount(3_000), **terms)
    assert part.rounds == full.rounds == 300
    assert part.gain == full.gain
    assert part.formula == pytest.approx(full.formula)
    nothing = bonus_play(banker, requirement=0, **terms)
    assert (nothing.gain, nothing.bust) == (to_amount(100), 0)
    with pytest.raises(BetError, match="count"):
        bonus_formula(banker, bonus=1, requirement=1, weight=0)
    with pytest.raises(MoneyError, match="does not cover one bet"):
        bonus_play(banker, bonus=to_amount(5), requirement=100, deposit=0)


@pytest.mark.parametrize("rebate", [0, 0.1, 0.75])
def test_rebate_against_every_sequence(rebate):
    share = Fraction(rebate)
    result = back = Fraction(0)
    for nets, chance in sequences_of(SMALL, 6):
        result += chance * sum(nets)
        back += chance * share * max(0, -sum(nets))
    found = rebate_after(SMALL, 6, rebate=rebate)
    assert found.loss == pytest.approx(float(-result), rel=1e-13)
    assert found.back == pytest.approx(float(back), rel=1e-13, abs=1e-16)
    assert found.value == pytest.approx(float(result + back), rel=1e-12)
    even = rebate_after(SMALL, 6, rebate=found.break_even)
    assert even.value == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize("rebate", [0.05, 0.1, 0.2, 0.5])
def test_best_stops_on_player_against_the_closed_form(rebate):
    """All pairs of stops by the closed form of gambler's ruin."""
    player = FlatBet.at(TABLES["commission"], {"player": to_amount(1)})
    ratio = float(player.nets[-to_amount(1)] / player.nets[to_amount(1)])

    def worth(loss, win):
        up = (1 - ratio**loss) / (1 - ratio ** (loss + win))
        return win * up - (1 - rebate) * loss * (1 - up)

    value, loss, win = max((worth(a, b), a, b) for a in range(1, 60) for b in range(1, 60))
    found = best_stops(player, rebate=rebate)
    assert (found.loss, found.win) == (to_amount(loss), to_amount(win))
    assert found.value / to_amount(1) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("table", "bet", "rebate"),
    [
        ("commission", "banker", 0.1),
        ("no-commission", "banker", 0.15),
        ("commission", "tie", 0.4),
        ("ez", "panda_8", 0.3),
    ],
)
def test_best_stops_against_backward_induction(table, bet, rebate):
    """The best that can be had in at most so many rounds tends to the best that can be had at all."""
    import numpy as np

    flat = FlatBet.at(TABLES[table], {bet: to_amount(1)})
    walk = flat.walk
    found = best_stops(flat, rebate=rebate)
    reach = 2 * max(found.loss, found.win) // walk.unit + walk.down + walk.up
    place = np.arange(-reach, reach + 1)
    stop = np.where(place < 0, (1 - rebate) * place, place)
    values = stop.astype(float)
    inner = slice(walk.down, len(place) - walk.up)
    for _ in range(600):
        onward = sum(
            chance * values[walk.down + step : walk.down + step + len(values[inner])]
            for step, chance in zip(walk.steps, walk.chances, strict=True)
        )
        values[inner] = np.maximum(stop[inner], onward)
    assert found.value / walk.unit == pytest.approx(values[reach], rel=1e-9)
    going = np.flatnonzero(values > stop + 1e-9)
    assert found.loss // walk.unit == reach - going[0] + 1
    assert found.win // walk.unit == going[-1] + 1 - reach


def test_best_stops_agree_with_the_walk_between_them():
    player = FlatBet.at(TABLES["commission"], {"player": to_amount(1)})
    found = best_stops(player, rebate=0.3)
    play = endings(player, bankroll=found.loss, goal=found.win)
    assert found.winning == pytest.approx(play.goal, rel=1e-12)
    assert found.rounds == pytest.approx(play.rounds, rel=1e-12)


@pytest.mark.parametrize("bet", ["banker", "player", "tie", "player_pair"])
def test_the_least_rebate(bet):
    flat = FlatBet.at(TABLES["commission"], {bet: to_amount(1)})
    least = least_rebate(flat)
    assert rebate_after(flat, 1).break_even == pytest.approx(least, rel=1e-12)
    assert best_stops(flat, rebate=least * 0.999) is None
    assert best_stops(flat, rebate=least * 1.001).value > 0


def test_rebates_that_cannot_be():
    player = FlatBet.at(TABLES["commission"], {"player": to_amount(1)})
    with pytest.raises(BetError, match="share from 0 to 1"):
        rebate_after(player, 10, rebate=20)
    with pytest.raises(BetError, match="below 1"):
        best_stops(player, rebate=1)
    free = FlatBet.at(TABLES["commission"].override({"commission": 0}), {"banker": to_amount(1)})
    with pytest.raises(BetError, match="no edge for the house"):
        best_stops(free, rebate=0.1)
