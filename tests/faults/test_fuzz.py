"""Damaged experiment files, records and run folders are read or refused; a long search is `python
tests/faults/fuzz.py`.
"""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.fixture(scope="module")
def targets(fuzz: ModuleType) -> dict[str, Any]:
    return {name: make() for name, make in fuzz.TARGETS.items()}


@pytest.mark.parametrize(("name", "cases"), [("config", 60), ("records", 60), ("runs", 25)])
def test_damaged_input_is_read_or_refused(targets, name: str, cases: int, tmp_path_factory) -> None:
    @settings(max_examples=cases, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 10**9))
    def one(seed: int) -> None:
        targets[name].one(str(seed), tmp_path_factory.mktemp("case"))
        assert not targets[name].faults, next(iter(targets[name].faults.values()))

    one()
    counts = targets[name].counts
    assert counts["refused"] > 0
    assert counts["taken"] > 0


def test_damage_is_done_and_done_again_alike(fuzz: ModuleType) -> None:
    data, tree = b"seed = 1\nrounds = 500\n" * 5, {"a": [1, {"b": "x"}], "c": 2}
    for seed in range(50):
        once, again = (fuzz.Damage(random.Random(seed)) for _ in range(2))
        assert once.bytes(data, b"other") == again.bytes(data, b"other")
        assert repr(once.tree(tree)) == repr(again.tree(tree))
    assert sum(fuzz.Damage(random.Random(seed)).bytes(data, b"other") != data for seed in range(50)) > 40


def test_a_reader_that_fails_is_a_fault(fuzz: ModuleType, tmp_path: Path) -> None:
    def careless(damage: Any, folder: Path) -> bool:
        del damage, folder
        raise KeyError("cell")

    target = fuzz.Fuzz("careless", careless)
    target.one("1", tmp_path)
    assert target.counts == {"faults": 1}
    assert "KeyError" in next(iter(target.faults))
