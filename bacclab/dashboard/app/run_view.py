"""The words of one run: its title, its answer, its details, and what a click or a brush on a chart means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from dash import html

from bacclab.dashboard.app.parts import aria
from bacclab.dashboard.words import answer as said
from bacclab.dashboard.words import rules
from bacclab.errors import BacclabError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.dashboard.app.context import Context
    from bacclab.dashboard.app.frames import Scanned
    from bacclab.dashboard.language import Language

__all__ = ["Heading", "answer", "brushed", "details", "heading", "session_of"]

TITLES = {"runs": "app.runs", "compare": "app.compare_title", "new": "app.new"}


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of the window, and title and sentence of a run."""

    window: str
    title: str = ""
    sentence: str = ""


def heading(context: Context, values: Mapping[str, Any]) -> Heading:
    """What stands above a view."""
    view = str(values.get("view", "runs"))
    if view != "run":
        return Heading(f"{context.say(TITLES.get(view, 'app.runs'))} – bacclab")
    run = str(values.get("run") or "")
    try:
        title = context.folder.find(run).name
        look = context.runs.open(run) if values.get("status") == "complete" else None
        sentence = rules.sentence(look) if look is not None else ""
    except BacclabError:
        title, sentence = run, ""
    return Heading(f"{title} – bacclab", title, sentence)


def answer(look: Scanned) -> list[Any]:
    """What the experiment shows, with what must be known before."""
    warned = [
        *map(str, look.run.manifest.get("warnings", ())),
        *said.warnings(look, reason=lambda key: said.refusal(key, say=look.language)),
    ]
    box = [html.Div([html.P(_kept(text)) for text in warned], className="warning", role="note")] if warned else []
    return [*[html.P(_kept(text)) for text in said.answer(look)], *box]


def _kept(text: str) -> str:
    """A text whose per cent signs stay on the line of their figures."""
    return text.replace(" %", "\u00a0%")


def details(look: Scanned) -> list[Any]:
    """The rules, how to do it again, and the frames to take away."""
    manifest, say = look.run.manifest, look.language
    table = rules.table_facts(rules.table_settings(manifest, look.cell(None)), say=say)
    run = look.run.path.name
    return [
        html.H2(say("app.frames")),
        html.Ul(
            [_frame(run, name, manifest["files"][f"{name}.parquet"], say) for name in look.run.frames],
            className="frames",
        ),
        html.H2(say("page.experiment")),
        _facts(rules.experiment_facts(look)),
        html.H2(say("page.table")),
        _facts(table),
        html.H2(say("app.again")),
        html.Pre(html.Code(str(manifest.get("command") or "")), tabIndex="0"),
        html.Pre(html.Code(str(manifest.get("experiment_text") or "")), tabIndex="0"),
    ]


def _facts(pairs: list[tuple[str, str]]) -> html.Dl:
    return html.Dl([html.Div([html.Dt(name), html.Dd(value)]) for name, value in pairs if value], className="facts")


def _frame(run: str, name: str, record: Mapping[str, Any], say: Language) -> html.Li:
    def link(form: str, words: str) -> html.A:
        query = urlencode({"run": run, "frame": name, "to": form})
        return html.A(
            words,
            href=f"/download?{query}",
            download=f"{name}.{form}",
            **aria(label=say("app.frame_as", name=name, form=words)),
        )

    amount = say.figures(f"{record['bytes'] / 1e6:,.2f}")
    size = say("app.frame_size", rows=say.count(record.get("rows", 0)), size=amount)
    return html.Li([html.Strong(name), f" ({size}): ", link("parquet", "Parquet"), " ", link("csv", "CSV")])


def session_of(click: Mapping[str, Any] | None, figure: Mapping[str, Any]) -> int | None:
    """The session whose line was clicked; None where the click was on none.

    >>> session_of({"points": [{"curveNumber": 1}]}, {"data": [{"name": "session 3"}, {"name": "session 8"}]})
    8
    """
    try:
        name = figure["data"][click["points"][0]["curveNumber"]]["name"]  # type: ignore[index]
        return int(re.sub(r"\D", "", str(name)))  # its name is a word of the language and the number
    except (TypeError, KeyError, IndexError, ValueError):
        return None


def brushed(span: Any) -> tuple[float, float]:
    """The rounds that were brushed, from a browser; all where nothing is.

    >>> brushed([10.2, 40.9]), brushed(None), brushed(["x", 3])
    ((10.2, 40.9), (0.0, inf), (0.0, inf))
    """
    if isinstance(span, list) and len(span) == 2 and all(isinstance(edge, int | float) for edge in span):
        return float(span[0]), float(span[1])
    return 0.0, float("inf")
