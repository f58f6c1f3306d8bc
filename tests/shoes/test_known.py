"""What is known of rounds, and which bets it decides."""

import numpy as np
import pytest

from bacclab.game import codes
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.shoes.known import (
    EVERYTHING,
    FACTS,
    WINNER_ONLY,
    classes,
    fields,
    is_decided,
    lacking,
    others,
    undecided_bets,
)


def undecided(table, *facts):
    layout = Layout(BUILT_IN_TABLES[table])
    return {layout.ids[bet] for bet in undecided_bets(layout, frozenset({"winner", *facts}))}


def test_bets_are_decided_by_what_they_pay_on():
    assert undecided("commission") == {"player_pair", "banker_pair"}
    assert undecided("no-commission") == {"banker", "player_pair", "banker_pair"}
    assert undecided("no-commission", "winning_total") == {"player_pair", "banker_pair"}
    assert undecided("no-commission", "totals", "pairs") == set()
    assert undecided("ez", "totals", "pairs") == {"banker", "dragon_7", "panda_8"}, (
        "a seven of three cards is not one of two"
    )
    assert undecided("ez", "totals", "pairs", "cards") == set()
    assert undecided("ez", *EVERYTHING) == set()


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_decides_itself(fact):
    assert is_decided(fields()[fact], frozenset({"winner", fact}))
    needed = lacking(fields()[fact], WINNER_ONLY)
    assert is_decided(fields()[fact], WINNER_ONLY | set(needed))
    assert (needed == ()) == (fact == "winner")


def test_fields_are_those_of_the_rounds():
    for code in np.flatnonzero(codes.possible_codes())[::37].tolist():
        dealt = codes.decode(code)
        won_with = {"player": dealt.player_total, "banker": dealt.banker_total}.get(dealt.outcome.value)
        assert fields()["totals"][code] == dealt.player_total * 10 + dealt.banker_total
        assert fields()["pairs"][code] == 2 * (dealt.player_pair > 0) + (dealt.banker_pair > 0)
        if won_with is not None:
            assert fields()["winning_total"][code] == won_with
            assert fields()["natural"][code] == (won_with >= 8 and dealt.cards == 4)


def test_others_are_of_the_same_class():
    known = frozenset({"winner", "totals"})
    place = classes(known)
    for other in others(known):
        possible = np.flatnonzero(place >= 0)
        assert (place[other[possible]] == place[possible]).all()
    assert not np.array_equal(*others(known))
