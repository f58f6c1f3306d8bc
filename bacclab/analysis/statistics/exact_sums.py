"""Sums of whole numbers that are exact however large: the order of adding cannot matter, nor the size of the pieces."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


@dataclass(frozen=True, slots=True)
class Products:
    """What is known of some rows: columns counted, sums, sums of squares and of products, as Python ints.

    `products` are (rows named in `against` × rows); `thirds` are sums of a² b, of a b² and of a³, near enough for a
    skewness.
    """

    count: int
    sums: list[int]
    squares: list[int]
    products: NDArray[Any]
    against: tuple[int, ...]
    thirds: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

    def squared_difference(self, a: int, b: int) -> int:
        """The sum of squares of the difference of two rows, one of which is among `against`."""
        place, other = self._place(a, b)
        return int(self.squares[a] + self.squares[b] - 2 * self.products[place, other])

    def skewness(self, a: int, b: int) -> float | None:
        """The skewness of the difference of two rows, to two digits; None where it does not vary."""
        place, other = self._place(a, b)
        n, total = self.count, self.sums[a] - self.sums[b]
        variance = n * self.squared_difference(a, b) - total * total
        if n < 2 or variance <= 0:
            return None
        one, two, cubes = self.thirds
        raw: float = cubes[self.against[place]] - 3 * one[place, other] + 3 * two[place, other] - cubes[other]
        mean, square = total / n, self.squared_difference(a, b) / n
        third: float = float(raw if self.against[place] == a else -raw) / n - 3 * mean * square + 2 * mean**3
        most = math.sqrt(n)  # as far as a sample can go; beyond is rounding
        shape = third / math.pow(variance / n / n, 1.5)
        return round(min(most, max(-most, shape)), 2) + 0.0

    def _place(self, a: int, b: int) -> tuple[int, int]:
        return (self.against.index(a), b) if a in self.against else (self.against.index(b), a)


def exact_products(pieces: Iterable[NDArray[np.int64]], rows: int, *, against: Sequence[int] | None = None) -> Products:
    """Sums, squares and products of rows, with all rows or with those named in `against`.

    ``pieces`` are (rows × columns) arrays that follow each other. The work is done by matrix products of floats whose
    every partial sum is exact.

    >>> found = exact_products([np.array([[2**40, 1], [3, -2]])], 2)
    >>> found.count, found.sums, found.products.tolist() == [[2**80 + 1, 3 * 2**40 - 2], [3 * 2**40 - 2, 13]]
    (2, [1099511627777, 1], True)
    >>> found.squared_difference(0, 1) == (2**40 - 3) ** 2 + 9
    True
    """
    chosen = tuple(range(rows)) if against is None else tuple(against)
    count = 0
    sums, squares = [0] * rows, np.zeros(rows, dtype=object)
    products = np.zeros((len(chosen), rows), dtype=object)
    thirds = (np.zeros((len(chosen), rows)), np.zeros((len(chosen), rows)), np.zeros(rows))
    for piece in pieces:
        count += piece.shape[1]
        for first in range(0, piece.shape[1], PIECE):
            part = piece[:, first : first + PIECE]
            sums = [total + exact_sum(row) for total, row in zip(sums, part, strict=True)]
            squared, multiplied = _products(part, chosen)
            squares += squared
            products += multiplied
            for total, more in zip(thirds, _thirds(part, chosen), strict=True):
                total += more
    return Products(count, sums, squares.tolist(), products, chosen, thirds)


def _products(part: NDArray[np.int64], chosen: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Squares of each row, and products of the chosen rows with all."""
    rows = len(part)
    squares, total = np.zeros(rows, dtype=object), np.zeros((len(chosen), rows), dtype=object)
    scale = int(np.gcd.reduce(part, axis=None))
    if scale == 0:
        return squares, total
    limbs = _limbs(part // scale)
    picked = list(chosen)
    for i, one in enumerate(limbs):
        for j, other in enumerate(limbs):
            factor = scale * scale << LIMB * (i + j)
            total += (one[picked] @ other.T).astype(np.int64).astype(object) * factor
            squares += np.einsum("ij,ij->i", one, other).astype(np.int64).astype(object) * factor
    return squares, total


def _thirds(
    part: NDArray[np.int64], chosen: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Sums of a² b and a b² (a: the chosen rows), and of a³; what all rows have in common is taken off first."""
    values = (part - np.sort(part, axis=0)[len(part) // 2]).astype(np.float64)
    squared = values * values
    picked = list(chosen)
    return squared[picked] @ values.T, values[picked] @ squared.T, np.einsum("ij,ij->i", squared, values)


def _limbs(values: NDArray[np.int64]) -> list[NDArray[np.float64]]:
    """Signed values as limbs of LIMB bits, the lowest first; the last one carries the sign."""
    limbs = []
    while np.abs(values).max(initial=0) >= 1 << LIMB:
        limbs.append((values & ((1 << LIMB) - 1)).astype(np.float64))
        values = values >> LIMB
    return [*limbs, values.astype(np.float64)]
