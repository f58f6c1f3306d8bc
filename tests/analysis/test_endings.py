"""How sessions end, counted by round and by bankroll, against the sessions themselves."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import bacclab as bl


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> bl.Run:
    folder: Path = tmp_path_factory.mktemp("run") / "run"
    bettors = [
        {"name": "Flat", "use": "flat", "on": "banker", "unit": 10},
        {"name": "Doubler", "use": "martingale", "on": "player", "unit": 10, "steps": 4, "stop": {"win": 40}},
    ]
    experiment = {"bankroll": 100, "rounds": 30, "sessions": 300, "seed": 3, "bettor": bettors}
    return bl.run(experiment | {"sweep": {"table.maximum": [50, 500]}}, out=folder, report=False, workers=1)


def test_every_session_is_counted_where_it_ended(done: bl.Run) -> None:
    key = ["cell", "bettor", "ended_by", "ended_round"]
    found = {tuple(row[:4]): row[4:] for row in done.endings.iter_rows()}
    wanted = {}
    for row in done.sessions.iter_rows(named=True):
        count, expected = wanted.get(tuple(row[k] for k in key), (0, 0.0))
        wanted[tuple(row[k] for k in key)] = (count + 1, expected + row["expected"])
    assert {place: count for place, (count, _) in found.items()} == {
        place: count for place, (count, _) in wanted.items()
    }
    assert all(found[place][1] == pytest.approx(expected, abs=1e-9) for place, (_, expected) in wanted.items())
    assert done.endings.equals(done.endings.sort(key))
    assert {"rounds", "stop_win"} <= set(done.endings["ended_by"])


def test_every_session_is_counted_with_what_it_ended_with(done: bl.Run) -> None:
    key = ["cell", "bettor", "ended_by", "final"]
    wanted = done.sessions.group_by(key).agg(pl.len().cast(pl.Int64).alias("sessions")).sort(key)
    assert done.finals.equals(wanted)
