"""What flat play costs over a stretch of rounds, and what comps give back of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bacclab.errors import BetError
from bacclab.exact.flat.totals import total

if TYPE_CHECKING:
    from bacclab.exact.flat.bet import FlatBet

LOW: Final = 0.05
HIGH: Final = 0.95


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of flat play; sums are amounts.

    `action` is staked in all and `loss` the mean loss on it (negative if the player has the edge), `deviation` the
    standard deviation of the result; `low` to `high` holds the middle 90 % of results; `ahead`, `even` and `behind` are
    the chances of the result. The bankroll is taken to be large enough.
    """

    rounds: int
    action: int
    loss: float
    deviation: float
    low: int
    high: int
    ahead: float
    even: float
    behind: float


@dataclass(frozen=True, slots=True)
class Comps:
    """Comps beside the loss; sums are amounts.

    `rated_loss` is the loss that the house reckons with, `comps` what it gives back of it; `cost` is the mean loss less
    the comps and `returned` the part of the mean loss that comes back (None if there is no loss).
    """

    rounds: int
    loss: float
    rated_loss: float
    comps: float
    cost: float
    returned: float | None


_MOST_ROUNDS: Final = 10**12
"""More rounds than this are no question about play."""


def span(bet: FlatBet, rounds: int) -> Span:
    """What some rounds of flat play cost, exactly.

    An hour of 72 rounds at 25 a round:

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> hour = span(FlatBet.at(BUILT_IN_TABLES["commission"], {"banker": 250_000}), 72)
    >>> round(hour.loss / 10_000, 2), round(hour.deviation / 250_000, 3), round(hour.ahead, 3)
    (19.04, 7.869, 0.47)
    """
    sums = total(bet, rounds)
    return Span(
        rounds=rounds,
        action=rounds * bet.stake,
        loss=-rounds * bet.mean,
        deviation=math.sqrt(rounds) * bet.deviation,
        low=sums.quantile(LOW),
        high=sums.quantile(HIGH),
        ahead=sums.ahead,
        even=sums.even,
        behind=sums.behind,
    )


def rounds_of(*, pace: float, hours: float) -> int:
    """The rounds of some hours at a pace of rounds an hour, to the nearest whole one.

    >>> rounds_of(pace=72, hours=4)
    288
    """
    if not (0 < pace < math.inf and 0 < hours < math.inf):
        raise BetError("pace and hours must be above 0")
    if pace * hours > _MOST_ROUNDS:
        raise BetError(f"{hours:g} hours at {pace:g} rounds an hour are too many rounds", hint="ask for fewer hours")
    rounds = round(pace * hours)
    if rounds < 1:
        raise BetError(f"{hours:g} hours at {pace:g} rounds an hour hold no round")
    return rounds


def comps(
    bet: FlatBet, *, rounds: int, rate: float, rated_rounds: int | None = None, rated_edge: float | None = None
) -> Comps:
    """What comes back as comps when the house returns a share (`rate`) of the loss that it reckons with.

    The house rates rounds and edge in its own way; left out, they are the real ones.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> banker = FlatBet.at(BUILT_IN_TABLES["commission"], {"banker": 250_000})
    >>> found = comps(banker, rounds=288, rate=0.3, rated_rounds=240, rated_edge=0.01)
    >>> [round(amount / 10_000, 2) for amount in (found.loss, found.rated_loss, found.comps, found.cost)]
    [76.17, 60.0, 18.0, 58.17]
    """
    if rate < 0:
        raise BetError(f"comps cannot return {rate:.0%} of the loss")
    loss = -rounds * bet.mean
    rated = (rated_rounds or rounds) * bet.stake * (bet.edge if rated_edge is None else rated_edge)
    back = rate * max(rated, 0.0)
    return Comps(rounds, loss, rated, back, loss - back, back / loss if loss > 0 else None)
