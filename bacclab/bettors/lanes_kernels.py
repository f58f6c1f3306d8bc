"""The compiled part of vectorised bettors: a selection's states, a lane each."""

from __future__ import annotations

from typing import Any

from bacclab.kernels import njit

__all__ = ["step"]


@njit
def step(state: Any, spots: Any, codes: Any, staked: Any, rules: Any) -> None:
    """Move every lane to the state after its round, one way if its bet was laid, another if not; note its next bet."""
    class_of, classes, following, idle, side = rules
    for lane in range(state.shape[0]):
        cell = state[lane] * classes + class_of[codes[lane]]
        state[lane] = following[cell] if staked[lane] > 0 else idle[cell]
        spots[lane] = side[state[lane]]
