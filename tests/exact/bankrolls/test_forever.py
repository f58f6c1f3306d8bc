"""Ruin with no limit of rounds: against linear equations set up by hand, and where it does not follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bacclab.bettors.base import Bettor, Combined, Selection
from bacclab.bettors.progressions.classic import DAlembert, Fibonacci, Flat, Martingale, Paroli
from bacclab.bettors.selections.recent import Always, FollowLast
from bacclab.bettors.view import Bets, Result, View
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.bettors.whole.stopping import stop_after_losses
from bacclab.exact.bankrolls.distribution import exact_bankrolls, player_of
from bacclab.exact.bankrolls.forever import before_goal, certain
from bacclab.exact.flat.bet import FlatBet
from bacclab.exact.flat.ruin import ruin
from bacclab.game.tables import BUILT_IN_TABLES, Table

UNITS = 10_000
TOTAL = 4_998_398_275_503_360
PLAYER, BANKER, TIE = 2_230_518_282_592_256, 2_292_252_566_437_888, 475_627_426_473_216
ONE = BUILT_IN_TABLES["commission"].override({"minimum": 1})
FREE = ONE.override({"commission": "0%"})
ROUNDED = BUILT_IN_TABLES["commission-quarters"].override({"minimum": 1})


def three_steps(policy: str, bankroll: int, goal: int) -> float:
    """A Martingale 1, 2, 4 on Player in whole units, begun again after the third loss: its equations, solved."""
    places = [(step, money) for step in range(3) for money in range(1, goal)]
    number = {place: k for k, place in enumerate(places)}
    equations, right = np.eye(len(places)), np.zeros(len(places))

    def go(k: int, chance: int, step: int, money: int) -> None:
        if money <= 0:
            right[k] += chance / TOTAL
        elif money < goal:
            equations[k, number[step, money]] -= chance / TOTAL

    for k, (step, money) in enumerate(places):
        stake, played = 2**step, step
        if stake > money:
            if policy == "stop":
                right[k] = 1.0
                continue
            if policy == "reset":
                stake, played = 1, 0
            else:
                stake = money
        go(k, PLAYER, 0, money + stake)
        go(k, BANKER, (played + 1) % 3, money - stake)
        go(k, TIE, played, money)
    return float(np.linalg.solve(equations, right)[number[0, bankroll]])


def found(bettor: Bettor, table: Table = ONE, **terms: Any) -> float | None:
    return before_goal(player_of(bettor, table, rounds=100, **terms), most_work=10**8)[0]


def sure(bettor: Bettor, table: Table = ONE, *, bankroll: int = 100, rounds: int = 100, policy: str = "stop") -> bool:
    return certain(player_of(bettor, table, bankroll=bankroll, rounds=rounds, when_refused=policy))


class TestBeforeAGoal:
    @pytest.mark.parametrize("policy", ["stop", "reset", "cap"])
    @pytest.mark.parametrize(("bankroll", "win"), [(1, 1), (6, 3), (9, 12), (40, 20)])
    def test_of_a_martingale(self, policy: str, bankroll: int, win: int) -> None:
        system = Combined(Always(on="player"), Martingale(unit=1, steps=3))
        worked_out = three_steps(policy, bankroll, bankroll + win)
        assert found(system, bankroll=bankroll, stop_win=win, when_refused=policy) == pytest.approx(
            worked_out, abs=1e-11
        )

    @pytest.mark.parametrize(("side", "chance"), [("player", 0.633212), ("banker", 1 - 0.368510)])
    def test_of_flat_bets_is_the_published_one(self, side: str, chance: float) -> None:
        assert found(FlatBettor(on=side, unit=1), bankroll=20, stop_win=20) == pytest.approx(chance, abs=6e-7)

    def test_of_a_bet_that_is_cut_to_what_is_left(self) -> None:
        """Two a round on Player, 3 in hand, to win 1: 3 → 5 (won) or 1, where one is laid: 2 → 4, 1 → 0."""
        p, q = PLAYER / (PLAYER + BANKER), BANKER / (PLAYER + BANKER)
        # From 1: to 2 or 0; from 2: to the goal of 4 or 0. From 3: over the goal or to 1.
        worked_out = q * (q + p * q)
        assert found(FlatBettor(on="player", unit=2), bankroll=3, stop_win=1, when_refused="cap") == pytest.approx(
            worked_out, abs=1e-11
        )

    def test_what_ends_otherwise_is_no_ruin(self) -> None:
        """It leaves at its first loss: no ruin, unless that loss takes the last unit."""
        leaves = stop_after_losses(Combined(Always(on="player"), Flat(unit=1)), 1)
        assert found(leaves, bankroll=2, stop_win=1) == 0.0
        assert found(leaves, bankroll=1, stop_win=1) == pytest.approx(BANKER / (PLAYER + BANKER), abs=1e-11)

    def test_a_limit_of_rounds_comes_to_it(self) -> None:
        system = Combined(FollowLast(), Paroli(unit=1))
        limited = exact_bankrolls(system, ONE, bankroll=5, rounds=4000, stop_win=5)
        ruined = limited.share("bust", "cannot_cover")
        assert limited.share("rounds") < 1e-12
        assert found(system, bankroll=5, stop_win=5) == pytest.approx(ruined, abs=1e-11)

    def test_what_is_too_much_work_is_not_known(self) -> None:
        player = player_of(FlatBettor(on="banker", unit=1), ONE, bankroll=500, rounds=100, stop_win=500)
        for most in (-5, 0, 1, 300, 10**6, 10**7):
            chance, work = before_goal(player, most_work=most)
            assert chance is None
            assert work <= max(0, most)

    def test_states_that_go_on_are_not_known(self) -> None:
        assert found(Combined(Always(on="player"), DAlembert(unit=1)), bankroll=20, stop_win=20) is None


class TakesTurns(Selection):
    """Bets on Player in every other round."""

    def start(self, table: Table) -> None:
        self.rests = False

    def side(self, view: View) -> str | None:
        return None if self.rests else "player"

    def see(self, result: Result) -> None:
        self.rests = not self.rests


class FirstOnly(Selection):
    """Bets until Player has won once, and never again."""

    def start(self, table: Table) -> None:
        self.over = False

    def side(self, view: View) -> str | None:
        return None if self.over else "player"

    def see(self, result: Result) -> None:
        self.over = self.over or result.outcome == "player"


class Both(Bettor):
    """The same on either side."""

    def bet(self, view: View) -> Bets:
        return view.player(10) + view.banker(10)


class Resets(Bettor):
    """Lays 50, and after a refusal nothing for good."""

    def start(self, table: Table) -> None:
        self.gone = False

    def reset(self, table: Table) -> None:
        self.gone = True

    def bet(self, view: View) -> Bets | None:
        return None if self.gone else view.player(50)


class TestWithoutAGoal:
    @pytest.mark.parametrize(
        "bettor",
        [
            FlatBettor(on="tie", unit=1),
            Combined(Always(on="player"), Martingale(unit=1, steps=7)),
            Combined(FollowLast(), Martingale(unit=1, steps=7)),
            Combined(TakesTurns(), Paroli(unit=1)),
        ],
    )
    @pytest.mark.parametrize("policy", ["stop", "reset", "cap"])
    def test_who_plays_on_is_ruined(self, bettor: Bettor, policy: str) -> None:
        assert sure(bettor, policy=policy)

    def test_a_long_session_comes_near_it(self) -> None:
        system = Combined(TakesTurns(), Martingale(unit=1, steps=3))
        shares = [
            exact_bankrolls(system, ONE, bankroll=4, rounds=rounds).share("bust", "cannot_cover")
            for rounds in (100, 1000, 3000)
        ]
        assert sure(system, bankroll=4)
        assert 0.8 < shares[0] < shares[1] < shares[2] < 1
        assert shares[2] > 0.97

    def test_who_may_leave_is_not(self) -> None:
        assert not sure(stop_after_losses(Combined(Always(on="player"), Flat(unit=1)), 3))

    def test_who_may_sit_out_for_ever_is_not(self) -> None:
        assert not sure(Combined(FirstOnly(), Flat(unit=1)))

    def test_who_waits_with_less_than_a_bet_is_not(self) -> None:
        assert not sure(FlatBettor(on="player", unit=2), policy="skip")
        assert sure(FlatBettor(on="player", unit=1), policy="skip")
        assert sure(FlatBettor(on="player", unit=2), policy="cap")

    def test_who_lays_nothing_after_a_refusal_is_not(self) -> None:
        assert not sure(Resets(), policy="reset")
        assert sure(Resets(), policy="stop")

    def test_bets_that_cancel_each_other_move_nothing(self) -> None:
        assert not sure(Both(), FREE)
        assert sure(Both(), ONE)  # the commission is lost

    def test_an_edge_for_the_bettor(self) -> None:
        assert not sure(FlatBettor(on="banker", unit=1), FREE)
        assert sure(FlatBettor(on="player", unit=1), FREE)
        bet = FlatBet.at(FREE, {"banker": UNITS})
        assert 0 < ruin(bet, bankroll=20 * UNITS) < 1

    def test_a_rounded_commission_may_favour_a_smaller_stake(self) -> None:
        assert not sure(FlatBettor(on="banker", unit=5), ROUNDED, policy="cap")
        assert sure(FlatBettor(on="banker", unit=5), ROUNDED)

    def test_states_that_are_not_all_known(self) -> None:
        system = Combined(Always(on="player"), Martingale(unit=1, steps=7))
        assert sure(system, rounds=8)
        assert not sure(system, rounds=5)
        assert not sure(Combined(Always(on="player"), DAlembert(unit=1)))

    def test_a_limit_that_ends_the_session_is_no_ruin(self) -> None:
        short = ONE.override({"maximum": 10})
        for system in (Martingale(unit=1), Fibonacci(unit=1)):
            bettor = Combined(Always(on="player"), system)
            assert not sure(bettor, short, policy="stop")
            assert sure(bettor, short, policy="reset")
