"""What the disk, the streams and prints of plugins do to a command: plain lines, and nothing of others is harmed."""

from __future__ import annotations

import json
import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import bacclab

ROOT = Path(bacclab.__file__).parents[1]

EXPERIMENT = """
bankroll = 1000
rounds = 200
seed = 1
sessions = 600
[[bettor]]
name = "x"
use = "flat"
unit = 10
on = "banker"
"""

LOUD = """
import bacclab as bl

@bl.bettor("loud")
class Loud(bl.Bettor):
    "Says what it does."
    def bet(self, view):
        print("betting")
        return view.player(10)
"""


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    path = tmp_path / "e.toml"
    path.write_text(EXPERIMENT)
    return path


@pytest.fixture
def run(call, experiment: Path, tmp_path: Path) -> Path:
    assert call("run", experiment, "--sessions", 5, "--no-report", "--quiet", "--out", tmp_path / "run").code == 0
    return tmp_path / "run"


@pytest.mark.parametrize("out", ["file", "file/x", "a" * 300])
def test_a_run_folder_that_cannot_be_made(call, experiment: Path, tmp_path: Path, out: str) -> None:
    (tmp_path / "file").touch()
    called = call("run", experiment, "--sessions", 5, "--quiet", "--out", tmp_path / out)
    assert called.code == 2
    assert str(tmp_path / out) in called.err.splitlines()[0]
    assert len(called.err.splitlines()) <= 2


def test_a_page_that_cannot_be_written(call, run: Path, tmp_path: Path) -> None:
    for out in (run, run / "manifest.json" / "x.html", "/dev/full"):
        called = call("report", run, "-o", out)
        assert called.code == 2
        assert str(out) in called.err.splitlines()[0]
        assert "internal" not in called.err


def test_a_device_is_not_replaced_by_a_page(call, run: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    called = call("report", run, "-o", pipe)
    assert called.code == 2
    assert "not a regular file" in called.err
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_an_export_into_a_file(call, run: Path, experiment: Path) -> None:
    for out in (experiment, experiment / "x"):
        called = call("export", run, "--to", "csv", "-o", out)
        assert called.code == 2
        assert str(out) in called.err


def _full_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_an_export_to_a_full_disk_leaves_nothing_half_written(shell, run: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / f"sessions.{form}").write_text("of before")
    full = shell("export", run, "--to", form, "-o", out, preexec_fn=_full_disk)
    assert full.returncode == 2
    assert f"{out / f'sessions.{form}'} cannot be written".encode() in full.stderr
    assert [path.name for path in out.iterdir()] == [f"sessions.{form}"]
    assert (out / f"sessions.{form}").read_text() == "of before"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_figures_that_a_full_disk_does_not_hold(shell, tmp_path: Path, ending: str) -> None:
    out = tmp_path / f"late.{ending}"
    full = shell("late", "--bet", "tie", "--shoes", "5", "-o", out, preexec_fn=_full_disk)
    assert full.returncode == 2
    assert full.stderr.startswith(f"bacclab: {out} cannot be written: ".encode())
    assert list(tmp_path.iterdir()) == []


def test_a_plugin_begun_on_a_full_disk_can_be_begun_again(shell, call, tmp_path: Path) -> None:
    full = shell("new", "bettor", "mine", "--to", tmp_path, preexec_fn=_full_disk)
    assert full.returncode == 2
    assert f"{tmp_path / 'mine.py'} cannot be written".encode() in full.stderr
    assert list(tmp_path.iterdir()) == []
    assert call("new", "bettor", "mine", "--to", tmp_path).code == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_after_a_full_disk_a_run_goes_on(shell, call, experiment: Path, tmp_path: Path, workers: int) -> None:
    def fill_up() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))

    out = tmp_path / "run"
    full = shell("run", experiment, "--no-report", "--out", out, "--workers", workers, "--quiet", preexec_fn=fill_up)
    assert full.returncode == 2
    assert b"cannot be written: File too large" in full.stderr
    assert len(full.stderr.splitlines()) == 1
    assert call("run", experiment, "--no-report", "--quiet", "--out", out, "--resume").code == 0
    whole = tmp_path / "whole"
    assert call("run", experiment, "--no-report", "--quiet", "--out", whole).code == 0
    digests = [json.loads((folder / "manifest.json").read_text())["files"] for folder in (out, whole)]
    assert digests[0] == digests[1]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_output_to_a_full_disk(shell) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "bacclab", "tables"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, cwd=ROOT, timeout=60)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [b"bacclab: what was to be written: No space left on device"]


@pytest.mark.parametrize(("words", "code"), [("tables", 0), ("bets bankr", 2)])
@pytest.mark.parametrize("closed", [(1,), (2,), (1, 2)])
def test_closed_streams_change_no_exit_code(shell, words: str, code: int, closed: tuple[int, ...]) -> None:
    script = f'exec "$0" -m bacclab {words} ' + " ".join(f"{number}>&-" for number in closed)
    done = subprocess.run(["sh", "-c", script, sys.executable], capture_output=True, check=False, cwd=ROOT, timeout=60)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_bettor_prints_stays_out_of_the_json(shell, experiment: Path, tmp_path: Path, workers: int) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    experiment.write_text(
        EXPERIMENT.split("[[", maxsplit=1)[0] + '[[bettor]]\nuse = "loud"\n[plugins]\nfiles = ["loud.py"]\n'
    )
    done = shell("run", experiment, "--json", "--no-report", "--workers", workers, "--set", "rounds=5",
                 "--out", tmp_path / "run")  # fmt: skip
    assert done.returncode == 0
    assert json.loads(done.stdout)["run"] == str(tmp_path / "run")
    assert b"betting" in done.stderr


def test_a_manifest_that_lacks_its_parts_is_named(call, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"format": 1}')
    called = call("show", tmp_path)
    assert called.code == 2
    assert str(tmp_path / "manifest.json") in called.err


def test_a_long_name_is_shortened_in_the_summary(call, experiment: Path, tmp_path: Path) -> None:
    name = "start " + "x" * 160 + " end"
    experiment.write_text(EXPERIMENT.replace('"x"', f'"{name}"'))
    called = call("run", experiment, "--sessions", 5, "--no-report", "--out", tmp_path / "run")
    assert max(map(len, called.out.splitlines()[:3])) < 230
    for part in ("start xxx", "…", "xxx end"):
        assert part in called.out
