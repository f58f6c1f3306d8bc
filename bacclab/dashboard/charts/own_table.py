"""The table of a cell of a run, put together again from what the run says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.dashboard.words import rules

if TYPE_CHECKING:
    from bacclab.dashboard.lookup import Lookup
    from bacclab.game.tables import Table

__all__ = ["table_of", "table_settings"]


def table_of(look: Lookup, cell: int) -> Table | None:
    """The table of a cell with its own shoe, odds and commission and no limits; None where the run does not tell."""
    from bacclab.dashboard.lookup import registry_of
    from bacclab.errors import BacclabError

    settings = table_settings(look, cell)
    registry = registry_of(look.run)
    name = str(settings.pop("rules", "commission"))
    if name not in registry.tables:
        return None
    try:
        table: Table = registry.tables[name].item.override(
            {**settings, "minimum": "0.01"}, bets={entry.id: entry.item for entry in registry.bets.values()}
        )
    except BacclabError:
        return None
    return table


def table_settings(look: Lookup, cell: int) -> dict[str, Any]:
    """The keys of the table of a cell, those of a sweep among them, without its limits."""
    cells = look.run.manifest.get("cells")
    swept = cells[cell].get("settings", {}) if isinstance(cells, list | tuple) and cell < len(cells) else {}
    own = {key.removeprefix("table."): value for key, value in swept.items() if key.startswith("table.")}
    found = {**(rules.config_of(look.run.manifest).get("table") or {}), **own}
    return {key: value for key, value in found.items() if key not in ("minimum", "maximum", "limits")}
