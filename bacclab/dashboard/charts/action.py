"""Result against action: what systems win or lose for what they stake, and the house edge that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import floats, interval, plain, sketch, start_line
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["action"]

#: House edges drawn at most: the lowest and the highest.
EDGES = 2
#: More points than these are small, and their intervals are not drawn: they would hide each other.
MANY = 60


@Drawing
def action(run: RunFrames | Lookup, *, cell: int | None = None, bettors: Sequence[str] | None = None) -> Sketch | None:
    """Mean result of a session against its mean action, a point a bettor with a 95 % interval, and house-edge lines.

    For every bettor whose bets have one edge, mean result = −edge × mean action in the long run. None where nobody bet.
    """
    look = Lookup.of(run)
    say, cell = look.language, look.cell(cell)
    names = look.bettors(cell) if bettors is None else list(bettors)
    rows = [look.slice(cell=cell, bettor=name).summary for name in names]
    rows = [row for row in rows if row.get("staked") and row.get("sessions")]
    if not rows:
        return None
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    told = [
        say(
            "action.alt_one",
            bettor=row["bettor"],
            net=say.money(round(row["net"] / row["sessions"], 2)),
            staked=say.money(round(row["staked"] / row["sessions"])),
        )
        for row in rows[:12]
    ]
    drawn = sketch(
        say("action.title") + label,
        note=" ".join([say("action.note"), *([say("action.note_many")] if len(rows) > MANY else [])]),
        alt=" ".join([say("action.alt"), *told]),
        x=say("axis.staked"),
        y=say("axis.result"),
        height=420,
    )
    drawn.add(*_edges(rows, say), _points(rows, look))
    drawn.change(
        shapes=[start_line(0.0)],
        hovermode="closest",
        showlegend=True,
        xaxis={"rangemode": "tozero", "showgrid": True, "gridcolor": theme.GRID[0]},
    )
    return drawn


def _edges(rows: list[Any], say: Language) -> list[dict[str, Any]]:
    """The lines of the lowest and the highest house edge, from nothing staked to a little more than the most."""
    rates = sorted({round(row["expected_return"], 6) for row in rows if row.get("expected_return") is not None})
    most = 1.05 * max(row["staked"] / row["sessions"] for row in rows)
    chosen = rates if len(rates) <= EDGES else [rates[0], rates[-1]]
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "x": floats([0, most]),
            "y": floats([0, rate * most]),
            "name": say("action.edge", edge=say.signed(-rate).removeprefix("+")),
            "line": {"color": theme.EDGE[0], "width": 2, "dash": dash},
            "hoverinfo": "skip",
        }
        for rate, dash in zip(chosen, ("dot", "5px,2px"), strict=False)
    ]


def _points(rows: list[Any], look: Lookup) -> dict[str, Any]:
    net = np.array([row["net"] / row["sessions"] for row in rows])
    staked = np.array([row["staked"] / row["sessions"] for row in rows])
    half = [interval(row) for row in rows]
    say, many = look.language, len(rows) > MANY
    seen = {
        "color": "rgba(0,0,0,0)" if many else theme.AXIS[0],
        "thickness": 0 if many else 1.5,
        "width": 0 if many else 3,
    }
    return {
        "type": "scatter",
        "mode": "markers",
        "x": floats(staked),
        "y": floats(net),
        "text": [plain(row["bettor"]) for row in rows],
        "name": say("page.system"),
        "meta": {"named": True},
        "showlegend": False,
        "marker": {
            "color": [theme.style(look.positions[row["bettor"]]).colour for row in rows],
            "size": 5 if many else 9,
        },
        "error_y": {"type": "data", "array": floats(half), **seen},
        "hovertemplate": f"%{{text}}<br>{say('heading.staked_session')}: %{{x:,.2f}}"
        f"<br>{say('heading.net_session')}: %{{y:+,.2f}} ± %{{error_y.array:,.2f}}<extra></extra>",
    }
