"""Rings, dots, slashes and a few letters as polylines, in cells of a board, so that they grow and shrink with it.

The board's *x* runs to the right and *y* downwards; a cell is given by its upper left corner and its size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard.charts.parts import floats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Points = NDArray[np.float64]

__all__ = ["GLYPHS", "Cell", "Pen"]

_ROUND, _SMALL_ROUND = (
    np.stack([np.cos(turn), np.sin(turn)], axis=1) / 2 for turn in (np.linspace(0, 2 * np.pi, n) for n in (19, 13))
)
_SEGMENTS = {
    "a": ((0, 0), (1, 0)),
    "b": ((1, 0), (1, 1)),
    "c": ((1, 1), (1, 2)),
    "d": ((0, 2), (1, 2)),
    "e": ((0, 1), (0, 2)),
    "f": ((0, 0), (0, 1)),
    "g": ((0, 1), (1, 1)),
}
_DIGITS = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")

GLYPHS: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    **{str(digit): tuple(_SEGMENTS[name] for name in names) for digit, names in enumerate(_DIGITS)},
    "B": (((0, 0), (0, 2), (0.7, 2), (1, 1.7), (1, 1.3), (0.7, 1), (0, 1)),
          ((0, 0), (0.65, 0), (0.9, 0.3), (0.9, 0.7), (0.65, 1))),
    "P": (((0, 2), (0, 0), (0.7, 0), (1, 0.3), (1, 0.8), (0.7, 1.1), (0, 1.1)),),
    "T": (((0, 0), (1, 0)), ((0.5, 0), (0.5, 2))),
    "+": (((0, 1), (1, 1)), ((0.5, 0.5), (0.5, 1.5))),
    "-": (((0, 1), (1, 1)),),
    "=": (((0, 0.75), (1, 0.75)), ((0, 1.25), (1, 1.25))),
}  # fmt: skip
"""Strokes of each sign in a box of one by two."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the board.

    >>> Cell(2, 1).middle
    (2.5, 1.5)
    """

    x: float
    y: float
    size: float = 1.0

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the cell."""
        return self.x + self.size / 2, self.y + self.size / 2


@dataclass(slots=True)
class Pen:
    """Strokes of one look, gathered into one trace.

    >>> pen = Pen({"color": "#0072B2", "width": 2})
    >>> pen.stroke(Cell(3, 0), (0, 1), (1, 0)); len(pen.trace()["x"])
    3
    """

    line: dict[str, Any]
    fill: str | None = None
    pieces: list[Points] = field(default_factory=list)

    def stroke(self, cell: Cell, *points: tuple[float, float]) -> None:
        """A polyline through points in shares of the cell."""
        self.pieces.append(np.array([cell.x, cell.y]) + cell.size * np.array(points, dtype=np.float64))

    def ring(self, cell: Cell, share: float = 0.78, *, at: tuple[float, float] = (0.5, 0.5)) -> None:
        """A circle of a diameter in shares of the cell."""
        points = _ROUND if cell.size * share > 0.4 else _SMALL_ROUND
        self.pieces.append(np.array([cell.x, cell.y]) + cell.size * (np.array(at) + share * points))

    def write(self, cell: Cell, text: str, *, height: float = 0.42, at: tuple[float, float] = (0.5, 0.5)) -> None:
        """Signs of `GLYPHS` with their middle at a point of the cell."""
        half = height / 2
        left = at[0] - half * (1.6 * len(text) - 0.6) / 2
        for place, sign in enumerate(text):
            for points in GLYPHS[sign]:
                corner = np.array([left + 1.6 * half * place, at[1] - half])
                self.pieces.append(np.array([cell.x, cell.y]) + cell.size * (corner + half * np.array(points)))

    def trace(self) -> dict[str, Any]:
        """All strokes as one trace without a hover; filled where the pen has a fill."""
        gap = np.full((1, 2), np.nan)
        points = np.concatenate([part for piece in self.pieces for part in (piece, gap)] or [gap])
        drawn = {
            "type": "scatter",
            "mode": "lines",
            "x": floats(points[:, 0]),
            "y": floats(points[:, 1]),
            "line": {**self.line, "simplify": False},
            "hoverinfo": "skip",
            "showlegend": False,
        }
        return drawn | ({"fill": "toself", "fillcolor": self.fill} if self.fill else {})
