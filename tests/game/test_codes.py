from __future__ import annotations

import itertools

import numpy as np
import pytest

from bacclab.game import codes
from bacclab.game.codes import CODE_MASK, CODES, NEW_SHOE, Outcome, Pair, Round, decode


def all_rounds():
    for player, banker, player_cards, banker_cards in itertools.product(range(10), range(10), (2, 3), (2, 3)):
        for player_pair, banker_pair in itertools.product(Pair, Pair):
            for same_rank in (False, True) if player_pair and banker_pair else (False,):
                yield Round(player, banker, player_cards, banker_cards, player_pair, banker_pair, same_rank)


def test_every_round_has_a_code_of_its_own():
    rounds = list(all_rounds())
    assert len(rounds) == CODES == 5200
    assert sorted(round_.code for round_ in rounds) == list(range(CODES))
    assert all(decode(round_.code) == round_ for round_ in rounds)


def test_layout_of_the_code():
    """The formula of the design, written out once more."""
    assert Round(7, 3, 2, 3).code == ((7 * 10 + 3) * 4 + 0 * 2 + 1) * 13
    assert Round(7, 3, 3, 2, Pair.PAIR, Pair.SUITED).code == ((7 * 10 + 3) * 4 + 2) * 13 + 3 + 2
    assert Round(7, 3, 3, 2, Pair.SUITED, Pair.PAIR, True).code == ((7 * 10 + 3) * 4 + 2) * 13 + 9 + 2


def test_flag_and_code_do_not_overlap():
    assert CODES - 1 <= CODE_MASK < NEW_SHOE < 2**16
    assert CODE_MASK & NEW_SHOE == 0


@pytest.mark.parametrize("code", [-1, CODES, NEW_SHOE | 5])
def test_no_other_number_is_a_code(code):
    with pytest.raises(ValueError, match="not a round code"):
        decode(code)


def test_properties():
    for code in range(CODES):
        round_ = decode(code)
        margin = round_.player_total - round_.banker_total
        assert round_.margin == abs(margin)
        assert round_.outcome == ("player" if margin > 0 else "banker" if margin < 0 else "tie")
        assert tuple(Outcome)[codes.outcomes()[code]] is round_.outcome
        assert round_.cards == round_.player_cards + round_.banker_cards
        assert round_.natural == (round_.player_natural or round_.banker_natural)
        assert round_.player_natural == (round_.player_cards == 2 and round_.player_total > 7)
        assert round_.banker_natural == (round_.banker_cards == 2 and round_.banker_total > 7)


def test_deal_cells_lead_to_the_right_rounds():
    cells = codes.deal_cells()
    assert cells.shape == (10_000,)
    assert cells.dtype == np.uint16
    stands = decode(int(cells[6 * 1000 + 5 * 100 + 4 * 10 + 9]) * 13)
    assert (stands.player_total, stands.banker_total, stands.player_cards, stands.banker_cards) == (6, 9, 2, 3)
    draws = decode(int(cells[2 * 1000 + 4 * 100 + 0 * 10 + 9]) * 13)
    assert (draws.player_total, draws.banker_total, draws.player_cards, draws.banker_cards) == (2, 4, 3, 2)


def test_pair_states():
    states = codes.pair_states()
    for player, banker in itertools.product(Pair, Pair):
        assert states[player * 3 + banker] == Round(0, 0, 2, 2, player, banker).code
        if player and banker:
            assert states[player * 3 + banker + 9] == Round(0, 0, 2, 2, player, banker, True).code
        else:
            assert states[player * 3 + banker + 9] == states[player * 3 + banker]


def test_possible_codes_are_those_of_all_deals():
    """Every deal of ranks and every pattern of suits, with the ladder of rules as in the test of the tableau."""
    values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
    cells = {}
    for index, cell in enumerate(codes.deal_cells().tolist()):
        cells.setdefault(index // 100, set()).add(cell)
    seen = set()
    for a, b, c, d in itertools.product(range(13), repeat=4):
        start = (values[a] + values[b]) % 10 * 10 + (values[c] + values[d]) % 10
        for player in (Pair.PAIR, Pair.SUITED) if a == b else (Pair.NONE,):
            for banker in (Pair.PAIR, Pair.SUITED) if c == d else (Pair.NONE,):
                state = Round(0, 0, 2, 2, player, banker, a == b == c == d).code
                seen |= {cell * 13 + state for cell in cells[start]}
    assert set(np.flatnonzero(codes.possible_codes()).tolist()) == seen


@pytest.mark.parametrize("table", [codes.outcomes, codes.deal_cells, codes.pair_states, codes.possible_codes])
def test_shared_tables_cannot_be_changed(table):
    with pytest.raises(ValueError, match="read-only"):
        table()[0] = 1
