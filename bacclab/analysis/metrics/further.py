"""Further figures of the summary, through the hook of all metrics: ruin in its four kinds, runs, swings, and the hour.

Four kinds of ruin. *Ruined* is a session that the bankroll ended: it could not cover the next bet, or not even the table
minimum. *Within* counts it within the rounds of the session, as sampled (in an exact run: exactly); *ever* is the exact
chance without a limit of rounds, where it follows from the bettor's table of states (`bacclab.exact.bankrolls.forever` says
when, and why). *Goal* is before winning what stop.win says. Each is null where it is not defined: without a goal where the
kind needs one, with one where it must have none, and for all four where a stop-loss ends the session before it can be
ruined.

Each of them by hand, on four sessions of at most 10 rounds that began with 100; the last two were ruined:

>>> import polars as pl
>>> sessions = pl.DataFrame({
...     "rounds": [10, 10, 8, 4], "bets": [10, 10, 8, 4], "staked": [100.0, 100.0, 120.0, 80.0],
...     "net": [20.0, 0.0, -100.0, -80.0], "expected": [-1.0, -1.0, -1.2, -0.8], "final": [120.0, 100.0, 0.0, 20.0],
...     "max_drawdown": [20.0, 20.0, 110.0, 80.0], "longest_losing_run": [2, 2, 6, 4], "rounds_under_water": [4, 6, None, None],
...     "ended_by": ["rounds", "rounds", "bust", "cannot_cover"]})
>>> sessions = sessions.with_columns(start=100.0, horizon=10, goal=None, floor=None, pace=60, ruin_ever=1.0, ruin_ever_goal=None)
>>> of = {metric.id: metric.of for metric in MORE}
>>> def figures(names):
...     print(", ".join(f"{name} {of[name](sessions):.4g}" for name in names.split()))

Two of four: the interval holds the shares p that lie within 1.96 · √(p (1 − p) / 4) of one half. Without a goal the kinds with
one are null; play against an edge is ruined one day.

>>> figures("ruined ruined_low ruined_high ruin_within ruin_ever")
ruined 0.5, ruined_low 0.15, ruined_high 0.85, ruin_within 0.5, ruin_ever 1
>>> of["ruin_within_goal"](sessions), of["ruin_ever_goal"](sessions)
(None, None)
>>> goal = sessions.with_columns(goal=50.0, ruin_ever_goal=0.35)
>>> of["ruin_within"](goal), of["ruin_within_goal"](goal), of["ruin_ever_goal"](goal)
(None, 0.5, 0.35)

−160 of 400 staked is −0.4, give or take 1.96 standard errors of 0.2917 (results less −0.4 of the stakes: 60, 40, −52, −48);
the mean final of 60, give or take 1.96 · 58.88 / 2.

>>> figures("return_low return_high mean_low mean_high")
return_low -0.9716, return_high 0.1716, mean_low 2.3, mean_high 117.7

Finals of 60 ± 60 and ± 40 lie evenly about their mean. Three of 10 and one of −30 have a skewness of −2 / √3, and a normal
interval of such needs more than 25 · 4 / 3 sessions.

>>> figures("skewness sessions_for_interval")
skewness 0, sessions_for_interval 0
>>> tail = pl.DataFrame({"final": [110.0, 110.0, 110.0, 70.0]})
>>> round(of["skewness"](tail), 4), round(of["sessions_for_interval"](tail), 2)
(-1.1547, 33.33)

−160 and −4 in 32 rounds, at 60 rounds an hour. At −5 a round, results stray from the steady rate by 70, 50, −60 and −60: the
squares come to 14,600, and √(4/3 · 14,600 / 32 · 60) is the deviation of an hour; N0 is (4/3 · 14,600 / 32) / (4/32)².

>>> figures("mean_rounds mean_stake net_per_hour ev_per_hour sd_per_hour n0")
mean_rounds 8, mean_stake 12.5, net_per_hour -300, ev_per_hour -7.5, sd_per_hour 191, n0 3.893e+04

Losing runs in order are 2, 2, 4, 6 and drawdowns 20, 20, 80, 110: nineteen in twenty lie at 0.85 of the way between the last
two. Under water were 10 of the 20 rounds of the two sessions that are kept round by round.

>>> figures("longest_losing_run_q95 longest_losing_run_max max_drawdown_q95 time_under_water")
longest_losing_run_q95 5.7, longest_losing_run_max 6, max_drawdown_q95 105.5, time_under_water 0.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.analysis.metrics.core import ratio, spread
from bacclab.analysis.statistics.normal import COCHRAN, Z95
from bacclab.plugins.metric import Metric

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MORE"]


def _ruined(ended_by: pl.Expr) -> pl.Expr:
    return ended_by.is_in(["bust", "cannot_cover"]).mean()


def _where(condition: pl.Expr, then: pl.Expr) -> pl.Expr:
    import polars as pl

    return pl.when(condition.first()).then(then)


def _return_bound(net: pl.Expr, staked: pl.Expr, sign: int) -> pl.Expr:
    rate = ratio(net.sum(), staked.sum())
    return rate + sign * Z95 * ratio(spread(net - net.sum() / staked.sum() * staked), staked.sum())


def _variance_per_round(net: pl.Expr, rounds: pl.Expr) -> pl.Expr:
    """Spread of results around a steady rate per round, over the rounds played: sessions may differ in length."""
    return ratio(spread(net - net.sum() / rounds.sum() * rounds).pow(2), rounds.sum())


def _sd_per_hour(net: pl.Expr, rounds: pl.Expr, pace: pl.Expr) -> pl.Expr:
    return (_variance_per_round(net, rounds) * pace.first()).sqrt()


def _n0(net: pl.Expr, rounds: pl.Expr, expected: pl.Expr) -> pl.Expr:
    return ratio(_variance_per_round(net, rounds), ratio(expected.sum(), rounds.sum()).pow(2))


def _played_out(rounds: pl.Expr, horizon: pl.Expr, then: pl.Expr) -> pl.Expr:
    """In an exact run the spread of a round follows from that of the end where every session plays all its rounds."""
    return _where((rounds - horizon).abs() < 1e-9 * horizon, then)


def _skewness(final: pl.Expr) -> pl.Expr:
    centred = final - final.mean()
    return ratio(centred.pow(3).mean(), centred.pow(2).mean().sqrt().pow(3))


def _wilson(hit: pl.Expr, sign: int) -> pl.Expr:
    import polars as pl

    n, share, square = hit.len(), hit.mean(), Z95 * Z95
    half = Z95 * (share * (1 - share) / n + square / (4 * n * n)).sqrt()
    return ((share + square / (2 * n) + sign * half) / (1 + square / n)).clip(pl.lit(0.0), pl.lit(1.0))


def _under_water(rounds_under_water: pl.Expr, rounds: pl.Expr) -> pl.Expr:
    return ratio(rounds_under_water.sum(), rounds.filter(rounds_under_water.is_not_null()).sum())


MORE: tuple[Metric, ...] = (
    Metric(
        id="ruined",
        label="Ruined",
        unit="share",
        text="Share of sessions that the bankroll ended: bust (less left than the table minimum) or unable to cover the next "
        "bet.",
        expression=_ruined,
        exact=lambda ended_bust, ended_cannot_cover: ended_bust + ended_cannot_cover,
    ),
    Metric(
        id="ruined_low",
        label="Ruined, 95 % from",
        unit="share",
        text="Lower end of the 95 % interval of the share of ruined sessions (Wilson).",
        expression=lambda ended_by: _wilson(ended_by.is_in(["bust", "cannot_cover"]), -1),
        source="E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927)",
    ),
    Metric(
        id="ruined_high",
        label="Ruined, 95 % to",
        unit="share",
        text="Upper end of the 95 % interval of the share of ruined sessions (Wilson).",
        expression=lambda ended_by: _wilson(ended_by.is_in(["bust", "cannot_cover"]), 1),
        source="E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927)",
    ),
    Metric(
        id="ruin_within",
        label="Ruin within the rounds",
        unit="share",
        text="Share of sessions ruined within their rounds, playing on without a goal; null with a stop.win or stop.loss.",
        expression=lambda ended_by, goal, floor: _where(goal.is_null() & floor.is_null(), _ruined(ended_by)),
        exact=lambda ended_bust, ended_cannot_cover, goal, floor: _where(
            goal.is_null() & floor.is_null(), ended_bust + ended_cannot_cover
        ),
    ),
    Metric(
        id="ruin_within_goal",
        label="Ruin before the goal, within the rounds",
        unit="share",
        text="Share of sessions ruined within their rounds before they won their goal (stop.win); null without one, and with "
        "a stop.loss.",
        expression=lambda ended_by, goal, floor: _where(goal.is_not_null() & floor.is_null(), _ruined(ended_by)),
        exact=lambda ended_bust, ended_cannot_cover, goal, floor: _where(
            goal.is_not_null() & floor.is_null(), ended_bust + ended_cannot_cover
        ),
    ),
    Metric(
        id="ruin_ever",
        label="Ruin ever",
        unit="share",
        text="Exact chance that the bankroll ends play one day, with no limit of rounds and no goal: 1 for whoever plays on "
        "against an edge, whatever is staked. Null where that does not follow: a bettor that may leave or sit out for ever, "
        "that has an edge (unless it lays the same every round), whose states are not all known (no table of states, or more "
        "of them than the rounds of a session), and with a stop.loss.",
        expression=lambda ruin_ever: ruin_ever.first(),
        exact=lambda ruin_ever: ruin_ever.first(),
        source="Feller, An Introduction to Probability Theory and Its Applications, vol. 1, ch. XIV",
    ),
    Metric(
        id="ruin_ever_goal",
        label="Ruin before the goal",
        unit="share",
        text="Exact chance that the bankroll ends play before the goal (stop.win) is won, with no limit of rounds. Null without "
        "a goal, with a stop.loss, for a bettor whose states are not all known (no table of states, or more of them than the "
        "rounds of a session), and where there are too many bankrolls to go through.",
        expression=lambda ruin_ever_goal: ruin_ever_goal.first(),
        exact=lambda ruin_ever_goal: ruin_ever_goal.first(),
        source="Feller, An Introduction to Probability Theory and Its Applications, vol. 1, ch. XIV",
    ),
    Metric(
        id="return_low",
        label="Result ÷ staked, 95 % from",
        unit="per unit",
        text="Lower end of the 95 % interval of the net result per unit staked (normal, ratio estimate over sessions).",
        expression=lambda net, staked: _return_bound(net, staked, -1),
    ),
    Metric(
        id="return_high",
        label="Result ÷ staked, 95 % to",
        unit="per unit",
        text="Upper end of the 95 % interval of the net result per unit staked (normal, ratio estimate over sessions).",
        expression=lambda net, staked: _return_bound(net, staked, 1),
    ),
    Metric(
        id="mean_low",
        label="Mean final, 95 % from",
        unit="money",
        text="Lower end of the 95 % interval of the mean bankroll at the end (normal).",
        expression=lambda final: final.mean() - Z95 * final.std() / final.len().sqrt(),
    ),
    Metric(
        id="mean_high",
        label="Mean final, 95 % to",
        unit="money",
        text="Upper end of the 95 % interval of the mean bankroll at the end (normal).",
        expression=lambda final: final.mean() + Z95 * final.std() / final.len().sqrt(),
    ),
    Metric(
        id="skewness",
        label="Skewness",
        unit="number",
        text="Skewness of the bankroll at the end: far below 0 where rare large losses pay for many small gains.",
        expression=lambda final: _skewness(final),
    ),
    Metric(
        id="sessions_for_interval",
        label="Sessions for an interval",
        unit="count",
        text="More sessions than this are needed for the normal 95 % intervals to hold, as far as the sample shows: 25 times the "
        "square of the skewness.",
        expression=lambda final: COCHRAN * _skewness(final).pow(2),
        source="W. G. Cochran, Sampling Techniques, 3rd edition, section 2.15",
    ),
    Metric(
        id="mean_rounds",
        label="Rounds a session",
        unit="rounds",
        text="Rounds that a session saw before it ended, mean over sessions.",
        expression=lambda rounds: rounds.mean(),
        exact=lambda rounds: rounds,
    ),
    Metric(
        id="mean_stake",
        label="Mean stake",
        unit="money",
        text="Staked per round on which something was laid.",
        expression=lambda staked, bets: ratio(staked.sum(), bets.sum()),
        exact=lambda staked, bets: ratio(staked, bets),
    ),
    Metric(
        id="net_per_hour",
        label="Result an hour",
        unit="money",
        text="Net result of an hour of play, sessions taken together, at the pace of record.pace rounds an hour.",
        expression=lambda net, rounds, pace: ratio(net.sum(), rounds.sum()) * pace.first(),
        exact=lambda net, rounds, pace: ratio(net, rounds) * pace,
    ),
    Metric(
        id="ev_per_hour",
        label="Expected an hour",
        unit="money",
        text="Exact expectation of the bets placed in an hour of play, at the pace of record.pace rounds an hour.",
        expression=lambda expected, rounds, pace: ratio(expected.sum(), rounds.sum()) * pace.first(),
        exact=lambda expected, rounds, pace: ratio(expected, rounds) * pace,
    ),
    Metric(
        id="sd_per_hour",
        label="SD an hour",
        unit="money",
        text="Standard deviation of the result of an hour, as a part of long play: the spread of sessions around a steady rate "
        "per round, scaled to the pace of record.pace rounds an hour.",
        expression=_sd_per_hour,
        exact=lambda sd_final, rounds, horizon, pace: _played_out(
            rounds, horizon, (sd_final.pow(2) / rounds * pace).sqrt()
        ),
    ),
    Metric(
        id="n0",
        label="N0",
        unit="rounds",
        text="Rounds after which the expected result equals one standard deviation: (SD per round ÷ expectation per round)².",
        expression=_n0,
        exact=lambda sd_final, rounds, expected, horizon: _played_out(
            rounds, horizon, ratio(sd_final.pow(2) / rounds, (expected / rounds).pow(2))
        ),
        source="Schlesinger, Blackjack Attack",
    ),
    Metric(
        id="longest_losing_run_q95",
        label="Losing run, 95 %",
        unit="rounds",
        text="Nineteen sessions in twenty have a longest run of lost bets of at most this length.",
        expression=lambda longest_losing_run: longest_losing_run.quantile(0.95, interpolation="linear"),
    ),
    Metric(
        id="longest_losing_run_max",
        label="Losing run, longest",
        unit="rounds",
        text="The longest run of lost bets in any session.",
        expression=lambda longest_losing_run: longest_losing_run.max(),
    ),
    Metric(
        id="max_drawdown_q95",
        label="Max drawdown, 95 %",
        unit="money",
        text="Nineteen sessions in twenty have a largest drawdown of at most this sum.",
        expression=lambda max_drawdown: max_drawdown.quantile(0.95, interpolation="linear"),
    ),
    Metric(
        id="time_under_water",
        label="Time under water",
        unit="share",
        text="Share of rounds after which the bankroll is below its highest so far (the start included), over the sessions that "
        "are kept round by round.",
        expression=_under_water,
    ),
)
"""In the order of the columns of `summary`."""
