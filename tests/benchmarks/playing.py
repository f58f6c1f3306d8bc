"""Nanoseconds a bettor-round of the three ways to play, beside compiled loops of the benchmark's own.

    python tests/benchmarks/playing.py [sessions]

One process, one core, after compilation; CPU time, the least and the median of several runs on one block of rounds. The
benchmark's own loops play flat stakes on Player and a Martingale on Player on the same codes and keep what any tester
must keep: bankroll, peak and deepest drawdown. One branches on who won, the other one computes. They know no limits,
refusals, runs, action, checkpoints, expectations or traces, which bacclab's ways do.
"""

from __future__ import annotations

import importlib
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bacclab.bettors.base import Bettor, Combined
from bacclab.bettors.lanes.combined import LaneCombined
from bacclab.bettors.progressions.classic import DAlembert, Martingale
from bacclab.bettors.progressions.money import Labouchere, OscarsGrind
from bacclab.bettors.selections.recent import Always, FollowLast
from bacclab.bettors.view import Bets, Result, View
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.game.codes import CODE_MASK, outcomes
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import Money
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon, Rounds
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import player_for

SESSIONS, WIDTH, REPEATS = 4_000, 500, 7
UNIT, BANKROLL = 100_000, 2**40
TABLE = BUILT_IN_TABLES["commission"].override({"minimum": 10, "maximum": "none"})


class LossChaser(Bettor):
    """A plain bettor with a memory: one unit more after each loss, back after a win."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.units = 1

    def bet(self, view: View) -> Bets:
        return view.banker(self.unit * self.units)

    def settle(self, result: Result) -> None:
        self.units = result.pick(won=1, push=self.units, lost=min(self.units + 1, 5))


def branching(codes: Any, outcome: Any, mask: Any, start: Any, unit: Any, doubling: Any, most: Any, out: Any) -> None:
    """Flat or Martingale on Player, with branches on who won."""
    for s in range(codes.shape[0]):
        bankroll, peak, drawdown, stake = start, start, 0, unit
        for r in range(codes.shape[1]):
            who = outcome[codes[s, r] & mask]
            if who == 0:
                bankroll += stake
                if bankroll > peak:
                    peak = bankroll
                stake = unit
            elif who == 1:
                bankroll -= stake
                if peak - bankroll > drawdown:
                    drawdown = peak - bankroll
                if doubling:
                    stake = stake * 2 if stake < most else unit
        out[s, 0], out[s, 1], out[s, 2] = bankroll, peak, drawdown


def branch_free(codes: Any, outcome: Any, mask: Any, start: Any, unit: Any, doubling: Any, most: Any, out: Any) -> None:
    """The same sums without a branch on who won: factors are looked up."""
    sign = np.array([1, -1, 0])
    again = np.array([0, doubling, 1])
    more = np.array([0, doubling, 0])
    for s in range(codes.shape[0]):
        bankroll, peak, drawdown, stake = start, start, 0, unit
        for r in range(codes.shape[1]):
            who = outcome[codes[s, r] & mask]
            bankroll += sign[who] * stake
            peak = max(peak, bankroll)
            drawdown = max(drawdown, peak - bankroll)
            room = int(stake < most) | int(who == 2)
            keep = again[who] * room
            stake = unit + keep * (stake - unit) + keep * more[who] * stake
        out[s, 0], out[s, 1], out[s, 2] = bankroll, peak, drawdown


def timed(play: Callable[[], float], *, repeats: int = REPEATS) -> list[float]:
    """Nanoseconds of CPU time a bettor-round of each run, after one that compiles; ``play`` returns the rounds."""
    play()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        rounds = play()
        times.append((time.process_time() - start) / rounds * 1e9)
    return times


def terms_of() -> Terms:
    """A large bankroll, so that every session is played to its end; a hundred checkpoints, nothing traced."""
    layout = Layout(TABLE)
    return Terms(
        layout=layout,
        bankroll=BANKROLL,
        stop_win=None,
        stop_loss=None,
        checkpoints=np.arange(101) * WIDTH // 100,
        traced=0,
        policy="reset",
        max_rounds=WIDTH,
    )


def part(rounds: Rounds, sessions: int) -> Rounds:
    """The first sessions of a block."""
    return Rounds(codes=rounds.codes[:sessions], lengths=rounds.lengths[:sessions], ran_out=rounds.ran_out[:sessions])


def own_loops(rounds: Rounds) -> dict[str, list[float]]:
    """The benchmark's loops, and a check that both come to what the table player comes to."""
    numba = importlib.import_module("numba")
    kind, terms = outcomes(), terms_of()
    measured = {}
    for name, doubling in (("flat", 0), ("martingale", 1)):
        results = []
        for loop in (branching, branch_free):
            compiled = numba.njit(loop)
            out = np.zeros((rounds.codes.shape[0], 3), np.int64)

            def play(compiled: Any = compiled, out: Any = out, doubling: int = doubling) -> float:
                compiled(rounds.codes, kind, CODE_MASK, BANKROLL, UNIT, doubling, UNIT * 64, out)
                return float(rounds.codes.size)

            measured[f"own loop, {loop.__name__.replace('_', '-')}, {name}"] = timed(play)
            results.append(out)
        system = Combined(Always(on="player"), Martingale(unit=10, steps=7 if doubling else 1))
        ledger, _ = player_for(system, terms, name="x", seed=1, way="table").play(rounds, first=0)
        for out in results:
            expected = np.stack([ledger.final, ledger.peak, ledger.max_drawdown], axis=1)
            assert (out == expected).all(), "the loops differ from the table player"
    return measured


