"""Tables of the app: rows chosen, sorted and cut to a screenful here, so that a browser never gets thousands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dash import dcc, html

from bacclab.dashboard.app.parts import aria
from bacclab.dashboard.app.state import State, address, path_of
from bacclab.dashboard.columns import COMPARISON, Column, summary_columns
from bacclab.dashboard.language import ENGLISH, Language, language
from bacclab.dashboard.words.verdicts import told
from bacclab.dashboard.written import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bacclab.dashboard.app.folder import Entry
    from bacclab.dashboard.app.frames import Scanned

__all__ = ["ROWS", "Sort", "comparison_table", "rounds_table", "runs_table", "summary_table"]

#: Rows shown at first.
ROWS = 100


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


#: Columns of the list of runs: the key, the words of heading and meaning, and the class.
RUN_COLUMNS = (
    ("title", "app.title", "", "t"),
    ("id", "app.folder", "", "t"),
    ("state", "app.state", "", "t"),
    ("begun", "app.begun", "", "t"),
    ("bettors", "app.bettors", "", ""),
    ("sessions", "heading.sessions", "app.all_sessions", ""),
    ("rounds", "heading.rounds", "app.session_rounds", ""),
)
STATES = ("complete", "running", "interrupted", "unreadable")


def _of_run(entry: Entry, key: str) -> Any:
    if key == "title":
        return entry.name
    if key == "bettors":
        return len(entry.bettors)
    return getattr(entry, key) or None


def runs_table(
    entries: Sequence[Entry], *, search: str, state: str, sort: Sort, say: Language | None = None
) -> tuple[html.Table, str]:
    """The list of runs and a line that says how many there are; every word of `search` must occur in a run."""
    say = say or language(ENGLISH)
    words = search.casefold().split()
    found = [entry for entry in entries if _matches(entry, words) and state in ("", entry.state)]
    shown = _ordered(found, sort if sort.key else Sort("begun", True), _of_run)
    body = []
    for entry in shown[:ROWS]:
        link = f"{path_of('run')}{address(State(view='run', run=entry.id))}"
        cells = [
            html.Th(dcc.Link(entry.name, href=link), scope="row"),
            html.Td(entry.id, className="t"),
            html.Td(
                html.Span(
                    say(f"app.{entry.state}") if entry.state in STATES else entry.state, className=f"chip {entry.state}"
                ),
                className="t",
            ),
            html.Td(entry.begun[:16].replace("T", " "), className="t"),
            html.Td(say.count(len(entry.bettors))),
            html.Td(say.written(entry.sessions, "count")),
            html.Td(say.written(entry.rounds, "count")),
        ]
        body.append(html.Tr(cells))
    heads = [(key, say(word), say(meaning) if meaning else "", kind) for key, word, meaning, kind in RUN_COLUMNS]
    table = html.Table([_head("runs", sort, heads), html.Tbody(body)], className="sortable")
    return table, _counted(say, "app.runs", len(shown), len(entries))


def _matches(entry: Entry, words: Sequence[str]) -> bool:
    text = " ".join((entry.title, entry.id, entry.state, entry.begun, *entry.bettors)).casefold()
    return all(word in text for word in words)


def _counted(say: Language, what: str, found: int, all_of_them: int) -> str:
    """How many there are; `what` begins the keys of the words for all and for some of them."""
    some = say.some(f"{what}_of", all_of_them, found=say.count(found)) if found != all_of_them else ""
    return _first(say, some or say.some(f"{what}_n", found), found)


def _first(say: Language, text: str, found: int) -> str:
    return say("app.first_shown", text=text, n=say.count(ROWS)) if found > ROWS else text


def summary_table(look: Scanned, state: State, *, search: str, sort: Sort, wide: bool) -> tuple[html.Table, str]:
    """One row a bettor of the cell; the name leads to its charts."""
    say = look.language
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
    for row, cells in zip(shown, _cells(columns, shown, say), strict=True):
        link = State(view="run", run=look.run.path.name, tab="one", cell=state.cell, bettor=row["bettor"])
        name = html.Th(dcc.Link(row["bettor"], href=f"{path_of('run')}{address(link)}"), scope="row")
        body.append(html.Tr([name, *cells]))
    heads = [("bettor", say("rules.bettor"), "", "t"), *(_heading(column, say) for column in columns)]
    table = html.Table([_head("summary", sort, heads), html.Tbody(body)], className="sortable")
    return table, _counted(say, "app.bettors", len(found), len(rows))


def _kind(column: Column) -> str:
    return "t" if column.kind == "text" else ""


def _cells(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]], say: Language) -> list[list[html.Td]]:
    kinds = [column.kind_for(rows) for column in columns]
    return [
        [
            html.Td(say.written(column.figure(row), kind), className=_kind(column))
            for column, kind in zip(columns, kinds, strict=True)
        ]
        for row in rows
    ]


def comparison_table(look: Scanned, state: State, *, sort: Sort) -> tuple[html.Table, str]:
    """The pairs of bettors of the cell that the chosen one is in, the surest first."""
    say, part_bettor = look.language, state.bettor or look.bettors(state.cell)[0]
    rows = [told(row, say, better=_better(row)) for row in look.pairs(look.slice(cell=state.cell, bettor=part_bettor))]
    rows.sort(key=lambda row: (row["p_adjusted"] is None, row["p_adjusted"] or 0.0, row["p_value"] or 0.0))
    columns = [column for column in COMPARISON if any(column.figure(row) is not None for row in rows)]
    known = {column.key: column for column in columns}

    def value(row: Mapping[str, Any], key: str) -> Any:
        return known[key].figure(row) if key in known else row["bettor_a"] if key == "pair" else None

    shown = _ordered(rows, sort, value)[:ROWS]
    body = []
    for row, cells in zip(shown, _cells(columns, shown, say), strict=True):
        pair = [row["bettor_a"], html.Br(), html.Small(say("page.against", bettor=row["bettor_b"]))]
        body.append(html.Tr([html.Th(pair, scope="row"), *cells]))
    heads = [
        ("pair", say("page.pair"), say("app.first_minus_second"), "t"),
        *(_heading(column, say) for column in columns),
    ]
    table = html.Table([_head("comparison", sort, heads), html.Tbody(body)], className="sortable")
    return table, _first(say, say.some("app.pairs_n", len(rows)), len(rows))


ROUND_COLUMNS: tuple[tuple[str, str, Kind], ...] = (
    ("round", "axis.round", "count"),
    ("shoe", "rules.shoe", "count"),
    ("outcome", "app.outcome", "text"),
    ("bets", "heading.bets", "text"),
    ("staked", "heading.staked", "money"),
    ("net", "heading.net", "money"),
    ("bankroll", "rules.bankroll", "money"),
)


def rounds_table(
    look: Scanned, state: State, *, first: float = 0.0, last: float = float("inf")
) -> tuple[html.Table, str]:
    """The rounds of the chosen session between `first` and `last`: what came, what was laid, what was left."""
    say, bettor = look.language, state.bettor or look.bettors(state.cell)[0]
    paths = look.slice(cell=state.cell, bettor=bettor).paths
    if not paths.height:
        return html.Table(), say("app.not_kept")
    number = state.session if state.session is not None else paths["session"].min()
    import polars as pl

    rows = paths.filter((pl.col("session") == number) & pl.col("round").is_between(first, last)).sort("round")
    columns = [column for column in ROUND_COLUMNS if column[0] in rows.columns]
    body = [
        html.Tr(
            [html.Td(say.written(row[key], kind), className="t" if kind == "text" else "") for key, _, kind in columns]
        )
        for row in rows.head(ROWS).iter_rows(named=True)
    ]
    heads = [html.Th(say(word), scope="col", className="t" if kind == "text" else "") for _, word, kind in columns]
    table = html.Table([html.Thead(html.Tr(heads)), html.Tbody(body)], className="rounds")
    return table, _first(say, say.some("sentence.rounds", rows.height), rows.height)


def _better(row: Mapping[str, Any]) -> str:
    return str(row["bettor_a"] if (row["mean_difference"] or 0) > 0 else row["bettor_b"])


def _heading(column: Column, say: Language) -> tuple[str, str, str, str]:
    return column.key, say.heading(column), say.meaning(column), _kind(column)
