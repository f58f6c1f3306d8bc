"""The chi-square test of counts, and the distribution's upper tail, without a library for it.

Q(a, x), the regularised upper incomplete gamma function, by its series below a + 1 and by its continued fraction above
(Abramowitz and Stegun 1964, 6.5.29 and 6.5.31, the fraction by Lentz's method).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

LEAST: Final = 5.0
"""Cells that expect fewer are too few for the chi-square distribution to hold; they are put together."""

_TINY: Final = 1e-300
_ENOUGH: Final = 1e-16
_MOST_STEPS: Final = 100_000


class ChiSquare(NamedTuple):
    """A statistic, its degrees of freedom, and the chance of one as large."""

    statistic: float
    freedom: int
    p_value: float


def upper_tail(statistic: float, freedom: int) -> float:
    """The chance that a chi-square variable with this many degrees of freedom is at least `statistic`.

    >>> round(upper_tail(5.991464547107979, 2), 12), round(upper_tail(3.841458820694124, 1), 12)
    (0.05, 0.05)
    """
    if freedom < 1 or not statistic >= 0:
        raise ValueError(f"no chi-square: {statistic} with {freedom} degrees of freedom")
    a, x = freedom / 2, statistic / 2
    if x == 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    return max(0.0, 1 - scale * _series(a, x)) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for step in range(1, _MOST_STEPS):
        term *= x / (a + step)
        total += term
        if term < total * _ENOUGH:
            break
    return total


def _fraction(a: float, x: float) -> float:
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    for step in range(1, _MOST_STEPS):
        factor = -step * (step - a)
        b += 2
        d = 1 / ((factor * d + b) or _TINY)
        c = (b + factor / c) or _TINY
        value *= c * d
        if abs(c * d - 1) < _ENOUGH * 10:
            break
    return value


def goodness_of_fit(counts: Sequence[int], chances: Sequence[float], *, estimated: int = 0) -> ChiSquare | None:
    """Pearson's test of counts against chances that add up to 1; cells that expect fewer than `LEAST` are put together.

    `estimated` is how many figures of the chances were taken from the counts themselves: each takes away a degree of
    freedom. None where fewer than two cells are left.

    >>> goodness_of_fit([44, 46, 10], [0.45, 0.45, 0.10]).freedom
    2
    """
    total = sum(counts)
    wide = [(n, total * p) for n, p in zip(counts, chances, strict=True) if total * p >= LEAST]
    thin = [(n, total * p) for n, p in zip(counts, chances, strict=True) if total * p < LEAST]
    rest = sum(n for n, _ in thin), math.fsum(e for _, e in thin)
    if rest[1] >= LEAST or (thin and not wide):
        wide.append(rest)
    elif thin and wide:
        place = min(range(len(wide)), key=lambda k: wide[k][1])
        wide[place] = (wide[place][0] + rest[0], wide[place][1] + rest[1])
    freedom = len(wide) - 1 - estimated
    if freedom < 1 or min(expected for _, expected in wide) <= 0:
        return None
    statistic = math.fsum((n - expected) ** 2 / expected for n, expected in wide)
    return ChiSquare(statistic, freedom, upper_tail(statistic, freedom))
