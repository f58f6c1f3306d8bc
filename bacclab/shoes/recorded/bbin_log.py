r"""Logged updates of a recorder that watches the BBIN feed: the cards of a round, and the map of its shoe so far.

A line is `update … set `result` = '…', `transformationResult` = 'B', `RawData` =
'{\"rs\":5,\"pk\":\"C.9,S.10,C.2,D.9,,\", \"res\":13,\"map\":\"77-6,13-9\"}', …`: the winner as the recorder stored it,
`pk` the cards in the order of dealing, `res` the code of the round, and `map` a code and the winner's total for every
round of the shoe, this one the last (see `bacclab.shoes.recorded.marks.bbin_mark`). Source of the form: GitHub
`jackchang1025/baccarat`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bacclab.errors import SourceError, counted, shorten
from bacclab.json_text import holds_half_a_character
from bacclab.shoes.recorded import cards
from bacclab.shoes.recorded.card_cells import cards_in_cell
from bacclab.shoes.recorded.draft import BANKER, PLAYER, TIE, Draft, Drafts
from bacclab.shoes.recorded.marks import BBIN, bbin_mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.shoes.recorded.marks import Mark

__all__ = ["UPDATE", "rounds_of_log"]

UPDATE: Final = re.compile(r"""\{(?:\\?"[^"\\]*\\?"\s*:\s*[^{}]*?,\s*)?\\?"pk\\?"\s*:[^{}]*\}""")
_STORED: Final = re.compile(r"transformationResult`?\s*=\s*'([BPT])'")
_WINNERS: Final = {"B": BANKER, "P": PLAYER, "T": TIE}
_SURE: Final = 5
"""So many rounds in common from the start make two maps those of one shoe; fewer may be alike by chance."""


@dataclass(slots=True)
class _Update:
    line: int
    name: str
    winner: int | None
    hand: cards.Hand | None
    places: int
    map: list[str]
    code: str

    def draft(self, *, shoe: str, mark: Mark | None) -> Draft:
        """The round: the winner as stored, pairs and the total of the side that won as the feed has them."""
        problem = None
        won = () if mark is None else (PLAYER, BANKER) if mark.winner == TIE else (mark.winner,)
        if self.hand is None:
            problem = ("card", f"{self.places} cards that the rules cannot have dealt")
        return Draft(
            self.line,
            self.winner,
            mark.winning_total if mark is not None and PLAYER in won else None,
            mark.winning_total if mark is not None and BANKER in won else None,
            player_pair=None if mark is None else mark.player_pair,
            banker_pair=None if mark is None else mark.banker_pair,
            cards=self.hand,
            shoe=shoe,
            problem=problem,
        )


def rounds_of_log(lines: Sequence[str]) -> Drafts:
    """The rounds of a log: every shoe by its longest map, with the cards of rounds that have an update of their own.

    Raises SourceError for an update that cannot be read.
    """
    updates = [_update(number, line, found[0]) for number, line in enumerate(lines, start=1)
               if "pk" in line and (found := UPDATE.search(line))]  # fmt: skip
    if not updates:
        raise SourceError("there is no logged update with the cards of a round in the file")
    shoes: list[list[_Update]] = []
    alone = 0
    for one in updates:
        going_on = next((shoe for shoe in shoes if _goes_on(shoe[-1].map, one.map)), None)
        if going_on is None:
            shoes.append([one])
        else:
            going_on.append(one)
        alone += not one.map
    rounds = [one for shoe in shoes for one in _rounds(shoe)]
    notes = ["the winner of a round with cards is taken as the recorder stored it, of another one from the map"]
    taken = {
        "updates": f"{counted(len(updates), 'update')} with cards; other lines were left out",
        "shoes": f"each by its longest map; stand-alone: {counted(alone, 'round')} without a map",
    }
    return Drafts(rounds, "bbin-log", "", taken, notes)


def _update(number: int, line: str, text: str) -> _Update:
    try:
        held: dict[str, Any] = json.loads(text.replace('\\"', '"'))
    except (ValueError, RecursionError):
        held = {}
    if not held or holds_half_a_character(text, held):
        raise SourceError(f"line {number}: the data of the update cannot be read: {shorten(text, 60)}")
    hand = []
    for token in cards_in_cell(str(held.get("pk", ""))):
        card = cards.parse_card(token)
        if card is None:
            raise SourceError(f"line {number}: {shorten(token, 40)!r} is no card", hint="cards are written C.9, H.12")
        hand.append(card)
    there = [card for card in hand if card != cards.NO_CARD]
    dealt = cards.in_turn(hand if len(hand) == 6 else there)
    if dealt is not None:
        dealt = cards.hand_of(dealt[:3], dealt[3:])
    tokens = [token.strip() for token in str(held.get("map", "")).split(",") if token.strip()]
    for token in tokens:
        if not BBIN.match(token):
            raise SourceError(f"line {number}: {shorten(token, 40)!r} in the map is no code and total, such as 27-7")
    stored = _STORED.search(line)
    winner = None if stored is None else _WINNERS[stored[1]]
    return _Update(number, str(held.get("rs", number)), winner, dealt, len(there), tokens, str(held.get("res", "")))


def _goes_on(held: list[str], tokens: list[str]) -> bool:
    """Whether a map is a later one of the same shoe.

    >>> _goes_on(["1-7"] * 6, ["1-7"] * 6 + ["5-8"]), _goes_on(["1-7"], ["1-7", "5-8"])
    (True, False)
    """
    return len(held) >= _SURE and len(tokens) >= len(held) and tokens[: len(held)] == held


def _rounds(updates: Sequence[_Update]) -> list[Draft]:
    """The rounds of a shoe: those of its longest map, with what the updates say of their own; or the only round."""
    shoe = f"from {updates[0].name}"
    last = updates[-1]
    own = {len(one.map): one for one in updates if one.map and one.map[-1].partition("-")[0] == one.code}
    rounds = []
    lines = sorted((len(one.map), one.line) for one in updates)
    for place, token in enumerate(last.map, start=1):
        code, total = token.split("-")
        mark = bbin_mark(int(code), int(total))
        if place in own:
            rounds.append(own[place].draft(shoe=shoe, mark=mark))
        else:
            first_told = next(line for length, line in lines if length >= place)
            rounds.append(mark.draft(first_told, shoe=shoe))
    apart = [one for one in updates if own.get(len(one.map)) is not one]
    return rounds + [one.draft(shoe=f"only {one.name}", mark=None) for one in apart]
