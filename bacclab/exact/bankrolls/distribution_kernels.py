"""Compiled: the places that a session can reach, and the probability that flows between them round by round.

A *place* is a state of the bettor with a bankroll before the next round, or an ending with the bankroll it leaves.
Places that do the same (lay the same slip, sit out, end the same way) have the same *row*: row ``slot * states + s``
for state *s*, with the slots below; then a row for each ending after a round; then one for every place that lays less
than its slip.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bacclab.kernels import njit
from bacclab.money import MAX_AMOUNT
from bacclab.tournament.ledger import ENDINGS, PLAYING
from bacclab.tournament.play.book_kernels import ending, expected_net, settle_code
from bacclab.tournament.play.table_kernels import IDLE, LAY, LESS, attend

__all__ = ["CUTS", "SLOTS", "TOO_MANY", "TOO_MUCH", "advance", "connect", "explore", "less_rows"]

LAYS, AGAIN, SITS, ENDS, CUTS, SLOTS = 0, 1, 2, 3, 11, 12
"""Lays its slip; lays the slip of the state after a reset; sits out; ENDS and on: is over, by ending; lays less."""
HOW_MANY = len(ENDINGS)

TOO_MANY, TOO_MUCH = -1, -2
"""What `explore` returns when places do not fit, or a bankroll passes MAX_AMOUNT."""


@njit
def _slot(table: Any, keys: Any, state: Any, bankroll: Any) -> Any:
    """Where a place stands in the hash table, or the empty slot in which it would."""
    mask = np.uint64(table.shape[0] - 1)
    mixed = np.uint64(bankroll) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(state) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(32)
    at = mixed & mask
    while table[at] >= 0 and (keys[table[at], 0] != state or keys[table[at], 1] != bankroll):
        at = (at + np.uint64(1)) & mask
    return at


@njit
def _row(state: Any, bankroll: Any, number: Any, terms: Any, states: Any, store: Any, counters: Any) -> Any:
    """The row of a place at which a session goes on if there is a round left; notes what it is refused."""
    _, floor, _, _, policy = terms
    _, _, _, refused, less_amount, less_state, scratch = store
    scratch[:] = 0
    action, other, amount = attend(state, bankroll, floor, policy, states, scratch)
    slot = ENDS + amount
    if action == LAY:
        slot = LAYS if other == state else AGAIN
    elif action == IDLE:
        slot = SITS
    elif action == LESS:
        slot = CUTS
    row = slot * number + state
    refused[row] = scratch
    if action == LESS:
        k = counters[1]
        less_amount[k], less_state[k] = amount, state
        counters[1] += 1
        row = SLOTS * number + HOW_MANY + k
    return row


@njit
def _arrive(
    state: Any, bankroll: Any, terms: Any, states: Any, table: Any, keys: Any, store: Any, counters: Any
) -> Any:
    """The number of the place that a state with a bankroll is, a new one if need be; or TOO_MANY, TOO_MUCH."""
    _, floor, goal, least, _ = terms
    number = states[0].shape[0]
    over = PLAYING
    if bankroll - floor < least or bankroll >= goal:
        over = ending(bankroll, floor, goal, least)
        state = number + over
    at = _slot(table, keys, state, bankroll)
    if table[at] >= 0:
        return table[at]
    if bankroll > MAX_AMOUNT:
        return TOO_MUCH
    count = counters[0]
    if count == keys.shape[0]:
        return TOO_MANY
    row = SLOTS * number + over
    if over == PLAYING:
        row = _row(state, bankroll, number, terms, states, store, counters)
    keys[count, 0], keys[count, 1], store[0][count] = state, bankroll, row
    table[at] = count
    counters[0] = count + 1
    return count


@njit
def group_of(row: Any, number: Any, reset: Any, less_state: Any) -> Any:
    """The group of branches that follow from a row; -1 for the rows of sessions that are over."""
    if row < AGAIN * number:
        return row
    if row < SITS * number:
        return reset[row - AGAIN * number]
    if row < ENDS * number:
        return number + row - SITS * number
    less = row - SLOTS * number - HOW_MANY
    return 2 * number + less_state[less] if less >= 0 else -1


@njit
def explore(
    start: Any, rounds: Any, branches: Any, states: Any, terms: Any, book: Any, table: Any, keys: Any, store: Any
) -> Any:
    """Find all places that a session can reach within ``rounds`` rounds.

    Fills ``keys`` with the state and the bankroll of each place, and ``store`` with its row, where its targets begin
    (-1: no round leaves it), the targets branch by branch, the refusals by row, amount and state of the rows that lay
    less. ``table`` and the last of ``store`` are room for the search. Returns the places found (TOO_MANY when the room
    is full, TOO_MUCH when a bankroll passes MAX_AMOUNT), the rounds gone through, the targets, and the rows that lay
    less.
    """
    first_branch, net_of, next_of, code_of = branches
    rows, begins, targets, _, less_amount, less_state, _ = store
    number, reset, first_bet = states[0].shape[0], states[3], states[4]
    counters = np.zeros(2, dtype=np.int64)
    _arrive(start, terms[0], terms, states, table, keys, store, counters)
    i, edges = 0, 0
    for r in range(rounds):
        layer = counters[0]
        if i == layer:
            break
        while i < layer:
            begins[i] = -1
            group = group_of(rows[i], number, reset, less_state)
            if group >= 0:
                if edges + first_branch[group + 1] - first_branch[group] > targets.shape[0]:
                    return TOO_MANY, r, edges, counters[1]
                begins[i] = edges
                less = rows[i] - SLOTS * number - HOW_MANY
                for j in range(first_branch[group], first_branch[group + 1]):
                    net = net_of[j]
                    if less >= 0:
                        net, _ = settle_code(less_amount[less], first_bet[less_state[less]], code_of[j], book)
                    place = _arrive(next_of[j], keys[i, 1] + net, terms, states, table, keys, store, counters)
                    if place < 0:
                        return place, r, edges, counters[1]
                    targets[edges] = place
                    edges += 1
            i += 1
    begins[i : counters[0]] = -1
    return counters[0], rounds, edges, counters[1]


@njit
def less_rows(branches: Any, chance: Any, states: Any, book: Any, less_amount: Any, less_state: Any, out: Any) -> None:
    """What the rows that lay less come to on average: chances to win and to lose, commission, expectation."""
    first_branch, _, _, code_of = branches
    number, first_bet = states[0].shape[0], states[4]
    wins, loses, commissions, mean = out
    for k in range(less_amount.shape[0]):
        bet = first_bet[less_state[k]]
        group = 2 * number + less_state[k]
        for j in range(first_branch[group], first_branch[group + 1]):
            net, commission = settle_code(less_amount[k], bet, code_of[j], book)
            wins[k] += chance[j] * (net > 0)
            loses[k] += chance[j] * (net < 0)
            commissions[k] += chance[j] * commission
        mean[k] = expected_net(less_amount[k], bet, book)


@njit
def connect(
    bounds: Any, groups: Any, begins: Any, targets: Any, position: Any, first_branch: Any, chance: Any, runs: Any
) -> Any:
    """Gather the targets of each chunk of places into runs: neighbours that lead to neighbours by the same branch.

    ``bounds`` are the ends of the chunks; places are in the order of their positions, targets still by their old
    numbers. Fills ``runs`` (source, target, length, chance) and returns where the runs of each chunk begin.
    """
    source, target, length, weight = runs
    first = np.zeros(bounds.shape[0], dtype=np.int64)
    count = 0
    for c in range(bounds.shape[0] - 1):
        group = groups[c]
        branches = first_branch[group + 1] - first_branch[group] if group >= 0 else 0
        for j in range(branches):
            k = bounds[c]
            while k < bounds[c + 1]:
                if begins[k] < 0:
                    k += 1
                    continue
                to = position[targets[begins[k] + j]]
                n = 1
                while k + n < bounds[c + 1] and begins[k + n] >= 0 and position[targets[begins[k + n] + j]] == to + n:
                    n += 1
                source[count], target[count], length[count] = k, to, n
                weight[count] = chance[first_branch[group] + j]
                count += 1
                k += n
        first[c + 1] = count
    return first


@njit
def _sum(values: Any, begin: Any, end: Any) -> Any:
    """The sum of some values, in four strands so that the additions need not wait for each other."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = begin + (end - begin) // 4 * 4
    for k in range(begin, whole, 4):
        a += values[k]
        b += values[k + 1]
        c += values[k + 2]
        d += values[k + 3]
    for k in range(whole, end):
        a += values[k]
    return (a + b) + (c + d)


