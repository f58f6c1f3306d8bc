"""The drawing rules against a hand-written ladder and against the cases that other dealers got wrong."""

from __future__ import annotations

import itertools

import pytest

from bacclab.game import tableau


def play(player_two, banker_two, fifth, sixth):
    """The rules as told in words, nothing shared with the product."""
    if player_two in (8, 9) or banker_two in (8, 9):
        return player_two, banker_two, 2, 2
    if player_two in (6, 7):
        if banker_two <= 5:
            return player_two, (banker_two + fifth) % 10, 2, 3
        return player_two, banker_two, 2, 2
    player = (player_two + fifth) % 10
    if banker_two <= 2:
        draws = True
    elif banker_two == 3:
        draws = fifth != 8
    elif banker_two == 4:
        draws = 2 <= fifth <= 7
    elif banker_two == 5:
        draws = 4 <= fifth <= 7
    elif banker_two == 6:
        draws = fifth in (6, 7)
    else:
        draws = False
    if draws:
        return player, (banker_two + sixth) % 10, 3, 3
    return player, banker_two, 3, 2


def test_every_start_and_continuation():
    for cards in itertools.product(range(10), repeat=4):
        assert tableau.coup(*cards) == play(*cards), cards


def test_a_third_card_of_zero_is_a_third_card():
    """Player K 2 draws Q, Banker holds 4: Banker stands and wins 4-2."""
    assert tableau.coup(2, 4, 0, 9) == (2, 4, 3, 2)


@pytest.mark.parametrize(
    ("banker", "player_third", "draws"),
    [(5, 0, False), (3, 0, True), (3, 8, False), (6, None, False), (5, None, True), (7, None, False), (0, None, True),
     (8, None, False), (9, 3, False)],
)  # fmt: skip
def test_banker_cases(banker, player_third, draws):
    """Cases of the drawing table, and naturals."""
    assert tableau.banker_draws(banker, player_third=player_third) is draws


@pytest.mark.parametrize("natural", [8, 9])
@pytest.mark.parametrize("other", range(10))
def test_a_natural_stops_both_sides(natural, other):
    assert tableau.coup(natural, other, 1, 1) == (natural, other, 2, 2)
    assert tableau.coup(other, natural, 1, 1) == (other, natural, 2, 2)
