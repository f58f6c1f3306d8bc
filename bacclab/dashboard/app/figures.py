"""Charts of the app: the figures of the page, drawn for what is chosen and dressed for the window that shows them."""

from __future__ import annotations

import base64
import copy
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import gallery, theme
from bacclab.dashboard.app.frames import Kept
from bacclab.dashboard.app.horizon import UpTo
from bacclab.dashboard.builtin import BuiltIn
from bacclab.dashboard.charts.parts import TOGETHER
from bacclab.dashboard.charts.sketch import merged
from bacclab.errors import BacclabError
from bacclab.plugins.panels import Chart
from bacclab.tournament.folder.doubts import doubting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.dashboard.app.frames import Scanned
    from bacclab.dashboard.app.state import State
    from bacclab.dashboard.language import Language
    from bacclab.dashboard.lookup import Lookup
    from bacclab.plugins.registry import Entry, Registry

__all__ = ["Drawn", "Figures", "Panel", "chosen", "panels_of"]

#: Points of a line: more than a wide screen has places in a third of it.
POINTS = 200
#: Where a part of the page stands in the app; plugins may name others, and those stand with the bettor.
TABS = {"all": "all", "bettor": "one", "comparison": "comparison", "sweep": "sweep"}
#: Charts whose y axis is a bankroll, which may be logarithmic.
BANKROLLS = ("medians", "fan", "trajectories", "session_path")
#: Charts that have no meaning at an earlier round: they count what whole sessions came to.
OF_WHOLE_SESSIONS = ("runs", "stakes", "action", "ranking")


@dataclass(frozen=True, slots=True)
class Panel:
    """A chart and its place: `id` is unique on the page, `entry` is of the registry, None for charts of the app."""

    id: str
    tab: str
    chart: Chart
    entry: Entry | None = None

    @property
    def wide(self) -> bool:
        """Whether it takes the whole width."""
        return self.chart.wide or self.tab == "sessions"

    @property
    def log(self) -> bool:
        """Whether its axis may be logarithmic."""
        return isinstance(self.chart.draw, BuiltIn) and self.chart.id in BANKROLLS


#: Charts of one session: of no use on a page, where no session is chosen.
OF_A_SESSION = (
    Chart(id="session_path", title="The session round by round", draw=BuiltIn("session", "session_path")),
    Chart(id="session_roads", title="The roads of its shoe", draw=BuiltIn("session_roads", "session_roads")),
)


