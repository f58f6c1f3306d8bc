"""Summaries against figures worked out from the sessions by other means."""

from __future__ import annotations

import math
import statistics
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import bacclab as bl
from bacclab.analysis import summary as module
from bacclab.analysis.summary import Group, summarise

BETTORS = [
    {"name": "Flat", "use": "flat", "on": "banker", "unit": 10},
    {
        "name": "Chaser",
        "select": "follow-last",
        "stake": {"use": "martingale", "unit": 10, "steps": 6},
        "when_refused": "reset",
    },
]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> bl.Run:
    experiment = {
        "seed": 4,
        "bankroll": 400,
        "sessions": 701,
        "rounds": 80,
        "bettor": BETTORS,
        "table": {"rules": "commission", "minimum": 10, "maximum": 200},
    }
    return bl.run(experiment, out=tmp_path_factory.mktemp("summary") / "run", report=False)


def scripted(tmp_path: Path, rounds: str, *bettors: dict, **more) -> bl.Run:
    experiment = {
        "seed": 1,
        "bankroll": 1000,
        "sessions": 4,
        "rounds": len(rounds),
        "bettor": list(bettors) or [{"name": "Flat", "use": "flat", "on": "player", "unit": 15}],
        "source": {"use": "scripted", "rounds": rounds},
    } | more
    return bl.run(experiment, out=tmp_path / "run", report=False)


class TestAgainstSessions:
    @pytest.mark.parametrize("bettor", ["Flat", "Chaser"])
    def test_every_figure(self, done: bl.Run, bettor: str) -> None:
        row = done.summary.row(by_predicate=pl.col("bettor") == bettor, named=True)
        s = done.sessions.filter(pl.col("bettor") == bettor)
        n = 701
        assert row["sessions"] == n
        for name in ("rounds", "bets", "wins", "losses", "pushes", "refusals"):
            assert row[name] == s[name].sum(), name
        for name in ("staked", "commission", "net", "expected"):
            assert row[name] == pytest.approx(math.fsum(s[name]), rel=1e-12), name
        assert row["decisions"] == row["wins"] + row["losses"]
        assert row["return_on_stake"] == pytest.approx(row["net"] / row["staked"])
        assert row["expected_return"] == pytest.approx(row["expected"] / row["staked"])
        gap = (s["net"] - s["expected"]).to_list()
        assert row["z"] == pytest.approx(sum(gap) / (statistics.stdev(gap) * math.sqrt(n)))
        residuals = [a - row["return_on_stake"] * b for a, b in zip(s["net"], s["staked"], strict=True)]
        assert row["se_return"] == pytest.approx(math.sqrt(n / (n - 1) * sum(r * r for r in residuals)) / row["staked"])
        final = s["final"].to_list()
        assert row["mean_final"] == pytest.approx(statistics.fmean(final))
        assert row["sd_final"] == pytest.approx(statistics.stdev(final))
        assert row["se_final"] == pytest.approx(statistics.stdev(final) / math.sqrt(n))
        for name, share in (("q05", 0.05), ("q25", 0.25), ("median", 0.5), ("q75", 0.75), ("q95", 0.95)):
            assert row[name] == pytest.approx(float(np.quantile(final, share))), name
        assert row["ahead"] == sum(f > 400 for f in final) / n
        assert row["even"] == sum(f == 400 for f in final) / n
        assert row["behind"] == sum(f < 400 for f in final) / n
        assert row["bust"] == row["ended_bust"] == (s["ended_by"] == "bust").sum() / n
        assert math.fsum(v for k, v in row.items() if k.startswith("ended_")) == pytest.approx(1.0)
        assert row["mean_max_drawdown"] == pytest.approx(s["max_drawdown"].mean())
        assert row["median_longest_losing_run"] == s["longest_losing_run"].median()
        assert row["largest_stake"] == s["largest_stake"].max()

    def test_the_pieces_in_which_sessions_are_read_hardly_matter(self, done: bl.Run, monkeypatch) -> None:
        groups = [Group(0, name, i * 701, 701, 400.0, "table") for i, name in enumerate(("Chaser", "Flat"))]
        finals = done.distribution.filter(pl.col("round") == 80)
        whole = summarise(done.scan("sessions"), finals, groups)
        monkeypatch.setattr(module, "PIECE", 50)
        pieces = summarise(done.scan("sessions"), finals, groups)
        for name in whole.columns:
            if whole.schema[name] == pl.Float64:
                assert pieces[name].to_list() == pytest.approx(whole[name].to_list(), rel=1e-12), name
            else:
                assert pieces[name].equals(whole[name]), name

    def test_the_exact_expectation_is_that_of_the_bets(self, done: bl.Run) -> None:
        # Flat on Banker: −1.0579 % of what is staked, exactly.
        row = done.summary.row(by_predicate=pl.col("bettor") == "Flat", named=True)
        assert row["expected_return"] == pytest.approx(-0.01057906, abs=1e-8)
        assert abs(row["z"]) < 4


