"""Metrics worked out from the sessions of a run, a column of the summary each.

A metric comes from anybody, so none is trusted: whatever one does wrong leaves its figure empty (null) and one line
that names the metric and its plugin. Sessions are read bettor by bettor, and of many sessions only the columns of
a few metrics, of one at least. So what is held grows with the sessions of one bettor (some 80 bytes each), and with
neither the bettors nor the metrics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from bacclab.money import from_amount
from bacclab.plugins.metric import CONTEXT, MetricError
from bacclab.tournament.frames import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bacclab.analysis.summary import Group
    from bacclab.plugins.metric import Metric
    from bacclab.plugins.registry import Entry
    from bacclab.tournament.plan import Cell

__all__ = ["Context", "Measured", "context_of", "extra", "facts_of", "measure", "measure_exact"]

HELD = 1 << 18
"""Sessions that are held with the columns of all metrics at a time."""

HELD_VALUES = 1 << 23
"""Values of a bettor with more sessions than that which are held at a time, but for a metric that needs more alone."""

Context = Mapping[tuple[int, str], Mapping[str, float | None]]
"""Values of the columns `bacclab.plugins.metric.CONTEXT`, by cell and bettor."""

_CONTEXT_TYPES: dict[str, Any] = {name: pl.Int64 if name in ("horizon", "pace") else pl.Float64 for name in CONTEXT}


def extra(metrics: Mapping[str, Entry]) -> list[Entry]:
    """The metrics that the summary does not work out itself, in the order of columns: built-in ones, then by id."""
    found = [entry for id_, entry in metrics.items() if id_ not in SCHEMAS["summary"]]
    return sorted(found, key=lambda entry: (entry.origin != "built in", entry.id if entry.origin != "built in" else ""))


def facts_of(metrics: Sequence[Entry]) -> list[dict[str, str]]:
    """What the manifest says of metrics: enough to show them without their plugins."""
    return [{**entry.item.facts, "plugin": entry.plugin} for entry in metrics]


def context_of(cells: Sequence[Cell], ruin: pl.DataFrame) -> Context:
    """What is the same for all sessions of a bettor in a cell; `ruin` is the frame exact_ruin."""
    ever = {(cell, bettor): {"ruin_ever": a, "ruin_ever_goal": b} for cell, bettor, a, b in ruin.iter_rows()}
    found: dict[tuple[int, str], dict[str, float | None]] = {}
    for cell in cells:
        for spec in cell.bettors:
            found[cell.index, spec.name] = {
                "start": from_amount(cell.bankroll),
                "horizon": cell.horizon.rounds,
                "goal": None if spec.stop.win is None else from_amount(spec.stop.win),
                "floor": None if spec.stop.loss is None else from_amount(spec.stop.loss),
                "pace": cell.pace,
                **ever.get((cell.index, spec.name), {"ruin_ever": None, "ruin_ever_goal": None}),
            }
    return found


@dataclass(slots=True)
class Measured:
    """The figures of metrics, a list a column with an entry a group; and lines on what went wrong."""

    columns: dict[str, list[float | None]] = field(default_factory=dict)
    faults: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, entry: Entry, value: float | None) -> None:
        """One figure."""
        self.columns.setdefault(entry.id, []).append(value)

    def fail(self, entry: Entry, error: MetricError, bettor: str) -> None:
        """A figure that could not be worked out."""
        self.add(entry, None)
        line = f"{error} (plugin {entry.plugin}, {entry.origin})"
        self.faults.setdefault((entry.id, line), []).append(bettor)

    @property
    def warnings(self) -> list[str]:
        """One line for each way in which a metric failed, with the bettors whose figure is empty by it."""
        lines = []
        for (_, line), bettors in self.faults.items():
            names = list(dict.fromkeys(bettors))
            told = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
            lines.append(f"{line}: its figure is left empty for {told}")
        return lines

    def frame(self, metrics: Sequence[Entry]) -> pl.DataFrame:
        """The columns as a frame."""
        return pl.DataFrame(
            {entry.id: self.columns.get(entry.id, []) for entry in metrics},
            schema={entry.id: pl.Float64 for entry in metrics},
        )


def measure(sessions: pl.LazyFrame, groups: Sequence[Group], metrics: Sequence[Entry], context: Context) -> Measured:
    """The figures of metrics for every group of sessions (rows of ``sessions``, sorted by key)."""
    found = Measured()
    for group, rows in _rows(sessions, groups, metrics):
        values = context[group.cell, group.bettor]
        if rows is not None:
            _of_group(found, _with(rows, values), group, metrics)
            continue
        for some in _clumps(metrics, group.sessions):
            part = sessions.select(_read_for(some)).slice(group.first, group.sessions).collect()
            _of_group(found, _with(part, values), group, some)
    return found


def measure_exact(summary: pl.DataFrame, metrics: Sequence[Entry], context: Context) -> Measured:
    """The figures of metrics from the summary of an exact run, row by row; null where a metric does not say how."""
    found = Measured()
    for row in summary.iter_slices(1):
        bettor = row["bettor"][0]
        rows = _with(row, context[row["cell"][0], bettor])
        for entry in metrics:
            if entry.item.exact is None:
                found.add(entry, None)
                continue
            try:
                found.add(entry, entry.item.of(rows, exact=True))
            except MetricError as error:
                found.fail(entry, error, bettor)
    return found


def _rows(
    sessions: pl.LazyFrame, groups: Sequence[Group], metrics: Sequence[Entry]
) -> Iterator[tuple[Group, pl.DataFrame | None]]:
    """The groups with their rows, many small groups read at a time; None for the rows of a group that is too large."""
    columns = _read_for(metrics)
    held = pl.DataFrame()
    first = last = 0
    for place, group in enumerate(groups):
        if group.sessions > HELD:
            yield group, None
            continue
        if group.first + group.sessions > last or group.first < first:
            first = group.first
            last = first
            for other in groups[place:]:
                if other.first + other.sessions - first > HELD:
                    break
                last = other.first + other.sessions
            held = sessions.select(columns).slice(first, last - first).collect()
        yield group, held.slice(group.first - first, group.sessions)


def _read_for(metrics: Iterable[Entry]) -> list[str]:
    """The columns of ``sessions`` that some metrics need; one at least, so that there are rows."""
    wanted = {name for entry in metrics for name in entry.item.columns} - set(CONTEXT) or {"session"}
    return [name for name in SCHEMAS["sessions"] if name in wanted]


def _clumps(metrics: Sequence[Entry], sessions: int) -> Iterator[list[Entry]]:
    """The metrics, in their order, so many at a time as there is room for the columns that they need."""
    clump: list[Entry] = []
    for entry in metrics:
        if clump and len(_read_for([*clump, entry])) * sessions > HELD_VALUES:
            yield clump
            clump = []
        clump.append(entry)
    if clump:
        yield clump


def _with(rows: pl.DataFrame, values: Mapping[str, float | None]) -> pl.DataFrame:
    return rows.with_columns(pl.lit(values[name], dtype=kind).alias(name) for name, kind in _CONTEXT_TYPES.items())


def _of_group(found: Measured, rows: pl.DataFrame, group: Group, metrics: Sequence[Entry]) -> None:
    """All metrics at once where nothing goes wrong, else one by one."""
    try:
        row = rows.select(entry.item.expr().alias(entry.id) for entry in metrics)
        values = [entry.item.one(row[entry.id]) for entry in metrics]
    except (MetricError, pl.exceptions.PolarsError, pl.exceptions.PanicException, TypeError, ValueError):
        for entry in metrics:
            _one(found, entry, rows, group)
        return
    for entry, value in zip(metrics, values, strict=True):
        found.add(entry, value)


def _one(found: Measured, entry: Entry, rows: pl.DataFrame, group: Group) -> None:
    metric: Metric = entry.item
    try:
        found.add(entry, metric.of(rows))
    except MetricError as error:
        found.fail(entry, error, group.bettor)
