"""The progress of a run that is not complete, once a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dash import Input, Output, State, no_update

from bacclab.dashboard.app.starting import progress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dash import Dash

    from bacclab.dashboard.app.context import Context

__all__ = ["add_callbacks"]

UNDER_WAY = ("starting", "running")
NOT_COMPLETE = (*UNDER_WAY, "interrupted", "failed")


def add_callbacks(app: Dash, context: Context) -> None:
    """Add the callback that shows how far a run is."""
    buttons = [Output("cancel", "hidden"), Output("resume", "hidden")] if context.may_start else []

    @app.callback(
        Output("run-progress", "hidden"),
        Output("tick", "disabled"),
        Output("progress-text", "children"),
        Output("progress-bar", "value"),
        Output("progress-said", "children"),
        *buttons,
        Input("tick", "n_intervals"),
        Input("state", "data"),
    )
    def watch(_ticks: int | None, values: Mapping[str, Any] | None) -> Any:
        values = values or {}
        if values.get("view") != "run" or values.get("status") not in NOT_COMPLETE:
            return (True, True, *(no_update,) * (3 + len(buttons)))
        found = progress(context, values.get("run"))
        return (
            False,
            found.state not in UNDER_WAY and found.state == values.get("status"),
            found.words,
            f"{found.share:.4f}",
            "\n".join(found.said),
            *([not found.may_cancel, not found.may_resume] if buttons else []),
        )

    # Apart from the other, since what it says leads to a new state, and nothing that a state leads to may lead there.
    @app.callback(
        Output("ended", "data"), Input("tick", "n_intervals"), State("state", "data"), prevent_initial_call=True
    )
    def ended(_ticks: int | None, values: Mapping[str, Any] | None) -> Any:
        values = values or {}
        if values.get("view") != "run" or values.get("status") not in NOT_COMPLETE:
            return no_update
        now = context.status(values.get("run")).state
        return f"{values.get('run')} {now}" if now != values["status"] else no_update
