"""Who does the blocks: this process, a pool of worker processes, or any `concurrent.futures` executor.

Workers are spawned, never forked (a fork hangs once polars has run). They get the experiment and the list of plugins,
not objects: each builds its own registry and checks that the plugins' files are the ones that the run began with.
This module imports nothing heavy, because a worker must limit its threads before polars and numpy are imported.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import types
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import wait as wait_for
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from bacclab.errors import BacclabError
from bacclab.memory import want_of_memory_told

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
    from pathlib import Path

    from bacclab.plugins.loader import PluginRequest
    from bacclab.tournament.experiment.config import Experiment
    from bacclab.tournament.folder.store import BlockRecord, RunFolder
    from bacclab.tournament.plan import Block
    from bacclab.tournament.workers.work import Overlay, Workshop

Task: TypeAlias = "tuple[Block, ...]"
Done = TypeVar("Done")

THREAD_LIMITS = (
    "POLARS_MAX_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


CELLS_A_WORKER = 4
"""With this many cells for each worker, a worker gets whole cells."""


A_WHILE = 1.0
"""Seconds after which a wait for finished work looks up."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a worker builds its workshop from; everything in it can be sent to another process."""

    experiment: Experiment
    plugins: PluginRequest
    hashes: dict[str, str]
    folder: Path
    token: str
    overlay: Overlay | None

    def workshop(self, plugins: PluginRequest | None = None, moved: Mapping[str, str] | None = None) -> Workshop:
        """The workshop of this process; where files lie elsewhere than at home, with other paths."""
        from bacclab.plugins.loader import reload_plugins
        from bacclab.tournament.workers.work import Workshop

        loaded = reload_plugins(plugins or self.plugins, expected=self.hashes)
        return Workshop(self.experiment, loaded.registry, self.overlay, loaded.request.strict, moved=moved or {})


def cores() -> int:
    """How many processors this process may use."""
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_process(blocks: Iterable[Block], workshop: Workshop, folder: RunFolder) -> Iterator[BlockRecord]:
    """Do the blocks here, one after the other."""
    for block in blocks:
        yield workshop.do(block, folder)


@contextlib.contextmanager
def pool(workers: int) -> Iterator[Executor]:
    """A pool of spawned workers; leaving it early (an error, Ctrl-C) stops the workers at once."""
    context = _Context()
    with _fewer_told():
        executor = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin)
    try:
        yield executor
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in context.started():
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
        for process in context.started():  # an executor that was told to end before does not wait for them
            process.join()


def on_executor(
    tasks: Iterable[Task],
    executor: Executor,
    do: Callable[[Task], list[Done]],
    *,
    capacity: Callable[[], int],
    here: Callable[[Task], Iterable[Done]] | None = None,
) -> Generator[Done]:
    """Do the tasks on an executor, a few ahead of those that are finished; what they give comes as they finish.

    ``capacity`` says how many are done at a time; it is asked again and again, since workers may come and go. With
    ``here`` this process does not only wait but does tasks too, and looks after the others between them.
    """
    queue = deque(tasks)
    running: set[Future[list[Done]]] = set()
    try:
        with death_told():
            while queue or running:
                most = _at_a_time(capacity(), left=len(queue), helped=here is not None)
                while queue and len(running) < most:
                    running.add(executor.submit(do, queue.popleft()))
                if queue and here is not None:
                    yield from here(queue.popleft())
                    done = {future for future in running if future.done()}
                else:
                    # A while at a time: new workers are given work soon, and Ctrl-C is heard whichever thread the
                    # system tells of it.
                    done, _ = wait(running, timeout=A_WHILE, return_when=FIRST_COMPLETED)
                running -= done
                for future in done:
                    yield from future.result()
    finally:
        for future in running:
            future.cancel()


def _at_a_time(capacity: int, *, left: int, helped: bool) -> int:
    """How many tasks an executor has at a time: more than it can do, so that none of its workers waits for the next.

    Where this process helps, that is so only while there are plenty: the last ones go to whoever is free.
    """
    if not helped:
        return 2 * capacity + 1
    return 2 * capacity if left > 2 * (capacity + 1) else capacity


@contextlib.contextmanager
def death_told() -> Iterator[None]:
    """Tell in words that a worker process died."""
    try:
        yield
    except BrokenProcessPool as error:
        raise WorkerError(
            f"a worker process ended without a word (killed, or out of memory?): {error}",
            hint="finished blocks are kept: go on with --resume, perhaps with fewer --workers",
        ) from error


