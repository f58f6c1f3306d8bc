"""A real Dask scheduler and workers, as processes on loopback: the same bytes, whoever comes, goes or is killed."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

import bacclab as bl
from bacclab.cli import main
from bacclab.errors import BacclabError, ConfigError
from bacclab.plugins.loader import PluginRequest
from bacclab.tournament.workers.distant import Order, versions, work
from bacclab.tournament.workers.executors import WorkerError

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install 'bacclab[dask]'")

ROOT = Path(__file__).parents[3]
LIMIT = 60


class Cluster:
    """A scheduler, and workers of one process each, that are begun and killed one by one."""

    def __init__(self, folder: Path, *, path: Path = ROOT) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.environment = os.environ | {
            "PYTHONPATH": str(path),
            "TMPDIR": str(folder),
        }  # what the killed unpacked goes with it
        self.scheduler = self._begin("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.address = self._wait_for(r"Scheduler at:\s+(tcp://\S+)", self.folder / "scheduler-0.log")

    def _begin(self, what: str, *words: str) -> subprocess.Popen[bytes]:
        log = self.folder / f"{what}-{len(self.processes)}.log"
        command = [sys.executable, "-m", "dask", what, *words]
        with log.open("wb") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file, env=self.environment, cwd=self.folder)
        self.processes.append(process)
        return process

    def _wait_for(self, pattern: str, log: Path) -> str:
        until = time.monotonic() + LIMIT
        while not (found := re.search(pattern, log.read_text())):
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.05)
        return found[1]

    def join(self, *words: str) -> subprocess.Popen[bytes]:
        """One more worker; it comes when it comes."""
        return self._begin(
            "worker", self.address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1", *words
        )

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
        for process in self.processes:
            process.wait(timeout=LIMIT)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    cluster = Cluster(folder)
    try:
        yield cluster
    finally:
        cluster.close()


MINE = """
import os
import sys
import time
import bacclab as bl

@bl.bettor("mine")
class Mine(bl.Bettor):
    "Bets on Player at odd rounds."
    def bet(self, view):
        {do}
        return view.player(10) if view.round % 2 else None
