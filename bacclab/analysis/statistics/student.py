"""Student's t: tests and intervals of a mean whose spread is known from its own sample only.

With few sessions the spread is as uncertain as the mean, and a normal interval is too narrow: 1.96 standard errors of
five sessions hold the truth in 88 % of cases, not 95, and far out, where a correction for many pairs looks, it is worse
by orders.
"""

from __future__ import annotations

import math
from functools import lru_cache

from bacclab.analysis.statistics.normal import LEVEL
from bacclab.analysis.statistics.normal import two_sided as normal

__all__ = ["FAR", "is_far", "quantile", "two_sided"]

FAR = 4.0
"""A result that lies further from its expectation than this many standard errors is no chance."""
_RARE = normal(FAR)

_SERIES = 60
"""Fewer degrees of freedom than this are summed exactly; from there on the expansion is good to ten digits."""


def two_sided(t: float, freedom: float) -> float:
    """The chance of a t at least as far from 0 with so many degrees of freedom (a part of one is left out below 60).

    Source: M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4; from 60 on G. W. Hill,
    Algorithm 395: Student's t-distribution, CACM 13 (1970).

    >>> [round(two_sided(t, freedom), 4) for t, freedom in ((12.7062, 1), (4.3027, 2), (2.2281, 10), (1.9799, 120))]
    [0.05, 0.05, 0.05, 0.05]
    """
    if freedom < 1:
        return 1.0
    if freedom >= _SERIES:
        return normal(_as_normal(abs(t), freedom))
    n = int(freedom)
    angle = math.atan2(abs(t), math.sqrt(n))
    square = math.cos(angle) ** 2
    term = math.cos(angle) if n % 2 else 1.0
    total = term if n > 1 else 0.0
    for k in range(3 if n % 2 else 2, n - 1, 2):
        term *= square * (k - 1) / k
        total += term
    inside = math.sin(angle) * total
    return max(0.0, 1.0 - (2 / math.pi * (angle + inside) if n % 2 else inside))


def _as_normal(t: float, freedom: float) -> float:
    """The normal value that is as rare as a t."""
    a = freedom - 0.5
    b = 48 * a * a
    y = a * math.log1p(t * t / freedom)
    inner = ((((-0.4 * y - 3.3) * y - 24) * y - 85.5) / (0.8 * y * y + 100 + b) + y + 3) / b + 1
    return inner * math.sqrt(y)


@lru_cache(maxsize=1024)
def quantile(freedom: float, level: float = LEVEL) -> float:
    """How many standard errors an interval reaches to either side that misses with a chance of `level` (95 %: 0.05).

    Infinite without a degree of freedom.

    >>> [round(quantile(freedom), 3) for freedom in (1, 4, 30, 199, 10**6)]
    [12.706, 2.776, 2.042, 1.972, 1.96]
    """
    if freedom < 1:
        return math.inf
    low, high = 0.0, 2.0
    while two_sided(high, freedom) > level:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return high
        low, high = (middle, high) if two_sided(middle, freedom) > level else (low, middle)


def is_far(z: float | None, sessions: int) -> bool:
    """Whether a result lies further from its expectation than chance allows: as rare as 4 known standard errors.

    `z` are standard errors that come from the sessions themselves.

    >>> is_far(4.2, 10_000), is_far(4.2, 5), is_far(30.0, 5), is_far(None, 5)
    (True, False, True, False)
    """
    return z is not None and abs(z) > quantile(sessions - 1, _RARE)
