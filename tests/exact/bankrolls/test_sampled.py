"""Exact bankrolls against sampled ones: ten bettors at three tables, on rounds drawn afresh and on shoes dealt out.

On rounds drawn afresh the two must agree whatever the number of sessions. In a shoe rounds depend a little on each
other, and selections begin anew with every shoe; with these numbers of sessions that is far less than a standard error.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bacclab.bettors.base import Bettor, Combined
from bacclab.bettors.progressions.classic import (
    DAlembert,
    Fibonacci,
    GrandMartingale,
    Martingale,
    OneThreeTwoSix,
    Paroli,
)
from bacclab.bettors.selections.recent import Always, FollowLast, OppositeLast
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.exact.bankrolls.distribution import ExactBankrolls, solve
from bacclab.exact.odds import code_probabilities
from bacclab.game.codes import CODES, NEW_SHOE
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import UNITS
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon, Rounds
from bacclab.tournament.ledger import Ledger
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import player_for

ROUNDS, SESSIONS, START = 150, 4_000, 600
CHECKPOINTS = np.arange(0, ROUNDS + 1, 10)
LIMITS = {"minimum": 10, "maximum": 200, "increment": 5}
TABLES = {name: BUILT_IN_TABLES[name].override(LIMITS) for name in ("commission", "no-commission", "ez")}


class PlayerAndTie(Bettor):
    """Bets on Player, and on Tie as well in the round after a tie."""

    def start(self, table: Any) -> None:
        self.tied = False

    def bet(self, view: Any) -> Any:
        return view.player(20) + view.tie(10) if self.tied else view.player(20)

    def settle(self, result: Any) -> None:
        self.tied = result.outcome == "tie"


BETTORS: dict[str, tuple[Bettor, str]] = {
    "flat on banker": (FlatBettor(on="banker", unit=20), "stop"),
    "flat on player": (FlatBettor(on="player", unit=20), "skip"),
    "flat on tie": (FlatBettor(on="tie", unit=10), "stop"),
    "martingale": (Combined(FollowLast(), Martingale(unit=10, steps=5)), "reset"),
    "grand martingale": (Combined(Always(on="banker"), GrandMartingale(unit=10, steps=4)), "stop"),
    "fibonacci": (Combined(OppositeLast(), Fibonacci(unit=10)), "skip"),
    "dalembert": (Combined(Always(on="player"), DAlembert(unit=10)), "cap"),
    "paroli": (Combined(FollowLast(), Paroli(unit=20)), "reset"),
    "1-3-2-6": (Combined(Always(on="banker"), OneThreeTwoSix(unit=10)), "cap"),
    "two bets": (PlayerAndTie(), "stop"),
}


def drawn_afresh() -> Rounds:
    """Every round from a full shoe; the first begins the only shoe."""
    codes = np.random.default_rng(20261129).choice(CODES, size=(SESSIONS, ROUNDS), p=code_probabilities(8))
    dealt = codes.astype(np.uint16)
    dealt[:, 0] |= NEW_SHOE
    lengths = np.full(SESSIONS, ROUNDS, dtype=np.int32)
    return Rounds(codes=dealt, lengths=lengths, ran_out=np.zeros(SESSIONS, dtype=np.bool_))


def dealt_out() -> Rounds:
    source = SimulatedSource(TABLES["commission"].shoe, seed=20261129)
    return source.rounds(0, SESSIONS, horizon=Horizon(rounds=ROUNDS))


def both(name: str, table: str, rounds: Rounds) -> tuple[ExactBankrolls, Ledger]:
    bettor, policy = BETTORS[name]
    rules = TABLES[table]
    layout = Layout(rules)
    terms = Terms(
        layout=layout,
        bankroll=START * UNITS,
        stop_win=500 * UNITS,
        stop_loss=None,
        checkpoints=CHECKPOINTS,
        traced=0,
        policy=policy,
        max_rounds=ROUNDS,
    )
    player: Any = player_for(bettor, terms, name=name, seed=1, way="table")
    ledger, _ = player.play(rounds, first=0)
    return solve(player), ledger


def distances(exact: ExactBankrolls, sampled: Ledger) -> list[float]:
    """Sampled less exact in standard errors at every checkpoint: mean bankroll, share ahead, share still playing."""
    found = []
    over = np.cumsum(exact.ended.sum(axis=1) - exact.ended[:, 0])
    for point, (amounts, shares) in enumerate(exact.bankrolls):
        if point == 0:
            continue
        bankrolls = sampled.bankrolls[point]
        mean = exact.start + float((amounts - exact.start) @ shares)
        spread = np.sqrt(((amounts - mean) ** 2) @ shares)
        found.append((bankrolls.mean() - mean) / (spread / np.sqrt(SESSIONS)))
        r = int(CHECKPOINTS[point])
        for sample, chance in (
            (bankrolls > exact.start, shares[amounts > exact.start].sum()),
            ((sampled.ended_round <= r) & (sampled.ended_by != 0), over[r]),
        ):
            if SESSIONS * chance * (1 - chance) > 10:
                found.append((sample.mean() - chance) / np.sqrt(chance * (1 - chance) / SESSIONS))
    return found


@pytest.mark.parametrize("deal", [drawn_afresh, dealt_out])
def test_ten_bettors_at_three_tables(deal: Any) -> None:
    rounds = deal()
    found = [z for table in TABLES for name in BETTORS for z in distances(*both(name, table, rounds))]
    assert len(found) > 1_000
    outside = np.mean(np.abs(found) > 4)
    assert outside <= 0.001
    # They would also scatter as standard normal values do, but that bettors share rounds.
    assert 0.5 < np.std(found) < 2


def test_a_table_with_other_odds_does_not_agree() -> None:
    """The comparison would see a wrong edge: here Player pays 1.1 to one in the sample only."""
    rounds = drawn_afresh()
    exact, _ = both("flat on player", "commission", rounds)
    bettor, policy = BETTORS["flat on player"]
    rules = TABLES["commission"].override({"odds": {"player": "1.1:1"}})
    layout = Layout(rules)
    terms = Terms(
        layout=layout,
        bankroll=START * UNITS,
        stop_win=500 * UNITS,
        stop_loss=None,
        checkpoints=CHECKPOINTS,
        traced=0,
        policy=policy,
        max_rounds=ROUNDS,
    )
    player: Any = player_for(bettor, replace(terms), name="", seed=1, way="table")
    ledger, _ = player.play(rounds, first=0)
    assert np.mean(np.abs(distances(exact, ledger)) > 4) > 0.5
