"""Cells and columns: the texts of a table, each different one read once, with its place where it cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bacclab.errors import SourceError, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

NOTHING: Final = frozenset({"", "na", "n/a", "nan", "none", "null", "-"})
TRUTH: Final = {"1": True, "true": True, "yes": True, "y": True, "0": False, "false": False, "no": False, "n": False,
                 "1.0": True, "0.0": False}  # fmt: skip
_PAIRS: Final = {"none": (False, False), "no pair": (False, False), "no": (False, False), "player": (True, False),
                 "player pair": (True, False), "banker": (False, True), "banker pair": (False, True),
                 "both": (True, True), "player and banker pair": (True, True), "both pairs": (True, True)}  # fmt: skip


@dataclass(slots=True)
class Sheet:
    """Rows of cells: `facts` name the columns that say something, with their place; a row is its line and its cells."""

    facts: dict[str, int]
    rows: list[tuple[int, Sequence[Any]]]
    title: Mapping[str, str]
    """What the file calls each fact."""

    def column(self, fact: str) -> list[Any]:
        """The cells of a column, None where a row is too short."""
        place = self.facts[fact]
        return [row[place] if place < len(row) else None for _, row in self.rows]


def read_column(sheet: Sheet, fact: str, read: Callable[[str], Any]) -> list[Any]:
    """A column, each different cell read once."""
    known: dict[Any, Any] = {}
    found = []
    for (line, _), cell in zip(sheet.rows, sheet.column(fact), strict=True):
        key = cell if isinstance(cell, str) else str(cell)
        if key not in known:
            if cell is None or (key.strip().lower() in NOTHING and fact != "pair"):
                known[key] = None
            else:
                try:
                    known[key] = read(key.strip())
                except ValueError as error:
                    raise cannot(sheet, fact, line, key, str(error)) from None
        found.append(known[key])
    return found


def cannot(sheet: Sheet, fact: str, line: int, cell: str, why: str) -> SourceError:
    """The error for a cell that cannot be read."""
    return SourceError(f"line {line}, column {sheet.title[fact]!r}: {shorten(cell, 60)!r} is {why}")


def is_nothing(cell: Any) -> bool:
    """Whether a cell is empty."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


def label(text: str) -> str:
    """A name as it stands."""
    return text


def whole(text: str) -> int:
    """The number of a round."""
    number = text.removesuffix(".0")
    if not (number.isascii() and number.isdecimal()) or len(number) > 18:
        raise ValueError("no number of a round")
    return int(number)


def total(text: str) -> int:
    """A total of a hand, 0 to 9."""
    number = text.removesuffix(".0")
    if len(number) != 1 or not number.isascii() or not number.isdecimal():
        raise ValueError("no total of a hand (0 to 9)")
    return int(number)


def truth(text: str) -> bool:
    """Yes or no."""
    if text.lower() not in TRUTH:
        raise ValueError("neither yes nor no (1 or 0, true or false)")
    return TRUTH[text.lower()]


def pairs(text: str) -> tuple[bool, bool] | None:
    """Player's and Banker's pair in one word."""
    plain = " ".join(text.lower().replace("_", " ").split())
    if not plain:
        return None
    if plain not in _PAIRS:
        raise ValueError("no pair (none, player, banker, both)")
    return _PAIRS[plain]
