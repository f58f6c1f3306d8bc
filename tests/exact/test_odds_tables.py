"""`bacclab.odds`: shoes, choice of bets, stakes and frames."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import bacclab as bl
from bacclab.errors import BetError, MoneyError, PluginError, TableError
from bacclab.exact.odds import full_shoe
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.plugins.registry import Registry


def test_frames_of_a_table():
    found = bl.odds("no-commission")
    bets = found.bets
    assert bets.columns == ["bet", "title", "kind", "win", "push", "lost", "expected_return", "edge",
                            "edge_per_decision", "variance", "sd", "n0"]  # fmt: skip
    assert bets["bet"].to_list() == list(found.layout.ids) == list(found.shown)
    assert bets["edge"].round(8).to_list() == [0.01458104, 0.01235081, 0.14359629, 0.10361446, 0.10361446]
    assert (bets["win"] + bets["push"] + bets["lost"] - 1).abs().max() < 1e-15
    assert (bets["edge"] + bets["expected_return"]).abs().max() == 0

    results = found.results
    assert results.schema["sequences"] == pl.Int64
    sums = results.group_by("bet").agg(pl.col("sequences").sum(), pl.col("probability", "contribution").sum())
    assert set(sums["sequences"]) == {4_998_398_275_503_360}
    assert (sums["probability"] - 1).abs().max() < 1e-14
    joined = sums.join(bets, on="bet")
    assert (joined["contribution"] + joined["edge"]).abs().max() < 1e-14
    six = results.filter((pl.col("bet") == "banker") & (pl.col("line") == "six")).row(0, named=True)
    assert (six["odds"], six["net"]) == ("1:2", 0.5)

    assert found.covariance.columns == ["bet", *found.shown]
    assert np.allclose(np.diag(found.covariance.drop("bet").to_numpy()), bets["variance"], rtol=1e-12)
    assert found.effects.shape == (13, 2 + 5)
    assert found.effects["rank"].to_list()[::12] == ["A", "K"]


def test_published_covariance_in_the_frame():
    frame = bl.odds("commission").covariance
    assert frame.filter(pl.col("bet") == "banker")["player"].item() == pytest.approx(-0.8820448208, rel=6e-10)


def test_edges_of_a_round_and_of_a_decision():
    banker, player = (bl.odds("commission").figures[bet] for bet in ("banker", "player"))
    assert f"{100 * banker.edge:.6f} {100 * banker.edge_per_decision:.6f}" == "1.057906 1.169158"
    assert f"{100 * player.edge:.6f} {100 * player.edge_per_decision:.6f}" == "1.235081 1.364966"
    pair = bl.odds("commission").figures["player_pair"]
    assert pair.edge == pair.edge_per_decision
    assert pair.expected == Fraction(-43, 415)


def test_a_bet_without_an_edge_has_no_n0():
    """12 cards, none alike but two aces: pair at odds that make it fair."""
    fair = BUILT_IN_TABLES["commission"].override({"odds": {"player_pair": "65:1"}})
    found = bl.odds(fair, composition=[2, *[1] * 10, 0, 0], bets=["player_pair"]).figures["player_pair"]
    assert found.win == pytest.approx(1 / 66)
    assert found.expected == 0
    assert found.n0 is None
    assert bl.odds(fair, composition=[2, *[1] * 10, 0, 0], bets=["player_pair"]).bets["n0"].to_list() == [None]


def test_shoes():
    full = bl.odds("commission", decks=6)
    assert (full.cards, full.ranks[0], full.decks) == (312, 24, 6)
    by_rank = bl.odds("commission-all-bets", composition=[32] * 13)
    by_suit = bl.odds("commission-all-bets", composition=full_shoe(8))
    of_decks = bl.odds("commission-all-bets")
    edges = [[figure.expected for figure in found.figures.values()] for found in (by_rank, by_suit, of_decks)]
    assert edges[0] == edges[1] == edges[2]
    gone = bl.odds("commission-all-bets", without="8 8 9 K")
    same = bl.odds("commission-all-bets", composition=[32] * 7 + [30, 31, 32, 32, 32, 31])
    assert gone.figures == same.figures
    assert gone.cards == 412


def test_suits_that_are_known_matter_to_suited_pairs_only():
    unknown = bl.odds("commission-all-bets", without="8 8 8").figures
    known = bl.odds("commission-all-bets", without="8s 8s 8s").figures
    other = bl.odds("commission-all-bets", without="8s 8h 8d").figures
    assert {bet for bet in unknown if known[bet].expected != unknown[bet].expected} == {"perfect_pair"}
    # Averaged over which three of 32 cards of the rank are gone.
    patterns = {"8s 8s 8s": 4 * 8 * 7 * 6, "8s 8s 8h": 12 * 3 * 8 * 7 * 8, "8s 8h 8d": 24 * 8**3}
    total = sum(
        ways * bl.odds(bets=["perfect_pair"], without=cards).figures["perfect_pair"].expected
        for cards, ways in patterns.items()
    )
    assert sum(patterns.values()) == 32 * 31 * 30
    assert total / (32 * 31 * 30) == unknown["perfect_pair"].expected
    assert other["perfect_pair"].expected != known["perfect_pair"].expected


def test_sequences_are_left_out_where_they_are_no_whole_number():
    rows = {(row["bet"], row["line"]): row for row in bl.odds("commission-all-bets", without="8").result_rows()}
    assert rows["banker", "win"]["sequences"] > 0
    assert rows["perfect_pair", "both"]["sequences"] is None or rows["perfect_pair", "both"]["sequences"] > 0


def test_choosing_bets():
    found = bl.odds("commission", bets=["tie", "lucky_6:las-vegas", "banker", "tie"])
    assert found.shown == ("tie", "lucky_6", "banker")
    assert list(found.figures) == ["banker", "tie", "lucky_6"]
    assert found.bets["bet"].to_list() == ["tie", "lucky_6", "banker"]
    assert found.effects.columns == ["rank", "cards", "tie", "lucky_6", "banker"]
    assert found.covariance["bet"].to_list() == ["tie", "lucky_6", "banker"]
    with pytest.raises(BetError, match=r"there is no bet .bankr. .did you mean banker"):
        bl.odds(bets=["bankr"])
    with pytest.raises(BetError, match="tie has no pay table 10:1"):
        bl.odds(bets=["tie:10:1"])


def test_tables_of_a_user():
    mine = BUILT_IN_TABLES["commission"].override({"commission": "2%"})
    win = bl.odds("commission").figures["banker"].win
    assert bl.odds(mine).figures["banker"].edge == pytest.approx(0.01057905784 - 0.03 * win, abs=1e-9)
    with pytest.raises(PluginError, match=r"no table 'no-comission' .did you mean no-commission"):
        bl.odds("no-comission")
    registry = Registry()
    registry.add("tables", "mine", mine, plugin="test", origin="test")
    assert bl.odds("mine", registry=registry).table is mine


@pytest.mark.parametrize(("stake", "net"), [(5, "4.75"), (7, "6.50"), (1, "0.75"), ("10.00", "9.50"), (100, "95.00")])
def test_commission_rounded_up_to_quarters(stake, net):
    """The edge at a stake is that of what is really paid."""
    found = bl.odds("commission-quarters", stake=stake)
    figures = found.figures["banker"]
    paid = Fraction(net) / Fraction(stake)
    exact = sum(result.chance * (paid if result.line == "win" else result.net) for result in figures.results)
    assert found.at_stake["banker"].expected == exact
    row = found.bets.row(0, named=True)
    assert row["stake"] == float(stake)
    assert row["edge_at_stake"] == pytest.approx(-float(exact), abs=1e-15)
    assert found.at_stake["player"] == found.figures["player"]


def test_stakes_that_cannot_be_laid():
    table = BUILT_IN_TABLES["commission"].override({"minimum": 10, "limits": {"side": {"minimum": 5}}})
    found = bl.odds(table, stake=5)
    assert set(found.at_stake) == {"player_pair", "banker_pair"}
    assert found.bets["edge_at_stake"].null_count() == 3
    with pytest.raises(TableError, match=r"no bet takes a stake of 1.00 .on banker it is under minimum"):
        bl.odds(table, stake=1)
    with pytest.raises(MoneyError):
        bl.odds(stake="x")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"decks": 0}, "decks must be 1 to 16"),
        ({"decks": 17}, "decks must be 1 to 16"),
        ({"composition": [33, *[32] * 12]}, "33 cards of one rank are more than 8 decks hold"),
        ({"composition": full_shoe(8) + 1}, "9 cards of one kind are more than 8 decks hold"),
        ({"composition": [1] * 12}, "13 counts"),
        ({"composition": [1, 4, *[0] * 11]}, "a shoe of 5 cards"),
        ({"decks": 1, "without": "8 8 8 8 8"}, "5 cards of rank 8 cannot be gone"),
    ],
)
def test_shoes_that_are_none(options, says):
    with pytest.raises(TableError, match=says):
        bl.odds("commission", **options)


def test_a_shoe_of_six_cards():
    """Two eights and four tens: 15 places for the eights. A tie with one a side (4), or with both at the end (1)."""
    found = bl.odds(composition=[0, 0, 0, 0, 0, 0, 0, 2, 0, 4, 0, 0, 0], bets=["tie", "player_pair"])
    wins = [sum(r.chance for r in found.figures[bet].results if r.net > 0) for bet in ("tie", "player_pair")]
    assert wins == [Fraction(5, 15), Fraction(7, 15)]
    assert found.effects.drop("rank", "cards").null_count().row(0) == (13, 13)
