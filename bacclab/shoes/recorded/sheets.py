"""Tables of text: a row a round, a row a shoe, or a column a shoe; with or without a header."""

from __future__ import annotations

import csv
from collections import Counter
from typing import TYPE_CHECKING, Final

from bacclab.errors import SourceError, did_you_mean, shorten
from bacclab.shoes.recorded.cells import Sheet
from bacclab.shoes.recorded.columns import (
    ALIASES,
    CARD_FIELDS,
    UNSPLIT_FIELDS,
    fact_of,
    plain,
    says_something,
    tells_better,
)
from bacclab.shoes.recorded.draft import Draft, Drafts
from bacclab.shoes.recorded.lines import are_marks, tokens_of
from bacclab.shoes.recorded.marks import run_together, vocabulary
from bacclab.shoes.recorded.rows import rounds_of
from bacclab.shoes.recorded.unclear import OTHER_WINNER, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.shoes.recorded.draft import Reading

__all__ = ["delimiter_of", "rounds_of_table"]

_DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "，": "Chinese commas",
                      "；": "Chinese semicolons",
                      "|": "bars"}  # fmt: skip
_LOOKED_AT: Final = 50
_MOST_FIELD: Final = 50_000_000
FACTS: Final = (*dict.fromkeys(ALIASES.values()), *CARD_FIELDS, *UNSPLIT_FIELDS)


def delimiter_of(lines: Sequence[str]) -> str:
    """The delimiter that all of some lines have, as often as the first; a comma if there is none.

    >>> delimiter_of(["shoe;winner", "1;B", "1;P"]), delimiter_of(["winner", "B"])
    (';', ',')
    """
    looked = [line for line in lines if line.strip()][:_LOOKED_AT]
    best = max(
        _DELIMITERS, key=lambda sign: (min((line.count(sign) for line in looked), default=0), looked[0].count(sign))
    )
    return best if looked and best in looked[0] else ","


