"""Bettors of several runs compared: on the same rounds session by session, else as independent samples.

Two bettors are *paired* where their cells dealt the same rounds (one digest) in as many sessions; then their difference
is taken session by session. Where rounds differ, means are compared with each their own spread (Welch). A figure of an
exact run has no error of its own. P-values are corrected for all the pairs that are looked at (Holm).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from bacclab.analysis.compare import Record, difference, verdict
from bacclab.analysis.statistics.exact_sums import exact_products
from bacclab.analysis.statistics.normal import holm, is_heavy
from bacclab.analysis.statistics.student import is_far, quantile, two_sided
from bacclab.errors import ConfigError
from bacclab.tournament.frames import amounts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["Across", "Held", "across"]

PIECE = 1 << 16
"""Sessions of each of two bettors that are held at a time."""
MOST_PAIRS = 5_000
"""So many pairs are compared; of more only those of one name."""

SCHEMA = pl.Schema(
    {
        **dict.fromkeys(("run_a", "setting_a", "bettor_a", "run_b", "setting_b", "bettor_b", "how"), pl.String),
        **dict.fromkeys(("sessions_a", "sessions_b"), pl.Int64),
        **dict.fromkeys(
            ("mean_a", "mean_b", "mean_difference", "sd_difference", "ci_low", "ci_high", "p_value", "p_adjusted"),
            pl.Float64,
        ),
        "difference_per_100_rounds": pl.Float64,
        "heavy_tailed": pl.Boolean,
        "verdict": pl.String,
    }
)


class Held(Protocol):
    """A run as a comparison sees it."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """How it was made."""

    @property
    def summary(self) -> pl.DataFrame:
        """A row a cell and bettor."""

    def scan(self, name: str) -> pl.LazyFrame:
        """One of its frames."""


@dataclass(frozen=True, slots=True)
class Across:
    """What a comparison of runs gives.

    `figures`: the summaries of all runs below each other, with ``run`` and ``setting`` in front. `pairs`: a row a pair
    of bettors of different runs. `notes`: what a reader should know, such as which runs dealt other rounds.
    """

    figures: pl.DataFrame
    pairs: pl.DataFrame
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Side:
    """One bettor in one cell of one run; `first` is its first row in the run's sessions."""

    run: str
    held: Held
    setting: str
    bettor: str
    row: Mapping[str, Any]
    stream: str
    first: int

    @property
    def is_exact(self) -> bool:
        return bool(self.row["played_by"] == "exact")

    @property
    def sessions(self) -> int:
        return int(self.row["sessions"])

    @property
    def mean(self) -> float:
        return float(self.row["net"]) / self.sessions

    @property
    def record(self) -> Record:
        row = self.row
        rounds = row["rounds"] / self.sessions
        return Record(row["return_on_stake"], row["se_return"], row["staked"], rounds, row["z"])

    def nets(self) -> Iterator[NDArray[np.int64]]:
        net = self.held.scan("sessions").select("net")
        for first in range(0, self.sessions, PIECE):
            part = net.slice(self.first + first, min(PIECE, self.sessions - first)).collect()
            yield amounts(part.to_series().to_numpy())


def across(runs: Sequence[tuple[str, Held]]) -> Across:
    """Compare the bettors of finished runs, each under a name of its own. ConfigError for fewer than two."""
    if len(runs) < 2:
        raise ConfigError("a comparison needs two runs or more")
    sides = [side for name, held in runs for side in _sides(name, held)]
    pairs = [(a, b) for k, a in enumerate(sides) for b in sides[k + 1 :] if a.run != b.run]
    notes = _notes(sides)
    if len(pairs) > MOST_PAIRS:
        named = [(a, b) for a, b in pairs if a.bettor == b.bettor]
        notes.append(f"{len(pairs):,} pairs are too many: only bettors of one name are compared")
        pairs = named[:MOST_PAIRS]
    rows = [_pair(a, b) for a, b in pairs]
    for row, adjusted, (a, b) in zip(rows, holm([row["p_value"] for row in rows]), pairs, strict=True):
        row["p_adjusted"] = adjusted
        names = {"bettor_a": _name(a), "bettor_b": _name(b)}
        row["verdict"] = verdict({**row, **names}, (a.row["net"], b.row["net"]), (a.record, b.record))
    return Across(_figures(sides), pl.DataFrame(rows, schema=SCHEMA), tuple(notes))


def _name(side: _Side) -> str:
    return f"{side.bettor} of {side.run}{f' ({side.setting})' if side.setting else ''}"


