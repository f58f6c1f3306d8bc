"""The charts and sections of a run's registry, drawn so that none of them can break a page.

A chart of a plugin may return anything and raise anything: what cannot be drawn becomes a `fault`, a line that names
the plugin and the reason. Figures with too many points are thinned, the highest and the lowest of each stretch kept.
"""

from __future__ import annotations

import base64
import functools
import inspect
import json
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import blocks
from bacclab.dashboard.builtin import BuiltIn
from bacclab.dashboard.charts.paths import extremes
from bacclab.dashboard.charts.sketch import Sketch, plain_values
from bacclab.dashboard.lookup import Lookup
from bacclab.errors import shorten

if TYPE_CHECKING:
    from bacclab.dashboard.language import Language
    from bacclab.plugins.panels import Chart, Section
    from bacclab.plugins.registry import Entry, Registry

__all__ = ["MOST_POINTS", "charts_of", "drawn", "section_of", "title_of", "written"]

#: A page draws no more points than this on one chart.
MOST_POINTS = 20_000
#: Parts of a page where charts of each scope stand.
PLACES = {"cell": "all", "bettor": "bettor", "run": "sweep"}


def section_of(chart: Chart) -> str:
    """The part of a page where a chart stands."""
    return chart.section or PLACES[chart.scope]


def charts_of(registry: Registry, *, section: str) -> list[Entry]:
    """The charts of a part of the page, the built-in ones first."""
    return [entry for entry in registry.of("charts").values() if section_of(entry.item) == section]


def drawn(
    entry: Entry, look: Lookup, *, cell: int | None, bettor: str | None, points: int | None = None, **more: Any
) -> dict[str, Any] | None:
    """A chart as plain JSON values; None where there is nothing to draw, ``{"fault": "..."}`` where it fails.

    `more` are parameters of built-in charts.
    """
    chart: Chart = entry.item
    if isinstance(chart.draw, BuiltIn):
        sketch = chart.draw.sketch(look, cell=cell, bettor=bettor, **(_points(chart.draw.function, points) | more))
        return None if sketch is None else sketch.values()
    try:
        found = chart.draw(look.run, cell=cell, bettor=bettor, **_points(chart.draw, points))
        return None if found is None else _checked(found, _words(chart, look, cell, bettor))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin may raise anything
        return {"fault": _fault(entry, error, look.language)}


def written(entry: Entry, look: Lookup) -> str:
    """A section as safe HTML; empty where it has nothing to say, a line where it fails."""
    section: Section = entry.item
    try:
        found = section.write(look if entry.origin == "built in" else look.run)
        return "" if found is None else blocks.as_html(found, look.language)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin may raise anything
        return f'<p class="fault">{escape(_fault(entry, error, look.language))}</p>'


def title_of(entry: Entry, look: Lookup) -> str:
    """The heading of a section: that of a built-in one in the language of the page."""
    key = f"{entry.id}.title"
    built_in = entry.origin == "built in" and key in look.language.texts
    return look.language(key) if built_in else str(entry.item.title)


def _fault(entry: Entry, error: BaseException, say: Language) -> str:
    reason = shorten(" ".join(f"{type(error).__name__}: {error}".split()), 200)
    return say("page.chart_failed", title=entry.item.title, plugin=entry.plugin, reason=reason)


def _points(function: Any, points: int | None) -> dict[str, int]:
    """The number of points, for a function that has a parameter for it."""
    return {"points": points} if points is not None and "points" in _parameters(function) else {}


@functools.cache
def _parameters(function: Any) -> frozenset[str]:
    return frozenset(inspect.signature(function).parameters)


def _words(chart: Chart, look: Lookup, cell: int | None, bettor: str | None) -> dict[str, str]:
    """Title, note and text for who cannot see it, as a plugin's chart gives them."""
    label = look.cells.get(cell, "") if cell is not None else ""
    of = ", ".join(part for part in (bettor, label) if part)
    title = f"{of}: {chart.title}" if of else chart.title
    return {"title": title, "note": chart.text, "alt": f"{title}. {chart.text}".strip()}


def _checked(found: Any, meta: dict[str, str]) -> dict[str, Any]:
    if isinstance(found, Sketch):
        found = {"data": found.traces, "layout": found.layout}
    values = _values(found)
    layout = {key: value for key, value in values["layout"].items() if key not in ("title", "margin", "template")}
    layout["meta"] = meta | (layout["meta"] if isinstance(layout.get("meta"), dict) else {})
    traces = [_thinned(trace) for trace in values["data"]]
    count = sum(_length(trace) for trace in traces)
    if count > MOST_POINTS:
        raise ValueError(f"it has {count:,} points, and a page draws at most {MOST_POINTS:,} on one chart")
    return {"data": traces, "layout": layout}


def _values(found: Any) -> dict[str, Any]:
    """Data and layout of a plotly figure or of plain values, as JSON values with their arrays in four bytes."""
    if hasattr(found, "to_json"):
        found = _short(json.loads(found.to_json()))
    elif not isinstance(found, Mapping):
        raise TypeError(f"it returned a {type(found).__name__}, and a plotly figure is wanted")
    plain = plain_values({"data": list(found.get("data", ())), "layout": dict(found.get("layout", {}))})
    return dict(json.loads(json.dumps(plain, allow_nan=False)))


def _short(item: Any) -> Any:
    if isinstance(item, dict):
        if item.get("dtype") == "f8" and "bdata" in item:
            numbers = np.frombuffer(base64.b64decode(item["bdata"]), dtype="<f8").astype("<f4")
            return {**item, "dtype": "f4", "bdata": base64.b64encode(numbers.tobytes()).decode()}
        return {key: _short(value) for key, value in item.items()}
    return [_short(value) for value in item] if isinstance(item, list) else item


def _array(values: Any) -> Any:
    if isinstance(values, dict) and "bdata" in values:
        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"])
    return values


def _length(trace: Mapping[str, Any]) -> int:
    """The points of a trace: its longest row of values."""
    return max((len(_array(trace[key])) for key in ("x", "y", "z", "values") if trace.get(key) is not None), default=0)


def _thinned(trace: dict[str, Any]) -> dict[str, Any]:
    """A long plain line with the lowest and the highest of each stretch kept; other traces stay as they are."""
    plain = trace.get("type", "scatter") in ("scatter", "scattergl") and trace.get("mode") == "lines"
    if not plain or trace.get("fill") or "x" not in trace or "y" not in trace or _length(trace) <= MOST_POINTS // 10:
        return trace
    x, y = _array(trace["x"]), np.asarray(_array(trace["y"]), dtype=float)
    kept = extremes(np.nan_to_num(y), MOST_POINTS // 10)
    across = plain_values(x[kept]) if isinstance(x, np.ndarray) else [x[k] for k in kept.tolist()]
    gone = {"customdata": None, "text": None}
    return {**trace, **gone, "type": "scatter", "x": across, "y": plain_values(y[kept].astype(np.float32))}
