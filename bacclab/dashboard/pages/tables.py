"""Tables of the page as HTML: every text from a run is escaped here."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.columns import COMPARISON, SUMMARY, Column, summary_columns
from bacclab.dashboard.words.answer import setting
from bacclab.dashboard.words.rows import alarming
from bacclab.dashboard.words.verdicts import told
from bacclab.dashboard.written import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.lookup import Lookup

__all__ = ["comparison_table", "facts", "meanings", "played_table", "summary_table"]

#: Pairs shown at most; with two hundred bettors there are twenty thousand.
PAIRS = 300
#: Rows of a page of a long table; the script of the page turns as many.
ROWS = 50

#: The column that says to which cell of a sweep a row belongs; shown while all of them are.
CELL_CLASS = ' class="t cell"'


def _heads(first: Sequence[str], columns: Sequence[Column], say: Language) -> str:
    """A row of headings; each is a button that sorts."""
    cells = [
        f'<th scope="col" aria-sort="none"{CELL_CLASS if place else ""}>'
        f'<button type="button">{escape(name)}</button></th>'
        for place, name in enumerate(first)
    ]
    cells += [
        f'<th scope="col" aria-sort="none" class="{_classes(column)}" title="{escape(say.meaning(column))}">'
        f'<button type="button">{_whole(say.heading(column))}</button></th>'
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


def _cell(column: Column, row: Mapping[str, Any], kind: Kind, say: Language) -> str:
    value = column.figure(row)
    alarm = column.kind == "z" and alarming(row)
    names = " ".join(filter(None, [_classes(column), "alarm" if alarm else ""]))
    inside = escape(say.written(value, kind))
    return f'<td class="{names}">{inside}</td>' if names else f"<td>{inside}</td>"


def _later(number: int) -> str:
    """The class of a row that is not on the first page of its table: a browser lays it out when it is turned to."""
    return ' class="off"' if number >= ROWS else ""


def _used(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]]) -> list[Column]:
    return [column for column in columns if any(column.figure(row) is not None for row in rows)]


def _cells(columns: Sequence[Column], rows: Sequence[Mapping[str, Any]], say: Language) -> list[str]:
    """The cells of each row, every column written alike from top to bottom."""
    kinds = [column.kind_for(rows) for column in columns]
    return ["".join(_cell(column, row, kind, say) for column, kind in zip(columns, kinds, strict=True)) for row in rows]


def summary_table(look: Lookup) -> str:
    """One row per cell and bettor, in the order of the experiment; the bettor's name chooses its charts."""
    say = look.language
    rows = sorted(look.run.summary.iter_rows(named=True), key=lambda row: (row["cell"], look.positions[row["bettor"]]))
    columns, several = _used(summary_columns(look.run.manifest), rows), len(look.cells) > 1
    body = []
    for number, (row, cells) in enumerate(zip(rows, _cells(columns, rows, say), strict=True)):
        cell, name = int(row["cell"]), str(row["bettor"])
        label = f'<td class="t cell">{escape(look.cells[cell])}</td>' if several else ""
        body.append(
            f'<tr data-cell="{cell}"{_later(number)}><th scope="row"><a href="#bettor" '
            f'data-bettor="{look.positions[name]}">'
            f"{escape(name)}</a></th>{label}{cells}</tr>"
        )
    body += _failed(look, columns, several=several)
    first = [say("rules.bettor"), say("page.setting")] if several else [say("rules.bettor")]
    heads = _heads(first, columns, say)
    return f'<table id="summary-table" class="sortable paged">{heads}<tbody>{"".join(body)}</tbody></table>'


def _failed(look: Lookup, columns: Sequence[Column], *, several: bool) -> list[str]:
    """A row for each bettor that failed: its reason, and no figures."""
    rows = []
    for (cell, name), reason in sorted(look.failed.items()):
        label = f'<td class="t cell">{escape(look.cells[cell])}</td>' if several else ""
        cells = "".join(f'<td class="{_classes(column)}">–</td>' for column in columns)
        told = escape(look.language("page.failed", reason=reason))
        rows.append(
            f'<tr data-cell="{cell}"><th scope="row">{escape(name)}<br><small>{told}</small></th>{label}{cells}</tr>'
        )
    return rows


def meanings(say: Language, columns: Sequence[Column] = SUMMARY) -> str:
    """What each column means, as a list of definitions."""
    return "".join(
        f"<dt>{escape(say.heading(column))}</dt><dd>{escape(say.meaning(column))}</dd>" for column in columns
    )


def comparison_table(look: Lookup) -> tuple[str, str]:
    """Pairs of bettors (the better first) with their verdicts, surest first; and how many are left out, in a line."""
    say, frame = look.language, look.run.comparisons
    if not frame.height:
        return "", ""
    shown = frame.sort("p_adjusted", "p_value", nulls_last=True).head(PAIRS)
    rows = [told(_better_first(row), say) for row in shown.iter_rows(named=True)]
    columns, several = _used(COMPARISON, rows), len(look.cells) > 1
    body = []
    for number, (row, cells) in enumerate(zip(rows, _cells(columns, rows, say), strict=True)):
        label = f'<td class="t cell">{escape(look.cells[int(row["cell"])])}</td>' if several else ""
        body.append(
            f'<tr data-cell="{int(row["cell"])}"{_later(number)}><th scope="row">{escape(str(row["bettor_a"]))}<br>'
            f"<small>{escape(say('page.against', bettor=row['bettor_b']))}</small></th>{label}"
            f"{cells}</tr>"
        )
    heads = _heads([say("page.pair"), say("page.setting")] if several else [say("page.pair")], columns, say)
    left = frame.height > len(rows)
    note = say("page.pairs_shown", n=say.count(len(rows)), all=say.count(frame.height)) if left else ""
    return f'<table id="comparison-table" class="sortable paged">{heads}<tbody>{"".join(body)}</tbody></table>', note


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
    say = look.language
    listed = {str(row.get("name")): row for row in config.get("bettor", ()) if hasattr(row, "get")}
    own: dict[str, list[Mapping[str, Any]]] = {name: [] for name in look.positions}
    for row in look.run.summary.iter_rows(named=True):
        own[str(row["bettor"])].append(row)
    body = []
    for number, (name, rows) in enumerate(own.items()):
        ways = sorted({str(row["played_by"]) for row in rows if row.get("played_by")})
        settings = listed.get(name, {})
        refused = sum(row["refusals"] or 0 for row in rows)
        told = "; ".join(say(f"rules.by_{way}") if f"rules.by_{way}" in say.texts else way for way in ways)
        body.append(
            f'<tr{_later(number)}><th scope="row">{escape(name)}</th>'
            f'<td class="t">{escape(setting(settings) or "–")}</td>'
            f'<td class="t">{escape(str(settings.get("when_refused", "–")))}</td>'
            f'<td>{say.written(refused, "count")}</td><td class="t">{escape(told or "–")}</td></tr>'
        )
    heads = "".join(
        f'<th scope="col" class="{kind}">{escape(say(f"rules.{key}"))}</th>'
        for key, kind in (("bettor", ""), ("settings", "t"), ("when_refused", "t"), ("refusals", ""), ("played", "t"))
    )
    return (
        f'<table id="played-table" class="paged"><thead><tr>{heads}</tr></thead><tbody>{"".join(body)}</tbody></table>'
    )


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """Labelled facts as a list of definitions."""
    return "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in pairs if value)
