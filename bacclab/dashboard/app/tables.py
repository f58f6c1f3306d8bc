"""Tables of the app: rows chosen, sorted and cut to a screenful here, so that a browser never gets thousands of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dash import dcc, html

from bacclab.dashboard.app.parts import aria
from bacclab.dashboard.app.state import State, address, path_of
from bacclab.dashboard.columns import COMPARISON, Column, summary_columns
from bacclab.dashboard.language import ENGLISH, language
from bacclab.dashboard.written import Kind, written

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bacclab.dashboard.app.folder import Entry
    from bacclab.dashboard.app.frames import Scanned

__all__ = ["ROWS", "Sort", "comparison_table", "rounds_table", "runs_table", "summary_table"]

#: Rows shown at first.
ROWS = 100

STATES = {"complete": "complete", "running": "running", "interrupted": "interrupted", "unreadable": "cannot be read"}


@dataclass(frozen=True, slots=True)
class Sort:
    """By which column a table is sorted, and which way; an empty key is the order of the experiment."""

    key: str = ""
    falling: bool = False

    def turned(self, key: str) -> Sort:
        """What a click on a heading makes of it: first falling, then rising.

        >>> Sort().turned("z"), Sort().turned("z").turned("z")
        (Sort(key='z', falling=True), Sort(key='z', falling=False))
        """
        return Sort(key, not self.falling) if key == self.key else Sort(key, True)


def _ordered(rows: Sequence[Any], sort: Sort, value: Callable[[Any, str], Any]) -> list[Any]:
    """The rows sorted; those without a value come last either way."""
    if not sort.key:
        return list(rows)
    there = [row for row in rows if value(row, sort.key) is not None]
    gone = [row for row in rows if value(row, sort.key) is None]
    return [*sorted(there, key=lambda row: _comparable(value(row, sort.key)), reverse=sort.falling), *gone]


def _comparable(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _head(table: str, sort: Sort, columns: Sequence[tuple[str, str, str, str]]) -> html.Thead:
    """A row of headings, each a button that sorts; columns are (key, heading, meaning, class)."""
    cells = []
    for key, heading, meaning, kind in columns:
        way = ("descending" if sort.falling else "ascending") if key == sort.key else "none"
        button = html.Button(heading, id={"sort": table, "key": key}, type="button", n_clicks=0)
        cells.append(html.Th(button, scope="col", title=meaning, className=kind, **aria(sort=way)))
    return html.Thead(html.Tr(cells))


RUN_COLUMNS = (
    ("title", "Title", "", "t"),
    ("id", "Folder", "", "t"),
    ("state", "State", "", "t"),
    ("begun", "Begun (UTC)", "", "t"),
    ("bettors", "Bettors", "", ""),
    ("sessions", "Sessions", "Sessions in all settings together", ""),
    ("rounds", "Rounds", "Rounds of a session", ""),
)


def _of_run(entry: Entry, key: str) -> Any:
    if key == "title":
        return entry.name
    if key == "bettors":
        return len(entry.bettors)
    return getattr(entry, key) or None


def runs_table(entries: Sequence[Entry], *, search: str, state: str, sort: Sort) -> tuple[html.Table, str]:
    """The list of runs and a line that says how many there are; every word of `search` must occur somewhere in a run."""
    words = search.casefold().split()
    found = [entry for entry in entries if _matches(entry, words) and state in ("", entry.state)]
    shown = _ordered(found, sort if sort.key else Sort("begun", True), _of_run)
    body = []
    for entry in shown[:ROWS]:
        link = f"{path_of('run')}{address(State(view='run', run=entry.id))}"
        cells = [
            html.Th(dcc.Link(entry.name, href=link), scope="row"),
            html.Td(entry.id, className="t"),
            html.Td(html.Span(STATES.get(entry.state, entry.state), className=f"chip {entry.state}"), className="t"),
            html.Td(entry.begun[:16].replace("T", " "), className="t"),
            html.Td(f"{len(entry.bettors):,}"),
            html.Td(written(entry.sessions, "count")),
            html.Td(written(entry.rounds, "count")),
        ]
        body.append(html.Tr(cells))
    table = html.Table([_head("runs", sort, RUN_COLUMNS), html.Tbody(body)], className="sortable")
    return table, _counted(len(shown), len(entries), "run")


def _matches(entry: Entry, words: Sequence[str]) -> bool:
    text = " ".join((entry.title, entry.id, entry.state, entry.begun, *entry.bettors)).casefold()
    return all(word in text for word in words)


def _counted(found: int, all_of_them: int, what: str) -> str:
    some = f"{found:,} of {all_of_them:,} {what}s" if found != all_of_them else f"{found:,} {what}s"
    some = some.removesuffix("s") if all_of_them == 1 else some
    return f"{some}; the first {ROWS} are shown" if found > ROWS else some


def summary_table(look: Scanned, state: State, *, search: str, sort: Sort, wide: bool) -> tuple[html.Table, str]:
    """One row a bettor of the cell; the name leads to its charts."""
    rows = [row for row in look.run.summary.iter_rows(named=True) if row["cell"] == state.cell]
    rows.sort(key=lambda row: look.positions[row["bettor"]])
    words = search.casefold().split()
    found = [row for row in rows if all(word in row["bettor"].casefold() for word in words)]
    columns = [column for column in summary_columns(look.run.manifest) if wide or column.main]
    columns = [column for column in columns if any(column.figure(row) is not None for row in rows)]
    known = {column.key: column for column in columns}

    def value(row: Mapping[str, Any], key: str) -> Any:
        return row["bettor"] if key == "bettor" else known[key].figure(row) if key in known else None

    shown = _ordered(found, sort, value)[:ROWS]
    body = []
    for row, cells in zip(shown, _cells(columns, shown), strict=True):
        link = State(view="run", run=look.run.path.name, tab="one", cell=state.cell, bettor=row["bettor"])
        name = html.Th(dcc.Link(row["bettor"], href=f"{path_of('run')}{address(link)}"), scope="row")
        body.append(html.Tr([name, *cells]))
    heads = [("bettor", "Bettor", "", "t"), *map(_heading, columns)]
    table = html.Table([_head("summary", sort, heads), html.Tbody(body)], className="sortable")
    return table, _counted(len(found), len(rows), "bettor")


def _kind(column: Column) -> str:
    return "t" if column.kind == "text" else ""


def _cells(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> list[list[html.Td]]:
    kinds = [column.kind_for(rows) for column in columns]
    return [
        [
            html.Td(written(column.figure(row), kind), className=_kind(column))
            for column, kind in zip(columns, kinds, strict=True)
        ]
        for row in rows
    ]


def comparison_table(look: Scanned, state: State, *, sort: Sort) -> tuple[html.Table, str]:
    """The pairs of bettors of the cell that the chosen one is in, the surest first."""
    part_bettor = state.bettor or look.bettors(state.cell)[0]
    rows = look.pairs(look.slice(cell=state.cell, bettor=part_bettor))
    rows.sort(key=lambda row: (row["p_adjusted"] is None, row["p_adjusted"] or 0.0, row["p_value"] or 0.0))
    columns = [column for column in COMPARISON if any(column.figure(row) is not None for row in rows)]
    known = {column.key: column for column in columns}

    def value(row: Mapping[str, Any], key: str) -> Any:
        return known[key].figure(row) if key in known else row["bettor_a"] if key == "pair" else None

    shown = _ordered(rows, sort, value)[:ROWS]
    body = []
    for row, cells in zip(shown, _cells(columns, shown), strict=True):
        pair = [row["bettor_a"], html.Br(), html.Small(f"against {row['bettor_b']}")]
        body.append(html.Tr([html.Th(pair, scope="row"), *cells]))
    heads = [("pair", "Pair", "First minus second", "t"), *map(_heading, columns)]
    table = html.Table([_head("comparison", sort, heads), html.Tbody(body)], className="sortable")
    return table, _counted(len(rows), len(rows), "pair")


ROUND_COLUMNS: tuple[tuple[str, str, Kind], ...] = (
    ("round", "Round", "count"),
    ("shoe", "Shoe", "count"),
    ("outcome", "Outcome", "text"),
    ("bets", "Bets", "text"),
    ("staked", "Staked", "money"),
    ("net", "Net", "money"),
    ("bankroll", "Bankroll", "money"),
)


def rounds_table(
    look: Scanned, state: State, *, first: float = 0.0, last: float = float("inf")
) -> tuple[html.Table, str]:
    """The rounds of the chosen session between `first` and `last`: what came, what was laid, what was left."""
    bettor = state.bettor or look.bettors(state.cell)[0]
    paths = look.slice(cell=state.cell, bettor=bettor).paths
    if not paths.height:
        return html.Table(), "No session of this bettor was kept round by round."
    number = state.session if state.session is not None else paths["session"].min()
    import polars as pl

    rows = paths.filter((pl.col("session") == number) & pl.col("round").is_between(first, last)).sort("round")
    columns = [column for column in ROUND_COLUMNS if column[0] in rows.columns]
    body = [
        html.Tr([html.Td(written(row[key], kind), className="t" if kind == "text" else "") for key, _, kind in columns])
        for row in rows.head(ROWS).iter_rows(named=True)
    ]
    heads = [html.Th(title, scope="col", className="t" if kind == "text" else "") for _, title, kind in columns]
    table = html.Table([html.Thead(html.Tr(heads)), html.Tbody(body)], className="rounds")
    return table, _counted(rows.height, rows.height, "round")


def _heading(column: Column) -> tuple[str, str, str, str]:
    say = language(ENGLISH)
    return column.key, say.heading(column), say.meaning(column), _kind(column)
