"""What a plugin adds to the tool: formats, commands, places to work; what a side bet and a metric get for nothing."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import pytest

import bacclab as bl
from bacclab.cli import main
from bacclab.cli.app import app
from bacclab.plugins.extensions import BUILT_IN_COMMANDS
from bacclab.plugins.loader import load_plugins

TOOLS = '''
"""A format, two commands and a place to work."""
from concurrent.futures import ThreadPoolExecutor

import typer

import bacclab as bl

def names(run, folder):
    path = folder / "bettors.txt"
    path.write_text(", ".join(run.summary["bettor"]))
    return [path]

def greet(name: str, times: int = 1):
    """Greet someone."""
    print(" ".join([f"Hello, {name}."] * times))

tools = typer.Typer()

@tools.command()
def count(context: typer.Context):
    """Count what is registered."""
    print(len(context.obj.load().registry.bettors) > 3)

@tools.command()
def fail():
    """Fail as a user's mistake."""
    raise bl.BacclabError("there is nothing to count", hint="bring something")

EXPORTER = bl.Exporter("names", "The names of the bettors.", names)
GREET = bl.Command("greet", "Greet someone.", greet)
TOOLS = bl.Command("tools", "Small tools.", tools)
THREADS = bl.Workers("threads", "Threads of this process.", lambda address: ThreadPoolExecutor(int(address or 1)))
'''

FIVE_LINES = '''"""A side bet in five lines."""
import bacclab as bl
lines = lambda coup: "win" if coup.margin == 9 else None
NINE = bl.Bet(id="nine_apart", title="Nine apart", kind="side", lines=lines, odds={"win": "70:1"}, rule="9 against 0.", source="-")
TABLE = bl.table("commission").variant("nine", title="With Nine apart", extra_bets=[NINE])
'''  # noqa: E501 - five lines, as one writes them

TEN_LINES = '''"""A metric in ten lines."""
import bacclab as bl

