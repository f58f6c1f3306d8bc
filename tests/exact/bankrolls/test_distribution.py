"""Exact bankrolls against every sequence of six rounds, the bettor itself playing each of them the plain way."""

from __future__ import annotations

import itertools
import math
import operator
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from bacclab.bettors.base import Bettor, Combined
from bacclab.bettors.progressions.classic import DAlembert, Fibonacci, Martingale, Paroli
from bacclab.bettors.selections.recent import Always, FollowLast, OppositeLast
from bacclab.bettors.table import NotTabular
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.bettors.whole.pairs import PairHunter
from bacclab.errors import MoneyError
from bacclab.exact.bankrolls import places
from bacclab.exact.bankrolls.distribution import TooLarge, exact_bankrolls
from bacclab.exact.odds import code_counts, sequences
from bacclab.game.codes import NEW_SHOE, decode, possible_codes
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import UNITS
from bacclab.shoes.source import Rounds
from bacclab.tournament.ledger import ENDINGS, Ledger
from bacclab.tournament.play.plain import PlainPlayer
from bacclab.tournament.play.terms import Terms

ROUNDS = 6


def outcome(code: int) -> Any:
    return decode(code).outcome


def outcome_and_six(code: int) -> Any:
    one = decode(code)
    return one.outcome, one.outcome == "banker" and one.banker_total == 6


def outcome_and_pair(code: int) -> Any:
    return decode(code).outcome, bool(decode(code).player_pair)


@dataclass(frozen=True)
class Trial:
    """A bettor that cannot tell rounds of one kind apart, at a table that pays them alike."""

    bettor: Bettor
    kind: Callable[[int], Any]
    table: Table
    bankroll: float
    policy: str
    stop: tuple[float | None, float | None] = (None, None)


class StopsAfterThree(Bettor):
    """Leaves after three rounds, or as soon as it has won twice."""

    def start(self, table: Any) -> None:
        self.rounds, self.wins = 0, 0

    def bet(self, view: Any) -> Any:
        return view.stop() if self.rounds == 3 or self.wins == 2 else view.banker("12.50")

    def settle(self, result: Any) -> None:
        self.rounds += 1
        self.wins += result.pick(won=1, push=0, lost=0)


class AsksTooMuch(Bettor):
    """Bets a hundred, and ten after a reset; sits out after a tie."""

    def start(self, table: Any) -> None:
        self.small, self.tied = False, False

    def reset(self, table: Any) -> None:
        self.small = True

    def bet(self, view: Any) -> Any:
        return None if self.tied else view.player(10 if self.small else 100)

    def settle(self, result: Any) -> None:
        self.tied = result.outcome == "tie"
        self.small = result.pick(won=False, push=self.small, lost=self.small)


class NotInSteps(Bettor):
    """Asks for stakes that the table has to cut."""

    def start(self, table: Any) -> None:
        self.turn = 0

    def bet(self, view: Any) -> Any:
        return view.banker((3, 17, 23, 60)[self.turn])

    def settle(self, result: Any) -> None:
        self.turn = result.pick(won=0, push=self.turn, lost=(self.turn + 1) % 4)


def rules(name: str, **changes: Any) -> Table:
    return BUILT_IN_TABLES[name].override(changes)


COMMISSION = rules("commission", minimum=5, maximum=40)
NO_COMMISSION = rules("no-commission", minimum=5, maximum=500)
ROUGH = rules("commission", minimum=10, maximum=50, increment=5, commission_rounding="up", commission_coin=1)


def trials() -> list[Trial]:
    martingale = Combined(Always(on="player"), Martingale(unit=5, steps=5))
    plain: list[tuple[Bettor, Callable[[int], Any], Table]] = [
        (FlatBettor(on="banker", unit=7), outcome, COMMISSION),
        (martingale, outcome, COMMISSION),
        (Combined(FollowLast(), Martingale(unit=5, steps=4)), outcome, COMMISSION),
        (Combined(OppositeLast(), Paroli(unit=10)), outcome_and_six, NO_COMMISSION),
        (Combined(Always(on="banker"), Fibonacci(unit=10)), outcome, ROUGH),
        (Combined(Always(on="tie"), DAlembert(unit=5)), outcome, COMMISSION),
        (AsksTooMuch(), outcome, NO_COMMISSION),
        (NotInSteps(), outcome, ROUGH),
        (StopsAfterThree(), outcome_and_six, NO_COMMISSION),
    ]
    found = []
    for (bettor, kind, table), policy in itertools.product(plain, ("cap", "reset", "stop", "skip")):
        for bankroll, stop in ((43, (None, None)), (61, (15, 35)), (9, (30, None))):
            found.append(Trial(bettor, kind, table, bankroll, policy, stop))
    hunter = PairHunter(main={"on": "banker", "unit": 5}, pair={"on": "player_pair", "unit": 5, "after": 1})
    for policy in ("reset", "stop", "skip"):
        pairs = rules("commission", minimum=5)
        kind = outcome_and_pair
        found.append(Trial(hunter, kind, pairs, 14, policy))
    found.append(Trial(FlatBettor(), outcome, COMMISSION, 4, "stop"))
    return found


