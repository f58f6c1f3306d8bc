"""Tables, bettors and rounds drawn at random, for the tests of playing."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"_tests_play_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def drawn() -> ModuleType:
    """The strategies and the players: `settings_of_play`, `built_in`, `play`, `ways_of`, `same`."""
    return _load("drawn")
