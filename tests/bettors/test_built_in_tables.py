"""Built-ins with a finite state can be walked into a table, and the table is as small as the rule."""

from __future__ import annotations

import pytest

from bacclab.bettors.base import Combined
from bacclab.bettors.builtin import BUILT_IN_BETTORS, BUILT_IN_PROGRESSIONS, BUILT_IN_SELECTIONS
from bacclab.bettors.params import parameters_of
from bacclab.bettors.progressions.chips import CommissionMartingale, Parlay
from bacclab.bettors.progressions.classic import (
    ContraDAlembert,
    DAlembert,
    Fibonacci,
    Flat,
    GrandMartingale,
    Martingale,
    MiniMartingale,
    OneThreeTwoSix,
    Paroli,
)
from bacclab.bettors.progressions.ladders import Ascot, Guetting, Ladder, OneThreeTwoFour, ReverseMartingale
from bacclab.bettors.progressions.series import Hollandish, ThirtyOne, Whittaker
from bacclab.bettors.selections.recent import (
    Always,
    FollowLast,
    OppositeLast,
    OppositeTimeBeforeLast,
    Template,
    TimeBeforeLast,
)
from bacclab.bettors.selections.trend import Chop, Streak
from bacclab.bettors.walk import walk
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.bettors.whole.pairs import PairHunter
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES

EVERYTHING = (*BUILT_IN_BETTORS, *BUILT_IN_SELECTIONS, *BUILT_IN_PROGRESSIONS)


def states_of(bettor, *, rounds: int = 500, policy: str = "reset") -> int:
    table = BUILT_IN_TABLES["no-commission"].override({"minimum": 1, "maximum": 100_000})
    return walk(bettor, table, Layout(table), policy=policy, rounds=rounds).states


@pytest.mark.parametrize(
    ("selection", "states"),
    [
        (Always(), 1),
        (Template(pattern="PBPPBB"), 6),
        (Template(pattern="PBPPBB", repeat=False), 7),
        (FollowLast(), 3),
        (OppositeLast(), 3),
        (FollowLast(ties="sit-out"), 3 * 2),
        (FollowLast(ties="break"), 3),
        # Nothing, one decision, two decisions.
        (TimeBeforeLast(), 1 + 2 + 4),
        (OppositeTimeBeforeLast(), 1 + 2 + 4),
        # Nothing; for each side a run of 1 to r.
        (Streak(run=4), 1 + 2 * 4),
        (Chop(results=3), 1 + 2 * 3),
    ],
    ids=repr,
)
def test_selections(selection, states):
    assert states_of(Combined(selection, Flat(unit=1))) == states


@pytest.mark.parametrize(
    ("progression", "states"),
    [
        (Flat(unit=1), 1),
        (Martingale(unit=1, steps=7), 7),
        (Martingale(unit=1, steps=7, at_end="stop"), 8),
        (GrandMartingale(unit=1, steps=5), 5),
        (Paroli(unit=1), 3),
        (OneThreeTwoSix(unit=1), 4),
        (OneThreeTwoSix(unit=1, stakes=(1, 1, 2, 2, 3)), 5),
        (MiniMartingale(unit=1), 4),
        (ReverseMartingale(unit=1, cap=4), 4),
        (OneThreeTwoFour(unit=1), 4),
        (Ladder(unit=1, up_on="loss", at_end="stop"), 4 + 1),
        (Ascot(unit=1), 7),
        # Each of nine bets, and doubled after a win.
        (ThirtyOne(unit=1), 9 * 2),
        # Each of ten sizes, and after its first win.
        (Guetting(unit=1), 10 * 2),
    ],
    ids=repr,
)
def test_progressions(progression, states):
    assert states_of(Combined(Always(), progression)) == states


@pytest.mark.parametrize(
    "system",
    [
        Martingale,
        GrandMartingale,
        DAlembert,
        ContraDAlembert,
        Fibonacci,
        Whittaker,
        ReverseMartingale,
        CommissionMartingale,
    ],
)
@pytest.mark.parametrize("policy", ["cap", "reset", "stop", "skip"])
def test_endless_progressions_have_a_table_for_every_policy(system, policy):
    assert states_of(Combined(FollowLast(), system(unit=1)), rounds=200, policy=policy) <= 3 * 201


def test_a_parlay_has_a_state_a_win():
    assert states_of(Combined(Always(on="player"), Parlay(unit=1, wins=5))) == 5


def test_hollandish_grows_by_a_block():
    # At each of 31 sizes one to three bets of the block, with none, one or two of them won.
    assert states_of(Combined(Always(), Hollandish(unit=1)), rounds=90) <= 31 * (1 + 2 + 3)


def test_a_commission_martingale_on_banker_has_a_state_a_loss():
    # 500 covers seven losses of a series from 10: 10, 21.06, 43.23, 88.73, 182.13, 373.84 and no 767.37.
    table = BUILT_IN_TABLES["commission"].override({"minimum": 10, "maximum": 500})
    system = Combined(Always(), CommissionMartingale(unit=10))
    assert walk(system, table, Layout(table), policy="reset", rounds=500).states <= 2 * 7


def test_martingale_stops_counting_past_the_largest_amount():
    assert states_of(Combined(Always(), Martingale(unit=1)), rounds=1000, policy="cap") < 60


def test_bettors():
    assert states_of(FlatBettor(unit=5)) == 1
    hunter = {"main": {"on": "banker", "unit": 10}, "pair": {"on": "player_pair", "unit": 10, "after": 12}}
    assert states_of(PairHunter(**hunter)) == 13
    assert states_of(PairHunter(pair={"on": "banker_pair"})) == 1


@pytest.mark.parametrize("system", EVERYTHING, ids=lambda system: f"{system.__name__}")
def test_every_built_in_explains_itself(system):
    assert system.id
    assert system.__doc__
    for parameter in parameters_of(system):
        assert not parameter.required
        assert parameter.type_name
    assert repr(system()).startswith(system.__name__)


def test_ids_are_those_of_the_manual():
    assert [b.id for b in BUILT_IN_BETTORS] == [
        "flat",
        "135k",
        "pair-hunter",
        "pair-counter",
        "pair-targets",
        "count",
        "main-count",
        "dragon-7-count",
        "dragon-7-unbalanced",
        "panda-8-count",
        "panda-8-co-count",
        "exact-counter",
        "ten-count",
    ]
    assert {s.id for s in BUILT_IN_SELECTIONS} == {
        "always",
        "template",
        "follow-last",
        "opposite-last",
        "time-before-last",
        "opposite-time-before-last",
        "streak",
        "chop",
        "two-two",
        "three-breaker",
        "column-repeat",
        "mirror",
        "column-pattern",
        "pattern-book",
        "majority-of-shoe",
        "silver-bullet",
        "tie-chaser",
        "derived-road",
        "three-roads",
        "copy",
        "oppose",
        "exact-edge",
        "effects-count",
        "last-n-map",
    }
    assert {p.id for p in BUILT_IN_PROGRESSIONS} == {
        "flat",
        "martingale",
        "grand-martingale",
        "fibonacci",
        "dalembert",
        "labouchere",
        "paroli",
        "1-3-2-6",
        "oscar",
        "mini-martingale",
        "commission-martingale",
        "reverse-martingale",
        "parlay",
        "ladder",
        "1-3-2-4",
        "contra-dalembert",
        "reverse-labouchere",
        "hollandish",
        "ascot",
        "thirty-one",
        "whittaker",
        "guetting",
        "kelly",
        "proportional",
        "state-table",
    }
