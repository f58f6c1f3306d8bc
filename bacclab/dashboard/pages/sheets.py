"""The charts of a page as data: which there are, where they stand, and their figures, as much as there is room for."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from bacclab.dashboard import gallery
from bacclab.dashboard.pages.pack import packets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bacclab.dashboard.language import Language
    from bacclab.dashboard.lookup import Lookup
    from bacclab.plugins.registry import Entry, Registry

__all__ = ["Sheets", "data", "figure", "places"]

#: A first guess at the points of a line: this many over all bettors of all cells, within bounds.
POINT_BUDGET = 24_000
FEWEST, MOST = 24, 200
#: Bettors (in all cells together) with charts of their own, if there is room; the others are in the tables.
CHARTED = 2000
#: Bettors (in all cells together) up to which the roads of a session are drawn for each of them.
ROADS = 12

Sheets = dict[str, dict[str, Any]]
"""Charts by name, for each sheet: r for the whole run, c<cell> for all bettors of a cell, b<cell>-<bettor> for one."""


def places(registry: Registry, sheets: Mapping[str, Mapping[str, Any]], say: Language) -> dict[str, str]:
    """The charts of each part of the page as empty HTML figures; a chart that no sheet holds has no place."""
    held = {name for sheet in sheets.values() for name in sheet}
    found: dict[str, str] = {}
    for section in dict.fromkeys(gallery.section_of(entry.item) for entry in registry.of("charts").values()):
        entries = [e for e in gallery.charts_of(registry, section=section) if element_id(e) in held]
        found[section] = _rows(entries, say)
    return found


def element_id(entry: Entry) -> str:
    """The id of a chart's element: a plugin's chart cannot take one that the page has already."""
    return entry.id if entry.origin == "built in" else f"chart-{entry.id}"


def _rows(entries: Sequence[Entry], say: Language) -> str:
    """Figures under each other; narrow ones two and two."""
    parts: list[str] = []
    narrow: list[str] = []
    for entry in [*entries, None]:
        if (entry is None or entry.item.wide) and narrow:
            parts.append(f'<div class="two">{"".join(narrow)}</div>')
            narrow = []
        if entry is not None:
            (parts if entry.item.wide else narrow).append(figure(element_id(entry), entry.item.scope, say))
    return "\n".join(parts)


def figure(name: str, scope: str, say: Language) -> str:
    """A chart as an empty HTML figure, to be drawn when it comes near the window."""
    table, save, figures = (escape(say(f"page.{key}")) for key in ("chart_table", "save", "chart_figures"))
    name = escape(name)
    return (
        f'<figure class="chart" id="{name}" data-chart="{name}" data-of="{scope}"><figcaption>'
        '<h3></h3><p></p></figcaption><p class="fault"></p><div class="menus"></div>'
        '<div class="plot waiting" role="img"></div><details class="chart-data">'
        f'<summary>{table}</summary><button type="button" class="save">{save}</button>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{figures}"></div></details></figure>'
    )


def data(look: Lookup, registry: Registry, *, room: int) -> tuple[Sheets, dict[str, int], str]:
    """The sheets, the packet of each of them, and all packets as script elements of at most `room` characters."""
    bettors = max(1, sum(len(look.bettors(cell)) for cell in look.cells))
    charted = min(CHARTED, bettors)
    points = max(FEWEST, min(MOST, POINT_BUDGET // bettors))
    sheets = _sheets(look, registry, points, charted)
    while True:
        names: dict[str, int] = {}
        parts = []
        for number, (held, text) in enumerate(packets(sheets)):
            names |= dict.fromkeys(held, number)
            parts.append(f'<script type="text/plain" id="p{number}">{text}</script>')
        text = "\n".join(parts)
        if len(text) <= room or charted <= 1:
            return sheets, names, text
        if points > FEWEST:
            points = max(FEWEST, points // 2)
            sheets = _sheets(look, registry, points, charted)
        else:
            charted = int(charted * room / len(text) * 0.9)
            sheets = _first(sheets, charted)


def _first(sheets: Sheets, charted: int) -> Sheets:
    """The sheets of the run and of its cells, and those of the first bettors."""
    own = [name for name in sheets if name.startswith("b")]
    left_out = set(own[charted:])
    return {name: sheet for name, sheet in sheets.items() if name not in left_out}


def _sheets(look: Lookup, registry: Registry, points: int, charted: int) -> Sheets:
    wanted = [(cell, bettor) for cell in look.cells for bettor in look.bettors(cell)][:charted]
    entries = {scope: [e for e in registry.of("charts").values() if e.item.scope == scope] for scope in gallery.PLACES}
    detail: dict[str, dict[str, Any]] = {
        "finals": {"most": max(12, min(40, points))},
        "trajectories": {"lines": max(2, min(20, 400 // max(len(wanted), 1))), "points": 2 * points},
    }

    # Roads are hundreds of shapes each; with more bettors than these they are drawn with run.charts.roads().
    roads = len(wanted) <= ROADS

    def sheet(scope: str, cell: int | None, bettor: str | None) -> dict[str, Any]:
        found = {
            element_id(entry): gallery.drawn(
                entry, look, cell=cell, bettor=bettor, **{"points": points, **detail.get(entry.id, {})}
            )
            for entry in entries[scope]
            if roads or entry.id != "roads"
        }
        return {name: values for name, values in found.items() if values is not None}

    sheets: Sheets = {}
    if whole := sheet("run", None, None):
        sheets["r"] = whole
    for cell in look.cells:
        sheets[f"c{cell}"] = sheet("cell", cell, None)
    for cell, bettor in wanted:
        sheets[f"b{cell}-{look.positions[bettor]}"] = sheet("bettor", cell, bettor)
    return sheets
