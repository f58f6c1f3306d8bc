"""Who still plays: the share of sessions that have not ended, by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bacclab.dashboard import numbers, theme
from bacclab.dashboard.charts.parts import POINTS, by_round, line, share_axis, sketch, together
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.numbers import Array
    from bacclab.dashboard.run_frames import RunFrames, Slice

__all__ = ["survival"]


@Drawing
def survival(
    run: RunFrames | Lookup,
    *,
    cell: int | None = None,
    bettors: Sequence[str] | None = None,
    points: int = POINTS,
) -> Sketch | None:
    """The share of sessions that still play by each round, a line a bettor; None where every session is played out."""
    look = Lookup.of(run)
    say, cell = look.language, look.cell(cell)
    names, remark = together(look, cell, bettors)
    parts = [part for name in names if (part := look.slice(cell=cell, bettor=name)).endings.height]
    curves = [(part, *_playing(part, points)) for part in parts]
    if not any(shares[-1] < 1 for _, _, shares in curves):
        return None
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    told = [
        say("survival.alt_one", bettor=part.bettor, share=say.percent(float(shares[-1])))
        for part, _, shares in curves[:12]
    ]
    drawn = sketch(
        say("survival.title") + label,
        note=say("survival.note") + remark,
        alt=" ".join([say("survival.alt"), *told]),
        x=by_round(say),
        y=say("axis.playing"),
        height=380,
    )
    for part, rounds, shares in curves:
        look_of = theme.style(part.position)
        trace = line(rounds, shares, name=part.bettor, colour=look_of.colour, dash=look_of.dash, form=".2%")
        trace["line"]["shape"] = "hv"
        drawn.add(trace)
    drawn.change(yaxis=share_axis(1.0))
    return drawn


def _playing(part: Slice, points: int) -> tuple[Array, Array]:
    """Rounds, and the share of sessions that did not end before the last of them was due."""
    rounds = numbers.thin(np.arange(part.rounds + 1), points)
    early = [shares for how, shares in numbers.ended(part.endings, rounds).items() if how != "rounds"]
    return rounds, 1 - np.sum(early, axis=0) if early else np.ones(len(rounds))
