"""A walk on a lattice between two ends: what becomes of it after some rounds, or in the end.

The walk starts at 0. It is *ruined* when it falls below ``-room`` and has reached its *top* when it stands at `top` or
higher; in between it goes on. Everything is a recursion over rounds or an elimination over places, in numbers that are
never subtracted, so that small chances keep their digits too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.errors import BetError
from bacclab.exact.expectation import expectation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.exact.flat.bet import Walk

NEGLIGIBLE: Final = 1e-18
"""Places that are reached with a smaller chance than this are left out."""

_TINY: Final = 1e-200
"""Below this, numbers are set to 0 before they become so small that the processor slows down."""
_SWEEP: Final = 16
_MOST_WORK: Final = 2e10
"""Additions of one recursion, some ten seconds."""
_MOST_PLACES: Final = 4_000_000
_MOST_ROOMS: Final = 50_000_000


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a walk.

    `fallen` float64[down]: the chance that it was ruined, by place, from ``-room - down`` to ``-room - 1``; `standing`
    float64[places]: that it still goes on, from `lowest` upwards; `risen` float64[up]: that it reached the top, from
    `top` upwards. `rounds`: the mean number of rounds until one of the three.
    """

    fallen: NDArray[np.float64]
    standing: NDArray[np.float64]
    risen: NDArray[np.float64]
    lowest: int
    rounds: float

    @property
    def places(self) -> NDArray[np.int64]:
        """The places of `fallen`, `standing` and `risen`, in this order."""
        first = self.lowest - len(self.fallen)
        return np.arange(first, self.lowest + len(self.standing) + len(self.risen))

    @property
    def chances(self) -> NDArray[np.float64]:
        """The chances of these places."""
        return np.concatenate([self.fallen, self.standing, self.risen])


def after(walk: Walk, rounds: int, *, room: int | None, top: int | None) -> Fate:
    """The fate of a walk after `rounds` rounds; without `room` it is never ruined, without `top` it has no goal.

    >>> from fractions import Fraction
    >>> from bacclab.exact.flat.bet import FlatBet
    >>> coin = FlatBet(1, {-1: Fraction(1, 2), 1: Fraction(1, 2)}).walk
    >>> fate = after(coin, 3, room=1, top=2)
    >>> fate.fallen.tolist(), fate.standing.tolist(), fate.risen.tolist(), fate.rounds
    ([0.25], [0.25, 0.0, 0.25], [0.25], 2.5)
    """
    lowest = -depth(walk, rounds)
    if room is not None:
        lowest = max(lowest, -room)
    highest = depth(walk.mirrored(), rounds)
    if top is not None:
        highest = min(highest, top - 1)
    size = highest - lowest + 1
    _refuse(walk, rounds, size)
    alive = np.zeros(size)
    alive[-lowest] = 1.0
    fallen, risen = np.zeros(walk.down), np.zeros(walk.up)
    wide = np.zeros(walk.down + size + walk.up)
    part = np.empty(size)
    played = 0.0
    for turn in range(rounds):
        played += float(alive.sum())
        wide.fill(0.0)
        for step, chance in zip((walk.steps + walk.down).tolist(), walk.chances.tolist(), strict=True):
            np.multiply(alive, chance, out=part)
            wide[step : step + size] += part
        fallen += wide[: walk.down]
        risen += wide[walk.down + size :]
        alive[:] = wide[walk.down : walk.down + size]
        if turn % _SWEEP == 0:
            alive[alive < _TINY] = 0.0
            if not alive.any():
                break
    return Fate(fallen, alive, risen, lowest, played)


def ruin_by_room(walk: Walk, rounds: int) -> NDArray[np.float64]:
    """The chance to be ruined within `rounds` rounds for every room from 0 on, up to where it is negligible.

    >>> from fractions import Fraction
    >>> from bacclab.exact.flat.bet import FlatBet
    >>> coin = FlatBet(1, {-1: Fraction(1, 2), 1: Fraction(1, 2)}).walk
    >>> ruin_by_room(coin, 3).tolist()
    [0.625, 0.25, 0.125, 0.0]
    """
    size = depth(walk, rounds) + 1
    _refuse(walk, rounds, size)
    now, then = np.zeros(walk.down + size + walk.up), np.zeros(walk.down + size + walk.up)
    now[: walk.down] = then[: walk.down] = 1.0
    inside = slice(walk.down, walk.down + size)
    part = np.empty(size)
    for turn in range(rounds):
        then[inside] = 0.0
        for step, chance in zip((walk.steps + walk.down).tolist(), walk.chances.tolist(), strict=True):
            np.multiply(now[step : step + size], chance, out=part)
            then[inside] += part
        if turn % _SWEEP == 0:
            then[then < _TINY] = 0.0
        now, then = then, now
    return now[inside].copy()


