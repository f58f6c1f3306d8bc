"""Late in the shoe: how the exact return of a bet spreads as cards leave the shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import band, floats, line, one_at_a_time, sketch, start_line
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.language import ENGLISH, language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.language import Language
    from bacclab.exact.late import Late

__all__ = ["late_figure", "late_sketch"]

#: Bins with fewer rounds than this share of the shoes are left to the tables: few shoes get there, and all would be
#: flat beside their spread.
REACHED = 0.25


@Drawing
def late_figure(found: Late) -> Sketch:
    """The exact return of a bet by cards left: bands that widen, a mean that stays at the full-shoe edge.

    The lower panel holds the share of rounds in which the bet favours the bettor.
    """
    return late_sketch([found], language(ENGLISH))


def late_sketch(found: Sequence[Late], say: Language, *, label: str = "") -> Sketch:
    """The same for several bets on the same shoes, one at a time by a menu; `label` is the setting they belong to."""
    first, several = found[0], len(found) > 1
    titles = [one.table.bets[one.bet].title for one in found]
    title = say("late.title_several") if several else say("late.title", bet=titles[0])
    drawn = sketch(
        title + label,
        note=say("late.note", table=first.table.title, n=say.count(first.shoes)),
        alt=" ".join([say("late.alt"), *(_told(one, say) for one in found)]),
        x=say("axis.cards_left"),
        y=say("axis.return"),
        height=500,
    )
    traces = [_traces(one, say, of=bet if several else "") for one, bet in zip(found, titles, strict=True)]
    # The one that is seen first is the one that becomes best.
    best = max(range(len(found)), key=lambda place: _reached(found[place])[-1]["q95"])
    one_at_a_time(drawn, list(zip(titles, traces, strict=True)), of=say("late.bet"), seen=best)
    drawn.change(
        shapes=[{**start_line(0.0), "line": {"color": theme.QUIET[0], "width": 1.5}}],
        legend={"itemclick": False, "itemdoubleclick": False},
        xaxis={
            "autorange": "reversed",
            "anchor": "y2",
            "hoverformat": ",.0f",
            "unifiedhovertitle": {"text": say("late.about", n="%{x:,.0f}")},
        },
        yaxis={"domain": [0.3, 1], "tickformat": ".3~p"},
        yaxis2={
            "domain": [0, 0.19],
            "rangemode": "tozero",
            "tickformat": ".3~p",
            "nticks": 4,
            "anchor": "x",
            "title": {"text": say("late.above_axis")},
        },
        hoversubplots="axis",
    )
    return drawn


def _reached(found: Late) -> list[dict[str, Any]]:
    return [row for row in found.cards_left_rows if row["rounds"] >= REACHED * found.shoes]


def _told(found: Late, say: Language) -> str:
    """One bet in words: where nine rounds in ten lie in a full shoe and deep in it."""
    full, *_, deep = _reached(found)
    words = {
        f"{place}_{name}": text
        for place, row in (("full", full), ("deep", deep))
        for name, text in (
            ("cards", say.count((row["from_cards"] + row["to_cards"]) / 2)),
            ("low", say.signed(row["q05"])),
            ("high", say.signed(row["q95"])),
        )
    }
    return say(
        "late.alt_one",
        bet=found.table.bets[found.bet].title,
        mean=say.signed(found.full_shoe),
        share=say.percent(deep["advantage"]),
        **words,
    )


def _traces(found: Late, say: Language, *, of: str) -> list[dict[str, Any]]:
    """Bands, mean, house edge and good rounds of one bet; `of` is what the table of the chart calls it."""
    rows = _reached(found)
    left = np.array([(row["from_cards"] + row["to_cards"]) / 2 for row in rows])
    mean, q05, q25, q75, q95, advantage = (
        np.array([row[name] for row in rows]) for name in ("mean_return", "q05", "q25", "q75", "q95", "advantage")
    )
    colour = theme.style(0).colour
    edges = {edge: say.figures(f"{edge} %") for edge in (5, 25, 75, 95)}
    middle = line(left, mean, name=say("late.mean"), colour=colour, width=2.5, form="+.2%")
    middle["customdata"] = floats(np.column_stack([q05, q25, q75, q95]))
    middle["hovertemplate"] = (
        f"{say('late.mean')}: %{{y:+.2%}}"
        f"<br>{say('late.range', share=say.figures('50 %'), low='%{customdata[1]:+.2%}', high='%{customdata[2]:+.2%}')}"
        f"<br>{say('late.range', share=say.figures('90 %'), low='%{customdata[0]:+.2%}', high='%{customdata[3]:+.2%}')}"
        "<extra></extra>"
    )
    full = np.full(len(left), found.full_shoe)
    edge = line(left, full, name=say("late.full_shoe"), colour=theme.EDGE[0], dash="dot", form="+.2%")
    good = line(left, advantage, name=say("late.above"), colour=theme.PALETTE[2][0], width=2, form=".2%")
    good |= {"yaxis": "y2", "fill": "tozeroy", "fillcolor": theme.GRID[0], "showlegend": False}
    bands = [
        band(left, low, high, name=(edges[names[0]], edges[names[1]]), colour=colour, step=step, say=say)
        for step, (names, low, high) in enumerate((((5, 95), q05, q95), ((25, 75), q25, q75)))
    ]
    traces = [*bands, middle, {**edge, "hoverinfo": "skip", "hovertemplate": None}, good]
    return [{**trace, "meta": {**trace.get("meta", {}), "of": of}} for trace in traces] if of else traces
