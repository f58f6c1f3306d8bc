"""Definitions of the figures of the summary that every run has.

The summary works these out from exact sums, in one pass over the sessions (see `bacclab.analysis.summary`); the
expressions here say what they are, and give the same figures but for rounding. A rate without a bet is null.

Each of them by hand, on four sessions that began with 100 at a table with a minimum of 10:

>>> import polars as pl
>>> sessions = pl.DataFrame({
...     "session": [0, 1, 2, 3], "rounds": [10, 10, 6, 10], "bets": [8, 8, 6, 8],
...     "wins": [4, 3, 1, 4], "losses": [2, 5, 5, 4], "pushes": [2, 0, 0, 0],
...     "staked": [100.0, 100.0, 80.0, 120.0], "commission": [1.0, 0.5, 0.0, 0.5],
...     "net": [20.0, -30.0, -95.0, 0.0], "expected": [-1.0, -1.0, -0.8, -1.2], "final": [120.0, 70.0, 5.0, 100.0],
...     "max_drawdown": [10.0, 40.0, 95.0, 15.0], "longest_losing_run": [2, 3, 5, 2],
...     "largest_stake": [20.0, 20.0, 30.0, 25.0],
...     "refusals": [0, 1, 3, 2], "refused_over_bankroll": [0, 0, 2, 0], "refused_over_maximum": [0, 1, 0, 0],
...     "refused_under_minimum": [0, 0, 1, 0], "refused_off_increment": [0, 0, 0, 1],
...     "refused_no_main_bet": [0, 0, 0, 1],
...     "ended_by": ["rounds", "rounds", "bust", "rounds"]})
>>> of = {metric.id: metric.of for metric in CORE}
>>> def figures(names):
...     print(", ".join(f"{name} {of[name](sessions):.4g}" for name in names.split()))

Counts and money are sums over the sessions; 12 of 28 decisions and of 30 bets were won.

>>> figures("sessions rounds bets decisions wins losses pushes win_rate_decisions win_rate_bets")
sessions 4, rounds 36, bets 30, decisions 28, wins 12, losses 16, pushes 2, win_rate_decisions 0.4286, win_rate_bets 0.4
>>> figures("staked commission net expected")
staked 400, commission 2, net -105, expected -4

Returns: −105 / 400 and −4 / 400. With the former, results differ from their share of the stakes by 46.25, −3.75, −74
and 31.5, whose squares come to 8621.4; √(4/3 · 8621.4) / 400 is the standard error. With the latter the expectations
leave 0, so that nothing of chance is left. Result minus expectation is 21, −29, −94.2 and 1.2: −101 in all, with a
standard deviation of 50.36 between sessions, and z is −101 / (50.36 · √4).

>>> figures("return_on_stake se_return expected_return se_controlled z")
return_on_stake -0.2625, se_return 0.268, expected_return -0.01, se_controlled 0, z -1.003

Finals in order are 5, 70, 100, 120: their median is half-way between 70 and 100, a quarter lies at 5 + 0.75 · 65. Their
mean is 73.75, the squares about it come to 7568.75, and sd_final is √(7568.75 / 3).

>>> figures("mean_final sd_final se_final q05 q25 median q75 q95")
mean_final 73.75, sd_final 50.23, se_final 25.11, q05 14.75, q25 53.75, median 85, q75 105, q95 117
>>> figures("ahead even behind bust")
ahead 0.25, even 0.25, behind 0.5, bust 0.25
>>> figures("ended_rounds ended_bust ended_cannot_cover ended_stop_win ended_stop_loss")
ended_rounds 0.75, ended_bust 0.25, ended_cannot_cover 0, ended_stop_win 0, ended_stop_loss 0
>>> figures("ended_bettor ended_source ended_limit")
ended_bettor 0, ended_source 0, ended_limit 0

Drawdowns of 10, 40, 95 and 15 have the mean 40; losing runs of 2, 2, 3 and 5 the median 2.5.

>>> figures("mean_max_drawdown median_longest_losing_run largest_stake")
mean_max_drawdown 40, median_longest_losing_run 2.5, largest_stake 30
>>> figures("refusals refused_over_bankroll refused_over_maximum")
refusals 6, refused_over_bankroll 2, refused_over_maximum 1
>>> figures("refused_under_minimum refused_off_increment refused_no_main_bet")
refused_under_minimum 1, refused_off_increment 1, refused_no_main_bet 1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.plugins.metric import Metric

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import polars as pl

    from bacclab.plugins.metric import Unit

__all__ = ["CORE", "half_width", "interval", "ratio", "spread", "where"]


def ratio(part: pl.Expr, whole: pl.Expr) -> pl.Expr:
    """One figure over another, null where there is nothing to divide by.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"won": [1, 3], "bets": [4, 4], "none": [0, 0]})
    >>> won, bets, none = (pl.col(name).sum() for name in frame.columns)
    >>> frame.select(ratio(won, bets), no=ratio(won, none)).row(0)
    (0.5, None)
    """
    import polars as pl

    return pl.when(whole != 0).then(part / whole)


def spread(residual: pl.Expr) -> pl.Expr:
    """The square root of n / (n - 1) times the sum of squares: the standard error of a sum; null for one session."""
    return ratio(residual.len() * (residual * residual).sum(), residual.len() - 1).sqrt()


def half_width(error: pl.Expr, sessions: pl.Expr) -> pl.Expr:
    """Half of a 95 % interval from a standard error and the number of sessions that it is from (Student's t)."""
    import polars as pl

    from bacclab.analysis.statistics.student import quantile

    def reach(counts: pl.Series) -> pl.Series:
        return pl.Series([quantile(count - 1) if count > 1 else None for count in counts], dtype=pl.Float64)

    return error * sessions.map_batches(reach, return_dtype=pl.Float64, returns_scalar=True)


def where(condition: pl.Expr, then: pl.Expr) -> pl.Expr:
    """A figure where something holds that is the same for all sessions, else null."""
    import polars as pl

    return pl.when(condition.first()).then(then)


def interval(
    id_: str, label: str, unit: Unit, what: str, bound: Callable[[int], Callable[..., pl.Expr]], *, source: str = ""
) -> Iterator[Metric]:
    """The two ends of a 95 % interval as metrics; `bound` makes the lower one of −1 and the upper one of 1.

    >>> [metric.id for metric in interval("net", "Net", "money", "the net result", lambda sign: lambda net: net.mean())]
    ['net_low', 'net_high']
    """
    for sign, end, side, word in ((-1, "low", "Lower", "from"), (1, "high", "Upper", "to")):
        yield Metric(
            id=f"{id_}_{end}",
            label=f"{label}, 95 % {word}",
            unit=unit,
            text=f"{side} end of the 95 % interval of {what}.",
            expression=bound(sign),
            source=source,
        )


def _z(net: pl.Expr, expected: pl.Expr) -> pl.Expr:
    gap = net - expected
    return ratio(gap.sum(), spread(gap - gap.mean()))


def _se_return(net: pl.Expr, staked: pl.Expr) -> pl.Expr:
    return ratio(spread(net - net.sum() / staked.sum() * staked), staked.sum())


def _count(id_: str, label: str, text: str, expression: Callable[..., pl.Expr]) -> Metric:
    return Metric(id=id_, label=label, unit="count", text=text, expression=expression)


def _money(id_: str, label: str, text: str, expression: Callable[..., pl.Expr]) -> Metric:
    return Metric(id=id_, label=label, unit="money", text=text, expression=expression)


def _share(id_: str, label: str, text: str, expression: Callable[..., pl.Expr]) -> Metric:
    return Metric(id=id_, label=label, unit="share", text=text, expression=expression)


def _rate(id_: str, label: str, text: str, expression: Callable[..., pl.Expr]) -> Metric:
    return Metric(id=id_, label=label, unit="per unit", text=text, expression=expression)


def _quantile(id_: str, label: str, share: float, text: str) -> Metric:
    text = f"{text} end at this bankroll or lower (linear between neighbours)."
    return _money(id_, label, text, lambda final, share=share: final.quantile(share, interpolation="linear"))


_ENDINGS: dict[str, tuple[str, str]] = {
    "rounds": ("Played out", "played out their rounds"),
    "bust": ("Ended bust", "ended with less than the table minimum"),
    "cannot_cover": ("Cannot cover", "ended because the next bet was more than was left"),
    "stop_win": ("Stopped ahead", "ended at their goal (stop.win)"),
    "stop_loss": ("Stopped behind", "ended at their stop-loss"),
    "bettor": ("Left", "ended because the bettor chose to stop"),
    "source": ("Records ran out", "ended because the recorded rounds ran out"),
    "limit": ("Table limits", "ended because the table's limits refused the bet and the bettor stops then"),
}


def _ended(how: str) -> Metric:
    label, text = _ENDINGS[how]
    return _share(
        f"ended_{how}", label, f"Share of sessions that {text}.", lambda ended_by, how=how: (ended_by == how).mean()
    )


CORE: tuple[Metric, ...] = (
    _count("sessions", "Sessions", "Sessions played.", lambda session: session.len()),
    _count("rounds", "Rounds", "Rounds that sessions saw before they ended.", lambda rounds: rounds.sum()),
    _count("bets", "Bets", "Rounds on which something was laid.", lambda bets: bets.sum()),
    _count("decisions", "Decisions", "Rounds won or lost; pushes are left out.",
           lambda wins, losses: (wins + losses).sum()),
    _count("wins", "Won", "Rounds whose bets together won.", lambda wins: wins.sum()),
    _count("losses", "Lost", "Rounds whose bets together lost.", lambda losses: losses.sum()),
    _count("pushes", "Pushed", "Rounds whose bets together came back.", lambda pushes: pushes.sum()),
    _share("win_rate_decisions", "Won a decision", "Won, as a share of rounds won or lost (pushes left out).",
           lambda wins, losses: ratio(wins.sum(), (wins + losses).sum())),
    _share("win_rate_bets", "Won a bet", "Won, as a share of all rounds on which something was laid.",
           lambda wins, bets: ratio(wins.sum(), bets.sum())),
    _money("staked", "Staked", "The action: everything staked, over all sessions.", lambda staked: staked.sum()),
    _money("commission", "Commission", "Commission paid, over all sessions; part of the net result.",
           lambda commission: commission.sum()),
    _money("net", "Net", "Net result, over all sessions.", lambda net: net.sum()),
    _money("expected", "Expected", "Exact expectation of all bets placed, over all sessions.",
           lambda expected: expected.sum()),
    _rate("return_on_stake", "Result ÷ staked", "Net result per unit staked.",
          lambda net, staked: ratio(net.sum(), staked.sum())),
    _rate("se_return", "SE of result ÷ staked", "Standard error of the return, from sessions (ratio estimate).",
          _se_return),
    _rate("expected_return", "Exact",
          "Exact expectation of the bets placed, per unit staked: minus the house edge on them.",
          lambda expected, staked: ratio(expected.sum(), staked.sum())),
    _rate("se_controlled", "SE of exact",
          "Standard error of the return with the gap to its expectation taken out, as a control variate.",
          lambda expected, staked: _se_return(expected, staked)),
    Metric(id="z", label="z", unit="number",
           text="Standard errors between the net result and the exact expectation of the bets placed.", expression=_z),
    _money("mean_final", "Mean final", "Mean bankroll at the end.", lambda final: final.mean()),
    _money("sd_final", "SD final", "Standard deviation of the bankroll at the end, between sessions (n − 1).",
           lambda final: final.std()),
    _money("se_final", "SE final", "Standard error of the mean bankroll at the end.",
           lambda final: final.std() / final.len().sqrt()),
    _quantile("q05", "Worst 5 %", 0.05, "One session in twenty"),
    _quantile("q25", "25 %", 0.25, "A quarter of the sessions"),
    _quantile("median", "Median", 0.5, "Half of the sessions"),
    _quantile("q75", "75 %", 0.75, "Three quarters of the sessions"),
    _quantile("q95", "Best 5 %", 0.95, "Nineteen sessions in twenty"),
    _share("ahead", "Ahead", "Share of sessions that end with more than they began with.",
           lambda net: (net > 0).mean()),
    _share("even", "Even", "Share of sessions that end with what they began with.", lambda net: (net == 0).mean()),
    _share("behind", "Behind", "Share of sessions that end with less than they began with.",
           lambda net: (net < 0).mean()),
    _share("bust", "Bust", "Share of sessions that ended with less than the table minimum.",
           lambda ended_by: (ended_by == "bust").mean()),
    _money("mean_max_drawdown", "Mean max drawdown",
           "Largest drawdown of a session (fall from its highest bankroll so far, the start included), mean over "
           "sessions.",
           lambda max_drawdown: max_drawdown.mean()),
    Metric(id="median_longest_losing_run", label="Losing run", unit="rounds",
           text="Longest run of lost bets in a session (pushes neither lengthen nor break it), median.",
           expression=lambda longest_losing_run: longest_losing_run.median()),
    _money("largest_stake", "Largest stake", "Largest sum laid on one round in any session.",
           lambda largest_stake: largest_stake.max()),
    _count("refusals", "Refusals", "Requests that the bankroll or the table did not allow.",
           lambda refusals: refusals.sum()),
    _count("refused_over_bankroll", "Refused: over the bankroll", "Requests that the bankroll did not cover.",
           lambda refused_over_bankroll: refused_over_bankroll.sum()),
    _count("refused_over_maximum", "Refused: over the maximum", "Requests over the table maximum.",
           lambda refused_over_maximum: refused_over_maximum.sum()),
    _count("refused_under_minimum", "Refused: under the minimum", "Requests under the table minimum.",
           lambda refused_under_minimum: refused_under_minimum.sum()),
    _count("refused_off_increment", "Refused: off the increment", "Requests that are no multiple of the smallest chip.",
           lambda refused_off_increment: refused_off_increment.sum()),
    _count("refused_no_main_bet", "Refused: no main bet", "Side bets that stood without a main bet.",
           lambda refused_no_main_bet: refused_no_main_bet.sum()),
    *(_ended(how) for how in _ENDINGS),
)  # fmt: skip
"""In the order of the columns of `summary`."""
