"""The roads of a shoe as lines of letters, in colour where the terminal has colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.game.codes import Outcome
from bacclab.game.roads import ROWS
from bacclab.game.roads_now import Colour, DerivedRoad

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.text import Text

    from bacclab.game.roads import Bead, Icon, Roads

__all__ = ["road_lines"]

Cells = dict[tuple[int, int], tuple[str, str]]
"""Column and row: two characters and the name of their look."""

LOOKS = {
    "banker": "bold red",
    "player": "bold blue",
    "tie": "bold green",
    "red": "red",
    "blue": "blue",
    "empty": "dim",
}
KEY = (
    "Bead plate: b a Banker pair, p a Player pair, & both. Big Road: a number counts ties. "
    "Derived roads: r red (repeats), b blue (does not)."
)
_SIGNS = {Outcome.BANKER: "B", Outcome.PLAYER: "P", Outcome.TIE: "T"}


def road_lines(roads: Roads, *, width: int | None = None) -> list[Text]:
    """All roads, the ask and a key; where the columns do not fit into `width` the oldest are left out and counted.

    >>> from bacclab.game.roads import draw_roads
    >>> [line.plain.rstrip() for line in road_lines(draw_roads("PBBTP"))[8:11]]
    ['Big Road', 'P B P', '. B1.']
    """
    lines = []
    for title, cells in _panels(roads).items():
        lines += [*_panel(title, cells, width=width), _plain("")]
    lines += _ask(roads)
    lines += [_plain(""), _plain(KEY, "empty")]
    return lines


def _panels(roads: Roads) -> Mapping[str, Cells]:
    plate: Cells = {(b.column, b.row): (_SIGNS[b.outcome] + _pair(b), b.outcome.value) for b in roads.beads}
    big: Cells = {(i.column, i.row): (_SIGNS[i.side] + _ties(i), i.side.value) for i in roads.big_road}
    if not big and roads.leading_ties:
        big[0, 0] = (f"{min(roads.leading_ties, 99):<2}", "tie")
    derived = {
        road.words: {(m.column, m.row): (f"{m.colour[0]} ", m.colour.value) for m in roads.derived[road]}
        for road in DerivedRoad
    }
    return {"Bead plate": plate, "Big Road": big, **derived}


def _pair(bead: Bead) -> str:
    return {(False, False): " ", (True, False): "p", (False, True): "b", (True, True): "&"}[
        bead.player_pair, bead.banker_pair
    ]


def _ties(icon: Icon) -> str:
    return " " if not icon.ties else str(icon.ties) if icon.ties < 10 else "+"


def _panel(title: str, cells: Cells, *, width: int | None) -> list[Text]:
    columns = max([0, *(column + 1 for column, _ in cells)])
    shown = columns if width is None else min(columns, max(1, width // 2))
    first = columns - shown
    gone = f" (the first {first} columns do not fit and are left out)" if first else ""
    lines = [_plain(title + gone)]
    for row in range(ROWS):
        line = _plain("")
        for column in range(first, columns):
            text, look = cells.get((column, row), (". ", "empty"))
            line.append(text[0], LOOKS[look])
            line.append(text[1:], LOOKS["tie" if text[1:].strip().isdigit() else look])
        lines.append(line)
    return lines


def _ask(roads: Roads) -> Iterable[Text]:
    yield _plain("Ask: the marks of Big Eye Boy, Small Road, Cockroach Pig if the next win is")
    for side in (Outcome.BANKER, Outcome.PLAYER):
        line = _plain("  ")
        line.append(f"{side.capitalize()}: ", LOOKS[side.value])
        for road in DerivedRoad:
            colour: Colour | None = roads.ask[road][side]
            line.append(f"{colour or '-'} ", LOOKS[colour.value if colour else "empty"])
        yield line


def _plain(text: str, look: str | None = None) -> Text:
    from rich.text import Text

    return Text(text, style=LOOKS[look] if look else "")
