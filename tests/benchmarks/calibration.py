"""How often 95 % intervals cover the truth: 1,000 small experiments of each system, against exact figures.

    python tests/benchmarks/calibration.py [EXPERIMENTS [SESSIONS]]

One run deals all sessions; each small experiment takes the next SESSIONS of them and asks for the interval of the mean
result, of the share of ruined sessions (Wilson) and of the paired difference to flat betting, as a run would give them.
Exact figures are those of `bacclab exact`, rounds drawn afresh from a full shoe. The last columns tell how many of the
experiments are marked as too heavy-tailed for their sessions, and how often the interval of the mean covers in the
others. A system all of whose experiments are marked shows no figure there.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

import bacclab as bl
from bacclab.analysis.compare import difference
from bacclab.analysis.statistics.exact_sums import exact_products
from bacclab.analysis.statistics.normal import is_heavy, wilson
from bacclab.tournament.frames import amounts
from bacclab.tournament.ledger import RUINED

if TYPE_CHECKING:
    from collections.abc import Iterator

FLAT = "Flat"
SYSTEMS: tuple[dict[str, Any], ...] = (
    {"name": FLAT, "use": "flat", "on": "banker", "unit": 10},
    {"name": "Tie", "use": "flat", "on": "tie", "unit": 10},
    {"name": "Paroli", "use": "paroli", "on": "player", "unit": 10},
    {"name": "D'Alembert", "use": "dalembert", "on": "player", "unit": 10},
    {"name": "Martingale, 4 steps", "use": "martingale", "on": "player", "unit": 10, "steps": 4,
     "when_refused": "reset"},
    {"name": "Martingale, 6 steps", "use": "martingale", "on": "player", "unit": 10, "steps": 6,
     "when_refused": "reset"},
    {"name": "Martingale, 9 steps", "use": "martingale", "on": "player", "unit": 10, "steps": 9,
     "when_refused": "reset"},
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Covered:
    """Shares of small experiments whose interval holds the exact figure; None where there is none."""

    system: str
    mean: float
    ruined: float | None
    difference: float | None
    marked: float
    mean_unmarked: float | None


def experiment(sessions: int, bankroll: int) -> dict[str, Any]:
    """All systems on the same rounds."""
    return {
        "seed": 20_261_130,
        "bankroll": bankroll,
        "sessions": sessions,
        "rounds": 100,
        "table": {"minimum": 10, "maximum": 5000},
        "bettor": list(SYSTEMS),
        "record": {"trajectories": 0, "checkpoints": 1},
    }


def calibrate(experiments: int = 1000, sessions: int = 200, *, bankroll: int = 600) -> Iterator[Covered]:
    """The coverage of every system."""
    with tempfile.TemporaryDirectory() as folder:
        config = experiment(experiments * sessions, bankroll)
        sampled = bl.run(config, out=Path(folder) / "run", report=False)
        exact = bl.exact(config, out=Path(folder) / "exact", report=False)
        truth = {row["bettor"]: row for row in exact.summary.iter_rows(named=True)}
        table = sampled.sessions.select("bettor", "net", "ended_by")
        flat = _blocks(table, FLAT, experiments)[0]
        for system in SYSTEMS:
            name = str(system["name"])
            yield _coverage(name, *_blocks(table, name, experiments), flat, truth)


def _blocks(table: pl.DataFrame, name: str, experiments: int) -> tuple[Any, Any]:
    rows = table.filter(pl.col("bettor") == name)
    ruined = rows["ended_by"].is_in(RUINED).to_numpy()
    return amounts(rows["net"].to_numpy()).reshape(experiments, -1), ruined.reshape(experiments, -1)


def _coverage(name: str, nets: Any, ruined: Any, flat: Any, truth: dict[str, Any]) -> Covered:
    true_mean, true_ruin = truth[name]["net"], truth[name]["ruined"]
    true_gap = true_mean - truth[FLAT]["net"]
    lowest, highest = (pl.DataFrame(ruined.T).select(wilson(pl.all(), sign)).to_numpy()[0] for sign in (-1, 1))
    mean, gaps, marks = [], [], []
    for own, other in zip(nets, flat, strict=True):
        found = exact_products([np.stack([own, other, np.zeros_like(own)])], 3)
        alone = difference(found.count, found.sums[0], found.squared_difference(0, 2))
        mean.append(abs(alone["mean_difference"] - true_mean) <= alone["ci_high"] - alone["mean_difference"])
        marks.append(is_heavy(found.count, found.skewness(0, 2)))
        pair = difference(found.count, found.sums[0] - found.sums[1], found.squared_difference(0, 1))
        gaps.append(pair["ci_low"] <= true_gap <= pair["ci_high"])
    unmarked = [hit for hit, mark in zip(mean, marks, strict=True) if not mark]
    return Covered(
        system=name,
        mean=float(np.mean(mean)),
        ruined=float(np.mean((lowest <= true_ruin) & (true_ruin <= highest))) if 0.01 < true_ruin < 0.99 else None,
        difference=None if name == FLAT else float(np.mean(gaps)),
        marked=float(np.mean(marks)),
        mean_unmarked=float(np.mean(unmarked)) if unmarked else None,
    )


def main() -> None:
    """Print a table for each bankroll: with the larger one a long Martingale loses rarely, and then much."""
    asked = [int(word) for word in sys.argv[1:]]
    for bankroll in (600, 6000):
        print(f"bankroll {bankroll}")  # noqa: T201
        print(f"{'system':22} {'mean':>7} {'ruined':>7} {'difference':>10} {'marked':>7} {'unmarked':>8}")  # noqa: T201
        for row in calibrate(*asked, bankroll=bankroll):
            shares = (row.mean, row.ruined, row.difference, row.marked, row.mean_unmarked)
            shown = ["–" if share is None else f"{share * 100:.1f} %" for share in shares]
            print(f"{row.system:22} {shown[0]:>7} {shown[1]:>7} {shown[2]:>10} {shown[3]:>7} {shown[4]:>8}")  # noqa: T201


if __name__ == "__main__":
    main()
