"""Sums of whole numbers that are exact however large: the order of adding cannot matter, nor the size of the pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

LIMB = 20
"""Bits of a limb: the products of two limbs, 2^13 of them added up, stay below 2^53, where floats are exact."""

PIECE = 1 << 13


def exact_sum(values: NDArray[np.int64]) -> int:
    """The sum of int64 values as a Python int.

    >>> exact_sum(np.array([2**62, 2**62, 2**62])) == 3 * 2**62
    True
    """
    high, low = values >> 32, values & 0xFFFFFFFF
    return (int(high.sum()) << 32) + int(low.sum())


def exact_products(pieces: Iterable[NDArray[np.int64]], rows: int) -> tuple[int, list[int], NDArray[Any]]:
    """Columns counted, the sum of each row, and the sums of products of each two rows (Python ints).

    ``pieces`` are (rows × columns) arrays that follow each other. The work is done by matrix products of floats whose
    every partial sum is exact.

    >>> count, sums, products = exact_products([np.array([[2**40, 1], [3, -2]])], 2)
    >>> count, sums, products.tolist() == [[2**80 + 1, 3 * 2**40 - 2], [3 * 2**40 - 2, 13]]
    (2, [1099511627777, 1], True)
    """
    count = 0
    sums = [0] * rows
    products = np.zeros((rows, rows), dtype=object)
    for piece in pieces:
        count += piece.shape[1]
        for first in range(0, piece.shape[1], PIECE):
            part = piece[:, first : first + PIECE]
            sums = [total + exact_sum(row) for total, row in zip(sums, part, strict=True)]
            products += _products(part)
    return count, sums, products


def _products(part: NDArray[np.int64]) -> NDArray[Any]:
    scale = int(np.gcd.reduce(part, axis=None))
    total = np.zeros((len(part), len(part)), dtype=object)
    if scale == 0:
        return total
    limbs = _limbs(part // scale)
    for i, one in enumerate(limbs):
        for j, other in enumerate(limbs[: i + 1]):
            found = (one @ other.T).astype(np.int64).astype(object) * (scale * scale << LIMB * (i + j))
            total += found if i == j else found + found.T
    return total


def _limbs(values: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Signed values as limbs of LIMB bits, the lowest first; the last one carries the sign."""
    limbs = []
    while np.abs(values).max(initial=0) >= 1 << LIMB:
        limbs.append((values & ((1 << LIMB) - 1)).astype(np.float64))
        values = values >> LIMB
    return [*limbs, values.astype(np.float64)]
