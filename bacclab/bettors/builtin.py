"""The bettors, selections and progressions that come with bacclab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.bettors.counting.exact import ExactCounter, PairTargets
from bacclab.bettors.counting.selections import EffectsCount, ExactEdge
from bacclab.bettors.counting.tags import (
    CardCount,
    Dragon7Count,
    Dragon7Unbalanced,
    MainCount,
    Panda8CoCount,
    Panda8Count,
    TenCount,
)
from bacclab.bettors.progressions.bankroll import Kelly, Proportional
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
from bacclab.bettors.progressions.money import Labouchere, OscarsGrind, ReverseLabouchere
from bacclab.bettors.progressions.series import Hollandish, ThirtyOne, Whittaker
from bacclab.bettors.progressions.written import StateTable
from bacclab.bettors.selections.books import PatternBook
from bacclab.bettors.selections.columns import ColumnPattern, ColumnRepeat, Mirror
from bacclab.bettors.selections.following import Copy, Oppose
from bacclab.bettors.selections.recent import (
    Always,
    FollowLast,
    OppositeLast,
    OppositeTimeBeforeLast,
    Template,
    TimeBeforeLast,
)
from bacclab.bettors.selections.roads import DerivedRoadSelection, ThreeRoads
from bacclab.bettors.selections.tallies import MajorityOfShoe, TieChaser
from bacclab.bettors.selections.trend import Chop, Streak, ThreeBreaker, TwoTwo
from bacclab.bettors.selections.written import LastNMap
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.bettors.whole.forum import OneThreeFiveK, SilverBullet
from bacclab.bettors.whole.pairs import PairCounter, PairHunter
from bacclab.hooks import hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable

BUILT_IN_BETTORS = (
    FlatBettor,
    OneThreeFiveK,
    PairHunter,
    PairCounter,
    PairTargets,
    CardCount,
    MainCount,
    Dragon7Count,
    Dragon7Unbalanced,
    Panda8Count,
    Panda8CoCount,
    ExactCounter,
    TenCount,
)
BUILT_IN_SELECTIONS = (
    Always,
    Template,
    FollowLast,
    OppositeLast,
    TimeBeforeLast,
    OppositeTimeBeforeLast,
    Streak,
    Chop,
    DerivedRoadSelection,
    ThreeRoads,
    TwoTwo,
    ThreeBreaker,
    ColumnRepeat,
    Mirror,
    ColumnPattern,
    PatternBook,
    MajorityOfShoe,
    SilverBullet,
    TieChaser,
    Copy,
    Oppose,
    ExactEdge,
    EffectsCount,
    LastNMap,
)
BUILT_IN_PROGRESSIONS = (
    Flat,
    Martingale,
    GrandMartingale,
    Fibonacci,
    DAlembert,
    Labouchere,
    Paroli,
    OneThreeTwoSix,
    OscarsGrind,
    MiniMartingale,
    CommissionMartingale,
    ReverseMartingale,
    Parlay,
    Ladder,
    OneThreeTwoFour,
    ContraDAlembert,
    ReverseLabouchere,
    Hollandish,
    Ascot,
    ThirtyOne,
    Whittaker,
    Guetting,
    Kelly,
    Proportional,
    StateTable,
)


@hookimpl
def register_bettors(register: Callable[[Any], None]) -> None:
    """Hand in the built-in bettors."""
    for bettor in BUILT_IN_BETTORS:
        register(bettor)


@hookimpl
def register_selections(register: Callable[[Any], None]) -> None:
    """Hand in the built-in selections."""
    for selection in BUILT_IN_SELECTIONS:
        register(selection)


@hookimpl
def register_progressions(register: Callable[[Any], None]) -> None:
    """Hand in the built-in progressions."""
    for progression in BUILT_IN_PROGRESSIONS:
        register(progression)
