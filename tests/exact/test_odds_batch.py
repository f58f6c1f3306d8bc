"""Compiled odds of many compositions against the counts one by one."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bacclab.errors import TableError
from bacclab.exact.batch import Returns, code_probabilities_batch, expected_returns_batch
from bacclab.exact.odds import code_counts, code_probabilities, expected_returns, sequences
from bacclab.game.bets import Bet
from bacclab.game.codes import CODES, Pair, Round
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES

VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]

MIXED = Bet(
    id="mixed",
    title="Pair that wins",
    kind="side",
    lines=lambda r: ("suited", "win") if r.player_pair is Pair.SUITED and r.outcome == "player" else
    "win" if r.player_pair and r.outcome == "player" else None,
    odds={"suited": 100, "win": 20},
)  # fmt: skip


def table_with_mixed():
    table = BUILT_IN_TABLES["commission-all-bets"]
    return replace(table, bets={**table.bets, "mixed": MIXED})


ALL = Layout(table_with_mixed())


def compositions(seed, decks, number=12):
    """Parts of a shoe, from full to the last six cards."""
    random = np.random.default_rng(seed)
    shoe = np.repeat(np.arange(13), 4 * decks)
    left = [6, 7, 9, 14, 52 * decks, *random.integers(6, 52 * decks, number).tolist()]
    return np.array([np.bincount(random.permutation(shoe)[:n], minlength=13) for n in left])


@pytest.mark.parametrize("decks", [1, 6, 8, 16])
def test_codes(decks):
    counts = compositions(decks, decks)
    batch = code_probabilities_batch(counts, decks=decks)
    one_by_one = np.array([code_probabilities(row, decks=decks) for row in counts])
    assert batch.shape == (len(counts), CODES)
    assert np.allclose(batch, one_by_one, rtol=1e-14, atol=0)


@pytest.mark.parametrize("decks", [1, 6, 8, 16])
def test_returns(decks):
    counts = compositions(decks + 100, decks).astype(np.uint8)
    batch = expected_returns_batch(ALL, counts, decks=decks)
    one_by_one = np.array([expected_returns(ALL, row.astype(int), decks=decks) for row in counts])
    assert np.allclose(batch, one_by_one, rtol=0, atol=1e-13)


def test_what_bets_depend_on():
    """Bets on totals go the short way, bets on pairs the shortest, and a bet on both the long one."""
    kinds = dict(zip(ALL.ids, Returns(ALL, decks=8)._kind.tolist(), strict=True))
    pairs = {"player_pair", "banker_pair", "either_pair", "perfect_pair", "tiger_pair"}
    assert {bet for bet, kind in kinds.items() if kind == 1} == pairs
    assert {bet for bet, kind in kinds.items() if kind == 2} == {"mixed"}


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 32), min_size=13, max_size=13))
def test_any_composition(counts):
    counts[3] = max(counts[3], 6)
    batch = expected_returns_batch(ALL, [counts], decks=8)[0]
    assert np.allclose(batch, expected_returns(ALL, counts, decks=8), rtol=0, atol=1e-12)
    assert code_probabilities_batch([counts]).sum() == pytest.approx(1, abs=1e-13)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 27), min_size=52, max_size=52))
def test_counts_of_any_shoe_add_up(cells):
    """N!/(N-6)! sequences, whatever the shoe."""
    suits = np.array(cells).reshape(13, 4)
    suits[0, 0] += 6
    counts = code_counts(suits)
    assert sum(counts.tolist()) == math.perm(int(suits.sum()), 6) == sequences(suits)
    assert (counts >= 0).all()


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=6, max_size=7))
def test_counts_of_any_little_shoe(cards):
    """Every order of the cards, dealt by a ladder of rules."""
    own = Counter()
    for a, b, c, d, e, f in itertools.permutations(cards, 6):
        player, banker = (VALUES[a // 4] + VALUES[c // 4]) % 10, (VALUES[b // 4] + VALUES[d // 4]) % 10
        totals = finish(player, banker, VALUES[e // 4], VALUES[f // 4])
        pairs = [Pair((x // 4 == y // 4) + (x == y)) for x, y in ((a, c), (b, d))]
        own[Round(*totals, *pairs, all(pairs) and a // 4 == b // 4).code] += 1
    counts = code_counts(np.bincount(cards, minlength=52).reshape(13, 4))
    assert {code: int(counts[code]) for code in np.flatnonzero(counts).tolist()} == own


def finish(player, banker, fifth, sixth):
    if player >= 8 or banker >= 8:
        return player, banker, 2, 2
    if player >= 6:
        return (player, (banker + fifth) % 10, 2, 3) if banker <= 5 else (player, banker, 2, 2)
    stands = {3: (8,), 4: (0, 1, 8, 9), 5: (0, 1, 2, 3, 8, 9), 6: (0, 1, 2, 3, 4, 5, 8, 9), 7: range(10)}
    if fifth in stands.get(banker, ()):
        return (player + fifth) % 10, banker, 3, 2
    return (player + fifth) % 10, (banker + sixth) % 10, 3, 3


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ([32] * 13, "13 counts each"),
        (np.full((2, 12), 3), "13 counts each"),
        (np.full((1, 13), 2.0), "whole numbers"),
        ([[33] + [32] * 12], "0 to 32 cards of a rank"),
        ([[-1] + [32] * 12], "0 to 32 cards of a rank"),
        ([[5] + [0] * 12], "less than 6 cards"),
    ],
)
def test_compositions_that_are_none(counts, says):
    with pytest.raises(TableError, match=says):
        expected_returns_batch(ALL, counts)


def test_no_compositions():
    assert expected_returns_batch(ALL, np.empty((0, 13), int)).shape == (0, len(ALL.ids))
