"""`bacclab exact`: work an experiment out exactly."""

from __future__ import annotations

import typer

from bacclab.cli.call import call_of
from bacclab.cli.options import ConfigFile, ConfigSets, NoReport, Quiet, RunAsJson, RunOut
from bacclab.cli.output import aside, note
from bacclab.cli.progress import Progress


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab exact experiments/classics.toml --set rounds=200")(exact)


def exact(
    context: typer.Context,
    config: ConfigFile,
    sets: ConfigSets = None,
    out: RunOut = None,
    no_report: NoReport = False,
    quiet: Quiet = False,
    as_json: RunAsJson = False,
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
    from bacclab.cli.summary import emit_run

    emit_run(done, quiet=quiet, as_json=as_json, exact=done.manifest["exact"])
