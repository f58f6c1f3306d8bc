"""Bettors that work out a bet exactly on the cards that nobody at the table has seen, or nearly so by hand.

The odds of a round are those of `bacclab.exact`: cards are dealt at random from all that are unseen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

import numpy as np

from bacclab.bettors.base import bettor
from bacclab.bettors.counting.returns import NOTHING, late_returns
from bacclab.bettors.lanes.base import LaneBettor
from bacclab.bettors.params import Param
from bacclab.bettors.whole.pairs import MainBet
from bacclab.errors import BettorError
from bacclab.game.codes import RANKS
from bacclab.game.layout import Layout
from bacclab.money import Money

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.lanes.base import LaneBets, LaneView
    from bacclab.game.tables import Table

__all__ = ["ExactCounter", "PairTargets"]

_NO_MAIN = MainBet(unit=Money(0))
_TRIANGLES: Final = (0, 0, 1, 3, 6, 10, 15, 21, 28)


@bettor("exact-counter")
class ExactCounter(LaneBettor):
    """Works out its bets exactly on the unseen cards, once few enough are left, and lays those that gain.

    With the default it bets on Tie at the end of a shoe: a bet that is good only if the shoe is dealt very deep. Each
    of ``bets`` is laid with ``unit`` when its return is above ``edge``. A commission is taken without its rounding. A
    round costs some ten microseconds in the rounds that are looked at, so a low number of ``cards`` is faster.

    Source: blackjackinfo.com, "Baccarat card counting" (Tie at the end of the shoe, by computer); E. Jacobson's
    computer-perfect play.

    >>> counter = ExactCounter(bets=("tie", "player"), cards=10)
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> counter.start(BUILT_IN_TABLES["commission"])
    >>> tens = np.array([[0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 1, 1], [32] * 13], dtype=np.uint8).T
    >>> counter.returns(tens).tolist()               # only tens are left: a tie is sure; a full shoe is too early
    [[8.0, 0.0], [-1.0, -1.0]]
    """

    bets: Annotated[tuple[str, ...], Param(min_length=1, text="the bets that are looked at, by their ids")] = ("tie",)
    cards: Annotated[int, Param(ge=6, text="the number of unseen cards from which on it looks")] = 60
    edge: Annotated[float, Param(ge=0, text="a bet is laid when its return on a stake is above this")] = 0.0
    unit: Annotated[Money, Param(gt=0, text="the stake on each bet")] = Money(10)
    main: Annotated[MainBet, Param(text="the main bet beside them, in the same rounds")] = _NO_MAIN

    def start(self, table: Table) -> None:
        from bacclab.exact.batch import Means
        from bacclab.exact.odds import net_per_unit

        layout = Layout(table)
        for bet in self.bets:
            table.bet(bet)  # says what it is that the table does not offer
        rows = [layout.index[bet] for bet in self.bets]
        self.means = Means(net_per_unit(layout)[rows], decks=table.shoe.decks)

    def returns(self, unseen: NDArray[np.uint8]) -> NDArray[np.float64]:
        """The return of each bet a lane, float64[lanes, bets]; -1 in the lanes that are not looked at."""
        return late_returns(self.means, unseen, bets=len(self.bets), cards=self.cards)

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        good = self.returns(view.unseen) > max(self.edge, NOTHING)
        bets = view.on(self.main.on, np.where(good.any(axis=1), self.main.unit.amount, 0))
        for column, bet in enumerate(self.bets):
            bets += view.on(bet, good[:, column] * self.unit.amount)
        return bets


@bettor("pair-targets")
class PairTargets(LaneBettor):
    """The pair bets by "targets and weights": late in the shoe each rank's number of cards has a weight; they add up.

    From ``cards`` unseen cards down, n cards of a rank weigh ``weights[n]`` (the last one for any higher number), and
    the pair bets are laid when the sum is at the target for the cards left: a b-to-a bet gains when Σ n(n - 1) is at
    least a / (a + b) of N(N - 1), and N is rounded up to the next ``step``, as a player reads it from a short table.
    With the default weights, n(n - 1) / 2, and ``step = 1`` that is exact, as pair-counter is.

    Source: E. Jacobson, 888casino.com, "Beating the Lucky Pairs baccarat side bet" (weights and targets).

    >>> PairTargets().targets(np.array([60, 33, 21]), 1, 12).tolist()    # at 11:1; 33 cards are read as 35
    [148, 50, 26]
    """

    pairs: Annotated[
        tuple[Literal["player_pair", "banker_pair"], ...], Param(min_length=1, text="the pair bets that are hunted")
    ] = ("player_pair", "banker_pair")
    unit: Annotated[Money, Param(gt=0, text="the stake on each pair")] = Money(10)
    cards: Annotated[int, Param(ge=6, text="the number of unseen cards from which on it looks")] = 60
    weights: Annotated[tuple[int, ...], Param(min_length=2, text="of 0, 1, 2, … cards of a rank")] = _TRIANGLES
    step: Annotated[int, Param(ge=1, le=20, text="targets are known for multiples of this number of cards")] = 5
    main: Annotated[MainBet, Param(text="the main bet beside the pair bets")] = MainBet()

    def start(self, table: Table) -> None:
        if min(self.weights) < 0:
            raise BettorError(f"{self.id}: weights = {list(self.weights)}: a weight is 0 or more")
        most = 4 * table.shoe.decks
        # A table for every number of cards: one look-up a rank.
        self.weight = np.array([self.weights[min(n, len(self.weights) - 1)] for n in range(most + 1)], dtype=np.int64)

    def targets(self, cards: NDArray[np.int64], part: int, whole: int) -> NDArray[np.int64]:
        """The least sum of weights at which a bet gains that must win ``part`` in ``whole`` times."""
        read = -(-cards // self.step) * self.step
        # Half of Σ n(n - 1) must be more than half of N(N - 1) part / whole.
        return read * (read - 1) * part // (2 * whole) + 1

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        unseen = view.unseen
        cards = unseen.sum(axis=0, dtype=np.int64)
        total = sum((self.weight[unseen[rank]] for rank in range(RANKS)), np.zeros(unseen.shape[1], dtype=np.int64))
        good = {}
        for pair in self.pairs:
            odds = view.table.bet(pair).odds["win"]
            target = self.targets(cards, odds.denominator, odds.numerator + odds.denominator)
            good[pair] = (cards <= self.cards) & (total >= target)
        bets = view.on(self.main.on, np.logical_or.reduce(list(good.values())) * self.main.unit.amount)
        for pair, gains in good.items():
            bets += view.on(pair, gains * self.unit.amount)
        return bets
