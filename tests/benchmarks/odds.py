"""Time a composition for exact odds: one in plain numpy, and many in compiled code.

    python tests/benchmarks/odds.py

Prints CPU time of one thread after compilation, the least of several runs, and the ratio to the plain way.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import numpy as np

from bacclab.exact.batch import Returns, code_probabilities_batch
from bacclab.exact.odds import code_probabilities
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBER, REPEATS = 500, 7


def least(work: Callable[[], object], number: int) -> float:
    """Microseconds of CPU for each of `number` compositions, the least of several runs."""
    work()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times) / number * 1e6


def main() -> None:
    """Run and print the table."""
    random = np.random.default_rng(1)
    shoe = np.repeat(np.arange(13), 32)
    left = random.integers(6, 417, NUMBER)
    counts = np.array([np.bincount(random.permutation(shoe)[:n], minlength=13) for n in left])
    main_bets = Returns(Layout(BUILT_IN_TABLES["commission"]), decks=8)
    all_bets = Returns(Layout(BUILT_IN_TABLES["commission-all-bets"]), decks=8)
    rows = {
        "codes, one by one": least(lambda: [code_probabilities(row, decks=8) for row in counts[:50]], 50),
        "codes, compiled": least(lambda: code_probabilities_batch(counts), NUMBER),
        "returns of 5 bets, compiled": least(lambda: main_bets(counts), NUMBER),
        f"returns of {len(BUILT_IN_TABLES['commission-all-bets'].bets)} bets, compiled": least(
            lambda: all_bets(counts), NUMBER
        ),
    }
    plain = rows["codes, one by one"]
    sys.stdout.write(f"{'':32}{'us':>9}{'ratio':>9}\n")
    for name, microseconds in rows.items():
        sys.stdout.write(f"{name:32}{microseconds:9.1f}{plain / microseconds:9.1f}\n")


if __name__ == "__main__":
    main()
