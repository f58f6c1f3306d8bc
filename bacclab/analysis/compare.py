"""Can two bettors be told apart? The bettors of a cell, compared two by two and session by session on the same rounds.

Because all bettors play the same rounds, the difference of their results in each session is what is looked at: its
mean, a 95 % interval (Student's t), and a p-value that is corrected for the number of pairs (Holm). Sums are exact, so
nothing depends on the order or the number of pieces in which the sessions are read.

* The correction is for all pairs of all cells: who sweeps a setting looks at as many pairs more.
* Up to `ALL_PAIRS` bettors every two are compared. Of more, each is compared with the one that did best and with the
  first of the experiment; p-values are corrected for all pairs all the same, since the best was found by looking at
  all.
* Such an interval holds for a mean of enough sessions. How many are enough depends on the skewness G of the
  differences: more than 25 G² (W. G. Cochran, Sampling Techniques, 3rd edition, 2.15). Pairs with fewer sessions are
  marked ``heavy_tailed``, and so are those of a bettor whose result lies further from its exact expectation than chance
  allows: what is missing are losses that are too rare to be in the sample. How often intervals cover the truth is
  measured by tests/benchmarks/calibration.py, see the page calibration of the documentation.
* How many sessions, or rounds, would tell two apart follows from the difference that they really have: that of the
  exact expectations of the bets they placed, which strays far less than that of their results. Where two differ by
  nothing but chance, the difference of results would promise an answer far too soon.
"""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from bacclab.analysis.statistics.exact_sums import Products, exact_products
from bacclab.analysis.statistics.normal import LEVEL, Z95, holm, is_heavy
from bacclab.analysis.statistics.student import is_far, quantile, two_sided
from bacclab.money import UNITS
from bacclab.tournament.frames import SCHEMAS, amounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bacclab.analysis.summary import Group

__all__ = ["ALL_PAIRS", "LEVEL", "Record", "compare", "difference", "holm", "verdict"]

HELD = 1 << 22
"""Results that are held at a time."""
ALL_PAIRS = 200
"""So many bettors are compared two by two; of more each only with the references."""


class Record(NamedTuple):
    """What a comparison has to know of a bettor.

    Its return per unit staked and the standard error of it, what it staked in all (currency units), the rounds of a
    session, how far its result lies from its exact expectation, in standard errors, and the exact expectation of a
    session (currency units); None: not known.
    """

    value: float | None
    error: float | None
    staked: float
    rounds: float | None = None
    z: float | None = None
    expected: float | None = None


_UNTOLD: dict[str, Any] = {
    **dict.fromkeys(("ci_low", "ci_high", "p_value", "p_adjusted", "sessions_needed", "rounds_needed")),
    "verdict": "the same rounds came again and again: more sessions tell no more than the record",
}
"""What a comparison says where sessions are not independent of each other."""


def compare(
    sessions: pl.LazyFrame,
    groups: Sequence[Group],
    *,
    summary: pl.DataFrame | None = None,
    firsts: Mapping[int, str] | None = None,
) -> pl.DataFrame:
    """The comparisons frame, from sessions (sorted by key); the summary tells who only staked less.

    `firsts` names a reference of each cell, by default the first one by name.
    """
    cells: dict[int, list[Group]] = {}
    for group in groups:
        cells.setdefault(group.cell, []).append(group)
    records = {} if summary is None else _records(summary)
    rows: list[dict[str, Any]] = []
    known: list[tuple[Record | None, Record | None]] = []
    family = 0
    for cell, members in cells.items():
        names = [group.bettor for group in members]
        of = [records.get((cell, group.bettor)) for group in members]
        first = names.index(firsts[cell]) if firsts and firsts.get(cell) in names else 0
        family += len(names) * (len(names) - 1) // 2
        untold = _UNTOLD if members[0].again else {}
        for (a, b), figures in _compared(partial(_nets, sessions, members), of, first):
            rows.append({"cell": cell, "bettor_a": names[a], "bettor_b": names[b], **figures, **untold})
            known.append((of[a], of[b]))
    for row, adjusted, both in zip(rows, holm([r["p_value"] for r in rows], family=family), known, strict=True):
        if "verdict" not in row:
            row["p_adjusted"] = adjusted
            row["verdict"] = verdict(row, row["nets"], both)
    return pl.DataFrame(
        [{name: row.get(name) for name in SCHEMAS["comparisons"]} for row in rows], schema=SCHEMAS["comparisons"]
    )


