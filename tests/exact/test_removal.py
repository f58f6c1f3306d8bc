"""Cards that are gone: how they are written, what is left, and what each rank is worth to a bet."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bacclab.errors import TableError
from bacclab.exact.odds import code_counts, expected_returns, full_shoe, line_chances, net_per_unit, sequences
from bacclab.exact.removal import effects_of_removal, exact_returns, parse_cards, without
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES

COMMISSION = Layout(BUILT_IN_TABLES["commission"])
ALL = Layout(BUILT_IN_TABLES["commission-all-bets"])

# Effects of removing one card from eight decks in 0.00001 of the bet (a row a rank, ten to king in one).
PUBLISHED = """
    4.40 -4.48 12.93 49.81 132.16
    5.22 -5.43 -23.92 -89.63 144.38
    6.49 -6.72 -21.41 -107.61 -286.09
    11.57 -11.95 -29.24 -268.03 -253.61
    -8.27 8.41 -26.44 -263.48 -265.47
    -11.32 11.28 -115.95 -324.22 -89.15
    -8.27 8.17 -109.14 -358.37 -91.41
    -5.02 5.33 65.43 537.82 -224.06
    -2.31 2.49 42.60 478.50 450.22
    1.88 -1.78 51.29 86.30 120.76
"""


def test_published_effects():
    effects = effects_of_removal(ALL, 8)
    bets = [ALL.index[bet] for bet in ("banker", "player", "tie", "dragon_7", "panda_8")]
    for rank, line in enumerate(PUBLISHED.strip().splitlines()):
        for same in range(rank, 13 if rank == 9 else rank + 1):
            actual = [1e5 * float(effects[same][bet]) for bet in bets]
            assert np.allclose(actual, [float(word) for word in line.split()], rtol=0, atol=0.0051), rank


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_no_card_changes_a_pair_bet_of_a_full_shoe(decks):
    effects = effects_of_removal(ALL, decks)
    for bet in ("player_pair", "banker_pair"):
        assert {row[ALL.index[bet]] for row in effects} == {0}


@st.composite
def shoes(draw, *, most=8, suits=False):
    shape = (13, 4) if suits else (13,)
    size = 52 if suits else 13
    cells = draw(st.lists(st.integers(0, most), min_size=size, max_size=size))
    cards = np.array(cells).reshape(shape)
    cards[draw(st.integers(0, 12))] += 7 if not suits else 2
    return cards


@settings(max_examples=25, deadline=None)
@given(shoes(), st.booleans())
def test_effects_weighted_by_the_cards_add_up_to_nothing(cards, by_suit):
    """The mean over the next unseen card is the expectation now: exactly, for every bet."""
    composition = np.stack([cards, cards[::-1], cards * 0, cards // 2], axis=1) if by_suit else cards
    held = composition.reshape(13, -1).sum(axis=1)
    effects = effects_of_removal(ALL, composition, decks=None if by_suit else 16)
    for bet in range(len(ALL.ids)):
        assert sum(n * row[bet] for n, row in zip(held.tolist(), effects, strict=True) if row is not None) == 0


def test_effects_are_differences_of_enumerations():
    """A little shoe with suits, each card taken out in turn, counted by `code_counts` and summed here."""
    chance = random.Random(5)
    suits = np.array([[chance.randrange(3) for _ in range(3)] + [1] for _ in range(13)])
    nets = net_per_unit(COMMISSION)

    def mean(shoe):
        return nets @ code_counts(shoe).astype(float) / sequences(shoe)

    effects = effects_of_removal(COMMISSION, suits)
    for rank in range(13):
        taken = []
        for suit in range(4):
            for _ in range(suits[rank, suit]):
                left = suits.copy()
                left[rank, suit] -= 1
                taken.append(mean(left) - mean(suits))
        assert np.allclose([float(e) for e in effects[rank]], np.mean(taken, axis=0), rtol=0, atol=1e-14)


def test_ranks_that_are_not_there():
    effects = effects_of_removal(COMMISSION, [0, 3, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0], decks=8)
    assert [row is None for row in effects] == [True, False, False, False, *[True] * 9]
    assert effects_of_removal(COMMISSION, [6, *[0] * 12], decks=8) == (None,) * 13


@pytest.mark.parametrize("seed", range(20))
def test_when_a_pair_bet_is_good(seed):
    """11:1 is good exactly when the sum of n(n-1) is above N(N-1)/12."""
    chance = random.Random(seed)
    cards = [chance.choice((0, 0, 1, 2, 5)) for _ in range(13)]
    cards[0] += 6
    total = sum(cards)
    pair = exact_returns(COMMISSION, cards, decks=8)[COMMISSION.index["player_pair"]]
    assert pair == Fraction(12 * sum(n * (n - 1) for n in cards), total * (total - 1)) - 1


def test_exact_returns_are_the_floats():
    shoe = without(8, parse_cards("A A 5 9 9 9 K"))
    exact = [float(value) for value in exact_returns(ALL, shoe, decks=8)]
    assert np.allclose(exact, expected_returns(ALL, shoe, decks=8), rtol=0, atol=1e-13)
    assert [sum(row) for row in line_chances(ALL, shoe, decks=8)] == [1] * len(ALL.ids)


# ---- how cards are written


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("8 8 9 K", ["8", "8", "9", "K"]),
        ("8,8, 9;k", ["8", "8", "9", "K"]),
        ("T 10 t", ["10", "10", "10"]),
        ("As kH 10d 2C", ["As", "Kh", "10d", "2c"]),
        ("A♠ Q♥", ["As", "Qh"]),
        ("", []),
        ("  ", []),
    ],
)
def test_cards_as_people_write_them(text, cards):
    assert [str(card) for card in parse_cards(text)] == cards


@pytest.mark.parametrize("text", ["1", "11", "0", "Z", "8x", "88", "8 -", "joker", "-8"])
def test_what_is_no_card(text):
    with pytest.raises(TableError, match=r"there is no card .*write A, 2 to 10"):
        parse_cards(text)


def test_what_is_left():
    assert without(8, parse_cards("8 8 9 K")).tolist() == [32] * 7 + [30, 31, 32, 32, 32, 31]
    suits = without(8, parse_cards("8s 8s 9h"))
    assert suits.shape == (13, 4)
    assert suits[7].tolist() == [6, 8, 8, 8]
    assert suits[8].tolist() == [8, 7, 8, 8]
    assert without([3] * 13, parse_cards("A")).tolist() == [2, *[3] * 12]
    assert without(full_shoe(2), ()).tolist() == full_shoe(2).tolist()


@pytest.mark.parametrize(
    ("composition", "text", "says"),
    [
        (1, "8 8 8 8 8", "5 cards of rank 8 cannot be gone: the shoe holds 4"),
        (1, "8s 8s", "2 cards of 8s cannot be gone: the shoe holds 1"),
        ([0, *[4] * 12], "A", "1 card of rank A cannot be gone: the shoe holds none"),
        ([7, *[0] * 12], "A A", "5 cards are left"),
        (8, "8 8s", "some cards have a suit and some have none"),
        ([4] * 13, "8s", "the suits of this shoe are not known"),
        (full_shoe(1), "8", "the suits of this shoe are known"),
    ],
)
def test_cards_that_cannot_be_gone(composition, text, says):
    with pytest.raises(TableError, match=says):
        without(composition, parse_cards(text))
