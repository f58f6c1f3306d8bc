"""The compiled part of the roads: what one round does to every lane, and what the roads say there.

``states`` has one row of `bacclab.game.roads_rule.FIELDS` numbers a lane.
"""

from __future__ import annotations

from typing import Any

from bacclab.game import roads_rule
from bacclab.game.roads_rule import COCKROACH_PIG, LAST, NONE, TIE
from bacclab.kernels import njit

__all__ = ["add", "add_lanes", "ask_lanes", "follow_lanes"]

ask = njit(roads_rule.ask)
grow = njit(roads_rule.grow)

PLAYER, BANKER = 0, 1


@njit
def add(state: Any, outcome: Any) -> None:
    """`bacclab.game.roads_rule.add` for one lane."""
    if outcome == TIE:
        return
    for road in range(1, COCKROACH_PIG + 1):
        colour = ask(state, road, outcome)
        if colour != NONE:
            state[LAST + road] = colour
    grow(state, outcome)


@njit
def add_lanes(states: Any, codes: Any, outcome_of: Any) -> None:
    """Add a round to every lane; ``outcome_of`` has the outcome of each code."""
    for lane in range(states.shape[0]):
        add(states[lane], outcome_of[codes[lane]])


@njit
def ask_lanes(states: Any, road: Any, side: Any, marks: Any) -> None:
    """What a derived road gets in every lane if a side wins next."""
    for lane in range(states.shape[0]):
        marks[lane] = ask(states[lane], road, side)


@njit
def opinion(state: Any, roads: Any, needed: Any, colour: Any) -> Any:
    """The side for which at least ``needed`` of the roads get a colour (1 Banker, 0 Player), −1 where there is none.

    ``roads`` says road by road (index 1 to 3) whether it counts; all that count must have started.
    """
    banker = player = 0
    for road in range(1, COCKROACH_PIG + 1):
        if roads[road]:
            said = ask(state, road, BANKER)
            if said == NONE:
                return -1
            banker += 1 if said == colour else 0
            player += 0 if said == colour else 1  # once a road has started its two answers are opposite
    return BANKER if banker >= needed else PLAYER if player >= needed else -1


@njit
def follow_lanes(states: Any, opinions: Any, codes: Any, outcome_of: Any, rule: Any) -> None:
    """Add a round to every lane and note the side that the derived roads name for the next one (`opinion`).

    ``rule`` is (roads, needed, colour, sit_out), the last of them 1 where the round after a tie is sat out.
    """
    roads, needed, colour, sit_out = rule
    for lane in range(states.shape[0]):
        outcome = outcome_of[codes[lane]]
        if outcome == TIE:
            opinions[lane] = -1 if sit_out else opinions[lane]
            continue
        add(states[lane], outcome)
        opinions[lane] = opinion(states[lane], roads, needed, colour)
