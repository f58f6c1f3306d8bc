"""Every setting of a sweep side by side: parallel axes, from the swept values to what came of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import floats, plain, sketch, wrapped
from bacclab.dashboard.charts.settings import Row, result, swept
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.words.rows import ruin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["settings_all"]

LINES: Final = 60
"""Lines at most: the best and the worst by what they are expected to bring."""
LABELLED: Final = 6
"""A swept key with more values than these has its least and its greatest written at its axis, and no others."""
APART: Final = 0.012
"""How far the lines of two systems that have one value lie from each other, as a share of an axis."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: its name, its name with its unit, the height of each line between 0 and 1, and its values in words."""

    name: str
    title: str
    heights: Sequence[float]
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Dye:
    """What the colours of the lines stand for: the class of each line, and colour and name of each class."""

    title: str
    note: str
    of: Sequence[int]
    classes: Sequence[tuple[str, str]]


@Drawing
def settings_all(run: RunFrames | Lookup) -> Sketch | None:
    """The settings of a sweep of two keys or more, a line a system and setting; None for other runs.

    The colour is the system; with one system, or more than there are colours, the result of a session, in thirds.
    """
    look = Lookup.of(run)
    keys, rows = swept(look)
    if len(keys) < 2 or not rows:
        return None
    say = look.language
    rows = sorted(rows, key=result)
    rows = rows if len(rows) <= LINES else [*rows[: LINES // 2], *rows[-LINES // 2 :]]
    dye = _by_system(rows, look) or _by_result(rows, look)
    own = [_axis(plain(key), [row["swept"][key] for row in rows]) for key in keys]
    came = [
        _axis(
            say("heading.net_session"), list(map(result, rows)), say("axis.result"), lambda v: say.money(round(v, 2))
        ),
        _axis(
            say("heading.median"),
            [row["median"] for row in rows],
            say("axis.median_bankroll"),
            lambda v: say.money(round(v)),
        ),
        _axis(say("heading.ruined"), list(map(ruin, rows)), say("axis.ruined"), say.percent),
    ]
    axes = [*own, *came]
    drawn = sketch(
        say("settings.title_parallel"),
        note=f"{say('settings.note_parallel')} {dye.note}",
        alt=say(
            "settings.alt",
            systems=say.some("sentence.systems", len(look.positions)),
            settings=say.some("sentence.settings", len(look.cells)),
        ),
        x="",
        y="",
        height=500,
    )
    for k, row in enumerate(rows):
        told = "<br>".join(f"{axis.name}: {axis.texts[k]}" for axis in axes)
        aside = (dye.of[k] - (len(dye.classes) - 1) / 2) * APART
        name = f"{wrapped(row['bettor'])} ({plain(look.cells[int(row['cell'])])})"
        heights = [*(axis.heights[k] + aside for axis in own), *(axis.heights[k] for axis in came)]
        drawn.add(_line(name, axes, heights, told, dye, k))
    drawn.add(*(_sample(axes[0], dye, number) for number in range(len(dye.classes))))
    _frame(drawn, own, came, dye)
    return drawn


def _line(
    name: str, axes: Sequence[Axis], heights: Sequence[float], told: str, dye: Dye, number: int
) -> dict[str, Any]:
    colour, _ = dye.classes[dye.of[number]]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [axis.name for axis in axes],
        "y": floats(heights),
        "text": [told] * len(axes),
        "meta": {"texts": [axis.texts[number] for axis in axes]},
        "name": name,
        "line": {"color": colour, "width": 1.5},
        "opacity": 0.7,
        "legendgroup": str(dye.of[number]),
        "showlegend": False,
        "hovertemplate": "%{fullData.name}<br>%{text}<extra></extra>",
    }


def _sample(axis: Axis, dye: Dye, number: int) -> dict[str, Any]:
    """A line of no length that stands for a colour in the legend."""
    colour, name = dye.classes[number]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [axis.name],
        "y": [None],
        "name": name,
        "meta": {"bundle": True},
        "line": {"color": colour, "width": 3},
        "legendgroup": str(number),
        "showlegend": True,
    }


