"""Stories of money gone wrong in other testers, with the right answer, played in every way that is open.

Rounds come from scripts (B, P, T), so that every answer can be worked out on paper.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bacclab.bettors.base import Bettor, Combined, Progression
from bacclab.bettors.lanes.base import LaneProgression
from bacclab.bettors.progressions.classic import DAlembert, Fibonacci, Flat, Martingale, OneThreeTwoSix, Paroli
from bacclab.bettors.progressions.money import Labouchere, OscarsGrind
from bacclab.bettors.selections.recent import Always
from bacclab.bettors.slip import POLICIES
from bacclab.bettors.table import NotTabular
from bacclab.bettors.view import Bets, Result, View
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.errors import MoneyError
from bacclab.game.codes import NEW_SHOE, Pair, Round
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import CENT, MAX_AMOUNT, Money
from bacclab.plugins.loader import load_plugins
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.scripted import ScriptedSource
from bacclab.shoes.source import Horizon, Rounds
from bacclab.tournament.experiment.specs import BettorSpec, Choice, Stop
from bacclab.tournament.ledger import ENDINGS, Ledger, Trace
from bacclab.tournament.make import combined
from bacclab.tournament.play.block import Played, play_block, prepare_cell
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import WAYS, difference, player_for

UNITS = 10_000
CENT_TABLE: dict[str, Any] = {"minimum": "0.01"}


@dataclass(frozen=True)
class Story:
    """One session, the same in every way that it can be played; money in currency units."""

    ledger: Ledger
    trace: Trace
    ways: tuple[str, ...]

    def figure(self, name: str) -> Any:
        """An exact sum, as a fraction."""
        return Fraction(int(getattr(self.ledger, name)[0]), UNITS)

    @property
    def final(self) -> Any:
        return self.figure("final")

    @property
    def counts(self) -> tuple[int, int, int]:
        """Wins, losses, pushes."""
        return int(self.ledger.wins[0]), int(self.ledger.losses[0]), int(self.ledger.pushes[0])

    @property
    def rounds(self) -> int:
        return int(self.ledger.rounds[0])

    @property
    def ended(self) -> str:
        return ENDINGS[self.ledger.ended_by[0]]

    @property
    def stakes(self) -> str:
        """The stakes, one a round."""
        return " ".join(str(Money.of(int(s))).removesuffix(".00") for s in self.trace.staked)

    @property
    def bankrolls(self) -> list[float]:
        return [amount / UNITS for amount in self.trace.bankroll.tolist()]

    @property
    def refused(self) -> dict[str, int]:
        reasons = ("over_bankroll", "over_maximum", "under_minimum", "off_increment", "no_main_bet")
        return {name: n for name, n in zip(reasons, self.ledger.refused[0].tolist(), strict=True) if n}


def terms_of(table: Table, *, bankroll: Any, policy: str, win: Any, loss: Any, rounds: int) -> Terms:
    layout = Layout(table)
    return Terms(
        layout=layout,
        bankroll=Money(bankroll).amount,
        stop_win=None if win is None else Money(win).amount,
        stop_loss=None if loss is None else Money(loss).amount,
        checkpoints=np.array([0, rounds]),
        traced=1,
        policy=policy,
        max_rounds=rounds,
    )


def scripted(script: str | list[Round]) -> Rounds:
    if isinstance(script, str):
        script = script.replace(" ", "")
        return ScriptedSource(script).rounds(0, 1, horizon=Horizon(rounds=sum(letter != "|" for letter in script)))
    codes = np.array([[one.code for one in script]], np.uint16)
    codes[0, 0] |= NEW_SHOE
    return Rounds(codes=codes, lengths=np.array([len(script)], np.int32), ran_out=np.zeros(1, np.bool_))


def tell(
    bettor: Bettor,
    script: str | list[Round],
    *,
    rules: str = "commission",
    bankroll: Any = 1000,
    policy: Any = "stop",
    win: Any = None,
    loss: Any = None,
    **settings: Any,
) -> Story:
    """Play a script in every open way; all must agree with the plain one."""
    table, rounds = BUILT_IN_TABLES[rules].override(settings), scripted(script)
    terms = terms_of(table, bankroll=bankroll, policy=policy, win=win, loss=loss, rounds=rounds.codes.shape[1])
    done: dict[str, tuple[Ledger, Trace]] = {}
    for way in reversed(WAYS):
        try:
            done[way] = player_for(bettor, terms, name="story", seed=1, way=way).play(rounds, first=0)
        except NotTabular:
            continue
        assert difference(done[way], done["plain"]) is None, way
    assert np.isfinite(done["plain"][0].expected).all()
    return Story(*done["plain"], tuple(done))


def on(side: str, progression: Progression) -> Bettor:
    return combined(Always(on=side), progression)


class TestOneStakeOneResult:
    def test_a_lost_stake_is_taken_once(self) -> None:
        story = tell(FlatBettor(on="player", unit=100), "B", bankroll=100)
        assert story.final == 0
        assert story.bankrolls == [0]
        assert story.ended == "bust"
        assert story.ways == ("plain", "table")

    def test_a_tie_gives_the_stake_back(self) -> None:
        assert tell(FlatBettor(on="player", unit=100), "T", bankroll=100).bankrolls == [100]

    def test_nothing_is_laid_after_the_last_chip(self) -> None:
        story = tell(FlatBettor(on="player", unit=100), "BBBB", bankroll=100)
        assert story.stakes == "100"

    def test_three_pushes_in_a_row_are_neither_losses_nor_wins(self) -> None:
        for side in ("player", "banker"):
            story = tell(FlatBettor(on=side, unit=15), "TTT", bankroll=100)
            assert story.bankrolls == [100, 100, 100]
            assert story.counts == (0, 0, 3)
            assert story.figure("staked") == 45
            assert story.figure("net") == story.figure("commission") == 0
            assert (story.ledger.longest_losing_run[0], story.ledger.longest_winning_run[0]) == (0, 0)

    def test_a_win_that_pays_half_is_a_win(self) -> None:
        six = Round(player_total=5, banker_total=6, player_cards=3, banker_cards=3)
        story = tell(FlatBettor(unit=10), [six], rules="no-commission")
        assert (story.counts, story.final) == ((1, 0, 0), 1005)

    def test_a_three_card_seven_pushes(self) -> None:
        seven = Round(player_total=5, banker_total=7, player_cards=3, banker_cards=3)
        story = tell(FlatBettor(unit=10), [seven], rules="ez")
        assert (story.counts, story.final) == ((0, 0, 1), 1000)


class TestProgressions:
    @pytest.mark.parametrize(
        ("system", "stakes"),
        [
            (Martingale(unit=5, steps=3), "5 10 20 5"),
            (Martingale(unit=5, steps=3, at_end="stop"), "5 10 20 0"),
            (Martingale(unit=5), "5 10 20 40"),
        ],
        ids=["begins again", "bets no more", "no cap"],
    )
    def test_a_cap_of_two_doublings(self, system: Progression, stakes: str) -> None:
        assert tell(on("player", system), "BBBP").stakes == stakes

    def test_four_losses_with_three_steps(self) -> None:
        assert tell(on("player", Martingale(unit=5, steps=3)), "BBBB").stakes == "5 10 20 5"
        stopped = tell(on("player", Martingale(unit=5, steps=3, at_end="stop")), "BBBB")
        assert (stopped.stakes, stopped.final) == ("5 10 20 0", 1000 - 35)

    @pytest.mark.parametrize(
        ("policy", "eighth", "ended"),
        [("cap", "500", "rounds"), ("reset", "5", "rounds"), ("skip", "0", "rounds"), ("stop", None, "limit")],
    )
    def test_the_bet_of_640_at_a_table_to_500(self, policy: str, eighth: str | None, ended: str) -> None:
        ladder = "5 10 20 40 80 160 320"
        before = tell(on("player", Martingale(unit=5)), "B" * 7, bankroll=2000, maximum=500, minimum=5)
        assert (before.stakes, before.figure("net")) == (ladder, -635)
        story = tell(on("player", Martingale(unit=5)), "B" * 8, bankroll=2000, maximum=500, minimum=5, policy=policy)
        assert story.stakes == (f"{ladder} {eighth}" if eighth else ladder)
        assert story.refused == {"over_maximum": 1}
        assert story.ended == ended

    def test_ten_times_up_on_a_loss_down_on_a_win_with_a_floor(self) -> None:
        system = Martingale(unit="0.01", factor=10, back=1)
        story = tell(on("player", system), "BBPPP", **CENT_TABLE)
        assert story.stakes == "0.01 0.10 1 0.10 0.01"
        assert story.figure("net") == 1

    def test_ties_do_not_move_a_martingale(self) -> None:
        story = tell(on("player", Martingale(unit=1)), "B T B T P")
        assert story.stakes == "1 2 2 4 4"
        assert (story.figure("net"), story.counts) == (1, (1, 2, 2))
        assert story.ledger.longest_losing_run[0] == 2

    @pytest.mark.parametrize(
        ("system", "stakes", "net"),
        [
            (Martingale, "1 2 4 4 1 2 1 1 1 2 1 1", 6),
            (DAlembert, "1 2 3 3 2 3 2 2 1 2 1 1", 6),
            (Fibonacci, "1 1 2 2 1 1 1 1 1 1 1 1", 3),
            (Labouchere, "5 6 7 7 7 9 8 8 4 8 5 5", 20),
            (Paroli, "1 1 1 1 2 1 2 2 4 1 2 4", 3),
            (OneThreeTwoSix, "1 1 1 1 3 1 3 3 2 1 3 2", 4),
            (OscarsGrind, "1 1 1 1 2 2 2 2 1 1 1 1", 3),
            (Flat, "1 1 1 1 1 1 1 1 1 1 1 1", 2),
        ],
    )
    @pytest.mark.parametrize("policy", POLICIES)
    def test_the_same_twelve_rounds_for_every_system(
        self, system: type[Progression], stakes: str, net: int, policy: str
    ) -> None:
        story = tell(on("player", system(unit=1)), "B B T P B P T P B P P P", policy=policy)
        assert story.stakes == stakes
        assert (story.figure("net"), story.counts) == (net, (6, 4, 2))
        assert len(story.ways) == 2

    @pytest.mark.parametrize("losses", range(8))
    def test_commission_eats_what_a_martingale_recovers(self, losses: int) -> None:
        """A series won at step 1 to 8 on Banker at 5 %, in units."""
        nets = ["0.95", "0.90", "0.80", "0.60", "0.20", "-0.60", "-2.20", "-5.40"]
        story = tell(on("banker", Martingale(unit=10)), "P" * losses + "B", bankroll=5000)
        assert story.figure("net") == 10 * Fraction(nets[losses])

    @pytest.mark.parametrize(
        ("side", "stakes", "nets"),
        [
            ("player", (1, 3, 2, 6), ["-1", "-2", "2", "0", "12"]),
            ("banker", (1, 3, 2, 6), ["-1", "-2.05", "1.8", "-0.3", "11.4"]),
            ("player", (1, 3, 2, 4), ["-1", "-2", "2", "2", "10"]),
        ],
    )
    def test_four_steps_up(self, side: str, stakes: tuple[int, ...], nets: list[str]) -> None:
        won, lost = ("P", "B") if side == "player" else ("B", "P")
        for wins, net in enumerate(nets):
            script = won * wins + lost * (wins < 4)
            story = tell(on(side, OneThreeTwoSix(unit=10, stakes=stakes)), script)
            assert story.figure("net") == 10 * Fraction(net)

    @pytest.mark.parametrize("policy", POLICIES)
    @pytest.mark.parametrize("script", ["B" * 300, "P" * 300, "BPT" * 100, "BBP" * 100, "T" * 300])
    @pytest.mark.parametrize("progression", sorted(load_plugins().registry.progressions))
    def test_a_session_of_any_length_ends_with_numbers_and_a_reason(
        self, progression: str, script: str, policy: str
    ) -> None:
        system = load_plugins().registry.progressions[progression].item(unit=10)
        story = tell(on("player", system), script, policy=policy, minimum=10, maximum=5000, bankroll=20_000)
        assert story.ended in ENDINGS
        assert story.final >= 0
        assert story.figure("net") == story.final - 20_000
        assert sum(story.counts) == story.ledger.bets[0] <= 300


class QuitsAfter(Bettor):
    """Bets a number of times a shoe and goes home when a number of shoes has been played."""

    shoes: int = 1
    bets_a_shoe: int = 3

    def start(self, table: Table) -> None:
        self.shoe_number, self.laid = 0, 0

    def shoe(self) -> None:
        self.shoe_number = min(self.shoe_number + 1, self.shoes + 1)
        self.laid = 0

    def bet(self, view: View) -> Bets | None:
        if self.shoe_number > self.shoes:
            return view.stop()
        return view.player(10) if self.laid < self.bets_a_shoe else None

    def settle(self, result: Result) -> None:
        self.laid = min(self.laid + result.laid, self.bets_a_shoe)


class QuitsLosing(Bettor):
    """Goes home after some losses in a row."""

    losses: int = 3

    def start(self, table: Table) -> None:
        self.row = 0

    def bet(self, view: View) -> Bets | None:
        return view.stop() if self.row == self.losses else view.player(10)

    def settle(self, result: Result) -> None:
        self.row = result.pick(won=0, push=self.row, lost=self.row + 1)


class Gambler(Bettor):
    """Uses many random numbers of its own."""

    def bet(self, view: View) -> Bets:
        return (view.banker if view.random() + view.random() < 1 else view.player)(10)


class TestStops:
    @pytest.mark.parametrize(
        ("policy", "stakes", "final", "ended"),
        [
            ("cap", "20 40 40", 900, "stop_loss"),
            ("stop", "20 40", 940, "stop_loss"),
            ("skip", "20 40 0", 940, "rounds"),
            ("reset", "20 40 20", 920, "rounds"),
        ],
    )
    def test_a_bet_that_would_pass_the_stop_loss(self, policy: str, stakes: str, final: int, ended: str) -> None:
        """A hundred may be lost, sixty are; the next bet of eighty is cut to forty or not made."""
        story = tell(on("player", Martingale(unit=20)), "BBB", policy=policy, loss=100, minimum=10)
        assert (story.stakes, story.final, story.ended) == (stakes, final, ended)
        assert story.figure("trough") >= 900
        assert story.refused == {"over_bankroll": 1}

    @pytest.mark.parametrize("policy", POLICIES)
    def test_never_below_the_stop_loss(self, policy: str) -> None:
        story = tell(on("player", Martingale(unit=20)), "BBBBPBBBBBB", policy=policy, loss=100, minimum=10)
        assert min(story.bankrolls) >= 900

    def test_stop_win_at_exactly_36_10(self) -> None:
        """Thirty-eight wins of 0.95: sums of floats stay below and play on."""
        assert sum([0.95] * 38) < 36.1
        story = tell(FlatBettor(unit=1), "B" * 60, bankroll=100, win="36.10")
        assert (story.rounds, story.ended) == (38, "stop_win")
        assert story.final == Fraction("136.10")
        assert tell(FlatBettor(unit=1), "B" * 60, bankroll=100, win="36.11").rounds == 39

    def test_three_bets_a_shoe(self) -> None:
        story = tell(QuitsAfter(shoes=2), "PPBBB|PBPBPB|PPP")
        assert story.stakes == "10 10 10 0 0 10 10 10 0 0 0"
        assert (story.ended, story.rounds, story.ways) == ("bettor", 11, ("plain", "table"))

    def test_after_three_losses_in_a_row(self) -> None:
        story = tell(QuitsLosing(), "BBPBTBTBPPP")
        assert (story.rounds, story.ended, story.final) == (8, "bettor", 1000 - 40)

    @pytest.mark.parametrize("policy", POLICIES)
    def test_a_bankroll_below_the_minimum_plays_no_round(self, policy: str) -> None:
        story = tell(FlatBettor(unit=25), "BPBPBP", bankroll=12, minimum=25, policy=policy)
        assert (story.rounds, sum(story.counts), story.ended) == (0, 0, "bust")
        assert story.final == 12
        assert story.ledger.bankrolls[:, 0].tolist() == [12 * UNITS] * 2

    @pytest.mark.parametrize(
        ("policy", "stakes", "final", "ended"),
        [
            ("stop", "10 20 40", 30, "cannot_cover"),
            ("cap", "10 20 40 30", 0, "bust"),
            ("reset", "10 20 40 10", 20, "rounds"),
            ("skip", "10 20 40 0", 30, "rounds"),
        ],
    )
    def test_eighty_wanted_and_thirty_left(self, policy: str, stakes: str, final: int, ended: str) -> None:
        story = tell(on("player", Martingale(unit=10)), "BBBB", bankroll=100, minimum=10, policy=policy)
        assert (story.stakes, story.final, story.ended) == (stakes, final, ended)
        assert story.refused == {"over_bankroll": 1}

    def test_bust_and_cannot_cover_are_two_things(self) -> None:
        system = on("player", Martingale(unit=10))
        assert tell(system, "BBBB", bankroll=79, minimum=10).ended == "bust"
        assert tell(system, "BBBB", bankroll=80, minimum=10).ended == "cannot_cover"


class TestCommission:
    def test_is_charged_once_and_on_wins_only(self) -> None:
        story = tell(FlatBettor(unit=25), "B" * 10 + "P" * 10 + "T" * 5)
        assert story.figure("commission") == Fraction("12.50")
        assert story.figure("net") == Fraction("-12.50")
        assert story.figure("staked") == 25 * 25

    def test_of_seven_wins_at_seven(self) -> None:
        assert tell(FlatBettor(unit=7), "B" * 7).figure("commission") == Fraction("2.45")
        rounded = tell(FlatBettor(unit=7), "B" * 7, commission_rounding="up", commission_coin="0.50")
        assert rounded.figure("commission") == Fraction("3.50")
        assert rounded.figure("net") == 49 - Fraction("3.50")

    def test_of_nothing_gives_the_player_the_edge(self) -> None:
        story = tell(FlatBettor(unit=7), "B" * 7, commission="0%")
        assert (story.figure("commission"), story.figure("net")) == (0, 49)
        edge = story.ledger.expected[0] / float(story.figure("staked"))
        assert edge == pytest.approx(0.01235081, abs=5e-9)

    @pytest.mark.parametrize(
        ("name", "rule"),
        [
            ("exact", None),
            ("up", ROUND_CEILING),
            ("down", ROUND_FLOOR),
            ("nearest", ROUND_HALF_EVEN),
            ("half-up", ROUND_HALF_UP),
        ],
    )
    def test_on_every_stake_to_a_thousand(self, name: str, rule: str | None) -> None:
        """A hundred thousand stakes in cents against the stated rule in decimal arithmetic."""
        layout = Layout(BUILT_IN_TABLES["commission"].override({**CENT_TABLE, "commission_rounding": name}))
        won, cent, wrong = Round(6, 7, 2, 2).code, Decimal("0.01"), 0
        for cents in range(1, 100_001):
            stake = cents * cent
            commission = stake * 5 / 100
            if rule is not None:
                commission = commission.quantize(cent, rule)
            net, paid = layout.settle(0, cents * 100, won)
            wrong += (Decimal(net) / UNITS, Decimal(paid) / UNITS) != (stake - commission, commission)
        assert wrong == 0

    def test_floats_would_not_do(self) -> None:
        """How many of those stakes the usual float sums pay wrongly: the reason for whole numbers."""
        half_up = half_even = cut = 0
        for cents in range(1, 100_001):
            exact, about = Decimal(cents) * 95 / 10_000, cents / 100 * 0.95
            rounded, cent = Decimal(repr(round(about, 2))), Decimal("0.01")
            half_up += rounded != exact.quantize(cent, ROUND_HALF_UP)
            half_even += rounded != exact.quantize(cent, ROUND_HALF_EVEN)
            cut += int(about * 100) != int(exact * 100)
        assert (half_up, half_even, cut) == (3758, 2404, 1394)


class Seesaw(Bettor):
    """Bets 1.00 and 0.95 in turn."""

    def start(self, table: Table) -> None:
        self.high = True

    def bet(self, view: View) -> Bets:
        return view.banker("1.00" if self.high else "0.95")

    def settle(self, result: Result) -> None:
        self.high = not self.high


class TestSmallSums:
    def test_a_thousand_times_up_and_down_is_where_it_began(self) -> None:
        story = tell(Seesaw(), "BP" * 1000, **CENT_TABLE)
        assert story.final == 1000
        assert story.counts == (1000, 1000, 0)
        assert (story.figure("peak"), story.figure("max_drawdown")) == (Fraction("1000.95"), Fraction("0.95"))

    def test_a_stake_of_72_cents(self) -> None:
        assert tell(FlatBettor(unit="0.72"), "BP", **CENT_TABLE).final == 1000 + Fraction("0.684") - Fraction("0.72")
        refused = tell(FlatBettor(unit="0.72"), "BP", minimum=1)
        assert (refused.ended, refused.refused, refused.rounds) == ("limit", {"under_minimum": 1}, 0)
        assert tell(FlatBettor(unit="0.72"), "BP", minimum=1, policy="cap").stakes == "0 0"


class TestHugeSums:
    @pytest.mark.parametrize("unit", ["1", "0.01"])
    def test_a_martingale_on_seventy_losses_is_refused_at_a_named_step(self, unit: str) -> None:
        """Its seventieth bet is 2 to the 69th units; nothing wraps on the way to the refusal."""
        bankroll = Money.of(MAX_AMOUNT)
        story = tell(on("player", Martingale(unit=unit)), "B" * 70, bankroll=bankroll, **CENT_TABLE)
        covered = story.rounds
        in_purse = Fraction(MAX_AMOUNT, UNITS) / Fraction(unit)
        # Every bet that the purse covers was laid, and the next one is more than is left.
        assert 2**covered - 1 <= in_purse < 2 ** (covered + 1) - 1
        assert story.figure("net") == -(2**covered - 1) * Fraction(unit)
        assert story.ended == "cannot_cover"
        assert len(story.ways) == 2

    @pytest.mark.parametrize("policy", ["cap", "reset", "skip"])
    def test_a_martingale_on_seventy_losses_by_any_policy(self, policy: str) -> None:
        story = tell(on("player", Martingale(unit=1)), "B" * 70, bankroll=100_000, policy=policy)
        assert 0 <= story.final < 100_000
        assert story.figure("largest_stake") <= 65_536

    @pytest.mark.parametrize("way", ["table", "lanes", "plain"])
    def test_more_than_can_be_kept_exactly_is_an_error_with_its_place(self, way: str) -> None:
        table = BUILT_IN_TABLES["commission"]
        half = Money.of(MAX_AMOUNT // 2 - MAX_AMOUNT // 2 % 100)
        terms = terms_of(table, bankroll=half, policy="stop", win=None, loss=None, rounds=9)
        system: Progression = (
            Labouchere(unit=half // 2 // 10_000 * 10_000, line=(1,)) if way == "lanes" else Flat(unit=half)
        )
        player = player_for(on("player", system), terms, name="x", seed=1, way=way)
        with pytest.raises(MoneyError, match=r"session 7, round [35]: .* largest amount that is kept exactly"):
            player.play(scripted("T" * 9), first=7)

    def test_the_error_names_the_bettor(self) -> None:
        spec = BettorSpec(
            name="Big spender", use="flat", params={"on": "player", "unit": Money.of(MAX_AMOUNT // 2 // CENT * CENT)}
        )
        rounds = ScriptedSource("T" * 9)
        with pytest.raises(MoneyError, match=r"'Big spender'.*session 0, round 3"):
            played(rounds, spec, bankroll=MAX_AMOUNT // 2, rounds=9)


def played(source: Any, *specs: BettorSpec, bankroll: int, rounds: int, sessions: int = 1) -> dict[str, Played]:
    """Several bettors on the same rounds."""
    registry = load_plugins().registry
    for cls in (QuitsAfter, QuitsLosing, Gambler):
        registry.add("bettors", cls.__name__, cls, plugin="stories", origin="here")
    cell = SimpleNamespace(
        table=BUILT_IN_TABLES["commission"],
        source=source,
        horizon=Horizon(rounds=rounds),
        max_rounds=rounds,
        bankroll=bankroll,
        sessions=sessions,
        seed=11,
        bettors=specs,
        checkpoints=np.array([0, rounds // 2, rounds]),
        trajectories=sessions,
    )
    ready = prepare_cell(cell, registry)  # type: ignore[arg-type]
    dealt = source.rounds(0, sessions, horizon=cell.horizon, unseen=False)
    return {one.bettor: one for one in play_block(ready, dealt, first=0)}


class TestSideBySide:
    def test_one_that_stops_leaves_the_other_alone(self) -> None:
        patient = BettorSpec(name="Patient", use="flat", params={"on": "player", "unit": 10})
        brief = BettorSpec(name="Brief", use="QuitsAfter", params={"shoes": 1, "bets_a_shoe": 99})
        source = ScriptedSource("PPB|BPBBPB|PPPBP")
        both = played(source, patient, brief, bankroll=100 * UNITS, rounds=14)
        alone = played(source, patient, bankroll=100 * UNITS, rounds=14)
        assert_same(both["Patient"], alone["Patient"])
        assert both["Patient"].ledger.rounds.tolist() == [14]
        stopped = both["Brief"].ledger
        assert (ENDINGS[stopped.ended_by[0]], stopped.ended_round.tolist()) == ("bettor", [3])
        assert stopped.bankrolls[:, 0].tolist() == [100 * UNITS, 110 * UNITS, 110 * UNITS]

    def test_stop_rules_are_each_bettors_own(self) -> None:
        flat = {"use": "flat", "params": {"on": "player", "unit": 10}}
        free = BettorSpec(name="Free", **flat)  # type: ignore[arg-type]
        bound = BettorSpec(name="Bound", stop=Stop(win=20 * UNITS), **flat)  # type: ignore[arg-type]
        both = played(ScriptedSource("PPPPP"), free, bound, bankroll=100 * UNITS, rounds=5)
        assert ENDINGS[both["Bound"].ledger.ended_by[0]] == "stop_win"
        assert both["Bound"].ledger.rounds.tolist() == [2]
        assert both["Free"].ledger.final.tolist() == [150 * UNITS]

    @pytest.mark.parametrize("use", ["flat", "Gambler"])
    def test_another_ones_random_numbers_change_nothing(self, use: str) -> None:
        source = SimulatedSource(BUILT_IN_TABLES["commission"].shoe, seed=5)
        first = BettorSpec(name="First", use=use)
        system = BettorSpec(
            name="System", select=Choice("follow-last", {}), stake=Choice("labouchere", {"unit": 5}), when_refused="cap"
        )
        others = [BettorSpec(name=name, use="Gambler") for name in ("A", "Other", "Zed")]
        options: dict[str, Any] = {"bankroll": 500 * UNITS, "rounds": 120, "sessions": 6}
        alone = played(source, first, system, **options)
        crowd = played(source, *others, system, first, **options)
        assert_same(alone["First"], crowd["First"])
        assert_same(alone["System"], crowd["System"])
        # And each has numbers of its own.
        assert crowd["A"].trace.bets != crowd["Zed"].trace.bets


def assert_same(one: Played, other: Played) -> None:
    assert difference((one.ledger, one.trace), (other.ledger, other.trace)) is None
    for column in ("session", "round", "shoe", "outcome", "staked", "net", "commission", "bankroll"):
        np.testing.assert_array_equal(getattr(one.trace, column), getattr(other.trace, column))


def test_both_kinds_of_progression_are_told() -> None:
    """The stories reach vectorised systems, too."""
    assert issubclass(Labouchere, LaneProgression)
    assert isinstance(on("player", Flat()), Combined)
    assert tell(on("player", Labouchere(unit=1)), "PB").ways == ("plain", "lanes")


class TestPastTheLargestAmount:
    """A win that passes the largest amount kept exactly is an error, whether or not it also reaches a goal."""

    @pytest.mark.parametrize("stop_win", [None, 10**15])
    def test_it_is_no_stop_win(self, stop_win: int | None) -> None:
        table = BUILT_IN_TABLES["commission"]
        layout = Layout(table)
        round_ = Round(player_total=7, banker_total=6, player_cards=2, banker_cards=2, player_pair=Pair.PAIR)
        codes = np.array([[round_.code | NEW_SHOE]], dtype=np.uint16)
        rounds = Rounds(codes=codes, lengths=np.array([1], dtype=np.int32), ran_out=np.zeros(1, dtype=np.bool_))
        terms = Terms(
            layout=layout,
            bankroll=MAX_AMOUNT // 2,
            stop_win=stop_win,
            stop_loss=None,
            checkpoints=np.array([0, 1], dtype=np.int64),
            traced=0,
            policy="stop",
            max_rounds=1,
        )
        bettor = FlatBettor(on="player_pair", unit=Money.of(MAX_AMOUNT // 4 // CENT * CENT))
        for way in ("table", "plain"):
            with pytest.raises(MoneyError, match="session 0, round 1"):
                player_for(bettor, terms, name="x", seed=1, way=way).play(rounds, first=0)