@njit
def advance(first: Any, last: Any, mass: Any, held: Any, chunks: Any, runs: Any, out: Any, least: Any) -> None:
    """Let the rounds first + 1 … last be played: probability flows along the runs.

    ``mass`` (2 × places) holds at ``r % 2`` the probability of each place after *r* rounds; what comes to an ending
    goes to ``held``. Chunks are (bounds, first runs, endings, stakes, expectations); ``out`` is, by round, who plays,
    what is staked and expected, and who has ended in which way; and by chunk, how often it was come to. A chunk whose
    places hold less than ``least`` together is let go.
    """
    bounds, first_run, over, stake, mean = chunks
    source, target, length, weight = runs
    playing, staked, expected, ended, visits = out
    for r in range(first, last):
        now, then = mass[r % 2], mass[(r + 1) % 2]
        for c in range(bounds.shape[0] - 1):
            begin, end = bounds[c], bounds[c + 1]
            total = _sum(now, begin, end)
            if total > least:
                visits[c] += total
                if over[c] == PLAYING:
                    playing[r] += total
                    staked[r] += total * stake[c]
                    expected[r] += total * mean[c]
                    for q in range(first_run[c], first_run[c + 1]):
                        a, b, p = source[q], target[q], weight[q]
                        for k in range(length[q]):
                            then[b + k] += p * now[a + k]
                else:
                    ended[r, over[c]] += total
                    for k in range(begin, end):
                        held[k] += now[k]
            if total > 0:
                for k in range(begin, end):
                    now[k] = 0.0
