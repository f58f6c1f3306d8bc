"""Posts of channels: `#N123. 7(♠5♥2) - ✅8(♦9♣9)`, a round a post, with the total and the cards of both sides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bacclab.errors import SourceError
from bacclab.shoes.recorded import cards
from bacclab.shoes.recorded.card_cells import cards_in_cell
from bacclab.shoes.recorded.draft import BANKER, PLAYER, TIE, Draft, Drafts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.shoes.recorded.draft import Reading

__all__ = ["POST", "posts_of"]

_SIDE: Final = r"(?P<{0}_won>[✅☑✔]?)\ufe0f?\s*(?P<{0}>\d)\s*\((?P<{0}_cards>[^)]*)\)"
POST: Final = re.compile(
    r"#N\s*(?P<number>\d{1,18})\.?\s*"
    + _SIDE.format("first")
    + r"\s*(?P<tie>🔰?)\s*[-–—:]?\s*(?P<tie_too>🔰?)\s*"
    + _SIDE.format("second")
)
_SUM: Final = re.compile(r"#T(\d{1,4})\b")


def posts_of(lines: Sequence[str], reading: Reading) -> Drafts:
    """The rounds of posts; Player's side is the one with which the third-card rule holds."""
    from bacclab.shoes.recorded.checks import obeys

    posts: list[tuple[int, re.Match[str], cards.Hand | None, cards.Hand | None]] = []
    others = 0
    for number, line in enumerate(lines, start=1):
        found = POST.search(line)
        if found is None:
            others += bool(line.strip())
            continue
        sides = [
            [_card(token, number) for token in cards_in_cell(found[f"{name}_cards"])] for name in ("first", "second")
        ]
        posts.append((number, found, cards.hand_of(*sides), cards.hand_of(sides[1], sides[0])))
    if not posts:
        raise SourceError("there is no post of the form #N123. 7(♠5♥2) - ✅8(♦9♣9)")
    wrong = [sum(hand is not None and cards.UNKNOWN not in hand and not obeys(hand) for hand in hands)
             for hands in ([post[2] for post in posts], [post[3] for post in posts])]  # fmt: skip
    first = reading.card_order == "player-first" or (reading.card_order is None and wrong[0] < wrong[1])
    if reading.card_order is None and wrong[0] == wrong[1]:
        raise SourceError(
            "the third-card rule does not tell which side of the posts is Player",
            hint="say --card-order player-first if the first one is, else --card-order in-turn",
        )
    rounds = [_round(number, found, one if first else other, first=first) for number, found, one, other in posts]
    taken = {"sides": "Player first" if first else "Banker first", "other lines": others}
    return Drafts(rounds, "channel-posts", "", taken)


def _card(token: str, line: int) -> int:
    card = cards.parse_card(token)
    if card is None:
        raise SourceError(f"line {line}: {token!r} is no card")
    return card


def _round(line: int, found: re.Match[str], hand: cards.Hand | None, *, first: bool) -> Draft:
    names = ("first", "second") if first else ("second", "first")
    totals = [int(found[name]) for name in names]
    won = [bool(found[f"{name}_won"]) for name in names]
    winner = PLAYER if won == [True, False] else BANKER if won == [False, True] else None
    if winner is None and (found["tie"] or found["tie_too"] or won == [True, True]):
        winner = TIE
    told = _SUM.search(found.string)
    problem = None
    if hand is None:
        problem = ("card", f"a side has fewer than two cards or more than three: {found[0]}")
    elif told and int(told[1]) != sum(totals):
        problem = ("total", f"the tag #T{told[1]} is not the sum of {totals[0]} and {totals[1]}")
    return Draft(line, winner, totals[0], totals[1], cards=hand, number=int(found["number"]), problem=problem)
