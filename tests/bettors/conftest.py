"""A tiny driver of the tests' own: it plays a progression on a written row of results at even money."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bacclab.bettors.lanes.base import LaneProgression, LaneResult, LaneView
from bacclab.bettors.view import Result, View
from bacclab.game.codes import Round
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bacclab.bettors.base import Progression, Selection

UNITS = 10_000
ROUNDS = {"P": Round(5, 3, 3, 3), "B": Round(3, 5, 3, 3), "T": Round(4, 4, 3, 3)}

Played = tuple[list[int], list[int]]
"""The stakes and the running net results, both as amounts."""


@pytest.fixture
def table() -> Table:
    return BUILT_IN_TABLES["commission"]


@pytest.fixture
def even(table: Table) -> Callable[[Progression, str], Played]:
    """Play a row of W, L and T at even money; only rounds with a stake reach the progression."""

    def play(progression: Progression, results: str) -> Played:
        return run(progression, table, ({"W": 1, "L": -1, "T": 0}[letter] for letter in results.replace(" ", "")))

    return play


def run(progression: Progression, table: Table, factors: Iterable[float]) -> Played:
    lanes = isinstance(progression, LaneProgression)
    view = LaneView(table, Layout(table), lanes=1) if lanes else View(table)
    progression.start(table)
    stakes, nets = [], [0]
    for factor in factors:
        named = progression.stake(view)  # type: ignore[arg-type]
        staked = int(named[0]) if lanes else named.amount
        net = round(staked * factor)
        stakes.append(staked)
        nets.append(nets[-1] + net)
        code = ROUNDS["P" if factor > 0 else "B" if factor < 0 else "T"].code
        if staked == 0:
            continue
        if lanes:
            arrays = {"staked": np.array([staked]), "net": np.array([net])}
            progression.settle(LaneResult(np.array([code], np.uint16), **arrays))  # type: ignore[arg-type]
        else:
            progression.settle(Result(code, staked=staked, net=net))
    return stakes, nets[1:]


@pytest.fixture
def choose(table: Table) -> Callable[[Selection, str], list[str]]:
    """The sides for a row of shoes written with P, B, T and | between shoes; "-" where a round is sat out."""

    def play(selection: Selection, shoes: str) -> list[str]:
        view = View(table)
        selection.start(table)
        chosen = []
        for shoe in shoes.replace(" ", "").split("|"):
            selection.shoe()
            for letter in shoe:
                side = selection.side(view)
                chosen.append({None: "-", "player": "P", "banker": "B"}[side])
                selection.see(Result(ROUNDS[letter].code, staked=0, net=0))
        return chosen

    return play
