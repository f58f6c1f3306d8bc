"""What bets return on the cards that nobody at the table has seen, worked out where few enough of them are left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.game.rules import ROUND_CARDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.exact.batch import Means

    Floats = NDArray[np.float64]

__all__ = ["NOTHING", "late_returns"]

NOTHING: Final = 1e-12
"""A return above this is an advantage: less is what rounding leaves of nothing."""


def late_returns(means: Means, unseen: NDArray[np.uint8], *, bets: int, cards: int) -> Floats:
    """The exact return of each bet a lane, float64[lanes, bets], on the cards unseen[13, lanes].

    It is -1 in the lanes that are not looked at: those with more than `cards` unseen, or too few for a round.
    """
    left = unseen.sum(axis=0, dtype=np.int64)
    lanes = np.flatnonzero((left <= cards) & (left >= ROUND_CARDS))
    worth = np.full((unseen.shape[1], bets), -1.0)
    if len(lanes):
        worth[lanes] = means(unseen[:, lanes].T)
    return worth
