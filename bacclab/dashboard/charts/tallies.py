"""What sessions came to, counted: their longest losing runs and their stakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import floats, share_axis, sketch
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup

if TYPE_CHECKING:
    from bacclab.dashboard.numbers import Array
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["runs", "stakes"]

#: Different stakes that have a bar of their own; more are put into classes of equal ratio.
BARS = 24
#: Over fewer lengths than these each has its mark on the axis.
FEW = 8


@Drawing
def runs(run: RunFrames | Lookup, *, bettor: str | None = None, cell: int | None = None) -> Sketch | None:
    """The share of sessions by their longest run of lost bets; None where nothing was lost or no sessions were kept."""
    look = Lookup.of(run)
    say, part = look.language, look.slice(cell=cell, bettor=bettor)
    lengths, counts = look.tally("longest_losing_run", part)
    if not lengths.any():
        return None
    share = counts / counts.sum()
    below = np.cumsum(share)
    median, high = (int(lengths[np.searchsorted(below, level - 1e-12)]) for level in (0.5, 0.95))
    words = {"median": say.count(median), "high": say.count(high)}
    drawn = sketch(
        say("chart.one", bettor=part.title, title=say("runs.title")),
        note=say("runs.note", **words),
        alt=say("runs.alt", bettor=part.title, **words),
        x=say("axis.losing_run"),
        y=say("axis.sessions"),
        height=330,
    )
    drawn.add(
        {
            "type": "bar",
            "x": floats(lengths),
            "y": floats(share),
            "name": say("runs.sessions"),
            "marker": {"color": theme.style(part.position).colour},
            "hovertemplate": f"%{{x:,.0f}}: %{{y:.2%}} {say('finals.of_sessions')}<extra></extra>",
        }
    )
    drawn.change(hovermode="closest", showlegend=False, bargap=0.15, yaxis=share_axis(float(share.max())))
    low, high = int(lengths.min()), int(lengths.max())
    if high - low < FEW:
        drawn.change(xaxis={"dtick": 1, "range": [low - 1.5, high + 1.5]})
    return drawn


@Drawing
def stakes(run: RunFrames | Lookup, *, bettor: str | None = None, cell: int | None = None) -> Sketch | None:
    """The bets of the sampled sessions by stake, beside all sessions by their largest stake; None where nobody bet."""
    look = Lookup.of(run)
    say, part = look.language, look.slice(cell=cell, bettor=bettor)
    largest, sessions = look.tally("largest_stake", part)
    held = part.paths["staked"].to_numpy() if "staked" in part.paths.columns else np.zeros(0)
    laid, bets = np.unique(held[held > 0], return_counts=True)
    if not largest.any() or not len(laid):
        return None
    edges = _classes(np.union1d(largest[largest > 0], laid))
    names = [say.money(float(low)) for low in edges[:-1]]
    drawn = sketch(
        say("chart.one", bettor=part.title, title=say("stakes.title")),
        note=say("stakes.note", n=say.count(part.paths["session"].n_unique())),
        alt=say(
            "stakes.alt",
            bettor=part.title,
            largest=say.money(float(largest.max())),
            median=say.money(float(np.median(held[held > 0]))),
        ),
        x=say("axis.stake"),
        y=say("axis.share"),
        height=330,
    )
    colour = theme.style(part.position).colour
    for values, counts, fill, name in (
        (laid, bets, colour, say("stakes.bets")),
        (largest, sessions, theme.rgba(colour, theme.BAND[1]), say("stakes.largest")),
    ):
        shares = np.histogram(values, bins=edges, weights=counts)[0] / counts.sum()
        drawn.add(_bars(names, shares, fill, name))
    drawn.change(
        barmode="group", bargap=0.2, hovermode="x unified", xaxis={"type": "category"}, yaxis={"tickformat": ".3~p"}
    )
    return drawn


def _bars(names: list[str], shares: Array, colour: str, name: str) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": names,
        "y": floats(shares),
        "name": name,
        "marker": {"color": colour},
        "hovertemplate": "%{fullData.name}: %{y:.2%}<extra></extra>",
    }


def _classes(values: Array) -> Array:
    """Edges of classes: one for each value while these are few, else classes of equal ratio.

    >>> _classes(np.array([10.0, 20.0])).tolist()
    [10.0, 20.0, 21.0]
    """
    found = np.unique(values)
    if len(found) > BARS:
        found = np.unique(np.geomspace(found[0], found[-1], BARS).round(2))
    return np.append(found, found[-1] + 1)
