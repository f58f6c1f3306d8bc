"""The roads of a shoe as they are drawn: bead plate, Big Road, Big Eye Boy, Small Road, Cockroach Pig, and the ask.

* Bead plate: every round, ties included, down columns of six.
* Big Road: an icon a win; the same side below, the other side at the top of a new column; six rows. A tie has no icon:
  it is counted on the last one. Ties before the first win are counted on the first icon, and also in ``leading_ties``.
* Dragon tail: a run that comes to the sixth row, or above a filled cell, turns right and stays in its row. The next run
  begins in the first free cell of the top row to the right of where the last run began.
* Derived roads: a mark for each win once the road has started, by `bacclab.game.roads_rule.ask`; red where the Big Road
  repeats itself, blue where not. The depth of a column counts its wins, however they are drawn. The marks are drawn as
  a Big Road of two colours. A tie adds no mark.
* Ask: the mark that each derived road gets if Banker wins next, and if Player does; opposite once the road has started.

Sources: "Baccarat Roadmap Manual" of the Microgaming live team (livedealer.org/the-baccarat-roadmap-manual); the help
page of an operator (og-plus.oss-accelerate.aliyuncs.com/v6/rule/roadmap.html); Wizard of Odds, "Baccarat Score Boards".
They do not say what ties before the first win count for, nor whether a tail that runs past the one beneath it turns
down again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bacclab.errors import BettorError
from bacclab.game.codes import Outcome
from bacclab.game.roads_now import Colour, DerivedRoad, RoadsNow

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


__all__ = ["ROWS", "Bead", "Icon", "Mark", "Roads", "draw_roads", "draw_runs", "outcomes_of"]

ROWS = 6
"""The rows of every road."""

_LETTERS = {
    "b": Outcome.BANKER,
    "p": Outcome.PLAYER,
    "t": Outcome.TIE,
    **{str(outcome): outcome for outcome in Outcome},
}


@dataclass(frozen=True, slots=True)
class Bead:
    """A round on the bead plate; columns and rows count from 0, rounds from 1."""

    round: int
    outcome: Outcome
    column: int
    row: int
    player_pair: bool = False
    banker_pair: bool = False
    total: int | None = None
    """The total of the winner (of both, for a tie), where it is known."""


@dataclass(frozen=True, slots=True)
class Icon:
    """A win on the Big Road: ``column`` and ``row`` as drawn, from 0; ``run`` and ``depth`` as counted, from 1."""

    round: int
    side: Outcome
    column: int
    row: int
    run: int
    depth: int
    ties: int = 0
    player_pair: bool = False
    banker_pair: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark of a derived road, as drawn, and the round that gave it."""

    round: int
    colour: Colour
    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Roads:
    """All roads of one shoe.

    ``columns`` has the depth of each run, ``derived`` the marks of each derived road in order, ``ask`` the mark of each
    for a win of Banker and for one of Player.
    """

    beads: tuple[Bead, ...]
    big_road: tuple[Icon, ...]
    leading_ties: int
    columns: tuple[int, ...]
    derived: Mapping[DerivedRoad, tuple[Mark, ...]]
    ask: Mapping[DerivedRoad, Mapping[Outcome, Colour | None]]


def outcomes_of(letters: Iterable[str]) -> tuple[Outcome, ...]:
    """Outcomes from letters (B, P, T, in either case) or words. Raises BettorError for anything else.

    >>> [str(outcome) for outcome in outcomes_of("PbT")], outcomes_of(["Banker"])
    (['player', 'banker', 'tie'], (<Outcome.BANKER: 'banker'>,))
    """
    found = []
    for place, letter in enumerate(letters, start=1):
        outcome = _LETTERS.get(letter.lower())
        if outcome is None:
            raise BettorError(f"round {place} is {letter!r}", hint="a result is B, P or T, or banker, player or tie")
        found.append(outcome)
    return tuple(found)


