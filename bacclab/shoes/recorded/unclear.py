"""Columns whose name leaves open what they hold: what stands in them tells."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any, Final

from bacclab.errors import SourceError
from bacclab.shoes.recorded.card_cells import cards_in_cell
from bacclab.shoes.recorded.cards import parse_card
from bacclab.shoes.recorded.cells import TRUTH, is_nothing
from bacclab.shoes.recorded.columns import CARD_FIELDS, UNSPLIT_FIELDS, plain
from bacclab.shoes.recorded.lines import are_marks

if TYPE_CHECKING:
    from bacclab.shoes.recorded.cells import Sheet

__all__ = ["OTHER_WINNER", "settle"]

OTHER_WINNER: Final = "other_winner"
"""The fact of a second column that is named like the winner."""
_LOOKED_AT: Final = 50
_CARDS: Final = {"player_cards", "banker_cards", "cards", "dealt", *CARD_FIELDS, *UNSPLIT_FIELDS}


def settle(sheet: Sheet) -> list[str]:
    """Give such columns of a sheet the fact that they hold, and tell what was left out.

    Raises SourceError where two columns hold the winner.
    """
    if "stored_winner" in sheet.facts and "winner" not in sheet.facts:
        _rename(sheet, "stored_winner", "winner")
    if "date" in sheet.facts and "time" not in sheet.facts:
        _rename(sheet, "date", "time")
    notes = [*_settle_three(sheet), *_settle_winners(sheet)]
    _settle_sides(sheet)
    _settle_numbers(sheet)
    return notes


def _rename(sheet: Sheet, fact: str, other: str) -> None:
    sheet.facts[other] = sheet.facts.pop(fact)
    sheet.title = {**sheet.title, other: sheet.title[fact]}


def _cells(sheet: Sheet, fact: str) -> list[str]:
    """The first cells of a column that are not empty."""
    there = (str(cell).strip() for cell in sheet.column(fact) if not is_nothing(cell))
    return list(itertools.islice(there, _LOOKED_AT))


def _settle_winners(sheet: Sheet) -> list[str]:
    """Of two columns named like the winner, the one that holds winners; the cards of a round where they stand there."""
    facts = sheet.facts
    if "winner" not in facts:
        return []
    notes = []
    if OTHER_WINNER in facts:
        names = [sheet.title[fact] for fact in ("winner", OTHER_WINNER)]
        first, second = (_hold_winners(_cells(sheet, fact)) for fact in ("winner", OTHER_WINNER))
        if first == second:
            raise SourceError(
                f"two columns hold the winner: {names[0]!r} and {names[1]!r}",
                hint="leave one out, or name all columns with --columns",
            )
        if second:
            places = facts[OTHER_WINNER], facts["winner"]
            facts["winner"], facts[OTHER_WINNER] = places
            sheet.title = {**sheet.title, "winner": names[1], OTHER_WINNER: names[0]}
        if _hold_cards(sheet, OTHER_WINNER):
            _rename(sheet, OTHER_WINNER, "cards")
        else:
            del facts[OTHER_WINNER]
            notes.append(f"column {sheet.title[OTHER_WINNER]!r} does not hold winners and was left out")
    elif _hold_cards(sheet, "winner"):
        _rename(sheet, "winner", "cards")
    return notes


def _hold_winners(cells: list[str]) -> bool:
    return bool(cells) and all(are_marks([cell]) for cell in cells)


def _hold_cards(sheet: Sheet, fact: str) -> bool:
    """Whether each cell of a column holds the cards of a round, and no other column does."""
    cells = _cells(sheet, fact)
    if not cells or _CARDS & set(sheet.facts):
        return False
    hands = [cards_in_cell(cell) for cell in cells]
    return all(4 <= len(hand) <= 6 and all(parse_card(card) is not None for card in hand) for hand in hands)


def _settle_three(sheet: Sheet) -> list[str]:
    """Columns `player`, `banker` and `tie`: totals beside a flag, marks of who won, or sums of money beside the winner.

    Raises SourceError where they are counts of whole shoes.
    """
    names = ("player_cards", "banker_cards", "tie")
    if not set(names) <= set(sheet.facts):
        sheet.facts.pop("tie", None)
        return []
    titles = [sheet.title[name] for name in names]
    rows = list(
        zip(*[[str(cell or "0").strip().lower() for cell in sheet.column(name)] for name in names], strict=True)
    )
    one_hot = all(cell in TRUTH for row in rows for cell in row) and all(
        sum(TRUTH[c] for c in row) == 1 for row in rows
    )
    are_numbers = all(re.fullmatch(r"-?[\d.]+", cell) for row in rows for cell in row[:2])
    totals = all(TRUTH.get(tie) is (player == banker) for player, banker, tie in rows)
    if plain(titles[0]) != "player" or not (one_hot or are_numbers) or (totals and not one_hot):
        del sheet.facts["tie"]
        return []
    for name in names:
        del sheet.facts[name]
    if "winner" in sheet.facts:
        return [f"columns {', '.join(map(repr, titles))} stand beside the winner and were left out"]
    if not one_hot:
        raise SourceError(
            f"columns {', '.join(map(repr, titles))} do not mark one winner in each row: they may count whole shoes",
            hint="a record needs each round",
        )
    width = max((len(row) for _, row in sheet.rows), default=0)
    won = ["PBT"[[TRUTH[cell] for cell in row].index(True)] for row in rows]
    sheet.rows = [(line, [*row, *[""] * (width - len(row)), letter])
                  for (line, row), letter in zip(sheet.rows, won, strict=True)]  # fmt: skip
    sheet.facts["winner"], sheet.title = width, {**sheet.title, "winner": ", ".join(titles)}
    return []


def _settle_sides(sheet: Sheet) -> None:
    """Columns `player` and `banker` of single digits are totals."""
    sides = {side: f"{side}_cards" for side in ("player", "banker")}
    if not all(name in sheet.facts and plain(sheet.title[name]) == side for side, name in sides.items()):
        return
    cells: list[Any] = [cell for name in sides.values() for cell in sheet.column(name) if not is_nothing(cell)]
    if all(len(cell) == 1 and cell.isdecimal() for cell in (str(cell).strip() for cell in cells)):
        for side, name in sides.items():
            _rename(sheet, name, f"{side}_total")


def _settle_numbers(sheet: Sheet) -> None:
    """A column `seq` of numbers counts the rounds; a column `rounds` does where it goes on by one."""
    facts = sheet.facts
    if "marks" in facts and plain(sheet.title["marks"]) == "seq" and "number" not in facts:
        cells = _cells(sheet, "marks")
        counts = "winner" in facts or not _hold_winners(cells)
        if counts and all(cell.isascii() and cell.isdecimal() for cell in cells):
            _rename(sheet, "marks", "number")
    if "number" in facts and plain(sheet.title["number"]) == "rounds":
        cells = _cells(sheet, "number")
        numbers = [int(cell) if cell.isascii() and cell.isdecimal() and len(cell) < 9 else -1 for cell in cells]
        if not any(b == a + 1 for a, b in itertools.pairwise(numbers)):
            del facts["number"]
