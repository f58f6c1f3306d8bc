"""The page of the roads of one shoe: an offline HTML file with the picture, for light and dark, wide and narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.dashboard.charts.roads import board
from bacclab.dashboard.pages import offline

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from bacclab.game.roads import Roads

__all__ = ["write_roads_page"]


def write_roads_page(roads: Roads, path: str | os.PathLike[str], *, title: str, command: str) -> Path:
    """Write the page as one HTML file (UTF-8) and return its path; `command` is how one gets it again."""
    sketches = {shape: board(roads, title=title, narrow=shape == "narrow") for shape in ("wide", "narrow")}
    figures = {shape: made.figure() for shape, made in sketches.items()}
    without = f"The picture needs JavaScript. {sketches['wide'].layout['meta']['alt']}"
    return offline.put(path, lambda: offline.single(figures, brand="bacclab roads", command=command, without=without))
