"""The round code: everything that a bet can depend on, in one small number.

    code = cell * 13 + pair state
    cell = (player_total * 10 + banker_total) * 4 + (player_cards - 2) * 2 + (banker_cards - 2)
    pair state = player_pair * 3 + banker_pair          when the two pairs are not of one rank (0-8)
               = 9 + (player_pair - 1) * 2 + (banker_pair - 1)     when they are               (9-12)

A pair is told by the first two cards of a side, whether or not a third one is drawn. A *suited* pair is two equal
cards of different decks. The dealer emits codes as uint16, with `NEW_SHOE` set on the first round of a shoe.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from bacclab.game import tableau

if TYPE_CHECKING:
    from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

RANKS: Final = 13
"""Ranks of a deck in the order A, 2, ... 10, J, Q, K; a card is rank * 4 + suit, 0 to 51."""

SUITS: Final = 4

RANK_NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

VALUES: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
"""The value of each rank."""

PAIR_STATES: Final = 13
CELLS: Final = 400
CODES: Final = CELLS * PAIR_STATES
CODE_MASK: Final = 0x1FFF
NEW_SHOE: Final = 0x8000


class Outcome(StrEnum):
    """The result of a round; `tuple(Outcome)[outcomes()[code]]` is the outcome of a code."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Pair(IntEnum):
    """What the first two cards of a side are: of different ranks, of one rank, or equal in rank and suit."""

    NONE = 0
    PAIR = 1
    SUITED = 2


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round, as far as a bet can depend on it.

    >>> six = Round(player_total=4, banker_total=6, player_cards=3, banker_cards=3)
    >>> six.outcome, six.margin, six.natural, six.cards
    (<Outcome.BANKER: 'banker'>, 2, False, 6)
    >>> decode(six.code) == six
    True
    """

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int
    player_pair: Pair = Pair.NONE
    banker_pair: Pair = Pair.NONE
    same_rank: bool = False
    """Both sides have a pair, and of one rank."""

    @property
    def outcome(self) -> Outcome:
        """Who won."""
        if self.player_total > self.banker_total:
            return Outcome.PLAYER
        return Outcome.BANKER if self.banker_total > self.player_total else Outcome.TIE

    @property
    def margin(self) -> int:
        """Total of the winner minus total of the loser; 0 for a tie."""
        return abs(self.player_total - self.banker_total)

    @property
    def player_natural(self) -> bool:
        """Player has 8 or 9 with two cards."""
        return self.player_cards == 2 and self.player_total in tableau.NATURALS

    @property
    def banker_natural(self) -> bool:
        """Banker has 8 or 9 with two cards."""
        return self.banker_cards == 2 and self.banker_total in tableau.NATURALS

    @property
    def natural(self) -> bool:
        """A side has a natural."""
        return self.player_natural or self.banker_natural

    @property
    def cards(self) -> int:
        """Cards used by the round, 4 to 6."""
        return self.player_cards + self.banker_cards

    @property
    def code(self) -> int:
        """The round code."""
        return encode(
            cell_of(self.player_total, self.banker_total, self.player_cards, self.banker_cards),
            pair_state_of(self.player_pair, self.banker_pair, same_rank=self.same_rank),
        )


def cell_of(player_total: int, banker_total: int, player_cards: int, banker_cards: int) -> int:
    """The cell of totals and numbers of cards, 0 to 399.

    >>> cell_of(4, 6, 3, 3)
    187
    """
    return (player_total * 10 + banker_total) * 4 + (player_cards - 2) * 2 + (banker_cards - 2)


def pair_state_of(player_pair: int, banker_pair: int, *, same_rank: bool) -> int:
    """The state of both pairs, 0 to 12.

    >>> pair_state_of(Pair.PAIR, Pair.SUITED, same_rank=False), pair_state_of(Pair.PAIR, Pair.SUITED, same_rank=True)
    (5, 10)
    """
    if same_rank:
        return 9 + (player_pair - 1) * 2 + (banker_pair - 1)
    return player_pair * 3 + banker_pair


def encode(cell: int, pair_state: int) -> int:
    """The round code of a cell and a pair state.

    >>> encode(cell_of(4, 6, 3, 3), 0)
    2431
    """
    return cell * PAIR_STATES + pair_state


@cache
def decode(code: int) -> Round:
    """The round of a code; the `NEW_SHOE` flag must have been masked off.

    >>> decode(2431)
    Round(player_total=4, banker_total=6, player_cards=3, banker_cards=3, player_pair=<Pair.NONE: 0>,
          banker_pair=<Pair.NONE: 0>, same_rank=False)
    """
    if not 0 <= code < CODES:
        raise ValueError(f"not a round code: {code} (0 to {CODES - 1})")
    cell, state = divmod(code, PAIR_STATES)
    totals, cards = divmod(cell, 4)
    same_rank = state >= 9
    player_pair, banker_pair = divmod(state - 9, 2) if same_rank else divmod(state, 3)
    return Round(
        player_total=totals // 10,
        banker_total=totals % 10,
        player_cards=2 + cards // 2,
        banker_cards=2 + cards % 2,
        player_pair=Pair(player_pair + same_rank),
        banker_pair=Pair(banker_pair + same_rank),
        same_rank=same_rank,
    )


@cache
def outcomes() -> NDArray[np.uint8]:
    """The outcome of each code as its place in `Outcome`: 0 player, 1 banker, 2 tie (uint8, read-only).

    >>> outcomes()[[0, 13 * 4, 13 * 40]].tolist()
    [2, 1, 0]
    """
    totals = np.arange(CODES) // PAIR_STATES // 4
    player, banker = totals // 10, totals % 10
    return _read_only(np.select([player > banker, player < banker], [0, 1], 2).astype(np.uint8))


@cache
def deal_cells() -> NDArray[np.uint16]:
    """The cell for every start of a round: index player_two*1000 + banker_two*100 + fifth*10 + sixth (values).

    >>> decode(int(deal_cells()[4_0 + 0]) * 13).cards, int(deal_cells()[9_300 + 12]) == cell_of(9, 3, 2, 2)
    (6, True)
    """
    cells = np.empty(10_000, np.uint16)
    for index in range(10_000):
        player_two, banker_two, fifth, sixth = index // 1000, index // 100 % 10, index // 10 % 10, index % 10
        cells[index] = cell_of(*tableau.coup(player_two, banker_two, fifth, sixth))
    return _read_only(cells)


@cache
def pair_states() -> NDArray[np.uint8]:
    """The pair state at index player_pair*3 + banker_pair + 9*same_rank (18 entries, uint8).

    Where same_rank is set although a side has no pair, the flag means nothing and is ignored.

    >>> pair_states().tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 1, 2, 3, 9, 10, 6, 11, 12]
    """
    states = [
        pair_state_of(player, banker, same_rank=same_rank and player > 0 and banker > 0)
        for same_rank in (False, True)
        for player in range(3)
        for banker in range(3)
    ]
    return _read_only(np.array(states, np.uint8))


@cache
def possible_codes() -> NDArray[np.bool_]:
    """Which codes can occur in a round from some shoe of several decks (bool, read-only).

    >>> bool(possible_codes()[Round(9, 6, 3, 2, Pair.PAIR).code]), bool(possible_codes()[Round(9, 1, 3, 2).code])
    (True, False)
    """
    possible = np.zeros(CODES, bool)
    cells = deal_cells().reshape(10, 10, 100)
    ways = {total: np.unique(cells[total // 10, total % 10]) for total in range(100)}
    hands = {(VALUES[a] + VALUES[b], a if a == b else -1) for a in range(RANKS) for b in range(RANKS)}
    hands = {(total % 10, rank) for total, rank in hands}
    for player_two, player_rank in hands:
        for banker_two, banker_rank in hands:
            same_rank = player_rank == banker_rank >= 0
            for player_pair in (1, 2) if player_rank >= 0 else (0,):
                for banker_pair in (1, 2) if banker_rank >= 0 else (0,):
                    state = pair_state_of(player_pair, banker_pair, same_rank=same_rank)
                    possible[ways[player_two * 10 + banker_two].astype(np.int64) * PAIR_STATES + state] = True
    return _read_only(possible)


def _read_only(array: NDArray[Scalar]) -> NDArray[Scalar]:
    array.setflags(write=False)
    return array
