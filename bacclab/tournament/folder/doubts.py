"""Frames that are not what they should be: told by file and column, when something that reads them fails.

A frame that was damaged by accident is found by its digest. One that was made to look whole, with a digest of its own,
is looked into only when a reader stumbles over it, so whole runs cost nothing.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Protocol

from bacclab.errors import BacclabError, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import polars as pl

__all__ = ["Folder", "doubt", "doubting", "misshapen"]

_KEYS = ("cell", "bettor", "bettor_a", "bettor_b", "session", "round", "bankroll", "sessions", "ended_by",
         "ended_round",
         "final", "label", "outcome", "shoe", "probability", "net", "staked")  # fmt: skip
_MAY_BE_NULL = {
    "summary": {"sessions", "net", "staked"},  # of a bettor that failed, of an exact run
    "cells": {"sessions", "rounds", "shoes"},
    "comparisons": {"sessions"},
    "confirmation": set(_KEYS) - {"cell", "bettor"},
}
_UNIQUE = {
    "summary": ("cell", "bettor"), "sessions": ("cell", "bettor", "session"), "cells": ("cell",),
    "distribution": ("cell", "bettor", "round", "bankroll"), "trajectories": ("cell", "bettor", "session", "round"),
    "comparisons": ("cell", "bettor_a", "bettor_b"), "endings": ("cell", "bettor", "ended_by", "ended_round"),
    "finals": ("cell", "bettor", "ended_by", "final"), "exact_rounds": ("cell", "bettor", "round"),
    "exact_bands": ("cell", "bettor", "round"), "exact_ruin": ("cell", "bettor"),
    "exact_finals": ("cell", "bettor", "ended_by", "final"), "confirmation": ("cell", "bettor"),
}  # fmt: skip
_COUNTED = ("session", "sessions", "round", "ended_round", "shoe", "bets", "rounds", "probability")


class Folder(Protocol):
    """A run as far as it is looked into."""

    @property
    def path(self) -> Path:
        """Its folder."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What it says of itself."""


@contextlib.contextmanager
def doubting(*runs: Folder) -> Iterator[None]:
    """Tell a fault as a StoreError that names the file, if one of the runs is not what it should be; else leave it."""
    try:
        yield
    except BacclabError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # it stands above Exception
            raise
        for run in runs:
            found = doubt(run)
            if found is not None:
                raise StoreError(found, hint="run the experiment again: it gives the same frames") from error
        raise


def misshapen(path: Path, name: str, *, rows: int, exact: bool) -> str | None:
    """What is wrong with the columns or the number of rows of a frame's file, without reading them."""
    import polars as pl

    from bacclab.tournament.frames import EXACT_SCHEMAS, SCHEMAS

    order = (EXACT_SCHEMAS, SCHEMAS) if exact else (SCHEMAS, EXACT_SCHEMAS)
    wanted = order[0].get(name) or order[1].get(name)
    try:
        found = pl.read_parquet_schema(path)
        held = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        return f"{path} cannot be read: {' '.join(str(error).split())[:200]}"
    if held != rows:
        return f"{path} is damaged: {held:,} rows where {rows:,} were written"
    for column, kind in (wanted or {}).items():
        if column not in found:
            return f"{path} is damaged: it has no column {column!r}"
        if found[column] != kind:
            return f"{path} is damaged: its column {column!r} is of the kind {found[column]}, not {kind}"
    odd = next((column for column, kind in found.items() if kind.is_nested() or not column), None)
    return None if odd is None else f"{path} is damaged: nothing is known of its column {odd!r}"


def doubt(run: Folder) -> str | None:
    """What is wrong with the first frame that is not what it should be, in words; None if nothing is found."""
    import polars as pl

    cells = [cell["cell"] for cell in run.manifest["cells"]]
    if cells != list(range(len(cells))):
        return f"{run.path} is damaged: its manifest numbers the cells {cells[:20]}"
    names = [row["name"] for row in run.manifest["experiment"].get("bettor", ()) if "name" in row]
    for file, record in run.manifest["files"].items():
        name, path = file.removesuffix(".parquet"), run.path / file
        found = misshapen(path, name, rows=record["rows"], exact="exact" in run.manifest)
        if found is None:
            try:
                found = _values(name, pl.scan_parquet(path, glob=False), cells=len(cells), bettors=names)
            except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
                found = f"it cannot be read: {' '.join(str(error).split())[:200]}"
            found = None if found is None else f"{path} is damaged: {found}"
        if found is not None:
            return found
    return _figures(run)


def _values(name: str, rows: pl.LazyFrame, *, cells: int, bettors: list[str]) -> str | None:
    """What is wrong with the values of a frame."""
    import polars as pl

    schema = rows.collect_schema()
    free = _MAY_BE_NULL.get(name, set())
    wrong: dict[str, pl.Expr] = {}
    for column, kind in schema.items():
        here = pl.col(column)
        if column in _KEYS and column not in free:
            wrong[f"nothing in the column {column!r}"] = here.is_null().any()
        if kind.is_float():
            wrong[f"a value that is no number in the column {column!r}"] = (~here.is_finite()).any()
        if column in _COUNTED and kind.is_numeric():
            wrong[f"a negative value in the column {column!r}"] = (here < 0).any()
        if column == "cell":
            wrong["a cell that the manifest does not have"] = (~here.is_between(0, cells - 1)).any()
        if column.startswith("bettor") and bettors:
            wrong["a bettor that the experiment does not have"] = (~here.is_in(bettors)).any()
    found = rows.select(expression.alias(words) for words, expression in wrong.items()).collect(engine="streaming")
    told = next((words for words, is_so in found.row(0, named=True).items() if is_so), None) if wrong else None
    if told is not None:
        return f"it has {told}"
    key = [column for column in _UNIQUE.get(name, ()) if column in schema]
    if key:
        counted = rows.select(pl.len().alias("all"), pl.struct(key).n_unique().alias("different")).collect()
        if counted["all"][0] != counted["different"][0]:
            return f"two rows have the same {', '.join(key)}"
        if not rows.select(key).collect().equals(rows.select(key).sort(key).collect()):
            return f"its rows are not sorted by {', '.join(key)}"
    return None


def _column(run: Folder, name: str, column: str) -> pl.Series:
    import polars as pl

    path = run.path / f"{name}.parquet"
    return (
        pl.read_parquet(path, columns=[column], glob=False)[column]
        if path.name in run.manifest["files"]
        else pl.Series()
    )


def _figures(run: Folder) -> str | None:
    """A bettor of the summary of whom another frame that should have it holds nothing."""
    import polars as pl

    whose = ("cell", "bettor")
    files = run.manifest["files"]
    if "summary.parquet" not in files:
        return f"{run.path} has no frame summary"
    summary = pl.read_parquet(run.path / "summary.parquet", glob=False)
    there = summary.filter(pl.col("failed").is_null()).select(whose)
    for name, cells in (("summary", there["cell"]), ("cells", _column(run, "cells", "cell"))):
        lost = set(range(len(run.manifest["cells"]))).difference(cells.to_list())
        if lost:
            return f"{run.path / name}.parquet is damaged: it holds nothing of cell {min(lost)}"
    needed = ["distribution", *([] if "exact" in run.manifest else ["sessions", "endings", "finals"])]
    for name in needed:
        if f"{name}.parquet" not in files:
            return f"{run.path} has no frame {name}"
        held = pl.scan_parquet(run.path / f"{name}.parquet", glob=False).select(whose).unique().collect()
        if there.join(held, on=list(whose), how="anti").height:
            return f"{run.path / name}.parquet is damaged: it holds nothing of a bettor of the summary"
    return None
