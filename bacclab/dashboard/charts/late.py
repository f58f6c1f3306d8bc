"""Late in the shoe: how the exact return of a bet spreads as cards leave the shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import band, floats, line, sketch, start_line
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.written import percent

if TYPE_CHECKING:
    from bacclab.exact.late import Late

__all__ = ["edge_by_cards_left"]

#: Bins with fewer rounds than this share of the shoes are left to the tables: few shoes get there, and all would be flat
#: beside their spread.
REACHED = 0.25


@Drawing
def edge_by_cards_left(found: Late) -> Sketch:
    """The exact return of a bet by cards left: bands that widen, a mean that stays at the full-shoe edge.

    The lower panel holds the share of rounds in which the bet favours the bettor.
    """
    rows = [row for row in found.cards_left_rows if row["rounds"] >= REACHED * found.shoes]
    left = np.array([(row["from_cards"] + row["to_cards"]) / 2 for row in rows])
    mean, q05, q25, q75, q95, advantage = (
        np.array([row[name] for row in rows]) for name in ("mean_return", "q05", "q25", "q75", "q95", "advantage")
    )
    colour = theme.style(0).colour
    title = found.table.bets[found.bet].title
    drawn = sketch(
        f"{title}: what it is worth late in the shoe",
        note=f"{found.table.title}, {found.shoes:,} shoes, worked out exactly before every round on the cards not seen. "
        "The bands hold the middle 50 % and 90 % of rounds. Above zero the bet favours the bettor.",
        alt=(
            f"Exact return of {title} by cards left. The mean stays at {found.full_shoe:+.2%} of the stake. With "
            f"{left[0]:.0f} cards left nine in ten rounds lie between {q05[0]:+.1%} and {q95[0]:+.1%}, with "
            f"{left[-1]:.0f} between {q05[-1]:+.1%} and {q95[-1]:+.1%}; then the bet is good in {percent(advantage[-1])} "
            "of rounds."
        ),
        x="Cards left, burned and behind the cut card included",
        y="Return per unit staked",
        height=500,
    )
    middle = line(left, mean, name="mean", colour=colour, width=2.5, form="+.2%")
    middle["customdata"] = floats(np.column_stack([q05, q25, q75, q95]))
    middle["hovertemplate"] = (
        "mean: %{y:+.2%}<br>middle 50 %: %{customdata[1]:+.2%} to %{customdata[2]:+.2%}"
        "<br>middle 90 %: %{customdata[0]:+.2%} to %{customdata[3]:+.2%}<extra></extra>"
    )
    ends = np.array([left[0], left[-1]])
    edge = line(ends, np.full(2, found.full_shoe), name="full shoe (house edge)", colour=theme.EDGE[0], dash="dot")
    drawn.add(
        band(left, q05, q95, name=("5 %", "95 %"), colour=colour, step=0),
        band(left, q25, q75, name=("25 %", "75 %"), colour=colour, step=1),
        middle,
        {**edge, "hoverinfo": "skip", "hovertemplate": None},
        _good(left, advantage),
    )
    drawn.change(
        shapes=[{**start_line(0.0), "line": {"color": theme.QUIET[0], "width": 1.5}}],
        legend={"itemclick": False, "itemdoubleclick": False},
        xaxis={
            "autorange": "reversed",
            "anchor": "y2",
            "hoverformat": ",.0f",
            "unifiedhovertitle": {"text": "about %{x:,.0f} cards left"},
        },
        yaxis={"domain": [0.3, 1], "tickformat": ".0%" if max(q95 - q05) > 0.08 else ".1%"},
        yaxis2={
            "domain": [0, 0.19],
            "rangemode": "tozero",
            "tickformat": ".0%" if max(advantage) >= 0.03 else ".1%",
            "nticks": 4,
            "anchor": "x",
            "title": {"text": "Rounds<br>above 0"},
        },
        hoversubplots="axis",
    )
    return drawn


def _good(left: Any, advantage: Any) -> dict[str, Any]:
    trace = line(left, advantage, name="rounds above zero", colour=theme.PALETTE[2][0], width=2, form=".2%")
    return {**trace, "yaxis": "y2", "fill": "tozeroy", "fillcolor": theme.GRID[0], "showlegend": False}
