"""Nanoseconds a round of the dealer, beside a plain scalar C loop that does the same work (dealing.c).

    python tests/benchmarks/dealing.py

Prints CPU time of one thread after compilation, the least and the median of several runs, and the ratio of the dealer
to C. The C loop is compiled here with gcc -O3 -march=native; without a compiler only the dealer is timed.
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


def time_c() -> list[float]:
    """Nanoseconds a round of each run of the C loop; none when there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "dealing"
        source = Path(__file__).with_suffix(".c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        run = subprocess.run(
            [program, str(SESSIONS), str(WIDTH), str(REPEATS)], check=True, capture_output=True, text=True
        )
    return [float(line) for line in run.stdout.split()]


def main() -> None:
    """Run and print the table."""
    rows = {"dealer": time_dealer(unseen=False), "dealer with unseen cards": time_dealer(unseen=True), "C": time_c()}
    measure = min(rows["C"], default=None)
    sys.stdout.write(f"{'':26}{'least':>8}{'median':>8}  ns a round{'of C':>8}\n")
    for name, times in rows.items():
        if times:
            ratio = f"{min(times) / measure:8.2f}" if measure else ""
            sys.stdout.write(f"{name:26}{min(times):8.1f}{statistics.median(times):8.1f}{'':12}{ratio}\n")


if __name__ == "__main__":
    main()
