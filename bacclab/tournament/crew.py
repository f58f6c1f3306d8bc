"""Those who do the work of a run: this process, worker processes beside it, or an executor elsewhere."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from bacclab.tournament.workers.executors import (
    Setup,
    aside,
    capacity_of,
    cores,
    death_told,
    in_process,
    on_executor,
    pool,
    ready,
    tasks_of,
    work,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Executor
    from types import TracebackType

    from bacclab.tournament.folder.store import BlockRecord, RunFolder
    from bacclab.tournament.job import Job
    from bacclab.tournament.plan import Block, Plan
    from bacclab.tournament.workers.work import Overlay, Workshop

Progress = Callable[[int, int], None]
"""Told the rounds that are done and those that there are, over all cells."""

WORTH_A_POOL = 4.0
"""Seconds of work left above which more processes are begun: each takes two to be ready, on a busy machine more."""

SURE = 5 * WORTH_A_POOL
"""The same where only the first block tells, which may have taken seconds to warm up."""

MANY = 1_000_000_000
"""Rounds of bettors above which nobody waits for the first block: however played, they take more than ten seconds."""

Done = TypeVar("Done")


@contextlib.contextmanager
def helpers(job: Job, planned: Plan, overlay: Overlay | None, *, workers: int | None) -> Iterator[Executor | None]:
    """Worker processes beside this one for a run of so many; they make themselves ready while this one does.

    None where one process is enough. Where `workers` leaves it open, a long run has one a core; others wait and see.
    """
    if workers is None:
        rounds = sum(cell.sessions * cell.max_rounds * len(cell.bettors) for cell in planned.cells)
        workers = cores() if rounds > MANY else 1
    beside = min(workers, planned.block_count) - 1
    if not beside:
        yield None
        return
    setup = _setup(job, overlay, Path())  # the run has no folder yet, and to be ready none is needed
    with pool(beside) as executor:
        with death_told():
            for _ in range(beside):
                executor.submit(ready, setup)
        yield executor


@dataclass(frozen=True, slots=True)
class Labour:
    """How the blocks are done, and who is told."""

    workers: int | None
    executor: Executor | None
    progress: Progress | None
    say: Callable[[str], None] | None = None


@dataclass(slots=True, kw_only=True)
class Crew:
    """Does blocks and what else can be done beside this process; leaving its context ends the processes it began."""

    folder: RunFolder
    job: Job
    workshop: Workshop
    labour: Labour
    resumed: bool
    others: Executor | None = None
    """The worker processes beside this one, once there are any."""
    begun: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __enter__(self) -> Crew:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        return self.begun.__exit__(kind, error, trace)

    @property
    def setup(self) -> Setup:
        """What a worker needs to know."""
        return _setup(self.job, self.workshop.overlay, self.folder.path)

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

    def meanwhile(self, do: Callable[[], Done]) -> Callable[[], Done]:
        """Have something done by another process, if there is one; what is returned waits for what comes of it.

        Where there is none, it is done here when it is asked for.
        """
        if self.others is None:
            return cache(do)
        with death_told():
            future = self.others.submit(aside, do)

        def result() -> Done:
            with death_told():
                return future.result()

        return result

    def dismiss(self) -> None:
        """Let the processes that were begun beside this one end; leaving the context waits until they have."""
        if self.others is not None:
            self.others.shutdown(wait=False)

    def _done(self, left: Sequence[Block]) -> Iterator[BlockRecord]:
        labour = self.labour
        if labour.executor is not None:
            yield from self._at_a_distance(left, labour.executor)
        elif len(left) == 1 or (labour.workers or cores()) == 1:
            yield from in_process(left, self.workshop, self.folder)
        elif labour.workers is None and self.others is None:
            yield from self._as_needed(left)
        else:
            yield from self._together(left, labour.workers or cores())

    def _as_needed(self, left: Sequence[Block]) -> Iterator[BlockRecord]:
        """Begin here; once a block or two have shown how long they take, have others help if it is worth it.

        The quicker one is the measure: the first warms up.
        """
        quickest = math.inf
        for place, block in enumerate(left):
            done = self.workshop.do(block, self.folder)
            yield done
            quickest = min(quickest, done.seconds)
            rest = left[place + 1 :]
            if len(rest) > 1 and quickest * len(rest) > (WORTH_A_POOL if place else SURE):
                yield from self._together(rest, cores())
                return

    def _together(self, left: Sequence[Block], workers: int) -> Iterator[BlockRecord]:
        """Have blocks done by so many processes: this one, and others that are begun unless they are there already."""
        beside = min(workers, len(left)) - 1
        if self.others is None:
            self.others = self.begun.enter_context(pool(beside))
        yield from on_executor(
            tasks_of(left, beside + 1),
            self.others,
            partial(work, self.setup),
            capacity=lambda: beside,
            here=partial(in_process, workshop=self.workshop, folder=self.folder),
        )

    def _at_a_distance(self, left: Sequence[Block], executor: Executor) -> Iterator[BlockRecord]:
        """Have the blocks done by workers that may not see the run folder; they are written to it here."""
        from bacclab.tournament.workers import distant
        from bacclab.tournament.workers.luggage import pack

        setup, capacity = self.setup, _attended(self.labour, executor)
        tasks = tasks_of(left, max(1, capacity()), most=distant.MOST_BLOCKS)
        do = partial(distant.work, distant.order(setup, pack(setup.experiment, setup.plugins)))
        with contextlib.closing(on_executor(tasks, executor, do, capacity=capacity)) as parcels:
            for parcel in parcels:
                yield parcel.deliver(self.folder)


def _setup(job: Job, overlay: Overlay | None, folder: Path) -> Setup:
    return Setup(job.experiment, job.loaded.request, job.loaded.hashes, folder.resolve(), job.fingerprint, overlay)


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
