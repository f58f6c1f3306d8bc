"""`bacclab dashboard`: the runs of a folder in the browser."""

from __future__ import annotations

import os
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bacclab.cli.call import call_of
from bacclab.cli.options import Lang
from bacclab.cli.output import emit, emit_json, note
from bacclab.cli.runs import note_runs_below
from bacclab.errors import ConfigError

if TYPE_CHECKING:
    from bacclab.cli.call import Call

LOOPBACK = "127.0.0.1"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab dashboard runs --port 8050")(dashboard)


def dashboard(
    context: typer.Context,
    folder: Annotated[str, typer.Argument(metavar="[DIR]", help="The folder with the run folders.")] = "runs",
    port: Annotated[int, typer.Option("--port", metavar="N", help="The port; 0 takes any that is free.")] = 8050,
    host: Annotated[
        str,
        typer.Option("--host", metavar="H", help="Where to listen. Another than this machine can only look on."),
    ] = LOOPBACK,
    experiments: Annotated[
        str | None,
        typer.Option("--experiments", metavar="DIR", help="Experiment files that can be started from the browser."),
    ] = None,
    lang: Lang = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the address and the folder as JSON.")] = False,
) -> None:
    """Show the runs of a folder in the browser: choose, compare, start, watch.

    The app listens on this machine only, reads nothing outside its folder and runs nothing that lies in it.
    """
    if find_spec("dash") is None:
        raise ConfigError("bacclab dashboard needs Dash", hint="pip install 'bacclab[dashboard]'")
    from bacclab.dashboard.app.context import Context
    from bacclab.dashboard.app.experiments import Experiments
    from bacclab.dashboard.app.folder import RunsFolder
    from bacclab.dashboard.app.jobs import Jobs
    from bacclab.dashboard.app.security import is_loopback
    from bacclab.dashboard.app.server import listening, make_app
    from bacclab.dashboard.language import language

    say = language(lang)
    runs = RunsFolder(Path(folder))
    shared = not is_loopback(host)
    call = call_of(context)
    jobs = None if shared else Jobs(runs, _options(call))
    place = Path(experiments) if experiments is not None else None
    files = None if shared else Experiments(runs.root, place)
    shown = Context(runs, jobs, files, call.load().registry, say)
    server = listening(make_app(shown, host=host), host=host, port=port)
    if shared:
        note(
            f"warning: everybody who reaches {host} can look at the runs in {folder}; nothing can be started from there"
        )
    address = f"http://{f'[{host}]' if ':' in host else host}:{server.server_port}/"
    if as_json:
        emit_json({"address": address, "folder": str(runs.root), "process": os.getpid()})
    else:
        emit(f"bacclab dashboard: {address}  (Ctrl-C ends it)")
        if not runs.entries():
            note(f"no runs in {runs.root}")
            note_runs_below(runs.root)
    sys.stdout.flush()  # also where a program waits for the address
    threading.Thread(target=shown.warm, daemon=True).start()
    try:
        server.serve_forever()
        raise KeyboardInterrupt  # werkzeug keeps the one that ended it to itself
    finally:
        server.server_close()
        for run in jobs.close() if jobs is not None else ():
            note(f"{run} was stopped; what it had finished is kept: bacclab run … --resume goes on from there")


def _options(call: Call) -> list[str]:
    """The global options of this call, for the runs that it starts."""
    options = [word for file in call.files for word in ("--plugin", file)]
    options += [word for directory in call.directories for word in ("--plugins-dir", directory)]
    options += [word for name in call.blocked for word in ("-p", f"no:{name}")]
    return [*options, *(["--strict-plugins"] if call.strict else [])]
