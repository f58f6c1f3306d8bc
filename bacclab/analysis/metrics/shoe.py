"""Figures by the shoe, as counts of cards are told: how often a shoe is bet on, and what it wins in stakes.

A shoe counts once a round of it was played, so figures by the shoe are those of whole shoes where a session is a number
of shoes (``shoes = 1``); where it is a number of rounds, its last shoe is as a rule cut short.

>>> import polars as pl
>>> of = {metric.id: metric.of for metric in SHOE}
>>> sessions = pl.DataFrame({"shoes": [2, 2], "bets": [10, 6], "staked": [100.0, 60.0], "net": [30.0, -10.0]})
>>> sessions = sessions.with_columns(expected=pl.Series([2.0, 1.2]))
>>> of["bets_per_shoe"](sessions), of["net_per_shoe"](sessions), of["units_per_shoe"](sessions)
(4.0, 5.0, 0.5)
>>> round(of["expected_units_per_shoe"](sessions), 12)
0.08
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.analysis.metrics.core import ratio
from bacclab.plugins.metric import Metric

if TYPE_CHECKING:
    import polars as pl

__all__ = ["SHOE"]


def _in_stakes(money: pl.Expr, shoes: pl.Expr, bets: pl.Expr, staked: pl.Expr) -> pl.Expr:
    """Money a shoe in mean stakes: of a bettor at flat stakes, in its stakes."""
    return ratio(ratio(money.sum(), shoes.sum()), ratio(staked.sum(), bets.sum()))


SHOE: tuple[Metric, ...] = (
    Metric(
        id="bets_per_shoe",
        label="Bets a shoe",
        unit="number",
        text="Rounds of a shoe on which something was laid, mean over the shoes begun.",
        expression=lambda bets, shoes: ratio(bets.sum(), shoes.sum()),
    ),
    Metric(
        id="net_per_shoe",
        label="Result a shoe",
        unit="money",
        text="Net result of a shoe, mean over the shoes begun.",
        expression=lambda net, shoes: ratio(net.sum(), shoes.sum()),
    ),
    Metric(
        id="units_per_shoe",
        label="Units won a shoe",
        unit="number",
        text="Net result of a shoe in units of the mean stake (what was staked per round on which something was laid).",
        expression=lambda net, shoes, bets, staked: _in_stakes(net, shoes, bets, staked),
        source="E. Jacobson, Advanced Advantage Play: units won a shoe",
    ),
    Metric(
        id="expected_units_per_shoe",
        label="Units expected a shoe",
        unit="number",
        text="Exact expectation of the bets placed in a shoe, in units of the mean stake; for a bettor that sees the "
        "cards, on those left before each round. It strays far less than what was won.",
        expression=lambda expected, shoes, bets, staked: _in_stakes(expected, shoes, bets, staked),
    ),
)
"""In the order of the columns of `summary`."""
