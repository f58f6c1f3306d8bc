"""Runs that are broken off: what is finished is kept, what is not is never read, and the end is that of an unbroken
run.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import NoReturn

import pytest

import bacclab as bl
from bacclab.errors import StoreError
from bacclab.tournament import finish
from bacclab.tournament.folder.store import RunFolder

ROOT = Path(__file__).parents[2]

SCRIPT = """
import json, sys, time
import bacclab as bl

def told(done, total):
    print(done, total, flush=True)
    time.sleep(float(sys.argv[4]))

options = json.loads(sys.argv[3])
bl.run(json.loads(sys.argv[1]), out=sys.argv[2], resume=True, report=False, progress=told, **options)
print("complete", flush=True)
"""


def begin(experiment: dict, out: Path, *, slow: float = 0.0, **options) -> subprocess.Popen[str]:
    """A run in another process, which prints a line a block."""
    return subprocess.Popen(
        [
            sys.executable,
            "-W",
            "ignore",
            "-c",
            SCRIPT,
            json.dumps(experiment),
            str(out),
            json.dumps(options),
            str(slow),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def lines_until(process: subprocess.Popen[str], count: int) -> list[str]:
    assert process.stdout is not None
    return [process.stdout.readline().strip() for _ in range(count)]


def kill(process: subprocess.Popen[str]) -> None:
    """End it as the power going off would, and let go of its pipes."""
    process.kill()
    process.communicate()


def state(out: Path) -> str:
    return json.loads((out / "manifest.json").read_text())["state"]


@pytest.fixture
def experiment(small):
    return small("flat", "martingale", sweep={"table.maximum": [20, 200]})


@pytest.fixture
def unbroken(experiment, play, frames):
    return frames(play(experiment, workers=1, block=25))


class TestKilled:
    @pytest.mark.parametrize("workers", [1, 2])
    def test_again_and_again_and_gone_on_with(self, experiment, unbroken, frames, tmp_path: Path, workers: int) -> None:
        out = tmp_path / "killed"
        begun = 0
        for blocks in (1, 2, 3):
            process = begin(experiment, out, slow=0.1, workers=workers, block=3)
            told = lines_until(process, begun + blocks)
            kill(process)
            assert "complete" not in told
            assert state(out) == "running"
            finished = len(list((out / "blocks").glob("*.json")))
            assert begun < finished < 100
            begun = finished
            with pytest.raises(StoreError, match="was interrupted"):
                bl.load_run(out)
        process = begin(experiment, out, workers=workers, block=3)
        output, errors = process.communicate(timeout=120)
        assert output.endswith("complete\n"), errors
        assert output.startswith("270 27000\n")
        assert frames(out) == unbroken
        assert not (out / "blocks").exists()
        assert bl.load_run(out).sessions.height == 150 * 2 * 2

    def test_finished_blocks_are_not_played_again(self, experiment, tmp_path: Path) -> None:
        out = tmp_path / "killed"
        process = begin(experiment, out, slow=0.3, workers=1, block=25)
        lines_until(process, 3)
        kill(process)
        before = {path.name: path.stat().st_mtime_ns for path in (out / "blocks").iterdir() if ".tmp" not in path.name}
        process = begin(experiment, out, slow=0.3, workers=1, block=25)
        lines_until(process, len([name for name in before if name.endswith(".json")]) + 2)
        kill(process)
        after = {path.name: path.stat().st_mtime_ns for path in (out / "blocks").iterdir()}
        committed = {name.removesuffix(".json") for name in before if name.endswith(".json")}
        assert committed
        assert all(after[name] == when for name, when in before.items() if name[:14] in {c[:14] for c in committed})

    def test_workers_end_with_their_parent(self, experiment, tmp_path: Path) -> None:
        process = begin(experiment | {"sessions": 4000}, tmp_path / "killed", slow=0.2, workers=2, block=25)
        lines_until(process, 2)
        children = [int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
        assert children
        kill(process)
        deadline = time.monotonic() + 20
        while any(is_alive(pid) for pid in children) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(is_alive(pid) for pid in children)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] != "Z"
    except OSError:
        return False


class TestInterrupted:
    @pytest.mark.parametrize("workers", [1, 2])
    def test_by_the_keyboard(self, experiment, unbroken, frames, tmp_path: Path, workers: int) -> None:
        out = tmp_path / "stopped"
        process = begin(experiment, out, slow=0.2, workers=workers, block=25)
        lines_until(process, 2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert process.returncode == -signal.SIGINT
        assert errors.count("Traceback") == 1, errors
        assert state(out) == "interrupted"
        assert not (out / ".lock").exists()
        process = begin(experiment, out, workers=workers, block=25)
        assert process.communicate(timeout=120)[0].endswith("complete\n")
        assert frames(out) == unbroken

    def test_when_the_run_is_complete_already(self, experiment, play, tmp_path: Path, monkeypatch) -> None:
        """Its blocks are gone: called interrupted, it would be played again from the start."""
        take_away = RunFolder.remove_blocks

        def stopped(folder: RunFolder) -> None:
            take_away(folder)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(RunFolder, "remove_blocks", stopped)
            with pytest.raises(KeyboardInterrupt):
                play(experiment, out=tmp_path / "run", block=50, workers=1)
        assert bl.load_run(tmp_path / "run").manifest["state"] == "complete"

    def test_while_another_process_writes_leaves_nothing_half_written(
        self, experiment, play, tmp_path: Path, monkeypatch
    ) -> None:
        out = tmp_path / "run"
        halves = [out / ".distribution.parquet.1.tmp", out / "blocks" / ".c00000-b0000000.json.1.tmp"]

        def stopped(_: object) -> NoReturn:
            for half in halves:
                half.write_bytes(b"PAR1")
            raise KeyboardInterrupt

        monkeypatch.setattr(finish, "cells_frame", stopped)
        with pytest.raises(KeyboardInterrupt):
            play(experiment, out=out, block=50, workers=1)
        assert state(out) == "interrupted"
        assert not any(half.exists() for half in halves)

    def test_by_a_fault_in_a_bettor(self, play, small, tmp_path: Path) -> None:
        plugin = tmp_path / "grumpy.py"
        plugin.write_text(
            textwrap.dedent(
                """
                import bacclab as bl

                @bl.bettor("grumpy")
                class Grumpy(bl.Bettor):
                    "Gives up at round 80 of a session that is going badly."
                    def bet(self, view):
                        if view.round == 80 and view.bankroll < 300:
                            raise RuntimeError("enough")
                        return view.banker(10)
                """
            )
        )
        experiment = small() | {"bettor": [{"use": "grumpy"}], "plugins": {"files": [str(plugin)]}, "sessions": 600}
        for workers in (1, 2):
            with pytest.raises(
                bl.BacclabError,
                match=r"'grumpy' failed in session \d+, round \d+: RuntimeError: enough \(grumpy.py, line 9\)",
            ):
                play(experiment, out=tmp_path / f"out{workers}", block=20, workers=workers)
            assert state(tmp_path / f"out{workers}") == "interrupted"


CRASH = """
import json, os, sys
from pathlib import Path
import bacclab as bl

