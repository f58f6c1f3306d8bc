"""Several runs on one chart: where the sessions of each bettor of each run end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import floats, sketch, wrapped
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.language import ENGLISH, language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.dashboard.language import Language

__all__ = ["Row", "side_by_side"]

#: Rows at most; the table below has the others.
ROWS = 40
#: Letters of a line of a name: a telephone has room for these beside the chart.
WIDTH = 24


@dataclass(frozen=True, slots=True)
class Row:
    """One bettor of one run: its name, which run it is of (a number that gives the colour), and its summary."""

    name: str
    run: int
    summary: Mapping[str, Any]


@Drawing
def side_by_side(rows: Sequence[Row], *, say: Language | None = None) -> Sketch:
    """Final bankrolls, a colour for each run: the middle 90 %, the middle half and the median of each row."""
    say = say or language(ENGLISH)
    shown = [row for row in rows if row.summary.get("median") is not None][:ROWS]
    left_out = [say("compare.first_rows", n=say.count(ROWS), all=say.count(len(rows)))] if len(rows) > ROWS else []
    lines = max([wrapped(row.name, WIDTH).count("<br>") + 1 for row in shown], default=1)
    drawn = sketch(
        say("compare.chart"),
        note=" ".join([say("compare.note"), *left_out]),
        alt=" ".join(
            say("compare.alt_one", name=row.name, median=say.money(row.summary["median"])) for row in shown[:20]
        ),
        x=say("axis.final"),
        y="",
        height=110 + (12 + 16 * lines) * max(len(shown), 1),
    )
    for row in shown:
        drawn.add(*_traces(row, say))
    drawn.change(
        showlegend=False,
        hovermode="closest",
        xaxis={"showgrid": True, "gridcolor": theme.GRID[0]},
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
    )
    return drawn


def _traces(row: Row, say: Language) -> list[dict[str, Any]]:
    found, name, colour = row.summary, wrapped(row.name, WIDTH), theme.style(row.run).colour
    figure = {key: say.written(found[key], "money") for key in ("q05", "q25", "median", "q75", "q95")}
    inner, outer = (
        f"{say('chart.middle', n=n)}: {say('chart.range', low=figure[low], high=figure[high])}"
        for n, low, high in ((50, "q25", "q75"), (90, "q05", "q95"))
    )
    words = f"{say('chart.median')} {figure['median']}<br>{inner}<br>{outer}<extra></extra>"
    common = {"type": "scatter", "name": name, "orientation": "h", "hovertemplate": words}
    tick = {"symbol": "line-ns", "size": 9, "line": {"color": theme.INK[0], "width": 2.5}}

    def span(low: str, high: str, width: float) -> dict[str, Any]:
        ends = floats([found[low], found[high]])
        return {**common, "mode": "lines", "x": ends, "y": [name, name], "line": {"color": colour, "width": width}}

    return [
        span("q05", "q95", 3),
        span("q25", "q75", 13),
        {**common, "mode": "markers", "x": floats([found["median"]]), "y": [name], "marker": tick},
    ]
