"""What all charts share: an empty chart with its words, bands, lines, and texts made safe."""

from __future__ import annotations

import html
import math
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.analysis.statistics.student import quantile
from bacclab.dashboard import theme
from bacclab.dashboard.charts.sketch import Sketch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.lookup import Lookup
    from bacclab.dashboard.numbers import Array

__all__ = [
    "band",
    "by_round",
    "floats",
    "interval",
    "line",
    "one_at_a_time",
    "plain",
    "ranked",
    "said",
    "share_axis",
    "sketch",
    "start_line",
    "together",
    "wrapped",
]

#: Most points that one line is drawn with, unless the caller says otherwise.
POINTS = 200
#: Most bettors side by side on one chart.
TOGETHER = 12
#: Pixels that a menu takes above a chart.
MENU = 40


def by_round(say: Language) -> dict[str, Any]:
    """An axis of rounds: its title, and how it writes a round."""
    return {
        "title": {"text": say("axis.round")},
        "hoverformat": ",.0f",
        "unifiedhovertitle": {"text": say("axis.round_n", n="%{x:,.0f}")},
    }


def interval(row: Mapping[str, Any]) -> float:
    """Half the 95 % interval of the mean result of a session, from a row of the summary; 0 where it does not vary.

    >>> round(interval({"sessions": 4, "sd_final": 10.0}), 4), interval({"sessions": 1, "sd_final": None})
    (15.9122, 0.0)
    """
    n, spread = row["sessions"], row.get("sd_final")
    return float(quantile(n - 1) * spread / math.sqrt(n)) if spread and n > 1 else 0.0


def together(look: Lookup, cell: int, bettors: Sequence[str] | None) -> tuple[list[str], str]:
    """The bettors of a chart that shows several, and a remark when they are not all.

    Unless they are chosen, these are a dozen: those that are expected to lose least, and those that are to lose most.
    """
    names = look.bettors(cell) if bettors is None else list(bettors)
    if bettors is not None or len(names) <= TOGETHER:
        return names, ""
    say = look.language
    order, half = ranked(look, cell), TOGETHER // 2
    chosen = {*order[:half], *order[-half:]}
    return [name for name in names if name in chosen], say(
        "chart.first_of", n=say.count(TOGETHER), all=say.count(len(names))
    )


def ranked(look: Lookup, cell: int) -> list[str]:
    """The bettors of a cell by what a session is expected to bring (or else brought), the most first."""

    def brought(name: str) -> float:
        row = look.summary(cell, name)
        found = row["expected"] if row.get("expected") is not None else row["net"]
        return float(found or 0) / (row["sessions"] or 1)

    return sorted(look.bettors(cell), key=brought, reverse=True)


def plain(text: str) -> str:
    """A name as plotly shall show it: its text, never markup.

    >>> plain("5 < 6 & <b>")
    '5 &lt; 6 &amp; &lt;b&gt;'
    """
    return html.escape(text, quote=False)


def wrapped(text: str, width: int = 34) -> str:
    """A long name on several lines, safe for plotly.

    >>> wrapped("Follow the last, seven-step Martingale on Banker")
    'Follow the last, seven-step<br>Martingale on Banker'
    """
    return "<br>".join(plain(part) for part in textwrap.wrap(text, width) or [""])


def floats(values: Any) -> Array:
    """Numbers as a browser gets them: float32, four bytes each."""
    return np.ascontiguousarray(values, dtype=np.float32)


def sketch(title: str, *, note: str, alt: str, x: str | dict[str, Any], y: str, height: int = 420) -> Sketch:
    """An empty chart with its words: title, explanation, axis titles with units, and a text for who cannot see it.

    The page takes them from `layout.meta`.
    """
    heading = wrapped(title, 60)
    below = "<br>".join(plain(part) for part in textwrap.wrap(note, 100))
    return Sketch(
        {
            "title": {"text": f"{heading}<br><span style='font-size:12px;color:{theme.QUIET[0]}'>{below}</span>"},
            "meta": {"title": title, "note": note, "alt": alt},
            "height": height,
            "margin": {"t": 70 + 16 * below.count("<br>") + 20 * heading.count("<br>")},
            "xaxis": {"title": {"text": x}} if isinstance(x, str) else x,
            "yaxis": {"title": {"text": y}},
            "hovermode": "x unified",
            # Under the axis title, whatever the height.
            "legend": {"orientation": "h", "x": 0, "y": -64 / (height - 80), "yanchor": "top"},
        }
    )


