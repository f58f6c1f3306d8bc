"""From finished blocks to the frames of a run, in a stream: memory does not grow with the number of sessions.

Rows come bettor by bettor in the order of their names, block by block, and are cut anew into row groups of a fixed
size, so that the bytes of a file depend on the rows alone, not on blocks or workers.
"""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import polars as pl

from bacclab.tournament.files import FileRecord, record, write_atomically
from bacclab.tournament.folder.store import Slice
from bacclab.tournament.frames import EXACT_SCHEMAS, POINT_SHIFT, SCHEMAS, distribution_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from numpy.typing import NDArray

    from bacclab.tournament.folder.store import BlockRecord, RunFolder
    from bacclab.tournament.plan import Cell

ROW_GROUP = 65_536
"""Rows in a row group of every Parquet file."""

AHEAD = 1
"""Sums of histograms that are worked out while another one is written; each takes memory."""

TOGETHER = 4
"""Blocks that are read side by side: one by itself costs as much as ten thousand rows, more of them cost memory."""

HISTOGRAM_ROWS = 300_000
"""Rows of block histograms that are held before they are added up."""

SUM_ROWS = 1_000_000
"""Rows of the sum of histograms that are held: beyond it later checkpoints are left for another reading of blocks."""


Item = TypeVar("Item")
Done = TypeVar("Done")
Histogram = tuple["NDArray[np.uint64]", "NDArray[np.int64]"]


@dataclass(frozen=True, slots=True)
class Part:
    """What the rows of a cell are made from: the records of its blocks in order.

    ``names`` are the bettors that have results, sorted: rows of others are left out, whatever blocks hold of them.
    After the checkpoint ``last`` nothing happens. All of it can be sent to another process.
    """

    cell: int
    names: Sequence[str]
    checkpoints: NDArray[np.int64]
    last: int
    records: Sequence[BlockRecord]

    @classmethod
    def of(cls, cell: Cell, records: Sequence[BlockRecord], *, failed: Collection[str] = ()) -> Part:
        """The part of a cell with the records of its blocks, without the bettors that failed."""
        names = tuple(name for name in cell.names if name not in failed)
        return cls(cell.index, names, cell.checkpoints, last_point(cell, records), records)


@dataclass(frozen=True, slots=True)
class Reduction:
    """Everything that the frames are made from, cell by cell."""

    folder: RunFolder
    parts: Sequence[Part]

    def write(self, name: str) -> FileRecord:
        """Write one of the frames of which blocks hold parts."""
        rows = self.distribution() if name == "distribution" else self.rows(name)
        return write_frame(self.folder.path, name, rows)

    def rows(self, name: str) -> Iterator[pl.DataFrame]:
        """The rows of sessions or trajectories, sorted by their key."""
        return slices_of(name, ((bettor, part.records) for part in self.parts for bettor in part.names), self.folder)

    def distribution(self) -> Iterator[pl.DataFrame]:
        """The histograms of all blocks added up, sorted by their key."""
        wanted = [(part, bettor) for part in self.parts for bettor in part.names]
        begun = in_turn(wanted, lambda one: self._added_up(*one, first=0))
        for (part, bettor), (last, keys, sessions) in zip(wanted, begun, strict=True):
            yield from _rows(part, bettor, keys, sessions)
            while last <= part.last:
                last, keys, sessions = self._added_up(part, bettor, first=last)
                yield from _rows(part, bettor, keys, sessions)

    def _added_up(self, part: Part, bettor: str, *, first: int) -> tuple[int, *Histogram]:
        """The histograms of a bettor from a checkpoint on, as far as there is room for their sum."""
        some = (partial(self._histograms, bettor, blocks, first) for blocks in _together(part.records))
        return added_up(some, last=part.last + 1)

    def _histograms(self, bettor: str, blocks: Sequence[BlockRecord], first: int, last: int) -> list[Histogram]:
        """The histograms of some blocks at the checkpoints first ≤ point < last: keys and sessions of each."""
        places = []
        for done in blocks:
            whole, points = done.slices["distribution"][bettor], done.points[bettor]
            places.append(Slice(whole.file, whole.offset + sum(points[:first]), sum(points[first:last])))
        return [
            (rows["key"].to_numpy(writable=True), rows["sessions"].to_numpy(writable=True))
            for rows in self.folder.read_rows(places)
        ]


def slices_of(
    name: str, wanted: Iterable[tuple[str, Sequence[BlockRecord]]], folder: RunFolder
) -> Iterator[pl.DataFrame]:
    """The rows of bettors in finished blocks, one bettor and one block after the other."""
    groups = ((bettor, some) for bettor, records in wanted for some in _together(records))
    for slices in in_turn(groups, lambda one: folder.read_slices(name, *one)):
        yield from slices


def _together(records: Sequence[BlockRecord]) -> Iterator[Sequence[BlockRecord]]:
    """Blocks whose rows are read side by side."""
    return (records[first : first + TOGETHER] for first in range(0, len(records), TOGETHER))


def in_turn(items: Iterable[Item], work: Callable[[Item], Done]) -> Iterator[Done]:
    """What becomes of some items, in their order; while one is looked at, the next are worked on in threads."""
    waiting: deque[Future[Done]] = deque()
    with ThreadPoolExecutor(AHEAD) as threads:
        try:
            for item in items:
                waiting.append(threads.submit(work, item))
                if len(waiting) > AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            threads.shutdown(wait=True, cancel_futures=True)


