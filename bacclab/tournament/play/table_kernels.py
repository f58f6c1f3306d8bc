"""The compiled player: walks sessions through a transition table, a few nanoseconds a round.

No branch depends on who won: results, next states and running figures are looked up or computed, so the processor has
nothing to guess. Refusals, endings and new shoes are the rare paths.
"""

from __future__ import annotations

from typing import Any

from bacclab.game.codes import CODE_MASK, NEW_SHOE
from bacclab.game.limits import OVER_BANKROLL
from bacclab.kernels import njit
from bacclab.money import MAX_AMOUNT
from bacclab.tournament.ledger import BANKROLL, FIGURES, PLAYING, ROUNDS, SOURCE, STAKED
from bacclab.tournament.play.book_kernels import (
    ending,
    expected_net,
    judge,
    opening,
    post,
    settle_code,
    uncovered,
)

__all__ = ["IDLE", "LAY", "LESS", "OVER", "attend", "play_table"]

CAP, RESET, STOP, SKIP = range(4)
"""The policies for refused bets, in the order of `bacclab.bettors.slip.POLICIES`."""

LAY, IDLE, LESS, OVER = range(4)
"""What a state that needs attention comes to: lay its slip, sit out, lay less than the slip, the session is over."""


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

    Returns (session, round) of the first amount past MAX_AMOUNT, or (-1, -1).
    """
    net_of, commission_of, next_of, idle_of, shoe_of, need_of, expected_of, classes = cells
    stake_of = states[0]
    start, floor, goal, least, policy, checkpoints = terms
    figures_out, rounds_out, shoes_out, refused_out, ended_out, expected_out, bankrolls_out = out
    trace_state, trace_stake, trace_net, trace_commission, trace_bankroll = traces
    overflow = (-1, -1)
    for s in range(codes.shape[0]):
        figures = opening(start)
        traced = s < trace_state.shape[0]
        state, shoes, played, expected = 0, 0, 0, 0.0
        ended = ending(start, floor, goal, least)
        for c in range(checkpoints.shape[0]):
            stop = min(checkpoints[c], lengths[s]) if ended == PLAYING else 0
            for r in range(played, stop):
                code = codes[s, r]
                if code & NEW_SHOE:
                    state = shoe_of[state]
                    shoes += 1
                code &= CODE_MASK
                action, amount = LAY, stake_of[state]
                if need_of[state] > figures[BANKROLL] - floor:
                    action, state, amount = attend(state, figures[BANKROLL], floor, policy, states, refused_out[s])
                    if action == OVER:
                        ended = amount
                        if codes[s, r] & NEW_SHOE:
                            shoes -= 1  # no round of this shoe was played
                        break
                cell = state * classes + class_of[code]
                net, commission, following = net_of[cell], commission_of[cell], next_of[cell]
                mean = expected_of[state]
                if action == LESS:
                    net, commission = settle_code(amount, states[4][state], code, book)
                    mean = expected_net(amount, states[4][state], book)
                elif action == IDLE:
                    net, commission, mean, following = 0, 0, 0.0, idle_of[cell]
                figures = post(figures, amount, net, commission)
                expected += mean
                if traced:
                    trace_state[s, r] = -1 if action == IDLE else state
                    trace_stake[s, r] = amount
                    trace_net[s, r] = net
                    trace_commission[s, r] = commission
                    trace_bankroll[s, r] = figures[BANKROLL]
                state = following
                played = r + 1
                bankroll = figures[BANKROLL]
                if figures[STAKED] > MAX_AMOUNT or bankroll > MAX_AMOUNT:
                    return s, r + 1
                if bankroll - floor < least or bankroll >= goal:
                    ended = ending(bankroll, floor, goal, least)
                    break
            bankrolls_out[c, s] = figures[BANKROLL]
        if ended == PLAYING:
            ended = SOURCE if ran_out[s] else ROUNDS
        for k in range(FIGURES):
            figures_out[s, k] = figures[k]
        rounds_out[s] = played
        shoes_out[s] = shoes
        ended_out[s] = ended
        expected_out[s] = expected
    return overflow
