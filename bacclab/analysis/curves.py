"""Curves by round: bands of bankrolls, shares under the start or bust, and drawdowns along one bankroll."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from bacclab.analysis.quantiles import weighted_quantiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

BANDS = (0.05, 0.25, 0.5, 0.75, 0.95)


def bands(distribution: pl.DataFrame, shares: Sequence[float] = BANDS) -> pl.DataFrame:
    """Quantiles and mean of the bankroll at each checkpoint: cell, bettor, round, mean, and a column a share (``q05`` …).

    Sessions that ended are carried forward; quantiles are linear between neighbours, so ``q50`` is the median.

    >>> finals = pl.DataFrame({"cell": 0, "bettor": "x", "round": 9, "bankroll": [1.0, 2.0, 3.0, 4.0], "sessions": 1})
    >>> bands(finals, (0.5,)).row(0)
    (0, 'x', 9, 2.5, 2.5)
    """
    rows = []
    for key, values, weights in _histograms(distribution):
        mean = float((values * weights).sum() / weights.sum())
        rows.append((*key, mean, *weighted_quantiles(values, weights, shares)))
    names = [f"q{round(share * 100):02d}" for share in shares]
    schema = {"cell": pl.Int64, "bettor": pl.String, "round": pl.Int64, "mean": pl.Float64}
    return pl.DataFrame(rows, schema=schema | dict.fromkeys(names, pl.Float64), orient="row")


def under_start(distribution: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
    """The share of sessions whose bankroll is under its start at each checkpoint: cell, bettor, round, share.

    >>> two = pl.DataFrame({"cell": 0, "bettor": "x", "round": 9, "bankroll": [90.0, 100.0], "sessions": [3, 1]})
    >>> under_start(two, pl.DataFrame({"cell": [0], "bankroll": [100.0]})).row(0)
    (0, 'x', 9, 0.75)
    """
    starts = dict(cells.select("cell", "bankroll").iter_rows())
    rows = [
        (*key, float(weights[values < starts[key[0]]].sum() / weights.sum()))
        for key, values, weights in _histograms(distribution)
    ]
    schema = {"cell": pl.Int64, "bettor": pl.String, "round": pl.Int64, "share": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def ended_curve(
    sessions: pl.DataFrame | pl.LazyFrame, rounds: Sequence[int], *, endings: Sequence[str] = ("bust",)
) -> pl.DataFrame:
    """The share of sessions that have ended in one of these ways by each round: cell, bettor, round, share.

    >>> three = pl.DataFrame({"cell": 0, "bettor": "x", "ended_by": ["bust", "rounds", "bust"], "ended_round": [4, 9, 2]})
    >>> ended_curve(three, [0, 2, 9])["share"].to_list()
    [0.0, 0.3333333333333333, 0.6666666666666666]
    """
    counted = (
        sessions.lazy()
        .group_by("cell", "bettor", pl.col("ended_by").is_in(list(endings)).alias("hit"), "ended_round")
        .agg(pl.len().alias("sessions"))
        .sort("cell", "bettor", "hit", "ended_round")
        .collect(engine="streaming")
    )
    rows = []
    for (cell, bettor), group in counted.partition_by("cell", "bettor", as_dict=True, maintain_order=True).items():
        total = group["sessions"].sum()
        hits = group.filter("hit")
        upto = np.concatenate([[0], np.cumsum(hits["sessions"].to_numpy())])
        places = np.searchsorted(hits["ended_round"].to_numpy(), np.asarray(rounds), side="right")
        rows += [(cell, bettor, r, float(n / total)) for r, n in zip(rounds, upto[places], strict=True)]
    schema = {"cell": pl.Int64, "bettor": pl.String, "round": pl.Int64, "share": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def underwater(trajectories: pl.DataFrame) -> pl.DataFrame:
    """How far each sampled session is under its highest bankroll so far, round by round; 0 at a new high.

    The starting bankroll counts as the first high. Columns: cell, bettor, session, round, drawdown (currency units).
    """
    key = ["cell", "bettor", "session"]
    start = pl.col("bankroll").first() - pl.col("net").first()
    high = pl.max_horizontal(pl.col("bankroll").cum_max(), start).over(key)
    return trajectories.select(*key, "round", (high - pl.col("bankroll")).alias("drawdown"))


@dataclass(frozen=True, slots=True)
class Drawdown:
    """One stretch under a peak: positions on the path, its depth, and the depth as a share of the peak (None at 0).

    ``recovered`` is where the peak was reached again, None if it never was; ``rounds`` is how long it lasted: the rounds
    that ended under the peak.
    """

    peak: int
    trough: int
    recovered: int | None
    rounds: int
    depth: float
    share: float | None


def drawdowns(path: Sequence[float]) -> list[Drawdown]:
    """The drawdowns along bankrolls, of which the first is the start.

    >>> [(d.peak, d.trough, d.recovered, d.rounds) for d in drawdowns([100, 101, 99, 98, 97, 101, 99])]
    [(1, 4, 5, 3), (5, 6, None, 1)]
    """
    found = []
    peak = 0
    trough: int | None = None
    for place, value in enumerate(path):
        if value >= path[peak]:
            if trough is not None:
                found.append(_drawdown(path, peak, trough, place))
            peak, trough = place, None
        elif trough is None or value < path[trough]:
            trough = place
    if trough is not None:
        found.append(_drawdown(path, peak, trough, None))
    return found


def _drawdown(path: Sequence[float], peak: int, trough: int, recovered: int | None) -> Drawdown:
    depth = path[peak] - path[trough]
    end = len(path) if recovered is None else recovered
    share = depth / path[peak] if path[peak] > 0 else None
    return Drawdown(peak, trough, recovered, end - peak - 1, depth, share)


def deepest(path: Sequence[float]) -> tuple[float, float]:
    """The largest drawdown along a path, and the largest as a share of its peak; 0 and 0 if it never falls.

    >>> deepest([100, 90, 120, 60, 80]), deepest([100, 50, 200])
    ((60, 0.5), (50, 0.5))
    """
    found = drawdowns(path)
    return max((d.depth for d in found), default=0), max((d.share or 0.0 for d in found), default=0.0)


def _histograms(
    distribution: pl.DataFrame,
) -> Iterator[tuple[tuple[int, str, int], NDArray[np.float64], NDArray[Any]]]:
    """Each histogram of a distribution sorted by its key: (cell, bettor, round), bankrolls, sessions."""
    if distribution.is_empty():
        return
    key = distribution.select(pl.struct("cell", "bettor", "round").rle_id()).to_series().to_numpy()
    values, weights = distribution["bankroll"].to_numpy(), distribution["sessions"].to_numpy()
    starts = np.flatnonzero(np.diff(key, prepend=-1.0))
    ends = np.append(starts[1:], len(key))
    firsts = distribution.select("cell", "bettor", "round")[starts.tolist()]
    for row, first, end in zip(firsts.iter_rows(), starts, ends, strict=True):
        yield row, values[first:end], weights[first:end]
