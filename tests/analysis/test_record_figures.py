"""The figures of a record: chi-square against published tables, shares, runs and followers counted by hand."""

import math

import numpy as np
import pytest

from bacclab.analysis.record_figures import figures_of
from bacclab.analysis.statistics.chi_square import goodness_of_fit, upper_tail
from bacclab.game.rules import ShoeRules
from bacclab.shoes.recorded.dealt import deal_record
from bacclab.shoes.recorded.draft import Reading
from bacclab.shoes.recorded.importer import record_of


def figures(text, **options):
    return figures_of(record_of(text.encode(), Reading(**options), name="x"))


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [  # critical values as tables of the distribution print them (NIST/SEMATECH e-Handbook, 1.3.6.7.4)
        (2.706, 1, 0.10), (3.841, 1, 0.05), (6.635, 1, 0.01), (10.828, 1, 0.001),
        (4.605, 2, 0.10), (5.991, 2, 0.05), (9.210, 2, 0.01), (13.816, 2, 0.001),
        (15.987, 10, 0.10), (18.307, 10, 0.05), (29.588, 10, 0.001),
        (123.225, 99, 0.05), (134.642, 99, 0.01), (148.230, 99, 0.001),
    ],
)  # fmt: skip
def test_the_upper_tail_is_that_of_the_tables(statistic, freedom, p):
    assert upper_tail(statistic, freedom) == pytest.approx(p, rel=2e-3)


@pytest.mark.parametrize("x", [0.0, 0.17, 2.0, 40.0, 700.0])
def test_the_tail_with_two_degrees_is_an_exponential(x):
    assert upper_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)


@pytest.mark.parametrize("z", [0.05, 1.0, 1.96, 5.0, 20.0])
def test_the_tail_with_one_degree_is_that_of_the_normal(z):
    assert upper_tail(z * z, 1) == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-10)


def test_thin_cells_are_put_together():
    test = goodness_of_fit([50, 45, 3, 2], [0.5, 0.46, 0.02, 0.02])
    assert test.freedom == 1, "4 expected in all are too few for a cell of their own"
    assert goodness_of_fit([1, 1], [0.5, 0.5]) is None
    assert goodness_of_fit([], []) is None


def test_the_shares_of_a_live_feed():
    """427,094 rounds of a live feed with shares .4584, .4463 and .0953: chi-square 0.17, p .92 (published with it)."""
    expected = [share.expected for share in figures("BPT").shares]
    assert expected == pytest.approx([0.458597, 0.446247, 0.095156], abs=5e-7)
    counts = [round(share * 427_094) for share in (0.4584, 0.4463)]
    test = goodness_of_fit([*counts, 427_094 - sum(counts)], expected)
    assert 0.8 < test.p_value < 1, "the shares are given to four places"


def test_runs_and_followers_by_hand():
    # Decisions: BBPB | PP. Runs that ended: BB, P | none: the last run of a shoe is cut off.
    found = figures("BBTPTB\nPP")
    assert [(run.length, run.count) for run in found.runs if run.count] == [(1, 1), (2, 1)]
    after = found.followers
    assert (after.after_banker, after.of_banker) == (1, 2)  # BB, BP
    assert (after.after_player, after.of_player) == (1, 2)  # PB, PP; none goes from one shoe into the next
    assert after.shares == (0.5, 0.5)
    assert after.z == pytest.approx(0.0)


def test_pairs_and_totals_are_left_out_where_they_are_not_known():
    found = figures("BBPPT")
    assert (found.pairs, found.totals, found.decks) == ((), None, 8)
    assert figures("winner,player_pair,banker_pair\nB,1,0\nP,0,0").pairs[0].count == 1


def test_the_chance_of_a_pair():
    found = figures("winner,player_pair,banker_pair\nB,1,0\nP,0,0")
    assert [pair.expected for pair in found.pairs] == pytest.approx([31 / 415, 31 / 415])


def test_simulated_shoes_pass_and_a_bent_record_is_warned_of():
    record = deal_record(ShoeRules(), seed=3, shoes=150, table="commission")
    found = figures_of(record)
    assert found.warnings == ()
    assert found.totals.freedom > 90
    assert found.run_lengths.p_value > 0.001
    bent = figures("BPB" * 300 + "T" * 20)
    assert any("winners" in text for text in bent.warnings)
    assert any("run lengths" in text for text in bent.warnings)
    assert any("Banker after Banker" in text for text in bent.warnings)
    ties = figures("T" * 30 + "PPB" * 2)
    assert any("winners" in text for text in ties.warnings)


def test_expected_runs_are_those_of_independent_decisions():
    """Coin-like shoes of 12 decisions without ties: the expected runs add up to those seen, and agree with a
    simulation.
    """
    random = np.random.default_rng(5)
    shoes = random.random((4000, 12)) < 0.5
    text = "\n".join("".join("BP"[int(bit)] for bit in shoe) for shoe in shoes)
    found = figures(text)
    assert sum(run.expected for run in found.runs) == pytest.approx(sum(run.count for run in found.runs))
    assert found.run_lengths.p_value > 0.001


def test_values_are_plain():
    import json

    json.dumps(figures("BBPPT\nPB").as_values())
    json.dumps(figures("T", language="english").as_values())
