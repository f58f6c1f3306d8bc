"""Rounds from rows of cells, whose columns are known: of a table of text, or of JSON objects."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bacclab.errors import SourceError, shorten
from bacclab.shoes.recorded import cards
from bacclab.shoes.recorded.columns import CARD_FIELDS, UNSPLIT_FIELDS
from bacclab.shoes.recorded.draft import BANKER, PLAYER, Draft, Drafts
from bacclab.shoes.recorded.marks import vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bacclab.shoes.recorded.draft import Reading

__all__ = ["Sheet", "rounds_of"]

_NOTHING: Final = frozenset({"", "na", "n/a", "nan", "none", "null", "-"})
_TRUTH: Final = {"1": True, "true": True, "yes": True, "y": True, "0": False, "false": False, "no": False, "n": False,
                 "1.0": True, "0.0": False}  # fmt: skip
_PAIRS: Final = {"none": (False, False), "no pair": (False, False), "no": (False, False), "player": (True, False),
                 "player pair": (True, False), "banker": (False, True), "banker pair": (False, True),
                 "both": (True, True), "player and banker pair": (True, True), "both pairs": (True, True)}  # fmt: skip
_CARD_IN_CELL: Final = re.compile(
    r"(?:10|[0-9TJQKA])[cdhs♠♥♦♣]|[cdhs♠♥♦♣]\.?(?:1[0-3]|0?[1-9]|[0TJQKA])", re.IGNORECASE
)


@dataclass(slots=True)
class Sheet:
    """Rows of cells: `facts` name the columns that say something, with their place; a row is its line and its cells."""

    facts: dict[str, int]
    rows: list[tuple[int, Sequence[Any]]]
    title: Mapping[str, str]
    """What the file calls each fact."""

    def column(self, fact: str) -> list[Any]:
        """The cells of a column, None where a row is too short."""
        place = self.facts[fact]
        return [row[place] if place < len(row) else None for _, row in self.rows]


def rounds_of(sheet: Sheet, reading: Reading, form: str) -> Drafts:
    """The rounds of a sheet. Raises SourceError with line and column for what cannot be read."""
    taken: dict[str, Any] = {}
    notes: list[str] = []
    none = [None] * len(sheet.rows)

    def column(fact: str, read: Callable[[str], Any]) -> list[Any]:
        return _read(sheet, fact, read) if fact in sheet.facts else none

    marks, language = _winners(sheet, reading, notes)
    player_pair, banker_pair = column("player_pair", _truth), column("banker_pair", _truth)
    if "pair" in sheet.facts:
        both = _read(sheet, "pair", _pairs)
        player_pair = [None if one is None else one[0] for one in both]
        banker_pair = [None if one is None else one[1] for one in both]
    hands, problems = _hands(sheet, reading, taken, notes)
    natural = _naturals(sheet, [None if mark is None else mark.winner for mark in marks])
    columns = (
        marks,
        column("player_total", _total),
        column("banker_total", _total),
        column("winning_total", _total),
        natural,
        player_pair,
        banker_pair,
        hands,
        column("shoe", _label),
        column("table", _label),
        column("number", _whole),
        column("time", _label),
        problems,
    )
    rounds = []
    blank = []
    for (line, row), mark, pt, bt, wt, nat, pp, bp, hand, shoe, table, number, time, problem in zip(
        sheet.rows, *columns, strict=True
    ):
        if all(_is_nothing(cell) for cell in row):
            blank.append(line)
            continue
        rounds.append(
            Draft(
                line=line,
                winner=None if mark is None else mark.winner,
                player_total=pt,
                banker_total=bt,
                winning_total=wt if wt is not None or mark is None else mark.winning_total,
                natural=nat,
                player_pair=pp if pp is not None or mark is None else mark.player_pair,
                banker_pair=bp if bp is not None or mark is None else mark.banker_pair,
                cards=hand,
                shoe=shoe,
                table=table,
                number=number,
                time=time,
                problem=problem,
            )
        )
    taken = {"columns": ", ".join(f"{sheet.title[fact]} = {fact}" for fact in sheet.facts), **taken}
    return Drafts(rounds, form, language, taken, notes, blank)


def _read(sheet: Sheet, fact: str, read: Callable[[str], Any]) -> list[Any]:
    """A column, each different cell read once."""
    known: dict[Any, Any] = {}
    found = []
    for (line, _), cell in zip(sheet.rows, sheet.column(fact), strict=True):
        key = cell if isinstance(cell, str) else str(cell)
        if key not in known:
            if cell is None or (key.strip().lower() in _NOTHING and fact != "pair"):
                known[key] = None
            else:
                try:
                    known[key] = read(key.strip())
                except ValueError as error:
                    raise _cannot(sheet, fact, line, key, str(error)) from None
        found.append(known[key])
    return found


def _cannot(sheet: Sheet, fact: str, line: int, cell: str, why: str) -> SourceError:
    return SourceError(f"line {line}, column {sheet.title[fact]!r}: {shorten(cell, 60)!r} is {why}")


def _is_nothing(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _label(text: str) -> str:
    return text


def _whole(text: str) -> int:
    number = text.removesuffix(".0")
    if not (number.isascii() and number.isdecimal()) or len(number) > 18:
        raise ValueError("no number of a round")
    return int(number)


def _total(text: str) -> int:
    number = text.removesuffix(".0")
    if len(number) != 1 or not number.isascii() or not number.isdecimal():
        raise ValueError("no total of a hand (0 to 9)")
    return int(number)


def _truth(text: str) -> bool:
    if text.lower() not in _TRUTH:
        raise ValueError("neither yes nor no (1 or 0, true or false)")
    return _TRUTH[text.lower()]


def _pairs(text: str) -> tuple[bool, bool] | None:
    plain = " ".join(text.lower().replace("_", " ").split())
    if not plain:
        return None
    if plain not in _PAIRS:
        raise ValueError("no pair (none, player, banker, both)")
    return _PAIRS[plain]


def _winners(sheet: Sheet, reading: Reading, notes: list[str]) -> tuple[list[Any], str]:
    """The mark of every row, None where the cell is empty; and the language."""
    if "winner" not in sheet.facts:
        return [None] * len(sheet.rows), ""
    cells = [None if _is_nothing(cell) else str(cell).strip() for cell in sheet.column("winner")]
    tokens: dict[str, int] = {}
    for (line, _), cell in zip(sheet.rows, cells, strict=True):
        if cell is not None and cell not in tokens and cell.lower() not in _NOTHING:
            tokens[cell] = line
    if not tokens:
        return [None] * len(cells), ""
    known = vocabulary(tokens, reading)
    notes.extend(known.notes)
    return [None if cell is None else known.marks.get(cell) for cell in cells], known.language or known.form


def _naturals(sheet: Sheet, winners: list[int | None]) -> list[bool | None]:
    """Whether the winner won with a natural; a tie says nothing."""
    sides = [
        _read(sheet, fact, _truth) if fact in sheet.facts else None for fact in ("player_natural", "banker_natural")
    ]
    if sides[0] is not None and sides[1] is not None:
        return [None if w not in (PLAYER, BANKER) else sides[w][row] for row, w in enumerate(winners)]  # type: ignore[index]
    if "natural" not in sheet.facts:
        return [None] * len(winners)
    found: list[bool | None] = []
    for (line, _), cell, winner in zip(sheet.rows, sheet.column("natural"), winners, strict=True):
        text = str(cell).strip().lower() if cell is not None else ""
        side = re.fullmatch(r"(player|banker)[ _]?[89]?", text)
        if side is not None:
            found.append(None if winner not in (PLAYER, BANKER) else ("player", "banker")[winner] == side[1])
        elif text in _TRUTH or text == "none":
            found.append(_TRUTH.get(text, False))
        elif text == "":
            found.append(None)
        else:
            raise _cannot(sheet, "natural", line, str(cell), "no natural (none, player8, banker9, true, false)")
    return found


Problem = tuple[str, str]


def _hands(
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
        lists = [_in_cell(cell) for cell in sheet.column("dealt")]
        order = "in-turn"
    elif "cards" in sheet.facts:
        lists = [_in_cell(cell) for cell in sheet.column("cards")]
        order = reading.card_order or "?"
    elif len(unsplit) >= 4:
        lists = [[_text(row, sheet.facts.get(name)) for name in unsplit] for _, row in sheet.rows]
        order = reading.card_order or "?"
    else:
        return nothing
    return _parsed(sheet, lists, order, reading, taken, notes)


def _text(row: Sequence[Any], place: int | None) -> str:
    return "" if place is None or place >= len(row) or row[place] is None else str(row[place]).strip()


def _in_cell(cell: Any) -> list[str]:
    """The cards written in one cell: a list, with separators, or run together.

    >>> _in_cell("8S0D7H"), _in_cell("[5, 2, 0]"), _in_cell("23460"), _in_cell("H5,D8,S4,C.12,,")
    (['8S', '0D', '7H'], ['5', '2', '0'], ['2', '3', '4', '6', '0'], ['H5', 'D8', 'S4', 'C.12', '', ''])
    """
    if cell is None:
        return []
    if isinstance(cell, list | tuple):
        return ["" if one is None else str(one).strip() for one in cell]
    text = re.sub(r"[\[\](){}'\"]", "", str(cell)).strip()
    if not text or text.lower() in _NOTHING:
        return []
    if "," in text or "，" in text or ";" in text or "|" in text:
        return [part.strip() for part in re.split(r"[,，;|]", text)]
    if " of " in text.lower():
        return [text]
    if re.search(r"[\s/\-]", text):
        return [part for part in re.split(r"[\s/\-]+", text) if part]
    if re.fullmatch(rf"(?:{_CARD_IN_CELL.pattern})+", text, re.IGNORECASE):
        return [found[0] for found in _CARD_IN_CELL.finditer(text)]
    return list(text) if text.isdecimal() else [text]


def _three(cell: Any) -> list[str]:
    found = _in_cell(cell)
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
    bare = {token for token in tokens if token not in _NOTHING}
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
    for side, total in ((hand[:3], totals[0]), (hand[3:], totals[1])):
        if total is not None and sum(max(0, int(value[card])) for card in side) % 10 != total:
            return False
    return True


def _stated(sheet: Sheet) -> list[tuple[Any, Any]]:
    """Both totals as the record has them, None where it has none."""
    columns = [_read(sheet, fact, _total) if fact in sheet.facts else [None] * len(sheet.rows)
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
