"""The frames of a run as the app reads them: never a whole frame, only the rows of the bettor that is looked at.

Frames are sorted by cell and bettor and hold statistics of their row groups, so a condition on both reads a few groups.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import polars as pl

from bacclab.dashboard import exact
from bacclab.dashboard.app.slices import LazySlice
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.run_frames import Slice, apart, part_of
from bacclab.errors import ConfigError, StoreError
from bacclab.tournament.folder.store import RunFolder

if TYPE_CHECKING:
    from collections.abc import Hashable

    from bacclab.dashboard.app.folder import Entry, RunsFolder
    from bacclab.dashboard.language import Language

__all__ = ["Kept", "Runs", "Scanned", "ScannedRun"]

V = TypeVar("V")

SMALL = 300_000
"""A frame of at most so many rows is read once and taken apart, rather than searched for each bettor."""


class Kept(dict[Any, V]):
    """The last values that were worked out, by key; at most `most` of them."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self._order: OrderedDict[Hashable, None] = OrderedDict()
        self._lock = threading.Lock()
        self._making: dict[Any, threading.Lock] = {}

    def get_or(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of the key, made when there is none.

        >>> kept = Kept(2)
        >>> [kept.get_or(key, lambda key=key: key.upper()) for key in "abca"], len(kept)
        (['A', 'B', 'C', 'A'], 2)
        """
        found, there = self._found(key)
        if there:
            return found  # type: ignore[return-value]
        with self._lock:
            mine = self._making.setdefault(key, threading.Lock())
        with mine:  # charts that are drawn at one moment ask for the same rows: one of them reads
            found, there = self._found(key)
            if there:
                return found  # type: ignore[return-value]
            value = make()
            with self._lock:
                self[key] = value
                self._order[key] = None
                while len(self._order) > self.most:
                    del self[self._order.popitem(last=False)[0]]
                self._making.pop(key, None)
        return value

    def _found(self, key: Hashable) -> tuple[V | None, bool]:
        with self._lock:
            if key not in self._order:
                return None, False
            self._order.move_to_end(key)
            return self[key], True


class ScannedRun:
    """A complete run whose frames are read when they are asked for; its small ones are kept.

    StoreError if a frame is not of the size, the rows and the columns that were written; digests take too long here.
    """

    def __init__(self, folder: RunsFolder, entry: Entry) -> None:
        self.path = entry.path
        self.manifest = folder.manifest(entry)
        self._folder = folder
        self._entry = entry
        wrong = RunFolder(entry.path).broken_frame(self.manifest, digests=False)
        if wrong is not None:
            raise StoreError(wrong)

    @property
    def frames(self) -> tuple[str, ...]:
        """The names of the frames that the run holds."""
        return tuple(file.removesuffix(".parquet") for file in self.manifest["files"])

    @property
    def is_exact(self) -> bool:
        """Whether the run was worked out exactly, and not sampled."""
        return "exact" in self.manifest

    def scan(self, name: str) -> pl.LazyFrame:
        """A frame as a query; StoreError if its file is not the one that was written."""
        return pl.scan_parquet(self._folder.frame(self._entry, name), glob=False)

    @cached_property
    def summary(self) -> pl.DataFrame:
        """One row a cell and bettor."""
        return self.scan("summary").collect()

    @cached_property
    def comparisons(self) -> pl.DataFrame:
        """Every two bettors of a cell, compared on the same rounds."""
        return self.scan("comparisons").collect()

    @cached_property
    def cells(self) -> pl.DataFrame:
        """One row a cell."""
        return self.scan("cells").collect()

    @property
    def sessions(self) -> pl.DataFrame:
        """All sessions, for a chart of a plugin that asks for them."""
        return self.scan("sessions").collect()

    @property
    def distribution(self) -> pl.DataFrame:
        """All histograms, for a chart of a plugin that asks for them."""
        return self.scan("distribution").collect()

    @property
    def trajectories(self) -> pl.DataFrame:
        """The sample of sessions round by round, for a chart of a plugin that asks for it."""
        return self.scan("trajectories").collect()


class Scanned(Lookup):
    """A lookup that reads from the files the rows of one bettor in one cell at a time, and keeps the last of them."""

    run: ScannedRun

    #: Parts of frames that are kept; the largest, a distribution with ten thousand rows a checkpoint, has 25 MB.
    KEPT = 64

    @cached_property
    def _distributions(self) -> Mapping[tuple[Any, ...], pl.DataFrame]:  # type: ignore[override]
        return _Parts(self._distribution_of, self.KEPT)

    def _distribution_of(self, cell: int, bettor: str) -> pl.DataFrame:
        # Its key is the same in every row: two columns that take no room, in place of a million names.
        names = pl.Enum(sorted(self.positions))
        whose = (pl.col("cell") == cell) & (pl.col("bettor") == bettor)
        rows = (
            self.run.scan("distribution").filter(whose).select(pl.col("round").cast(pl.Int32), "bankroll", "sessions")
        )
        key = (pl.lit(cell, dtype=pl.Int32).alias("cell"), pl.lit(bettor, dtype=names).alias("bettor"))
        return rows.collect().select(*key, "round", "bankroll", "sessions")

    @cached_property
    def _paths(self) -> Mapping[tuple[Any, ...], pl.DataFrame]:  # type: ignore[override]
        return _Parts(lambda cell, bettor: self.rows("trajectories", cell, bettor), self.KEPT)

    @cached_property
    def _endings(self) -> Mapping[tuple[Any, ...], pl.DataFrame]:  # type: ignore[override]
        return _Parts(self._endings_of, self.KEPT)

    @cached_property
    def _finals(self) -> Mapping[tuple[Any, ...], pl.DataFrame]:  # type: ignore[override]
        return _Parts(self._finals_of, self.KEPT)

    @cached_property
    def _fates(self) -> Mapping[tuple[int, str], dict[int, str]]:  # type: ignore[override]
        return _Parts(self._fates_of, self.KEPT)

    @cached_property
    def _exact_rounds(self) -> Mapping[tuple[Any, ...], pl.DataFrame]:  # type: ignore[override]
        return _Parts(lambda cell, bettor: self.rows("exact_rounds", cell, bettor), self.KEPT)

    @cached_property
    def _exact_bands(self) -> Mapping[tuple[Any, ...], pl.DataFrame]:  # type: ignore[override]
        return _Parts(lambda cell, bettor: self.rows("exact_bands", cell, bettor), self.KEPT)

    def slice(self, *, cell: int | None = None, bettor: str | None = None) -> Slice:
        """One bettor in one cell, whose frames are read when they are asked for."""
        key = cell, bettor = self.whose(cell, bettor)
        parts = {
            "distribution": (self._distributions, "distribution"),
            "endings": (self._endings, "endings"),
            "finals": (self._finals, "finals"),
            "paths": (self._paths, "trajectories"),
            "exact_rounds": (self._exact_rounds, "exact_rounds"),
            "exact_bands": (self._exact_bands, "exact_bands"),
        }

        def read(name: str) -> Any:
            if name == "summary":
                return self._summaries[key]
            return self._fates.get(key, {}) if name == "fates" else part_of(parts[name][0], key, parts[name][1])

        return LazySlice(
            cell=cell,
            label=self.cells[cell],
            bettor=bettor,
            position=self.positions[bettor],
            start=self._starts[cell],
            rounds=self.checkpoints(cell)[-1],
            read=read,
        )

    def _tallied(self, column: str, cell: int, bettor: str) -> pl.DataFrame | None:
        found: pl.DataFrame | None = self._columns.get_or(
            (column, cell, bettor), lambda: super(Scanned, self)._tallied(column, cell, bettor)
        )
        return found

    @cached_property
    def _columns(self) -> Kept[pl.DataFrame | None]:
        return Kept(self.KEPT)

    @cached_property
    def _starts(self) -> dict[int, float]:
        """What the sessions of each cell begin with."""
        return {int(cell): float(start) for cell, start in self.run.cells.select("cell", "bankroll").iter_rows()}

    def checkpoints(self, cell: int) -> list[int]:
        """The rounds at which the histograms of a cell were kept."""
        found: list[int] = self._checkpoints.get_or(cell, lambda: self._rounds_of(cell))
        return found

    @cached_property
    def _checkpoints(self) -> Kept[list[int]]:
        return Kept(256)

    def _rounds_of(self, cell: int) -> list[int]:
        first = self.bettors(cell)[0]
        whose = (pl.col("cell") == cell) & (pl.col("bettor") == first)
        rounds = self.run.scan("distribution").filter(whose).select(pl.col("round").unique().sort()).collect()
        if not rounds.height:
            raise ConfigError(f"the run holds no bankrolls of {first!r} in cell {cell}", hint="run it again")
        return rounds["round"].to_list()

    def rows(self, name: str, cell: int, bettor: str) -> pl.DataFrame:
        """The rows of a frame that belong to a bettor in a cell; none where the run has no such frame."""
        if name not in self.run.frames:
            return pl.DataFrame()
        if self.run.manifest["files"][f"{name}.parquet"].get("rows", SMALL + 1) <= SMALL:
            parts = self._small.get_or(name, lambda: apart(self.run.scan(name).collect()))
            return parts.get((cell, bettor), pl.DataFrame())
        whose = (pl.col("cell") == cell) & (pl.col("bettor") == bettor)
        return self.run.scan(name).filter(whose).collect()

    @cached_property
    def _small(self) -> Kept[dict[tuple[Any, ...], pl.DataFrame]]:
        return Kept(16)

    def _endings_of(self, cell: int, bettor: str) -> pl.DataFrame:
        if self.run.is_exact:
            return exact.endings(self.rows("exact_rounds", cell, bettor))
        return self._grouped("endings", cell, bettor, "ended_round", pl.col("expected").sum())

    def _finals_of(self, cell: int, bettor: str) -> pl.DataFrame:
        if self.run.is_exact:
            return exact.finals(self.rows("exact_finals", cell, bettor))
        return self._grouped("finals", cell, bettor, "final")

    def _grouped(self, name: str, cell: int, bettor: str, by: str, *sums: pl.Expr) -> pl.DataFrame:
        if name in self.run.frames:
            return self.rows(name, cell, bettor)
        whose = (pl.col("cell") == cell) & (pl.col("bettor") == bettor)
        key = ("cell", "bettor", "ended_by", by)
        counts = (pl.len().cast(pl.Int64).alias("sessions"), *sums)
        grouped = self.run.scan("sessions").filter(whose).group_by(key).agg(*counts)
        return grouped.sort(key).collect(engine="streaming")

    def _fates_of(self, cell: int, bettor: str) -> dict[int, str]:
        paths = self._paths.get((cell, bettor))
        if paths is None:
            return {}
        some = paths["session"].unique().to_list()
        whose = (pl.col("cell") == cell) & (pl.col("bettor") == bettor) & pl.col("session").is_in(some)
        return dict(self.run.scan("sessions").filter(whose).select("session", "ended_by").collect().iter_rows())


class _Parts(Mapping[Any, Any]):
    """Parts of a frame by cell and bettor, each read when it is asked for; one without rows is not there."""

    def __init__(self, read: Callable[[int, str], Any], most: int) -> None:
        self._read = read
        self._kept: Kept[Any] = Kept(most)

    def __getitem__(self, key: Any) -> Any:
        found = self._kept.get_or(key, lambda: self._read(*key))
        if not len(found):
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[Any]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


class Runs:
    """The runs of a folder, opened; one whose manifest has changed is opened anew."""

    OPEN = 8

    def __init__(self, folder: RunsFolder, say: Language | None = None) -> None:
        self.folder = folder
        self._say = say
        self._open: Kept[Scanned] = Kept(self.OPEN)

    def open(self, run: str | None) -> Scanned:
        """The lookup of a complete run; StoreError for another."""
        entry = self.folder.find(run)
        return self._open.get_or(
            (entry.id, entry.signature), lambda: Scanned(ScannedRun(self.folder, entry), language=self._say)
        )
