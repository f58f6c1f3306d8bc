"""Tables, bettors and rounds drawn at random, for the tests of playing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def drawn(script: Callable[[Path], ModuleType]) -> ModuleType:
    """The strategies and the players: `settings_of_play`, `built_in`, `play`, `ways_of`, `same`."""
    return script(Path(__file__).with_name("drawn.py"))
