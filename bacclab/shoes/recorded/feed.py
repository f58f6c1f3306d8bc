"""JSON: the messages of a live feed, shoes or rounds one a line, or one document."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from bacclab.errors import SourceError, counted, shorten
from bacclab.json_text import holds_half_a_character
from bacclab.shoes.recorded.columns import CARD_FIELDS, fact_of, plain, says_something
from bacclab.shoes.recorded.document import Places, document
from bacclab.shoes.recorded.feed_log import MESSAGE, Found, Log, fed, is_message
from bacclab.shoes.recorded.keys import SHORT, drafts_of, six_strings
from bacclab.shoes.recorded.lines import tokens_of
from bacclab.shoes.recorded.marks import run_together
from bacclab.shoes.recorded.positions import are_rows, names_of

if TYPE_CHECKING:
    from bacclab.shoes.recorded.draft import Drafts, Reading

__all__ = ["looks_like_json", "rounds_of_json"]

_PREFIX: Final = re.compile(r"^\s*(?:\[[^][{}\"]+\]\s*){0,3}(?=[{\[])")
"""Notes in brackets that a log writes before a message: the time, the name of the table."""
_OBJECT: Final = re.compile(_PREFIX.pattern + r"\s*[{]\s*\"")
_ROUND_LISTS: Final = ("rounds", "history_v2", "history", "results", "hands", "outcomes", "winners", "games", "coups",
                       "data",
                       "rows", "items", "records", "events", "sequence", "marks")  # fmt: skip
_SHOE_LISTS: Final = ("shoes", "sessions", "tables")
_BY_COLUMN: Final = ("winner", "player_total", "banker_total", "natural", "player_pair", "banker_pair")
_SIDES: Final = {"player": "player_total", "banker": "banker_total"}
"""Keys that mean totals where each fact has a list of its own."""
_DEEPEST: Final = 8


def looks_like_json(lines: Sequence[str]) -> bool:
    """Whether text is JSON, JSON lines or a log with JSON in it.

    >>> looks_like_json(['[12:00:01] {"type": "x"}']), looks_like_json(["B,P"]), looks_like_json(["[B, P]"])
    (True, False, False)
    """
    for line in lines[:200]:
        found = _PREFIX.match(line)
        if found is None:
            continue
        rest = line[found.end() :].strip()
        if re.match(r'^(\{\s*("|$|\})|\[\s*(["{\[\d]|$|\]))', rest):
            return True
    return any(MESSAGE in line for line in lines[200:])


def rounds_of_json(lines: Sequence[str], reading: Reading) -> Drafts:
    """The rounds of a JSON text. Raises SourceError for a text that holds none, or that breaks off."""
    found = Found(columns=reading.columns)
    taken: dict[str, Any] = {}
    whole, found.places = _document(lines)
    if whole is not None:
        _walk(whole, found, line=1, shoe=None, table=None, depth=0)
        form = "JSON"
        if not found.places:
            taken["line"] = "the number of the round in the document, which is one line"
            found.rounds = [(n, *rest) for n, (_, *rest) in enumerate(found.rounds, start=1)]  # type: ignore[misc]
    else:
        form = _by_line(lines, found, taken)
    if not found.rounds:
        raise SourceError(
            "it holds no rounds that can be read", hint="a round needs its winner, both totals, or the cards"
        )
    drafts = drafts_of(found, reading, form)
    drafts.taken = {**taken, **drafts.taken}
    drafts.empty_shoes, drafts.unreadable = found.empty, found.unreadable
    if found.others:
        drafts.notes.append(
            f"left out: {counted(len(found.others), 'object')} without a round, the first in line {found.others[0]}"
        )
    return drafts


def _document(lines: Sequence[str]) -> tuple[Any, Places]:
    """The value of a text that is one JSON document, over several lines or in one; None for lines of JSON."""
    there = [line for line in lines if line.strip()]
    if len(there) > 1 and _parse(there[0]) is not None and there[0].strip() not in ("[", "{"):
        return None, Places()
    if not there or there[0].strip()[:1] not in "[{" or (len(there) > 1 and any(MESSAGE in line for line in there)):
        return None, Places()
    if len(there) == 1 and isinstance(_parse(there[0]), dict) and is_message(_parse(there[0])):
        return None, Places()
    try:
        return document("\n".join(lines))
    except json.JSONDecodeError as error:
        if len(there) > 1 and any(_parse(line) is not None for line in there[:50]):
            return None, Places()
        raise SourceError(f"line {error.lineno}: the JSON breaks off or is no JSON: {error.msg}") from None
    except ValueError:  # Python's own limit on the digits of a whole number
        raise SourceError("a number in the JSON has too many digits") from None


def _parse(text: str) -> Any:
    """The JSON value that a line holds behind notes in brackets; None if it holds none."""
    found = _PREFIX.match(text)
    if found is None:
        return None
    try:
        value = json.loads(text[found.end() :])
    except (ValueError, RecursionError):  # no JSON, or a number of thousands of digits
        return None
    return None if holds_half_a_character(text, value) else value


def _by_line(lines: Sequence[str], found: Found, taken: dict[str, Any]) -> str:
    """Lines of JSON: messages that each repeat their shoe, or shoes, or rounds."""
    log = Log(found)
    others = messages = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        value = _parse(line)
        if value is None and _OBJECT.match(line):
            found.unreadable.append(number)
        elif value is None:
            others += 1
        elif is_message(value):
            messages += 1
            log.take(number, value)
        elif isinstance(value, dict) and "type" in value and not _holds_rounds(value):
            others += 1
        else:
            _walk(value, found, line=number, shoe=None, table=None, depth=0)
    log.close()
    if others:
        taken["other lines"] = f"left out: {counted(others, 'line')} without rounds"
    if messages:
        taken["messages"] = f"{messages} messages, each shoe taken from the longest list before the list shrinks"
        return "live-feed messages"
    return "JSON lines"


def _holds_rounds(value: Mapping[str, Any]) -> bool:
    return says_something(map(fact_of, value)) or any(plain(key) in _ROUND_LISTS for key in value)


def _walk(value: Any, found: Found, *, line: int, shoe: str | None, table: str | None, depth: int) -> None:
    """Find the rounds in a value: a round, a shoe, or something that holds shoes."""
    line = found.places.line(value, line)
    if depth > _DEEPEST:
        raise SourceError(f"line {line}: the JSON is nested too deeply")
    if isinstance(value, str):
        _shoe([value], found, line=line, shoe=shoe, table=table)
    elif isinstance(value, list) and six_strings(value) is not None:
        found.rounds.append((line, shoe, table, dict(zip(CARD_FIELDS, value, strict=True))))
    elif isinstance(value, list):
        if value and all(isinstance(one, list) and six_strings(one) is None for one in value) and not _are_hands(value):
            for one in value:
                _walk(one, found, line=line, shoe=None, table=table, depth=depth + 1)
        elif value and all(isinstance(one, str) and (run_together(one) or len(tokens_of(one)) > 1) for one in value):
            for one in value:
                _shoe([one], found, line=line, shoe=None, table=table)
        elif value and all(isinstance(one, dict) and _inner(one) is not None for one in value):
            for one in value:
                _walk(one, found, line=line, shoe=None, table=table, depth=depth + 1)
        else:
            _shoe(value, found, line=line, shoe=shoe, table=table)
    elif isinstance(value, dict):
        _walk_object(value, found, line=line, shoe=shoe, table=table, depth=depth)


def _walk_object(
    value: dict[str, Any], found: Found, *, line: int, shoe: str | None, table: str | None, depth: int
) -> None:
    said = {fact_of(key): one for key, one in value.items() if one is not None and not isinstance(one, list | dict)}
    shoe, table = (str(said[fact]) if fact in said else given for fact, given in (("shoe", shoe), ("table", table)))
    columns = _columns(value, line)
    if columns is not None:
        _shoe(columns, found, line=line, shoe=shoe, table=table)
        return
    inner = _inner(value)
    if inner is None:
        facts = map(fact_of, value)
        if says_something(fact for fact in facts if fact and fact != "marks") or six_strings(value):
            found.rounds.append((line, shoe, table, value))
        else:
            found.others.append(line)
        return
    held = value[inner]
    if isinstance(held, list) and held and all(isinstance(one, list) for one in held):
        names = next((value[key] for key in ("columns", "fields") if isinstance(value.get(key), list)), found.columns)
        held = _with_names(held, [str(name) for name in names], line, found)
    if isinstance(held, list) and plain(inner) == "history_v2":
        held = _standing_for(held, [fed(one) if isinstance(one, dict) else one for one in held], found)
    if isinstance(held, dict):
        for name, one in held.items():
            _walk(one, found, line=line, shoe=str(name), table=table, depth=depth + 1)
    else:
        _walk(held, found, line=line, shoe=shoe, table=table, depth=depth + 1)


def _with_names(held: list[Any], names: list[str], line: int, found: Found) -> list[Any]:
    """Rounds that are lists as objects, by the names of their places; other lists as they are."""
    if are_rows(held):
        told = names_of(held, names)
        if told is None and {type(value) for value in held[0]} > {str}:
            raise SourceError(
                f"line {line}: it does not follow what the places of {shorten(str(held[0]), 60)} hold",
                hint="say it, such as --columns winner,player_total,banker_total,-",
            )
        names = told or []
    return _standing_for(held, [dict(zip(names, one, strict=False)) for one in held], found) if names else held


def _standing_for(held: list[Any], values: list[Any], found: Found) -> list[Any]:
    """Values made of those of a list, which have their lines."""
    for one, value in zip(held, values, strict=True):
        found.places.same(value, one)
    found.places.same(values, held)
    return values


def _columns(value: Mapping[str, Any], line: int) -> list[dict[str, Any]] | None:
    """The rounds of an object that has a list (or a text, a character a round) for each fact; None for another one."""
    held: dict[str, Sequence[Any]] = {}
    for key, inner in value.items():
        name = plain(key)
        fact = fact_of(name) or fact_of(name.removesuffix("s"))
        if name in _SIDES or ("w" in value and name in SHORT):
            fact = _SIDES.get(name) or SHORT[name]
        if (
            fact in _BY_COLUMN
            and isinstance(inner, list | str)
            and not any(isinstance(one, list | dict) for one in inner)
        ):
            held[fact] = inner
    lengths = {len(inner) for inner in held.values()}
    if len(held) < 2 or "winner" not in held:
        return None
    if len(lengths) > 1:
        told = ", ".join(f"{len(inner)} of {fact.replace('_', ' ')}" for fact, inner in held.items())
        raise SourceError(f"line {line}: lists of one shoe are of different length: {told}")
    return [dict(zip(held, one, strict=True)) for one in zip(*held.values(), strict=True)]


def _inner(value: Mapping[str, Any]) -> str | None:
    """The key of an object under which its rounds or shoes stand."""
    found = [
        key
        for wanted in (*_SHOE_LISTS, *_ROUND_LISTS)
        for key, held in value.items()
        if plain(key) == wanted
        and (
            isinstance(held, list | dict)
            or (isinstance(held, str) and (run_together(held) or len(tokens_of(held)) > 1))
        )
    ]
    telling = (key for key in found if _tells_rounds(value[key])) if len(found) > 1 else iter(found)
    return next(telling, found[0] if found else None)


def _tells_rounds(held: Any) -> bool:
    """Whether a list is one of rounds or shoes, and not of other objects: a report has its tables beside its rounds."""
    first = held[0] if isinstance(held, list) and held else held
    if not isinstance(first, dict):
        return bool(held)
    return says_something(map(fact_of, first)) or six_strings(first) is not None or _inner(first) is not None


def _are_hands(value: Sequence[Any]) -> bool:
    """Whether every item is [Player's cards, Banker's cards]."""
    return all(
        isinstance(one, list)
        and len(one) == 2
        and all(
            isinstance(side, list) and 2 <= len(side) <= 3 and not any(isinstance(c, list | dict) for c in side)
            for side in one
        )
        for one in value
    )


def _shoe(items: Sequence[Any], found: Found, *, line: int, shoe: str | None, table: str | None) -> None:
    """The rounds of one list: marks, objects, or pairs of hands."""
    found.shoes += 1
    name = shoe
    if name is None and not any(
        isinstance(one, dict) and any(fact_of(k) in ("shoe", "number") for k in one) for one in items
    ):
        name = str(found.shoes)
    if not items:
        found.empty.append(line)
    for one in items:
        line = found.places.line(one, line)
        if isinstance(one, dict):
            own = {fact_of(key): value for key, value in one.items()}
            its = str(own["shoe"]) if own.get("shoe") is not None else name
            where = str(own["table"]) if own.get("table") is not None else table
            found.rounds.append((line, its, where, one))
        elif isinstance(one, list) and (six := six_strings(one)) is not None:
            found.rounds.append((line, name, table, dict(zip(CARD_FIELDS, six, strict=True))))
        elif isinstance(one, list) and _are_hands([one]):
            found.rounds.append((line, name, table, {"player_cards": one[0], "banker_cards": one[1]}))
        elif isinstance(one, str | int) and not isinstance(one, bool):
            for token in tokens_of(str(one)) or [""]:
                found.rounds.append((line, name, table, {"winner": token}))
        else:
            raise SourceError(
                f"line {line}: {shorten(str(one), 60)} is no round",
                hint="say what its parts are in an object, or with --columns winner,player_total,banker_total",
            )
