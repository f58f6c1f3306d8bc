"""The compiled part of the progressions whose state is money: what one round does to every lane."""

from __future__ import annotations

from typing import Any

import numpy as np

from bacclab.kernels import njit

__all__ = ["grind", "strike_or_write"]


@njit
def grind(size: Any, balance: Any, net: Any, unit: Any) -> None:
    """Oscar's grind: a lost stake stays, a won one grows by a unit, but never past what the series still needs."""
    for lane in range(size.shape[0]):
        balance[lane] += net[lane]
        needed = unit - balance[lane]
        if needed <= 0:
            balance[lane] = 0
            size[lane] = unit
        elif net[lane] > 0:
            size[lane] += unit
            if needed < size[lane]:
                size[lane] = -(-needed // unit) * unit


@njit
def strike_or_write(numbers: Any, first: Any, last: Any, wanted: Any, fresh: Any, staked: Any, net: Any) -> None:
    """Labouchere: a win strikes out both ends of the line, a loss writes the stake at its end; ``wanted`` comes next.

    Lane k holds its line in the rows first[k] … last[k] of column k; there must be room for one more row.
    """
    anew = fresh[0] + (fresh[-1] if fresh.shape[0] > 1 else 0)
    for i in range(first.shape[0]):
        lane = np.uint64(i)  # without a sign: else every index is looked at for being negative
        won, lost = np.int64(net[lane] > 0), np.int64(net[lane] < 0)
        head, tail = first[lane] + won, last[lane] + lost - won
        # Written whether or not it was lost: the processor cannot guess which, and a wrong guess costs more.
        end = np.uint64(max(tail, 0))
        numbers[end, lane] = staked[lane] if lost else numbers[end, lane]
        both = numbers[np.uint64(head), lane] + (numbers[end, lane] if head != tail else 0)
        if head > tail:
            head, tail, both = 0, fresh.shape[0] - 1, anew
            for place in range(fresh.shape[0]):
                numbers[np.uint64(place), lane] = fresh[place]
        first[lane], last[lane], wanted[lane] = head, tail, both
