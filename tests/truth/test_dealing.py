"""10^8 dealt rounds against the exact distribution of all round codes, enumerated here by rules of its own."""

import functools
import math

import numpy as np
import pytest

from bacclab.game import codes
from bacclab.game.rules import ShoeRules
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon

ROUNDS = 100_000_000

# Exact counts over all orders of six cards from eight decks, as published.
BANKER, PLAYER, TIE = 2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216


@functools.cache
def exact_codes(decks):
    """How many ordered draws of six cards from full decks give each (cell, pair state): int64[400, 13].

    All four first ranks are enumerated, then the values of the fifth and sixth card; suits enter through the number of
    ways in which a pair can be suited.
    """
    copies, n = 4 * decks, 52 * decks
    ranks = np.indices((13,) * 4).reshape(4, -1)
    p1, p2, b1, b2 = ranks
    left = np.full((4, ranks.shape[1]), copies, np.int64)
    for later in range(4):
        for earlier in range(later):
            left[later] -= ranks[later] == ranks[earlier]
    ways = left.prod(axis=0)
    remaining = np.full((ranks.shape[1], 13), copies, np.int64)
    for rank in ranks:
        remaining[np.arange(rank.size), rank] -= 1
    by_value = np.zeros((ranks.shape[1], 10), np.int64)
    for rank in range(13):
        by_value[:, min(rank + 1, 10) % 10] += remaining[:, rank]
    value = np.minimum(ranks + 1, 10) % 10
    player, banker = (value[0] + value[1]) % 10, (value[2] + value[3]) % 10

    shares = list(pair_states(p1, p2, b1, b2, ways, decks))
    counts = np.zeros((400, 13), np.int64)
    for fifth in range(10):
        for sixth in range(10):
            following = by_value[:, fifth] * (by_value[:, sixth] - (fifth == sixth))
            cell = cells_of(player, banker, fifth, sixth)
            for state, share in shares:
                np.add.at(counts[:, state], cell, share * following)
    assert int(counts.sum()) == math.perm(n, 6)
    return counts


def cells_of(player, banker, fifth, sixth):
    """The cell of each start of a round, by plain comparisons."""
    goes_on = (player < 8) & (banker < 8)
    player_draws = goes_on & (player <= 5)
    third_rule = (
        (banker <= 2)
        | ((banker == 3) & (fifth != 8))
        | ((banker == 4) & (2 <= fifth <= 7))
        | ((banker == 5) & (4 <= fifth <= 7))
        | ((banker == 6) & (6 <= fifth <= 7))
    )
    banker_draws = goes_on & np.where(player_draws, third_rule, banker <= 5)
    player_total = np.where(player_draws, player + fifth, player) % 10
    banker_total = np.where(banker_draws, banker + np.where(player_draws, sixth, fifth), banker) % 10
    return (player_total * 10 + banker_total) * 4 + 2 * player_draws + banker_draws


