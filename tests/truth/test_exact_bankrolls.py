"""Exact bankrolls against figures that players ask for, worked out elsewhere by other means."""

from __future__ import annotations

from typing import Any

import pytest

from bacclab.bettors.base import Bettor, Combined
from bacclab.bettors.progressions.classic import Martingale
from bacclab.bettors.selections.recent import Always
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.exact.bankrolls.distribution import ExactBankrolls, exact_bankrolls
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import UNITS

TABLE = BUILT_IN_TABLES["commission"].override({"minimum": 1})
TIE = 475627426473216 / 4998398275503360
FOREVER = 20_000
"""Rounds by which sessions between two stops are over."""


def flat(side: str, bankroll: float, rounds: int, **options: Any) -> ExactBankrolls:
    return exact_bankrolls(FlatBettor(on=side, unit=1), TABLE, bankroll=bankroll, rounds=rounds, **options)


class LosesInARow(Bettor):
    """Watches one side, and leaves when it has lost so many decisions in a row; watches so many decisions at most."""

    on: str = "player"
    losses: int = 7
    decisions: int = 0

    def start(self, table: Any) -> None:
        self.run, self.seen = 0, 0

    def bet(self, view: Any) -> Any:
        return view.stop() if self.run == self.losses else None

    def settle(self, result: Any) -> None:
        if result.outcome == "tie" or (self.decisions and self.seen == self.decisions):
            return
        self.run = 0 if result.outcome == self.on else self.run + 1
        self.seen += self.decisions > 0


class OneSeries(Bettor):
    """One seven-step Martingale: leaves after a win, or when the seventh bet is lost."""

    on: str = "player"

    def start(self, table: Any) -> None:
        self.step, self.won = 0, False

    def bet(self, view: Any) -> Any:
        return view.stop() if self.won or self.step == 7 else view.on(self.on, 5 * 2**self.step)

    def settle(self, result: Any) -> None:
        self.won = result.pick(won=True, push=False, lost=False)
        self.step += result.pick(won=0, push=0, lost=1)


class TestGoalOrRuin:
    @pytest.mark.parametrize(("side", "chance"), [("player", 0.366788), ("banker", 0.368510)])
    def test_twenty_bets_doubled(self, side: str, chance: float) -> None:
        exact = flat(side, 20, FOREVER, stop_win=20)
        assert exact.share("stop_win") == pytest.approx(chance, abs=5e-7)
        assert exact.share("bust") == pytest.approx(1 - chance, abs=5e-7)

    def test_rounds_until_then(self) -> None:
        assert flat("banker", 20, FOREVER, stop_win=20).mean_rounds == pytest.approx(451.86, abs=0.005)

    @pytest.mark.parametrize(
        ("ahead", "behind", "percent"), [(10, 10, 43.217), (20, 20, 36.679), (10, 20, 57.271), (5, 40, 81.959)]
    )
    def test_stop_win_and_stop_loss(self, ahead: int, behind: int, percent: float) -> None:
        by_rule = flat("player", 100, FOREVER, stop_win=ahead, stop_loss=behind)
        by_ruin = flat("player", behind, FOREVER, stop_win=ahead)
        assert by_rule.share("stop_win") * 100 == pytest.approx(percent, abs=5e-4)
        assert by_rule.share("stop_loss") * 100 == pytest.approx(100 - percent, abs=5e-4)
        assert by_ruin.share("stop_win") == pytest.approx(by_rule.share("stop_win"), abs=1e-12)

    def test_banker_ten_with_ten_bets(self) -> None:
        exact = flat("banker", 10, FOREVER, stop_win=10)
        assert exact.share("stop_win") * 100 == pytest.approx(41.594, abs=5e-4)
        assert exact.mean_rounds == pytest.approx(113.7, abs=0.05)

    def test_no_stop_changes_the_price(self) -> None:
        for options in ({}, {"stop_win": 5}, {"stop_loss": 20}, {"stop_win": 30, "stop_loss": 10}):
            exact = flat("player", 50, 500, **options)
            assert exact.net / exact.staked.sum() == pytest.approx(-0.01235081329, abs=1e-11)


class TestSmallBankroll:
    def test_two_units_three_rounds(self) -> None:
        exact = flat("player", 2, 3)
        assert exact.mean_rounds == pytest.approx(2.789688, abs=5e-7)
        assert exact.net / UNITS == pytest.approx(-0.0344549, abs=5e-8)
        assert exact.share("bust") == pytest.approx(0.2503364, abs=5e-8)


