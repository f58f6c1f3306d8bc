"""Bankroll questions about flat bets, answered exactly: ruin, goals, and the bankroll that a stated risk asks for.

*Ruin* means that the bankroll cannot cover the next bet; the *goal* is a sum to win on top of the bankroll. There are
four kinds of ruin: ever within some rounds or ever at all, and each of them with or without a goal that ends the play.
Rounds are drawn from a full shoe each (cards that went before are not known to somebody who bets flat).
All sums are amounts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.errors import BetError, MoneyError
from bacclab.exact.flat import walks
from bacclab.money import show, within_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bacclab.exact.flat.bet import FlatBet

_MOST_BETS: Final = 1_000_000
"""The largest bankroll that is looked for, in bets."""


@dataclass(frozen=True, slots=True)
class Endings:
    """How flat play ends, as chances that add up to 1.

    `goal`: the goal was reached first; `bust`: the next bet could not be covered; `ahead`, `even`, `behind`: out of
    rounds with more, as much, or less than at the start (without a limit of rounds: `ahead` plays on for ever).
    `rounds`: mean number of rounds played, None if it is not finite; `net`: mean result, an amount, None likewise.
    """

    goal: float
    bust: float
    ahead: float
    even: float
    behind: float
    rounds: float | None
    net: float | None


@dataclass(frozen=True, slots=True)
class Bankroll:
    """The smallest bankroll for a risk: a number of bets, their sum, and the chance of ruin with it."""

    bets: int
    amount: int
    ruin: float


def endings(bet: FlatBet, *, bankroll: int, rounds: int | None = None, goal: int | None = None) -> Endings:
    """How flat play with a bankroll ends, with or without a limit of rounds and a goal.

    Twenty bets on Player, to double them or lose them:

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> from bacclab.money import to_amount
    >>> player = FlatBet.at(BUILT_IN_TABLES["commission"], {"player": to_amount(1)})
    >>> found = endings(player, bankroll=to_amount(20), goal=to_amount(20))
    >>> round(found.goal, 6), round(found.bust, 6), round(found.rounds, 2)
    (0.366788, 0.633212, 431.43)
    >>> endings(player, bankroll=to_amount(20)).bust
    1.0
    """
    room, top = _ends(bet, bankroll, goal)
    if rounds is not None:
        return _within(bet, _checked_rounds(rounds), room, top)
    return _for_ever(bet, bankroll, room) if top is None else _to_the_end(bet, room, top)


def ruin(bet: FlatBet, *, bankroll: int, rounds: int | None = None, goal: int | None = None) -> float:
    """The chance that a bankroll cannot cover the next bet, ever within `rounds` rounds or before the goal.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> player = FlatBet.at(BUILT_IN_TABLES["commission"], {"player": 10_000})
    >>> round(ruin(player, bankroll=20_000, rounds=3), 7)
    0.2503364
    """
    room, top = _ends(bet, bankroll, goal)
    if rounds is None and top is None:
        return float(walks.ever_ruined(bet.walk, rooms=room + 1)[room])
    if top is None:
        chances = walks.ruin_by_room(bet.walk, _checked_rounds(rounds))
        return float(chances[room]) if room < len(chances) else 0.0
    return endings(bet, bankroll=bankroll, rounds=rounds, goal=goal).bust


def smallest_bankroll(
    bet: FlatBet, *, risk: float, rounds: int | None = None, goal: int | None = None
) -> Bankroll | None:
    """The smallest bankroll, in whole bets, with at most the given chance of ruin; None if none is large enough.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> banker = FlatBet.at(BUILT_IN_TABLES["commission"], {"banker": 250_000})
    >>> found = smallest_bankroll(banker, risk=0.05, rounds=500)
    >>> found.bets, show(found.amount)
    (46, '1,150.00')
    >>> smallest_bankroll(banker, risk=0.05) is None
    True
    """
    if not 0 < risk < 1:
        raise BetError(f"a risk must lie between 0 and 1, not {risk:g}", hint="write 0.05 or 5%")
    if rounds is not None:
        by_room = walks.ruin_by_room(bet.walk, _checked_rounds(rounds))
        bets = _first_at_most(bet, by_room, risk)
        if goal is None:
            return Bankroll(bets, bets * bet.stake, _at(by_room, _room(bet, bets * bet.stake)))
        return _searched(bet, risk, rounds, goal, most=bets)
    if goal is not None:
        if 1 - ever_reached(bet, goal) >= risk:
            return None
        return _searched(bet, risk, None, goal, most=_MOST_BETS)
    if bet.walk.mean <= 0 and bet.walk.down:
        return None
    enough = _lundberg_bets(bet, risk)
    by_room = walks.ever_ruined(bet.walk, rooms=_room(bet, enough * bet.stake) + 1)
    bets = _first_at_most(bet, by_room, risk)
    return Bankroll(bets, bets * bet.stake, _at(by_room, _room(bet, bets * bet.stake)))


def goal_chances(
    bet: FlatBet, *, bankrolls: Sequence[int], goals: Sequence[int], rounds: int | None = None
) -> NDArray[np.float64]:
    """The chance to reach each goal before ruin with each bankroll, float64[bankrolls, goals].

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> player = FlatBet.at(BUILT_IN_TABLES["commission"], {"player": 10_000})
    >>> goal_chances(player, bankrolls=[100_000, 200_000], goals=[100_000, 200_000]).round(5).tolist()
    [[0.43217, 0.24751], [0.57271, 0.36679]]
    """
    found = np.empty((len(bankrolls), len(goals)))
    for row, bankroll in enumerate(bankrolls):
        for column, goal in enumerate(goals):
            found[row, column] = endings(bet, bankroll=bankroll, goal=goal, rounds=rounds).goal
    return found


def ever_reached(bet: FlatBet, goal: int) -> float:
    """The chance ever to win a sum with a bankroll without end: no bankroll does better.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> round(ever_reached(FlatBet.at(BUILT_IN_TABLES["commission"], {"player": 10_000}), 200_000), 6)
    0.57925
    """
    _, top = _ends(bet, bet.stake, goal)
    assert top is not None
    return walks.ever_reaching(bet.walk, top)


def _checked_rounds(rounds: int | None) -> int:
    if rounds is None or rounds < 1:
        raise BetError(f"there must be at least 1 round, not {rounds}")
    return rounds


def _ends(bet: FlatBet, bankroll: int, goal: int | None) -> tuple[int, int | None]:
    """Both ends on the lattice: how far the walk may fall and still cover a bet, and how far it has to rise."""
    within_range(bankroll, what="bankroll")
    if bankroll < bet.stake:
        raise MoneyError(f"a bankroll of {show(bankroll)} does not cover one bet of {show(bet.stake)}")
    if goal is None:
        return _room(bet, bankroll), None
    if goal <= 0:
        raise MoneyError(f"a goal must be above 0, not {show(goal)}", hint="it is what is to be won, not the bankroll")
    within_range(goal, what="goal")
    return _room(bet, bankroll), -(-goal // bet.walk.unit)


def _room(bet: FlatBet, bankroll: int) -> int:
    return (bankroll - bet.stake) // bet.walk.unit


def _within(bet: FlatBet, rounds: int, room: int, top: int | None) -> Endings:
    fate = walks.after(bet.walk, rounds, room=room, top=top)
    start = -fate.lowest
    return Endings(
        goal=math.fsum(fate.risen) if top is not None else 0.0,
        bust=math.fsum(fate.fallen),
        ahead=math.fsum(fate.standing[start + 1 :]) + (0.0 if top is not None else math.fsum(fate.risen)),
        even=float(fate.standing[start]),
        behind=math.fsum(fate.standing[:start]),
        rounds=fate.rounds,
        net=bet.walk.unit * math.fsum((fate.places * fate.chances).tolist()),
    )


def _to_the_end(bet: FlatBet, room: int, top: int) -> Endings:
    walk = bet.walk
    low = room + walk.down
    payoffs = walks.places(walk, room + top, kinds=3)
    payoffs[: walk.down, 0] = 1.0
    payoffs[len(payoffs) - walk.up :, 1] = 1.0
    stopped = np.zeros(len(payoffs), bool)
    bust, goal, rounds = walks.settled(walk, payoffs, stopped=stopped, running=np.array([0.0, 0.0, 1.0]))[low].tolist()
    return Endings(goal, bust, 0.0, 0.0, 0.0, rounds, bet.mean * rounds)


def _for_ever(bet: FlatBet, bankroll: int, room: int) -> Endings:
    walk = bet.walk
    bust = float(walks.ever_ruined(walk, rooms=room + 1)[room])
    if bet.mean >= 0:
        return Endings(0.0, bust, 1 - bust, 0.0, 0.0, None, None)
    # Wald: the mean loss is the mean number of rounds times the loss of a round; what is left at ruin is too little
    # for a bet. Places so high that they are not reached in practice end the walk, too.
    low = room + walk.down
    payoffs = walks.places(walk, room + walks.safe_height(walk.mirrored()), kinds=1)
    payoffs[: walk.down, 0] = bankroll - walk.unit * np.arange(low, room, -1)
    left = float(walks.settled(walk, payoffs, stopped=np.zeros(len(payoffs), bool))[low, 0])
    return Endings(0.0, 1.0, 0.0, 0.0, 0.0, (left - bankroll) / bet.mean, left - bankroll)


def _at(by_room: NDArray[np.float64], room: int) -> float:
    return float(by_room[room]) if room < len(by_room) else 0.0


def _first_at_most(bet: FlatBet, by_room: NDArray[np.float64], risk: float) -> int:
    """The fewest bets whose room has at most this chance of ruin; the chances never rise with the room."""
    room = int(np.searchsorted(-by_room, -risk))
    return 1 + -(-room * bet.walk.unit // bet.stake)


def _lundberg_bets(bet: FlatBet, risk: float) -> int:
    """As many bets as are surely enough for unlimited play with an edge."""
    rate = walks.lundberg(bet.walk)
    return 2 + math.ceil(-math.log(risk) / rate * bet.walk.unit / bet.stake) if math.isfinite(rate) else 1


def _searched(bet: FlatBet, risk: float, rounds: int | None, goal: int, *, most: int) -> Bankroll | None:
    """The smallest bankroll by halving: more of it never means more ruin before a goal.

    With a limit of rounds `most` bets are known to be enough, and mostly few of them can be spared; without one the
    search begins below.
    """

    @cache
    def chance(bets: int) -> float:
        return endings(bet, bankroll=bets * bet.stake, rounds=rounds, goal=goal).bust

    low, high = (0, 1) if rounds is None else (most - 1, most)
    if rounds is None:
        while chance(high) > risk:
            low, high = high, 2 * high
            if low >= most:
                return None
    else:
        while low > 0 and chance(low) <= risk:
            low, high = max(0, low - 2 * (most - low)), low
    while high - low > 1:
        middle = (low + high) // 2
        if chance(middle) > risk:
            low = middle
        else:
            high = middle
    return Bankroll(high, high * bet.stake, chance(high))
