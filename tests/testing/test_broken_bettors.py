"""For each check of the kit, a bettor that is broken in the way that the check looks for, and is told so in words."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest

import bacclab as bl
from bacclab.bettors.lanes.base import LaneBets, LaneBettor, LaneResult, LaneView
from bacclab.plugins.loader import load_plugins
from bacclab.testing import CHECKS, check_bettor
from bacclab.tournament.play.ways import player_for


class Good(bl.Bettor):
    unit: bl.Money = bl.Money(10)

    def start(self, table: bl.Table) -> None:
        self.units = 1

    def bet(self, view: bl.View) -> bl.Bets | None:
        return view.banker(self.unit * self.units)

    def settle(self, result: bl.Result) -> None:
        self.units = result.pick(won=1, push=self.units, lost=min(2 * self.units, 16))


class Trips(Good):
    """Divides by what is zero in the fifth round."""

    def bet(self, view):
        return view.banker(10 + 10 // (5 - view.round))


class Owes(Good):
    """Asks for a stake below zero after a loss."""

    def settle(self, result):
        self.units -= 2 * result.lost


class Dice(Good):
    """Draws from a generator that is not its own."""

    def bet(self, view):
        return view.banker(10 * random.randint(1, 50))


class Peeker(Good):
    """Reads the next round out of the player's own variables."""

    def bet(self, view):
        frame = sys._getframe()
        while frame is not None and "codes" not in frame.f_locals:
            frame = frame.f_back
        codes = frame.f_locals["codes"] if frame else [0] * 1000
        ahead = codes[view.round - 1] if view.round <= len(codes) else 0
        return view.banker(10) if ahead % 2 else view.player(10)


