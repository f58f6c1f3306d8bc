"""Compiled: exact odds of many compositions, one after the other.

All sums are of whole numbers held in floats. Up to eight decks the number of ordered sequences of six cards, 5.0e15, is
below 2**53, so every sum is exact; beyond, each is right to a few parts in 10^16.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bacclab.kernels import njit

# Merged pair states, every pair called suited: none, Banker, Player, both, both of one rank.
NO_PAIR = 0
BANKER_PAIR = 1
PLAYER_PAIR = 2
BOTH_PAIRS = 3
SAME_RANK = 4


@njit
def _start_totals(
    values: NDArray[np.float64], players: int, bankers: int, after: NDArray[np.float64], starts: NDArray[np.float64]
) -> None:
    """Ordered deals of four cards by the two totals: starts[player, banker] for totals below `players`, `bankers`.

    Two pairs of cards are dealt independently, and those that share a card are taken away again; after[a, t] is the
    number of cards that make a total of t with a given card of value a.
    """
    for a in range(10):
        for t in range(10):
            after[a, t] = values[(t - a) % 10]
        after[a, (2 * a) % 10] -= 1.0
    for p in range(players):
        twos = 0.0
        for b in range(bankers):
            starts[p, b] = 0.0
        for a in range(10):
            first = values[a] * after[a, p]
            twos += first
            for b in range(bankers):
                starts[p, b] -= 4.0 * first * after[a, b]
        for b in range(bankers):
            others = 0.0
            for a in range(10):
                others += values[a] * after[a, b]
            starts[p, b] += twos * others
        if p < bankers:
            starts[p, p] += 2.0 * twos


@njit
def cell_sequences(
    ranks: NDArray[np.int64], cells: NDArray[np.uint16], sequences: NDArray[np.float64], work: NDArray[np.float64]
) -> float:
    """Ordered sequences of six cards by cell, into sequences[400]; gives the number of all.

    `cells` is `deal_cells()`; `work` float64[21, 10] is room for sums.
    """
    values, after, starts = work[0], work[1:11], work[11:21]
    values[:] = 0.0
    total = 0.0
    for rank in range(13):
        values[rank + 1 if rank < 9 else 0] += ranks[rank]
        total += ranks[rank]
    sequences[:] = 0.0
    _start_totals(values, 10, 10, after, starts)
    rest = (total - 4.0) * (total - 5.0)
    for p in range(10):
        for b in range(10):
            cell = cells[p * 1000 + b * 100]
            if cell & 3 == 0:
                sequences[cell] += starts[p, b] * rest
    for fifth in range(10):
        ways = values[fifth]
        if ways <= 0.0:
            continue
        values[fifth] -= 1.0
        _start_totals(values, 8, 8, after, starts)
        for p in range(8):
            for b in range(8):
                cell = cells[p * 1000 + b * 100 + fifth * 10]
                if cell & 3 == 1 or cell & 3 == 2:
                    sequences[cell] += starts[p, b] * ways * (total - 5.0)
        for sixth in range(fifth, 10):
            both = ways * values[sixth]
            if both <= 0.0:
                continue
            values[sixth] -= 1.0
            _start_totals(values, 6, 7, after, starts)
            for p in range(6):
                for b in range(7):
                    number = starts[p, b] * both
                    cell = cells[p * 1000 + b * 100 + fifth * 10 + sixth]
                    if cell & 3 == 3:
                        sequences[cell] += number
                    cell = cells[p * 1000 + b * 100 + sixth * 10 + fifth]
                    if fifth != sixth and cell & 3 == 3:
                        sequences[cell] += number
            values[sixth] += 1.0
        values[fifth] += 1.0
    return total * (total - 1.0) * (total - 2.0) * (total - 3.0) * rest


@njit
def pair_chances(ranks: NDArray[np.int64], chances: NDArray[np.float64]) -> None:
    """Chances of the five merged pair states."""
    cards, pairs, squares, fours = 0.0, 0.0, 0.0, 0.0
    for rank in range(13):
        held = float(ranks[rank])
        pair = held * (held - 1.0)
        cards += held
        pairs += pair
        squares += pair * pair
        fours += pair * (held - 2.0) * (held - 3.0)
    deals = cards * (cards - 1.0) * (cards - 2.0) * (cards - 3.0)
    apart = pairs * pairs - squares
    single = pairs * (cards - 2.0) * (cards - 3.0) - apart - fours
    chances[BANKER_PAIR] = chances[PLAYER_PAIR] = single / deals
    chances[BOTH_PAIRS] = apart / deals
    chances[SAME_RANK] = fours / deals
    chances[NO_PAIR] = (deals - 2.0 * single - apart - fours) / deals


@njit
def _single_value(ranks: NDArray[np.int64], twos: NDArray[np.float64], fours: NDArray[np.float64]) -> None:
    """Ordered deals of cards of one value: two cards by pair, twos[10, 2]; four by merged state, fours[10, 5]."""
    twos[:] = 0.0
    fours[:] = 0.0
    tens, squares = 0.0, 0.0
    for rank in range(13):
        value = rank + 1 if rank < 9 else 0
        held = float(ranks[rank])
        pair = held * (held - 1.0)
        twos[value, 1] += pair
        fours[value, SAME_RANK] += pair * (held - 2.0) * (held - 3.0)
        if value == 0:
            tens += held
            squares += pair * pair
    twos[0, 0] = tens * (tens - 1.0) - twos[0, 1]
    fours[0, BOTH_PAIRS] = twos[0, 1] * twos[0, 1] - squares
    single = 0.0
    for rank in range(9, 13):
        held = float(ranks[rank])
        pair = held * (held - 1.0)
        elsewhere = twos[0, 1] - pair + (held - 2.0) * (held - 3.0)
        single += pair * ((tens - 2.0) * (tens - 3.0) - elsewhere)
    fours[0, BANKER_PAIR] = fours[0, PLAYER_PAIR] = single
    fours[0, NO_PAIR] = (
        tens * (tens - 1.0) * (tens - 2.0) * (tens - 3.0) - fours[0, BOTH_PAIRS] - fours[0, SAME_RANK] - 2.0 * single
    )


@njit
def merged_sequences(
    ranks: NDArray[np.int64], cells: NDArray[np.uint16], starts: NDArray[np.int64], sequences: NDArray[np.float64]
) -> float:
    """Ordered sequences of six cards by cell and merged pair state, into sequences[400, 5]; gives the number of all.

    `starts` int64[rows, 6]: the values of both hands and the pairs of Player and Banker (0, 1; 2: of one rank).
    """
    twos, fours = np.empty((10, 2)), np.empty((10, 5))
    _single_value(ranks, twos, fours)
    values = np.zeros(10)
    total = 0.0
    for rank in range(13):
        values[rank + 1 if rank < 9 else 0] += ranks[rank]
        total += ranks[rank]
    sequences[:] = 0.0
    for row in range(starts.shape[0]):
        a, b, c, d = starts[row, 0], starts[row, 1], starts[row, 2], starts[row, 3]
        player_pair, banker_pair = starts[row, 4], starts[row, 5]
        state = SAME_RANK if player_pair == 2 else 2 * player_pair + banker_pair
        if a == b and c == d:
            ways = fours[a, state] if a == c else twos[a, player_pair] * twos[c, banker_pair]
        elif a == b:
            ways = twos[a, player_pair] * 2.0
            ways *= (values[c] - 2.0 * (c == a)) * (values[d] - 2.0 * (d == a))
        elif c == d:
            ways = twos[c, banker_pair] * 2.0
            ways *= (values[a] - 2.0 * (a == c)) * (values[b] - 2.0 * (b == c))
        else:
            ways = 4.0 * values[a] * values[b]
            ways *= (values[c] - (c == a) - (c == b)) * (values[d] - (d == a) - (d == b))
        if ways <= 0.0:
            continue
        start = (a + b) % 10 * 1000 + (c + d) % 10 * 100
        if cells[start] & 3 == 0:
            sequences[cells[start], state] += ways * (total - 4.0) * (total - 5.0)
            continue
        for card in (a, b, c, d):
            values[card] -= 1.0
        for fifth in range(10):
            five = ways * values[fifth]
            if five <= 0.0:
                continue
            cell = cells[start + fifth * 10]
            if cell & 3 != 3:
                sequences[cell, state] += five * (total - 5.0)
                continue
            values[fifth] -= 1.0
            for sixth in range(10):
                sequences[cells[start + fifth * 10 + sixth], state] += five * values[sixth]
            values[fifth] += 1.0
        for card in (a, b, c, d):
            values[card] += 1.0
    return total * (total - 1.0) * (total - 2.0) * (total - 3.0) * (total - 4.0) * (total - 5.0)


@njit
def merged_chances(
    counts: NDArray[np.int64], cells: NDArray[np.uint16], starts: NDArray[np.int64], chances: NDArray[np.float64]
) -> None:
    """Chances by cell and merged pair state of each composition, into chances[n, 400, 5]."""
    for n in range(counts.shape[0]):
        total = merged_sequences(counts[n], cells, starts, chances[n])
        chances[n] /= total


@njit
def returns(
    counts: NDArray[np.int64],
    cells: NDArray[np.uint16],
    starts: NDArray[np.int64],
    kind: NDArray[np.int64],
    net: NDArray[np.float64],
    expected: NDArray[np.float64],
) -> None:
    """The mean result of one unit on each bet for each composition, into expected[n, B].

    `kind[bet]`: 0 if the net result depends on the cell alone, 1 if on the pairs alone, 2 if on both;
    `net` float64[B, 400, 5] by cell and merged pair state.
    """
    bets = kind.shape[0]
    sequences, work, states = np.empty(400), np.empty((21, 10)), np.empty(5)
    joint = np.empty((400, 5))
    by_cell, by_both = False, False
    for bet in range(bets):
        by_cell |= kind[bet] == 0
        by_both |= kind[bet] == 2
    cell_net = np.zeros((bets, 400))
    for bet in range(bets):
        cell_net[bet] = net[bet, :, 0]
    for n in range(counts.shape[0]):
        pair_chances(counts[n], states)
        total = cell_sequences(counts[n], cells, sequences, work) if by_cell else 1.0
        all_of_both = merged_sequences(counts[n], cells, starts, joint) if by_both else 1.0
        for bet in range(bets):
            mean = 0.0
            if kind[bet] == 0:
                for cell in range(400):
                    mean += cell_net[bet, cell] * sequences[cell]
                mean /= total
            elif kind[bet] == 1:
                for state in range(5):
                    mean += net[bet, 0, state] * states[state]
            else:
                for cell in range(400):
                    for state in range(5):
                        mean += net[bet, cell, state] * joint[cell, state]
                mean /= all_of_both
            expected[n, bet] = mean
