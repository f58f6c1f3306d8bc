"""Experiments from the browser: checked, kept within their folders, started, stopped, gone on with."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import bacclab as bl
from bacclab.dashboard.app import jobs as jobs_module
from bacclab.dashboard.app.context import Context
from bacclab.dashboard.app.experiments import Experiments
from bacclab.dashboard.app.folder import RunsFolder
from bacclab.dashboard.app.jobs import Jobs
from bacclab.errors import ConfigError, StoreError

starting = pytest.importorskip("bacclab.dashboard.app.starting", reason="the extra dashboard is not installed")

TEXT = """
title = "From the browser"
seed = 3
bankroll = 200
sessions = {sessions}
rounds = 60

[[bettor]]
use = "flat"
on = "banker"
unit = 10
"""
SMALL = TEXT.format(sessions=50)


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    runs, experiments = tmp_path / "runs", tmp_path / "experiments"
    runs.mkdir()
    experiments.mkdir()
    (experiments / "small.toml").write_text(SMALL)
    (experiments / "broken.toml").write_text("bankroll = \n")
    (experiments / "notes.txt").write_text("secret")
    (tmp_path / "outside.toml").write_text(SMALL)
    (experiments / "link.toml").symlink_to(tmp_path / "outside.toml")
    return runs, experiments


@pytest.fixture
def experiments(places: tuple[Path, Path]) -> Experiments:
    return Experiments(*places)


class TestFiles:
    def test_those_of_the_folder(self, experiments: Experiments) -> None:
        assert experiments.files() == ["broken.toml", "small.toml"]
        assert experiments.text("small.toml") == SMALL

    @pytest.mark.parametrize(
        "name", ["notes.txt", "../outside.toml", "link.toml", "", None, "/etc/passwd", "small.toml/"]
    )
    def test_no_others(self, experiments: Experiments, name: str | None) -> None:
        with pytest.raises(ConfigError, match="no experiment file"):
            experiments.text(name)

    def test_found_beside_the_runs(self, places: tuple[Path, Path]) -> None:
        assert Experiments(places[0]).folder == places[1].resolve()


class TestTexts:
    def test_a_good_one(self, experiments: Experiments) -> None:
        assert experiments.checked(SMALL).sessions == 50

    def test_a_mistake_is_told_with_its_line(self, experiments: Experiments) -> None:
        with pytest.raises(ConfigError, match=r"experiment, line 4: bankrol is not a key") as raised:
            experiments.checked(SMALL.replace("bankroll", "bankrol"))
        assert raised.value.hint is not None
        assert "did you mean bankroll?" in raised.value.hint

    @pytest.mark.parametrize("text", ["", "  \n", "[", "x" * 300_000, "\0"])
    def test_no_experiment(self, experiments: Experiments, text: str) -> None:
        with pytest.raises(ConfigError):
            experiments.checked(text)

    @pytest.mark.parametrize(
        "more",
        [
            '[source]\nuse = "recorded"\npath = "/etc/passwd"\n',
            '[source]\nuse = "recorded"\npath = "../../outside.toml"\n',
            '[plugins]\nfiles = ["/etc/passwd"]\n',
            '[plugins]\nfiles = ["~/x.py"]\n',
            '[sweep]\n"source.path" = ["/etc/passwd"]\n',
        ],
    )
    def test_files_elsewhere_are_refused(self, experiments: Experiments, more: str) -> None:
        with pytest.raises(ConfigError, match="lies outside"):
            experiments.checked(SMALL + more)

    def test_a_link_out_of_the_folder_is_elsewhere(self, experiments: Experiments) -> None:
        with pytest.raises(ConfigError, match="lies outside"):
            experiments.checked(SMALL + '[plugins]\nfiles = ["link.toml"]\n')


@pytest.fixture
def jobs(places: tuple[Path, Path]) -> Iterator[Jobs]:
    found = Jobs(RunsFolder(places[0]))
    yield found
    found.close()


def until(true: Callable[[], Any], seconds: float = 90) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := true():
            return found
        time.sleep(0.02)
    pytest.fail("it took too long")


@pytest.mark.slow
class TestJobs:
    def test_from_start_to_end(self, jobs: Jobs, places: tuple[Path, Path]) -> None:
        name = jobs.start(SMALL, stem="From the browser")
        assert name == "from-the-browser"
        job = jobs.job(name)
        assert job is not None
        assert until(lambda: job.code is not None)
        assert job.code == 0, job.lines()
        assert bl.load_run(places[0] / name).summary["sessions"].to_list() == [50]
        assert [entry.state for entry in jobs.folder.entries()] == ["complete"]

    def test_cancelled_and_gone_on_with(self, jobs: Jobs, places: tuple[Path, Path]) -> None:
        name = jobs.start(TEXT.format(sessions=4_000_000), stem="long")
        until(lambda: (found := _entry(jobs, name)) and jobs.folder.blocks_done(found) >= 1)
        with pytest.raises(StoreError, match="still running"):
            jobs.start(SMALL, stem="another")
        assert jobs.cancel(name)
        job = jobs.job(name)
        assert job is not None
        assert until(lambda: job.code is not None)
        assert job.code == 130
        entry = jobs.folder.find(name)
        assert entry.state == "interrupted"
        kept = jobs.folder.blocks_done(entry)
        assert kept >= 1
        assert not jobs.cancel(name)
        jobs.resume(entry)
        until(lambda: jobs.folder.blocks_done(jobs.folder.find(name)) > kept)
        assert jobs.folder.find(name).state == "running"
        assert jobs.close() == [name]

    def test_a_mistake_that_only_the_run_finds(self, jobs: Jobs, places: tuple[Path, Path]) -> None:
        name = jobs.start(SMALL.replace('"flat"', '"flatt"'), stem="wrong")
        job = jobs.job(name)
        assert job is not None
        assert until(lambda: job.code is not None)
        assert job.code == 2
        assert "line 9" in "\n".join(job.lines())
        jobs.tidy(name)
        assert list(places[0].iterdir()) == []

    def test_cancelled_before_it_began(self, jobs: Jobs) -> None:
        name = jobs.start(SMALL, stem="early")
        job, context = jobs.job(name), Context(jobs.folder, jobs=jobs)
        assert job is not None
        assert jobs.cancel(name)
        assert until(lambda: job.code is not None)
        assert starting.progress(context, name).words == "Cancelled before anything was finished."


DEAF = (
    sys.executable, "-c",
    "import signal, sys, time; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    "print('deaf', file=sys.stderr, flush=True); time.sleep(300)",
)  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="processes are ended in groups on POSIX alone")
def test_one_that_does_not_listen_is_ended(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs_module, "COMMAND", DEAF)
    name = jobs.start(SMALL, stem="deaf")
    job, context = jobs.job(name), Context(jobs.folder, jobs=jobs)
    assert job is not None
    assert until(job.lines) == ["deaf"]
    assert jobs.cancel(name)
    assert not job.deaf
    found = starting.progress(context, name)
    assert (found.words, found.may_cancel) == ("Stopping.", False)
    monkeypatch.setattr(jobs_module, "GRACE", 0.0)
    assert until(lambda: job.deaf)
    found = starting.progress(context, name)
    assert (found.words, found.may_cancel) == ("It has not stopped yet; another Cancel ends it at once.", True)
    assert jobs.cancel(name)
    assert until(lambda: job.code is not None)
    assert job.code == -9
    assert not jobs.cancel(name)


def _entry(jobs: Jobs, name: str) -> Any:
    return next((entry for entry in jobs.folder.entries() if entry.id == name), None)
