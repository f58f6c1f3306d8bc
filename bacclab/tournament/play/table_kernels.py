"""The compiled player: walks sessions through a transition table, a few nanoseconds a round.

No branch depends on who won: results, next states and running figures are looked up or computed, so the processor has
nothing to guess. Refusals, endings and new shoes are the rare paths.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bacclab.game.codes import CODE_MASK, NEW_SHOE
from bacclab.game.limits import OVER_BANKROLL
from bacclab.kernels import njit
from bacclab.tournament.ledger import FIGURES, PLAYING, ROUNDS, SOURCE
from bacclab.tournament.play.book_kernels import (
    ending,
    expected_net,
    judge,
    opening,
    settle_code,
    uncovered,
)
from bacclab.tournament.play.tiles_kernels import TILE, post_tile, too_rich

__all__ = ["IDLE", "LAY", "LESS", "OVER", "attend", "play_table"]

CAP, RESET, STOP, SKIP = range(4)
"""The policies for refused bets, in the order of `bacclab.bettors.slip.POLICIES`."""

LAY, IDLE, LESS, OVER = range(4)
"""What a state that needs attention comes to: lay its slip, sit out, lay less than the slip, the session is over."""

_NOT_PLAYED = -2
"""In place of the state from which a round was played, where the session was over before it."""


@njit
def attend(state: Any, bankroll: Any, floor: Any, policy: Any, states: Any, refused: Any) -> Any:
    """A state whose slip is not simply covered: what to do, the state to do it from, and the ending or the amount."""
    stake, endings, static_refused, reset, first_bet, bounds = states
    for attempt in range(2):
        for reason in range(refused.shape[0]):
            refused[reason] += static_refused[state, reason]
        if endings[state] != PLAYING:
            return OVER, state, int(endings[state])
        wanted = stake[state]
        available = bankroll - floor
        if wanted <= available:
            return LAY, state, wanted
        refused[OVER_BANKROLL - 1] += 1
        if policy == SKIP:
            return IDLE, state, 0
        if policy == CAP:
            bet = first_bet[state]
            allowed, _ = judge(wanted, bounds[0, bet], bounds[1, bet], bounds[2, bet], available)
            if allowed == 0:
                return OVER, state, uncovered(bounds[0, bet], bankroll, floor)
            return LESS, state, allowed
        if policy == STOP or attempt == 1:
            return OVER, state, uncovered(wanted, bankroll, floor)
        state = reset[state]
    return OVER, state, uncovered(0, bankroll, floor)


@njit
def _open(tile: Any, lanes: Any, low: Any, count: Any, start: Any) -> None:
    """Put sessions low, low + 1, … into a tile, each before its first round."""
    session, state, shoes, expected, bankroll = lanes
    figures = opening(start)
    for k in range(count):
        session[k], state[k], shoes[k], expected[k], bankroll[k] = low + k, 0, 0, 0.0, start
        for figure in range(FIGURES):
            tile[figure * TILE + k] = figures[figure]


@njit
def _close(tile: Any, lanes: Any, k: Any, ended: Any, played: Any, checkpoint: Any, out: Any) -> None:
    """Write down session k of a tile, which is over after ``played`` rounds, and carry its bankroll forward."""
    session, _, shoes, expected, bankroll = lanes
    figures_out, rounds_out, shoes_out, _, ended_out, expected_out, bankrolls_out = out
    s = session[k]
    for figure in range(FIGURES):
        figures_out[s, figure] = tile[figure * TILE + k]
    rounds_out[s], shoes_out[s], ended_out[s], expected_out[s] = played, shoes[k], ended, expected[k]
    for c in range(checkpoint, bankrolls_out.shape[0]):
        bankrolls_out[c, s] = bankroll[k]


@njit
def _move(tile: Any, lanes: Any, last: Any, k: Any) -> None:
    """Put the last session of a tile into the place of session k."""
    session, state, shoes, expected, bankroll = lanes
    session[k], state[k], shoes[k] = session[last], state[last], shoes[last]
    expected[k], bankroll[k] = expected[last], bankroll[last]
    for figure in range(FIGURES):
        tile[figure * TILE + k] = tile[figure * TILE + last]


@njit
def play_table(
    codes: Any,
    lengths: Any,
    ran_out: Any,
    class_of: Any,
    cells: Any,
    states: Any,
    book: Any,
    terms: Any,
    out: Any,
    traces: Any,
) -> Any:
    """Play every session of a block; fills the ledger arrays ``out`` and the trace arrays of the first sessions.

    A tile of sessions is played abreast, round by round, so that the processor need not wait for the look-ups of one; a
    session that is over makes room for the last one of its tile. Returns (session, round) of an amount past MAX_AMOUNT,
    or (-1, -1).
    """
    tile = np.empty(FIGURES * TILE, np.int64)
    whole = np.empty((4, TILE), np.int64)
    lanes = whole[0], whole[1], whole[2], np.empty(TILE, np.float64), whole[3]
    rounds, rules = (codes, lengths, ran_out), (class_of, cells, states, book, terms)
    for low in range(0, codes.shape[0], TILE):
        playing = min(TILE, codes.shape[0] - low)
        _open(tile, lanes, low, playing, terms[0])
        session, r = _play_tile(tile, lanes, playing, rounds, rules, out, traces)
        if session >= 0:
            return session, r
    return -1, -1


@njit
def _play_tile(tile: Any, lanes: Any, playing: Any, rounds: Any, rules: Any, out: Any, traces: Any) -> Any:
    """Play the sessions of one tile to their ends; returns as `play_table` does."""
    codes, lengths, ran_out = rounds
    class_of, cells, states, book, terms = rules
    net_of, commission_of, next_of, idle_of, shoe_of, need_of, expected_of, classes = cells
    stake_of = states[0]
    start, floor, goal, least, policy, checkpoints = terms
    ends = floor, goal, least
    refused_out, bankrolls_out = out[3], out[6]
    session, state, shoes, expected, bankroll = lanes
    whole = np.empty((5, TILE), np.int64)
    stake, net, commission, acted, over = whole[0], whole[1], whole[2], whole[3], whole[4]
    traced = session[0] < traces[0].shape[0]
    checkpoint, r, shortest = 0, 0, 0
    if ending(start, floor, goal, least) != PLAYING:
        for k in range(playing):
            _close(tile, lanes, k, ending(start, floor, goal, least), 0, 0, out)
        playing = 0
    while playing > 0:
        while checkpoint < checkpoints.shape[0] and checkpoints[checkpoint] <= r:
            for k in range(playing):
                bankrolls_out[checkpoint, session[k]] = bankroll[k]
            checkpoint += 1
        if r >= shortest:
            playing, shortest = _end_at_horizon(tile, lanes, playing, r, checkpoint, lengths, ran_out, out)
        ending_now, column = False, np.uint64(r)
        for i in range(playing):
            lane = np.uint64(i)  # without a sign: else every index is looked at for being negative
            code = codes[np.uint64(session[lane]), column]
            at = np.uint64(state[lane])
            fresh = code & NEW_SHOE != 0
            if fresh:
                at = np.uint64(shoe_of[at])
                shoes[lane] += 1
            code &= CODE_MASK
            action, amount = LAY, stake_of[at]
            if need_of[at] > bankroll[lane] - floor:
                action, kept, amount = attend(
                    np.int64(at), bankroll[lane], floor, policy, states, refused_out[session[lane]]
                )
                at = np.uint64(kept)
                if action == OVER:
                    shoes[lane] -= fresh  # no round of this shoe was played
                    over[lane], acted[lane] = amount, _NOT_PLAYED
                    ending_now = True
                    stake[lane], net[lane], commission[lane] = 0, 0, 0
                    continue
            cell = at * np.uint64(classes) + np.uint64(class_of[np.uint64(code)])
            won, paid, following, mean = net_of[cell], commission_of[cell], next_of[cell], expected_of[at]
            if action == LESS:
                won, paid = settle_code(amount, states[4][at], code, book)
                mean = expected_net(amount, states[4][at], book)
            elif action == IDLE:
                won, paid, mean, following = 0, 0, 0.0, idle_of[cell]
            stake[lane], net[lane], commission[lane] = amount, won, paid
            expected[lane] += mean
            state[lane] = following
            over[lane], acted[lane] = PLAYING, -1 if action == IDLE else np.int64(at)
        special = post_tile(tile, bankroll, stake[:playing], net, commission, ends)
        if traced:
            _trace(r, playing, session, bankroll, stake, net, commission, acted, traces)
        if special or ending_now:
            for k in range(playing - 1, -1, -1):
                if too_rich(tile, k):
                    return session[k], r + 1
                ended = over[k] if over[k] != PLAYING else ending(bankroll[k], floor, goal, least)
                if ended != PLAYING:
                    _close(tile, lanes, k, ended, r + (over[k] == PLAYING), checkpoint, out)
                    playing -= 1
                    _move(tile, lanes, playing, k)
        r += 1
    return -1, -1


@njit
def _end_at_horizon(
    tile: Any, lanes: Any, playing: Any, r: Any, checkpoint: Any, lengths: Any, ran_out: Any, out: Any
) -> Any:
    """Close the sessions that have no round r; returns how many play on and the length of the shortest of these."""
    session = lanes[0]
    shortest = 2**62
    for k in range(playing - 1, -1, -1):
        if lengths[session[k]] <= r:
            _close(tile, lanes, k, SOURCE if ran_out[session[k]] else ROUNDS, r, checkpoint, out)
            playing -= 1
            _move(tile, lanes, playing, k)
        else:
            shortest = min(shortest, lengths[session[k]])
    return playing, shortest


@njit
def _trace(
    r: Any, playing: Any, session: Any, bankroll: Any, stake: Any, net: Any, commission: Any, acted: Any, traces: Any
) -> None:
    """Write down the round of those sessions of a tile that are in the sample."""
    trace_state, trace_stake, trace_net, trace_commission, trace_bankroll = traces
    for k in range(playing):
        s = session[k]
        if s < trace_state.shape[0] and acted[k] != _NOT_PLAYED:
            trace_state[s, r] = acted[k]
            trace_stake[s, r] = stake[k]
            trace_net[s, r] = net[k]
            trace_commission[s, r] = commission[k]
            trace_bankroll[s, r] = bankroll[k]
