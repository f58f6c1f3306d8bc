"""One row for each bettor of each cell: what it staked and won, how sessions ended, and what exact odds say of that.

* Returns are per unit staked. ``expected_return`` is the exact expectation of the bets that were laid, over what was
  staked: on a full shoe, or, for a bettor that sees the cards, on those left before each round (``expected_on``).
* ``z`` is the gap between result and expectation in standard errors, from sessions. The gap has mean zero, so a z that
  chance does not explain points at a fault; without the gap, as a control variate, a result is its expectation, and its
  standard error falls from ``se_return`` to ``se_controlled``.
* Quantiles are linear between neighbours, from the exact histogram of finals.
* Drawdown is measured from the starting bankroll on. A win rate is given per decision (pushes left out) and per bet.
* What is undefined (a return without a stake, a standard error from one session) is null.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from bacclab.analysis.statistics.exact_sums import exact_sum
from bacclab.analysis.statistics.quantiles import weighted_quantiles
from bacclab.money import UNITS, from_amount
from bacclab.shoes.source import draws_again
from bacclab.tournament.frames import SCHEMAS, amounts
from bacclab.tournament.ledger import ENDINGS, FULL_SHOE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bacclab.tournament.plan import Cell

PIECE = 1 << 16
"""Sessions read at a time. Sums of floats are taken piece by piece, so this number is part of the result."""

_NOISE = 1e-13
"""A standard error of a return below this is what rounding leaves of none at all."""

COUNTS = ("rounds", "bets", "wins", "losses", "pushes", "refusals")
MONEY = ("staked", "commission", "net", "max_drawdown")
QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
REFUSED = tuple(name for name in SCHEMAS["sessions"] if name.startswith("refused_"))


@dataclass(frozen=True, slots=True)
class Group:
    """The sessions of one bettor in one cell: where their rows begin, how many there are, and their start (currency).

    ``again``: the same few rounds come again in many sessions.
    """

    cell: int
    bettor: str
    first: int
    sessions: int
    start: float
    played_by: str
    expected_on: str = FULL_SHOE
    again: bool = False


def groups_of(
    cells: Sequence[Cell], played_by: Sequence[Mapping[str, str]], expected_on: Sequence[Mapping[str, str]]
) -> list[Group]:
    """The groups in the order of the rows of ``sessions``; the two lists are by cell and bettor."""
    found = []
    row = 0
    for cell, ways, shoes in zip(cells, played_by, expected_on, strict=True):
        for bettor in sorted(ways):
            whose = (cell.index, bettor, row, cell.sessions, from_amount(cell.bankroll))
            found.append(Group(*whose, ways[bettor], shoes[bettor], draws_again(cell.source)))
            row += cell.sessions
    return found


def summarise(sessions: pl.LazyFrame, finals: pl.DataFrame, groups: Sequence[Group]) -> pl.DataFrame:
    """The summary frame, from sessions (sorted by key) and the rows of ``distribution`` at each cell's last round."""
    by_group = finals.partition_by("cell", "bettor", as_dict=True)
    rows = [_row(sessions, by_group[group.cell, group.bettor], group) for group in groups]
    return pl.DataFrame(rows, schema=SCHEMAS["summary"])


def pieces_of(sessions: pl.LazyFrame, group: Group, columns: Sequence[str]) -> Iterator[pl.DataFrame]:
    """Some columns of the sessions of a group, PIECE sessions at a time."""
    chosen = sessions.select(columns)
    for first in range(0, group.sessions, PIECE):
        yield chosen.slice(group.first + first, min(PIECE, group.sessions - first)).collect()


@dataclass(slots=True)
class _Tally:
    """Exact totals over the sessions of a group; money in amounts."""

    counts: Counter[str] = field(default_factory=Counter)
    money: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    losing_runs: Counter[int] = field(default_factory=Counter)
    largest_stake: float = 0.0
    expected: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    least_gap: float = math.inf
    most_gap: float = -math.inf

    def add(self, piece: pl.DataFrame) -> None:
        for name in (*COUNTS, *REFUSED):
            self.counts[name] += exact_sum(piece[name].to_numpy())
        for name in MONEY:
            self.money[name] += exact_sum(amounts(piece[name].to_numpy()))
        self.endings.update(dict(piece["ended_by"].value_counts().iter_rows()))
        runs = np.bincount(piece["longest_losing_run"].to_numpy())
        self.losing_runs.update({run: int(n) for run, n in enumerate(runs) if n})
        self.largest_stake = max(self.largest_stake, *piece["largest_stake"].to_list())
        gap = (piece["net"] - piece["expected"]).to_numpy()
        self.expected.append(float(piece["expected"].to_numpy().sum()))
        self.gaps.append(float(gap.sum()))
        self.least_gap = min(self.least_gap, float(gap.min()))
        self.most_gap = max(self.most_gap, float(gap.max()))


