"""What a cashable bonus with a wagering requirement is worth: the bonus stays the player's once enough was staked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bacclab.errors import BetError, MoneyError
from bacclab.exact.flat import walks
from bacclab.money import show

if TYPE_CHECKING:
    from bacclab.exact.flat.bet import FlatBet


@dataclass(frozen=True, slots=True)
class BonusPlay:
    """Playing through a bonus with one stake; sums are amounts.

    `formula`: bonus less requirement times edge, as if the money never ran out. `gain`: the exact mean gain over the
    deposit, with every bust; what is then left, too little for a bet, counts as lost, and is `leftover` on average: who
    plays on with the rest comes out between `gain` and `gain` + `leftover`. `bust`: the chance not to get through;
    `ahead`: to end with more than the deposit; `rounds`: how many are needed; `played`: how many are played on average.
    """

    stake: int
    rounds: int
    formula: float
    gain: float
    leftover: float
    bust: float
    ahead: float
    played: float


def bonus_formula(bet: FlatBet, *, bonus: int, requirement: int, weight: float = 1.0) -> float:
    """Bonus less the mean loss on the action that is required, an amount.

    `weight` is the share of a stake that counts towards the requirement.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> table = BUILT_IN_TABLES["commission"]
    >>> for name in ("banker", "player", "tie"):
    ...     worth = bonus_formula(FlatBet.at(table, {name: 10_000}), bonus=1_000_000, requirement=30_000_000)
    ...     print(name, round(worth / 10_000, 2))
    banker 68.26
    player 62.95
    tie -330.79
    """
    _check(bonus, requirement, weight)
    return bonus - requirement / weight * bet.edge


def bonus_play(bet: FlatBet, *, bonus: int, requirement: int, deposit: int, weight: float = 1.0) -> BonusPlay:
    """The exact worth of a bonus that is played through with flat stakes.

    The balance starts as deposit and bonus. Every stake counts, pushes included; the last round may overshoot the
    requirement.

    >>> from bacclab.exact.flat.bet import FlatBet
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> banker = FlatBet.at(BUILT_IN_TABLES["commission"], {"banker": 1_000_000})
    >>> play = bonus_play(banker, bonus=1_000_000, requirement=30_000_000, deposit=1_000_000)
    >>> play.rounds, round(play.formula / 10_000, 2), round(play.gain / 10_000, 2), round(play.bust, 3)
    (30, 68.26, 41.6, 0.796)
    """
    _check(bonus, requirement, weight)
    if deposit < 0:
        raise MoneyError(f"a deposit cannot be {show(deposit)}")
    balance = deposit + bonus
    if balance < bet.stake:
        raise MoneyError(f"a balance of {show(balance)} does not cover one bet of {show(bet.stake)}")
    rounds = math.ceil(requirement / weight / bet.stake)
    unit = bet.walk.unit
    fate = walks.after(bet.walk, rounds, room=(balance - bet.stake) // unit, top=None) if rounds else None
    formula = bonus_formula(bet, bonus=bonus, requirement=requirement, weight=weight)
    if fate is None:
        return BonusPlay(bet.stake, 0, formula, float(bonus), 0.0, 0.0, float(bonus > 0), 0.0)
    ends = balance + unit * fate.places
    through = fate.chances.copy()
    through[: len(fate.fallen)] = 0.0
    fallen = len(fate.fallen)
    left = math.fsum((ends[:fallen].clip(min=0) * fate.fallen).tolist())
    return BonusPlay(
        stake=bet.stake,
        rounds=rounds,
        formula=formula,
        gain=math.fsum((ends * through).tolist()) - deposit,
        leftover=left,
        bust=math.fsum(fate.fallen),
        ahead=math.fsum(through[ends > deposit]),
        played=fate.rounds,
    )


def _check(bonus: int, requirement: int, weight: float) -> None:
    if bonus < 0 or requirement < 0:
        raise MoneyError("a bonus and its requirement cannot be below 0")
    if not 0 < weight <= 1:
        raise BetError(f"stakes must count with a share above 0 and up to 1, not {weight:g}")
