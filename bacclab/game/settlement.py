"""The settlement of one bet: the only place where a stake becomes a result.

Plain whole-number arithmetic that `numba.njit` can compile as it stands, so plain Python and the compiled players use
the same lines. Nothing can overflow int64: a stake is at most 2**51, odds are at most 1000 to 1, and the commission is
worked out on the remainder.
"""

from __future__ import annotations

from typing import Final

ROUNDINGS: Final = ("exact", "up", "down", "nearest", "half-up")
"""Names of the ways to round a commission to the table's coin; the place of a name is its code."""

EXACT: Final = 0
UP: Final = 1
DOWN: Final = 2
NEAREST: Final = 3
HALF_UP: Final = 4

EXACT_AS_FLOAT: Final = 2**53
"""Whole numbers up to this one are exact as floats."""


def settle_bet(
    stake: int, numerator: int, denominator: int, rate_numerator: int, rate_denominator: int, rounding: int, coin: int
) -> tuple[int, int]:
    """The net result of a bet and the commission that the house kept, both amounts.

    `numerator`:`denominator` are the odds of the pay line that was hit (-1 for a lost bet, 0 for a push), the rate is
    the share of the winnings taken as commission, rounded to a multiple of `coin`: `EXACT` (the table has made sure
    that there is nothing to round), `UP`, `DOWN`, `NEAREST` (a half goes to the even multiple) or `HALF_UP`. The
    commission never exceeds the winnings, so a won bet never costs money.

    >>> settle_bet(100_000, 1, 1, 1, 20, EXACT, 100)        # 10.00 on Banker at 5 %
    (95000, 5000)
    >>> settle_bet(70_000, 1, 1, 1, 20, UP, 5_000)          # 7.00, commission 0.35 rounded up to 0.50
    (65000, 5000)
    >>> settle_bet(100_000, -1, 1, 1, 20, UP, 5_000), settle_bet(100_000, 0, 1, 1, 20, UP, 5_000)
    ((-100000, 0), (0, 0))
    """
    if numerator < 0:
        return -stake, 0
    winnings = stake * numerator
    if denominator != 1:
        winnings //= denominator
    if winnings == 0 or rate_numerator == 0:
        return winnings, 0
    unit = 1 if rounding == EXACT else coin
    step = rate_denominator * unit
    if winnings <= EXACT_AS_FLOAT:
        # Dividing floats is many times faster than dividing whole numbers, and at most one step off.
        whole = int(winnings / step)
        if whole * step > winnings:
            whole -= 1
    else:
        whole = winnings // step
    units = whole * rate_numerator
    rest = (winnings - whole * step) * rate_numerator
    if rest >= step:
        units += rest // step
        rest %= step
    if rounding == UP:
        if rest > 0:
            units += 1
    elif rounding == NEAREST:
        if 2 * rest > step or (2 * rest == step and units % 2 == 1):
            units += 1
    elif rounding == HALF_UP and 2 * rest >= step:
        units += 1
    commission = min(units * unit, winnings)
    return winnings - commission, commission