def bettors() -> list[tuple[str, str, Bettor]]:
    """Name, way and bettor of each row."""
    return [
        ("flat on Player", "table", FlatBettor(on="player")),
        ("martingale on Player, 7 steps", "table", Combined(Always(on="player"), Martingale(unit=10, steps=7))),
        ("d'Alembert, follow the last", "table", Combined(FollowLast(), DAlembert(unit=10))),
        ("labouchere on Player", "lanes", LaneCombined(Always(on="player"), Labouchere(unit=10))),
        ("Oscar's grind on Player", "lanes", LaneCombined(Always(on="player"), OscarsGrind(unit=10))),
        ("a plain bettor on Banker", "plain", LossChaser()),
    ]


def main() -> None:
    """Run and print the table."""
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS
    source = SimulatedSource(TABLE.shoe, seed=1)
    rounds = source.rounds(0, sessions, horizon=Horizon(rounds=WIDTH))
    rows = own_loops(rounds)
    terms = terms_of()
    for name, way, bettor in bettors():
        player = player_for(bettor, terms, name=name, seed=1, way=way)
        # Plain Python is two hundred times slower: a part of the block is enough.
        block = part(rounds, max(1, sessions // 40)) if way == "plain" else rounds

        def play(player: Any = player, block: Rounds = block) -> float:
            ledger, _ = player.play(block, first=0)
            assert ledger.rounds.sum() == block.codes.size, "a session ended early"
            return float(block.codes.size)

        rows[f"{way}: {name}"] = timed(play, repeats=5 if way != "table" else REPEATS)
    branched = min(rows["own loop, branching, martingale"])
    free = min(rows["own loop, branch-free, martingale"])
    sys.stdout.write(f"{sessions:,} sessions x {WIDTH} rounds, ns a bettor-round\n")
    sys.stdout.write(f"{'':46}{'least':>9}{'median':>9}{'of branching':>15}{'of branch-free':>16}\n")
    for name, times in rows.items():
        least, median = min(times), statistics.median(times)
        sys.stdout.write(f"{name:46}{least:9.1f}{median:9.1f}{least / branched:15.2f}{least / free:16.2f}\n")


if __name__ == "__main__":
    main()
