"""A bettor's own random numbers: as many in a round as it draws, the same whatever the way of playing."""

from __future__ import annotations

import numpy as np
import pytest

from bacclab.bettors.base import Bettor
from bacclab.bettors.lanes.base import LaneBets, LaneBettor, LaneView
from bacclab.bettors.view import Bets, View
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon
from bacclab.shoes.streams import bettor_key, uniform
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import player_for

SEED, FIRST, SESSIONS, ROUNDS = 7, 3, 4, 6
TABLE = BUILT_IN_TABLES["commission"]


class TwoDraws(Bettor):
    """The first number of the round decides the stake on Banker, the second the stake on Tie."""

    def bet(self, view: View) -> Bets:
        return view.banker(1 + int(view.random() * 100)) + view.tie(1 + int(view.random() * 100))


class TwoDrawsInLanes(LaneBettor):
    """The same with arrays."""

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        first, second = (10_000 * (1 + (view.random() * 100).astype(np.int64)) for _ in range(2))
        return view.banker(first) + view.tie(second)


@pytest.mark.parametrize(
    ("bettor", "way"), [(TwoDraws(), "plain"), (TwoDrawsInLanes(), "lanes"), (TwoDrawsInLanes(), "plain")]
)
def test_a_second_draw_in_a_round_is_another_number(bettor: Bettor, way: str) -> None:
    layout = Layout(TABLE)
    terms = Terms(
        layout=layout,
        bankroll=1_000_000_000,
        stop_win=None,
        stop_loss=None,
        checkpoints=np.array([0, ROUNDS]),
        traced=FIRST + SESSIONS,
        policy="stop",
        max_rounds=ROUNDS,
    )
    dealt = SimulatedSource(TABLE.shoe, seed=SEED).rounds(FIRST, SESSIONS, horizon=Horizon(rounds=ROUNDS), unseen=False)
    _, trace = player_for(bettor, terms, name="Dice", seed=SEED, way=way).play(dealt, first=FIRST)
    key = bettor_key(SEED, "Dice")
    wanted = []
    for session in range(FIRST, FIRST + SESSIONS):
        for number in range(1, ROUNDS + 1):
            banker, tie = (1 + int(uniform(key, session, number, draw=draw) * 100) for draw in (0, 1))
            wanted.append(f"banker {banker}.00 + tie {tie}.00")
    assert list(trace.bets) == wanted
