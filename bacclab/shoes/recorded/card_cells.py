"""Cards in cells: a column a card, a column a side, or all in one cell; with a mark between the sides, or without."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from bacclab.errors import SourceError, shorten
from bacclab.shoes.recorded import cards
from bacclab.shoes.recorded.cells import NOTHING, read_column, total
from bacclab.shoes.recorded.columns import CARD_FIELDS, UNSPLIT_FIELDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.shoes.recorded.cells import Sheet
    from bacclab.shoes.recorded.draft import Reading

__all__ = ["cards_in_cell", "hands_of"]

_CARD_IN_CELL: Final = re.compile(
    r"(?:10|[0-9TJQKA])[cdhs♠♥♦♣]|[cdhs♠♥♦♣]\.?(?:1[0-3]|0?[1-9]|[0TJQKA])", re.IGNORECASE
)

Problem = tuple[str, str]


def hands_of(
    sheet: Sheet, reading: Reading, taken: dict[str, Any], notes: list[str]
) -> tuple[list[cards.Hand | None], list[Problem | None]]:
    """The cards of every row, and what is wrong with them; None where a row has none."""
    split = [fact for fact in CARD_FIELDS if fact in sheet.facts]
    unsplit = [fact for fact in UNSPLIT_FIELDS if fact in sheet.facts]
    nothing: tuple[list[cards.Hand | None], list[Problem | None]] = ([None] * len(sheet.rows), [None] * len(sheet.rows))
    if {"p1", "p2", "b1", "b2"} <= set(split):
        names = list(CARD_FIELDS)
        lists = [[_text(row, sheet.facts.get(name)) for name in names] for _, row in sheet.rows]
        order = "split"
    elif {"player_cards", "banker_cards"} <= set(sheet.facts):
        sides = zip(sheet.column("player_cards"), sheet.column("banker_cards"), strict=True)
        lists = [[*_three(player), *_three(banker)] for player, banker in sides]
        order = "split"
    elif "dealt" in sheet.facts:
        lists = [cards_in_cell(cell) for cell in sheet.column("dealt")]
        order = "in-turn"
    elif "cards" in sheet.facts:
        lists = [cards_in_cell(cell) for cell in sheet.column("cards")]
        order = reading.card_order or "?"
    elif len(unsplit) >= 4:
        lists = [[_text(row, sheet.facts.get(name)) for name in unsplit] for _, row in sheet.rows]
        order = reading.card_order or "?"
    else:
        return nothing
    return _parsed(sheet, lists, order, reading, taken, notes)


def _text(row: Sequence[Any], place: int | None) -> str:
    return "" if place is None or place >= len(row) or row[place] is None else str(row[place]).strip()


def cards_in_cell(cell: Any) -> list[str]:
    """The cards written in one cell: a list, with separators, or run together.

    >>> cards_in_cell("8S0D7H"), cards_in_cell("[5, 2, 0]"), cards_in_cell("23460"), cards_in_cell("H5,D8,S4,C.12,,")
    (['8S', '0D', '7H'], ['5', '2', '0'], ['2', '3', '4', '6', '0'], ['H5', 'D8', 'S4', 'C.12', '', ''])
    """
    if cell is None:
        return []
    if isinstance(cell, list | tuple):
        return [_of_object(one) if isinstance(one, dict) else "" if one is None else str(one).strip() for one in cell]
    text = re.sub(r"[\[\](){}'\"]", "", str(cell)).strip()
    if not text or text.lower() in NOTHING:
        return []
    if "," in text or "，" in text or ";" in text or "|" in text:
        return [part.strip() for part in re.split(r"[,，;|]", text)]
    if " of " in text.lower():
        return [text]
    if cards.parse_card(text) is not None and not text.isdecimal():
        return [text]
    if re.search(r"[\s/\-]", text):
        return [part for part in re.split(r"[\s/\-]+", text) if part]
    if re.fullmatch(rf"(?:{_CARD_IN_CELL.pattern})+", text, re.IGNORECASE):
        return [found[0] for found in _CARD_IN_CELL.finditer(text)]
    return list(text) if text.isdecimal() else [text]


def _of_object(card: dict[str, Any]) -> str:
    """A card that JSON gives as an object with its rank and, in words, its suit.

    >>> _of_object({"rank": "K", "suit": "hearts", "value": 0}), _of_object({"rank": 7, "suit": 2}), _of_object({})
    ('K of hearts', '7', '{}')
    """
    rank, suit = card.get("rank", card.get("face")), card.get("suit")
    if rank is None:
        return str(card)
    words = isinstance(suit, str) and suit.strip().isalpha()
    if words and len(str(suit).strip()) > 1:
        return f"{rank} of {suit}"
    return f"{rank}{suit}" if isinstance(suit, str) else str(rank)


def _three(cell: Any) -> list[str]:
    found = cards_in_cell(cell)
    return [*found, *[""] * (3 - len(found))]


def _parsed(
    sheet: Sheet, lists: list[list[str]], order: str, reading: Reading, taken: dict[str, Any], notes: list[str]
) -> tuple[list[cards.Hand | None], list[Problem | None]]:
    tokens = {token.strip().lower() for found in lists for token in found}
    points = reading.points or _are_points(tokens)
    read = cards.points_of if points else cards.parse_card
    known: dict[str, int] = {}
    numbers: list[list[int]] = []
    back = not points and any(token in tokens for token in ("10", "t", "j", "q", "k"))
    for (line, _), found in zip(sheet.rows, lists, strict=True):
        for token in found:
            if token not in known:
                card = cards.NO_CARD if back and token == "0" else read(token)
                if card is None:
                    raise SourceError(
                        f"line {line}: {shorten(token, 40)!r} is no card", hint=_card_hint(token, points=points)
                    )
                known[token] = card
        numbers.append([known[token] for token in found])
    if points:
        taken["cards"] = "points"
        notes.append("the cards are points: pairs and counts by rank are not known")
    if order == "split":
        return _split_sides(numbers, points=points, notes=notes)
    if order == "?":
        order = _order(numbers, _stated(sheet))
    taken["order of the cards"] = (
        "Player's, then Banker's" if order == "player-first" else "dealt in turn, P1 B1 P2 B2 P3 B3"
    )
    return _split_lists(numbers, order)


def _are_points(tokens: set[str]) -> bool:
    bare = {token for token in tokens if token not in NOTHING}
    return "0" in bare and all(len(token) == 1 and token.isdecimal() for token in bare)


def _card_hint(token: str, *, points: bool) -> str:
    return "these columns hold points, 0 to 9" if points and token else "cards are written 8S, H5, 10, K, or as points"


def _split_sides(
    numbers: list[list[int]], *, points: bool, notes: list[str]
) -> tuple[list[cards.Hand | None], list[Problem | None]]:
    """Rows in which each side has three places."""
    hands: list[cards.Hand | None] = []
    problems: list[Problem | None] = []
    # Zeros in place of a third card are backs of cards in some feeds; blanks beside them show that they are not.
    thirds = {hand[place] for hand in numbers for place in (2, 5) if len(hand) == 6}
    backs = points and cards.ZERO in thirds and cards.NO_CARD not in thirds
    if backs:
        notes.append("0 in the place of a third card is taken for no card where none is due")
    for found in numbers:
        if len(found) != 6:
            hands.append(None)
            problems.append(("card", f"{len(found)} places for six cards"))
            continue
        if all(card == cards.NO_CARD for card in found):
            hands.append(None)
            problems.append(None)
            continue
        hand = _without_backs(found) if backs else cards.hand_of(found[:3], found[3:])
        hands.append(hand)
        problems.append(None if hand is not None else ("card", "a side has fewer than two cards"))
    return hands, problems


def _without_backs(found: Sequence[int]) -> cards.Hand:
    from bacclab.game import tableau

    value = cards.values()
    player_two, banker_two = (int(value[found[place]] + value[found[place + 1]]) % 10 for place in (0, 3))
    player, banker = found[2], found[5]
    fifth = int(value[player if tableau.player_draws(player_two) else banker])
    due = tableau.coup(player_two, banker_two, fifth, 0)
    return (
        found[0], found[1], player if due.player_cards == 3 or player != cards.ZERO else cards.NO_CARD,
        found[3], found[4], banker if due.banker_cards == 3 or banker != cards.ZERO else cards.NO_CARD,
    )  # fmt: skip


def _dense(found: Sequence[int]) -> list[int]:
    """Cards without the empty places behind them, or with all six places where one in the middle is empty."""
    there = [card for card in found if card != cards.NO_CARD]
    return there if list(found[: len(there)]) == there else list(found)


def _split_lists(numbers: list[list[int]], order: str) -> tuple[list[cards.Hand | None], list[Problem | None]]:
    split = cards.split if order == "player-first" else cards.in_turn
    hands: list[cards.Hand | None] = []
    problems: list[Problem | None] = []
    for found in numbers:
        dense = _dense(found)
        hand = split(dense) if len(dense) else None
        if hand is not None and len(dense) == 6:
            hand = cards.hand_of(hand[:3], hand[3:])
        hands.append(hand)
        problems.append(
            ("third card", f"{len(dense)} cards that the rules cannot have dealt") if dense and hand is None else None
        )
    return hands, problems


def _adds_up(hand: cards.Hand, totals: tuple[Any, Any]) -> bool:
    value = cards.values()
    for side, wanted in ((hand[:3], totals[0]), (hand[3:], totals[1])):
        if wanted is not None and sum(max(0, int(value[card])) for card in side) % 10 != wanted:
            return False
    return True


def _stated(sheet: Sheet) -> list[tuple[Any, Any]]:
    """Both totals as the record has them, None where it has none."""
    columns = [read_column(sheet, fact, total) if fact in sheet.facts else [None] * len(sheet.rows)
               for fact in ("player_total", "banker_total")]  # fmt: skip
    return list(zip(*columns, strict=True))


def _order(numbers: list[list[int]], stated: list[tuple[Any, Any]]) -> str:
    """The order in which the third-card rule and the totals hold; SourceError where they do not tell."""
    from bacclab.shoes.recorded.checks import obeys

    wrong = {}
    for order in ("player-first", "in-turn"):
        hands, problems = _split_lists(numbers, order)
        wrong[order] = sum(
            problem is not None or (hand is not None and not (obeys(hand) and _adds_up(hand, totals)))
            for hand, problem, totals in zip(hands, problems, stated, strict=True)
        )
    best = min(wrong, key=lambda order: wrong[order])
    other = max(wrong.values())
    if wrong[best] * 4 < other or (wrong[best] == 0 and other > 0):
        return best
    raise SourceError(
        "the cards of a round have no mark between Player's and Banker's, and the third-card rule does not tell which "
        "are whose",
        hint="say --card-order player-first or --card-order in-turn",
    )
