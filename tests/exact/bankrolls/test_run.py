"""Experiments worked out exactly: the frames, the folder, who is left out; and exact results beside a sample."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bacclab as bl
from bacclab.errors import BettorError, ConfigError, StoreError
from bacclab.exact.bankrolls import places
from bacclab.tournament.frames import EXACT_SCHEMAS, SCHEMAS

MARTINGALE = {
    "name": "Martingale",
    "select": "follow-last",
    "stake": {"use": "martingale", "unit": 10, "steps": 5},
    "when_refused": "reset",
}
FLAT = {"name": "Flat", "use": "flat", "on": "banker", "unit": 10}
LABOUCHERE = {"name": "Labouchere", "use": "labouchere", "on": "player", "unit": 10}


def experiment(*bettors: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "title": "Exact",
        "seed": 1,
        "bankroll": 300,
        "sessions": 500,
        "rounds": 60,
        "table": {"minimum": 10, "maximum": 200},
        "bettor": list(bettors or (FLAT, MARTINGALE)),
        "record": {"checkpoints": 12},
    } | changes


@pytest.fixture
def worked_out(tmp_path: Path) -> bl.Run:
    return bl.exact(experiment(), out=tmp_path / "exact", report=False)


class TestFrames:
    def test_schemas(self, worked_out: bl.Run) -> None:
        names = [*SCHEMAS, "exact_rounds", "exact_finals"]
        assert set(worked_out.manifest["files"]) == {f"{name}.parquet" for name in names}
        for name in names:
            schema = EXACT_SCHEMAS.get(name) or SCHEMAS[name]
            if name == "summary":
                metrics = {metric["id"]: pl.Float64 for metric in worked_out.manifest["metrics"]}
                schema = pl.Schema({**schema, **metrics})
            assert worked_out.scan(name).collect_schema() == schema

    def test_probabilities_sum_to_one_at_every_checkpoint(self, worked_out: bl.Run) -> None:
        sums = worked_out.distribution.group_by("bettor", "round").agg(pl.col("sessions").sum())
        assert sums.height == 2 * 13
        assert (sums["sessions"] - 1).abs().max() < 1e-12
        finals = worked_out.exact_finals.group_by("bettor").agg(pl.col("probability").sum())
        assert (finals["probability"] - 1).abs().max() < 1e-12

    def test_summary_agrees_with_the_other_frames(self, worked_out: bl.Run) -> None:
        for row in worked_out.summary.iter_rows(named=True):
            mine = pl.col("bettor") == row["bettor"]
            last = worked_out.distribution.filter(mine & (pl.col("round") == 60))
            mean = float((last["bankroll"] * last["sessions"]).sum())
            assert row["mean_final"] == pytest.approx(mean, rel=1e-12)
            assert row["net"] == pytest.approx(row["expected"], rel=1e-9)
            course = worked_out.exact_rounds.filter(mine)
            assert row["staked"] == pytest.approx(course["staked"].sum(), rel=1e-12)
            assert row["rounds"] == pytest.approx(course["playing"].sum(), rel=1e-12)
            assert row["bust"] == pytest.approx(course["ended_bust"][-1], abs=1e-15)
            below = last.filter(pl.col("bankroll") < row["median"])["sessions"].sum()
            upto = last.filter(pl.col("bankroll") <= row["median"])["sessions"].sum()
            assert below < 0.5 <= upto
            assert row["ahead"] + row["even"] + row["behind"] == pytest.approx(1, abs=1e-12)
            assert sum(row[name] for name in row if name.startswith("ended_")) == pytest.approx(1, abs=1e-12)
            assert row["sessions"] == 1
            assert row["played_by"] == "exact"
            assert row["mean_max_drawdown"] is None
            assert row["z"] is None

    def test_rows_are_sorted_and_come_out_the_same_again(self, worked_out: bl.Run, tmp_path: Path) -> None:
        again = bl.exact(experiment(MARTINGALE, FLAT), out=tmp_path / "again", report=False)
        for file in worked_out.manifest["files"]:
            assert (worked_out.path / file).read_bytes() == (again.path / file).read_bytes()
        key = worked_out.distribution.select("cell", "bettor", "round", "bankroll")
        assert key.equals(key.sort("cell", "bettor", "round", "bankroll"))

    def test_a_sweep(self, tmp_path: Path) -> None:
        swept = experiment(sweep={"table.maximum": [40, 160]})
        done = bl.exact(swept, out=tmp_path / "exact", report=False)
        assert done.summary["cell"].to_list() == [0, 0, 1, 1]
        assert done.summary.filter(bettor="Martingale")["largest_stake"].to_list() == [40.0, 160.0]

    def test_loaded_again(self, worked_out: bl.Run) -> None:
        loaded = bl.load_run(worked_out.path)
        assert loaded.is_exact
        assert loaded.summary.equals(worked_out.summary)
        assert "full shoe" in loaded.manifest["exact"]["model"]
        assert loaded.manifest["command"].startswith("bacclab exact")

    def test_page_and_charts(self, tmp_path: Path) -> None:
        done = bl.exact(experiment(), out=tmp_path / "exact")
        page = (done.path / "report.html").read_text(encoding="utf-8")
        assert "worked out exactly" in page
        bust = done.charts.bust()
        curve = {trace.name: trace.y[-1] for trace in bust.data}
        row = done.summary.row(by_predicate=pl.col("bettor") == "Martingale", named=True)
        assert curve["Martingale"] == pytest.approx(row["bust"] + row["ended_cannot_cover"], abs=1e-6)
        expected = next(trace for trace in done.charts.fan("Flat").data if trace.name == "expected")
        flat = done.summary.row(by_predicate=pl.col("bettor") == "Flat", named=True)
        assert expected.y[-1] == pytest.approx(flat["mean_final"], abs=1e-3)


def test_rounds_of_another_source_are_not_those_worked_out(tmp_path: Path) -> None:
    scripted = {"use": "scripted", "rounds": "PBTB|PPB"}
    done = bl.exact(experiment(FLAT, source=scripted, sessions=1, rounds=7), out=tmp_path / "exact", report=False)
    assert any("not the rounds of the source" in line for line in done.warnings)
    assert not bl.exact(experiment(FLAT), out=tmp_path / "dealt", report=False).warnings


class TestLeftOut:
    def test_bettors_without_a_table_are_named(self, tmp_path: Path) -> None:
        done = bl.exact(experiment(FLAT, LABOUCHERE), out=tmp_path / "exact", report=False)
        assert done.summary["bettor"].to_list() == ["Flat"]
        assert any("Labouchere" in line and "no table of states" in line for line in done.warnings)
        assert done.manifest["exact"]["left_out"][0]["bettor"] == "Labouchere"

    def test_none_left(self, tmp_path: Path) -> None:
        with pytest.raises(BettorError, match=r"no bettor can be worked out exactly: Labouchere: it has no table"):
            bl.exact(experiment(LABOUCHERE), out=tmp_path / "exact", report=False)
        assert not (tmp_path / "exact").exists()

    def test_too_many_places(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(places, "MOST_PLACES", 500)
        done = bl.exact(experiment(FLAT | {"on": "player"}, MARTINGALE), out=tmp_path / "exact", report=False)
        assert done.summary["bettor"].to_list() == ["Flat"]
        assert any("more than 500 places (states × bankrolls)" in line for line in done.warnings)

    def test_sessions_counted_in_shoes(self, tmp_path: Path) -> None:
        in_shoes = experiment() | {"shoes": 2}
        del in_shoes["rounds"]
        with pytest.raises(ConfigError, match=r"shoes .*cannot be worked out exactly.*say rounds"):
            bl.exact(in_shoes, out=tmp_path / "exact", report=False)

    def test_a_sampled_run_does_not_go_on_with_it(self, worked_out: bl.Run) -> None:
        with pytest.raises(StoreError, match="another experiment"):
            bl.run(experiment(), out=worked_out.path, resume=True, report=False)


class TestBesideASample:
    def test_equal_to_an_exact_run(self, worked_out: bl.Run, tmp_path: Path) -> None:
        sampled = bl.run(experiment(), out=tmp_path / "run", report=False)
        assert sampled.exact_rounds.equals(worked_out.exact_rounds)
        bands = sampled.exact_bands.filter(pl.col("round") == 60)
        wanted = worked_out.summary.select("bettor", "mean_final", "q05", "q25", "median", "q75", "q95")
        assert bands.select("bettor", "mean", "q05", "q25", "q50", "q75", "q95").rows() == [
            (row[0], pytest.approx(row[1], rel=1e-12), *row[2:]) for row in wanted.rows()
        ]
        assert not sampled.is_exact

    def test_on_the_charts(self, tmp_path: Path) -> None:
        sampled = bl.run(experiment(), out=tmp_path / "run", report=False)
        fan = sampled.charts.fan("Martingale")
        dashed = [trace for trace in fan.data if (trace.name or "").endswith("exact")]
        assert len(dashed) == 5
        assert "Thin dashes" in fan.layout.meta["note"]
        bust = {trace.name: np.asarray(trace.y) for trace in sampled.charts.bust().data}
        gap = np.abs(bust["Martingale"] - bust["Martingale, exact"]).max()
        assert gap < 4 * 0.5 / np.sqrt(500)

    def test_not_where_rounds_are_not_dealt_from_a_shoe(self, tmp_path: Path) -> None:
        scripted = experiment(source={"use": "scripted", "rounds": "PBTB" * 15})
        sampled = bl.run(scripted, out=tmp_path / "run", report=False)
        assert sampled.exact_rounds.is_empty()
        assert sampled.charts.fan("Flat").data
