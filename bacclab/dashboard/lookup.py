"""What a run holds about one bettor in one cell: the frames taken apart once, then found by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.run_frames import Slice, apart, part_of
from bacclab.errors import ConfigError, nearest

if TYPE_CHECKING:
    import polars as pl

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.numbers import Array
    from bacclab.dashboard.run_frames import RunFrames
    from bacclab.plugins.registry import Registry

__all__ = ["Lookup", "registry_of"]

TALLIED_AT_ONCE = 1_000_000
"""In a run with more sessions than these (of all bettors together) each bettor is counted by itself."""


class _Played:
    """A run without the bettors that failed: its summary has no rows of nulls."""

    def __init__(self, run: RunFrames) -> None:
        self._run = run
        self.summary = run.summary.filter(run.summary["failed"].is_null())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._run, name)


class Lookup:
    """The frames of a run by cell and bettor; each frame is taken apart once, when it is first asked for.

    `failed` are bettors without results: the reason by cell and bettor. The summary is that of the others.
    """

    def __init__(self, run: RunFrames, *, language: Language | None = None) -> None:
        self._language = language
        summary = run.summary
        rows = summary.filter(summary["failed"].is_not_null()) if "failed" in summary.columns else summary.clear()
        self.failed = {(int(row["cell"]), str(row["bettor"])): str(row["failed"]) for row in rows.iter_rows(named=True)}
        self.run: RunFrames = _Played(run) if self.failed else run

    @classmethod
    def of(cls, run: RunFrames | Lookup) -> Lookup:
        """A lookup of the run; one that is a lookup already is left as it is."""
        return run if isinstance(run, Lookup) else cls(run)

    @cached_property
    def language(self) -> Language:
        """The language in which figures and words of the run are written; English unless another was chosen."""
        if self._language is not None:
            return self._language
        from bacclab.dashboard.language import ENGLISH, language

        return language(ENGLISH)

    @cached_property
    def cells(self) -> dict[int, str]:
        """The cells and their labels; the label is empty when there is but one."""
        frame = self.run.cells
        if frame.height <= 1:
            return {int(cell): "" for cell in self.run.summary["cell"].unique().sort()}
        names = frame["label"] if "label" in frame.columns else frame["cell"].cast(str)
        return {int(cell): str(name) for cell, name in zip(frame["cell"], names, strict=True)}

    @cached_property
    def positions(self) -> dict[str, int]:
        """The bettors in the order of the experiment; it decides their colour."""
        played = self.run.summary["bettor"].unique(maintain_order=True).to_list()
        config = self.run.manifest.get("experiment") or {}
        listed = config.get("bettor", ()) if isinstance(config, Mapping) else ()
        wanted = [row.get("name") for row in listed if isinstance(row, Mapping)]
        order = [*(name for name in wanted if name in played), *(name for name in played if name not in wanted)]
        return {str(name): k for k, name in enumerate(order)}

    def bettors(self, cell: int) -> list[str]:
        """The bettors that played in a cell, in the order of the experiment."""
        return self._played.get(cell, [])

    @cached_property
    def _played(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for cell, bettor in sorted(self._summaries, key=lambda key: (key[0], self.positions[key[1]])):
            found.setdefault(cell, []).append(bettor)
        return found

    def slice(self, *, cell: int | None = None, bettor: str | None = None) -> Slice:
        """One bettor in one cell; by default the first of each.

        Raises ConfigError, with the nearest name, for a cell or a bettor that is not in the run.
        """
        key = cell, bettor = self.whose(cell, bettor)
        distribution = part_of(self._distributions, key, "distribution")
        return Slice(
            cell=cell,
            label=self.cells[cell],
            bettor=bettor,
            position=self.positions[bettor],
            start=float(distribution["bankroll"][0]),
            rounds=int(distribution["round"][-1]),
            summary=self._summaries[key],
            distribution=distribution,
            endings=part_of(self._endings, key, "endings"),
            finals=part_of(self._finals, key, "finals"),
            paths=part_of(self._paths, key, "trajectories"),
            fates=self._fates.get(key, {}),
            exact_rounds=part_of(self._exact_rounds, key, "exact_rounds"),
            exact_bands=part_of(self._exact_bands, key, "exact_bands"),
        )

    def whose(self, cell: int | None, bettor: str | None) -> tuple[int, str]:
        """The cell and the bettor that are meant, the first of each where none is named; ConfigError as `slice`."""
        cell = self.cell(cell)
        names = self.bettors(cell)
        bettor = names[0] if bettor is None else bettor
        if bettor not in names:
            close = nearest(bettor, names)
            raise ConfigError(f"no bettor {bettor!r} in this run", hint=f"did you mean {close!r}?" if close else None)
        return cell, bettor

    def summary(self, cell: int, bettor: str) -> Mapping[str, Any]:
        """The row of the summary of one bettor in one cell."""
        return self._summaries[cell, bettor]

    def tally(self, column: str, part: Slice) -> tuple[Array, Array]:
        """The values of a column of the sessions of one bettor in one cell in their order, and how many have each.

        Both are empty in a run without single sessions, or without the column.
        """
        import numpy as np

        found = self._tallied(column, part.cell, part.bettor)
        if found is None:
            return np.zeros(0), np.zeros(0)
        return found[column].to_numpy(), found["sessions"].to_numpy()

    def _tallied(self, column: str, cell: int, bettor: str) -> pl.DataFrame | None:
        """The values and how many have each: of a large run only the rows of this bettor are read, else all."""
        import polars as pl

        query = self.query("sessions")
        if column not in query.collect_schema().names():
            return None
        if query.select(pl.len()).collect().item() > TALLIED_AT_ONCE:
            return self._counted(query.filter((pl.col("cell") == cell) & (pl.col("bettor") == bettor)), column)
        if column not in self._tallies:
            frame = self._counted(query, column)
            self._tallies[column] = apart(frame) if frame.height else {}
        return self._tallies[column].get((cell, bettor))

    @cached_property
    def _tallies(self) -> dict[str, dict[tuple[Any, ...], pl.DataFrame]]:
        return {}

    @staticmethod
    def _counted(query: pl.LazyFrame, column: str) -> pl.DataFrame:
        import polars as pl

        key = ["cell", "bettor", column]
        counted = query.group_by(key).agg(pl.len().cast(pl.Int64).alias("sessions"))
        return counted.filter(pl.col(column).is_not_null()).sort(key).collect(engine="streaming")

    def query(self, name: str) -> pl.LazyFrame:
        """A frame as a query: straight from its file where the run has one, so that it need not fit into memory."""
        scan = getattr(self.run, "scan", None)
        query: pl.LazyFrame = getattr(self.run, name).lazy() if scan is None else scan(name)
        return query

    @cached_property
    def worked_out(self) -> dict[Any, Any]:
        """What charts worked out that more than one cell needs, under keys of their own."""
        return {}

    def pairs(self, part: Slice) -> list[dict[str, Any]]:
        """The comparisons of one bettor in one cell, as rows by name."""
        key = (part.cell, part.bettor)
        first, second = self._pairs
        return [row for side in (first, second) if key in side for row in side[key].iter_rows(named=True)]

    def cell(self, cell: int | None) -> int:
        """The cell asked for, or the first one; ConfigError if there is none of that number."""
        if cell is None:
            return next(iter(self.cells))
        if cell not in self.cells:
            raise ConfigError(f"no cell {cell} in this run", hint=f"cells are {min(self.cells)} to {max(self.cells)}")
        return cell

    @cached_property
    def _summaries(self) -> dict[tuple[int, str], dict[str, Any]]:
        return {(int(row["cell"]), str(row["bettor"])): row for row in self.run.summary.iter_rows(named=True)}

    @cached_property
    def _distributions(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        import polars as pl

        # The largest frame of a page: half the memory with a number for each name and short whole numbers.
        names = pl.Enum(sorted(self.positions))
        short = {"cell": pl.Int32, "bettor": names, "round": pl.Int32}
        return apart(self.query("distribution").cast(short).collect(engine="streaming"))  # type: ignore[arg-type]

    @cached_property
    def _paths(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        return apart(self.run.trajectories)

    @cached_property
    def _fates(self) -> dict[tuple[int, str], dict[int, str]]:
        import polars as pl

        sample = self.run.trajectories["session"].unique().to_list()
        rows = self.query("sessions").filter(pl.col("session").is_in(sample))
        found: dict[tuple[int, str], dict[int, str]] = {}
        for cell, bettor, session, how in rows.select("cell", "bettor", "session", "ended_by").collect().iter_rows():
            found.setdefault((cell, bettor), {})[session] = how
        return found

    @cached_property
    def _endings(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        import polars as pl

        if self._is_exact:
            from bacclab.dashboard import exact

            return apart(exact.endings(self.run.exact_rounds))  # type: ignore[attr-defined]
        if self._holds("endings"):
            return apart(self.query("endings").collect())
        grouped = (
            self.query("sessions")
            .group_by("cell", "bettor", "ended_by", "ended_round")
            .agg(pl.len().cast(pl.Int64).alias("sessions"), pl.col("expected").sum())
        )
        return apart(grouped.sort("cell", "bettor", "ended_by", "ended_round").collect(engine="streaming"))

    @cached_property
    def _finals(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        import polars as pl

        if self._is_exact:
            from bacclab.dashboard import exact

            return apart(exact.finals(self.run.exact_finals))  # type: ignore[attr-defined]
        if self._holds("finals"):
            return apart(self.query("finals").collect())
        grouped = (
            self.query("sessions")
            .group_by("cell", "bettor", "ended_by", "final")
            .agg(pl.len().cast(pl.Int64).alias("sessions"))
        )
        return apart(grouped.sort("cell", "bettor", "ended_by", "final").collect(engine="streaming"))

    @property
    def _is_exact(self) -> bool:
        return bool(getattr(self.run, "is_exact", False))

    @cached_property
    def _exact_rounds(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        frame = getattr(self.run, "exact_rounds", None)
        return {} if frame is None else apart(frame)

    @cached_property
    def _exact_bands(self) -> dict[tuple[Any, ...], pl.DataFrame]:
        frame = getattr(self.run, "exact_bands", None)
        return {} if frame is None else apart(frame)

    @cached_property
    def _pairs(self) -> tuple[dict[tuple[Any, ...], pl.DataFrame], dict[tuple[Any, ...], pl.DataFrame]]:
        frame = self.run.comparisons
        if not frame.height:
            return {}, {}
        return frame.partition_by("cell", "bettor_a", as_dict=True), frame.partition_by(
            "cell", "bettor_b", as_dict=True
        )

    def _holds(self, name: str) -> bool:
        """Whether the run has a frame that not every run has."""
        return name in getattr(self.run, "frames", ())


def registry_of(run: Any) -> Registry:
    """What is registered for a run; the built-ins alone where it does not say."""
    found: Registry | None = getattr(run, "registry", None)
    if found is None:
        from bacclab.plugins.loader import load_plugins

        found = load_plugins(allow=()).registry
    return found
