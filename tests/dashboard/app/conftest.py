"""A folder of small real runs, and the app of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bacclab as bl
from bacclab.dashboard.app.folder import RunsFolder

BETTORS = [
    {"name": "Flat on Banker", "use": "flat", "on": "banker", "unit": 10},
    {"name": "Doubler <b>5</b>", "use": "martingale", "on": "player", "unit": 10, "steps": 5},
    {"name": "Goal of 60", "use": "paroli", "on": "banker", "unit": 10, "stop": {"win": 60}},
]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs: `plain` (one setting) and `sweep` (two)."""
    root = tmp_path_factory.mktemp("app") / "runs"
    root.mkdir()
    base = {"bankroll": 200, "sessions": 300, "rounds": 90, "seed": 7, "bettor": BETTORS, "record": {"checkpoints": 9}}
    bl.run(base | {"title": "Three <i>systems</i>"}, out=root / "plain", report=False, workers=1)
    swept = base | {"title": "A sweep", "sessions": 60, "sweep": {"table.maximum": [50, 500]}}
    bl.run(swept, out=root / "sweep", report=False, workers=1)
    return root


@pytest.fixture
def root(played: Path, tmp_path: Path) -> Path:
    """A copy of the folder that a test may change."""
    return shutil.copytree(played, tmp_path / "runs")


@pytest.fixture
def folder(played: Path) -> RunsFolder:
    return RunsFolder(played)


@pytest.fixture
def context(played: Path) -> Any:
    """The app's context for looking on."""
    from bacclab.dashboard.app.context import Context

    return Context(RunsFolder(played))


@pytest.fixture(scope="session")
def client_of() -> Callable[..., Any]:
    """Makes a client of the app of a context, that asks as the app's own pages do."""
    pytest.importorskip("dash", reason="the extra dashboard is not installed")
    from bacclab.dashboard.app.server import make_app

    def make(context: Any, *, host: str = "127.0.0.1") -> Any:
        app = make_app(context, host=host)
        app.server.config["PROPAGATE_EXCEPTIONS"] = True
        return app.server.test_client()

    return make


OWN = {"Host": "127.0.0.1:8050", "Origin": "http://127.0.0.1:8050"}
