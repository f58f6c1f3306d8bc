"""Rounds that JSON gives as objects: their keys become the columns of a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from bacclab.shoes.recorded.cells import Sheet
from bacclab.shoes.recorded.columns import CARD_FIELDS, fact_of, plain, tells_better
from bacclab.shoes.recorded.draft import TIE, Draft, Drafts
from bacclab.shoes.recorded.marks import word_of
from bacclab.shoes.recorded.rows import rounds_of
from bacclab.shoes.recorded.unclear import OTHER_WINNER, settle

if TYPE_CHECKING:
    from bacclab.shoes.recorded.draft import Reading
    from bacclab.shoes.recorded.feed_log import Found

__all__ = ["SHORT", "drafts_of", "six_strings"]

SHORT: Final = {"p": "player_total", "b": "banker_total"}
"""Keys that mean totals beside a winner `w`."""
_SIDES: Final = {"player_cards": "player", "banker_cards": "banker"}
_FLAGS: Final = ("natural", "player_pair", "banker_pair")


def drafts_of(found: Found, reading: Reading, form: str) -> Drafts:
    """The rounds through the same door as rows of a table."""
    found.rounds = [(*where, _flat(one)) for *where, one in found.rounds]  # type: ignore[misc]
    keys, title = _keys(found)
    facts = {fact: place for place, fact in enumerate(title)}
    by_key = {key: facts[fact] for key, fact in keys.items()}
    rows: list[tuple[int, Sequence[Any]]] = []
    for line, _, _, one in found.rounds:
        row: list[Any] = [None] * len(facts)
        for key, held in one.items():
            if key in by_key:
                row[by_key[key]] = held
        rows.append((line, row))
    _six(found, facts, title, rows)
    _absent_flags(facts, rows)
    sheet = Sheet(facts, rows, title)
    notes = settle(sheet)
    drafts = rounds_of(sheet, reading, form)
    drafts.notes = [*notes, *drafts.notes]
    named = {(line, position): (shoe, table) for position, (line, shoe, table, _) in enumerate(found.rounds)}
    drafts.rounds = list(_placed(drafts.rounds, found, named))
    return drafts


def _flat(one: Mapping[str, Any]) -> Mapping[str, Any]:
    """A round without objects for its sides: `{"player": {"total": 7}}` becomes `{"player_total": 7}`."""
    sides = {key: held for key, held in one.items() if isinstance(held, dict) and fact_of(key) in _SIDES}
    if not sides:
        return one
    flat = {key: held for key, held in one.items() if key not in sides}
    for key, held in sides.items():
        flat |= {f"{_SIDES[fact_of(key) or '']}_{plain(name)}": value for name, value in held.items()}
    return flat


def _keys(found: Found) -> tuple[dict[str, str], dict[str, str]]:
    """The fact of each key, and the first key of each fact.

    Keys that never stand in one object share a fact. Of two that do the one that tells it better has it, and a second
    winner is kept beside the first.
    """
    short = any("w" in one for *_, one in found.rounds[:1])
    keys: dict[str, str] = {}
    title: dict[str, str] = {}
    seen: set[tuple[str, ...]] = set()
    for *_, one in found.rounds:
        names = tuple(one)
        if names in seen:
            continue
        seen.add(names)
        held: dict[str, str] = {}
        for key in names:
            fact = SHORT.get(key, fact_of(key)) if short else fact_of(key)
            if not fact or fact in ("shoe", "table", "marks"):
                continue
            if fact in held and fact == "winner":
                fact = OTHER_WINNER
            elif fact in held and not tells_better(fact, key, held[fact]):
                continue
            elif fact in held:
                keys.pop(held[fact], None)
                title[fact] = key
            held[fact] = key
            keys.setdefault(key, fact)
            title.setdefault(keys[key], key)
    return keys, title


def _six(found: Found, facts: dict[str, int], title: dict[str, str], rows: list[tuple[int, Sequence[Any]]]) -> None:
    """Six strings under whatever name, where no cards were found."""
    if set(facts) & {"p1", "player_cards", "dealt"}:
        return
    sixes = [six_strings(one) for *_, one in found.rounds]
    if not all(sixes):
        return
    facts.pop("cards", None)
    width = len(rows[0][1])
    for place, name in enumerate(CARD_FIELDS):
        facts[name], title[name] = width + place, f"card {place + 1}"
    for place, six in enumerate(sixes):
        line, row = rows[place]
        rows[place] = (line, [*row, *(six or ())])


def _absent_flags(facts: Mapping[str, int], rows: Sequence[tuple[int, Sequence[Any]]]) -> None:
    """A flag that is only ever present as true is absent where it is false; a tie says nothing of naturals."""
    winner = facts.get("winner", -1)
    for fact in _FLAGS:
        if fact not in facts:
            continue
        place = facts[fact]
        if {row[place] for _, row in rows if not isinstance(row[place], list | dict)} == {True, None}:
            for _, row in rows:
                tie = winner >= 0 and _is_tie(row[winner])
                row[place] = bool(row[place]) if fact != "natural" or row[place] or not tie else None  # type: ignore[index]


def _is_tie(cell: Any) -> bool:
    found = word_of(str(cell))
    return found[0] == TIE if found is not None else str(cell).upper() in ("T", "E", "3")


def _placed(
    rounds: Sequence[Draft], found: Found, named: Mapping[tuple[int, int], tuple[str | None, str | None]]
) -> Iterator[Draft]:
    blank = len(found.rounds) - len(rounds)
    keys = iter(named.items())
    for one in rounds:
        (line, place), (shoe, table) = next(keys)
        while blank and line != one.line:
            (line, place), (shoe, table) = next(keys)
        yield one._replace(shoe=shoe, table=table, problem=found.problems.get(place, one.problem))


def six_strings(value: Any) -> list[str] | None:
    """Six cards, Player's three then Banker's three, `""` for none: as a list, or the only such list of an object."""
    if isinstance(value, dict):
        found = [six for held in value.values() if (six := six_strings(held)) is not None]
        return found[0] if len(found) == 1 else None
    if isinstance(value, list) and len(value) == 6 and all(isinstance(one, str) for one in value):
        from bacclab.shoes.recorded.cards import parse_card

        return value if all(parse_card(one) is not None for one in value) else None
    return None
