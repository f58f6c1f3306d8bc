"""Cards as records write them: `8S`, `H5`, `C.12`, `D08`, `K of Clubs`, `2-spades`, `♠5`, `10`, `Q`, or points alone.

A card is one small number: 0 to 51 are rank * 4 + suit, then come the 13 ranks whose suit is not known, a card of value
0 whose rank is not known (from points alone), no card at all, and a card that the record does not tell.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.game import codes, tableau

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RANK_ONLY: Final = 52
"""RANK_ONLY + rank: a card whose suit is not known."""
ZERO: Final = 65
"""A ten or a face of which only the value is known."""
NO_CARD: Final = 66
UNKNOWN: Final = 67

Hand = tuple[int, int, int, int, int, int]
"""Player's three cards, then Banker's three."""

UNKNOWN_HAND: Final[Hand] = (UNKNOWN,) * 6
SUIT_NAMES: Final = ("c", "d", "h", "s")

_SUITS: Final = {"c": 0, "♣": 0, "♧": 0, "clubs": 0, "club": 0, "d": 1, "♦": 1, "♢": 1, "diamonds": 1, "diamond": 1,
                 "h": 2, "♥": 2, "♡": 2, "hearts": 2, "heart": 2, "s": 3, "♠": 3, "♤": 3, "spades": 3,
                 "spade": 3}  # fmt: skip
_RANKS: Final = {
    **{name.lower(): rank for rank, name in enumerate(codes.RANK_NAMES)},
    "t": 9, "0": 9, "00": 9, "1": 0, "11": 10, "12": 11, "13": 12,
    **{f"0{rank + 1}": rank for rank in range(9)},
    "ace": 0, "two": 1, "three": 2, "four": 3, "five": 4, "six": 5, "seven": 6, "eight": 7, "nine": 8, "ten": 9,
    "jack": 10, "queen": 11, "king": 12,
}  # fmt: skip
_NO_CARDS: Final = frozenset({"", "na", "n/a", "nan", "none", "null", "-", "--", "—", "nil"})
_OF: Final = re.compile(r"^(\w+) of (\w+)$")
_SUIT_WORD: Final = re.compile(r"^(\w+)[-_. ]((?:club|diamond|heart|spade)s?)$")
_SUIT_FIRST: Final = re.compile(r"^([cdhs♠♥♦♣♤♡♢♧])[.\-_ ]?(\w{1,2})$")
_SUIT_LAST: Final = re.compile(r"^(\w{1,2})[.\-_ ]?([cdhs♠♥♦♣♤♡♢♧])$")


@cache
def parse_card(text: str) -> int | None:
    """The card that a text stands for; None if it stands for none.

    A bare `0` is a ten: where a whole column holds points, see `points_of`.

    >>> [parse_card(text) for text in ("8S", "♠8", "S8", "8 of Spades", "8-spades", "S.08", "8")] == [31] * 6 + [59]
    True
    >>> parse_card("0D") == parse_card("10D") == parse_card("T♦") == parse_card("D10"), parse_card("NA") == NO_CARD
    (True, True)
    >>> parse_card("X9") is None
    True
    """
    plain = text.strip().lower().replace("\ufe0f", "")
    if plain in _NO_CARDS:
        return NO_CARD
    if plain in _RANKS:
        return RANK_ONLY + _RANKS[plain]
    for form, rank_place in ((_OF, 1), (_SUIT_WORD, 1), (_SUIT_FIRST, 2), (_SUIT_LAST, 1)):
        found = form.match(plain)
        if found is None:
            continue
        rank, suit = _RANKS.get(found[rank_place]), _SUITS.get(found[3 - rank_place])
        if rank is not None and suit is not None:
            return rank * codes.SUITS + suit
    return None


def points_of(text: str) -> int | None:
    """The card of a column of points: 1 to 9 are ranks, 0 is a ten or a face.

    >>> points_of("0") == ZERO, points_of("9") == RANK_ONLY + 8, points_of("10") is None
    (True, True, True)
    """
    plain = text.strip().lower()
    if plain in _NO_CARDS:
        return NO_CARD
    if len(plain) == 1 and plain.isdecimal():
        return ZERO if plain == "0" else RANK_ONLY + int(plain) - 1
    return None


def show_card(card: int) -> str:
    """A card as the own storage form has it: rank and suit, rank alone, `0` for a value of 0, empty for no card.

    >>> show_card(31), show_card(59), show_card(ZERO), show_card(NO_CARD)
    ('8s', '8', '0', '')
    """
    if card < RANK_ONLY:
        return codes.RANK_NAMES[card // codes.SUITS] + SUIT_NAMES[card % codes.SUITS]
    if card < ZERO:
        return codes.RANK_NAMES[card - RANK_ONLY]
    return "0" if card == ZERO else ""


@cache
def values() -> NDArray[np.int8]:
    """The value of every card, -1 where there is none (int8[68], read-only)."""
    found = np.full(UNKNOWN + 1, -1, np.int8)
    found[:52] = np.repeat(codes.VALUES, codes.SUITS)
    found[RANK_ONLY:ZERO] = codes.VALUES
    found[ZERO] = 0
    found.setflags(write=False)
    return found


@cache
def ranks() -> NDArray[np.int8]:
    """The rank of every card, -1 where it is not known (int8[68], read-only)."""
    found = np.full(UNKNOWN + 1, -1, np.int8)
    found[:52] = np.repeat(np.arange(13), codes.SUITS)
    found[RANK_ONLY:ZERO] = np.arange(13)
    found.setflags(write=False)
    return found


def split(cards: Sequence[int]) -> Hand | None:
    """Player's and Banker's cards from four to six cards written Player's first, without a mark between them.

    Five are split by the drawing rules: Player draws on 0 to 5 and Banker, when Player stands, too. None where the
    rules allow neither way.

    >>> hand = split([RANK_ONLY + rank for rank in (1, 2, 3, 5, 9)])  # 2 3 4, then 6 10: Player drew on 5
    >>> [show_card(card) for card in hand]
    ['2', '3', '4', '6', '10', '']
    """
    value = values()
    if len(cards) == 4:
        return (cards[0], cards[1], NO_CARD, cards[2], cards[3], NO_CARD)
    if len(cards) == 6:
        return (cards[0], cards[1], cards[2], cards[3], cards[4], cards[5])
    if len(cards) != 5:
        return None
    for player_cards in (3, 2):
        player, banker = cards[:player_cards], cards[player_cards:]
        two = int(value[player[0]] + value[player[1]]) % 10, int(value[banker[0]] + value[banker[1]]) % 10
        fifth = int(value[player[2]] if player_cards == 3 else value[banker[2]])
        coup = tableau.coup(*two, fifth, 0)
        if (coup.player_cards, coup.banker_cards) == (player_cards, 5 - player_cards):
            return _padded(player, banker)
    return None


def in_turn(cards: Sequence[int]) -> Hand | None:
    """Player's and Banker's cards from the order P1 B1 P2 B2 P3 B3; a fifth card without a sixth is told by the rules.

    >>> [show_card(card) for card in in_turn([RANK_ONLY + rank for rank in (5, 1, 0, 2, 3)])]
    ['6', 'A', '', '2', '3', '4']
    """
    if len(cards) == 5:
        value = values()
        player_draws = tableau.player_draws(int(value[cards[0]] + value[cards[2]]) % 10)
        cards = [*cards, NO_CARD] if player_draws else [*cards[:4], NO_CARD, cards[4]]
    if len(cards) == 4:
        cards = [*cards, NO_CARD, NO_CARD]
    return (cards[0], cards[2], cards[4], cards[1], cards[3], cards[5]) if len(cards) == 6 else None


def _padded(player: Sequence[int], banker: Sequence[int]) -> Hand:
    p, b = [*player, NO_CARD][:3], [*banker, NO_CARD][:3]
    return (p[0], p[1], p[2], b[0], b[1], b[2])


def hand_of(player: Sequence[int], banker: Sequence[int]) -> Hand | None:
    """A hand from each side's cards, two or three of them (or three with an empty one)."""
    sides = [[card for card in side if card != NO_CARD] for side in (player, banker)]
    if any(len(side) not in (2, 3) for side in sides):
        return UNKNOWN_HAND if not any(sides) else None
    return _padded(*sides)
