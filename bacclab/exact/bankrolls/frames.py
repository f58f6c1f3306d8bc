"""The frames of exact results.

What a sampled run counts is here a mean of one session: ``sessions`` is 1, and the sessions of a distribution are
probabilities. A quantile of a distribution is the smallest bankroll that is not passed with the given probability.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bacclab.analysis.statistics.quantiles import weighted_quantiles
from bacclab.exact.expectation import expectation
from bacclab.money import UNITS
from bacclab.tournament.frames import EXACT_SCHEMAS, frame, money
from bacclab.tournament.ledger import ENDINGS, FULL_SHOE

if TYPE_CHECKING:
    import polars as pl

    from bacclab.exact.bankrolls.distribution import ExactBankrolls

__all__ = ["LEAST_WRITTEN", "bands", "distribution", "finals", "rounds", "summary"]

LEAST_WRITTEN: Final = 1e-30
"""Bankrolls that are less likely than this are not written; all of them together do not change a sum of floats."""

SHARES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


def distribution(exact: ExactBankrolls, *, cell: int, bettor: str) -> pl.DataFrame:
    """Rows of the distribution: the probability of each bankroll at each checkpoint."""
    parts = [(amounts[p > LEAST_WRITTEN], p[p > LEAST_WRITTEN]) for amounts, p in exact.bankrolls]
    columns = {
        "cell": cell,
        "bettor": bettor,
        "round": np.repeat(exact.checkpoints, [len(p) for _, p in parts]),
        "bankroll": money(np.concatenate([amounts for amounts, _ in parts])),
        "sessions": np.concatenate([p for _, p in parts]),
    }
    return frame("distribution", columns, schema=EXACT_SCHEMAS["distribution"])


def rounds(exact: ExactBankrolls, *, cell: int, bettor: str) -> pl.DataFrame:
    """Rows of exact_rounds: round 0 is the state before the first."""
    before = np.zeros(1)
    columns: dict[str, Any] = {
        "cell": cell,
        "bettor": bettor,
        "round": np.arange(len(exact.playing) + 1),
        "playing": np.concatenate([before, exact.playing]),
        "staked": np.concatenate([before, exact.staked / UNITS]),
        "expected": np.concatenate([before, np.cumsum(exact.expected) / UNITS]),
    }
    upto = np.cumsum(exact.ended, axis=0)
    columns |= {f"ended_{how}": np.ascontiguousarray(upto[:, k]) for k, how in enumerate(ENDINGS)}
    return frame("exact_rounds", columns)


def bands(exact: ExactBankrolls, *, cell: int, bettor: str) -> pl.DataFrame:
    """Rows of exact_bands: mean and quantiles of the bankroll at each checkpoint."""
    found = np.array([weighted_quantiles(money(amounts), p, SHARES) for amounts, p in exact.bankrolls])
    columns: dict[str, Any] = {"cell": cell, "bettor": bettor, "round": exact.checkpoints}
    means = [(expectation(amounts - exact.start, p) + exact.start) / UNITS for amounts, p in exact.bankrolls]
    columns |= {"mean": np.array(means)}
    columns |= {f"q{round(share * 100):02d}": found[:, k].copy() for k, share in enumerate(SHARES)}
    return frame("exact_bands", columns)


def finals(exact: ExactBankrolls, *, cell: int, bettor: str) -> pl.DataFrame:
    """Rows of exact_finals: the probability of each final bankroll, by ending."""
    parts = [
        (how, amounts[p > LEAST_WRITTEN], p[p > LEAST_WRITTEN]) for how, (amounts, p) in sorted(exact.finals.items())
    ]
    columns = {
        "cell": cell,
        "bettor": bettor,
        "ended_by": [how for how, _, p in parts for _ in range(len(p))],
        "final": money(np.concatenate([amounts for _, amounts, _ in parts])),
        "probability": np.concatenate([p for _, _, p in parts]),
    }
    return frame("exact_finals", columns)


def summary(exact: ExactBankrolls, *, cell: int, bettor: str) -> dict[str, Any]:
    """The row of the summary: means of one session. What sampling alone can tell is null."""
    amounts, chances = exact.final
    ahead = amounts - exact.start
    spread = math.sqrt(max(0.0, float(expectation((ahead - exact.net) ** 2, chances))))
    staked, decisions = float(exact.staked.sum()), exact.wins + exact.losses
    quantiles = weighted_quantiles(money(amounts), chances, SHARES)
    refused = {
        name: float(times)
        for name, times in zip(
            [name for name in EXACT_SCHEMAS["summary"] if name.startswith("refused_")], exact.refused, strict=True
        )
    }
    return {
        "cell": cell,
        "bettor": bettor,
        "sessions": 1,
        "rounds": exact.mean_rounds,
        "bets": exact.bets,
        "decisions": decisions,
        "wins": exact.wins,
        "losses": exact.losses,
        "pushes": max(0.0, exact.bets - decisions),
        "win_rate_decisions": _ratio(exact.wins, decisions),
        "win_rate_bets": _ratio(exact.wins, exact.bets),
        "staked": staked / UNITS,
        "commission": exact.commission / UNITS,
        "net": exact.net / UNITS,
        "expected": float(exact.expected.sum()) / UNITS,
        "return_on_stake": _ratio(exact.net, staked),
        "expected_return": _ratio(float(exact.expected.sum()), staked),
        "mean_final": (exact.start + exact.net) / UNITS,
        "sd_final": spread / UNITS,
        **dict(zip(("q05", "q25", "median", "q75", "q95"), quantiles, strict=True)),
        "ahead": float(chances[ahead > 0].sum()),
        "even": float(chances[ahead == 0].sum()),
        "behind": float(chances[ahead < 0].sum()),
        "bust": exact.share("bust"),
        "largest_stake": exact.largest_stake / UNITS,
        "refusals": float(exact.refused.sum()),
        **refused,
        **{f"ended_{how}": exact.share(how) for how in ENDINGS},
        "expected_on": FULL_SHOE,
        "played_by": "exact",
    }


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
