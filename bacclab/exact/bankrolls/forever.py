"""Ruin with no limit of rounds, of a bettor that lays the same every round: found from its table of states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bacclab.errors import BacclabError
from bacclab.exact.flat import ruin as flat
from bacclab.exact.flat import walks
from bacclab.exact.flat.bet import FlatBet
from bacclab.tournament.frames import frame

if TYPE_CHECKING:
    import polars as pl

    from bacclab.tournament.plan import Cell
    from bacclab.tournament.play.table import TablePlayer

__all__ = ["ruin"]

MOST_WORK: Final = 2 * 10**7
"""Sums of money times the width of a step: a tenth of a second."""


def ruin(cell: Cell, bettor: str, player: TablePlayer) -> pl.DataFrame | None:
    """A row of exact_ruin; None for a bettor whose stakes change, and for one with a stop-loss.

    The bankroll is ruined when it does not cover the next bet. A bettor that then lays less (``when_refused = "cap"``) or
    waits (``"skip"``) is not ruined by it, unless it lays the table minimum.
    """
    terms, slips = player.terms, player.table.slips
    first = slips[0]
    if terms.stop_loss is not None or not first.bets or any(player.table.endings):
        return None
    if any(slip != first for slip in slips) or any(first.refused):
        return None
    stake = sum(amount for _, amount in first.bets)
    if terms.bankroll < stake or (terms.policy not in ("stop", "reset") and stake > terms.least):
        return None
    try:
        bet = FlatBet.at(cell.table, {terms.layout.ids[index]: amount for index, amount in first.bets})
        ever = _ever(bet, terms.bankroll, None)
        before = None if terms.stop_win is None else _ever(bet, terms.bankroll, terms.stop_win)
    except BacclabError:  # a table or sums that the exact question cannot be put to
        return None
    columns = {"cell": [cell.index], "bettor": [bettor], "ruin_ever": [ever], "ruin_ever_goal": [before]}
    return frame("exact_ruin", columns)


def _ever(bet: FlatBet, bankroll: int, goal: int | None) -> float | None:
    """The chance of ruin, None where it would take long to work out."""
    walk = bet.walk
    places = bankroll // walk.unit
    if goal is not None:
        places += goal // walk.unit
    elif walk.mean > 0:
        places += walks.safe_height(walk)
    elif walk.down:
        return 1.0  # Without an edge for the bettor the bankroll comes down for certain.
    if places * (walk.down + walk.up) > MOST_WORK:
        return None
    return flat.ruin(bet, bankroll=bankroll, goal=goal)
