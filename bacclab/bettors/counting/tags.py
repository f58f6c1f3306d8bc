"""Counts of cards: tags added up over the cards that were seen, and a bet where the count is high enough.

The *running count* is the sum of the tags of all cards seen in the shoe: those of finished rounds and the first card
turned up at the burn. The *true count* is the running count for each 52 cards that are not seen; cards burned face down
and cards behind the cut card are among these, as nobody at the table knows them. Counts need a source that knows the
cards. They hold one entry a session; a round of thousands of sessions is one pass of compiled code.

Effects of removing a card, from which tags are made, are told by ``bacclab odds --effects``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from bacclab.bettors.base import bettor
from bacclab.bettors.lanes.base import LaneBettor
from bacclab.bettors.params import Param
from bacclab.bettors.whole.pairs import MainBet
from bacclab.errors import BettorError
from bacclab.game.codes import RANKS, SUITS
from bacclab.game.rules import DECK
from bacclab.money import Money

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.lanes.base import LaneBets, LaneView
    from bacclab.game.tables import Table

    Whole = NDArray[np.int64]
    Mask = NDArray[np.bool_]

__all__ = [
    "CardCount",
    "Dragon7Count",
    "Dragon7Unbalanced",
    "MainCount",
    "Panda8CoCount",
    "Panda8Count",
    "TenCount",
    "running_counts",
]

_NO_MAIN = MainBet(unit=Money(0))
_Tags = Annotated[
    tuple[int, ...], Param(min_length=10, text="of A, 2, … 9 and ten, or of all 13 ranks: added when one is seen")
]
_By = Annotated[Literal["true", "running"], Param(text="the count for 52 cards left, or the plain sum")]
_On = Annotated[str, Param(text="the bet, by its id")]
_Threshold = Annotated[float, Param(text="the count from which it is bet; below 0: down from there")]


def running_counts(unseen: NDArray[np.uint8], tags: tuple[int, ...], *, decks: int) -> tuple[Whole, Whole]:
    """The running count and the number of unseen cards of every lane; ``unseen`` is uint8[13, lanes].

    ``tags`` has 13 tags by rank (A, 2, … 10, J, Q, K), or 10, the last of which is that of all tens.

    >>> seen_8_8_5 = np.array([[32, 32, 32, 32, 31, 32, 32, 30, 32, 32, 32, 32, 32]], dtype=np.uint8).T
    >>> running_counts(seen_8_8_5, (0, 0, 0, -1, -1, -1, -1, 2, 2, 0), decks=8)
    (array([3]), array([413]))
    """
    from bacclab.bettors.lanes.state_kernels import tagged

    weights = np.array((*tags, *[tags[-1]] * (RANKS - len(tags))), dtype=np.int64)
    left, cards = np.empty((2, unseen.shape[1]), dtype=np.int64)
    tagged(unseen.T, weights, left, cards)
    return int(weights.sum()) * SUITS * decks - left, cards


class _Count(LaneBettor):
    """A count by tags, running or true; a base for bettors that count."""

    tags: _Tags = (0,) * 10
    by: _By = "true"
    burned: Annotated[int, Param(ge=0, le=60, text="unseen cards that are taken to be out of the shoe")] = 0

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        if len(self.tags) not in (10, RANKS):
            raise BettorError(f"{self.id}: tags has {len(self.tags)} numbers; it takes 10 (A, 2, … 9, ten) or {RANKS}")

    def reaches(self, view: LaneView, *thresholds: float) -> list[Mask]:
        """Where the count is at a threshold or above it; for one below zero, where it is there or below."""
        count, cards = running_counts(view.unseen, self.tags, decks=view.table.shoe.decks)
        counted = count * DECK if self.by == "true" else count
        # Multiplied out: nothing is divided by the last card.
        scale = np.maximum(cards - self.burned, 1) if self.by == "true" else 1
        return [counted >= at * scale if at >= 0 else counted <= at * scale for at in thresholds]


class _BetCount(_Count):
    """A count against one bet, with the main bet that a table may want beside it."""

    on: _On = "tie"
    unit: Annotated[Money, Param(gt=0, text="its stake")] = Money(10)
    threshold: _Threshold = 4.0
    main: Annotated[MainBet, Param(text="the main bet beside it, in the same rounds")] = _NO_MAIN

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        (good,) = self.reaches(view, self.threshold)
        bets = view.on(self.on, good * self.unit.amount)
        return view.on(self.main.on, good * self.main.unit.amount) + bets if self.main.unit else bets


@bettor("count")
class CardCount(_BetCount):
    """A count of your own against one bet: the tags, the count to bet at, and the bet.

    A threshold below zero means that count or a lower one. Where the table takes side bets only beside a main bet,
    ``main`` is laid in the same rounds.

    Source: the method of the published counts; tags and threshold are yours. See also dragon-7-count.

    >>> CardCount(on="tie", tags=(0, -1, -1, -1, -1, -4, -4, 2, 2, 2), threshold=12).by
    'true'
    """


@bettor("dragon-7-count")
class Dragon7Count(_BetCount):
    """Dragon 7 by a balanced count: 4, 5, 6 and 7 are -1, 8 and 9 are +2; bet at a true count of 4 or more.

    At 40:1 and with the cut card at 14 it makes 7.4 bets a shoe, in 9 % of the rounds, and wins 0.6 of a bet a shoe.
    Without a main bet, unless ``main`` names one.

    Source: E. Jacobson, 888casino.com and apheat.net (2014): 0.597 of a bet a shoe; discountgambling.net.

    >>> left = np.array([[20, 20, 20, 20, 20, 20, 20, 22, 22, 20, 20, 20, 20], [20] * 13], dtype=np.uint8).T
    >>> running_counts(left, Dragon7Count().tags, decks=8)
    (array([-8,  0]), array([264, 260]))
    """

    tags: _Tags = (0, 0, 0, -1, -1, -1, -1, 2, 2, 0)
    on: _On = "dragon_7"


@bettor("dragon-7-unbalanced")
class Dragon7Unbalanced(_BetCount):
    """Dragon 7 by a running count without division: A +1, 4, 5, 6 and 7 are -1, 8 and 9 are +2; bet at 32 or more.

    The aces make the count rise by 4 a deck, so that 32 stands for a true count of 4 at any depth of eight decks.

    Source: S. How, discountgambling.net, "Baccarat: Dragon 7 tracking sheet".

    >>> Dragon7Unbalanced().tags, Dragon7Unbalanced().by
    ((1, 0, 0, -1, -1, -1, -1, 2, 2, 0), 'running')
    """

    tags: _Tags = (1, 0, 0, -1, -1, -1, -1, 2, 2, 0)
    by: _By = "running"
    on: _On = "dragon_7"
    threshold: _Threshold = 32.0


@bettor("panda-8-count")
class Panda8Count(_BetCount):
    """Panda 8 by a balanced count: A and 2 are +1, 3, 4, 5 and 8 are -2, 6 and 7 are -1, 9 is +4, tens are +1.

    Bet at a true count of 11 or more. At 25:1 and with the cut card at 14 it wins about a quarter of a bet a shoe.

    Source: E. Jacobson, 888casino.com, "Co-card counting the Dragon and Panda side bets in EZ Baccarat".

    >>> Panda8Count().on, Panda8Count().threshold
    ('panda_8', 11.0)
    """

    tags: _Tags = (1, 1, -2, -2, -2, -1, -1, -2, 4, 1)
    on: _On = "panda_8"
    threshold: _Threshold = 11.0


@bettor("panda-8-co-count")
class Panda8CoCount(_BetCount):
    """Panda 8 by a co-count beside that of Dragon 7: bet when both running counts together are 35 or more.

    The co-count is 6, 7, Q and K +1, 3 -1, 8 -3; with the tags of dragon-7-unbalanced the sum is A +1, 3, 4 and 5 -1,
    8 -1, 9 +2, Q and K +1, and 0 for the others.

    Source: S. How, discountgambling.net, "Two-person Panda-8 co-count": about 3.6 bets a shoe that win 0.13 of a bet.

    >>> dragon, panda = Dragon7Unbalanced().tags, (0, 0, -1, 0, 0, 1, 1, -3, 0, 0, 0, 1, 1)
    >>> tuple(map(sum, zip((*dragon, 0, 0, 0), panda))) == Panda8CoCount().tags
    True
    """

    tags: _Tags = (1, 0, -1, -1, -1, 0, 0, -1, 2, 0, 0, 1, 1)
    by: _By = "running"
    on: _On = "panda_8"
    threshold: _Threshold = 35.0


@bettor("main-count")
class MainCount(_Count):
    """The main bets by a count near their effects of removal: A, 2 and 3 are +1, 4 is +2, 5, 7 and 8 are -1, 6 is -2.

    It bets the side whose estimate is above nothing: by these tags a true count of 1 is worth 0.00048 of a stake, so
    Banker at 5 % needs one of 22 and Player one of -26. In the other rounds nothing is laid, or, with
    ``otherwise = "better"``, the side that is less bad. Even perfect play wins almost nothing.

    Source: E. O. Thorp and W. Walden (1966), P. Griffin; M. Hall, "Baccarat report" (1994): not worth while.

    >>> MainCount().tags
    (1, 1, 1, 2, -1, -2, -1, -1, 0, 0)
    """

    tags: _Tags = (1, 1, 1, 2, -1, -2, -1, -1, 0, 0)
    unit: Annotated[Money, Param(gt=0, text="the stake")] = Money(10)
    banker_from: Annotated[float, Param(text="the count from which Banker is bet; below 0: down from there")] = 22.0
    player_from: Annotated[float, Param(text="the count from which Player is bet; below 0: down from there")] = -26.0
    otherwise: Annotated[
        Literal["none", "better"], Param(text="between the two: no bet, or the side that the count is nearer to")
    ] = "none"

    def start(self, table: Table) -> None:
        if (self.banker_from >= 0) == (self.player_from >= 0):
            raise BettorError(f"{self.id}: banker_from and player_from must lie on two sides of 0")

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        middle = (self.banker_from + self.player_from) / 2
        banker, player, above = self.reaches(view, self.banker_from, self.player_from, middle)
        if self.otherwise == "better":
            above = above if middle >= 0 else ~above
            banker = above if self.banker_from > self.player_from else ~above
            player = ~banker
        spots = np.where(banker, view.spot("banker"), view.spot("player")).astype(np.int16)
        return view.on(spots, (banker | player) * self.unit.amount)


@bettor("ten-count")
class TenCount(MainCount):
    """The ten count on the main bets: 2 to 9 are +1, tens are -2; Player at minus counts, Banker at plus counts.

    It was claimed to win. The effects of removing tens on these bets are tiny, so it loses like any other choice of
    sides: a control that must not win.

    Source: J. Stathis, "Win at baccarat" (Player at minus counts); refuted by E. Jacobson, 888casino.com, "Baccarat tie
    bet flimflam".

    >>> TenCount().tags
    (0, 1, 1, 1, 1, 1, 1, 1, 1, -2)
    """

    tags: _Tags = (0, 1, 1, 1, 1, 1, 1, 1, 1, -2)
    banker_from: _Threshold = 2.0
    player_from: _Threshold = -2.0