def draw_roads(
    outcomes: Iterable[str],
    *,
    pairs: Sequence[tuple[bool, bool]] | None = None,
    totals: Sequence[tuple[int, int]] | None = None,
) -> Roads:
    """The roads of one shoe, from its outcomes and, where they are known, the pairs and totals (Player, Banker).

    Raises BettorError where a result is not one, or where there are not as many pairs or totals as outcomes.

    >>> roads = draw_roads("PBBTP")
    >>> roads.columns, [(icon.column, icon.row, icon.ties) for icon in roads.big_road]
    ((1, 2, 1), [(0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 0, 0)])
    >>> [str(mark.colour) for mark in roads.derived[DerivedRoad.BIG_EYE_BOY]]
    ['blue', 'blue']
    """
    results = outcomes_of(outcomes)
    for name, given in (("pairs", pairs), ("totals", totals)):
        if given is not None and len(given) != len(results):
            raise BettorError(f"{len(given)} {name} for {len(results)} rounds")
    both = list(pairs) if pairs is not None else [(False, False)] * len(results)
    points = [max(sums) for sums in totals] if totals is not None else [None] * len(results)
    wins = [number for number, outcome in enumerate(results) if outcome is not Outcome.TIE]
    now, before = RoadsNow(), {}
    for number in wins:
        before[number] = now
        now = now.after(results[number])
    return Roads(
        beads=tuple(
            Bead(n + 1, outcome, *divmod(n, ROWS), *both[n], total=points[n]) for n, outcome in enumerate(results)
        ),
        big_road=_icons(results, wins, both),
        leading_ties=wins[0] if wins else len(results),
        columns=tuple(_runs([results[number] for number in wins])),
        derived={road: _marks(road, results, before) for road in DerivedRoad},
        ask={road: {side: now.ask(road, side) for side in (Outcome.BANKER, Outcome.PLAYER)} for road in DerivedRoad},
    )


def draw_runs(runs: Iterable[int]) -> list[tuple[int, int]]:
    """The cells (column, row) of runs of the given lengths, in order, with dragon tails.

    >>> draw_runs([2, 8, 7])[-3:]  # the tail of the second run is in the way of the third
    [(2, 4), (3, 4), (4, 4)]
    """
    cells: list[tuple[int, int]] = []
    filled: set[tuple[int, int]] = set()
    top = -1
    for length in runs:
        top += 1
        while (top, 0) in filled:
            top += 1
        column, row, turned = top, 0, False
        for step in range(length):
            if step:
                turned = turned or row + 1 == ROWS or (column, row + 1) in filled
                column, row = (column + 1, row) if turned else (column, row + 1)
            filled.add((column, row))
            cells.append((column, row))
    return cells


def _runs(items: Sequence[object]) -> list[int]:
    """The lengths of the runs of equal items."""
    lengths: list[int] = []
    for place, item in enumerate(items):
        if place and item == items[place - 1]:
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths


def _icons(results: Sequence[Outcome], wins: Sequence[int], pairs: Sequence[tuple[bool, bool]]) -> tuple[Icon, ...]:
    runs = _runs([results[number] for number in wins])
    counted = [(run, depth) for run, length in enumerate(runs, start=1) for depth in range(1, length + 1)]
    # A tie belongs to the win before it, those before the first win to the first.
    ends = [*wins[1:], len(results)]
    ties = [end - number - 1 for number, end in zip(wins, ends, strict=True)] if wins else []
    if wins:
        ties[0] += wins[0]
    placed = zip(wins, draw_runs(runs), counted, ties, strict=True)
    return tuple(
        Icon(number + 1, results[number], *cell, *place, tied, *pairs[number]) for number, cell, place, tied in placed
    )


def _marks(road: DerivedRoad, results: Sequence[Outcome], before: Mapping[int, RoadsNow]) -> tuple[Mark, ...]:
    asked = [(number + 1, now.ask(road, results[number])) for number, now in before.items()]
    given = [(number, colour) for number, colour in asked if colour is not None]
    cells = draw_runs(_runs([colour for _, colour in given]))
    return tuple(Mark(number, colour, *cell) for (number, colour), cell in zip(given, cells, strict=True))
