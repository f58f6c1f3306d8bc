"""Counts against cards counted by hand, and exact counters against the exact odds worked out another way."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    running_counts,
)
from bacclab.bettors.lanes.base import LaneView
from bacclab.bettors.lanes.combined import LaneCombined
from bacclab.bettors.progressions.bankroll import Kelly
from bacclab.bettors.view import UnseenNeeded
from bacclab.bettors.whole.pairs import PairCounter
from bacclab.errors import BacclabError, BettorError
from bacclab.exact.removal import exact_returns, parse_cards, without
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES

UNITS = 10_000
EZ = BUILT_IN_TABLES["ez"].override({"side_bets_need_main_bet": False})
COMMISSION = BUILT_IN_TABLES["commission"]


def laid(bettor, shoes, table):
    """What a bettor lays in each of some shoes, given as counts of 13 ranks: bets and units."""
    layout = Layout(table)
    bettor.lanes = len(shoes)
    bettor.start(table)
    view = LaneView(table, layout, lanes=len(shoes))
    view._unseen = np.array(shoes, dtype=np.uint8).T
    bets = [{} for _ in shoes]
    for spots, amounts in bettor.bet(view).items:
        for lane, (spot, amount) in enumerate(zip(spots.tolist(), amounts.tolist(), strict=True)):
            if amount:
                bets[lane][layout.ids[spot]] = amount // UNITS
    return bets


def after_seeing(cards: str, *, decks: int):
    return without([4 * decks] * 13, parse_cards(cards)).tolist()


TENS = "K K K K Q Q Q Q J J"

# Cards seen, counted by hand: the running count, the cards left, the true count, and whether it is bet.
DRAGON = [
    ("", 0),  # 0
    ("8 9", 1),  # 4, with 50 left: 4.16
    ("8 9 4", 0),  # 3, 49: 3.18
    ("8 8 9 4 5", 1),  # 4, 47: 4.43
    ("9 9 9 9 4 5 6 7 7", 0),  # 3, 43: 3.63
    (f"8 9 4 {TENS}", 1),  # 3, 39: 4 to the last digit
    (f"8 9 4 7 {TENS}", 0),  # 2, 38: 2.74
]


@pytest.mark.parametrize(("seen", "bet"), DRAGON)
def test_dragon_7_counted_by_hand(seen, bet):
    table = EZ.override({"decks": 1})
    expected = {"dragon_7": 10} if bet else {}
    assert laid(Dragon7Count(), [after_seeing(seen, decks=1)], table) == [expected]


def test_a_main_bet_stands_beside_the_side_bet():
    table = BUILT_IN_TABLES["ez"].override({"decks": 1})
    shoes = [after_seeing(seen, decks=1) for seen in ("", "8 9")]
    counter = Dragon7Count(unit=25, main={"on": "player", "unit": 5})
    assert laid(counter, shoes, table) == [{}, {"player": 5, "dragon_7": 25}]


def shoe_with(gone: dict[str, int]):
    return after_seeing(" ".join(card for card, number in gone.items() for _ in range(number)), decks=8)


@pytest.mark.parametrize(
    ("counter", "gone", "bet"),
    [
        # A +1, 4 to 7 -1, 8 and 9 +2.
        (Dragon7Unbalanced(), {"8": 16}, True),  # 32
        (Dragon7Unbalanced(), {"8": 16, "4": 1}, False),  # 31
        (Dragon7Unbalanced(), {"8": 16, "4": 1, "A": 1, "K": 30}, True),  # 32
        # Together with 6, 7, Q, K +1, 3 -1, 8 -3: A +1, 3 4 5 8 -1, 9 +2, Q K +1.
        (Panda8CoCount(), {"Q": 32, "K": 3}, True),  # 35
        (Panda8CoCount(), {"Q": 32, "K": 3, "8": 1}, False),  # 34
        (Panda8CoCount(), {"9": 17, "A": 1, "6": 9, "7": 9, "2": 9, "J": 9}, True),  # 34 + 1
        (Panda8CoCount(), {"9": 17, "3": 1, "A": 1}, False),  # 34 + 1 - 1
        # A, 2 +1, 3 4 5 8 -2, 6 7 -1, 9 +4, tens +1; 11 a deck.
        (Panda8Count(), {"9": 20}, False),  # 80, 396 left: 10.5
        (Panda8Count(), {"9": 21}, True),  # 84, 395: 11.06
        (Panda8Count(), {"9": 21, "5": 1}, False),  # 82, 394: 10.8
    ],
)
def test_side_bets_counted_by_hand(counter, gone, bet):
    (found,) = laid(counter, [shoe_with(gone)], EZ)
    assert found == ({counter.on: 10} if bet else {})


@pytest.mark.parametrize(
    ("counter", "gone", "side"),
    [
        # A 2 3 +1, 4 +2, 5 7 8 -1, 6 -2.
        (MainCount(), {"4": 32, "A": 32, "2": 32, "3": 32}, "banker"),  # 160, 288 left: 28.9
        (MainCount(), {"4": 32, "A": 32, "2": 32}, None),  # 128, 320: 20.8
        (MainCount(), {"6": 32, "5": 32, "7": 32, "8": 32}, "player"),  # -160, 288: -28.9
        (MainCount(otherwise="better"), {"4": 32, "A": 32, "2": 32}, "banker"),
        (MainCount(otherwise="better"), {}, "banker"),  # 0 is nearer to 22 than to -26
        (MainCount(otherwise="better"), {"6": 8}, "player"),  # -16, 408: -2.04, under the middle of -2
        (MainCount(banker_from=1, player_from=-1), {"6": 5}, "player"),  # -10, 411: -1.27
        # 2 to 9 +1, tens -2.
        (TenCount(), {"K": 9}, "player"),  # -18, 407: -2.3
        (TenCount(), {"K": 7}, None),  # -14, 409: -1.8
        (TenCount(), {"2": 16}, "banker"),  # 16, 400: 2.08
    ],
)
def test_main_bets_counted_by_hand(counter, gone, side):
    assert laid(counter, [shoe_with(gone)], COMMISSION) == [{side: 10} if side else {}]


def test_cards_left_are_counted_exactly_to_the_last_one():
    """Seven cards seen of +1 and 45 of 0 leave seven decks: a true count of just 1. The last card divides nothing."""
    shoes = [shoe_with({"A": 7, "K": 32, "Q": 13}), [0] * 12 + [1], [0] * 13]
    tags = (1, *[0] * 9)
    count, cards = running_counts(np.array(shoes, np.uint8).T, tags, decks=8)
    assert (count.tolist(), cards.tolist()) == ([7, 32, 32], [364, 1, 0])
    at_one, above = CardCount(tags=tags, threshold=1), CardCount(tags=tags, threshold=1.001)
    assert [bool(bet) for bet in laid(at_one, shoes, COMMISSION)] == [True, True, True]
    assert [bool(bet) for bet in laid(above, shoes, COMMISSION)] == [False, True, True]


def test_a_count_from_which_it_is_bet_downwards():
    down = CardCount(tags=(1, *[0] * 8, -1), threshold=-2, on="tie")
    assert laid(down, [shoe_with({"K": 16}), shoe_with({"K": 15})], COMMISSION) == [{"tie": 10}, {}]


def test_cards_taken_to_be_burned_make_a_true_count_larger():
    shoe = shoe_with({"8": 15, "9": 1})  # 32, 400 left: 4.16; 6 tens more: 4.23
    assert laid(Dragon7Count(threshold=4.2), [shoe], EZ) == [{}]
    assert laid(Dragon7Count(threshold=4.2, burned=6), [shoe], EZ) == [{"dragon_7": 10}]


@settings(max_examples=60, deadline=None)
@given(
    counts=st.lists(st.integers(0, 32), min_size=13, max_size=13),
    tags=st.one_of(st.lists(st.integers(-4, 4), min_size=n, max_size=n) for n in (10, 13)),
)
def test_the_running_count_is_that_of_the_cards_seen(counts, tags):
    by_rank = tags + [tags[-1]] * (13 - len(tags))
    seen = [32 - left for left in counts]
    count, cards = running_counts(np.array([counts], np.uint8).T, tuple(tags), decks=8)
    assert count.tolist() == [sum(tag * number for tag, number in zip(by_rank, seen, strict=True))]
    assert cards.tolist() == [sum(counts)]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 4), min_size=13, max_size=13), min_size=1, max_size=4))
def test_the_exact_counter_lays_what_gains(shoes):
    bets = ("banker", "player", "tie")
    layout = Layout(COMMISSION)
    counter = ExactCounter(bets=bets, cards=30, unit=5)
    for shoe, found in zip(shoes, laid(counter, shoes, COMMISSION), strict=True):
        if not 6 <= sum(shoe) <= 30:
            assert found == {}
            continue
        worth = exact_returns(layout, shoe, decks=8)
        assert found == {bet: 5 for bet in bets if worth[layout.index[bet]] > 0}


def chosen(picker, shoes, table):
    """The bet and the edge that a selection names for each of some shoes."""
    layout = Layout(table)
    picker.lanes = len(shoes)
    picker.start(table)
    view = LaneView(table, layout, lanes=len(shoes))
    view._unseen = np.array(shoes, dtype=np.uint8).T
    spots = picker.side(view).tolist()
    return [(None if spot < 0 else layout.ids[spot], edge) for spot, edge in zip(spots, picker.edge(view), strict=True)]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.integers(0, 4), min_size=13, max_size=13), min_size=1, max_size=4))
def test_the_exact_edge_is_that_of_the_best_bet(shoes):
    bets = ("banker", "tie", "player")
    layout = Layout(COMMISSION)
    for shoe, (bet, edge) in zip(shoes, chosen(ExactEdge(bets=bets, cards=30), shoes, COMMISSION), strict=True):
        if not 6 <= sum(shoe) <= 30:
            assert bet is None
            continue
        worth = exact_returns(layout, shoe, decks=8)
        best = max(float(worth[layout.index[each]]) for each in bets)
        assert edge == pytest.approx(best, abs=1e-12)
        assert (bet is not None) == (best > 1e-12)
        assert bet is None or float(worth[layout.index[bet]]) == pytest.approx(best, abs=1e-12)


def test_the_count_by_effects_is_exact_for_the_first_card():
    bets, layout = ("dragon_7", "panda_8"), Layout(EZ)
    shoes = [after_seeing(card, decks=8) for card in ("A", "4", "7", "8", "9", "K")]
    for bet in bets:
        found = chosen(EffectsCount(bets=(bet,)), shoes, EZ)
        for shoe, (side, edge) in zip(shoes, found, strict=True):
            assert side is None
            assert edge == pytest.approx(float(exact_returns(layout, shoe, decks=8)[layout.index[bet]]), abs=1e-12)


def test_the_count_by_effects_worked_out_by_hand():
    """From the published effects: sixes and sevens gone make Dragon 7 worse, eights and nines better.

    With 20 eights and 20 nines gone, 376 are left: -0.076113 + 20 * (0.0053782 + 0.0047850) * 415 / 376 = 0.148232.
    """
    shoes = [shoe_with({"6": 32, "7": 32}), shoe_with({"8": 20, "9": 20})]
    (low, worse), (high, better) = chosen(EffectsCount(bets=("dragon_7",)), shoes, EZ)
    assert (low, high) == (None, "dragon_7")
    assert worse == pytest.approx(-0.076113 - 32 * (0.0032422 + 0.0035837) * 415 / 352, abs=1e-5)
    assert better == pytest.approx(0.148232, abs=1e-5)


def test_kelly_lays_the_share_of_a_reckoned_edge():
    """An edge of 0.148232 at 40:1 of a bet that loses else: 0.148232 / 40 of 10,000, rounded down to 5."""
    counter = LaneCombined(EffectsCount(bets=("dragon_7",)), Kelly(unit=5))
    table = EZ.override({"minimum": 5})
    counter.lanes = 2
    counter.start(table)
    view = LaneView(table, Layout(table), lanes=2)
    view._unseen = np.array([shoe_with({"8": 20, "9": 20}), [32] * 13], dtype=np.uint8).T
    view._bankroll = np.full(2, 10_000 * UNITS)
    ((spots, amounts),) = counter.bet(view).items
    assert (spots[0], amounts.tolist()) == (Layout(table).index["dragon_7"], [35 * UNITS, 0])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(st.integers(0, 8), min_size=13, max_size=13), min_size=1, max_size=4), st.integers(5, 14))
def test_targets_for_every_number_of_cards_are_exact(shoes, odds):
    table = BUILT_IN_TABLES["no-commission"].override({"odds": {"player_pair": odds}})
    exactly = PairTargets(step=1, cards=416)
    assert laid(exactly, shoes, table) == laid(PairCounter(), shoes, table)


def test_targets_read_from_a_short_table_by_hand():
    """22 cards are read as 25: at 11:1 the weights n(n - 1) / 2 must pass 25 * 24 / 24 = 25."""
    table = BUILT_IN_TABLES["no-commission"]
    just = [7, 3, 2, *[1] * 10]  # 21 + 3 + 1 = 25 with 22 cards: not above
    more = [7, 3, 3, *[1] * 9, 0]  # 27 with 22 cards
    early = [24, 24, 13, *[0] * 10]  # far above, but 61 cards are left
    hunter = PairTargets(pairs=("player_pair",), main={"unit": 0})
    assert laid(hunter, [just, more, early], table) == [{}, {"player_pair": 10}, {}]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: CardCount(tags=[1] * 11), "it takes 10 .* or 13"),
        (lambda: CardCount(tags=[1] * 9), "tags"),
        (lambda: laid(MainCount(banker_from=-1), [[4] * 13], COMMISSION), "on two sides of 0"),
        (lambda: laid(PairTargets(weights=[0, -1]), [[4] * 13], COMMISSION), "a weight is 0 or more"),
        (lambda: laid(ExactCounter(bets=["dragon7"]), [[4] * 13], EZ), "does not offer 'dragon7'"),
        (lambda: laid(Dragon7Count(), [[4] * 13], COMMISSION), "no bet 'dragon_7'"),
    ],
)
def test_what_cannot_be_counted(make, said):
    with pytest.raises(BacclabError, match=said):
        make()


@pytest.mark.parametrize("counter", [Dragon7Count(), ExactCounter(), PairTargets(), TenCount()], ids=lambda c: c.id)
def test_counts_need_cards(counter):
    counter.start(EZ)
    with pytest.raises(UnseenNeeded, match="does not know"):
        counter.bet(LaneView(EZ, Layout(EZ), lanes=1))
    assert issubclass(UnseenNeeded, BettorError)


def test_the_gain_of_a_pair_late_in_the_shoe():
    """Worked out: five 8s among 17 cards, 20 of 272 hands: 12 * 20 / 272 - 1 is below nothing; six among 17: above."""
    five, six = [5, *[1] * 12], [6, *[1] * 11, 0]
    gains = [Fraction(12 * sum(n * (n - 1) for n in shoe), sum(shoe) * (sum(shoe) - 1)) - 1 for shoe in (five, six)]
    assert [gain > 0 for gain in gains] == [False, True]
    found = laid(PairCounter(main={"unit": 0}), [five, six], BUILT_IN_TABLES["no-commission"])
    assert found == [{}, {"player_pair": 10, "banker_pair": 10}]
