"""One session of the sample, round by round: what was staked, and what became of the bankroll."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.dashboard import theme
from bacclab.dashboard.charts.parts import by_round, floats, line, sketch, start_line
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup
from bacclab.errors import ConfigError

if TYPE_CHECKING:
    from bacclab.dashboard.language import Language
    from bacclab.dashboard.numbers import Array
    from bacclab.dashboard.run_frames import RunFrames

__all__ = ["session_path"]


@Drawing
def session_path(
    run: RunFrames | Lookup, *, bettor: str | None = None, cell: int | None = None, session: int | None = None
) -> Sketch:
    """The bankroll of one sampled session by round, and below it the sum laid on each round; the first by default.

    ConfigError for a session that is not in the sample.
    """
    look = Lookup.of(run)
    say, part = look.language, look.slice(cell=cell, bettor=bettor)
    sampled = part.paths["session"].unique().sort().to_list() if part.paths.height else []
    if not sampled or (session is not None and session not in sampled):
        held = f"sessions {sampled[0]} to {sampled[-1]} are" if sampled else "no session is"
        raise ConfigError(f"session {session} of {part.bettor!r} was not kept round by round", hint=f"{held} kept")
    number = sampled[0] if session is None else session
    rows = part.paths.filter(session=number).sort("round")
    rounds, bankroll = rows["round"].to_numpy(), rows["bankroll"].to_numpy()
    last, fate = int(rounds[-1]), part.fates.get(number, "")
    ending = f"; {say(f'ending.{fate}')}" if fate in theme.ENDINGS else ""
    words = {"n": say.count(number), "rounds": say.some("sentence.rounds", last), "ending": ending}
    drawn = sketch(
        say("chart.one", bettor=part.title, title=say("session.title", **words)),
        note=say("session.note", **words),
        alt=say(
            "session.alt",
            bettor=part.title,
            start=say.money(part.start),
            low=say.money(bankroll.min()),
            high=say.money(bankroll.max()),
            last=say.money(bankroll[-1]),
            **words,
        ),
        x=by_round(say),
        y=say("axis.bankroll"),
        height=420,
    )
    path = line(
        np.concatenate([[0], rounds]),
        np.concatenate([[part.start], bankroll]),
        name=say("session.bankroll"),
        colour=theme.style(part.position).colour,
        width=1.75,
    )
    path["line"]["shape"] = "hv"
    drawn.add(path, _stakes(rounds, rows["staked"].to_numpy(), say))
    drawn.change(
        shapes=[start_line(part.start)],
        showlegend=False,
        bargap=0,
        xaxis={"anchor": "y2"},
        yaxis={"domain": [0.32, 1]},
        yaxis2={
            "domain": [0, 0.22],
            "anchor": "x",
            "rangemode": "tozero",
            "nticks": 3,
            "title": {"text": say("heading.staked")},
        },
        hoversubplots="axis",
    )
    return drawn


def _stakes(rounds: Array, staked: Array, say: Language) -> dict[str, Any]:
    """A bar a round: the sum laid on it."""
    name = say("session.staked")
    return {
        "type": "bar",
        "x": floats(rounds),
        "y": floats(staked),
        "yaxis": "y2",
        "name": name,
        "marker": {"color": theme.QUIET[0], "line": {"width": 0}},
        "hovertemplate": f"{name}: %{{y:,.2f}}<extra></extra>",
    }
