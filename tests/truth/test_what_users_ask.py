"""Questions that players put, with the answers worked out exactly elsewhere (independent decisions, eight decks)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bacclab.bettors.base import Combined
from bacclab.bettors.progressions.classic import Flat, Martingale
from bacclab.bettors.selections.recent import Always, FollowLast, OppositeLast
from bacclab.exact.bankrolls.distribution import exact_bankrolls
from bacclab.exact.flat.bet import FlatBet
from bacclab.exact.flat.walks import after
from bacclab.game.tables import BUILT_IN_TABLES

TABLE = BUILT_IN_TABLES["commission"].override({"minimum": 1})
PLAYER, BANKER = 2_230_518_282_592_256, 2_292_252_566_437_888


@pytest.mark.parametrize(("selection", "percent"), [(FollowLast(), 1.14528), (OppositeLast(), 1.14770)])
def test_does_following_the_shoe_beat_chopping(selection: FollowLast | OppositeLast, percent: float) -> None:
    played = exact_bankrolls(Combined(selection, Flat(unit=1)), TABLE, bankroll=500, rounds=100)
    assert -100 * played.net / played.staked.sum() == pytest.approx(percent, abs=5e-6)


@pytest.mark.parametrize(
    ("chance", "exactly", "at_least_500"),
    [
        (Fraction(493, 1000), {493: 2.523, 500: 2.287, 501: 2.219, 502: 2.145}, 34.045),
        (Fraction(PLAYER, PLAYER + BANKER), {493: 2.523, 500: 2.298, 501: 2.232, 502: 2.159}, 34.452),
    ],
)
def test_how_often_does_player_win_of_a_thousand_decisions(
    chance: Fraction, exactly: dict[int, float], at_least_500: float
) -> None:
    decision = FlatBet(1, {1: chance, -1: 1 - chance})
    fate = after(decision.walk, 1_000, room=None, top=None)
    for wins, percent in exactly.items():
        ahead = wins - (1_000 - wins)
        assert 100 * fate.standing[ahead - fate.lowest] == pytest.approx(percent, abs=5e-4)
    assert 100 * fate.standing[-fate.lowest :].sum() == pytest.approx(at_least_500, abs=5e-4)


@pytest.mark.parametrize(("side", "busts", "result"), [("player", 314, -18_210), ("banker", 266, -14_747)])
def test_a_seven_step_martingale_over_a_thousand_shoes(side: str, busts: int, result: float) -> None:
    # The chain of steps is in its steady state after some hundred rounds: what a round costs then, times the rounds.
    decisions = 73_550
    rounds = decisions / (1 - 0.095155968024)
    played = exact_bankrolls(
        Combined(Always(on=side), Martingale(unit=5, steps=7)), TABLE, bankroll=500_000, rounds=400
    )
    a_round = played.expected[-1] / 10_000
    assert a_round * rounds == pytest.approx(result, rel=2e-4)
    lost = {"player": 0.506824829945, "banker": 0.493175170055}[side]
    decisions_a_cycle = (1 - lost**7) / (1 - lost)
    assert round(decisions / decisions_a_cycle * lost**7) == busts
