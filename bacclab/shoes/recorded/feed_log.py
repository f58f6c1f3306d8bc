"""Messages of a live feed that each repeat their shoe from its start: the longest list before the list shrinks is the shoe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bacclab.errors import SourceError, shorten

__all__ = ["Found", "Log", "fed", "is_message"]

MESSAGE: Final = "baccarat.encodedShoeState"


@dataclass(slots=True)
class Found:
    """Rounds as JSON gives them: each with its line, its shoe and table, and its fields."""

    rounds: list[tuple[int, str | None, str | None, Mapping[str, Any]]] = field(default_factory=list)
    problems: dict[int, tuple[str, str]] = field(default_factory=dict)
    others: list[int] = field(default_factory=list)
    """Lines of objects that hold no round."""
    empty: list[int] = field(default_factory=list)
    shoes: int = 0


def is_message(value: Any) -> bool:
    """Whether a JSON value is a message with the rounds of a shoe."""
    if not isinstance(value, dict):
        return False
    arguments = value.get("args")
    return value.get("type") == MESSAGE or (isinstance(arguments, dict) and "history_v2" in arguments)


class Log:
    """A log in which every message repeats its shoe from the start."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.open: dict[str, tuple[list[Any], list[int]]] = {}

    def take(self, line: int, message: Mapping[str, Any]) -> None:
        """One message: the list goes on, or a new shoe has begun."""
        arguments = message.get("args")
        history = arguments.get("history_v2") if isinstance(arguments, dict) else None
        if not isinstance(arguments, dict) or not isinstance(history, list):
            return
        table = str(arguments.get("tableId") or arguments.get("table_id") or message.get("tableId") or "")
        held, lines = self.open.get(table, ([], []))
        if len(history) < len(held):
            self._flush(table)
            held, lines = [], []
        if history[: len(held)] != held:
            place = next(place for place, (a, b) in enumerate(zip(held, history, strict=False)) if a != b)
            self.found.problems[lines[place]] = (
                "changed",
                f"round {place + 1} of the shoe was another one until line {line}",
            )
        self.open[table] = (history, lines + [line] * (len(history) - len(held)))

    def close(self) -> None:
        """The end of the log."""
        for table in list(self.open):
            self._flush(table)

    def _flush(self, table: str) -> None:
        history, lines = self.open.pop(table)
        self.found.shoes += bool(history)
        for line, one in zip(lines, history, strict=True):
            if not isinstance(one, dict):
                raise SourceError(f"line {line}: a round of history_v2 is {shorten(str(one), 60)}, no object")
            self.found.rounds.append((line, str(self.found.shoes), table or None, fed(one)))


def fed(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """A round of the feed, in which an absent flag means no; a tie says nothing of naturals."""
    tie = str(one.get("winner", "")).lower() == "tie"
    absent = {"natural": None if tie else False, "playerPair": False, "bankerPair": False}
    return {**absent, **one}
