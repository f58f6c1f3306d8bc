"""The Kelly fraction: what share of a bankroll makes it grow fastest in the long run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bacclab.exact.flat.bet import FlatBet


@dataclass(frozen=True, slots=True)
class Kelly:
    """What share of the bankroll to stake.

    `fraction` maximises the mean logarithm of the bankroll; 0 without an edge, at most 1. `raw` is the textbook formula
    (b p - q) / b for odds of b:1, not cut off at 0; None for a bet that never wins.
    """

    fraction: float
    raw: float | None


def kelly(bet: FlatBet) -> Kelly:
    """The Kelly fraction of a bet; pushes and several pay lines are taken as they are.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> kelly(FlatBet(1, {2: Fraction(6, 10), -1: Fraction(4, 10)}))
    Kelly(fraction=0.4, raw=0.4)
    >>> kelly(FlatBet(1, {1: Fraction(1, 2), -1: Fraction(1, 2)}))
    Kelly(fraction=0.0, raw=0.0)
    >>> kelly(FlatBet(1, {1: Fraction(1)})).fraction  # a bet that is never lost: everything
    1.0
    """
    win = sum((chance for net, chance in bet.nets.items() if net > 0), Fraction(0))
    won = sum((net * chance for net, chance in bet.nets.items() if net > 0), Fraction(0))
    mean = sum((net * chance for net, chance in bet.nets.items()), Fraction(0))
    raw = float(mean * win / won) if won else None
    if mean <= 0:
        return Kelly(0.0, raw)
    pays = [(float(Fraction(net, bet.stake)), float(chance)) for net, chance in bet.nets.items() if net]

    def slope(fraction: float) -> float:
        return sum(chance * pay / (1 + fraction * pay) for pay, chance in pays)

    if pays[0][0] > -1 and slope(1.0) >= 0:
        return Kelly(1.0, raw)
    low, high = 0.0, 1.0
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return Kelly(round(middle, 15), raw)
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
