"""Colours, dashes and the plotly template of the charts, for a light and for a dark background.

The palette follows Okabe and Ito (colours that people with a colour-vision deficiency tell apart), with the paler ones
darkened on white so that every line keeps a contrast of 3:1 with its background, and bettors differ in their dashes
too. A figure is always built in the light colours; `recolour` changes each colour for its partner.

>>> style(0).colour, style(0).dash
('#0072B2', 'solid')
>>> style(1).colour, style(1).dash
('#D55E00', '8px,3px')
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import plotly.graph_objects as go

__all__ = [
    "BACKGROUND",
    "DASHES",
    "ENDINGS",
    "PALETTE",
    "SHADES",
    "Style",
    "recolour",
    "rgba",
    "style",
    "swaps",
    "template",
]

Scheme = Literal["light", "dark"]

#: Light and dark partner of each colour for bettors.
PALETTE = (
    ("#0072B2", "#4AA3DF"),  # blue
    ("#D55E00", "#FF7F3F"),  # vermillion
    ("#00805F", "#1FC295"),  # bluish green
    ("#A8487F", "#E79AC4"),  # reddish purple
    ("#AB7400", "#E8AE2C"),  # orange
    ("#3D94CF", "#9BD6FF"),  # sky blue
    ("#20262D", "#E8EAED"),  # black
    ("#7D7300", "#D9D04A"),  # yellow
)
#: Dots are kept for the house-edge line.
DASHES = ("solid", "8px,3px", "5px,2px", "9px,2px,2px,2px", "14px,3px")

BACKGROUND = ("#FFFFFF", "#14181D")
INK = ("#1F2328", "#E6E9EC")
QUIET = ("#5B646E", "#A0A9B3")
GRID = ("#E4E7EB", "#2B323A")
AXIS = ("#A9B1BA", "#55606B")
EDGE = ("#5A5F66", "#B9C0C8")

#: The colours of the roads: Banker and red marks, Player and blue marks, Tie.
BANKER = ("#C2302B", "#FF7568")
PLAYER = ("#1D5FBE", "#78AEFF")
TIE = ("#23803F", "#57C877")

#: Ways to end a session, in colours; the order is the one of charts and tables.
ENDINGS: dict[str, tuple[str, str]] = {
    "bust": ("#C8401A", "#FF6A45"),
    "cannot_cover": ("#D98A6B", "#C9684A"),
    "stop_loss": ("#B08416", "#E8AE2D"),
    "limit": ("#7D7301", "#D9D04B"),
    "bettor": ("#A84880", "#E79AC5"),
    "source": ("#6F7A86", "#8C96A1"),
    "rounds": ("#8FB8D6", "#3C6E93"),
    "stop_win": ("#00805E", "#1FC296"),
}

#: From nothing to all, for charts of squares: where a shade stands, and its light and dark partner. Each is far enough
#: from the colour of the ink (5:1 at least) for figures to be read on it.
SHADES: tuple[tuple[float, tuple[str, str]], ...] = (
    (0.0, ("#F3F6F9", "#1D232B")),
    (0.25, ("#D0E2F1", "#1E364C")),
    (0.5, ("#ABCEE9", "#1E4767")),
    (0.75, ("#86B9E0", "#1E5780")),
    (1.0, ("#61A4D6", "#1D6699")),
)

#: One step of a bettor's bands is as opaque as this.
BAND = (0.16, 0.30)

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"


@dataclass(frozen=True, slots=True)
class Style:
    """How one bettor looks in every chart of a run: colour (light) and dash."""

    colour: str
    dash: str


def style(position: int) -> Style:
    """The look of the bettor at this position of the experiment; forty differ before one comes again.

    >>> len({(style(k).colour, style(k).dash) for k in range(40)})
    40
    """
    return Style(PALETTE[position % len(PALETTE)][0], DASHES[position % len(DASHES)])


def rgba(colour: str, opacity: float) -> str:
    """A colour let through, in the form that plotly takes.

    >>> rgba("#0072B2", 0.16)
    'rgba(0,114,178,0.16)'
    """
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def swaps() -> dict[str, str]:
    """Every light colour that charts use, and its dark partner.

    >>> swaps()["#0072B2"], swaps()["rgba(0,114,178,0.16)"]
    ('#4AA3DF', 'rgba(74,163,223,0.16)')
    """
    pairs = [
        *PALETTE,
        BACKGROUND,
        INK,
        QUIET,
        GRID,
        AXIS,
        EDGE,
        BANKER,
        PLAYER,
        TIE,
        *ENDINGS.values(),
        *(pair for _, pair in SHADES),
    ]
    found = dict(pairs)
    for light, dark in PALETTE:
        found |= {rgba(light, step): rgba(dark, step) for step in BAND}
    return found


def template(scheme: Scheme = "light") -> dict[str, Any]:
    """The plotly template (fonts, axes, legend) of one scheme, as plain JSON.

    >>> template("dark")["layout"]["paper_bgcolor"]
    '#14181D'
    """
    k = 0 if scheme == "light" else 1
    axis = {
        "gridcolor": GRID[k],
        "zerolinecolor": AXIS[k],
        "linecolor": AXIS[k],
        "tickcolor": AXIS[k],
        "ticks": "outside",
        "ticklen": 4,
        "showline": True,
        "zeroline": False,
        "automargin": True,
        "title": {"standoff": 8, "font": {"size": 13, "color": QUIET[k]}},
        "tickfont": {"size": 12, "color": QUIET[k]},
    }
    return {
        "layout": {
            "font": {"family": FONT, "size": 13, "color": INK[k]},
            "title": {"x": 0, "xref": "container", "xanchor": "left", "pad": {"l": 12}, "font": {"size": 16}},
            "paper_bgcolor": BACKGROUND[k],
            "plot_bgcolor": BACKGROUND[k],
            "colorway": [pair[k] for pair in PALETTE],
            "xaxis": {**axis, "showgrid": False, "tickformat": ","},
            "yaxis": {**axis, "showline": False, "ticks": "", "tickformat": ","},
            "hoverlabel": {
                "bgcolor": BACKGROUND[k],
                "bordercolor": AXIS[k],
                "font": {"family": FONT, "size": 12, "color": INK[k]},
                "align": "left",
                "namelength": -1,
            },
            "legend": {"font": {"size": 12, "color": INK[k]}, "bgcolor": "rgba(0,0,0,0)"},
            "annotationdefaults": {"font": {"size": 12, "color": QUIET[k]}},
            "margin": {"l": 56, "r": 28, "t": 48, "b": 48},
            "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": AXIS[k], "activecolor": INK[k]},
        }
    }


def recolour(figure: go.Figure, scheme: Scheme) -> go.Figure:
    """The same figure for a dark (or light) background.

    The table of partners is one to one, so light to dark and back gives the figure that one had.
    """
    import plotly.graph_objects as go

    found = swaps() if scheme == "dark" else {dark: light for light, dark in swaps().items()}
    plain = json.loads(figure.to_json())
    plain.get("layout", {}).pop("template", None)
    changed = _change(plain, found)
    changed["layout"]["template"] = template(scheme)
    return go.Figure(changed)


def _change(item: Any, found: dict[str, str]) -> Any:
    if isinstance(item, str):
        return found.get(item, item)
    if isinstance(item, dict):
        return {key: _change(value, found) for key, value in item.items()}
    if isinstance(item, list):
        return [_change(value, found) for value in item]
    return item
