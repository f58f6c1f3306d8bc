"""The page of the roads of one shoe: one offline HTML file with the picture, for light and dark, wide and narrow screens."""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from bacclab.dashboard import theme
from bacclab.dashboard.charts.roads import board
from bacclab.dashboard.pack import as_json

if TYPE_CHECKING:
    import os

    from bacclab.game.roads import Roads

__all__ = ["write_roads_page"]


def write_roads_page(roads: Roads, path: str | os.PathLike[str], *, title: str, command: str) -> Path:
    """Write the page as one HTML file (UTF-8) and return its path; `command` is how one gets it again."""
    from plotly.offline import get_plotlyjs

    from bacclab._version import __version__

    sketches = {shape: board(roads, title=title, narrow=shape == "narrow") for shape in ("wide", "narrow")}
    figures = {shape: made.figure() for shape, made in sketches.items()}
    charts: dict[str, Any] = {
        "light": {shape: json.loads(figure.to_json()) for shape, figure in figures.items()},
        "dark": {shape: json.loads(theme.recolour(figure, "dark").to_json()) for shape, figure in figures.items()},
    }
    words = sketches["wide"].layout["meta"]
    text = Template(_asset("roads.html")).substitute(
        version=escape(__version__),
        title=escape(words["title"]),
        note=escape(words["note"]),
        alt=escape(words["alt"]),
        style=_asset("page.css"),
        command=escape(command),
        plotly=get_plotlyjs(),
        charts=as_json(charts),
    )
    target = Path(path)
    target.write_text(text, encoding="utf-8", newline="\n")
    return target


def _asset(name: str) -> str:
    return resources.files("bacclab.dashboard").joinpath("assets", name).read_text(encoding="utf-8")
