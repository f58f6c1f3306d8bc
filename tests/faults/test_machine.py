"""What the machine does to a run: a full disk, a read-only folder, too little memory, a clock that goes back."""

from __future__ import annotations

import errno
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

import bacclab as bl
from bacclab.errors import ResourceError, StoreError
from bacclab.tournament import files
from bacclab.tournament.files import is_held, locked
from bacclab.tournament.folder import manifest
from bacclab.tournament.folder.store import RunFolder

FLAT = {"name": "Flat", "use": "flat", "on": "banker", "unit": 10}
STEPS = {
    "name": "Steps",
    "select": "follow-last",
    "stake": {"use": "martingale", "unit": 10, "steps": 5},
    "when_refused": "reset",
}
EXPERIMENT: dict[str, Any] = {
    "title": "Machine", "seed": 4, "bankroll": 300, "sessions": 60, "rounds": 40, "bettor": [FLAT, STEPS],
    "record": {"checkpoints": 5, "trajectories": 3},
}  # fmt: skip


def play(out: Path, **options: Any) -> bl.Run:
    return bl.run(EXPERIMENT, **({"out": out, "report": False, "workers": 1, "block": 20} | options))


def frames(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.glob("*.parquet"))}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return frames(play(tmp_path_factory.mktemp("whole") / "run").path)


class TestFullDisk:
    def test_at_any_write_is_told_and_made_good(self, whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each attempt comes further than the one before, on the same folder."""
        out, sync = tmp_path / "run", files.sync
        told: set[str] = set()
        for writes in range(100):
            left = writes

            def full(path: Path) -> None:
                nonlocal left
                if left == 0:
                    raise OSError(errno.ENOSPC, "No space left on device", str(path))
                left -= 1
                sync(path)

            monkeypatch.setattr(files, "sync", full)
            try:
                play(out, resume=True)
                break
            except StoreError as error:
                name, _, why = error.message.partition(" cannot be written: ")
            assert why == "No space left on device"
            assert not list(out.rglob("*.tmp"))
            told.add(Path(name).name)
        assert frames(out) == whole
        blocks = {name for name in told if name.startswith("c0")}
        assert {"manifest.json", "experiment.toml"} < told
        assert {Path(name).suffix for name in blocks} == {".json", ".parquet"}
        assert len([name for name in told - blocks if name.endswith(".parquet")]) > 2
        assert not (out / "blocks").exists()

    def test_while_the_page_is_written_leaves_the_run(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        done = play(tmp_path / "run")

        def full(path: Path) -> None:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))

        monkeypatch.setattr(files, "sync", full)
        with pytest.raises(StoreError, match=r"report.html cannot be written: No space left"):
            done.report()
        assert bl.load_run(done.path).summary.height == 2
        assert not (done.path / "report.html").exists()


class TestReadOnly:
    @pytest.mark.skipif(not Path("/sys").is_dir(), reason="needs a file system on which nobody can make a folder")
    def test_a_place_where_nothing_can_be_made(self, call, tmp_path: Path) -> None:
        path = tmp_path / "e.toml"
        path.write_text(
            'bankroll = 100\nrounds = 5\nsessions = 5\n[[bettor]]\nuse = "flat"\non = "banker"\nunit = 10\n'
        )
        code, _, err = call("run", path, "--out", "/sys/bacclab/run", "--quiet", "--workers", 1)
        assert code == 2
        assert err.splitlines()[-1].startswith("bacclab: /sys/bacclab/run cannot be written: ")

    def test_a_run_that_may_only_be_read_is_read(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        out = play(tmp_path / "run").path
        (out / ".lock").write_text("process 1\n")  # of a process that was killed
        before = {path: path.stat().st_mtime_ns for path in out.iterdir()}

        def refuse(self: Path, *_: Any, **__: Any) -> None:
            raise PermissionError(errno.EACCES, "Permission denied", str(self))

        for name in ("touch", "mkdir", "unlink", "replace", "write_text", "write_bytes"):
            monkeypatch.setattr(Path, name, refuse)
        folder = RunFolder(out)
        assert folder.state(folder.manifest() | {"state": "running"}) == "interrupted"
        assert bl.load_run(out).summary.height == 2
        with pytest.raises(StoreError, match=r"report.html cannot be written: Permission denied"):
            bl.load_run(out).report()
        with pytest.raises(StoreError, match=r"cannot be written: Permission denied"):
            play(out.with_name("other"))
        assert {path: path.stat().st_mtime_ns for path in out.iterdir()} == before

    def test_a_lock_that_is_held_is_seen_without_touching_it(self, tmp_path: Path) -> None:
        lock = tmp_path / "lock"
        assert not is_held(lock)
        with locked(lock, what="x"):
            assert is_held(lock)
        lock.touch()
        assert not is_held(lock)
        assert lock.exists()


GREEDY = """
import os, pathlib, resource
import bacclab as bl

@bl.bettor("greedy")
class Greedy(bl.Bettor):
    "Fills the memory of its process in the fifteenth session, while it is allowed to."
    def start(self, table):
        self.rounds = 0
    def bet(self, view):
        poor = view.bankroll < 200  # looked at in either case, so that it is played the same way
        if poor and os.environ.get("BACCLAB_TEST_GREEDY"):
            used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            before = resource.getrlimit(resource.RLIMIT_AS)
            resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), before[1]))
            try:
                bytearray(1 << 30)
            finally:
                resource.setrlimit(resource.RLIMIT_AS, before)
        return view.player(10)
