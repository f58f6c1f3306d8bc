"""Exact chances of every round code, pay line and bet, for a full shoe or any other.

A *composition* says what cards the shoe holds: a number of decks, or counts of the cards left, [13 ranks, 4 suits] (A,
2, ... K). If only the 13 counts by rank are known, as to somebody who watched the table, the number of decks that the
shoe was made of says how likely a pair is suited.
"""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.errors import TableError
from bacclab.exact.expectation import expectation
from bacclab.exact.shoe_counts import MAX_CARDS, count_codes
from bacclab.exact.suits import split, splits
from bacclab.game.codes import CELLS, PAIR_STATES, RANKS, SUITS
from bacclab.game.rules import ROUND_CARDS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from bacclab.game.layout import Layout

_MAX_DECKS: Final = MAX_CARDS // (RANKS * SUITS)


def full_shoe(decks: int) -> NDArray[np.int64]:
    """The composition of a full shoe, int64[13, 4].

    >>> full_shoe(8).sum(axis=1).tolist()
    [32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32]
    """
    if not 1 <= decks <= _MAX_DECKS:
        raise TableError(f"exact odds need 1 to {_MAX_DECKS} decks, not {decks}")
    return np.full((RANKS, SUITS), decks, np.int64)


def composition_of(composition: ArrayLike) -> NDArray[np.int64]:
    """Counts of the cards of a shoe, int64[13] or [13, 4], as given; `TableError` if they make no shoe.

    >>> composition_of([4] * 13).sum()
    np.int64(52)
    """
    cards = np.asarray(composition)
    if cards.shape not in ((RANKS,), (RANKS, SUITS)):
        raise TableError(f"a composition has 13 counts, or 13 by 4, not {cards.shape}", hint="ranks A, 2, ... K")
    if cards.dtype.kind not in "iu" or (cards < 0).any():
        raise TableError("a composition holds whole numbers, 0 or more")
    if not ROUND_CARDS <= cards.sum() <= MAX_CARDS:
        raise TableError(f"a shoe of {cards.sum()} cards cannot be worked out", hint=f"{ROUND_CARDS} to {MAX_CARDS}")
    return cards.astype(np.int64)


def code_counts(
    composition: int | ArrayLike = 8, *, player_two: int | None = None, banker_two: int | None = None
) -> NDArray[np.int64]:
    """How many ordered sequences of six cards lead to each round code, exactly, int64[CODES].

    `composition` is a number of decks or counts [13, 4]. The counts add up to N(N-1)...(N-5) for N cards, or to fewer
    if only those are wanted in which Player's or Banker's first two cards have the total `player_two` or `banker_two`.

    >>> from bacclab.game.codes import outcomes
    >>> [int(code_counts(8)[outcomes() == place].sum()) for place in range(3)]
    [2230518282592256, 2292252566437888, 475627426473216]
    >>> six = code_counts(8, player_two=6)
    >>> [round(int(six[outcomes() == place].sum()) / int(six.sum()), 6) for place in range(3)]
    [0.430362, 0.427801, 0.141838]
    """
    full = _decks(composition)
    given = player_two is not None or banker_two is not None
    if full is not None and not given:
        return _full_counts(full)
    suits = full_shoe(full) if full is not None else composition_of(composition)
    if suits.shape != (RANKS, SUITS):
        raise TableError("whole numbers of sequences need the suits", hint="give counts of 13 ranks by 4 suits")
    return count_codes(suits, player_two=player_two, banker_two=banker_two)


def code_probabilities(composition: int | ArrayLike = 8, *, decks: int | None = None) -> NDArray[np.float64]:
    """The chance of each round code, float64[CODES].

    `composition` is a number of decks, counts [13, 4], or the 13 counts by rank alone; with these, `decks` says of how
    many decks the shoe was made: the cards left of a rank are then a random part of that rank's cards.

    >>> bool(abs(code_probabilities(8) - code_probabilities([32] * 13, decks=8)).max() < 1e-15)
    True
    """
    full = _decks(composition)
    if full is not None:
        return _full_counts(full) / sequences(full)
    cards = composition_of(composition)
    if cards.shape == (RANKS, SUITS):
        return count_codes(cards) / sequences(cards)
    made_of = _made_of(cards, decks)
    return split(count_codes(cards[:, None]) / sequences(cards), made_of)


def sequences(composition: int | ArrayLike) -> int:
    """The number of ordered sequences of six cards.

    >>> sequences(8)
    4998398275503360
    """
    full = _decks(composition)
    cards = np.asarray(composition).sum() if full is None else full * RANKS * SUITS
    return math.perm(int(cards), ROUND_CARDS)


def line_probabilities(layout: Layout, composition: int | ArrayLike = 8) -> NDArray[np.float64]:
    """The chance of each pay line of each bet of a table, float64[B, L]; line 0 is "lost".

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> layout = Layout(BUILT_IN_TABLES["commission"])
    >>> line_probabilities(layout, 8)[layout.index["player"]].round(6).tolist()
    [0.458597, 0.446247, 0.095156]
    """
    chances = line_chances(layout, composition)
    return np.array([[float(chance) for chance in row] for row in chances])


