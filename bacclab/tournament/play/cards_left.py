"""What bets are worth on the cards that were left before a round: the exact expectation of a bettor that sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bacclab.exact.batch import Means
from bacclab.exact.odds import net_per_unit
from bacclab.game.settlement import settle_bet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bacclab.game.layout import Layout

    Floats = NDArray[np.float64]

__all__ = ["CardsLeft"]


class CardsLeft:
    """The exact mean net result of bets on given cards, in ten-thousandths.

    Who picks rounds by the cards does not play off the top of a full shoe, but the net result less this expectation has
    mean zero for every bettor that knows only what the table shows. Ranks are counted, suits are averaged. A commission
    that is rounded is worked out at the stake.
    """

    def __init__(self, layout: Layout, *, decks: int, linear: Sequence[bool]) -> None:
        """`linear`: for each bet, whether its result is in proportion to the stake, so that a unit's mean is enough."""
        self.layout, self.decks, self.linear = layout, decks, linear
        self._means: dict[tuple[int, ...], Means] = {}

    def __call__(self, spots: NDArray[np.int16], laid: NDArray[np.int64], unseen: NDArray[np.uint8]) -> Floats:
        """The expectation of n slips: bets and stakes (amounts) in arrays [K, n], on the cards unseen[n, 13]."""
        total = np.zeros(spots.shape[1])
        bets = tuple(sorted(set(spots[laid > 0].tolist())))
        if not bets:
            return total
        if bets not in self._means:
            self._means[bets] = Means(np.concatenate([self._values(bet) for bet in bets]), decks=self.decks)
        means = self._means[bets](unseen)
        place = 0
        for bet in bets:
            stakes = np.where(spots == bet, laid, 0).sum(axis=0)
            if self.linear[bet]:
                total += stakes * means[:, place]
                place += 1
                continue
            some, which = np.unique(stakes, return_inverse=True)
            nets = np.array([self._nets(bet, stake) for stake in some.tolist()], np.float64)
            total += (means[:, place : place + nets.shape[1]] * nets[which]).sum(axis=1)
            place += nets.shape[1]
        return total

    def of_slips(self, slips: Sequence[tuple[tuple[int, int], ...]], unseen: NDArray[np.uint8]) -> Floats:
        """The expectation of slips of (bet, amount), each on its row of unseen[n, 13]."""
        shape = max((len(slip) for slip in slips), default=0), len(slips)
        spots, laid = np.full(shape, -1, np.int16), np.zeros(shape, np.int64)
        for n, slip in enumerate(slips):
            for k, (bet, amount) in enumerate(slip):
                spots[k, n], laid[k, n] = bet, amount
        return self(spots, laid, unseen)

    def _values(self, bet: int) -> Floats:
        """The functions of the round whose means are wanted: the net result of a unit, or each pay line by itself."""
        if self.linear[bet]:
            return net_per_unit(self.layout)[bet : bet + 1]
        lines = np.arange(self.layout.numerator.shape[1])
        hits: Floats = (self.layout.line[bet] == lines[:, None]).astype(np.float64)
        return hits

    def _nets(self, bet: int, stake: int) -> list[int]:
        """What a stake nets on each pay line."""
        layout = self.layout
        rate = int(layout.rate_numerator[bet]), int(layout.rate_denominator[bet])
        odds = zip(layout.numerator[bet].tolist(), layout.denominator[bet].tolist(), strict=True)
        return [settle_bet(stake, n, d, *rate, layout.rounding, layout.coin)[0] for n, d in odds]
