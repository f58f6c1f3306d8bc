"""Whole boards of operators: bead plates whose cells name row, column, winner and pairs; others are refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bacclab.errors import SourceError
from bacclab.shoes.recorded.draft import BANKER, PLAYER, TIE, Draft, Drafts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.shoes.recorded.draft import Reading

__all__ = ["BEAD_CELL", "beads_of", "refuse_roads"]

BEAD_CELL: Final = re.compile(r"^(?=.*\b0,0,[123],)\s*[\"'\[]*\s*[0-5],\d+,[123],\d+(?:,\d+)?\s*(?:[\"'\]\s;|#]+|$)")
_CELL: Final = re.compile(r"(\d+),(\d+),([123]),(\d+)(?:,\d+)?")
_BEADS: Final = re.compile(r"^(?:\d\d)+(?:#(?:\d\d)*)+$")
_BIG_ROAD: Final = re.compile(r"^[\d,]*,,[\d,]*#[\d,#]*$|^(?:\d{4},+)+#")
_LONG: Final = re.compile(r"\d{10}")
_HEIGHT: Final = 6


def beads_of(lines: Sequence[str], reading: Reading) -> Drafts:
    """The rounds of bead plates, one a line: cells `row,column,winner,bits` with 1 Banker, 2 Player, 3 Tie.

    The bits hold the number of Player pairs (lowest four) and of Banker pairs (next four). A Big Road in the same
    writing is refused, since it does not say when its ties came.
    Source: "Baccarat Road Chart Format", docs.pkg333.app.
    """
    del reading
    rounds = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if _LONG.search(line):
            raise SourceError(f"line {number}: a number has too many digits for a cell of a bead plate")
        cells = sorted((int(c), int(r), int(w), int(bits)) for r, c, w, bits in _CELL.findall(line))
        for place, (column, row, winner, bits) in enumerate(cells):
            if row >= _HEIGHT or (bits >> 8) & 0xFF or (column, row) != divmod(place, _HEIGHT):
                raise SourceError(
                    (
                        f"line {number}: the cells are no bead plate: row {row}, column {column} comes at place "
                        f"{place + 1}"
                    ),
                    hint="of the roads only the bead plate keeps every round in its order",
                )
            rounds.append(
                Draft(
                    number,
                    {1: BANKER, 2: PLAYER, 3: TIE}[winner],
                    player_pair=bool(bits & 15),
                    banker_pair=bool(bits >> 4 & 15),
                    shoe=str(number),
                )
            )
    if not rounds:
        raise SourceError("there is no cell row,column,winner,bits")
    taken = {"shoes": "one bead plate a line"}
    return Drafts(rounds, "bead-cells", "1 Banker, 2 Player, 3 Tie", taken)


def refuse_roads(lines: Sequence[str]) -> None:
    """Refuse road strings whose numbers differ by operator, with what to do.

    >>> refuse_roads(["010203#0102"])
    Traceback (most recent call last):
    bacclab.errors.SourceError: line 1 is a bead plate of two digits a cell, whose numbers differ by operator
    (write the results as letters, or say what 01, 02, 03 are and use --format codes with 1, 2, 3)
    """
    first = "".join(lines[0].split())
    if _BEADS.match(first):
        raise SourceError(
            "line 1 is a bead plate of two digits a cell, whose numbers differ by operator",
            hint="write the results as letters, or say what 01, 02, 03 are and use --format codes with 1, 2, 3",
        )
    if _BIG_ROAD.match(first):
        raise SourceError(
            "line 1 is a Big Road or a derived road, which does not say when ties came",
            hint="take the bead plate, or the results as letters",
        )
