"""Suits of which only the number of decks is known: how likely a pair is suited, in whole fractions.

Who has watched the table but not the suits knows how many cards of each rank are left. Those left of a rank are then a
random part of that rank's cards, so of the 4d cards of a rank in d decks, d of each suit, two are suited with chance
(d-1)/(4d-1), however many are left; for four cards of one rank the chance that both twos are suited follows by
counting.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.game.codes import CELLS, CODES, PAIR_STATES

if TYPE_CHECKING:
    from numpy.typing import NDArray

MERGED: Final = (0, 2, 6, 8, 12)
"""The pair states that are left when every pair is called suited: none, Banker, Player, both, both of one rank."""


@cache
def splits(decks: int) -> tuple[tuple[int, int, Fraction], ...]:
    """How each merged pair state splits: (merged state, pair state, share of the merged state).

    >>> [(state, str(share)) for merged, state, share in splits(8) if merged == 2]
    [(1, '24/31'), (2, '7/31')]
    """
    d = decks
    one = Fraction(d - 1, 4 * d - 1)
    both = Fraction(12 * d**2 * (d - 1) ** 2 + 4 * d * (d - 1) * (d - 2) * (d - 3), math.perm(4 * d, 4))
    apart = zip((4, 5, 7, 8), ((1 - one) ** 2, (1 - one) * one, (1 - one) * one, one**2), strict=True)
    alike = zip((9, 10, 11, 12), (1 - 2 * one + both, one - both, one - both, both), strict=True)
    return (
        (0, 0, Fraction(1)),
        *((2 * single, state, share) for single in (1, 3) for state, share in ((single, 1 - one), (2 * single, one))),
        *((8, state, share) for state, share in apart),
        *((12, state, share) for state, share in alike),
    )


def split(merged: NDArray[np.float64], decks: int) -> NDArray[np.float64]:
    """Chances of codes in which every pair is called suited, split into suited and other pairs."""
    merged = merged.reshape(CELLS, PAIR_STATES)
    chances = np.zeros_like(merged)
    for source, state, share in splits(decks):
        chances[:, state] = merged[:, source] * float(share)
    return chances.reshape(CODES)
