"""The compiled part of playing by lanes: judge what every lane asks for, settle what was laid."""

from __future__ import annotations

from typing import Any

import numpy as np

from bacclab.bettors.slip import UNLIMITED
from bacclab.game.codes import CODE_MASK, NEW_SHOE
from bacclab.game.limits import NO_MAIN_BET, OK, OVER_BANKROLL
from bacclab.kernels import njit
from bacclab.money import CENT, MAX_AMOUNT
from bacclab.tournament.ledger import LIMIT, PLAYING
from bacclab.tournament.play.book_kernels import (
    ending,
    expected_net,
    judge,
    settle_bet,
    uncovered,
)
from bacclab.tournament.play.table_kernels import CAP, RESET, SKIP, STOP
from bacclab.tournament.play.tiles_kernels import TILE, post_tile, too_rich

__all__ = ["by_round", "judge_lanes", "lay_lanes", "sound"]

SETTLED = 9
"""The stage of a lane that needs no (further) asking."""
ASKING = 0
"""The stage of a lane whose request is judged for the first time."""


@njit
def by_round(codes: Any) -> Any:
    """The codes of a block (sessions × rounds) turned round by round, without flags, and where a shoe begins."""
    sessions, width = codes.shape
    turned, begins = np.empty((width, sessions), np.uint16), np.empty((width, sessions), np.bool_)
    flat = codes.ravel()
    for low in range(0, sessions, TILE):
        for left in range(0, width, 32):  # 32 codes fill a line of the cache
            for r in range(left, min(left + 32, width)):
                row, row_begins = turned[r], begins[r]
                for s in range(low, min(low + TILE, sessions)):
                    code = flat[np.uint64(s * width + r)]
                    row[np.uint64(s)] = code & CODE_MASK
                    row_begins[np.uint64(s)] = code & NEW_SHOE != 0
    return turned, begins


@njit
def sound(spots: Any, wanted: Any, bets: Any) -> Any:
    """Whether every index is that of a bet or −1, and whether no stake is below zero."""
    indexed, covered = True, True
    for k in range(spots.shape[0]):
        for lane in range(spots.shape[1]):
            indexed &= (spots[k, lane] >= -1) & (spots[k, lane] < bets)
            covered &= wanted[k, lane] >= 0
    return indexed, covered


@njit
def _fit(lane: Any, available: Any, count: Any, spots: Any, wanted: Any, laid: Any, limits: Any, refused: Any) -> Any:
    """`bacclab.bettors.slip.fit` for one lane: fills ``laid``; returns (total laid, bets refused).

    ``count`` says whether (1) or not (0) refusals are counted.
    """
    bounds, side, needs_main = limits
    total, faults, mains, sides = 0, 0, 0, 0
    for k in range(spots.shape[0]):
        bet, stake = spots[k, lane], wanted[k, lane]
        laid[k, lane] = 0
        if bet < 0 or stake == 0:
            continue
        stake = min(stake, MAX_AMOUNT + 1)
        allowed, reason = judge(stake, bounds[0, bet], bounds[1, bet], bounds[2, bet], available)
        if reason != OK:
            refused[lane, reason - 1] += count
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
        refused[lane, NO_MAIN_BET - 1] += count * sides
        faults += sides
        total = 0
        for k in range(spots.shape[0]):
            laid[k, lane] = 0
    return total, faults


@njit
def _clear(laid: Any, lane: Any) -> None:
    for k in range(laid.shape[0]):
        laid[k, lane] = 0


@njit
def _side_bets_alone(lane: Any, spots: Any, wanted: Any, side: Any) -> Any:
    """Whether a lane asks for side bets without a main bet."""
    mains, sides = 0, 0
    for j in range(spots.shape[0]):
        if spots[j, lane] >= 0 and wanted[j, lane] > 0:
            if side[spots[j, lane]]:
                sides += 1
            else:
                mains += 1
    return sides > 0 and mains == 0


