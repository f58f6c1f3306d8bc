"""The few figures that charts need beside the frames: all from exact counts, nothing estimated.

Counts are how many sessions (or, in an exact run, which probability) stand at a value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"

__all__ = ["Array", "bands", "below", "bins", "drawdowns", "ended", "expected_line", "quantiles", "thin"]


def quantiles(values: Array, counts: Array, shares: Sequence[float]) -> Array:
    """Quantiles of a histogram: linear between neighbours for whole counts, the smallest value for probabilities.

    >>> quantiles(np.array([10.0, 20.0, 40.0]), np.array([1, 2, 1]), [0.0, 0.5, 0.75, 1.0]).tolist()
    [10.0, 20.0, 25.0, 40.0]
    """
    order = np.argsort(values, kind="stable")
    values, below_or_at = values[order], np.cumsum(counts[order])
    wanted = np.asarray(shares, float)
    if not np.issubdtype(counts.dtype, np.integer):
        spot = np.searchsorted(below_or_at, wanted * below_or_at[-1] * (1 - 1e-12))
        return values[np.minimum(spot, len(values) - 1)]
    place = wanted * (below_or_at[-1] - 1)
    floor = np.floor(place)
    low = values[np.searchsorted(below_or_at, floor, side="right")]
    high = values[np.searchsorted(below_or_at, np.ceil(place), side="right")]
    result: Array = low + (high - low) * (place - floor)
    return result


def thin(rounds: Array, points: int) -> Array:
    """At most this many of the rounds, spread evenly, the first and the last always.

    >>> thin(np.arange(0, 101), 5).tolist()
    [0, 25, 50, 75, 100]
    """
    if len(rounds) <= points:
        return rounds
    return rounds[np.unique(np.linspace(0, len(rounds) - 1, max(points, 2)).round().astype(np.int64))]


def bands(distribution: pl.DataFrame, shares: Sequence[float], *, points: int) -> tuple[Array, Array]:
    """Rounds, and quantiles of the bankroll [shares, rounds], of one bettor in one cell."""
    rounds, parts = _by_round(distribution, points)
    return rounds, np.array([quantiles(values, counts, shares) for values, counts in parts]).reshape(
        len(rounds), len(shares)
    ).T


def below(distribution: pl.DataFrame, level: float, *, points: int) -> tuple[Array, Array]:
    """Rounds, and the share of sessions whose bankroll is under a level."""
    rounds, parts = _by_round(distribution, points)
    return rounds, np.array([counts[values < level].sum() / counts.sum() for values, counts in parts])


def _by_round(distribution: pl.DataFrame, points: int) -> tuple[Array, list[tuple[Array, Array]]]:
    frame = distribution.sort("round", "bankroll")
    marks = frame["round"].to_numpy()
    values, counts = frame["bankroll"].to_numpy(), frame["sessions"].to_numpy()
    rounds, first = np.unique(marks, return_index=True)
    last = np.append(first[1:], len(marks))
    kept = thin(np.arange(len(rounds)), points)
    return rounds[kept], [(values[first[k] : last[k]], counts[first[k] : last[k]]) for k in kept]


def ended(endings: pl.DataFrame, rounds: Array) -> dict[str, Array]:
    """For each way to end, the share of all sessions that ended so by each of the rounds.

    >>> import polars as pl
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

    >>> import polars as pl
    >>> frame = pl.DataFrame({"ended_round": [5, 10], "sessions": [1, 1], "expected": [-10.0, -30.0]})
    >>> expected_line(frame, np.array([0, 5, 10]), 100.0).tolist()
    [100.0, 87.5, 80.0]
    """
    total = endings["sessions"].sum()
    lasted = np.maximum(endings["ended_round"].to_numpy(), 1).astype(float)
    share = np.minimum(rounds[:, None] / lasted[None, :], 1.0)
    line: Array = start + share @ endings["expected"].to_numpy() / total
    return line


def drawdowns(paths: pl.DataFrame, rounds: Array, start: float) -> Array:
    """How far each sampled session stands under its highest bankroll so far [sessions, rounds], the start included.

    A session that has ended stays where it ended.

    >>> import polars as pl
    >>> path = pl.DataFrame({"session": [0, 0, 0], "round": [1, 2, 3], "bankroll": [80.0, 110.0, 90.0]})
    >>> drawdowns(path, np.array([0, 1, 2, 3, 9]), 100.0).tolist()
    [[0.0, 20.0, 0.0, 20.0, 20.0]]
    """
    rows = []
    for part in paths.sort("session", "round").partition_by("session"):
        bankroll = np.concatenate([[start], part["bankroll"].to_numpy()])
        under = np.maximum.accumulate(bankroll) - bankroll
        rows.append(under[np.searchsorted(part["round"].to_numpy(), rounds, side="right")])
    return np.array(rows).reshape(len(rows), len(rounds))


def bins(values: Array, counts: Array, *, start: float, most: int = 40) -> tuple[Array, Array, float]:
    """Centres, counts and width of a histogram: a round width, and an edge at the starting bankroll.

    Each bin holds its lower edge and not its upper one, so that a session that is even stands right of the start.

    >>> centres, held, width = bins(np.array([80.0, 95.0, 100.0, 119.0]), np.array([1, 2, 3, 4]), start=100.0, most=4)
    >>> centres.tolist(), held.tolist(), width
    ([85.0, 95.0, 105.0, 115.0], [1, 2, 3, 4], 10.0)
    """
    low, high = float(values.min()), float(values.max())
    width = _round_width(max(high - low, 1e-9) / most)
    index = np.floor((values - start) / width + 1e-9).astype(np.int64)
    first = int(index.min())
    held = np.bincount(index - first, weights=counts)
    if np.issubdtype(counts.dtype, np.integer):
        held = held.astype(np.int64)
    return start + (first + np.arange(len(held)) + 0.5) * width, held, width


def _round_width(least: float) -> float:
    scale: float = 10.0 ** np.floor(np.log10(least))
    for step in (1.0, 2.0, 2.5, 5.0):
        if least <= step * scale * (1 + 1e-9):
            return step * scale
    return 10.0 * scale
