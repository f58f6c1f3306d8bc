"""The columns of the page's tables: heading, how a figure is written, and what it means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["COMPARISON", "SUMMARY", "Column", "summary_columns", "written"]

Kind = Literal["text", "count", "money", "units", "total", "share", "return", "z", "number", "p"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its key in the frame, heading, kind of figure, meaning; `main` ones are shown at first."""

    key: str
    heading: str
    kind: Kind
    meaning: str
    main: bool = False

    def figure(self, row: Mapping[str, Any]) -> Any:
        """The value in a row; figures per session and shares of several endings are worked out from the row."""
        how, _, keys = self.key.rpartition(":")
        values = [row.get(key) for key in keys.split("+")]
        if any(value is None for value in values):
            return None
        if not how:
            return values[0] if len(values) == 1 else sum(values)
        return values[0] / row["sessions"] if row["sessions"] else None

    def kind_for(self, rows: Sequence[Mapping[str, Any]]) -> Kind:
        """How the column is written: money in whole units where it reaches a thousand, to the cent elsewhere."""
        if self.kind != "money":
            return self.kind
        return "units" if any(abs(self.figure(row) or 0) >= 1000 for row in rows) else "money"


SUMMARY = (
    Column("return_on_stake", "Result ÷ staked", "return", "Net result per unit staked, in this sample.", True),
    Column(
        "expected_return",
        "Exact",
        "return",
        "The same in the long run: minus the house edge of the bets placed, on a full shoe, or on the cards left before "
        "each round if the bettor sees them.",
        True,
    ),
    Column("z", "z", "z", "How many standard errors the sampled result lies from its exact expectation.", True),
    Column("per_session:net", "Result a session", "money", "Mean net result of a session, in currency units.", True),
    Column("per_session:staked", "Staked a session", "money", "Mean action of a session, in currency units.", True),
    Column("q05", "Worst 5 %", "money", "One session in twenty ends at this bankroll or lower.", True),
    Column("median", "Median", "money", "Half of the sessions end at this bankroll or lower.", True),
    Column("q95", "Best 5 %", "money", "One session in twenty ends at this bankroll or higher.", True),
    Column("ahead", "Ahead", "share", "Share of sessions that end with more than they began with.", True),
    Column("even", "Even", "share", "Share of sessions that end with what they began with."),
    Column("behind", "Behind", "share", "Share of sessions that end with less than they began with."),
    Column("bust", "Bust", "share", "Share of sessions that ended with less than the table minimum."),
    Column(
        "bust+ended_cannot_cover",
        "Ruined",
        "share",
        "Share of sessions that the bankroll ended: bust (less left than the table minimum) or unable to cover the next "
        'bet (with when_refused = "reset": not even the first of the series).',
        True,
    ),
    Column(
        "mean_max_drawdown",
        "Mean max drawdown",
        "money",
        "Largest drawdown of a session (fall from its highest bankroll so far), mean over sessions.",
        True,
    ),
    Column(
        "median_longest_losing_run",
        "Losing run",
        "number",
        "Longest run of lost bets in a session (pushes left out), median.",
        True,
    ),
    Column("largest_stake", "Largest stake", "money", "Largest sum laid on one round.", True),
    Column(
        "ended_cannot_cover",
        "Cannot cover",
        "share",
        "Share of sessions that ended because the next bet was more than was left.",
    ),
    Column("sessions", "Sessions", "count", "Sessions played."),
    Column("rounds", "Rounds", "count", "Rounds that sessions saw before they ended."),
    Column("bets", "Bets", "count", "Rounds on which something was laid."),
    Column("wins", "Won", "count", "Rounds whose bets together won."),
    Column("losses", "Lost", "count", "Rounds whose bets together lost."),
    Column("pushes", "Pushed", "count", "Rounds whose bets together came back."),
    Column("win_rate_decisions", "Won a decision", "share", "Won, as a share of rounds won or lost (pushes left out)."),
    Column("win_rate_bets", "Won a bet", "share", "Won, as a share of all rounds on which something was laid."),
    Column("staked", "Staked", "total", "Total action."),
    Column("commission", "Commission", "total", "Total commission paid; part of the net result."),
    Column("net", "Net", "total", "Total net result."),
    Column("expected", "Expected", "total", "Exact expectation of all bets placed."),
    Column("se_return", "SE of result ÷ staked", "return", "Standard error of the sampled return, between sessions."),
    Column(
        "se_controlled",
        "SE of exact",
        "return",
        "Standard error of the return with the gap to its expectation taken out, as a control variate.",
    ),
    Column("expected_on", "Exact on", "text", "What the expectation of the bets is taken on."),
    Column("mean_final", "Mean final", "money", "Mean bankroll at the end."),
    Column("sd_final", "SD final", "money", "Standard deviation of the bankroll at the end."),
    Column("q25", "25 %", "money", "A quarter of the sessions end at this bankroll or lower."),
    Column("q75", "75 %", "money", "A quarter of the sessions end at this bankroll or higher."),
    Column("refusals", "Refusals", "count", "Requests that the bankroll or the table did not allow."),
)

