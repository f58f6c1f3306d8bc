"""How sessions end: bust curves, and the share of each ending for every bettor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import numbers, theme
from bacclab.dashboard.charts import exact
from bacclab.dashboard.charts.parts import (
    POINTS,
    by_round,
    floats,
    line,
    said,
    share_axis,
    sketch,
    together,
    wrapped,
)
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.run_frames import Slice
from bacclab.tournament.ledger import RUINED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["bust", "endings", "ends"]


def _grid(part: Slice, points: int) -> np.ndarray[Any, np.dtype[Any]]:
    return numbers.thin(np.arange(part.rounds + 1), points)


@Drawing
def bust(
    run: RunFrames | Lookup,
    *,
    bettor: str | None = None,
    cell: int | None = None,
    bettors: Sequence[str] | None = None,
    points: int = POINTS,
) -> Sketch:
    """The share of sessions that are bust by each round.

    With `bettor`: that bettor's other ways to end as well, stacked. Without: one line for every bettor (or for those
    in `bettors`), bust and cannot-cover taken together.
    """
    look = Lookup.of(run)
    if bettor is not None:
        return _one(look.slice(cell=cell, bettor=bettor), points, look.language)
    say, cell = look.language, look.cell(cell)
    names, remark = together(look, cell, bettors)
    parts = [part for name in names if (part := look.slice(cell=cell, bettor=name)).endings.height]
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    curves = []
    overlay = []
    for part in parts:
        rounds = _grid(part, points)
        found = numbers.ended(part.endings, rounds)
        colour = theme.style(part.position).colour
        overlay += exact.over_shares(part, rounds, RUINED, name=say("chart.exactly", name=part.bettor), colour=colour)
        curves.append((part, rounds, np.sum([found.get(how, np.zeros(len(rounds))) for how in RUINED], axis=0)))
    drawn = sketch(
        say("bust.title") + label,
        note=say("bust.note") + (say("chart.dashed") if overlay else "") + remark,
        alt=" ".join(
            [
                say("bust.alt"),
                *(say("bust.alt_one", bettor=p.bettor, share=say.percent(float(c[-1]))) for p, _, c in curves[:12]),
            ]
        ),
        x=by_round(say),
        y=say("axis.ruined"),
        height=380,
    )
    for part, rounds, curve in curves:
        if curve[-1] > 0:
            dressed = theme.style(part.position)
            drawn.add(
                line(rounds, curve, name=part.bettor, colour=dressed.colour, dash=dressed.dash, form=".2%")
                | {"line": {"color": dressed.colour, "dash": dressed.dash, "width": 2, "shape": "hv"}}
            )
    drawn.add(*({**trace, "showlegend": False} for trace in overlay))
    drawn.change(yaxis=share_axis(max((float(trace["y"].max()) for trace in drawn.traces), default=0.0)))
    if not drawn.traces:
        rounds = np.array([0, max((part.rounds for part in parts), default=1)])
        drawn.add(
            line(rounds, np.zeros(2), name=say("bust.ruined"), colour=theme.QUIET[0], form=".2%")
            | {"showlegend": False}
        )
        drawn.change(height=220, annotations=[said(say("bust.none"))])
    return drawn


def _one(part: Slice, points: int, say: Language) -> Sketch:
    rounds = _grid(part, points)
    found = numbers.ended(part.endings, rounds)
    told = [
        say("form.colon", name=say(f"ending.{how}"), text=say.percent(float(found[how][-1])))
        for how in theme.ENDINGS
        if how in found
    ]
    early = [how for how in theme.ENDINGS if how not in ("rounds", "source")]
    overlay = exact.over_shares(part, rounds, early, name=say("chart.all_exact"), colour=theme.INK[0])
    drawn = sketch(
        say("chart.one", bettor=part.title, title=say("endings.title")),
        note=say("endings.note") + (say("chart.dashed") if overlay else ""),
        alt=say("endings.alt", bettor=part.title) + " " + "; ".join(told) + ".",
        x=by_round(say),
        y=say("axis.ended"),
        height=380,
    )
    for how, (colour, _) in theme.ENDINGS.items():
        if how in found and how != "rounds":
            trace = line(rounds, found[how], name=say(f"ending.{how}"), colour=colour, width=1, form=".2%")
            trace["line"]["shape"] = "hv"
            drawn.add({**trace, "stackgroup": "ended", "fillcolor": colour})
    drawn.add(*overlay)
    drawn.change(showlegend=bool(drawn.traces))  # even where there is but one way: the colour alone says nothing
    sampled = sum(float(found[how][-1]) for how in found if how != "rounds")
    drawn.change(yaxis=share_axis(max([sampled, *(float(trace["y"].max()) for trace in overlay)])))
    if not drawn.traces:
        drawn.add(line(rounds, np.zeros(len(rounds)), name=say("endings.early"), colour=theme.QUIET[0], form=".2%"))
        drawn.change(height=220, annotations=[said(say("endings.none", rounds=say.count(part.rounds)))])
    return drawn


@Drawing
def endings(
    run: RunFrames | Lookup, *, bettor: str | None = None, cell: int | None = None, points: int = POINTS
) -> Sketch:
    """When the sessions of one bettor end, and how: the share ended by each round, one way upon the other."""
    look = Lookup.of(run)
    return _one(look.slice(cell=cell, bettor=bettor), points, look.language)


@Drawing
def ends(run: RunFrames | Lookup, *, cell: int | None = None, bettors: Sequence[str] | None = None) -> Sketch:
    """How the sessions of every bettor end: one bar a bettor, one colour a way to end."""
    look = Lookup.of(run)
    say, cell = look.language, look.cell(cell)
    names, remark = together(look, cell, bettors)
    rows = [look.slice(cell=cell, bettor=name).summary for name in names]
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    drawn = sketch(
        say("ends.title") + label,
        note=say("ends.note") + remark,
        alt=" ".join([say("ends.alt"), *(_told(row, say) for row in rows[:12])]),
        x=say("axis.sessions"),
        y="",
        height=120 + 34 * len(rows),
    )
    for how, (colour, _) in theme.ENDINGS.items():
        shares = floats([row.get(f"ended_{how}") or 0.0 for row in rows])
        if shares.any():
            drawn.add(
                {
                    "type": "bar",
                    "orientation": "h",
                    "y": [wrapped(str(row["bettor"]), 26) for row in rows],
                    "x": shares,
                    "name": say(f"ending.{how}"),
                    "marker": {"color": colour},
                    "hovertemplate": "%{fullData.name}: %{x:.2%}<extra></extra>",
                }
            )
    drawn.change(
        barmode="stack",
        hovermode="y unified",
        bargap=0.3,
        xaxis={"tickformat": ".0%", "range": [0, 1.005], "tickvals": [0, 0.25, 0.5, 0.75, 1]},
        legend={"traceorder": "normal"},
        yaxis={"autorange": "reversed", "type": "category"},
    )
    return drawn


def _told(row: Mapping[str, Any], say: Language) -> str:
    """How one bettor's sessions end, in words."""
    shares = {how: row[f"ended_{how}"] for how in theme.ENDINGS if row.get(f"ended_{how}")}
    ways = ", ".join(f"{say(f'ending.{how}')} {say.percent(share)}" for how, share in shares.items())
    return say("form.colon", name=row["bettor"], text=ways) + "."
