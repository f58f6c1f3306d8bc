"""A flat bet: the same stakes every round, and what one round of them nets with which chance, exactly.

The result of a round depends on nothing but these nets, so every question about flat play (ruin, goals, totals, deals)
is a question about a walk on the *lattice* of sums that the nets can add up to: `FlatBet.walk`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.errors import BetError
from bacclab.game.settlement import ROUNDINGS, settle_bet
from bacclab.money import MAX_AMOUNT, show

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from bacclab.game.tables import Table

_ONE: Final = 1e-9
"""How far given chances may add up to other than 1."""


@dataclass(frozen=True, slots=True)
class Walk:
    """One round as steps on the lattice: `steps` int64[k], in ascending order, with `chances` float64[k].

    `unit` is the amount of one step, `mean` the mean number of steps of a round (exactly 0 for a fair bet); `down` and
    `up` are the longest steps either way (0 if there is none).
    """

    steps: NDArray[np.int64]
    chances: NDArray[np.float64]
    mean: float
    unit: int

    @property
    def down(self) -> int:
        """The most steps that a round can lose."""
        return max(0, -int(self.steps[0]))

    @property
    def up(self) -> int:
        """The most steps that a round can win."""
        return max(0, int(self.steps[-1]))

    def mirrored(self) -> Walk:
        """The walk of the other side: what this one wins, that one loses."""
        return Walk(-self.steps[::-1], self.chances[::-1], -self.mean, self.unit)


@dataclass(frozen=True)
class FlatBet:
    """The stakes of one round (`stake`, their sum, an amount) and the chance of each net result (amounts).

    Make it from a table with `FlatBet.at`, or from nets and chances for a bet of another game.

    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> from bacclab.money import to_amount
    >>> banker = FlatBet.at(BUILT_IN_TABLES["commission"], {"banker": to_amount(25)})
    >>> [(show(net), round(float(chance), 6)) for net, chance in banker.nets.items()]
    [('-25.00', 0.446247), ('0.00', 0.095156), ('23.75', 0.458597)]
    >>> round(banker.edge, 8), round(banker.deviation / banker.stake, 6), round(banker.rounds_to_n0)
    (0.01057906, 0.927372, 7684)
    """

    stake: int
    nets: Mapping[int, Fraction]
    name: str = "bet"

    def __post_init__(self) -> None:
        nets = {int(net): Fraction(self.nets[net]) for net in sorted(self.nets) if self.nets[net]}
        if self.stake <= 0:
            raise BetError(f"a stake must be above 0, not {show(self.stake)}")
        if any(chance < 0 for chance in nets.values()) or abs(float(sum(nets.values())) - 1) > _ONE:
            raise BetError(f"the chances of {self.name} do not add up to 1")
        if not any(nets):
            raise BetError(f"{self.name} neither wins nor loses anything")
        object.__setattr__(self, "nets", nets)

    @classmethod
    def at(cls, table: Table, stakes: Mapping[str, int]) -> FlatBet:
        """The bets of a table with a stake (an amount) on each, laid together every round.

        The commission is rounded as the table rounds it, the shoe is full. Raises `BetError` for a stake that the table
        does not take.
        """
        from bacclab.exact.odds import code_counts, sequences
        from bacclab.game.pay import pay_table

        if not stakes:
            raise BetError("no bet was named", hint=f"the table offers {', '.join(table.bets)}")
        bets = {name: table.bet(name) for name in stakes}
        for name, stake in stakes.items():
            refuse_stake(table, name, stake)
        if table.side_bets_need_main_bet and all(bet.kind == "side" for bet in bets.values()):
            raise BetError(
                f"table {table.name} takes {' and '.join(bets)} only beside a main bet",
                hint="add a bet on banker, player or tie",
            )
        totals = sum(line_nets(table, name, stake)[pay_table(bets[name]).line] for name, stake in stakes.items())
        counts, size = code_counts(table.shoe.decks), sequences(table.shoe.decks)
        nets = {int(net): Fraction(int(counts[totals == net].sum()), size) for net in np.unique(totals)}
        name = " + ".join(stakes)
        return cls(sum(stakes.values()), nets, name)

    @cached_property
    def mean(self) -> float:
        """The mean net result of a round, an amount."""
        return float(sum(net * chance for net, chance in self.nets.items()))

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of the net result of a round, an amount."""
        mean = sum(net * chance for net, chance in self.nets.items())
        return math.sqrt(sum((net - mean) ** 2 * chance for net, chance in self.nets.items()))

    @property
    def edge(self) -> float:
        """The house edge: the mean loss per unit staked; negative if the player has the edge."""
        return (0.0 - self.mean) / self.stake  # 0.0 for a fair bet, not -0.0

    @property
    def rounds_to_n0(self) -> float:
        """N0, the rounds until the mean result equals one standard deviation; infinite for a fair bet."""
        return (self.deviation / self.mean) ** 2 if self.mean else math.inf

    @cached_property
    def walk(self) -> Walk:
        """The bet as a walk on its lattice.

        >>> walk = FlatBet(20, {-20: Fraction(1, 2), 19: Fraction(1, 2)}).walk
        >>> walk.unit, walk.steps.tolist(), walk.down, walk.up
        (1, [-20, 19], 20, 19)
        """
        unit = math.gcd(*self.nets)
        chances = np.array([float(chance) for chance in self.nets.values()])
        return Walk(np.array([net // unit for net in self.nets], np.int64), chances, self.mean / unit, unit)


def line_nets(table: Table, name: str, stake: int) -> NDArray[np.int64]:
    """What a stake on a bet of the table nets on each pay line (line 0: lost), commission rounded; amounts.

    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> line_nets(BUILT_IN_TABLES["commission"], "banker", 250_000).tolist()
    [-250000, 237500, 0]
    """
    bet = table.bet(name)
    rate = table.commission if bet.commission else Fraction(0)
    terms = rate.numerator, rate.denominator, ROUNDINGS.index(table.commission_rounding), table.commission_coin
    odds = [(-1, 1), *((odds.numerator, odds.denominator) for odds in bet.odds.values())]
    return np.array([settle_bet(stake, above, below, *terms)[0] for above, below in odds], np.int64)


def refuse_stake(table: Table, name: str, stake: int, *, whose: str = "") -> None:
    """Raise `BetError` for a stake that the table does not take."""
    limits = table.limits_of(name)
    if stake > MAX_AMOUNT:
        raise BetError(f"a stake of {show(stake)}{whose} is too large", hint=f"the limit is {show(MAX_AMOUNT)}")
    if not limits.minimum <= stake <= limits.ceiling or stake % limits.increment:
        raise BetError(f"table {table.name} takes {limits} on {name}, not {show(stake)}{whose}")