def pair_states(p1, p2, b1, b2, ways, decks):
    """[(state, ways of the first four cards that have it)], by counting suits."""
    copies = 4 * decks
    suited = 4 * decks * (decks - 1)  # ordered pairs of one rank that are equal cards
    other = copies * (copies - 1) - suited
    kinds = {1: other, 2: suited}
    all_pairs = copies * (copies - 1)
    player_pair, banker_pair = p1 == p2, b1 == b2
    one_rank = player_pair & banker_pair & (p1 == b1)
    apart = player_pair & banker_pair & ~one_rank
    yield 0, np.where(~player_pair & ~banker_pair, ways, 0)
    for kind, number in kinds.items():
        yield kind * 3, np.where(player_pair & ~banker_pair, ways // all_pairs * number, 0)
        yield kind, np.where(banker_pair & ~player_pair, ways // all_pairs * number, 0)
        for banker_kind, banker_number in kinds.items():
            yield kind * 3 + banker_kind, np.where(apart, ways // all_pairs**2 * number * banker_number, 0)
    both_suited = 12 * (decks * (decks - 1)) ** 2 + 4 * math.perm(decks, 4)
    one_suited = suited * math.perm(copies - 2, 2) - both_suited
    neither = math.perm(copies, 4) - 2 * one_suited - both_suited
    for state, number in zip((9, 10, 11, 12), (neither, one_suited, one_suited, both_suited), strict=True):
        yield state, np.where(one_rank, number, 0)


def probabilities(decks):
    return exact_codes(decks) / math.perm(52 * decks, 6)


def by_outcome(counts):
    """Sums for Player, Banker and Tie of a table with 400 rows."""
    totals = np.arange(400) // 4
    player, banker = totals // 10, totals % 10
    return [int(counts[chosen].sum()) for chosen in (player > banker, banker > player, player == banker)]


def test_enumeration_gives_the_published_counts():
    assert by_outcome(exact_codes(8)) == [PLAYER, BANKER, TIE]
    both = probabilities(8).sum(axis=0)
    assert both[[3, 4, 5, 6, 7, 8, 9, 10, 11, 12]].sum() == pytest.approx(31 / 415, abs=1e-15)
    assert 1 - both[0] == pytest.approx(0.14381687, abs=1e-8), "either pair"
    assert by_outcome(exact_codes(1))[1] / math.perm(52, 6) == pytest.approx(0.459624155172, abs=1e-12)
    assert by_outcome(exact_codes(6))[2] / math.perm(312, 6) == pytest.approx(0.095068711336, abs=1e-12)
    cards = 4 + np.arange(400) % 4 // 2 + np.arange(400) % 2
    assert (probabilities(8).sum(axis=1) * cards).sum() == pytest.approx(4.938818849692, abs=1e-12)


def deal_table(rules, *, seed, sessions, horizon):
    """How often each (cell, pair state) was dealt, in blocks."""
    source = SimulatedSource(rules, seed=seed)
    counts = np.zeros(codes.CODES, np.int64)
    for first in range(0, sessions, 4000):
        dealt = source.rounds(first, min(4000, sessions - first), horizon=horizon)
        assert (dealt.lengths == dealt.codes.shape[1]).all()
        counts += np.bincount((dealt.codes & codes.CODE_MASK).reshape(-1), minlength=codes.CODES)
    return counts.reshape(400, 13)


def worst(observed, expected_share):
    """The largest deviation of any entry in standard errors."""
    total = observed.sum()
    error = np.sqrt(total * expected_share * (1 - expected_share))
    return float(np.abs((observed - total * expected_share) / error).max())


def chi_square_score(observed, expected_share):
    """A chi-square as standard deviations from its mean; entries that are expected under 10 times are put together."""
    observed, expected = observed.reshape(-1), observed.sum() * expected_share.reshape(-1)
    assert not observed[expected == 0].any(), "something impossible was dealt"
    rare = expected < 10
    observed = np.append(observed[~rare], observed[rare].sum())
    expected = np.append(expected[~rare], expected[rare].sum())
    observed, expected = observed[expected > 0], expected[expected > 0]
    freedom = observed.size - 1
    return (((observed - expected) ** 2 / expected).sum() - freedom) / math.sqrt(2 * freedom)


def check(dealt, decks):
    exact = probabilities(decks)
    totals = lambda table: table.sum(axis=1).reshape(100, 4).sum(axis=1)  # noqa: E731
    cards = lambda table: table.sum(axis=1).reshape(100, 4).sum(axis=0)  # noqa: E731
    outcomes = [np.array([part.sum() for part in split(table)]) for table in (dealt, exact)]
    assert worst(*outcomes) < 4
    pairs = [table.sum(axis=0) for table in (dealt, exact)]
    assert worst(pairs[0][pairs[1] > 0], pairs[1][pairs[1] > 0] / pairs[1].sum()) < 4
    assert abs(chi_square_score(*pairs)) < 4
    assert abs(chi_square_score(totals(dealt), totals(exact))) < 4
    assert abs(chi_square_score(cards(dealt), cards(exact))) < 4
    assert abs(chi_square_score(dealt, exact)) < 4, "all codes at once"


def split(table):
    totals = np.arange(400) // 4
    player, banker = totals // 10, totals % 10
    return table[player > banker], table[banker > player], table[player == banker]


@pytest.mark.parametrize("order", ["in-turn", "two-by-two"])
def test_hundred_million_rounds_of_eight_decks(order):
    """Whole sessions: the cut card moves the shares by less than 1e-5, a fifth of the standard error."""
    sessions = (ROUNDS if order == "in-turn" else ROUNDS // 5) // 500
    dealt = deal_table(ShoeRules(deal_order=order), seed=2026, sessions=sessions, horizon=Horizon(rounds=500))
    assert dealt.sum() == sessions * 500
    check(dealt, 8)


@pytest.mark.parametrize("decks", [1, 2, 6, 16])
def test_first_rounds_of_other_shoes(decks):
    """The first round of a shoe follows the exact distribution whatever the number of decks."""
    dealt = deal_table(ShoeRules(decks=decks), seed=5, sessions=2_000_000, horizon=Horizon(rounds=1))
    check(dealt, decks)
