"""Exact results beside sampled ones, for the bettors of a cell for which they cost little.

What is worked out depends on the experiment alone, never on the time it takes, so that the same experiment has the same
frames everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bacclab.errors import BacclabError
from bacclab.exact.bankrolls import forever, frames
from bacclab.exact.bankrolls.distribution import solve
from bacclab.tournament.play.table import TablePlayer

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from bacclab.tournament.plan import Cell
    from bacclab.tournament.play import CellPlay

__all__ = ["overlay"]

MOST_PLACES: Final = 100_000
"""States × bankrolls of a bettor that is worked out beside a sample."""
MOST_STATES: Final = 2_000
"""States of its table."""
BETTOR_WORK: Final = 25 * 10**7
"""Places and branches times rounds of one bettor: some tenths of a second."""
LEAST: Final = 1e-20
"""What a curve would never show."""
RUN_WORK: Final = 4 * 10**8
"""The same for all bettors of a run, and each cell has its part of it: less than a second in all."""
RUIN_WORK: Final = 4 * 10**8
"""The same for the chances of ruin before a goal, with no limit of rounds."""


def overlay(cell: Cell, ready: CellPlay, *, cells: int) -> Iterator[tuple[str, str, pl.DataFrame]]:
    """Frames, bettors and rows of the exact results that are cheap; nothing where rounds are not dealt from a shoe."""
    if cell.horizon.rounds is None or cell.source.describe().get("kind") != "simulated":
        return
    left, for_ruin = RUN_WORK // cells, RUIN_WORK // cells
    for one in ready.bettors:
        player = one.chosen.player
        if not isinstance(player, TablePlayer) or player.table.states > MOST_STATES:
            continue
        ruin, work = forever.ruin(cell, one.name, player, most_work=for_ruin)
        for_ruin -= work
        if ruin is not None:
            yield "exact_ruin", one.name, ruin
        try:
            found = solve(player, most_places=MOST_PLACES, most_work=min(BETTOR_WORK, left), least=LEAST)
        except BacclabError:  # too large, or amounts that are not exact
            continue
        left -= found.work
        yield "exact_rounds", one.name, frames.rounds(found, cell=cell.index, bettor=one.name)
        yield "exact_bands", one.name, frames.bands(found, cell=cell.index, bettor=one.name)
