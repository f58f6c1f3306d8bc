"""Several runs side by side: the same figures of every bettor of every run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dash import dcc, html

from bacclab.dashboard.app.figures import Drawn, dressed
from bacclab.dashboard.app.state import State, address, path_of
from bacclab.dashboard.charts.side_by_side import Row, side_by_side
from bacclab.dashboard.columns import SUMMARY, Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.app.context import Context
    from bacclab.dashboard.app.frames import Scanned
    from bacclab.dashboard.language import Language

__all__ = ["Compared", "compared"]

#: Rows of the table at most.
ROWS = 200


@dataclass(frozen=True, slots=True)
class Compared:
    """The table of a comparison, a note, and a chart where there is one."""

    table: Any
    note: str
    drawn: Drawn | None = None


def compared(context: Context, runs: Sequence[str], *, scheme: str) -> Compared:
    """The runs side by side; the note says what they do not have in common."""
    if not runs:
        return Compared(None, context.say("app.choose"))
    looks = [(context.folder.find(run).name, context.runs.open(run)) for run in runs]
    rows = _rows(looks)
    drawn = dressed(side_by_side.sketch(_named(rows), say=context.say).values(), scheme=scheme, say=context.say)
    return Compared(_table(rows, context.say), context.say(_note([look for _, look in looks])), drawn)


@dataclass(frozen=True, slots=True)
class _Row:
    """One bettor in one cell of one run; `place` is that of the run in the comparison."""

    place: int
    title: str
    look: Scanned
    summary: dict[str, Any]

    @property
    def label(self) -> str:
        """The cell, where the run has several."""
        return self.look.cells[self.summary["cell"]]


def _rows(looks: Sequence[tuple[str, Scanned]]) -> list[_Row]:
    """The rows of all runs, those of one bettor under each other, in the order of the first run that has it."""
    order: dict[str, int] = {}
    for _, look in looks:
        for name in look.positions:
            order.setdefault(name, len(order))
    rows = [
        _Row(place, title, look, row)
        for place, (title, look) in enumerate(looks)
        for row in look.run.summary.iter_rows(named=True)
    ]
    return sorted(rows, key=lambda row: (order[row.summary["bettor"]], row.place, row.summary["cell"]))


def _named(rows: Sequence[_Row]) -> list[Row]:
    several = len({row.place for row in rows}) > 1
    found = []
    for row in rows:
        of = ", ".join(part for part in ((row.look.run.path.name if several else ""), row.label) if part)
        found.append(
            Row(f"{row.summary['bettor']} ({of})" if of else str(row.summary["bettor"]), row.place, row.summary)
        )
    return found


def _note(looks: Sequence[Scanned]) -> str:
    """Whether the runs saw the same rounds: the key of the words."""
    if len(looks) < 2:
        return "app.one_more"
    digests = {look.run.manifest.get("digest") for look in looks}
    if len(digests) == 1 and None not in digests:
        return "app.same_rounds"
    return "app.other_rounds"


def _table(rows: Sequence[_Row], say: Language) -> html.Table:
    columns = [column for column in SUMMARY if column.main]
    kinds = [column.kind_for([row.summary for row in rows]) for column in columns]
    body = []
    for row in rows[:ROWS]:
        found = row.summary
        link = State(view="run", run=row.look.run.path.name, tab="one", cell=found["cell"], bettor=found["bettor"])
        name = dcc.Link(found["bettor"], href=f"{path_of('run')}{address(link)}")
        cells = [
            html.Td(say.written(column.figure(found), kind), className="t" if column.kind == "text" else "")
            for column, kind in zip(columns, kinds, strict=True)
        ]
        where = html.Td([row.title, html.Br(), html.Small(row.label)] if row.label else row.title, className="t")
        body.append(html.Tr([html.Th(name, scope="row"), where, *cells]))
    heads = [html.Th(say(word), scope="col", className="t") for word in ("rules.bettor", "compare.run")]
    heads += [_head(column, say) for column in columns]
    return html.Table([html.Thead(html.Tr(heads)), html.Tbody(body)])


def _head(column: Column, say: Language) -> html.Th:
    side = "t" if column.kind == "text" else ""
    return html.Th(say.heading(column), scope="col", title=say.meaning(column), className=side)
