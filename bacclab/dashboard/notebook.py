"""A run and its charts as a notebook shows them."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bacclab.dashboard.columns import SUMMARY
from bacclab.dashboard.language import ENGLISH, language
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.words import rules
from bacclab.dashboard.written import written
from bacclab.display import html_table, shown_as

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bacclab.dashboard.run_frames import RunFrames
    from bacclab.plugins.panels import Chart

__all__ = ["charts_html", "run_html"]

#: Figures of the small table.
KEYS = ("return_on_stake", "expected_return", "z", "median", "ahead", "bust+ended_cannot_cover", "largest_stake")


def run_html(run: RunFrames, *, frames: Iterable[str]) -> str:
    """Title, sentence and the main figures of a run, and what to ask it for."""
    look = Lookup.of(run)
    rows = sorted(look.run.summary.iter_rows(named=True), key=lambda row: (row["cell"], look.positions[row["bettor"]]))
    columns = [column for column in SUMMARY if column.key in KEYS]
    kinds = [column.kind_for(rows) for column in columns]
    body = []
    for row in rows:
        label = look.cells[int(row["cell"])]
        name = f"{row['bettor']} ({label})" if label else str(row["bettor"])
        body.append([name, *(written(c.figure(row), kind) for c, kind in zip(columns, kinds, strict=True))])
    columns_left = [""] * len(columns)
    body += [[f"{name}: failed, {reason}", *columns_left] for (_, name), reason in sorted(look.failed.items())]
    title = str(run.manifest.get("title") or "A run")
    asks = ", ".join(f"<code>run.{escape(name)}</code>" for name in frames)
    return shown_as(
        title,
        f"<p>{escape(rules.sentence(look))}</p>",
        html_table(["Bettor", *(language(ENGLISH).heading(column) for column in columns)], body),
        f"<p>Frames: {asks}. Charts: <code>run.charts</code>. The page: <code>run.report()</code>.</p>",
    )


def charts_html(charts: Iterable[Chart]) -> str:
    """The charts of a run: how each is called, and what it shows."""
    rows = [(f"run.charts.{chart.id.replace('-', '_')}()", f"{chart.title}. {chart.text}".strip()) for chart in charts]
    return shown_as("Charts", html_table(["Call", "Shows"], rows))