@contextlib.contextmanager
def _fewer_told() -> Iterator[None]:
    """Tell in words that the system has no room for another process: too many of them, or of open files."""
    try:
        yield
    except OSError as error:
        what = f"a worker process cannot be begun: {error.strerror or error}"
        raise WorkerError(what, hint="ask for fewer --workers") from error


def capacity_of(executor: Executor, workers: int | None) -> Callable[[], int]:
    """How many tasks an executor does at a time: what its method `capacity` says, or `workers`, or the cores here."""
    own: Callable[[], int] | None = getattr(executor, "capacity", None)
    return own if own is not None else lambda: workers or cores()


def tasks_of(blocks: Iterable[Block], workers: int, *, most: int | None = None) -> list[Task]:
    """What is given to a worker at a time: a block, or the blocks of a whole cell (at most `most`) if cells are enough.

    To make a cell ready takes time, so each cell should go to one worker if that keeps all of them busy.
    """
    cells: dict[int, list[Block]] = {}
    for block in blocks:
        cells.setdefault(block.cell, []).append(block)
    size = 1
    if len(cells) >= CELLS_A_WORKER * workers:
        size = most or max(map(len, cells.values()))
    return [tuple(cell[first : first + size]) for cell in cells.values() for first in range(0, len(cell), size)]


class WorkerError(BacclabError):
    """A worker process died, or could not be begun."""


_WORKSHOPS: dict[str, Workshop] = {}  # of a worker process; its one workshop, by token


def work(setup: Setup, task: Task) -> list[BlockRecord]:
    """Do some blocks in a worker, which keeps its workshop from task to task."""
    from bacclab.tournament.folder.store import RunFolder

    with want_of_memory_told():
        workshop = _workshop(setup)
        return [workshop.do(block, RunFolder(setup.folder)) for block in task]


def ready(setup: Setup) -> None:
    """Make a worker ready for the blocks that will come; what goes wrong is told by the first of them.

    What has never been compiled on this machine is left to the process that began the run, or all would do it at once.
    """
    from bacclab.tournament.workers.work import compiled_before

    with contextlib.suppress(BacclabError), want_of_memory_told():
        workshop = _workshop(setup)
        if compiled_before():
            workshop.prepare(0)


def _workshop(setup: Setup) -> Workshop:
    if setup.token not in _WORKSHOPS:
        _WORKSHOPS.clear()
        _WORKSHOPS[setup.token] = setup.workshop()
    return _WORKSHOPS[setup.token]


def aside(do: Callable[[], Done]) -> Done:
    """Do something else than blocks in a worker."""
    with want_of_memory_told():
        return do()


def _begin() -> None:
    """The first thing that a worker does, before anything heavy is imported."""
    for name in THREAD_LIMITS:  # one process a core is enough; libraries would start a thread a core in each
        os.environ[name] = "1"
    sys.stdout = sys.stderr  # what a bettor prints must not get between the lines of a command's output
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    """End this worker when its parent has ended, even if that was killed: nobody would fetch the result."""
    wait_for([sentinel])
    os._exit(1)


class _Process(SpawnProcess):
    """A spawned process that does not run the user's script again.

    Python would import the main script in each worker, and a script without ``if __name__ == "__main__"`` would start
    the whole run again in each. Workers need nothing from it: plugins come from their own files.
    """

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 - the name is multiprocessing's
        with _fewer_told(), hidden_main():
            return SpawnProcess._Popen(process_obj)


class _Context(SpawnContext):
    """Spawns such processes and remembers them, so that they can be stopped."""

    def __init__(self) -> None:
        super().__init__()
        self._made: list[SpawnProcess] = []

    def Process(self, *args: Any, **options: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = _Process(*args, **options)
        self._made.append(process)
        return process

    def started(self) -> list[SpawnProcess]:
        """Its processes, without one that was made but could not be begun: that can be neither ended nor waited for."""
        return [process for process in self._made if process.pid is not None]


_HIDING = threading.Lock()


@contextlib.contextmanager
def hidden_main() -> Iterator[None]:
    """Hide the main script while a process is begun; runs in several threads take turns and put back the real one."""
    with _HIDING:
        main = sys.modules["__main__"]
        sys.modules["__main__"] = types.ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
