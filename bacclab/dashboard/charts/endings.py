"""How sessions end: bust curves, and the share of each ending for every bettor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import numbers, theme
from bacclab.dashboard.charts import exact
from bacclab.dashboard.charts.parts import (
    POINTS,
    ROUND,
    floats,
    line,
    percent,
    said,
    share_axis,
    sketch,
    together,
    wrapped,
)
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup, Slice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.lookup import RunFrames

__all__ = ["bust", "endings", "ends"]

#: Ways to end that count as ruin: the bankroll no longer covers the next bet or any bet.
RUIN = ("bust", "cannot_cover")


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
        return _one(look.slice(cell=cell, bettor=bettor), points)
    cell = look.cell(cell)
    names, remark = together(look, cell, bettors)
    parts = [part for name in names if (part := look.slice(cell=cell, bettor=name)).endings.height]
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    curves = []
    overlay = []
    for part in parts:
        rounds = _grid(part, points)
        found = numbers.ended(part.endings, rounds)
        colour = theme.style(part.position).colour
        overlay += exact.over_shares(part, rounds, RUIN, name=f"{part.bettor}, exact", colour=colour)
        curves.append((part, rounds, np.sum([found.get(how, np.zeros(len(rounds))) for how in RUIN], axis=0)))
    drawn = sketch(
        f"Ruin by round{label}",
        note="Share of all sessions that are bust or cannot cover their next bet. A bettor without a line never got there."
        + (exact.DASHED if overlay else "")
        + remark,
        alt="Share of sessions bust or unable to cover the next bet. "
        + " ".join(f"{p.bettor}: {percent(c[-1])} at the end." for p, _, c in curves[:12]),
        x=ROUND,
        y="Sessions ruined (%)",
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
        drawn.add(line(rounds, np.zeros(2), name="ruined", colour=theme.QUIET[0], form=".2%") | {"showlegend": False})
        drawn.change(height=220, annotations=[said("No session was ruined")])
    return drawn


def _one(part: Slice, points: int) -> Sketch:
    rounds = _grid(part, points)
    found = numbers.ended(part.endings, rounds)
    words = [f"{theme.ENDINGS[how][0]}: {percent(found[how][-1])}" for how in theme.ENDINGS if how in found]
    early = [how for how in theme.ENDINGS if how not in ("rounds", "source")]
    overlay = exact.over_shares(part, rounds, early, name="all together, exact", colour=theme.INK[0])
    drawn = sketch(
        f"{part.title}: when sessions end, and how",
        note="Share of all sessions that have ended by each round, one way upon the other; the rest still play."
        + (exact.DASHED if overlay else ""),
        alt=f"Endings of {part.title}. " + "; ".join(words) + ".",
        x=ROUND,
        y="Sessions ended (%)",
        height=380,
    )
    for how, (words_of, (colour, _)) in theme.ENDINGS.items():
        if how in found and how != "rounds":
            trace = line(rounds, found[how], name=words_of, colour=colour, width=1, form=".2%")
            trace["line"]["shape"] = "hv"
            drawn.add({**trace, "stackgroup": "ended", "fillcolor": colour})
    drawn.add(*overlay)
    sampled = sum(float(found[how][-1]) for how in found if how != "rounds")
    drawn.change(yaxis=share_axis(max([sampled, *(float(trace["y"].max()) for trace in overlay)])))
    if not drawn.traces:
        drawn.add(line(rounds, np.zeros(len(rounds)), name="ended early", colour=theme.QUIET[0], form=".2%"))
        drawn.change(height=220, annotations=[said(f"Every session played all {part.rounds:,} rounds")])
    return drawn


@Drawing
def endings(
    run: RunFrames | Lookup, *, bettor: str | None = None, cell: int | None = None, points: int = POINTS
) -> Sketch:
    """When the sessions of one bettor end, and how: the share ended by each round, one way upon the other."""
    return _one(Lookup.of(run).slice(cell=cell, bettor=bettor), points)


@Drawing
def ends(run: RunFrames | Lookup, *, cell: int | None = None, bettors: Sequence[str] | None = None) -> Sketch:
    """How the sessions of every bettor end: one bar a bettor, one colour a way to end."""
    look = Lookup.of(run)
    cell = look.cell(cell)
    names, remark = together(look, cell, bettors)
    rows = [look.slice(cell=cell, bettor=name).summary for name in names]
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    drawn = sketch(
        f"How sessions end{label}",
        note="Share of sessions by the reason for which they ended." + remark,
        alt="Reasons for which sessions end. "
        + " ".join(
            f"{row['bettor']}: "
            + ", ".join(
                f"{words} {percent(row[f'ended_{how}'])}"
                for how, (words, _) in theme.ENDINGS.items()
                if row.get(f"ended_{how}")
            )
            + "."
            for row in rows[:12]
        ),
        x="Sessions (%)",
        y="",
        height=120 + 34 * len(rows),
    )
    for how, (words, (colour, _)) in theme.ENDINGS.items():
        shares = floats([row.get(f"ended_{how}") or 0.0 for row in rows])
        if shares.any():
            drawn.add(
                {
                    "type": "bar",
                    "orientation": "h",
                    "y": [wrapped(str(row["bettor"]), 26) for row in rows],
                    "x": shares,
                    "name": words,
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
