"""Bettors that would spoil a run for the others, or whose results would not come again, are stopped with a reason."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import bacclab as bl
from bacclab.bettors.base import Bettor
from bacclab.bettors.lanes.base import LaneBets, LaneBettor, LaneView
from bacclab.bettors.view import Bets, Result, View
from bacclab.errors import BettorError, SourceError
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import choose, player_for

TABLE = BUILT_IN_TABLES["commission"]
LAYOUT = Layout(TABLE)
SOURCE = SimulatedSource(TABLE.shoe, seed=1)


def terms(rounds: int = 60) -> Terms:
    return Terms(
        layout=LAYOUT,
        bankroll=10**8,
        stop_win=None,
        stop_loss=None,
        checkpoints=np.array([0, rounds], dtype=np.int64),
        traced=0,
        policy="stop",
        max_rounds=rounds,
    )


class Dice(Bettor):
    def bet(self, view: View) -> Bets:
        return view.banker(random.choice([10, 20, 30]))


class LongMemory(Bettor):
    seen: ClassVar[list[bool]] = []

    def bet(self, view: View) -> Bets:
        return view.banker(10 * (1 + sum(self.seen) % 3))

    def settle(self, result: Result) -> None:
        self.seen.append(result.lost)


@pytest.mark.parametrize("bettor", [Dice(), LongMemory()])
def test_what_does_not_come_again_is_refused(bettor: Bettor) -> None:
    trial = SOURCE.rounds(0, 3, horizon=Horizon(rounds=60))
    with pytest.raises(BettorError, match="played again"):
        choose(bettor, terms(), name="x", seed=1, trial=trial)


class OwnDice(Bettor):
    def bet(self, view: View) -> Bets:
        return view.banker(10 if view.random() < 0.5 else 20)


def test_its_own_random_numbers_come_again() -> None:
    trial = SOURCE.rounds(0, 3, horizon=Horizon(rounds=60))
    assert choose(OwnDice(), terms(), name="x", seed=1, trial=trial).player.way == "plain"


class Painter(LaneBettor):
    """Writes into what it is shown."""

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        view.unseen[:] = 0
        return view.banker(np.full(self.lanes, 100_000, dtype=np.int64))


def test_the_cards_left_cannot_be_changed() -> None:
    rounds = SOURCE.rounds(0, 4, horizon=Horizon(rounds=20), unseen=True)
    assert rounds.unseen is not None
    before = rounds.unseen.copy()
    with pytest.raises(ValueError, match="read-only"):
        player_for(Painter(), terms(20), name="x", seed=1, way="lanes").play(rounds, first=0)
    assert np.array_equal(rounds.unseen, before)


class Astray(LaneBettor):
    """Lays on a bet index of its own."""

    index: int = 0
    kind: str = "int64"

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        return view.on(np.full(self.lanes, self.index, dtype=self.kind), np.full(self.lanes, 100_000, dtype=np.int64))


@pytest.mark.parametrize(("index", "kind"), [(999, "int64"), (65_536, "int64"), (-2, "int64"), (0, "float64")])
def test_a_bet_that_the_table_does_not_have_is_an_error_in_lanes(index: int, kind: str) -> None:
    rounds = SOURCE.rounds(0, 4, horizon=Horizon(rounds=20))
    with pytest.raises(BettorError, match="index of a bet"):
        player_for(Astray(index=index, kind=kind), terms(20), name="x", seed=1, way="lanes").play(rounds, first=0)


class PlainBetsInLanes(LaneBettor):
    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        return Bets((("banker", 100_000),))  # type: ignore[return-value]


def test_plain_bets_in_lanes_are_told_as_such() -> None:
    rounds = SOURCE.rounds(0, 4, horizon=Horizon(rounds=20))
    with pytest.raises(BettorError, match="must return bets made by the view"):
        player_for(PlainBetsInLanes(), terms(20), name="x", seed=1, way="lanes").play(rounds, first=0)


LEAVER = """
import sys
import bacclab as bl

@bl.bettor("leaver")
class Leaver(bl.Bettor):
    "Leaves the program."
    def bet(self, view):
        sys.exit(0)
"""


def test_a_bettor_cannot_end_the_program(tmp_path: Path) -> None:
    (tmp_path / "leaver.py").write_text(LEAVER)
    experiment = {
        "bankroll": 100,
        "sessions": 5,
        "rounds": 5,
        "bettor": [{"name": "L", "use": "leaver"}],
        "plugins": {"files": [str(tmp_path / "leaver.py")]},
    }
    with pytest.raises(BettorError, match="SystemExit"):
        bl.run(experiment, out=tmp_path / "run", report=False)
    assert "leaver" not in sys.modules


def test_a_script_of_winners_settles_no_pairs(tmp_path: Path) -> None:
    experiment = {
        "bankroll": 100,
        "sessions": 2,
        "rounds": 4,
        "source": {"use": "scripted", "rounds": "BPBP"},
        "bettor": [{"use": "flat", "on": "player_pair", "unit": 1}],
    }
    with pytest.raises(SourceError, match="knows who won"):
        bl.run(experiment, out=tmp_path / "run", report=False)


def test_a_shoe_in_which_nothing_was_played_is_not_counted() -> None:
    class OneShoe(Bettor):
        def start(self, table: object) -> None:
            self.shoes = 0

        def shoe(self) -> None:
            self.shoes += 1

        def bet(self, view: View) -> Bets:
            return view.stop() if self.shoes == 2 else view.banker(10)

    rounds = SOURCE.rounds(0, 4, horizon=Horizon(rounds=200))
    for way in ("table", "plain"):
        ledger, _ = player_for(OneShoe(), terms(200), name="x", seed=1, way=way).play(rounds, first=0)
        assert ledger.shoes.tolist() == [1] * 4
