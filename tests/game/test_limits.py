"""The judgement of a stake against a search through all stakes that can be laid."""

from __future__ import annotations

import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.game.limits import (
    NO_MAIN_BET,
    OFF_INCREMENT,
    OK,
    OVER_BANKROLL,
    OVER_MAXIMUM,
    REASONS,
    UNDER_MINIMUM,
    judge,
)
from bacclab.money import MAX_AMOUNT

compiled = numba.njit(judge)

small = st.integers(0, 60)


@given(st.integers(-5, 80), st.integers(1, 30), small, st.integers(1, 12), st.integers(-10, 80))
def test_allowed_is_the_largest_stake_that_can_be_laid(stake, minimum, maximum, increment, available):
    allowed, reason = judge(stake, minimum, maximum, increment, available)
    assert compiled(stake, minimum, maximum, increment, available) == (allowed, reason)
    can_be_laid = [s for s in range(0, 81, increment) if minimum <= s <= min(maximum, available, stake)]
    assert allowed == max(can_be_laid, default=0)
    if stake == 0:
        assert reason == OK
    else:
        assert (reason == OK) == (allowed == stake)
    broken = {
        OVER_BANKROLL: stake > available,
        OVER_MAXIMUM: stake > maximum,
        UNDER_MINIMUM: stake < minimum,
        OFF_INCREMENT: stake % increment != 0,
    }
    if stake != 0:
        assert reason == next((code for code, is_broken in broken.items() if is_broken), OK)


@given(*[st.integers(1, MAX_AMOUNT)] * 5)
def test_compiled_agrees_on_large_amounts(stake, minimum, maximum, increment, available):
    values = stake, minimum, maximum, increment, available
    assert judge(*values) == compiled(*values)
    allowed, _ = judge(*values)
    assert 0 <= allowed <= min(stake, maximum, available)
    assert allowed == 0 or allowed >= minimum


@pytest.mark.parametrize(
    ("stake", "bankroll", "expected"),
    [
        (640, 1_000, (500, OVER_MAXIMUM)),  # 5 to 320, then 640 at a maximum of 500
        (80, 30, (30, OVER_BANKROLL)),  # 30 left, 80 wanted
        (12, 12, (12, OK)),
    ],
)
def test_cases_from_players(stake, bankroll, expected):
    assert judge(stake, 5, 500, 1, bankroll) == expected


def test_a_bankroll_under_the_minimum_lays_nothing():
    """Bankroll 12, minimum 25."""
    assert judge(25, 25, MAX_AMOUNT, 1, 12) == (0, OVER_BANKROLL)


def test_names():
    codes = (OVER_BANKROLL, OVER_MAXIMUM, UNDER_MINIMUM, OFF_INCREMENT, NO_MAIN_BET)
    assert [REASONS[code - 1] for code in codes] == [
        "over_bankroll", "over_maximum", "under_minimum", "off_increment", "no_main_bet",
    ]  # fmt: skip
    assert len(REASONS) == len(codes)
