"""The compiled part of playing by lanes: judge what every lane asks for, settle what was laid."""

from __future__ import annotations

from typing import Any

from bacclab.game.limits import NO_MAIN_BET, OK, OVER_BANKROLL
from bacclab.kernels import njit
from bacclab.money import MAX_AMOUNT
from bacclab.tournament.ledger import BANKROLL, FIGURES, LIMIT, PLAYING, STAKED
from bacclab.tournament.play.book_kernels import (
    ending,
    expected_net,
    judge,
    post,
    settle_code,
    uncovered,
)
from bacclab.tournament.play.table_kernels import CAP, RESET, SKIP, STOP

__all__ = ["judge_lanes", "settle_lanes"]

SETTLED = 9
"""The stage of a lane that needs no (further) asking."""


@njit
def _fit(spots: Any, wanted: Any, laid: Any, lane: Any, bounds: Any, side: Any, needs_main: Any, available: Any, refused: Any) -> Any:
    """`bacclab.bettors.slip.fit` for one lane: fills ``laid``; returns (total wanted, total laid, bets refused)."""
    asked, total, faults, mains, sides = 0, 0, 0, 0, 0
    for k in range(spots.shape[0]):
        bet, stake = spots[k, lane], wanted[k, lane]
        laid[k, lane] = 0
        if bet < 0 or stake == 0:
            continue
        stake = min(stake, MAX_AMOUNT + 1)
        asked += stake
        allowed, reason = judge(stake, bounds[0, bet], bounds[1, bet], bounds[2, bet], available)
        if reason != OK:
            refused[reason - 1] += 1
            faults += 1
        if allowed > 0:
            laid[k, lane] = allowed
            available -= allowed
            total += allowed
            if side[bet]:
                sides += 1
            else:
                mains += 1
    if needs_main and sides > 0 and mains == 0:
        refused[NO_MAIN_BET - 1] += sides
        faults += sides
        total = 0
        for k in range(spots.shape[0]):
            laid[k, lane] = 0
    return asked, total, faults


@njit
def _clear(laid: Any, lane: Any) -> None:
    for k in range(laid.shape[0]):
        laid[k, lane] = 0


@njit
def judge_lanes(
    spots: Any, wanted: Any, laid: Any, stage: Any, figures: Any, ended: Any, terms: Any, refused: Any, scratch: Any
) -> Any:
    """Judge the requests of all lanes that are still asking; returns how many must be reset and asked again.

    ``stage`` of a lane: 0 asked first, 1 asked again after the table refused, 2 after the bankroll refused, 3 after
    both; SETTLED when there is nothing more to ask. The order of judgements is that of the plain way.
    """
    floor, policy, bounds, side, needs_main = terms
    again = 0
    for lane in range(stage.shape[0]):
        at = stage[lane]
        if at == SETTLED:
            continue
        _, total, faults = _fit(spots, wanted, laid, lane, bounds, side, needs_main, 2 * MAX_AMOUNT, refused[lane])
        stage[lane] = SETTLED
        if faults > 0 and policy != CAP:
            _clear(laid, lane)
            if policy == SKIP:
                continue
            if policy == RESET and (at == 0 or at == 2):
                stage[lane] = at + 1
                again += 1
            else:
                ended[lane] = LIMIT
            continue
        bankroll = figures[lane, BANKROLL]
        if total <= bankroll - floor:
            continue
        refused[lane, OVER_BANKROLL - 1] += 1
        if policy == SKIP:
            _clear(laid, lane)
        elif policy == CAP:
            for k in range(laid.shape[0]):
                scratch[k, lane] = laid[k, lane]
            first = 0
            while scratch[first, lane] == 0:
                first += 1
            uncounted = refused[lane].copy()
            _, less, _ = _fit(
                spots, scratch, laid, lane, bounds, side, needs_main, bankroll - floor, uncounted
            )
            if less == 0:
                ended[lane] = uncovered(bounds[0, spots[first, lane]], bankroll, floor)
        elif policy == STOP or at >= 2:
            _clear(laid, lane)
            ended[lane] = uncovered(total, bankroll, floor)
        else:
            _clear(laid, lane)
            stage[lane] = 2
            again += 1
    return again


@njit
def settle_lanes(
    codes: Any, spots: Any, laid: Any, figures: Any, ended: Any, expected: Any, terms: Any, book: Any, out: Any
) -> Any:
    """Settle one round in every lane that is still playing; fills stakes, nets and commissions.

    Returns how many lanes play on, or −1 − lane for the first amount past MAX_AMOUNT.
    """
    floor, goal, least = terms
    staked_out, net_out, commission_out, rounds = out
    playing = 0
    for lane in range(codes.shape[0]):
        staked_out[lane] = 0
        net_out[lane] = 0
        commission_out[lane] = 0
        if ended[lane] != PLAYING:
            continue
        stake, net, commission, mean = 0, 0, 0, 0.0
        for k in range(laid.shape[0]):
            amount = laid[k, lane]
            if amount > 0:
                bet = spots[k, lane]
                one, paid = settle_code(amount, bet, codes[lane], book)
                mean += expected_net(amount, bet, book)
                stake += amount
                net += one
                commission += paid
        f = figures[lane]
        booked = post(
            (f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12], f[13]),
            stake,
            net,
            commission,
        )
        for k in range(FIGURES):
            f[k] = booked[k]
        expected[lane] += mean
        staked_out[lane] = stake
        net_out[lane] = net
        commission_out[lane] = commission
        rounds[lane] += 1
        bankroll = booked[BANKROLL]
        ended[lane] = ending(bankroll, floor, goal, least)
        if ended[lane] == PLAYING:
            playing += 1
            if booked[STAKED] > MAX_AMOUNT or bankroll > MAX_AMOUNT:
                return -1 - lane
    return playing
