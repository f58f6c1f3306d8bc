"""Overriding the rules of a table: everything that can be set, and what is said about everything that cannot."""

from __future__ import annotations

import copy
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.errors import BetError, TableError
from bacclab.game.bets import Bet, Odds
from bacclab.game.tables import BUILT_IN_TABLES, Limits, ShoeRules, Table

COMMISSION = BUILT_IN_TABLES["commission"]
PRESETS = list(BUILT_IN_TABLES.values())


def test_every_key_can_be_set():
    table = COMMISSION.override({
        "decks": 6, "burn": "one", "cut_card": [60, 75], "rounds_after_cut": 0, "cut_card_first_out": "counts",
        "deal_order": "two-by-two", "commission": "4%", "commission_rounding": "half-up", "commission_coin": 0.25,
        "odds": {"tie": "9:1", "banker": {"six": "1:2"}}, "extra_bets": ["dragon_7"], "side_bets_need_main_bet": True,
        "minimum": 25, "maximum": "5000.00", "increment": 5, "limits": {"side": {"minimum": 5, "maximum": 100}},
    })  # fmt: skip
    assert table.shoe == ShoeRules(
        decks=6, burn="one", cut_card=(60, 75), rounds_after_cut=0, cut_card_first_out="counts", deal_order="two-by-two"
    )
    assert (table.commission, table.commission_rounding, table.commission_coin) == (Fraction(1, 25), "half-up", 2_500)
    assert table.bet("tie").odds["win"] == Odds(9)
    assert table.bet("banker").odds == {"win": Odds(1), "tie": Odds(0), "six": Odds(1, 2)}
    assert table.bet("dragon_7").odds["win"] == Odds(40)
    assert table.side_bets_need_main_bet
    assert table.limits == Limits(minimum=250_000, maximum=50_000_000, increment=50_000)
    assert table.limits_of("dragon_7") == Limits(minimum=50_000, maximum=1_000_000, increment=50_000)
    assert COMMISSION.shoe.decks == 8
    assert "dragon_7" not in COMMISSION.bets


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"comission": 0.04}, "unknown key comission .did you mean commission"),
        ({"Decks": 8}, "did you mean decks"),
        ({"zzz": 1}, "unknown key zzz .one of: decks"),

        ({"decks": 0}, "decks must be 1 to 16, not 0"),
        ({"decks": 17}, "decks must be 1 to 16, not 17"),
        ({"decks": 8.0}, "decks must be a whole number, not 8.0 .write 8"),
        ({"decks": 7.5}, "decks must be a whole number, not 7.5 .1 to 16"),
        ({"decks": "8"}, "whole number, not \"8\" .write 8"),
        ({"decks": True}, "decks must be a number, not true"),
        ({"decks": None}, "whole number, not None"),
        ({"commission": 5}, r'commission = 5 would be 500 % .for 5 % write "5%" or 0.05'),
        ({"commission": "5"}, r'would be 500 % .for 5 % write "5%"'),
        ({"commission": 4.5}, r'would be 450 % .for 4.5 % write "4.5%" or 0.045'),
        ({"commission": True}, "must be a share, not true"),
        ({"commission": "five"}, "must be a share, not \"five\""),
        ({"commission": -0.05}, "must be 0 or more"),
        ({"commission": "-5%"}, "must be 0 or more"),
        ({"commission": "100%"}, "would be 100 %"),
        ({"commission": float("nan")}, "0 or more"),
        ({"commission": "5.123%"}, "too fine"),
        ({"commission_rounding": "upp"}, "did you mean up"),
        ({"commission_rounding": 5}, "must be a word, not 5 .one of: exact"),
        ({"commission_coin": 0}, "commission_coin must be above 0"),
        ({"commission_coin": 1001}, "at most 1000"),
        ({"burn": "turnd"}, "did you mean turned"),
        ({"burn": True}, "burn must be a word, not true"),
        ({"burn": "no"}, "burn cannot be"),
        ({"deal_order": "in turn"}, "did you mean in-turn"),
        ({"cut_card": -1}, "cut_card must be 0 to"),
        ({"cut_card": 410}, "leaves no round in a shoe of 416 cards .the most is 399 here"),
        ({"cut_card": [75, 60]}, "makes no sense"),
        ({"cut_card": [1, 2, 3]}, "a number or two"),
        ({"cut_card": [10, True]}, "must be a number, not true"),
        ({"cut_card": "14"}, "write 14"),
        ({"decks": 1, "cut_card": 40}, "leaves no round in a shoe of 52 cards"),
        ({"rounds_after_cut": 2}, "rounds_after_cut must be 0 to 1"),
        ({"rounds_after_cut": True}, "must be a number, not true"),
        ({"odds": {"tye": 9}}, "no bet tye .did you mean tie"),
        ({"odds": {"dragon_7": "40:1"}}, "no bet dragon_7 .put it on the table with extra_bets"),
        ({"odds": {"banker": {"sixx": "1:2"}}}, "unknown pay line odds.banker.sixx .did you mean six"),
        ({"odds": {"tie": "1:3"}}, "odds.tie: .*cannot be paid exactly"),
        ({"odds": {"tie": "nine"}}, "odds.tie: .*are no odds"),
        ({"odds": {"tie": True}}, "odds.tie: .*are no odds"),
        ({"odds": "9:1"}, "odds must be a section"),
        ({"odds": {"tie": "push"}}, "odds.tie: tie can never win"),
        ({"extra_bets": "dragon_7"}, "must be a list"),
        ({"extra_bets": ["dragon7"]}, "no bet .dragon7. .did you mean dragon_7"),
        ({"side_bets_need_main_bet": 1}, "must be true or false, not 1"),
        ({"side_bets_need_main_bet": "yes"}, "must be true or false, not \"yes\""),
        ({"minimum": 600, "maximum": 500}, "minimum of 600.00 is above the maximum of 500.00"),
        ({"minimum": 0}, "minimum must be above 0"),
        ({"minimum": -5}, "minimum must be above 0"),
        ({"minimum": True}, "minimum: true is not a sum of money"),
        ({"minimum": "1e3"}, "minimum: '1e3' .*without an exponent"),
        ({"minimum": 0.00001}, "minimum: .*more than 4 decimals"),
        ({"minimum": 25, "increment": 10}, "no multiple of the increment of 10.00"),
        ({"increment": 0}, "increment must be a whole number of cents"),
        ({"increment": 0.005}, "increment must be a whole number of cents"),
        ({"maximum": "no limit"}, "maximum: .*not a sum of money"),
        ({"maximum": 10**13}, "largest amount"),
        ({"limits": {"sides": {"minimum": 5}}}, "unknown key limits.sides .did you mean side"),
        ({"limits": {"dragon_7": {"minimum": 5}}}, "unknown key limits.dragon_7"),
        ({"limits": {"side": {"minimun": 5}}}, "unknown key limits.side.minimun .did you mean minimum"),
        ({"limits": {"side": 5}}, "limits.side must be a section"),
        ({"limits": {"side": {"minimum": 50, "maximum": 10}}}, "limits.side: the minimum of 50.00 is above"),
        ({"limits": {"side": {"maximum": True}}}, "limits.side.maximum: true is not"),
    ],
)  # fmt: skip
def test_mistakes_are_explained(settings, says):
    with pytest.raises(TableError, match=says):
        COMMISSION.override(settings)


