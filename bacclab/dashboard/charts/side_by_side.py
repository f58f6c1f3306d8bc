"""Several runs on one chart: where the sessions of each bettor of each run end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import floats, sketch, wrapped
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.written import money

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Row", "side_by_side"]

#: Rows at most; the table below has the others.
ROWS = 40
#: Letters of a line of a name: a telephone has room for these beside the chart.
WIDTH = 24


@dataclass(frozen=True, slots=True)
class Row:
    """One bettor of one run: what it is called, which run it is of (a number that gives the colour), and its summary."""

    name: str
    run: int
    summary: Mapping[str, Any]


@Drawing
def side_by_side(rows: Sequence[Row]) -> Sketch:
    """Final bankrolls: the middle 90 %, the middle half and the median of each row, in a colour for each run."""
    shown = [row for row in rows if row.summary.get("median") is not None][:ROWS]
    left_out = f" Shown are the first {ROWS} of {len(rows):,} rows." if len(rows) > ROWS else ""
    lines = max([wrapped(row.name, WIDTH).count("<br>") + 1 for row in shown], default=1)
    drawn = sketch(
        "Where a session ends, run by run",
        note=f"Thin: nine sessions in ten end here. Thick: half of them. Tick: the median. A colour for each run.{left_out}",
        alt=" ".join(f"{row.name}: median {money(row.summary['median'])}." for row in shown[:20]),
        x="Final bankroll (currency units)",
        y="",
        height=110 + (12 + 16 * lines) * max(len(shown), 1),
    )
    for row in shown:
        drawn.add(*_traces(row))
    drawn.change(
        showlegend=False,
        hovermode="closest",
        xaxis={"showgrid": True, "gridcolor": theme.GRID[0]},
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
    )
    return drawn


def _traces(row: Row) -> list[dict[str, Any]]:
    found, name, colour = row.summary, wrapped(row.name, WIDTH), theme.style(row.run).colour
    words = (
        f"median {found['median']:,.2f}<br>middle 50 %: {found['q25']:,.2f} to {found['q75']:,.2f}"
        f"<br>middle 90 %: {found['q05']:,.2f} to {found['q95']:,.2f}<extra></extra>"
    )
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
