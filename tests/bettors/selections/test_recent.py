"""Selections against their rules, stated again over the whole list of decisions."""

from __future__ import annotations

from itertools import groupby, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bacclab.bettors.base import Combined, Selection
from bacclab.bettors.progressions.classic import Martingale
from bacclab.bettors.selections.recent import (
    Always,
    FollowLast,
    HistorySelection,
    OppositeLast,
    OppositeTimeBeforeLast,
    Template,
    TimeBeforeLast,
    opposite,
)
from bacclab.bettors.selections.trend import Chop, Streak
from bacclab.bettors.view import Result, View
from bacclab.errors import BettorError
from bacclab.game.codes import Outcome, Round

OTHER = {"P": "B", "B": "P"}
SHOES = st.lists(st.text("PBT", max_size=40), min_size=1, max_size=3).map("|".join)
CHECKED = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def follow_last(past):
    return past[-1] if past else "-"


def opposite_last(past):
    return OTHER[past[-1]] if past else "-"


def time_before_last(past):
    return past[-2] if len(past) > 1 else "-"


def opposite_time_before_last(past):
    return OTHER[past[-2]] if len(past) > 1 else "-"


def streak_of(run):
    def rule(past):
        runs = [list(same) for _, same in groupby(past)]
        return past[-1] if runs and len(runs[-1]) >= run else "-"

    return rule


def chop_of(results):
    def rule(past):
        recent = past[-results:]
        chopping = len(recent) == results and all(a != b for a, b in pairwise(recent))
        return OTHER[past[-1]] if chopping else "-"

    return rule


RULES = [
    (FollowLast, {}, follow_last),
    (OppositeLast, {}, opposite_last),
    (TimeBeforeLast, {}, time_before_last),
    (OppositeTimeBeforeLast, {}, opposite_time_before_last),
    *((Streak, {"run": run}, streak_of(run)) for run in range(1, 6)),
    *((Chop, {"results": results}, chop_of(results)) for results in range(2, 5)),
]
IDS = [f"{system.id} {values}" for system, values, _ in RULES]


def expected(rule, shoes: str, *, ties: str) -> list[str]:
    sides = []
    for shoe in shoes.split("|"):
        for before in range(len(shoe)):
            seen = shoe[:before]
            if ties == "break":
                seen = seen.rpartition("T")[2]
            sitting_out = ties == "sit-out" and seen.endswith("T")
            sides.append("-" if sitting_out else rule(list(seen.replace("T", ""))))
    return sides


@pytest.mark.parametrize("ties", ["left-out", "break", "sit-out"])
@pytest.mark.parametrize(("system", "values", "rule"), RULES, ids=IDS)
@CHECKED
@given(shoes=SHOES)
def test_against_the_rule(system, values, rule, ties, choose, shoes):
    assert choose(system(ties=ties, **values), shoes) == expected(rule, shoes, ties=ties)


@pytest.mark.parametrize("pair", [(FollowLast, OppositeLast), (TimeBeforeLast, OppositeTimeBeforeLast)])
@CHECKED
@given(shoes=SHOES)
def test_opposites_complement_each_other(pair, choose, shoes):
    one, other = (choose(system(), shoes) for system in pair)
    assert [OTHER.get(side, "-") for side in one] == other


def test_ties_before_any_decision(choose):
    assert choose(FollowLast(), "T T B P") == ["-", "-", "-", "B"]
    assert choose(OppositeLast(), "T T B P") == ["-", "-", "-", "P"]


@CHECKED
@given(shoes=SHOES)
def test_a_streak_of_one_follows_the_last(choose, shoes):
    assert choose(Streak(run=1), shoes) == choose(FollowLast(), shoes)


def test_time_before_last_loses_against_doubles_and_wins_in_chop(choose):
    doubles = "BBPPBBPPBB"
    assert all(
        OTHER[side] == won for side, won in list(zip(choose(TimeBeforeLast(), doubles), doubles, strict=True))[2:]
    )
    chop = "BPBPBPBP"
    assert choose(TimeBeforeLast(), chop)[2:] == list(chop)[2:]


@CHECKED
@given(shoes=SHOES, pattern=st.text("PB-", min_size=1, max_size=8))
def test_template_is_a_list_that_ties_do_not_use_up(choose, shoes, pattern):
    repeated, once = [], []
    for shoe in shoes.split("|"):
        for before in range(len(shoe)):
            decisions = len(shoe[:before].replace("T", ""))
            repeated.append(pattern[decisions % len(pattern)])
            once.append(pattern[decisions] if decisions < len(pattern) else "-")
    assert choose(Template(pattern=pattern), shoes) == repeated
    assert choose(Template(pattern=pattern, repeat=False), shoes) == once


def test_always(choose):
    assert choose(Always(on="player"), "PBT|B") == ["P"] * 4
    assert Always().on == "banker"


@pytest.mark.parametrize(
    ("system", "values", "said"),
    [
        (Template, {"pattern": "PBX"}, "'X'"),
        (Template, {"pattern": ""}, "pattern"),
        (Streak, {"run": 0}, "run"),
        (Chop, {"results": 1}, "results"),
        (FollowLast, {"ties": "loss"}, "ties"),
        (FollowLast, {"tie": "break"}, "did you mean ties"),
    ],
)
def test_impossible_parameters_are_refused(system, values, said):
    with pytest.raises(BettorError, match=said):
        system(**values)


def test_a_reset_of_the_progression_leaves_the_history_alone(table):
    bettor = Combined(FollowLast(), Martingale(unit=5))
    bettor.start(table)
    bettor.shoe()
    player_won = Round(5, 3, 3, 3).code
    bettor.settle(Result(player_won, staked=0, net=0))
    assert bettor.bet(View(table)) == View(table).player(5)
    bettor.settle(Result(Round(3, 5, 3, 3).code, staked=50_000, net=-50_000))
    assert bettor.bet(View(table)) == View(table).banker(10)
    bettor.reset(table)
    assert bettor.bet(View(table)) == View(table).banker(5)
    bettor.shoe()
    assert bettor.bet(View(table)) is None


def test_a_selection_with_a_history_of_your_own(choose):
    class MostWins(HistorySelection):
        """The side with more wins in the shoe."""

        def forget(self) -> None:
            self.lead = 0

        def learn(self, outcome: Outcome) -> None:
            self.lead += 1 if outcome is Outcome.PLAYER else -1

        def choose(self) -> Outcome | None:
            if self.lead == 0:
                return None
            return Outcome.PLAYER if self.lead > 0 else opposite(Outcome.PLAYER)

    assert isinstance(MostWins(), Selection)
    assert choose(MostWins(), "P B T B B P") == ["-", "P", "-", "-", "B", "B"]
