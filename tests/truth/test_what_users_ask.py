"""Questions that players put, with the answers worked out exactly elsewhere (independent decisions, eight decks)."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from bacclab.bettors.base import Combined
from bacclab.bettors.progressions.classic import Flat, Martingale
from bacclab.bettors.selections.recent import Always, FollowLast, OppositeLast
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.exact.bankrolls.distribution import exact_bankrolls
from bacclab.exact.flat.bet import FlatBet
from bacclab.exact.flat.ruin import endings
from bacclab.exact.flat.walks import after
from bacclab.game.codes import Outcome
from bacclab.game.pay import Bet
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import to_amount

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


def test_three_hundred_shoes_prove_nothing() -> None:
    """24,300 rounds on what won last: an expected loss of 278.3 bets, give or take 146.5."""
    played = exact_bankrolls(Combined(FollowLast(), Flat(unit=1)), TABLE, bankroll=2_000, rounds=243)
    amounts, chances = played.final
    variance = float((amounts - played.start) ** 2.0 @ chances) - played.net**2
    bets = played.staked.sum()  # none on the first rounds, until a side has won
    assert -played.net / bets * 24_300 == pytest.approx(278.3, abs=0.06)
    assert math.sqrt(variance / bets * 24_300 / 10_000) == pytest.approx(146.5, rel=1e-3)


def test_rounds_that_tell_banker_from_a_fair_bet() -> None:
    """About 30,700 until the expected loss is two standard deviations."""
    banker = FlatBet.at(TABLE, {"banker": 10_000})
    assert 4 * banker.rounds_to_n0 == pytest.approx(30_700, rel=0.002)


class TestAStudyThatTookTheStakeOnATie:
    """A published million sessions with a bankroll of 1,000 and bets from 10, on Player.

    It says 931 rounds of flat bets, 112 of a Martingale, and 2.88 % of Martingales without a win: right where a tie
    loses. Where a tie pushes it is 8,097 rounds, and 1.69 %.
    """

    @pytest.fixture
    def table(self) -> Table:
        strict = Bet(
            id="strict",
            title="Player, ties lose",
            kind="main",
            lines=lambda one: "win" if one.outcome is Outcome.PLAYER else None,
            odds={"win": 1},
        )
        settings = {"minimum": 10, "maximum": "none", "increment": 10, "extra_bets": ["strict"]}
        return BUILT_IN_TABLES["commission"].override(settings, bets={"strict": strict})

    def test_flat_bets(self, table: Table) -> None:
        rounds = [
            endings(FlatBet.at(table, {bet: to_amount(10)}), bankroll=to_amount(1_000)).rounds
            for bet in ("player", "strict")
        ]
        assert rounds[0] == pytest.approx(8_097, abs=0.6)
        assert rounds[1] == pytest.approx(931, abs=1.5)  # a sample of theirs, with an error of 0.3
        played = exact_bankrolls(FlatBettor(on="strict", unit=10), table, bankroll=1_000, rounds=6_000)
        assert played.mean_rounds == pytest.approx(rounds[1], abs=1e-3)

    def test_a_martingale(self, table: Table) -> None:
        system = Combined(Always(on="strict"), Martingale(unit=10))
        assert exact_bankrolls(system, table, bankroll=1_000, rounds=4_000).mean_rounds == pytest.approx(112, abs=0.6)

    @pytest.mark.parametrize(("bet", "percent"), [("player", 1.69), ("strict", 2.88)])
    def test_sessions_without_a_win(self, table: Table, bet: str, percent: float) -> None:
        """It ends with the first win, or without one when the next bet is not covered: a goal of the first bet."""
        system = Combined(Always(on=bet), Martingale(unit=10))
        played = exact_bankrolls(system, table, bankroll=1_000, rounds=200, stop_win=10)
        assert 100 * played.share("cannot_cover") == pytest.approx(percent, abs=6e-3)
