"""`bacclab export`: the frames of a run for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bacclab.cli.call import call_of
from bacclab.cli.output import emit, emit_json
from bacclab.errors import StoreError

_ENDINGS = (".csv", ".parquet", ".json", ".html")
"""Who gives one of these to a folder takes it for a file."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab export runs/classics --to csv -o tables")(export)


def export(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run folder.")],
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="csv, parquet, json, or a format that a plugin brings.")
    ],
    out: Annotated[str, typer.Option("-o", "--out", metavar="DIR", help="Where to write; made if it is not there.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the names of the files as JSON.")] = False,
) -> None:
    """Write a run's frames for other programs.

    One file for each frame. Money is in currency units; what is undefined is empty (null). In CSV a text that a
    spreadsheet would take as a formula (it begins with =, +, - or @) has an apostrophe in front; numbers stay numbers.
    """
    from bacclab.runs import load_run
    from bacclab.tournament.folder.doubts import doubting
    from bacclab.tournament.folder.store import MANIFEST

    exporter = call_of(context).load().registry.get("exporters", to).item
    loaded = load_run(run)
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{out} is not a folder", hint="-o names a folder")
    if not folder.exists() and folder.suffix.lower() in _ENDINGS:
        raise StoreError(f"{out} is the name of a file", hint=f"-o names a folder, such as {folder.with_suffix('')}")
    if (folder / MANIFEST).exists():  # the run there would lose its own frames
        raise StoreError(f"{out} is a run folder", hint=f"name another, such as -o {Path(out) / 'tables'}")
    folder.mkdir(parents=True, exist_ok=True)
    with doubting(loaded):
        written = [str(path) for path in exporter.write(loaded, folder)]
    if as_json:
        emit_json({"files": written})
    else:
        for line in written:
            emit(line)
