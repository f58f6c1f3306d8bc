"""Quantiles of histograms against those of the values written out."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.analysis.statistics.quantiles import weighted_quantiles

SHARES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@given(st.dictionaries(st.integers(-1000, 1000), st.integers(1, 9), min_size=1, max_size=30))
def test_are_those_of_the_values_written_out(counts: dict[int, int]) -> None:
    values = np.array(sorted(counts), dtype=np.float64)
    weights = np.array([counts[int(v)] for v in values])
    written_out = np.repeat(values, weights)
    found = weighted_quantiles(values, weights, SHARES)
    assert found == pytest.approx([float(np.quantile(written_out, share)) for share in SHARES], abs=1e-9)
    assert found[3] == pytest.approx(statistics.median(written_out))


@pytest.mark.parametrize(
    ("values", "share", "answer"),
    [([1, 2, 3, 4], 0.5, 2.5), (range(1, 11), 0.05, 1.45), ([7], 0.95, 7.0), ([3, 3, 3], 0.5, 3.0)],
)
def test_published_examples(values, share: float, answer: float) -> None:
    found = sorted(set(values))
    weights = np.array([list(values).count(v) for v in found])
    assert weighted_quantiles(np.array(found, dtype=np.float64), weights, (share,)) == [pytest.approx(answer)]


def test_of_probabilities_are_the_smallest_values_not_exceeded() -> None:
    values, chances = np.array([0.0, 10.0, 20.0]), np.array([0.1, 0.2, 0.7])
    assert weighted_quantiles(values, chances, (0.05, 0.1, 0.11, 0.3, 0.31, 1.0)) == [0.0, 0.0, 10.0, 10.0, 20.0, 20.0]
    tenths = np.full(10, 0.1)
    assert weighted_quantiles(np.arange(10.0), tenths, (0.3, 0.7, 0.9)) == [2.0, 6.0, 8.0]


def test_of_nothing_do_not_exist() -> None:
    with pytest.raises(ValueError, match="no values"):
        weighted_quantiles(np.array([]), np.array([], dtype=np.int64), (0.5,))