def _row(sessions: pl.LazyFrame, finals: pl.DataFrame, group: Group) -> dict[str, Any]:
    tally = _Tally()
    columns = [*COUNTS, *REFUSED, *MONEY, "expected", "largest_stake", "longest_losing_run", "ended_by"]
    for piece in pieces_of(sessions, group, columns):
        tally.add(piece)
    n, counts, money = group.sessions, tally.counts, tally.money
    decisions = counts["wins"] + counts["losses"]
    expected = math.fsum(tally.expected)
    runs = sorted(tally.losing_runs)
    median_run = weighted_quantiles(
        np.array(runs, dtype=np.float64), np.array([tally.losing_runs[r] for r in runs], dtype=np.int64), (0.5,)
    )
    return {
        "cell": group.cell,
        "bettor": group.bettor,
        "sessions": n,
        **{name: counts[name] for name in (*COUNTS, *REFUSED)},
        "decisions": decisions,
        "win_rate_decisions": _ratio(counts["wins"], decisions),
        "win_rate_bets": _ratio(counts["wins"], counts["bets"]),
        **{name: money[name] / UNITS for name in ("staked", "commission", "net")},
        "expected": expected,
        "return_on_stake": _ratio(money["net"], money["staked"]),
        "expected_return": _ratio(expected, money["staked"] / UNITS),
        **_errors(sessions, group, tally),
        **_of_finals(finals, group),
        "bust": tally.endings["bust"] / n,
        **{f"ended_{ending}": tally.endings[ending] / n for ending in ENDINGS},
        "mean_max_drawdown": money["max_drawdown"] / (n * UNITS),
        "median_longest_losing_run": median_run[0],
        "largest_stake": tally.largest_stake,
        "expected_on": group.expected_on,
        "played_by": group.played_by,
    }


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _errors(sessions: pl.LazyFrame, group: Group, tally: _Tally) -> dict[str, float | None]:
    """Standard error of the return, and the gap to the expectation in standard errors: a second pass over sessions."""
    n, staked = group.sessions, tally.money["staked"] / UNITS
    if n < 2 or not staked:
        return {"se_return": None, "se_controlled": None, "z": None}
    rate = tally.money["net"] / tally.money["staked"]
    exact_rate = math.fsum(tally.expected) / staked
    gap = math.fsum(tally.gaps)
    residuals, controlled, gaps = [], [], []
    for piece in pieces_of(sessions, group, ("net", "staked", "expected")):
        net, laid, expected = (piece[name].to_numpy() for name in ("net", "staked", "expected"))
        residuals.append(_squares(net - rate * laid))
        controlled.append(_squares(expected - exact_rate * laid))
        gaps.append(_squares(net - expected - gap / n))
    se_return, se_controlled = (
        math.sqrt(n / (n - 1) * math.fsum(squares)) / staked for squares in (residuals, controlled)
    )
    # Equal gaps have no spread, whatever rounding makes of their squares.
    se_gap = math.sqrt(n / (n - 1) * math.fsum(gaps)) if tally.most_gap > tally.least_gap else 0.0
    return {
        "se_return": se_return,
        "se_controlled": se_controlled if se_controlled > _NOISE else 0.0,
        # Rounds that come again make sessions alike: their spread does not tell how far chance alone would lead.
        "z": gap / se_gap if se_gap and not group.again else None,
    }


def _squares(values: NDArray[np.float64]) -> float:
    return float((values * values).sum())


def _of_finals(finals: pl.DataFrame, group: Group) -> dict[str, float | None]:
    """Mean, spread, quantiles and shares of the final bankrolls, from their exact histogram."""
    values, weights = finals["bankroll"].to_numpy(), finals["sessions"].to_numpy()
    n = group.sessions
    exact = [int(v) * int(w) for v, w in zip(amounts(values), weights, strict=True)]
    mean = sum(exact) / (n * UNITS)
    spread = math.sqrt(float((weights * (values - mean) ** 2).sum()) / (n - 1)) if n > 1 else None
    return {
        "mean_final": mean,
        "sd_final": spread,
        "se_final": spread / math.sqrt(n) if spread is not None else None,
        **dict(zip(QUANTILES, weighted_quantiles(values, weights, tuple(QUANTILES.values())), strict=True)),
        "ahead": int(weights[values > group.start].sum()) / n,
        "even": int(weights[values == group.start].sum()) / n,
        "behind": int(weights[values < group.start].sum()) / n,
    }
