"""How figures about bets are printed: sums, shares, numbers of rounds, and the line that heads every answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.exact.flat.bet import FlatBet
    from bacclab.game.tables import Table


def about(table: Table, bet: FlatBet) -> dict[str, Any]:
    """The facts about a bet that head every answer."""
    from bacclab.money import from_amount

    return {
        "table": table.name,
        "bet": bet.name,
        "stake": from_amount(bet.stake),
        "edge": bet.edge,
        "deviation": bet.deviation / bet.stake,
        "n0": bet.rounds_to_n0 if bet.mean else None,
    }


def heading(facts: Mapping[str, Any]) -> str:
    """One line about a bet."""
    side = "house edge" if facts["edge"] >= 0 else "edge for the player"
    return (
        f"{facts['bet']} at table {facts['table']}, {facts['stake']:,.2f} a round: {side} "
        f"{abs(facts['edge']):.4%}, standard deviation {facts['deviation']:.4f} of the stake".replace("%", " %")
    )


def units(amounts: float) -> float:
    """An amount in currency units, whole or not."""
    from bacclab.money import UNITS

    return amounts / UNITS


def money(value: float | None, *, signed: bool = False) -> str:
    """Currency units for people; None is a dash.

    >>> money(1234.5), money(-3, signed=True), money(-0.001), money(None)
    ('1,234.50', '-3.00', '0.00', '-')
    """
    if value is None:
        return "-"
    return f"{value:{'+' if signed else ''}z,.2f}"


def percent(value: float | None, digits: int = 2) -> str:
    """A share for people; a small one keeps two digits that say something.

    >>> percent(0.0479), percent(0.000034), percent(1e-9), percent(0.0), percent(None)
    ('4.79 %', '0.0034 %', '<0.0001 %', '0.00 %', '-')
    """
    if value is None:
        return "-"
    if 0 < abs(value) < 1e-6:
        return "<0.0001 %"
    if 0 < abs(value) < 10 ** -(digits + 2):
        return f"{value * 100:.2g} %"
    return f"{value * 100:z.{digits}f} %"


def number(value: float | None) -> str:
    """A mean number of rounds for people.

    >>> number(451.863), number(None)
    ('451.9', '-')
    """
    return "-" if value is None else f"{value:,.1f}"
