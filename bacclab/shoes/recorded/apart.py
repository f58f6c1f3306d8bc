"""Shoes kept apart: the order of the rounds, which shoe each belongs to, repeats, gaps, and rounds that go back."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from bacclab.shoes.recorded.cards import RANK_ONLY, UNKNOWN
from bacclab.shoes.recorded.faults import Finding

if TYPE_CHECKING:
    from bacclab.shoes.recorded.draft import Draft, Drafts, Reading

__all__ = ["Placed", "place_rounds"]

CHANCE_REPEATS: Final = 0.002
"""Up to this share of rounds may have the points of the round before by chance, when round numbers go on."""
LONGEST_SHOE: Final = 110
"""No shoe of eight decks has more rounds."""


class Shoe(NamedTuple):
    """A shoe: its number from 1 on, and what the record calls it and its table."""

    number: int
    name: str | None
    table: str | None


@dataclass(slots=True)
class Placed:
    """The rounds, shoe by shoe and the oldest first; the shoe of each; findings; and how order and shoes were told."""

    rounds: list[Draft]
    shoes: list[Shoe]
    findings: list[tuple[int, Finding]] = field(default_factory=list)
    """Findings, each with the place of its round in `rounds`."""
    order: str = ""
    split: str = ""
    notes: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    """The place of the first round of each shoe."""

    def number_of(self, place: int) -> int:
        """The number of a round: the record's own, or else its place in the shoe, from 1."""
        own = self.rounds[place].number
        return place - self.starts[self.shoes[place].number - 1] + 1 if own is None else own


def place_rounds(drafts: Drafts, reading: Reading) -> Placed:
    """Put the rounds of a file in their shoes."""
    rounds = drafts.rounds
    newest, order = _newest_first(rounds, reading)
    if newest:
        rounds = rounds[::-1]
    groups, split = _groups(rounds, drafts)
    placed = Placed([], [], order=order, split=split)
    ids = _are_ids(groups)
    if ids:
        placed.notes.append("the numbers of the rounds are ids: gaps in them are not looked at")
    for number, (_, members) in enumerate(groups, start=1):
        first = members[0]
        name = (
            first.shoe if isinstance(first.shoe, str) else str(first.shoe[0]) if isinstance(first.shoe, tuple) else None
        )
        shoe = Shoe(number, name, first.table)
        placed.starts.append(len(placed.rounds))
        placed.rounds.extend(members)
        placed.shoes.extend([shoe] * len(members))
        _steps(members, number, placed, ids=ids)
        if len(members) > LONGEST_SHOE:
            placed.notes.append(
                f"shoe {number} has {len(members)} rounds, more than eight decks give: several shoes may run "
                "together in it"
            )
    _repeats(placed)
    return placed


def _newest_first(rounds: Sequence[Draft], reading: Reading) -> tuple[bool, str]:
    if reading.order is not None:
        return reading.order == "newest-first", f"{reading.order.replace('-', ' ')}, as told"
    for fact, by in (("number", "numbers"), ("time", "times")):
        up = down = 0
        last: dict[Hashable, object] = {}
        for one in rounds:
            value = getattr(one, fact)
            if value is None:
                continue
            key = (one.table, one.shoe)
            before = last.get(key)
            if before is not None and before != value:
                later = _later(value, before)
                up, down = up + later, down + (not later)
            last[key] = value
        if up or down:
            return down > up, f"{'newest' if down > up else 'oldest'} first, by the {by}"
    return False, "taken as oldest first: the record does not say"


def _later(value: object, before: object) -> bool:
    if isinstance(value, str) and isinstance(before, str):
        if all(one.isascii() and one.isdecimal() for one in (value, before)):
            value, before = value.lstrip("0"), before.lstrip("0")
            return (len(value), value) > (len(before), before)  # as numbers, however many digits they have
        return value > before
    return value > before  # type: ignore[operator,no-any-return]


