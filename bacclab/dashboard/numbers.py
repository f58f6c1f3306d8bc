"""Curves of one bettor in one cell, ready to draw: thinned to a number of points, carried forward, put into bins.

Counts are how many sessions (or, in an exact run, which probability) stand at a value.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl

from bacclab.money import UNITS

if TYPE_CHECKING:
    from collections.abc import Sequence

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

__all__ = ["Array", "bands", "below", "bins", "drawdowns", "ended", "expected_line", "thin"]


def thin(rounds: Array, points: int) -> Array:
    """At most this many of the rounds, spread evenly, the first and the last always.

    >>> thin(np.arange(0, 101), 5).tolist()
    [0, 25, 50, 75, 100]
    """
    if len(rounds) <= points:
        return rounds
    return rounds[np.unique(np.linspace(0, len(rounds) - 1, max(points, 2)).round().astype(np.int64))]


def bands(distribution: pl.DataFrame, shares: Sequence[float], *, points: int) -> tuple[Array, Array]:
    """Rounds, and quantiles of the bankroll [shares, rounds], of one bettor in one cell, at some of the checkpoints."""
    from bacclab.analysis import curves

    found = curves.bands(_thinned(distribution, points), shares)
    return found["round"].to_numpy(), found.select(pl.selectors.matches("^q[0-9]+$")).to_numpy().T


def below(distribution: pl.DataFrame, level: float, *, points: int) -> tuple[Array, Array]:
    """Rounds, and the share of sessions whose bankroll is under a level."""
    from bacclab.analysis import curves

    cells = distribution.select("cell").unique().with_columns(bankroll=pl.lit(level))
    found = curves.under_start(_thinned(distribution, points), cells)
    return found["round"].to_numpy(), found["share"].to_numpy()


def _thinned(distribution: pl.DataFrame, points: int) -> pl.DataFrame:
    rounds = np.unique(distribution["round"].to_numpy())
    if len(rounds) <= points:
        return distribution
    return distribution.filter(pl.col("round").is_in(thin(rounds, points).tolist()))


def ended(endings: pl.DataFrame, rounds: Array) -> dict[str, Array]:
    """For each way to end, the share of all sessions that ended so by each of the rounds.

    >>> frame = pl.DataFrame({"ended_by": ["bust", "rounds"], "ended_round": [3, 9], "sessions": [1, 3]})
    >>> ended(frame, np.array([0, 3, 9]))["bust"].tolist()
    [0.0, 0.25, 0.25]
    """
    total = endings["sessions"].sum()
    result = {}
    for (how,), part in endings.sort("ended_by", "ended_round").partition_by("ended_by", as_dict=True).items():
        upto = np.concatenate([[0], np.cumsum(part["sessions"].to_numpy())])
        result[str(how)] = upto[np.searchsorted(part["ended_round"].to_numpy(), rounds, side="right")] / total
    return result


def expected_line(endings: pl.DataFrame, rounds: Array, start: float) -> Array:
    """The expected bankroll by round: the start plus the exact expectation of the bets that were placed.

    The expectation of a session is spread evenly over the rounds that it lasted; at the last round nothing is spread.

    >>> frame = pl.DataFrame({"ended_round": [5, 10], "sessions": [1, 1], "expected": [-10.0, -30.0]})
    >>> expected_line(frame, np.array([0, 5, 10]), 100.0).tolist()
    [100.0, 87.5, 80.0]
    """
    total = endings["sessions"].sum()
    lasted = np.maximum(endings["ended_round"].to_numpy(), 1).astype(float)
    share = np.minimum(rounds[:, None] / lasted[None, :], 1.0)
    line: Array = start + share @ endings["expected"].to_numpy() / total
    return line


def drawdowns(paths: pl.DataFrame, rounds: Array) -> Array:
    """How far each sampled session stands under its highest bankroll so far [sessions, rounds], the start included.

    A session that has ended stays where it ended.

    >>> path = pl.DataFrame({"cell": 0, "bettor": "x", "session": 0, "round": [1, 2, 3], "net": [-20.0, 30.0, -20.0],
    ...                      "bankroll": [80.0, 110.0, 90.0]})
    >>> drawdowns(path, np.array([0, 1, 2, 3, 9])).tolist()
    [[0.0, 20.0, 0.0, 20.0, 20.0]]
    """
    from bacclab.analysis import curves

    rows = []
    for part in curves.underwater(paths).partition_by("session", maintain_order=True):
        under = np.concatenate([[0.0], part["drawdown"].to_numpy()])
        rows.append(under[np.searchsorted(part["round"].to_numpy(), rounds, side="right")])
    return np.array(rows).reshape(len(rows), len(rounds))


def bins(values: Array, counts: Array, *, start: float, most: int = 40) -> tuple[Array, Array, float]:
    """Centres, counts and width of a histogram: a round width, and an edge at the starting bankroll.

    Each bin holds its lower edge and not its upper one, so that a session that is even stands right of the start.

    >>> centres, held, width = bins(np.array([80.0, 95.0, 100.0, 119.0]), np.array([1, 2, 3, 4]), start=100.0, most=4)
    >>> centres.tolist(), held.tolist(), width
    ([85.0, 95.0, 105.0, 115.0], [1, 2, 3, 4], 10.0)
    """
    spread = float(values.max() - values.min())
    width = _round_width(spread / most) if spread else 1.0
    step = int(np.gcd.reduce(np.rint(np.abs(values - start) * UNITS).astype(np.int64))) / UNITS
    if step > width / 8:
        # Where bankrolls stand on a coarse grid, each bin holds as many places of it as the next: no teeth.
        width = max(1, math.ceil(width / step - 1e-9)) * step
    index = np.floor((values - start) / width + 1e-9).astype(np.int64)
    first = int(index.min())
    held = np.bincount(index - first, weights=counts)
    if np.issubdtype(counts.dtype, np.integer):
        held = held.astype(np.int64)
    return start + (first + np.arange(len(held)) + 0.5) * width, held, width


def _round_width(least: float) -> float:
    scale = 10.0 ** math.floor(math.log10(least))
    return next((step * scale for step in (1.0, 2.0, 2.5, 5.0) if least <= step * scale * (1 + 1e-9)), 10.0 * scale)
