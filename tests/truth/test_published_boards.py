"""Boards and marks that other programs publish as worked examples of the roads.

Boards of the Big Road: tests of the GitHub repository fulkgl/PyBaccarat, of jconradi/baccarat-engine (where both
programs agree on the drawing), and of tony070926-sudo/nine-road-baccarat-lab, which also gives marks of Big Eye Boy.
Marks of all three derived roads and the ask, worked out by hand: the plan of a public casino game (module
baccarat-roads).
"""

from __future__ import annotations

import pytest

from bacclab.game.codes import Outcome
from bacclab.game.roads import Roads, draw_roads
from bacclab.game.roads_now import DerivedRoad


def board(roads: Roads) -> list[str]:
    """The Big Road as six lines of text."""
    width = 1 + max((icon.column for icon in roads.big_road), default=-1)
    rows = [[" "] * width for _ in range(6)]
    for icon in roads.big_road:
        rows[icon.row][icon.column] = icon.side[0].upper()
    return ["".join(row).rstrip() for row in rows]


BOARDS = [
    ("", ["", "", "", "", "", ""]),
    ("PP", ["P", "P", "", "", "", ""]),
    ("PPB", ["PB", "P", "", "", "", ""]),
    ("PPBBBBBB", ["PB", "PB", " B", " B", " B", " B"]),
    ("PP" + "B" * 7, ["PB", "PB", " B", " B", " B", " BB"]),
    ("PP" + "B" * 8, ["PB", "PB", " B", " B", " B", " BBB"]),
    ("P" * 64, ["P", "P", "P", "P", "P", "P" * 59]),
    ("P" * 9, ["P", "P", "P", "P", "P", "PPPP"]),
    ("P" * 9 + "BPPPP", ["PBP", "P P", "P P", "P P", "P", "PPPP"]),
    ("P" * 9 + "BPBBBBB", ["PBPB", "P  B", "P  B", "P  B", "P  B", "PPPP"]),
    # The sixth Banker finds the tail of the nine in row six and turns in row five.
    ("P" * 9 + "BPBBBBBB", ["PBPB", "P  B", "P  B", "P  B", "P  BB", "PPPP"]),
    ("P" * 9 + "BPBBBBBBBPPPP", ["PBPBP", "P  BP", "P  BP", "P  BP", "P  BBB", "PPPP"]),
    ("P" * 9 + "BPBBBBBBBPPPPP", ["PBPBP", "P  BP", "P  BP", "P  BPP", "P  BBB", "PPPP"]),
    # The seventh Player is past the tail beneath and stays in row four.
    ("P" * 9 + "BPBBBBBBBPPPPPPP", ["PBPBP", "P  BP", "P  BP", "P  BPPPP", "P  BBB", "PPPP"]),
    # Nine and ten: both tails, up to where one program turns down again.
    ("B" * 9 + "P" * 8, ["BP", "BP", "BP", "BP", "BPPPP", "BBBB"]),
    ("BBPTPB", ["BPB", "BP", "", "", "", ""]),
]


@pytest.mark.parametrize(("shoe", "lines"), BOARDS, ids=[shoe or "none" for shoe, _ in BOARDS])
def test_board_of_the_big_road(shoe: str, lines: list[str]) -> None:
    assert board(draw_roads(shoe)) == lines


@pytest.mark.parametrize(
    ("shoe", "ties"), [("BBPTPB", [0, 0, 1, 0, 0]), ("TTB", [2]), ("TTBTP", [3, 0]), ("BTPTB", [1, 1, 0])]
)
def test_ties_on_the_icons(shoe: str, ties: list[int]) -> None:
    assert [icon.ties for icon in draw_roads(shoe).big_road] == ties


@pytest.mark.parametrize(
    ("shoe", "marks"),
    [
        ("BPB", "red"),
        ("BTPTB", "red"),
        ("BBPP", "red"),
        ("BBPPP", "red blue"),
        ("BBPPPP", "red blue red"),
    ],
)
def test_marks_of_big_eye_boy(shoe: str, marks: str) -> None:
    assert [str(mark.colour) for mark in draw_roads(shoe).derived[DerivedRoad.BIG_EYE_BOY]] == marks.split()


@pytest.mark.parametrize(
    ("shoe", "marks"),
    [
        ("BBPPBBPP", ("rrrrr", "rrr", "r")),
        ("BPPBBBP", ("bbrbb", "brb", "")),
        ("BTPPTTBBBPT", ("bbrbb", "brb", "")),
        ("BBP", ("", "", "")),
        ("BBPP", ("r", "", "")),
    ],
)
def test_marks_of_the_derived_roads(shoe: str, marks: tuple[str, str, str]) -> None:
    roads = draw_roads(shoe)
    assert tuple("".join(mark.colour[0] for mark in roads.derived[road]) for road in DerivedRoad) == marks


def test_the_ask() -> None:
    asked = draw_roads("BPPBBBP").ask
    assert [str(asked[road][Outcome.BANKER]) for road in DerivedRoad] == ["blue", "blue", "red"]
    assert [str(asked[road][Outcome.PLAYER]) for road in DerivedRoad] == ["red", "red", "blue"]


def test_a_bead_plate_goes_down_six_rows_before_it_moves_right() -> None:
    beads = draw_roads("BPTBPTB").beads
    assert [(bead.row, bead.column) for bead in beads] == [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (0, 1)]