def _rows(part: Part, bettor: str, keys: NDArray[np.uint64], sessions: NDArray[np.int64]) -> Iterator[pl.DataFrame]:
    """The rows of the distribution, a row group at a time."""
    for first in range(0, len(keys), ROW_GROUP):
        some = slice(first, first + ROW_GROUP)
        yield distribution_frame(keys[some], sessions[some], part.checkpoints, cell=part.cell, bettor=bettor)


def last_point(cell: Cell, records: Iterable[BlockRecord]) -> int:
    """The checkpoint after which nothing happens: the last one, or for shoes the first that no session goes beyond.

    How many rounds a shoe has is not known beforehand, so checkpoints are spread over the most that it could have.
    """
    if cell.horizon.rounds is not None:
        return len(cell.checkpoints) - 1
    longest = max((done.longest for done in records), default=0)
    return min(int(cell.checkpoints.searchsorted(longest)), len(cell.checkpoints) - 1)


def added_up(parts: Iterable[Callable[[int], Sequence[Histogram]]], *, last: int) -> tuple[int, *Histogram]:
    """Histograms added up, some at a time, for as many checkpoints before `last` as the sum has room for.

    Each part is asked for what it has before a checkpoint: keys that rise, and their sessions. Returns the checkpoint
    to go on with, and all keys, each once, with all its sessions.

    >>> one, other = (np.array([1, 5], np.uint64), np.array([10, 20])), (np.array([5, 7], np.uint64), np.array([2, 3]))
    >>> last, keys, sessions = added_up([lambda last: [one], lambda last: [other]], last=1)
    >>> last, keys.tolist(), sessions.tolist()
    (1, [1, 5, 7], [10, 22, 3])
    """
    held: list[Histogram] = []
    rows = 0
    for part in parts:
        some = part(last)
        held += some
        rows += sum(len(keys) for keys, _ in some)
        if rows > HISTOGRAM_ROWS:
            keys, sessions = _sum(held)
            last = _room(keys, last=last)
            there = int(keys.searchsorted(np.uint64(last) << np.uint64(POINT_SHIFT)))
            held, rows = [(keys[:there], sessions[:there])], 0
    return last, *_sum(held)


def _room(keys: NDArray[np.uint64], *, last: int) -> int:
    """The checkpoint before which rows are kept: half of them where there are too many, one checkpoint's at least."""
    if len(keys) <= SUM_ROWS:
        return last
    first, middle = (int(key) >> POINT_SHIFT for key in keys[[0, len(keys) // 2]])
    return max(first + 1, middle)


def _sum(held: Iterable[Histogram]) -> Histogram:
    """The sum of some histograms: the two shortest are added up first, so that long ones are gone through seldom."""
    numbers = itertools.count()
    queue = [(len(one[0]), next(numbers), one) for one in held]
    heapq.heapify(queue)
    while len(queue) > 1:
        (_, _, one), (_, _, other) = heapq.heappop(queue), heapq.heappop(queue)
        both = _merged(one, other)
        heapq.heappush(queue, (len(both[0]), next(numbers), both))
    return queue[0][2]


def _merged(one: Histogram, other: Histogram) -> Histogram:
    from bacclab.tournament.reduce_kernels import merge

    most = len(one[0]) + len(other[0])
    keys, sessions = np.empty(most, dtype=np.uint64), np.empty(most, dtype=np.int64)
    rows = merge(*one, *other, keys, sessions)
    return keys[:rows], sessions[:rows]


def write_frame(
    folder: Path, name: str, rows: Iterable[pl.DataFrame], *, schema: pl.Schema | None = None
) -> FileRecord:
    """Write a frame from rows that come in pieces of any size; the same rows give the same bytes."""
    schema = schema or SCHEMAS.get(name) or EXACT_SCHEMAS[name]
    path = folder / f"{name}.parquet"
    count = 0

    def counted() -> Iterator[pl.DataFrame]:
        nonlocal count
        for group in row_groups(rows, schema):
            count += group.height
            yield group

    write_atomically(path, lambda temporary: _sink(counted(), schema, temporary))
    return record(path, rows=count)


def row_groups(rows: Iterable[pl.DataFrame], schema: pl.Schema) -> Iterator[pl.DataFrame]:
    """The same rows in frames of ROW_GROUP rows each, the last one shorter (and at least one frame)."""
    held: list[pl.DataFrame] = [pl.DataFrame(schema=schema)]
    height = 0
    for piece in rows:
        held.append(piece.cast(dict(schema)).select(schema.names()))  # type: ignore[arg-type]
        height += piece.height
        if height >= ROW_GROUP:
            whole = pl.concat(held, rechunk=True)
            for first in range(0, height - height % ROW_GROUP, ROW_GROUP):
                yield whole.slice(first, ROW_GROUP)
            held, height = [whole.slice(height - height % ROW_GROUP)], height % ROW_GROUP
    yield pl.concat(held, rechunk=True)


def _sink(groups: Iterator[pl.DataFrame], schema: pl.Schema, path: Path) -> None:
    from polars.io.plugins import register_io_source

    def source(*pushed_down: object) -> Iterator[pl.DataFrame]:
        # Columns, a condition, a number of rows, a size of pieces: a query that only writes has none of the first
        # three.
        assert not any(pushed_down[:3])
        yield from groups

    lazy = register_io_source(source, schema=schema)
    lazy.sink_parquet(
        path, compression="zstd", compression_level=3, row_group_size=ROW_GROUP, maintain_order=True, engine="streaming"
    )