def test_an_inexact_commission_is_refused():
    with pytest.raises(TableError, match=r"a commission of 4.5 % on banker at 1:1 is no exact sum .* 0.01"):
        COMMISSION.override({"commission": "4.5%"})
    assert COMMISSION.override({"commission": "4.5%", "increment": "0.10"}).commission == Fraction(9, 200)
    assert COMMISSION.override({"commission": "4.5%", "commission_rounding": "nearest"}).commission == Fraction(9, 200)


def test_no_commission_at_all_is_allowed():
    """A commission of 0 gives the player an edge, and may be asked for."""
    assert COMMISSION.override({"commission": 0}).commission == 0
    assert COMMISSION.override({"commission": "0%"}).commission == 0


def test_limits_go_from_the_bet_to_its_kind_to_all():
    table = COMMISSION.override({
        "minimum": 10, "maximum": 500,
        "limits": {"player_pair": {"maximum": 50}, "side": {"minimum": 5, "maximum": 100}, "tie": {"maximum": "none"}},
    })  # fmt: skip
    assert table.limits_of("banker") == Limits(minimum=100_000, maximum=5_000_000)
    assert table.limits_of("banker_pair") == Limits(minimum=50_000, maximum=1_000_000)
    assert table.limits_of("player_pair") == Limits(minimum=50_000, maximum=500_000)
    assert table.limits_of("tie") == Limits(minimum=100_000, maximum=None)
    with pytest.raises(BetError, match=r"does not offer .bankr. .did you mean banker"):
        table.limits_of("bankr")


def test_an_override_can_be_overridden_again():
    first = COMMISSION.override({"minimum": 10, "limits": {"side": {"minimum": 5}}})
    second = first.override({"limits": {"side": {"maximum": 50}}, "maximum": 100})
    assert second.limits_of("player_pair") == Limits(minimum=50_000, maximum=500_000)
    assert second.limits_of("player") == Limits(minimum=100_000, maximum=1_000_000)


def test_lowest_minimum_is_what_can_start_a_round():
    settings = {"minimum": 25, "limits": {"side": {"minimum": 5}}}
    assert COMMISSION.override(settings).lowest_minimum == 50_000
    assert COMMISSION.override({**settings, "side_bets_need_main_bet": True}).lowest_minimum == 250_000


