"""What can be worked out again from a record, and every contradiction with what it says.

Totals, winner, pairs, naturals and the third-card rule follow from the cards; the winner follows from the totals. The
rule is that of `bacclab.game.tableau`. Where the record leaves open what the cards tell, it is filled from the cards;
where they contradict each other, the record stays as it is and the contradiction is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bacclab.game import codes, tableau
from bacclab.shoes.recorded.cards import NO_CARD, UNKNOWN, ranks, show_card, values
from bacclab.shoes.recorded.draft import BANKER, PLAYER, TIE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bacclab.shoes.recorded.draft import Draft

    Ints = NDArray[np.int8]
    #: Called with rows, a kind, and a function of a row that words the fault.
    Tell = Callable[[NDArray[np.bool_], str, Callable[..., str]], None]

OPEN: Final = -1
"""In arrays: not known."""
NAMES: Final = ("Player", "Banker", "Tie")


def obeys(hand: Sequence[int]) -> bool:
    """Whether six cards (Player's three, then Banker's) are dealt as the drawing rules say.

    >>> from bacclab.shoes.recorded.cards import RANK_ONLY as R
    >>> obeys((R + 3, R + 3, NO_CARD, R + 1, R + 4, NO_CARD))  # 8 against 7
    True
    """
    value = values()
    two = [int(value[hand[place]] + value[hand[place + 1]]) % 10 for place in (0, 3)]
    third = hand[2] if hand[2] != NO_CARD else hand[5]
    coup = tableau.coup(two[0], two[1], max(0, int(value[third])), 0)
    return (hand[2] != NO_CARD, hand[5] != NO_CARD) == (coup.player_cards == 3, coup.banker_cards == 3)


@dataclass(slots=True)
class Arrays:
    """A record as arrays, one entry a round; OPEN where something is not known. Cards are uint8[n, 6]."""

    winner: Ints
    player_total: Ints
    banker_total: Ints
    winning_total: Ints
    natural: Ints
    player_pair: Ints
    banker_pair: Ints
    cards: NDArray[np.uint8]
    player_cards: Ints
    banker_cards: Ints

    @classmethod
    def of(cls, rounds: Sequence[Draft]) -> Arrays:
        """The arrays of some rounds, as the record has them."""

        def column(name: str) -> Ints:
            place = rounds[0]._fields.index(name) if rounds else 0
            return np.array([OPEN if (v := one[place]) is None else v for one in rounds], np.int8)

        unknown = (UNKNOWN,) * 6
        hands = np.array([one.cards or unknown for one in rounds], np.uint8).reshape(-1, 6)
        count = len(rounds)
        return cls(
            winner=column("winner"),
            player_total=column("player_total"),
            banker_total=column("banker_total"),
            winning_total=column("winning_total"),
            natural=column("natural"),
            player_pair=column("player_pair"),
            banker_pair=column("banker_pair"),
            cards=hands,
            player_cards=np.full(count, OPEN, np.int8),
            banker_cards=np.full(count, OPEN, np.int8),
        )

    @property
    def full(self) -> NDArray[np.bool_]:
        """Which rounds have all their cards."""
        known: NDArray[np.bool_] = (self.cards != UNKNOWN).all(axis=1)
        return known


def check(record: Arrays, tell: Tell) -> None:
    """Tell every contradiction, and fill what follows from the rest."""
    _cards(record, tell)
    _winning_total(record, tell)
    _winner(record, tell)
    _natural(record, tell)


def _cards(record: Arrays, tell: Tell) -> None:
    """The cards against the third-card rule, and what follows from them against the rest of the record."""
    full = record.full
    if not full.any():
        return
    hands = _hands(record)
    thirds, due = hands.thirds, hands.due
    broken = full & ((thirds[0] != due[0]) | (thirds[1] != due[1]))
    tell(broken, "third card", lambda row: _draws(record.cards[row], bool(due[0][row]), bool(due[1][row])))
    _totals_by_cards(record, hands, full, tell)
    whole = full & ~broken
    against = whole & (record.winner != OPEN) & (record.winner != hands.winner)
    tell(
        against,
        "winner",
        lambda row: (
            f"{NAMES[record.winner[row]]} in the record, {NAMES[hands.winner[row]]} by the cards, "
            f"{hands.totals[0][row]} to {hands.totals[1][row]}"
        ),
    )
    _fill(record, whole, totals=hands.totals, winner=hands.winner)
    record.player_cards[full], record.banker_cards[full] = 2 + thirds[0][full], 2 + thirds[1][full]
    _pairs_by_cards(record, hands, full, tell)
    _natural_by_cards(record, hands, whole & (hands.winner != TIE) & ~against, tell)


class _Hands(NamedTuple):
    """What the cards of a round come to; of two, Player's stands first. Without meaning where a card is not known."""

    value: NDArray[np.int64]
    """[rounds, 6], −1 where it is not known."""
    rank: Ints
    thirds: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    """Whether a third card was drawn."""
    due: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    """Whether one is drawn by the rule."""
    totals: tuple[Ints, Ints]
    winner: Ints


