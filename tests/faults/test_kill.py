"""Killed at random moments and gone on with: the short form of `python tests/faults/kill.py`."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType

import bacclab as bl


def test_a_run_that_is_killed_at_random_comes_to_the_same_end(kill: ModuleType, tmp_path: Path) -> None:
    bl.run(kill.experiment(), out=tmp_path / "whole", report=False, workers=1)
    killer = kill.Killer(random.Random(6), kill.frames(tmp_path / "whole"), span=4.0)
    killer.rounds(tmp_path, 3)
    assert killer.counts["kills"] == 3
    assert killer.counts["runs"] >= 1
