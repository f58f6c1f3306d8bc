"""Selections on the derived roads: bet sequences worked out by hand, and one rule for all shoes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.bettors.rehearsal import sides
from bacclab.bettors.selections.roads import DerivedRoadSelection, RoadSelection, ThreeRoads
from bacclab.errors import BettorError
from bacclab.game.roads import draw_roads
from bacclab.game.roads_now import DerivedRoad

OTHER = str.maketrans("PB", "BP")

# Columns B2 P1 B2 P3 B1 P1. Before each round the current column is compared with the one k columns back: equally deep,
# and red is the other side (a new column beside its like); unequal, and red is the same side (beside an icon, or
# straight down). Big Eye Boy looks back one column: before P4 1 against 2, before B5 1 and 1, before P6 2 against 1,
# before P7 1 against 2, before P8 2 and 2, before B9 3 against 2, before P10 1 against 3.
SHOE = "B B P B B P P P B P"
WORKED = [
    (DerivedRoadSelection(road="big-eye-boy"), "- - - P P B P B P B"),
    (DerivedRoadSelection(road="small-road"), "- - - - B P B P P B"),
    (DerivedRoadSelection(road="cockroach-pig"), "- - - - - - P B P P"),
    (ThreeRoads(agree="all"), "- - - - - - - - P -"),
    (ThreeRoads(agree="majority"), "- - - - - - P B P B"),
]


def told(system: RoadSelection) -> str:
    return " ".join(str(value) for value in (system.id, *system.parameters.values()))


@pytest.mark.parametrize(("system", "expected"), WORKED, ids=[told(system) for system, _ in WORKED])
def test_worked_out_by_hand(system: RoadSelection, expected: str) -> None:
    assert sides(system, SHOE) == expected


@pytest.mark.parametrize(("system", "expected"), WORKED, ids=[told(system) for system, _ in WORKED])
def test_blue_is_the_other_side(system: RoadSelection, expected: str) -> None:
    colour = "follow" if isinstance(system, DerivedRoadSelection) else "colour"
    assert sides(type(system)(**{**system.parameters, colour: "blue"}), SHOE) == expected.translate(OTHER)


def test_a_tie_asks_nothing() -> None:
    assert sides(DerivedRoadSelection(road="big-eye-boy"), "T B T B P T T B B") == "- - - - - P P P P"


def test_the_round_after_a_tie_may_be_sat_out() -> None:
    system = DerivedRoadSelection(road="big-eye-boy", ties="sit-out")
    assert sides(system, "T B T B P T T B B") == "- - - - - P - - P"


RULES = [
    *(DerivedRoadSelection(road=road.value, follow=colour) for road in DerivedRoad for colour in ("red", "blue")),
    *(ThreeRoads(agree=agree, colour=colour) for agree in ("all", "majority") for colour in ("red", "blue")),
]


@pytest.mark.parametrize("system", RULES, ids=told)
@given(shoe=st.text("BPT", max_size=30))
def test_any_shoe_by_the_board_as_drawn(system: RoadSelection, shoe: str) -> None:
    """What is bet is what the ask of the drawn board says before each round."""
    roads, needed, colour = system.wanted()
    expected = []
    for number in range(len(shoe)):
        ask = draw_roads(shoe[:number]).ask
        votes = {side: sum(ask[road][side] == colour for road in roads) for side in ("banker", "player")}
        started = all(ask[road]["banker"] for road in roads)
        named = [side[0].upper() for side, count in votes.items() if started and count >= needed]
        assert len(named) < 2
        expected.append(named[0] if named else "-")
    assert sides(system, shoe) == " ".join(expected)


def test_a_base_says_what_is_missing() -> None:
    with pytest.raises(NotImplementedError, match="define wanted"):
        sides(RoadSelection(), "B")


def test_a_wrong_road_is_refused() -> None:
    with pytest.raises(BettorError, match="big-eye-boy"):
        DerivedRoadSelection(road="big-eye")