def line_chances(
    layout: Layout, composition: int | ArrayLike = 8, *, decks: int | None = None
) -> tuple[tuple[Fraction, ...], ...]:
    """The chance of each pay line of each bet of a table as an exact fraction: B rows of L; line 0 is "lost".

    `composition` and `decks` are those of `code_probabilities`.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> layout = Layout(BUILT_IN_TABLES["commission"])
    >>> str(line_chances(layout, 8)[layout.index["player_pair"]][1])
    '31/415'
    >>> line_chances(layout, 8) == line_chances(layout, [32] * 13, decks=8)
    True
    """
    lines = layout.numerator.shape[1]
    full = _decks(composition)
    cards = full_shoe(full) if full is not None else composition_of(composition)
    total = sequences(cards)
    if cards.shape == (RANKS, SUITS):
        hits = _hits(layout.line, _full_counts(full) if full is not None else count_codes(cards), lines)
        return tuple(tuple(Fraction(hit, total) for hit in row) for row in hits.tolist())
    made_of = _made_of(cards, decks)
    merged = count_codes(cards[:, None]).reshape(CELLS, PAIR_STATES)
    by_state = layout.line.reshape(-1, CELLS, PAIR_STATES)
    parts = [
        (share, _hits(by_state[:, :, state], merged[:, source], lines).tolist())
        for source, state, share in splits(made_of)
    ]
    return tuple(
        tuple(sum((share * hits[bet][line] for share, hits in parts), Fraction(0)) / total for line in range(lines))
        for bet in range(len(layout.ids))
    )


def _hits(line: NDArray[np.uint8], counts: NDArray[np.int64], lines: int) -> NDArray[np.int64]:
    """Whole numbers of sequences that hit each line, int64[B, lines]; `line` uint8[B, n] for `counts` int64[n]."""
    seen = np.flatnonzero(counts)
    place = line[:, seen].astype(np.int64) + np.arange(len(line))[:, None] * lines
    hits = np.zeros(len(line) * lines, np.int64)
    np.add.at(hits, place.ravel(), np.tile(counts[seen], len(line)))
    return hits.reshape(len(line), lines)


def line_nets(layout: Layout) -> tuple[tuple[Fraction, ...], ...]:
    """What one unit staked nets on each pay line, B rows of L exact fractions, the commission not rounded.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> [str(net) for net in line_nets(Layout(BUILT_IN_TABLES["commission"]))[0]][:3]
    ['-1', '19/20', '0']
    """
    nets = []
    for bet in range(len(layout.ids)):
        kept = 1 - Fraction(int(layout.rate_numerator[bet]), int(layout.rate_denominator[bet]))
        odds = zip(layout.numerator[bet].tolist(), layout.denominator[bet].tolist(), strict=True)
        nets.append(tuple(Fraction(n, d) * (kept if n > 0 else 1) for n, d in odds))
    return tuple(nets)


def net_per_unit(layout: Layout) -> NDArray[np.float64]:
    """What one unit staked on each bet nets on each round code, float64[B, CODES], the commission not rounded.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> sorted(set(net_per_unit(Layout(BUILT_IN_TABLES["commission"]))[0].tolist()))
    [-1.0, 0.0, 0.95]
    """
    kept = 1 - layout.rate_numerator / layout.rate_denominator
    pays = layout.numerator / layout.denominator
    pays = np.where(pays > 0, pays * kept[:, None], pays)
    return np.take_along_axis(pays, layout.line.astype(np.int64), axis=1)


def expected_returns(
    layout: Layout, composition: int | ArrayLike = 8, *, decks: int | None = None
) -> NDArray[np.float64]:
    """The mean result of one unit staked on each bet, float64[B]; the house edge is its negative.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> expected_returns(Layout(BUILT_IN_TABLES["commission"]), 8).round(6).tolist()
    [-0.010579, -0.012351, -0.143596, -0.103614, -0.103614]
    """
    return expectation(net_per_unit(layout), code_probabilities(composition, decks=decks))


def covariance(layout: Layout, composition: int | ArrayLike = 8, *, decks: int | None = None) -> NDArray[np.float64]:
    """The covariance of one unit on each of two bets in the same round, float64[B, B]; the diagonal is the variance.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> covariance(Layout(BUILT_IN_TABLES["commission"]), 8)[:2, :2].round(6).tolist()
    [[0.860019, -0.882045], [-0.882045, 0.904691]]
    """
    chances = code_probabilities(composition, decks=decks)
    net = net_per_unit(layout)
    net = net - expectation(net, chances)[:, None]
    return expectation(net[:, None] * net[None, :], chances)


def _decks(composition: int | ArrayLike) -> int | None:
    """The number of decks, if the composition is one."""
    return operator.index(composition) if np.ndim(composition) == 0 else None  # type: ignore[arg-type]


@lru_cache(maxsize=32)
def _full_counts(decks: int) -> NDArray[np.int64]:
    counts = count_codes(full_shoe(decks))
    counts.setflags(write=False)
    return counts


def _made_of(cards: NDArray[np.int64], decks: int | None) -> int:
    """The number of decks that a shoe was made of whose cards are known by rank alone."""
    if decks is None:
        raise TableError("counts by rank alone say nothing about suits", hint="say of how many decks the shoe was made")
    if (cards > SUITS * decks).any():
        raise TableError(
            f"{decks} {'deck holds' if decks == 1 else 'decks hold'} {SUITS * decks} cards of a rank",
            hint="give the counts of the cards left, or the number of decks",
        )
    return decks
