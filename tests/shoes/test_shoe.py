"""The shoe: the right cards, in an unbiased order, never the same twice."""

import math

import numpy as np
import pytest

from bacclab.game.rules import ShoeRules
from bacclab.shoes import dealer_kernels as kernels
from bacclab.shoes.dealer import cut_position, shuffled_shoe
from bacclab.shoes.streams import root_words


def shoes_of(fresh, count, *, seed=1):
    """Shuffles of any small set of cards through the dealer's own shuffle, one a row (a session each)."""
    n = len(fresh)
    products = [math.prod(range(n - place - 5, n - place + 1)) for place in range(0, max(n - 6, 1), 6)]
    tables = kernels.Tables(np.array(fresh, np.uint8), np.array(products, np.uint64), None, None, None)
    roots = root_words(seed)
    return np.array([kernels.shuffled(roots, session, 0, tables) for session in range(count)])


def chi_square_score(observed, expected, freedom):
    """How many standard deviations a chi-square lies from its mean."""
    return (((observed - expected) ** 2 / expected).sum() - freedom) / math.sqrt(2 * freedom)


@pytest.mark.parametrize("decks", range(1, 17))
def test_every_card_is_there_once_a_deck(decks):
    for session in range(20):
        shoe = shuffled_shoe(ShoeRules(decks=decks), seed=0, session=session, shoe=session % 3)
        assert shoe.dtype == np.uint8
        assert shoe.size == 52 * decks
        assert np.bincount(shoe, minlength=52).tolist() == [decks] * 52
        assert np.bincount(shoe // 4, minlength=13).tolist() == [4 * decks] * 13


def test_no_shuffle_comes_twice():
    seen = set()
    for seed in (0, 1, 2, 2**64, 2**64 + 1):
        for session in range(20):
            for shoe in range(20):
                seen.add(shuffled_shoe(ShoeRules(decks=1), seed=seed, session=session, shoe=shoe).tobytes())
    assert len(seen) == 5 * 20 * 20


def test_the_same_place_has_the_same_cards_whatever_the_other_rules():
    plain = shuffled_shoe(ShoeRules(), seed=5, session=3, shoe=2)
    other = ShoeRules(burn="none", cut_card=(30, 40), rounds_after_cut=0, deal_order="two-by-two")
    assert (shuffled_shoe(other, seed=5, session=3, shoe=2) == plain).all()


def test_thirteen_cards_land_evenly_on_thirteen_places():
    shuffles = shoes_of(range(13), 100_000)
    table = np.array([np.bincount(column, minlength=13) for column in shuffles.T])
    assert table.sum() == 1_300_000
    # Rows and columns have fixed sums, so the sum has to be scaled to be a chi-square with 12 * 12 degrees of freedom.
    assert 12 / 13 * ((table - 100_000 / 13) ** 2 / (100_000 / 13)).sum() < 210
    assert np.abs(table - 100_000 / 13).max() < 4.5 * 84.3


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_every_order_of_a_few_cards_is_as_likely(cards):
    shuffles = shoes_of(range(cards), 60_000)
    orders = np.unique(shuffles @ 8 ** np.arange(cards), return_counts=True)[1]
    assert orders.size == math.factorial(cards)
    assert abs(chi_square_score(orders, 60_000 / orders.size, orders.size - 1)) < 4


def test_batches_do_not_depend_on_each_other():
    """Places 5 and 6 are drawn from two words, 4 and 5 from one; all pairs of cards are as likely."""
    shuffles = shoes_of(range(13), 100_000, seed=2).astype(int)
    for first, second in [(4, 5), (5, 6), (0, 12), (11, 12)]:
        pairs = np.bincount(shuffles[:, first] * 13 + shuffles[:, second], minlength=169).reshape(13, 13)
        assert not np.diag(pairs).any()
        off = pairs[~np.eye(13, dtype=bool)]
        assert abs(chi_square_score(off, 100_000 / 156, 155)) < 4


def test_ranks_are_even_at_every_place_of_a_full_shoe():
    shuffles = shoes_of(np.repeat(np.arange(52), 8), 20_000)
    # One rank at one place, over all shoes: fixed sums of rows scale the chi-square by n / (n - 1) = 416 / 415.
    table = np.array([np.bincount(column, minlength=13) for column in shuffles.T // 4])
    score = ((table - 20_000 / 13) ** 2 / (20_000 / 13)).sum(axis=1)
    assert np.abs((score - 12) / math.sqrt(24)).max() < 7
    freedom = 415 * 12
    assert abs(score.sum() * 415 / 416 - freedom) < 4 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("neighbour", ["seed", "session", "shoe"])
def test_neighbours_have_nothing_in_common(neighbour):
    rules = ShoeRules(decks=1)
    count = 40_000
    firsts = np.empty((2, count), int)
    for number in range(count):
        for side in (0, 1):
            place = {"seed": 1, "session": number, "shoe": 0} if neighbour != "session" else {}
            place = place or {"seed": 1, "session": 2 * number, "shoe": 0}
            place[neighbour] += side
            firsts[side, number] = shuffled_shoe(rules, **place)[0]
    table = np.bincount(firsts[0] * 52 + firsts[1], minlength=52 * 52)
    assert abs(chi_square_score(table, count / 52**2, 52**2 - 1)) < 4


def test_a_range_of_cut_cards_is_even_and_unrelated_to_the_cards():
    rules = ShoeRules(cut_card=(14, 21))
    cuts = np.array([cut_position(rules, seed=1, session=session, shoe=0) for session in range(20_000)])
    firsts = np.array([shuffled_shoe(rules, seed=1, session=session, shoe=0)[0] // 4 for session in range(20_000)])
    table = np.bincount((cuts - 14) * 13 + firsts, minlength=8 * 13)
    assert table.size == 8 * 13
    assert abs(chi_square_score(table, 20_000 / 104, 103)) < 4


def test_a_fixed_cut_card_stays_where_it_is():
    assert {cut_position(ShoeRules(cut_card=16), seed=1, session=0, shoe=shoe) for shoe in range(50)} == {16}
    assert cut_position(ShoeRules(cut_card=0), seed=1, session=0, shoe=0) == 0
