"""Time the roads: a million shoes in one go, and round by round as vectorised bettors keep them.

    python tests/benchmarks/roads.py

Prints nanoseconds of CPU for each round of a shoe on one core, of lanes the least of several runs. The aim is 40 at
most.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.lanes.base import LaneResult, LaneView
from bacclab.bettors.selections.roads import ThreeRoads
from bacclab.game import roads_kernels
from bacclab.game.codes import CODE_MASK, NEW_SHOE, outcomes
from bacclab.game.layout import Layout
from bacclab.game.roads_lanes import LaneRoads
from bacclab.game.roads_rule import BLUE, COCKROACH_PIG, EMPTY, FIELDS, LAST, NONE, RED, TIE
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.kernels import njit
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SHOES, SESSIONS, ROUNDS, LANES, REPEATS = 1_000_000, 2_000, 700, 4096, 3


def least(work: Callable[[], object], rounds: int) -> float:
    """Nanoseconds of CPU for each of `rounds` rounds, the least of several runs."""
    work()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) / rounds * 1e9


@njit
def add_shoes(codes: Any, states: Any, outcome_of: Any, reds: Any, blues: Any) -> None:
    """Add whole sessions (lanes × rounds of codes, new shoes flagged) and count the marks of each road (1 to 3)."""
    for lane in range(codes.shape[0]):
        state = states[lane]
        for r in range(codes.shape[1]):
            code = codes[lane, r]
            if code & NEW_SHOE:
                for field in range(FIELDS):
                    state[field] = EMPTY[field]
            outcome = outcome_of[code & CODE_MASK]
            if outcome == TIE:
                continue
            for road in range(1, COCKROACH_PIG + 1):
                colour = roads_kernels.ask(state, road, outcome)
                reds[road] += colour == RED
                blues[road] += colour == BLUE
                state[LAST + road] = colour if colour != NONE else state[LAST + road]
            roads_kernels.grow(state, outcome)


def whole_shoes(source: SimulatedSource) -> tuple[int, float]:
    """All marks of all roads of a million shoes, no shoe twice: how many there were, and nanoseconds a round."""
    states = np.zeros((SESSIONS, 8), dtype=np.int16)
    reds, blues = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    shoes = rounds = first = 0
    spent = 0.0
    while shoes < SHOES:
        codes = source.rounds(first, SESSIONS, horizon=Horizon(rounds=ROUNDS)).codes
        if first == 0:
            add_shoes(codes[:1], states, outcomes(), reds, blues)
        start = time.process_time()
        add_shoes(codes, states, outcomes(), reds, blues)
        spent += time.process_time() - start
        first += SESSIONS
        rounds += codes.size
        shoes += int(np.count_nonzero(codes & NEW_SHOE))
    return shoes, spent / rounds * 1e9


def by_lanes(rows: NDArray[np.uint16]) -> None:
    """The state of every lane, a round at a time."""
    roads = LaneRoads(rows.shape[1])
    for row in rows:
        roads.add(row)


def selection(rows: NDArray[np.uint16]) -> None:
    """A selection on all three roads: the side asked for, the round seen."""
    table = BUILT_IN_TABLES["commission"]
    system, lanes = ThreeRoads(), rows.shape[1]
    view, nothing = LaneView(table, Layout(table), lanes=lanes), np.zeros(lanes, dtype=np.int64)
    system.lanes = lanes
    system.start(table)
    for row in rows:
        system.side(view)
        system.see(LaneResult(row, staked=nothing, net=nothing))


def main() -> None:
    """Run and print the table."""
    source = SimulatedSource(BUILT_IN_TABLES["commission"].shoe, seed=1)
    dealt = source.rounds(0, LANES, horizon=Horizon(rounds=80))
    rows = np.ascontiguousarray(dealt.codes.T & np.uint16(CODE_MASK))
    shoes, whole = whole_shoes(source)
    times = {
        "whole shoes": whole,
        "round by round, a lane": least(lambda: by_lanes(rows), rows.size),
        "three-roads, a lane": least(lambda: selection(rows), rows.size),
    }
    sys.stdout.write(f"{shoes:,} shoes, {LANES:,} lanes, one core\n")
    for name, nanoseconds in times.items():
        sys.stdout.write(f"{name:<24}{nanoseconds:8.1f} ns\n")


if __name__ == "__main__":
    main()
