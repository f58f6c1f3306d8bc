"""However a bettor is played, the ledger and every round of it are the same: by table, by lanes, or plainly."""

from __future__ import annotations

import dataclasses
import os
from collections import deque
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bacclab.bettors.base import Bettor, Combined, Progression, Selection
from bacclab.bettors.lanes.base import LaneBets, LaneBettor, LaneResult, LaneSelection, LaneView
from bacclab.bettors.lanes.combined import LaneCombined
from bacclab.bettors.progressions.money import Labouchere, OscarsGrind
from bacclab.bettors.selections.recent import Template
from bacclab.bettors.table import NotTabular
from bacclab.bettors.view import Bets, Result, View
from bacclab.bettors.whole.stopping import stop_after_losses
from bacclab.errors import BettorError
from bacclab.game.codes import Outcome, Pair
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import Money
from bacclab.plugins.loader import load_plugins
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.scripted import ScriptedSource
from bacclab.shoes.source import Horizon
from bacclab.tournament.ledger import ENDINGS
from bacclab.tournament.make import combined
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import choose, player_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNITS = 10_000
REGISTRY = load_plugins().registry


def often(examples: int) -> settings:
    examples = max(5, round(examples * float(os.environ.get("BACCLAB_EXAMPLES", "1"))))
    return settings(max_examples=examples, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def agree(drawn: ModuleType, bettor: Bettor, game: Any) -> dict[str, Any]:
    """Play every open way, assert that they agree, and return them."""
    played: dict[str, Any] = drawn.ways_of(bettor, game)
    assert "plain" in played
    for done in played.values():
        drawn.same(done, played["plain"])
    return played


class TestBuiltIns:
    @pytest.mark.parametrize("progression", sorted(REGISTRY.progressions))
    @often(15)
    @given(data=st.data())
    def test_progression_with_any_selection(self, drawn: ModuleType, progression: str, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        bettor = data.draw(drawn.built_in(game.table, progression=progression))
        assert len(agree(drawn, bettor, game)) >= 1

    @pytest.mark.parametrize("selection", sorted(REGISTRY.selections))
    @often(8)
    @given(data=st.data())
    def test_selection_with_any_progression(self, drawn: ModuleType, selection: str, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        assert len(agree(drawn, data.draw(drawn.built_in(game.table, selection=selection)), game)) >= 1

    @pytest.mark.parametrize("bettor", sorted(REGISTRY.bettors))
    @often(15)
    @given(data=st.data())
    def test_whole_bettor(self, drawn: ModuleType, bettor: str, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        assume("pair" not in bettor or "player_pair" in game.table.bets)
        agree(drawn, data.draw(drawn.built_in(game.table, bettor=bettor)), game)

    @often(10)
    @given(data=st.data())
    def test_follower_of_any_bettors(self, drawn: ModuleType, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        assume("player_pair" in game.table.bets)
        agree(drawn, data.draw(drawn.followers(game.table)), game)

    @pytest.mark.parametrize("progression", ["martingale", "labouchere", "oscar", "proportional"])
    @often(10)
    @given(data=st.data(), losses=st.integers(1, 4))
    def test_stop_after_losses_in_a_row(
        self, drawn: ModuleType, progression: str, data: st.DataObject, losses: int
    ) -> None:
        game = data.draw(drawn.settings_of_play())
        bettor = data.draw(drawn.built_in(game.table, progression=progression))
        played = agree(drawn, stop_after_losses(bettor, losses), game)
        for done in played.values():
            if not isinstance(done, type):
                assert (done[0].longest_losing_run <= losses).all()

    @pytest.mark.parametrize("policy", ["reset", "stop", "skip"])
    @pytest.mark.parametrize("progression", sorted(REGISTRY.progressions))
    @often(3)
    @given(data=st.data())
    def test_a_fast_way_is_open(self, drawn: ModuleType, progression: str, policy: str, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play(policy=policy))
        # On changing sides its stakes depend on which losses were Banker's: finitely many only below a maximum.
        assume(progression != "commission-martingale" or game.table.limits.maximum is not None)
        bettor = data.draw(drawn.built_in(game.table, progression=progression))
        # A vectorised selection takes a plain progression as a table of stakes; these two look at the bet and at money.
        assume(progression not in ("commission-martingale", "parlay") or not isinstance(bettor, LaneCombined))
        if len(drawn.ways_of(bettor, game)) < 2:  # a long selection times a long progression can be too much
            with pytest.raises(NotTabular, match=r"more than [0-9,]+ states"):
                player_for(bettor, game.terms, name="drawn", seed=1, way="table")


# Bettors as users write them.


class Majority(Bettor):
    """The side that is ahead in the shoe; more when it is far ahead. Looks at the history."""

    unit: Money = Money(10)

    def bet(self, view: View) -> Bets | None:
        lead = sum({"player": 1, "banker": -1, "tie": 0}[outcome] for outcome in view.history)
        if lead == 0 or view.shoe_round == 1 or view.round % 7 == 0:
            return None
        stake = self.unit * min(abs(lead), 5)
        return view.player(stake) if lead > 0 else view.banker(stake)


class Share(Bettor):
    """A tenth of the bankroll, in whole units."""

    unit: Money = Money(10)

    def bet(self, view: View) -> Bets:
        return view.banker(self.unit * max(1, view.bankroll // 10 // self.unit))


class Dice(Bettor):
    """Rolls for the bets, the stakes, and whether to go on."""

    unit: Money = Money(10)

    def bet(self, view: View) -> Bets | None:
        roll = int(view.random() * 2**20)
        if roll % 97 == 0:
            return view.stop()
        names = sorted(view.table.bets)
        bets = [view.on(names[(roll >> 3 * k) % len(names)], self.unit * ((roll >> 2 * k) % 4)) for k in range(3)]
        return bets[0] + bets[1] + bets[2]


class Counter(Bettor):
    """Bets Player when many small cards are left, Tie near the end; looks at the cards left."""

    unit: Money = Money(10)

    def bet(self, view: View) -> Bets | None:
        left = list(view.unseen)
        if sum(left) < 40:
            return view.tie(self.unit)
        return view.player(self.unit) if sum(left[:5]) * 13 > sum(left) * 5 else None


class Spread(Bettor):
    """Several bets a round, one of them growing; the same bet twice in one slip."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.step = 0

    def bet(self, view: View) -> Bets:
        bets = view.banker(self.unit) + view.tie(self.unit * (self.step % 3))
        for name in list(view.table.bets)[3:5]:
            bets += view.on(name, self.unit * (self.step % 2))
        return bets + view.banker(self.unit * self.step)

    def settle(self, result: Result) -> None:
        self.step = result.pick(won=0, push=self.step, lost=min(self.step + 1, 6))


class Quitter(Bettor):
    """Doubles, and goes home after three losses in a row, or after the second shoe."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.lost, self.shoes = 0, 0

    def shoe(self) -> None:
        self.shoes = min(self.shoes + 1, 3)

    def reset(self, table: Table) -> None:
        self.lost = 0

    def bet(self, view: View) -> Bets | None:
        if self.lost == 3 or self.shoes > 2:
            return view.stop()
        return view.player(self.unit * 2**self.lost)

    def settle(self, result: Result) -> None:
        self.lost = result.pick(won=0, push=self.lost, lost=self.lost + 1)


class Glutton(Bettor):
    """Squares its stake after every round that it does not lose: far past what any number type holds."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.power = 0

    def bet(self, view: View) -> Bets:
        return view.player(self.unit * 2**self.power) + view.banker(self.unit * 2 ** (70 if self.power == 7 else 0))

    def settle(self, result: Result) -> None:
        self.power = result.pick(won=min(70, 2 * self.power + 1), push=self.power, lost=0, idle=70 - self.power)


class Awkward(Bettor):
    """Asks for what tables do not take: side bets alone, too little, too much, odd sums, nothing; and now and then
    fits.
    """

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.turn = 0

    def reset(self, table: Table) -> None:
        self.turn = (self.turn + 3) % 11

    def bet(self, view: View) -> Bets | None:
        self.turn = (self.turn + 1) % 11  # bet() may have a memory as well
        side = view.on(list(view.table.bets)[-1], self.unit)
        odd = Money.of(self.unit.amount + 100)
        return [
            None,
            side,
            side + view.player(self.unit),
            view.tie(Money.of(100)) + side,
            view.banker(odd),
            view.banker(self.unit),
            view.player(0),
            view.player(self.unit * 1000) + view.banker(self.unit),
            view.tie(odd) + view.player(odd) + side,
            view.player(self.unit) + view.banker(self.unit * 2),
            Bets(()),
        ][self.turn]


@dataclass(frozen=True)
class Note:
    """A remembered round."""

    natural: bool
    cards: int


@dataclass
class Page:
    """Something that changes in place."""

    numbers: list[int] = field(default_factory=list)


class Bookkeeper(Bettor):
    """Keeps what it saw in every kind of container, and reads many fields of a round."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.naturals: deque[bool] = deque(maxlen=2)
        self.tally = {"pairs": 0, "won": [0, 0]}
        self.kinds: set[int] = set()
        self.note: Note | None = None
        self.page = Page()
        self.last: Outcome | str = "none"

    def shoe(self) -> None:
        self.kinds.clear()

    def bet(self, view: View) -> Bets | None:
        units = 1 + sum(self.naturals) + self.tally["pairs"] + len(self.page.numbers)  # type: ignore[operator]
        if self.note == Note(natural=True, cards=4):
            return view.tie(self.unit)
        if self.last is Outcome.BANKER and len(self.kinds) != 1:
            return view.banker(self.unit * units)
        return view.player(self.unit * units) if self.last != "none" else None

    def settle(self, result: Result) -> None:
        self.naturals.append(result.natural)
        self.tally["pairs"] = int(result.player_pair is not Pair.NONE)
        self.tally["won"] = [int(result.won), int(result.laid)]
        self.kinds.add(int(result.natural))
        self.note = Note(natural=result.natural, cards=4) if result.outcome is Outcome.TIE else None
        self.page.numbers = [*self.page.numbers, 1][-2:] if result.lost else []
        self.last = result.outcome


class WholeRound(Bettor):
    """Bets by the number of cards in the last round and by its margin."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.cards, self.margin = 0, 0

    def bet(self, view: View) -> Bets | None:
        return view.player(self.unit * self.margin) if self.cards == 5 else view.banker(self.unit)

    def settle(self, result: Result) -> None:
        self.cards, self.margin = result.round.cards, result.round.margin


class Lookalike(Bettor):
    """Remembers values that are equal to others of another kind."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.last: Outcome | str = "banker"
        self.size: Money | int = 1

    def bet(self, view: View) -> Bets:
        units = 2 if isinstance(self.size, Money) else 1
        return (view.player if self.last is Outcome.BANKER else view.banker)(self.unit * units)

    def settle(self, result: Result) -> None:
        self.last = result.outcome
        self.size = result.pick(won=1, push=self.size, lost=Money(1))


class Chaser(Bettor):
    """Lays what the last round lost, up to eight units; looks at the money itself."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.owed = Money(0)

    def bet(self, view: View) -> Bets:
        return view.banker(self.unit + self.owed)

    def settle(self, result: Result) -> None:
        self.owed = min(-result.net, self.unit * 8) if result.net < 0 else Money(0) if result.net else self.owed


class AfterTie(Selection):
    """Player after a tie until Banker wins, then Banker; sits out the first round of a shoe."""

    def start(self, table: Table) -> None:
        self.shoe()

    def shoe(self) -> None:
        self.now: str | None = None

    def side(self, view: View) -> str | None:
        return self.now

    def see(self, result: Result) -> None:
        if result.outcome is Outcome.TIE:
            self.now = "player"
        elif result.outcome is Outcome.BANKER or self.now is None:
            self.now = "banker"


class LongShot(Selection):
    """The last bet that the table lists (a side bet at most tables), every second round."""

    def start(self, table: Table) -> None:
        self.name = list(table.bets)[-1]
        self.on = False

    def side(self, view: View) -> str | None:
        return self.name if self.on else "player"

    def see(self, result: Result) -> None:
        self.on = not self.on


class HistoryReader(Selection):
    """Follows the result before last from the view: it has no table of its own."""

    def side(self, view: View) -> str | None:
        decisions = [outcome for outcome in view.history if outcome is not Outcome.TIE]
        return str(decisions[-2]) if len(decisions) > 1 else None


class LaneMix(LaneBettor):
    """Many sessions at once: a share of the bankroll, or bets drawn at random, or nothing in any lane."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.level = np.ones(self.lanes, dtype=np.int64)
        self.fresh = np.zeros(self.lanes, dtype=np.int64)

    def shoe_lanes(self, where: NDArray[np.bool_]) -> None:
        self.fresh[where] += 1

    def reset_lanes(self, where: NDArray[np.bool_]) -> None:
        self.level[where] = 1

    def bet(self, view: LaneView) -> LaneBets | None:  # type: ignore[override]
        roll = (view.random() * 2**20).astype(np.int64)
        unit = self.unit.amount
        eager = (roll % 3 == 0) & (view.shoe_round > 1)
        if not eager.any():
            return None
        bets = view.player(eager * unit * self.level)
        bets += view.player((eager & (roll % 4 == 0)) * unit)  # twice on one bet
        spots = np.where(roll % 5 < 2, view.spot("tie"), -1).astype(np.int16)
        bets += view.on(spots, eager * (view.bankroll // 20 // unit * unit))
        if (self.fresh > 1).any():
            bets += view.banker((eager & (self.fresh > 1)) * unit * (1 + view.shoe % 2))
        if (self.level > 1).any():  # fewer bets after a reset
            bets += view.on("banker_pair", (eager & (self.level > 1)) * unit)
        return bets

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        self.level = np.minimum(result.pick(won=1, push=self.level, lost=self.level * 2), 2**40)


class LaneCounter(LaneBettor):
    """Bets Tie where few cards are left."""

    unit: Money = Money(10)

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        return view.tie((view.unseen.sum(axis=0) < 60) * self.unit.amount)


class LaneMemory(LaneBettor):
    """Keeps the arrays that it was shown, and compares them with later ones."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        nothing = np.zeros(self.lanes, dtype=np.int64)
        self.nets, self.stakes, self.money, self.shoes = [nothing, nothing], nothing, nothing, nothing

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        units = 1 + (self.nets[0] < 0) + 2 * (self.stakes > 0) + 4 * (view.bankroll > self.money)
        self.money = view.bankroll
        units += 8 * (view.shoe > self.shoes)
        self.shoes = view.shoe
        return view.player(units * self.unit.amount)

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        self.nets = [self.nets[1], result.net]
        self.stakes = result.staked


PLAIN_ONLY = [Majority, Share, Dice, Counter]
WALKED = [Spread, Quitter, Glutton, Awkward, Bookkeeper, WholeRound, Lookalike, Chaser]
SLOW = [Bookkeeper, WholeRound]
VECTORISED = [LaneMix, LaneCounter, LaneMemory]


class TestUsersBettors:
    """Systems as people write them, plain and vectorised, with and without a finite state."""

    @pytest.mark.parametrize("system", [*PLAIN_ONLY, *(w for w in WALKED if w not in SLOW), *VECTORISED])
    @often(15)
    @given(data=st.data())
    def test_bettor(self, drawn: ModuleType, system: type[Bettor], data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        assume(system is not LaneMix or "banker_pair" in game.table.bets)
        agree(drawn, system(unit=data.draw(drawn.units_at(game.table))), game)

    @pytest.mark.parametrize("system", SLOW)
    @often(5)
    @given(data=st.data())
    def test_bettor_of_many_states(self, drawn: ModuleType, system: type[Bettor], data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        agree(drawn, system(unit=data.draw(drawn.units_at(game.table))), game)

    @pytest.mark.parametrize("selection", [AfterTie, LongShot, HistoryReader])
    @often(15)
    @given(data=st.data())
    def test_selection(self, drawn: ModuleType, selection: type[Selection], data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        size = REGISTRY.progressions[data.draw(st.sampled_from(["fibonacci", "labouchere", "oscar"]))].item
        size = size(unit=data.draw(drawn.units_at(game.table)))
        lanes = isinstance(size, Labouchere | OscarsGrind)
        agree(drawn, LaneCombined(selection(), size) if lanes else Combined(selection(), size), game)

    @pytest.mark.parametrize(
        ("system", "ways"),
        [(system, {"plain"}) for system in PLAIN_ONLY]
        + [(system, {"table", "plain"}) for system in WALKED]
        + [(system, {"lanes", "plain"}) for system in VECTORISED],
    )
    def test_open_ways(self, drawn: ModuleType, system: type[Bettor], ways: set[str]) -> None:
        game = fixed_game(drawn, policy="reset")
        assert set(agree(drawn, system(unit=10), game)) == ways


def fixed_game(drawn: ModuleType, *, policy: str, rules: str = "commission", **settings: Any) -> Any:
    """Four sessions of 300 rounds of short shoes at a table from 10 to 500."""
    table = BUILT_IN_TABLES[rules].override({"decks": 2, "minimum": 10, "maximum": 500, **settings})
    layout = Layout(table)
    terms = Terms(
        layout=layout,
        bankroll=1000 * UNITS,
        stop_win=None,
        stop_loss=None,
        checkpoints=np.array([0, 100, 300]),
        traced=4,
        policy=policy,
        max_rounds=300,
    )
    rounds = SimulatedSource(table.shoe, seed=3).rounds(0, 4, horizon=Horizon(rounds=300), unseen=True)
    return drawn.Game(terms, rounds, 0, 3)


# The same system written twice: for one session on paper, and for many at once.


class PaperLine(Progression):
    """Labouchere as a list of numbers."""

    line: tuple[int, ...] = (1, 2, 3, 4)

    def start(self, table: Table) -> None:
        self.numbers = [self.unit * number for number in self.line]

    def stake(self, view: View) -> Money:
        return self.numbers[0] + self.numbers[-1] if len(self.numbers) > 1 else self.numbers[0]

    def settle(self, result: Result) -> None:
        if result.lost:
            self.numbers = [*self.numbers, result.staked]
        elif result.won:
            self.numbers = self.numbers[1:-1] or [self.unit * number for number in self.line]


class PaperGrind(Progression):
    """Oscar's grind with a balance."""

    def start(self, table: Table) -> None:
        self.size, self.balance = self.unit, Money(0)

    def stake(self, view: View) -> Money:
        return self.size

    def settle(self, result: Result) -> None:
        self.balance += result.net
        if self.balance >= self.unit:
            self.start(None)  # type: ignore[arg-type]
        elif result.won:
            needed = 1
            while self.balance + self.unit * needed < self.unit:
                needed += 1
            self.size = min(self.size + self.unit, self.unit * needed)


class PaperMix(Bettor):
    """`LaneMix` for one session."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.level, self.fresh = 1, 0

    def shoe(self) -> None:
        self.fresh += 1

    def reset(self, table: Table) -> None:
        self.level = 1

    def bet(self, view: View) -> Bets | None:
        roll = int(view.random() * 2**20)
        if roll % 3 or view.shoe_round == 1:
            return None
        bets = view.player(self.unit * self.level)
        if roll % 4 == 0:
            bets += view.player(self.unit)
        if roll % 5 < 2:
            bets += view.tie(self.unit * (view.bankroll // 20 // self.unit))
        if self.fresh > 1:
            bets += view.banker(self.unit * (1 + view.shoe % 2))
        if self.level > 1:
            bets += view.on("banker_pair", self.unit)
        return bets

    def settle(self, result: Result) -> None:
        self.level = min(result.pick(won=1, push=self.level, lost=self.level * 2), 2**40)


class PaperMemory(Bettor):
    """`LaneMemory` for one session."""

    unit: Money = Money(10)

    def start(self, table: Table) -> None:
        self.nets, self.staked, self.money, self.shoes = [0, 0], 0, Money(0), 0

    def bet(self, view: View) -> Bets:
        units = 1 + (self.nets[0] < 0) + 2 * (self.staked > 0) + 4 * (view.bankroll > self.money)
        units += 8 * (view.shoe > self.shoes)
        self.money, self.shoes = view.bankroll, view.shoe
        return view.player(self.unit * units)

    def settle(self, result: Result) -> None:
        self.nets = [self.nets[1], result.net.amount]
        self.staked = result.staked.amount


class PaperLead(Selection):
    """The side that is ahead in the shoe; the last bet that the table lists, or nothing, when level."""

    level: str = "nothing"

    def shoe(self) -> None:
        self.lead = 0

    def side(self, view: View) -> str | None:
        if self.lead:
            return "player" if self.lead > 0 else "banker"
        return list(view.table.bets)[-1] if self.level == "last" and view.random() < 0.5 else None

    def see(self, result: Result) -> None:
        self.lead += {"player": 1, "banker": -1, "tie": 0}[result.outcome]


class LaneLead(LaneSelection):
    """`PaperLead` for many sessions."""

    level: str = "nothing"

    def start(self, table: Table) -> None:
        self.lead = np.zeros(self.lanes, dtype=np.int64)

    def shoe_lanes(self, where: NDArray[np.bool_]) -> None:
        self.lead[where] = 0

    def can_name(self) -> tuple[str, ...] | None:
        return ("banker", "player") if self.level == "nothing" else None

    def side(self, view: LaneView) -> NDArray[np.int64]:  # type: ignore[override]
        last = view.spot(list(view.table.bets)[-1])
        level = np.where(view.random() < 0.5, last, -1) if self.level == "last" else -1
        spots = [view.spot("player"), view.spot("banker")]
        return np.select([self.lead > 0, self.lead < 0], spots, level)

    def see(self, result: LaneResult) -> None:  # type: ignore[override]
        self.lead += np.select([result.outcome == 0, result.outcome == 1], [1, -1], 0)


class PaperRoads(Selection):
    """The selections on derived roads, for one session, from the view's own roads."""

    roads: tuple[str, ...] = ()
    needed: int = 1
    colour: str = "red"
    ties: str = "left-out"

    def side(self, view: View) -> str | None:
        now = view.roads
        if any(now.ask(road, "player") is None for road in self.roads):
            return None
        if self.ties == "sit-out" and view.history[-1] is Outcome.TIE:
            return None
        votes = {side: sum(now.ask(road, side) == self.colour for road in self.roads) for side in ("banker", "player")}
        return next((side for side, count in votes.items() if count >= self.needed), None)


class PaperMood(Progression):
    """Forgetful: naming a stake changes it, whether or not it is laid; a push doubles it."""

    def start(self, table: Table) -> None:
        self.size = 1

    def stake(self, view: View) -> Money:
        self.size = self.size % 3 + 1
        return self.unit * self.size

    def settle(self, result: Result) -> None:
        self.size = result.pick(won=1, push=min(2 * self.size, 8), lost=self.size)


class TestWrittenTwice:
    @pytest.mark.parametrize("progression", ["mood", *sorted(REGISTRY.progressions)])
    @often(8)
    @given(data=st.data())
    def test_selection(self, drawn: ModuleType, progression: str, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        size = PaperMood if progression == "mood" else REGISTRY.progressions[progression].item
        size = size(**data.draw(drawn.parameters(size, game.table)))
        level = data.draw(st.sampled_from(["nothing", "last"]))
        played = agree(drawn, LaneCombined(LaneLead(level=level), size), game)
        assert "table" not in played
        drawn.same(played["plain"], drawn.play(combined(PaperLead(level=level), size), game, way="plain"))

    @pytest.mark.parametrize("selection", ["derived-road", "three-roads"])
    @often(15)
    @given(data=st.data())
    def test_derived_roads(self, drawn: ModuleType, selection: str, data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        size = REGISTRY.progressions[data.draw(st.sampled_from(["martingale", "labouchere", "paroli"]))].item
        size = size(unit=data.draw(drawn.units_at(game.table)))
        lanes = REGISTRY.selections[selection].item
        lanes = lanes(**data.draw(drawn.parameters(lanes, game.table)))
        roads, needed, colour = lanes.wanted()
        paper = PaperRoads(roads=tuple(map(str, roads)), needed=needed, colour=colour, ties=lanes.ties)
        played = agree(drawn, combined(lanes, size), game)
        drawn.same(played["plain"], drawn.play(combined(paper, size), game, way="plain"))

    @pytest.mark.parametrize("policy", ["reset"])
    def test_a_vectorised_selection_is_played_by_lanes_with_any_progression(
        self, drawn: ModuleType, policy: str
    ) -> None:
        game = fixed_game(drawn, policy=policy)
        for size in (PaperMood, *(entry.item for entry in REGISTRY.progressions.values())):
            played = agree(drawn, combined(LaneLead(), size(unit=10)), game)
            assert set(played) == {"lanes", "plain"}, size

    @pytest.mark.parametrize("progression", ["parlay", "commission-martingale"])
    @pytest.mark.parametrize("level", ["nothing", "last"])
    @often(6)
    @given(data=st.data())
    def test_stakes_that_depend_on_the_bet_or_on_what_it_won(
        self, drawn: ModuleType, progression: str, level: str, data: st.DataObject
    ) -> None:
        game = data.draw(drawn.settings_of_play(policy=data.draw(st.sampled_from(["reset", "stop", "skip"]))))
        size = REGISTRY.progressions[progression].item
        size = size(**data.draw(drawn.parameters(size, game.table)))
        played = agree(drawn, LaneCombined(LaneLead(level=level), size), game)
        drawn.same(played["plain"], drawn.play(combined(PaperLead(level=level), size), game, way="plain"))

    @pytest.mark.parametrize("unit", [10, 70, 200])
    def test_a_lane_that_is_not_asked_again_keeps_its_random_numbers(self, drawn: ModuleType, unit: int) -> None:
        game = fixed_game(drawn, policy="reset")
        size = PaperMood(unit=unit)
        played = agree(drawn, LaneCombined(LaneLead(level="last"), size), game)
        assert "lanes" in played
        drawn.same(played["plain"], drawn.play(combined(PaperLead(level="last"), size), game, way="plain"))

    def test_a_selection_names_only_the_bets_that_it_said(self, drawn: ModuleType) -> None:
        class Sly(LaneLead):
            def can_name(self) -> tuple[str, ...]:
                return ("player",)

        game = fixed_game(drawn, policy="stop")
        sly = combined(Sly(), REGISTRY.progressions["parlay"].item(unit=10))
        player = player_for(sly, game.terms, name="x", seed=1, way="lanes")
        with pytest.raises(BettorError, match="'banker', which it did not say"):
            player.play(game.rounds, first=0)

    def test_why_a_progression_has_no_table(self, drawn: ModuleType) -> None:
        class Share(Progression):
            def stake(self, view: View) -> Money:
                return (view.bankroll // 100).down_to(10)

        game = fixed_game(drawn, policy="stop")
        chosen = choose(combined(LaneLead(), Share(unit=10)), game.terms, name="x", seed=1, trial=game.rounds)
        assert chosen.player.way == "plain"
        assert "its bankroll" in chosen.why

    @pytest.mark.parametrize("paper", [PaperLine, PaperGrind])
    @often(30)
    @given(data=st.data())
    def test_progression(self, drawn: ModuleType, paper: type[Progression], data: st.DataObject) -> None:
        game = data.draw(drawn.settings_of_play())
        unit = data.draw(drawn.units_at(game.table))
        side = data.draw(drawn.selections(game.table))
        lanes = {PaperLine: Labouchere, PaperGrind: OscarsGrind}[paper]
        by_lanes = drawn.play(LaneCombined(side, lanes(unit=unit)), game, way="lanes")
        assume(by_lanes is not None)
        drawn.same(by_lanes, drawn.play(combined(side, paper(unit=unit)), game, way="plain"))

    @pytest.mark.parametrize(("lanes", "paper"), [(LaneMix, PaperMix), (LaneMemory, PaperMemory)])
    @often(30)
    @given(data=st.data())
    def test_whole_bettor(
        self, drawn: ModuleType, lanes: type[LaneBettor], paper: type[Bettor], data: st.DataObject
    ) -> None:
        game = data.draw(drawn.settings_of_play())
        assume("banker_pair" in game.table.bets)
        assume(lanes is LaneMix or game.terms.policy != "reset")  # the other one remembers what it was asked
        unit = data.draw(drawn.units_at(game.table))
        by_lanes = drawn.play(lanes(unit=unit), game, way="lanes")
        drawn.same(by_lanes, drawn.play(paper(unit=unit), game, way="plain"))


# Bettors that a faster way would play wrongly: they must be found out.


class HiddenMemory(Bettor):
    """Counts rounds in an attribute of the class, which no copy of the bettor has."""

    memory: ClassVar[list[int]] = [0]

    def start(self, table: Table) -> None:
        self.memory[0] = 0

    def bet(self, view: View) -> Bets:
        return view.banker(10 * (1 + self.memory[0] % 3))

    def settle(self, result: Result) -> None:
        self.memory[0] += 1


class TwoNames(Bettor):
    """Calls one list by two names; so does a copy of it."""

    def start(self, table: Table) -> None:
        self.seen: list[str] = []
        self.recent = self.seen

    def bet(self, view: View) -> Bets:
        return view.player(10 * (1 + len(self.recent)))

    def settle(self, result: Result) -> None:
        self.seen.append(str(result.outcome))
        if len(self.seen) > 3:
            self.seen.clear()


class Neighbour(LaneBettor):
    """Looks at what other sessions won."""

    def bet(self, view: LaneView) -> LaneBets:  # type: ignore[override]
        most = int(view.bankroll.max())
        return view.banker(np.where(view.bankroll == most, 20, 10) * UNITS)


class Peeker(Bettor):
    """Reads the rounds so far by the back door."""

    def bet(self, view: View) -> Bets:
        return view.player(10 + len(view._past) % 4)


class TestDishonestBettors:
    @pytest.mark.parametrize("system", [HiddenMemory, Neighbour, Peeker])
    def test_is_found_out_and_played_plainly(self, drawn: ModuleType, system: type[Bettor]) -> None:
        game = fixed_game(drawn, policy="reset")
        chosen = choose(system(), game.terms, name="x", seed=1, trial=game.rounds)
        assert chosen.player.way == "plain"
        assert "it would differ: session" in chosen.why

    def test_a_win_that_the_commission_takes_whole(self, drawn: ModuleType) -> None:
        """A cut bet can end otherwise than the whole one: the wins of both are not one class of round."""
        game = fixed_game(drawn, policy="cap", minimum=1, commission_rounding="up", commission_coin=5)
        script = ScriptedSource("BBBBBBPPBB").rounds(0, 1, horizon=Horizon(rounds=10))
        game = dataclasses.replace(game, rounds=script, terms=dataclasses.replace(game.terms, bankroll=16 * UNITS))
        bettor = Combined(Template(pattern="PPPPPBPPPP"), REGISTRY.progressions["dalembert"].item(unit=1))
        ledger, trace = agree(drawn, bettor, game)["plain"]
        # Five lost leave 1; the win of 1 on Banker goes to the house and is a push; 1 and 2 are won; 4 of 4 are lost.
        assert [bet.removesuffix(".00").split()[-1] for bet in trace.bets] == [*list("12345112"), "4"]
        assert (ledger.pushes.tolist(), ledger.wins.tolist(), ENDINGS[ledger.ended_by[0]]) == ([1], [2], "bust")

    @pytest.mark.parametrize("system", [Quitter, TwoNames])
    def test_an_honest_one_is_not(self, drawn: ModuleType, system: type[Bettor]) -> None:
        game = fixed_game(drawn, policy="reset")
        chosen = choose(system(), game.terms, name="x", seed=1, trial=game.rounds)
        assert (chosen.player.way, chosen.why) == ("table", "")
