"""`bacclab run`: play an experiment."""

from __future__ import annotations

from typing import Annotated

import typer

from bacclab.cli.output import emit, emit_json, note
from bacclab.cli.progress import Progress
from bacclab.cli.session import session_of


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab run experiments/classics.toml --set table.maximum=200 --seed 7")(run)


def run(
    context: typer.Context,
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="An experiment file (TOML).")],
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Put a value over the file's; may be repeated."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="The seed, over the file's.")] = None,
    sessions: Annotated[int | None, typer.Option("--sessions", metavar="N", help="Sessions, over the file's.")] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Processes to use; as many as cores if left out.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler, for several machines.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="The run folder; a new one under runs/ if left out.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was interrupted.")] = False,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no page.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no summary.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run folder and the summary as JSON.")] = False,
) -> None:
    """Play an experiment: every bettor on the same rounds.

    Prints a summary, writes a run folder with the frames, and a page, report.html, that opens in any browser.
    """
