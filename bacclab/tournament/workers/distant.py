"""Blocks done by workers that share nothing with this process: no folder, no files, perhaps no machine.

What a worker needs is sent to it once it has work: the experiment, and plugins and inputs by content. What it has done
comes back as a parcel, and this process alone writes to the run folder. So a worker that is lost leaves nothing behind,
and a block that another one does again counts once.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import shutil
import sys
import tempfile
import threading
import weakref
import zlib
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from bacclab._version import __version__
from bacclab.errors import BacclabError
from bacclab.tournament.workers.executors import THREAD_LIMITS, WorkerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.tournament.folder.store import BlockRecord, RunFolder
    from bacclab.tournament.plan import Block
    from bacclab.tournament.workers.executors import Setup
    from bacclab.tournament.workers.luggage import Luggage
    from bacclab.tournament.workers.work import Workshop

__all__ = ["MOST_BLOCKS", "Order", "Parcel", "module_missing", "order", "versions", "work"]

MOST_BLOCKS = 8
"""Blocks that are sent back together: they are held in memory on the way, and are lost with their worker."""


@dataclass(slots=True)
class Parcel:
    """A finished block: its record, and its files in the order in which they are put: what makes it count is last."""

    files: dict[str, bytes] = field(default_factory=dict)
    record: BlockRecord | None = None

    def put(self, name: str, data: bytes) -> None:
        """Keep a file."""
        self.files[name] = data

    def deliver(self, folder: RunFolder) -> BlockRecord:
        """Put the files into the run folder; returns the record of the block, which counts now."""
        assert self.record is not None
        for name, data in self.files.items():
            folder.put(name, data)
        return self.record


@dataclass(frozen=True, slots=True)
class Order:
    """What every worker is told: versions that it must have, and, to be read only after, what it needs to begin."""

    versions: Mapping[str, str]
    packed: bytes = field(repr=False)

    @property
    def token(self) -> str:
        """Names the order: a worker that has begun on it need not begin again."""
        return hashlib.sha256(self.packed).hexdigest()


def order(setup: Setup, luggage: Luggage) -> Order:
    """The order for workers: all that is needed to do any block of an experiment."""
    return Order(versions(), zlib.compress(pickle.dumps((setup, luggage)), 1))


def versions() -> dict[str, str]:
    """What must be the same in all processes, so that the bytes are.

    >>> versions()["Python"].count("."), "numba" in versions()
    (1, True)
    """
    found = {"bacclab": __version__, "Python": ".".join(platform.python_version_tuple()[:2])}
    for name in ("numba", "numpy", "polars", "pydantic"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # pragma: no cover - something is there in its place
            found[name] = "unknown"
    return found


def work(order: Order, task: tuple[Block, ...]) -> list[Parcel]:
    """Do some blocks in a worker; each of its threads keeps a workshop from task to task."""
    workshop = _workshop(order)
    parcels = []
    for block in task:
        parcel = Parcel()
        parcel.record = workshop.do(block, parcel)
        parcels.append(parcel)
    return parcels


class _Folder:
    """A folder for what was sent, which goes with the workshop that uses it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="bacclab-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


class _Bench(threading.local):
    """The one workshop of a thread of a worker. Bettors keep what they know between rounds, so threads share none."""

    token = ""
    workshop: Workshop | None = None
    folder: _Folder | None = None


_BENCH = _Bench()
_BEGINNING = threading.Lock()  # plugins are imported by one thread at a time


def _workshop(order: Order) -> Workshop:
    if _BENCH.workshop is None or _BENCH.token != order.token:
        with _BEGINNING:
            _BENCH.workshop = _begun(order)
            _BENCH.token = order.token
    return _BENCH.workshop


def _begun(order: Order) -> Workshop:
    _refuse_other_versions(order.versions)
    if "polars" not in sys.modules:  # a thread a core in each of several workers would only be in each other's way
        for name in THREAD_LIMITS:
            os.environ.setdefault(name, "1")
    setup, luggage = pickle.loads(zlib.decompress(order.packed))  # from the process that this worker works for
    try:
        _BENCH.folder = _Folder()
        request, moved = luggage.unpack(setup.plugins, _BENCH.folder.path)
        begun: Workshop = setup.workshop(request, moved)
    except OSError as error:
        raise WorkerError(f"a worker on {platform.node()} cannot unpack its files: {error}") from error
    return begun


def _refuse_other_versions(expected: Mapping[str, str]) -> None:
    own = versions()
    other = [
        f"{name} {own.get(name, 'unknown')} in place of {text}"
        for name, text in expected.items()
        if own.get(name) != text
    ]
    if other:
        raise WorkerError(
            f"a worker on {platform.node()} has {', '.join(other)}",
            hint="install the same versions everywhere: results would not be the same to the byte",
        )


def module_missing(error: ModuleNotFoundError, where: str) -> BacclabError:
    """What is told when a worker, or the scheduler on the way to it, lacks a module."""
    return WorkerError(
        f"{where} cannot import {error.name or error}",
        hint=f"install bacclab {__version__} there, with the packages of its plugins",
    )
