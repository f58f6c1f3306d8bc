"""Each published page of rules, transcribed line by line, against the preset made from it.

The transcriptions follow the pages: pages 000 to 002 (Portuguese, Polish, Greek) list for each Banker total the third
cards of Player on which it draws and on which not; page 003 (English) prints the same as a chart; page 004 (Swedish)
prints a grid of S (stands) and D (draws).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest

from bacclab.game import tableau
from bacclab.game.codes import RANK_NAMES, VALUES, Outcome, Pair, Round
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES


@dataclass(frozen=True)
class Page:
    """What a page says, in its own order."""

    preset: str
    player_draws: str
    player_stands: str
    player_naturals: str
    banker_draws: dict[int, str]
    """Banker total: third cards of Player on which it draws (as printed)."""
    banker_stands: dict[int, str]
    banker_always_draws: str
    banker_when_player_stands_draws: str
    banker_when_player_stands_stands: str
    deal_order: str
    decks: int | None
    banker_pays: Fraction
    banker_six_pays: Fraction
    commission: Fraction
    tie_pays: int
    pair_pays: int | None
    pairs_need_a_main_bet: bool | None


PAIR_WAGER = {
    "preset": "no-commission",
    "player_draws": "1,2,3,4,5,0",
    "player_stands": "6,7",
    "player_naturals": "8,9",
    "banker_draws": {3: "1,2,3,4,5,6,7,9,0", 4: "2,3,4,5,6,7", 5: "4,5,6,7", 6: "6,7"},
    "banker_stands": {3: "8", 4: "1,8,9,0", 5: "1,2,3,8,9,0", 6: "1,2,3,4,5,8,9,0"},
    "banker_always_draws": "0,1,2",
    "banker_when_player_stands_draws": "0,1,2,3,4,5",
    "banker_when_player_stands_stands": "6,7,8,9",
    "deal_order": "in-turn",  # alternadamente, naprzemiennie, εναλλάξ
    "decks": None,
    "banker_pays": Fraction(1),
    "banker_six_pays": Fraction("0.5"),
    "commission": Fraction(0),
    "tie_pays": 8,
    "pair_pays": 11,
    "pairs_need_a_main_bet": True,
}

PAGES = {
    "000 Portuguese": Page(**PAIR_WAGER),
    "001 Polish": Page(**PAIR_WAGER),
    "002 Greek": Page(**PAIR_WAGER),
    "003 English": Page(
        preset="commission",
        player_draws="1, 2, 3, 4, 5, 0",
        player_stands="6, 7",
        player_naturals="8, 9",
        banker_draws={3: "1-2-3-4-5-6-7-9-0", 4: "2-3-4-5-6-7", 5: "4-5-6-7", 6: "6-7"},
        banker_stands={3: "8", 4: "1-8-9-0", 5: "1-2-3-8-9-0", 6: "1-2-3-4-5-8-9-0"},
        banker_always_draws="0,1 or 2",
        banker_when_player_stands_draws="0,1,2,3,4, and 5",
        banker_when_player_stands_stands="6,7,8 and 9",
        deal_order="in-turn",  # the first and third cards are the Player's hand
        decks=8,
        banker_pays=Fraction(1),
        banker_six_pays=Fraction(1),
        commission=Fraction("0.05"),
        tie_pays=8,
        pair_pays=None,
        pairs_need_a_main_bet=None,
    ),
}

SWEDISH_GRID = """
| 7 | S | S | S | S | S | S | S | S | S | S |
| 6 | S | S | S | S | S | S | D | D | S | S |
| 5 | S | S | S | S | D | D | D | D | S | S |
| 4 | S | S | D | D | D | D | D | D | S | S |
| 3 | D | D | D | D | D | D | D | D | S | D |
| 2 | D | D | D | D | D | D | D | D | D | D |
| 1 | D | D | D | D | D | D | D | D | D | D |
| 0 | D | D | D | D | D | D | D | D | D | D |
"""


def digits(text):
    return [int(letter) for letter in text if letter.isdigit()]


pages = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@pages
def test_player_rules(page):
    assert sorted(digits(page.player_draws) + digits(page.player_stands) + digits(page.player_naturals)) == [*range(10)]
    for total in range(10):
        assert tableau.player_draws(total) == (total in digits(page.player_draws))
    for natural in digits(page.player_naturals):
        for other in range(10):
            assert tableau.coup(natural, other, 1, 1)[:2] == (natural, other)
            assert tableau.coup(other, natural, 1, 1)[:2] == (other, natural)


@pages
def test_banker_rules_when_player_drew(page):
    for total in range(8):
        draws, stands = digits(page.banker_draws.get(total, "")), digits(page.banker_stands.get(total, ""))
        if total in digits(page.banker_always_draws):
            draws = [*range(10)]
        elif total == 7:
            stands = [*range(10)]  # "Stands"
        assert sorted(draws + stands) == [*range(10)], "the page leaves nothing open"
        for third in range(10):
            assert tableau.banker_draws(total, player_third=third) == (third in draws), (total, third)


@pages
def test_banker_rules_when_player_stood(page):
    draws = digits(page.banker_when_player_stands_draws)
    assert sorted(draws + digits(page.banker_when_player_stands_stands)) == [*range(10)]
    for total in range(10):
        assert tableau.banker_draws(total, player_third=None) == (total in draws)
        if total < 8:
            for player in digits(page.player_stands):
                assert (tableau.coup(player, total, 1, 1).banker_cards == 3) == (total in draws)


@pages
def test_dealing(page):
    rules = BUILT_IN_TABLES[page.preset].shoe
    assert rules.deal_order == page.deal_order
    assert rules.decks == (page.decks or 8)  # eight where a page is silent


@pages
def test_payouts(page):
    table = BUILT_IN_TABLES[page.preset]
    layout = Layout(table)
    assert table.commission == page.commission
    stake = 1_000_000
    for player in range(10):
        for banker in range(10):
            code = Round(player, banker, 3, 3).code
            won = stake * (page.banker_six_pays if banker == 6 else page.banker_pays) * (1 - page.commission)
            expected = {
                Outcome.PLAYER: {"player": stake, "banker": -stake, "tie": -stake},
                Outcome.BANKER: {"player": -stake, "banker": won, "tie": -stake},
                Outcome.TIE: {"player": 0, "banker": 0, "tie": stake * page.tie_pays},
            }[Round(player, banker, 3, 3).outcome]
            for bet, net in expected.items():
                assert layout.settle(layout.index[bet], stake, code)[0] == net, (player, banker, bet)


@pytest.mark.parametrize("name", ["000 Portuguese", "001 Polish", "002 Greek"])
def test_pair_wager(name):
    page = PAGES[name]
    table = BUILT_IN_TABLES[page.preset]
    layout = Layout(table)
    assert table.side_bets_need_main_bet is page.pairs_need_a_main_bet
    stake = 1_000_000
    for pair, net in ((Pair.NONE, -stake), (Pair.PAIR, page.pair_pays * stake), (Pair.SUITED, page.pair_pays * stake)):
        for cards in (2, 3):  # told by the first two cards, whether or not a third is drawn
            assert layout.settle(layout.index["player_pair"], stake, Round(5, 7, cards, 3, pair).code)[0] == net
            assert (
                layout.settle(layout.index["banker_pair"], stake, Round(5, 7, 3, cards, Pair.NONE, pair).code)[0] == net
            )


def test_swedish_grid():
    """Page 004: rows are Banker's total, columns Player's third card 0 to 9."""
    rows = [line.strip("| ").split(" | ") for line in SWEDISH_GRID.strip().splitlines()]
    assert [int(row[0]) for row in rows] == [7, 6, 5, 4, 3, 2, 1, 0]
    for total, *cells in rows:
        for third, letter in enumerate(cells):
            assert tableau.banker_draws(int(total), player_third=third) == (letter == "D"), (total, third)


def test_swedish_rules():
    """Page 004 in words: naturals first, Player draws on 5 or less, Banker the same when Player stands."""
    for player in range(10):
        for banker in range(10):
            coup = tableau.coup(player, banker, 0, 0)
            if player >= 8 or banker >= 8:
                assert coup.player_cards == coup.banker_cards == 2
            elif player <= 5:
                assert coup.player_cards == 3
            else:
                assert (coup.player_cards, coup.banker_cards) == (2, 3 if banker <= 5 else 2)


def test_swedish_table():
    """Page 004: two cards to Player, then two to Banker; 1:1, 1:1 less 5 %, 8:1."""
    table = BUILT_IN_TABLES["commission-two-by-two"]
    assert table.shoe.deal_order == "two-by-two"
    layout = Layout(table)
    player, banker, tie = Round(9, 4, 2, 2).code, Round(4, 9, 2, 2).code, Round(7, 7, 2, 2).code
    results = [[layout.settle(bet, 1_000_000, code)[0] for bet in range(3)] for code in (banker, player, tie)]
    assert results == [[950_000, -1_000_000, -1_000_000], [-1_000_000, 1_000_000, -1_000_000], [0, 0, 8_000_000]]
    differing = {
        key for key, value in table.settings().items() if value != BUILT_IN_TABLES["commission"].settings()[key]
    }
    assert differing == {"deal_order"}


def test_card_values_and_totals():
    """All pages: ace 1, 2 to 9 their number, ten and faces 0; 9 and 5 make 4."""
    worth = dict(zip(RANK_NAMES, VALUES, strict=True))
    assert worth == {"A": 1, **{str(n): n for n in range(2, 10)}, "10": 0, "J": 0, "Q": 0, "K": 0}
    assert tableau.coup(5, 0, 9, 0).player_total == 4
