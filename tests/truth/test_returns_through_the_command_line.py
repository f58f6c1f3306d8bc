"""What flat bets return in whole runs of the command, against published house edges and exact standard deviations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import bacclab

ROOT = Path(bacclab.__file__).parents[1]

SESSIONS, ROUNDS = 8_000, 500

# House edge per round and standard deviation per round, as published for eight decks.
PUBLISHED = {
    "commission": {
        "banker": (0.01057905784, 0.9273720218),
        "player": (0.01235081329, 0.9511527161),
        "tie": (0.1435962878, 2.640872222),
        "player_pair": (0.1036144578, 3.154856489),
        "banker_pair": (0.1036144578, 3.154856489),
    },
    "no-commission": {"banker": (0.01458104464, 0.9296416719), "player": (0.01235081329, 0.9511527161)},
    "ez": {"banker": (0.01018301, 0.939258)},
}


def experiment(table: str) -> str:
    bettors = "\n".join(f'[[bettor]]\nname = "{bet}"\nuse = "flat"\non = "{bet}"\nunit = 1' for bet in PUBLISHED[table])
    return f"""
        seed = 77
        bankroll = 100_000
        sessions = {SESSIONS}
        rounds = {ROUNDS}
        [table]
        rules = "{table}"
        minimum = 1
        [record]
        checkpoints = 1
        trajectories = 0
        {bettors}
    """


@pytest.mark.parametrize("table", PUBLISHED)
def test_every_flat_bet_returns_its_house_edge(tmp_path: Path, table: str) -> None:
    (tmp_path / "flat.toml").write_text(experiment(table))
    command = [sys.executable, "-m", "bacclab", "run", "flat.toml", "--out", "out", "--no-report", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "BACCLAB_LOAD_PLUGINS": ""}
    done = subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True, text=True)
    rows = {row["bettor"]: row for row in json.loads(done.stdout)["summary"]}
    assert set(rows) == set(PUBLISHED[table])
    for bet, (edge, deviation) in PUBLISHED[table].items():
        row = rows[bet]
        assert row["bets"] == SESSIONS * ROUNDS
        assert row["staked"] == SESSIONS * ROUNDS
        assert row["wins"] + row["losses"] + row["pushes"] == row["bets"]
        error = deviation / (SESSIONS * ROUNDS) ** 0.5
        assert abs(row["return_on_stake"] + edge) < 4 * error, bet
        assert row["expected_return"] == pytest.approx(-edge, abs=5e-9), bet
    nets = pl.read_parquet(tmp_path / "out" / "sessions.parquet").group_by("bettor").agg(pl.col("net").sum())
    assert dict(nets.iter_rows()) == {bet: pytest.approx(row["net"]) for bet, row in rows.items()}
