"""How many ordered sequences of six cards lead to each round code, for any shoe, in whole numbers.

The four cards of both hands are grouped into *starts*: the values of each hand and the pair state. How many ordered
deals make a start follows in closed form from the counts of the shoe. The fifth and sixth card matter by their value
only, so a start has 100 continuations, and to which code each leads does not depend on the shoe: that is laid out once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.game.codes import CODES, PAIR_STATES, VALUES, deal_cells, pair_state_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_CARDS: Final = 1448
"""The largest shoe whose sequences of six cards can be counted in 64 bits (27 decks)."""

_PAIRS: Final = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class _Starts:
    """All starts, row by row; the four groups of rows follow each other (see `_weights`)."""

    player: NDArray[np.int64]
    """Values of Player's two cards, [rows, 2], the lower one first."""
    banker: NDArray[np.int64]
    player_pair: NDArray[np.int64]
    banker_pair: NDArray[np.int64]
    state: NDArray[np.int64]
    used: NDArray[np.int64]
    """How many cards of each value the four cards are, [rows, 10]."""
    codes: NDArray[np.int64]
    """The round code after each continuation, [rows, 100]: fifth value * 10 + sixth value."""


@cache
def _starts() -> _Starts:
    hands = tuple(combinations_with_replacement(range(10), 2))
    rows = []
    for player in hands:
        for banker in hands:
            # Two cards of one value other than 0 are of one rank; only 0 (10, J, Q, K) has unpaired equals.
            player_pairs = _PAIRS[player[0] > 0 :] if player[0] == player[1] else _PAIRS[:1]
            banker_pairs = _PAIRS[banker[0] > 0 :] if banker[0] == banker[1] else _PAIRS[:1]
            for player_pair in player_pairs:
                for banker_pair in banker_pairs:
                    paired_alike = player == banker and player_pair > 0 and banker_pair > 0
                    if not paired_alike or player[0] == 0:
                        rows.append((*player, *banker, player_pair, banker_pair, False))
                    if paired_alike:
                        rows.append((*player, *banker, player_pair, banker_pair, True))
    table = np.array(rows, np.int64)
    pairs = table[:, 4:7]
    states = np.array([pair_state_of(p, b, same_rank=bool(same)) for p, b, same in pairs.tolist()], np.int64)
    totals = table[:, :2].sum(axis=1) % 10 * 10 + table[:, 2:4].sum(axis=1) % 10
    return _Starts(
        player=table[:, :2],
        banker=table[:, 2:4],
        player_pair=pairs[:, 0],
        banker_pair=pairs[:, 1],
        state=states,
        used=(table[:, :4, None] == np.arange(10)).sum(axis=1),
        codes=deal_cells().reshape(100, 100)[totals].astype(np.int64) * PAIR_STATES + states[:, None],
    )


