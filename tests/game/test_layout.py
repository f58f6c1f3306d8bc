from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bacclab.game.bets import pay_table
from bacclab.game.codes import CODES, Pair, Round
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import MAX_AMOUNT


@pytest.mark.parametrize("table", BUILT_IN_TABLES.values(), ids=lambda table: table.name)
def test_arrays_say_what_the_table_says(table):
    layout = Layout(table)
    assert layout.ids[:3] == ("banker", "player", "tie")
    assert set(layout.ids) == set(table.bets)
    assert layout.line.shape == (len(table.bets), CODES)
    assert layout.line.dtype == np.uint8
    for name, place in layout.index.items():
        bet = table.bets[name]
        pays = pay_table(bet)
        lines = len(pays.names)
        assert layout.line_names[place] == pays.names
        assert (layout.line[place] == pays.line).all()
        assert (layout.numerator[place, :lines] == pays.numerators).all()
        assert (layout.denominator[place, :lines] == pays.denominators).all()
        rate = Fraction(int(layout.rate_numerator[place]), int(layout.rate_denominator[place]))
        assert rate == (table.commission if bet.commission else 0)
        assert layout.side[place] == (bet.kind == "side")
    for array in (layout.numerator, layout.denominator, layout.minimum, layout.maximum, layout.increment):
        assert array.dtype == np.int64


def test_limits_and_rounding():
    table = BUILT_IN_TABLES["commission-quarters"].override({"minimum": 10, "limits": {"side": {"maximum": 50}}})
    layout = Layout(table)
    assert (layout.rounding, layout.coin) == (1, 2_500)
    assert layout.minimum.tolist() == [100_000] * 5
    assert layout.maximum.tolist() == [MAX_AMOUNT] * 3 + [500_000] * 2
    assert not layout.needs_main
    assert Layout(BUILT_IN_TABLES["no-commission"]).needs_main


def test_settle():
    six = Round(5, 6, 3, 3, Pair.PAIR).code
    for name, banker in (("commission", (95_000, 5_000)), ("no-commission", (50_000, 0)), ("ez", (100_000, 0))):
        layout = Layout(BUILT_IN_TABLES[name])
        assert layout.settle(layout.index["banker"], 100_000, six) == banker
        assert layout.settle(layout.index["player"], 100_000, six) == (-100_000, 0)
        assert layout.settle(layout.index["tie"], 100_000, six) == (-100_000, 0)
    layout = Layout(BUILT_IN_TABLES["commission"])
    assert layout.settle(layout.index["player_pair"], 100_000, six) == (1_100_000, 0)
    with pytest.raises(ValueError, match="not a round code"):
        layout.settle(0, 100_000, CODES)
    ez = Layout(BUILT_IN_TABLES["ez"])
    seven = Round(6, 7, 2, 3).code
    assert ez.settle(ez.index["banker"], 100_000, seven) == (0, 0)
    assert ez.settle(ez.index["dragon_7"], 100_000, seven) == (4_000_000, 0)
