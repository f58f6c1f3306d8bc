"""Random games: a table, rounds, money and rules to stop; bettors with random parameters; every way to play them."""

from __future__ import annotations

import dataclasses
import types
import typing
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from hypothesis import strategies as st

from bacclab.bettors.base import Bettor, Selection
from bacclab.bettors.params import Param, parameters_of
from bacclab.bettors.selections.following import Following
from bacclab.bettors.slip import POLICIES
from bacclab.bettors.table import NotTabular
from bacclab.errors import BacclabError
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import MAX_AMOUNT, Money
from bacclab.plugins.loader import load_plugins
from bacclab.shoes.dealer import SimulatedSource, most_rounds
from bacclab.shoes.source import Horizon, Rounds
from bacclab.tournament.ledger import Ledger, Trace
from bacclab.tournament.make import combined
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import WAYS, player_for

CENT = 100
UNITS = 10_000
MOST_ROUNDS = 70
REGISTRY = load_plugins().registry

Draw = typing.Callable[[st.SearchStrategy[Any]], Any]
Done = tuple[Ledger, Trace]


@dataclass(frozen=True)
class Game:
    """Everything but the bettor."""

    terms: Terms
    rounds: Rounds
    first: int
    seed: int

    def __repr__(self) -> str:
        terms, rules = self.terms, self.table.settings()
        rules["odds"] = {bet: lines for bet, lines in rules["odds"].items() if bet in ("banker", "tie")}  # type: ignore[attr-defined]
        money = f"bankroll={in_units(terms.bankroll)}, win={terms.stop_win}, loss={terms.stop_loss}, {terms.policy}"
        dealt = f"seed={self.seed}, first={self.first}, lengths={self.rounds.lengths.tolist()} of {terms.max_rounds}"
        return f"Game({self.table.name} {rules}\n{money}, {dealt})"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    @property
    def table(self) -> Table:
        return self.terms.table