@cache
def start_rows() -> NDArray[np.int64]:
    """The starts in which every pair is called suited, for compiled code, int64[rows, 6].

    The values of both hands, then 1 for a pair of Player and of Banker, or 2 and 2 for pairs of one rank.
    """
    starts = _starts()
    same = starts.state >= 9
    merged = (starts.player_pair != 1) & (starts.banker_pair != 1)
    pairs = np.stack([starts.player_pair // 2 + same, starts.banker_pair // 2 + same], axis=1)
    return np.ascontiguousarray(np.concatenate([starts.player, starts.banker, pairs], axis=1)[merged])


@dataclass(frozen=True, slots=True)
class _Ends:
    """How the starts go on with one number of cards, sorted by the code in which they end."""

    fifth: NDArray[np.int64]
    """Row of the start * 10 + value of the fifth card."""
    sixth: NDArray[np.int64]
    alike: NDArray[np.int64]
    """1 where the sixth card is of the value of the fifth."""
    codes: NDArray[np.int64]
    first: NDArray[np.int64]
    """Where each of `codes` begins."""


@cache
def _ends() -> tuple[_Ends, _Ends, _Ends]:
    """The ends of rounds of four, five and six cards."""
    codes = _starts().codes
    row, follow = np.divmod(np.arange(codes.size), 100)
    fifth, sixth = np.divmod(follow, 10)
    cell = codes.ravel() // PAIR_STATES
    cards = 4 + (cell & 1) + (cell >> 1 & 1)
    used = ((cards == 4) & (follow == 0), (cards == 5) & (sixth == 0), cards == 6)
    return tuple(_sorted_ends(codes.ravel()[own], row[own], fifth[own], sixth[own]) for own in used)  # type: ignore[return-value]


def _sorted_ends(
    codes: NDArray[np.int64], row: NDArray[np.int64], fifth: NDArray[np.int64], sixth: NDArray[np.int64]
) -> _Ends:
    order = np.argsort(codes, kind="stable")
    found, first = np.unique(codes[order], return_index=True)
    alike = (fifth == sixth)[order].astype(np.int64)
    return _Ends((row * 10 + fifth)[order], (row * 10 + sixth)[order], alike, found, first)


def count_codes(
    suits: NDArray[np.int64], *, player_two: int | None = None, banker_two: int | None = None
) -> NDArray[np.int64]:
    """The number of ordered sequences of six cards for each round code, int64[CODES].

    `suits` int64[ranks, suits] holds the cards of the shoe, at most `MAX_CARDS`. With a single column, int64[13, 1],
    suits are not told apart: every pair counts as suited. `player_two` and `banker_two` count only the sequences in
    which that side has that total with its first two cards.

    >>> counts = count_codes(np.full((13, 4), 8))
    >>> int(counts.sum())
    4998398275503360
    """
    starts = _starts()
    values = np.zeros(10, np.int64)
    np.add.at(values, np.array(VALUES), suits.sum(axis=1))
    left = values - starts.used
    weights = _weights(suits, values)
    for total, hand in ((player_two, starts.player), (banker_two, starts.banker)):
        if total is not None:
            weights = weights * (hand.sum(axis=1) % 10 == total)
    after = int(values.sum()) - 4
    fifths = (weights[:, None] * left).ravel()
    four, five, six = _ends()
    counts = np.zeros(CODES, np.int64)
    counts[four.codes] += np.add.reduceat(weights.take(four.fifth // 10), four.first) * (after * (after - 1))
    counts[five.codes] += np.add.reduceat(fifths.take(five.fifth), five.first) * (after - 1)
    sixths = left.ravel().take(six.sixth)
    sixths -= six.alike
    sixths *= fifths.take(six.fifth)
    counts[six.codes] += np.add.reduceat(sixths, six.first)
    return counts


def _weights(suits: NDArray[np.int64], values: NDArray[np.int64]) -> NDArray[np.int64]:
    """In how many orders the four cards of each start can be dealt.

    A hand of two values a < b has 2 orders and no pair; a hand of equal values takes its number of ordered deals from
    `_hand_counts`. If both hands are of one and the same value, the two depend on each other: `_double_counts`.
    """
    starts = _starts()
    (a, b), (c, d) = starts.player.T, starts.banker.T
    player_equal, banker_equal = a == b, c == d
    hands = _hand_counts(suits)
    left_c, left_d = values[c] - (c == a) - (c == b), values[d] - (d == a) - (d == b)
    left_a, left_b = values[a] - (a == c) - (a == d), values[b] - (b == c) - (b == d)
    player_hands, banker_hands = hands[a, starts.player_pair], hands[c, starts.banker_pair]
    weights: NDArray[np.int64] = np.where(player_equal, player_hands, 2 * values[a] * values[b])
    weights = weights * np.where(banker_equal, banker_hands, 2 * left_c * left_d)
    # Banker's equal pair beside unequal cards of Player: count Banker's hand first.
    weights = np.where(banker_equal & ~player_equal, banker_hands * 2 * left_a * left_b, weights)
    alike = player_equal & banker_equal & (a == c)
    weights[alike] = _double_counts(suits)[a[alike], starts.state[alike]]
    return weights


def _hand_counts(suits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ordered deals of two cards of one value: [10 values, no pair / pair / suited pair]."""
    ranks = suits.sum(axis=1)
    suited = (suits * (suits - 1)).sum(axis=1)
    paired = ranks * (ranks - 1) - suited
    counts = np.zeros((10, 3), np.int64)
    np.add.at(counts, np.array(VALUES), np.stack([np.zeros_like(ranks), paired, suited], axis=1))
    tens = int(ranks[9:].sum())
    counts[0, 0] = tens * (tens - 1) - counts[0, 1] - counts[0, 2]
    return counts


def _double_counts(suits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Ordered deals of four cards of one value, two to Player and two to Banker: [10 values, 13 pair states]."""
    ranks = suits.sum(axis=1)
    suited = suits * (suits - 1)
    # One rank on both sides: both suited (in two suits or one), one side suited, none.
    both = suited.sum(axis=1) ** 2 - (suited**2).sum(axis=1) + (suited * (suits - 2) * (suits - 3)).sum(axis=1)
    one = suited.sum(axis=1) * (ranks - 2) * (ranks - 3) - both
    none = ranks * (ranks - 1) * (ranks - 2) * (ranks - 3) - both - 2 * one
    counts = np.zeros((10, PAIR_STATES), np.int64)
    for rank, value in enumerate(VALUES):
        counts[value, 9:] += np.array([none[rank], one[rank], one[rank], both[rank]])
    tens = suits[9:]
    kinds = np.stack([ranks[9:] * (ranks[9:] - 1) - suited[9:].sum(axis=1), suited[9:].sum(axis=1)], axis=1)
    # Pairs of two different ranks worth 0.
    across = kinds.sum(axis=0)[:, None] * kinds.sum(axis=0) - (kinds[:, :, None] * kinds[:, None, :]).sum(axis=0)
    counts[0, [4, 5, 7, 8]] = across.ravel()
    # A pair on one side, two different ranks on the other.
    total = int(tens.sum())
    equal_elsewhere = (ranks[9:] * (ranks[9:] - 1)).sum() - ranks[9:] * (ranks[9:] - 1)
    equal_here = (ranks[9:] - 2) * (ranks[9:] - 3)
    single = (kinds * ((total - 2) * (total - 3) - equal_elsewhere - equal_here)[:, None]).sum(axis=0)
    counts[0, [1, 2]] = counts[0, [3, 6]] = single
    counts[0, 0] = total * (total - 1) * (total - 2) * (total - 3) - counts[0, 1:].sum()
    return counts
