"""`bacclab query`: SQL over the frames of runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.options import AsJson
from bacclab.cli.output import Column, emit, emit_json, emit_table

if TYPE_CHECKING:
    import polars as pl

    from bacclab.runs import Run


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog='Example: bacclab query "select bettor, median from summary order by median" runs/classics')(
        query
    )


def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="A question; the tables are the frames of the runs.")],
    runs: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN]...", help="Run folders; the newest under runs/ if left out.")
    ] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Ask the frames of runs a question in SQL.

    Tables: summary, sessions, distribution, trajectories, comparisons, cells and whatever else a run holds. With
    several runs each has a column `run` in front. Nothing but these frames can be read.
    """
    from bacclab.analysis.query import query as ask

    answer = ask(sql, labelled(runs or [_newest()]))
    if as_json:
        emit_json(answer.to_dicts())
    elif as_csv:
        from bacclab.tournament.csv_out import for_csv

        emit(for_csv(answer).write_csv().rstrip("\n"))
    else:
        _print(answer)


def labelled(paths: list[str]) -> list[tuple[str, Run]]:
    """Each run with a name of its own: that of its folder, or its whole path where two folders are called alike."""
    from bacclab.errors import StoreError
    from bacclab.runs import load_run

    places = [Path(path).resolve() for path in paths]
    twice = next((path for path, place in zip(paths, places, strict=True) if places.count(place) > 1), None)
    if twice is not None:
        raise StoreError(f"the run {twice} is named twice", hint="its rows would count twice")
    names = [Path(path).name for path in paths]
    labels = [path if names.count(name) > 1 else name for path, name in zip(paths, names, strict=True)]
    return [(label, load_run(path, verify=False)) for label, path in zip(labels, paths, strict=True)]


def _newest() -> str:
    from bacclab.errors import StoreError
    from bacclab.runs import ROOT
    from bacclab.tournament.folder.store import MANIFEST

    found = sorted(ROOT.glob(f"*/{MANIFEST}"), key=lambda path: path.stat().st_mtime)
    if not found:
        raise StoreError(f"there is no run under {ROOT}", hint="name a run folder behind the question")
    return str(found[-1].parent)


def _print(answer: pl.DataFrame) -> None:
    columns = [Column(name, number=kind.is_numeric()) for name, kind in answer.schema.items()]
    emit_table(columns, [tuple(map(_shown, row)) for row in answer.iter_rows()])


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:z,.6g}" if abs(value) < 1 else f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
