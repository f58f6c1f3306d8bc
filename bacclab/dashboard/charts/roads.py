"""The five roads of a shoe as a player knows them, with the bets of a session marked.

The board is drawn in cells: the Big Road on top, under it the bead plate with the ask, and beside that the derived roads
in half cells. All is drawn in strokes, so that a figure of any size shows the same picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import floats, money, plain, sketch
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.charts.strokes import Cell, Pen
from bacclab.game.codes import Outcome
from bacclab.game.roads import ROWS, Bead, Icon, Roads, draw_roads
from bacclab.game.roads_now import Colour, DerivedRoad

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["RoundMark", "board", "roads_figure"]

LEAST_COLUMNS = 36
LEAST_PLATE = 13
TITLE = 1.2
"""The height of a road's title, in cells."""
WORDS = (
    "Red, B: Banker. Blue, P: Player. Green, T and green strokes: ties, with their number when there are several. "
    "Derived roads: red where the Big Road repeats itself, blue (with a point, a hole or a cross stroke) where not."
)
BET_WORDS = "Framed: a bet was laid; + it won, − it lost, = it was a push."
SMALL = 0.5
"""The size of a cell of the derived roads."""

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


@Drawing
def roads_figure(
    outcomes: Sequence[str],
    *,
    title: str = "",
    bets: Sequence[RoundMark] | None = None,
    pairs: Sequence[tuple[bool, bool]] | None = None,
    totals: Sequence[tuple[int, int]] | None = None,
) -> Sketch:
    """The roads of one shoe; with ``bets``, one a round, each round with a bet is framed and signed.

    ``outcomes`` are letters (B, P, T) or words, ``pairs`` and ``totals`` (Player, Banker) are shown where given.
    """
    return board(draw_roads(outcomes, pairs=pairs, totals=totals), title=title, bets=bets)


def board(roads: Roads, *, title: str = "", bets: Sequence[RoundMark] | None = None) -> Sketch:
    """The sketch of roads that are worked out already. Raises ValueError where there are not as many bets as rounds."""
    if bets is not None and len(bets) != len(roads.beads):
        raise ValueError(f"{len(bets)} bets for {len(roads.beads)} rounds")
    drawn = _Board(roads, bets)
    counts = ", ".join(f"{name} {number}" for name, number in drawn.counts.items())
    made = sketch(
        title or "The roads of the shoe",
        note=WORDS if bets is None else f"{WORDS} {BET_WORDS}",
        alt=f"Roads of a shoe of {len(roads.beads)} rounds: {counts}. Lengths of the runs: "
        f"{', '.join(map(str, roads.columns)) or 'none'}.",
        x="",
        y="",
        height=620,
    )
    made.add(*drawn.traces())
    axis = {"visible": False, "showgrid": False, "fixedrange": True}
    made.change(
        xaxis={**axis, "range": [-0.3, drawn.width + 0.3], "constrain": "domain"},
        yaxis={
            **axis,
            "range": [drawn.height + 0.3, -0.3],
            "scaleanchor": "x",
            "constrain": "domain",
            "constraintoward": "top",
        },
        hovermode="closest",
        showlegend=False,
        annotations=drawn.titles,
        margin={"l": 12, "r": 12, "b": 12},
    )
    return made


class _Board:
    """Strokes, hovers and titles of one board, road by road."""

    def __init__(self, roads: Roads, bets: Sequence[RoundMark] | None) -> None:
        self.roads, self.bets = roads, bets
        self.counts = {
            side.capitalize(): sum(bead.outcome is side for bead in roads.beads)
            for side in (Outcome.BANKER, Outcome.PLAYER, Outcome.TIE)
        }
        plate = max([LEAST_PLATE, *(bead.column + 1 for bead in roads.beads)])
        derived = max([1, *(mark.column + 1 for marks in roads.derived.values() for mark in marks)])
        columns = max([1, *(icon.column + 1 for icon in roads.big_road)])
        self.width = max(LEAST_COLUMNS, columns, math.ceil(plate + 1 + SMALL * derived))
        self.below = TITLE + ROWS + 0.4
        self.height = self.below + 3 * (TITLE + ROWS * SMALL)
        self.plate, self.derived_columns = plate, int((self.width - plate - 1) / SMALL)
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
        for place, road in enumerate(DerivedRoad):
            self._derived(road, self.below + place * (TITLE + ROWS * SMALL))

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
        self.titles.append(_text(words, x, y + TITLE / 2))
        top, bottom, right = y + TITLE, y + TITLE + ROWS * size, x + columns * size
        for row in range(ROWS + 1):
            self.grid.stroke(Cell(0, 0), (x, top + row * size), (right, top + row * size))
        for column in range(columns + 1):
            self.grid.stroke(Cell(0, 0), (x + column * size, top), (x + column * size, bottom))
        return x, top

    def _big_road(self) -> None:
        x, y = self._panel("Big Road", 0, 0, self.width)
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
        x, y = self._panel("Bead plate", 0, self.below, self.plate)
        for bead in self.roads.beads:
            cell = Cell(x + bead.column, y + bead.row)
            self.fills[bead.outcome].ring(cell, 0.84)
            self.letters.write(cell, _SIGNS[bead.outcome] if bead.total is None else str(bead.total))
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

    def _derived(self, road: DerivedRoad, y: float) -> None:
        x, top = self._panel(road.words, self.plate + 1, y, self.derived_columns, SMALL)
        for mark in self.roads.derived[road]:
            cell = Cell(x + mark.column * SMALL, top + mark.row * SMALL, SMALL)
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
        y = self.below + TITLE + ROWS + 0.4
        self.titles.append(_text("Ask: what the derived roads get if the next win is", 0, y + 0.5, quiet=True))
        for row, side in enumerate((Outcome.BANKER, Outcome.PLAYER)):
            cell = Cell(0, y + 1.1 + 1.2 * row)
            self.lines[side].ring(cell)
            self.thin[side].write(cell, _SIGNS[side], height=0.34)
            for place, road in enumerate(DerivedRoad):
                colour = self.roads.ask[road][side]
                there = Cell(1.6 + 1.2 * place, cell.y)
                if colour is not None:
                    self._mark(road, colour, there)
                self._hover(there, f"{road.words}, if {side.capitalize()} wins: {colour or 'not yet started'}")
        counts = "   ".join(f"{name} {number}" for name, number in self.counts.items())
        self.titles.append(_text(counts, 0, y + 4.1))


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
