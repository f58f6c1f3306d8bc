"""From finished blocks to the frames of a run, in a stream: memory does not grow with the number of sessions.

Rows come bettor by bettor in the order of their names, block by block, and are cut anew into row groups of a fixed
size, so that the bytes of a file depend on the rows alone, not on blocks or workers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from bacclab.tournament.files import FileRecord, record, write_atomically
from bacclab.tournament.frames import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bacclab.tournament.plan import Cell
    from bacclab.tournament.store import BlockRecord, RunFolder

ROW_GROUP = 65_536
"""Rows in a row group of every Parquet file."""

HISTOGRAM_ROWS = 1_000_000
"""Rows of block histograms that are added up at a time."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """Everything that the frames are made from: cells, and for each the records of its blocks in order."""

    folder: RunFolder
    cells: Sequence[Cell]
    records: Sequence[Sequence[BlockRecord]]

    def write(self, name: str) -> FileRecord:
        """Write one of the frames of which blocks hold parts."""
        rows = self.distribution() if name == "distribution" else self.rows(name)
        return write_frame(self.folder.path, name, rows)

    def rows(self, name: str) -> Iterator[pl.DataFrame]:
        """The rows of sessions or trajectories, sorted by their key."""
        for cell, records in zip(self.cells, self.records, strict=True):
            for bettor in cell.names:
                for done in records:
                    part = self.folder.read_slice(name, bettor, done)
                    if part is not None:
                        yield part

    def distribution(self) -> Iterator[pl.DataFrame]:
        """The histograms of all blocks added up, sorted by their key."""
        for cell, records in zip(self.cells, self.records, strict=True):
            kept = last_point(cell, records) + 1
            for bettor in cell.names:
                sizes = [sum(done.points[bettor][point] for done in records) for point in range(kept)]
                for first, last in _ranges(sizes, HISTOGRAM_ROWS):
                    parts = (self._histograms(bettor, done, first, last) for done in records)
                    yield added_up(parts, cell=cell.index, bettor=bettor)

    def _histograms(self, bettor: str, done: BlockRecord, first: int, last: int) -> pl.DataFrame:
        """The histograms of a block at the checkpoints first ≤ point < last."""
        place = done.slices["distribution"][bettor]
        points = done.points[bettor]
        rows = self.folder.read_rows(place, place.offset + sum(points[:first]), sum(points[first:last]))
        return rows.select("round", "bankroll", "sessions")


def last_point(cell: Cell, records: Iterable[BlockRecord]) -> int:
    """The checkpoint after which nothing happens: the last one, or for shoes the first that no session goes beyond.

    How many rounds a shoe has is not known beforehand, so checkpoints are spread over the most that it could have.
    """
    if cell.horizon.rounds is not None:
        return len(cell.checkpoints) - 1
    longest = max((done.longest for done in records), default=0)
    return min(int(cell.checkpoints.searchsorted(longest)), len(cell.checkpoints) - 1)


def added_up(parts: Iterable[pl.DataFrame], *, cell: int, bettor: str) -> pl.DataFrame:
    """Histograms added up, sorted by round and bankroll, as rows of the distribution."""
    total: pl.DataFrame | None = None
    held: list[pl.DataFrame] = []
    for part in parts:
        held.append(part)
        if sum(h.height for h in held) > HISTOGRAM_ROWS:
            total, held = _sum([*([] if total is None else [total]), *held]), []
    total = _sum([*([] if total is None else [total]), *held])
    return total.select(
        pl.lit(cell, dtype=pl.Int64).alias("cell"), pl.lit(bettor).alias("bettor"), "round", "bankroll", "sessions"
    )


def _sum(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(parts).group_by("round", "bankroll").agg(pl.col("sessions").sum()).sort("round", "bankroll")


def _ranges(sizes: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Consecutive positions in groups whose sizes add up to at most ``most``, or of one position.

    >>> list(_ranges([3, 3, 9, 1, 1], 6))
    [(0, 2), (2, 3), (3, 5)]
    """
    first = total = 0
    for position, size in enumerate(sizes):
        if position > first and total + size > most:
            yield first, position
            first, total = position, 0
        total += size
    if sizes:
        yield first, len(sizes)


def write_frame(folder: Path, name: str, rows: Iterable[pl.DataFrame]) -> FileRecord:
    """Write a frame from rows that come in pieces of any size; the same rows give the same bytes."""
    path = folder / f"{name}.parquet"
    count = 0

    def counted() -> Iterator[pl.DataFrame]:
        nonlocal count
        for group in row_groups(rows, SCHEMAS[name]):
            count += group.height
            yield group

    write_atomically(path, lambda temporary: _sink(counted(), SCHEMAS[name], temporary))
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
        # Columns, a condition, a number of rows, a size of pieces: a query that only writes has none of the first three.
        assert not any(pushed_down[:3])
        yield from groups

    lazy = register_io_source(source, schema=schema)
    lazy.sink_parquet(
        path, compression="zstd", compression_level=3, row_group_size=ROW_GROUP, maintain_order=True, engine="streaming"
    )
