"""The places where blocks are played, as they come with bacclab: worker processes here, or a Dask cluster."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Final

from bacclab.errors import ConfigError
from bacclab.plugins.extensions import Workers
from bacclab.tournament.workers.executors import cores, pool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from bacclab.plugins.registry import Registry

__all__ = ["PLACES", "number_of", "place"]

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


@contextlib.contextmanager
def _processes(address: str) -> Iterator[Executor]:
    if address and not (address.isascii() and address.isdigit() and int(address) > 0):
        raise ConfigError(f"processes:{address}: how many processes?", hint="write processes:4")
    with pool(int(address) if address else cores()) as executor:
        yield executor


@contextlib.contextmanager
def _dask(address: str) -> Iterator[Executor]:
    from bacclab.tournament.workers.dask_place import dask_cluster

    with dask_cluster(address) as executor:
        yield executor


def number_of(workers: int | str | None) -> int | None:
    """The number of processes that is asked for; None where it is left open, or another place is asked for.

    >>> number_of("2"), number_of(None), number_of("dask:4")
    (2, None, None)
    """
    if workers is None or (isinstance(workers, str) and not _NUMBER.fullmatch(workers)):
        return None
    count = int(workers)
    if count < 1:
        raise ConfigError(f"workers must be at least 1, not {count}")
    return count


@contextlib.contextmanager
def place(workers: int | str | None, registry: Registry) -> Iterator[tuple[int | None, Executor | None]]:
    """What `workers` asks for: a number of processes (None: as many as it is worth), or the executor of a place.

    A place is ``ID`` or ``ID:ADDRESS``; an address alone (``tcp://…``, ``tls://…``) is a Dask scheduler's.

    >>> from bacclab.plugins.loader import load_plugins
    >>> with place("2", load_plugins(allow=()).registry) as found:
    ...     found
    (2, None)
    """
    count = number_of(workers)
    if count is None and isinstance(workers, str):
        name, _, rest = workers.partition(":")
        if rest.startswith("//"):
            name, rest = "dask", workers
        with registry.get("executors", name).item.open(rest) as executor:
            yield None, executor
        return
    yield count, None


PLACES: Final = (
    Workers("processes", "Worker processes on this machine; processes:4 says how many.", _processes),
    Workers("dask", "A Dask cluster by its scheduler, dask:tcp://HOST:8786; dask:4 begins 4 workers here.", _dask),
)
