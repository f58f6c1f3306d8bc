"""A table laid out as arrays: what the compiled players and the exact odds read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.game.codes import CODES
from bacclab.game.pay import pay_table
from bacclab.game.settlement import ROUNDINGS, settle_bet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.game.tables import Table

_FIRST: Final = ("banker", "player", "tie")


class Layout:
    """The bets of a table in a fixed order (banker, player, tie, then as the table lists them), B bets by L pay lines.

    - `table`: the table itself;
    - `ids`, `index`: names of the bets, and the place of each;
    - `line` uint8[B, CODES]: the pay line that a round code hits, 0 = lost;
    - `numerator`, `denominator` int64[B, L]: odds of each line (line 0 and lines that a bet does not have: -1:1);
    - `line_names`: for each bet the names of its lines, "lost" first;
    - `rate_numerator`, `rate_denominator` int64[B]: the share of the winnings that is commission (0/1: none);
      `rounding` (code) and `coin` (amount) say how it is rounded;
    - `minimum`, `maximum`, `increment` int64[B]: limits, amounts;
    - `side` bool[B], `needs_main`: side bets, and whether they may only be laid beside another bet;
    - `lowest_minimum`: the smallest stake that can start a round, an amount.

    >>> from bacclab.game.codes import Round
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> layout = Layout(BUILT_IN_TABLES["no-commission"])
    >>> layout.ids
    ('banker', 'player', 'tie', 'player_pair', 'banker_pair')
    >>> layout.settle(layout.index["banker"], 100_000, Round(5, 6, 3, 3).code)
    (50000, 0)
    """

    def __init__(self, table: Table) -> None:
        self.table: Table = table
        self.ids: tuple[str, ...] = (
            *(name for name in _FIRST if name in table.bets),
            *(name for name in table.bets if name not in _FIRST),
        )
        self.index: dict[str, int] = {name: place for place, name in enumerate(self.ids)}
        pays = [pay_table(table.bets[name]) for name in self.ids]
        self.line_names: tuple[tuple[str, ...], ...] = tuple(pay.names for pay in pays)
        shape = len(pays), max(len(pay.names) for pay in pays)
        self.line: NDArray[np.uint8] = np.stack([pay.line for pay in pays])
        self.numerator: NDArray[np.int64] = np.full(shape, -1, np.int64)
        self.denominator: NDArray[np.int64] = np.ones(shape, np.int64)
        for bet, pay in enumerate(pays):
            self.numerator[bet, : len(pay.names)] = pay.numerators
            self.denominator[bet, : len(pay.names)] = pay.denominators
        rates = [table.commission if table.bets[name].commission else 0 for name in self.ids]
        self.rate_numerator: NDArray[np.int64] = np.array([rate.numerator for rate in rates], np.int64)
        self.rate_denominator: NDArray[np.int64] = np.array([rate.denominator for rate in rates], np.int64)
        self.rounding: int = ROUNDINGS.index(table.commission_rounding)
        self.coin: int = table.commission_coin
        limits = [table.limits_of(name) for name in self.ids]
        self.minimum: NDArray[np.int64] = np.array([limit.minimum for limit in limits], np.int64)
        self.maximum: NDArray[np.int64] = np.array([limit.ceiling for limit in limits], np.int64)
        self.increment: NDArray[np.int64] = np.array([limit.increment for limit in limits], np.int64)
        self.side: NDArray[np.bool_] = np.array([table.bets[name].kind == "side" for name in self.ids], bool)
        self.needs_main: bool = table.side_bets_need_main_bet
        self.lowest_minimum: int = table.lowest_minimum

    def settle(self, bet_index: int, stake: int, code: int) -> tuple[int, int]:
        """Net result and commission of a stake (amounts) on a round code, in plain Python."""
        if not 0 <= code < CODES:
            raise ValueError(f"not a round code: {code}")
        line = self.line[bet_index, code]
        return settle_bet(
            int(stake),
            int(self.numerator[bet_index, line]),
            int(self.denominator[bet_index, line]),
            int(self.rate_numerator[bet_index]),
            int(self.rate_denominator[bet_index]),
            self.rounding,
            self.coin,
        )