class NeverBack(Good):
    """Sets its stake once, when it is made, and never back."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.units = 1

    def start(self, table):
        pass


class Family(Good):
    """Keeps its stake in the class."""

    line: ClassVar[list[int]] = [1]

    def start(self, table):
        self.line[:] = [1]

    def bet(self, view):
        return view.banker(10 * len(self.line))

    def settle(self, result):
        self.line.append(1)


class Flowing(Good):
    """Holds a generator, of which no copy can be made."""

    def start(self, table):
        super().start(table)
        self.flow = iter(x for x in range(10**6))


HASHED = '''
"""A bettor whose stake hangs on the hash of a text."""
import bacclab as bl

@bl.bettor("hashed")
class Hashed(bl.Bettor):
    """Another stake in every process."""
    def bet(self, view):
        return view.banker(10 + abs(hash("banker")) % 400)
'''


class PushIsLoss(Good):
    """Doubles whenever it has not won."""

    def settle(self, result):
        self.units = 1 if result.won else min(2 * self.units, 16)


class PushIsWin(Good):
    """Begins again whenever it has not lost."""

    def settle(self, result):
        self.units = min(2 * self.units, 16) if result.lost else 1


class Painter(Good):
    """Writes itself a bankroll."""

    def bet(self, view):
        view._bankroll = 10**9
        return view.banker(10)


class Grower(Good):
    """Changes its own parameter."""

    def settle(self, result):
        self.unit = self.unit + 1


class Rounded(Good):
    """Takes a parameter that it keeps as another."""

    share: Annotated[int, bl.Param(ge=1, le=9)] = 9

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.share = self.share + 1


class WideAndNarrow(LaneBettor):
    """Bets otherwise where it plays many sessions at once."""

    def bet(self, view: LaneView) -> LaneBets:
        stake = 100_000 if self.lanes == 1 else 200_000
        return view.banker(np.full(self.lanes, stake, dtype=np.int64))


class Scribbler(LaneBettor):
    """Writes into the results that it is told."""

    def bet(self, view: LaneView) -> LaneBets:
        return view.banker(np.full(self.lanes, 100_000, dtype=np.int64))

    def settle(self, result: LaneResult) -> None:
        result.net[:] = 0


class Slow(Good):
    """Rests in every round."""

    def bet(self, view):
        time.sleep(0.004)
        return view.banker(10)


BROKEN = {
    "plays": (Trips, r"session 0, round 5: ZeroDivisionError"),
    "legal": (Owes, r"session 0, round \d+: the stake -10\.00 on banker is below zero"),
    "steady": (Dice, r"session 2, round \d+: it asked for banker \d+\.00, and for"),
    "no-look-ahead": (Peeker, r"session 0, round 2: it asked for .* when other rounds were to come after round 1"),
    "starts-afresh": (
        NeverBack,
        r"session 1, round 1: it asked for banker 10\.00, and for .* had played another session",
    ),
    "independent": (Family, r"session 0, round 2: it asked for banker 20\.00, and for banker 30\.00 with another"),
    "copies": (Flowing, r"cannot be copied: TypeError: cannot pickle 'generator'"),
    "answers-all": (PushIsLoss, r"round 2, after a tie: it asked for banker 20\.00, as after a loss"),
    "no-mutation": (Painter, r"session 0, round 1: bet\(\) changed the view"),
    "parameters": (Rounded, r"share = 10 must be at least 1, at most 9"),
    "ways-agree": (WideAndNarrow, r"lanes and plain part: session \d+ has other figures"),
    "in-time": (Slow, r"(it takes [45]\.\d+ ms a round; its budget is 2 ms|longer than)"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_fault_is_found_and_told(name: str) -> None:
    cls, words = BROKEN[name]
    report = check_bettor(cls, only=[name], rounds=30 if name == "in-time" else 60, sessions=3)
    assert report.findings[0].state == "failed"
    with pytest.raises(AssertionError, match=words):
        report.require()


def test_another_process_is_a_check_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "hashed.py").write_text(HASHED)
    cls = load_plugins(files=[tmp_path / "hashed.py"], allow=()).registry.get("bettors", "hashed").item
    report = check_bettor(cls, rounds=20)
    assert [finding.check for finding in report.failed] == ["worker"]
    assert "hash()" in report.failed[0].text


def test_every_check_has_a_broken_example() -> None:
    assert {check.name for check in CHECKS} == {*BROKEN, "worker"}


@pytest.mark.parametrize(
    ("cls", "check", "words"),
    [
        (PushIsWin, "answers-all", r"as after a win"),
        (Grower, "no-mutation", r"settle\(\) changed a parameter"),
        (Scribbler, "plays", r"session 0, round 1: ValueError: .*read-only"),
    ],
)
def test_other_faults_of_the_same_kind(cls: type[bl.Bettor], check: str, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_bettor(cls, only=[check], rounds=60).require()


def test_a_good_one_passes_every_check() -> None:
    report = check_bettor(Good, leave_out=["worker"])
    assert report.ok
    assert {finding.state for finding in report.findings} == {"passed"}


def test_a_view_leads_to_no_round_that_is_to_come() -> None:
    """Whatever can be reached from a view through attributes, closures and containers: no rounds, shoe or generator."""
    from bacclab.shoes.dealer import SimulatedSource
    from bacclab.shoes.source import Rounds
    from bacclab.testing.subject import subject_of

    seen: list[str] = []

    def walk(thing: object, depth: int, done: set[int]) -> None:
        if id(thing) in done or depth > 8 or isinstance(thing, type | str | int | float | np.ndarray):
            return
        done.add(id(thing))
        seen.append(type(thing).__name__)
        parts: list[object] = [getattr(thing, name, None) for name in getattr(type(thing), "__slots__", ())]
        parts += list(getattr(thing, "__dict__", {}).values()) if not callable(thing) else []
        parts += [cell.cell_contents for cell in getattr(thing, "__closure__", None) or ()]
        if isinstance(thing, dict):
            parts += thing.values()
        elif isinstance(thing, list | tuple):
            parts += thing
        for one in parts:
            walk(one, depth + 1, done)

    class Shows(Good):
        def bet(self, view):
            walk(view, 0, set())
            return

    class ShowsLanes(LaneBettor):
        def bet(self, view: LaneView) -> None:
            walk(view, 0, set())

    for cls in (Shows, ShowsLanes):
        subject = subject_of(cls, rounds=2, sessions=1)
        bettor = subject.make()
        for way in ("plain", "lanes") if cls is ShowsLanes else ("plain",):
            player_for(bettor, subject.terms, name="x", seed=1, way=way).play(subject.dealt, first=0)
    assert {"View", "LaneView"} <= set(seen)
    forbidden = {Rounds.__name__, SimulatedSource.__name__, "Generator", "SeedSequence", "Philox", "PCG64"}
    assert not forbidden & set(seen)
