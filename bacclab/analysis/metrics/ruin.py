"""Ruin in its four kinds, and the share of ruined sessions with its interval.

Four kinds of ruin. *Ruined* is a session that the bankroll ended: it could not cover the next bet, or not even the
table minimum. *Within* counts it within the rounds of the session, as sampled (in an exact run: exactly); *ever* is the
exact chance without a limit of rounds, where it follows from the bettor's table of states
(`bacclab.exact.bankrolls.forever` says when, and why). *Goal* is before winning what stop.win says. Each is null where
it is not defined: without a goal where the kind needs one, with one where it must have none, and for all four where a
stop-loss of less than the bankroll ends the session before it can be ruined.

Each of them by hand, on four sessions of which the last two were ruined:

>>> import polars as pl
>>> sessions = pl.DataFrame({"ended_by": ["rounds", "rounds", "bust", "cannot_cover"]})
>>> sessions = sessions.with_columns(start=100.0, goal=None, floor=None, ruin_ever=1.0, ruin_ever_goal=None)
>>> of = {metric.id: metric.of for metric in RUIN}

Two of four: the interval holds the shares p that lie within 1.96 · √(p (1 − p) / 4) of one half. Without a goal the
kinds with one are null; play against an edge is ruined one day.

>>> [round(of[name](sessions), 2) for name in ("ruined", "ruined_low", "ruined_high", "ruin_within", "ruin_ever")]
[0.5, 0.15, 0.85, 0.5, 1.0]
>>> of["ruin_within_goal"](sessions), of["ruin_ever_goal"](sessions)
(None, None)
>>> goal = sessions.with_columns(goal=50.0, ruin_ever_goal=0.35)
>>> of["ruin_within"](goal), of["ruin_within_goal"](goal), of["ruin_ever_goal"](goal)
(None, 0.5, 0.35)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.analysis.metrics.core import interval, where
from bacclab.analysis.statistics.normal import wilson
from bacclab.plugins.metric import Metric
from bacclab.tournament.ledger import RUINED

if TYPE_CHECKING:
    import polars as pl

__all__ = ["RUIN"]


def _ruined(ended_by: pl.Expr) -> pl.Expr:
    return ended_by.is_in(RUINED)


def _within(id_: str, label: str, text: str, *, with_goal: bool) -> Metric:
    """The share of ruined sessions where there is a goal, or where there is none."""

    def asked(goal: pl.Expr, floor: pl.Expr, start: pl.Expr, share: pl.Expr) -> pl.Expr:
        free = floor.is_null() | (floor >= start)  # a stop-loss of the whole bankroll stops nothing
        return where((goal.is_not_null() if with_goal else goal.is_null()) & free, share)

    return Metric(
        id=id_,
        label=label,
        unit="share",
        text=text,
        expression=lambda ended_by, goal, floor, start: asked(goal, floor, start, _ruined(ended_by).mean()),
        exact=lambda ended_bust, ended_cannot_cover, goal, floor, start: asked(
            goal, floor, start, ended_bust + ended_cannot_cover
        ),
    )


RUIN: tuple[Metric, ...] = (
    Metric(
        id="ruined",
        label="Ruined",
        unit="share",
        text="Share of sessions that the bankroll ended: bust (less left than the table minimum) or unable to cover "
        "the next bet.",
        expression=lambda ended_by: _ruined(ended_by).mean(),
        exact=lambda ended_bust, ended_cannot_cover: ended_bust + ended_cannot_cover,
    ),
    *interval(
        "ruined",
        "Ruined",
        "share",
        "the share of ruined sessions (Wilson)",
        lambda sign: lambda ended_by: wilson(_ruined(ended_by), sign),
        source="E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927)",
    ),
    _within(
        "ruin_within",
        "Ruin within the rounds",
        "Share of sessions ruined within their rounds, playing on without a goal; null with a stop.win, or a "
        "stop.loss of less than the bankroll.",
        with_goal=False,
    ),
    _within(
        "ruin_within_goal",
        "Ruin before the goal, within the rounds",
        "Share of sessions ruined within their rounds before they won their goal (stop.win); null without one, and "
        "with a stop.loss of less than the bankroll.",
        with_goal=True,
    ),
    Metric(
        id="ruin_ever",
        label="Ruin ever",
        unit="share",
        text="Exact chance that the bankroll ends play one day, with no limit of rounds and no goal: 1 for whoever "
        "plays on against an edge, whatever is staked. Null where that does not follow: a bettor that may leave "
        "or sit out for ever, that has an edge (unless it lays the same every round), whose states are not all "
        "known (no table of states, or more of them than the rounds of a session), and with a stop.loss.",
        expression=lambda ruin_ever: ruin_ever.first(),
        exact=lambda ruin_ever: ruin_ever.first(),
        source="Feller, An Introduction to Probability Theory and Its Applications, vol. 1, ch. XIV",
    ),
    Metric(
        id="ruin_ever_goal",
        label="Ruin before the goal",
        unit="share",
        text="Exact chance that the bankroll ends play before the goal (stop.win) is won, with no limit of rounds. "
        "Null without a goal, with a stop.loss, for a bettor whose states are not all known (no table of states, "
        "or more of them than the rounds of a session), and where there are too many bankrolls to go through.",
        expression=lambda ruin_ever_goal: ruin_ever_goal.first(),
        exact=lambda ruin_ever_goal: ruin_ever_goal.first(),
        source="Feller, An Introduction to Probability Theory and Its Applications, vol. 1, ch. XIV",
    ),
)
"""In the order of the columns of `summary`."""
