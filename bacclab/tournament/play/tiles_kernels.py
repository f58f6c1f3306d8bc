"""The running figures of sessions that are played side by side, a tile at a time, and what a round does to them.

A tile is one row of numbers: TILE bankrolls, then TILE peaks, and so on, figure after figure in the order of the
ledger. At such distances the compiler can tell that none overlaps another, and books eight sessions in the time of one.
"""

from __future__ import annotations

from typing import Any

from bacclab.kernels import njit
from bacclab.money import MAX_AMOUNT
from bacclab.tournament.ledger import BANKROLL, FIGURES, STAKED
from bacclab.tournament.play.book_kernels import post

__all__ = ["TILE", "post_tile", "too_rich"]

TILE = 64
"""Sessions whose running figures stand together."""

_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13 = (TILE * figure for figure in range(1, FIGURES))


@njit
def post_tile(tile: Any, bankroll: Any, stake: Any, net: Any, commission: Any, bounds: Any) -> Any:
    """Book a round in every session of a tile; returns whether one of them has come to an end or past MAX_AMOUNT.

    ``bankroll`` is given the bankrolls once more, for whoever reads them apart from the rest.
    """
    floor, goal, least = bounds
    special = False
    for k in range(stake.shape[0]):
        booked = post(
            (
                tile[k], tile[_1 + k], tile[_2 + k], tile[_3 + k], tile[_4 + k], tile[_5 + k], tile[_6 + k],
                tile[_7 + k], tile[_8 + k], tile[_9 + k], tile[_10 + k], tile[_11 + k], tile[_12 + k], tile[_13 + k],
            ),
            stake[k], net[k], commission[k],
        )  # fmt: skip
        (
            tile[k], tile[_1 + k], tile[_2 + k], tile[_3 + k], tile[_4 + k], tile[_5 + k], tile[_6 + k],
            tile[_7 + k], tile[_8 + k], tile[_9 + k], tile[_10 + k], tile[_11 + k], tile[_12 + k], tile[_13 + k],
        ) = booked  # fmt: skip
        bankroll[k] = booked[BANKROLL]
        special |= (
            (booked[BANKROLL] >= goal)
            | (booked[BANKROLL] - floor < least)
            | (booked[BANKROLL] > MAX_AMOUNT)
            | (booked[STAKED] > MAX_AMOUNT)
        )
    return special


@njit
def too_rich(tile: Any, k: Any) -> Any:
    """Whether session k of a tile has an amount past MAX_AMOUNT."""
    return tile[BANKROLL * TILE + k] > MAX_AMOUNT or tile[STAKED * TILE + k] > MAX_AMOUNT