@njit
def lay_lanes(
    codes: Any, new_shoe: Any, spots: Any, wanted: Any, laid: Any, everyone: Any, stage: Any, figures: Any,
    bankroll: Any, ended: Any, expected: Any,
    limits: Any, ends: Any, book: Any, out: Any,
) -> Any:  # fmt: skip
    """Lay and settle what is covered and within the limits: in the usual case everything.

    Lanes in which something is refused are put at the stage ASKING, for `judge_lanes`; what that allows is laid by a
    second call, which looks (without ``everyone``) at the lanes at that stage only. ``figures`` is (tiles ×
    FIGURES·TILE). Returns how many lanes are left asking, how many play on, and the first lane with an amount past
    MAX_AMOUNT (−1: none).
    """
    floor, _, (bounds, side, needs_main) = limits
    _, goal, least = ends
    line, numerator, denominator, rate, out_of, rounding, coin, _, cent_net, cent_commission, mean_of = book
    staked_out, net_out, commission_out, rounds, shoes = out
    whole, mean = np.empty(TILE, np.bool_), np.empty(TILE, np.float64)
    lanes = codes.shape[0]
    asking, playing = 0, 0
    for low in range(0, lanes, TILE):
        high = min(low + TILE, lanes)
        staked_out[low:high], net_out[low:high], commission_out[low:high] = 0, 0, 0
        if not everyone and not (stage[low:high] == ASKING).any():
            playing += (ended[low:high] == PLAYING).sum()
            continue
        whole[:], mean[:] = True, 0.0
        for j in range(spots.shape[0]):
            for i in range(low, high):
                lane, k = (
                    np.uint64(i),
                    np.uint64(i - low),
                )  # without a sign: else each index is looked at for being negative
                spot, amount = spots[j, lane], wanted[j, lane]
                if spot >= 0 and amount > 0:
                    bet = np.uint64(spot)
                    _, reason = judge(amount, bounds[0, bet], bounds[1, bet], bounds[2, bet], UNLIMITED)
                    whole[k] &= reason == OK
                    hit = line[bet, codes[lane]]
                    if mean_of[bet] == mean_of[bet]:  # not NaN: the result is so much a cent, whoever won
                        cents = amount // CENT
                        one, paid = cents * cent_net[bet, hit], cents * cent_commission[bet, hit]
                        mean[k] += amount * mean_of[bet]
                    else:
                        one, paid = settle_bet(
                            amount, numerator[bet, hit], denominator[bet, hit], rate[bet], out_of[bet], rounding, coin
                        )
                        mean[k] += expected_net(amount, bet, book)
                    staked_out[lane] += amount
                    net_out[lane] += one
                    commission_out[lane] += paid
                else:
                    amount = 0
                laid[j, lane] = amount
        for i in range(low, high):
            lane, k = np.uint64(i), np.uint64(i - low)
            plays = ended[lane] == PLAYING
            playing += plays
            asks = plays and (everyone or stage[lane] == ASKING)
            if (
                asks
                and whole[k]
                and staked_out[lane] <= bankroll[lane] - floor
                and not (needs_main and _side_bets_alone(lane, spots, wanted, side))
            ):
                expected[lane] += mean[k]
                rounds[lane] += 1
                shoes[lane] += new_shoe[lane]
            else:
                staked_out[lane], net_out[lane], commission_out[lane] = 0, 0, 0
                if asks:
                    stage[lane] = ASKING
                    asking += 1
        tile = figures[low // TILE]
        if post_tile(tile, bankroll[low:high], staked_out[low:high], net_out[low:high], commission_out[low:high], ends):
            for other in range(low, high):
                if too_rich(tile, other - low):
                    return asking, playing, other
                if ended[other] == PLAYING:
                    ended[other] = ending(bankroll[other], floor, goal, least)
                    playing -= ended[other] != PLAYING
    return asking, playing, -1


@njit
def judge_lanes(
    spots: Any, wanted: Any, laid: Any, stage: Any, bankroll: Any, ended: Any, terms: Any, refused: Any, scratch: Any
) -> Any:
    """Judge the requests of all lanes that are still asking; returns how many must be reset and asked again.

    ``stage`` of a lane: ASKING first, 1 asked again after the table refused, 2 after the bankroll refused, 3 after
    both; SETTLED when there is nothing more to ask. The order of judgements is that of the plain way.
    """
    again = 0
    for lane in range(stage.shape[0]):
        if stage[lane] != SETTLED:
            again += _refuse(lane, spots, wanted, laid, stage, bankroll, ended, terms, refused, scratch)
    return again


@njit
def _refuse(
    lane: Any,
    spots: Any,
    wanted: Any,
    laid: Any,
    stage: Any,
    bankroll: Any,
    ended: Any,
    terms: Any,
    refused: Any,
    scratch: Any,
) -> Any:
    """Judge a lane in which something is refused; returns 1 when it must be reset and asked again, else 0."""
    floor, policy, limits = terms
    bounds = limits[0]
    at = stage[lane]
    stage[lane] = SETTLED
    total, faults = _fit(lane, UNLIMITED, 1, spots, wanted, laid, limits, refused)
    if faults > 0 and policy != CAP:
        _clear(laid, lane)
        if policy == SKIP:
            return 0
        if policy == RESET and (at == 0 or at == 2):
            stage[lane] = at + 1
            return 1
        ended[lane] = LIMIT
        return 0
    if total <= bankroll[lane] - floor:
        return 0
    refused[lane, OVER_BANKROLL - 1] += 1
    if policy == CAP:
        for k in range(laid.shape[0]):
            scratch[k, lane] = laid[k, lane]
        first = 0
        while scratch[first, lane] == 0:
            first += 1
        less, _ = _fit(lane, bankroll[lane] - floor, 0, spots, scratch, laid, limits, refused)
        if less == 0:
            ended[lane] = uncovered(bounds[0, spots[first, lane]], bankroll[lane], floor)
        return 0
    _clear(laid, lane)
    if policy == SKIP:
        return 0
    if policy == STOP or at >= 2:
        ended[lane] = uncovered(total, bankroll[lane], floor)
        return 0
    stage[lane] = 2
    return 1
