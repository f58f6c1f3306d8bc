"""Bankrolls over the rounds: the fan of one bettor, and the medians of all bettors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import numbers, theme
from bacclab.dashboard.charts import exact
from bacclab.dashboard.charts.parts import POINTS, band, by_round, floats, line, plain, sketch, start_line
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.run_frames import Slice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.numbers import Array
    from bacclab.dashboard.run_frames import RunFrames

    Trace = dict[str, Any]

__all__ = ["fan", "medians"]

#: The middle shares of sessions that bands hold, the wider first, unless the caller chooses.
MIDDLES = (0.9, 0.5)
#: More bettors than this on one chart are drawn as one grey bundle, with the first few in colour.
COLOURED = 12


@Drawing
def fan(
    run: RunFrames | Lookup,
    *,
    bettor: str | None = None,
    cell: int | None = None,
    points: int = POINTS,
    middles: Sequence[float] = MIDDLES,
) -> Sketch:
    """How the bankrolls of one bettor spread: the median, and bands that hold the middle 50 % and 90 % of sessions.

    `middles` chooses other bands: the shares of sessions that they hold, between 0 and 1.

    Sessions that ended are carried forward; the panel below says how many still play. The dotted line is the expected
    bankroll: the start less the house edge of everything staked.
    """
    look = Lookup.of(run)
    say, part = look.language, look.slice(cell=cell, bettor=bettor)
    widest_first = sorted(set(middles), reverse=True)
    shares = sorted({0.5, *(edge for middle in widest_first for edge in _edges(middle))})
    rounds, found = numbers.bands(part.distribution, shares, points=points)
    quantile = dict(zip(shares, found, strict=True))
    spans = [(middle, *(quantile[edge] for edge in _edges(middle))) for middle in widest_first]
    q50 = quantile[0.5]
    colour = theme.style(part.position).colour
    overlay = exact.over_bands(part, rounds, say)
    drawn = sketch(
        say("chart.one", bettor=part.title, title=say("fan.title")),
        note=f"{_sessions(part, say)} {_dotted(part, say)}" + (say("chart.dashed") if overlay else ""),
        alt=say(
            "fan.alt",
            bettor=part.title,
            rounds=say.count(rounds[-1]),
            median=say.money(q50[-1]),
            start=say.money(part.start),
            bands="; ".join(
                say("fan.alt_band", share=say.percent(middle), low=say.money(low[-1]), high=say.money(high[-1]))
                for middle, low, high in reversed(spans)
            ),
        ),
        x=by_round(say),
        y=say("axis.bankroll"),
        height=460,
    )
    for middle, low, high in spans:
        names = tuple(say.figures(f"{edge * 100:g} %") for edge in _edges(middle))
        innermost = middle == widest_first[-1] and len(spans) > 1
        drawn.add(band(rounds, low, high, name=(names[0], names[1]), colour=colour, step=int(innermost), say=say))
    edges = [quantile[share] for share in shares if share != 0.5]
    drawn.add(_median(line(rounds, q50, name=say("chart.median"), colour=colour, width=2.5), edges, widest_first, say))
    expected = _expected(part, rounds)
    if expected is not None:
        drawn.add(line(rounds, expected, name=say("chart.expected"), colour=theme.EDGE[0], dash="dot", width=2))
    drawn.add(*overlay)
    drawn.change(shapes=[start_line(part.start)])
    drawn.change(legend={"itemclick": False, "itemdoubleclick": False})
    if part.endings.height:
        _add_playing(drawn, rounds, 1 - _over(part, rounds), say)
    return drawn


def _median(trace: Trace, edges: list[Array], widest_first: list[float], say: Language) -> Trace:
    """The line of the median, which tells the bands as well when hovered over; `edges` are theirs, the lowest first."""
    bands = "".join(
        f"<br>{say('chart.middle', n=f'{middle * 100:g}')}: "
        + say("chart.range", low=f"%{{customdata[{k}]:,.2f}}", high=f"%{{customdata[{len(edges) - 1 - k}]:,.2f}}")
        for k, middle in reversed(list(enumerate(widest_first)))
    )
    held = {"customdata": floats(np.column_stack(edges))} if edges else {}
    return {**trace, **held, "hovertemplate": f"{say('chart.median')}: %{{y:,.2f}}{bands}<extra></extra>"}


def _edges(middle: float) -> tuple[float, float]:
    """The quantiles that part the middle share of sessions from the rest.

    >>> _edges(0.9)
    (0.05, 0.95)
    """
    return round((1 - middle) / 2, 6), round((1 + middle) / 2, 6)


def _dotted(part: Slice, say: Language) -> str:
    return say("fan.dotted_cards" if part.summary.get("expected_on") == "cards left" else "fan.dotted")


def _sessions(part: Slice, say: Language) -> str:
    count = part.summary.get("sessions")
    return say("fan.exact") if part.is_exact or not count else say.some("fan.sessions", count)


def _expected(part: Slice, rounds: Array) -> Array | None:
    """The house-edge line; straight when a run does not hold the expectation of each session."""
    if part.is_exact and part.exact_rounds.height:
        return exact.expected_line(part, rounds)
    if part.endings.height and not part.endings["expected"].has_nulls():
        return numbers.expected_line(part.endings, rounds, part.start)
    rate, staked, sessions = (part.summary.get(key) for key in ("expected_return", "staked", "sessions"))
    if rate is None or not staked or not sessions:
        return None
    line: Array = part.start + rate * staked / sessions * rounds / max(part.rounds, 1)
    return line


def _over(part: Slice, rounds: Array) -> Array:
    """The share of sessions that ended before their last round was due."""
    early = [shares for how, shares in numbers.ended(part.endings, rounds).items() if how != "rounds"]
    return np.sum(early, axis=0) if early else np.zeros(len(rounds))


def _add_playing(drawn: Sketch, rounds: Array, playing: Array, say: Language) -> None:
    trace = line(rounds, playing, name=say("fan.playing"), colour=theme.QUIET[0], width=1.5, form=".1%")
    drawn.add({**trace, "yaxis": "y2", "fill": "tozeroy", "fillcolor": theme.GRID[0], "showlegend": False})
    drawn.change(
        xaxis={"anchor": "y2"},
        yaxis={"domain": [0.24, 1]},
        yaxis2={
            "domain": [0, 0.15],
            "range": [0, 1.02],
            "tickformat": ".0%",
            "tickvals": [0, 0.5, 1],
            "anchor": "x",
            "title": {"text": say("axis.still_playing")},
        },
        hoversubplots="axis",
    )


@Drawing
def medians(
    run: RunFrames | Lookup,
    *,
    bettors: Sequence[str] | None = None,
    cell: int | None = None,
    points: int = POINTS,
) -> Sketch:
    """The median bankroll of every bettor on the same rounds, each with its expected bankroll as a dotted line.

    With more than a dozen bettors the first dozen are in colour and the others one grey bundle; `bettors` chooses.
    """
    look = Lookup.of(run)
    say, cell = look.language, look.cell(cell)
    names = list(bettors) if bettors is not None else look.bettors(cell)
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    parts = [look.slice(cell=cell, bettor=name) for name in names]
    lines = [(part, *numbers.bands(part.distribution, (0.5,), points=points)) for part in parts]
    best = max(lines, key=lambda item: item[2][0][-1], default=None)
    drawn = sketch(
        say("medians.title") + label,
        note=say("medians.note"),
        alt=" ".join(
            [
                say.some("medians.alt", len(parts)),
                *(say("medians.alt_one", bettor=p.bettor, median=say.money(q[0][-1])) for p, _, q in lines[:COLOURED]),
                say("medians.alt_best", bettor=best[0].bettor) if best and len(lines) > 1 else "",
            ]
        ).strip(),
        x=by_round(say),
        y=say("axis.median_bankroll"),
        height=460,
    )
    if len(lines) > COLOURED:
        drawn.add(_bundle(lines[COLOURED:], say))
    for part, rounds, (q50,) in lines[:COLOURED]:
        drawn.add(*_pair(part, rounds, q50, say))
    if parts:
        drawn.change(shapes=[start_line(parts[0].start)])
    return drawn


def _pair(part: Slice, rounds: Array, median: Array, say: Language) -> list[dict[str, Any]]:
    look = theme.style(part.position)
    shown = line(rounds, median, name=part.bettor, colour=look.colour, dash=look.dash, width=2.25)
    shown["legendgroup"] = plain(part.bettor)
    expected = _expected(part, rounds)
    if expected is None:
        return [shown]
    dotted = line(
        rounds, expected, name=say("chart.expected_of", bettor=part.bettor), colour=look.colour, dash="dot", width=1.25
    )
    return [
        shown,
        {
            **dotted,
            "legendgroup": shown["legendgroup"],
            "showlegend": False,
            "hoverinfo": "skip",
            "hovertemplate": None,
        },
    ]


def _bundle(lines: Sequence[tuple[Slice, Array, Array]], say: Language) -> dict[str, Any]:
    """Many medians as one trace: the lines are parted by gaps, so a browser draws one path."""
    gap = np.array([np.nan])
    xs = np.concatenate([np.concatenate([rounds, gap]) for _, rounds, _ in lines])
    ys = np.concatenate([np.concatenate([values[0], gap]) for _, _, values in lines])
    trace = line(xs, ys, name=say("chart.bettor_more", n=say.count(len(lines))), colour=theme.AXIS[0], width=0.75)
    return {**trace, "hoverinfo": "skip", "hovertemplate": None, "opacity": 0.6, "meta": {"bundle": True}}