HALVED = bl.Metric(
    id="halved",
    label="Halved at some time",
    unit="share",
    text="Share of sessions whose bankroll came down to half at some time.",
    expression=lambda trough, start: (trough <= start / 2).mean(),
)
'''

FLAT = {"name": "Flat", "use": "flat", "on": "banker", "unit": 10}


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    path = tmp_path / "tools.py"
    path.write_text(TOOLS)
    return path


@pytest.fixture
def run(tmp_path: Path) -> bl.Run:
    experiment = {"bankroll": 300, "sessions": 20, "rounds": 20, "seed": 1, "bettor": [FLAT]}
    return bl.run(experiment, out=tmp_path / "run", report=False, workers=1)


def test_built_ins_come_through_the_same_hooks() -> None:
    registry = load_plugins(allow=()).registry
    assert {"csv", "parquet", "json"} <= registry.exporters.keys()
    assert {"processes", "dask"} <= registry.executors.keys()
    assert {entry.plugin for entry in (*registry.exporters.values(), *registry.executors.values())} == {
        "bacclab.tournament"
    }


class TestExporters:
    def test_a_format_of_a_plugin(self, tools: Path, run: bl.Run, tmp_path: Path, capsys) -> None:
        words = [
            "--plugin",
            str(tools),
            "export",
            str(run.path),
            "--to",
            "names",
            "-o",
            str(tmp_path / "out"),
            "--json",
        ]
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out) == {"files": [str(tmp_path / "out" / "bettors.txt")]}
        assert (tmp_path / "out" / "bettors.txt").read_text() == "Flat"

    def test_an_unknown_format(self, run: bl.Run, tmp_path: Path, capsys) -> None:
        assert main(["export", str(run.path), "--to", "cvs", "-o", str(tmp_path / "out")]) == 2
        assert "there is no exporter 'cvs'\n  did you mean csv?" in capsys.readouterr().err
        assert not (tmp_path / "out").exists()


class TestCommands:
    def test_a_function_is_a_command(self, tools: Path, capsys) -> None:
        assert main(["--plugin", str(tools), "greet", "Ann", "--times", "2"]) == 0
        assert capsys.readouterr().out == "Hello, Ann. Hello, Ann.\n"
        assert main(["greet", "Ann", "--plugin", str(tools)]) == 0

    def test_an_app_is_a_group_that_knows_the_plugins(self, tools: Path, capsys) -> None:
        assert main(["--plugin", str(tools), "tools", "count"]) == 0
        assert capsys.readouterr().out == "True\n"

    def test_its_mistakes_are_told_like_all_others(self, tools: Path, capsys) -> None:
        assert main(["--plugin", str(tools), "tools", "fail"]) == 2
        assert capsys.readouterr().err == "bacclab: there is nothing to count\n  bring something\n"
        assert main(["--plugin", str(tools), "greet"]) == 2
        assert "Missing argument" in capsys.readouterr().err

    def test_help_of_its_own(self, tools: Path, capsys) -> None:
        assert main(["--plugin", str(tools), "greet", "--help"]) == 0
        assert "Greet someone." in capsys.readouterr().out

    def test_without_the_plugin_there_is_none(self, capsys) -> None:
        assert main(["greet", "Ann"]) == 2
        assert "No such command 'greet'" in capsys.readouterr().err

    def test_a_built_in_command_cannot_be_taken(self, tmp_path: Path) -> None:
        path = tmp_path / "takes.py"
        path.write_text('import bacclab as bl\nRUN = bl.Command("run", "Mine.", print)\n')
        loaded = load_plugins(files=[path], allow=())
        assert "a command of that name is built in" in loaded.problems[0]


def test_the_names_that_cannot_be_taken_are_those_of_the_app() -> None:
    names = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert names | {group.name for group in app.registered_groups} <= BUILT_IN_COMMANDS


class TestExecutors:
    def test_a_place_of_a_plugin(self, tools: Path, tmp_path: Path, capsys) -> None:
        file = tmp_path / "e.toml"
        file.write_text('bankroll = 300\nsessions = 300\nrounds = 20\nseed = 1\n[[bettor]]\nname = "F"\nuse = "flat"\n')
        found = []
        for number, place in enumerate(([], ["--scheduler", "threads:2"], ["--scheduler", "threads"])):
            out = tmp_path / f"run{number}"
            words = ["run", str(file), "--out", str(out), "--no-report", "--quiet", "--plugin", str(tools), *place]
            assert main(words) == 0, capsys.readouterr().err
            found.append((out / "sessions.parquet").read_bytes())
        assert len(set(found)) == 1

    @pytest.mark.parametrize(
        ("address", "said"),
        [
            ("treads:2", "there is no executor 'treads'"),
            ("processes:none", "how many processes?"),
            pytest.param(
                "dask",
                "where is the scheduler?",
                marks=pytest.mark.skipif(find_spec("distributed") is None, reason="dask is not installed"),
            ),
        ],
    )
    def test_what_is_no_place(self, address: str, said: str, tmp_path: Path, capsys) -> None:
        file = tmp_path / "e.toml"
        file.write_text('bankroll = 300\nsessions = 9\nrounds = 5\n[[bettor]]\nuse = "flat"\n')
        assert main(["run", str(file), "--out", str(tmp_path / "run"), "--scheduler", address]) == 2
        assert said in capsys.readouterr().err


class TestFiveLines:
    """A side bet in five lines: settlement, exact odds, the audit, and a row on the page."""

    def test_it_has_everything(self, tmp_path: Path, capsys) -> None:
        path = tmp_path / "nine.py"
        path.write_text(FIVE_LINES)
        assert len(FIVE_LINES.splitlines()) == 5
        words = ["--plugin", str(path), "odds", "--table", "nine", "--bet", "nine_apart", "--json"]
        assert main(words) == 0
        told = json.loads(capsys.readouterr().out)
        (odds,) = told["bets"] if isinstance(told, dict) else told
        # A margin of nine is a total of 9 against one of 0: the return of a unit is 71 times its probability less one.
        win = odds["hit_rate"] if "hit_rate" in odds else odds["win"]
        assert odds["edge"] == pytest.approx(1 - 71 * win, abs=1e-12)
        experiment = {
            "bankroll": 2000,
            "sessions": 400,
            "rounds": 60,
            "seed": 8,
            "table": {"rules": "nine"},
            "bettor": [{"name": "Nine", "use": "flat", "on": "nine_apart", "unit": 5}, FLAT],
            "plugins": {"files": [str(path)]},
        }
        run = bl.run(experiment, out=tmp_path / "run", workers=1)
        row = run.summary.filter(run.summary["bettor"] == "Nine").to_dicts()[0]
        assert row["played_by"] == "table"
        assert row["expected_return"] == pytest.approx(-odds["edge"], abs=1e-9)
        assert abs(row["z"]) < 4
        # Every win pays 350, every other bet costs 5.
        assert row["net"] == 350 * row["wins"] - 5 * row["losses"]
        assert row["wins"] > 0
        assert row["bets"] == row["wins"] + row["losses"]
        page = (tmp_path / "run" / "report.html").read_text()
        assert "Nine" in page
        assert Fraction(row["wins"], row["bets"]) < Fraction(1, 20)


def test_a_metric_in_ten_lines_is_in_summary_and_page(tmp_path: Path) -> None:
    path = tmp_path / "halved.py"
    path.write_text(TEN_LINES)
    assert len(TEN_LINES.splitlines()) == 10
    experiment = {
        "bankroll": 100,
        "sessions": 200,
        "rounds": 60,
        "seed": 8,
        "bettor": [FLAT],
        "plugins": {"files": [str(path)]},
    }
    run = bl.run(experiment, out=tmp_path / "run", workers=1)
    troughs = run.sessions["trough"].to_list()
    assert run.summary["halved"][0] == sum(trough <= 50 for trough in troughs) / len(troughs)
    assert 0 < run.summary["halved"][0] < 1
    assert "Halved at some time" in (tmp_path / "run" / "report.html").read_text()
