"""`bacclab exact`: work an experiment out exactly."""

from __future__ import annotations

from typing import Annotated

import typer

from bacclab.cli.call import call_of
from bacclab.cli.output import aside, emit, emit_json, note
from bacclab.cli.progress import Progress


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab exact experiments/classics.toml --set rounds=200")(exact)


def exact(
    context: typer.Context,
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="An experiment file (TOML).")],
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Put a value over the file's; may be repeated."),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="The run folder; a new one under runs/ if left out.")
    ] = None,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no page.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no summary.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run folder and the summary as JSON.")] = False,
) -> None:
    """Work out exactly what `bacclab run` samples.

    The distribution of the bankroll, round by round, of every bettor that has a table of states; every round is drawn
    afresh from a full shoe. Writes the frames and the page of a run: probabilities stand for sessions, and the summary
    is of one session on average. Bettors that cannot be worked out are left out and named.
    """
    from bacclab.exact.run import exact as work_out

    with aside(as_json=as_json), Progress("rounds worked out", quiet=quiet or as_json) as progress:
        done = work_out(
            config,
            sets=sets or (),
            out=out,
            report=not no_report,
            progress=progress,
            plugins=call_of(context).request,
        )
    for line in done.warnings:
        note(f"warning: {line}")
    page = done.path / "report.html"
    if as_json:
        from bacclab.cli.summary import summary_rows

        found = {"report": str(page)} if page.exists() else {}
        emit_json({"run": str(done.path), "summary": summary_rows(done), "exact": done.manifest["exact"], **found})
    elif not quiet:
        from bacclab.cli.summary import show_summary

        show_summary(done)
        emit()
        emit(f"page: {page}" if page.exists() else f"run folder: {done.path}")
