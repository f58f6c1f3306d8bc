"""The compiled part of vectorised bettors: the states of a selection or of a progression, a lane each."""

from __future__ import annotations

from typing import Any

import numpy as np

from bacclab.kernels import njit

__all__ = ["renew", "step", "step_stakes"]


@njit
def renew(state: Any, spots: Any, where: Any, shoe: Any, side: Any) -> None:
    """Move the lanes in which a shoe begins to the state that a new shoe leaves; note their next bet."""
    for lane in range(state.shape[0]):
        following = shoe[state[lane]] if where[lane] else state[lane]
        state[lane] = following
        spots[lane] = side[following]


@njit
def step(state: Any, spots: Any, codes: Any, staked: Any, rules: Any) -> None:
    """Move every lane to the state after its round, one way if its bet was laid, another if not; note its next bet."""
    class_of, classes, following, idle, side = rules
    for lane in range(state.shape[0]):
        cell = state[lane] * classes + class_of[codes[lane]]
        state[lane] = following[cell] if staked[lane] > 0 else idle[cell]
        spots[lane] = side[state[lane]]


@njit
def step_stakes(state: Any, columns: Any, spots: Any, codes: Any, staked: Any, net: Any, rules: Any) -> None:
    """Move every lane to the state of its progression after the round; one without a bet (column −1) keeps its state.

    ``rules`` is (next, asked, columns, endings, by_line, line), see `bacclab.bettors.lanes.stake_table.StakeTable`.
    """
    following, asked, width, endings, by_line, line = rules
    for lane in range(state.shape[0]):
        if columns[lane] < 0:
            continue
        cell = state[lane] * width + columns[lane]
        if staked[lane] == 0:
            state[lane] = asked[cell]
            continue
        ending = 0 if net[lane] > 0 else 2 if net[lane] < 0 else 1
        if by_line:
            ending = int(line[spots[lane], codes[lane]])
        state[lane] = following[cell * endings + ending]


@njit
def tagged(unseen: Any, tags: Any, totals: Any, cards: Any) -> None:
    """The tags of the unseen cards added up, and the number of these cards, for every lane of unseen[lanes, ranks]."""
    for lane in range(unseen.shape[0]):
        totals[lane], cards[lane] = 0, 0
        for rank in range(tags.shape[0]):
            left = np.int64(unseen[lane, rank])
            totals[lane] += left * tags[rank]
            cards[lane] += left
