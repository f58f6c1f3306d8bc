"""Run an experiment, go on with one, load one.

>>> import bacclab as bl
>>> import tempfile, pathlib
>>> flat = {"use": "flat", "on": "banker", "unit": 10}
>>> experiment = {"bankroll": 200, "rounds": 20, "sessions": 5, "seed": 1, "bettor": [flat]}
>>> with tempfile.TemporaryDirectory() as folder:
...     done = bl.run(experiment, out=pathlib.Path(folder) / "run", report=False)
...     done.summary.select("bettor", "sessions", "bets").row(0)
('flat', 5, 100)
"""

from __future__ import annotations

import contextlib
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.errors import StoreError
from bacclab.memory import too_large
from bacclab.tournament.conduct import begin, open_workshop, play
from bacclab.tournament.crew import Crew, Labour, Progress, helpers
from bacclab.tournament.folder.doubts import doubting
from bacclab.tournament.folder.store import MANIFEST, RunFolder
from bacclab.tournament.job import earlier, make_job, same_blocks
from bacclab.tournament.plan import plan
from bacclab.tournament.workers.places import number_of, place

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Executor

    import polars as pl

    from bacclab.dashboard.run_charts import Charts
    from bacclab.plugins.loader import PluginRequest
    from bacclab.plugins.registry import Registry

ROOT = Path("runs")


class Run:
    """A finished run: its frames (polars, read when asked for), its manifest and its charts."""

    def __init__(self, path: Path, manifest: Mapping[str, Any], *, registry: Registry | None = None) -> None:
        self.path = path
        self.manifest = manifest
        self._registry = registry

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    def _repr_html_(self) -> str:
        from bacclab.dashboard.notebook import run_html

        with doubting(self):
            return run_html(self, frames=self.frames)

    @cached_property
    def registry(self) -> Registry:
        """What is registered, for charts and sections: as it was played, else built-ins and installed plugins."""
        if self._registry is not None:
            return self._registry
        from bacclab.plugins.loader import load_plugins

        return load_plugins().registry

    @property
    def frames(self) -> tuple[str, ...]:
        """The names of the frames that the run holds."""
        return tuple(file.removesuffix(".parquet") for file in self.manifest["files"])

    def scan(self, name: str) -> pl.LazyFrame:
        """A frame as a query, for runs whose sessions do not fit into memory."""
        import polars as pl

        if name not in self.frames:
            raise StoreError(f"{self.path} has no frame {name!r}", hint=f"it has {', '.join(self.frames)}")
        return pl.scan_parquet(self.path / f"{name}.parquet", glob=False)

    def _read(self, name: str) -> pl.DataFrame:
        import polars as pl

        query = self.scan(name)
        large = too_large(self.manifest["files"][f"{name}.parquet"]["rows"], len(query.collect_schema()))
        if large is not None:
            raise StoreError(f"{self.path / name}.parquet cannot be read whole: {large}", hint=f"run.scan({name!r})")
        try:
            return query.collect()
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

    @cached_property
    def endings(self) -> pl.DataFrame:
        """How many sessions ended in which way after which round, and what their bets were expected to return."""
        return self._read_if_there("endings")

    @cached_property
    def finals(self) -> pl.DataFrame:
        """How many sessions ended in which way with which bankroll."""
        return self._read_if_there("finals")

    @cached_property
    def confirmation(self) -> pl.DataFrame:
        """What the best of a sweep, or of many bettors, came to on fresh rounds; no rows where nothing was searched."""
        return self._read_if_there("confirmation")

    @property
    def is_exact(self) -> bool:
        """Whether the run was worked out exactly, and not sampled."""
        return "exact" in self.manifest

    @cached_property
    def exact_rounds(self) -> pl.DataFrame:
        """The exact course of a session, a row a bettor and round; no rows where it was not worked out.

        Who still plays the round and what is staked on it, and, by the end of the round, what the bets so far are
        expected to return and who has ended in which way.
        """
        return self._read_if_there("exact_rounds")

    @cached_property
    def exact_bands(self) -> pl.DataFrame:
        """Exact mean and quantiles of the bankroll at each checkpoint; no rows where they were not worked out."""
        return self._read_if_there("exact_bands")

    @cached_property
    def exact_ruin(self) -> pl.DataFrame:
        """The exact chance of ruin without a limit of rounds, of bettors that lay the same every round."""
        return self._read_if_there("exact_ruin")

    @cached_property
    def exact_finals(self) -> pl.DataFrame:
        """The probability of each final bankroll by ending, in an exact run."""
        return self._read_if_there("exact_finals")

    def _read_if_there(self, name: str) -> pl.DataFrame:
        from bacclab.tournament.frames import EXACT_SCHEMAS, SCHEMAS

        schema = EXACT_SCHEMAS.get(name) or SCHEMAS[name]
        return self._read(name) if name in self.frames else schema.to_frame()

    @property
    def warnings(self) -> list[str]:
        """What a reader should know before believing the figures: of the run, then of what its summary shows."""
        from bacclab.dashboard.lookup import Lookup
        from bacclab.dashboard.words.cautions import warnings

        with doubting(self):
            return [*self.manifest["warnings"], *warnings(Lookup.of(self))]

    @cached_property
    def charts(self) -> Charts:
        """The charts of the run: ``run.charts.fan()`` and all others that are registered, as plotly figures."""
        from bacclab.dashboard.run_charts import Charts

        return Charts(self)

    def report(self, path: str | os.PathLike[str] | None = None, *, lang: str = "en") -> Path:
        """Write the page of the run, by default ``report.html`` in its folder; returns where it is.

        `lang` is the language of its words: en, el, pl, pt or sv.
        """
        from bacclab.dashboard.pages.report import write_page

        with doubting(self):
            return write_page(self, Path(path) if path is not None else self.path / "report.html", lang=lang)


