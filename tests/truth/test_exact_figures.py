"""Exact odds against figures published or worked out elsewhere, to the last digit that they have."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from bacclab.exact.odds import (
    code_counts,
    code_probabilities,
    covariance,
    expected_returns,
    full_shoe,
    line_probabilities,
    sequences,
)
from bacclab.game.codes import CODES, decode, outcomes
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES

BETS = ("banker", "player", "tie", "player_pair", "banker_pair")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")

# Columns: expectation, variance, standard deviation (a row a bet); covariance; effect of removing one card (a row a
# rank, a column a bet). Eight decks. Ten significant digits.
PUBLISHED = {
    "commission": {
        "moments": """
            -0.01057905784 0.8600188668 0.9273720218
            -0.01235081329 0.9046914894 0.9511527161
            -0.1435962878 6.974206092 2.640872222
            -0.1036144578 9.953119466 3.154856489
            -0.1036144578 9.953119466 3.154856489
        """,
        "covariance": """
            0.8600188668 -0.8820448208 0.009059944408 0.09916581103 -0.1052045506
            -0.8820448208 0.9046914894 0.01057728235 -0.1018544892 0.1078431515
            0.009059944408 0.01057728235 6.974206092 -0.05123374566 -0.02069205447
            0.09916581103 -0.1018544892 -0.05123374566 9.953119466 0.0001164230090
            -0.1052045506 0.1078431515 -0.02069205447 0.0001164230090 9.953119466
        """,
        "removal": """
            0.00004403747616 -0.00004479840606 0.0001292508936 0 0
            0.00005223476137 -0.00005425570865 -0.0002392396448 0 0
            0.00006492387824 -0.00006719845894 -0.0002140629195 0 0
            0.0001157191954 -0.0001195192864 -0.0002923591624 0 0
            -0.00008269287339 0.00008405992846 -0.0002643995314 0 0
            -0.0001132414485 0.0001128415697 -0.001159530507 0 0
            -0.00008271543368 0.00008172692295 -0.001091406170 0 0
            -0.00005015379000 0.00005330375806 0.0006542546775 0 0
            -0.00002313537414 0.00002494220702 0.0004259799730 0 0
            0.00001875590213 -0.00001777563153 0.0005128780977 0 0
        """,
    },
    "no-commission": {
        "moments": """
            -0.01458104464 0.8642336382 0.9296416719
            -0.01235081329 0.9046914894 0.9511527161
            -0.1435962878 6.974206092 2.640872222
            -0.1036144578 9.953119466 3.154856489
            -0.1036144578 9.953119466 3.154856489
        """,
        "covariance": """
            0.8642336382 -0.8780922618 0.01248726076 0.09853336838 -0.1203524566
            -0.8780922618 0.9046914894 0.01057728235 -0.1018544892 0.1078431515
            0.01248726076 0.01057728235 6.974206092 -0.05123374566 -0.02069205447
            0.09853336838 -0.1018544892 -0.05123374566 9.953119466 0.0001164230090
            -0.1203524566 0.1078431515 -0.02069205447 0.0001164230090 9.953119466
        """,
        "removal": """
            0.00005678978083 -0.00004479840606 0.0001292508936 0 0
            0.00006120524824 -0.00005425570865 -0.0002392396448 0 0
            0.00008330295137 -0.00006719845894 -0.0002140629195 0 0
            0.0001143794095 -0.0001195192864 -0.0002923591624 0 0
            -0.00009192440762 0.00008405992846 -0.0002643995314 0 0
            0.00006127693730 0.0001128415697 -0.001159530507 0 0
            -0.0002023682822 0.00008172692295 -0.001091406170 0 0
            -0.0001472368965 0.00005330375806 0.0006542546775 0 0
            -0.00009823279437 0.00002494220702 0.0004259799730 0 0
            0.00004070201335 -0.00001777563153 0.0005128780977 0 0
        """,
    },
}


def numbers(text):
    return np.array([[float(word) for word in row.split()] for row in text.strip().splitlines()])


def ten_digits(actual, published):
    """Equal to half a unit of the tenth significant digit."""
    return np.allclose(actual, published, rtol=6e-10, atol=1e-15)


@pytest.fixture(params=PUBLISHED)
def table(request):
    return request.param


def test_expectation_variance_and_deviation(table):
    layout = Layout(BUILT_IN_TABLES[table])
    assert layout.ids == BETS
    published = numbers(PUBLISHED[table]["moments"])
    variance = np.diag(covariance(layout, 8))
    assert ten_digits(expected_returns(layout, 8), published[:, 0])
    assert ten_digits(variance, published[:, 1])
    assert ten_digits(np.sqrt(variance), published[:, 2])


def test_covariance(table):
    published = numbers(PUBLISHED[table]["covariance"])
    assert ten_digits(covariance(Layout(BUILT_IN_TABLES[table]), 8), published)


def test_effects_of_removal(table):
    """The change of each expectation when one card of a rank leaves the shoe."""
    layout = Layout(BUILT_IN_TABLES[table])
    published = numbers(PUBLISHED[table]["removal"])
    full = expected_returns(layout, 8)
    for rank, row in enumerate(published):
        for suit in range(4):
            shoe = full_shoe(8)
            shoe[rank, suit] -= 1
            # A difference of two figures of about 0.1, so that 15 decimals of them are 10 digits of it.
            assert np.allclose(expected_returns(layout, shoe) - full, row, rtol=6e-10, atol=2e-15)


COUNTS_OF_EIGHT_DECKS = {
    "player": 2_230_518_282_592_256,
    "banker": 2_292_252_566_437_888,
    "tie": 475_627_426_473_216,
}


def test_counts_of_eight_decks():
    assert sequences(8) == 4_998_398_275_503_360
    for place, count in enumerate(COUNTS_OF_EIGHT_DECKS.values()):
        assert int(code_counts(8)[outcomes() == place].sum()) == count


@pytest.mark.parametrize(
    ("decks", "player", "banker", "tie"),
    [
        (8, 0.446246609344, 0.458597422633, 0.095155968024),
        (6, 0.446278569839, 0.458652718825, 0.095068711336),
        (1, 0.446760430304, 0.459624155172, 0.093615414524),
    ],
)
def test_chances_by_decks(decks, player, banker, tie):
    chances = code_probabilities(decks)
    actual = [chances[outcomes() == place].sum() for place in range(3)]
    assert np.allclose(actual, [player, banker, tie], rtol=0, atol=6e-13)


def test_shares_of_decisions():
    player, banker = COUNTS_OF_EIGHT_DECKS["player"], COUNTS_OF_EIGHT_DECKS["banker"]
    assert player / (player + banker) == pytest.approx(0.493175170055, abs=1e-12)
    layout = Layout(BUILT_IN_TABLES["commission"])
    tie = line_probabilities(layout, 8)[layout.index["player"]][2]
    per_decision = -expected_returns(layout, 8)[:2] / (1 - tie)
    assert np.allclose(per_decision, [0.01169158, 0.01364966], atol=5e-9)


def test_cards_per_round():
    cards = np.array([decode(code).cards for code in range(CODES)])
    assert cards @ code_probabilities(8) == pytest.approx(4.938818849692, abs=1e-12)


EDGES = [
    # table, changes, bet, house edge in per cent, standard deviation, chance to win in per cent (None: not published)
    ("commission", {}, "banker", 1.057906, 0.927372, None),
    ("commission", {}, "player", 1.235081, 0.951153, None),
    ("commission", {}, "tie", 14.359629, 2.640872, None),
    ("commission-tie-9", {}, "tie", 4.844032, 2.934302, None),
    ("commission-4", {}, "banker", 0.599308, None, None),
    ("commission", {"commission": 0}, "banker", -1.235081, None, None),
    ("ez", {}, "banker", 1.018301, 0.939258, None),
    ("ez", {}, "dragon_7", 7.611334, 6.084882, 2.253382),
    ("ez", {}, "panda_8", 10.187632, 4.748114, 3.454322),
    ("no-commission", {}, "banker", 1.458104, 0.929642, None),
    ("commission", {}, "player_pair", 10.361446, 3.154856, 7.469880),
    ("commission", {"odds": {"banker_pair": 12}}, "banker_pair", 2.891566, 3.417761, 7.469880),
    ("commission-side-bets", {}, "either_pair", 13.709877, None, 14.381687),
    ("commission-6-decks", {}, "banker", 1.055849, None, None),
    ("commission-6-decks", {}, "player", 1.237415, None, None),
    ("commission-6-decks", {}, "tie", 14.438160, None, None),
]


@pytest.mark.parametrize(("table", "changes", "bet", "edge", "deviation", "hit"), EDGES)
def test_house_edges(table, changes, bet, edge, deviation, hit):
    rules = BUILT_IN_TABLES[table].override(changes)
    layout = Layout(rules)
    place = layout.index[bet]
    assert -100 * expected_returns(layout, rules.shoe.decks)[place] == pytest.approx(edge, abs=6e-7)
    if deviation is not None:
        actual = math.sqrt(covariance(layout, rules.shoe.decks)[place, place])
        assert actual == pytest.approx(deviation, abs=6e-7)
    if hit is not None:
        chances = line_probabilities(layout, rules.shoe.decks)[place]
        winning = layout.numerator[place] > 0
        assert 100 * chances[winning].sum() == pytest.approx(hit, abs=6e-7)


def test_pair_as_a_fraction():
    layout = Layout(BUILT_IN_TABLES["no-commission"])
    for bet in ("player_pair", "banker_pair"):
        hits = code_counts(8)[layout.line[layout.index[bet]] == 1]
        assert Fraction(int(hits.sum()), sequences(8)) == Fraction(31, 415)


def test_naturals():
    """A two-card natural 8 or 9 of one side: 9.453197 % and 9.490269 %; 5.468026 % and 5.097312 % edge at 9:1."""
    chances = code_probabilities(8)
    for total, share, edge, deviation in ((8, 9.453197, 5.468026, 2.925674), (9, 9.490269, 5.097312, 2.930805)):
        hit = sum(
            chances[code] for code in range(CODES) if decode(code).player_natural and decode(code).player_total == total
        )
        assert 100 * hit == pytest.approx(share, abs=6e-7)
        assert 100 - 1000 * hit == pytest.approx(edge, abs=6e-6)
        assert 10 * math.sqrt(hit * (1 - hit)) == pytest.approx(deviation, abs=6e-7)


def test_the_mean_edge_stays_when_cards_are_seen():
    """Averaged over the card that goes first, the chances do not change."""
    full = code_probabilities(8)
    mean = np.zeros(CODES)
    for rank in range(13):
        shoe = full_shoe(8)
        shoe[rank, 0] -= 1
        mean += code_probabilities(shoe) / 13
    assert np.allclose(mean, full, rtol=1e-12, atol=1e-18)
