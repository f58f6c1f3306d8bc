"""Rounds from rows of cells, whose columns are known: of a table of text, or of JSON objects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bacclab.shoes.recorded.card_cells import hands_of
from bacclab.shoes.recorded.cells import (
    NOTHING,
    TRUTH,
    Sheet,
    cannot,
    is_nothing,
    label,
    pairs,
    read_column,
    total,
    truth,
    whole,
)
from bacclab.shoes.recorded.draft import BANKER, PLAYER, Draft, Drafts
from bacclab.shoes.recorded.marks import vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from bacclab.shoes.recorded.draft import Reading

__all__ = ["rounds_of"]


def rounds_of(sheet: Sheet, reading: Reading, form: str) -> Drafts:
    """The rounds of a sheet. Raises SourceError with line and column for what cannot be read."""
    taken: dict[str, Any] = {}
    notes: list[str] = []
    none = [None] * len(sheet.rows)

    def column(fact: str, read: Callable[[str], Any]) -> list[Any]:
        return read_column(sheet, fact, read) if fact in sheet.facts else none

    marks, language = _winners(sheet, reading, notes)
    player_pair, banker_pair = column("player_pair", truth), column("banker_pair", truth)
    if "pair" in sheet.facts:
        both = read_column(sheet, "pair", pairs)
        player_pair = [None if one is None else one[0] for one in both]
        banker_pair = [None if one is None else one[1] for one in both]
    hands, problems = hands_of(sheet, reading, taken, notes)
    if "stored_winner" in sheet.facts:
        problems = _two_winners(sheet, reading, marks, problems)
    winners = [None if mark is None else mark.winner for mark in marks]
    natural = _naturals(sheet, winners)
    columns = {
        "winner": winners,
        "player_total": column("player_total", total),
        "banker_total": column("banker_total", total),
        "winning_total": _or_marked(column("winning_total", total), marks, "winning_total"),
        "natural": natural,
        "player_pair": _or_marked(player_pair, marks, "player_pair"),
        "banker_pair": _or_marked(banker_pair, marks, "banker_pair"),
        "cards": hands,
        "shoe": column("shoe", label),
        "table": column("table", label),
        "number": column("number", whole),
        "time": _times(sheet),
        "problem": problems,
    }
    rounds = []
    blank = []
    for (line, row), *values in zip(sheet.rows, *columns.values(), strict=True):
        if all(is_nothing(cell) for cell in row):
            blank.append(line)
        else:
            rounds.append(Draft(line, **dict(zip(columns, values, strict=True))))
    taken = {"columns": ", ".join(f"{sheet.title[fact]} = {fact}" for fact in sheet.facts), **taken}
    return Drafts(rounds, form, language, taken, notes, blank)


def _or_marked(stated: list[Any], marks: list[Any], fact: str) -> list[Any]:
    """What a column states of each round; where it says nothing, what the mark of the winner says."""
    return [
        getattr(mark, fact) if one is None and mark is not None else one
        for one, mark in zip(stated, marks, strict=True)
    ]


def _times(sheet: Sheet) -> list[str | None]:
    """The time of every row, with its date where that has a column of its own."""
    days, times = (
        read_column(sheet, fact, label) if fact in sheet.facts else [None] * len(sheet.rows)
        for fact in ("date", "time")
    )
    return [" ".join(part for part in (day, time) if part) or None for day, time in zip(days, times, strict=True)]


def _two_winners(
    sheet: Sheet, reading: Reading, marks: list[Any], problems: list[tuple[str, str] | None]
) -> list[tuple[str, str] | None]:
    """The problems of rows, with those in which two columns name two winners."""
    others, _ = _winners(sheet, reading, [], fact="stored_winner")
    names = ("Player", "Banker", "Tie")
    found = list(problems)
    for row, (mark, other) in enumerate(zip(marks, others, strict=True)):
        if mark is not None and other is not None and mark.winner != other.winner and found[row] is None:
            columns = sheet.title["winner"], sheet.title["stored_winner"]
            found[row] = (
                "winner",
                f"{names[mark.winner]} in column {columns[0]!r}, {names[other.winner]} in column {columns[1]!r}",
            )
    return found


def _winners(sheet: Sheet, reading: Reading, notes: list[str], *, fact: str = "winner") -> tuple[list[Any], str]:
    """The mark of every row, None where the cell is empty; and the language."""
    if fact not in sheet.facts:
        return [None] * len(sheet.rows), ""
    cells = [None if is_nothing(cell) else str(cell).strip() for cell in sheet.column(fact)]
    tokens: dict[str, int] = {}
    for (line, _), cell in zip(sheet.rows, cells, strict=True):
        if cell is not None and cell not in tokens and cell.lower() not in NOTHING:
            tokens[cell] = line
    if not tokens:
        return [None] * len(cells), ""
    known = vocabulary(tokens, reading)
    notes.extend(known.notes)
    return [None if cell is None else known.marks.get(cell) for cell in cells], known.language or known.form


def _naturals(sheet: Sheet, winners: list[int | None]) -> list[bool | None]:
    """Whether the winner won with a natural; a tie says nothing."""
    sides = [
        read_column(sheet, fact, truth) if fact in sheet.facts else None
        for fact in ("player_natural", "banker_natural")
    ]
    if sides[0] is not None and sides[1] is not None:
        return [None if w not in (PLAYER, BANKER) else sides[w][row] for row, w in enumerate(winners)]  # type: ignore[index]
    if "natural" not in sheet.facts:
        return [None] * len(winners)
    found: list[bool | None] = []
    for (line, _), cell, winner in zip(sheet.rows, sheet.column("natural"), winners, strict=True):
        text = str(cell).strip().lower() if cell is not None else ""
        side = re.fullmatch(r"(player|banker)[ _]?[89]?", text)
        if side is not None:
            found.append(None if winner not in (PLAYER, BANKER) else ("player", "banker")[winner] == side[1])
        elif text in TRUTH or text == "none":
            found.append(TRUTH.get(text, False))
        elif text == "":
            found.append(None)
        else:
            raise cannot(sheet, "natural", line, str(cell), "no natural (none, player8, banker9, true, false)")
    return found