def rounds_of_table(lines: Sequence[str], reading: Reading) -> Drafts:
    """The rounds of a table. Raises SourceError with line and column for what cannot be read."""
    sign = delimiter_of(lines)
    csv.field_size_limit(_MOST_FIELD)
    reader = csv.reader(lines, delimiter=sign, skipinitialspace=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        before = 0
        for row in reader:
            if not _is_rule(row):
                rows.append((before + 1, row))
            before = reader.line_num
    except csv.Error as error:
        raise SourceError(f"line {reader.line_num}: {error}") from None
    start = next((place for place, (_, row) in enumerate(rows) if any(cell.strip() for cell in row)), len(rows))
    if start == len(rows):
        raise SourceError("there is no round in the file")
    line, names = rows[start]
    if reading.columns:
        names, body = list(reading.columns), rows[start:]
        for name in names:
            if fact_of(name) is None and name not in ("", "-"):
                raise SourceError(f"--columns: {name!r} is no column", hint=did_you_mean(name, FACTS))
    else:
        body = rows[start + 1 :]
    facts, title = _facts(names, reading)
    if not says_something(facts):
        drafts = _sequences(line, names, body, rows[start:], reading)
    else:
        sheet = Sheet(facts, list(body), title)
        notes = settle(sheet)
        if "winner" in facts and _are_sequences(sheet):
            sheet.facts["marks"] = sheet.facts.pop("winner")
            sheet.title = {**sheet.title, "marks": sheet.title["winner"]}
        drafts = (
            _of_marks(sheet, reading)
            if "marks" in sheet.facts and "winner" not in sheet.facts
            else rounds_of(sheet, reading, "table")
        )
        drafts.notes = [*notes, *drafts.notes]
    drafts.taken = {"separators": _DELIMITERS[sign] if sign in lines[line - 1] else "none", **drafts.taken}
    return drafts


def _is_rule(row: Sequence[str]) -> bool:
    """Whether a row is the line under the header of a table in Markdown."""
    cells = [cell.strip() for cell in row if cell.strip()]
    return bool(cells) and all(len(cell) > 1 and set(cell) <= set("-:") for cell in cells)


def _facts(names: Sequence[str], reading: Reading) -> tuple[dict[str, int], dict[str, str]]:
    """The columns that say something, by fact: their place, and their name in the file."""
    facts: dict[str, int] = {}
    title: dict[str, str] = {}
    plain_names = [plain(name) for name in names]
    for wanted, told in ((reading.shoe_column, "shoe"), (reading.table_column, "table")):
        if wanted is not None:
            if plain(wanted) not in plain_names:
                raise SourceError(f"there is no column {wanted!r}", hint=did_you_mean(wanted, [n for n in names if n]))
            facts[told] = plain_names.index(plain(wanted))
    for place, name in enumerate(names):
        fact = _fact(name, plain_names)
        if fact is None or place in facts.values():
            continue
        if fact in facts:
            if tells_better(fact, name, names[facts[fact]]):
                facts[fact] = place
            if fact == "winner" and OTHER_WINNER not in facts:
                facts[OTHER_WINNER] = place
            if fact in ("shoe", "table", "number", "date", "time") or facts.get(OTHER_WINNER) == place:
                continue
            raise SourceError(
                f"two columns hold the {fact.replace('_', ' ')}: {names[facts[fact]]!r} and {name!r}",
                hint="leave one out, or name all columns with --columns",
            )
        facts[fact] = place
    for fact, place in facts.items():
        title[fact] = names[place].strip()
    return facts, title


def _fact(name: str, all_names: Sequence[str]) -> str | None:
    """The fact of a column; some short names mean something only beside others."""
    key = plain(name)
    if key in ("player", "banker") and not {"player", "banker"} <= set(all_names):
        return None
    if "w" in all_names and key in ("p", "b"):
        return {"p": "player_total", "b": "banker_total"}[key]
    return "number" if key == "rounds" else fact_of(name)


def _are_sequences(sheet: Sheet) -> bool:
    cells = [str(cell).strip() for cell in sheet.column("winner")[:_LOOKED_AT] if cell]
    return bool(cells) and sum(run_together(cell) or len(tokens_of(cell)) > 1 for cell in cells) * 2 > len(cells)


def _sequences(
    line: int,
    names: Sequence[str],
    body: Sequence[tuple[int, list[str]]],
    rows: Sequence[tuple[int, list[str]]],
    reading: Reading,
) -> Drafts:
    """Columns without a known name: one of them holds a shoe a row, or each holds a shoe of its own."""
    width = len(names)
    columns = [
        [(n, row[place].strip()) for n, row in body if place < len(row) and row[place].strip()]
        for place in range(width)
    ]
    marked = [
        place
        for place in range(width)
        if columns[place] and are_marks([cell for _, cell in columns[place]][:_LOOKED_AT])
    ]
    long = [place for place in marked if _many(columns[place])]
    single = [
        place for place in marked if place not in long and not all(cell.isdecimal() for _, cell in columns[place])
    ]
    if len(long) == 1 and single and reading.shoes_in != "columns":
        raise SourceError(
            (
                f"two columns hold results, {names[long[0]].strip()!r} several a row and {names[single[0]].strip()!r} "
                "one a row"
            ),
            hint="say which are the rounds: --columns with marks or winner for that column and - for the others",
        )
    if len(long) == 1 and reading.shoes_in != "columns":
        if are_marks([names[long[0]]]):  # there is no header: the first row is a shoe too
            place = long[0]
            return _of_marks(Sheet({"marks": place}, list(rows), {"marks": f"column {place + 1}"}), reading)
        sheet = Sheet({"marks": long[0], **_facts(names, reading)[0]}, list(body), {"marks": names[long[0]]})
        return _of_marks(sheet, reading)
    if marked and not long and len(marked) == sum(map(bool, columns)) and not are_marks(list(names)):
        return _by_column(names, columns, marked, reading)
    known = ", ".join(name for name in names if fact_of(name)) or "none"
    shown = shorten(" ".join(cell.strip() for cell in rows[0][1]), 80)
    raise SourceError(
        (
            f"line {line}: no column tells who won, or the totals or cards of both sides (known names in {shown!r}: "
            f"{known})"
        ),
        hint="name the columns in a header, or with --columns winner,player_total,banker_total and - for others",
    )


def _many(cells: Sequence[tuple[int, str]]) -> bool:
    return sum(len(tokens_of(cell)) > 1 for _, cell in cells[:_LOOKED_AT]) * 2 > min(len(cells), _LOOKED_AT)


def _of_marks(sheet: Sheet, reading: Reading) -> Drafts:
    """A column of text with one shoe a row."""
    cells = [
        (line, tokens_of(str(cell or ""), reading.format))
        for (line, _), cell in zip(sheet.rows, sheet.column("marks"), strict=True)
    ]
    tokens: dict[str, int] = {}
    for line, found in cells:
        for token in found:
            tokens.setdefault(token, line)
    if not tokens:
        raise SourceError(f"column {sheet.title['marks']!r} has no result")
    joined = any(run_together(str(cell).strip()) for cell in sheet.column("marks")[:_LOOKED_AT] if cell)
    known = vocabulary(tokens, reading, joined=joined)
    names = _labels(sheet, "shoe") or [str(line) for line, _ in cells]
    twice = {name for name, count in Counter(names).items() if count > 1}
    tables: Sequence[str | None] = _labels(sheet, "table") or [None] * len(cells)
    rounds: list[Draft] = []
    empty: list[int] = []
    blank: list[int] = []
    for (line, found), name, table, (_, row) in zip(cells, names, tables, sheet.rows, strict=True):
        if not found:
            (empty if any(str(cell).strip() for cell in row) else blank).append(line)
        shoe = (name, line) if name in twice else name
        rounds += [known.marks[token].draft(line, shoe=shoe, table=table) for token in found]
    taken = {"columns": f"{sheet.title['marks']} = the results of a shoe", "shoes": "one shoe a row"}
    return Drafts(rounds, known.form, known.language, taken, list(known.notes), blank, empty)


def _labels(sheet: Sheet, fact: str) -> list[str] | None:
    return [str(cell or "").strip() for cell in sheet.column(fact)] if fact in sheet.facts else None


def _by_column(
    names: Sequence[str], columns: Sequence[Sequence[tuple[int, str]]], marked: Sequence[int], reading: Reading
) -> Drafts:
    tokens: dict[str, int] = {}
    for place in marked:
        for line, cell in columns[place]:
            tokens.setdefault(cell, line)
    known = vocabulary(tokens, reading)
    rounds = []
    for place in marked:
        for line, cell in columns[place]:
            rounds.append(known.marks[cell].draft(line, shoe=names[place].strip() or f"column {place + 1}"))
    many = len(marked) > 1
    taken = {"shoes": "one shoe a column" if many else f"column {names[marked[0]].strip()!r} is one shoe"}
    return Drafts(rounds, known.form, known.language, taken, list(known.notes))
