"""The figures of one bet on one shoe: chances, edge, spread, from the exact chance and net result of each pay line.

Words: the *edge* is what the house keeps of each unit bet, a push counted as a bet. *Per decision* leaves pushes out of
the divisor. Both are in print for the same bet: Banker 1.0579 % and 1.1692 %, Player 1.2351 % and 1.3650 %. *N0* is the
number of rounds after which the expected result equals one standard deviation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from bacclab.errors import TableError
from bacclab.exact.odds import line_chances, line_nets
from bacclab.game.limits import OK, REASONS, judge
from bacclab.game.settlement import settle_bet
from bacclab.money import MAX_AMOUNT, show

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from bacclab.game.layout import Layout


@dataclass(frozen=True, slots=True)
class Result:
    """One way in which a bet can end: its pay line, the net result per unit staked, and the exact chance of it."""

    line: str
    net: Fraction
    chance: Fraction


@dataclass(frozen=True, slots=True)
class BetFigures:
    """What exact mathematics says of one bet.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> banker, player, *_ = figures(Layout(BUILT_IN_TABLES["commission"]), 8)
    >>> round(banker.edge, 8), round(banker.edge_per_decision, 8), round(banker.sd, 8), round(banker.n0)
    (0.01057906, 0.01169158, 0.92737202, 7684)
    >>> round(player.win, 6), round(player.push, 6), round(player.lost, 6)
    (0.446247, 0.095156, 0.458597)
    """

    bet: str
    results: tuple[Result, ...]
    """Every pay line, the lost bet last."""
    expected: Fraction
    """Mean net result of one unit."""

    @property
    def edge(self) -> float:
        """House edge per round: what the house keeps of each unit bet, below 0 when the bet favours the bettor."""
        return float(-self.expected)  # a fraction has no zero below zero

    @property
    def win(self) -> float:
        """Chance to win, the hit rate."""
        return float(sum(result.chance for result in self.results if result.net > 0))

    @property
    def push(self) -> float:
        """Chance of a push."""
        return float(self._push)

    @property
    def lost(self) -> float:
        """Chance to lose."""
        return float(sum(result.chance for result in self.results if result.net < 0))

    @property
    def edge_per_decision(self) -> float | None:
        """House edge per bet that is not a push; None if it always is."""
        return None if self._push == 1 else -float(self.expected / (1 - self._push))

    @property
    def variance(self) -> float:
        """Variance of the net result of one unit."""
        return float(sum(result.chance * result.net**2 for result in self.results) - self.expected**2)

    @property
    def sd(self) -> float:
        """Standard deviation of the net result of one unit, per round."""
        return math.sqrt(self.variance)

    @property
    def n0(self) -> float | None:
        """Rounds after which the expected result equals one standard deviation; None without an edge."""
        return None if self.expected == 0 else self.variance / float(self.expected) ** 2

    @property
    def _push(self) -> Fraction:
        return sum((result.chance for result in self.results if result.net == 0), Fraction(0))


def figures(
    layout: Layout, composition: int | ArrayLike = 8, *, decks: int | None = None, stake: int | None = None
) -> tuple[BetFigures | None, ...]:
    """The figures of every bet of a table, in the order of the layout.

    `composition` and `decks` are those of `bacclab.exact.odds`. With a `stake` (an amount) net results are those of
    that stake, settled and with the commission rounded as at the table, per unit staked; a bet on which the table does
    not take the stake is None, and `TableError` says why if that goes for all.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> quarters = Layout(BUILT_IN_TABLES["commission-quarters"])    # commission rounded up to 0.25
    >>> [round(figures(quarters, 8, stake=stake * 10_000)[0].edge, 6) for stake in (5, 7, 10, 100)]
    [0.010579, 0.020406, 0.010579, 0.010579]
    """
    if stake == 0:  # to the table it is no bet, not a refused one
        raise TableError("a stake of 0.00 is no bet", hint="write what is laid, as in 10")
    chances = line_chances(layout, composition, decks=decks)
    taken = [OK if stake is None else _judged(layout, bet, stake) for bet in range(len(layout.ids))]
    if stake is not None and OK not in taken:
        reason = REASONS[taken[0] - 1].replace("_", " ")
        raise TableError(f"no bet takes a stake of {show(stake)}", hint=f"on {layout.ids[0]} it is {reason}")
    nets = line_nets(layout)
    return tuple(
        _figures(layout, bet, chances[bet], nets[bet] if stake is None else _settled(layout, bet, stake))
        if taken[bet] == OK
        else None
        for bet in range(len(layout.ids))
    )


def _judged(layout: Layout, bet: int, stake: int) -> int:
    minimum, maximum, increment = (int(array[bet]) for array in (layout.minimum, layout.maximum, layout.increment))
    return judge(stake, minimum, maximum, increment, MAX_AMOUNT)[1]


def _settled(layout: Layout, bet: int, stake: int) -> tuple[Fraction, ...]:
    rate = int(layout.rate_numerator[bet]), int(layout.rate_denominator[bet])
    odds = zip(layout.numerator[bet].tolist(), layout.denominator[bet].tolist(), strict=True)
    return tuple(Fraction(settle_bet(stake, n, d, *rate, layout.rounding, layout.coin)[0], stake) for n, d in odds)


def _figures(layout: Layout, bet: int, chances: tuple[Fraction, ...], nets: tuple[Fraction, ...]) -> BetFigures:
    names = layout.line_names[bet]
    results = [Result(name, nets[line], chances[line]) for line, name in enumerate(names)]
    expected = sum((result.chance * result.net for result in results), Fraction(0))
    return BetFigures(layout.ids[bet], (*results[1:], results[0]), expected)
