"""The best of many is looked at again on fresh rounds: what was luck in the search is not there a second time.

Whoever tries many systems, or many settings of one, and keeps the best has picked its luck too. So after a run with a
sweep, or with many bettors, the one with the highest return per unit staked plays as many sessions again. They are the
sessions that follow those of the run under the same seed: rounds that nobody has looked at, and the same ones each
time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from bacclab.analysis.statistics.exact_sums import exact_products
from bacclab.analysis.statistics.student import quantile
from bacclab.money import UNITS
from bacclab.tournament.finish import Again
from bacclab.tournament.frames import SCHEMAS, amounts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bacclab.tournament.plan import Cell

__all__ = ["MANY", "best_of", "sentence"]

MANY = 20
"""With so many bettors the best one is confirmed; with several cells always."""


def best_of(summary: pl.DataFrame, cells: Sequence[Cell]) -> Again | None:
    """The bettor to look at again; None where nothing was searched, or no fresh rounds can be dealt."""
    searched = len(cells) > 1 or max(len(cell.bettors) for cell in cells) >= MANY
    if not searched or not all(cell.confirm and cell.source.describe().get("kind") == "simulated" for cell in cells):
        return None
    ranked = summary.filter(pl.col("return_on_stake").is_not_null()).sort(
        "return_on_stake", "cell", "bettor", descending=[True, False, False]
    )
    if ranked.is_empty():
        return None
    found = ranked.row(0, named=True)
    return Again(
        cell=found["cell"],
        bettor=found["bettor"],
        judge=lambda pieces: confirmed(pieces, found, tried=summary.height),
    )


def confirmed(pieces: Iterable[pl.DataFrame], found: Mapping[str, Any], *, tried: int) -> pl.DataFrame:
    """The frame ``confirmation``: one row, from the fresh sessions of the best and its row of the summary.

    >>> fresh = pl.DataFrame({"net": [-10.0, 4.0], "staked": [100.0, 200.0], "expected": [-1.0, -2.0]})
    >>> best = {"cell": 1, "bettor": "A", "sessions": 2, "return_on_stake": 0.031}
    >>> row = confirmed([fresh], best, tried=40).row(0, named=True)
    >>> row["return_in_search"], row["return_fresh"], row["expected_return"], row["first_session"]
    (0.031, -0.02, -0.01, 2)
    """
    # Sums that are exact, or rounded once: nothing depends on how the sessions were cut into blocks.
    expected: list[list[float]] = []

    def results() -> Iterator[NDArray[np.int64]]:
        for piece in pieces:
            expected.append(piece["expected"].to_list())
            yield np.stack([amounts(piece["net"].to_numpy()), amounts(piece["staked"].to_numpy())])

    sums = exact_products(results(), 2)
    count, (net, staked) = sums.count, sums.sums
    row: dict[str, Any] = {
        "cell": found["cell"],
        "bettor": found["bettor"],
        "tried": tried,
        "sessions": count,
        "first_session": found["sessions"],
        "staked": staked / UNITS,
        "net": net / UNITS,
        "return_in_search": found["return_on_stake"],
    }
    if staked:
        rate = net / staked
        row |= {"return_fresh": rate, "expected_return": math.fsum(chain.from_iterable(expected)) / (staked / UNITS)}
        if count > 1:
            (squares, cross), (_, laid) = sums.products.tolist()
            residual = squares - 2 * Fraction(net, staked) * cross + Fraction(net, staked) ** 2 * laid
            error = math.sqrt(residual * count / (count - 1)) / staked
            reach = quantile(count - 1) * error
            row |= {"se_fresh": error, "ci_low": rate - reach, "ci_high": rate + reach}
    return pl.DataFrame([row], schema=SCHEMAS["confirmation"])


def sentence(row: Mapping[str, Any], label: str = "") -> str:
    """A confirmation in words; `label` are the settings of the cell.

    >>> row = {"bettor": "A", "tried": 40, "return_in_search": 0.031, "return_fresh": -0.012,
    ...        "ci_low": -0.02, "ci_high": -0.004}
    >>> sentence(row, "table.maximum = 500")
    'Best of 40 tried: A (table.maximum = 500), +3.10 % of its stakes in the search, −1.20 % on fresh rounds (95 %:
    −2.00 % to −0.40 %).'
    """
    who = f"{row['bettor']} ({label})" if label else row["bettor"]
    text = f"Best of {row['tried']:,} tried: {who}, {_percent(row['return_in_search'])} of its stakes in the search"
    if row["return_fresh"] is None:
        return f"{text}; on fresh rounds it placed no bets."
    interval = f" (95 %: {_percent(row['ci_low'])} to {_percent(row['ci_high'])})" if row["ci_low"] is not None else ""
    return f"{text}, {_percent(row['return_fresh'])} on fresh rounds{interval}."


def _percent(share: float) -> str:
    return f"{share * 100:+z.2f} %".replace("-", "−")
