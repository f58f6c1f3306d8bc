"""Student's t against printed tables and against its density added up."""

from __future__ import annotations

import math

import pytest

from bacclab.analysis.statistics.normal import Z95
from bacclab.analysis.statistics.student import is_far, quantile, two_sided

# Degrees of freedom: the value that is passed to either side with a chance of 5, of 1 and of 0.1 %.
TABLE = {
    1: (12.706, 63.657, 636.619), 2: (4.303, 9.925, 31.599), 3: (3.182, 5.841, 12.924), 4: (2.776, 4.604, 8.610),
    5: (2.571, 4.032, 6.869), 9: (2.262, 3.250, 4.781), 10: (2.228, 3.169, 4.587), 19: (2.093, 2.861, 3.883),
    20: (2.086, 2.845, 3.850), 30: (2.042, 2.750, 3.646), 40: (2.021, 2.704, 3.551), 60: (2.000, 2.660, 3.460),
    120: (1.980, 2.617, 3.373),
}  # fmt: skip


def by_area(t: float, freedom: float, steps: int = 20_000) -> float:
    """One less twice the area under the density from 0 to t, by Simpson's rule."""
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    width = t / steps
    area = sum(
        (1 if k in (0, steps) else 4 if k % 2 else 2) * (1 + (k * width) ** 2 / freedom) ** (-(freedom + 1) / 2)
        for k in range(steps + 1)
    )
    return 1 - 2 * scale * area * width / 3


@pytest.mark.parametrize("freedom", TABLE)
def test_printed_values(freedom: int) -> None:
    for t, chance in zip(TABLE[freedom], (0.05, 0.01, 0.001), strict=True):
        assert two_sided(t, freedom) == pytest.approx(chance, rel=2e-3)
        assert two_sided(-t, freedom) == two_sided(t, freedom)
    assert quantile(freedom) == pytest.approx(TABLE[freedom][0], abs=6e-4)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 8, 29, 30, 59, 60, 61, 199, 300, 5000])
@pytest.mark.parametrize("t", [0.0, 0.3, 1.0, 2.5, 5.0])
def test_the_area_under_the_density(freedom: int, t: float) -> None:
    assert two_sided(t, freedom) == pytest.approx(by_area(t, freedom), abs=1e-10)


@pytest.mark.parametrize("freedom", [1, 2, 5, 59, 60, 300])
def test_the_interval_leaves_five_per_cent(freedom: int) -> None:
    assert by_area(quantile(freedom), freedom) == pytest.approx(0.05, abs=1e-9)


def test_it_becomes_the_normal_one() -> None:
    assert quantile(10**9) == pytest.approx(Z95, rel=1e-8)
    assert quantile(60) > quantile(61) > quantile(1000) > Z95


def test_parts_of_a_degree_and_none() -> None:
    assert two_sided(2.0, 4.9) == two_sided(2.0, 4)  # never too small
    assert two_sided(2.0, 100.0) > two_sided(2.0, 100.5) > two_sided(2.0, 101.0)
    assert two_sided(9.0, 0) == 1.0
    assert quantile(0) == math.inf


def test_far_is_as_rare_with_few_sessions_as_with_many() -> None:
    for sessions in (2, 3, 10, 61, 2_000):
        edge = quantile(sessions - 1, 6.334248366623996e-05)  # a normal value beyond 4 to either side
        assert two_sided(edge, sessions - 1) == pytest.approx(6.334248366623996e-05, rel=1e-6)
        assert [is_far(sign * z, sessions) for sign in (1, -1) for z in (edge * 1.001, edge * 0.999)] == [
            True,
            False,
        ] * 2
    assert not is_far(1e9, 1)
