"""Who does the blocks: workers that need no main guard, find the user's plugins, and end well when they end badly."""

from __future__ import annotations

import contextlib
import errno
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bacclab as bl
from bacclab import runs
from bacclab.errors import BacclabError, ConfigError, PluginError
from bacclab.plugins.loader import PluginRequest
from bacclab.tournament import crew, finish
from bacclab.tournament.plan import Block
from bacclab.tournament.workers.executors import THREAD_LIMITS, WorkerError, cores, on_executor, tasks_of

ROOT = Path(__file__).parents[3]

MINE = """
import bacclab as bl
import {module}

@bl.bettor("mine")
class Mine(bl.Bettor):
    "Bets on Player at odd rounds."
    def bet(self, view):
        return view.player(10) if view.round % 2 else None
"""


def asleep(do: object) -> None:
    """Stands in for work that takes long; sent to a worker by its name."""
    time.sleep(60)


def script(tmp_path: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = tmp_path / "script.py"
    path.write_text(textwrap.dedent(text))
    return subprocess.run(
        [sys.executable, str(path), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )


def test_a_script_without_a_main_guard_that_has_used_polars(tmp_path: Path, small, play, frames) -> None:
    experiment = small("flat", "martingale")
    done = script(
        tmp_path,
        """
        import json, sys
        import polars as pl
        import bacclab as bl

        print(pl.DataFrame({"a": range(1000)}).group_by(pl.col("a") % 7).agg(pl.len()).height)
        run = bl.run(json.loads(sys.argv[1]), out="run", workers=2, block=20, report=False)
        print(run.summary.height)
        """,
        json.dumps(experiment),
    )
    assert (done.stdout, done.stderr, done.returncode) == ("7\n2\n", "", 0)
    assert frames(tmp_path / "run") == frames(play(experiment))


class TestPlugins:
    def test_beside_the_experiment_file_are_found_by_workers(self, tmp_path: Path, small, monkeypatch) -> None:
        folder = tmp_path / "elsewhere"
        folder.mkdir()
        (folder / "mine.py").write_text(MINE.format(module="math"))
        config = folder / "e.toml"
        config.write_text(
            "bankroll = 500\nrounds = 50\nsessions = 60\nseed = 1\n"
            '[[bettor]]\nuse = "mine"\n[plugins]\nfiles = ["mine.py"]\n'
        )
        monkeypatch.chdir("/")
        alone = bl.run(config, out=tmp_path / "a", workers=1, report=False)
        pooled = bl.run(config, out=tmp_path / "b", workers=2, block=10, report=False)
        assert alone.sessions.equals(pooled.sessions)
        assert (alone.sessions["bets"] == 25).all()
        (plugin,) = [p for p in pooled.manifest["plugins"] if p["name"] == "mine"]
        assert len(plugin["sha256"]) == 64

    @pytest.mark.parametrize("name", ["random", "statistics", "enum"])
    def test_named_like_standard_modules_hide_nothing(self, tmp_path: Path, small, play, name: str) -> None:
        plugin = tmp_path / f"{name}.py"
        plugin.write_text(MINE.format(module=name))
        experiment = small() | {"bettor": [{"use": "mine"}], "plugins": {"files": [str(plugin)]}, "sessions": 20}
        assert play(experiment, workers=2, block=5).summary["bets"].to_list() == [20 * 45]
        assert Path(str(sys.modules[name].__file__)).parent != tmp_path

    def test_given_by_the_caller_reach_workers_too(self, tmp_path: Path, small, play) -> None:
        plugin = tmp_path / "mine.py"
        plugin.write_text(MINE.format(module="math"))
        experiment = small() | {"bettor": [{"use": "mine"}], "sessions": 20}
        done = play(experiment, plugins=PluginRequest(files=(str(plugin),)), workers=2, block=5)
        assert done.summary.height == 1

    def test_that_are_missing_are_told_with_line(self, tmp_path: Path) -> None:
        config = tmp_path / "e.toml"
        config.write_text(
            'bankroll = 5\nrounds = 5\n[[bettor]]\nuse = "flat"\n[plugins]\nfiles = [\n  "my_system.py"]\n'
        )
        with pytest.raises(
            ConfigError, match=rf"e.toml, line 7: plugins.files.0 = '{tmp_path}/my_system.py' does not exist"
        ):
            bl.run(config, out=tmp_path / "run")

    def test_that_fail_are_named_where_their_bettor_is_missed(self, tmp_path: Path, small, play) -> None:
        plugin = tmp_path / "broken.py"
        plugin.write_text("import bacclab as bl\nraise ValueError('no luck')\n")
        experiment = small() | {"bettor": [{"use": "mine"}], "plugins": {"files": [str(plugin)]}}
        with pytest.raises(PluginError, match=r"no bettor 'mine'.*broken.*no luck"):
            play(experiment)
        done = play(small("flat") | {"plugins": {"files": [str(plugin)]}})
        assert any("broken" in warning and "no luck" in warning for warning in done.warnings)

    def test_that_change_while_workers_begin_are_refused(self, tmp_path: Path, small, play) -> None:
        plugin = tmp_path / "changing.py"
        plugin.write_text(
            MINE.format(module="math")
            + f"\nwith open({str(tmp_path / 'changing.py')!r}, 'a') as file:\n    file.write('# more\\n')\n"
        )
        experiment = small() | {"bettor": [{"use": "mine"}], "plugins": {"files": [str(plugin)]}}
        with pytest.raises(PluginError, match="changing"):
            play(experiment, workers=2, block=20)


class TestWorkers:
    def test_that_die_leave_finished_blocks_and_a_clear_word(self, small, play, frames, tmp_path: Path) -> None:
        experiment = small("flat", sessions=2000)
        out = tmp_path / "died"

        def end_one(done: int, total: int) -> None:
            if done > total // 10:
                for child in multiprocessing.active_children():
                    os.kill(child.pid or 0, signal.SIGKILL)

        with pytest.raises(WorkerError, match=r"ended without a word.*--resume"):
            play(experiment, out=out, workers=2, block=20, progress=end_one)
        assert json.loads((out / "manifest.json").read_text())["state"] == "interrupted"
        kept = len(list((out / "blocks").glob("*.json")))
        assert 10 <= kept < 100
        until = time.monotonic() + 20
        while multiprocessing.active_children() and time.monotonic() < until:
            time.sleep(0.05)
        assert not multiprocessing.active_children()
        assert frames(play(experiment, out=out, resume=True, block=20, workers=1)) == frames(play(experiment))

    def test_are_as_many_as_asked_for_with_this_process(self, tmp_path: Path, small, play) -> None:
        seen = tmp_path / "seen"
        seen.mkdir()
        plugin = tmp_path / "mine.py"
        mark = f"        pathlib.Path({str(seen)!r}, str(os.getpid())).touch()\n"
        plugin.write_text(MINE.format(module="os, pathlib").replace("        return", f"{mark}        return"))
        experiment = small(sessions=2000) | {"bettor": [{"use": "mine"}], "plugins": {"files": [str(plugin)]}}
        play(experiment, workers=2, block=20)
        played = {int(path.name) for path in seen.iterdir()}
        assert os.getpid() in played
        assert len(played) == 2
        assert not multiprocessing.active_children()  # whoever began a run finds nothing of it left
        assert not any(Path(f"/proc/{number}").exists() for number in played - {os.getpid()})

    @pytest.mark.parametrize("moment", ["before the end", "at the end"])
    def test_that_die_while_frames_are_made_cost_no_block(
        self, small, play, frames, tmp_path: Path, moment: str
    ) -> None:
        """They are killed when the last block is done, or when they have been given the largest frame to write."""
        experiment = small("flat", "martingale", sessions=400)
        out = tmp_path / "died"

        def kill(*_: object) -> None:
            for child in multiprocessing.active_children():
                os.kill(child.pid or 0, signal.SIGKILL)
                child.join()

        def at_the_last(done: int, total: int) -> None:
            if done == total and moment == "before the end":
                kill()

        with pytest.MonkeyPatch.context() as patch:
            if moment == "at the end":
                cells_frame = finish.cells_frame
                patch.setattr(finish, "cells_frame", lambda cells: (kill(), cells_frame(cells))[1])
                patch.setattr(crew, "aside", asleep)
            with pytest.raises(WorkerError, match=r"ended without a word.*--resume"):
                play(experiment, out=out, workers=2, block=40, progress=at_the_last)
        assert json.loads((out / "manifest.json").read_text())["state"] == "interrupted"
        assert len(list((out / "blocks").glob("*.json"))) == 10
        assert frames(play(experiment, out=out, resume=True, block=40, workers=2)) == frames(play(experiment))

    @pytest.mark.parametrize("place", [1, 2])
    def test_that_cannot_be_begun_are_told(self, small, play, monkeypatch: pytest.MonkeyPatch, place: int) -> None:
        """The system has no room for the first of them, or for the second."""
        begun = []
        really = SpawnProcess._Popen

        def popen(process: SpawnProcess) -> object:
            begun.append(process)
            if len(begun) == place:
                raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
            return really(process)

        monkeypatch.setattr(SpawnProcess, "_Popen", staticmethod(popen))
        with pytest.raises(WorkerError, match=r"cannot be begun: Resource temporarily unavailable.*--workers"):
            play(small("flat"), workers=3, block=20)
        assert not multiprocessing.active_children()

    def test_that_die_while_they_are_begun_are_told(self, small, play, monkeypatch: pytest.MonkeyPatch) -> None:
        class Broken(Executor):
            def submit(self, *_: object) -> NoReturn:  # type: ignore[override]
                raise BrokenProcessPool("A child process terminated abruptly")

        monkeypatch.setattr(crew, "pool", lambda _: contextlib.nullcontext(Broken()))
        with pytest.raises(WorkerError, match="ended without a word"):
            play(small("flat"), workers=2, block=20)

    def test_begun_early_end_with_a_run_that_never_plays(self, small, play, monkeypatch: pytest.MonkeyPatch) -> None:
        def stopped(*_: object) -> NoReturn:
            assert multiprocessing.active_children()
            raise KeyboardInterrupt

        monkeypatch.setattr(runs, "play", stopped)
        with pytest.raises(KeyboardInterrupt) as held:
            play(small("flat"), workers=2, block=20)
        assert not multiprocessing.active_children()
        assert held.tb is not None  # which holds what a collection of garbage would have ended

    def test_keep_to_one_thread_each(self, tmp_path: Path, small, play) -> None:
        plugin = tmp_path / "threads.py"
        plugin.write_text(
            textwrap.dedent(
                f"""
                import bacclab as bl, os, polars as pl, multiprocessing
                if multiprocessing.parent_process():
                    assert pl.thread_pool_size() == 1
                    assert all(os.environ[name] == "1" for name in {THREAD_LIMITS})
                """
            )
            + MINE.format(module="math")
        )
        play(small() | {"bettor": [{"use": "mine"}], "plugins": {"files": [str(plugin)]}}, workers=2, block=40)

    def test_faults_come_back_as_they_are(self, small, tmp_path: Path, play) -> None:
        plugin = tmp_path / "picky.py"
        plugin.write_text(MINE.format(module="math").replace("view.player(10)", "view.on('playr', 10)"))
        experiment = small() | {"bettor": [{"use": "mine"}], "plugins": {"files": [str(plugin)]}}
        with pytest.raises(BacclabError, match="did you mean player"):
            play(experiment, workers=2, block=20)


class TestTasks:
    def test_are_blocks_or_whole_cells(self) -> None:
        blocks = [Block(cell, index, index * 5, 5) for cell in range(8) for index in range(3)]
        assert tasks_of(blocks, 3) == [(block,) for block in blocks]
        assert tasks_of(blocks, 2) == [tuple(blocks[i : i + 3]) for i in range(0, 24, 3)]

    def test_of_whole_cells_give_the_same_frames(self, play, small, frames) -> None:
        experiment = small("flat", "martingale", sessions=40, sweep={"table.maximum": list(range(20, 100, 10))})
        assert frames(play(experiment, workers=2, block=15)) == frames(play(experiment, workers=1))


class TestSharedWork:
    @given(tasks=st.integers(0, 40), others=st.integers(1, 4), helped=st.booleans())
    def test_each_task_is_done_once(self, tasks: int, others: int, helped: bool) -> None:
        blocks = [(Block(0, index, index, 1),) for index in range(tasks)]
        with ThreadPoolExecutor(others) as threads:
            here = (lambda task: [(task[0].index, "here")]) if helped else None
            found = list(
                on_executor(
                    blocks, threads, lambda task: [(task[0].index, "there")], capacity=lambda: others, here=here
                )
            )
        assert sorted(index for index, _ in found) == list(range(tasks))
        if tasks > others:
            assert {where for _, where in found} == ({"here", "there"} if helped else {"there"})

    def test_the_last_tasks_go_to_whoever_is_free(self) -> None:
        """While the other is busy with one of two tasks, the second is done here; nothing waits in a queue."""
        busy = threading.Event()
        blocks = [(Block(0, index, index, 1),) for index in range(2)]

        def there(task: tuple[Block, ...]) -> list[str]:
            assert busy.wait(20)
            return ["there"]

        def here(task: tuple[Block, ...]) -> list[str]:
            busy.set()
            return ["here"]

        with ThreadPoolExecutor(1) as threads:
            assert list(on_executor(blocks, threads, there, capacity=lambda: 1, here=here)) == ["here", "there"]


class TestOtherExecutors:
    def test_any_executor_of_the_standard_kind(self, small, play, frames) -> None:
        experiment = small("flat", "martingale")
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
            done = play(experiment, executor=executor, block=20)
            again = play(small("pairs"), executor=executor, block=20)
        assert frames(done) == frames(play(experiment))
        assert frames(again) == frames(play(small("pairs")))

    def test_two_runs_in_two_threads(self, small, play, frames) -> None:
        with ThreadPoolExecutor(2) as threads:
            runs = [threads.submit(play, small(), workers=1, block=30) for _ in range(2)]
        one, other = (frames(run.result()) for run in runs)
        assert one == other == frames(play(small()))


def test_cores_are_those_this_process_may_use() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)
