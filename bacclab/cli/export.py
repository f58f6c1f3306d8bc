"""`bacclab export`: the frames of a run for other tools."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bacclab.cli.output import emit, emit_json
from bacclab.errors import StoreError

if TYPE_CHECKING:
    import polars as pl


class Format(StrEnum):
    """What other tools read."""

    CSV = "csv"
    PARQUET = "parquet"
    JSON = "json"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab export runs/classics --to csv -o tables")(export)


def export(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run folder.")],
    to: Annotated[Format, typer.Option("--to", help="What to write.")],
    out: Annotated[str, typer.Option("-o", "--out", metavar="DIR", help="Where to write; made if it is not there.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the names of the files as JSON.")] = False,
) -> None:
    """Write a run's frames for other programs.

    One file for each frame. Money is in currency units; what is undefined is empty (null).
    """
    from bacclab.runs import load_run

    loaded = load_run(run)
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{out} is not a folder", hint="-o names a folder")
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in loaded.frames:
        path = folder / f"{name}.{to.value}"
        _write(loaded.scan(name), to, path)
        written.append(str(path))
    if as_json:
        emit_json({"files": written})
    else:
        for line in written:
            emit(line)


def _write(frame: pl.LazyFrame, to: Format, path: Path) -> None:
    """Write a frame piece by piece, except as JSON, which is one list."""
    from polars.exceptions import PolarsError

    try:
        if to is Format.CSV:
            frame.sink_csv(path)
        elif to is Format.PARQUET:
            frame.sink_parquet(path)
        else:
            frame.collect().write_json(path)
    except (PolarsError, OSError) as error:
        raise StoreError(f"{path} cannot be written: {' '.join(str(error).split())}") from error