def panels_of(registry: Registry) -> tuple[Panel, ...]:
    """The charts of a registry, and those of one session, in the order in which they stand."""
    found = []
    for number, entry in enumerate(registry.of("charts").values()):
        chart = entry.item
        tab = TABS.get(gallery.section_of(chart), "one")
        own = isinstance(chart.draw, BuiltIn)
        if own and chart.id == "roads":
            continue  # here they are drawn for the session that is chosen
        tab = "sessions" if own and chart.id == "trajectories" else tab
        found.append(Panel(chart.id if own else f"plugin-{number}", tab, chart, entry))
    return (*found, *(Panel(chart.id, "sessions", chart) for chart in OF_A_SESSION))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure as plain values, with its words and its height in pixels; `fault` says why there is none."""

    figure: dict[str, Any]
    title: str
    note: str
    alt: str
    height: int
    fault: str = ""


class Figures:
    """Figures of complete runs; the last ones are kept, without their colours."""

    KEPT = 200

    def __init__(self) -> None:
        self._kept: Kept[dict[str, Any] | None] = Kept(self.KEPT)

    def drawn(self, panel: Panel, look: Scanned, state: State, *, scheme: str) -> Drawn | None:
        """The chart for what is chosen, in light or dark colours; None where the run has nothing for it."""
        # A chart is kept under those of the choices that it depends on.
        cell, bettor = _of(panel.chart, look, state)
        more = _more(panel.chart.draw, look, state) if isinstance(panel.chart.draw, BuiltIn) else {}
        key = (look, panel.id, cell, bettor, state.horizon, repr(more))
        found = self._kept.get_or(key, lambda: _values(panel, look, state.horizon, cell, bettor, more))
        if found is None:
            return None
        if "fault" in found:
            return Drawn(
                {"data": [], "layout": {}}, panel.chart.title, found["fault"], found["fault"], 40, found["fault"]
            )
        say = look.language
        found = logged(found, floor=1.0, note=say("app.logged")) if panel.log and state.log else found
        return dressed(found, scheme=scheme, say=say)


def chosen(look: Lookup, state: State) -> list[str]:
    """The bettors that a chart of several shows."""
    return list(state.bettors) or look.bettors(state.cell)[:TOGETHER]


def _of(chart: Chart, look: Scanned, state: State) -> tuple[int | None, str | None]:
    """The cell and the bettor that a chart is of."""
    cell = None if chart.scope == "run" else state.cell
    return cell, (state.bettor or look.bettors(state.cell)[0]) if chart.scope == "bettor" else None


def _values(
    panel: Panel, look: Scanned, horizon: int | None, cell: int | None, bettor: str | None, more: Mapping[str, Any]
) -> dict[str, Any] | None:
    chart = panel.chart
    if not isinstance(chart.draw, BuiltIn):
        assert panel.entry is not None
        return gallery.drawn(panel.entry, look, cell=cell, bettor=bettor, points=POINTS)
    if horizon is not None and chart.id in OF_WHOLE_SESSIONS:
        return None
    try:
        with doubting(look.run):
            found = chart.draw.sketch(
                look if horizon is None else UpTo(look, horizon), cell=cell, bettor=bettor, **more
            )
    except BacclabError:
        return None
    return None if found is None else found.values()


def _more(draw: BuiltIn, look: Scanned, state: State) -> dict[str, Any]:
    """Those of the things chosen that a built-in chart has parameters for."""
    names = chosen(look, state)
    # Of many lines each has fewer points: nobody sees them, and each is worked out from thousands of bankrolls.
    points = max(POINTS // 4, min(POINTS, POINTS * TOGETHER // len(names)))
    choices = {
        "points": 2 * POINTS if draw.name == "trajectories" else points,
        "bettors": names,
        "middles": tuple(middle / 100 for middle in state.middles),
        "lines": 50,
        "session": state.session,
    }
    known = inspect.signature(draw.function.sketch).parameters
    if "bettors" not in known and draw.name != "trajectories":
        choices["points"] = POINTS
    if "shoe" in known:
        choices["shoe"] = _shoe(look, state)
    return {name: value for name, value in choices.items() if name in known and value is not None}


def _shoe(look: Scanned, state: State) -> int | None:
    """The shoe that is looked at: the first of the session, unless another is chosen."""
    if state.shoe is not None:
        return state.shoe
    paths = look.slice(cell=state.cell, bettor=state.bettor).paths
    if not paths.height:
        return None
    session = paths["session"].min() if state.session is None else state.session
    return int(first) if isinstance(first := paths.filter(session=session)["shoe"].min(), int) else None


def logged(values: Mapping[str, Any], *, floor: float, note: str) -> dict[str, Any]:
    """The figure with a logarithmic axis of bankrolls; what lies under the floor is drawn on it: zero has no place.

    `note` says so under the title.
    """
    layout = copy.deepcopy(dict(values["layout"]))
    layout["yaxis"] = {**layout.get("yaxis", {}), "type": "log", "dtick": "D2"}
    layout["meta"] = {**layout["meta"], "note": f"{layout['meta']['note']} {note}"}
    return {"data": [_raised(trace, floor) for trace in values["data"]], "layout": layout}


def _raised(trace: Mapping[str, Any], floor: float) -> dict[str, Any]:
    spec = trace.get("y")
    if trace.get("yaxis", "y") != "y" or not isinstance(spec, dict) or spec.get("dtype") != "f4":
        return dict(trace)
    heights = np.maximum(np.frombuffer(base64.b64decode(spec["bdata"]), dtype="<f4"), np.float32(floor))
    return {**trace, "y": {"dtype": "f4", "bdata": base64.b64encode(heights.tobytes()).decode()}}


def dressed(values: Mapping[str, Any], *, scheme: str | None, say: Language | None = None) -> Drawn:
    """The figure in the colours of a scheme, without the title that stands above it in words.

    `scheme` is "light" or "dark", and on a telephone "light narrow" or "dark narrow"; None is light.
    """
    colours, _, width = (scheme or "").partition(" ")
    dark = colours == "dark"
    if width:
        values = _narrow(values)
    left_out = ("title", "margin", "height", "meta", "updatemenus")
    layout = {key: value for key, value in values["layout"].items() if key not in left_out}
    words = values["layout"]["meta"]
    bare = all(layout.get(axis, {}).get("visible") is False for axis in ("xaxis", "yaxis"))
    layout |= {
        "template": theme.template("dark" if dark else "light"),
        "margin": {"t": 30, "r": 8, "b": 8, "l": 8} if bare else {"t": 30, "r": 20, "b": 44, "l": 56},
        "autosize": True,
        # The menus of a figure are drawn in HTML, above it.
        "meta": {"menus": values["layout"].get("updatemenus", [])},
    }
    if say is not None:
        layout["separators"] = say.texts["form.decimal"] + say.texts["form.group"]
    data: list[Any] = list(values["data"])
    return Drawn(
        figure=_recoloured({"data": data, "layout": layout}, theme.swaps())
        if dark
        else {"data": data, "layout": layout},
        title=words["title"],
        note=words["note"],
        alt=words["alt"],
        height=int(values["layout"].get("height") or 400),
    )


def _narrow(values: Mapping[str, Any]) -> dict[str, Any]:
    """The figure for a telephone, as a page changes it there; a legend has a line for each entry, and room for it."""
    small = values.get("narrow", {})
    data = [dict(trace) for trace in small.get("data", values["data"])]
    layout = merged(merged(values["layout"], small.get("layout", {})), {"font": {"size": 12}})
    for trace in data:
        if trace.get("texttemplate") == "%{z:.1%}":
            trace["texttemplate"] = "%{z:.0%}"
    seen = {trace.get("name") for trace in data if trace.get("showlegend", True) and trace.get("visible", True) is True}
    lines = len(seen) if layout.get("showlegend", True) and layout.get("legend", {}).get("y", -1) < 0 else 0
    return {"data": data, "layout": {**layout, "height": int(layout.get("height") or 400) + 19 * max(lines - 2, 0)}}


def _recoloured(item: Any, swaps: Mapping[str, str]) -> Any:
    if isinstance(item, str):
        return swaps.get(item, item)
    if isinstance(item, dict):
        return item if "bdata" in item else {key: _recoloured(value, swaps) for key, value in item.items()}
    if isinstance(item, list):
        return [_recoloured(value, swaps) for value in item]
    return item
