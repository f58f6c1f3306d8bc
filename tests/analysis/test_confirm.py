"""The best of many on fresh rounds: against a run of twice the sessions, with workers and after a break."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

import polars as pl
import pytest

import bacclab as bl
from bacclab.tournament.workers.work import Workshop

CHASER = {"name": "Chaser", "use": "martingale", "on": "banker", "unit": 10, "steps": 4, "when_refused": "reset"}
EXPERIMENT = MappingProxyType(
    {
        "seed": 5,
        "bankroll": 300,
        "sessions": 150,
        "rounds": 40,
        "table": {"minimum": 10, "maximum": 500},
        "bettor": [CHASER, {"name": "Tie", "use": "flat", "on": "tie", "unit": 10}],
        "sweep": {"bettor.0.steps": [3, 5]},
    }
)


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> bl.Run:
    return bl.run(EXPERIMENT, out=tmp_path_factory.mktemp("confirm") / "run", report=False)


def test_the_best_plays_the_sessions_that_follow(swept: bl.Run, tmp_path: Path) -> None:
    row = swept.confirmation.row(0, named=True)
    best = swept.summary.sort("return_on_stake", descending=True).row(0, named=True)
    assert (row["cell"], row["bettor"], row["return_in_search"]) == (
        best["cell"], best["bettor"], best["return_on_stake"],
    )  # fmt: skip
    assert (row["tried"], row["sessions"], row["first_session"]) == (4, 150, 150)
    assert swept.manifest["tried"] == 4
    whole = {key: value for key, value in EXPERIMENT.items() if key != "sweep"}
    sets = [f"bettor.0.steps={[3, 5][row['cell']]}", "sessions=300"]
    twice = bl.run(whole, sets=sets, out=tmp_path / "twice", report=False)
    fresh = twice.sessions.filter(pl.col("bettor") == row["bettor"], pl.col("session") >= 150)
    assert row["net"] == pytest.approx(fresh["net"].sum())
    assert row["staked"] == pytest.approx(fresh["staked"].sum())
    rate = row["net"] / row["staked"]
    assert row["return_fresh"] == pytest.approx(rate)
    squares = ((fresh["net"] - rate * fresh["staked"]) ** 2).sum()
    assert row["se_fresh"] == pytest.approx((squares * 150 / 149) ** 0.5 / row["staked"])
    assert row["ci_high"] - row["return_fresh"] == pytest.approx(1.976013 * row["se_fresh"], rel=1e-5)
    assert row["expected_return"] == pytest.approx(fresh["expected"].sum() / row["staked"])


def test_workers_and_blocks_change_nothing(swept: bl.Run, tmp_path: Path) -> None:
    other = bl.run(EXPERIMENT, out=tmp_path / "other", report=False, workers=2, block=40)
    assert other.confirmation.equals(swept.confirmation)
    assert other.summary.equals(swept.summary)


def test_a_run_that_breaks_off_there_is_gone_on_with(
    swept: bl.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = Workshop.do

    def stopped(self: Workshop, block, folder):
        if block.bettor and block.first > 150:
            raise KeyboardInterrupt
        return done(self, block, folder)

    with monkeypatch.context() as patch:
        patch.setattr(Workshop, "do", stopped)
        with pytest.raises(KeyboardInterrupt):
            bl.run(EXPERIMENT, out=tmp_path / "run", report=False, workers=1)
    played = []

    def counted(self: Workshop, block, folder):
        played.append(block)
        return done(self, block, folder)

    monkeypatch.setattr(Workshop, "do", counted)
    again = bl.run(EXPERIMENT, out=tmp_path / "run", report=False, resume=True, workers=1)
    assert again.confirmation.equals(swept.confirmation)
    assert all(block.bettor and block.first > 150 for block in played)


def test_it_can_be_left_out(tmp_path: Path) -> None:
    config = {**EXPERIMENT, "record": {"confirm": False}}
    assert bl.run(config, out=tmp_path / "run", report=False).confirmation.is_empty()


def test_a_few_systems_are_no_search_and_twenty_are(tmp_path: Path) -> None:
    plain = {key: value for key, value in EXPERIMENT.items() if key != "sweep"}
    assert bl.run(plain, out=tmp_path / "few", report=False).confirmation.is_empty()
    many = [{"name": f"Flat {k}", "use": "flat", "on": "player", "unit": 10 + k} for k in range(20)]
    done = bl.run({**plain, "bettor": many, "sessions": 20}, out=tmp_path / "many", report=False)
    assert done.confirmation["tried"].to_list() == [20]
    assert done.confirmation["return_in_search"][0] == done.summary["return_on_stake"].max()


def test_recorded_rounds_have_no_fresh_ones(tmp_path: Path) -> None:
    config = {**EXPERIMENT, "source": {"use": "scripted", "rounds": "PBTB"}, "rounds": 4, "sessions": 5}
    assert bl.run(config, out=tmp_path / "run", report=False).confirmation.is_empty()
