"""`run` and the commands on finished runs, as a user calls them."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import polars as pl
import pytest

import bacclab
from bacclab.cli.progress import Progress
from bacclab.cli.summary import verdict

ROOT = Path(bacclab.__file__).parents[1]

EXPERIMENT = """
    title = "Trial"
    seed = 5
    bankroll = 1000
    sessions = 60
    rounds = 40

    [table]
    rules = "commission"
    minimum = 10
    maximum = 500

    [[bettor]]
    name = "Flat"
    use = "flat"

    [[bettor]]
    name = "Martingale"
    select = "follow-last"
    stake = { use = "martingale", unit = 10, steps = 7 }
"""

LOCAL = """
    import bacclab as bl

    def make(side):
        @bl.bettor(f"always-{side}")
        class Always(bl.Bettor):
            unit: bl.Money = bl.Money(10)
            def bet(self, view):
                return view.on(side, self.unit)
        return Always

    @bl.hookimpl
    def register_bettors(register):
        for side in ("banker", "player"):
            register(make(side))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with an experiment."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "trial.toml", EXPERIMENT)
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def frames(run: str | Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(Path(run).glob("*.parquet"))}


class TestRun:
    def test_prints_a_summary_and_writes_a_page(self, call, folder):
        called = call("run", "trial.toml")
        assert called.code == 0
        lines = called.out.splitlines()
        assert [line.split()[0] for line in lines[:3]] == ["bettor", "Flat", "Martingale"], called.out
        assert lines[-1] == f"page: {Path('runs/trial/report.html')}"
        assert (folder / "runs/trial/report.html").read_text(encoding="utf-8").startswith("<!")
        assert "\x1b" not in called.out + called.err

    def test_json(self, call, folder):
        called = call("run", "trial.toml", "--json", "--no-report")
        assert called.code == 0
        assert called.json["run"] == str(Path("runs/trial"))
        assert [row["bettor"] for row in called.json["summary"]] == ["Flat", "Martingale"]
        assert called.json["summary"][0]["bets"] == 60 * 40
        assert not (folder / "runs/trial/report.html").exists()

    def test_quiet(self, call, folder):
        steps = ("--set", "bettor.Martingale.stake.steps=6")  # none is over the maximum
        called = call("run", "trial.toml", "--quiet", "--no-report", "--workers", "1", *steps)
        assert (called.code, called.out, called.err) == (0, "", "")

    def test_values_over_the_file(self, call, folder):
        words = ["--seed", "9", "--sessions", "7", "--set", "rounds=11", "--set", "table.maximum=40", "--no-report"]
        rows = call("run", "trial.toml", "--json", *words).json["summary"]
        assert (rows[0]["sessions"], rows[0]["rounds"]) == (7, 77)
        assert rows[1]["largest_stake"] <= 40
        assert json.loads(Path("runs/trial/manifest.json").read_text(encoding="utf-8"))["seed"] == 9

    def test_twice_gives_two_folders_with_equal_frames(self, call, folder):
        one, two = (call("run", "trial.toml", "--json", "--no-report").json["run"] for _ in range(2))
        assert one != two
        assert frames(one) == frames(two)

    @pytest.mark.parametrize(("flag", "page"), [((), True), (("--no-report",), False)])
    def test_a_flag_left_out_and_given(self, call, folder, flag, page):
        assert call("run", "trial.toml", "--quiet", "--out", "run", *flag).code == 0
        assert (folder / "run" / "report.html").exists() is page

    def test_a_flag_has_no_opposite(self, call, folder):
        called = call("run", "trial.toml", "--report")
        assert called.code == 2
        assert "--no-report" in called.err
        assert not list(folder.glob("runs/*"))

    @pytest.mark.parametrize(("said", "recorded"), [("true", "true"), ("false", "false"), (None, None)])
    def test_yes_no_and_nothing_said_are_recorded(self, call, folder, said, recorded):
        """Side bets stand alone at this table unless it is said that they do not."""
        text = textwrap.dedent(EXPERIMENT)
        if said is not None:
            text = text.replace("minimum = 10", f"minimum = 10\nside_bets_need_main_bet = {said}")
        text = text.replace('use = "flat"', 'use = "flat"\non = "player_pair"')
        write(folder / "flags.toml", text)
        called = call("run", "flags.toml", "--json", "--no-report")
        assert called.code == 0
        kept = re.findall(
            r"side_bets_need_main_bet = (\w+)", (Path(called.json["run"]) / "experiment.toml").read_text()
        )
        assert kept == ([] if recorded is None else [recorded])
        flat = next(row for row in called.json["summary"] if row["bettor"] == "Flat")
        assert (flat["bets"] == 0) is (said == "true")

    def test_folder_in_use_is_refused(self, call, folder):
        assert call("run", "trial.toml", "-o", "mine", "--quiet", "--no-report").code == 0
        called = call("run", "trial.toml", "--out", "mine")
        assert called.code == 2
        assert "the folder mine is not empty" in called.err
        assert "--resume" in called.err

    @pytest.mark.parametrize(
        ("was", "becomes", "said"),
        [
            ("maximum = 500", "comission = 0.04", "commission"),
            ("bankroll = 1000", "bankrol = 1000", "bankroll"),
            ('rules = "commission"', 'rules = "comission"', "commission"),
            ('use = "flat"', 'use = "flad"', "flat"),
            ("steps = 7", "stebs = 7", "steps"),
            ("minimum = 10", "minimum = true", "minimum"),
            ("minimum = 10", "decks = 0", "decks"),
            ("minimum = 10", "commission = 5", "5%"),
            ('title = "Trial"', r'title = "C:\Users"', "backslash"),
            ("sessions = 60", "sessions = 60\nsessions = 61", "sessions"),
        ],
    )
    def test_mistakes_name_file_line_and_the_right_thing(self, call, folder, was, becomes, said):
        text = textwrap.dedent(EXPERIMENT)
        assert was in text
        path = write(folder / "wrong.toml", text.replace(was, becomes))
        called = call("run", "wrong.toml")
        assert called.code == 2
        assert called.out == ""
        assert len(called.err.splitlines()) <= 2
        assert f"{path.name}, line " in called.err
        assert said in called.err
        assert not list(folder.glob("runs/*/*.parquet"))

    def test_byte_order_mark(self, call, folder):
        (folder / "trial.toml").write_bytes(b"\xef\xbb\xbf" + textwrap.dedent(EXPERIMENT).encode())
        assert call("run", "trial.toml", "--quiet", "--no-report").code == 0

    def test_no_such_file(self, call, folder):
        called = call("run", "trail.toml")
        assert called.code == 2
        assert "trail.toml" in called.err

    def test_plugins_of_the_experiment_reach_the_workers(self, call, folder, monkeypatch):
        """A file beside the experiment, classes made in a function, a helper's name that is a library's, workers."""
        write(folder / "random.py", LOCAL)
        bettors = "".join(f'\n[[bettor]]\nname = "{side}"\nuse = "always-{side}"\n' for side in ("player", "banker"))
        text = textwrap.dedent(EXPERIMENT) + bettors + '\n[plugins]\nfiles = ["random.py"]\n'
        (folder / "local.toml").write_text(text, encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", str(ROOT))
        (folder / "elsewhere").mkdir()
        monkeypatch.chdir(folder / "elsewhere")
        runs = [
            call("run", folder / "local.toml", "--json", "--no-report", "--workers", n).json["run"] for n in ("1", "2")
        ]
        assert frames(runs[0]) == frames(runs[1])

    def test_plugin_that_is_not_there(self, call, folder):
        path = write(folder / "trial.toml", EXPERIMENT + '\n    [plugins]\n    files = ["mine.py"]\n')
        called = call("run", "trial.toml")
        assert called.code == 2
        assert f"{path.name}, line " in called.err
        assert str(folder / "mine.py") in called.err

    def test_bettor_of_a_broken_plugin(self, call, folder):
        write(folder / "fib.py", "import golden_ratio_of_nobody\n")
        text = EXPERIMENT.replace('"flat"', '"fib"') + '\n    [plugins]\n    files = ["fib.py"]\n'
        write(folder / "trial.toml", text)
        called = call("run", "trial.toml")
        assert called.code == 2
        assert "there is no bettor 'fib'" in called.err
        assert ". Plugin fib, which failed to load" in called.err
        assert "golden_ratio_of_nobody" in called.err

    def test_broken_plugin_that_is_not_needed(self, call, folder):
        write(folder / "fib.py", "import golden_ratio_of_nobody\n")
        called = call("--plugin", "fib.py", "run", "trial.toml", "--no-report")
        assert called.code == 0
        assert "warning: plugin fib" in called.err
        assert call("--plugin", "fib.py", "--strict-plugins", "run", "trial.toml").code == 2

    def test_a_warning_is_printed_once(self, call, folder):
        called = call("run", "trial.toml", "--no-report", "--out", "run")
        assert called.code == 0
        assert (called.out + called.err).count("because the table refused a stake (over_maximum") == 1
        shown = call("show", "run")
        assert (shown.out + shown.err).count("because the table refused a stake (over_maximum") == 1

    def test_output_in_a_code_page(self, shell, folder):
        text = textwrap.dedent(EXPERIMENT).replace('"Flat"', '"平注 ♠"')
        (folder / "trial.toml").write_text(text, encoding="utf-8")
        environment = {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
        ran = shell("run", "trial.toml", "--workers", "1", environment=environment)
        assert ran.returncode == 0, ran.stderr
        assert r"\u5e73\u6ce8 \u2660" in ran.stdout.decode("cp1252")
        ran = shell("run", "trial.toml", "--json", "--workers", "1", environment=environment)
        assert json.loads(ran.stdout.decode("cp1252"))["summary"][0]["bettor"] == "平注 ♠"


class TestScheduler:
    def test_dask_gives_the_same_frames(self, call, folder):
        pytest.importorskip("distributed")
        program = """
            import sys
            from distributed import LocalCluster
            from bacclab.cli import main

            if __name__ == "__main__":
                with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
                    address = cluster.scheduler_address
                    sys.exit(main(["run", "trial.toml", "--no-report", "--out", "far", "--scheduler", address]))
        """
        path = write(folder / "far.py", program)
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        ran = subprocess.run(
            [sys.executable, str(path)], env=environment, capture_output=True, check=False, timeout=120
        )
        assert ran.returncode == 0, ran.stderr.decode()
        assert call("run", "trial.toml", "--no-report", "--out", "near", "--quiet").code == 0
        assert frames("far") == frames("near")

    def test_without_dask(self, call, folder, monkeypatch):
        monkeypatch.setitem(sys.modules, "distributed", None)
        called = call("run", "trial.toml", "--scheduler", "tcp://127.0.0.1:1")
        assert called.code == 2
        assert "pip install 'bacclab[dask]'" in called.err


class TestInterrupted:
    @pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
    def test_ctrl_c_keeps_what_was_finished(self, call, folder):
        many = ["--sessions", "400000", "--no-report", "--workers", "1", "--out", "long"]
        program = "import sys; from bacclab.cli import main; sys.exit(main())"
        command = [sys.executable, "-c", program, "run", "trial.toml", *many]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            limit = time.monotonic() + 120
            while not list(folder.glob("long/blocks/*.json")):
                assert process.poll() is None
                assert time.monotonic() < limit
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert b"Traceback" not in err
        assert b"--resume goes on from there" in err
        (facts,) = call("runs", ".", "--json").json
        assert facts["state"] == "interrupted"
        shown = call("show", "long")
        assert shown.code == 2
        assert "--resume" in shown.err

    def test_resume_of_a_finished_run_changes_nothing(self, call, folder):
        call("run", "trial.toml", "--quiet", "--no-report", "--out", "mine")
        before = frames("mine")
        assert call("run", "trial.toml", "--quiet", "--no-report", "--out", "mine", "--resume").code == 0
        assert frames("mine") == before
        again = call("run", "trial.toml", "--no-report", "--out", "mine", "--resume")
        assert "the run in mine was already complete" in again.err
        other = call("run", "trial.toml", "--seed", "6", "--out", "mine", "--resume")
        assert other.code == 2
        assert "seed" in other.err


class TestFinishedRuns:
    @pytest.fixture(autouse=True)
    def done(self, call, folder):
        assert call("run", "trial.toml", "--quiet", "--no-report").code == 0

    def test_runs(self, call):
        assert call("runs").out.splitlines()[1].split()[:4] == [str(Path("runs/trial")), "Trial", "complete", "60"]
        (facts,) = call("runs", "--json").json
        assert (facts["title"], facts["state"], facts["sessions"]) == ("Trial", "complete", 60)
        Path("empty").mkdir()
        assert call("runs", "empty").out == "no runs in empty\n"
        called = call("runs", ".")
        assert (called.out, called.err) == ("no runs in .\n", "there are some in runs\n")
        Path("runs/trial/manifest.json").write_text("{", encoding="utf-8")
        assert call("runs", "--json").json[0]["state"] == "unreadable"

    def test_show(self, call):
        called = call("show", "runs/trial")
        assert called.code == 0
        summary, audit = called.out.split("\nAudit: ")
        assert "Martingale" in summary
        assert "agrees" in audit
        found = call("show", "runs/trial", "--json").json
        assert {row["bettor"]: row["verdict"] for row in found["audit"]} == {"Flat": "agrees", "Martingale": "agrees"}
        assert found["audit"][0]["expected_return"] == pytest.approx(-0.010579, abs=1e-6)

    def test_ruined_is_bust_and_those_that_cannot_cover(self, call):
        """Counted in the frame of sessions. The bankroll of 60 covers 10, 20 and no 40: few busts, many who cannot."""
        words = ("--set", "bankroll=60", "--out", "poor", "--no-report")
        header, *lines = call("run", "trial.toml", *words).out.splitlines()
        ends = header.index(" ruined") + len(" ruined")
        frame = pl.read_parquet("poor/sessions.parquet")
        for name, line in zip(("Flat", "Martingale"), lines, strict=False):
            ended = frame.filter(pl.col("bettor") == name)["ended_by"].to_list()
            share = sum(str(how) in ("bust", "cannot_cover") for how in ended) / len(ended)
            assert line[:ends].endswith(f" {share * 100:.1f} %"), line
        assert share > 0.5

    def test_show_of_a_name_under_runs(self, call):
        called = call("show", "trial")
        assert called.code == 2
        assert called.err == f"bacclab: there is no run folder trial\n  did you mean {Path('runs/trial')}?\n"
        assert "did you mean" not in call("show", "trail").err

    def test_columns_without_room_are_named(self, call, monkeypatch):
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        monkeypatch.setenv("COLUMNS", "80")
        narrow = call("show", "runs/trial").out
        (line,) = [line for line in narrow.split("Audit:")[0].splitlines() if line.startswith("no room for: ")]
        assert "played by" in line
        assert "5 % to 95 %" in line
        assert "ruined" in narrow
        assert all(row.rstrip().endswith(" %") for row in narrow.splitlines()[3:5]), narrow
        monkeypatch.setenv("COLUMNS", "250")
        assert "no room for" not in call("show", "runs/trial").out

    def test_show_of_what_is_no_run(self, call):
        called = call("show", "runs")
        assert called.code == 2
        assert "not a run folder" in called.err

    def test_report(self, call):
        assert call("report", "runs/trial", "-o", "page.html").out == "page.html\n"
        assert Path("page.html").stat().st_size < 8_000_000
        assert call("report", "runs/trial", "--json").json == {"report": str(Path("runs/trial/report.html"))}

    def test_zero_has_no_sign(self, call):
        ask = ("query", "select (median - median) * -1 as nothing, sessions from summary limit 1", "runs/trial")
        assert call(*ask, "--csv").out == "nothing,sessions\n0.0,60\n"
        assert '"nothing": 0.0' in call(*ask, "--json").out
        assert call(*ask).out.split() == ["nothing", "sessions", "0", "60"]

    def test_export(self, call):
        for kind, read in (("csv", pl.read_csv), ("parquet", pl.read_parquet), ("json", pl.read_json)):
            called = call("export", "runs/trial", "--to", kind, "-o", "tables")
            assert called.code == 0
            frames = json.loads(Path("runs/trial/manifest.json").read_text())["files"]
            assert {Path(line).stem for line in called.out.splitlines()} == {Path(name).stem for name in frames}
            sessions = read(f"tables/sessions.{kind}")
            original = pl.read_parquet("runs/trial/sessions.parquet")
            assert sessions.height == original.height == 120
            assert sessions["final"].cast(pl.Float64).equals(original["final"])
        called = call("export", "runs/trial", "--to", "csv", "-o", "trial.toml")
        assert called.code == 2
        assert "trial.toml is not a folder" in called.err

    @pytest.mark.parametrize("name", ["summary.parquet", "manifest.json", "experiment.toml"])
    def test_a_page_never_takes_the_place_of_a_file_of_the_run(self, call, name):
        before = Path("runs/trial", name).read_bytes()
        called = call("report", "runs/trial", "-o", Path("runs/trial", name))
        assert called.code == 2
        said = f"bacclab: the ending of {Path('runs/trial', name)} is not that of what is written"
        assert called.err.splitlines() == [said, "  end the name in .html"]
        assert Path("runs/trial", name).read_bytes() == before

    @pytest.mark.parametrize("kind", ["csv", "parquet"])
    def test_nothing_is_exported_into_a_run(self, call, kind):
        before = sorted(path.name for path in Path("runs/trial").iterdir())
        called = call("export", "runs/trial", "--to", kind, "-o", "runs/trial")
        assert (called.code, called.err.splitlines()[0]) == (2, "bacclab: runs/trial is a run folder")
        assert sorted(path.name for path in Path("runs/trial").iterdir()) == before

    def test_damaged_frame(self, call):
        path = Path("runs/trial/sessions.parquet")
        path.write_bytes(path.read_bytes()[:-1])
        called = call("show", "runs/trial")
        assert called.code == 2
        assert "sessions.parquet" in called.err


def test_beyond_four_standard_errors():
    """Claimed 18/37 with a wheel that has 19/37: after 10,000 rounds z is 5.4."""
    row = {"sessions": 10_000, "bets": 10_000, "net": 270.0, "expected": -270.0, "largest_stake": 1.0}
    assert verdict({**row, "z": 5.4}) == "does not agree"
    assert verdict({**row, "z": -3.9}) == "agrees"


def test_losses_too_rare_for_a_sample_accuse_nobody(call, tmp_path):
    """Doubling without end from a purse for thirty steps: each session gains, and a loss comes once in millions."""
    (tmp_path / "e.toml").write_text(
        "seed = 3\nbankroll = 200_000_000_000\nsessions = 100\nrounds = 200\n[[bettor]]\nname = 'Doubles'\n"
        "select = { use = 'always', on = 'player' }\nstake = { use = 'martingale', unit = 10 }\n"
    )
    called = call("run", tmp_path / "e.toml", "--no-report", "--out", tmp_path / "run")
    assert called.code == 0
    row = call("show", tmp_path / "run", "--json").json["summary"][0]
    assert row["z"] > 4.5
    assert verdict(row) == "hangs on few bets"
    assert "a few bets of its largest stake weigh as much" in called.err
    assert "fault" not in called.err


class TestProgress:
    def test_plain_lines_now_and_then(self, capsys, monkeypatch):
        clock = iter([0.0, 1.0, 6.0, 7.0, 12.0])
        monkeypatch.setattr("bacclab.cli.progress.time.monotonic", lambda: next(clock))
        with Progress("rounds") as progress:
            for done in (10, 40, 50, 100):
                progress(done, 100)
        assert capsys.readouterr().err == "rounds: 40 of 100 (40%), 6 s\n"

    def test_quiet(self, capsys):
        with Progress("rounds", quiet=True) as progress:
            progress(1, 2)
            progress.say("compiling")
        assert capsys.readouterr().err == ""
