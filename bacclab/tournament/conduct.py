"""Conducting a run: the blocks that are left are done, here or by workers, and the frames are made from them."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from bacclab.errors import StoreError
from bacclab.memory import want_of_memory_told
from bacclab.tournament.experiment.resolved import resolved
from bacclab.tournament.experiment.toml_text import toml_text
from bacclab.tournament.finish import Conclude, finish
from bacclab.tournament.folder.manifest import first_manifest
from bacclab.tournament.folder.store import MANIFEST
from bacclab.tournament.workers.executors import (
    Setup,
    capacity_of,
    cores,
    in_process,
    on_executor,
    pool,
    tasks_of,
    work,
)
from bacclab.tournament.workers.work import Overlay, Workshop

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Executor

    from bacclab.tournament.folder.store import BlockRecord, RunFolder
    from bacclab.tournament.job import Job
    from bacclab.tournament.plan import Block, Plan

Progress = Callable[[int, int], None]
"""Told the rounds that are done and those that there are, over all cells."""

WORTH_A_POOL = 4.0
"""Seconds of work left above which more processes are begun: each takes two seconds to be ready, on a busy machine more."""


def open_workshop(job: Job, planned: Plan, say: Callable[[str], None] | None, overlay: Overlay | None) -> Workshop:
    """Make the first cell ready, so that what cannot be played is told before a folder or a process is made."""
    if say is not None and not _compiled_before():
        say("compiling the dealer and the players: some seconds, once")
    workshop = Workshop(
        job.experiment, job.loaded.registry, overlay, job.loaded.request.strict, dict(enumerate(planned.cells))
    )
    workshop.prepare(0)
    return workshop


def begin(
    folder: RunFolder, job: Job, planned: Plan, block: int | None, old: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Write the first manifest of a run, or that of a run that is gone on with; returns it."""
    if old is None and (folder.path / MANIFEST).exists():
        raise StoreError(f"another process has begun a run in {folder.path}", hint="choose another --out")
    manifest = first_manifest(job.experiment, planned, job.loaded, block=block)
    if old is not None:
        if [c["source"] for c in old["cells"]] != [c["source"] for c in manifest["cells"]]:
            raise StoreError(f"the rounds of the run in {folder.path} have changed since it was begun")
        manifest |= {"begun": old["begun"], "timing": {"before": old["timing"].get("seconds", 0.0)}}
    folder.begin(manifest, toml_text(resolved(job.experiment)))
    return manifest


LONG = 20
"""Seconds of play after which it is said that what follows takes a while too."""


@dataclass(frozen=True, slots=True)
class Labour:
    """How the blocks are done, and who is told."""

    workers: int | None
    executor: Executor | None
    progress: Progress | None
    say: Callable[[str], None] | None = None


def play(
    folder: RunFolder,
    job: Job,
    planned: Plan,
    workshop: Workshop,
    manifest: dict[str, Any],
    labour: Labour,
    conclude: Conclude,
    *,
    resumed: bool,
) -> None:
    """Do the blocks that are left, make the frames, and fill in the manifest. Whatever happens, finished blocks stay."""
    started = time.perf_counter()
    records: list[BlockRecord] = []
    rounds, total = 0, sum(cell.sessions * cell.max_rounds for cell in planned.cells)
    try:
        crew = _Crew(folder=folder, job=job, workshop=workshop, labour=labour, resumed=resumed)
        with want_of_memory_told(), contextlib.closing(crew.records(planned.blocks())) as finished:
            for done in finished:
                records.append(done)
                rounds += done.block.count * planned.cells[done.block.cell].max_rounds
                if labour.progress is not None:
                    labour.progress(rounds, total)
        if labour.say is not None and time.perf_counter() - started > LONG:
            labour.say("all rounds are played: the frames are written now")
        with want_of_memory_told():
            finish(
                folder,
                planned,
                records,
                manifest,
                conclude,
                play=crew.records,
                seconds=lambda: _seconds(manifest, started),
            )
    except BaseException:
        # Also on Ctrl-C and on faults: finished blocks stay, and the manifest says that there is more to do.
        manifest["state"] = "interrupted"
        manifest["timing"]["seconds"] = _seconds(manifest, started)
        with contextlib.suppress(OSError, StoreError):
            folder.write_manifest(manifest)
        raise


