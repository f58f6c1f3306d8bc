"""Settlement against decimal arithmetic, against itself compiled, and against published cases."""

from __future__ import annotations

import decimal
from decimal import Decimal
from fractions import Fraction

import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.game.settlement import DOWN, EXACT, HALF_UP, NEAREST, ROUNDINGS, UP, settle_bet
from bacclab.money import CENT, MAX_AMOUNT

MODES = {UP: decimal.ROUND_CEILING, DOWN: decimal.ROUND_FLOOR, NEAREST: decimal.ROUND_HALF_EVEN,
         HALF_UP: decimal.ROUND_HALF_UP}  # fmt: skip

compiled = numba.njit(settle_bet)

stakes = st.one_of(st.integers(1, 10_000), st.integers(1, MAX_AMOUNT // CENT)).map(lambda cents: cents * CENT)
denominators = st.sampled_from([1, 2, 4, 5, 10, 20, 25, 50, 100])
numerators = st.integers(-1, 1000)
coins = st.one_of(st.sampled_from([1, 100, 500, 2_500, 5_000, 10_000, 10_000_000]), st.integers(1, 10_000_000))


@st.composite
def rates(draw):
    denominator = draw(st.sampled_from([1, 20, 25, 100, 200, 10_000]))
    return draw(st.integers(0, denominator - 1)), denominator


def by_decimal(stake, numerator, denominator, rate, rounding, coin):
    """The rule in 60-digit decimals."""
    if numerator < 0:
        return -stake, 0
    with decimal.localcontext(prec=60):
        winnings = Decimal(stake) * numerator / denominator
        wanted = winnings * rate[0] / rate[1] / coin
        commission = min(wanted.to_integral_value(MODES[rounding]) * coin, winnings)
        assert winnings == int(winnings)
        return int(winnings - commission), int(commission)


@given(stakes, numerators, denominators, rates(), st.sampled_from(sorted(MODES)), coins)
def test_rounding_follows_decimal(stake, numerator, denominator, rate, rounding, coin):
    expected = by_decimal(stake, numerator, denominator, rate, rounding, coin)
    assert settle_bet(stake, numerator, denominator, *rate, rounding, coin) == expected
    assert compiled(stake, numerator, denominator, *rate, rounding, coin) == expected


@given(stakes, numerators, denominators, rates(), st.integers(0, 4), coins)
def test_conservation(stake, numerator, denominator, rate, rounding, coin):
    """What the bettor nets and the house keeps make up the winnings; a won bet never costs money."""
    net, commission = settle_bet(stake, numerator, denominator, *rate, rounding, coin)
    if numerator < 0:
        assert (net, commission) == (-stake, 0)
        return
    assert net + commission == Fraction(stake) * numerator / denominator
    assert net >= 0
    assert commission >= 0
    assert rate[0] or not commission


@given(st.integers(1, 10**9).map(lambda cents: cents * CENT), st.sampled_from([(1, 20), (1, 25), (3, 100)]))
def test_exact_commission_is_exact(stake, rate):
    assert settle_bet(stake, 1, 1, *rate, EXACT, 1)[1] == Fraction(stake) * rate[0] / rate[1]


def test_largest_stake_does_not_wrap():
    stake = MAX_AMOUNT // CENT * CENT
    for rounding in range(5):
        for settle in (settle_bet, compiled):
            net, commission = settle(stake, 1000, 1, 9_999, 10_000, rounding, 10_000_000)
            assert net + commission == stake * 1000
            assert abs(commission - stake * 1000 * 9_999 // 10_000) <= 10_000_000


def test_commission_is_charged_once_per_win():
    """Ten Banker wins and ten losses at 25: commission 12.50, net -12.50."""
    results = [settle_bet(250_000, 1, 1, 1, 20, EXACT, CENT)] * 10 + [
        settle_bet(250_000, -1, 1, 1, 20, EXACT, CENT)
    ] * 10
    assert sum(commission for _, commission in results) == 125_000
    assert sum(net for net, _ in results) == -125_000


def test_commission_rounded_up_to_half_a_unit():
    """Seven Banker wins at 7.00 cost 2.45 exactly and 3.50 when each is rounded up to 0.50."""
    exact = [settle_bet(70_000, 1, 1, 1, 20, EXACT, CENT) for _ in range(7)]
    rounded = [settle_bet(70_000, 1, 1, 1, 20, UP, 5_000) for _ in range(7)]
    assert sum(commission for _, commission in exact) == 24_500
    assert sum(commission for _, commission in rounded) == 35_000


@pytest.mark.parametrize(("stake", "commission"), [(1, 0.25), (5, 0.25), (6, 0.50), (10, 0.50), (11, 0.75), (15, 0.75)])
def test_a_quarter_for_every_five_or_part_of_it(stake, commission):
    """Vegas Aces, How to Deal Mini-Baccarat."""
    assert settle_bet(stake * 10_000, 1, 1, 1, 20, UP, 2_500)[1] == commission * 10_000


def test_rounding_makes_the_commission_depend_on_the_stake():
    """A commission of 1 at least is 10 % of a stake of 10, and 5 % of a stake of 20 or of 1,000."""
    shares = {
        stake: settle_bet(stake * 10_000, 1, 1, 1, 20, UP, 10_000)[1] / (stake * 10_000)
        for stake in (10, 20, 30, 1_000)
    }
    assert shares == {10: 0.1, 20: 0.05, 30: 2 / 30, 1_000: 0.05}


def test_cent_stakes_at_nineteen_twentieths():
    """0.95 of every stake from 0.01 to 1,000.00; the house rounds its commission, nothing passes a float."""
    for rounding, mode in MODES.items():
        for cents in range(1, 100_001):
            net, commission = settle_bet(cents * CENT, 1, 1, 1, 20, rounding, CENT)
            kept = (Decimal(cents) / 20).to_integral_value(mode)
            assert (net, commission) == ((cents - kept) * CENT, kept * CENT)


def test_float_payouts_would_be_wrong():
    """How often floats miss the half-up rule on those stakes; the reason for whole numbers."""
    wrong = 0
    for cents in range(1, 100_001):
        right = (Decimal(cents) * 95 / 100).to_integral_value(decimal.ROUND_HALF_UP)
        wrong += round(cents / 100 * 0.95, 2) != float(right / 100)
    assert wrong == 3758


def test_stakes_under_one_are_paid():
    """0.72 on Banker nets 0.684 exactly."""
    assert settle_bet(7_200, 1, 1, 1, 20, EXACT, CENT) == (6_840, 360)


def test_loss_push_and_odds():
    """A loss costs the stake once, a push nothing, odds pay the ratio."""
    assert settle_bet(1_000_000, -1, 1, 0, 1, EXACT, CENT) == (-1_000_000, 0)
    assert settle_bet(150_000, 0, 1, 1, 20, UP, 5_000) == (0, 0)
    assert settle_bet(100_000, 1, 2, 0, 1, EXACT, CENT) == (50_000, 0)  # Banker six at half
    assert settle_bet(100_000, 40, 1, 0, 1, EXACT, CENT) == (4_000_000, 0)


def test_commission_is_never_more_than_the_winnings():
    assert settle_bet(1_000, 1, 1, 1, 20, UP, 2_500) == (0, 1_000)


def test_names():
    assert [ROUNDINGS[code] for code in (EXACT, UP, DOWN, NEAREST, HALF_UP)] == list(ROUNDINGS)
