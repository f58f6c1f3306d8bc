"""Side bets: rounds of which every reader of the rules knows the result, and the pay tables that houses use."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

from bacclab.errors import BetError, TableError
from bacclab.game.bets import BUILT_IN_BETS, Bet, Odds, Offer, pay_table
from bacclab.game.codes import Pair, Round
from bacclab.game.tables import BUILT_IN_TABLES

TESTED_ELSEWHERE = {"banker", "player", "tie", "player_pair", "banker_pair", "either_pair", "perfect_pair",
                    "dragon_7", "panda_8"}  # fmt: skip

R = Round
P, S = Pair.PAIR, Pair.SUITED
CASES = {
    "tiger_pair": [(R(6, 7, 2, 2), -1), (R(6, 7, 2, 2, S), 4), (R(6, 7, 2, 2, Pair.NONE, P), 4),
                   (R(6, 8, 2, 2, P, S), 20),
                   (R(6, 6, 2, 2, P, P, True), 100)],
    "super_6": [(R(4, 6, 3, 2), 12), (R(4, 6, 3, 3), 12), (R(6, 6, 2, 2), -1), (R(6, 4, 2, 3), -1),
                (R(4, 7, 3, 2), -1)],
    "lucky_6": [(R(4, 6, 3, 2), 12), (R(4, 6, 3, 3), 20), (R(6, 6, 2, 2), -1)],
    "tiger": [(R(4, 6, 3, 2), 12), (R(4, 6, 3, 3), 20), (R(9, 6, 2, 2), -1)],
    "small_tiger": [(R(4, 6, 3, 2), 22), (R(4, 6, 3, 3), -1)],
    "big_tiger": [(R(4, 6, 3, 2), -1), (R(4, 6, 3, 3), 50)],
    "tiger_tie": [(R(6, 6, 2, 2), 35), (R(6, 6, 3, 3), 35), (R(7, 7, 2, 2), -1), (R(4, 6, 3, 3), -1)],
    "player_natural": [(R(8, 2, 2, 2), 4), (R(9, 9, 2, 2), 4), (R(8, 9, 2, 2), 4), (R(8, 2, 3, 2), -1),
                       (R(7, 9, 2, 2), -1)],
    "player_natural_8": [(R(8, 9, 2, 2), 9), (R(9, 2, 2, 2), -1), (R(8, 2, 3, 3), -1)],
    "player_natural_9": [(R(9, 9, 2, 2), 9), (R(8, 2, 2, 2), -1), (R(9, 2, 3, 3), -1)],
    "banker_natural": [(R(2, 8, 2, 2), 4), (R(9, 9, 2, 2), 4), (R(2, 8, 3, 3), -1)],
    "banker_natural_8": [(R(9, 8, 2, 2), 9), (R(9, 9, 2, 2), -1)],
    "banker_natural_9": [(R(9, 9, 2, 2), 9), (R(3, 9, 3, 3), -1)],
    "egalite_0": [(R(0, 0, 3, 3), 150), (R(1, 1, 3, 3), -1), (R(0, 1, 3, 3), -1)],
    "egalite_1": [(R(1, 1, 3, 3), 215), (R(0, 0, 3, 3), -1)],
    "egalite_2": [(R(2, 2, 3, 3), 225), (R(3, 3, 3, 3), -1)],
    "egalite_3": [(R(3, 3, 3, 3), 200), (R(3, 3, 3, 2), 200), (R(3, 4, 3, 3), -1)],
    "egalite_4": [(R(4, 4, 3, 3), 120), (R(5, 5, 3, 3), -1)],
    "egalite_5": [(R(5, 5, 3, 3), 110), (R(4, 4, 3, 3), -1)],
    "egalite_6": [(R(6, 6, 2, 2), 45), (R(7, 7, 2, 2), -1)],
    "egalite_7": [(R(7, 7, 2, 2), 45), (R(6, 6, 2, 2), -1)],
    "egalite_8": [(R(8, 8, 2, 2), 80), (R(9, 9, 2, 2), -1)],
    "egalite_9": [(R(9, 9, 3, 3), 80), (R(8, 8, 2, 2), -1)],
    "egalite_1_to_3": [(R(1, 1, 3, 3), 70), (R(2, 2, 3, 3), 70), (R(3, 3, 3, 3), 70), (R(4, 4, 3, 3), -1),
                       (R(0, 0, 3, 3), -1)],
    "egalite_4_5": [(R(4, 4, 3, 3), 60), (R(5, 5, 3, 3), 60), (R(6, 6, 2, 2), -1)],
    "egalite_6_7": [(R(6, 6, 2, 2), 22), (R(7, 7, 2, 2), 22), (R(8, 8, 2, 2), -1)],
    "egalite_8_9": [(R(8, 8, 2, 2), 40), (R(9, 9, 2, 2), 40), (R(7, 7, 2, 2), -1), (R(8, 9, 2, 2), -1)],
    "dragon_bonus_player": [(R(9, 0, 3, 3), 30), (R(8, 0, 3, 3), 10), (R(9, 2, 3, 3), 6), (R(7, 1, 2, 3), 4),
                            (R(6, 1, 2, 3), 2),
                            (R(7, 3, 2, 3), 1), (R(7, 4, 2, 3), -1), (R(9, 0, 2, 2), 1), (R(9, 8, 2, 2), 1),
                            (R(9, 9, 2, 2), 0),
                            (R(8, 8, 2, 2), 0), (R(9, 9, 3, 3), -1), (R(6, 6, 2, 2), -1), (R(0, 9, 3, 3), -1)],
    "dragon_bonus_banker": [(R(0, 9, 3, 3), 30), (R(0, 8, 3, 3), 10), (R(0, 7, 3, 3), 6), (R(1, 7, 3, 2), 4),
                            (R(2, 7, 3, 2), 2),
                            (R(3, 7, 3, 2), 1), (R(4, 7, 3, 2), -1), (R(0, 9, 2, 2), 1), (R(8, 9, 2, 2), 1),
                            (R(9, 9, 2, 2), 0),
                            (R(8, 8, 3, 3), -1), (R(9, 0, 3, 3), -1)],
    "four_cards": [(R(6, 6, 2, 2), Fraction(3, 2)), (R(6, 6, 2, 3), -1), (R(6, 6, 3, 3), -1)],
    "five_cards": [(R(6, 6, 2, 2), -1), (R(6, 6, 2, 3), 2), (R(3, 6, 3, 2), 2), (R(6, 6, 3, 3), -1)],
    "six_cards": [(R(6, 6, 2, 3), -1), (R(6, 6, 3, 3), 2)],
    "big": [(R(6, 6, 2, 2), -1), (R(6, 6, 2, 3), Fraction(27, 50)), (R(6, 6, 3, 3), Fraction(27, 50))],
    "small": [(R(6, 6, 2, 2), Fraction(3, 2)), (R(6, 6, 2, 3), -1)],
    "three_giving_8": [(R(8, 3, 3, 2), 200), (R(3, 3, 3, 2), 200), (R(8, 3, 3, 3), -1), (R(8, 3, 2, 2), -1),
                       (R(8, 4, 3, 2), -1)],
    "eights_and_nines": [(R(8, 8, 2, 2), 20), (R(8, 9, 3, 3), 20), (R(9, 8, 2, 2), 20), (R(9, 9, 2, 2), 20),
                         (R(7, 9, 2, 2), -1)],
    "nine_over_seven": [(R(9, 7, 2, 2), 50), (R(7, 9, 2, 2), 50), (R(9, 7, 3, 2), -1), (R(9, 8, 2, 2), -1),
                        (R(7, 9, 2, 3), -1)],
    "bad_beat": [(R(9, 8, 2, 2), 50), (R(8, 9, 2, 2), 50), (R(9, 9, 2, 2), -1), (R(9, 8, 3, 3), -1),
                 (R(8, 9, 3, 3), -1)],
}  # fmt: skip


def test_every_side_bet_has_cases():
    assert set(CASES) | TESTED_ELSEWHERE == set(BUILT_IN_BETS)


@pytest.mark.parametrize("bet_id", CASES)
def test_results(bet_id):
    table = pay_table(BUILT_IN_BETS[bet_id])
    for round_, pays in CASES[bet_id]:
        line = table.line[round_.code]
        assert Fraction(int(table.numerators[line]), int(table.denominators[line])) == pays, round_


@pytest.mark.parametrize("bet", BUILT_IN_BETS.values(), ids=BUILT_IN_BETS)
def test_pay_tables_are_data(bet):
    """The usual odds are among the pay tables, each table has a source, and a table can take any of them."""
    if not bet.pay_tables:
        return
    assert bet.odds in [offer.odds for offer in bet.pay_tables.values()]
    table = BUILT_IN_TABLES["commission-all-bets"]
    for name, offer in bet.pay_tables.items():
        assert offer.source
        assert bet.with_pay_table(name).odds == offer.odds
        changed = table.override({"odds": {bet.id: name}})
        assert changed.bet(bet.id).odds == offer.odds
        assert changed.override(changed.settings()) == changed
        # A manifest names the rules and all settings: the odds of the pay table must win over the usual ones.
        assert table.override(changed.settings()) == changed
        assert BUILT_IN_TABLES["commission"].override(changed.settings()).bets == changed.bets


def test_a_pay_table_that_is_not_there():
    with pytest.raises(BetError, match=r"lucky_6 has no pay table las-vega .did you mean las-vegas"):
        BUILT_IN_BETS["lucky_6"].with_pay_table("las-vega")
    with pytest.raises(BetError, match=r"either_pair has no pay table x .it has only its usual odds"):
        BUILT_IN_BETS["either_pair"].with_pay_table("x")
    table = BUILT_IN_TABLES["commission-all-bets"]
    with pytest.raises(TableError, match=r"dragon_bonus_player: say which line .*or a pay table: table-1, table-2"):
        table.override({"odds": {"dragon_bonus_player": "table-9"}})
    with pytest.raises(TableError, match=r"odds.super_6: 'high' are no odds .pay tables: 12:1, 15:1"):
        table.override({"odds": {"super_6": "high"}})
    with pytest.raises(BetError, match=r"no pay line wins .did you mean win"):
        Bet(id="x", title="X", kind="side", lines=lambda r: "win" if r.natural else None, odds={"win": 1},
            pay_tables={"other": Offer({"wins": "2:1"}, "nowhere")})  # fmt: skip


def test_one_value_for_several_lines():
    """Lines that pay alike take it together; where they differ, the line must be named."""
    table = BUILT_IN_TABLES["commission-all-bets"]
    assert set(table.override({"odds": {"egalite_1_to_3": "80:1"}}).bet("egalite_1_to_3").odds.values()) == {Odds(80)}
    assert "win" not in table.override({"odds": {"egalite_1_to_3": 80}}).bet("egalite_1_to_3").odds
    with pytest.raises(TableError, match=r"odds.lucky_6: say which line"):
        table.override({"odds": {"lucky_6": 15}})


def test_the_odds_of_a_line_can_be_taken_away():
    table = BUILT_IN_TABLES["commission-all-bets"].override({"odds": {"perfect_pair": {"both": "none"}}})
    assert table.bet("perfect_pair").odds == {"win": Odds(25)}
    both = R(6, 6, 2, 2, S, S).code
    assert pay_table(table.bet("perfect_pair")).line[both] == 1
    with pytest.raises(TableError, match="can never win"):
        BUILT_IN_TABLES["commission"].override({"odds": {"tie": {"win": "none"}}})


def test_pay_tables_travel():
    bet = BUILT_IN_BETS["dragon_bonus_banker"].with_pay_table("table-2")
    assert pickle.loads(pickle.dumps(bet)) == bet
    with pytest.raises(TypeError):
        bet.pay_tables["mine"] = bet.pay_tables["table-1"]
