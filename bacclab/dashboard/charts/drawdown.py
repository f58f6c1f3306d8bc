"""Under water: how far sessions stand under their own peak, and how many stand under where they began."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bacclab.dashboard import numbers, theme
from bacclab.dashboard.charts.parts import POINTS, band, by_round, floats, line, sketch, wrapped
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup

if TYPE_CHECKING:
    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["underwater"]


@Drawing
def underwater(
    run: RunFrames | Lookup, *, bettor: str | None = None, cell: int | None = None, points: int = POINTS
) -> Sketch | None:
    """How far under their highest bankroll the sampled sessions stand, and the share of all sessions behind.

    Drawdown is measured from the starting bankroll on. It needs whole paths, so its bands come from the sample of
    sessions that were kept round by round; the panel below counts every session.
    """
    look = Lookup.of(run)
    say, part = look.language, look.slice(cell=cell, bettor=bettor)
    if part.is_exact:
        return None  # an exact run has no single sessions
    rounds, behind = numbers.below(part.distribution, part.start, points=points)
    sampled = part.paths["session"].n_unique() if part.paths.height else 0
    colour = theme.style(part.position).colour
    depth = numbers.drawdowns(part.paths, rounds) if sampled else np.zeros((1, len(rounds)))
    q05, q25, q50, q75, q95 = np.quantile(-depth, (0.05, 0.25, 0.5, 0.75, 0.95), axis=0)
    drawn = sketch(
        say("chart.one", bettor=part.title, title=say("underwater.title")),
        note=say("underwater.note", n=say.count(sampled)),
        alt=say("underwater.alt", bettor=part.title, depth=say.money(-q50[-1]), share=say.percent(float(behind[-1]))),
        x=by_round(say),
        y=wrapped(say("axis.under_peak"), 24),
        height=420,
    )
    if sampled:
        median = line(rounds, q50, name=say("underwater.median"), colour=colour, width=2.25)
        median["customdata"] = floats(np.column_stack([q05, q95]))
        median["hovertemplate"] = (
            f"{say('underwater.median')}: %{{y:,.2f}}<br>{say('chart.middle', n='90')}: "
            + say("chart.range", low="%{customdata[0]:,.2f}", high="%{customdata[1]:,.2f}")
            + "<extra></extra>"
        )
        drawn.add(
            *[
                band(rounds, q05, q95, name=_deep("5", say), colour=colour, step=0, say=say),
                band(rounds, q25, q75, name=_deep("25", say), colour=colour, step=1, say=say),
                median,
            ]
        )
    share = line(rounds, behind, name=say("underwater.share"), colour=theme.EDGE[0], width=2, form=".1%")
    drawn.add({**share, "yaxis": "y2", "showlegend": False})
    drawn.change(
        xaxis={"anchor": "y2"},
        yaxis={"domain": [0.38, 1], "rangemode": "tozero"},
        yaxis2={
            "domain": [0, 0.27],
            "range": [0, 1.02],
            "tickformat": ".0%",
            "tickvals": [0, 0.25, 0.5, 0.75, 1],
            "anchor": "x",
            "title": {"text": say("axis.behind")},
        },
        hoversubplots="axis",
        legend={"itemclick": False, "itemdoubleclick": False},
    )
    return drawn


def _deep(share: str, say: Language) -> tuple[str, str]:
    """What both edges of a band are called."""
    return say("underwater.deepest", n=share), say("underwater.shallowest", n=share)