"""


def config(folder: Path, *, do: str = "pass", **keys: Any) -> Path:
    """An experiment file with a plugin of its own beside it."""
    (folder / "mine.py").write_text(MINE.format(do=do))
    path = folder / "e.toml"
    lines = {"bankroll": 5000, "rounds": 60, "sessions": 120, "seed": 3} | keys
    path.write_text(
        "".join(f"{key} = {json.dumps(value)}\n" for key, value in lines.items())
        + '[[bettor]]\nuse = "mine"\n[[bettor]]\nuse = "flat"\n[plugins]\nfiles = ["mine.py"]\n'
    )
    return path


class Hiding(Executor):
    """Passes work on, and takes files away before: workers must not need them."""

    def __init__(self, inner: Executor, *paths: Path) -> None:
        self.inner, self.paths = inner, paths

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        for path in self.paths:
            path.unlink(missing_ok=True)
        return self.inner.submit(function, *args, **kwargs)


class TestRealCluster:
    @pytest.mark.slow
    def test_a_worker_killed_and_one_that_joins_late(self, cluster: Cluster, tmp_path: Path, frames) -> None:
        """Sessions are counted on the way: none is lost, none comes twice, and the bytes are those of one process."""
        path = config(tmp_path, do="time.sleep(0.00005)", sessions=240)
        first = cluster.join()
        seen: list[int] = []

        def progress(done: int, total: int) -> None:
            seen.append(done)
            if len(seen) == 2:
                cluster.join()
            if len(seen) == 5:
                first.send_signal(signal.SIGKILL)

        far = bl.run(path, out=tmp_path / "far", report=False, block=10, workers=cluster.address, progress=progress)
        near = bl.run(path, out=tmp_path / "near", report=False, workers=1)
        assert first.wait(timeout=LIMIT) == -signal.SIGKILL
        assert seen == [600 * n for n in range(1, 25)]
        assert frames(far) == frames(near)
        assert far.manifest["digest"] == near.manifest["digest"]

    def test_it_is_told_when_every_worker_is_gone(self, cluster: Cluster, tmp_path: Path) -> None:
        path = config(tmp_path, do="time.sleep(0.00005)", sessions=120)
        only = cluster.join()
        told: list[str] = []

        def progress(done: int, total: int) -> None:
            if done == 1200:
                only.send_signal(signal.SIGKILL)

        def say(line: str) -> None:
            told.append(line)
            if only.poll() is not None:
                cluster.join()

        done = bl.run(
            path, out=tmp_path / "run", report=False, block=10, workers=cluster.address, progress=progress, say=say
        )
        assert done.summary["sessions"].to_list() == [120, 120]
        assert told[-1] == "no worker is there: the run waits for one to join"
        assert sum("no worker" in line for line in told) <= 2

    def test_plugins_and_records_are_sent_by_content(self, cluster: Cluster, tmp_path: Path, frames) -> None:
        """A plugin, a folder of plugins, a record and a CSV that are gone before the first worker looks."""
        (tmp_path / "shoes.txt").write_text("\n".join("BPBTPPBPBBPTBPPPBBPB" for _ in range(40)))
        more = tmp_path / "more"
        more.mkdir()
        (more / "other.py").write_text(MINE.format(do="pass").replace("mine", "other"))
        (tmp_path / "map.csv").write_text("last,bet\nB,P\nP,B\n")
        path = config(tmp_path, sessions=40, shoes=1)
        text = path.read_text().replace("rounds = 60\n", "")
        text += '[source]\nuse = "recorded"\npath = "shoes.txt"\n[[bettor]]\nuse = "other"\n'
        path.write_text(text)
        request = PluginRequest(directories=(str(more),))
        near = bl.run(path, out=tmp_path / "near", report=False, workers=1, plugins=request)
        cluster.join()
        with distributed.Client(cluster.address, timeout=LIMIT, set_as_default=False) as client:
            hidden = Hiding(client.get_executor(), tmp_path / "mine.py", more / "other.py", tmp_path / "shoes.txt")
            far = bl.run(
                path, out=tmp_path / "far", report=False, block=10, executor=hidden, workers=1, plugins=request
            )
        assert not (tmp_path / "mine.py").exists()
        assert frames(far) == frames(near)

    @pytest.mark.slow
    def test_a_bettor_that_hangs_in_a_thread_of_a_worker_ends_alone(self, cluster: Cluster, tmp_path: Path) -> None:
        """Two threads in one worker: bettors are not shared, and time budgets hold without the main thread."""
        path = config(tmp_path, do="while view.round == 50:\n            pass", sessions=40)
        path.write_text(path.read_text() + "time_budget = 1\n")
        cluster.join("--nthreads", "2")
        done = bl.run(path, out=tmp_path / "far", report=False, block=10, workers=f"dask:{cluster.address}")
        failed = dict(done.summary.select("bettor", "failed").iter_rows())
        assert failed["flat"] is None
        assert "it took longer than its time budget of 1 s" in failed["mine"]

    @pytest.mark.slow
    def test_a_scheduler_that_goes_ends_in_a_line_and_the_run_goes_on_later(
        self, cluster: Cluster, tmp_path: Path, frames, monkeypatch: pytest.MonkeyPatch, capsys
    ) -> None:
        path = config(tmp_path, do="time.sleep(0.00005)", sessions=240)
        cluster.join()
        out = tmp_path / "far"

        def progress(done: int, total: int) -> None:
            if done >= total // 4:
                cluster.scheduler.kill()

        with pytest.raises(WorkerError, match=r"the Dask scheduler at tcp://\S+ was lost .*--resume"):
            bl.run(path, out=out, report=False, block=10, workers=cluster.address, progress=progress)
        assert json.loads((out / "manifest.json").read_text())["state"] == "interrupted"
        assert len(list((out / "blocks").glob("*.json"))) >= 6
        again = bl.run(path, out=out, report=False, block=10, workers=1, resume=True)
        assert frames(again) == frames(bl.run(path, out=tmp_path / "near", report=False, workers=1))
        assert capsys.readouterr().err == ""


class TestOtherMachines:
    def test_without_bacclab_are_told_in_a_line(self, tmp_path: Path) -> None:
        bare = tmp_path / "bare"
        bare.mkdir()
        (bare / "sitecustomize.py").write_text("import sys\nsys.modules['bacclab'] = None\n")
        cluster = Cluster(bare, path=bare)
        try:
            cluster.join()
            with pytest.raises(WorkerError, match=r"at tcp://\S+ cannot import bacclab\S* \(install bacclab "):
                bl.run(config(tmp_path), out=tmp_path / "run", report=False, workers=cluster.address)
        finally:
            cluster.close()

    def test_with_other_versions_are_refused(self) -> None:
        ordered = Order({**versions(), "polars": "0.1", "Python": "2.7"}, b"not looked at")
        with pytest.raises(
            WorkerError, match=r"has Python 3\.\d+ in place of 2\.7, polars \S+ in place of 0\.1 \(install"
        ):
            work(ordered, ())

    @pytest.mark.slow
    def test_lost_with_their_task_are_told_once_it_is_given_up(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A bettor that ends its process; the scheduler gives a task up after the first loss, not after the fourth."""
        monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
        path = config(tmp_path, do='view.round < 9 or "dask" not in sys.argv[0] or os._exit(3)')
        cluster = Cluster(tmp_path)
        try:
            cluster.join()
            with pytest.raises(WorkerError, match=r"each worker that had it was lost"):
                bl.run(path, out=tmp_path / "run", report=False, block=10, workers=cluster.address)
        finally:
            cluster.close()


