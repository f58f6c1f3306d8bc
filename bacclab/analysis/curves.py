"""Curves by round: bands of bankrolls, the share under the start, and how far a session is under its highest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from bacclab.analysis.statistics.quantiles import weighted_quantiles
from bacclab.money import UNITS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

BANDS = (0.05, 0.25, 0.5, 0.75, 0.95)


def bands(distribution: pl.DataFrame, shares: Sequence[float] = BANDS) -> pl.DataFrame:
    """Quantiles and mean of the bankroll at each checkpoint: cell, bettor, round, mean, a column a share (``q05`` …).

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


def underwater(trajectories: pl.DataFrame) -> pl.DataFrame:
    """How far each sampled session is under its highest bankroll so far, round by round; 0 at a new high.

    The starting bankroll counts as the first high. Columns: cell, bettor, session, round, drawdown (currency units).
    """
    key = ["cell", "bettor", "session"]
    # In amounts: the start is a difference, and that of two floats may lie a hair above the bankroll that comes back.
    bankroll, net = ((pl.col(name) * UNITS).round().cast(pl.Int64) for name in ("bankroll", "net"))
    high = pl.max_horizontal(bankroll.cum_max(), bankroll.first() - net.first()).over(key)
    return trajectories.select(*key, "round", ((high - bankroll) / UNITS).alias("drawdown"))


def spells(trajectories: pl.DataFrame) -> pl.DataFrame:
    """The spells under water of each sampled session: from a high to the round that comes up to it again.

    Columns: cell, bettor, session, `peak` (the last round at the high; 0 is the start), `trough` (the first round at
    the lowest bankroll of the spell), `recovered` (null for a spell that is still open at the end), `rounds` under
    water, `depth` in currency units, and its `share` of the bankroll at the high.

    >>> path = pl.DataFrame({"cell": 0, "bettor": "x", "session": 0, "round": [1, 2, 3, 4, 5, 6],
    ...                      "net": [1.0, -2.0, -1.0, -1.0, 4.0, -2.0],
    ...                      "bankroll": [101.0, 99.0, 98.0, 97.0, 101.0, 99.0]})
    >>> spells(path).select("peak", "trough", "recovered", "rounds", "depth").rows()
    [(1, 4, 5, 3, 4.0), (5, 6, None, 1, 2.0)]
    >>> [round(share, 4) for share in spells(path)["share"]]
    [0.0396, 0.0198]
    """
    key = ["cell", "bettor", "session"]
    schema: dict[str, Any] = {**{name: trajectories.schema[name] for name in key}, "peak": pl.Int64, "trough": pl.Int64}
    schema |= {"recovered": pl.Int64, "rounds": pl.Int64, "depth": pl.Float64, "share": pl.Float64}
    rows: list[tuple[Any, ...]] = []
    under = underwater(trajectories).with_columns(high=trajectories["bankroll"])
    under = under.with_columns(pl.col("high") + pl.col("drawdown"))
    for part in under.partition_by(key, maintain_order=True):
        whose = part.select(key).row(0)
        # The start counts as a round at a high, and what follows the last round as one too.
        depth = np.concatenate([[0.0], part["drawdown"].to_numpy(), [0.0]])
        edges = np.flatnonzero(np.diff((depth > 0).astype(np.int8)))
        for before, last in edges.reshape(-1, 2).tolist():
            trough = before + 1 + int(depth[before + 1 : last + 1].argmax())
            recovered = None if last + 1 > part.height else last + 1
            fall, high = float(depth[trough]), float(part["high"][trough - 1])
            rows.append((*whose, before, trough, recovered, last - before, fall, fall / high))
    return pl.DataFrame(rows, schema=schema, orient="row")


def _histograms(
    distribution: pl.DataFrame,
) -> Iterator[tuple[tuple[int, str, int], NDArray[np.float64], NDArray[Any]]]:
    """Each histogram of a distribution sorted by its key: (cell, bettor, round), bankrolls, sessions."""
    if distribution.is_empty():
        return
    # Where a histogram begins: the round changes, or else the bettor or the cell does at the same round.
    other = pl.any_horizontal(pl.col(name).ne_missing(pl.col(name).shift()) for name in ("round", "bettor", "cell"))
    starts = distribution.select(other.arg_true()).to_series().to_numpy().astype(np.int64)
    values, weights = distribution["bankroll"].to_numpy(), distribution["sessions"].to_numpy()
    ends = np.append(starts[1:], len(values))
    firsts = distribution.select("cell", "bettor", "round")[starts.tolist()]
    for row, first, end in zip(firsts.iter_rows(), starts, ends, strict=True):
        yield row, values[first:end], weights[first:end]
