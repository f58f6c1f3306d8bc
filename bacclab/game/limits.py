"""The judgement of a requested stake: the only place where the table's limits and the bankroll are applied.

Plain whole-number arithmetic that `numba.njit` can compile as it stands.
"""

from __future__ import annotations

from typing import Final

OK: Final = 0
OVER_BANKROLL: Final = 1
OVER_MAXIMUM: Final = 2
UNDER_MINIMUM: Final = 3
OFF_INCREMENT: Final = 4
NO_MAIN_BET: Final = 5

REASONS: Final = ("over_bankroll", "over_maximum", "under_minimum", "off_increment", "no_main_bet")
"""Names of the reasons for a refusal; reason code k is `REASONS[k - 1]`. The last one is judged by the caller."""


def judge(stake: int, minimum: int, maximum: int, increment: int, available: int) -> tuple[int, int]:
    """What the house accepts of a requested stake, and why not all of it: (stake allowed, reason code).

    All are amounts; `available` is what is left of the bankroll. The stake allowed is the nearest one below the request
    that can be laid (a multiple of the increment, under the maximum and the bankroll), 0 if that is under the minimum:
    it is what the policy `cap` lays. A stake of 0 is no request. Of several reasons the first in `REASONS` is given.

    >>> judge(640, 5, 500, 5, 10_000), judge(640, 5, 500, 5, 365), judge(3, 5, 500, 5, 365), judge(12, 5, 500, 5, 365)
    ((500, 2), (365, 1), (0, 3), (10, 4))
    >>> judge(25, 5, 500, 5, 365), judge(0, 5, 500, 5, 365), judge(10, 10, 500, 5, 9)
    ((25, 0), (0, 0), (0, 1))
    """
    if stake == 0:
        return 0, OK
    allowed = min(stake, maximum, available)
    # Dividing whole numbers is the slowest thing a processor does; floats do it exactly for amounts, but for one step.
    rest = allowed - int(allowed / increment) * increment
    if rest < 0:
        rest += increment
    allowed -= rest
    if allowed < minimum or allowed < 0:
        allowed = 0
    if stake > available:
        return allowed, OVER_BANKROLL
    if stake > maximum:
        return allowed, OVER_MAXIMUM
    if stake < minimum or stake < 0:
        return allowed, UNDER_MINIMUM
    if rest != 0:
        return allowed, OFF_INCREMENT
    return allowed, OK