def _seconds(manifest: Mapping[str, Any], started: float) -> float:
    return round(float(manifest["timing"].get("before", 0.0)) + time.perf_counter() - started, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crew:
    """Those who do blocks: this process, a pool, or an executor."""

    folder: RunFolder
    job: Job
    workshop: Workshop
    labour: Labour
    resumed: bool

    def records(self, blocks: Iterable[Block]) -> Generator[BlockRecord]:
        """The records of blocks: those that were finished before, then the others as they finish."""
        left = []
        for block in blocks:
            before = self.folder.finished(block) if self.resumed else None
            if before is None:
                left.append(block)
            else:
                yield before
        if left:
            yield from self._done(left)

    def _done(self, left: Sequence[Block]) -> Iterator[BlockRecord]:
        folder, labour, workshop, job = self.folder, self.labour, self.workshop, self.job
        asked, hashes = job.loaded.request, job.loaded.hashes
        setup = Setup(job.experiment, asked, hashes, folder.path.resolve(), job.fingerprint, workshop.overlay)
        if labour.executor is not None:
            yield from _at_a_distance(left, folder, setup, labour.executor, _attended(labour, labour.executor))
        elif labour.workers == 1 or len(left) == 1 or (labour.workers is None and cores() == 1):
            yield from in_process(left, workshop, folder)
        elif labour.workers is None:
            yield from _as_needed(left, workshop, folder, setup)
        else:
            yield from _in_pool(left, setup, labour.workers)


def _as_needed(left: Sequence[Block], workshop: Workshop, folder: RunFolder, setup: Setup) -> Iterator[BlockRecord]:
    """Begin here; once the second block has shown how long a block takes, begin a pool if it is worth it.

    The quickest block is the measure: the first warms up, and one of them holds exact results as well.
    """
    quickest = math.inf
    for place, block in enumerate(left):
        done = workshop.do(block, folder)
        yield done
        quickest = min(quickest, done.seconds)
        rest = left[place + 1 :]
        if place >= 1 and len(rest) > 1 and quickest * len(rest) > WORTH_A_POOL:
            yield from _in_pool(rest, setup, cores())
            return


def _in_pool(left: Sequence[Block], setup: Setup, workers: int) -> Iterator[BlockRecord]:
    workers = min(workers, len(left))
    with pool(workers) as executor:
        yield from on_executor(tasks_of(left, workers), executor, partial(work, setup), capacity=lambda: workers)


def _attended(labour: Labour, executor: Executor) -> Callable[[], int]:
    """How many tasks the executor does at a time; that nobody is there to do one is said once, until somebody is."""
    capacity, said = capacity_of(executor, labour.workers), False

    def asked() -> int:
        nonlocal said
        there = capacity()
        if not there and not said and labour.say is not None:
            labour.say("no worker is there: the run waits for one to join")
        said = not there
        return there

    return asked


def _at_a_distance(
    left: Sequence[Block], folder: RunFolder, setup: Setup, executor: Executor, capacity: Callable[[], int]
) -> Iterator[BlockRecord]:
    """Have the blocks done by workers that may not see the run folder; they are written to it here."""
    from bacclab.tournament.workers import distant
    from bacclab.tournament.workers.luggage import pack

    tasks = tasks_of(left, max(1, capacity()), most=distant.MOST_BLOCKS)
    ordered = distant.order(setup, pack(setup.experiment, setup.plugins))
    with contextlib.closing(on_executor(tasks, executor, partial(distant.work, ordered), capacity=capacity)) as parcels:
        for parcel in parcels:
            yield parcel.deliver(folder)


def _compiled_before() -> bool:
    from bacclab.kernels import is_cached
    from bacclab.shoes import dealer_kernels

    return is_cached(dealer_kernels.deal)
