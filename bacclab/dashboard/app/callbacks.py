"""The callbacks of the app: thin wrappers that hand what a browser sends to plain functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dash import ALL, ClientsideFunction, Input, Output, State, ctx, no_update

from bacclab.dashboard.app import run_view, starting
from bacclab.dashboard.app.comparing import compared
from bacclab.dashboard.app.navigation import CONTROLS, navigate
from bacclab.dashboard.app.state import TABS
from bacclab.dashboard.app.tables import Sort, comparison_table, rounds_table, runs_table, summary_table
from bacclab.errors import BacclabError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dash import Dash

    from bacclab.dashboard.app.context import Context
    from bacclab.dashboard.app.figures import Panel

__all__ = ["add_callbacks"]

WITH_OPTIONS = ("tab", "cell", "bettors", "bettor", "horizon", "session", "shoe", "compare-runs")
VIEWS = ("runs", "run", "compare", "new")


def add_callbacks(app: Dash, context: Context) -> None:
    """Add every callback."""
    _places(app, context)
    _lists(app, context)
    _run(app, context)
    for panel in context.panels:
        _chart(app, context, panel)
    _sessions(app, context)
    _compare(app, context)
    if context.may_start:
        starting.add_callbacks(app, context)
    _in_the_browser(app, context)


def _changed(new: Any, old: Any) -> Any:
    """The new value, unless it is the old one: a browser draws nothing anew for what is as it was."""
    return no_update if new == old or (new is None and old is None) else new


def _places(app: Dash, context: Context) -> None:
    @app.callback(
        Output("state", "data"),
        Output("url", "search"),
        *[Output(name, "value") for name in CONTROLS],
        *[Output(name, "options") for name in WITH_OPTIONS],
        Output("controls", "className"),
        Input("url", "pathname"),
        Input("url", "search"),
        Input("ended", "data"),
        *[Input(name, "value") for name in CONTROLS],
        State("state", "data"),
        *[State(name, "options") for name in WITH_OPTIONS],
        State("controls", "className"),
    )
    def places(path: str | None, search: str | None, _ended: Any, *rest: Any) -> Any:
        values = dict(zip(CONTROLS, rest, strict=False))
        old_state, *old_options = rest[len(CONTROLS) : len(CONTROLS) + 1 + len(WITH_OPTIONS)]
        asked = {key.rpartition(".")[0] for key in ctx.triggered_prop_ids}
        control = next((name for name in CONTROLS if name in asked), None)
        if "url" in asked or not asked:
            control = None
        place = navigate(context, path, search, control=control, value=values.get(control or ""))
        return (
            _changed(place.state, old_state),
            no_update if place.search is None or place.search == (search or "") else place.search,
            *[_changed(place.values.get(name, values[name]), values[name]) for name in CONTROLS],
            *[_changed(place.options.get(name, old), old) for name, old in zip(WITH_OPTIONS, old_options, strict=True)],
            _changed(place.classes, rest[-1]),
        )

    @app.callback(
        *[Output(f"view-{name}", "hidden") for name in VIEWS],
        *[Output(f"tab-{name}", "hidden") for name in TABS],
        Output("run-whole", "hidden"),
        Output("problem", "children"),
        Output("problem", "hidden"),
        Output("title-of-the-window", "children"),
        Output("run-title", "children"),
        Output("run-sentence", "children"),
        Input("state", "data"),
    )
    def views(values: Mapping[str, Any] | None) -> Any:
        values = values or {"view": "runs"}
        shown = run_view.heading(context, values)
        lost = values.get("status") in ("missing", "unreadable")
        return (
            *[values.get("view") != name or (name == "run" and lost) for name in VIEWS],
            *[values.get("tab") != name for name in TABS],
            values.get("status") != "complete",
            values.get("words") or "",
            not lost,
            shown.window,
            shown.title,
            shown.sentence,
        )


def _lists(app: Dash, context: Context) -> None:
    @app.callback(
        Output("runs-table", "children"),
        Output("runs-count", "children"),
        Input("state", "data"),
        Input("runs-search", "value"),
        Input("runs-state", "value"),
        Input("runs-sort", "data"),
        Input("runs-refresh", "n_clicks"),
    )
    def listed(values: Mapping[str, Any] | None, search: str, state: str, sort: Any, _clicks: int) -> Any:
        if (values or {}).get("view", "runs") != "runs":
            return no_update, no_update
        return runs_table(
            context.folder.entries(), search=search or "", state=state or "", sort=_sort(sort), say=context.say
        )

    for table in ("runs", "summary", "comparison"):
        _sorting(app, table)


def _sort(data: Any) -> Sort:
    return Sort(str(data[0]), bool(data[1])) if isinstance(data, list) and len(data) == 2 else Sort()


def _sorting(app: Dash, table: str) -> None:
    @app.callback(
        Output(f"{table}-sort", "data"),
        Input({"sort": table, "key": ALL}, "n_clicks"),
        State(f"{table}-sort", "data"),
        prevent_initial_call=True,
    )
    def sorting(clicks: list[int], old: Any) -> Any:
        if not any(clicks) or not isinstance(ctx.triggered_id, dict):
            return no_update
        sort = _sort(old).turned(ctx.triggered_id["key"])
        return [sort.key, sort.falling]


def _run(app: Dash, context: Context) -> None:
    @app.callback(Output("run-answer", "children"), Output("run-details", "children"), Input("state", "data"))
    def told(values: Mapping[str, Any] | None) -> Any:
        found = context.looked_at(values)
        if found is None:
            return no_update, no_update
        state, look = found
        answer = run_view.answer(look) if state.tab == "answer" else no_update
        return answer, run_view.details(look) if state.tab == "details" else no_update

    @app.callback(
        Output("summary-table", "children"),
        Output("summary-count", "children"),
        Input("state", "data"),
        Input("summary-search", "value"),
        Input("summary-wide", "value"),
        Input("summary-sort", "data"),
    )
    def summed(values: Mapping[str, Any] | None, search: str, wide: str, sort: Any) -> Any:
        found = context.looked_at(values, tab="answer")
        if found is None:
            return no_update, no_update
        return summary_table(found[1], found[0], search=search or "", sort=_sort(sort), wide=wide == "all")

    @app.callback(
        Output("comparison-table", "children"),
        Output("comparison-count", "children"),
        Input("state", "data"),
        Input("comparison-sort", "data"),
    )
    def pairs(values: Mapping[str, Any] | None, sort: Any) -> Any:
        found = context.looked_at(values, tab="comparison")
        return (no_update, no_update) if found is None else comparison_table(found[1], found[0], sort=_sort(sort))


def _chart(app: Dash, context: Context, panel: Panel) -> None:
    name = panel.id

    @app.callback(
        Output(f"{name}-graph", "figure"),
        Output(f"{name}-graph", "style"),
        Output(f"{name}-title", "children"),
        Output(f"{name}-note", "children"),
        Output(f"{name}-alt", "children"),
        Output(f"{name}-chart", "hidden"),
        Input("state", "data"),
        Input("scheme", "data"),
    )
    def draw(values: Mapping[str, Any] | None, scheme: str) -> Any:
        found = context.looked_at(values, tab=panel.tab)
        if found is None:
            return (no_update,) * 6
        drawn = context.figures.drawn(panel, found[1], found[0], scheme=scheme)
        if drawn is None:
            return *(no_update,) * 5, True
        if drawn.fault:
            return drawn.figure, {"display": "none"}, drawn.title, drawn.note, drawn.alt, False
        return drawn.figure, {"height": f"{drawn.height}px"}, drawn.title, drawn.note, drawn.alt, False


def _sessions(app: Dash, context: Context) -> None:
    @app.callback(
        Output("session", "value", allow_duplicate=True),
        Input("trajectories-graph", "clickData"),
        State("trajectories-graph", "figure"),
        prevent_initial_call=True,
    )
    def clicked(click: Mapping[str, Any] | None, figure: Mapping[str, Any]) -> Any:
        number = run_view.session_of(click, figure)
        return no_update if number is None else number

    @app.callback(
        Output("rounds-table", "children"),
        Output("rounds-count", "children"),
        Input("state", "data"),
        Input("brush", "data"),
    )
    def rounds(values: Any, span: Any) -> Any:
        found = context.looked_at(values, tab="sessions")
        if found is None:
            return no_update, no_update
        state, look = found
        # Another session is shown as a whole, and so is one whose address has just been opened.
        first, last = run_view.brushed(span if set(ctx.triggered_prop_ids) == {"brush.data"} else None)
        return rounds_table(look, state, first=first, last=last)


def _compare(app: Dash, context: Context) -> None:
    @app.callback(
        Output("compare-table", "children"),
        Output("compare-notes", "children"),
        Output("compared-graph", "figure"),
        Output("compared-graph", "style"),
        Output("compared-title", "children"),
        Output("compared-note", "children"),
        Output("compared-alt", "children"),
        Output("compared-chart", "hidden"),
        Input("state", "data"),
        Input("scheme", "data"),
    )
    def compare(values: Mapping[str, Any] | None, scheme: str) -> Any:
        if (values or {}).get("view") != "compare":
            return (no_update,) * 8
        try:
            found = compared(context, list((values or {}).get("runs") or ()), scheme=scheme)
        except BacclabError as error:
            return (None, str(error), *(no_update,) * 5, True)
        if found.drawn is None:
            return (found.table, found.note, *(no_update,) * 5, True)
        drawn = found.drawn
        style = {"height": f"{drawn.height}px"}
        return found.table, found.note, drawn.figure, style, drawn.title, drawn.note, drawn.alt, False


def _in_the_browser(app: Any, context: Context) -> None:
    for panel in context.panels:
        app.clientside_callback(
            ClientsideFunction("bacclab", "menus"),
            Output(f"{panel.id}-menus", "title"),
            Input(f"{panel.id}-graph", "figure"),
            State(f"{panel.id}-menus", "id"),
        )
    app.clientside_callback(
        ClientsideFunction("bacclab", "brush"),
        Output("brush", "data"),
        Input("session_path-graph", "relayoutData"),
        Input("session_path-graph", "selectedData"),
    )
    app.clientside_callback(
        ClientsideFunction("bacclab", "scheme"),
        Output("scheme", "data"),
        Output("scheme-chosen", "data"),
        Output("scheme-button", "children"),
        Output("scheme-button", "aria-pressed"),
        Input("scheme-button", "n_clicks"),
        State("scheme-chosen", "data"),
    )
    app.clientside_callback(
        ClientsideFunction("bacclab", "title"),
        Output("title-of-the-window", "title"),
        Input("title-of-the-window", "children"),
    )
