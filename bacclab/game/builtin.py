"""The bets and tables that come with bacclab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.game.bets import BUILT_IN_BETS
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.hooks import hookimpl

if TYPE_CHECKING:
    from collections.abc import Callable


@hookimpl
def register_bets(register: Callable[[Any], None]) -> None:
    """Hand in the built-in bets."""
    for bet in BUILT_IN_BETS.values():
        register(bet)


@hookimpl
def register_tables(register: Callable[[Any], None]) -> None:
    """Hand in the built-in tables."""
    for table in BUILT_IN_TABLES.values():
        register(table)
