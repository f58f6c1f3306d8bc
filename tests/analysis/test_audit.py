"""The audit: the exact expectation beside the sampled result, for bettors that see cards too, and planted faults."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

import bacclab as bl
from bacclab.bettors.view import View
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.words.answer import answer, warnings
from bacclab.game.codes import NEW_SHOE, decode, outcomes
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon, Rounds
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import player_for

FLAT = {"name": "Flat", "use": "flat", "on": "player", "unit": 10}
CHASER = {
    "name": "Chaser",
    "select": "follow-last",
    "stake": {"use": "martingale", "unit": 10, "steps": 4},
    "when_refused": "reset",
}
COUNTER = {"name": "Counter", "use": "pair-counter", "unit": 100, "main": {"on": "banker", "unit": 5}}


def run(path: Path, *bettors: dict[str, Any], **more: Any) -> bl.Run:
    experiment = {
        "seed": 6,
        "bankroll": 10_000,
        "sessions": 300,
        "shoes": 3,
        "table": {"rules": "no-commission", "minimum": 5, "maximum": 1000},
        "bettor": list(bettors),
    }
    return bl.run(experiment | more, out=path / "run", report=False)


def row_of(done: bl.Run, bettor: str) -> dict[str, Any]:
    return done.summary.row(by_predicate=pl.col("bettor") == bettor, named=True)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> bl.Run:
    return run(tmp_path_factory.mktemp("audit"), FLAT, CHASER, COUNTER)


class TestCounters:
    def test_what_the_expectation_is_taken_on(self, done: bl.Run) -> None:
        found = {"Flat": "full shoe", "Chaser": "full shoe", "Counter": "cards left"}
        assert dict(done.summary.select("bettor", "expected_on").iter_rows()) == found
        assert done.manifest["cells"][0]["expected_on"] == found

    def test_the_counter_agrees_and_is_not_accused(self, done: bl.Run) -> None:
        row = row_of(done, "Counter")
        assert row["expected_return"] > 0.05
        assert abs(row["z"]) < 4
        assert done.warnings == []
        assert warnings(Lookup(done)) == []

    def test_others_are_untouched_by_one_that_sees_the_cards(self, done: bl.Run, tmp_path: Path) -> None:
        alone = run(tmp_path, FLAT, CHASER)
        both = done.sessions.filter(pl.col("bettor") != "Counter")
        assert both.equals(alone.sessions)

    def test_the_answer_does_not_say_that_it_loses(self, done: bl.Run) -> None:
        text = " ".join(answer(Lookup(done)))
        row = row_of(done, "Counter")
        assert "No system here beats the table" not in text
        assert "Apart from Counter, the house edge on" in text
        assert f"worth +{row['expected_return'] * 100:.2f} % of what it stakes, " in text
        assert f"{row['expected'] / 300:,.2f} a session" in text
        assert "every system lost" not in text

    @pytest.mark.parametrize("table", ["no-commission", "commission-quarters"])
    def test_the_expectation_of_every_session_by_hand(self, table: str) -> None:
        # Banker while high cards are left, with a commission that is rounded up at one of the tables.
        rules = BUILT_IN_TABLES[table]
        rounds, terms = _dealt(rules)
        for way, bettor in (("plain", _LowCards()), ("lanes", _LowCardsInLanes()), ("plain", _LowCardsInLanes())):
            ledger, _ = player_for(bettor, terms, name="x", seed=1, way=way).play(rounds, first=0)
            for s in range(len(rounds.lengths)):
                expected = 0.0
                for r in range(rounds.lengths[s]):
                    stake = _stake(rounds.unseen[s, r].tolist())
                    expected += _mean(terms.layout, stake, rounds.unseen[s, r]) if stake else 0.0
                assert ledger.expected[s] == pytest.approx(expected, rel=1e-9, abs=1e-9), way

    def test_one_that_looks_late_is_found_out_in_play(self, tmp_path: Path) -> None:
        plugin = tmp_path / "late_looker.py"
        plugin.write_text(
            "import bacclab as bl\n\n"
            '@bl.bettor("late-looker")\n'
            "class LateLooker(bl.Bettor):\n"
            '    """Looks at the cards from round 210 on."""\n'
            "    def start(self, table): pass\n"
            "    def settle(self, result): pass\n"
            "    def bet(self, view):\n"
            "        if view.round < 210 or sum(view.unseen) > 60:\n"
            "            return view.player(5)\n"
            "        return view.banker(10)\n",
            encoding="utf-8",
        )
        late = {"name": "Late", "use": "late-looker"}
        found = run(tmp_path, late, FLAT, sessions=5, plugins={"files": [str(plugin)]})
        assert row_of(found, "Late")["expected_on"] == "cards left"
        assert row_of(found, "Flat")["expected_on"] == "full shoe"
        assert abs(row_of(found, "Late")["z"]) < 4


class _LowCards(bl.Bettor):
    def start(self, table: Any) -> None:
        pass

    def bet(self, view: View) -> Any:
        stake = _stake(view.unseen)
        return view.banker(bl.Money.of(stake)) + view.tie(bl.Money.of(stake)) if stake else None

    def settle(self, result: Any) -> None:
        pass


def _lanes() -> Any:
    from bacclab.bettors.lanes.base import LaneBettor

    class LowCardsInLanes(LaneBettor):
        def bet(self, view: Any) -> Any:
            stakes = np.array([_stake(counts) for counts in view.unseen.T.tolist()], np.int64)
            return view.on("banker", stakes) + view.on("tie", stakes)

    return LowCardsInLanes


_LowCardsInLanes = _lanes()


def _stake(unseen: Any) -> int:
    low, high = sum(unseen[:4]), sum(unseen[4:9])
    return 0 if low == high else 7 * 10_000 if low > high else 130_000


def _dealt(rules: Any) -> tuple[Rounds, Terms]:
    rounds = SimulatedSource(rules.shoe, seed=9).rounds(0, 3, horizon=Horizon(rounds=90), unseen=True)
    rules = rules.override({"minimum": 1, "maximum": 100})
    terms = Terms(
        layout=Layout(rules),
        bankroll=100_000_000,
        stop_win=None,
        stop_loss=None,
        checkpoints=np.array([0, 90]),
        traced=0,
        policy="stop",
        max_rounds=90,
        sees_cards=True,
    )
    return rounds, terms


def _mean(layout: Layout, stake: int, unseen: Any) -> float:
    """The mean net result of a stake on Banker and on Tie, in currency units, over the codes one by one."""
    from bacclab.exact.odds import code_probabilities

    chances = code_probabilities(unseen.astype(np.int64), decks=8)
    found = 0.0
    for bet in (layout.index["banker"], layout.index["tie"]):
        lines, first = np.unique(layout.line[bet], return_index=True)
        nets = {line: layout.settle(bet, stake, int(code))[0] for line, code in zip(lines, first, strict=True)}
        found += math.fsum(chances[layout.line[bet] == line].sum() * net for line, net in nets.items())
    return found / 10_000


class TestControlVariate:
    @pytest.mark.parametrize("bettor", ["Flat", "Chaser", "Counter"])
    def test_the_standard_error_with_it(self, done: bl.Run, bettor: str) -> None:
        row, s = row_of(done, bettor), done.sessions.filter(pl.col("bettor") == bettor)
        residuals = s["expected"] - row["expected_return"] * s["staked"]
        by_hand = math.sqrt(300 / 299 * float((residuals**2).sum())) / row["staked"]
        assert row["se_controlled"] == pytest.approx(by_hand, rel=1e-6, abs=1e-13)
        assert row["se_controlled"] < row["se_return"] / 3

    def test_a_single_bet_leaves_no_error_at_all(self, done: bl.Run) -> None:
        assert row_of(done, "Flat")["se_controlled"] == 0.0

    def test_one_session_has_none(self, tmp_path: Path) -> None:
        assert row_of(run(tmp_path, FLAT, sessions=1), "Flat")["se_controlled"] is None


class _Biased(SimulatedSource):
    """Rounds in which a part of the Banker wins is given to Player."""

    share = 0.0

    def rounds(self, first: int, count: int, *, horizon: Horizon, unseen: bool = False) -> Rounds:
        dealt = super().rounds(first, count, horizon=horizon, unseen=unseen)
        player = next(c for c in range(5200) if decode(c).outcome == "player")
        codes = dealt.codes.copy()
        plain = codes & (NEW_SHOE - 1)
        turned = np.random.default_rng([first, 1]).random(codes.shape) < self.share
        codes[turned & (outcomes()[np.minimum(plain, 5199)] == 1)] = player
        codes |= dealt.codes & NEW_SHOE
        return replace(dealt, codes=codes)


class TestPlantedFaults:
    def test_a_wheel_with_one_number_too_many(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        # Player wins one round in 37 more than declared, on 20,000 rounds: about 8 standard errors.
        monkeypatch.setattr(_Biased, "share", 1 / 37 / 0.4586)
        monkeypatch.setattr("bacclab.shoes.dealer.SimulatedSource.rounds", _rounds_of(_Biased))
        found = run(tmp_path, FLAT, CHASER, sessions=200, shoes=None, rounds=100)
        assert row_of(found, "Flat")["z"] > 4
        assert any("Flat: the result lies" in text and "above the exact" in text for text in warnings(Lookup(found)))

    def test_a_stake_taken_on_a_tie(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        settle = Layout.settle

        def fault(self: Layout, bet: int, stake: int, code: int) -> tuple[int, int]:
            if self.ids[bet] in ("banker", "player") and outcomes()[code] == 2:
                return -stake, 0
            return settle(self, bet, stake, code)

        monkeypatch.setattr(Layout, "settle", fault)
        found = run(tmp_path, FLAT, CHASER, sessions=300, shoes=2)
        assert row_of(found, "Flat")["z"] < -4
        assert row_of(found, "Chaser")["z"] < -4

    def test_a_counter_that_is_shown_the_wrong_cards(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        # The counts are those after the round: its cards are taken out too early.
        dealt_by = SimulatedSource.rounds

        def peeking(self: SimulatedSource, first: int, count: int, **options: Any) -> Rounds:
            dealt = dealt_by(self, first, count, **options)
            if dealt.unseen is None:
                return dealt
            unseen = dealt.unseen.copy()
            same_shoe = (dealt.codes[:, 1:] & NEW_SHOE) == 0
            same_shoe &= np.arange(1, dealt.codes.shape[1]) < dealt.lengths[:, None]
            same_shoe &= dealt.unseen[:, 1:].sum(axis=2) >= 6
            unseen[:, :-1][same_shoe] = dealt.unseen[:, 1:][same_shoe]
            return replace(dealt, unseen=unseen)

        monkeypatch.setattr(SimulatedSource, "rounds", peeking)
        found = run(tmp_path, COUNTER, sessions=1000, shoes=8)
        assert row_of(found, "Counter")["z"] < -4


def _rounds_of(source: type[SimulatedSource]) -> Any:
    plain = SimulatedSource.rounds

    def rounds(self: SimulatedSource, first: int, count: int, *, horizon: Horizon, unseen: bool = False) -> Rounds:
        other = source(self.rules, seed=self.seed)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(SimulatedSource, "rounds", plain)
            return other.rounds(first, count, horizon=horizon, unseen=unseen)

    return rounds


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> bl.Run:
    sweep = {"table.cut_card": [14, 26, 40]}
    return run(tmp_path_factory.mktemp("swept"), FLAT, COUNTER, sessions=20, sweep=sweep)


class TestWords:
    @staticmethod
    def changed(done: bl.Run, bettor: str, **columns: list[float]) -> Lookup:
        """The run with other figures of a bettor, cell by cell."""
        summary = done.summary
        for name, values in columns.items():
            new = [
                values[cell] if who == bettor else old
                for cell, who, old in summary.select("cell", "bettor", name).iter_rows()
            ]
            summary = summary.with_columns(pl.Series(name, new, dtype=summary.schema[name]))
        frames = ("sessions", "distribution", "trajectories", "comparisons", "cells", "manifest")
        return Lookup(SimpleNamespace(summary=summary, **{name: getattr(done, name) for name in frames}))

    def test_one_warning_for_all_settings(self, swept: bl.Run) -> None:
        look = self.changed(swept, "Flat", z=[7.1, 0.3, -6.0])
        (text,) = warnings(look)
        assert text.startswith(
            "Flat: the result lies 7.1 standard errors above (table.cut_card = 14) and 6.0 standard errors below "
            "(table.cut_card = 40) the exact expectation of its bets (taken at the top of a full shoe)."
        )
        (text,) = warnings(self.changed(swept, "Counter", z=[7.1, 0.3, 0.0]))
        assert "(taken on the cards left before each round)" in text

    def test_a_few_sessions_stray_further_by_chance(self, swept: bl.Run) -> None:
        """Of twenty, 5.0 standard errors are as rare as 3.9 of very many."""
        assert not warnings(self.changed(swept, "Flat", z=[5.0, 0.3, 0.0]))

    def test_an_edge_by_the_rules_is_told_once(self, swept: bl.Run) -> None:
        look = self.changed(swept, "Flat", expected_return=[0.01, 0.02, 0.015])
        (text,) = [text for text in warnings(look) if "No real table" in text]
        assert text.startswith("Flat: on these rules its bets have an expectation of +1.00 % to +2.00 % of the stakes")
