"""The scripts beside this file, loaded as modules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def fuzz(script: Callable[[Path], ModuleType]) -> ModuleType:
    """The fuzzer: `TARGETS`, `Damage`."""
    return script(Path(__file__).with_name("fuzz.py"))


@pytest.fixture(autouse=True)
def only_built_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed on this machine has no say here."""
    monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "")