class TestTies:
    def test_both_win_rates_and_counts_that_add_up(self, tmp_path: Path) -> None:
        row = scripted(tmp_path, "PPPPBBBBTT").summary.row(0, named=True)
        assert (row["wins"], row["losses"], row["pushes"], row["bets"], row["decisions"]) == (16, 16, 8, 40, 32)
        assert row["win_rate_decisions"] == 0.5
        assert row["win_rate_bets"] == 0.4

    def test_pushes_only(self, tmp_path: Path) -> None:
        row = scripted(tmp_path, "TTT").summary.row(0, named=True)
        assert (row["bets"], row["pushes"], row["staked"], row["net"]) == (12, 12, 180.0, 0.0)
        assert row["win_rate_decisions"] is None
        assert row["win_rate_bets"] == 0.0
        assert row["return_on_stake"] == 0.0
        assert (row["ahead"], row["even"], row["behind"]) == (0.0, 1.0, 0.0)

    @pytest.mark.parametrize(("rounds", "longest"), [("BBBP", 3), ("PBB", 2), ("BBTB", 3), ("PPPP", 0)])
    def test_losing_runs_pass_through_ties(self, tmp_path: Path, rounds: str, longest: int) -> None:
        assert scripted(tmp_path, rounds).summary["median_longest_losing_run"].to_list() == [longest]


class TestUndefined:
    def test_equal_sessions_have_no_z(self, tmp_path: Path) -> None:
        row = scripted(tmp_path, "PBBPBTP").summary.row(0, named=True)
        assert row["z"] is None
        assert row["se_return"] == pytest.approx(0.0, abs=1e-12)
        assert row["sd_final"] == 0.0

    def test_one_session_has_no_spread(self, tmp_path: Path) -> None:
        row = scripted(tmp_path, "PBP", sessions=1).summary.row(0, named=True)
        assert row["z"] is row["se_return"] is row["sd_final"] is row["se_final"] is None
        assert row["q05"] == row["median"] == row["q95"] == row["mean_final"] == 1015.0

    def test_a_bettor_that_never_bets(self, tmp_path: Path) -> None:
        never = {"name": "Never", "use": "flat", "on": "player", "unit": 5, "when_refused": "skip"}
        flat = {"name": "Flat", "use": "flat", "on": "player", "unit": 15}
        done = scripted(tmp_path, "PBP", never, flat, table={"minimum": 10})
        row = done.summary.row(by_predicate=pl.col("bettor") == "Never", named=True)
        assert row["bets"] == 0
        assert row["refusals"] == row["refused_under_minimum"] == 12
        assert row["return_on_stake"] is row["expected_return"] is row["win_rate_bets"] is row["z"] is None
        assert row["median"] == 1000.0
        assert any(line.startswith("Never placed no bets") for line in done.warnings)


def test_the_median_is_the_half_way_line_of_four_sessions() -> None:
    finals = pl.DataFrame({"cell": 0, "bettor": "x", "bankroll": [1.0, 2.0, 3.0, 4.0], "sessions": 1}).cast(
        {"cell": pl.Int64, "sessions": pl.Int64}
    )
    found = module._of_finals(finals, Group(0, "x", 0, 4, 2.0, "table"))
    assert found["median"] == 2.5
    assert (found["ahead"], found["even"], found["behind"]) == (0.5, 0.25, 0.25)
