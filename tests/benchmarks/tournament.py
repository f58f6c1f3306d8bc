"""Nanoseconds of a tournament, dealing and bettors played from their tables, beside three C programs of the same work.

    python tests/benchmarks/tournament.py [sessions]

Three things are measured: dealing alone; dealing with two bettors, flat and a seven-step Martingale; dealing with
ten, flat and nine Martingales (2 to 10 bets); all on Player. All programs deal the same number of rounds from eight
decks with exact bounded random numbers, and keep every figure of a session and its bankroll at every fifth round, in
whole numbers.

The C programs (folder c, gcc -O3 -march=native) are: *plain*, one session after the other, rules and results as if /
else; *scalar*, the same without a branch on cards or results, by look-ups; *vector*, sixteen shoes dealt and
sixty-four sessions played side by side with vector instructions. They look at no limits, refusals, endings,
commission, shoes, traces or expectations, which bacclab does. test_c_programs.py holds them to bacclab's results.

Printed are the least and the median CPU time a round, all bettors together, of runs that take turns with those of the
other programs, each in one process on one core, after compilation; and bacclab's time in that of each program, by the
least (by the median). The last row is what one of the ten bettors adds. Without a compiler only bacclab is measured.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
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
from bacclab.tournament.play.ways import Player, player_for

sys.path.insert(0, str(Path(__file__).parent))  # this file is run as a script and loaded by its path

import c_programs

SESSIONS, WIDTH, TURNS, REPEATS = 4_096, 500, 5, 2
CASES = {"dealing": (), "dealing, 2 bettors": (1, 7), "dealing, 10 bettors": tuple(range(1, 11))}
TABLE = BUILT_IN_TABLES["commission"].override({"minimum": 10, "maximum": "none"})

Times = dict[str, list[float]]
"""By program: nanoseconds a round of each run."""


def players(steps: tuple[int, ...]) -> list[Player]:
    """Bettors on Player that double after a loss, up to so many bets in a row."""
    layout = Layout(TABLE)
    terms = Terms(
        layout=layout,
        bankroll=c_programs.START,
        stop_win=None,
        stop_loss=None,
        checkpoints=np.arange(101) * WIDTH // 100,
        traced=0,
        policy="reset",
        max_rounds=WIDTH,
    )
    systems = [Combined(Always(on="player"), Martingale(unit=10, steps=most)) for most in steps]
    return [player_for(system, terms, name="x", seed=1, way="table") for system in systems]


def bacclab(sessions: int, steps: tuple[int, ...]) -> Callable[[], list[float]]:
    """A measurement of bacclab in this process: nanoseconds a round of each repeat."""
    source, bettors = SimulatedSource(TABLE.shoe, seed=1), players(steps)

    def measure() -> list[float]:
        times = []
        for _ in range(REPEATS):
            start = time.process_time()
            rounds = source.rounds(0, sessions, horizon=Horizon(rounds=WIDTH))
            for bettor in bettors:
                bettor.play(rounds, first=0)
            times.append((time.process_time() - start) / sessions / WIDTH * 1e9)
        return times

    measure()  # compiles
    return measure


def measured(sessions: int) -> dict[str, Times]:
    """The times of every case, program after program in turn."""
    with tempfile.TemporaryDirectory() as folder:
        programs = c_programs.compiled(Path(folder))
        ours = {case: bacclab(sessions, steps) for case, steps in CASES.items()}
        found: dict[str, Times] = {case: {name: [] for name in ("bacclab", *programs)} for case in CASES}
        for _ in range(TURNS):
            for case, steps in CASES.items():
                found[case]["bacclab"] += ours[case]()
                for name, program in programs.items():
                    found[case][name] += c_programs.times(program, sessions, WIDTH, repeats=REPEATS, steps=steps)
    return found


def row(case: str, figures: dict[str, tuple[float, float]]) -> str:
    """One row of the table, from the least and the median of each program."""
    ours = figures["bacclab"]
    cells = [f"{least:.1f} ({median:.1f})" for least, median in figures.values()]
    ratios = [
        f"{ours[0] / least:.2f} ({ours[1] / median:.2f})"
        for name, (least, median) in figures.items()
        if name != "bacclab"
    ]
    return f"{case:20}" + "".join(f"{cell:>14}" for cell in [*cells, *ratios]) + "\n"


def main() -> None:
    """Run and print the table."""
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS
    sessions = max(sessions // c_programs.TILE, 1) * c_programs.TILE
    found = {
        case: {name: (min(times), statistics.median(times)) for name, times in by_program.items()}
        for case, by_program in measured(sessions).items()
    }
    alone, *_, all_ten = found.values()
    found["a bettor of ten"] = {
        name: ((all_ten[name][0] - alone[name][0]) / 10, (all_ten[name][1] - alone[name][1]) / 10) for name in alone
    }
    names = [*alone, *(f"of {name}" for name in alone if name != "bacclab")]
    sys.stdout.write(f"{sessions:,} sessions x {WIDTH} rounds, ns a round, least (median) of {TURNS * REPEATS} runs\n")
    sys.stdout.write(f"{'':20}" + "".join(f"{name:>14}" for name in names) + "\n")
    sys.stdout.writelines(row(case, figures) for case, figures in found.items())


if __name__ == "__main__":
    main()
