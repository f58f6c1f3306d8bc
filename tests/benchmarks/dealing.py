"""Nanoseconds a round of the dealer, beside two C programs that do the same work.

    python tests/benchmarks/dealing.py

dealing.c is a plain scalar loop; dealing_simd.c deals sixteen sessions side by side with vector instructions. Both are
compiled here with gcc -O3 -march=native; without a compiler only the dealer is timed. Printed are CPU times of one
thread after compilation, the least and the median of several runs, and ratios.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bacclab.game.rules import ShoeRules
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon

SESSIONS, WIDTH, REPEATS = 2000, 500, 11
RULES = ShoeRules(
    decks=8, burn="turned", cut_card=14, rounds_after_cut=1, cut_card_first_out="last", deal_order="in-turn"
)


def time_dealer(*, unseen: bool) -> list[float]:
    """Nanoseconds a round of each run, after one that compiles."""
    source = SimulatedSource(RULES, seed=1)
    source.rounds(0, 2, horizon=Horizon(rounds=5), unseen=unseen)
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        source.rounds(0, SESSIONS, horizon=Horizon(rounds=WIDTH), unseen=unseen)
        times.append((time.process_time() - start) / SESSIONS / WIDTH * 1e9)
    return times


def time_c(source: str) -> list[float]:
    """Nanoseconds a round of each run of a C program beside this file; none when there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "dealing"
        path = Path(__file__).with_name(source)
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, path], check=True)
        run = subprocess.run(
            [program, str(SESSIONS), str(WIDTH), str(REPEATS)], check=True, capture_output=True, text=True
        )
    return [float(line) for line in run.stdout.split()]


def main() -> None:
    """Run and print the table."""
    rows = {
        "dealer": time_dealer(unseen=False),
        "dealer with unseen cards": time_dealer(unseen=True),
        "C, scalar": time_c("dealing.c"),
        "C, vectors": time_c("dealing_simd.c"),
    }
    scalar, vectors = (min(rows[name], default=None) for name in ("C, scalar", "C, vectors"))
    sys.stdout.write(f"{'':26}{'least':>8}{'median':>8}  ns a round{'of scalar':>11}{'of vectors':>12}\n")
    for name, times in rows.items():
        if times:
            ratios = f"{min(times) / scalar:11.2f}{min(times) / vectors:12.2f}" if scalar and vectors else ""
            sys.stdout.write(f"{name:26}{min(times):8.1f}{statistics.median(times):8.1f}{'':12}{ratios}\n")


if __name__ == "__main__":
    main()
