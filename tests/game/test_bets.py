from __future__ import annotations

import copy
import dataclasses
import pickle
from fractions import Fraction

import numpy as np
import pytest

from bacclab.errors import BetError
from bacclab.game.bets import BUILT_IN_BETS, Bet, Odds, pay_table
from bacclab.game.codes import CODES, Pair, Round, decode, possible_codes


@pytest.mark.parametrize(
    ("written", "payout"),
    [("11:1", 11), ("1:2", Fraction(1, 2)), ("0.95:1", Fraction(19, 20)), ("0.5:1", Fraction(1, 2)), ("push", 0),
     (" Push ", 0), ("8 to 1", 8), ("8/1", 8), ("9 for 1", 8), (8, 8), (0.5, Fraction(1, 2)), ("8", 8),
     ("2:4", Fraction(1, 2)),
     ("1000:1", 1000), (Odds(3), 3)],
)  # fmt: skip
def test_odds_as_people_write_them(written, payout):
    odds = Odds.parse(written)
    assert odds.payout == payout
    assert Odds.parse(str(odds)) == odds


@pytest.mark.parametrize(
    "written", ["", "eight", "8:", "-1:1", "8:0", -1, True, None, float("nan"), "1.2.3:1", "0.5 for 1"]
)
def test_what_are_no_odds(written):
    with pytest.raises(BetError, match="are no odds"):
        Odds.parse(written)


@pytest.mark.parametrize(
    ("written", "says"), [("1:3", "cannot be paid exactly"), ("1001:1", "too long"), (0.955, "exactly")]
)
def test_odds_that_cannot_be_paid(written, says):
    with pytest.raises(BetError, match=says):
        Odds.parse(written)


def test_sixty_odds_of_two_digits():
    for denominator in (1, 2, 4, 5, 10, 20, 25, 50, 100):
        for cents in (1, 7, 99):
            assert (cents * 100 * Odds(1, denominator).payout).denominator == 1


R = Round
CASES = {
    "banker": [(R(5, 6, 3, 3), 1), (R(6, 5, 2, 3), -1), (R(6, 6, 2, 2), 0), (R(0, 9, 2, 2), 1)],
    "player": [(R(5, 6, 3, 3), -1), (R(6, 5, 2, 3), 1), (R(6, 6, 2, 2), 0)],
    "tie": [(R(6, 6, 2, 2), 8), (R(0, 0, 3, 3), 8), (R(6, 7, 2, 2), -1)],
    "player_pair": [(R(6, 7, 2, 2), -1), (R(6, 7, 2, 2, Pair.PAIR), 11), (R(6, 7, 3, 2, Pair.SUITED), 11),
                    (R(6, 6, 2, 2, Pair.NONE, Pair.PAIR), -1)],
    "banker_pair": [(R(6, 7, 2, 2), -1), (R(6, 7, 3, 3, Pair.NONE, Pair.SUITED), 11), (R(6, 6, 2, 2, Pair.PAIR), -1)],
    "either_pair": [(R(6, 7, 2, 2), -1), (R(6, 7, 2, 2, Pair.PAIR), 5), (R(6, 7, 2, 2, Pair.PAIR, Pair.PAIR), 5)],
    "perfect_pair": [(R(6, 7, 2, 2, Pair.PAIR, Pair.PAIR), -1), (R(6, 7, 2, 2, Pair.SUITED), 25),
                     (R(6, 7, 2, 2, Pair.SUITED, Pair.PAIR), 25), (R(6, 6, 2, 2, Pair.SUITED, Pair.SUITED), 200)],
    "dragon_7": [(R(6, 7, 2, 3), 40), (R(7, 7, 2, 3), -1), (R(6, 7, 2, 2), -1), (R(5, 8, 3, 3), -1),
                 (R(8, 7, 3, 3), -1)],
    "panda_8": [(R(8, 7, 3, 3), 25), (R(8, 8, 3, 3), -1), (R(8, 6, 2, 2), -1), (R(9, 6, 3, 2), -1)],
}  # fmt: skip


@pytest.mark.parametrize("bet_id", CASES)
def test_built_in_bets(bet_id):
    table = pay_table(BUILT_IN_BETS[bet_id])
    for round_, pays in CASES[bet_id]:
        line = table.line[round_.code]
        assert Fraction(int(table.numerators[line]), int(table.denominators[line])) == pays, round_


@pytest.mark.parametrize("bet", BUILT_IN_BETS.values(), ids=BUILT_IN_BETS)
def test_pay_table_is_the_rule(bet):
    table = pay_table(bet)
    assert table.line.shape == (CODES,)
    assert table.line.dtype == np.uint8
    assert table.names[0] == "lost"
    assert (table.numerators[0], table.denominators[0]) == (-1, 1)
    for code in np.flatnonzero(possible_codes()).tolist():
        hit = bet.lines(decode(code)) or ()
        named = [name for name in ((hit,) if isinstance(hit, str) else hit) if name in bet.odds]
        assert table.names[table.line[code]] == (named[0] if named else "lost")


@pytest.mark.parametrize("bet", BUILT_IN_BETS.values(), ids=BUILT_IN_BETS)
def test_bets_are_described_and_travel(bet):
    assert bet.rule
    assert bet.source
    assert bet.example
    assert pickle.loads(pickle.dumps(bet)) == bet
    assert copy.deepcopy(bet) == bet
    with pytest.raises(TypeError):
        bet.odds["win"] = Odds(100)


def test_the_most_specific_line_pays():
    banker = BUILT_IN_BETS["banker"]
    bet = dataclasses.replace(banker, odds={**banker.odds, "six": "1:2", "six_three_cards": "2:1"})
    pays = pay_table(bet)
    names = [
        pays.names[pays.line[round_.code]] for round_ in (R(5, 6, 3, 3), R(5, 6, 3, 2), R(5, 7, 3, 3), R(9, 6, 2, 3))
    ]
    assert names == ["six_three_cards", "six", "win", "lost"]
    assert "six" not in BUILT_IN_BETS["banker"].odds


def make(**changes):
    values = {"id": "my_bet", "title": "Mine", "kind": "side", "lines": lambda r: "win" if r.natural else None,
              "odds": {"win": 4}}  # fmt: skip
    return Bet(**{**values, **changes})


def fails(_round):
    raise KeyError("x")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"id": "My Bet"}, "no name for a bet"),
        ({"kind": "sides"}, "did you mean side"),
        ({"odds": {"wins": 4}}, "no pay line wins .did you mean win"),
        ({"odds": {"win": "push"}}, "can never win"),
        ({"odds": {}}, "can never win"),
        ({"odds": {"win": "1:3"}}, "my_bet, line win"),
        ({"lines": fails}, "rule of my_bet fails: KeyError"),
        ({"lines": lambda r: True}, "answers True"),
        ({"lines": lambda r: ["win"]}, "answers .'win'."),
        ({"lines": lambda r: "lost"}, "answers 'lost'"),
    ],
)
def test_bets_that_make_no_sense(changes, says):
    with pytest.raises(BetError, match=says):
        make(**changes)


def test_rounds_that_cannot_occur():
    """Records may hold any totals: the rule judges them, and a rule that cannot is a lost bet."""
    impossible = R(5, 6, 2, 3)
    assert not possible_codes()[impossible.code]
    assert pay_table(BUILT_IN_BETS["banker"]).line[impossible.code] == 1
    strict = make(lines=lambda r: {True: "win", False: None}[r.natural] if possible_codes()[r.code] else 1 / 0)
    assert pay_table(strict).line[impossible.code] == 0
