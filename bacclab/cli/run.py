"""`bacclab run`: play an experiment."""

from __future__ import annotations

from typing import Annotated

import typer

from bacclab.cli.call import call_of
from bacclab.cli.options import ConfigFile, ConfigSets, Lang, NoReport, Quiet, RunAsJson, RunOut
from bacclab.cli.output import aside, note
from bacclab.cli.progress import Progress


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab run experiments/classics.toml --set table.maximum=200 --seed 7")(run)


def run(
    context: typer.Context,
    config: ConfigFile,
    sets: ConfigSets = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="The seed, over the file's.")] = None,
    sessions: Annotated[int | None, typer.Option("--sessions", metavar="N", help="Sessions, over the file's.")] = None,
    workers: Annotated[
        str | None,
        typer.Option(
            "--workers",
            metavar="N",
            help="Processes to use, or a place: dask:4, dask:tcp://HOST:8786, a plugin's NAME:ADDRESS. Left out: this "
            "process, and one a core when more than a few seconds are left.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="Play on the Dask cluster with this scheduler (tcp://HOST:PORT): the same as --workers ADDRESS.",
        ),
    ] = None,
    out: RunOut = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was interrupted.")] = False,
    no_report: NoReport = False,
    lang: Lang = "en",
    quiet: Quiet = False,
    as_json: RunAsJson = False,
) -> None:
    """Play an experiment: every bettor on the same rounds.

    Prints a summary, writes a run folder with the frames, and a page, report.html, that opens in any browser.
    """
    from bacclab.runs import run as play

    silent = quiet or as_json
    with aside(as_json=as_json), Progress("rounds played", quiet=silent) as progress:
        try:
            done = play(
                config,
                sets=sets or (),
                seed=seed,
                sessions=sessions,
                workers=place_asked(workers, scheduler),
                out=out,
                resume=resume,
                report=not no_report,
                lang=lang,
                progress=progress,
                say=progress.say,
                plugins=call_of(context).request,
            )
        except KeyboardInterrupt:
            progress.stop()
            note("finished blocks are kept: the same command with --resume goes on from there")
            raise
    from bacclab.cli.summary import emit_run

    emit_run(done, quiet=quiet, as_json=as_json)
    for line in done.warnings:
        note(f"warning: {line}")


def place_asked(workers: str | None, scheduler: str | None) -> str | None:
    """What the two options say together; a usage error for both."""
    if scheduler is None:
        if workers is not None and workers.strip("+-").isdigit() and int(workers) < 1:
            raise typer.BadParameter(f"workers must be at least 1, not {workers}")
        return workers
    if workers is not None:
        raise typer.BadParameter("--workers and --scheduler both say where to play: give one of them")
    return scheduler
