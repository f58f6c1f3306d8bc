"""Compiled sums of histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.kernels import njit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@njit
def merge(
    keys: NDArray[np.uint64],
    sessions: NDArray[np.int64],
    other_keys: NDArray[np.uint64],
    other_sessions: NDArray[np.int64],
    both_keys: NDArray[np.uint64],
    both_sessions: NDArray[np.int64],
) -> int:
    """Add two histograms up: keys rise in each, and those of both are written once with the sessions of both.

    The last two arrays have room for all rows; returns how many were filled.

    >>> import numpy as np
    >>> keys, sessions = np.empty(4, np.uint64), np.empty(4, np.int64)
    >>> one, other = (np.array([1, 5], np.uint64), np.array([10, 20])), (np.array([5, 7], np.uint64), np.array([2, 3]))
    >>> rows = merge(*one, *other, keys, sessions)
    >>> keys[:rows].tolist(), sessions[:rows].tolist()
    ([1, 5, 7], [10, 22, 3])
    """
    i = j = rows = 0
    while i < len(keys) and j < len(other_keys):
        # Which of the two is less cannot be foretold, so nothing branches on it.
        key, other = keys[i], other_keys[j]
        mine, its = key <= other, other <= key
        both_keys[rows] = key if mine else other
        both_sessions[rows] = sessions[i] * mine + other_sessions[j] * its
        i += mine
        j += its
        rows += 1
    for rest in range(i, len(keys)):
        both_keys[rows], both_sessions[rows] = keys[rest], sessions[rest]
        rows += 1
    for rest in range(j, len(other_keys)):
        both_keys[rows], both_sessions[rows] = other_keys[rest], other_sessions[rest]
        rows += 1
    return rows
