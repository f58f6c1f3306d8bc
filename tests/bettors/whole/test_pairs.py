"""Pair hunting against droughts counted by hand, against enumerated shoes, and against published earnings."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bacclab.bettors.lanes.base import LaneView
from bacclab.bettors.view import Result, View
from bacclab.bettors.whole.pairs import PairCounter, PairHunter, pair_chances
from bacclab.errors import BettorError
from bacclab.game.codes import Pair, Round, decode, possible_codes
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon

UNITS = 10_000
TABLE = BUILT_IN_TABLES["no-commission"]
WITH_EITHER = TABLE.override({"extra_bets": ["either_pair"]})
POSSIBLE = np.flatnonzero(possible_codes()).tolist()
NO_PAIR = Round(5, 3, 3, 3).code


def came(pair: str, round_: Round) -> bool:
    player, banker = round_.player_pair > 0, round_.banker_pair > 0
    return {"player_pair": player, "banker_pair": banker}.get(pair, player or banker)


@settings(max_examples=80, deadline=None)
@given(
    shoes=st.lists(st.lists(st.sampled_from([*POSSIBLE, *[NO_PAIR] * 3000]), max_size=30), min_size=1, max_size=3),
    after=st.integers(0, 6),
    pair=st.sampled_from(["player_pair", "banker_pair", "either_pair"]),
)
def test_the_pair_is_bet_once_it_has_been_missing(shoes, after, pair):
    hunter = PairHunter(main={"on": "player", "unit": 10}, pair={"on": pair, "unit": "2.50", "after": after})
    view = View(WITH_EITHER)
    hunter.start(WITH_EITHER)
    for shoe in shoes:
        hunter.shoe()
        for before, code in enumerate(shoe):
            recent = shoe[max(0, before - after) : before]
            missing = before >= after and not any(came(pair, decode(earlier)) for earlier in recent)
            main, side = ("player", 10 * UNITS), (pair, 25_000)
            assert hunter.bet(view).items == ((main, side) if missing else (main,))
            hunter.settle(Result(code, staked=10 * UNITS, net=0))


@settings(max_examples=60, deadline=None)
@given(
    shoes=st.lists(st.lists(st.sampled_from([*POSSIBLE, *[NO_PAIR] * 2000]), max_size=30), min_size=1, max_size=3),
    after=st.integers(0, 2),
    follow=st.integers(1, 5),
    pair=st.sampled_from(["player_pair", "banker_pair", "both_pairs"]),
)
def test_the_pair_is_bet_for_some_rounds_after_it_came(shoes, after, follow, pair):
    hunter = PairHunter(pair={"on": pair, "unit": 5, "after": after, "follow": follow})
    view = View(TABLE)
    hunter.start(TABLE)
    for shoe in shoes:
        hunter.shoe()
        for before, code in enumerate(shoe):
            since = next((k for k in range(before) if came(pair, decode(shoe[before - 1 - k]))), None)
            hunted = ("player_pair", "banker_pair") if pair == "both_pairs" else (pair,)
            side = tuple((bet, 5 * UNITS) for bet in hunted) if since is not None and after <= since < follow else ()
            assert hunter.bet(view).items == (("banker", 10 * UNITS), *side)
            hunter.settle(Result(code, staked=10 * UNITS, net=0))


def test_a_suited_pair_is_a_pair():
    hunter = PairHunter(pair={"after": 1})
    hunter.start(TABLE)
    hunter.settle(Result(NO_PAIR, staked=0, net=0))
    assert hunter.drought == 1
    hunter.settle(Result(Round(8, 3, 2, 3, player_pair=Pair.SUITED).code, staked=0, net=0))
    assert hunter.drought == 0


def test_the_hunter_from_an_experiment_file_has_checked_parts():
    with pytest.raises(BettorError, match="after"):
        PairHunter(pair={"after": -1})
    with pytest.raises(BettorError, match=r"pair\.on"):
        PairHunter(pair={"on": "dragon_7"})
    with pytest.raises(BettorError, match="did you mean unit"):
        PairHunter(main={"units": 5})
    with pytest.raises(BettorError, match="must be a table"):
        PairHunter(main="banker")


def gain_of_a_pair_bet(counts: list[int], odds: int) -> Fraction:
    """By enumeration of the two cards of a side."""
    cards = [rank for rank, count in enumerate(counts) for _ in range(count)]
    hands = list(permutations(cards, 2))
    return Fraction(sum(odds if a == b else -1 for a, b in hands), len(hands))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(0, 8), min_size=13, max_size=13).filter(lambda counts: sum(counts) >= 6), st.integers(5, 14)
)
def test_the_counter_bets_exactly_when_the_pair_bet_gains(counts, odds):
    unseen = np.array(counts, np.uint8)[:, np.newaxis]
    table = TABLE.override({"odds": {"player_pair": odds}})
    view = LaneView(table, Layout(table), lanes=1)
    view._unseen = unseen
    laid = {int(spots[0]): int(amounts[0]) for spots, amounts in PairCounter(unit=5).bet(view).items}
    gains = gain_of_a_pair_bet(counts, odds) > 0
    assert laid[Layout(table).index["player_pair"]] == (5 * UNITS if gains else 0)


def test_the_counter_at_the_odds_and_with_the_main_bet_of_the_table():
    better = TABLE.override({"odds": {"banker_pair": "13:1"}})
    counts = np.array([[32, 5], *[[32, 1]] * 12], np.uint8)
    counter = PairCounter(unit=5, main={"on": "banker", "unit": 10})
    counter.lanes = 2
    view = LaneView(better, Layout(better), lanes=2)
    view._unseen = counts
    bets = {int(spots[0]): amounts.tolist() for spots, amounts in counter.bet(view).items}
    # A fresh shoe: a pair comes once in 13.4 rounds; one rank of five among 17 cards: 20 / 272, once in 13.6.
    layout = Layout(better)
    assert bets == {
        layout.index["banker"]: [10 * UNITS, 10 * UNITS],
        layout.index["player_pair"]: [0, 0],
        layout.index["banker_pair"]: [5 * UNITS, 5 * UNITS],
    }
    view._unseen = np.full((13, 2), 2, np.uint8)
    assert all(not amounts.any() for _, amounts in counter.bet(view).items)


def test_large_shoes_do_not_overflow():
    full = np.full((13, 1), 64, np.uint8)
    pairs, hands = pair_chances(full)
    assert (pairs.tolist(), hands.tolist()) == ([13 * 64 * 63], [832 * 831])


@pytest.mark.parametrize(
    ("settings_of_shoe", "earned"),
    [
        ({"cut_card": 14}, 37.1),
        ({"cut_card": 16}, 31.3),
        ({"cut_card": 14, "burn": "none"}, 62.7),
    ],
)
def test_earnings_of_perfect_pair_betting_a_shoe(settings_of_shoe, earned):
    """Independent figures, 100 on both pairs: 37.1 ± 1.0, 31.3 and 62.7 a shoe, about 1.74 betting rounds."""
    table = TABLE.override(settings_of_shoe)
    source = SimulatedSource(table.shoe, seed=5)
    counter = PairCounter(unit=100, main={"unit": 0})
    layout = Layout(table)
    gains, betting = [], 0
    for block in range(16):
        dealt = source.rounds(block * 1000, 1000, horizon=Horizon(shoes=1), unseen=True)
        counter.lanes = 1000
        counter.start(table)
        view = LaneView(table, layout, lanes=1000)
        gain = np.zeros(1000)
        for k in range(dealt.codes.shape[1]):
            view._unseen = np.ascontiguousarray(dealt.unseen[:, k].T)
            playing = k < dealt.lengths
            for _, amounts in counter.bet(view).items:
                n = view._unseen.astype(np.int64)
                total = n.sum(axis=0)
                chance = (n * (n - 1)).sum(axis=0) / np.maximum(total * (total - 1), 1)
                gain += np.where(playing, amounts / UNITS * (12 * chance - 1), 0)
            betting += int((playing & (amounts > 0)).sum())
        gains.append(gain)
    gain = np.concatenate(gains)
    error = gain.std() / np.sqrt(gain.size)
    assert abs(gain.mean() - earned) < 4 * np.hypot(error, 1.0)
    if settings_of_shoe == {"cut_card": 14}:
        assert 1.5 < betting / gain.size < 2.0
