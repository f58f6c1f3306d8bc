"""Ways to call the command line: in this process, and as a user's shell does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import bacclab
from bacclab.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(bacclab.__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Called:
    """What one call gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def only_built_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is installed on this machine has no say here."""
    monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "")
    monkeypatch.delenv("BACCLAB_STRICT_PLUGINS", raising=False)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Callable[..., Called]:
    """Call the command line in this process."""

    def run(*words: str | Path) -> Called:
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Called(code, out, err)

    return run


@pytest.fixture
def shell() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Call the command line in a process of its own; `environment` is put over this one's."""

    def run(
        *words: str | Path, environment: dict[str, str] | None = None, **options: Any
    ) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", "import sys; from bacclab.cli import main; sys.exit(main())", *map(str, words)]
        surroundings = os.environ | {"PYTHONPATH": str(ROOT)} | (environment or {})
        return subprocess.run(command, env=surroundings, capture_output=True, check=False, timeout=120, **options)

    return run