def _compared(
    nets: Callable[[], Iterator[NDArray[np.int64]]], known: Sequence[Record | None], first: int
) -> Iterator[tuple[tuple[int, int], dict[str, Any]]]:
    """The pairs of bettors of a cell with figures of each; `nets()` gives amounts (bettors × sessions), in pieces."""
    against = None
    if len(known) > ALL_PAIRS:
        totals = sum((piece.sum(axis=1, dtype=np.float64) for piece in nets()), np.zeros(len(known)))
        against = sorted({first, int(totals.argmax())})
    found = exact_products(nets(), len(known), against=against)
    for a, b in _pairs(len(known), against):
        truth = _expected(known[a], known[b])
        figures = difference(found.count, found.sums[a] - found.sums[b], found.squared_difference(a, b), expected=truth)
        yield (a, b), {**figures, **_shape(found, a, b, figures, known), "nets": (found.sums[a], found.sums[b])}


def _pairs(count: int, against: Sequence[int] | None) -> Iterator[tuple[int, int]]:
    if against is None:
        yield from combinations(range(count), 2)
        return
    yield from sorted({(min(a, b), max(a, b)) for a in against for b in range(count) if a != b})


def _nets(sessions: pl.LazyFrame, members: Sequence[Group]) -> Iterator[NDArray[np.int64]]:
    """Net results as amounts, (bettors × sessions), some sessions at a time."""
    net = sessions.select("net")
    count = members[0].sessions
    if count * len(members) <= HELD:  # the rows of a cell lie in one piece
        whole = net.slice(members[0].first, count * len(members)).collect().to_series().to_numpy()
        yield amounts(whole).reshape(len(members), count)
        return
    width = max(1, HELD // len(members))
    for first in range(0, count, width):
        some = min(width, count - first)
        piece = np.empty((len(members), some), dtype=np.int64)
        for row, group in zip(piece, members, strict=True):
            row[:] = amounts(net.slice(group.first + first, some).collect().to_series().to_numpy())
        yield piece


def _expected(one: Record | None, other: Record | None) -> float | None:
    """What a session of the one is expected to come to more than one of the other."""
    if one is None or other is None or one.expected is None or other.expected is None:
        return None
    return one.expected - other.expected


def difference(count: int, total: int, squares: int, *, expected: float | None = None) -> dict[str, Any]:
    """Figures of a difference over sessions, from its exact sum and sum of squares (in amounts).

    ``sessions_needed`` is how many sessions would make a mean of this size two standard errors (1.96) wide: of the size
    that is `expected` (currency units), or where that is not known, of the size that was seen.

    >>> figures = difference(4, 40_000, 600_000_000)
    >>> figures["mean_difference"], round(figures["sd_difference"], 4), figures["sessions_needed"]
    (1.0, 0.8165, 3)
    >>> difference(4, 40_000, 600_000_000, expected=-0.01)["sessions_needed"]  # (1.96 · 0.8165 / 0.01)²
    25610
    """
    mean = total / (count * UNITS)
    figures: dict[str, Any] = {"sessions": count, "mean_difference": mean, "p_value": None}
    if count < 2:
        return figures
    spread = math.sqrt((count * squares - total * total) / (count * (count - 1))) / UNITS
    error = spread / math.sqrt(count)
    reach = quantile(count - 1) * error
    figures |= {"sd_difference": spread, "ci_low": mean - reach, "ci_high": mean + reach}
    if error:
        figures["p_value"] = two_sided(mean / error, count - 1)
    size = mean if expected is None else expected
    needed = (Z95 * spread / size) ** 2 if size else math.inf
    figures["sessions_needed"] = max(2, math.ceil(needed)) if needed < 2**62 else None
    return figures


def _shape(
    found: Products, a: int, b: int, figures: Mapping[str, Any], known: Sequence[Record | None]
) -> dict[str, Any]:
    """Skewness and its mark, and what the difference is in rounds."""
    skewness = found.skewness(a, b)
    one, other = known[a], known[b]
    # What lies too far from its expectation misses a part of its losses.
    far = any(is_far(record.z, found.count) for record in (one, other) if record is not None)
    shape: dict[str, Any] = {"skewness": skewness, "heavy_tailed": far or is_heavy(found.count, skewness)}
    if one is None or other is None or not (one.rounds and other.rounds):
        return shape
    rounds = max(one.rounds, other.rounds)
    shape["difference_per_100_rounds"] = 100 * figures["mean_difference"] / rounds
    needed = figures.get("sessions_needed")
    if needed is not None and needed * rounds < 2**62:
        shape["rounds_needed"] = math.ceil(needed * rounds)
    return shape


def verdict(
    row: Mapping[str, Any], nets: tuple[float, float], known: tuple[Record | None, Record | None] = (None, None)
) -> str:
    """What a comparison says, in words, given the total nets of the two; `known` are their returns per unit staked.

    Who loses less a session may only have staked less: that is said where the 95 % intervals of the returns overlap.

    >>> row = {"bettor_a": "A", "bettor_b": "B", "sessions": 9, "mean_difference": 8.0,
    ...        "sd_difference": 1.0, "p_adjusted": 0.01}
    >>> records = (Record(-0.01, 0.004, 1000.0), Record(-0.0103, 0.002, 8000.0))
    >>> verdict(row, (-10, -82)), verdict(row, (-10, -82), records)
    ('A loses less a session', 'A loses less a session because it stakes less')
    >>> verdict(row | {"p_adjusted": 0.4, "rounds_needed": 12_345_678_901}, (-10, -82))
    'cannot be told apart; about 1.2e10 rounds would be needed'
    """
    mean = row["mean_difference"]
    if row["sessions"] < 2:
        return "one session cannot tell"
    if row["sd_difference"] == 0 and not mean:
        return "the same in every session"
    heavy = f"; too heavy-tailed for {row['sessions']:,} sessions" if row.get("heavy_tailed") else ""
    if row["sd_difference"] and row["p_adjusted"] >= LEVEL:
        needed = row.get("rounds_needed")
        more = f"; about {roughly(needed)} rounds would be needed" if needed and not heavy else ""
        return f"cannot be told apart{more}{heavy}"
    better, net = (row["bettor_a"], nets[0]) if mean > 0 else (row["bettor_b"], nets[1])
    told = f"{better} {'loses less' if net < 0 else 'wins more'} a session"
    if row["sd_difference"] == 0:
        return f"{told}, by the same in every session"
    one, other = known
    if one is not None and other is not None and _overlap(one, other, row["sessions"]):
        ahead, behind = (one, other) if mean > 0 else (other, one)
        if net < 0 and ahead.staked < behind.staked:
            return f"{told} because it stakes less{heavy}"
        if net >= 0 and ahead.staked > behind.staked:
            return f"{told} because it stakes more{heavy}"
    return f"{told}{heavy}"


def roughly(count: float) -> str:
    """A large count to two digits.

    >>> roughly(123_456), roughly(98), roughly(12_345_678_901)
    ('120,000', '98', '1.2e10')
    """
    if count < 1e7:
        return f"{float(f'{count:.1e}'):,.0f}"
    digits, _, power = f"{count:.1e}".partition("e+")
    return f"{digits}e{int(power)}"


def _records(summary: pl.DataFrame) -> dict[tuple[int, str], Record]:
    """What a summary says of its bettors, by cell and bettor."""
    names = ("cell", "bettor", "return_on_stake", "se_return", "staked", "rounds", "sessions", "z", "expected")
    nulls = [pl.lit(None, pl.Float64).alias(name) for name in names if name not in summary.columns]
    return {
        (cell, bettor): Record(
            value,
            error,
            staked,
            rounds / n if rounds is not None and n else None,
            z,
            expected / n if expected is not None and n else None,
        )
        for cell, bettor, value, error, staked, rounds, n, z, expected in summary.with_columns(nulls)
        .select(names)
        .iter_rows()
    }


def _overlap(one: Record, other: Record, sessions: int) -> bool:
    """Whether the 95 % intervals of two returns overlap; not if one of them has none."""
    if one.value is None or other.value is None or one.error is None or other.error is None:
        return False
    return abs(one.value - other.value) <= quantile(sessions - 1) * (one.error + other.error)
