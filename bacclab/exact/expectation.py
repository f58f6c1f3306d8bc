"""Means over exact chances, to the same last digit wherever they are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["expectation"]


def expectation(values: ArrayLike, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum of values times their chances, over the last axis.

    Not by ``@``: the library behind it shares long sums out among its threads, so that their last digit hangs on how
    many there are. A worker with one thread has to write the bytes that a process with eight of them writes.

    >>> chances = np.array([0.25, 0.75])
    >>> float(expectation([8, 4], chances)), expectation([[8, 4], [0, 1]], chances).tolist()
    (5.0, [5.0, 0.75])
    """
    return np.multiply(values, chances).sum(axis=-1)  # type: ignore[no-any-return]