def load_run(path: str | os.PathLike[str], *, verify: bool = True, registry: Registry | None = None) -> Run:
    """The finished run in a folder. StoreError names the file that is missing or is not the one that was written.

    Without `verify` the frames' digests are not computed, which saves time on large runs. `registry` brings charts and
    sections of plugins; nothing that the folder names is loaded.
    """
    folder = RunFolder(Path(path))
    if not folder.path.exists() and (ROOT / path / MANIFEST).is_file():
        raise StoreError(f"there is no run folder {path}", hint=f"did you mean {ROOT / path}?")
    manifest = folder.manifest()
    if manifest["state"] != "complete":
        state = "is still running" if folder.in_use() else "was interrupted"
        raise StoreError(f"the run in {path} {state}", hint="go on with it: bacclab run CONFIG --out DIR --resume")
    fault = folder.broken_frame(manifest, digests=verify)
    if fault:
        raise StoreError(fault, hint="run the experiment again: it gives the same frames")
    return Run(folder.path, manifest, registry=registry)


def run(
    config: str | os.PathLike[str] | Mapping[str, Any],
    *,
    seed: int | None = None,
    sessions: int | None = None,
    workers: int | str | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    report: bool = True,
    lang: str = "en",
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
    * `workers`: how many processes; 1 plays in this one, None decides by how long the first blocks took. Or a place as
      text: ``"dask:tcp://HOST:8786"``, ``"dask:4"``, one of a plugin. `executor`: any `concurrent.futures` executor in
      their place. Its workers need the same versions, and no folder of this machine.
    * `out`: the run folder; by default a new one under `root`, named after the file. With `resume` the run there is
      gone on with: finished blocks are kept, and the result is that of a run without a break.
    * `report`: whether to write the page; `lang`: the language of its words (en, el, pl, pt, sv).
    * `progress` is told the rounds done and those there are; `say` is given a line now and then.
    * `block`: sessions in a block (results do not depend on it). `plugins`: what to load besides the experiment's own.

    Raises BacclabError for what a user can mend. On Ctrl-C (KeyboardInterrupt) finished blocks are kept.
    """
    from bacclab.dashboard.language import language

    language(lang)  # a mistake in it is told before anything is played
    job = make_job(config, seed, sessions, tuple(sets), plugins)
    target = Path(out) if out is not None else None
    job, folder, old = earlier(job, target, Path(root), resume=resume)
    if folder is not None and old is not None and old["state"] == "complete":
        folder.tidy()
        if say is not None:
            say(f"the run in {folder.path} was already complete: nothing is left to play")
        return _finished(load_run(folder.path, registry=job.loaded.registry), report=report, lang=lang)
    block = same_blocks(block, old)
    planned = plan(job.experiment, job.loaded.registry, block=block)
    from bacclab.analysis.conclude import conclude
    from bacclab.exact.bankrolls.overlay import overlay

    with contextlib.ExitStack() as begun:
        elsewhere = executor is not None or (isinstance(workers, str) and number_of(workers) is None)
        asked = 1 if elsewhere else number_of(workers)
        others = begun.enter_context(helpers(job, planned, overlay, workers=asked))
        workshop = open_workshop(job, planned, say, overlay)
        with place(workers, job.loaded.registry) as (count, its):
            if folder is None:
                folder = RunFolder.create(target, stem=job.stem, root=Path(root))
            with folder.lock():
                manifest = begin(folder, job, planned, block, old)
                crew = Crew(
                    folder=folder,
                    job=job,
                    workshop=workshop,
                    labour=Labour(count, executor or its, progress, say),
                    resumed=old is not None,
                    others=others,
                    begun=begun,
                )
                play(crew, planned, manifest, partial(conclude, metrics=job.loaded.registry.metrics))
    return _finished(Run(folder.path, manifest, registry=job.loaded.registry), report=report, lang=lang)


def _finished(done: Run, *, report: bool, lang: str) -> Run:
    if report and not (done.path / "report.html").exists():
        done.report(lang=lang)
    return done
