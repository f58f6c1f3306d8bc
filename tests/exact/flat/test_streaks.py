"""Streaks against counting all sequences."""

from __future__ import annotations

import itertools

import pytest

from bacclab.errors import BetError
from bacclab.exact.flat.streaks import streaks


@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("trials", [0, 1, 5, 9])
@pytest.mark.parametrize("chance", [0.5, 0.3])
def test_by_counting_every_sequence(length: int, trials: int, chance: float) -> None:
    any_, runs, windows, series = 0.0, 0.0, 0.0, 0.0
    for lost in itertools.product((True, False), repeat=trials):
        weight = chance ** sum(lost) * (1 - chance) ** (trials - sum(lost))
        rows = [len(list(group)) for is_lost, group in itertools.groupby(lost) if is_lost]
        any_ += weight * any(row >= length for row in rows)
        runs += weight * sum(row >= length for row in rows)
        windows += weight * sum(max(0, row - length + 1) for row in rows)
        series += weight * sum(row // length for row in rows)
    found = streaks(length, trials, chance)
    assert (found.chance, found.runs, found.windows, found.series) == pytest.approx((any_, runs, windows, series))


@pytest.mark.parametrize("asked", [(0, 5, 0.5), (2, -1, 0.5), (2, 5, 1.5)])
def test_what_makes_no_sense_is_refused(asked: tuple[int, int, float]) -> None:
    with pytest.raises(BetError):
        streaks(*asked)
