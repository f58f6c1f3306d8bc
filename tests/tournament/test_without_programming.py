"""Systems of an experiment file that are data: files taken in by value, products, and rules to stop."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bacclab
from bacclab.errors import ConfigError, StoreError
from bacclab.plugins.loader import load_plugins
from bacclab.tournament.experiment.config import load_config, with_all_registered
from bacclab.tournament.experiment.resolved import resolved

EXPERIMENT = Path(__file__).parents[2] / "experiments" / "without_programming.toml"
BASE = "bankroll = 1000\nrounds = 60\nsessions = 6\nseed = 3\n[table]\nminimum = 10\nmaximum = 500\n"
MAPPED = BASE + '[[bettor]]\nselect = { use = "last-n-map", csv = "sub/map.csv" }\nstake = "flat"\n'


@pytest.fixture
def mapped(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "map.csv").write_bytes("\ufeffpattern\tbet\r\nBB\tP\r\nPP\tB\r\n".encode())
    (tmp_path / "e.toml").write_text(MAPPED)
    return tmp_path / "e.toml"


class TestFiles:
    def test_content_stands_in_place_of_the_name(self, mapped: Path) -> None:
        experiment = load_config(mapped)
        assert experiment.bettors[0].select is not None
        content = {"file": "sub/map.csv", "lines": ["pattern,bet", "BB,P", "PP,B"]}
        assert experiment.bettors[0].select.params == {"csv": content}
        (mapped.parent / "sub" / "map.csv").unlink()
        assert experiment.cell(0)[1].bettors == experiment.bettors

    def test_a_run_keeps_the_content_and_its_digest(self, mapped: Path, tmp_path: Path) -> None:
        run = bacclab.run(mapped, out=tmp_path / "run", report=False, workers=1)
        (found,) = run.manifest["inputs"]
        assert found["file"] == "sub/map.csv"
        assert len(found["sha256"]) == 64
        (mapped.parent / "sub" / "map.csv").unlink()
        again = bacclab.run(tmp_path / "run" / "experiment.toml", out=tmp_path / "again", report=False, workers=1)
        assert again.sessions.equals(run.sessions)
        assert again.manifest["fingerprint"] == run.manifest["fingerprint"]
        assert set(run.summary["played_by"]) == {"table"}

    def test_a_changed_file_is_another_experiment(self, mapped: Path, tmp_path: Path) -> None:
        out = tmp_path / "run"
        bacclab.run(mapped, out=out, report=False, workers=1)
        bacclab.run(mapped, out=out, report=False, workers=1, resume=True)
        (mapped.parent / "sub" / "map.csv").write_text("pattern,bet\nBB,B\n")
        with pytest.raises(StoreError, match="what differs is bettor"):
            bacclab.run(mapped, out=out, report=False, workers=1, resume=True)

    def test_files_can_be_swept(self, mapped: Path, tmp_path: Path) -> None:
        (mapped.parent / "sub" / "other.csv").write_text("pattern,bet\nB,B\n")
        mapped.write_text(MAPPED + '[sweep]\n"bettor.0.select.csv" = ["sub/map.csv", "sub/other.csv"]\n')
        run = bacclab.run(mapped, out=tmp_path / "run", report=False, workers=1)
        assert run.cells["label"].to_list() == [
            "bettor.0.select.csv = sub/map.csv",
            "bettor.0.select.csv = sub/other.csv",
        ]
        first, second = run.summary.sort("cell")["bets"]
        assert 0 < first < second

    def test_a_folder_with_the_name_of_the_file(self, mapped: Path) -> None:
        file = mapped.parent / "sub" / "map.csv"
        file.unlink()
        file.mkdir()
        with pytest.raises(bacclab.BacclabError, match=r"select.csv = 'sub/map.csv': it is no file") as told:
            bacclab.run(mapped, out=mapped.parent / "run", report=False, workers=1)
        assert "did you mean" not in str(told.value)

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (None, r"e.toml, line 9: bettor.0.select.csv = 'sub/map.csv': there is no such file"),
            (b"\xff\xfep\0a\0", r"map.csv is saved as UTF-16"),
            (b"pattern,bet\nB\x07,P\n", r"map.csv, line 2: it holds a control character"),
            (b"pattern,bet\nBB,P\nB,P\n", r"e.toml, line 9: .*sub/map.csv, row 3: pattern B differs in length from BB"),
        ],
    )
    def test_faults_have_their_place(self, mapped: Path, content: bytes | None, said: str) -> None:
        file = mapped.parent / "sub" / "map.csv"
        file.unlink()
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(bacclab.BacclabError, match=said):
            bacclab.run(mapped, out=mapped.parent / "run", report=False, workers=1)


def experiment_of(**parts: Any) -> dict[str, Any]:
    return {"bankroll": 1000, "rounds": 60, "sessions": 6, "seed": 3, "table": {"minimum": 10, "maximum": 500}} | parts


class TestProducts:
    def test_every_pair_is_a_bettor(self) -> None:
        product = {"select": ["follow-last", "chop"], "stake": ["flat", {"use": "oscar", "unit": 5}], "unit": 20}
        experiment = load_config(experiment_of(product=[product]))
        assert [spec.name for spec in experiment.bettors] == [
            "follow-last, flat",
            "follow-last, oscar",
            "chop, flat",
            "chop, oscar",
        ]
        assert [spec.stake.params["unit"] for spec in experiment.bettors if spec.stake] == [20, 5, 20, 5]

    def test_names_tell_parameters_apart(self) -> None:
        stakes = [{"use": "martingale", "steps": n} for n in (3, 7)]
        experiment = load_config(experiment_of(product=[{"select": "always", "stake": stakes}]))
        assert [spec.name for spec in experiment.bettors] == [
            "always, martingale (steps 3)",
            "always, martingale (steps 7)",
        ]

    def test_a_star_is_everything_registered(self) -> None:
        registry = load_plugins(allow=()).registry
        raw = experiment_of(product=[{"select": "*", "stake": ["flat", "*"], "without": ["kelly", "chop"]}])
        experiment = with_all_registered(load_config(raw), registry)
        assert len(experiment.bettors) == (len(registry.selections) - 1) * (len(registry.progressions) - 1)
        names = {spec.name for spec in experiment.bettors}
        assert {"follow-last, flat", "streak, thirty-one"} <= names
        assert not any("kelly" in name or "chop" in name for name in names)
        # The resolved experiment lists them one by one.
        values = resolved(experiment)
        assert "product" not in values
        assert len(values["bettor"]) == len(names)

    def test_played_beside_listed_bettors(self, tmp_path: Path) -> None:
        raw = experiment_of(
            bettor=[{"name": "Mine", "use": "flat"}],
            product=[{"select": ["always", "streak"], "stake": ["paroli", "whittaker"], "when_refused": "reset"}],
            sweep={"product.0.unit": [10, 20]},
        )
        run = bacclab.run(raw, out=tmp_path / "run", report=False, workers=1)
        assert run.summary.height == 2 * 5
        largest = run.summary.filter(pl.col("bettor") == "always, paroli").sort("cell")["largest_stake"].to_list()
        assert largest == [40, 80]
        again = bacclab.run(tmp_path / "run" / "experiment.toml", out=tmp_path / "b", report=False, workers=1)
        assert again.summary.filter(pl.col("cell") == 0).height == 5

    @pytest.mark.parametrize(
        ("product", "said"),
        [
            ({"select": "*"}, "product.0.stake is missing"),
            ({"select": [], "stake": "flat"}, "product.0.select is empty"),
            ({"select": "always", "stake": "flat", "unitt": 3}, "did you mean unit"),
            ({"select": [3], "stake": "flat"}, "must be a name or a table"),
            ({"select": ["always", "always"], "stake": "flat"}, "is the name of two bettors"),
            ({"select": "*", "stake": "*", "without": ["marting"]}, "'marting' is not registered .*martingale"),
            ({"select": ["always"] * 50, "stake": ["flat"] * 50}, "makes 2,500 bettors; at most 2,000"),
        ],
    )
    def test_faults(self, product: dict[str, Any], said: str) -> None:
        with pytest.raises(ConfigError, match=said):
            with_all_registered(load_config(experiment_of(product=[product])), load_plugins(allow=()).registry)

    def test_nobody_plays(self) -> None:
        with pytest.raises(ConfigError, match="bettor is missing"):
            load_config(experiment_of())


class TestStopAfterLosses:
    @pytest.mark.parametrize("stake", ["flat", "labouchere"])
    def test_ends_the_session(self, stake: str, tmp_path: Path) -> None:
        """By a table and by lanes: three losses in a row end a session, ties do not count and do not break."""
        raw = experiment_of(
            source={"use": "scripted", "rounds": "BBPBTBTBPPP"},
            rounds=11,
            sessions=1,
            bettor=[{"name": "x", "select": {"use": "always", "on": "player"}, "stake": stake, "stop": {"losses": 3}}],
        )
        run = bacclab.run(raw, out=tmp_path / "run", report=False, workers=1)
        assert run.sessions["ended_by"].to_list() == ["bettor"]
        assert run.sessions["ended_round"].to_list() == [8]
        assert run.sessions["longest_losing_run"].to_list() == [3]
        assert run.summary["played_by"].to_list() == [{"flat": "table", "labouchere": "lanes"}[stake]]

    def test_holds_for_all_without_rules_of_their_own(self) -> None:
        bettors = [{"name": "a", "use": "flat"}, {"name": "b", "use": "flat", "stop": {"win": 50}}]
        experiment = load_config(experiment_of(stop={"losses": 4, "loss": 200}, bettor=bettors))
        assert [spec.stop.losses for spec in experiment.bettors] == [4, None]
        values = resolved(experiment)
        assert values["stop"] == {"loss": "200.00", "losses": 4}
        assert load_config(values).bettors == experiment.bettors

    @pytest.mark.parametrize("losses", [0, True, "3"])
    def test_faults(self, losses: Any) -> None:
        with pytest.raises(ConfigError, match=r"stop\.losses"):
            load_config(experiment_of(stop={"losses": losses}, bettor=[{"use": "flat"}]))


class TestReadyExperiment:
    def test_is_played_from_tables_and_solved(self, tmp_path: Path) -> None:
        names = [bettor["name"] for bettor in tomllib.loads(EXPERIMENT.read_text())["bettor"]]
        run = bacclab.run(EXPERIMENT, sessions=200, out=tmp_path / "run", report=False, workers=1)
        assert set(run.summary["played_by"]) == {"table"}
        exact = bacclab.exact(EXPERIMENT, sets=["rounds=40"], out=tmp_path / "exact", report=False)
        assert sorted(exact.summary["bettor"]) == sorted(names)
        assert exact.distribution.group_by("bettor", "round").agg(pl.col("sessions").sum())["sessions"].to_list() == (
            pytest.approx([1.0] * len(names) * 41)
        )
