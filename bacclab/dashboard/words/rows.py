"""Rows of a summary in sentences: what they are called, and what they are examples of."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from bacclab.analysis.statistics.student import FAR, is_far

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bacclab.dashboard.lookup import Lookup

__all__ = ["Row", "Rows", "alarming", "counts", "gains", "hangs_on_few_bets", "rate", "ruin"]

Row = dict[str, Any]


class Rows:
    """The summary of a run, in the order of the experiment, and the names of its rows."""

    def __init__(self, look: Lookup) -> None:
        self.look = look
        self.say = look.language
        self.all: list[Row] = sorted(
            look.run.summary.iter_rows(named=True), key=lambda row: (row["cell"], look.positions[row["bettor"]])
        )

    def name(self, row: Row) -> str:
        """A row's bettor, with its setting where there are several."""
        label = self.look.cells.get(int(row["cell"]), "")
        return self.say("form.named", bettor=row["bettor"], setting=label) if label else str(row["bettor"])

    def named(self, some: Sequence[Row], rows: Sequence[Row] | None = None) -> list[str]:
        """Names of rows; a bettor of which all rows are meant is named once, without its settings."""
        count = Counter(row["bettor"] for row in (self.all if rows is None else rows))
        mine = Counter(row["bettor"] for row in some)
        whole = [bettor for bettor in mine if mine[bettor] == count[bettor]]
        return [*whole, *(self.name(row) for row in some if row["bettor"] not in whole)]

    def listed(self, some: Sequence[Row], rows: Sequence[Row] | None = None, *, most: int = 4) -> str:
        """Names of rows as a part of a sentence."""
        return self.say.listed(self.named(some, rows), most)

    def returns(self, some: Sequence[Row]) -> str:
        """The exact returns of some rows, as one figure or as a range."""
        low, high = self.say.signed(min(map(rate, some))), self.say.signed(max(map(rate, some)))
        return low if low == high else self.say("sentence.range", low=low, high=high)

    @staticmethod
    def by_bettor(rows: Sequence[Row]) -> list[list[Row]]:
        """The rows of each bettor, which differ in their settings."""
        found: dict[str, list[Row]] = {}
        for row in rows:
            found.setdefault(str(row["bettor"]), []).append(row)
        return list(found.values())


def alarming(row: Mapping[str, Any]) -> bool:
    """Whether a result is too far from its expectation for chance."""
    return is_far(row.get("z"), row["sessions"])


def hangs_on_few_bets(row: Mapping[str, Any]) -> bool:
    """Whether four bets of the largest stake weigh as much as the distance from the expectation.

    The true spread is at least that of one such bet, about a stake. A sample within four of those of its expectation
    may lack the rare losses that its own spread should show: a Martingale with a purse for thirty steps.

    >>> hangs_on_few_bets({"net": 17.7e6, "expected": -5.9e6, "largest_stake": 21e6})
    True
    >>> hangs_on_few_bets({"net": 17.7e6, "expected": -5.9e6, "largest_stake": 5e3})
    False
    """
    return bool(abs(row["net"] - row["expected"]) <= FAR * row["largest_stake"])


def gains(row: Row) -> bool:
    """Whether the bets have an exact expectation in the player's favour."""
    return (row.get("expected_return") or 0) > 0


def counts(row: Row) -> bool:
    """Whether the bettor sees the cards, so that its bets are valued on those left before each round."""
    return row.get("expected_on") == "cards left"


def rate(row: Row) -> float:
    """The exact return per unit staked."""
    return float(row["expected_return"])


def ruin(row: Row) -> float:
    """Share of sessions that the bankroll ended."""
    return float(row["bust"] + (row.get("ended_cannot_cover") or 0.0))
