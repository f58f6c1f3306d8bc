"""What a round can lead to from each state of a transition table, with exact chances.

Rounds that lead to the same state with the same result are one *branch*. Chances are sums of the exact counts of round
codes over a full shoe: every round is drawn afresh from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bacclab.exact.expectation import expectation
from bacclab.exact.odds import code_counts, sequences

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.table import TransitionTable
    from bacclab.tournament.play.table import TablePlayer

__all__ = ["Branches", "branches_of", "class_counts"]


@dataclass(frozen=True, slots=True)
class Branches:
    """Branches of all groups, one after the other.

    Group *s* is what follows when state *s* lays its slip, group *states + s* when *s* sits out, and group *2 states +
    s* when *s* lays less of its single bet; groups that the policy never needs are empty. ``first`` int64[groups + 1]
    says where each group begins. A branch has a ``net`` result (0 where it depends on the amount), the ``next`` state,
    the ``chance``, and a round ``code`` that stands for it.

    By state, over the rounds on which its slip is laid: the chances that it ``wins`` and ``loses``, and the mean
    ``commission``.
    """

    first: NDArray[np.int64]
    net: NDArray[np.int64]
    next: NDArray[np.int64]
    chance: NDArray[np.float64]
    code: NDArray[np.int64]
    wins: NDArray[np.float64]
    loses: NDArray[np.float64]
    commission: NDArray[np.float64]


def class_counts(table: TransitionTable, decks: int) -> NDArray[np.int64]:
    """How many ordered sequences of six cards lead to each class of rounds, int64[classes]; they add up to all."""
    counts = np.zeros(table.classes, dtype=np.int64)
    np.add.at(counts, table.class_of, code_counts(decks))
    return counts


def branches_of(player: TablePlayer) -> Branches:
    """The branches of a bettor that is played from a table."""
    table, terms = player.table, player.terms
    decks = terms.table.shoe.decks
    counts, total = class_counts(table, decks), sequences(decks)
    states, classes = table.states, table.classes
    net, commission = (column.reshape(states, classes) for column in player.cells[:2])
    codes = np.array(table.representatives, dtype=np.int64)
    nothing = np.zeros_like(net)
    parts = [_merged(np.stack([net, table.next]), counts)]
    bets = [slip.bets for slip in table.slips]
    if terms.policy == "skip":
        parts.append(_merged(np.stack([nothing, table.idle]), counts, which=[bool(laid) for laid in bets]))
    else:
        parts.append(_none(states))
    if terms.policy == "cap":
        lines = np.stack([terms.layout.line[laid[0][0], codes] if laid else np.zeros_like(codes) for laid in bets])
        parts.append(_merged(np.stack([lines, table.next]), counts, which=[len(laid) == 1 for laid in bets]))
    else:
        parts.append(_none(states))
    sizes = np.concatenate([size for size, _, _, _ in parts])
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    keys = np.concatenate([key for _, key, _, _ in parts], axis=1)
    weights = np.concatenate([weight for _, _, weight, _ in parts])
    keys[0, first[states] :] = 0
    chance = counts / total
    return Branches(
        first=first,
        net=np.ascontiguousarray(keys[0]),
        next=np.ascontiguousarray(keys[1]),
        chance=_chances(first, weights, total),
        code=codes[np.concatenate([place for _, _, _, place in parts])],
        wins=expectation(net > 0, chance),
        loses=expectation(net < 0, chance),
        commission=expectation(commission, chance),
    )


_Part = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]"]


def _none(states: int) -> _Part:
    empty = np.zeros(0, dtype=np.int64)
    return np.zeros(states, dtype=np.int64), np.zeros((2, 0), dtype=np.int64), empty, empty


def _merged(keys: NDArray[np.int64], counts: NDArray[np.int64], *, which: list[bool] | None = None) -> _Part:
    """Classes of equal keys put together, state by state: sizes of the groups, keys, counts, and the first class."""
    states, classes = keys.shape[1:]
    rows = np.stack([np.repeat(np.arange(states), classes), *keys.reshape(2, -1)], axis=1)
    kept = np.tile(counts > 0, states)
    if which is not None:
        kept &= np.repeat(np.array(which), classes)
    place = np.tile(np.arange(classes), states)[kept]
    found, first, inverse = np.unique(rows[kept], axis=0, return_index=True, return_inverse=True)
    weights = np.zeros(len(found), dtype=np.int64)
    np.add.at(weights, inverse.reshape(-1), counts[place])
    return np.bincount(found[:, 0], minlength=states), found[:, 1:].T.copy(), weights, place[first]


def _chances(first: NDArray[np.int64], counts: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """Counts as chances; in each group the largest is such that their sum is 1 as nearly as floats allow.

    Else a rounding error of 1e-16 would come back in every round and grow with their number.
    """

    @cache
    def group(counted: tuple[int, ...]) -> list[float]:
        chances = [count / total for count in counted]
        largest = max(range(len(chances)), key=chances.__getitem__)
        others = sum((Fraction(p) for k, p in enumerate(chances) if k != largest), Fraction(0))
        chances[largest] = float(1 - others)
        return chances

    listed, bounds = counts.tolist(), first.tolist()
    found = [group(tuple(listed[a:b])) for a, b in pairwise(bounds) if b > a]
    return np.array([p for chances in found for p in chances], dtype=np.float64)
