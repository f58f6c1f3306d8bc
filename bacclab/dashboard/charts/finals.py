"""Where sessions end: the histogram of final bankrolls, with bust and the goals as bars of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from bacclab.dashboard import numbers, theme
from bacclab.dashboard.charts.parts import floats, share_axis, sketch
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.run_frames import Slice

if TYPE_CHECKING:
    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["finals"]

#: Sessions that a rule or the bankroll ended are bars of their own; the others form the histogram.
APART = ("bust", "cannot_cover", "stop_loss", "stop_win", "limit", "bettor")


@Drawing
def finals(run: RunFrames | Lookup, *, bettor: str | None = None, cell: int | None = None, most: int = 40) -> Sketch:
    """How sessions end up: above, the share of each outcome; below, the bankrolls of those that played every round.

    Bust sessions and those that reached a goal pile up on one value, so they are bars above and not spikes below.
    """
    look = Lookup.of(run)
    say, part = look.language, look.slice(cell=cell, bettor=bettor)
    classes, rest = _classes(part, say)
    drawn = sketch(
        say("chart.one", bettor=part.title, title=say("finals.title")),
        note=say("finals.note"),
        alt=say("finals.alt", bettor=part.title)
        + " "
        + "; ".join(f"{name} {say.percent(share)}" for name, share, _ in classes)
        + ".",
        x=say("axis.final"),
        y=say("axis.sessions"),
        height=330 + 26 * len(classes),
    )
    drawn.add(_bars(classes, say))
    split = 0.12 + 0.065 * len(classes)
    bars: list[dict[str, Any]] = []
    if rest.height:
        total = float(_counts(part)["sessions"].sum())
        bars = _histogram(rest, total, part.start, most, say)
        drawn.add(*bars)
    drawn.change(
        hovermode="closest",
        bargap=0.25,
        barmode="overlay",
        showlegend=False,
        xaxis={"anchor": "y", "tickformat": ",", "hoverformat": ",.2f"},
        yaxis={"domain": [0, 1 - split], **share_axis(max((float(bar["y"].max()) for bar in bars), default=0.0))},
        xaxis2={"anchor": "y2", "visible": False, "range": [0, 1.7], "fixedrange": True},
        yaxis2={
            "anchor": "x2",
            "domain": [1 - split + 0.1, 1],
            "autorange": "reversed",
            "type": "category",
            "visible": False,
            "fixedrange": True,
        },
    )
    # The words beside a bar are as long on a telephone as anywhere.
    drawn.narrow = {"layout": {"xaxis2": {"range": [0, 3.3]}}}
    return drawn


def _counts(part: Slice) -> pl.DataFrame:
    """Sessions by ending and final bankroll; an exact run knows only the bankroll."""
    if part.finals.height:
        return part.finals
    last = part.distribution.filter(pl.col("round") == part.rounds)
    return last.select(pl.lit("rounds").alias("ended_by"), pl.col("bankroll").alias("final"), "sessions")


def _classes(part: Slice, say: Language) -> tuple[list[tuple[str, float, str]], pl.DataFrame]:
    """Name, share and colour of each outcome that occurred, worst first; and the counts that form the histogram."""
    counts = _counts(part)
    total = float(counts["sessions"].sum())

    def share(rows: pl.Expr) -> float:
        return float(counts.filter(rows)["sessions"].sum()) / total

    inside = ~pl.col("ended_by").is_in(APART)
    final = pl.col("final")
    found = [(say(f"ending.{how}"), share(pl.col("ended_by") == how), theme.ENDINGS[how][0]) for how in APART]
    middle = [
        (say("ending.behind"), share(inside & (final < part.start)), theme.QUIET[0]),
        (say("ending.even"), share(inside & (final == part.start)), theme.AXIS[0]),
        (say("ending.ahead"), share(inside & (final > part.start)), theme.PALETTE[0][0]),
    ]
    rows = [*found[:3], *middle, *found[3:]]
    return [
        (name[0].upper() + name[1:], part_of, colour) for name, part_of, colour in rows if part_of > 0
    ], counts.filter(inside)


def _bars(classes: list[tuple[str, float, str]], say: Language) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "xaxis": "x2",
        "yaxis": "y2",
        "y": [name for name, _, _ in classes],
        "x": floats([share for _, share, _ in classes]),
        "text": [say("form.colon", name=name, text=say.percent(share)) for name, share, _ in classes],
        "textposition": "outside",
        "cliponaxis": False,
        "marker": {"color": [colour for _, _, colour in classes]},
        "hovertemplate": f"%{{y}}: %{{x:.3%}} {say('finals.of_sessions')}<extra></extra>",
        "name": say("finals.outcome"),
    }


def _histogram(rest: pl.DataFrame, total: float, start: float, most: int, say: Language) -> list[dict[str, Any]]:
    values, counts = rest["final"].to_numpy(), rest["sessions"].to_numpy()
    centres, held, width = numbers.bins(values, counts, start=start, most=most)
    behind = centres < start
    colours = np.where(behind, theme.QUIET[0], theme.PALETTE[0][0])
    edges = floats(np.column_stack([centres - width / 2, centres + width / 2]))
    return [
        {
            "type": "bar",
            "x": floats(centres[side]),
            "y": floats(held[side] / total),
            "width": width * 0.92,
            "marker": {"color": str(colours[side][0])},
            "customdata": edges[side],
            "hovertemplate": say("finals.under", low="%{customdata[0]:,.2f}", high="%{customdata[1]:,.2f}")
            + f": %{{y:.2%}} {say('finals.of_sessions')}<extra></extra>",
            "name": name,
        }
        for name, side in ((say("finals.behind"), behind), (say("finals.ahead"), ~behind))
        if side.any()
    ]
