"""The board of the roads in cells: where each road stands, and its strokes, hovers and titles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import floats, plain
from bacclab.dashboard.charts.strokes import Cell, Pen
from bacclab.dashboard.written import money
from bacclab.game.codes import Outcome
from bacclab.game.roads import ROWS
from bacclab.game.roads_now import Colour, DerivedRoad

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.game.roads import Bead, Icon, Roads

__all__ = ["Board", "Plan", "RoundMark"]

LEAST_PLATE = 13
"""Columns of the bead plate, at least: a whole shoe has about as many."""

_SIGNS = {Outcome.BANKER: "B", Outcome.PLAYER: "P", Outcome.TIE: "T"}
_COLOURS = {
    Outcome.BANKER: theme.BANKER[0],
    Outcome.PLAYER: theme.PLAYER[0],
    Outcome.TIE: theme.TIE[0],
    Colour.RED: theme.BANKER[0],
    Colour.BLUE: theme.PLAYER[0],
}


@dataclass(frozen=True, slots=True)
class RoundMark:
    """What a bettor laid on a round, in words (``banker 10.00``; empty when it sat out), and what came of it."""

    bets: str
    staked: float = 0.0
    net: float = 0.0

    @property
    def sign(self) -> str:
        """``+`` for a win, ``-`` for a loss, ``=`` for a push, nothing where nothing was laid.

        >>> [RoundMark("tie 10", 10, net).sign for net in (80, 0, -10)], RoundMark("").sign
        (['+', '=', '-'], '')
        """
        if self.staked <= 0:
            return ""
        return "+" if self.net > 0 else "-" if self.net < 0 else "="

    @property
    def words(self) -> str:
        """The bets and the result of the round.

        >>> RoundMark("banker 10.00", 10, 9.5).words
        'laid banker 10.00: won 9.50'
        """
        if self.staked <= 0:
            return "no bet"
        came = {"+": f"won {money(self.net)}", "-": f"lost {money(-self.net)}", "=": "push"}[self.sign]
        return f"laid {plain(self.bets)}: {came}"


@dataclass(frozen=True, slots=True)
class Plan:
    """Where the roads stand, in cells: upper left corners of their titles, and the size of a derived road's cell."""

    width: int
    height: float
    title: float
    plate: int
    below: float
    ask: tuple[float, float]
    derived: tuple[tuple[float, float], ...]
    small: float

    @classmethod
    def of(cls, roads: Roads, *, narrow: bool = False) -> Plan:
        """The plan for a shoe.

        Wide: the Big Road over the bead plate and the ask on the left, and the derived roads in half cells on the
        right. Narrow, for telephones: one road under the other, with the ask beside the bead plate.
        """
        plate = max([LEAST_PLATE, *(bead.column + 1 for bead in roads.beads)])
        marks = max([1, *(mark.column + 1 for several in roads.derived.values() for mark in several)])
        columns = max([1, *(icon.column + 1 for icon in roads.big_road)])
        if narrow:
            width, title = max(24, columns, plate + 8), 1.7
            small = min(0.8, width / marks)
            below = title + ROWS + 0.3
            first, step = 2 * below, title + ROWS * small
            beside = tuple((0.0, first + k * step) for k in range(3))
            return cls(width, first + 3 * step, title, plate, below, (plate + 0.8, below + title), beside, small)
        title, small = 1.2, 0.5
        width = max(36, columns, math.ceil(plate + 1 + small * marks))
        below, step = title + ROWS + 0.4, title + ROWS * small
        beside = tuple((plate + 1.0, below + k * step) for k in range(3))
        return cls(width, below + 3 * step, title, plate, below, (0, below + title + ROWS + 0.4), beside, small)

    @property
    def derived_columns(self) -> int:
        """Columns of the grid of a derived road."""
        return int((self.width - self.derived[0][0]) / self.small + 1e-9)


