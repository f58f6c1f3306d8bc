"""Blocks on a Dask cluster: one that is there already, by its scheduler's address, or workers begun here.

Dask hands a task to another worker when one is lost, and to workers that join later. What it says of its own troubles
becomes one line here.
"""

from __future__ import annotations

import contextlib
import logging
import time
from concurrent.futures import CancelledError, Executor
from typing import TYPE_CHECKING, Any

from bacclab.errors import BacclabError, ConfigError
from bacclab.tournament.workers.distant import module_missing
from bacclab.tournament.workers.executors import THREAD_LIMITS, WorkerError, hidden_main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

__all__ = ["DaskExecutor", "dask_cluster"]

PATIENCE = 5
"""Seconds in which a scheduler must answer."""

FRESH = 1.0
"""Seconds for which the number of workers is believed."""

DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What a worker begun here runs first: Ctrl-C reaches the whole group, and the parent decides."""


class DaskExecutor(Executor):
    """The executor of a Dask client; it knows how many tasks the cluster does at a time."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor(pure=False)  # a block is a block: nothing is looked up by its arguments
        self._threads, self._until = 0, 0.0

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a function called by a worker."""
        future: Future[Any] = self._executor.submit(function, *args, **kwargs)
        return future

    def capacity(self) -> int:
        """The threads of all workers that are there now."""
        if time.monotonic() >= self._until:
            self._threads = sum(self._client.nthreads().values())
            self._until = time.monotonic() + FRESH
        return self._threads

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """Give back what is not done."""
        self._executor.shutdown(wait=wait and not cancel_futures)


@contextlib.contextmanager
def dask_cluster(address: str) -> Iterator[Executor]:
    """The executor of the scheduler at an address, or of so many workers begun here (``4``)."""
    try:
        import distributed
    except ImportError as error:
        raise ConfigError("Dask is not installed", hint="pip install 'bacclab[dask]'") from error
    if not address:
        raise ConfigError(
            "dask: where is the scheduler?", hint="write dask:tcp://HOST:8786, or dask:4 for 4 workers here"
        )
    with _quiet(), contextlib.ExitStack() as stack:
        if address.isascii() and address.isdigit():
            where = "of this machine"
            scheduler = stack.enter_context(_workers_here(int(address)))
        else:
            where, scheduler = f"at {address}", address
        try:
            client = distributed.Client(scheduler, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ConfigError(f"there is no Dask scheduler {where}: {' '.join(str(error).split())}") from error
        stack.enter_context(client)
        with _told(where, distributed):
            yield DaskExecutor(client)


@contextlib.contextmanager
def _told(where: str, distributed: Any) -> Iterator[None]:
    """Say in a line what became of workers or of the scheduler."""
    kept = "finished blocks are kept: go on with --resume"
    try:
        yield
    except BacclabError:
        raise
    except distributed.scheduler.KilledWorker as error:
        raise WorkerError(
            f"a task was given up: each worker that had it was lost (out of memory?): {' '.join(str(error).split())}",
            hint=kept,
        ) from error
    except (ModuleNotFoundError, RuntimeError) as error:
        if (missing := _missing(error)) is None:
            raise
        raise module_missing(missing, f"the Dask cluster {where}") from error
    except (
        CancelledError,
        distributed.client.FutureCancelledError,
        distributed.comm.CommClosedError,
        TimeoutError,
    ) as error:
        raise WorkerError(f"the Dask scheduler {where} was lost", hint=kept) from error


def _missing(error: BaseException | None) -> ModuleNotFoundError | None:
    """What a worker could not import, or a scheduler, which opens what is sent through it and tells it its own way."""
    while error is not None and not isinstance(error, ModuleNotFoundError):
        error = error.__cause__
    return error


@contextlib.contextmanager
def _workers_here(count: int) -> Iterator[Any]:
    """A scheduler and workers of one thread each on this machine."""
    import dask
    import distributed

    if count < 1:
        raise ConfigError(f"dask:{count}: how many workers?", hint="write dask:4")
    # Set before a worker imports anything: one process a core is enough.
    limits = dict.fromkeys(THREAD_LIMITS, "1")
    with dask.config.set({"distributed.nanny.pre-spawn-environ": limits}):
        with hidden_main():
            cluster = distributed.LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                preload=[DEAF],
            )
        with cluster:
            yield cluster


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Dask's own log says in many lines, with tracebacks, what is told here in one."""
    logs = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.split(".")[0] == "distributed"]
    levels = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for log, level in zip(logs, levels, strict=True):
            log.setLevel(level)
