"""Whole runs: the same frames whoever does the work, and frames that agree with each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import bacclab as bl
from bacclab.errors import BettorError, ConfigError, StoreError
from bacclab.money import MAX_AMOUNT
from bacclab.tournament.frames import OVERLAY_FRAMES, SCHEMAS, amounts

SWEEP = {"table.maximum": [20, 200]}
NAMES = {f"{name}.parquet" for name in SCHEMAS}
OVERLAY = {f"{name}.parquet" for name in OVERLAY_FRAMES}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory, small) -> tuple[dict, dict[str, bytes]]:
    """An experiment and the bytes of its frames."""
    experiment = small(sweep=SWEEP)
    done = bl.run(experiment, out=tmp_path_factory.mktemp("reference") / "run", report=False, workers=1)
    files = {file.name: file.read_bytes() for file in done.path.glob("*.parquet")}
    assert set(files) - OVERLAY == NAMES
    return experiment, files


class TestSameBytes:
    """A frame depends on the experiment alone."""

    @pytest.mark.parametrize("block", [1, 7, 64, 149, 150, 1000])
    def test_for_any_size_of_blocks(self, play, frames, reference, block: int) -> None:
        experiment, files = reference
        if block == 1:
            experiment = experiment | {"sessions": 12}
            files = frames(play(experiment, workers=1))
        assert frames(play(experiment, workers=1, block=block)) == files

    @pytest.mark.parametrize("workers", [2, 3, None])
    def test_for_any_number_of_workers(self, play, frames, reference, workers: int | None) -> None:
        experiment, files = reference
        done = play(experiment, workers=workers, block=40)
        assert frames(done) == files

    def test_for_any_order_of_bettors(self, play, frames, reference) -> None:
        experiment, files = reference
        assert frames(play(experiment | {"bettor": experiment["bettor"][::-1]})) == files

    def test_again(self, play, frames, reference) -> None:
        experiment, files = reference
        assert frames(play(experiment)) == files


class TestSessionsStandAlone:
    def test_the_number_of_sessions_changes_none_of_them(self, play, small) -> None:
        few, many = play(small(sessions=50)), play(small(sessions=500))
        assert few.sessions.equals(many.sessions.filter(pl.col("session") < 50))
        assert few.trajectories.equals(many.trajectories)

    def test_other_bettors_change_nothing(self, play, small) -> None:
        alone, among = play(small("martingale")), play(small())
        mine = pl.col("bettor") == "Martingale"
        for name in ("sessions", "distribution", "trajectories", "summary"):
            assert getattr(alone, name).equals(getattr(among, name).filter(mine)), name
        assert alone.manifest["digest"] == among.manifest["digest"]

    def test_all_sessions_are_different(self, play, small) -> None:
        done = play(small("flat", sessions=400, rounds=60, record={"trajectories": 400}), workers=2, block=50)
        outcomes = done.trajectories.group_by("session").agg(pl.col("outcome").sort_by("round").str.join(" "))
        assert outcomes["outcome"].n_unique() == 400

    def test_another_seed_deals_other_rounds(self, play, small) -> None:
        one, other = play(small("flat")), play(small("flat"), seed=7)
        assert one.manifest["digest"] != other.manifest["digest"]
        assert other.manifest["seed"] == 7


class TestFramesAgree:
    @pytest.fixture
    def done(self, play, small):
        return play(small(sweep=SWEEP, record={"checkpoints": 10, "trajectories": 150}, stop={"win": 150, "loss": 200}))

    def test_schemas(self, done) -> None:
        metrics = {metric["id"]: pl.Float64 for metric in done.manifest["metrics"]}
        for name, schema in SCHEMAS.items():
            whole = schema if name != "summary" else pl.Schema({**schema, **metrics})
            assert getattr(done, name).schema == whole
            assert done.scan(name).collect_schema() == whole

    def test_rows_are_sorted_by_their_key(self, done) -> None:
        keys = {
            "summary": ["cell", "bettor"],
            "sessions": ["cell", "bettor", "session"],
            "distribution": ["cell", "bettor", "round", "bankroll"],
            "trajectories": ["cell", "bettor", "session", "round"],
            "comparisons": ["cell", "bettor_a", "bettor_b"],
        }
        for name, key in keys.items():
            frame = getattr(done, name)
            assert frame.equals(frame.sort(key)), name
            assert frame.select(key).is_duplicated().sum() == 0, name

    def test_no_frame_holds_nan(self, done) -> None:
        for name in SCHEMAS:
            frame = getattr(done, name)
            floats = [column for column in frame.columns if frame.schema[column] == pl.Float64]
            assert frame.select(pl.col(floats).is_nan().any()).row(0) == (False,) * len(floats), name

    def test_wins_losses_and_pushes_add_up(self, done) -> None:
        s = done.sessions
        assert (s["wins"] + s["losses"] + s["pushes"] == s["bets"]).all()
        assert (amounts(s["final"].to_numpy()) - 5_000_000 == amounts(s["net"].to_numpy())).all()
        assert (s["rounds"] == s["ended_round"]).all()
        refused = s.select(pl.sum_horizontal([c for c in s.columns if c.startswith("refused_")])).to_series()
        assert (refused == s["refusals"]).all()

    def test_the_ledger_agrees_with_a_recount_of_the_trajectories(self, done) -> None:
        money = ["staked", "commission", "net"]
        exact = done.trajectories.with_columns(pl.Series(c, amounts(done.trajectories[c].to_numpy())) for c in money)
        recount = exact.group_by("cell", "bettor", "session").agg(
            pl.col(money).sum(),
            rounds=pl.len(),
            bets=(pl.col("staked") > 0).sum(),
            wins=(pl.col("net") > 0).sum(),
            losses=(pl.col("net") < 0).sum(),
            final=pl.col("bankroll").sort_by("round").last(),
            shoes=pl.col("shoe").max(),
        )
        both = done.sessions.join(recount, on=["cell", "bettor", "session"], how="left", suffix="_again")
        played = both.filter(pl.col("rounds") > 0)
        assert played.height > 500
        for column in ("rounds", "bets", "wins", "losses", "final", "shoes"):
            assert (played[column] == played[f"{column}_again"]).all(), column
        for column in money:
            assert (amounts(played[column].to_numpy()) == played[f"{column}_again"].to_numpy()).all(), column

    def test_every_histogram_holds_every_session(self, done) -> None:
        totals = done.distribution.group_by("cell", "bettor", "round").agg(pl.col("sessions").sum())
        assert totals["sessions"].unique().to_list() == [150]
        assert sorted(done.distribution["round"].unique()) == [0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90]

    def test_histograms_carry_ended_sessions_forward(self, done) -> None:
        finals = done.distribution.filter(pl.col("round") == 90).drop("round")
        recount = done.sessions.group_by("cell", "bettor", pl.col("final").alias("bankroll")).agg(
            pl.len().cast(pl.Int64).alias("sessions")
        )
        assert finals.equals(recount.sort("cell", "bettor", "bankroll"))

    def test_stop_rules_end_sessions(self, done) -> None:
        s = done.sessions
        assert (s.filter(pl.col("ended_by") == "stop_win")["net"] >= 150).all()
        assert (s["net"] >= -200).all()
        assert {"stop_win", "stop_loss", "rounds"} <= set(s["ended_by"])

    def test_the_manifest_tells_how_it_was_made(self, done) -> None:
        manifest = done.manifest
        assert manifest["state"] == "complete"
        assert manifest["seed"] == 20261129
        assert manifest["generator"]
        assert {"bacclab", "python", "numpy", "polars", "numba"} <= set(manifest["versions"])
        assert [cell["label"] for cell in manifest["cells"]] == ["table.maximum = 20", "table.maximum = 200"]
        assert manifest["cells"][0]["digest"] == manifest["cells"][1]["digest"]
        assert set(manifest["files"]) == (NAMES | OVERLAY) - {"exact_ruin.parquet"}  # nobody here plays on for ever
        for name, record in manifest["files"].items():
            assert record["rows"] == getattr(done, name.removesuffix(".parquet")).height
        assert not (done.path / "blocks").exists()
        assert not list(done.path.glob(".*"))


class TestHorizonOfShoes:
    def test_checkpoints_end_where_play_ends(self, play, small) -> None:
        horizon = {"rounds": None, "shoes": 2}
        done = play({k: v for k, v in (small("flat") | horizon).items() if v is not None}, block=40)
        longest = done.sessions["rounds"].max()
        rounds = done.distribution["round"].unique().sort().to_list()
        assert rounds[0] == 0
        assert rounds[-2] < longest <= rounds[-1]
        assert (done.sessions["shoes"] == 2).all()
        finals = done.distribution.filter(pl.col("round") == rounds[-1])
        assert (finals["bankroll"] * finals["sessions"]).sum() == pytest.approx(done.sessions["final"].sum(), abs=1e-6)


class TestNoBets:
    """A system that never bets: figures without a stake are null, and the others are unharmed."""

    def test_undefined_figures_are_null_and_there_is_a_warning(self, play, small) -> None:
        never = {"name": "Never", "use": "flat", "on": "tie", "unit": 1, "when_refused": "skip"}
        done = play(small("flat") | {"bettor": [small("flat")["bettor"][0], never]})
        row = done.summary.row(by_predicate=pl.col("bettor") == "Never", named=True)
        assert (row["bets"], row["staked"], row["net"]) == (0, 0.0, 0.0)
        for name in ("return_on_stake", "se_return", "expected_return", "z", "win_rate_bets", "win_rate_decisions"):
            assert row[name] is None, name
        assert row["median"] == row["mean_final"] == 500.0
        assert (row["ahead"], row["even"], row["behind"]) == (0.0, 1.0, 0.0)
        assert any("Never" in warning and "placed no bets" in warning for warning in done.warnings)
        assert done.summary.filter(pl.col("bettor") != "Never").equals(play(small("flat")).summary)

    def test_a_run_without_trajectories_has_the_frame(self, play, small) -> None:
        done = play(small(record={"trajectories": 0}))
        assert done.trajectories.is_empty()
        assert done.trajectories.schema == SCHEMAS["trajectories"]


class TestFolders:
    def test_runs_of_one_name_get_folders_of_their_own(self, small, tmp_path: Path) -> None:
        experiment = small("flat", sessions=5)
        paths = [bl.run(experiment, root=tmp_path, report=False).path.name for _ in range(3)]
        assert paths == ["small", "small-2", "small-3"]

    def test_named_after_the_file(self, tmp_path: Path) -> None:
        config = tmp_path / "My Test.toml"
        config.write_text('bankroll = 100\nrounds = 5\nsessions = 5\n[[bettor]]\nuse = "flat"\n', encoding="utf-8")
        assert bl.run(config, root=tmp_path / "runs", report=False).path == tmp_path / "runs" / "my-test"

    def test_a_folder_with_something_in_it_is_refused(self, play, small, tmp_path: Path) -> None:
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "x").touch()
        with pytest.raises(StoreError, match="not empty"):
            play(small("flat"), out=tmp_path / "full")
        play(small("flat", sessions=5), out=tmp_path / "done")
        with pytest.raises(StoreError, match="--resume"):
            play(small("flat", sessions=5), out=tmp_path / "done")

    def test_what_cannot_be_played_leaves_no_folder(self, play, small, tmp_path: Path) -> None:
        wrong = small("flat") | {"bettor": [{"name": "A", "use": "flat", "on": "bankr"}]}
        with pytest.raises(BettorError, match="banker"):
            play(wrong, out=tmp_path / "none")
        with pytest.raises(ConfigError, match="workers must be at least 1"):
            play(small("flat"), out=tmp_path / "none", workers=0)
        assert not (tmp_path / "none").exists()

    def test_the_resolved_experiment_plays_the_same(self, play, small, frames) -> None:
        first = play(small(sweep=SWEEP))
        again = play(first.path / "experiment.toml")
        assert frames(first) == frames(again)


def test_seed_and_sessions_are_put_over_the_experiment(play, small) -> None:
    done = play(small("flat"), seed=5, sessions=20, sets=["table.maximum=50", "rounds=30"])
    assert done.manifest["experiment"]["seed"] == 5
    assert done.sessions.height == 20
    assert done.manifest["command"] == (
        "bacclab run experiment.toml --set table.maximum=50 --set rounds=30 --seed 5 --sessions 20"
    )


def test_a_seed_that_is_drawn_is_recorded(play, small) -> None:
    experiment = small("flat", sessions=5)
    del experiment["seed"]
    one, other = play(experiment), play(experiment)
    assert one.manifest["seed"] != other.manifest["seed"]
    assert not one.manifest["seed_given"]
    assert play(experiment, seed=one.manifest["seed"]).sessions.equals(one.sessions)


def test_progress_is_told_and_ends_at_the_whole(play, small) -> None:
    told = []
    play(small("flat"), progress=lambda done, total: told.append((done, total)), block=40)
    assert told == [(3600, 13500), (7200, 13500), (10800, 13500), (13500, 13500)]


def test_many_bettors_in_one_block_file_or_several(play, small, frames, monkeypatch: pytest.MonkeyPatch) -> None:
    from bacclab.tournament.folder import store

    experiment = small() | {"bettor": [{"name": f"B{i:02d}", "use": "flat", "unit": 10 + i} for i in range(25)]}
    whole = frames(play(experiment, workers=1))
    monkeypatch.setattr(store.BlockWriter, "HELD_ROWS", 100)
    assert frames(play(experiment, workers=1, block=60)) == whole


def test_money_past_exact_floats_is_refused(play, small) -> None:
    wild = {"name": "Wild", "use": "flat", "on": "player", "unit": "75000000000.00"}
    experiment = small() | {"bankroll": "225179981368.00", "bettor": [wild], "table": {"rules": "commission"}}
    with pytest.raises(bl.BacclabError, match="Wild"):
        play(experiment | {"table": {"rules": "commission", "maximum": "none"}})


def test_amounts_come_back_exactly() -> None:
    values = np.random.default_rng(1).integers(-MAX_AMOUNT, MAX_AMOUNT, 100_000, endpoint=True)
    values[:2000] = MAX_AMOUNT - np.arange(2000)  # where floats lie furthest apart
    assert (amounts(values / np.float64(10_000)) == values).all()
