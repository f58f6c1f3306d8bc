"""Exact counts against enumeration, card by card and value by value, with rules written out here."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from bacclab.errors import TableError
from bacclab.exact.odds import code_counts, code_probabilities, covariance, full_shoe, line_probabilities, sequences
from bacclab.game.codes import CODES, Pair, Round, possible_codes
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES

VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
ALL = BUILT_IN_TABLES["commission-all-bets"]


def finish(player, banker, fifth, sixth):
    """Totals and numbers of cards at the end, by a ladder of rules."""
    if player > 7 or banker > 7:
        return player, banker, 2, 2
    if player > 5:
        return (player, (banker + fifth) % 10, 2, 3) if banker < 6 else (player, banker, 2, 2)
    drawn = {0: True, 1: True, 2: True, 3: fifth != 8, 4: fifth in (2, 3, 4, 5, 6, 7), 5: fifth in (4, 5, 6, 7),
             6: fifth in (6, 7), 7: False}[banker]  # fmt: skip
    if drawn:
        return (player + fifth) % 10, (banker + sixth) % 10, 3, 3
    return (player + fifth) % 10, banker, 3, 2


def pair_of(first, second):
    if first // 4 != second // 4:
        return Pair.NONE
    return Pair.SUITED if first == second else Pair.PAIR


def by_cards(suits):
    """Every ordered sequence of six of the cards, one by one."""
    cards = [card for card in range(52) for _ in range(suits[card // 4, card % 4])]
    counts = np.zeros(CODES, np.int64)
    for a, b, c, d, e, f in itertools.permutations(cards, 6):  # cards 1 and 3 to Player, 2 and 4 to Banker
        totals = finish((VALUES[a // 4] + VALUES[c // 4]) % 10, (VALUES[b // 4] + VALUES[d // 4]) % 10,
                        VALUES[e // 4], VALUES[f // 4])  # fmt: skip
        player, banker = pair_of(a, c), pair_of(b, d)
        same = bool(player and banker) and a // 4 == b // 4
        counts[Round(*totals, player, banker, same).code] += 1
    return counts


def little_shoe(kind, seed):
    """Eight or nine cards, with many equal ones so that all pair states occur."""
    chance = random.Random(seed)
    suits = np.zeros((13, 4), np.int64)
    ranks = {"tens": [9, 10, 11, 12], "two ranks": chance.sample(range(13), 2), "any": range(13),
             "one rank": [chance.randrange(13)]}[kind]  # fmt: skip
    for _ in range(8):
        suits[chance.choice(list(ranks)), chance.randrange(2 if kind != "any" else 4)] += 1
    return suits


@pytest.mark.parametrize("kind", ["tens", "two ranks", "any", "one rank"])
@pytest.mark.parametrize("seed", range(4))
def test_little_shoes_card_by_card(kind, seed):
    suits = little_shoe(kind, seed)
    counts = code_counts(suits)
    assert (counts == by_cards(suits)).all()
    assert counts.sum() == math.perm(8, 6) == sequences(suits)
    assert np.allclose(code_probabilities(suits), by_cards(suits) / math.perm(8, 6), rtol=1e-14, atol=0)


def test_a_tens_heavy_shoe_of_nine_cards():
    suits = np.zeros((13, 4), np.int64)
    suits[9], suits[12], suits[4, 0] = [2, 1, 0, 0], [3, 0, 1, 0], 2
    assert (code_counts(suits) == by_cards(suits)).all()


@pytest.fixture(scope="module")
def eight_decks_by_rank():
    """Eight decks, all ranks of the first four cards and values of the next two: [cell, player, banker, same rank].

    Suits are left out; the rules stand here once more, over arrays.
    """
    by_value = np.array([128, *[32] * 9])
    counts = np.zeros((400, 2, 2, 2), object)
    fifth, sixth = np.divmod(np.arange(100), 10)
    for a, b in itertools.product(range(13), repeat=2):
        for c, d in itertools.product(range(13), repeat=2):
            ways, left = 1, by_value.copy()
            taken: list[int] = []
            for rank in (a, b, c, d):
                ways *= 32 - taken.count(rank)
                taken.append(rank)
                left[VALUES[rank]] -= 1
            following = left[fifth] * (left[sixth] - (fifth == sixth)) * ways
            player, banker = (VALUES[a] + VALUES[b]) % 10, (VALUES[c] + VALUES[d]) % 10
            for cell, count in zip(CELLS[player * 10 + banker], following.tolist(), strict=True):
                counts[cell, int(a == b), int(c == d), int(a == b == c == d)] += count
    return counts


def cell(player, banker, player_cards, banker_cards):
    return (player * 10 + banker) * 4 + (player_cards - 2) * 2 + banker_cards - 2


CELLS = [
    [cell(*finish(start // 10, start % 10, fifth, sixth)) for fifth in range(10) for sixth in range(10)]
    for start in range(100)
]


def test_eight_decks_rank_by_rank(eight_decks_by_rank):
    counts = code_counts(8).reshape(400, 13).astype(object)
    expected = eight_decks_by_rank
    assert (counts[:, 0] == expected[:, 0, 0, 0]).all()
    assert (counts[:, 1:3].sum(axis=1) == expected[:, 0, 1, 0]).all()
    assert (counts[:, [3, 6]].sum(axis=1) == expected[:, 1, 0, 0]).all()
    assert (counts[:, [4, 5, 7, 8]].sum(axis=1) == expected[:, 1, 1, 0]).all()
    assert (counts[:, 9:].sum(axis=1) == expected[:, 1, 1, 1]).all()


@pytest.mark.parametrize("decks", [1, 2, 6, 8, 16, 27])
def test_counts_add_up(decks):
    counts = code_counts(decks)
    assert sum(counts.tolist()) == math.perm(52 * decks, 6) == sequences(decks)
    assert (counts >= 0).all()
    assert not counts[~possible_codes()].any()
    if decks > 3:
        assert (counts[possible_codes()] > 0).all()
    assert abs(code_probabilities(decks).sum() - 1) < 1e-13


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_suited_pairs_of_a_full_shoe(decks):
    """Two equal cards: (d-1)/(52d-1) for each side, whatever the rest does."""
    chances = code_probabilities(decks).reshape(400, 13).sum(axis=0)
    cards = 52 * decks
    assert chances[[2, 5, 8, 10, 12]].sum() == pytest.approx((decks - 1) / (cards - 1), rel=1e-12)
    assert chances[[6, 7, 8, 11, 12]].sum() == pytest.approx((decks - 1) / (cards - 1), rel=1e-12)
    # Both suited: of one card four times, of two cards of a rank, of two ranks.
    d = decks
    one_card = 52 * d * (d - 1) * (d - 2) * (d - 3)
    one_rank = 13 * 12 * (d * (d - 1)) ** 2
    two_ranks = 52 * 48 * (d * (d - 1)) ** 2
    assert chances[12] == pytest.approx((one_card + one_rank) / math.perm(cards, 4), rel=1e-12)
    assert chances[8] == pytest.approx(two_ranks / math.perm(cards, 4), rel=1e-12)


def test_unknown_suits_are_averaged():
    """Counts by rank alone: the mean over all equally likely sets of the cards left."""
    decks, ranks = 2, {8: 3, 12: 4}
    patterns = []
    for rank, left in ranks.items():
        patterns.append(
            [
                (rank, suits, math.prod(math.comb(decks, n) for n in suits))
                for suits in itertools.product(range(decks + 1), repeat=4)
                if sum(suits) == left
            ]
        )
    total, weight = np.zeros(CODES), 0
    for combination in itertools.product(*patterns):
        shoe = np.zeros((13, 4), np.int64)
        ways = 1
        for rank, suits, number in combination:
            shoe[rank] = suits
            ways *= number
        total += ways * code_probabilities(shoe)
        weight += ways
    counts = [ranks.get(rank, 0) for rank in range(13)]
    assert np.allclose(code_probabilities(counts, decks=decks), total / weight, rtol=1e-11, atol=1e-16)


def test_full_shoe_needs_no_suits():
    for decks in (1, 2, 6, 8):
        assert np.allclose(code_probabilities([4 * decks] * 13, decks=decks), code_probabilities(decks), rtol=1e-11)


def test_line_probabilities_are_sums_over_codes():
    layout = Layout(ALL)
    lines = line_probabilities(layout, 8)
    chances = code_probabilities(8)
    assert lines.shape == layout.numerator.shape
    assert np.allclose(lines.sum(axis=1), 1, rtol=1e-14)
    for bet in range(len(layout.ids)):
        for line in range(lines.shape[1]):
            assert lines[bet, line] == pytest.approx(chances[layout.line[bet] == line].sum(), rel=1e-12)


def test_covariance_is_symmetric_and_of_the_right_sign():
    layout = Layout(ALL)
    matrix = covariance(layout, 8)
    assert np.allclose(matrix, matrix.T, rtol=1e-12)
    assert np.linalg.eigvalsh(matrix).min() > -1e-9, "some bets are sums of others"


@pytest.mark.parametrize(
    ("composition", "says"),
    [
        (0, "1 to 27 decks"),
        (28, "1 to 27 decks"),
        ([32] * 12, "13 counts"),
        (np.full((13, 4), -1), "0 or more"),
        (np.full((13, 4), 8.0), "whole numbers"),
        (np.eye(13, 4, dtype=int), "a shoe of 4 cards"),
        (np.full((13, 4), 100), "a shoe of 5200 cards"),
    ],
)
def test_shoes_that_cannot_be_worked_out(composition, says):
    with pytest.raises(TableError, match=says):
        code_probabilities(composition)


def test_counts_by_rank_need_the_decks():
    with pytest.raises(TableError, match="say of how many decks"):
        code_probabilities([32] * 13)
    with pytest.raises(TableError, match="holds 4 cards of a rank"):
        code_probabilities([5] * 13, decks=1)
    with pytest.raises(TableError, match="13 ranks by 4 suits"):
        code_counts([32] * 13)


def test_shoes_are_not_shared():
    shoe = full_shoe(8)
    shoe[0, 0] = 0
    assert full_shoe(8)[0, 0] == 8
    with pytest.raises(ValueError, match="read-only"):
        code_counts(8)[0] = 1
