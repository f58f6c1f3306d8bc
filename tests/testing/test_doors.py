"""The three doors of the kit: a function, parameters for pytest, a class to inherit from."""

from __future__ import annotations

from typing import Any

import pytest

import bacclab as bl
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.errors import BettorError
from bacclab.game.bets import BUILT_IN_BETS, Bet
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon
from bacclab.testing import (
    CHECKS,
    BettorContract,
    asked,
    bettor_checks,
    check_bet,
    check_bettor,
    check_metric,
    check_source,
    check_table,
)


def push_is_loss() -> type[bl.Bettor]:
    """Made in a function, so that no other process can load it: that check is tested elsewhere, and takes seconds."""

    class PushIsLoss(bl.Bettor):
        def start(self, table):
            self.units = 1

        def bet(self, view):
            return view.banker(10 * self.units)

        def settle(self, result):
            self.units = 1 if result.won else 2

    return PushIsLoss


PushIsLoss = push_is_loss()
KNOWN = {"answers-all": "the house rule of this system: a tie counts as lost"}


@pytest.mark.parametrize("check", bettor_checks(PushIsLoss, expected_failures=KNOWN, rounds=60))
def test_parameters_for_pytest(check) -> None:
    check()


def test_each_parameter_has_an_id() -> None:
    params = bettor_checks(FlatBettor)
    assert [param.id for param in params] == [f"flat-{check.name}" for check in CHECKS]
    assert not any(param.marks for param in params)


class TestContract(BettorContract):
    bettor = PushIsLoss
    settings = {"rounds": 60}  # noqa: RUF012
    expected_failures = KNOWN


def test_the_contract_has_every_check() -> None:
    assert {name for name in dir(BettorContract) if name.startswith("test_")} == {
        f"test_{check.name.replace('-', '_')}" for check in CHECKS
    }


def test_an_expected_failure_that_passes_is_told() -> None:
    class Wrong(BettorContract):
        bettor = FlatBettor
        expected_failures = {"plays": "it does not"}  # noqa: RUF012

    with pytest.raises(pytest.fail.Exception, match="expected to fail"):
        Wrong().test_plays()


def test_unknown_names_are_told() -> None:
    with pytest.raises(BettorError, match="did you mean plays"):
        bettor_checks(FlatBettor, expected_failures={"play": ""})
    with pytest.raises(BettorError, match="no bettor, selection or progression"):
        check_bettor(7)
    with pytest.raises(BettorError, match="has no bettor"):
        BettorContract().test_plays()


def test_what_is_asked_for_in_words() -> None:
    assert asked(PushIsLoss(), "B P T B") == ["banker 10.00", "banker 10.00", "banker 20.00", "banker 20.00"]


@pytest.mark.parametrize("bet", BUILT_IN_BETS.values(), ids=lambda bet: bet.id)
def test_built_in_bets_pass(bet: Bet) -> None:
    check_bet(bet).require()


@pytest.mark.parametrize("table", BUILT_IN_TABLES.values(), ids=lambda table: table.name)
def test_built_in_tables_pass(table: bl.Table) -> None:
    check_table(table).require()


def test_broken_bets_are_told() -> None:
    gift = Bet(id="gift", title="Gift", kind="side", lines=lambda r: "win" if r.cards > 4 else None,
               odds={"win": 2}, rule="five or six cards", source="made up")  # fmt: skip
    assert [one.check for one in check_bet(gift).failed] == ["edge"]
    assert "the player has the advantage" in check_bet(gift).failed[0].text
    silent = Bet(
        id="silent", title="Silent", kind="side", lines=lambda r: "win" if r.cards == 6 else None, odds={"win": 1}
    )
    assert [one.check for one in check_bet(silent).failed] == ["words"]
    answers = iter(range(10**9))
    moody = Bet(id="moody", title="Moody", kind="side", lines=lambda r: "win" if next(answers) % 7 == 0 else None,
                odds={"win": 1}, rule="now and then", source="made up")  # fmt: skip
    assert "must depend on the round alone" in check_bet(moody).failed[0].text
    sure = Bet(id="sure", title="Sure", kind="side", lines=lambda r: ("never", "win") if r.cards > 9 else "win",
               odds={"win": 1}, rule="always", source="made up")  # fmt: skip
    assert "no round that can be dealt hits the line 'lost'" in check_bet(sure).failed[0].text


def test_a_table_that_gives_a_bet_away_is_told() -> None:
    table = BUILT_IN_TABLES["commission"].variant("odd", title="odd", odds={"tie": "12:1"})
    report = check_table(table)
    assert [one.check for one in report.failed] == ["edges"]
    assert report.failed[0].text.startswith("tie has a house edge of -23.")


def test_sources() -> None:
    source = SimulatedSource(BUILT_IN_TABLES["commission"].shoe, seed=4)
    check_source(source).require()

    class Drifts(SimulatedSource):
        """Deals on where the last call ended."""

        at = 0

        def rounds(self, first: int, count: int, *, horizon: Horizon, unseen: bool = False):
            self.at += count
            return super().rounds(self.at, count, horizon=horizon, unseen=unseen)

    report = check_source(Drifts(BUILT_IN_TABLES["commission"].shoe, seed=4))
    assert [one.check for one in report.failed] == ["same"]


def test_metrics() -> None:
    def metric(unit: str, expression: Any) -> bl.Metric:
        return bl.Metric(id="mine", label="Mine", unit=unit, text="Mine.", expression=expression)

    check_metric(metric("money", lambda final: final.median())).require()
    first = check_metric(metric("money", lambda final: final.first()))
    assert [one.check for one in first.failed] == ["order"]
    many = check_metric(metric("money", lambda final: final))
    assert "one" in [one.check for one in many.failed]
    wide = check_metric(metric("share", lambda final: final.mean()))
    assert [one.check for one in wide.failed] == ["share"]
