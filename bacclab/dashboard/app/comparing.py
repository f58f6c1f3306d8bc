"""Several runs side by side: the same figures of every bettor of every run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dash import dcc, html

from bacclab.dashboard.app.state import State, address, path_of
from bacclab.dashboard.columns import SUMMARY, Column, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.app.context import Context
    from bacclab.dashboard.app.figures import Drawn
    from bacclab.dashboard.app.frames import Scanned

__all__ = ["Compared", "compared"]

#: Rows of the table at most.
ROWS = 200


@dataclass(frozen=True, slots=True)
class Compared:
    """The table of a comparison, a note, and a chart where there is one."""

    table: Any
    note: str
    drawn: Drawn | None = None


def compared(context: Context, runs: Sequence[str]) -> Compared:
    """The runs side by side; the note says what they do not have in common."""
    if not runs:
        return Compared(None, "Choose runs to compare.")
    looks = [(context.folder.find(run).name, context.runs.open(run)) for run in runs]
    return Compared(_table(looks), _note([look for _, look in looks]))


def _note(looks: Sequence[Scanned]) -> str:
    """Whether the runs saw the same rounds."""
    if len(looks) < 2:
        return "Choose one more run to compare it with."
    digests = {look.run.manifest.get("digest") for look in looks}
    if len(digests) == 1 and None not in digests:
        return "All of these runs played the same rounds."
    return "These runs did not play the same rounds: differences between them hold the luck of each."


def _table(looks: Sequence[tuple[str, Scanned]]) -> html.Table:
    columns = [column for column in SUMMARY if column.main]
    rows: list[tuple[str, Scanned, dict[str, Any]]] = []
    for title, look in looks:
        found = sorted(
            look.run.summary.iter_rows(named=True), key=lambda row: (row["cell"], look.positions[row["bettor"]])
        )
        rows += [(title, look, row) for row in found]
    rows.sort(key=lambda item: item[2]["bettor"])
    kinds = [column.kind_for([row for _, _, row in rows]) for column in columns]
    body = []
    for title, look, row in rows[:ROWS]:
        link = State(view="run", run=look.run.path.name, tab="one", cell=row["cell"], bettor=row["bettor"])
        name = dcc.Link(row["bettor"], href=f"{path_of('run')}{address(link)}")
        label = look.cells[row["cell"]]
        cells = [
            html.Td(written(column.figure(row), kind), className="t" if column.kind == "text" else "")
            for column, kind in zip(columns, kinds, strict=True)
        ]
        where = html.Td([title, html.Br(), html.Small(label)] if label else title, className="t")
        body.append(html.Tr([html.Th(name, scope="row"), where, *cells]))
    heads = [html.Th("Bettor", scope="col", className="t"), html.Th("Run", scope="col", className="t")]
    heads += [_head(column) for column in columns]
    return html.Table([html.Thead(html.Tr(heads)), html.Tbody(body)])


def _head(column: Column) -> html.Th:
    return html.Th(column.heading, scope="col", title=column.meaning, className="t" if column.kind == "text" else "")
