"""Nanoseconds a round of the dealer, beside three C programs that do the same work.

    python tests/benchmarks/dealing.py

The C programs (folder c, gcc -O3 -march=native) deal one session after the other as it is plainly written, one after
the other without branches on the cards, and sixteen side by side with vector instructions; without a compiler only
the dealer is timed. Printed are CPU times of one thread after compilation, the least and the median of several runs,
and ratios.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from bacclab.game.rules import ShoeRules
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon

sys.path.insert(0, str(Path(__file__).parent))  # this file is run as a script and loaded by its path

import c_programs

SESSIONS, WIDTH, REPEATS = 2048, 500, 11
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


def main() -> None:
    """Run and print the table."""
    rows = {"dealer": time_dealer(unseen=False), "dealer with unseen cards": time_dealer(unseen=True)}
    with tempfile.TemporaryDirectory() as folder:
        programs = c_programs.compiled(Path(folder))
        for name, program in programs.items():
            rows[name] = c_programs.times(program, SESSIONS, WIDTH, repeats=REPEATS)
    measures = "".join(f"{f'of {name}':>13}" for name in programs)
    sys.stdout.write(f"{'ns a round':26}{'least':>8}{'median':>8}{measures}\n")
    for name, times in rows.items():
        ratios = "".join(f"{min(times) / min(rows[measure]):13.2f}" for measure in programs)
        sys.stdout.write(f"{name:26}{min(times):8.1f}{statistics.median(times):8.1f}{ratios}\n")


if __name__ == "__main__":
    main()
