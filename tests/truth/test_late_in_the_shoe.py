"""What counting the cards exactly can win, against figures published or simulated elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bacclab.exact.late import Late, late
from bacclab.game.tables import BUILT_IN_TABLES

COMMISSION, EZ = BUILT_IN_TABLES["commission"], BUILT_IN_TABLES["ez"]


@pytest.fixture(scope="module")
def pairs() -> Late:
    """Eight decks, one more round after that in which the cut card comes out, burned cards unseen."""
    return late("commission", "player_pair", shoes=12_000, seed=1, cut_cards=(14, 16))


def within(row: dict[str, Any], name: str, value: float, error: float = 0.0) -> bool:
    """Within four standard errors, those of the other figure taken into account."""
    return bool(abs(row[name] - value) < 4 * (row[f"se_{name}"] ** 2 + error**2) ** 0.5)


def test_pairs_by_perfect_play(pairs: Late) -> None:
    # 100 on each pair: 37.1 ± 1.0 a shoe on about 1.74 rounds (simulated), 37.54 (E. Jacobson, at 11:1); 31.3 at 16.
    deep, shallow = pairs.cut_card_rows
    assert within(deep, "units", 0.371 / 2, 0.005)
    assert within(deep, "units", 0.3754 / 2)
    assert within(deep, "bets", 1.74, 0.02)
    assert within(shallow, "units", 0.313 / 2)


def test_pairs_without_a_burn() -> None:
    # 62.7 a shoe with 100 on each pair.
    table = replace(COMMISSION, shoe=replace(COMMISSION.shoe, burn="none"))
    (row,) = late(table, "banker_pair", shoes=6_000, seed=2).cut_card_rows
    assert within(row, "units", 0.627 / 2)


def test_pairs_at_twelve_to_one() -> None:
    # 99.96 a shoe with 100 on each pair (E. Jacobson).
    table = COMMISSION.override({"odds": {"player_pair": "12:1"}})
    (row,) = late(table, "player_pair", shoes=6_000, seed=3).cut_card_rows
    assert within(row, "units", 0.9996 / 2)


def test_the_pair_bet_loses_10_36_per_cent_at_every_depth(pairs: Late) -> None:
    assert pairs.full_shoe == pytest.approx(-0.1036, abs=5e-5)
    for row in pairs.cards_left_rows:
        assert abs(row["mean_return"] + 0.1036144578) < 4 * row["se_return"] + 1e-9, row


@pytest.mark.parametrize(("bet", "published"), [("dragon_7", 0.597), ("panda_8", 0.237)])
def test_ceilings_of_dragon_and_panda(bet: str, published: float) -> None:
    # Units a shoe with the cut card at 14 (S. How). He does not say what is dealt after the cut card, or how closely he
    # sampled: his figures lie between those of 14 and 16 cards when no round is dealt after the one in which it comes.
    table = replace(EZ, shoe=replace(EZ.shoe, rounds_after_cut=0))
    deep, shallow = late(table, bet, shoes=2_500, seed=4, cut_cards=(14, 16)).cut_card_rows
    assert shallow["units"] - 4 * shallow["se_units"] < published < deep["units"] + 4 * deep["se_units"]
    assert deep["units"] == pytest.approx(published, rel=0.15)


@pytest.mark.parametrize("bet", ["banker", "player"])
def test_the_main_bets_are_practically_never_good(bet: str) -> None:
    # Edges only with 18 to 50 cards unseen, and small (E. Jacobson).
    found = late("commission", bet, shoes=1_500, seed=5)
    (row,) = found.cut_card_rows
    assert row["units"] < 0.002
    assert row["advantage"] < 0.005
    assert row["mean_advantage"] < 0.01
    good = sum(r["rounds"] * r["advantage"] for r in found.cards_left_rows)
    deep = sum(r["rounds"] * r["advantage"] for r in found.cards_left_rows if r["to_cards"] <= 52)
    assert deep > 0.85 * good
