"""The exact distribution of what some rounds of a flat bet net together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.errors import BetError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.exact.flat.bet import FlatBet

_TAIL: Final = 1e-22
"""Chance that is cut off at each end of a sum of rounds."""
_MOST_WORK: Final = 2e10


@dataclass(frozen=True, slots=True)
class Total:
    """The total net of `rounds` rounds: `nets` (amounts, int64[n], ascending) with `chances` float64[n]."""

    rounds: int
    nets: NDArray[np.int64]
    chances: NDArray[np.float64]

    @property
    def ahead(self) -> float:
        """The chance of a total above 0."""
        return math.fsum(self.chances[self.nets > 0])

    @property
    def even(self) -> float:
        """The chance of a total of exactly 0."""
        return math.fsum(self.chances[self.nets == 0])

    @property
    def behind(self) -> float:
        """The chance of a total below 0."""
        return math.fsum(self.chances[self.nets < 0])

    def quantile(self, share: float) -> int:
        """The smallest net that is not exceeded with at least this chance, an amount."""
        place = int(np.searchsorted(np.cumsum(self.chances), share * math.fsum(self.chances)))
        return int(self.nets[min(place, len(self.nets) - 1)])

    def mean_loss(self) -> float:
        """The mean of what is lost, a win counted as 0, an amount."""
        lost = self.nets < 0
        return math.fsum(-self.nets[lost] * self.chances[lost])


def total(bet: FlatBet, rounds: int) -> Total:
    """The distribution of the total net of some rounds, by repeated doubling.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> player = FlatBet.at(BUILT_IN_TABLES["commission"], {"player": 10_000})
    >>> hundred = total(player, 100)
    >>> [round(100 * share, 2) for share in (hundred.ahead, hundred.even, hundred.behind)]
    [42.76, 4.15, 53.09]
    """
    if rounds < 1:
        raise BetError(f"there must be at least 1 round, not {rounds}")
    walk = bet.walk
    width = 20 * math.sqrt(rounds) * bet.deviation / walk.unit + 40 * (walk.down + walk.up)
    if width**2 > _MOST_WORK:
        raise BetError(
            f"{rounds:,} rounds are too many to add up exactly", hint="ask for fewer rounds or a rounder stake"
        )
    first = -walk.down
    single = np.zeros(walk.down + walk.up + 1)
    single[walk.steps + walk.down] = walk.chances
    lowest, chances = 0, np.ones(1)
    for digit in f"{rounds:b}":
        lowest, chances = _trimmed(2 * lowest, np.convolve(chances, chances))
        if digit == "1":
            lowest, chances = _trimmed(lowest + first, np.convolve(chances, single))
    kept = chances > 0
    places = lowest + np.flatnonzero(kept)
    return Total(rounds, places * walk.unit, chances[kept])


def _trimmed(lowest: int, chances: NDArray[np.float64]) -> tuple[int, NDArray[np.float64]]:
    """Without the ends that hold next to nothing."""
    left = int(np.searchsorted(np.cumsum(chances), _TAIL))
    right = int(np.searchsorted(np.cumsum(chances[::-1]), _TAIL))
    return lowest + left, chances[left : len(chances) - right]
