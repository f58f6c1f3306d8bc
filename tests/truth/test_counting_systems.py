"""Published winnings of card counters, played in whole runs: bets a shoe and units won a shoe.

Counters are measured by the exact expectation of what they laid on the cards left before each round, which strays far
less than what they won. Conventions are those that reproduce the published figures: the cut card 14 cards from the end,
the round in which it comes out and one more (E. Jacobson) or none more (S. How); burned cards are unseen; a true count
is taken for all unseen cards. The pair bets at 100 on both sides are those of Jacobson's computer-perfect play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bacclab.runs import run

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SHOES = 3_000


def counted(folder: Path, *bettors: dict[str, Any], rules: str = "ez", **table: Any) -> dict[str, tuple[float, ...]]:
    """By bettor: bets a shoe, units won a shoe (expected on the cards left), its standard error, return on stake."""
    settings = {"rules": rules, "minimum": 1, "maximum": "none", "side_bets_need_main_bet": False, **table}
    played = run(
        {
            "seed": 5,
            "bankroll": 1_000_000,
            "sessions": SHOES,
            "shoes": 1,
            "table": settings,
            "record": {"checkpoints": 1, "trajectories": 0},
            "bettor": list(bettors),
        },
        out=folder / "run",
        report=False,
        workers=1,
    )
    found = {}
    for row in played.summary.iter_rows(named=True):
        assert (row["played_by"], row["expected_on"]) == ("lanes", "cards left")
        assert abs(row["z"]) < 4.5  # what was won agrees with what was expected
        assert row["rounds"] / SHOES == pytest.approx(81.28 if table.get("rounds_after_cut", 1) else 80.48, abs=0.15)
        error = row["se_controlled"] * row["bets"] / SHOES  # of the units, as its standard error is of the return
        found[row["bettor"]] = (
            row["bets_per_shoe"],
            row["expected_units_per_shoe"],
            error,
            row["expected_return"],
        )
    return found


def test_dragon_7_and_panda_8_by_balanced_counts(tmp_path: Path) -> None:
    """Jacobson, 100 million shoes: 0.597 and 0.237 of a bet a shoe. (Perfect play would win more: 0.68 and 0.29.)"""
    found = counted(tmp_path, {"use": "dragon-7-count"}, {"use": "panda-8-count"})
    for name, published in (("dragon-7-count", 0.597), ("panda-8-count", 0.237)):
        _, units, error, _ = found[name]
        assert error < 0.02
        assert abs(units - published) < 4 * error, name


def test_dragon_7_and_panda_8_by_running_counts(tmp_path: Path) -> None:
    """How: 0.53 of a bet a shoe on Dragon 7; on Panda 8, 0.134 on 3.6 bets. No round after that of the cut card.

    His 5.2 bets a shoe on Dragon 7 are those of his tracking sheet; a running count of 32 bets more often, for as much.
    """
    found = counted(tmp_path, {"use": "dragon-7-unbalanced"}, {"use": "panda-8-co-count"}, rounds_after_cut=0)
    _, units, error, _ = found["dragon-7-unbalanced"]
    assert abs(units - 0.53) < 4 * error
    bets, units, error, _ = found["panda-8-co-count"]
    assert abs(units - 0.134) < 4 * error
    assert bets == pytest.approx(3.6, abs=0.25)


def test_pairs_by_the_exact_count(tmp_path: Path) -> None:
    """Published 37.54 a shoe for 100 on both; worked out elsewhere 37.1 ± 1.0, on about 1.74 betting rounds a shoe."""
    counter = {"use": "pair-counter", "unit": 100, "main": {"unit": 0}}
    bets, units, error, _ = counted(tmp_path, counter, rules="no-commission")["pair-counter"]
    a_hundred = 2 * 100  # a unit is what a round is bet: 100 on each of two pairs
    assert a_hundred * error < 1.5
    assert abs(a_hundred * units - 37.1) < 4 * (a_hundred * error + 0.25)
    assert bets == pytest.approx(1.74, abs=0.2)


def test_the_main_bets_cannot_be_counted(tmp_path: Path) -> None:
    """Perfect play, by the exact odds of the cards left, wins about a thousandth of a bet a shoe, late in the shoe
    only.
    """
    both = {"bets": ["banker", "player"], "main": {"unit": 0}}
    perfect = [{"use": "exact-counter", "name": f"{cards} cards", "cards": cards, **both} for cards in (50, 90)]
    linear = {"name": "linear", "select": "effects-count", "stake": {"use": "flat", "unit": 10}}
    found = counted(tmp_path, *perfect, {"use": "main-count"}, {"use": "ten-count"}, linear, rules="commission")
    late, earlier = found["50 cards"], found["90 cards"]
    assert 0 < late[1] < earlier[1] + 1e-9 < 0.004
    assert late[0] > 0.8 * earlier[0]  # with 18 to 50 cards
    assert abs(found["main-count"][1]) < 0.004
    assert abs(found["linear"][1]) < 0.004
    # The ten count picks sides like any other rule: it loses between 1.06 and 1.24 % of what it lays.
    bets, _, _, rate = found["ten-count"]
    assert bets > 20
    assert -0.0130 < rate < -0.0105