COMPARISON = (
    Column(
        "mean_difference",
        "Difference",
        "money",
        "Mean of first minus second, session by session on the same rounds; the one that ended with more stands first.",
        True,
    ),
    Column("ci_low", "95 % from", "money", "Lower end of the 95 % interval of the difference.", True),
    Column("ci_high", "to", "money", "Upper end of the 95 % interval of the difference.", True),
    Column("p_value", "p", "p", "Chance of a difference at least this large if there were none.", True),
    Column("p_adjusted", "p, all pairs", "p", "The same, corrected for the number of pairs looked at.", True),
    Column("sessions_needed", "Sessions needed", "count", "About so many would be needed to tell the two apart.", True),
    Column("rounds_needed", "Rounds needed", "count", "The same in rounds."),
    Column(
        "difference_per_100_rounds",
        "Per 100 rounds",
        "money",
        "The difference per 100 rounds of a session, of the bettor that plays longer.",
    ),
    Column(
        "skewness", "Skewness", "number", "Skewness of the differences; far from 0 where rare large results decide."
    ),
    Column("verdict", "Verdict", "text", "What can be said.", True),
)


_SAID = ("ruined",)
"""Metrics that the table shows in its own way."""

_KINDS: Mapping[str, Kind] = {
    "money": "money",
    "share": "share",
    "per unit": "return",
    "count": "count",
    "rounds": "number",
    "number": "number",
}
"""How figures of each unit of a metric are written."""


def summary_columns(manifest: Mapping[str, Any]) -> tuple[Column, ...]:
    """The columns of the summary, those of the run's further metrics last; their definitions stand in the manifest.

    >>> metric = {"id": "halved", "label": "Halved", "unit": "share", "text": "Share of sessions …"}
    >>> summary_columns({"metrics": [metric]})[-1].heading
    'Halved'
    """
    known = {column.key for column in SUMMARY}
    more = manifest.get("metrics") or ()
    return (
        *SUMMARY,
        *(
            Column(str(one["id"]), str(one["label"]), _KINDS.get(one["unit"], "number"), str(one["text"]))
            for one in more
            if one["id"] not in known and one["id"] not in _SAID
        ),
    )


def written(value: Any, kind: Kind) -> str:
    """A figure as it is printed; nothing at all is a dash, never a zero.

    >>> written(-0.0105791, "return"), written(1234.5, "money"), written(None, "z"), written(0.12345, "share")
    ('−1.06 %', '1,234.50', '–', '12.3 %')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if kind == "text":
        return str(value)
    text = {
        "count": lambda v: f"{round(v):,}",
        "money": lambda v: f"{v:,.2f}",
        "total": lambda v: f"{v:,.2f}",
        "units": lambda v: f"{v:,.0f}",
        "share": lambda v: f"{v * 100:.1f} %",
        "return": lambda v: f"{v * 100:+.2f} %",
        "z": lambda v: f"{v:+.2f}",
        "number": lambda v: f"{v:,.1f}".removesuffix(".0"),
        "p": lambda v: f"{v:.4f}" if v >= 0.0001 else "< 0.0001",
    }[kind](value)
    return text.replace("-", "−")