def band(
    rounds: Array,
    lower: Array,
    upper: Array,
    *,
    name: tuple[str, str],
    colour: str,
    step: int,
    say: Language | None = None,
) -> dict[str, Any]:
    """One quantile band as a closed polygon: it stands by itself, so nothing that is hidden can break it.

    `name` holds what the lower and the upper edge are called in the table of the chart; `say` puts them together.
    """
    return {
        "type": "scatter",
        "mode": "lines",
        "x": floats(np.concatenate([rounds, rounds[::-1]])),
        "y": floats(np.concatenate([upper, lower[::-1]])),
        "fill": "toself",
        "fillcolor": theme.rgba(colour, theme.BAND[step]),
        "line": {"width": 0, "color": theme.rgba(colour, theme.BAND[step])},
        "hoverinfo": "skip",
        "name": say("chart.range", low=name[0], high=name[1]) if say else f"{name[0]} to {name[1]}",
        "meta": {"lower": name[0], "upper": name[1]},
    }


def line(
    rounds: Array, values: Array, *, name: str, colour: str, dash: str = "solid", width: float = 2, form: str = ",.2f"
) -> dict[str, Any]:
    """One line by round."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": floats(rounds),
        "y": floats(values),
        "name": wrapped(name),
        "line": {"color": colour, "dash": dash, "width": width},
        "hovertemplate": f"%{{fullData.name}}: %{{y:{form}}}<extra></extra>",
    }


def share_axis(top: float) -> dict[str, Any]:
    """An axis of shares up to `top`: from zero to a little above it and never over 100 %; the whole when there is none.

    >>> share_axis(0.5)["range"], share_axis(1.0)["range"], share_axis(0.0)["range"]
    ([0, 0.525], [0, 1.005], [0, 1.005])
    """
    return {"tickformat": ".3~p", "range": [0, min(1.05 * top, 1.005) if top > 0 else 1.005], "autorange": False}


def said(text: str) -> dict[str, Any]:
    """A sentence in the middle of a chart that has nothing else to show."""
    return {
        "text": "<br>".join(textwrap.wrap(text, 28)),
        "x": 0.5,
        "y": 0.5,
        "xref": "paper",
        "yref": "paper",
        "showarrow": False,
        "font": {"size": 14},
    }


def start_line(start: float) -> dict[str, Any]:
    """A thin level line at the starting bankroll."""
    return {
        "type": "line",
        "xref": "paper",
        "yref": "y",
        "x0": 0,
        "x1": 1,
        "y0": start,
        "y1": start,
        "line": {"color": theme.AXIS[0], "width": 1},
        "layer": "between",
    }


def one_at_a_time(drawn: Sketch, parts: Sequence[tuple[str, list[dict[str, Any]]]], *, of: str, seen: int) -> None:
    """Add the traces of several things by name, of which a menu shows one at a time; `seen` is the place of the first.

    `of` is what the things are in one word, the label of the menu.
    """
    places = [place for place, (_, traces) in enumerate(parts) for _ in traces]
    drawn.add(*({**trace, "visible": place == seen} for place, (_, traces) in enumerate(parts) for trace in traces))
    if len(parts) == 1:
        return
    buttons = [
        {"label": plain(name), "method": "restyle", "args": ["visible", [other == place for other in places]]}
        for place, (name, _) in enumerate(parts)
    ]
    where = {"x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"}
    drawn.change(
        updatemenus=[{"name": of, "buttons": buttons, "active": seen, "showactive": True, **where}],
        # Room for the menu under a title that stands in the figure itself.
        margin={"t": drawn.layout["margin"]["t"] + MENU},
        title={"y": 1, "yref": "container", "yanchor": "top", "pad": {"l": 12, "t": 14}},
    )
