"""The roads against rules stated in another way, shoes worked out by hand, and the faults of other programs."""

from __future__ import annotations

import random
from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.errors import BettorError
from bacclab.game.codes import Outcome
from bacclab.game.roads import Roads, draw_roads, draw_runs
from bacclab.game.roads_lanes import LaneRoads
from bacclab.game.roads_now import Colour, DerivedRoad, Follower, RoadsNow
from bacclab.game.roads_rule import EMPTY
from bacclab.shoes.scripted import RESULTS

ROADS = list(DerivedRoad)
CODE = {letter: rounds.code for letter, rounds in RESULTS.items()}
SIDES = {"B": Outcome.BANKER, "P": Outcome.PLAYER}


# The rules stated another way: no running state, everything from the whole list of wins, and M's own wording for the
# first row ("reverse the result, apply the rule, reverse the colour").


def depths(wins: str) -> list[int]:
    return [len(list(run)) for _, run in groupby(wins)]


def colour_of_last(wins: str, k: int) -> str:
    """The mark that the last win gives: r, b, or nothing."""
    columns = depths(wins)
    m = columns[-1]
    if m == 1:
        if len(columns) < 2:
            return ""
        reversed_result = wins[:-1] + wins[-2]  # the other side would have gone below the last win
        return {"": "", "r": "b", "b": "r"}[colour_of_last(reversed_result, k)]
    if len(columns) <= k:
        return ""
    p = columns[-1 - k]
    return "b" if m == p + 1 else "r"


def marks(shoe: str, k: int) -> str:
    wins = shoe.replace("T", "")
    return "".join(colour_of_last(wins[:n], k) for n in range(1, len(wins) + 1))


def drawn_on_a_grid(items: str) -> list[tuple[int, int]]:
    """Cells of a road, one item after the other on a board of cells: below, or to the right where that is not free."""
    board: dict[tuple[int, int], str] = {}
    cells = []
    start = column = row = 0
    before = ""
    bent = False
    for item in items:
        if item == before:
            bent = bent or row == 5 or (column, row + 1) in board
            column, row = (column + 1, row) if bent else (column, row + 1)
        else:
            start = 0 if not before else next(c for c in range(start + 1, 10_000) if (c, 0) not in board)
            column, row, bent = start, 0, False
        assert (column, row) not in board
        board[column, row] = item
        cells.append((column, row))
        before = item
    return cells


def ties_on_icons(shoe: str) -> list[int]:
    """Ties written on the last win; those before the first on the first."""
    found: list[int] = []
    waiting = 0
    for letter in shoe:
        if letter != "T":
            found.append(waiting)
            waiting = 0
        elif found:
            found[-1] += 1
        else:
            waiting += 1
    return found