def _amounts(low: int, high: int, step: int = CENT) -> st.SearchStrategy[int]:
    return st.integers(-(-low // step), max(high // step, -(-low // step))).map(lambda n: n * step)


def in_units(amount: int) -> str:
    return str(Money.of(amount))


@st.composite
def shoes(draw: Draw, *, decks: int | None) -> dict[str, Any]:
    """Shoe rules, many of them with a few rounds a shoe only."""
    decks = decks or draw(st.sampled_from([1, 2, 6, 8, 1]))
    burn = draw(st.sampled_from(["none", "one", "turned"]))
    most = decks * 52 - {"none": 0, "one": 1, "turned": 11}[burn] - 6
    cut = draw(st.one_of(st.integers(0, min(most, 20)), st.integers(max(0, most - 60), most)))
    return {
        "decks": decks,
        "burn": burn,
        "cut_card": draw(st.sampled_from([cut, [max(0, cut - 9), cut]])),
        "rounds_after_cut": draw(st.sampled_from([0, 1])),
        "cut_card_first_out": draw(st.sampled_from(["last", "counts"])),
        "deal_order": draw(st.sampled_from(["in-turn", "two-by-two"])),
    }


@st.composite
def limits(draw: Draw, *, tight: bool) -> dict[str, Any]:
    increment = draw(st.sampled_from([CENT, 5 * CENT, UNITS // 2, UNITS, 5 * UNITS, 7 * UNITS]))
    minimum = increment * draw(st.integers(1, 4 if tight else 20))
    reach = draw(st.sampled_from([10, 60, 500, 3, 1]))
    maximum = draw(st.one_of(st.just("none"), _amounts(minimum, minimum * reach).map(in_units)))
    return {"minimum": in_units(minimum), "maximum": maximum, "increment": in_units(increment)}


@st.composite
def tables(draw: Draw, *, rules: str | None = None, decks: int | None = None) -> Table:
    base = rules or draw(st.sampled_from(["commission", "commission", "no-commission", "ez", "commission-side-bets"]))
    settings: dict[str, Any] = {**draw(shoes(decks=decks)), **draw(limits(tight=False))}
    if BUILT_IN_TABLES[base].commission:
        settings["commission"] = draw(st.sampled_from(["5%", "5%", "4%", "0%", "25%"]))
        settings["commission_rounding"] = draw(st.sampled_from(["exact", "up", "down", "nearest", "half-up"]))
        settings["commission_coin"] = draw(st.sampled_from(["0.01", "0.05", "0.25", "0.50", "1", "5", "0.07"]))
    settings["side_bets_need_main_bet"] = draw(st.booleans())
    settings["limits"] = {kind: draw(limits(tight=True)) for kind in ("side", "tie") if draw(st.booleans())}
    return BUILT_IN_TABLES[base].override(settings)


@st.composite
def rounds_of(draw: Draw, table: Table, *, seed: int) -> tuple[Rounds, int, int]:
    """Dealt rounds, the number of their first session, and the most rounds of a session."""
    source = SimulatedSource(table.shoe, seed=seed)
    sessions, first = draw(st.sampled_from([3, 5, 1])), draw(st.sampled_from([0, 0, 17]))
    horizon = Horizon(rounds=draw(st.sampled_from([20, MOST_ROUNDS, 45, MOST_ROUNDS, 7, 2, 1])))
    if (a_shoe := most_rounds(table.shoe)) <= MOST_ROUNDS and draw(st.booleans()):
        horizon = Horizon(shoes=draw(st.integers(1, max(1, MOST_ROUNDS // a_shoe))))
    dealt = source.rounds(first, sessions, horizon=horizon, unseen=True)
    if draw(st.sampled_from([True, True, False])):
        return dealt, first, source.max_rounds(horizon)
    # As if recorded: sessions that end early because nothing is left.
    lengths = np.array([int(length) - draw(st.integers(0, int(length))) for length in dealt.lengths], np.int32)
    ran_out = lengths < dealt.lengths
    codes = np.where(np.arange(dealt.codes.shape[1]) < lengths[:, None], dealt.codes, 0).astype(np.uint16)
    return (
        Rounds(codes=codes, lengths=lengths, ran_out=ran_out, unseen=dealt.unseen),
        first,
        source.max_rounds(horizon),
    )


@st.composite
def settings_of_play(
    draw: Draw, *, policy: str | None = None, rules: str | None = None, decks: int | None = None
) -> Game:
    """A game; every session is traced and there are a few checkpoints."""
    table, seed = draw(tables(rules=rules, decks=decks)), draw(st.integers(0, 2**32))
    rounds, first, most = draw(rounds_of(table, seed=seed))
    layout, minimum = Layout(table), table.lowest_minimum
    times = draw(st.sampled_from([30, 300, 30, 300, 8, 3000, 1]))
    bankroll = draw(st.one_of(_amounts(times * minimum // 2, 2 * times * minimum), st.just(times * minimum)))
    bankroll = draw(st.sampled_from([*[max(bankroll, CENT)] * 11, MAX_AMOUNT // 2]))
    stop = st.one_of(st.none(), st.none(), _amounts(minimum, 20 * minimum), _amounts(CENT, 400 * minimum))
    places = {0, most} | {draw(st.integers(0, most)) for _ in range(4)}
    terms = Terms(
        layout=layout,
        bankroll=bankroll,
        stop_win=draw(stop),
        stop_loss=draw(stop),
        checkpoints=np.array(sorted(places), np.int64),
        traced=first + rounds.codes.shape[0],
        policy=policy or draw(st.sampled_from(POLICIES)),
        max_rounds=most,
    )
    return Game(terms, rounds, first, seed)


# Parameters at random, from their declarations.


def units_at(table: Table) -> st.SearchStrategy[Money]:
    """Units around the minimum: often a fitting one, sometimes one that the limits refuse."""
    low, step = table.limits.minimum, table.limits.increment
    fitting = st.sampled_from([0, 0, 1, 2, 5]).map(lambda n: low + n * step)
    odd = _amounts(CENT, 3 * low)
    return st.one_of(fitting, fitting, fitting, fitting, odd).map(Money.of)


# Parameters whose declaration does not say all: rows of sides, and what makes tables of states large.
WRITTEN: dict[str, st.SearchStrategy[Any]] = {
    "pattern": st.text("PB-", min_size=1, max_size=7),
    "books": st.lists(st.text("PB", min_size=1, max_size=9), min_size=1, max_size=3),
    "lengths": st.lists(st.integers(1, 2), min_size=1, max_size=3),
    "longest": st.integers(2, 3),
    "cards": st.sampled_from([6, 40, 90]),
    "of": st.just("another"),
    "tags": st.one_of(*(st.lists(st.integers(-3, 4), min_size=n, max_size=n) for n in (10, 13))),
    "threshold": st.sampled_from([-3.0, 0.0, 0.5, 4.0]),
    "banker_from": st.sampled_from([0.0, 0.5, 2.0]),
    "player_from": st.sampled_from([-0.5, -2.0]),
    "weights": st.lists(st.integers(0, 30), min_size=2, max_size=10),
}


@st.composite
def _states(draw: Draw) -> list[dict[str, Any]]:
    """Rows of a table of states, each leading to any of them."""
    names = [str(n) for n in range(draw(st.integers(1, 4)))]
    following = st.sampled_from(names)
    return [
        {"state": name, "stake": draw(st.integers(0, 5)), "won": draw(following),
         "push": draw(st.sampled_from(["", *names])),
         "lost": draw(following)}
        for name in names
    ]  # fmt: skip


@st.composite
def _states(draw: Draw) -> list[dict[str, Any]]:
    """Rows of a table of states, each leading to any of them."""
    names = [str(n) for n in range(draw(st.integers(1, 4)))]
    following, pushed, stake = st.sampled_from(names), st.sampled_from(["", *names]), st.integers(0, 5)
    columns = {"stake": stake, "won": following, "push": pushed, "lost": following}
    return [{"state": name, **draw(st.fixed_dictionaries(columns))} for name in names]


def _value(annotation: Any, param: Param, name: str, default: Any, table: Table) -> st.SearchStrategy[Any]:
    if name in ("rows", "csv"):
        return _states() if name == "rows" else st.none()
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if name in WRITTEN:
        return WRITTEN[name]
    if name == "bets" and origin is tuple:
        return st.lists(st.sampled_from(sorted(table.bets)), min_size=1, max_size=2)
    if origin is Annotated:
        param = next((note for note in arguments[1:] if isinstance(note, Param)), param)
        return _value(arguments[0], param, name, default, table)
    if origin in (types.UnionType, typing.Union):
        inner = next(a for a in arguments if a is not type(None))
        return st.one_of(st.none(), _value(inner, param, name, default, table))
    if origin is Literal:
        pairs = [a for a in arguments if a.endswith(("_pair", "_pairs"))]
        offered = [a for a in pairs if a in table.bets or (a == "both_pairs" and "player_pair" in table.bets)]
        return st.sampled_from([a for a in arguments if a not in pairs or a in offered] or list(arguments))
    if origin is tuple:
        return st.lists(_value(arguments[0], Param(), name, None, table), min_size=1, max_size=4)
    if annotation is Money:
        lowest = Money(0) if param.ge == 0 else Money.of(CENT)
        return st.one_of(units_at(table), units_at(table), units_at(table), st.just(lowest))
    if annotation is bool:
        return st.booleans()
    if annotation is int:
        low = int(param.ge if param.ge is not None else param.gt + 1 if param.gt is not None else 0)
        return st.integers(low, min(low + 5, int(param.le or low + 5)))
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        hints = typing.get_type_hints(annotation, include_extras=True)
        return st.fixed_dictionaries({key: _value(hint, Param(), key, None, table) for key, hint in hints.items()})
    if name == "on":
        return st.sampled_from(["player", "banker", *sorted(table.bets)])
    return st.just(default)


def parameters(cls: type, table: Table) -> st.SearchStrategy[dict[str, Any]]:
    """Valid values for all parameters of a bettor, a selection or a progression."""
    declared = parameters_of(cls)
    return st.fixed_dictionaries({p.name: _value(p.annotation, p.param, p.name, p.default, table) for p in declared})


@st.composite
def built_in(
    draw: Draw,
    table: Table,
    *,
    bettor: str | None = None,
    selection: str | None = None,
    progression: str | None = None,
) -> Bettor:
    """A registered bettor, or a registered progression with any registered selection."""
    if bettor is not None:
        cls = REGISTRY.bettors[bettor].item
        whole: Bettor = cls(**draw(parameters(cls, table)))
        return whole
    size = REGISTRY.progressions[progression or draw(st.sampled_from(sorted(REGISTRY.progressions)))].item
    return combined(draw(selections(table, name=selection)), size(**draw(parameters(size, table))))


FAST_TO_FOLLOW = (
    "always",
    "follow-last",
    "streak",
    "template",
    "three-roads",
    "tie-chaser",
    "two-two",
    "effects-count",
)


@st.composite
def selections(draw: Draw, table: Table, *, name: str | None = None) -> Selection:
    """A registered selection; one that follows others has some to follow."""
    cls = REGISTRY.selections[name or draw(st.sampled_from(sorted(REGISTRY.selections)))].item
    side: Selection = cls(**draw(parameters(cls, table)))
    if not isinstance(side, Following):
        return side
    followed = [
        draw(selections(table, name=draw(st.sampled_from(FAST_TO_FOLLOW)))) for _ in range(draw(st.integers(1, 2)))
    ]
    return side.playing(followed)


@st.composite
def followers(draw: Draw, table: Table) -> Bettor:
    """A follower of any registered bettors and selections, at flat stakes."""
    cls = REGISTRY.selections[draw(st.sampled_from(["copy", "oppose"]))].item
    leader = st.one_of(
        st.sampled_from(FAST_TO_FOLLOW).flatmap(lambda name: selections(table, name=name)),
        st.sampled_from(sorted(REGISTRY.bettors)).flatmap(lambda b: built_in(table, bettor=b)),
    )
    followed = draw(st.lists(leader, min_size=1, max_size=2))
    side = cls(**draw(parameters(cls, table))).playing(followed)
    return combined(side, REGISTRY.progressions["flat"].item(unit=draw(units_at(table))))


# Playing.


def play(bettor: Bettor, game: Game, *, way: str) -> Done | type[BacclabError] | None:
    """What comes of it: ledger and trace, or the kind of error; None where the way is not open."""
    try:
        player = player_for(bettor, game.terms, name="drawn", seed=game.seed, way=way)
        return player.play(game.rounds, first=game.first)
    except NotTabular:
        return None
    except BacclabError as error:
        return type(error)


def ways_of(bettor: Bettor, game: Game) -> dict[str, Done | type[BacclabError]]:
    """Every open way, with what comes of it."""
    played = {way: play(bettor, game, way=way) for way in WAYS}
    return {way: done for way, done in played.items() if done is not None}


def same(one: Done | type[BacclabError], other: Done | type[BacclabError]) -> None:
    """Assert that two ways of playing came to the same, bit for bit (expectations to 1e-9)."""
    if isinstance(one, type) or isinstance(other, type):
        assert one is other
        return
    (a, trace_a), (b, trace_b) = one, other
    for column in ("rounds", "shoes", "ended_by", "refused", "figures", "bankrolls"):
        x, y = getattr(a, column), getattr(b, column)
        assert x.dtype == y.dtype, column
        np.testing.assert_array_equal(x, y, err_msg=column)
    assert a.start == b.start
    scale = 1 + np.abs(a.expected) + 1e-4 * a.staked / UNITS
    assert (np.abs(a.expected - b.expected) <= 1e-9 * scale).all()
    assert trace_a.bets == trace_b.bets
    for column in ("session", "round", "shoe", "outcome", "staked", "net", "commission", "bankroll"):
        np.testing.assert_array_equal(getattr(trace_a, column), getattr(trace_b, column), err_msg=column)
