"""The compiled part of the progressions whose state is money: what one round does to every lane."""

from __future__ import annotations

from typing import Any

import numpy as np

from bacclab.kernels import njit

__all__ = ["ends", "grind", "strike_or_write"]


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
def strike_or_write(numbers: Any, first: Any, last: Any, fresh: Any, staked: Any, net: Any) -> None:
    """Labouchere: a win strikes out both ends of the line, a loss writes the stake at its end.

    Lane k holds its line in the rows first[k] … last[k] of column k; there must be room for one more row.
    """
    for lane in range(first.shape[0]):
        if net[lane] > 0:
            first[lane] += 1
            last[lane] -= 1
            if first[lane] > last[lane]:
                first[lane] = 0
                last[lane] = fresh.shape[0] - 1
                for row in range(fresh.shape[0]):
                    numbers[row, lane] = fresh[row]
        elif net[lane] < 0:
            last[lane] += 1
            numbers[last[lane], lane] = staked[lane]


@njit
def ends(numbers: Any, first: Any, last: Any) -> Any:
    """Labouchere: the first number of every line plus its last, or the only one."""
    stakes = np.empty_like(first)
    for lane in range(first.shape[0]):
        head, tail = numbers[first[lane], lane], numbers[last[lane], lane]
        stakes[lane] = head if first[lane] == last[lane] else head + tail
    return stakes
