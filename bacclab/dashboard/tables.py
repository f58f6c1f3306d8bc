"""Tables of the page as HTML: every text from a run is escaped here."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.columns import COMPARISON, SUMMARY, Column, Kind, summary_columns, written
from bacclab.dashboard.words import ALARM, setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bacclab.dashboard.lookup import Lookup

__all__ = ["comparison_table", "facts", "meanings", "played_table", "summary_table"]

#: Pairs shown at most; with two hundred bettors there are twenty thousand.
PAIRS = 300

#: Heading of the column that says to which cell of a sweep a row belongs; shown while all of them are.
CELL = "Setting"
CELL_CLASS = ' class="t cell"'

PLAYED_BY = {
    "table": "walked once into a table of states, played compiled",
    "lanes": "vectorised, all sessions at once",
    "plain": "plain Python, one object a session",
    "exact": "solved exactly",
}


def _heads(first: Sequence[str], columns: Sequence[Column]) -> str:
    """A row of headings; each is a button that sorts."""
    cells = [
        f'<th scope="col" aria-sort="none"{CELL_CLASS if name == CELL else ""}>'
        f'<button type="button">{escape(name)}</button></th>'
        for name in first
    ]
    cells += [
        f'<th scope="col" aria-sort="none" class="{_classes(column)}" title="{escape(column.meaning)}">'
        f'<button type="button">{_whole(column.heading)}</button></th>'
        for column in columns
    ]
    return f"<thead><tr>{''.join(cells)}</tr></thead>"


def _whole(heading: str) -> str:
    """A heading that never breaks between a number and its per cent.

    >>> _whole("Best 5 %")
    'Best 5&nbsp;%'
    """
    return escape(heading).replace(" %", "&nbsp;%")


def _classes(column: Column) -> str:
    return " ".join(filter(None, ["t" if column.kind == "text" else "", "" if column.main else "more"]))


def _cell(column: Column, row: Mapping[str, Any], kind: Kind) -> str:
    value = column.figure(row)
    alarm = column.kind == "z" and value is not None and abs(value) > ALARM
    names = " ".join(filter(None, [_classes(column), "alarm" if alarm else ""]))
    inside = escape(written(value, kind))
    return f'<td class="{names}">{inside}</td>' if names else f"<td>{inside}</td>"


def _used(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> list[Column]:
    return [column for column in columns if any(column.figure(row) is not None for row in rows)]


def _cells(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The cells of each row, every column written alike from top to bottom."""
    kinds = [column.kind_for(rows) for column in columns]
    return ["".join(_cell(column, row, kind) for column, kind in zip(columns, kinds, strict=True)) for row in rows]


def summary_table(look: Lookup) -> str:
    """One row per cell and bettor, in the order of the experiment; the bettor's name chooses its charts."""
    rows = sorted(look.run.summary.iter_rows(named=True), key=lambda row: (row["cell"], look.positions[row["bettor"]]))
    columns, several = _used(summary_columns(look.run.manifest), rows), len(look.cells) > 1
    body = []
    for row, cells in zip(rows, _cells(columns, rows), strict=True):
        cell, name = int(row["cell"]), str(row["bettor"])
        label = f'<td class="t cell">{escape(look.cells[cell])}</td>' if several else ""
        body.append(
            f'<tr data-cell="{cell}"><th scope="row"><a href="#bettor" data-bettor="{look.positions[name]}">'
            f"{escape(name)}</a></th>{label}{cells}</tr>"
        )
    body += _failed(look, columns, several=several)
    heads = _heads(["Bettor", CELL] if several else ["Bettor"], columns)
    return f'<table id="summary-table" class="sortable">{heads}<tbody>{"".join(body)}</tbody></table>'


def _failed(look: Lookup, columns: Sequence[Column], *, several: bool) -> list[str]:
    """A row for each bettor that failed: its reason, and no figures."""
    rows = []
    for (cell, name), reason in sorted(look.failed.items()):
        label = f'<td class="t cell">{escape(look.cells[cell])}</td>' if several else ""
        cells = "".join(f'<td class="{_classes(column)}">–</td>' for column in columns)
        rows.append(
            f'<tr data-cell="{cell}"><th scope="row">{escape(name)}<br><small>failed: {escape(reason)}</small></th>'
            f"{label}{cells}</tr>"
        )
    return rows