def test_a_bet_of_a_plugin_can_be_put_on_the_table():
    big = Bet(
        id="big", title="Big", kind="side", lines=lambda r: "win" if r.cards > 4 else None, odds={"win": "0.54:1"}
    )
    table = COMMISSION.override({"extra_bets": ["big"], "odds": {"big": "1:2"}}, bets={"big": big})
    assert table.bet("big").odds["win"] == Odds(1, 2)


@pytest.mark.parametrize("table", PRESETS, ids=lambda table: table.name)
def test_settings_round_trip(table):
    assert table.override(table.settings()) == table
    assert table.override({}) == table
    assert pickle.loads(pickle.dumps(table)) == table == copy.deepcopy(table)
    assert BUILT_IN_TABLES[table.name] is table
    assert table.source
    assert table.title


def test_a_line_taken_away_stays_away():
    """A table that pays a Banker six like any other win, though its preset does not."""
    preset = BUILT_IN_TABLES["no-commission"]
    table = preset.override({"odds": {"banker": {"six": "none"}}})
    assert "six" not in table.bet("banker").odds
    assert table.settings()["odds"]["banker"]["six"] == "none"
    assert preset.override(table.settings()) == table != preset


@pytest.mark.parametrize("rate", [Fraction(1, 30), Fraction(1, 100_000), Fraction(501, 100_000)])
def test_a_commission_that_cannot_be_written_is_refused(rate):
    with pytest.raises(TableError, match=f"a commission of {rate} is too fine .hundredths of a per cent"):
        Table(name="t", title="T", bets=COMMISSION.bets, commission=rate, commission_rounding="up")


def test_a_variant_takes_bets_and_rules_in_currency_units():
    big = Bet(
        id="big", title="Big", kind="side", lines=lambda r: "win" if r.cards > 4 else None, odds={"win": "0.54:1"}
    )
    table = COMMISSION.variant(
        "mine", title="Mine", extra_bets=[big, "dragon_7"], minimum=10, maximum="500.00", odds={"big": "1:2"}
    )
    assert (table.name, table.title, table.source) == ("mine", "Mine", "common variant of commission")
    assert table.limits == Limits(minimum=100_000, maximum=5_000_000)
    assert list(table.bets) == [*COMMISSION.bets, "big", "dragon_7"]
    assert table.bet("big").odds["win"] == Odds(1, 2)
    with pytest.raises(TableError, match=r"mine: commission has a bet tie already .change its odds: odds.tie"):
        COMMISSION.variant("mine", title="Mine", extra_bets=[COMMISSION.bet("tie")])
    with pytest.raises(TableError, match=r"unknown key minimun .did you mean minimum"):
        COMMISSION.variant("mine", title="Mine", minimun=10)


amounts = st.integers(1, 10**6)


@given(
    decks=st.integers(1, 16),
    cut=st.one_of(st.integers(0, 35), st.tuples(st.integers(0, 15), st.integers(16, 35)).map(list)),
    rate=st.integers(0, 9_999).map(lambda hundredths: f"{hundredths / 100}%"),
    rounding=st.sampled_from(["up", "down", "nearest", "half-up"]),
    coin=st.integers(1, 1000),
    minimum=amounts,
    above=st.one_of(st.none(), amounts),
    tie=st.integers(1, 1000),
)
def test_any_settings_round_trip(decks, cut, rate, rounding, coin, minimum, above, tie):
    table = COMMISSION.override({
        "decks": decks, "cut_card": cut, "commission": rate, "commission_rounding": rounding, "commission_coin": coin,
        "minimum": minimum, "maximum": "none" if above is None else minimum + above, "odds": {"tie": tie},
    })  # fmt: skip
    assert COMMISSION.override(table.settings()) == table


def test_presets_cannot_be_changed():
    with pytest.raises(TypeError):
        BUILT_IN_TABLES["ez"] = COMMISSION
    with pytest.raises(TypeError):
        COMMISSION.bets["banker"] = None
    with pytest.raises(AttributeError):
        COMMISSION.commission = Fraction(0)


def test_a_table_built_by_hand_is_checked():
    bets = {"player": COMMISSION.bet("player")}
    with pytest.raises(TableError, match="offers no bets"):
        Table(name="t", title="T", bets={})
    with pytest.raises(TableError, match="limits for an unknown bet side_"):
        Table(name="t", title="T", bets=bets, limits_by={"side_": Limits()})
    with pytest.raises(TableError, match="commission_rounding cannot be"):
        Table(name="t", title="T", bets=bets, commission_rounding="round")
    with pytest.raises(TableError, match="from 0 to below 1"):
        Table(name="t", title="T", bets=bets, commission=Fraction(5))
    with pytest.raises(TableError, match="burn cannot be"):
        ShoeRules(burn="two")