class TestMistakes:
    def test_nobody_listens(self, tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bacclab.tournament.workers.dask_place.PATIENCE", 1)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        path = config(tmp_path)
        words = ["run", str(path), "--out", str(tmp_path / "run"), "--quiet", "--scheduler", address]
        assert main(words) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"bacclab: there is no Dask scheduler at {address}")
        assert said.count("\n") == 1
        assert not (tmp_path / "run").exists()

    @pytest.mark.parametrize(
        ("place", "said"),
        [
            ("dask", "where is the scheduler?"),
            ("dask:0", "how many workers?"),
            ("dask:nowhere", "there is no Dask scheduler at nowhere"),
            ("dusk:4", "there is no executor 'dusk'"),
            ("four", "there is no executor 'four'"),
        ],
    )
    def test_what_is_no_place(self, place: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bacclab.tournament.workers.dask_place.PATIENCE", 1)
        with pytest.raises(BacclabError, match=re.escape(said)):
            bl.run(config(tmp_path), out=tmp_path / "run", workers=place)

    def test_without_dask(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "distributed", None)
        with pytest.raises(ConfigError, match=re.escape("pip install 'bacclab[dask]'")):
            bl.run(config(tmp_path), out=tmp_path / "run", workers="dask:2")


@pytest.mark.slow
def test_workers_begun_here_by_a_script_without_a_main_guard(tmp_path: Path, frames) -> None:
    path = config(tmp_path)
    script = tmp_path / "script.py"
    text = 'import bacclab as bl\ndone = bl.run("e.toml", out="far", block=30, workers="dask:2", report=False)\n'
    text += "print(done.summary.height)"
    script.write_text(textwrap.dedent(text))
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        timeout=2 * LIMIT,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert (done.stdout, done.stderr, done.returncode) == ("2\n", "", 0)
    assert frames(tmp_path / "far") == frames(bl.run(path, out=tmp_path / "near", report=False, workers=1))