def _groups(rounds: Sequence[Draft], drafts: Drafts) -> tuple[list[tuple[Hashable, list[Draft]]], str]:
    """The rounds of each shoe, shoes in the order of their first round."""
    named = any(one.shoe is not None for one in rounds)
    numbered = any(one.number is not None for one in rounds)
    tables = len({one.table for one in rounds}) > 1
    open_: dict[Hashable, list[Draft]] = {}
    groups: list[tuple[Hashable, list[Draft]]] = []
    falls = 0
    for one in rounds:
        key = (one.table, one.shoe)
        members = open_.get(key)
        fell = members is not None and _falls_back(members[-1].number, one.number)
        if members is None or fell:
            falls += fell
            members = open_[key] = []
            groups.append((key, members))
        members.append(one)
    split = drafts.taken.get("shoes") or (
        "by the shoe that each row names" if named else "where the number of the round falls back" if numbered and falls
        else "one shoe a table" if tables else "all rounds are one shoe: nothing tells shoes apart"
    )  # fmt: skip
    return groups, str(split) + ("; tables apart" if tables and named else "")


def _falls_back(before: int | None, number: int | None) -> bool:
    """Whether a round number shows that a new shoe begins."""
    return before is not None and number is not None and number < before and (number <= 1 or number * 2 < before)


def _are_ids(groups: Sequence[tuple[Hashable, list[Draft]]]) -> bool:
    """Whether numbers of rounds are ids: far apart within shoes, or too large where every round stands alone."""
    shoes = [[one.number for one in members if one.number is not None] for _, members in groups]
    steps = sorted(abs(b - a) for numbers in shoes for a, b in itertools.pairwise(numbers))
    if steps:
        return steps[len(steps) // 2] > 5
    return any(shoes) and min(number for numbers in shoes for number in numbers) > LONGEST_SHOE


def _steps(members: Sequence[Draft], shoe: int, placed: Placed, *, ids: bool) -> None:
    """Gaps in the numbers of a shoe, and numbers that go back."""
    first, start = members[0], len(placed.rounds) - len(members)
    if (
        not ids
        and first.number is not None
        and first.number > 1
        and (shoe == 1 or first.number != _last_number(placed, members))
    ):
        text = f"the shoe begins with round {first.number}"
        placed.findings.append((start, Finding(first.line, shoe, first.number, "gap", text)))
    for place, (before, one) in enumerate(itertools.pairwise(members), start=start + 1):
        if ids or before.number is None or one.number is None or one.number == before.number:
            continue
        if one.number < before.number:
            text = f"round {one.number} comes after round {before.number}"
            placed.findings.append((place, Finding(one.line, shoe, one.number, "back", text)))
        elif one.number > before.number + 1:
            missing = one.number - before.number - 1
            text = f"{missing} round{'s are' if missing > 1 else ' is'} missing after round {before.number}"
            placed.findings.append((place, Finding(one.line, shoe, one.number, "gap", text)))


def _last_number(placed: Placed, members: Sequence[Draft]) -> int | None:
    """The number that would go on from the shoe before."""
    place = len(placed.rounds) - len(members) - 1
    last = placed.rounds[place].number if place >= 0 else None
    return None if last is None else last + 1


def _repeats(placed: Placed) -> None:
    """Rounds that stand there twice: the same number, or the same cards, as the round before in the shoe."""
    alike: list[tuple[int, Finding]] = []
    for place in range(1, len(placed.rounds)):
        before, one = placed.rounds[place - 1], placed.rounds[place]
        shoe = placed.shoes[place].number
        if placed.shoes[place - 1].number != shoe:
            continue
        same_number = one.number is not None and one.number == before.number
        same = _content(one) == _content(before)
        if same_number:
            text = f"the number of line {before.line}" + ("" if same else ", and another result")
        elif same and one.cards is not None and UNKNOWN not in one.cards:
            text = f"the same cards as line {before.line}"
            if one.number is not None and not any(card < RANK_ONLY for card in one.cards):
                alike.append((place, Finding(one.line, shoe, placed.number_of(place), "repeat", text)))
                continue
        elif same and one.time is not None and one.time == before.time and (":" in one.time or len(one.time) > 9):
            text = f"the time and result of line {before.line}"
        else:
            continue
        placed.findings.append((place, Finding(one.line, shoe, placed.number_of(place), "repeat", text)))
    if len(alike) > CHANCE_REPEATS * len(placed.rounds):
        placed.findings.extend(alike)


def _content(one: Draft) -> tuple[object, ...]:
    return one.winner, one.player_total, one.banker_total, one.player_pair, one.banker_pair, one.cards
