"""The scripts beside this file, loaded as modules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from bacclab.cli import main


@pytest.fixture(scope="session")
def fuzz(script: Callable[[Path], ModuleType]) -> ModuleType:
    """The fuzzer: `TARGETS`, `Damage`."""
    return script(Path(__file__).with_name("fuzz.py"))


@pytest.fixture(scope="session")
def kill(script: Callable[[Path], ModuleType]) -> ModuleType:
    """The killer of runs: `Killer`, `experiment`."""
    return script(Path(__file__).with_name("kill.py"))


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Call the command line in this process: exit code, stdout, stderr."""

    def run(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


@pytest.fixture(autouse=True)
def only_built_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed on this machine has no say here."""
    monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "")
