"""What was tried, and the winner looked at again: the guard against the luck of the best of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bacclab.dashboard.lookup import Lookup
    from bacclab.panels import Blocks

__all__ = ["write"]


def write(run: Lookup) -> Blocks | None:
    """How many systems and settings were tried, and how the winner did on fresh rounds; None where there was but one."""
    say, tried = run.language, run.run.summary.height
    if tried < 2:
        return None
    systems = say.some("sentence.systems", len(run.positions))
    if len(run.cells) > 1:
        settings = say.some("sentence.settings", len(run.cells))
        told = say("tried.sweep", systems=systems, settings=settings, n=say.count(tried))
    else:
        told = say("tried.plain", systems=systems)
    again = getattr(run.run, "confirmation", None)
    return [told] if again is None or not again.height else [told, say("tried.confirmed"), again]
