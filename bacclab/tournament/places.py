"""The places where blocks are played, as they come with bacclab: worker processes here, or a Dask cluster."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from bacclab.errors import ConfigError
from bacclab.extensions import Workers
from bacclab.tournament.executors import cores, pool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

__all__ = ["PLACES"]


@contextlib.contextmanager
def _processes(address: str) -> Iterator[Executor]:
    if address and not (address.isascii() and address.isdigit() and int(address) > 0):
        raise ConfigError(f"processes:{address}: how many processes?", hint="write processes:4")
    with pool(int(address) if address else cores()) as executor:
        yield executor


@contextlib.contextmanager
def _dask(address: str) -> Iterator[Executor]:
    try:
        import distributed
    except ImportError as error:
        raise ConfigError("--scheduler needs Dask", hint="pip install 'bacclab[dask]'") from error
    if not address:
        raise ConfigError("dask: where is the scheduler?", hint="write dask:tcp://HOST:8786")
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise ConfigError(f"there is no Dask scheduler at {address}: {' '.join(str(error).split())}") from error
    with client:
        yield client.get_executor()


PLACES: Final = (
    Workers("processes", "Worker processes on this machine; processes:4 says how many.", _processes),
    Workers("dask", "A Dask cluster, by the address of its scheduler.", _dask),
)
