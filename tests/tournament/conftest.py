"""Small experiments with every way of playing in them, and runs of them in folders of their own."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from bacclab.runs import Run, run

BETTORS: dict[str, dict[str, Any]] = {
    "flat": {"name": "Flat on Banker", "use": "flat", "on": "banker", "unit": 10},
    "martingale": {
        "name": "Martingale",
        "select": "follow-last",
        "stake": {"use": "martingale", "unit": 10, "steps": 7},
        "when_refused": "reset",
    },
    "labouchere": {
        "name": "A labouchere",
        "select": {"use": "always", "on": "player"},
        "stake": {"use": "labouchere", "unit": 10},
        "when_refused": "cap",
    },
    "pairs": {
        "name": "Pairs",
        "use": "pair-hunter",
        "main": {"on": "banker", "unit": 10},
        "pair": {"on": "player_pair", "unit": 10, "after": 12},
    },
}


def small(*names: str, **changes: Any) -> dict[str, Any]:
    """An experiment with the bettors of these names (all without names); `changes` replace its keys."""
    return {
        "title": "Small",
        "seed": 20261129,
        "bankroll": 500,
        "sessions": 150,
        "rounds": 90,
        "table": {"rules": "no-commission", "minimum": 10, "maximum": 200},
        "bettor": [BETTORS[name] for name in names or BETTORS],
        "record": {"checkpoints": 10, "trajectories": 5},
    } | changes


@pytest.fixture(name="small", scope="session")
def small_fixture():
    return small


@pytest.fixture
def play(tmp_path: Path):
    """Runs an experiment in a new folder, without a page."""
    numbers = itertools.count()

    def play_it(experiment: dict[str, Any], **options: Any) -> Run:
        options.setdefault("out", tmp_path / f"run-{next(numbers)}")
        return run(experiment, report=False, **options)

    return play_it


@pytest.fixture
def frames():
    """The bytes of the frames in a run folder, by name."""

    def read(folder: Run | Path) -> dict[str, bytes]:
        path = folder.path if isinstance(folder, Run) else folder
        return {file.name: file.read_bytes() for file in sorted(path.glob("*.parquet"))}

    return read
