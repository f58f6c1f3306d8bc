"""The drawing rules of mini-baccarat: the only third-card rule of the code base.

Both sides have two cards. With 8 or 9 on either side (a natural) nobody draws. Otherwise Player draws on 0-5; Banker
draws by its total and the value of Player's third card, or on 0-5 when Player stood. The card values are 0 for ten and
faces, 1 for an ace, else the number; totals drop the tens. The same table stands in all published rules of the game.
"""

from __future__ import annotations

from typing import Final, NamedTuple

NATURALS: Final = frozenset({8, 9})
"""Two-card totals that end the round."""

PLAYER_DRAWS: Final = frozenset({0, 1, 2, 3, 4, 5})
"""Two-card totals on which Player draws (and Banker too, when Player stood)."""

_ANY: Final = frozenset(range(10))

BANKER_DRAWS: Final[tuple[frozenset[int], ...]] = (
    _ANY,
    _ANY,
    _ANY,
    _ANY - {8},
    frozenset({2, 3, 4, 5, 6, 7}),
    frozenset({4, 5, 6, 7}),
    frozenset({6, 7}),
    frozenset(),
)
"""For each two-card total of Banker, 0 to 7: the values of Player's third card on which Banker draws."""


class Coup(NamedTuple):
    """How a round ended: both totals, and the cards of each side."""

    player_total: int
    banker_total: int
    player_cards: int
    banker_cards: int


def player_draws(total: int) -> bool:
    """Whether Player draws on a two-card total, when Banker has no natural.

    >>> [total for total in range(10) if player_draws(total)]
    [0, 1, 2, 3, 4, 5]
    """
    return total in PLAYER_DRAWS


def banker_draws(total: int, *, player_third: int | None) -> bool:
    """Whether Banker draws on a two-card total, when Player has no natural.

    `player_third` is the value of Player's third card; None means that Player stood (a third card worth 0 is 0).

    >>> banker_draws(4, player_third=0), banker_draws(4, player_third=None), banker_draws(3, player_third=8)
    (False, True, False)
    """
    if total in NATURALS:
        return False
    if player_third is None:
        return total in PLAYER_DRAWS
    return player_third in BANKER_DRAWS[total]


def coup(player_two: int, banker_two: int, fifth: int, sixth: int) -> Coup:
    """Play a round out from the two-card totals and the values of the next two cards of the shoe.

    The fifth card goes to the side that draws first, so to Banker when Player stands.

    >>> coup(0, 4, 0, 9)
    Coup(player_total=0, banker_total=4, player_cards=3, banker_cards=2)
    >>> coup(6, 5, 3, 9)
    Coup(player_total=6, banker_total=8, player_cards=2, banker_cards=3)
    """
    if player_two in NATURALS or banker_two in NATURALS:
        return Coup(player_two, banker_two, 2, 2)
    if not player_draws(player_two):
        if not banker_draws(banker_two, player_third=None):
            return Coup(player_two, banker_two, 2, 2)
        return Coup(player_two, (banker_two + fifth) % 10, 2, 3)
    player_total = (player_two + fifth) % 10
    if not banker_draws(banker_two, player_third=fifth):
        return Coup(player_total, banker_two, 3, 2)
    return Coup(player_total, (banker_two + sixth) % 10, 3, 3)
