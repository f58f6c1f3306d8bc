"""Can two bettors be told apart? Every two bettors of a cell, compared session by session on the same rounds.

Because all bettors play the same rounds, the difference of their results in each session is what is looked at: its
mean, a 95 % interval (normal), and a p-value that is corrected for the number of pairs (Holm). Sums are exact, so
nothing depends on the order or the number of pieces in which the sessions are read.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from bacclab.analysis.exact_sums import exact_products
from bacclab.money import UNITS
from bacclab.tournament.frames import SCHEMAS, amounts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bacclab.analysis.summary import Group

LEVEL = 0.05
Z95 = 1.959963984540054
HELD = 1 << 24
"""Results that are held at a time."""


class Rate(NamedTuple):
    """A return per unit staked, its standard error, and what was staked in all (currency units)."""

    value: float
    error: float
    staked: float


def compare(sessions: pl.LazyFrame, groups: Sequence[Group], *, summary: pl.DataFrame | None = None) -> pl.DataFrame:
    """The comparisons frame, from sessions (sorted by key); the summary tells who only staked less."""
    cells: dict[int, list[Group]] = {}
    for group in groups:
        cells.setdefault(group.cell, []).append(group)
    rates = {} if summary is None else _rates(summary)
    rows = [row for members in cells.values() for row in _cell(sessions, members, rates)]
    return pl.DataFrame(rows, schema=SCHEMAS["comparisons"])


def _cell(
    sessions: pl.LazyFrame, members: Sequence[Group], rates: Mapping[tuple[int, str], Rate]
) -> list[dict[str, Any]]:
    count, sums, products = exact_products(_nets(sessions, members), len(members))
    rows = []
    pairs = list(combinations(range(len(members)), 2))
    for a, b in pairs:
        squares = products[a, a] + products[b, b] - 2 * products[a, b]
        figures = difference(count, sums[a] - sums[b], squares)
        rows.append({"cell": members[a].cell, "bettor_a": members[a].bettor, "bettor_b": members[b].bettor, **figures})
    known = [rates.get((group.cell, group.bettor)) for group in members]
    for row, adjusted, (a, b) in zip(rows, holm([row["p_value"] for row in rows]), pairs, strict=True):
        row["p_adjusted"] = adjusted
        one, other = known[a], known[b]
        row["verdict"] = verdict(row, (sums[a], sums[b]), None if one is None or other is None else (one, other))
    return rows


def _nets(sessions: pl.LazyFrame, members: Sequence[Group]) -> Iterator[NDArray[np.int64]]:
    """Net results as amounts, (bettors × sessions), some sessions at a time."""
    net = sessions.select("net")
    width = max(1, HELD // len(members))
    for first in range(0, members[0].sessions, width):
        count = min(width, members[0].sessions - first)
        piece = np.empty((len(members), count), dtype=np.int64)
        for row, group in zip(piece, members, strict=True):
            row[:] = amounts(net.slice(group.first + first, count).collect().to_series().to_numpy())
        yield piece


def difference(count: int, total: int, squares: int) -> dict[str, Any]:
    """Figures of a difference over sessions, from its exact sum and sum of squares (in amounts).

    ``sessions_needed`` is how many sessions would make a mean of this size two standard errors (1.96) wide.

    >>> figures = difference(4, 40_000, 600_000_000)
    >>> figures["mean_difference"], round(figures["sd_difference"], 4), figures["sessions_needed"]
    (1.0, 0.8165, 3)
    """
    mean = total / (count * UNITS)
    figures: dict[str, Any] = {"sessions": count, "mean_difference": mean, "p_value": None}
    if count < 2:
        return figures
    spread = math.sqrt((count * squares - total * total) / (count * (count - 1))) / UNITS
    error = spread / math.sqrt(count)
    figures |= {"sd_difference": spread, "ci_low": mean - Z95 * error, "ci_high": mean + Z95 * error}
    if error:
        figures["p_value"] = math.erfc(abs(mean) / error / math.sqrt(2))
    needed = (Z95 * spread / mean) ** 2 if mean else math.inf
    figures["sessions_needed"] = max(2, math.ceil(needed)) if needed < 2**62 else None
    return figures


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """P-values corrected for their number (Holm's step-down), undefined ones left out.

    >>> holm([0.01, 0.04, None, 0.03])
    [0.03, 0.06, None, 0.06]
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    most = 0.0
    for rank, (p, place) in enumerate(known):
        most = max(most, min(1.0, (len(known) - rank) * p))
        adjusted[place] = most
    return adjusted


def verdict(row: Mapping[str, Any], nets: tuple[int, int], rates: tuple[Rate, Rate] | None = None) -> str:
    """What a comparison says, in words, given the total nets of the two; `rates` are their returns per unit staked.

    Who loses less a session may only have staked less: that is said where the 95 % intervals of the returns overlap.

    >>> row = {"bettor_a": "A", "bettor_b": "B", "sessions": 9, "mean_difference": 8.0, "sd_difference": 1.0, "p_adjusted": 0.01}
    >>> verdict(row, (-10, -82)), verdict(row, (-10, -82), (Rate(-0.01, 0.004, 1000.0), Rate(-0.0103, 0.002, 8000.0)))
    ('A loses less a session', 'A loses less a session because it stakes less')
    """
    mean = row["mean_difference"]
    if row["sessions"] < 2:
        return "one session cannot tell"
    if row["sd_difference"] == 0 and not mean:
        return "the same in every session"
    if row["sd_difference"] and row["p_adjusted"] >= LEVEL:
        return "cannot tell apart"
    better, net = (row["bettor_a"], nets[0]) if mean > 0 else (row["bettor_b"], nets[1])
    told = f"{better} {'loses less' if net < 0 else 'wins more'} a session"
    if row["sd_difference"] == 0:
        return f"{told}, by the same in every session"
    if rates is not None and _overlap(*rates):
        ahead, behind = rates if mean > 0 else rates[::-1]
        if net < 0 and ahead.staked < behind.staked:
            return f"{told} because it stakes less"
        if net >= 0 and ahead.staked > behind.staked:
            return f"{told} because it stakes more"
    return told


def _rates(summary: pl.DataFrame) -> dict[tuple[int, str], Rate]:
    """The returns of a summary that have a standard error, by cell and bettor."""
    columns = ("cell", "bettor", "return_on_stake", "se_return", "staked")
    return {
        (cell, bettor): Rate(value, error, staked)
        for cell, bettor, value, error, staked in summary.select(columns).iter_rows()
        if error is not None
    }


def _overlap(one: Rate, other: Rate) -> bool:
    return abs(one.value - other.value) <= Z95 * (one.error + other.error)
