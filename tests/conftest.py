"""Settings for all tests: property tests have no deadline, since a first call may compile.

Without the extra `dashboard` the modules of the app that need it have no doctests.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("bacclab", deadline=None)
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