def named(trial: Trial) -> str:
    return f"{trial.bettor!r}, {trial.table.name}, {trial.policy}, {trial.bankroll}, {trial.stop}"


def terms_of(trial: Trial) -> Terms:
    layout = Layout(trial.table)
    win, loss = (None if amount is None else int(amount * UNITS) for amount in trial.stop)
    return Terms(
        layout=layout,
        bankroll=int(trial.bankroll * UNITS),
        stop_win=win,
        stop_loss=loss,
        checkpoints=np.arange(ROUNDS + 1),
        traced=0,
        policy=trial.policy,
        max_rounds=ROUNDS,
    )


@dataclass(frozen=True)
class Chances:
    """Probabilities as whole numbers of ``whole``, so that sums are exact."""

    parts: list[int]
    whole: int

    def by(self, keys: Iterable[Any]) -> dict[Any, float]:
        total: dict[Any, int] = defaultdict(int)
        for key, part in zip(keys, self.parts, strict=True):
            total[key] += part
        return {key: float(Fraction(part, self.whole)) for key, part in total.items()}

    def mean(self, values: Any) -> float:
        return float(Fraction(sum(map(operator.mul, values.tolist(), self.parts)), self.whole))


def kinds_of(trial: Trial) -> tuple[list[int], list[int]]:
    """A code for every kind of round, and in how many sequences of cards the kind comes."""
    decks = trial.table.shoe.decks
    counts = code_counts(decks)
    members: dict[Any, list[int]] = defaultdict(list)
    for code in np.flatnonzero(possible_codes()).tolist():
        members[trial.kind(code)].append(code)
    shares = [sum(int(counts[code]) for code in codes) for codes in members.values()]
    return [codes[0] for codes in members.values()], shares


def all_sessions(trial: Trial) -> tuple[Ledger, Chances]:
    """Every sequence of rounds played by the bettor itself, and the probability of each."""
    codes, shares = kinds_of(trial)
    which = list(itertools.product(range(len(codes)), repeat=ROUNDS))
    dealt = np.array(codes, dtype=np.uint16)[np.array(which)]
    dealt[:, 0] |= NEW_SHOE
    lengths = np.full(len(which), ROUNDS, dtype=np.int32)
    rounds = Rounds(codes=dealt, lengths=lengths, ran_out=np.zeros(len(which), dtype=np.bool_))
    ledger, _ = PlainPlayer(trial.bettor, terms_of(trial), random=lambda *_: 0.5).play(rounds, first=0)
    whole = sequences(trial.table.shoe.decks) ** ROUNDS
    return ledger, Chances([math.prod(shares[k] for k in one) for one in which], whole)


def same(found: dict[Any, float], wanted: dict[Any, float]) -> None:
    assert found.keys() == wanted.keys()
    assert max(abs(found[key] - wanted[key]) for key in wanted) < 1e-14


class TestEverySequence:
    @pytest.mark.parametrize("trial", trials(), ids=named)
    def test_six_rounds(self, trial: Trial) -> None:
        options = {
            "bankroll": trial.bankroll,
            "rounds": ROUNDS,
            "when_refused": trial.policy,
            "checkpoints": range(ROUNDS + 1),
        }
        stop = dict(zip(("stop_win", "stop_loss"), trial.stop, strict=True))
        exact = exact_bankrolls(trial.bettor, trial.table, **options, **stop)
        played, chances = all_sessions(trial)
        for point, (amounts, shares) in enumerate(exact.bankrolls):
            same(dict(zip(amounts.tolist(), shares, strict=True)), chances.by(played.bankrolls[point].tolist()))
        ways = zip(played.ended_round.tolist(), played.ended_by.tolist(), strict=True)
        same({key: exact.ended[key] for key in map(tuple, np.argwhere(exact.ended).tolist())}, chances.by(ways))
        finals = {
            (how, amount): share
            for how, (amounts, shares) in exact.finals.items()
            for amount, share in zip(amounts.tolist(), shares, strict=True)
        }
        hows = [ENDINGS[code] for code in played.ended_by]
        same(finals, chances.by(zip(hows, played.final.tolist(), strict=True)))
        self.means(exact, played, chances)

    def means(self, exact: Any, played: Ledger, chances: Chances) -> None:
        mean = chances.mean
        for name in ("bets", "wins", "losses"):
            assert getattr(exact, name) == pytest.approx(mean(getattr(played, name)), abs=1e-13)
        assert exact.mean_rounds == pytest.approx(mean(played.rounds), abs=1e-13)
        assert exact.commission == pytest.approx(mean(played.commission), rel=1e-12)
        assert exact.staked.sum() == pytest.approx(mean(played.staked), rel=1e-12)
        assert exact.net == pytest.approx(mean(played.net), rel=1e-12, abs=1e-9)
        assert exact.expected.sum() == pytest.approx(mean(played.net), rel=1e-9, abs=1e-9)
        refused = [mean(column) for column in played.refused.T]
        assert exact.refused.tolist() == pytest.approx(refused, abs=1e-13)
        assert exact.largest_stake == played.largest_stake.max()
        for r in range(ROUNDS):
            assert exact.playing[r] == pytest.approx(mean((played.rounds > r).astype(int)), abs=1e-14)


