"""What stands on the pages of the app: every view is there from the beginning, and the address decides which is seen.

So no part is made anew while something is chosen: the keyboard stays where it is, and a screen reader too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import dcc, html

from bacclab.dashboard.app.figures import Panel
from bacclab.dashboard.app.parts import aria
from bacclab.dashboard.app.state import MIDDLES, TAB_WORDS, TABS, USUAL
from bacclab.dashboard.language import ENGLISH, Language, language

__all__ = ["page"]

SECOND = 1000
#: What stands on a chart besides the chart.
PLAIN: Any = {"displaylogo": False, "showTips": False, "modeBarButtons": [["toImage", "resetScale2d"]]}
BRUSH: Any = {**PLAIN, "modeBarButtons": [["toImage", "zoom2d", "select2d", "resetScale2d"]]}

#: What an experiment looks like, in grey where none is written yet.
EXAMPLE = """bankroll = 1000
sessions = 1000
rounds = 200

[table]
rules = "commission"
minimum = 10
maximum = 500

[[bettor]]
name = "Martingale on the last winner"
select = "follow-last"
stake = { use = "martingale", unit = 10 }
"""


def page(panels: Sequence[Panel], *, root: str, may_start: bool, say: Language | None = None) -> html.Div:
    """The whole app; in English, if no language is given."""
    say = say or language(ENGLISH)
    return html.Div(
        [
            dcc.Location(id="url", refresh=False),
            *[
                dcc.Store(id=name)
                for name in ("state", "ended", "brush", "runs-sort", "summary-sort", "comparison-sort")
            ],
            dcc.Store(id="scheme", data="light"),
            dcc.Store(id="scheme-chosen", storage_type="local"),
            dcc.Interval(id="tick", interval=SECOND, disabled=True),
            html.A(say("app.skip"), href="#content", className="skip"),
            _header(root, say, may_start=may_start),
            html.Main(
                [
                    html.Div(id="problem", role="alert", hidden=True, className="warning wrap"),
                    _runs_view(say),
                    _run_view(panels, say, may_start=may_start),
                    _compare_view(say),
                    _new_view(say) if may_start else html.Section(id="view-new", hidden=True),
                ],
                id="content",
                tabIndex="-1",
            ),
            html.Div(id="title-of-the-window", hidden=True),
        ]
    )


def _header(root: str, say: Language, *, may_start: bool) -> html.Header:
    links = [dcc.Link(say("app.runs"), href="/"), dcc.Link(say("app.compare"), href="/compare")]
    words: Any = {"data-dark": say("page.dark"), "data-light": say("page.light")}
    links += [dcc.Link(say("app.new"), href="/new")] if may_start else []
    return html.Header(
        html.Div(
            [
                html.Strong("bacclab", className="mark"),
                html.Nav(links, **aria(label=say("app.views"))),
                html.Span(root, className="root", title=root),
                html.Button(
                    say("page.dark"),
                    id="scheme-button",
                    type="button",
                    n_clicks=0,
                    **aria(pressed="false"),
                    **words,
                ),
            ],
            className="wrap top",
        )
    )


def _menu(name: str, say: Language, *, clearable: bool = False, **more: Any) -> dcc.Dropdown:
    words: Any = {
        "select_all": say("app.menu_all"),
        "deselect_all": say("app.menu_none"),
        "selected_count": say("app.menu_chosen", n="{num_selected}"),
        "search": say("app.search"),
        "clear_search": say("app.menu_clear_search"),
        "clear_selection": say("app.menu_clear"),
        "no_options_found": say("app.menu_nothing"),
    }
    return dcc.Dropdown(id=name, clearable=clearable, maxHeight=320, labels=words, **more)


def _labelled(label: str, control: Any, *, kind: str = "") -> html.Div:
    """A control with its label; `kind` are the tabs on which it is seen."""
    if isinstance(control, dcc.Input):
        words = html.Label(label, htmlFor=control.id, className="label")  # type: ignore[attr-defined]
        return html.Div([words, control], className=f"control {kind}")
    name = f"{control.id}-label"
    return html.Div(
        [html.Span(label, id=name, className="label"), control],
        role="group",
        className=f"control {kind}",
        **aria(labelledby=name),
    )


def _scroll(label: str, name: str) -> html.Div:
    """A table that scrolls sideways by itself, for the keyboard too."""
    return html.Div(id=name, className="scroll", tabIndex="0", role="region", **aria(label=label))


def _runs_view(say: Language) -> html.Section:
    names = ("complete", "running", "interrupted")
    states = [("", say("app.all")), *((name, _capital(say(f"app.{name}"))) for name in names)]
    return html.Section(
        [
            html.H1(say("app.runs")),
            html.Div(
                [
                    _labelled(
                        say("app.search"),
                        dcc.Input(
                            id="runs-search",
                            type="search",
                            value="",
                            debounce=False,
                            placeholder=say("app.search_runs"),
                        ),
                        kind="grow",
                    ),
                    _labelled(say("app.state"), _choice("runs-state", states, "")),
                    html.Button(say("app.refresh"), id="runs-refresh", type="button", n_clicks=0),
                ],
                className="bar",
            ),
            html.P(id="runs-count", className="hint", role="status"),
            _scroll(say("app.runs_scroll"), "runs-table"),
        ],
        id="view-runs",
        className="wrap",
    )


def _choice(name: str, options: Sequence[tuple[Any, str]], value: Any) -> dcc.RadioItems:
    return dcc.RadioItems(
        id=name,
        options=[{"value": value, "label": label} for value, label in options],
        value=value,
        inline=True,
        className="choice",
    )


def _run_view(panels: Sequence[Panel], say: Language, *, may_start: bool) -> html.Section:
    return html.Section(
        [
            html.H1(id="run-title"),
            html.P(id="run-sentence", className="lede"),
            _progress(say, may_start=may_start),
            html.Div(
                [
                    _choice("tab", [(tab, say(TAB_WORDS[tab])) for tab in TABS], "answer"),
                    _controls(say),
                    *[_tab(name, panels, say) for name in TABS],
                ],
                id="run-whole",
                hidden=True,
            ),
        ],
        id="view-run",
        className="wrap",
        hidden=True,
    )


def _progress(say: Language, *, may_start: bool) -> html.Div:
    buttons = []
    if may_start:
        buttons = [
            html.Button(say("app.cancel"), id="cancel", type="button", n_clicks=0, hidden=True),
            html.Button(say("app.resume"), id="resume", type="button", n_clicks=0, hidden=True),
        ]
    return html.Div(
        [
            html.P(id="progress-text", role="status"),
            html.Progress(id="progress-bar", max="1", value="0", **aria(labelledby="progress-text")),
            html.Div(buttons, className="bar"),
            html.Pre(id="progress-said", tabIndex="0", **aria(label=say("app.run_says"))),
        ],
        id="run-progress",
        className="sheet",
        hidden=True,
    )


def _controls(say: Language) -> html.Div:
    """What is chosen of a run; each control is seen on the tabs that it changes."""
    scale = _choice("scale", [("linear", say("app.linear")), ("log", say("app.log"))], "linear")
    middles = dcc.Checklist(
        id="middles",
        options=[{"value": middle, "label": say.figures(f"{middle} %")} for middle in MIDDLES],
        value=list(USUAL),
        inline=True,
        className="choice",
    )
    return html.Div(
        [
            _labelled(say("page.setting"), _menu("cell", say), kind="cell all one sessions comparison answer"),
            _labelled(say("app.systems"), _menu("bettors", say, multi=True, clearable=True), kind="all grow"),
            _labelled(say("page.system"), _menu("bettor", say), kind="one sessions comparison grow"),
            _labelled(say("app.up_to"), _menu("horizon", say), kind="all one"),
            _labelled(say("app.bands"), middles, kind="one"),
            _labelled(say("app.session"), _menu("session", say), kind="sessions"),
            _labelled(say("rules.shoe"), _menu("shoe", say), kind="sessions"),
            _labelled(say("app.scale"), scale, kind="all one sessions"),
        ],
        id="controls",
        className="controls",
    )


def _tab(name: str, panels: Sequence[Panel], say: Language) -> html.Div:
    made = {"answer": _answer, "comparison": _comparison, "details": _details}
    inside: list[Any] = made[name](say) if name in made else []
    charts = [_chart(panel) for panel in panels if panel.tab == name]
    # Pairs are seen on their chart first, as on the page.
    inside = [*charts, *inside] if name == "comparison" else [*inside, *charts]
    if name == "sessions":
        inside += [
            html.H2(say("app.round_by_round"), className="full"),
            html.P(id="rounds-count", className="hint full", role="status"),
            html.Div(_scroll(say("app.rounds_scroll"), "rounds-table"), className="full"),
        ]
    return html.Div(inside, id=f"tab-{name}", className="panels", hidden=True)


def _answer(say: Language) -> list[Any]:
    return [
        html.Div(id="run-answer", className="answer full"),
        html.Div(
            [
                _labelled(
                    say("app.search"),
                    dcc.Input(id="summary-search", type="search", value="", placeholder=say("rules.bettor")),
                    kind="grow",
                ),
                _labelled(
                    say("app.columns"),
                    _choice("summary-wide", [("main", say("app.main")), ("all", say("app.all"))], "main"),
                ),
            ],
            className="bar full",
        ),
        html.P(id="summary-count", className="hint full", role="status"),
        html.Div(_scroll(say("page.summary_scrolls"), "summary-table"), className="full"),
    ]


def _comparison(say: Language) -> list[Any]:
    return [
        html.P(id="comparison-count", className="hint full", role="status"),
        html.Div(_scroll(say("page.comparison_scrolls"), "comparison-table"), className="full"),
    ]


def _details(_say: Language) -> list[Any]:
    return [html.Div(id="run-details", className="full")]


def _chart(panel: Panel) -> html.Figure:
    name = panel.id
    config = BRUSH if name == "session_path" else PLAIN
    return html.Figure(
        [
            html.Figcaption([html.H3(id=f"{name}-title"), html.P(id=f"{name}-note")]),
            html.P(id=f"{name}-alt", className="unseen"),
            html.Div(id=f"{name}-menus", className="menus"),
            dcc.Graph(id=f"{name}-graph", config=config, responsive=True, figure={"data": [], "layout": {}}),
        ],
        id=f"{name}-chart",
        className="chart full" if panel.wide else "chart",
        hidden=True,
        **aria(labelledby=f"{name}-title", describedby=f"{name}-alt"),
    )


def _compare_view(say: Language) -> html.Section:
    return html.Section(
        [
            html.H1(say("app.compare_title")),
            html.Div(
                _labelled(
                    say("app.runs"),
                    _menu("compare-runs", say, multi=True, clearable=True, placeholder=say("app.two_or_more")),
                    kind="grow",
                ),
                className="bar",
            ),
            html.P(id="compare-notes", className="hint", role="status"),
            html.Figure(
                [
                    html.Figcaption([html.H3(id="compared-title"), html.P(id="compared-note")]),
                    html.P(id="compared-alt", className="unseen"),
                    dcc.Graph(
                        id="compared-graph",
                        responsive=True,
                        config=PLAIN,
                        figure={"data": [], "layout": {}},
                    ),
                ],
                id="compared-chart",
                className="chart",
                hidden=True,
            ),
            _scroll(say("app.compare_scrolls"), "compare-table"),
        ],
        id="view-compare",
        className="wrap",
        hidden=True,
    )


def _new_view(say: Language) -> html.Section:
    return html.Section(
        [
            html.H1(say("app.new")),
            html.Div(
                _labelled(
                    say("app.file"),
                    _menu("new-file", say, clearable=True, placeholder=say("app.ready")),
                    kind="grow",
                ),
                className="bar",
            ),
            html.Label(say("app.text"), htmlFor="new-text"),
            dcc.Textarea(id="new-text", value="", placeholder=EXAMPLE, spellCheck=False, rows=18, className="code"),
            html.P(id="new-check", role="status", className="hint"),
            html.Div(
                [html.Button(say("app.start"), id="new-start", type="button", n_clicks=0, className="main")],
                className="bar",
            ),
            html.Pre(id="new-problem", role="alert", hidden=True, className="warning"),
        ],
        id="view-new",
        className="wrap",
        hidden=True,
    )


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
