"""Followers of other bettors: bets worked out by hand, and the bettor on paper against the bettor itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bacclab.bettors.base import Bettor, Combined, Selection
from bacclab.bettors.lanes.base import LaneBettor, LaneSelection
from bacclab.bettors.progressions.classic import Flat
from bacclab.bettors.rehearsal import sides
from bacclab.bettors.selections.following import Copy, Oppose
from bacclab.bettors.selections.paper import PaperBettor, PaperLanes
from bacclab.bettors.selections.recent import Always, FollowLast, OppositeLast, Template, TimeBeforeLast
from bacclab.bettors.selections.roads import DerivedRoadSelection
from bacclab.bettors.selections.tallies import TieChaser
from bacclab.bettors.walk import walk
from bacclab.bettors.whole.forum import OneThreeFiveK
from bacclab.bettors.whole.pairs import PairHunter
from bacclab.errors import BettorError
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import Money

SHOE = st.text("PBT", max_size=40)
CHECKED = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# Results, then the side of each round, worked out on paper.
BY_HAND = [
    (Copy(of="x").playing([Template(pattern="PPB")]), "B P T B P", "P P B B P"),
    (Oppose(of="x").playing([Template(pattern="PPB-")]), "B P T B P B", "B B P P - B"),
    # It loses, loses, wins: followed after a loss, then after the win.
    (Copy(of="x", after="loss").playing([Always(on="player")]), "B B P T P", "- P P - -"),
    (Copy(of="x", after="win").playing([Always(on="player")]), "B B P T P B P", "- - - P P P -"),
    (Oppose(of="x", after="loss").playing([FollowLast()]), "B B P P B", "- - - B -"),
    # A tie that is bet on is won; there is nothing opposite to it.
    (Copy(of="x").playing([TieChaser(rounds=1)]), "P P T P P", "- tie tie - tie"),
    (Oppose(of="x").playing([TieChaser(rounds=1)]), "P P T P P", "- - - - -"),
    (Copy(of="x", after="win").playing([TieChaser(rounds=0)]), "P T T P P", "- - tie tie -"),
    # A whole bettor: nothing, nothing, Banker, skipped, Banker, Banker again after the loss.
    (Copy(of="x").playing([OneThreeFiveK()]), "B P B P P B", "- - B - B B"),
    (Oppose(of="x").playing([PairHunter()]), "P B", "P P"),
    # The best of two: the first of equals, then the one that is ahead. Banker: 1, 0, -1; Player: -1, 0, 1.
    (Copy(of=("a", "b")).playing([Always(), Always(on="player")]), "B P P P", "B B B P"),
    (Copy(of=("a", "b"), who="worst").playing([Always(), Always(on="player")]), "B P P P", "B P B B"),
    (Oppose(of=("a", "b"), who="best").playing([Always(), Always(on="player")]), "B P P P", "P P P B"),
    (Copy(of=("a", "b"), after="loss").playing([Always(), Always(on="player")]), "B P P P", "- - B -"),
]


@pytest.mark.parametrize(("system", "outcomes", "bet"), BY_HAND)
def test_bets_worked_out_by_hand(system, outcomes, bet):
    assert sides(system, outcomes) == bet


@pytest.mark.parametrize("leader", [FollowLast(), TimeBeforeLast(ties="sit-out"), DerivedRoadSelection()])
@CHECKED
@given(shoe=SHOE)
def test_a_copy_bets_the_same_and_an_opponent_the_opposite(leader, shoe):
    other = {"P": "B", "B": "P"}
    own = sides(leader, shoe).split()
    assert sides(Copy(of="x").playing([leader]), shoe).split() == own
    assert sides(Oppose(of="x").playing([leader]), shoe).split() == [other.get(side, side) for side in own]


@CHECKED
@given(shoe=SHOE)
def test_a_follower_can_be_followed(shoe):
    against = Oppose(of="x").playing([FollowLast()])
    twice = Oppose(of="y").playing([against])
    assert sides(against, shoe) == sides(OppositeLast(), shoe)
    assert sides(twice, shoe) == sides(FollowLast(), shoe)


class Doubler(Bettor):
    """Doubles on Player after a loss, without end; leaves after three wins in a row; looks at its money."""

    def start(self, table):
        self.units, self.row, self.seen = 1, 0, []

    def bet(self, view):
        self.seen.append(str(view.bankroll))
        if self.row == 3:
            return view.stop()
        return view.player(Money(10) * self.units) + view.tie(5)

    def settle(self, result):
        self.units = result.pick(won=1, push=self.units, lost=self.units * 2)
        self.row = result.pick(won=self.row + 1, push=self.row, lost=0)


def test_on_paper_money_is_kept_and_limits_hold_and_it_may_leave():
    paper = PaperBettor(Doubler())
    assert sides(paper, "B B P P P P") == "P P P P P -"
    # Nothing was shown a bankroll: 0, then -15, -40, +40 - 5, +10 - 5, ... and after three wins it is gone.
    assert paper.bettor.seen == ["0.00", "-15.00", "-40.00", "-5.00", "0.00", "5.00"]


def test_a_follower_has_a_table_where_the_followed_one_has():
    table = BUILT_IN_TABLES["commission"].override({"minimum": 10, "maximum": 500})

    def states(side: Selection) -> int:
        return walk(Combined(side, Flat(unit=10)), table, Layout(table), policy="stop", rounds=400).states

    assert states(Copy(of="x").playing([FollowLast()])) == 3
    # Nothing, Banker or Player last; and nothing yet, a win or a loss, which a new shoe does not undo.
    assert states(Oppose(of="x", after="loss").playing([FollowLast()])) == 3 * 3


def test_rounds_are_told_apart_by_what_the_followed_bet_pays():
    """Dragon 7 won or lost, nothing finer: no result yet, a win, a loss."""
    table = BUILT_IN_TABLES["ez"].override({"side_bets_need_main_bet": False})
    chaser = Copy(of="x", after="loss").playing([Always(on="dragon_7")])
    walked = walk(Combined(chaser, Flat(unit=10)), table, Layout(table), policy="stop", rounds=400)
    assert (walked.states, walked.classes) == (3, 2)


class Random(Bettor):
    """Rolls a die."""

    def bet(self, view):
        return view.player(10) if view.random() < 0.5 else None


class RandomLanes(LaneBettor):
    """Rolls a die a lane."""

    def bet(self, view):
        return view.player((view.random() < 0.5) * 100_000)


@pytest.mark.parametrize("leader", [Random(), RandomLanes()])
def test_random_numbers_are_the_bettors_own(leader):
    with pytest.raises(BettorError, match="draws random numbers"):
        sides(Copy(of="x").playing([leader]), "P")


def test_a_follower_by_itself_says_what_it_needs():
    with pytest.raises(BettorError, match="follows another bettor"):
        sides(Copy(of="x"), "P")
    with pytest.raises(BettorError, match="who"):
        Copy(of="x", who="richest")


class Many(LaneBettor):
    """Several bets in each lane: the side bet first, the main bet cut by the maximum, or none."""

    def bet(self, view):
        amounts = np.arange(self.lanes) * 400_000
        return view.on("player_pair", np.full(self.lanes, 50_000)) + view.banker(amounts)


def test_on_paper_in_lanes_the_main_bet_goes_first():
    table = BUILT_IN_TABLES["no-commission"].override(
        {"minimum": 50, "maximum": 100, "limits": {"side": {"minimum": 5}}}
    )
    from bacclab.bettors.lanes.base import LaneResult, LaneView
    from bacclab.game.codes import Round

    paper = PaperLanes(Many())
    paper.lanes = 4
    paper.start(table)
    view = LaneView(table, Layout(table), lanes=4)
    # Wanted on Banker: 0, 40 (under the minimum), 80, 120 (cut to 100).
    assert paper.side(view).tolist() == [3, 3, 0, 0]
    code = np.full(4, Round(2, 6, 3, 3).code, dtype=np.uint16)
    paper.see(LaneResult(code, staked=np.zeros(4, np.int64), net=np.zeros(4, np.int64)))
    # Banker wins with 6 and pays half; the pair is lost.
    assert (paper.money // 10_000).tolist() == [-5, -5, 35, 45]
    assert isinstance(paper, LaneSelection)
