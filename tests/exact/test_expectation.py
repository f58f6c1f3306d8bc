"""Means over chances: right, and the same to the last digit whatever number of threads a process has."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.exact.expectation import expectation
from bacclab.tournament.workers.executors import cores

ROOT = Path(__file__).parents[2]

RUN = """
import json, sys
import bacclab as bl
bl.run(json.loads(sys.argv[1]), out=sys.argv[2], report=False, workers=1)
"""


@given(pairs=st.lists(st.tuples(st.integers(-(10**9), 10**9), st.floats(0, 1)), min_size=1, max_size=50))
def test_is_the_sum_of_values_times_chances(pairs: list[tuple[int, float]]) -> None:
    values, chances = (np.array(column) for column in zip(*pairs, strict=True))
    exact = math.fsum(v * c for v, c in pairs)
    scale = math.fsum(abs(v * c) for v, c in pairs)
    assert float(expectation(values, chances)) == pytest.approx(exact, abs=1e-14 * scale)
    assert expectation(np.stack([values, 2 * values]), chances) == pytest.approx([exact, 2 * exact], abs=2e-14 * scale)


@pytest.mark.slow
@pytest.mark.skipif(cores() < 2, reason="with one processor there is one thread in any case")
def test_exact_frames_do_not_hang_on_the_number_of_threads(tmp_path: Path) -> None:
    """Nine doublings and one on Banker: more than ten thousand bankrolls, which threads would share out."""
    stake = {"use": "grand-martingale", "unit": 10, "steps": 9}
    experiment = {
        "bankroll": 1000, "sessions": 10, "rounds": 500, "seed": 1, "table": {"minimum": 10, "maximum": 5000},
        "bettor": [{"name": "Grand", "select": {"use": "always", "on": "banker"}, "stake": stake}],
    }  # fmt: skip
    written = []
    for threads in ("1", "2"):
        out = tmp_path / threads
        subprocess.run(
            [sys.executable, "-c", RUN, json.dumps(experiment), str(out)],
            check=True,
            env=os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": threads},
        )
        written.append({path.name: path.read_bytes() for path in sorted(out.glob("*.parquet"))})
    assert len(written[0]) > 8
    assert written[0] == written[1]
