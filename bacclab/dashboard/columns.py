"""The columns of the page's tables: their figures and how these are written; their words are in the catalogues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.written import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["COMPARISON", "SUMMARY", "Column", "summary_columns"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its key in the frame, how its figures are written, and its name in the catalogues.

    `main` ones are shown at first. `Language.heading` and `Language.meaning` have the words above it. Those of a
    plugin's metric are its own `label` and `text` in every language.

    >>> SUMMARY[0].key, SUMMARY[0].figure({"return_on_stake": -0.01})
    ('return_on_stake', -0.01)
    """

    key: str
    kind: Kind
    word: str = ""
    main: bool = False
    label: str = ""
    text: str = ""

    @property
    def name(self) -> str:
        """The name in the catalogues; the key unless a figure is worked out of several."""
        return self.word or self.key

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
    Column("return_on_stake", "return", main=True),
    Column("expected_return", "return", main=True),
    Column("z", "z", main=True),
    Column("per_session:net", "money", "net_session", main=True),
    Column("per_session:staked", "money", "staked_session", main=True),
    Column("q05", "money", main=True),
    Column("median", "money", main=True),
    Column("q95", "money", main=True),
    Column("ahead", "share", main=True),
    Column("even", "share"),
    Column("behind", "share"),
    Column("bust", "share"),
    Column("bust+ended_cannot_cover", "share", "ruined", main=True),
    Column("mean_max_drawdown", "money", main=True),
    Column("median_longest_losing_run", "number", main=True),
    Column("largest_stake", "money", main=True),
    Column("ended_cannot_cover", "share"),
    Column("sessions", "count"),
    Column("rounds", "count"),
    Column("bets", "count"),
    Column("wins", "count"),
    Column("losses", "count"),
    Column("pushes", "count"),
    Column("win_rate_decisions", "share"),
    Column("win_rate_bets", "share"),
    Column("staked", "total"),
    Column("commission", "total"),
    Column("net", "total"),
    Column("expected", "total"),
    Column("se_return", "return"),
    Column("se_controlled", "return"),
    Column("expected_on", "text"),
    Column("mean_final", "money"),
    Column("sd_final", "money"),
    Column("q25", "money"),
    Column("q75", "money"),
    Column("refusals", "count"),
)

COMPARISON = (
    Column("mean_difference", "money", main=True),
    Column("ci_low", "money", main=True),
    Column("ci_high", "money", main=True),
    Column("p_value", "p", main=True),
    Column("p_adjusted", "p", main=True),
    Column("sessions_needed", "count", main=True),
    Column("rounds_needed", "count"),
    Column("difference_per_100_rounds", "money"),
    Column("skewness", "number"),
    Column("verdict", "text", main=True),
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
    >>> summary_columns({"metrics": [metric]})[-1].label
    'Halved'
    """
    known = {column.key for column in SUMMARY}
    more = manifest.get("metrics") or ()
    return (
        *SUMMARY,
        *(
            Column(str(one["id"]), _KINDS.get(one["unit"], "number"), label=str(one["label"]), text=str(one["text"]))
            for one in more
            if one["id"] not in known and one["id"] not in _SAID
        ),
    )
