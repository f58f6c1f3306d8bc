"""Chosen figures of a run's summary, as `bacclab show RUN --metric ID` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.cli.output import Column, draw_table, emit, emit_json, tell_dropped
from bacclab.cli.summary import NAME, summary_rows
from bacclab.dashboard.columns import summary_columns
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.written import written
from bacclab.errors import ConfigError, did_you_mean, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.run_frames import RunFrames

ALL = "all"

_KEYS = ("cell", "bettor")


def show_metrics(run: RunFrames, wanted: Sequence[str], *, as_json: bool) -> None:
    """Print figures by the names of their columns; one bettor a line, or one figure a line if there are many."""
    names = chosen(run, wanted)
    rows = summary_rows(run)
    if as_json:
        emit_json([{key: row[key] for key in (*_KEYS, *names)} for row in rows])
        return
    columns = {column.key: column for column in summary_columns(run.manifest)}
    look = Lookup.of(run)
    dropped: list[str] = []
    for position, (cell, label) in enumerate(look.cells.items()):
        if position:
            emit()
        own = [row for row in rows if row["cell"] == cell]
        printed = [
            [
                written(row[name], columns[name].kind if name in columns else "number")
                if not isinstance(row[name], str)
                else row[name]
                for name in names
            ]
            for row in own
        ]
        bettors = [shorten(row["bettor"], NAME) for row in own]
        if len(names) <= _WIDE:
            heads = [Column("bettor"), *(Column(name, number=True) for name in names)]
            lines: list[tuple[str, ...]] = [(who, *figures) for who, figures in zip(bettors, printed, strict=True)]
        else:
            heads = [Column("figure"), *(Column(who, number=True) for who in bettors)]
            lines = [(name, *(figures[k] for figures in printed)) for k, name in enumerate(names)]
        dropped += draw_table(heads, lines, title=label)
    tell_dropped(list(dict.fromkeys(dropped)))


_WIDE = 6


def chosen(run: RunFrames, wanted: Sequence[str]) -> list[str]:
    """The columns asked for; ConfigError, with the nearest name, for one that the run does not have."""
    there = [name for name in run.summary.columns if name not in _KEYS]
    if ALL in wanted:
        return there
    for name in wanted:
        if name not in there:
            raise ConfigError(f"the run has no metric {name!r}", hint=did_you_mean(name, there))
    return list(dict.fromkeys(wanted))
