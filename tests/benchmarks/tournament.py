"""Nanoseconds of a whole tournament, dealing and ten bettors played from their tables, beside a C program of the same
work.

    python tests/benchmarks/tournament.py [sessions]

Both deal the same number of rounds and play flat and nine Martingales (2 to 10 bets) on Player on them, and both keep
every figure of a session and the bankroll at every fifth round. The C program (tournament.c, gcc -O3 -march=native)
deals sixteen shoes and plays sixty-four sessions side by side with vector instructions; it looks at no limits,
refusals, endings or expectations, which bacclab does. One process, one core, after compilation; CPU time, the least and
the median of several runs.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bacclab.bettors.base import Combined
from bacclab.bettors.progressions.classic import Martingale
from bacclab.bettors.selections.recent import Always
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import player_for

SESSIONS, WIDTH, BETTORS, REPEATS = 4_096, 500, 10, 9
TABLE = BUILT_IN_TABLES["commission"].override({"minimum": 10, "maximum": "none"})

Times = list[tuple[float, float]]
"""Of each run: nanoseconds of dealing a round, and of a bettor-round."""


def time_bacclab(sessions: int) -> Times:
    """Dealing and playing in this process, after a run that compiles."""
    layout = Layout(TABLE)
    terms = Terms(
        layout=layout,
        bankroll=2**40,
        stop_win=None,
        stop_loss=None,
        checkpoints=np.arange(101) * WIDTH // 100,
        traced=0,
        policy="reset",
        max_rounds=WIDTH,
    )
    systems = [Combined(Always(on="player"), Martingale(unit=10, steps=steps)) for steps in range(1, BETTORS + 1)]
    players = [player_for(system, terms, name="x", seed=1, way="table") for system in systems]
    source = SimulatedSource(TABLE.shoe, seed=1)
    times = []
    for _ in range(REPEATS + 1):
        start = time.process_time()
        rounds = source.rounds(0, sessions, horizon=Horizon(rounds=WIDTH))
        dealt = time.process_time()
        for player in players:
            player.play(rounds, first=0)
        played = time.process_time()
        each = sessions * WIDTH / 1e9
        times.append(((dealt - start) / each, (played - dealt) / each / BETTORS))
    return times[1:]


def time_c(sessions: int) -> Times:
    """The C program; none without a compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "tournament"
        source = Path(__file__).with_suffix(".c")
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        asked = [program, *map(str, (sessions, WIDTH, BETTORS, REPEATS))]
        run = subprocess.run(asked, check=True, capture_output=True, text=True)
    return [(float(a), float(b)) for a, b in (line.split() for line in run.stdout.splitlines())]


def main() -> None:
    """Run and print the table."""
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS
    both = {"bacclab": time_bacclab(sessions), "C, vectors": time_c(sessions)}
    sys.stdout.write(f"{sessions:,} sessions x {WIDTH} rounds, least (median) of {REPEATS} runs\n")
    sys.stdout.write(f"{'':12}{'dealing a round':>18}{'a bettor-round':>18}{f'a round, {BETTORS} bettors':>22}\n")
    least = {}
    for name, times in both.items():
        if not times:
            continue
        columns = [[a for a, _ in times], [b for _, b in times], [a + BETTORS * b for a, b in times]]
        least[name] = [min(column) for column in columns]
        cells = [f"{min(column):.1f} ({statistics.median(column):.1f}) ns" for column in columns]
        sys.stdout.write(f"{name:12}{cells[0]:>18}{cells[1]:>18}{cells[2]:>22}\n")
    if len(least) == 2:
        ratios = [f"{a / b:.2f}" for a, b in zip(*least.values(), strict=True)]
        sys.stdout.write(f"{'ratio':12}{ratios[0]:>18}{ratios[1]:>18}{ratios[2]:>22}\n")


if __name__ == "__main__":
    main()