def shoes(count: int, *, seed: int) -> list[str]:
    """Shoes as dealt, streaky, choppy, full of ties, and short."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        stay = (0.5, 0.85, 0.15, 0.5, 0.95)[number % 5]
        ties = (0.095, 0.095, 0.095, 0.5, 0.02)[number % 5]
        side, shoe = draw.choice("BP"), ""
        for _ in range(draw.choice([0, 1, 2, 5, 12, 40, 75, 80])):
            if draw.random() < ties:
                shoe += "T"
                continue
            side = side if draw.random() < stay else "BP".replace(side, "")
            shoe += side
        made.append(shoe)
    return made


def letters(roads: Roads, road: DerivedRoad) -> str:
    return "".join(mark.colour[0] for mark in roads.derived[road])


def assert_as_stated(shoe: str) -> None:
    roads = draw_roads(shoe)
    wins = shoe.replace("T", "")
    assert list(roads.columns) == depths(wins)
    assert [(bead.column * 6 + bead.row, str(bead.outcome)[0].upper()) for bead in roads.beads] == list(enumerate(shoe))
    assert [(icon.column, icon.row) for icon in roads.big_road] == drawn_on_a_grid(wins)
    assert [shoe[icon.round - 1] for icon in roads.big_road] == list(wins)
    assert [(icon.run, icon.depth) for icon in roads.big_road] == [
        (run, depth) for run, deep in enumerate(depths(wins), 1) for depth in range(1, deep + 1)
    ]
    assert [icon.ties for icon in roads.big_road] == ties_on_icons(shoe)
    assert roads.leading_ties == len(shoe) - len(shoe.lstrip("T"))
    for k, road in enumerate(ROADS, 1):
        assert letters(roads, road) == marks(shoe, k)
        assert [(mark.column, mark.row) for mark in roads.derived[road]] == drawn_on_a_grid(marks(shoe, k))
        for letter, side in SIDES.items():
            asked = roads.ask[road][side]
            assert ("" if asked is None else asked[0]) == (colour_of_last(wins + letter, k) if wins else "")


class TestAgainstTheRulesStatedAnotherWay:
    def test_thousands_of_shoes(self) -> None:
        for shoe in shoes(1000, seed=20261129):
            assert_as_stated(shoe)

    @given(st.text("BPT", max_size=60))
    def test_any_shoe(self, shoe: str) -> None:
        assert_as_stated(shoe)

    def test_round_by_round_the_view_knows_what_the_drawing_shows(self) -> None:
        for shoe in shoes(80, seed=5):
            past: list[int] = []
            follower = Follower()
            for number, letter in enumerate(shoe):
                past.append(CODE[letter])
                if number % 3 == 0:
                    continue  # looked at now and then only
                now, wins = follower.of(past), shoe[: number + 1].replace("T", "")
                assert now == RoadsNow.of(shoe[: number + 1])
                assert list(now.depths) == depths(wins)[::-1][:4]
                assert (now.length, now.side) == ((depths(wins)[-1], SIDES[wins[-1]]) if wins else (0, None))
                for k, road in enumerate(ROADS, 1):
                    so_far = marks(wins, k)
                    assert (now.last(road) or " ")[0] == (so_far[-1] if so_far else " ")

    def test_compiled_lanes_are_the_plain_rule(self) -> None:
        several = [shoe.ljust(80, "T") for shoe in shoes(100, seed=8)]
        roads = LaneRoads(len(several))
        plain = [RoadsNow() for _ in several]
        for number in range(80):
            roads.add(np.array([CODE[shoe[number]] for shoe in several], dtype=np.uint16))
            plain = [now.after(SIDES.get(shoe[number], Outcome.TIE)) for now, shoe in zip(plain, several, strict=True)]
            assert roads.state.tolist() == [list(now.state) for now in plain]
            for road in ROADS:
                for side in SIDES.values():
                    asked = [{None: 0, Colour.RED: 1, Colour.BLUE: 2}[now.ask(road, side)] for now in plain]
                    assert roads.ask(road, side).tolist() == asked
        some = np.arange(len(several)) % 2 == 0
        roads.forget(some)
        assert (roads.state[some] == EMPTY).all()
        assert roads.state[~some].tolist() == [list(now.state) for now in plain[1::2]]

    @given(st.text("BPT", max_size=50))
    def test_the_answers_of_the_ask_are_opposite_once_a_road_has_started(self, shoe: str) -> None:
        now = RoadsNow.of(shoe)
        for road in ROADS:
            banker, player = now.ask(road, "banker"), now.ask(road, "player")
            assert (banker is None) == (player is None)
            assert banker is None or banker is not player

    @given(st.text("BPT", max_size=40), st.integers(0, 40))
    def test_a_tie_adds_no_mark_and_asks_nothing(self, shoe: str, place: int) -> None:
        assert RoadsNow.of(shoe) == RoadsNow.of(shoe[:place] + "T" + shoe[place:])


class TestByHand:
    """Shoes worked out with pencil and squared paper from the rules."""

    def test_where_the_roads_start(self) -> None:
        # Big Eye Boy at column 2 row 2, else at column 3 row 1; the others one and two columns later.
        for k, road in enumerate(ROADS):
            chop = "BPBPBP"
            below = chop[: k + 2] + chop[k + 1]
            first_below = draw_roads(below).derived[road]
            assert [mark.round for mark in first_below] == [k + 3]
            beside = chop[: k + 3]
            assert [mark.round for mark in draw_roads(beside).derived[road]] == [k + 3]
            assert not draw_roads(chop[: k + 2]).derived[road]

    def test_one_shoe_of_ten_wins(self) -> None:
        # Columns B2 P1 B2 P3 B1 P1.
        roads = draw_roads("BBPBBPPPBP")
        assert roads.columns == (2, 1, 2, 3, 1, 1)
        # P4 at column 3 row 1: columns 2 and 1 are 1 and 2 deep: blue. B5 at row 2 beside 1: below the last: blue.
        # P6: columns 3 and 2 are 2 and 1: blue. P7, row 2 beside 2: red. P8, row 3 beside 2: blue.
        # B9: columns 4 and 3 are 3 and 2: blue. P10: columns 5 and 4 are 1 and 3: blue.
        assert letters(roads, DerivedRoad.BIG_EYE_BOY) == "bbbrbbb"
        # B5, row 2, column 1 is 2 deep: red. P6: columns 3 and 1: red. P7 beside column 2 (1): blue, P8 straight down:
        # red. B9: columns 4 and 2, 3 and 1: blue. P10: columns 5 and 3, 1 and 2: blue.
        assert letters(roads, DerivedRoad.SMALL_ROAD) == "rrbrbb"
        # P7 beside column 1 (2): red; P8 below it: blue. B9: columns 4 and 1, 3 and 2: blue. P10: columns 5 and 2: red.
        assert letters(roads, DerivedRoad.COCKROACH_PIG) == "rbbr"
        # Next: P is on column 6, one deep. Columns 5, 4, 3 are 1, 3, 2 deep.
        asked = {road: [str(roads.ask[road][side]) for side in SIDES.values()] for road in ROADS}
        assert asked == {ROADS[0]: ["red", "blue"], ROADS[1]: ["blue", "red"], ROADS[2]: ["blue", "red"]}

    def test_dragon_tails(self) -> None:
        # Eight down and along row six; the next run is stopped by that tail in row five, the third by both.
        assert draw_runs([8])[4:] == [(0, 4), (0, 5), (1, 5), (2, 5)]
        assert draw_runs([8, 7])[8:] == [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (2, 4), (3, 4)]
        assert draw_runs([8, 7, 5])[15:] == [(2, 0), (2, 1), (2, 2), (2, 3), (3, 3)]

    def test_a_tail_that_runs_past_the_one_beneath_it_stays_in_its_row(self) -> None:
        # The first tail ends in column 2; the second one, in row five, goes on to column 5 and does not turn down.
        assert draw_runs([8, 9])[-4:] == [(2, 4), (3, 4), (4, 4), (5, 4)]

    def test_a_run_begins_in_the_first_free_cell_of_the_top_row(self) -> None:
        # Tails pile up, one row higher each, until one of them runs along the top row.
        runs = [7, 6, 5, 4, 3, 4, 1]
        cells = draw_runs(runs)
        assert cells[25:] == [(5, 0), (6, 0), (7, 0), (8, 0), (9, 0)]
        assert len(set(cells)) == sum(runs)

    def test_bead_plate_and_pairs(self) -> None:
        roads = draw_roads("BPTBPTB", pairs=[(False, False)] * 6 + [(True, False)], totals=[(3, 7)] * 7)
        last = roads.beads[-1]
        assert (last.column, last.row, last.total, last.player_pair, last.banker_pair) == (1, 0, 7, True, False)
        assert roads.big_road[-1].player_pair


class TestQuestionsOfUsers:
    def test_stacked_ties_make_no_column(self) -> None:
        roads = draw_roads("PBTTPBPPPPBTPTPB")
        assert roads.columns == (1, 1, 1, 1, 4, 1, 2, 1)
        marked = {icon.round: icon.ties for icon in roads.big_road if icon.ties}
        assert marked == {2: 2, 11: 1, 13: 1}  # the first B, the third B, the first P of the last P column

    def test_ties_before_any_decision(self) -> None:
        roads = draw_roads("TTBP")
        assert (roads.columns, roads.leading_ties) == ((1, 1), 2)
        assert [icon.ties for icon in roads.big_road] == [2, 0]


class TestFaultsOfOtherPrograms:
    """Each was found in a program that others copy; none may come back here."""

    def test_the_first_column_is_compared_with(self) -> None:
        assert letters(draw_roads("BPP"), DerivedRoad.BIG_EYE_BOY) == "b"
        assert letters(draw_roads("BPB"), DerivedRoad.BIG_EYE_BOY) == "r"
        assert letters(draw_roads("BPBPB"), DerivedRoad.COCKROACH_PIG) == "r"

    def test_straight_down_is_red_again(self) -> None:
        # Column 1 is one deep: row 2 of column 2 is blue, every row below it red.
        assert letters(draw_roads("BPPPPP"), DerivedRoad.BIG_EYE_BOY) == "brrr"

    def test_depth_is_counted_and_not_drawn(self) -> None:
        # Runs of nine and eight: the eighth is beside the eighth of nine, although three of those are drawn elsewhere.
        roads = draw_roads("B" * 9 + "P" * 8)
        assert letters(roads, DerivedRoad.BIG_EYE_BOY) == "r" * 7
        # Equally deep, although the first is bent in row six and the second in row five: red.
        assert letters(draw_roads("B" * 8 + "P" * 8 + "B"), DerivedRoad.BIG_EYE_BOY)[-1] == "r"
        assert letters(draw_roads("B" * 8 + "P" * 6 + "B"), DerivedRoad.BIG_EYE_BOY)[-1] == "b"

    def test_an_empty_shoe_has_an_empty_board(self) -> None:
        roads = draw_roads("")
        assert (roads.beads, roads.big_road, roads.columns, roads.leading_ties) == ((), (), (), 0)
        assert all(answer is None for asked in roads.ask.values() for answer in asked.values())

    def test_a_shoe_that_begins_with_a_tie_is_drawn(self) -> None:
        assert draw_roads("TBPP").columns == (1, 2)

    def test_leading_ties_are_not_lost(self) -> None:
        roads = draw_roads("TTTBTP")
        assert (roads.leading_ties, [icon.ties for icon in roads.big_road]) == (3, [4, 0])

    def test_ties_are_kept_where_nothing_else_came(self) -> None:
        roads = draw_roads("TTTT")
        assert (len(roads.beads), roads.leading_ties, roads.big_road, roads.columns) == (4, 4, (), ())

    def test_every_tie_is_counted(self) -> None:
        for shoe in shoes(200, seed=3):
            roads = draw_roads(shoe)
            counted = sum(icon.ties for icon in roads.big_road)
            assert counted == (shoe.count("T") if roads.big_road else 0)

    def test_no_cell_is_drawn_twice(self) -> None:
        for shoe in shoes(300, seed=4):
            cells = [(icon.column, icon.row) for icon in draw_roads(shoe).big_road]
            assert len(set(cells)) == len(cells)
            assert all(0 <= row < 6 for _, row in cells)


def test_a_new_shoe_clears_the_roads_of_a_view() -> None:
    follower = Follower()
    assert follower.of([CODE["B"]] * 5).length == 5
    assert follower.of([CODE["P"]]).depths == (1,)
    assert follower.of([]) == RoadsNow()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda: draw_roads("BPX"), "round 3 is 'X'"),
        (lambda: RoadsNow().last("big-eye"), "did you mean big-eye-boy"),
        (lambda: RoadsNow().ask("small-road", "tie"), "banker or player"),
        (lambda: draw_roads("BP", pairs=[(True, True)]), "2 rounds"),
        (lambda: draw_roads("BP", totals=[(1, 2)] * 3), "2 rounds"),
    ],
)
def test_mistakes_are_told(wrong, says: str) -> None:
    with pytest.raises(BettorError, match=says):
        wrong()