def _sides(name: str, held: Held) -> Iterator[_Side]:
    cells = {cell["cell"]: cell for cell in held.manifest["cells"]}
    first = 0
    for row in held.summary.sort("cell", "bettor").iter_rows(named=True):
        if not row["sessions"]:  # one that failed
            continue
        cell = cells[row["cell"]]
        yield _Side(name, held, cell["label"], row["bettor"], row, f"{cell['digest']} {row['sessions']}", first)
        first += row["sessions"]


def _pair(a: _Side, b: _Side) -> dict[str, Any]:
    paired = a.stream == b.stream and not (a.is_exact or b.is_exact)
    figures = _paired(a, b) if paired else _unpaired(a, b)
    rounds = max(a.record.rounds or 0.0, b.record.rounds or 0.0)
    return {
        "run_a": a.run, "setting_a": a.setting, "bettor_a": a.bettor,
        "run_b": b.run, "setting_b": b.setting, "bettor_b": b.bettor,
        "sessions_a": None if a.is_exact else a.sessions, "sessions_b": None if b.is_exact else b.sessions,
        "mean_a": a.mean, "mean_b": b.mean, **figures,
        "difference_per_100_rounds": 100 * figures["mean_difference"] / rounds if rounds else None,
    }  # fmt: skip


def _paired(a: _Side, b: _Side) -> dict[str, Any]:
    found = exact_products((np.stack(both) for both in zip(a.nets(), b.nets(), strict=True)), 2)
    figures = difference(found.count, found.sums[0] - found.sums[1], found.squared_difference(0, 1))
    far = any(is_far(side.row["z"], side.sessions) for side in (a, b))
    return {
        "how": "paired",
        "sd_difference": None,
        "ci_low": None,
        "ci_high": None,
        **figures,
        "heavy_tailed": far or is_heavy(found.count, found.skewness(0, 1)),
    }


def _unpaired(a: _Side, b: _Side) -> dict[str, Any]:
    """Welch's comparison; the mean of an exact run has no error."""
    gap = a.mean - b.mean
    figures: dict[str, Any] = {
        "how": "exact" if a.is_exact or b.is_exact else "unpaired",
        "sessions": min([side.sessions for side in (a, b) if not side.is_exact], default=2),
        "mean_difference": gap,
        "sd_difference": None,
        "ci_low": None,
        "ci_high": None,
        "p_value": None,
        "heavy_tailed": any(
            is_heavy(side.sessions, side.row.get("skewness")) or is_far(side.row["z"], side.sessions) for side in (a, b)
        ),
    }
    errors = [0.0 if side.is_exact else side.row["se_final"] for side in (a, b)]
    if any(error is None for error in errors):
        return figures
    error = math.hypot(*errors)
    freedom = _freedom(errors, [side.sessions for side in (a, b)])
    reach = quantile(freedom) * error if error else 0.0
    figures |= {"sd_difference": error, "ci_low": gap - reach, "ci_high": gap + reach}
    if error:
        figures["p_value"] = two_sided(gap / error, freedom)
    return figures


def _freedom(errors: Sequence[float], sessions: Sequence[int]) -> float:
    """Degrees of freedom of the difference of two means with these standard errors.

    Source: B. L. Welch, The generalization of "Student's" problem when several different population variances are
    involved, Biometrika 34 (1947).

    >>> _freedom([1.0, 1.0], [10, 10]), _freedom([1.0, 0.0], [10, 1])
    (18.0, 9.0)
    """
    parts = [error**4 / (n - 1) for error, n in zip(errors, sessions, strict=True) if error]
    return sum(error**2 for error in errors) ** 2 / sum(parts) if parts else 0.0


def _figures(sides: Sequence[_Side]) -> pl.DataFrame:
    rows = [{"run": side.run, "setting": side.setting, **side.row} for side in sides]
    return pl.DataFrame(rows, infer_schema_length=None)


def _notes(sides: Sequence[_Side]) -> list[str]:
    streams: dict[str, list[str]] = {}
    for side in sides:
        if not side.is_exact:
            streams.setdefault(side.stream, []).append(side.run)
    notes = []
    if len(streams) > 1:
        sets = [" and ".join(dict.fromkeys(runs)) for runs in streams.values()]
        notes.append(f"other rounds, or another number of sessions, in each of: {'; '.join(dict.fromkeys(sets))}")
    bankrolls = {side.held.manifest["cells"][0]["bankroll"] for side in sides}
    if len(bankrolls) > 1:
        notes.append("the runs begin with different bankrolls: results are compared, not what is left")
    return notes
