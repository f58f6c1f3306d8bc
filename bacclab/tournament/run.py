"""Run an experiment, go on with one, load one.

    >>> import bacclab as bl
    >>> import tempfile, pathlib
    >>> flat = {"use": "flat", "on": "banker", "unit": 10}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = bl.run({"bankroll": 100, "rounds": 20, "sessions": 5, "seed": 1, "bettor": [flat]},
    ...                  out=pathlib.Path(folder) / "run", report=False)
    ...     run.summary.select("bettor", "sessions", "bets", "played_by").row(0)
    ('flat', 5, 100, 'table')
"""

from __future__ import annotations

import contextlib
import importlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab._version import __version__
from bacclab.errors import ConfigError, StoreError
from bacclab.tournament.config import Experiment, load_config, resolved
from bacclab.tournament.executors import Setup, cores, in_process, on_executor, pool
from bacclab.tournament.finish import finish
from bacclab.tournament.manifest import first_manifest
from bacclab.tournament.origin import Assignment
from bacclab.tournament.plan import Block, Plan, plan
from bacclab.tournament.store import MANIFEST, BlockRecord, RunFolder, default_names, fingerprint, folder_name
from bacclab.tournament.toml_text import toml_text
from bacclab.tournament.work import Workshop

if TYPE_CHECKING:
    import polars as pl

    from bacclab.plugins import LoadedPlugins, PluginRequest

Progress = Callable[[int, int], None]
"""Told the rounds that are done and those that there are, over all cells."""

WORTH_A_POOL = 3.0
"""Seconds of work left above which more processes are begun; below it they would cost more than they save."""

ROOT = Path("runs")


