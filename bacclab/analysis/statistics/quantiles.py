"""Quantiles of histograms, linear between neighbours, so that the 50 % quantile is the median."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def weighted_quantiles(
    values: NDArray[np.float64], weights: NDArray[np.int64] | NDArray[np.float64], shares: Sequence[float]
) -> list[float]:
    """Quantiles of ``values`` (rising), each of which occurs ``weights`` times.

    With whole numbers of sessions as weights they are those of the sessions written out, interpolated linearly between
    neighbours (the usual definition 7). With probabilities as weights they are the smallest value that is not exceeded
    with the given probability. No values, no quantiles: ValueError.

    >>> weighted_quantiles(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1, 1, 1, 1]), (0.5, 0.05))
    [2.5, 1.15]
    >>> weighted_quantiles(np.array([0.0, 10.0]), np.array([0.25, 0.75]), (0.2, 0.5))
    [0.0, 10.0]
    """
    if not len(values):
        raise ValueError("no values, no quantiles")
    upto = np.cumsum(weights)
    total = upto[-1]
    if np.issubdtype(weights.dtype, np.floating):
        # A hair of room, so that rounding in the running sum does not step over a value.
        places = np.searchsorted(upto, np.array(shares) * total * (1 - 1e-12))
        return [float(v) for v in values[np.minimum(places, len(values) - 1)]]
    positions = np.array(shares) * (int(total) - 1)
    below = np.floor(positions).astype(np.int64)
    low = values[np.searchsorted(upto, below, side="right")]
    high = values[np.searchsorted(upto, np.minimum(below + 1, int(total) - 1), side="right")]
    return [float(v) for v in low + (high - low) * (positions - below)]
