"""Selections by runs, columns, books and tallies: bets worked out by hand, the rules stated again over whole lists."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bacclab.bettors.base import Combined
from bacclab.bettors.progressions.classic import Flat
from bacclab.bettors.rehearsal import bets, sides
from bacclab.bettors.selections.books import PatternBook
from bacclab.bettors.selections.columns import ColumnPattern, ColumnRepeat, Mirror
from bacclab.bettors.selections.tallies import MajorityOfShoe, TieChaser
from bacclab.bettors.selections.trend import Streak, ThreeBreaker, TwoTwo
from bacclab.bettors.walk import walk
from bacclab.bettors.whole.forum import OneThreeFiveK, SilverBullet
from bacclab.errors import BettorError
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES

OTHER = {"P": "B", "B": "P", "-": "-"}
SHOES = st.lists(st.text("PBT", max_size=45), min_size=1, max_size=3).map("|".join)
CHECKED = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# Worked out on paper from the rules: results, then the side of each round. A bar stands between shoes.
BY_HAND = [
    (TwoTwo(), "B B P P B P P P P T B T B", "- B P P B B P B - - - B B"),
    (TwoTwo(), "P P | P P B", "- P | - P B"),
    (TwoTwo(ties="break"), "P P T P P", "- P B - P"),
    (TwoTwo(ties="sit-out"), "P T P T B", "- P - B -"),
    (ThreeBreaker(), "P P P B B B B T P", "- - - B - - P P P"),
    (ThreeBreaker(bets="once"), "P P P P P B B B B", "- - - B - - - - P"),
    (ThreeBreaker(run=2, bets="once"), "P P T P B", "- - B B -"),
    (Streak(run=3), "B B B P P P P B", "- - - B - - P P"),
    # Columns 2, 2, 1, 3: after two of them the next is expected to be as long as the one before it.
    (ColumnRepeat(), "B B P P B P P P B", "- - - - - B B - -"),
    # Lengths 1 2 1 2: came again; a 3 in place of the 1 breaks it, and it must come twice anew.
    (ColumnRepeat(columns=2, confirmed=True), "B P P B P P B B B P", "- - - - - - - P - -"),
    (ColumnRepeat(columns=1, confirmed=True), "B P B B P P B B P", "- - - P - - - B P"),
    # Blocks of two: (1, 2), then (1, 3) unlooked at; then 3 and 1 are expected.
    (Mirror(), "B P P B P P P B B B P B", "- - - - - - - - B B P B"),
    (ColumnPattern(lengths=(2,)), "B B P P B B B P P B", "- - - P B B P - - -"),
    (ColumnPattern(lengths=(3, 1)), "B B B P B B P", "- - - - - B B"),
    (PatternBook(books=("BPP", "PBB"), results=1), "B P B T B", "- P P P P"),
    (PatternBook(books=("BPPB", "PBBP"), results=2, losses=1), "B P B P P B", "- - P B P B"),
    (PatternBook(books=("PBP", "PPB"), fit="first", results=1), "P P P P", "- B P -"),
    (MajorityOfShoe(), "B B P P P T B | P P", "- B B B - P P | - P"),
    (MajorityOfShoe(back="behind"), "B B P P P", "- P P P -"),
    # Ahead by three: stop. Behind by two in a row: wait for singles, or for 3-2-1.
    (SilverBullet(), "B P B P B P", "- P B P - -"),
    (SilverBullet(), "B B B P P B P B", "- P P - - - P B"),
    (SilverBullet(win=0, loss=0), "P B P B P B P P P P", "- B P B P B P B B -"),
    (SilverBullet(loss=3), "B B B P B B P", "- P P - - P -"),
]


@pytest.mark.parametrize(("system", "shoes", "bet"), BY_HAND, ids=repr)
def test_bets_worked_out_by_hand(system, shoes, bet, choose):
    assert choose(system, shoes) == bet.replace("|", "").split()


@pytest.mark.parametrize(
    ("system", "outcomes", "bet"),
    [
        (TieChaser(rounds=2), "P B T T P B P", "- - tie - - - tie"),
        (TieChaser(rounds=0), "P T", "tie tie"),
        (TieChaser(when="came", rounds=1), "P T T B P", "- - tie tie -"),
        (TieChaser(when="came", rounds=3), "T P B P P", "- tie tie tie -"),
    ],
)
def test_ties_worked_out_by_hand(system, outcomes, bet):
    assert sides(system, outcomes) == bet


@pytest.mark.parametrize(
    ("system", "outcomes", "laid"),
    [
        # Begin; win on the time before last; skip one; bet one unit again.
        (OneThreeFiveK(), "P P P B B", ["", "", "P1", "", "P1"]),
        # One loss: two units on the same side; a win there: skip.
        (OneThreeFiveK(), "P B B P T P B", ["", "", "P1", "P2", "", "", "P1"]),
        # Two losses: forget all; two decisions begin it anew. The tie is a push.
        (OneThreeFiveK(), "P B B B P B B T P", ["", "", "P1", "P2", "", "", "P1", "P2", "P2"]),
        (OneThreeFiveK(begin="equal"), "P B P P B P", ["", "", "", "", "P1", "P2"]),
        (OneThreeFiveK(begin="different"), "P P P B P", ["", "", "", "", "P1"]),
    ],
)
def test_the_135k_system_worked_out_by_hand(system, outcomes, laid):
    words = {"": "", "P1": "player 10.00", "P2": "player 20.00", "B1": "banker 10.00", "B2": "banker 20.00"}
    assert bets(system, outcomes) == [words[one] for one in laid]


def columns(past: str) -> list[int]:
    return [len(list(same)) for _, same in groupby(past)]


def two_two(past):
    run = columns(past)[-1] if past else 0
    return {0: "-", 1: past[-1:], 2: OTHER.get(past[-1:])}.get(run, "-")


def breaker(run, bets):
    def rule(past):
        length = columns(past)[-1] if past else 0
        return OTHER[past[-1]] if length == run or (length > run and bets == "each") else "-"

    return rule


def towards(past: str, expected: int) -> str:
    length = columns(past)[-1]
    return past[-1] if length < expected else OTHER[past[-1]] if length == expected else "-"


def finished(past: str, longest: int) -> list[int]:
    return [min(length, longest) for length in columns(past)[:-1]]


def repeats(count, longest, confirmed):
    def rule(past):
        over = finished(past, longest)
        if len(over) < 2 * count or (confirmed and over[-count:] != over[-2 * count : -count]):
            return "-"
        return towards(past, over[-count])

    return rule


def mirrors(count, longest):
    def rule(past):
        over = finished(past, longest)
        block, place = divmod(len(over), count)
        return "-" if block < 2 else towards(past, over[count * block - 1 - place])

    return rule


def pattern(lengths, longest):
    def rule(past):
        over = finished(past, longest)
        for turn in range(len(lengths)):
            if over[-len(lengths) :] == [*lengths[turn:], *lengths[:turn]]:
                return towards(past, lengths[turn])
        return "-"

    return rule


def majority(back):
    def rule(past):
        lead = past.count("B") - past.count("P")
        ahead = "-" if lead == 0 else "B" if lead > 0 else "P"
        return ahead if back == "ahead" else OTHER[ahead]

    return rule


def from_book(books, results):
    def rule(past):
        if len(past) < results:
            return "-"
        tail = past[len(past) - results :]
        for book in books:
            for at in range(len(book) - results):
                if book[at : at + results] == tail:
                    return book[at + results]
        return "-"

    return rule


def from_first(books, results):
    def rule(past):
        if len(past) < results:
            return "-"
        fitting = [book for book in books if book[:results] == past[:results]]
        return (fitting[0] + "-" * len(past))[len(past)] if fitting else "-"

    return rule


BOOKS = ("PPBPB", "BBPBPPPB", "PB")
RULES = [
    (TwoTwo, {}, two_two),
    *((ThreeBreaker, {"run": run, "bets": b}, breaker(run, b)) for run in (1, 2, 3, 4) for b in ("each", "once")),
    *(
        (ColumnRepeat, {"columns": n, "longest": m, "confirmed": c}, repeats(n, m, c))
        for n, m in ((1, 6), (2, 3), (3, 2))
        for c in (False, True)
    ),
    *((Mirror, {"columns": n, "longest": m}, mirrors(n, m)) for n, m in ((1, 6), (2, 4), (3, 2))),
    *(
        (ColumnPattern, {"lengths": lengths, "longest": 3}, pattern(lengths, 3))
        for lengths in ((1,), (1, 2), (3, 1), (1, 1, 2))
    ),
    *((MajorityOfShoe, {"back": back}, majority(back)) for back in ("ahead", "behind")),
    *((PatternBook, {"books": BOOKS, "results": m}, from_book(BOOKS, m)) for m in (1, 2, 3)),
    *((PatternBook, {"books": BOOKS, "fit": "first", "results": m}, from_first(BOOKS, m)) for m in (0, 1, 2)),
]


def restated(rule, shoes: str, *, ties: str) -> list[str]:
    chosen = []
    for shoe in shoes.split("|"):
        for before in range(len(shoe)):
            seen = shoe[:before].rpartition("T")[2] if ties == "break" else shoe[:before]
            sitting_out = ties == "sit-out" and seen.endswith("T")
            chosen.append("-" if sitting_out else rule(seen.replace("T", "")))
    return chosen


@pytest.mark.parametrize(("system", "values", "rule"), RULES, ids=[f"{s.id} {v}" for s, v, _ in RULES])
@CHECKED
@given(shoes=SHOES, ties=st.sampled_from(["left-out", "break", "sit-out"]))
def test_against_the_rule(system, values, rule, ties, choose, shoes):
    assert choose(system(ties=ties, **values), shoes) == restated(rule, shoes, ties=ties)


@CHECKED
@given(shoes=SHOES)
def test_a_breaker_is_a_streak_reversed(choose, shoes):
    ridden = choose(Streak(run=3), shoes)
    assert choose(ThreeBreaker(), shoes) == [OTHER[side] for side in ridden]


@CHECKED
@given(shoe=st.text("PB", max_size=60), win=st.integers(0, 4), loss=st.integers(0, 4))
def test_silver_bullet_against_its_rule(choose, shoe, win, loss):
    """The rule as a story: every decision is told from the whole shoe before it."""
    told, score, row, waiting = [], 0, 0, False
    for before in range(len(shoe)):
        past = shoe[:before]
        road = columns(past)
        if waiting and (road[-2:] == [1, 1] or road[-3:] == [3, 2, 1]):
            waiting = False
        stopped = (win and score >= win) or (loss and score <= -loss)
        side = OTHER[past[-1]] if past and not waiting and not stopped else "-"
        told.append(side)
        if side != "-":
            score += 1 if side == shoe[before] else -1
            row = 0 if side == shoe[before] else row + 1
            if row == 2:
                row, waiting = 0, True
    assert choose(SilverBullet(win=win, loss=loss), shoe) == told


@pytest.mark.parametrize(
    ("system", "values", "said"),
    [
        (PatternBook, {"books": ["PBX"]}, "'X'"),
        (PatternBook, {"books": [""]}, "is empty"),
        (PatternBook, {"books": []}, "books"),
        (ColumnPattern, {"lengths": [1, 7]}, r"has 7; a column is 1 to longest = 6"),
        (ColumnPattern, {"lengths": [0]}, "has 0"),
        (ColumnRepeat, {"columns": 4}, "at most 3"),
        (TieChaser, {"when": "mising"}, "when"),
        (ThreeBreaker, {"bets": "twice"}, "bets"),
    ],
)
def test_impossible_parameters_are_refused(system, values, said):
    with pytest.raises(BettorError, match=said):
        system(**values)


@pytest.mark.parametrize(
    ("selection", "states"),
    [
        (TwoTwo(), 1 + 2 * 3),
        (ThreeBreaker(run=3), 1 + 2 * 4),
        # No column over, one, and then the length of the last: 1 to 6; each with a current one of 1 to 7.
        (ColumnRepeat(), 1 + 2 * 7 + 2 * 7 + 6 * 2 * 7),
        (MajorityOfShoe(), 121),
        (TieChaser(rounds=10), 11),
        (TieChaser(when="came", rounds=5), 6),
        # The first six letters of a book one by one, and its end.
        (PatternBook(books=("PBBPBP",), fit="first", results=0), 7),
    ],
    ids=repr,
)
def test_the_table_is_as_small_as_the_rule(selection, states):
    table = BUILT_IN_TABLES["commission"].override({"minimum": 1, "maximum": 1000})
    walked = walk(Combined(selection, Flat(unit=1)), table, Layout(table), policy="reset", rounds=500)
    assert walked.states == states
