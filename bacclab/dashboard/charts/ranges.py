"""All bettors at a glance: where nine sessions in ten end, and what the house edge leaves on average."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import floats, sketch, start_line, together, wrapped
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.run_frames import Slice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["ranges"]

#: Room left at either end of the axis, as a share of what is drawn.
PAD = 0.04


@Drawing
def ranges(run: RunFrames | Lookup, *, bettors: Sequence[str] | None = None, cell: int | None = None) -> Sketch:
    """Final bankrolls of all bettors side by side: the middle 90 %, the middle half, the median, the expected mean."""
    look = Lookup.of(run)
    say, cell = look.language, look.cell(cell)
    names, remark = together(look, cell, bettors)
    parts = [look.slice(cell=cell, bettor=name) for name in names]
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    drawn = sketch(
        say("ranges.title") + label,
        note=say("ranges.note") + remark,
        alt=" ".join([say("ranges.alt"), *(_told(part, say) for part in parts[:12])]),
        x=say("axis.final"),
        y="",
        height=110 + 36 * len(parts),
    )
    for part in parts:
        drawn.add(*_row(part, say))
    expected = [(part, value) for part in parts if (value := _expected(part)) is not None]
    drawn.add(
        {
            "type": "scatter",
            "mode": "markers",
            "x": floats([value for _, value in expected]),
            "y": [wrapped(part.bettor, 26) for part, _ in expected],
            "marker": {
                "symbol": "diamond",
                "size": 9,
                "color": theme.BACKGROUND[0],
                "line": {"color": theme.INK[0], "width": 1.5},
            },
            "name": say("chart.expected"),
            "hovertemplate": f"{say('chart.expected')}: %{{x:,.2f}}<extra></extra>",
            "orientation": "h",
        }
    )
    if parts:
        level = start_line(parts[0].start)
        drawn.change(
            shapes=[{**level, "xref": "x", "yref": "paper", "x0": level["y0"], "x1": level["y0"], "y0": 0, "y1": 1}]
        )
    drawn.change(
        showlegend=False,
        hovermode="closest",
        xaxis={"showgrid": True, "gridcolor": theme.GRID[0], **_span(parts, [value for _, value in expected])},
        yaxis={"autorange": "reversed", "type": "category", "showgrid": False},
    )
    return drawn


def _span(parts: Sequence[Slice], expected: Sequence[float]) -> dict[str, Any]:
    """The range of the axis: a little more than what is drawn, so that no whisker looks cut off."""
    drawn = [*expected, *(part.start for part in parts)]
    drawn += [value for part in parts for key in ("q05", "q95") if (value := part.summary[key]) is not None]
    low, high = min(drawn, default=0.0), max(drawn, default=0.0)
    room = PAD * (high - low)
    return {"range": [low - room, high + room], "autorange": False} if room > 0 else {}


def _told(part: Slice, say: Language) -> str:
    row = part.summary
    low, median, high = (say.money(row[key]) for key in ("q05", "median", "q95"))
    return say("ranges.alt_one", bettor=part.bettor, median=median, low=low, high=high)


def _expected(part: Slice) -> float | None:
    expected, sessions = part.summary.get("expected"), part.summary.get("sessions")
    return None if expected is None or not sessions else part.start + expected / sessions


def _row(part: Slice, say: Language) -> list[dict[str, Any]]:
    row, name, colour = part.summary, wrapped(part.bettor, 26), theme.style(part.position).colour
    words = f"{say('chart.median')} {say.money(row['median'])}"
    for share, low, high in (("50", "q25", "q75"), ("90", "q05", "q95")):
        span = say("chart.range", low=say.money(row[low]), high=say.money(row[high]))
        words += f"<br>{say('chart.middle', n=share)}: {span}"
    words += "<extra></extra>"
    common = {"type": "scatter", "y": [name, name], "name": name, "orientation": "h", "hovertemplate": words}
    return [
        {**common, "mode": "lines", "x": floats([row["q05"], row["q95"]]), "line": {"color": colour, "width": 3}},
        {**common, "mode": "lines", "x": floats([row["q25"], row["q75"]]), "line": {"color": colour, "width": 13}},
        {
            **common,
            "mode": "markers",
            "x": floats([row["median"]]),
            "y": [name],
            "marker": {
                "symbol": "line-ns",
                "size": 9,
                "line": {"color": theme.INK[0], "width": 2.5},
            },
        },
    ]
