"""A sweep at a glance: lines over one swept key, squares over two, and every setting side by side over more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import theme
from bacclab.dashboard.charts.goals import squares
from bacclab.dashboard.charts.parts import TOGETHER, floats, line, plain, sketch, wrapped
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.words.rows import ruin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.dashboard.lookup import RunFrames

__all__ = ["settings", "settings_all"]

#: Lines of the chart of all settings at most: the best and the worst by what they are expected to lose.
LINES = 60

Row = dict[str, Any]


@Drawing
def settings(run: RunFrames | Lookup, *, bettors: list[str] | None = None) -> Sketch | None:
    """Ruin from setting to setting: lines over one swept key, squares over two; None without a sweep of one or two."""
    look = Lookup.of(run)
    keys, rows = _swept(look)
    names = (bettors or list(look.positions))[:TOGETHER]
    if len(keys) not in (1, 2) or not rows:
        return None
    say = look.language
    drawn = sketch(
        say("settings.title", measure=say("settings.ruined")),
        note=say("settings.note" if len(keys) == 1 else "settings.note_grid"),
        alt=say(
            "settings.alt",
            systems=say.some("sentence.systems", len(look.positions)),
            settings=say.some("sentence.settings", len(look.cells)),
        ),
        x=plain(keys[0]),
        y=say("axis.ruined") if len(keys) == 1 else plain(keys[1]),
        height=400,
    )
    if len(keys) == 1:
        _over_one(drawn, keys[0], rows, names, look)
    else:
        _over_two(drawn, keys, rows, names)
    return drawn


def _over_one(drawn: Sketch, key: str, rows: list[Row], names: list[str], look: Lookup) -> None:
    for name in names:
        own = [row for row in rows if row["bettor"] == name]
        dressed = theme.style(look.positions[name])
        trace = line(
            np.arange(len(own)),
            np.array([ruin(row) for row in own]),
            name=name,
            colour=dressed.colour,
            dash=dressed.dash,
            form=".2%",
        )
        places = [str(row["swept"][key]) for row in own]
        drawn.add({**trace, "x": places, "mode": "lines+markers", "marker": {"size": 7}})
    drawn.change(xaxis={"type": "category"}, yaxis={"tickformat": ".3~p", "rangemode": "tozero"})


def _over_two(drawn: Sketch, keys: list[str], rows: list[Row], names: list[str]) -> None:
    across, up = (list(dict.fromkeys(str(row["swept"][key]) for row in rows)) for key in keys)
    for place, name in enumerate(names):
        grid = np.zeros((len(up), len(across)))
        for row in rows:
            if row["bettor"] == name:
                grid[up.index(str(row["swept"][keys[1]])), across.index(str(row["swept"][keys[0]]))] = ruin(row)
        hover = f"{plain(name)}<br>{plain(keys[0])} = %{{x}}<br>{plain(keys[1])} = %{{y}}"
        drawn.add({**squares(across, up, grid, hover=hover), "name": wrapped(name), "visible": place == 0})
    buttons = [
        {"label": plain(name), "method": "restyle", "args": ["visible", [other == name for other in names]]}
        for name in names
    ]
    menu = {"buttons": buttons, "x": 1, "xanchor": "right", "y": 1.02, "yanchor": "bottom", "showactive": True}
    drawn.change(
        hovermode="closest",
        xaxis={"type": "category"},
        yaxis={"type": "category", "showgrid": False},
        updatemenus=[menu] if len(names) > 1 else [],
    )


@Drawing
def settings_all(run: RunFrames | Lookup) -> Sketch | None:
    """Every setting of a sweep of two keys or more: parallel axes, from the swept values to what came of them."""
    look = Lookup.of(run)
    keys, rows = _swept(look)
    if len(keys) < 2 or not rows:
        return None
    say = look.language
    rows = sorted(rows, key=_result)
    rows = rows if len(rows) <= LINES else [*rows[: LINES // 2], *rows[-LINES // 2 :]]
    axes = [_axis(plain(key), [row["swept"][key] for row in rows]) for key in keys]
    axes += [
        _axis(say("heading.net_session"), [_result(row) for row in rows], form=lambda v: say.money(round(v, 2))),
        _axis(say("heading.median"), [row["median"] for row in rows], form=lambda v: say.money(round(v))),
        _axis(say("heading.ruined"), [ruin(row) for row in rows], form=say.percent),
    ]
    drawn = sketch(
        say("settings.title_parallel"),
        note=say("settings.note_parallel"),
        alt=say(
            "settings.alt",
            systems=say.some("sentence.systems", len(look.positions)),
            settings=say.some("sentence.settings", len(look.cells)),
        ),
        x="",
        y="",
        height=460,
    )
    for k, row in enumerate(rows):
        told = [f"{name}: {texts[k]}" for name, _, texts in axes]
        drawn.add(
            {
                "type": "scatter",
                "mode": "lines",
                "x": [name for name, _, _ in axes],
                "y": floats([heights[k] for _, heights, _ in axes]),
                "text": ["<br>".join(told)] * len(axes),
                "meta": {"texts": [texts[k] for _, _, texts in axes]},
                "name": f"{wrapped(row['bettor'])} ({plain(look.cells[int(row['cell'])])})",
                "line": {"color": theme.style(look.positions[row["bettor"]]).colour, "width": 1.5},
                "opacity": 0.7,
                "hovertemplate": "%{fullData.name}<br>%{text}<extra></extra>",
            }
        )
    drawn.change(
        hovermode="closest",
        showlegend=False,
        xaxis={"type": "category", "showgrid": True, "gridcolor": theme.AXIS[0]},
        yaxis={"visible": False, "range": [-0.08, 1.08]},
        annotations=[note for name, heights, texts in axes for note in _ends(name, heights, texts)],
    )
    return drawn


def _axis(name: str, values: list[Any], *, form: Any = str) -> tuple[str, list[float], list[str]]:
    """An axis: its name, the height of each value between 0 and 1, and the values in words."""
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        low, high = float(min(values)), float(max(values))
        heights = [(float(value) - low) / (high - low) if high > low else 0.5 for value in values]
    else:
        order = list(dict.fromkeys(map(str, values)))
        heights = [order.index(str(value)) / max(len(order) - 1, 1) for value in values]
    return name, heights, [form(value) for value in values]


def _ends(name: str, heights: list[float], texts: list[str]) -> list[dict[str, Any]]:
    """What the lowest and the highest point of an axis stand for."""
    found = []
    for place, pick in (("top", min), ("bottom", max)):
        k = heights.index(pick(heights))
        note = {"x": name, "y": heights[k], "text": texts[k], "showarrow": False, "yanchor": place}
        found.append({**note, "yshift": 4 if place == "bottom" else -4})
    return found


def _swept(look: Lookup) -> tuple[list[str], list[Row]]:
    """The swept keys with more than one value, and the rows of the summary with the values of their cells."""
    cells = look.run.manifest.get("cells")
    if not isinstance(cells, list | tuple) or len(cells) < 2:
        return [], []
    by_cell: dict[int, Mapping[str, Any]] = {int(cell["cell"]): cell.get("settings") or {} for cell in cells}
    keys = list(dict.fromkeys(key for found in by_cell.values() for key in found))
    keys = [key for key in keys if len({str(found.get(key)) for found in by_cell.values()}) > 1]
    rows = [
        {**row, "swept": {key: by_cell[int(row["cell"])].get(key) for key in keys}}
        for row in look.run.summary.iter_rows(named=True)
        if int(row["cell"]) in by_cell
    ]
    return keys, sorted(rows, key=lambda row: (row["cell"], look.positions[row["bettor"]]))


def _result(row: Row) -> float:
    """What a session is expected to bring; in the sample, where the exact expectation is not known."""
    found = row["expected"] if row.get("expected") is not None else row["net"]
    return float(found / row["sessions"]) if row["sessions"] else 0.0
