"""What can be wrong with a record: each finding names the line, the round and what contradicts what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

FAULTS: Final = {
    "winner": "the winner contradicts the totals or the cards",
    "total": "a total contradicts the cards, or the winner's total",
    "pair": "a pair contradicts the cards",
    "natural": "a natural contradicts the totals or the cards",
    "third card": "the cards break the third-card rule",
    "impossible": "no round has all this together",
    "card": "the cards are not those of one round",
    "repeat": "a round that stands there twice",
    "changed": "an earlier round of the shoe was changed later in the log",
    "empty": "a row without a result, or without what the other rows have",
}
"""Kinds of faults: such a round cannot be trusted as it stands."""

NOTES: Final = {
    "gap": "round numbers are missing",
    "back": "a round number goes back",
    "counts": "the counts that a feed sends beside its list are not those of the list",
    "empty shoe": "a shoe without rounds",
    "blank": "an empty row",
    "unreadable": "a line that breaks off or is damaged: what it held is missing",
}
"""Kinds of findings that leave each round as good as it was."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One finding: the line of the file, the shoe (0: none), the round's number if it has one, the kind, and words."""

    line: int
    shoe: int
    round: int | None
    kind: str
    text: str

    @property
    def is_fault(self) -> bool:
        """Whether the round cannot be trusted."""
        return self.kind in FAULTS

    def __str__(self) -> str:
        where = f"line {self.line}" + (f", shoe {self.shoe}" if self.shoe else "")
        return f"{where}{'' if self.round is None else f', round {self.round}'}: {self.kind}: {self.text}"