def meanings(columns: Sequence[Column] = SUMMARY) -> str:
    """What each column means, as a list of definitions."""
    return "".join(f"<dt>{escape(column.heading)}</dt><dd>{escape(column.meaning)}</dd>" for column in columns)


def comparison_table(look: Lookup) -> tuple[str, str]:
    """Pairs of bettors (the better first) with their verdicts, surest first; and a line that says how many are left out."""
    frame = look.run.comparisons
    if not frame.height:
        return "", ""
    shown = frame.sort("p_adjusted", "p_value", nulls_last=True).head(PAIRS)
    rows = [_better_first(row) for row in shown.iter_rows(named=True)]
    columns, several = _used(COMPARISON, rows), len(look.cells) > 1
    body = []
    for row, cells in zip(rows, _cells(columns, rows), strict=True):
        label = f'<td class="t cell">{escape(look.cells[int(row["cell"])])}</td>' if several else ""
        body.append(
            f'<tr data-cell="{int(row["cell"])}"><th scope="row">{escape(str(row["bettor_a"]))}<br>'
            f"<small>against {escape(str(row['bettor_b']))}</small></th>{label}"
            f"{cells}</tr>"
        )
    heads = _heads(["Pair", CELL] if several else ["Pair"], columns)
    note = f"{len(rows):,} of {frame.height:,} pairs, the smallest p first." if frame.height > len(rows) else ""
    return f'<table id="comparison-table" class="sortable">{heads}<tbody>{"".join(body)}</tbody></table>', note


def _better_first(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A pair with the bettor first that ended with more, so that no difference shown is under zero.

    >>> _better_first({"bettor_a": "A", "bettor_b": "B", "mean_difference": -2.0, "ci_low": -3.0, "ci_high": -1.0})
    {'bettor_a': 'B', 'bettor_b': 'A', 'mean_difference': 2.0, 'ci_low': 1.0, 'ci_high': 3.0}
    """
    if (row["mean_difference"] or 0) >= 0:
        return row
    low, high = (None if row[key] is None else -row[key] for key in ("ci_high", "ci_low"))
    names = {"bettor_a": row["bettor_b"], "bettor_b": row["bettor_a"]}
    turned = ("mean_difference", "difference_per_100_rounds", "skewness")
    signed = {key: -row[key] for key in turned if row.get(key) is not None}
    return {**row, **names, **signed, "ci_low": low, "ci_high": high}


def played_table(look: Lookup, config: Mapping[str, Any]) -> str:
    """How each bettor was set up and played, and what was refused."""
    listed = {str(row.get("name")): row for row in config.get("bettor", ()) if hasattr(row, "get")}
    rows = list(look.run.summary.iter_rows(named=True))
    body = []
    for name in look.positions:
        own = [row for row in rows if row["bettor"] == name]
        ways = sorted({str(row["played_by"]) for row in own if row.get("played_by")})
        settings = listed.get(name, {})
        refused = sum(row["refusals"] or 0 for row in own)
        body.append(
            f'<tr><th scope="row">{escape(name)}</th><td class="t">{escape(setting(settings) or "–")}</td>'
            f'<td class="t">{escape(str(settings.get("when_refused", "–")))}</td>'
            f'<td>{written(refused, "count")}</td><td class="t">{escape("; ".join(PLAYED_BY.get(way, way) for way in ways) or "–")}</td></tr>'
        )
    heads = "".join(
        f'<th scope="col" class="{kind}">{name}</th>'
        for name, kind in (
            ("Bettor", ""),
            ("Settings", "t"),
            ("When refused", "t"),
            ("Refusals", ""),
            ("Played", "t"),
        )
    )
    return f'<table id="played-table"><thead><tr>{heads}</tr></thead><tbody>{"".join(body)}</tbody></table>'


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Labelled facts as a list of definitions."""
    return "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in pairs if value)
