"""Counts as selections: the bet that the unseen cards favour, with its edge, for any progression (Kelly among them)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from bacclab.bettors.base import selection
from bacclab.bettors.counting.returns import NOTHING, late_returns
from bacclab.bettors.lanes.base import LaneSelection
from bacclab.bettors.params import Param
from bacclab.game.codes import SUITS
from bacclab.game.layout import Layout
from bacclab.game.rules import DECK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.lanes.base import LaneView
    from bacclab.game.tables import Table

    Floats = NDArray[np.float64]

__all__ = ["EdgeSelection", "EffectsCount", "ExactEdge"]


class EdgeSelection(LaneSelection):
    """The best of some bets in each lane, where its return is above `least`; a base for your own.

    Define `returns`: what one unit on each bet is reckoned to win on the unseen cards.
    """

    bets: Annotated[tuple[str, ...], Param(min_length=1, text="the bets that are looked at, by their ids")] = (
        "banker",
        "player",
    )
    least: Annotated[float, Param(ge=0, lt=1, text="a bet is made where its return on a stake is above this")] = 0.0

    def start(self, table: Table) -> None:
        layout = Layout(table)
        for bet in self.bets:
            table.bet(bet)  # says what it is that the table does not offer
        self.rows = [layout.index[bet] for bet in self.bets]
        self.spots = np.array(self.rows, dtype=np.int16)
        self.prepare(table, layout)
        self.best: Floats = np.full(self.lanes, -1.0)

    def can_name(self) -> tuple[str, ...]:
        return self.bets

    def prepare(self, table: Table, layout: Layout) -> None:
        """Work out what depends on the table alone."""

    def returns(self, unseen: NDArray[np.uint8]) -> Floats:
        """The return of each of ``bets`` a lane, float64[lanes, bets], on the unseen cards, uint8[13, lanes]."""
        raise NotImplementedError(f"{type(self).__name__} does not reckon returns: define returns(self, unseen)")

    def side(self, view: LaneView) -> NDArray[np.int16]:  # type: ignore[override]
        returns = self.returns(view.unseen)
        which = returns.argmax(axis=1)
        self.best = returns[np.arange(self.lanes), which]
        good = self.best > max(self.least, NOTHING)
        return np.where(good, self.spots[which], np.int16(-1))

    def edge(self, view: LaneView) -> Floats:  # type: ignore[override]
        return self.best


@selection("exact-edge")
class ExactEdge(EdgeSelection):
    """The bet with the best exact return on the unseen cards, in the rounds in which it gains.

    It looks from ``cards`` unseen cards down. With the progression kelly the stakes follow the edge. A round costs some
    ten microseconds where it looks. A commission is taken without its rounding.

    Source: E. Jacobson's computer-perfect play.

    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> picker = ExactEdge(bets=("player", "tie"))
    >>> picker.start(BUILT_IN_TABLES["commission"])
    >>> picker.returns(np.array([[0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 1, 1]], dtype=np.uint8).T).tolist()  # a sure tie
    [[0.0, 8.0]]
    """

    cards: Annotated[int, Param(ge=6, text="the number of unseen cards from which on it looks")] = 60

    def prepare(self, table: Table, layout: Layout) -> None:
        from bacclab.exact.batch import Means
        from bacclab.exact.odds import net_per_unit

        self.means = Means(net_per_unit(layout)[self.rows], decks=table.shoe.decks)

    def returns(self, unseen: NDArray[np.uint8]) -> Floats:
        return late_returns(self.means, unseen, bets=len(self.bets), cards=self.cards)


@selection("effects-count")
class EffectsCount(EdgeSelection):
    """The bet whose return, reckoned from the effects of removing cards, is best and above nothing.

    The reckoning is the best linear one: the return on a full shoe, and the effects of all cards seen, each the larger
    the fewer cards are left. With Banker and Player it is the count of the main bets at its finest; they gain hardly
    ever. It takes part in no pair bet: no single card changes one.

    Source: P. Griffin, The Theory of Blackjack; E. O. Thorp and W. Walden (1973).

    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> dragon = EffectsCount(bets=("dragon_7",))
    >>> dragon.start(BUILT_IN_TABLES["ez"])
    >>> one_four_gone = np.full((13, 1), 32, dtype=np.uint8); one_four_gone[3] = 31
    >>> dragon.returns(np.hstack([one_four_gone, np.full((13, 1), 32, dtype=np.uint8)])).round(6).tolist()
    [[-0.078794], [-0.076113]]
    """

    def prepare(self, table: Table, layout: Layout) -> None:
        from bacclab.exact.removal import effects_of_removal, exact_returns

        decks = table.shoe.decks
        full = exact_returns(layout, decks)
        effects: list[Any] = list(effects_of_removal(layout, decks))
        self.full = np.array([float(full[row]) for row in self.rows])
        self.effects = np.array([[float(of_rank[row]) for of_rank in effects] for row in self.rows])
        self.per_rank, self.others = SUITS * decks, DECK * decks - 1

    def returns(self, unseen: NDArray[np.uint8]) -> Floats:
        from bacclab.bettors.lanes.state_kernels import tagged

        lanes = unseen.shape[1]
        returns, left, cards = np.empty((lanes, len(self.bets))), np.empty(lanes), np.empty(lanes, dtype=np.int64)
        for column, effects in enumerate(self.effects):
            tagged(unseen.T, effects, left, cards)
            seen = self.per_rank * effects.sum() - left
            returns[:, column] = self.full[column] + seen * self.others / np.maximum(cards, 1)
        return returns