class TestSevenStepMartingale:
    @pytest.mark.parametrize(
        ("side", "bust", "decisions", "action"),
        [("player", 0.0085902, 2.0103, 36.466), ("banker", 0.0070959, 1.9591, 33.599)],
    )
    def test_one_series(self, side: str, bust: float, decisions: float, action: float) -> None:
        table = TABLE.override({"minimum": 5, "maximum": 500})
        exact = exact_bankrolls(OneSeries(on=side), table, bankroll=5_000, rounds=400)
        amounts, shares = exact.final
        assert shares[amounts == (5_000 - 635) * UNITS].sum() == pytest.approx(bust, abs=5e-8)
        assert exact.mean_rounds * (1 - TIE) == pytest.approx(decisions, abs=5e-5)
        assert exact.staked.sum() / UNITS * (1 - TIE) == pytest.approx(action, abs=5e-4)

    def test_on_player_by_ruin(self) -> None:
        """With 635 to lose and 5 to win, the progression itself and a stop rule make one series."""
        series = Combined(Always(on="player"), Martingale(unit=5, steps=7))
        exact = exact_bankrolls(series, TABLE.override({"minimum": 5}), bankroll=635, rounds=400, stop_win=5)
        assert exact.share("bust") == pytest.approx(0.0085902, abs=5e-8)
        assert exact.share("stop_win") == pytest.approx(1 - 0.0085902, abs=5e-8)

    @pytest.mark.parametrize(("side", "thousand", "shoe"), [("player", 98.05, 25.81), ("banker", 96.41, 22.27)])
    def test_seven_losses_within_rounds(self, side: str, thousand: float, shoe: float) -> None:
        for rounds, percent in ((1_000, thousand), (81, shoe)):
            exact = exact_bankrolls(LosesInARow(on=side), TABLE, bankroll=1, rounds=rounds + 1)
            # Leaving shows before the round after.
            assert exact.ended[: rounds + 1, 5].sum() * 100 == pytest.approx(percent, abs=0.005)

    @pytest.mark.parametrize(("side", "percent"), [("player", 34.0), ("banker", 29.6)])
    def test_seven_losses_within_a_hundred_decisions(self, side: str, percent: float) -> None:
        bettor = LosesInARow(on=side, decisions=100)
        assert exact_bankrolls(bettor, TABLE, bankroll=1, rounds=200).share("bettor") * 100 == pytest.approx(
            percent, abs=0.05
        )


class TestLosingRuns:
    def test_ten_losses_in_a_thousand_decisions(self) -> None:
        bettor = LosesInARow(losses=10, decisions=1_000)
        exact = exact_bankrolls(bettor, TABLE, bankroll=1, rounds=1_250)
        assert exact.share("bettor") * 100 == pytest.approx(42.3, abs=0.05)

    @pytest.mark.parametrize(("decisions", "median"), [(73, 5), (1_000, 9)])
    def test_median_of_the_longest_run(self, decisions: int, median: int) -> None:
        """The run is at least the median in half of the sessions or more, and longer in fewer."""
        chances = [
            exact_bankrolls(
                LosesInARow(losses=length, decisions=decisions), TABLE, bankroll=1, rounds=decisions * 5 // 4 + 30
            ).share("bettor")
            for length in (median, median + 1)
        ]
        assert chances[0] >= 0.5 > chances[1]


class TestBankrollForARisk:
    @pytest.mark.parametrize(
        ("side", "rounds", "bets"),
        [("banker", 80, 18), ("banker", 500, 46), ("banker", 1_000, 68), ("player", 80, 18), ("player", 500, 47),
         ("player", 1_000, 70)],
    )  # fmt: skip
    def test_five_per_cent(self, side: str, rounds: int, bets: int) -> None:
        ruin = [flat(side, bankroll, rounds).share("bust", "cannot_cover") for bankroll in (bets - 1, bets)]
        assert ruin[0] > 0.05 >= ruin[1]


class TestAheadAfterASession:
    @pytest.mark.parametrize(
        ("side", "rounds", "ahead", "even", "behind"),
        [
            ("player", 100, 42.76, 4.15, 53.09),
            ("banker", 100, 44.74, 0.00, 55.26),
            ("player", 500, 37.68, 1.80, 60.52),
            ("banker", 500, 40.11, 0.01, 59.88),
            ("player", 1_000, 33.46, 1.22, 65.32),
            ("banker", 1_000, 35.76, 0.07, 64.16),
        ],
    )
    def test_shares(self, side: str, rounds: int, ahead: float, even: float, behind: float) -> None:
        exact = flat(side, 2_000, rounds)
        amounts, shares = exact.final
        found = [
            shares[way].sum() * 100 for way in (amounts > exact.start, amounts == exact.start, amounts < exact.start)
        ]
        assert found == pytest.approx([ahead, even, behind], abs=0.005)

    def test_two_hours_of_player(self) -> None:
        amounts, shares = flat("player", 500, 300).final
        net = (amounts - 500 * UNITS) // UNITS
        found = [shares[net > 10].sum(), shares[net > 20].sum(), shares[net < -20].sum()]
        assert [share * 100 for share in found] == pytest.approx([19.4, 7.1, 15.4], abs=0.05)
