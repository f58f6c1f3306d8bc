"""Messages of a live feed that each repeat their shoe from its start: the longest list before one shrinks is it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bacclab.errors import SourceError, shorten
from bacclab.shoes.recorded.document import Places

__all__ = ["MESSAGE", "Found", "Log", "fed", "is_message"]

MESSAGE: Final = "baccarat.encodedShoeState"
_WINS: Final = {"playerWins": "player", "bankerWins": "banker", "ties": "tie"}


@dataclass(slots=True)
class Found:
    """Rounds as JSON gives them: each with its line, its shoe and table, and its fields."""

    rounds: list[tuple[int, str | None, str | None, Mapping[str, Any]]] = field(default_factory=list)
    problems: dict[int, tuple[str, str]] = field(default_factory=dict)
    """What is wrong with a round, by its place in `rounds`."""
    others: list[int] = field(default_factory=list)
    """Lines of objects that hold no round."""
    empty: list[int] = field(default_factory=list)
    unreadable: list[int] = field(default_factory=list)
    """Lines that begin as an object and are no JSON."""
    places: Places = field(default_factory=Places)
    shoes: int = 0
    columns: tuple[str, ...] = ()
    """What the places of a round hold that is a list without names, where the reader was told."""


def is_message(value: Any) -> bool:
    """Whether a JSON value is a message with the rounds of a shoe."""
    if not isinstance(value, dict):
        return False
    arguments = value.get("args")
    return value.get("type") == MESSAGE or (isinstance(arguments, dict) and "history_v2" in arguments)


@dataclass(slots=True)
class _Open:
    """The shoe that a table is playing: its rounds, the line that first told of each, faults, and the feed's counts."""

    rounds: list[Any] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    changed: dict[int, int] = field(default_factory=dict)
    """The line that last changed a round, by the place of the round."""
    counts: Mapping[str, Any] = field(default_factory=dict)


class Log:
    """A log in which every message repeats its shoe from the start."""

    def __init__(self, found: Found) -> None:
        self.found = found
        self.open: dict[str, _Open] = {}

    def take(self, line: int, message: Mapping[str, Any]) -> None:
        """One message: the list goes on, or a new shoe has begun."""
        arguments = message.get("args")
        history = arguments.get("history_v2") if isinstance(arguments, dict) else None
        if not isinstance(arguments, dict) or not isinstance(history, list):
            return
        table = str(arguments.get("tableId") or arguments.get("table_id") or message.get("tableId") or "")
        shoe = self.open.setdefault(table, _Open())
        if _is_another(shoe.rounds, history):
            self._flush(table)
            shoe = self.open[table] = _Open()
        for place, (before, now) in enumerate(zip(shoe.rounds, history, strict=False)):
            if before != now:
                shoe.changed[place] = line
        shoe.lines += [line] * (len(history) - len(shoe.rounds))
        shoe.rounds = history
        counts = arguments.get("stats")
        shoe.counts = counts if isinstance(counts, dict) else {}

    def close(self) -> None:
        """The end of the log."""
        for table in list(self.open):
            self._flush(table)

    def _flush(self, table: str) -> None:
        shoe, first = self.open.pop(table), len(self.found.rounds)
        self.found.shoes += bool(shoe.rounds)
        for line, one in zip(shoe.lines, shoe.rounds, strict=True):
            if not isinstance(one, dict):
                raise SourceError(f"line {line}: a round of history_v2 is {shorten(str(one), 60)}, no object")
            self.found.rounds.append((line, str(self.found.shoes), table or None, fed(one)))
        for place, line in shoe.changed.items():
            told = f"round {place + 1} of the shoe was another one until line {line}"
            self.found.problems[first + place] = ("changed", told)
        if shoe.rounds and (told := _counts_differ(shoe)):
            self.found.problems.setdefault(len(self.found.rounds) - 1, ("counts", told))


def _is_another(held: list[Any], history: list[Any]) -> bool:
    """Whether a list is that of another shoe: shorter, or (messages being lost) with hardly a round of the one before.

    >>> _is_another(["B", "P"], ["B"]), _is_another(["B", "P", "T"], ["P", "B", "B", "P"])
    (True, True)
    >>> _is_another(["B"], ["P", "P"])
    False
    """
    alike = sum(before == now for before, now in zip(held, history, strict=False))
    return len(history) < len(held) or (len(held) > 2 and alike * 2 < len(held))


def _counts_differ(shoe: _Open) -> str:
    """Where the counts that a feed sends beside its list are not those of the list, in words; empty where they are."""
    winners = [str(one.get("winner", "")).lower() for one in shoe.rounds]
    listed = {
        "gameCount": len(shoe.rounds),
        **{name: winners.count(winner) for name, winner in _WINS.items()},
        **{f"{flag}s": sum(bool(one.get(flag)) for one in shoe.rounds) for flag in ("playerPair", "bankerPair")},
    }
    wrong = [f"{name} is {shorten(str(shoe.counts[name]), 20)}, {count} in its list" for name, count in listed.items()
             if shoe.counts.get(name, count) != count]  # fmt: skip
    return "; ".join(wrong)


def fed(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """A round of the feed, in which an absent flag means no; a tie says nothing of naturals."""
    tie = str(one.get("winner", "")).lower() == "tie"
    absent = {"natural": None if tie else False, "playerPair": False, "bankerPair": False}
    return {**absent, **one}
