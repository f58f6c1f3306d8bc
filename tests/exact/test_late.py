"""Late in the shoe against shoes that are dealt and counted card by card in plain Python."""

from __future__ import annotations

import math
import statistics
from dataclasses import replace

import numpy as np
import pytest

from bacclab.errors import BetError, TableError
from bacclab.exact.late import late, late_each
from bacclab.exact.odds import expected_returns
from bacclab.game.layout import Layout
from bacclab.game.rules import ShoeRules
from bacclab.game.tableau import banker_draws, player_draws
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.shoes.dealer import cut_position, shuffled_shoe

VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]


def cards_of_round(cards: list[int]) -> int:
    """How many cards the next round takes, by the rules of drawing; cards go to Player and Banker in turn."""
    values = [VALUES[card // 4] for card in cards]
    player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
    if max(player, banker) >= 8:
        return 4
    if not player_draws(player):
        return 4 + banker_draws(banker, player_third=None)
    return 5 + banker_draws(banker, player_third=values[4])


def unseen_by_round(rules: ShoeRules, seed: int, shoe: int) -> list[list[int]]:
    """The counts of cards not seen before each round of a shoe, by hand."""
    cards = [int(card) for card in shuffled_shoe(rules, seed=seed, session=shoe, shoe=0)]
    edge = len(cards) - cut_position(rules, seed=seed, session=shoe, shoe=0)
    left = [4 * rules.decks] * 13
    left[cards[0] // 4] -= 1
    place = 1 + (VALUES[cards[0] // 4] or 10)
    found, more = [], None
    while len(cards) - place >= 6 and more != 0:
        if more is None and place >= edge:
            more = 1  # the cut card is the next card: this round is the last
        found.append(list(left))
        used = cards_of_round(cards[place:])
        for card in cards[place : place + used]:
            left[card // 4] -= 1
        place += used
        if more is not None:
            more -= 1
        elif place > edge:
            more = rules.rounds_after_cut
    return found


def pair_return(counts: list[int]) -> float:
    """At 11:1."""
    cards = sum(counts)
    return 12 * sum(n * (n - 1) for n in counts) / (cards * (cards - 1)) - 1


@pytest.fixture(scope="module")
def by_hand() -> list[list[list[int]]]:
    rules = BUILT_IN_TABLES["commission"].shoe
    assert (rules.cut_card, rules.rounds_after_cut, rules.burn) == (14, 1, "turned")
    return [unseen_by_round(rules, 5, shoe) for shoe in range(40)]


class TestByHand:
    def test_perfect_play(self, by_hand) -> None:
        (row,) = late("commission", "player_pair", shoes=40, seed=5).cut_card_rows
        gains = [[max(0.0, pair_return(counts)) for counts in shoe] for shoe in by_hand]
        units, bets = [sum(shoe) for shoe in gains], [sum(gain > 0 for gain in shoe) for shoe in gains]
        rounds = sum(map(len, by_hand))
        assert (row["cut_card"], row["cut_card_to"], row["shoes"]) == (14, 14, 40)
        assert row["rounds"] == rounds / 40
        assert row["bets"] == pytest.approx(statistics.fmean(bets))
        assert row["units"] == pytest.approx(statistics.fmean(units), rel=1e-12)
        assert row["se_bets"] == pytest.approx(statistics.stdev(bets) / math.sqrt(40))
        assert row["se_units"] == pytest.approx(statistics.stdev(units) / math.sqrt(40))
        assert row["advantage"] == pytest.approx(sum(bets) / rounds)
        assert row["mean_advantage"] == pytest.approx(sum(units) / sum(bets))

    @pytest.mark.parametrize("width", [None, 1, 40, 500])
    def test_bins(self, by_hand, width) -> None:
        rows = late("commission", "banker_pair", shoes=40, seed=5, width=width).cards_left_rows
        wide = width or 13
        pairs = [(sum(counts), pair_return(counts), k) for k, shoe in enumerate(by_hand) for counts in shoe]
        assert [row["from_cards"] for row in rows] == sorted(
            {(left - 1) // wide * wide + 1 for left, _, _ in pairs}, reverse=True
        )
        for row in rows:
            mine = [(value, k) for left, value, k in pairs if row["from_cards"] <= left <= row["to_cards"]]
            values = [value for value, _ in mine]
            assert row["rounds"] == len(mine)
            assert row["mean_return"] == pytest.approx(statistics.fmean(values), rel=1e-10)
            assert row["advantage"] == pytest.approx(sum(value > 1e-12 for value in values) / len(values))
            shares = (0.05, 0.25, 0.5, 0.75, 0.95)
            assert [row[name] for name in ("q05", "q25", "q50", "q75", "q95")] == pytest.approx(
                np.quantile(values, shares).tolist()
            )
            residuals = [sum(v - row["mean_return"] for v, k in mine if k == shoe) for shoe in range(40)]
            spread = 40 / 39 * sum(r * r for r in residuals)
            assert row["se_return"] == pytest.approx(math.sqrt(spread) / len(mine), rel=1e-6, abs=1e-12)

    def test_a_bet_on_totals(self, by_hand) -> None:
        layout = Layout(BUILT_IN_TABLES["commission"])
        rows = late("commission", "tie", shoes=2, seed=5, width=1).cards_left_rows
        values: dict[int, list[float]] = {}
        for counts in (*by_hand[0], *by_hand[1]):
            values.setdefault(sum(counts), []).append(expected_returns(layout, counts, decks=8)[2])
        assert {row["from_cards"]: row["mean_return"] for row in rows} == pytest.approx(
            {left: statistics.fmean(found) for left, found in values.items()}, abs=1e-13
        )


class TestSettings:
    def test_cut_cards_together_and_alone(self) -> None:
        asked = (0, 14, 60, (14, 20))
        together = late("ez", "panda_8", shoes=30, seed=2, cut_cards=asked).cut_card_rows
        alone = [late("ez", "panda_8", shoes=30, seed=2, cut_cards=(cut,)).cut_card_rows[0] for cut in asked]
        assert together == alone
        none, deep, shallow, drawn = together
        assert none["rounds"] > deep["rounds"] > drawn["rounds"] > shallow["rounds"]
        assert none["units"] >= deep["units"] >= drawn["units"] >= shallow["units"]

    def test_chunks_do_not_matter(self, monkeypatch) -> None:
        whole = late("commission", "tie", shoes=25, seed=3)
        monkeypatch.setattr("bacclab.exact.late._CHUNK", 7)
        parts = late("commission", "tie", shoes=25, seed=3)
        for one, other in zip(whole.cards_left_rows, parts.cards_left_rows, strict=True):
            assert one == pytest.approx(other, rel=1e-9, abs=1e-13)
        assert whole.cut_card_rows[0] == pytest.approx(parts.cut_card_rows[0])

    def test_other_decks_and_a_pay_table(self) -> None:
        six = late(replace(BUILT_IN_TABLES["commission"], shoe=ShoeRules(decks=6)), "lucky_6:las-vegas", shoes=5)
        assert six.bet == "lucky_6"
        assert six.cards_left_rows[0]["to_cards"] == 315  # nine cards to a bin, from the top of 312
        assert "lucky_6 at commission" in repr(six)

    def test_one_shoe_has_no_standard_error(self) -> None:
        found = late(shoes=1)
        assert found.cut_card_rows[0]["se_units"] is None
        assert {row["se_return"] for row in found.cards_left_rows} == {None}
        assert found.cards_left["se_return"].null_count() == found.cards_left.height
        assert found.cut_cards["se_units"].to_list() == [None]

    def test_mistakes(self) -> None:
        with pytest.raises(BetError, match="player_pair"):
            late("commission", "player_pear")
        with pytest.raises(TableError, match="at least one shoe"):
            late(shoes=0)
        with pytest.raises(TableError, match="at least one card"):
            late(width=0)
        with pytest.raises(TableError, match="leaves no round"):
            late(cut_cards=(410,))


@pytest.mark.parametrize(("table", "bet"), [("commission", "player"), ("ez", "dragon_7"), ("no-commission", "banker")])
def test_the_mean_is_flat(table: str, bet: str) -> None:
    found = late(table, bet, shoes=400, seed=21)
    full = expected_returns(Layout(BUILT_IN_TABLES[table]), 8)[Layout(BUILT_IN_TABLES[table]).index[bet]]
    assert found.full_shoe == pytest.approx(full)
    for row in found.cards_left_rows[:-1]:
        assert abs(row["mean_return"] - full) < 4 * row["se_return"] + 1e-12, row


def test_the_spread_grows() -> None:
    rows = late("commission", "player_pair", shoes=400, seed=8, width=52).cards_left_rows
    spreads = [row["q95"] - row["q05"] for row in rows]
    assert spreads == sorted(spreads)


def test_several_bets_at_once_are_as_one_by_one() -> None:
    asked = {"shoes": 30, "seed": 4, "cut_cards": (14, 104)}
    for found in late_each("ez", ["dragon_7", "banker"], **asked):
        alone = late("ez", found.bet, **asked)
        assert found.cards_left_rows == alone.cards_left_rows
        assert found.cut_card_rows == alone.cut_card_rows
