"""Streaks of independent trials, exactly: how likely a run of losses is, and how many there are on average.

A run of eight holds three *windows* of six: to count windows for runs makes long streaks look more common than they
are.
"""

from __future__ import annotations

from dataclasses import dataclass

from bacclab.errors import BetError

__all__ = ["Streaks", "streaks"]


@dataclass(frozen=True, slots=True)
class Streaks:
    """Runs of at least some length among a number of trials.

    `chance`: that there is one at all; `runs`: their mean number; `windows`: the mean number of places at which so many
    in a row begin; `series`: the mean number of such rows that do not overlap, as a progression that starts anew after
    its last step loses them.
    """

    chance: float
    runs: float
    windows: float
    series: float


def streaks(length: int, trials: int, chance: float) -> Streaks:
    """Runs of at least `length` losses among `trials` rounds that are lost with a given chance each.

    Six heads in a row among a hundred tosses, and seven losses in a row on even money in 105 spins of a wheel with two
    zeros:

    >>> tosses = streaks(6, 100, 0.5)
    >>> round(tosses.chance, 5), tosses.runs, round(tosses.windows, 3)
    (0.54609, 0.75, 1.484)
    >>> spins = streaks(7, 105, 20 / 38)
    >>> round(spins.chance, 5), round(spins.series, 5)
    (0.42427, 0.53609)
    """
    if length < 1 or trials < 0:
        raise BetError(f"a run of {length} in {trials} rounds makes no sense", hint="both are whole numbers, 1 or more")
    if not 0 <= chance <= 1:
        raise BetError(f"a chance lies between 0 and 1, not {chance:g}")
    never, once = [1.0] + [0.0] * (length - 1), [1.0] + [0.0] * (length - 1)
    done = series = 0.0
    for _ in range(trials):
        done += never[-1] * chance
        never = [(1 - chance) * sum(never), *(share * chance for share in never[:-1])]
        full = once[-1] * chance
        series += full
        once = [(1 - chance) * sum(once) + full, *(share * chance for share in once[:-1])]
    places = max(0, trials - length + 1)
    whole = chance**length
    return Streaks(done, whole * (1 + (places - 1) * (1 - chance)) if places else 0.0, places * whole, series)