def _frame(drawn: Sketch, own: Sequence[Axis], came: Sequence[Axis], dye: Dye) -> None:
    """Axes with what they stand for, and the legend of the colours."""
    axes = [*own, *came]
    named = {"tickmode": "array", "tickvals": [axis.name for axis in axes]}
    drawn.change(
        hovermode="closest",
        xaxis={
            "type": "category",
            "showgrid": True,
            "gridcolor": theme.AXIS[0],
            **named,
            "ticktext": [wrapped(axis.title, 18) for axis in axes],
        },
        yaxis={"visible": False, "range": [-0.08, 1.08]},
        annotations=[
            *(note for axis in axes for note in _ends(axis)),
            *(note for axis in own for note in _between(axis)),
        ],
        legend={"title": {"text": dye.title}, "itemdoubleclick": False},
    )
    upright = {"tickangle": -90, "ticktext": [wrapped(axis.name, 18) for axis in axes]}
    drawn.narrow = {"layout": {"xaxis": upright, "legend": {"y": 1.02, "yanchor": "bottom"}}}


def _by_system(rows: Sequence[Row], look: Lookup) -> Dye | None:
    """A colour a system; None with one alone, or with more than there are colours."""
    names = [name for name in look.positions if any(row["bettor"] == name for row in rows)]
    if not 1 < len(names) <= len(theme.PALETTE):
        return None
    say = look.language
    classes = [(theme.style(look.positions[name]).colour, wrapped(name)) for name in names]
    title = say("page.system")
    return Dye(title, say("settings.colour_system"), [names.index(row["bettor"]) for row in rows], classes)


def _by_result(rows: Sequence[Row], look: Lookup) -> Dye:
    """A colour a third of the lines, which are in the order of their results."""
    say, count = look.language, min(3, len(rows))
    of = [k * count // len(rows) for k in range(len(rows))]
    found = []
    for number, colour in enumerate((theme.PALETTE[1], theme.QUIET, theme.PALETTE[0])[:count]):
        inside = [result(row) for row, one in zip(rows, of, strict=True) if one == number]
        low, high = (say.money(round(edge, 2)) for edge in (inside[0], inside[-1]))
        found.append((colour[0], low if low == high else say("chart.range", low=low, high=high)))
    return Dye(say("axis.result"), say("settings.colour_result"), of, found)


def _axis(name: str, values: list[Any], title: str = "", form: Callable[[Any], str] = str) -> Axis:
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        low, high = float(min(values)), float(max(values))
        heights = [(float(value) - low) / (high - low) if high > low else 0.5 for value in values]
    else:
        order = list(dict.fromkeys(map(str, values)))
        heights = [order.index(str(value)) / max(len(order) - 1, 1) for value in values]
    return Axis(name, title or name, heights, [form(value) for value in values])


def _ends(axis: Axis) -> list[dict[str, Any]]:
    """What the lowest and the highest point of an axis stand for."""
    found = []
    for place, pick in (("top", min), ("bottom", max)):
        k = axis.heights.index(pick(axis.heights))
        note = {"x": axis.name, "y": axis.heights[k], "text": plain(axis.texts[k]), "showarrow": False}
        found.append({**note, "yanchor": place, "yshift": 6 if place == "bottom" else -6})
    return found


def _between(axis: Axis) -> list[dict[str, Any]]:
    """What the other points of an axis stand for, where they are few."""
    places = dict(zip(axis.texts, axis.heights, strict=True))
    inner = {text: height for text, height in places.items() if min(axis.heights) < height < max(axis.heights)}
    if len(places) > LABELLED:
        return []
    box = {"bgcolor": theme.BACKGROUND[0], "borderpad": 1, "xanchor": "left", "xshift": 4, "showarrow": False}
    return [{"x": axis.name, "y": height, "text": plain(text), **box} for text, height in inner.items()]
