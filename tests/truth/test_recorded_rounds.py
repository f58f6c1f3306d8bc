"""Real records of rounds, where they are at hand: the folder that BACCLAB_RECORDED_SHOES names.

The figures stand in the descriptions of the records: 120 shoes of a live feed with 8,146 rounds and the exact counts of
flat selections on them; a live feed with cards whose recorder wrote 14 wrong winners into 302 rounds; and rounds read
off a screen, 741 rows of which 94 repeat the row before and 55 have a winner but no cards.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import polars as pl
import pytest

from bacclab.analysis.record_figures import figures_of
from bacclab.cli import main
from bacclab.shoes.recorded.importer import read_record
from bacclab.shoes.recorded.replay_codes import known_of

FOLDER = os.environ.get("BACCLAB_RECORDED_SHOES")
pytestmark = pytest.mark.skipif(not FOLDER, reason="BACCLAB_RECORDED_SHOES names no folder of real records")

SELECTIONS = {
    "banker": {"use": "always", "on": "banker"},
    "player": {"use": "always", "on": "player"},
    "follow_last": "follow-last",
    "opposite_last": "opposite-last",
    "time_before_last": "time-before-last",
    "opposite_time_before_last": "opposite-time-before-last",
    "chop": "chop",
    "streak": "streak",
    "two_two": "two-two",
    "big_eye_boy": {"use": "derived-road", "road": "big-eye-boy"},
    "small_road": {"use": "derived-road", "road": "small-road"},
    "cockroach_pig": {"use": "derived-road", "road": "cockroach-pig"},
    "three_roads": "three-roads",
    "majority": "majority-of-shoe",
    "three_breaker": "three-breaker",
}
"""Selections by the plain name of a method; words such as "flat" and "always" are left out of a name."""
COUNTED = ("bets", "wins", "losses", "pushes")


def at_hand(name: str) -> Path:
    path = Path(FOLDER or "") / name
    if not path.exists():
        pytest.skip(f"{name} is not in the folder")
    return path


def plain(name: str) -> str:
    words = re.findall(r"[a-z]+", name.lower())
    return "_".join(word for word in words if word not in ("flat", "always", "the", "on", "selection"))


def methods(value: object, name: str = "") -> dict[str, dict[str, int]]:
    """The counts of each method, wherever they stand in the file."""
    found = {}
    if isinstance(value, dict):
        if set(COUNTED) <= set(value):
            return {
                plain(str(value.get("method") or value.get("name") or name)): {key: int(value[key]) for key in COUNTED}
            }
        for key, inner in value.items():
            found |= methods(inner, str(key))
    elif isinstance(value, list):
        for inner in value:
            found |= methods(inner)
    return found


def test_the_live_feed_has_no_fault_and_fair_shares():
    record = read_record(at_hand("evolution_live_2025_08.jsonl"))
    assert (record.shoe_count, record.frame.height) == (120, 8146)
    assert not record.faults
    assert known_of(record.frame) >= {"totals", "pairs"}
    figures = figures_of(record)
    assert figures.winners is not None
    assert figures.winners.p_value > 0.001
    assert figures.totals is not None
    assert figures.totals.p_value > 0.001


def test_the_wrong_winners_are_found_by_row():
    record = read_record(at_hand("bbin_live_2025_rounds.csv"))
    kinds = [one.kind for one in record.faults]
    assert "third card" not in kinds, "all rounds with cards obey the rule"
    carded = record.frame["p1"].is_not_null().sum()
    assert kinds.count("winner") == 14 if carded == 302 else kinds.count("winner") > 0


def test_the_repeats_and_empty_rows_are_found_by_row():
    record = read_record(at_hand("spinquest_2026_hands.csv"))
    assert record.frame.height == 741
    kinds = [one.kind for one in record.findings]
    assert kinds.count("repeat") == 94
    assert kinds.count("empty") == 55
    assert "third card" not in kinds


def test_flat_selections_on_the_live_feed_to_the_unit(tmp_path):
    expected = methods(json.loads(at_hand("selection_counts_120.json").read_text(encoding="utf-8")))
    rounds = at_hand("evolution_live_2025_08.jsonl")
    known = {name: counts for name, counts in expected.items() if name in SELECTIONS}
    assert known, f"none of the methods has a known name: {sorted(expected)}"
    bettors = "".join(
        f'[[bettor]]\nname = "{name}"\nselect = {_inline(SELECTIONS[name])}\nstake = {{ use = "flat", unit = 1 }}\n'
        for name in known
    )
    file = tmp_path / "e.toml"
    file.write_text(
        (
            'seed = 1\nbankroll = 100000\nsessions = 1\nshoes = 120\n[source]\nuse = "recorded"\npath = '
            f"{json.dumps(str(rounds))}\n"
        )
        + bettors
    )
    assert main(["run", str(file), "--out", str(tmp_path / "r"), "--no-report", "--quiet"]) == 0
    summary = pl.read_parquet(tmp_path / "r" / "summary.parquet")
    counted = {row["bettor"]: {key: row[key] for key in COUNTED} for row in summary.iter_rows(named=True)}
    assert counted == known
    assert set(expected) <= set(SELECTIONS), f"methods without a known name: {sorted(set(expected) - set(SELECTIONS))}"


def _inline(selection: object) -> str:
    if isinstance(selection, dict):
        return "{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in selection.items()) + " }"
    return json.dumps(selection)