"""


class TestMemory:
    @pytest.mark.parametrize("workers", [1, 2])
    def test_that_runs_out_stops_the_run_and_not_the_bettor(
        self, call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
    ) -> None:
        (tmp_path / "greedy.py").write_text(GREEDY)
        path, out = tmp_path / "e.toml", tmp_path / "run"
        path.write_text(
            'bankroll = 300\nrounds = 40\nseed = 1\nsessions = 60\n[[bettor]]\nname = "Big"\nuse = "greedy"\n'
            '[[bettor]]\nuse = "flat"\non = "banker"\nunit = 10\n[plugins]\nfiles = ["greedy.py"]\n'
        )
        monkeypatch.setenv("BACCLAB_TEST_GREEDY", "1")
        with pytest.raises(ResourceError, match=r"bettor 'Big': there is not enough memory.*--resume"):
            bl.run(path, out=out, report=False, block=10, workers=workers)
        assert json.loads((out / "manifest.json").read_text())["state"] == "interrupted"
        if workers == 1:
            code, _, err = call("run", path, "--out", out, "--resume", "--quiet", "--workers", 1)
            assert (code, "Traceback" in err) == (2, False)
        monkeypatch.delenv("BACCLAB_TEST_GREEDY")
        done = bl.run(path, out=out, report=False, resume=True, workers=1)
        assert done.summary["bettor"].to_list() == ["Big", "flat"]
        assert done.summary["failed"].null_count() == 2
        other = bl.run(path, out=tmp_path / "other", report=False, workers=1)
        assert frames(out) == frames(other.path)


class TestClock:
    def test_that_goes_back_changes_nothing(self, whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        years = iter(range(2040, 1971, -1))
        monkeypatch.setattr(manifest, "now", lambda: f"{next(years)}-01-01T00:00:00+00:00")
        monkeypatch.setattr(time, "time", lambda: -1e9 * next(years))
        out = tmp_path / "run"

        def stop(done: int, total: int) -> None:
            if done >= total // 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            play(out, progress=stop)
        blocks = sorted((out / "blocks").iterdir())
        for path in [*blocks, out / "manifest.json"]:
            os.utime(path, (4e9, 4e9))  # in the year 2096
        done = play(out, resume=True)
        assert frames(out) == whole
        assert done.manifest["timing"]["seconds"] >= 0
        assert done.manifest["begun"] > done.manifest["finished"]
        assert bl.load_run(out).report().exists()
