"""Small statistics: normal tests, their correction for many, intervals of shares, and when a normal interval holds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

__all__ = ["LEVEL", "Z95", "holm", "is_heavy", "two_sided", "wilson"]

LEVEL = 0.05
Z95 = 1.959963984540054
COCHRAN = 25.0


def two_sided(z: float) -> float:
    """The chance of a normal value at least as far from 0.

    >>> round(two_sided(-1.959964), 6)
    0.05
    """
    return math.erfc(abs(z) / math.sqrt(2))


def holm(p_values: Sequence[float | None], *, family: int | None = None) -> list[float | None]:
    """P-values corrected for their number (Holm's step-down), undefined ones left out.

    With a `family` they are some of so many: each is then corrected as if those that are not there came after it, which
    is never too little.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    >>> holm([0.01, 0.04], family=10)
    [0.1, 0.36]
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    # Of all pairs the undefined ones are no tests; of a part of them it is not known how many are.
    undefined = len(p_values) - len(known)
    tests = len(known) if family is None else max(len(known), family - undefined)
    adjusted: list[float | None] = [None] * len(p_values)
    most = 0.0
    for rank, (p, place) in enumerate(known):
        most = max(most, min(1.0, (tests - rank) * p))
        adjusted[place] = most
    return adjusted


def is_heavy(sessions: int, skewness: float | None) -> bool:
    """Whether a mean of so many sessions is too skewed for a normal interval: 25 G² sessions or fewer.

    Source: W. G. Cochran, Sampling Techniques, 3rd edition, section 2.15.

    >>> is_heavy(200, 2.0), is_heavy(200, -3.0), is_heavy(200, None)
    (False, True, False)
    """
    return skewness is not None and sessions <= COCHRAN * skewness * skewness


def wilson(hit: pl.Expr, sign: int) -> pl.Expr:
    """The lower (`sign` −1) or upper (+1) end of the 95 % interval of a share, from one truth value a trial.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).

    >>> import polars as pl
    >>> trials = pl.DataFrame({"hit": [False] * 100})
    >>> trials.select(low=wilson(pl.col("hit"), -1).round(4), high=wilson(pl.col("hit"), 1).round(4)).row(0)
    (0.0, 0.037)
    """
    import polars as pl

    n, share, square = hit.len(), hit.mean(), Z95 * Z95
    half = Z95 * (share * (1 - share) / n + square / (4 * n * n)).sqrt()
    return ((share + square / (2 * n) + sign * half) / (1 + square / n)).clip(pl.lit(0.0), pl.lit(1.0))