left = int(sys.argv[3])
replace = Path.replace

def crash(self, target):
    global left
    left -= 1
    if left == 0:
        os._exit(9)
    return replace(self, target)

Path.replace = crash
bl.run(json.loads(sys.argv[1]), out=sys.argv[2], resume=True, report=False, block=50, workers=1)
print("complete")
"""


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, 2, 3, 5, 6, 7, 12, 13, 15, 17, 18, 19])
def test_a_crash_at_any_step_of_writing_is_made_good(small, play, frames, tmp_path: Path, step: int) -> None:
    """The process ends just before a file gets its name: of a manifest, a block, a frame."""
    experiment, out = small("flat", "martingale"), tmp_path / "crashed"
    text = [sys.executable, "-c", CRASH, json.dumps(experiment), str(out), str(step)]
    done = subprocess.run(text, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stdout) == (9, ""), done.stderr
    with pytest.raises(StoreError, match="was interrupted" if step > 1 else "is not a run folder"):
        bl.load_run(out)
    finished = play(experiment, out=out, resume=True, block=50)
    assert frames(finished) == frames(play(experiment))
    assert {path.name for path in finished.path.iterdir()} == {*frames(finished), "manifest.json", "experiment.toml"}


class TestDamage:
    @pytest.fixture
    def broken_off(self, experiment, tmp_path: Path) -> Path:
        out = tmp_path / "broken"
        process = begin(experiment, out, slow=0.3, workers=1, block=25)
        lines_until(process, 3)
        kill(process)
        return out

    @pytest.mark.parametrize("what", ["truncated", "changed", "missing", "commit"])
    def test_a_block_that_is_not_whole_is_played_again(
        self, broken_off, experiment, play, frames, unbroken, what: str
    ) -> None:
        file = broken_off / "blocks" / "c00000-b0000001-sessions-0.parquet"
        data = file.read_bytes()
        if what == "truncated":
            file.write_bytes(data[:-10])
        elif what == "changed":
            file.write_bytes(data[:100] + bytes([data[100] ^ 1]) + data[101:])
        elif what == "missing":
            file.unlink()
        else:
            commit = broken_off / "blocks" / "c00000-b0000001.json"
            commit.write_text(commit.read_text()[:200])
        (broken_off / "blocks" / "c00000-b0000005-sessions-0.parquet").write_bytes(b"half of a file")
        assert frames(play(experiment, out=broken_off, resume=True, block=25, workers=1)) == unbroken

    @pytest.mark.parametrize("name", ["sessions", "summary", "distribution"])
    def test_a_damaged_frame_is_named(self, play, small, name: str) -> None:
        path = play(small("flat")).path
        file = path / f"{name}.parquet"
        data = file.read_bytes()
        for damage, words in (
            (data[:-5], "bytes where"),
            (data[:60] + bytes([data[60] ^ 1]) + data[61:], "contents"),
            (None, "is missing"),
        ):
            file.unlink()
            if damage is not None:
                file.write_bytes(damage)
            with pytest.raises(StoreError, match=f"{name}.parquet is .*{words}|{name}.parquet {words}"):
                bl.load_run(path)
        file.write_bytes(data)
        assert bl.load_run(path).summary.height == 1

    def test_what_is_no_run_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="there is no run folder"):
            bl.load_run(tmp_path / "none")
        with pytest.raises(StoreError, match=r"it has no manifest.json"):
            bl.load_run(tmp_path)
        (tmp_path / "manifest.json").write_text('{"format": 99}')
        with pytest.raises(StoreError, match="format 99"):
            bl.load_run(tmp_path)
        (tmp_path / "manifest.json").write_text('{"format":')
        with pytest.raises(StoreError, match=r"manifest.json cannot be read"):
            bl.load_run(tmp_path)


class TestGoingOn:
    def test_a_complete_run_is_returned_as_it_is(self, play, small, tmp_path: Path) -> None:
        done = play(small("flat"), out=tmp_path / "a")
        before = (done.path / "manifest.json").read_bytes()
        again = play(small("flat"), out=tmp_path / "a", resume=True)
        assert again.summary.equals(done.summary)
        assert (done.path / "manifest.json").read_bytes() == before

    def test_what_a_process_left_that_was_killed_at_the_very_end_is_taken_away(
        self, play, small, tmp_path: Path
    ) -> None:
        out = play(small("flat"), out=tmp_path / "a").path
        (out / ".lock").write_text("process 1\n")
        (out / "blocks").mkdir()
        play(small("flat"), out=out, resume=True)
        assert not [path.name for path in out.iterdir() if path.name in (".lock", "blocks")]

    def test_another_experiment_is_refused_with_what_differs(self, play, small, tmp_path: Path) -> None:
        play(small("flat"), out=tmp_path / "a")
        with pytest.raises(StoreError, match="what differs is sessions, table"):
            play(small("flat"), out=tmp_path / "a", resume=True, sessions=7, sets=["table.maximum=50"])

    def test_a_title_does_not_matter(self, play, small, tmp_path: Path) -> None:
        play(small("flat"), out=tmp_path / "a")
        play(small("flat", title="Other"), out=tmp_path / "a", resume=True)

    def test_the_seed_that_was_drawn_is_kept(self, small, tmp_path: Path, play, frames) -> None:
        experiment = small("flat")
        del experiment["seed"]
        out = tmp_path / "drawn"
        process = begin(experiment, out, slow=0.3, workers=1, block=25)
        lines_until(process, 2)
        kill(process)
        seed = json.loads((out / "manifest.json").read_text())["seed"]
        done = play(experiment, out=out, resume=True, block=25)
        assert done.manifest["seed"] == seed
        assert frames(done) == frames(play(experiment, seed=seed))

    def test_finds_the_newest_run_of_the_experiment(self, small, tmp_path: Path) -> None:
        first = bl.run(small("flat"), root=tmp_path, report=False)
        bl.run(small("flat"), root=tmp_path, report=False, seed=9)
        assert bl.run(small("flat"), root=tmp_path, report=False, resume=True).path == first.path
        with pytest.raises(StoreError, match="no run of this experiment"):
            bl.run(small("flat"), root=tmp_path, report=False, resume=True, seed=10)

    def test_another_size_of_blocks_is_refused(self, experiment, tmp_path: Path, play) -> None:
        out = tmp_path / "blocks"
        process = begin(experiment, out, slow=0.3, workers=1, block=25)
        lines_until(process, 2)
        kill(process)
        with pytest.raises(StoreError, match="size of blocks"):
            play(experiment, out=out, resume=True, block=30)
        assert play(experiment, out=out, resume=True).manifest["block"] == 25

    def test_a_changed_plugin_is_refused(self, play, small, tmp_path: Path) -> None:
        plugin = tmp_path / "mine.py"
        text = (
            'import bacclab as bl\n@bl.bettor("mine")\nclass Mine(bl.Bettor):\n    def bet(self, view):\n      '
            "  return view.player(10)\n"
        )
        plugin.write_text(text)
        experiment = small() | {"bettor": [{"use": "mine"}], "plugins": {"files": [str(plugin)]}}
        play(experiment, out=tmp_path / "a")
        plugin.write_text(text.replace("player", "banker"))
        with pytest.raises(StoreError, match="what differs is plugin mine"):
            play(experiment, out=tmp_path / "a", resume=True)


class TestTwoAtOnce:
    def test_a_second_process_is_refused_and_told_of_the_first(self, experiment, play, tmp_path: Path) -> None:
        out = tmp_path / "shared"
        process = begin(experiment, out, slow=0.5, workers=1, block=25)
        lines_until(process, 1)
        with pytest.raises(StoreError, match=rf"in use by another process \(process {process.pid}\)"):
            play(experiment, out=out, resume=True, block=25)
        with pytest.raises(StoreError, match="is still running"):
            bl.load_run(out)
        kill(process)
        play(experiment, out=out, resume=True, block=25)
