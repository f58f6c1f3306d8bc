"""Exact results as thin dashed lines over sampled ones, and the exact mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.numbers import Array
    from bacclab.dashboard.run_frames import Slice

__all__ = ["expected_line", "over_bands", "over_shares"]

DASH = "4px,3px"

#: Exact lines over bands are vermillion; blue over the bands of bettors whose own colour is too near to it.
OVER, ELSE = theme.PALETTE[1][0], theme.PALETTE[0][0]
WARM = (theme.PALETTE[1][0], theme.PALETTE[4][0], theme.PALETTE[7][0])

SHOWN = 1e-4
"""A share that never gets so large would be a line along the axis."""


def expected_line(part: Slice, rounds: Array) -> Array:
    """The exact mean bankroll by round: the start plus the expectation of the bets so far."""
    course = part.exact_rounds
    line_of: Array = part.start + np.interp(rounds, course["round"].to_numpy(), course["expected"].to_numpy())
    return line_of


def over_bands(part: Slice, rounds: Array, say: Language) -> list[dict[str, Any]]:
    """Exact quantiles over the bands of a sampled run; none where they were not worked out."""
    exact = part.exact_bands.filter(pl.col("round").is_in(rounds.tolist()))
    if part.is_exact or not exact.height:
        return []
    colour = ELSE if theme.style(part.position).colour in WARM else OVER
    drawn = [
        line(
            exact["round"].to_numpy(), exact[name].to_numpy(),
            name=say("chart.exactly", name=say.figures(f"{share} %")), colour=colour, dash=DASH,
            width=1.25,
        )
        for name, share in (("q05", 5), ("q25", 25), ("q50", 50), ("q75", 75), ("q95", 95))
    ]  # fmt: skip
    for trace in drawn:
        trace |= {"legendgroup": "exact", "showlegend": trace is drawn[0], "hoverinfo": "skip", "hovertemplate": None}
    drawn[0]["name"] = say("chart.exact")
    return drawn


def over_shares(part: Slice, rounds: Array, hows: Iterable[str], *, name: str, colour: str) -> list[dict[str, Any]]:
    """The exact share of sessions that have ended in these ways, over a sampled one."""
    course = part.exact_rounds
    if part.is_exact or not course.height:
        return []
    shares = course.select(pl.sum_horizontal(f"ended_{how}" for how in hows)).to_series().to_numpy()
    places = np.searchsorted(course["round"].to_numpy(), rounds, side="right") - 1
    trace = line(rounds, shares[places], name=name, colour=colour, dash=DASH, width=1, form=".2%")
    return [trace] if shares[-1] >= SHOWN else []
