"""Further figures of the summary, through the hook of all metrics: intervals, runs, swings, and the hour.

Each of them by hand, on four sessions of at most 10 rounds that began with 100:

>>> import polars as pl
>>> sessions = pl.DataFrame({
...     "rounds": [10, 10, 8, 4], "bets": [10, 10, 8, 4], "staked": [100.0, 100.0, 120.0, 80.0],
...     "net": [20.0, 0.0, -100.0, -80.0], "expected": [-1.0, -1.0, -1.2, -0.8], "final": [120.0, 100.0, 0.0, 20.0],
...     "max_drawdown": [20.0, 20.0, 110.0, 80.0], "longest_losing_run": [2, 2, 6, 4],
...     "rounds_under_water": [4, 6, None, None],
...     "pace": 60})
>>> of = {metric.id: metric.of for metric in MORE}
>>> def figures(names):
...     print(", ".join(f"{name} {of[name](sessions):.4g}" for name in names.split()))

−160 of 400 staked is −0.4, give or take 3.182 standard errors of 0.2917 (results less −0.4 of the stakes: 60, 40, −52,
−48); the mean final of 60, give or take 3.182 · 58.88 / 2; four sessions leave 3 degrees of freedom.

>>> figures("return_low return_high mean_low mean_high")
return_low -1.328, return_high 0.5282, mean_low -33.69, mean_high 153.7

Finals of 60 ± 60 and ± 40 lie evenly about their mean. Three of 10 and one of −30 have a skewness of −2 / √3, and the
interval of their mean needs more than 25 · 4 / 3 sessions.

>>> figures("skewness sessions_for_interval")
skewness 0, sessions_for_interval 0
>>> tail = pl.DataFrame({"final": [110.0, 110.0, 110.0, 70.0]})
>>> round(of["skewness"](tail), 4), round(of["sessions_for_interval"](tail), 2)
(-1.1547, 33.33)

−160 and −4 in 32 rounds, at 60 rounds an hour. At −5 a round, results stray from the steady rate by 70, 50, −60 and
−60: the squares come to 14,600, and √(4/3 · 14,600 / 32 · 60) is the deviation of an hour; N0 is (4/3 · 14,600 / 32) /
(4/32)².

>>> figures("mean_rounds mean_stake net_per_hour ev_per_hour sd_per_hour n0")
mean_rounds 8, mean_stake 12.5, net_per_hour -300, ev_per_hour -7.5, sd_per_hour 191, n0 3.893e+04

Losing runs in order are 2, 2, 4, 6 and drawdowns 20, 20, 80, 110: nineteen in twenty lie at 0.85 of the way between the
last two. Under water were 10 of the 20 rounds of the two sessions that are kept round by round.

>>> figures("longest_losing_run_q95 longest_losing_run_max max_drawdown_q95 time_under_water")
longest_losing_run_q95 5.7, longest_losing_run_max 6, max_drawdown_q95 105.5, time_under_water 0.5
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.analysis.metrics.core import half_width, interval, ratio, spread, where
from bacclab.analysis.statistics.normal import COCHRAN
from bacclab.plugins.metric import Metric

if TYPE_CHECKING:
    import polars as pl

__all__ = ["MORE"]


def _return_bound(net: pl.Expr, staked: pl.Expr, sign: int) -> pl.Expr:
    error = ratio(spread(net - net.sum() / staked.sum() * staked), staked.sum())
    return ratio(net.sum(), staked.sum()) + sign * half_width(error, net.len())


def _variance_per_round(net: pl.Expr, rounds: pl.Expr) -> pl.Expr:
    """Spread of results around a steady rate per round, over the rounds played: sessions may differ in length."""
    return ratio(spread(net - net.sum() / rounds.sum() * rounds).pow(2), rounds.sum())


def _sd_per_hour(net: pl.Expr, rounds: pl.Expr, pace: pl.Expr) -> pl.Expr:
    return (_variance_per_round(net, rounds) * pace.first()).sqrt()


def _n0(net: pl.Expr, rounds: pl.Expr, expected: pl.Expr) -> pl.Expr:
    return ratio(_variance_per_round(net, rounds), ratio(expected.sum(), rounds.sum()).pow(2))


def _played_out(rounds: pl.Expr, horizon: pl.Expr, then: pl.Expr) -> pl.Expr:
    """In an exact run the spread of a round follows from that of the end where every session plays all its rounds."""
    return where((rounds - horizon).abs() < 1e-9 * horizon, then)


def _skewness(final: pl.Expr) -> pl.Expr:
    centred = final - final.mean()
    return ratio(centred.pow(3).mean(), centred.pow(2).mean().sqrt().pow(3))


def _under_water(rounds_under_water: pl.Expr, rounds: pl.Expr) -> pl.Expr:
    return ratio(rounds_under_water.sum(), rounds.filter(rounds_under_water.is_not_null()).sum())


MORE: tuple[Metric, ...] = (
    *interval(
        "return",
        "Result ÷ staked",
        "per unit",
        "the net result per unit staked (Student's t, ratio estimate over sessions)",
        lambda sign: lambda net, staked: _return_bound(net, staked, sign),
    ),
    *interval(
        "mean",
        "Mean final",
        "money",
        "the mean bankroll at the end (Student's t)",
        lambda sign: lambda final: final.mean() + sign * half_width(final.std() / final.len().sqrt(), final.len()),
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
        text="More sessions than this are needed for the 95 % intervals of means to hold, as far as the sample shows: "
        "25 times the square of the skewness.",
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
        text="Standard deviation of the result of an hour, as a part of long play: the spread of sessions around a "
        "steady rate per round, scaled to the pace of record.pace rounds an hour.",
        expression=_sd_per_hour,
        exact=lambda sd_final, rounds, horizon, pace: _played_out(
            rounds, horizon, (sd_final.pow(2) / rounds * pace).sqrt()
        ),
    ),
    Metric(
        id="n0",
        label="N0",
        unit="rounds",
        text=(
            "Rounds after which the expected result equals one standard deviation: (SD per round ÷ expectation per "
            "round)²."
        ),
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
        text="Share of rounds after which the bankroll is below its highest so far (the start included), over the "
        "sessions that are kept round by round.",
        expression=_under_water,
    ),
)
"""In the order of the columns of `summary`."""