class Board:
    """Strokes, hovers and titles of one board, road by road."""

    def __init__(self, roads: Roads, bets: Sequence[RoundMark] | None, plan: Plan, *, ask: str) -> None:
        self.roads, self.bets, self.plan, self.ask = roads, bets, plan, ask
        self.counts = {
            side.capitalize(): sum(bead.outcome is side for bead in roads.beads)
            for side in (Outcome.BANKER, Outcome.PLAYER, Outcome.TIE)
        }
        self.titles: list[dict[str, Any]] = []
        self.hovers: list[tuple[float, float, str]] = []
        self.grid = Pen({"color": theme.GRID[0], "width": 1})
        self.frames = Pen({"color": theme.QUIET[0], "width": 1.2})
        self.signs = Pen({"color": theme.INK[0], "width": 1.5})
        self.letters = Pen({"color": theme.BACKGROUND[0], "width": 1.5})
        self.dots = Pen({"color": theme.BACKGROUND[0], "width": 0}, fill=theme.BACKGROUND[0])
        self.small = {Outcome.TIE: Pen({"color": theme.TIE[0], "width": 1.6})}
        self.small_fills = {
            side: Pen({"color": _COLOURS[side], "width": 0}, fill=_COLOURS[side])
            for side in (Outcome.BANKER, Outcome.PLAYER)
        }
        self.holes = Pen({"color": theme.BACKGROUND[0], "width": 0}, fill=theme.BACKGROUND[0])
        self.lines = {key: Pen({"color": colour, "width": 2}) for key, colour in _COLOURS.items()}
        self.thin = {key: Pen({"color": colour, "width": 1.2}) for key, colour in _COLOURS.items()}
        self.fills = {key: Pen({"color": colour, "width": 0}, fill=colour) for key, colour in _COLOURS.items()}
        self._big_road()
        self._bead_plate()
        self._ask()
        for road, corner in zip(DerivedRoad, plan.derived, strict=True):
            self._derived(road, *corner)

    def traces(self) -> list[dict[str, Any]]:
        """All traces, the lowest first."""
        pens = [self.grid, *self.fills.values(), self.holes, *self.lines.values(), *self.thin.values()]
        above = [self.letters, self.frames, self.dots, *self.small_fills.values(), *self.small.values(), self.signs]
        drawn = [pen.trace() for pen in [*pens, *above] if pen.pieces]
        hover = {
            "type": "scatter",
            "mode": "markers",
            "x": floats([x for x, _, _ in self.hovers]),
            "y": floats([y for _, y, _ in self.hovers]),
            "text": [words for _, _, words in self.hovers],
            "marker": {"size": 14, "opacity": 0, "color": theme.QUIET[0]},
            "hovertemplate": "%{text}<extra></extra>",
            "showlegend": False,
        }
        return [*drawn, hover]

    def _panel(self, words: str, x: float, y: float, columns: int, size: float = 1.0) -> tuple[float, float]:
        """The title and the grid of a road; returns the corner of its first cell."""
        title = self.plan.title
        self.titles.append(_text(words, x, y + title / 2))
        top, bottom, right = y + title, y + title + ROWS * size, x + columns * size
        for row in range(ROWS + 1):
            self.grid.stroke(Cell(0, 0), (x, top + row * size), (right, top + row * size))
        for column in range(columns + 1):
            self.grid.stroke(Cell(0, 0), (x + column * size, top), (x + column * size, bottom))
        return x, top

    def _big_road(self) -> None:
        x, y = self._panel("Big Road", 0, 0, self.plan.width)
        for icon in self.roads.big_road:
            cell = Cell(x + icon.column, y + icon.row)
            self.lines[icon.side].ring(cell)
            self.thin[icon.side].write(cell, _SIGNS[icon.side], height=0.34)
            if icon.ties:
                self.lines[Outcome.TIE].stroke(cell, (0.12, 0.88), (0.88, 0.12))
            if icon.ties > 1:
                self.dots.ring(cell, 0.5, at=(0.78, 0.76))
                self.small[Outcome.TIE].write(cell, str(icon.ties), height=0.36, at=(0.78, 0.76))
            self._pairs(cell, icon)
            self._note_bet(cell, icon.round)
            self._hover(cell, self._icon_words(icon))
        if not self.roads.big_road and self.roads.leading_ties:
            self.thin[Outcome.TIE].write(Cell(x, y), str(self.roads.leading_ties))

    def _bead_plate(self) -> None:
        x, y = self._panel("Bead plate", 0, self.plan.below, self.plan.plate)
        for bead in self.roads.beads:
            cell = Cell(x + bead.column, y + bead.row)
            self.fills[bead.outcome].ring(cell, 0.84)
            total = "" if bead.total is None else str(bead.total)
            self.letters.write(cell, _SIGNS[bead.outcome] + total, height=0.36 if total else 0.42)
            self._pairs(cell, bead)
            self._note_bet(cell, bead.round)
            self._hover(cell, self._bead_words(bead))

    def _pairs(self, cell: Cell, item: Bead | Icon) -> None:
        for has, side, at in (
            (item.banker_pair, Outcome.BANKER, (0.17, 0.17)),
            (item.player_pair, Outcome.PLAYER, (0.83, 0.83)),
        ):
            if has:
                self.dots.ring(cell, 0.36, at=at)
                self.small_fills[side].ring(cell, 0.26, at=at)

    def _note_bet(self, cell: Cell, number: int) -> None:
        sign = self.bets[number - 1].sign if self.bets is not None else ""
        if sign:
            self.frames.stroke(cell, (0.03, 0.03), (0.97, 0.03), (0.97, 0.97), (0.03, 0.97), (0.03, 0.03))
            self.dots.ring(cell, 0.36, at=(0.83, 0.17))
            self.signs.write(cell, sign, height=0.36, at=(0.83, 0.17))

    def _bead_words(self, bead: Bead) -> str:
        total = "" if bead.total is None else f" {bead.total}"
        pairs = [f", {side} pair" for side, has in (("Banker", bead.banker_pair), ("Player", bead.player_pair)) if has]
        return f"Round {bead.round}: {bead.outcome.capitalize()}{total}{''.join(pairs)}{self._bet_words(bead.round)}"

    def _icon_words(self, icon: Icon) -> str:
        ties = f", {icon.ties} {'tie' if icon.ties == 1 else 'ties'}" if icon.ties else ""
        place = f"run {icon.run}, {icon.side.capitalize()} {icon.depth}"
        return f"Round {icon.round}: {place}{ties}{self._bet_words(icon.round)}"

    def _bet_words(self, number: int) -> str:
        return "" if self.bets is None else f"<br>{self.bets[number - 1].words}"

    def _hover(self, cell: Cell, words: str) -> None:
        self.hovers.append((*cell.middle, words))

    def _derived(self, road: DerivedRoad, x: float, y: float) -> None:
        size = self.plan.small
        x, top = self._panel(road.words, x, y, self.plan.derived_columns, size)
        for mark in self.roads.derived[road]:
            cell = Cell(x + mark.column * size, top + mark.row * size, size)
            self._mark(road, mark.colour, cell)
            self._hover(cell, f"{road.words}, round {mark.round}: {mark.colour}")

    def _mark(self, road: DerivedRoad, colour: Colour, cell: Cell) -> None:
        """A ring, a dot or a slash; a blue one carries a point, a hole or a cross stroke."""
        blue = colour is Colour.BLUE
        if road is DerivedRoad.BIG_EYE_BOY:
            self.lines[colour].ring(cell)
            if blue:
                self.fills[colour].ring(cell, 0.24)
        elif road is DerivedRoad.SMALL_ROAD:
            self.fills[colour].ring(cell, 0.84)
            if blue:
                self.holes.ring(cell, 0.26)
        else:
            self.lines[colour].stroke(cell, (0.12, 0.88), (0.88, 0.12))
            if blue:
                self.thin[colour].stroke(cell, (0.32, 0.32), (0.68, 0.68))

    def _ask(self) -> None:
        x, y = self.plan.ask
        self.titles.append(_text(self.ask, x, y + 0.5, quiet=True))
        for row, side in enumerate((Outcome.BANKER, Outcome.PLAYER)):
            cell = Cell(x, y + 1.1 + 1.2 * row)
            self.lines[side].ring(cell)
            self.thin[side].write(cell, _SIGNS[side], height=0.34)
            for place, road in enumerate(DerivedRoad):
                colour = self.roads.ask[road][side]
                there = Cell(x + 1.6 + 1.2 * place, cell.y)
                if colour is not None:
                    self._mark(road, colour, there)
                self._hover(there, f"{road.words}, if {side.capitalize()} wins: {colour or 'not yet started'}")
        counts = "   ".join(f"{name[0]} {number}" for name, number in self.counts.items())
        self.titles.append(_text(counts, x, y + 4.1))


def _text(words: str, x: float, y: float, *, quiet: bool = False) -> dict[str, Any]:
    colour = theme.QUIET[0] if quiet else theme.INK[0]
    return {
        "text": plain(words),
        "x": x,
        "y": y,
        "xanchor": "left",
        "yanchor": "middle",
        "showarrow": False,
        "font": {"size": 11 if quiet else 12, "color": colour},
    }
