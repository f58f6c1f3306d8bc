"""Whole shoes against published figures, each from 6 to 60 million simulated shoes of another program."""

import math

import numpy as np
import pytest

from bacclab.game import codes
from bacclab.game.rules import ShoeRules
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon

SHOES = 60_000
FIGURES = [
    # decks, burn, cut card, rounds after, first out, mean rounds, SD, 1 %, 99 %, cards a round, cards left
    (6, "turned", 14, 1, "counts", 60.4277, 1.439, 57, 64, 4.93877, 6.02),
    (6, "turned", 16, 1, "last", 59.8208, 1.434, 57, 63, 4.93878, 9.02),
    (8, "turned", 0, 0, "last", 82.1033, 1.634, 78, 86, 4.93892, 2.96),
    (8, "none", 0, 0, "last", 83.6288, 1.515, 80, 87, 4.93896, 2.96),
    (8, "turned", 14, 0, "last", 80.4826, 1.621, 77, 84, 4.93898, 10.96),
    (8, "turned", 14, 1, "counts", 81.4836, 1.622, 78, 85, 4.93890, 6.02),
    (8, "none", 14, 1, "counts", 83.0091, 1.501, 80, 86, 4.93897, 6.02),
    (8, "turned", 14, 1, "last", 81.2812, 1.621, 78, 85, 4.93888, 7.02),
    (8, "turned", 16, 0, "last", 80.0785, 1.619, 76, 84, 4.93892, 12.96),
    (8, "turned", 16, 1, "last", 80.8759, 1.617, 77, 85, 4.93892, 9.02),
    # The figures of a second program, which states its standard error as 0.003 and gives no shares.
    (8, "none", 14, 1, "last", 82.81, 1.50, 80, 86, 4.9389, None),
    (6, "turned", 14, 1, "last", 60.23, 1.44, 57, 64, 4.9388, None),
]


@pytest.mark.parametrize(
    ("decks", "burn", "cut", "after", "first_out", "mean", "sd", "low", "high", "used", "rest"), FIGURES
)
def test_rounds_of_a_shoe(decks, burn, cut, after, first_out, mean, sd, low, high, used, rest):
    rules = ShoeRules(decks=decks, burn=burn, cut_card=cut, rounds_after_cut=after, cut_card_first_out=first_out)
    dealt = SimulatedSource(rules, seed=20).rounds(0, SHOES, horizon=Horizon(shoes=1))
    rounds = dealt.lengths
    assert abs(rounds.mean() - mean) < 4 * sd / math.sqrt(SHOES) + 0.003
    assert rounds.std() == pytest.approx(sd, rel=0.02)
    assert abs(np.quantile(rounds, 0.01) - low) <= 1
    assert abs(np.quantile(rounds, 0.99) - high) <= 1
    cells = (dealt.codes & codes.CODE_MASK) // codes.PAIR_STATES
    cards = np.where(np.arange(cells.shape[1]) < rounds[:, None], 4 + (cells & 1) + (cells >> 1 & 1), 0).sum(axis=1)
    assert cards.sum() / rounds.sum() == pytest.approx(used, abs=0.002)
    assert (cards <= 52 * decks - {"none": 0, "turned": 2}[burn]).all()
    if rest is not None:
        burned = {"none": 0.0, "turned": 1 + (sum(range(1, 10)) + 4 * 10) / 13}[burn]
        assert 52 * decks - burned - cards.mean() == pytest.approx(rest, abs=4 * 3.6 / math.sqrt(SHOES) + 0.005)
    if burn == "none":
        left = 52 * decks - cards
        if cut == 0:
            assert left.max() <= 5, "deals while six cards remain"
        else:
            # "counts": the round of the first card behind the cut card, which ends 1 to 6 cards behind it, and one
            # more. "last": 1 to 5 and one more, or, when the cut card leads a round, that round alone.
            assert left.min() >= cut - (12 if first_out == "counts" else 11)
            assert left.max() <= cut - (5 if first_out == "counts" else 4)


def test_no_burn_deals_the_range_that_was_seen():
    lengths = (
        SimulatedSource(ShoeRules(burn="none", cut_card=0), seed=1).rounds(0, SHOES, horizon=Horizon(shoes=1)).lengths
    )
    assert lengths.min() >= 75
    assert lengths.max() <= 91