class Run:
    """A finished run: its frames (polars, read when asked for), its manifest and its charts."""

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        self.path = path
        self.manifest = manifest

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    def scan(self, name: str) -> pl.LazyFrame:
        """A frame as a query, for runs whose sessions do not fit into memory."""
        import polars as pl

        file = f"{name}.parquet"
        if file not in self.manifest["files"]:
            known = ", ".join(n.removesuffix(".parquet") for n in self.manifest["files"])
            raise StoreError(f"{self.path} has no frame {name!r}", hint=f"it has {known}")
        return pl.scan_parquet(self.path / file, glob=False)

    def _read(self, name: str) -> pl.DataFrame:
        import polars as pl

        try:
            return self.scan(name).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise StoreError(f"{self.path / name}.parquet cannot be read: {error}") from None

    @cached_property
    def summary(self) -> pl.DataFrame:
        """One row a cell and bettor: what it staked and won, quantiles of finals, how sessions ended."""
        return self._read("summary")

    @cached_property
    def sessions(self) -> pl.DataFrame:
        """One row a cell, bettor and session."""
        return self._read("sessions")

    @cached_property
    def distribution(self) -> pl.DataFrame:
        """How many sessions had each bankroll, a row a cell, bettor, checkpoint and bankroll."""
        return self._read("distribution")

    @cached_property
    def trajectories(self) -> pl.DataFrame:
        """A sample of sessions round by round."""
        return self._read("trajectories")

    @cached_property
    def comparisons(self) -> pl.DataFrame:
        """Every two bettors of a cell, compared on the same rounds."""
        return self._read("comparisons")

    @cached_property
    def cells(self) -> pl.DataFrame:
        """One row a cell: its label and what its sessions begin with."""
        return self._read("cells")

    @property
    def warnings(self) -> list[str]:
        """What a reader should know before believing the figures."""
        return list(self.manifest["warnings"])

    @cached_property
    def charts(self) -> Any:
        """The charts of the run: ``run.charts.fan()`` and others, as plotly figures."""
        return importlib.import_module("bacclab.dashboard").Charts(self)

    def report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the page of the run, by default ``report.html`` in its folder; returns where it is."""
        written: Path = importlib.import_module("bacclab.dashboard").write_page(
            self, Path(path) if path is not None else self.path / "report.html"
        )
        return written


def load_run(path: str | os.PathLike[str], *, verify: bool = True) -> Run:
    """The finished run in a folder. StoreError names the file that is missing or is not the one that was written.

    Without `verify` the frames' digests are not computed, which saves time on large runs.
    """
    folder = RunFolder(Path(path))
    manifest = folder.manifest()
    if manifest["state"] != "complete":
        state = "is still running" if folder.in_use() else "was interrupted"
        raise StoreError(f"the run in {path} {state}", hint="go on with it: bacclab run CONFIG --out DIR --resume")
    fault = folder.broken_frame(manifest) if verify else None
    if fault:
        raise StoreError(fault, hint="run the experiment again: it gives the same frames")
    return Run(folder.path, manifest)


def run(
    config: str | os.PathLike[str] | Mapping[str, Any],
    *,
    seed: int | None = None,
    sessions: int | None = None,
    workers: int | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    report: bool = True,
    sets: Iterable[str] = (),
    progress: Progress | None = None,
    say: Callable[[str], None] | None = None,
    block: int | None = None,
    plugins: PluginRequest | None = None,
    executor: Executor | None = None,
    root: str | os.PathLike[str] = ROOT,
) -> Run:
    """Play an experiment, a TOML file or a mapping of the same shape, and return the finished run.

    * `seed`, `sessions` and `sets` (``"table.maximum=500"``) are put over the file.
    * `workers`: how many processes; 1 plays in this one, None decides by how long the first blocks took. `executor`:
      any `concurrent.futures` executor in their place; its processes must see the same folders.
    * `out`: the run folder; by default a new one under `root`, named after the file. With `resume` the run there is
      gone on with: finished blocks are kept, and the result is that of a run without a break.
    * `progress` is told the rounds done and those there are; `say` is given a line now and then.
    * `block`: sessions in a block (results do not depend on it). `plugins`: what to load besides the experiment's own.

    Raises BacclabError for what a user can mend. On Ctrl-C (KeyboardInterrupt) finished blocks are kept.
    """
    job = _job(config, seed, sessions, tuple(sets), plugins)
    if workers is not None and workers < 1:
        raise ConfigError(f"workers must be at least 1, not {workers}")
    job, folder, old = _place(job, Path(out) if out is not None else None, Path(root), resume=resume)
    if old is not None and old["state"] == "complete":
        return _finished(load_run(folder.path), report=report)
    block = _same_blocks(block, old)
    planned = plan(job.experiment, job.loaded.registry, block=block)
    if folder is None:
        folder = RunFolder.create(Path(out) if out is not None else None, stem=job.stem, root=Path(root))
    with folder.lock():
        manifest = _begin(folder, job, planned, block, old)
        _play(folder, job, planned, manifest, _Ways(workers, executor, progress, say))
    return _finished(Run(folder.path, manifest), report=report)


def _finished(done: Run, *, report: bool) -> Run:
    if report and not (done.path / "report.html").exists():
        done.report()
    return done


@dataclass(frozen=True, slots=True)
class _Job:
    """An experiment with the plugins that it needs."""

    experiment: Experiment
    loaded: LoadedPlugins

    @property
    def fingerprint(self) -> str:
        from bacclab.tournament.manifest import identity

        return fingerprint(identity(self.experiment, self.loaded))

    @property
    def stem(self) -> str:
        path = self.experiment.origin.path
        return folder_name(path.stem if path else self.experiment.title)

    def with_seed_of(self, manifest: Mapping[str, Any]) -> _Job:
        """The same with the seed that an earlier run drew, if the experiment does not say one."""
        if self.experiment.seed_given:
            return self
        return replace(self, experiment=replace(self.experiment, seed=int(manifest["seed"])))


def _job(
    config: str | os.PathLike[str] | Mapping[str, Any],
    seed: int | None,
    sessions: int | None,
    sets: tuple[str, ...],
    plugins: PluginRequest | None,
) -> _Job:
    from bacclab.plugins import load_plugins

    chosen = [
        Assignment((name,), value, f"--{name} {value}")
        for name, value in (("seed", seed), ("sessions", sessions))
        if value is not None
    ]
    experiment = load_config(config, sets=sets, assignments=chosen)
    for position, path in enumerate(experiment.plugins):
        if not path.exists():
            raise experiment.origin.fault(("plugins", "files", position), f"= {str(path)!r} does not exist")
    options = {} if plugins is None else {
        "directories": plugins.directories, "blocked": plugins.blocked, "strict": plugins.strict, "allow": plugins.allow,
    }  # fmt: skip
    files = [*(plugins.files if plugins else ()), *experiment.plugins]
    return _Job(experiment, load_plugins(files=files, **options))


def _place(
    job: _Job, out: Path | None, root: Path, *, resume: bool
) -> tuple[_Job, RunFolder | None, dict[str, Any] | None]:
    """The folder to go on with and its manifest; None and None for a new run."""
    if not resume or (out is not None and not (out / MANIFEST).exists()):
        return job, None, None
    found = RunFolder(out) if out is not None else _newest(job, root)
    manifest = found.manifest()
    job = job.with_seed_of(manifest)
    if manifest["fingerprint"] != job.fingerprint:
        raise StoreError(f"the run in {found.path} is of another experiment: {_changes(manifest, job)}",
                         hint="choose another --out, or run without --resume")  # fmt: skip
    return job, found, manifest


def _newest(job: _Job, root: Path) -> RunFolder:
    """The last run of this experiment under the default names."""
    found = None
    for path in default_names(root, job.stem):
        if not path.exists():
            break
        with contextlib.suppress(StoreError):
            folder = RunFolder(path)
            manifest = folder.manifest()
            if manifest["fingerprint"] == job.with_seed_of(manifest).fingerprint:
                found = folder
    if found is None:
        raise StoreError(f"there is no run of this experiment under {root / job.stem} to go on with",
                         hint="name its folder with --out, or run without --resume")  # fmt: skip
    return found


def _changes(manifest: Mapping[str, Any], job: _Job) -> str:
    """Which parts of an experiment differ from those of a run, in words."""
    from bacclab.tournament.manifest import plugin_texts

    old, new = manifest["experiment"], resolved(job.experiment)
    names = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name) and name != "title"]
    texts = {p["name"]: p["sha256"] or p["version"] for p in manifest["plugins"] if p["items"] is not None}
    names += [f"plugin {name}" for name, text in plugin_texts(job.loaded).items() if texts.get(name) != text]
    if manifest["versions"]["bacclab"] != __version__:
        names.append(f"bacclab {manifest['versions']['bacclab']}, now {__version__}")
    return f"what differs is {', '.join(names) or 'its plugins'}"


def _same_blocks(block: int | None, old: Mapping[str, Any] | None) -> int | None:
    if old is None or old["block"] == block:
        return block
    if block is None:
        return int(old["block"])
    raise StoreError("a run keeps its size of blocks", hint=f"it was begun with {old['block'] or 'the usual size'}")


def _begin(
    folder: RunFolder, job: _Job, planned: Plan, block: int | None, old: Mapping[str, Any] | None
) -> dict[str, Any]:
    manifest = first_manifest(job.experiment, planned, job.loaded, block=block)
    if old is not None:
        if [c["source"] for c in old["cells"]] != [c["source"] for c in manifest["cells"]]:
            raise StoreError(f"the rounds of the run in {folder.path} have changed since it was begun")
        manifest |= {"begun": old["begun"], "timing": {"before": old["timing"].get("seconds", 0.0)}}
    folder.begin(manifest, toml_text(resolved(job.experiment)))
    return manifest


@dataclass(frozen=True, slots=True)
class _Ways:
    """How the blocks are done, and who is told."""

    workers: int | None
    executor: Executor | None
    progress: Progress | None
    say: Callable[[str], None] | None


def _play(folder: RunFolder, job: _Job, planned: Plan, manifest: dict[str, Any], ways: _Ways) -> None:
    started = time.perf_counter()
    records: list[BlockRecord] = []
    try:
        for done in _records(folder, job, planned, manifest, ways):
            records.append(done)
            if ways.progress is not None:
                ways.progress(*_rounds_done(records, planned))
        finish(folder, planned, records, manifest, seconds=lambda: _seconds(manifest, started))
    except BaseException:
        # Also on Ctrl-C and on faults: finished blocks stay, and the manifest says that there is more to do.
        manifest["state"] = "interrupted"
        manifest["timing"]["seconds"] = _seconds(manifest, started)
        with contextlib.suppress(OSError):
            folder.write_manifest(manifest)
        raise


def _seconds(manifest: Mapping[str, Any], started: float) -> float:
    return round(float(manifest["timing"].get("before", 0.0)) + time.perf_counter() - started, 3)


def _rounds_done(records: Sequence[BlockRecord], planned: Plan) -> tuple[int, int]:
    done = sum(one.block.count * planned.cells[one.block.cell].max_rounds for one in records)
    return done, sum(cell.sessions * cell.max_rounds for cell in planned.cells)


def _records(
    folder: RunFolder, job: _Job, planned: Plan, manifest: Mapping[str, Any], ways: _Ways
) -> Iterator[BlockRecord]:
    """The records of all blocks: those that were finished before, then the others as they finish."""
    left = []
    for block in planned.blocks():
        before = folder.finished(block) if "before" in manifest["timing"] else None
        if before is None:
            left.append(block)
        else:
            yield before
    if not left:
        return
    workshop = Workshop(job.experiment, job.loaded.registry, folder)
    if ways.say is not None and not _compiled_before():
        ways.say("compiling the dealer and the players: some seconds, once")
    workshop.prepare(left[0].cell)  # what cannot be played is told before any process is begun
    setup = Setup(job.experiment, job.loaded.request, job.loaded.hashes, folder.path.resolve(), manifest["fingerprint"])
    if ways.executor is not None:
        yield from on_executor(left, ways.executor, setup, workers=ways.workers or cores())
    elif ways.workers == 1 or len(left) == 1 or (ways.workers is None and cores() == 1):
        yield from in_process(left, workshop)
    elif ways.workers is None:
        yield from _as_needed(left, workshop, setup)
    else:
        yield from _in_pool(left, setup, ways.workers)


def _as_needed(left: Sequence[Block], workshop: Workshop, setup: Setup) -> Iterator[BlockRecord]:
    """Begin here; once the second block has shown how long a block takes, begin a pool if it is worth it."""
    for place, block in enumerate(left):
        done = workshop.do(block)
        yield done
        rest = left[place + 1 :]
        if place >= 1 and len(rest) > 1 and done.seconds * len(rest) > WORTH_A_POOL:
            yield from _in_pool(rest, setup, cores())
            return


def _in_pool(left: Sequence[Block], setup: Setup, workers: int) -> Iterator[BlockRecord]:
    workers = min(workers, len(left))
    with pool(workers) as executor:
        yield from on_executor(left, executor, setup, workers=workers)


def _compiled_before() -> bool:
    from bacclab.kernels import is_cached
    from bacclab.shoes import dealer_kernels

    return is_cached(dealer_kernels.deal)
