"""Exact odds of many compositions at once, in compiled code: late in the shoe, and for those who see the cards.

A composition is 13 counts by rank, A, 2, ... K. Suits are averaged exactly (see `bacclab.exact.suits`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bacclab.errors import TableError
from bacclab.exact.odds import net_per_unit
from bacclab.exact.shoe_counts import start_rows
from bacclab.exact.suits import MERGED, splits
from bacclab.game.codes import CELLS, CODES, PAIR_STATES, RANKS, SUITS, deal_cells, possible_codes
from bacclab.game.rules import ROUND_CARDS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from bacclab.game.layout import Layout

_SAME: Final = 1e-12
"""Net results this near each other are the same: averaging over suits rounds them."""


class Means:
    """The means of functions of the round code, for many compositions.

    `values` float64[K, CODES] holds K functions; `decks` is the number of decks that the shoe was made of: it matters
    to functions of suited pairs alone. What a function depends on is looked at once, when this is made, so that those
    of totals or of pairs alone are worked out the short way.

    >>> from bacclab.game.codes import outcomes
    >>> tie = Means((outcomes() == 2)[None], decks=8)
    >>> tie([[32] * 13, [4] * 13]).round(6).tolist()
    [[0.095156], [0.093615]]
    """

    def __init__(self, values: NDArray[np.floating[Any] | np.bool_], *, decks: int) -> None:
        self.decks = decks
        by_state = values.reshape(-1, CELLS, PAIR_STATES)
        merged = np.zeros((len(by_state), CELLS, len(MERGED)))
        for source, state, share in splits(decks):
            merged[:, :, MERGED.index(source)] += by_state[:, :, state] * float(share)
        self._values: NDArray[np.float64] = np.ascontiguousarray(merged)
        # Codes that cannot occur have no say in what a function depends on.
        possible = _possible_merged()
        self._kind: NDArray[np.int64] = np.array([_kind(one, possible) for one in merged], np.int64)
        for row, kind in enumerate(self._kind.tolist()):
            if kind == 0:
                self._values[row] = _fill(merged[row], possible, axis=1)
            elif kind == 1:
                self._values[row] = _fill(merged[row], possible, axis=0)

    @property
    def of_pairs(self) -> bool:
        """Whether all functions depend on the pairs alone: these take a fiftieth of the time."""
        return bool((self._kind == 1).all())

    def __call__(self, counts: ArrayLike) -> NDArray[np.float64]:
        """Means, float64[n, K], for whole numbers counts[n, 13].

        Exact but for the last bits: the sums are of whole numbers below 2**53 up to eight decks, so the error of a mean
        is that of some hundred products, below 1e-14 times the largest value.
        """
        from bacclab.exact import odds_kernels

        compositions = _checked(counts, self.decks)
        means = np.empty((len(compositions), len(self._kind)))
        odds_kernels.returns(compositions, deal_cells(), start_rows(), self._kind, self._values, means)
        return means


class Returns(Means):
    """The mean result of one unit on each bet of a table, as a function of many compositions: counts[n, 13].

    The commission is not rounded.

    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> from bacclab.game.layout import Layout
    >>> of = Returns(Layout(BUILT_IN_TABLES["commission"]), decks=8)
    >>> of([[32] * 13, [1, 1, 1, 1, 1, 1, 1, 1, 4, 0, 0, 0, 0]])[:, [0, 3]].round(6).tolist()
    [[-0.010579, -0.103614], [-0.000988, 0.090909]]
    """

    def __init__(self, layout: Layout, *, decks: int) -> None:
        super().__init__(net_per_unit(layout), decks=decks)


def expected_returns_batch(layout: Layout, counts: ArrayLike, *, decks: int = 8) -> NDArray[np.float64]:
    """The mean result of one unit on each bet, float64[n, B], for compositions counts[n, 13]; see `Returns`.

    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> from bacclab.game.layout import Layout
    >>> expected_returns_batch(Layout(BUILT_IN_TABLES["ez"]), [[32] * 13])[0, :2].round(6).tolist()
    [-0.010183, -0.012351]
    """
    return Returns(layout, decks=decks)(counts)


def code_probabilities_batch(counts: ArrayLike, *, decks: int = 8) -> NDArray[np.float64]:
    """The chance of each round code, float64[n, CODES], for compositions counts[n, 13]: 42 KB each.

    >>> code_probabilities_batch([[32] * 13, [4] * 13]).sum(axis=1).round(12).tolist()
    [1.0, 1.0]
    """
    from bacclab.exact import odds_kernels

    compositions = _checked(counts, decks)
    merged = np.empty((len(compositions), CELLS, len(MERGED)))
    odds_kernels.merged_chances(compositions, deal_cells(), start_rows(), merged)
    chances = np.zeros((len(compositions), CELLS, PAIR_STATES))
    for source, state, share in splits(decks):
        chances[:, :, state] = merged[:, :, MERGED.index(source)] * float(share)
    return chances.reshape(-1, CODES)


def _checked(counts: ArrayLike, decks: int) -> NDArray[np.int64]:
    cards = np.asarray(counts)
    if cards.ndim != 2 or cards.shape[1] != RANKS:
        raise TableError(f"compositions have 13 counts each, not {cards.shape}", hint="an array [n, 13]: A, 2, ... K")
    if cards.dtype.kind not in "iu":
        raise TableError("a composition holds whole numbers, 0 or more")
    compositions = np.ascontiguousarray(cards, np.int64)
    if len(compositions) and not 0 <= compositions.min() <= compositions.max() <= SUITS * decks:
        raise TableError(f"a composition of {decks} decks has 0 to {SUITS * decks} cards of a rank")
    if (compositions.sum(axis=1) < ROUND_CARDS).any():
        raise TableError(f"a composition has less than {ROUND_CARDS} cards", hint="no round starts with so few")
    return compositions


def _possible_merged() -> NDArray[np.bool_]:
    """Which cells and merged pair states can occur together, bool[CELLS, 5]."""
    possible = possible_codes().reshape(CELLS, PAIR_STATES)
    merged = np.zeros((CELLS, len(MERGED)), bool)
    for source, state, _ in splits(8):
        merged[:, MERGED.index(source)] |= possible[:, state]
    return merged


def _kind(net: NDArray[np.float64], possible: NDArray[np.bool_]) -> int:
    """0 if a net result depends on the cell alone, 1 if on the pairs alone, 2 if on both."""
    for axis, kind in ((1, 0), (0, 1)):
        if not (possible & (np.abs(net - _fill(net, possible, axis=axis)) > _SAME)).any():
            return kind
    return 2


def _fill(net: NDArray[np.float64], possible: NDArray[np.bool_], *, axis: int) -> NDArray[np.float64]:
    """The first possible entry along an axis, for all entries along it."""
    first = possible.argmax(axis=axis)
    chosen = np.take_along_axis(net, np.expand_dims(first, axis), axis=axis)
    return np.broadcast_to(np.where(np.expand_dims(possible.any(axis=axis), axis), chosen, 0.0), net.shape)
