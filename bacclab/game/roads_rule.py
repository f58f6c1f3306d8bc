"""The rule of the derived roads, and the little of a shoe that it needs; plain here, compiled in `roads_kernels`.

A *column* is a run of wins of one side, ties left out, and its depth is the number of those wins, however the run is
drawn. What the next mark of each derived road will be follows from the depths of the last four columns, so a shoe is
kept in eight small numbers, updated round by round: ``state[SIDE]`` is the side of the current run (0 Player, 1
Banker, as in `bacclab.game.codes.outcomes`; 2 before the first win), ``state[DEPTH + j]`` the depth of the column *j*
columns back (0 where there is none), ``state[LAST + k]`` the last mark of road *k* (NONE before its first).

Source: "Baccarat Roadmap Manual" of the Microgaming live team (livedealer.org/the-baccarat-roadmap-manual); the rule
comments of the GitHub repository LeonClancy/baccarat-bet-analyze for the red mark straight down.
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ["BLUE", "DEPTH", "EMPTY", "FIELDS", "LAST", "NONE", "NO_SIDE", "RED", "ROADS", "SIDE", "TIE"]
__all__ += ["BIG_EYE_BOY", "COCKROACH_PIG", "SMALL_ROAD", "add", "ask", "grow"]

NONE: Final = 0
RED: Final = 1
BLUE: Final = 2
"""The marks: red repeats, blue does not; NONE where a road has not started."""

BIG_EYE_BOY: Final = 1
SMALL_ROAD: Final = 2
COCKROACH_PIG: Final = 3
"""The derived roads, by how many columns back they look."""
ROADS: Final = (BIG_EYE_BOY, SMALL_ROAD, COCKROACH_PIG)

SIDE: Final = 0
DEPTH: Final = 1
LAST: Final = 4
FIELDS: Final = 8

NO_SIDE: Final = 2
TIE: Final = 2
EMPTY: Final = (NO_SIDE, 0, 0, 0, 0, NONE, NONE, NONE)
"""A shoe before its first win."""


def ask(state: Any, road: int, side: int) -> int:
    """The mark that a derived road gets if the next win is that of a side (0 Player, 1 Banker).

    The win becomes row *m* of column *n*, and the road looks *k* columns back. For *m* of 2 or more column *n* − *k* is
    *p* deep: red where *m* ≤ *p*, blue where *m* = *p* + 1, red again below ("straight down"). For *m* = 1 the columns
    *n* − 1 and *n* − 1 − *k* are compared: red where they are equally deep, else blue. NONE where there is no such
    column.

    >>> state = [1, 2, 1, 0, 0, 0, 0, 0]  # P B B: two columns, one and two deep
    >>> ask(state, BIG_EYE_BOY, 1), ask(state, BIG_EYE_BOY, 0), ask(state, SMALL_ROAD, 1)
    (1, 2, 0)
    """
    depth, compared = state[DEPTH], state[DEPTH + road]
    if compared == 0:
        return NONE
    if side != state[SIDE]:  # row 1: the column of before is now n - 1, and the compared one n - 1 - k
        return RED if depth == compared else BLUE
    row = depth + 1
    return BLUE if row == compared + 1 else RED


def grow(state: Any, side: int) -> None:
    """Add a win of a side to the columns: below the last one, or at the top of a new column.

    >>> state = [1, 2, 1, 0, 0, 0, 0, 0]
    >>> grow(state, 0); state
    [0, 1, 2, 1, 0, 0, 0, 0]
    """
    if side == state[SIDE]:
        state[DEPTH] += 1
        return
    state[DEPTH + 3] = state[DEPTH + 2]
    state[DEPTH + 2] = state[DEPTH + 1]
    state[DEPTH + 1] = state[DEPTH]
    state[DEPTH] = 1
    state[SIDE] = side


def add(state: Any, outcome: int) -> None:
    """Add a round (0 Player, 1 Banker, 2 Tie) to a shoe in place: the marks it gives, its win. A tie adds nothing.

    >>> state = list(EMPTY)
    >>> for outcome in (0, 1, 2, 1, 0):
    ...     add(state, outcome)
    >>> state  # Player; depths 1, 2, 1; the last mark of Big Eye Boy is blue
    [0, 1, 2, 1, 0, 2, 0, 0]
    """
    if outcome == TIE:
        return
    for road in ROADS:
        colour = ask(state, road, outcome)
        if colour != NONE:
            state[LAST + road] = colour
    grow(state, outcome)
