"""Intervals cover the exact figure as often as they say, over small experiments (the script has 1,000 of them)."""

from __future__ import annotations

import importlib.util
import math
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "calibration.py"


@pytest.mark.slow
def test_intervals_cover_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("calibration", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "calibration", module)
    spec.loader.exec_module(module)
    # The truth must lie in 93.5 to 96.5 %; 500 experiments know it to a standard error, of which three are allowed.
    error = math.sqrt(0.95 * 0.05 / 500)
    for row in module.calibrate(500, 200):
        for share in (row.mean, row.ruined, row.difference):
            assert share is None or 0.935 - 3 * error < share < 0.965 + 3 * error, row
