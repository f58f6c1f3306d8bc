"""The scripts beside this file, loaded as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"_faults_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def fuzz() -> ModuleType:
    """The fuzzer: `TARGETS`, `Damage`."""
    return _load("fuzz")


@pytest.fixture(autouse=True)
def only_built_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed on this machine has no say here."""
    monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "")
