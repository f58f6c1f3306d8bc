"""How much, by the bankroll: a fixed share of it, and the Kelly share, which needs an edge."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import numpy as np

from bacclab.bettors.base import progression
from bacclab.bettors.lanes.base import LaneProgression
from bacclab.bettors.params import Param
from bacclab.game.layout import Layout
from bacclab.money import Money

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.lanes.base import LaneResult, LaneView
    from bacclab.game.tables import Table

    Amounts = NDArray[np.int64]
    Mask = NDArray[np.bool_]
    Shares = NDArray[np.float64]

__all__ = ["Kelly", "Proportional"]

_STEPS = 10_000
"""A share is a whole number of ten-thousandths, so that a share of a bankroll is exact."""


class _ByBankroll(LaneProgression):
    """A progression that remembers nothing: the bankroll says it all."""

    unit: Annotated[Money, Param(gt=0, text="the chip: a stake is a whole number of these")] = Money(10)

    def start(self, table: Table) -> None:
        """There is no state."""

    def reset_lanes(self, where: Mask) -> None:
        """There is no state."""

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        """There is no state."""


@progression("proportional")
class Proportional(_ByBankroll):
    """A fixed share of the bankroll, rounded down to a chip, and never less than one chip.

    The stake follows the bankroll up and down, so by its own rule it is never bust; it ends when a chip is no longer
    covered, or when the table's minimum refuses it.

    Parameters: ``share``, and ``unit``, the chip.

    Source: common practice.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Proportional(unit=5, share=0.1), "W W T L L")
    '100 110 120 120 105'
    """

    share: Annotated[float, Param(ge=0.0001, le=1, text="share of the bankroll, in steps of 0.0001")] = 0.02

    def stake(self, view: LaneView) -> Amounts:  # type: ignore[override]
        parts, chip, bankroll = round(self.share * _STEPS), self.unit.amount, view.bankroll
        share = bankroll // _STEPS * parts + bankroll % _STEPS * parts // _STEPS
        stake: Amounts = np.maximum(share // chip, 1) * chip
        return stake


@progression("kelly")
class Kelly(_ByBankroll):
    """The Kelly share of the bankroll: (b·p − q) / (b·(p + q)) for a bet that wins b with p and loses with q.

    A push counts for nothing. Where that share is below zero nothing is laid, so at the start of a shoe, and for every
    selection that does not look at the cards, this bets nothing at all. A counting selection that reckons the edge of
    its bet (``edge``, which is b·p − q) makes it bet; b and p + q are then those of a full shoe, since they hardly
    change. The stake is rounded down to a chip; one under the table's minimum for the bet is not laid.

    Parameters: ``fraction`` of the Kelly share (0.5: half Kelly), and ``unit``, the chip.

    Source: J. L. Kelly (1956); the form with pushes is worked out from the mean logarithm of the bankroll.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Kelly(unit=5), "W L W", on="banker")
    '0 0 0'
    """

    fraction: Annotated[float, Param(gt=0, le=1, text="fraction of the Kelly share")] = 1.0

    def start(self, table: Table) -> None:
        self.mean, self.spread = _kelly_terms(table)
        self.least = Layout(table).minimum

    def stake(self, view: LaneView) -> Amounts:  # type: ignore[override]
        return self.stake_on(np.full(self.lanes, view.spot("player"), dtype=np.int16), view)

    def stake_on(  # type: ignore[override]
        self, spots: NDArray[np.int16], view: LaneView, *, edge: Shares | None = None
    ) -> Amounts:
        mean = self.mean[spots] if edge is None else edge
        share = np.clip(self.fraction * mean / self.spread[spots], 0.0, 1.0)
        chip = self.unit.amount
        stake: Amounts = (view.bankroll * share).astype(np.int64) // chip * chip
        return np.where(stake < self.least[spots], 0, stake)


def _kelly_terms(table: Table) -> tuple[Shares, Shares]:
    """For each bet of a table b·p − q and b·(p + q), off the top of a full shoe.

    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> mean, spread = _kelly_terms(BUILT_IN_TABLES["commission"])
    >>> mean[:2].round(6).tolist(), spread[:2].round(6).tolist()
    ([-0.010579, -0.012351], [0.859602, 0.904844])
    """
    from bacclab.exact.odds import line_chances

    layout = Layout(table)
    mean, spread = [], []
    for bet, chances in enumerate(line_chances(layout, table.shoe.decks)):
        kept = 1 - Fraction(int(layout.rate_numerator[bet]), int(layout.rate_denominator[bet]))
        odds = [Fraction(int(n), int(d)) for n, d in zip(layout.numerator[bet], layout.denominator[bet], strict=True)]
        lines = list(zip(odds, chances, strict=False))
        won = sum((o * kept * chance for o, chance in lines if o > 0), Fraction(0))
        win = sum((chance for o, chance in lines if o > 0), Fraction(0))
        lose = sum((chance for o, chance in lines if o < 0), Fraction(0))
        mean.append(float(won - lose))
        spread.append(float(won / win * (win + lose)) if win else 1.0)  # a perfect pair cannot come in one deck
    return np.array(mean), np.array(spread)