def _hands(record: Arrays) -> _Hands:
    value = values()[record.cards].astype(np.int64)
    drawn = record.cards != NO_CARD
    worth = np.where(drawn, np.maximum(value, 0), 0)
    player_two, banker_two = ((worth[:, place] + worth[:, place + 1]) % 10 for place in (0, 3))
    player = ((player_two + worth[:, 2]) % 10).astype(np.int8)
    banker = ((banker_two + worth[:, 5]) % 10).astype(np.int8)
    fifth = np.where(drawn[:, 2], worth[:, 2], worth[:, 5])
    cells = codes.deal_cells()[player_two * 1000 + banker_two * 100 + fifth * 10].astype(np.int64)
    return _Hands(
        value=value,
        rank=ranks()[record.cards],
        thirds=(drawn[:, 2], drawn[:, 5]),
        due=(cells // 2 % 2 == 1, cells % 2 == 1),
        totals=(player, banker),
        winner=np.select([player > banker, banker > player], [PLAYER, BANKER], TIE).astype(np.int8),
    )


def _totals_by_cards(record: Arrays, hands: _Hands, full: NDArray[np.bool_], tell: Tell) -> None:
    for side, stated in ((PLAYER, record.player_total), (BANKER, record.banker_total)):
        name, found = NAMES[side], hands.totals[side]
        tell(
            full & (stated != OPEN) & (stated != found),
            "total",
            lambda row, name=name, stated=stated, found=found: (
                f"{name} has {stated[row]} in the record, {found[row]} by its cards {_shown(record.cards[row], name)}"
            ),
        )


def _pairs_by_cards(record: Arrays, hands: _Hands, full: NDArray[np.bool_], tell: Tell) -> None:
    value, rank = hands.value, hands.rank
    for first, name, stated in ((0, "Player", record.player_pair), (3, "Banker", record.banker_pair)):
        both = (rank[:, first] >= 0) & (rank[:, first + 1] >= 0)
        ranked = full & (both | (value[:, first] != value[:, first + 1]))
        pair = (both & (rank[:, first] == rank[:, first + 1])).astype(np.int8)
        tell(
            ranked & (stated != OPEN) & (stated != pair),
            "pair",
            lambda row, name=name, stated=stated: (
                f"{name} pair {'yes' if stated[row] else 'no'} in the record, "
                f"its cards are {_shown(record.cards[row], name)}"
            ),
        )
        stated[ranked & (stated == OPEN)] = pair[ranked & (stated == OPEN)]


def _natural_by_cards(record: Arrays, hands: _Hands, decided: NDArray[np.bool_], tell: Tell) -> None:
    """Whether the winner won with a natural, in rounds whose winner stands."""
    won_with = np.where(hands.winner == PLAYER, *hands.totals)
    won_by = ~hands.thirds[0] & ~hands.thirds[1] & np.isin(won_with, list(tableau.NATURALS))
    tell(
        decided & (record.natural != OPEN) & (record.natural != won_by),
        "natural",
        lambda row: f"natural {'yes' if record.natural[row] else 'no'} in the record, the cards say otherwise",
    )
    open_ = decided & (record.natural == OPEN)
    record.natural[open_] = won_by[open_]


def _fill(record: Arrays, where: NDArray[np.bool_], *, totals: Sequence[Ints], winner: Ints) -> None:
    """What the cards tell and the record leaves open."""
    for stated, found in ((record.player_total, totals[0]), (record.banker_total, totals[1]), (record.winner, winner)):
        rows = where & (stated == OPEN)
        stated[rows] = found[rows]


def _shown(hand: NDArray[np.uint8], name: str) -> str:
    side = hand[:3] if name == "Player" else hand[3:]
    return " ".join(show_card(int(card)) for card in side if card != NO_CARD)


def _draws(hand: NDArray[np.uint8], player: bool, banker: bool) -> str:  # noqa: FBT001 - two answers of one rule
    due = {"Player": player, "Banker": banker}
    parts = []
    for name, third in (("Player", hand[2]), ("Banker", hand[5])):
        if (third != NO_CARD) != due[name]:
            parts.append(
                f"{name} has a third card although none was due" if third != NO_CARD else f"{name} lacks a third card"
            )
    return f"{'; '.join(parts)} (Player {_shown(hand, 'Player')}, Banker {_shown(hand, 'Banker')})"


def _winning_total(record: Arrays, tell: Tell) -> None:
    known = (record.winning_total != OPEN) & (record.winner != OPEN)
    for side, total in ((PLAYER, record.player_total), (BANKER, record.banker_total)):
        won = known & ((record.winner == side) | (record.winner == TIE))
        tell(
            won & (total != OPEN) & (total != record.winning_total),
            "total",
            lambda row, side=side, total=total: (
                f"{NAMES[side]} won with {record.winning_total[row]} in the record, and has {total[row]}"
            ),
        )
        total[won & (total == OPEN)] = record.winning_total[won & (total == OPEN)]


def _winner(record: Arrays, tell: Tell) -> None:
    """Winner against the totals of the record, where the cards do not speak."""
    known = (record.player_total != OPEN) & (record.banker_total != OPEN)
    by_totals = np.select(
        [record.player_total > record.banker_total, record.banker_total > record.player_total], [PLAYER, BANKER], TIE
    ).astype(np.int8)
    tell(
        known & ~record.full & (record.winner != OPEN) & (record.winner != by_totals),
        "winner",
        lambda row: (
            f"{NAMES[record.winner[row]]} in the record, {NAMES[by_totals[row]]} by the totals, "
            f"Player {record.player_total[row]} and Banker {record.banker_total[row]}"
        ),
    )
    open_ = known & (record.winner == OPEN)
    record.winner[open_] = by_totals[open_]


def _natural(record: Arrays, tell: Tell) -> None:
    total = np.select(
        [record.winner == PLAYER, record.winner == BANKER], [record.player_total, record.banker_total], OPEN
    )
    tell(
        ~record.full & (record.natural == 1) & (total != OPEN) & (total < 8),
        "natural",
        lambda row: f"a natural of {total[row]}",
    )
    won = ~record.full & (record.natural == 1) & (total >= 8)
    record.player_cards[won], record.banker_cards[won] = 2, 2
