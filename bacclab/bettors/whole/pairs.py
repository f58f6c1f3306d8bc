"""Bettors that hunt pairs: flat or after a drought, and by the exact composition of the shoe.

Where the table takes side bets only beside a main bet, the main bet is what entitles to the pair bet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from bacclab.bettors.base import Bettor, bettor
from bacclab.bettors.lanes.base import LaneBettor
from bacclab.bettors.params import Param
from bacclab.game.codes import Pair
from bacclab.money import Money

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.lanes.base import LaneBets, LaneView
    from bacclab.bettors.view import Bets, Result, View
    from bacclab.game.tables import Table

__all__ = ["MainBet", "PairBet", "PairCounter", "PairHunter", "pair_chances"]

_TEN = Money(10)


@dataclass(frozen=True, slots=True)
class MainBet:
    """The main bet that goes with a pair bet; with a unit of 0 there is none."""

    on: Annotated[str, Param(text="the bet, by its id")] = "banker"
    unit: Annotated[Money, Param(ge=0, text="its stake; 0 for no main bet")] = _TEN


@dataclass(frozen=True, slots=True)
class PairBet:
    """A pair bet, and when it is laid: once the pair has been missing for a while, or for a while after it came.

    ``either_pair`` is the bet of that name, ``both_pairs`` a bet on each of the two; either pair is then the pair.
    """

    on: Annotated[Literal["player_pair", "banker_pair", "either_pair", "both_pairs"], Param(text="the pair")] = (
        "player_pair"
    )
    unit: Annotated[Money, Param(gt=0, text="its stake")] = _TEN
    after: Annotated[int, Param(ge=0, text="rounds of the shoe without that pair; 0: bet it always")] = 0
    follow: Annotated[int, Param(ge=0, text="rounds after that pair on which it is bet; 0: not bound to one")] = 0

    def bets(self) -> tuple[str, ...]:
        """The bets that are laid on it, by their ids."""
        return ("player_pair", "banker_pair") if self.on == "both_pairs" else (self.on,)

    def shows(self, result: Result) -> bool:
        """True when this pair came in the round."""
        # Only what is needed is read: a bettor tells rounds apart by what it reads.
        if self.on == "banker_pair":
            return result.banker_pair is not Pair.NONE
        if self.on != "player_pair" and result.banker_pair is not Pair.NONE:
            return True
        return result.player_pair is not Pair.NONE


@bettor("pair-hunter")
class PairHunter(Bettor):
    """Lays a main bet in every round, and a pair bet beside it once that pair has been missing for a while.

    ``pair.after`` is the number of rounds since the pair last came, or since the shoe began; with 0 the pair is bet in
    every round. With ``pair.follow`` it is bet only on that many rounds after the pair came in the shoe. Rounds are
    counted over the whole shoe, ties among them. Neither a drought nor a pair that came makes a pair likelier.

    Source: common practice at tables with pair bets.

    >>> from bacclab.bettors.rehearsal import bets
    >>> hunter = PairHunter(main={"on": "banker", "unit": 10}, pair={"on": "player_pair", "unit": 5, "after": 2})
    >>> bets(hunter, "P B T")
    ['banker 10.00', 'banker 10.00', 'banker 10.00 + player_pair 5.00']
    >>> either = PairHunter(main={"on": "player", "unit": 10}, pair={"on": "both_pairs", "unit": 5})
    >>> bets(either, "P")
    ['player 10.00 + player_pair 5.00 + banker_pair 5.00']
    """

    main: Annotated[MainBet, Param(text="the main bet of every round")] = MainBet()
    pair: Annotated[PairBet, Param(text="the pair bet, and the drought after which it is laid")] = PairBet()

    def start(self, table: Table) -> None:
        self.shoe()

    def shoe(self) -> None:
        self.drought, self.came = 0, False

    def bet(self, view: View) -> Bets:
        bets = view.on(self.main.on, self.main.unit)
        if self.drought >= self.pair.after and (
            not self.pair.follow or (self.came and self.drought < self.pair.follow)
        ):
            for bet in self.pair.bets():
                bets += view.on(bet, self.pair.unit)
        return bets

    def settle(self, result: Result) -> None:
        if self.pair.shows(result):
            self.drought, self.came = 0, self.pair.follow > 0
        else:
            self.drought = min(self.drought + 1, max(self.pair.after, self.pair.follow))


@bettor("pair-counter")
class PairCounter(LaneBettor):
    """Counts every card and lays the pair bets exactly when the shoe makes them worth more than they cost.

    With N cards unseen, n of them of a rank, the first two cards of a side are a pair with probability
    Σ n(n − 1) / N(N − 1). A pair bet that pays a to b gains by that if (a + b) Σ n(n − 1) > b N(N − 1); at 11:1 that is
    Σ n(n − 1) > N(N − 1) / 12. The main bet is laid only in those rounds. Rounds must come from a source that knows
    the cards.

    Source: E. Jacobson, "Computer-perfect play against the baccarat pairs bet", 888casino.com: about 37.5 a shoe with
    100 on both sides.

    >>> full_shoe, late_shoe = [32] * 13, [1, 1, 1, 1, 1, 1, 1, 5, 5, 1, 1, 1, 1]
    >>> pairs, hands = pair_chances(np.array([full_shoe, late_shoe], dtype=np.uint8).T)
    >>> 12 * pairs > hands
    array([False,  True])
    """

    pairs: Annotated[
        tuple[Literal["player_pair", "banker_pair"], ...], Param(min_length=1, text="the pair bets that are hunted")
    ] = ("player_pair", "banker_pair")
    unit: Annotated[Money, Param(gt=0, text="the stake on each pair")] = Money(10)
    main: Annotated[MainBet, Param(text="the main bet beside the pair bets")] = MainBet()

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        pairs, hands = pair_chances(view.unseen)
        odds = {pair: view.table.bet(pair).odds["win"] for pair in self.pairs}
        worth = {pair: (o.numerator + o.denominator) * pairs > o.denominator * hands for pair, o in odds.items()}
        bets = view.on(self.main.on, np.logical_or.reduce(list(worth.values())) * self.main.unit.amount)
        for pair, good in worth.items():
            bets += view.on(pair, good * self.unit.amount)
        return bets


def pair_chances(unseen: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """In how many ways two cards in order are a pair, and in how many they can come: Σ n(n − 1) and N(N − 1).

    ``unseen`` holds the cards of each rank, shape (13, lanes); the results have one entry a lane.

    >>> pair_chances(np.full((13, 1), 32, dtype=np.uint8))
    (array([12896]), array([172640]))
    """
    # 16 bits hold the sum of 13 squares: a rank has at most 64 cards.
    squares = np.multiply(unseen, unseen, dtype=np.uint16).sum(axis=0, dtype=np.uint16).astype(np.int64)
    cards = unseen.sum(axis=0, dtype=np.uint16).astype(np.int64)
    return squares - cards, cards * (cards - 1)
