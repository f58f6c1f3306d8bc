"""`bacclab report`: the page of a run, in one file."""

from __future__ import annotations

from typing import Annotated

import typer

from bacclab.cli.call import call_of
from bacclab.cli.options import Lang
from bacclab.cli.output import emit, emit_json


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab report runs/classics -o classics.html --lang pt")(report)


def report(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run folder.")],
    out: Annotated[
        str | None, typer.Option("-o", "--out", metavar="FILE", help="Where to write; RUN/report.html if left out.")
    ] = None,
    lang: Lang = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the name of the file as JSON.")] = False,
) -> None:
    """Write a run's page: one offline HTML file."""
    from bacclab.runs import load_run

    path = load_run(run, registry=call_of(context).load().registry).report(out, lang=lang)
    if as_json:
        emit_json({"report": str(path)})
    else:
        emit(str(path))
