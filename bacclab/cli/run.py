"""`bacclab run`: play an experiment."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from bacclab.cli.call import Call, call_of
from bacclab.cli.output import aside, emit, emit_json, note
from bacclab.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor


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
        int | None,
        typer.Option(
            "--workers",
            metavar="N",
            help="Processes to use. Left out: this one, and one a core when more than a few seconds are left.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="Where to play: a Dask scheduler (tcp://HOST:PORT), or NAME:ADDRESS of a plugin's place.",
        ),
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="The run folder; a new one under runs/ if left out.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was interrupted.")] = False,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no page.")] = False,
    lang: Annotated[
        str, typer.Option("--lang", metavar="CODE", help="Language of the page: en, el, pl, pt, sv.")
    ] = "en",
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress, no summary.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run folder and the summary as JSON.")] = False,
) -> None:
    """Play an experiment: every bettor on the same rounds.

    Prints a summary, writes a run folder with the frames, and a page, report.html, that opens in any browser.
    """
    from bacclab.runs import run as play

    silent = quiet or as_json
    call = call_of(context)
    with (
        aside(as_json=as_json),
        scheduled(scheduler, call) as executor,
        Progress("rounds played", quiet=silent) as progress,
    ):
        try:
            done = play(
                config,
                sets=sets or (),
                seed=seed,
                sessions=sessions,
                workers=workers,
                executor=executor,
                out=out,
                resume=resume,
                report=not no_report,
                lang=lang,
                progress=progress,
                say=progress.say,
                plugins=call.request,
            )
        except KeyboardInterrupt:
            progress.stop()
            note("finished blocks are kept: the same command with --resume goes on from there")
            raise
    page = done.path / "report.html"
    if as_json:
        from bacclab.cli.summary import summary_rows

        found = {"report": str(page)} if page.exists() else {}
        emit_json({"run": str(done.path), "summary": summary_rows(done), **found})
    elif not quiet:
        from bacclab.cli.summary import show_summary

        show_summary(done)
        emit()
        emit(f"page: {page}" if page.exists() else f"run folder: {done.path}")
    for line in done.warnings:
        note(f"warning: {line}")


@contextmanager
def scheduled(address: str | None, call: Call) -> Iterator[Executor | None]:
    """An executor of the place that `address` names (``NAME`` or ``NAME:REST``, or a Dask scheduler); None without one."""
    if address is None:
        yield None
        return
    name, _, rest = address.partition(":")
    if rest.startswith("//"):  # tcp://…, tls://…
        name, rest = "dask", address
    place = call.load().registry.get("executors", name).item
    with place.open(rest) as executor:
        yield executor
