"""The formats to which a run can be exported, as they come with bacclab: one file for each frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from bacclab.errors import StoreError
from bacclab.memory import too_large
from bacclab.plugins.extensions import Exporter
from bacclab.tournament.csv_out import for_csv, without_minus_zero
from bacclab.tournament.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

__all__ = ["EXPORTERS"]


class Frames(Protocol):
    """The part of a run that is exported."""

    @property
    def frames(self) -> tuple[str, ...]:
        """The names of its frames."""

    def scan(self, name: str) -> pl.LazyFrame:
        """A frame as a query."""


def _csv(frame: pl.LazyFrame, path: Path) -> None:
    for_csv(frame).sink_csv(path)


def _parquet(frame: pl.LazyFrame, path: Path) -> None:
    frame.sink_parquet(path)


def _json(frame: pl.LazyFrame, path: Path) -> None:
    # One list, so it cannot be written piece by piece; and polars says nothing when the last piece finds the disk full.
    path.write_text(without_minus_zero(frame).collect().write_json(), encoding="utf-8")


def _refuse_large(frame: pl.LazyFrame, path: Path) -> None:
    import polars as pl

    rows = frame.select(pl.len()).collect().item()
    large = too_large(rows, len(frame.collect_schema()))
    if large is not None:
        raise StoreError(f"{path} cannot be written: {large}", hint="csv and parquet are written piece by piece")


def _write(
    run: Frames, folder: Path, *, suffix: str, sink: Callable[[pl.LazyFrame, Path], None], in_memory: bool = False
) -> list[Path]:
    written = []
    for name in run.frames:
        path = folder / f"{name}.{suffix}"
        frame = run.scan(name)
        if in_memory:
            _refuse_large(frame, path)
        write_atomically(path, partial(sink, frame))
        written.append(path)
    return written


EXPORTERS: Final = (
    Exporter(
        "csv",
        "A CSV file for each frame; what is undefined is empty, and no text is a formula.",
        partial(_write, suffix="csv", sink=_csv),
    ),
    Exporter("parquet", "A Parquet file for each frame.", partial(_write, suffix="parquet", sink=_parquet)),
    Exporter(
        "json",
        "A JSON file for each frame: a list of rows.",
        partial(_write, suffix="json", sink=_json, in_memory=True),
    ),
)
