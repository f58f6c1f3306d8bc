"""A small run by a simulation of the tests' own, for tests of charts and pages."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"_tests_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def synthetic() -> ModuleType:
    """The simulation: `make_run`, `play`, `SYSTEMS`."""
    return _load("synthetic")


@pytest.fixture(scope="session")
def run(synthetic: ModuleType) -> Any:
    """Six systems, 1,000 sessions of 200 rounds."""
    return synthetic.make_run()


@pytest.fixture(scope="session")
def sweep(synthetic: ModuleType) -> Any:
    """The same in three cells."""
    return synthetic.make_run(cells=3, sessions=120, rounds=60)