def settled(
    walk: Walk,
    payoffs: NDArray[np.float64],
    *,
    stopped: NDArray[np.bool_],
    running: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """What a walk that plays until it stops gets on average, from every place.

    `stopped` bool[n] marks the places where it stops (the first `walk.down` and the last `walk.up` always), `payoffs`
    float64[n, m] what it gets there, `running` float64[m] what it gets for every round played. Answers float64[n, m].

    >>> from fractions import Fraction
    >>> from bacclab.exact.flat.bet import FlatBet
    >>> coin = FlatBet(1, {-1: Fraction(1, 2), 1: Fraction(1, 2)}).walk
    >>> ends = np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    >>> stopped = np.array([True, False, False, False, True])
    >>> settled(coin, ends, stopped=stopped, running=np.array([0.0, 1.0])).tolist()
    [[0.0, 0.0], [0.25, 3.0], [0.5, 4.0], [0.75, 3.0], [1.0, 0.0]]
    """
    from bacclab.exact.flat import walks_kernels

    ends = stopped.copy()
    ends[: walk.down] = True
    ends[len(ends) - walk.up :] = True
    each = np.zeros(payoffs.shape[1]) if running is None else np.asarray(running, np.float64)
    found: NDArray[np.float64] = walks_kernels.settle_places(
        walk.steps, walk.chances, ends, np.ascontiguousarray(payoffs, np.float64), each, walk.down, walk.up
    )
    return found


def depth(walk: Walk, rounds: int) -> int:
    """How far down a walk comes within some rounds with a chance that is not negligible.

    For every t > 0, exp(-t S_n) / M(t)^n with M(t) = E exp(-t X) is a martingale, so the chance ever to fall by a
    within n rounds is at most max(1, M(t))^n exp(-t a); the best t of many is taken.

    >>> from fractions import Fraction
    >>> from bacclab.exact.flat.bet import FlatBet
    >>> coin = FlatBet(1, {-1: Fraction(1, 2), 1: Fraction(1, 2)}).walk
    >>> depth(coin, 10), depth(coin, 10_000) < 1_000
    (10, True)
    """
    rates = np.geomspace(1e-8, 8.0, 600) / max(walk.down, walk.up, 1)
    growth = np.log1p(np.maximum(0.0, expectation(np.expm1(-rates[:, None] * walk.steps), walk.chances)))
    deepest = float(((rounds * growth - math.log(NEGLIGIBLE)) / rates).min())
    return min(rounds * walk.down, math.ceil(deepest))


def lundberg(walk: Walk) -> float:
    """The adjustment exponent of a walk that drifts upwards: the t > 0 with E exp(-t X) = 1, per step.

    The chance ever to be ruined lies between exp(-t (room + down)) and exp(-t (room + 1)). Infinite if the walk never
    falls.

    >>> from fractions import Fraction
    >>> from bacclab.exact.flat.bet import FlatBet
    >>> fair_game = FlatBet(1, {-1: Fraction(1, 3), 1: Fraction(2, 3)}).walk
    >>> round(math.exp(lundberg(fair_game)), 12)
    2.0
    """
    if walk.mean <= 0:
        raise ValueError("the walk does not drift upwards")
    if walk.down == 0:
        return math.inf

    def excess(rate: float) -> float:
        return float(expectation(np.expm1(-rate * walk.steps), walk.chances))

    high = walk.mean / float(expectation(walk.steps**2, walk.chances))
    while excess(high) <= 0:
        high *= 2
    low = 0.0
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return high
        low, high = (middle, high) if excess(middle) <= 0 else (low, middle)


def ever_ruined(walk: Walk, *, rooms: int) -> NDArray[np.float64]:
    """The chance ever to be ruined for rooms 0, 1, ... `rooms` - 1, float64[rooms]: 1 unless the walk drifts up."""
    _refuse_size(rooms, _MOST_ROOMS)
    if walk.down == 0:
        return np.zeros(rooms)
    if walk.mean <= 0:
        return np.ones(rooms)
    rate = lundberg(walk)
    if walk.down == 1:  # it cannot fall past the place next below: the exponential is exact
        exact: NDArray[np.float64] = np.exp(-rate * np.arange(1, rooms + 1))
        return exact
    # Places so high that ruin from there is negligible count as safe.
    payoffs = places(walk, rooms + safe_height(walk), kinds=1)
    payoffs[: walk.down] = 1.0
    chances = settled(walk, payoffs, stopped=np.zeros(len(payoffs), bool))
    return chances[walk.down : walk.down + rooms, 0]


def safe_height(walk: Walk) -> int:
    """How high a walk that drifts upwards must stand so that its ruin is negligible."""
    return math.ceil(-math.log(NEGLIGIBLE) / lundberg(walk)) if walk.down else 1


def places(walk: Walk, inner: int, *, kinds: int) -> NDArray[np.float64]:
    """Payoffs of 0 for `inner` places and both ends, to fill in and give to `settled`; refused if they are too many."""
    size = walk.down + inner + walk.up
    _refuse_size(size, _MOST_PLACES)
    return np.zeros((size, kinds))


def _refuse_size(size: int, most: int) -> None:
    if size > most:
        raise BetError(
            f"the question runs over {size:,} sums of money (the most is {most:,})",
            hint="use a larger stake, or set a number of rounds",
        )


def ever_reaching(walk: Walk, top: int) -> float:
    """The chance ever to stand `top` or more steps higher, with no end to what may be lost meanwhile."""
    return float(ever_ruined(walk.mirrored(), rooms=top)[top - 1])


def _refuse(walk: Walk, rounds: int, places: int) -> None:
    """Refuse a recursion that would take minutes."""
    if rounds * places * len(walk.steps) <= _MOST_WORK:
        return
    fewer = rounds
    while fewer * depth(walk, fewer) * len(walk.steps) > _MOST_WORK:
        fewer = fewer * 2 // 3
    raise BetError(
        f"{rounds:,} rounds over {places:,} sums of money are too many to work through",
        hint=f"{fewer:,} rounds can be done",
    )
