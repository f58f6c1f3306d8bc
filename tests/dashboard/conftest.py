"""A small run by a simulation of the tests' own, for tests of charts and pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="session")
def synthetic(script: Callable[[Path], ModuleType]) -> ModuleType:
    """The simulation: `make_run`, `play`, `SYSTEMS`."""
    return script(Path(__file__).with_name("synthetic.py"))


@pytest.fixture(scope="session")
def run(synthetic: ModuleType) -> Any:
    """Six systems, 1,000 sessions of 200 rounds."""
    return synthetic.make_run()


@pytest.fixture(scope="session")
def sweep(synthetic: ModuleType) -> Any:
    """The same in three cells."""
    return synthetic.make_run(cells=3, sessions=120, rounds=60)
