"""Loss rebates: the house gives back a share of what was lost when the play ends.

The longer the play, the rarer the rebate pays for it. Two questions: what a rebate is worth after a fixed number of
rounds, and where to stop if the player may stop at any time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.errors import BetError
from bacclab.exact.flat import walks
from bacclab.exact.flat.totals import total

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.exact.flat.bet import FlatBet, Walk

_ROUNDING: Final = 1e-12
_SCALES: Final = 4.0
"""The search for stopping points begins this many times as wide as the spread at which the edge takes over."""


@dataclass(frozen=True, slots=True)
class Rebate:
    """A rebate after a fixed number of rounds; sums are amounts.

    `loss`: mean loss without it; `back`: what it gives back on average; `value`: the mean result with it; `break_even`:
    the share that would give back the whole loss, None if not even the whole of what is lost would.
    """

    rounds: int
    loss: float
    back: float
    value: float
    break_even: float | None


@dataclass(frozen=True, slots=True)
class Stops:
    """The best points to stop at under a rebate; sums are amounts.

    Stop with `loss` or more lost, or with `win` or more won. `value`: the mean result with the rebate; `rounds`: the
    mean number of rounds; `winning`: the chance to stop ahead.
    """

    loss: int
    win: int
    value: float
    rounds: float
    winning: float


def rebate_after(bet: FlatBet, rounds: int, *, rebate: float = 0.0) -> Rebate:
    """What a rebate on losses is worth after some rounds of flat play.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> player = FlatBet.at(BUILT_IN_TABLES["commission"], {"player": 10_000})
    >>> [round(100 * rebate_after(player, rounds).break_even, 1) for rounds in (100, 500, 1000)]
    [27.8, 51.8, 64.4]
    """
    if not 0 <= rebate <= 1:
        raise BetError(f"a rebate is a share from 0 to 1 of what was lost, not {rebate:g}")
    lost = total(bet, rounds).mean_loss()
    loss = -rounds * bet.mean
    share = loss / lost if lost else math.inf
    return Rebate(rounds, loss, rebate * lost, rebate * lost - loss, share if share <= 1 else None)


def least_rebate(bet: FlatBet) -> float:
    """The smallest rebate that is worth anything to a player who may stop after any round, a share.

    One round at a time is best then: the mean loss of a round over the mean of what it loses.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> round(least_rebate(FlatBet.at(BUILT_IN_TABLES["commission"], {"player": 10_000})), 5)
    0.02693
    """
    lost = -sum(net * chance for net, chance in bet.nets.items() if net < 0)
    return max(0.0, -bet.mean / float(lost)) if lost else 0.0


def best_stops(bet: FlatBet, *, rebate: float) -> Stops | None:
    """Where to stop under a rebate without a minimum of play; None if it is best not to begin.

    The rule is improved in turn: the worth of playing by a rule is worked out exactly from every place, then each place
    stops or goes on as is better there, until nothing changes.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> from bacclab.money import show
    >>> player = FlatBet.at(BUILT_IN_TABLES["commission"], {"player": 10_000})
    >>> found = best_stops(player, rebate=0.2)
    >>> show(found.loss), show(found.win), round(found.value / 10_000, 3), best_stops(player, rebate=0.02)
    ('4.00', '4.00', 0.204, None)
    """
    if not 0 <= rebate < 1:
        raise BetError(f"a rebate is a share from 0 to below 1 of what was lost, not {rebate:g}")
    if bet.mean >= 0:
        raise BetError(f"{bet.name} has no edge for the house", hint="there is no point at which to stop")
    if rebate <= least_rebate(bet):
        return None
    walk = bet.walk
    scale = bet.deviation**2 / (2 * -bet.mean) / walk.unit
    width = math.ceil(_SCALES * scale / (1 - rebate)) + walk.down + walk.up
    while True:
        found = _improved(walk, rebate, width)
        if found is not None:
            low, high, values = found
            return Stops(
                loss=-low * walk.unit,
                win=high * walk.unit,
                value=float(values[0]) * walk.unit,
                rounds=float(values[1]),
                winning=float(values[2]),
            )
        width *= 2


def _improved(walk: Walk, rebate: float, width: int) -> tuple[int, int, NDArray[np.float64]] | None:
    """The best stops within `width` places either way and what they bring; None if they lie beyond."""
    payoffs = walks.places(walk, 2 * width + 1, kinds=3)
    start = walk.down + width
    place = np.arange(len(payoffs)) - start
    payoffs[:, 0] = np.where(place < 0, (1 - rebate) * place, place)
    payoffs[:, 2] = place > 0
    running = np.array([0.0, 1.0, 0.0])
    inner = slice(walk.down, len(payoffs) - walk.up)
    stopped = np.ones(len(payoffs), bool)
    stopped[inner] = False
    while True:
        values = walks.settled(walk, payoffs, stopped=stopped, running=running)
        onward = np.zeros(len(place[inner]))
        for step, chance in zip(walk.steps.tolist(), walk.chances.tolist(), strict=True):
            onward += chance * values[walk.down + step : walk.down + step + len(onward), 0]
        better = stopped.copy()
        better[inner] = payoffs[inner, 0] >= onward - _ROUNDING * width
        if (better == stopped).all():
            break
        stopped = better
    low = int(place[:start][stopped[:start]].max())
    high = int(place[start + 1 :][stopped[start + 1 :]].min())
    if low <= -width or high >= width:
        return None
    return low, high, values[start]
