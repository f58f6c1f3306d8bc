"""The exact expectation of one bet at one stake, commission rounding included.

Plain arithmetic that numba can compile as it stands; the probabilities of a bet's pay lines come from
`bacclab.exact.odds`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["expect_bet"]


def expect_bet(
    settle: Callable[[int, int, int, int, int, int, int], tuple[int, int]],
    stake: int,
    numerators: Sequence[int] | NDArray[Any],
    denominators: Sequence[int] | NDArray[Any],
    probabilities: Sequence[float] | NDArray[Any],
    rate_numerator: int,
    rate_denominator: int,
    rounding: int,
    coin: int,
) -> float:
    """The mean net result of a stake, in ten-thousandths: the sum over the pay lines of probability × net.

    ``settle`` is `bacclab.game.settlement.settle_bet` or its compiled twin.

    >>> from bacclab.game.settlement import settle_bet
    >>> round(expect_bet(settle_bet, 100_000, (-1, 1, 0), (1, 1, 1), (0.446247, 0.458597, 0.095156), 1, 20, 0, 100), 1)
    -1058.0
    """
    total = 0.0
    for line in range(len(probabilities)):
        net, _ = settle(stake, numerators[line], denominators[line], rate_numerator, rate_denominator, rounding, coin)
        total += probabilities[line] * net
    return total
