"""What was tried, and what was looked at again: the guard against the luck of the best of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.analysis.confirm import sentence

if TYPE_CHECKING:
    from bacclab.dashboard.lookup import Lookup
    from bacclab.panels import Blocks

__all__ = ["write"]


def write(run: Lookup) -> Blocks | None:
    """How many systems and settings were tried; None where there was but one."""
    systems, cells = len(run.positions), len(run.cells)
    tried = run.run.summary.height
    if tried < 2:
        return None
    settings = f", in {cells:,} settings: {tried:,} lots of figures" if cells > 1 else ""
    confirmation = getattr(run.run, "confirmation", None)
    rows = [] if confirmation is None else list(confirmation.iter_rows(named=True))
    again = "".join(f" {sentence(row, run.cells[int(row['cell'])])}" for row in rows)
    return (
        f"{systems:,} system{'s' if systems > 1 else ''}{settings}. The best of many looks better than it is: of a hundred "
        "systems alike, one in twenty lies outside its 95 % interval. The p-values of pairs are corrected for their "
        f"number; a figure picked from the table for its size is not.{again}"
    )
