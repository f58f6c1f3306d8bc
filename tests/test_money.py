from __future__ import annotations

import copy
import pickle
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bacclab.errors import MoneyError
from bacclab.money import CENT, MAX_AMOUNT, UNITS, Money, from_amount, show, to_amount, within_range

amounts = st.integers(-(10**20), 10**20)


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        (0, 0),
        (10, 100_000),
        (-3, -30_000),
        (0.01, 100),
        (0.355, 3_550),
        (0.1 + 0.2 - 0.2, None),  # 0.10000000000000003: not what anybody typed
        (1e3, 10_000_000),
        (1e22, 10**26),
        ("1000.00", 10_000_000),
        (" 12.5 ", 125_000),
        ("+7", 70_000),
        ("-0.0001", -1),
        (Decimal("0.72"), 7_200),
        (Decimal("1E+2"), 1_000_000),
        (np.int64(25), 250_000),
        (np.float64(0.1), 1_000),
        (Money("0.95"), 9_500),
    ],
)
def test_exact_values_are_read_exactly(value, amount):
    if amount is None:
        with pytest.raises(MoneyError, match="more than 4 decimals"):
            to_amount(value)
    else:
        assert to_amount(value) == amount
        assert type(to_amount(value)) is int


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (True, "true is not a sum of money"),
        (np.True_, "not a sum of money"),
        (None, "None is not a sum of money"),
        (float("nan"), "finite"),
        (float("inf"), "finite"),
        (Decimal("NaN"), "finite"),
        ("", "not a sum"),
        ("ten", "not a sum"),
        ("1e3", "without an exponent"),
        ("1_000", "not a sum"),
        ("1,000.00", "without commas"),
        ("-1.000,00", "decimal point"),
        ("25.00-", "minus as a plain -"),
        ("(25.00)", "minus as a plain -"),
        ("\N{MINUS SIGN}25.00", "minus as a plain -"),
        ("١٢", "not a sum"),  # digits of another script
        ("0.00001", "more than 4 decimals"),
        ([1], "not a sum"),
    ],
)
def test_what_is_not_exact_money_is_refused(value, says):
    with pytest.raises(MoneyError, match=says):
        to_amount(value)


def test_arithmetic_is_exact_where_floats_are_not():
    purse = Money(100)
    for _ in range(1000):
        purse += Money("0.95")
    for _ in range(1000):
        purse -= 0.95
    assert purse == Money(100)
    assert sum([Money("0.95")] * 38, Money(0)) == Money("36.10")  # floats hold 36.099999999999994


def test_stop_win_is_met_exactly():
    """Bankroll 100, stop at +36.10, 38 wins of 0.95."""
    won = Money(0)
    wins = 0
    while won < Money("36.10"):
        won += Money("0.95")
        wins += 1
    assert wins == 38


@given(amounts, amounts, st.integers(-(2**40), 2**40))
def test_money_follows_whole_numbers(a, b, n):
    x, y = Money.of(a), Money.of(b)
    assert (x + y).amount == a + b
    assert (x - y).amount == a - b
    assert (x * n).amount == (n * x).amount == a * n
    assert (-x).amount == -a
    assert abs(x).amount == abs(a)
    assert bool(x) == bool(a)
    assert (x < y, x <= y, x == y, x > y) == (a < b, a <= b, a == b, a > b)
    if n:
        assert (x // n).amount == a // n
    if b:
        assert x // y == a // b
        assert (x % y).amount == a % b


@given(amounts)
def test_text_round_trip(a):
    assert to_amount(str(Money.of(a))) == a
    assert to_amount(show(a).replace(",", "")) == a
    assert eval(repr(Money.of(a))) == Money.of(a)
    assert pickle.loads(pickle.dumps(Money.of(a))) == copy.deepcopy(Money.of(a)) == Money.of(a)


@given(st.integers(-MAX_AMOUNT, MAX_AMOUNT))
@example(MAX_AMOUNT)
def test_floats_hold_every_allowed_amount(a):
    """The nearest float names the amount again; past 13 digits its shortest name may be a shorter number."""
    assert round(from_amount(a) * UNITS) == a


def test_sums_that_would_share_their_floats_are_no_amounts():
    """5,868,743,503,326,076 ten-thousandths and one less are the same float of units, so neither may be allowed."""
    one = 5_868_743_503_326_076
    assert from_amount(one) == from_amount(one - 1)
    with pytest.raises(MoneyError, match="too large"):
        within_range(one, what="bankroll")


@given(st.integers(-(10**14), 10**14))
def test_float_round_trip(a):
    assert to_amount(from_amount(a)) == a


def test_money_cannot_be_changed():
    money = Money(1)
    with pytest.raises(AttributeError):
        money.amount = 5
    with pytest.raises(AttributeError):
        del money.amount
    with pytest.raises(AttributeError):
        money.other = 1


def test_comparison_with_plain_numbers():
    assert Money(10) == 10 == Money("10.00")
    assert Money("0.1") == 0.1
    assert Money(10) != 10.00001
    assert Money(10) != "10"
    assert Money(10) > 9.99
    assert hash(Money(10)) == hash(10)
    assert {Money(10): "a"}[Money("10.00")] == "a"


@pytest.mark.parametrize("other", ["1", None, [1]])
def test_money_does_not_mix_with_other_things(other):
    with pytest.raises(TypeError):
        Money(1) + other
    with pytest.raises(TypeError):
        Money(1) < other  # noqa: B015


def test_money_is_not_multiplied_by_fractions():
    """A stake of 1.5 units is a question of rounding that the author must answer."""
    with pytest.raises(TypeError):
        Money(10) * 1.5
    with pytest.raises(TypeError):
        Money(10) * Money(2)
    with pytest.raises(TypeError):
        Money(10) * True
    with pytest.raises(ZeroDivisionError):
        Money(10) // 0


def test_large_stakes_do_not_wrap():
    stake = Money(10) * 2**200
    assert stake.amount == 100_000 * 2**200
    with pytest.raises(MoneyError, match=r"stake of .* is too large"):
        within_range(stake.amount, what="stake")
    assert within_range(-MAX_AMOUNT, what="loss") == -MAX_AMOUNT


def test_show():
    assert [show(a) for a in (0, CENT, 1, -1, 12_345_678_900, -5_000)] == [
        "0.00", "0.01", "0.0001", "-0.0001", "1,234,567.89", "-0.50",
    ]  # fmt: skip


@given(amount=amounts, chip=st.integers(1, 10**9))
def test_rounding_down_gives_the_most_chips_that_fit(amount, chip):
    down = Money.of(amount).down_to(Money.of(chip))
    assert down.amount % chip == 0
    assert down.amount <= amount < down.amount + chip


@pytest.mark.parametrize("step", [0, -5, Money(0)])
def test_chips_of_nothing_are_refused(step):
    with pytest.raises(MoneyError, match="the step must be above 0"):
        Money(10).down_to(step)


@pytest.mark.parametrize("other", [3, 100, Money(3), 2.5])
def test_a_true_division_says_what_to_write(other):
    with pytest.raises(MoneyError, match=r"may be no exact sum .divide with //, and round down to a chip with down_to"):
        Money(1000) / other


@pytest.mark.parametrize(
    "value", [Decimal("1e-99999999"), Decimal("1e99999999"), 10**5000, "9" * 5000, -(10**5000)], ids=range(5)
)
def test_sums_of_absurd_size_are_refused_without_being_worked_out(value):
    with pytest.raises(MoneyError) as caught:
        Money(value)
    assert len(str(caught.value)) < 200
