"""The bets that come with bacclab: rules as short functions, odds as usually offered.

A table may pay other odds (see `bacclab.game.tables`): single lines, or one of the bet's named pay tables. Where houses
differ, the commonest odds for eight decks stand first. The edges in the sources were compared with exact enumeration.

Published figures that mislead:

- *Half* on a Banker win with 6 means a net win of half the stake (edge 1.46 %), not that half of it is lost (6.8 %).
- Figures for six decks are printed as those of eight, and the other way round: Small 5.27 % is six decks (eight:
  5.28 %), EZ Banker 1.018 % is eight, Perfect Pair 13.88 % is six decks at 26:1 (eight: 9.68 %).
- Edges per bet made (Banker 1.0579 %, Player 1.2351 %) and per bet resolved (1.1692 %, 1.3650 %) are both right.
- Numbers of card sequences with 16 digits often come out of spreadsheets, rounded to 15.
- Standard deviations in print may be rough: 3.16 and 3.184 for the 3.1549 of a pair bet, 2.932 and 2.927 for the
  2.9308 and 2.9257 of the bets on one natural.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from bacclab.errors import did_you_mean
from bacclab.game.bets_hands import HAND_BETS
from bacclab.game.bets_main import MAIN_BETS
from bacclab.game.bets_pairs import PAIR_BETS
from bacclab.game.bets_totals import TOTAL_BETS
from bacclab.game.pay import Bet, Kind, Odds, Offer, PayTable, pay_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["BUILT_IN_BETS", "Bet", "Kind", "Odds", "Offer", "PayTable", "how_to_offer", "pay_table"]

BUILT_IN_BETS: Final[Mapping[str, Bet]] = MappingProxyType(
    {bet.id: bet for bet in (*MAIN_BETS, *PAIR_BETS, *TOTAL_BETS, *HAND_BETS)}
)
"""The bets by their ids."""


def how_to_offer(bet: str, offered: Sequence[str]) -> str:
    """A hint for a bet that a table does not offer: how to put it there, or the nearest name.

    >>> how_to_offer("player_pair", ["banker", "player"]), how_to_offer("bankr", ["banker", "player"])
    ('put it on the table: extra_bets = ["player_pair"] under [table]', 'did you mean banker?')
    """
    if bet in BUILT_IN_BETS:
        return f'put it on the table: extra_bets = ["{bet}"] under [table]'
    return did_you_mean(bet, offered)
