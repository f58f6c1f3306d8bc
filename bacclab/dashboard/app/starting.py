"""Starting an experiment from the browser, watching it, stopping it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from dash import Input, Output, State, no_update

from bacclab.dashboard.app.state import State as Looked
from bacclab.dashboard.app.state import address, path_of
from bacclab.errors import BacclabError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dash import Dash

    from bacclab.dashboard.app.context import Context

__all__ = ["Progress", "add_callbacks", "begun", "checked", "progress"]

WORDS = ("starting", "running", "interrupted", "failed")
"""States that the catalogues have a sentence for."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: in words, as a share, what its process said, and what can be done."""

    state: str
    words: str
    share: float = 0.0
    said: list[str] = field(default_factory=list)
    may_cancel: bool = False
    may_resume: bool = False


def checked(context: Context, text: str) -> tuple[bool, str]:
    """Whether a text is an experiment, and what it is in words; or the mistake as `bacclab run` tells it."""
    assert context.experiments is not None
    if not (text or "").strip():
        return False, ""
    try:
        found = context.experiments.checked(text)
    except BacclabError as error:
        return False, f"{error.message}\n  {error.hint}" if error.hint else error.message
    horizon, say = found.horizon, context.say
    length = (
        say.some("sentence.shoes", horizon.shoes or 0)
        if horizon.rounds is None
        else say.some("sentence.rounds", horizon.rounds)
    )
    return True, say(
        "app.checked",
        title=found.title or say("page.untitled"),
        bettors=say.some("app.bettors_n", len(found.bettors)),
        sessions=say.some("sentence.sessions", found.sessions),
        length=length,
        settings=f", {say.some('sentence.settings', found.cell_count)}" if found.cell_count > 1 else "",
    )


def begun(context: Context, file: str | None, text: str) -> str:
    """Start the experiment; returns the run. A file that was not changed is run where it stands."""
    assert context.experiments is not None
    assert context.jobs is not None
    if file is not None and context.experiments.text(file) == text:
        return context.jobs.start_file(context.experiments.path(file))
    experiment = context.experiments.checked(text)
    return context.jobs.start(text, stem=experiment.title or "pasted")


def progress(context: Context, run: str | None) -> Progress:
    """How a run that is not complete stands."""
    status, say = context.status(run), context.say
    job = context.jobs.job(run) if context.jobs is not None and run is not None else None
    said = [line for line in (job.lines() if job is not None else ()) if line.strip()]
    words = say(f"app.is_{status.state}") if status.state in WORDS else status.words
    if status.state not in ("running", "interrupted"):
        if status.state == "failed" and job is not None and job.cancelled:
            words = say("app.is_cancelled")
        elif status.state == "starting" and job is not None and job.cancelled:
            words = say("app.is_deaf" if job.deaf else "app.is_stopping")
        if status.state == "failed" and context.jobs is not None and run is not None:
            context.jobs.tidy(run)
        return Progress(
            status.state,
            words,
            said=said,
            may_cancel=status.state == "starting" and job is not None and (job.deaf or not job.cancelled),
        )
    entry = context.folder.find(run)
    done = context.folder.blocks_done(entry)
    share = done / entry.blocks if entry.blocks else 0.0
    if job is not None and job.cancelled and status.state == "running":
        words = say("app.is_deaf" if job.deaf else "app.is_stopping")
    return Progress(
        status.state,
        say(
            "app.blocks",
            words=words,
            done=say.count(done),
            all=say.count(entry.blocks),
            share=say.figures(f"{share:.0%}"),
        ),
        share,
        said,
        may_cancel=job is not None and job.code is None and (job.deaf or not job.cancelled),
        may_resume=context.may_start and status.state == "interrupted",
    )


def add_callbacks(app: Dash, context: Context) -> None:
    """Add the callbacks of the view of a new run, and those that change a run."""
    _writing(app, context)
    _beginning(app, context)
    _changing(app, context)


def _writing(app: Dash, context: Context) -> None:
    """The text of a new experiment: chosen from the files, and checked while it is written."""
    assert context.experiments is not None
    experiments = context.experiments

    @app.callback(Output("new-file", "options"), Input("state", "data"))
    def files(values: Mapping[str, Any] | None) -> Any:
        if (values or {}).get("view") != "new":
            return no_update
        return [{"value": name, "label": name} for name in experiments.files()]

    @app.callback(Output("new-text", "value"), Input("new-file", "value"), prevent_initial_call=True)
    def chosen(file: str | None) -> Any:
        try:
            return no_update if file is None else experiments.text(file)
        except BacclabError:
            return no_update

    @app.callback(
        Output("new-check", "children"),
        Output("new-check", "className"),
        Output("new-start", "disabled"),
        Input("new-text", "value"),
        State("new-file", "value"),
    )
    def check(text: str, file: str | None) -> Any:
        good, told = checked(context, text)
        if not good and file is not None and _unchanged(context, file, text):
            return context.say("app.unchanged", file=file), "hint", False
        return told, "hint" if good or not told else "hint mistake", not good


def _beginning(app: Dash, context: Context) -> None:
    @app.callback(
        Output("url", "pathname", allow_duplicate=True),
        Output("url", "search", allow_duplicate=True),
        Output("new-problem", "children"),
        Output("new-problem", "hidden"),
        Input("new-start", "n_clicks"),
        State("new-file", "value"),
        State("new-text", "value"),
        prevent_initial_call=True,
    )
    def start(clicks: int, file: str | None, text: str) -> Any:
        if not clicks:
            return (no_update,) * 4
        try:
            run = begun(context, file, text)
        except BacclabError as error:
            return no_update, no_update, str(error), False
        return path_of("run"), address(Looked(view="run", run=run)), "", True


def _changing(app: Dash, context: Context) -> None:
    """A run is cancelled, or gone on with."""
    assert context.jobs is not None
    jobs = context.jobs

    @app.callback(
        Output("cancel", "disabled"),
        Input("cancel", "n_clicks"),
        State("state", "data"),
        prevent_initial_call=True,
    )
    def cancel(clicks: int, values: Mapping[str, Any] | None) -> Any:
        if clicks and values and values.get("run"):
            jobs.cancel(str(values["run"]))
        return no_update

    @app.callback(
        Output("ended", "data", allow_duplicate=True),
        Output("progress-text", "children", allow_duplicate=True),
        Input("resume", "n_clicks"),
        State("state", "data"),
        prevent_initial_call=True,
    )
    def resume(clicks: int, values: Mapping[str, Any] | None) -> Any:
        if not clicks or not values:
            return no_update, no_update
        try:
            jobs.resume(context.folder.find(values.get("run")))
        except BacclabError as error:
            return no_update, str(error)
        return f"resumed {clicks}", no_update


def _unchanged(context: Context, file: str, text: str) -> bool:
    assert context.experiments is not None
    try:
        return context.experiments.text(file) == text
    except BacclabError:
        return False
