"""Three-card Six: baccarat without commission, where Banker's win with a three-card 6 is a push, and a side bet on it.

The rules stand beside those of games without commission that push Banker's three-card 7 and sell a bet on it; here the
round that is given back is one with a three-card 6, which is rarer.
"""

from __future__ import annotations

import bacclab as bl

__all__ = ["BET", "TABLE"]


def lines(coup: bl.Round) -> str | None:
    """The pay line that a round hits; None when the bet is lost."""
    won = coup.outcome == "banker" and coup.banker_total == 6 and coup.banker_cards == 3
    return "win" if won else None


BET = bl.Bet(
    id="three_card_six",
    title="Three-card Six",
    kind="side",
    lines=lines,
    odds={"win": "50:1"},
    rule="Wins when Banker wins with a total of 6 in three cards.",
    source="made up for this package",
    example="Player 4, Banker 6 in three cards: 10.00 wins 500.00.",
)
TABLE = bl.table("ez").variant(
    "three-card-six",
    title="No commission, Banker's three-card 6 pushes, with Three-card Six",
    source="made up for this package",
    odds={"banker": {"seven_three_cards": "none", "six_three_cards": "push"}},
    extra_bets=[BET],
)


@bl.hookimpl
def register_bets(register) -> None:
    """The side bet."""
    register(BET)


@bl.hookimpl
def register_tables(register) -> None:
    """The table that offers it."""
    register(TABLE)