class TestLaws:
    BETTORS = (
        FlatBettor(on="banker", unit=10),
        FlatBettor(on="player_pair", unit=10),
        Combined(FollowLast(), Martingale(unit=10, steps=7)),
        Combined(Always(on="banker"), Paroli(unit=10)),
    )

    @pytest.mark.parametrize("policy", ["cap", "reset", "stop", "skip"])
    @pytest.mark.parametrize("bettor", BETTORS, ids=repr)
    def test_probabilities_sum_to_one_and_loss_is_edge_times_action(self, bettor: Bettor, policy: str) -> None:
        table = rules("commission", minimum=10, maximum=500, increment=5)
        exact = exact_bankrolls(
            bettor, table, bankroll=300, rounds=400, when_refused=policy, checkpoints=range(0, 400, 25)
        )
        for _, shares in exact.bankrolls:
            assert abs(math.fsum(shares) - 1) < 1e-12
        assert abs(math.fsum(exact.ended.ravel()) - 1) < 1e-12
        assert exact.net == pytest.approx(exact.expected.sum(), rel=1e-9)
        # The mean falls by what each round's bets cost, checkpoint by checkpoint.
        for point, (amounts, shares) in zip(exact.checkpoints, exact.bankrolls, strict=True):
            lost = float((amounts - exact.start) @ shares)
            assert lost == pytest.approx(exact.expected[:point].sum(), rel=1e-9, abs=1e-9)

    def test_who_plays_has_not_ended(self) -> None:
        table = rules("commission", minimum=10, maximum=500)
        bettor = Combined(FollowLast(), Martingale(unit=10, steps=7))
        exact = exact_bankrolls(bettor, table, bankroll=300, rounds=400)
        over = np.cumsum(exact.ended.sum(axis=1))
        assert exact.playing == pytest.approx(1 - over[:-1], abs=1e-12)

    def test_ten_thousand_rounds(self) -> None:
        table = rules("commission", minimum=10)
        exact = exact_bankrolls(FlatBettor(on="player", unit=10), table, bankroll=1000, rounds=10_000)
        assert abs(math.fsum(exact.final[1]) - 1) < 1e-12
        assert abs(math.fsum(exact.ended.ravel()) - 1) < 1e-12
        assert exact.net == pytest.approx(exact.expected.sum(), rel=1e-9)


class TestRefusals:
    def test_too_many_places_are_refused_with_their_number(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(places, "MOST_PLACES", 5_000)
        bettor = Combined(FollowLast(), Fibonacci(unit=10))
        with pytest.raises(TooLarge, match=r"more than 5,000 places \(states × bankrolls\).*states.*fewer rounds"):
            exact_bankrolls(bettor, rules("commission"), bankroll=1000, rounds=500)

    def test_work_that_takes_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(places, "MOST_WORK", 10**6)
        with pytest.raises(TooLarge, match="takes too long"):
            exact_bankrolls(FlatBettor(), rules("commission"), bankroll=1000, rounds=5_000)

    def test_bettor_without_a_table(self) -> None:
        class Random(Bettor):
            def bet(self, view: Any) -> Any:
                return view.banker(10) if view.random() < 0.5 else None

        with pytest.raises(NotTabular, match="random"):
            exact_bankrolls(Random(), rules("commission"), bankroll=1000, rounds=50)

    def test_amounts_past_what_is_exact(self) -> None:
        bettor = FlatBettor(on="tie", unit=10**11)
        with pytest.raises(MoneyError, match="largest amount that is kept exactly"):
            exact_bankrolls(bettor, rules("commission"), bankroll=2 * 10**11, rounds=50)
