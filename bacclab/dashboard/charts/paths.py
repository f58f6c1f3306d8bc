"""Single sessions, round by round: a few of the sample, chosen by number and never by result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import numbers, theme
from bacclab.dashboard.charts.parts import by_round, floats, sketch, start_line
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.run_frames import Slice
from bacclab.tournament.ledger import RUINED

if TYPE_CHECKING:
    import polars as pl

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["extremes", "trajectories"]


@Drawing
def trajectories(
    run: RunFrames | Lookup,
    *,
    bettor: str | None = None,
    cell: int | None = None,
    lines: int = 20,
    points: int = 400,
) -> Sketch | None:
    """The first `lines` sampled sessions of one bettor, each as a line; those that were ruined stand out.

    A path with more rounds than `points` keeps the lowest and the highest bankroll of each stretch, so that no fall is
    smoothed away.
    """
    look = Lookup.of(run)
    say, part = look.language, look.slice(cell=cell, bettor=bettor)
    if part.is_exact:
        return None  # an exact run has no single sessions
    sessions = part.paths["session"].unique().sort().to_list()[:lines] if part.paths.height else []
    drawn = sketch(
        say("chart.one", bettor=part.title, title=say.some("trajectories.title", len(sessions))),
        note=say("trajectories.note", named=_named(sessions, say)),
        alt=say.some("trajectories.alt", len(sessions), bettor=part.title, start=say.money(part.start)),
        x=by_round(say),
        y=say("axis.bankroll"),
        height=400,
    )
    groups = dict(part.paths.sort("session", "round").partition_by("session", as_dict=True).items())
    for session in sessions:
        drawn.add(_path(part, session, groups[(session,)], points, say))
    drawn.change(shapes=[start_line(part.start)])
    drawn.change(hovermode="closest", showlegend=False)
    return drawn


def _named(sessions: list[int], say: Language) -> str:
    if not sessions:
        return say("trajectories.none")
    whole = sessions == list(range(sessions[0], sessions[0] + len(sessions)))
    span = say("sentence.range", low=sessions[0], high=sessions[-1])
    return span if whole and len(sessions) > 1 else ", ".join(map(str, sessions))


def _path(part: Slice, session: int, rows: pl.DataFrame, points: int, say: Language) -> dict[str, Any]:
    rounds = np.concatenate([[0], rows["round"].to_numpy()])
    bankroll = np.concatenate([[part.start], rows["bankroll"].to_numpy()])
    kept = extremes(bankroll, points)
    ruined = part.fates.get(session) in RUINED
    colour = (
        theme.ENDINGS["bust"][0] if ruined else theme.PALETTE[0][0] if bankroll[-1] > part.start else theme.QUIET[0]
    )
    return {
        "type": "scatter",
        "mode": "lines",
        "x": floats(rounds[kept]),
        "y": floats(bankroll[kept]),
        "name": say("trajectories.session", n=session),
        "line": {"color": colour, "width": 1.1},
        "opacity": 0.75,
        "hovertemplate": f"%{{fullData.name}}, {say('trajectories.hover')} %{{x:,.0f}}: %{{y:,.2f}}<extra></extra>",
    }


def extremes(values: numbers.Array, points: int) -> numbers.Array:
    """Places to keep: first, last, and the lowest and highest of each stretch."""
    if len(values) <= points:
        return np.arange(len(values))
    kept = {0, len(values) - 1}
    for stretch in np.array_split(np.arange(len(values)), max(points // 2 - 1, 1)):
        kept |= {int(stretch[values[stretch].argmin()]), int(stretch[values[stretch].argmax()])}
    return np.array(sorted(kept))
