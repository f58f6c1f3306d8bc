"""What was tried, and the winner looked at again: the guard against the luck of the best of many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.dashboard.lookup import Lookup
    from bacclab.plugins.panels import Blocks

__all__ = ["write"]


def write(run: Lookup) -> Blocks | None:
    """How many systems and settings were tried, and how the winner did on fresh rounds; None where only one was."""
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
    rows = [] if again is None else again.iter_rows(named=True)
    return "\n\n".join([told, *(_again(row, run) for row in rows)])


def _again(row: Mapping[str, Any], run: Lookup) -> str:
    """How the best of the search did on fresh rounds."""
    say, label = run.language, run.cells.get(int(row["cell"]), "")
    words = {
        "who": say("form.named", bettor=row["bettor"], setting=label) if label else row["bettor"],
        "n": say.count(row["tried"]),
        "search": say.signed(row["return_in_search"]),
    }
    if row["return_fresh"] is None:
        return say("tried.no_bets", **words)
    text = say("tried.again", fresh=say.signed(row["return_fresh"]), **words)
    if row["ci_low"] is None:
        return text
    return f"{text} {say('tried.interval', low=say.signed(row['ci_low']), high=say.signed(row['ci_high']))}"
