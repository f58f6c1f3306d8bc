"""A sweep of one key or two at a glance: lines, or squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import theme
from bacclab.dashboard.charts.goals import squares
from bacclab.dashboard.charts.parts import TOGETHER, line, one_at_a_time, plain, sketch, wrapped
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.words.rows import ruin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["Row", "result", "settings", "swept"]

Row = dict[str, Any]


@Drawing
def settings(run: RunFrames | Lookup, *, bettors: list[str] | None = None) -> Sketch | None:
    """Ruin from setting to setting: lines over one swept key, squares over two; None without a sweep of one or two."""
    look = Lookup.of(run)
    keys, rows = swept(look)
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
        _over_two(drawn, keys, rows, names, say)
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


def _over_two(drawn: Sketch, keys: list[str], rows: list[Row], names: list[str], say: Language) -> None:
    across, up = (list(dict.fromkeys(str(row["swept"][key]) for row in rows)) for key in keys)
    grids = {name: np.full((len(up), len(across)), np.nan) for name in names}
    for row in rows:
        if row["bettor"] in grids:
            place = up.index(str(row["swept"][keys[1]])), across.index(str(row["swept"][keys[0]]))
            grids[row["bettor"]][place] = ruin(row)
    # The one that is seen first is the one to which the settings matter most.
    shown = max(names, key=lambda name: float(np.nanmax(grids[name]) - np.nanmin(grids[name])))
    shares = []
    for name, grid in grids.items():
        hover = f"{plain(name)}<br>{plain(keys[0])} = %{{x}}<br>{plain(keys[1])} = %{{y}}"
        shares.append((name, [{**squares(across, up, grid, hover=hover), "name": wrapped(name)}]))
    one_at_a_time(drawn, shares, of=say("page.system"), seen=names.index(shown))
    drawn.change(hovermode="closest", xaxis={"type": "category"}, yaxis={"type": "category", "showgrid": False})


def swept(look: Lookup) -> tuple[list[str], list[Row]]:
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


def result(row: Row) -> float:
    """What a session is expected to bring; in the sample, where the exact expectation is not known."""
    found = row["expected"] if row.get("expected") is not None else row["net"]
    return float(found / row["sessions"]) if row["sessions"] else 0.0
