"""Settings for all tests: property tests have no deadline, since a first call may compile.

Without the extra `dashboard` the modules of the app that need it have no doctests.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import Phase, settings

# To explain a failure is many times slower than to find it. In CI the examples are the same from run to run.
settings.register_profile(
    "bacclab",
    deadline=None,
    derandomize="CI" in os.environ,
    phases=[phase for phase in Phase if phase is not Phase.explain],
)
settings.load_profile("bacclab")


def pytest_configure(config: pytest.Config) -> None:
    if find_spec("dash") is None:
        app = Path(__file__).parents[1] / "bacclab" / "dashboard" / "app"
        needing = (path for path in app.glob("*.py") if _needs_dash(path.read_text(encoding="utf-8")))
        config.option.ignore = [*(config.option.ignore or ()), *map(str, needing)]


def _needs_dash(text: str) -> bool:
    return any(
        line.startswith(("from dash", "import dash", "import flask", "from flask")) for line in text.splitlines()
    )


@pytest.fixture(scope="session")
def script() -> Callable[[Path], ModuleType]:
    """A Python file of the tests that is no test, loaded as a module."""

    def loaded(path: Path) -> ModuleType:
        name = "_".join(("", *path.relative_to(Path(__file__).parent).with_suffix("").parts))
        spec = spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    return loaded
