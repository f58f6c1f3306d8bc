"""report.html: one run as one file that opens anywhere, also without a network.

The file holds plotly.js once (compressed), the figures as compact JSON, and its tables as plain HTML. Charts are drawn
when they come near the window, so that a page with hundreds of bettors opens at once.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from bacclab.dashboard import rules, tables, theme, words
from bacclab.dashboard.columns import summary_columns
from bacclab.dashboard.lookup import Lookup, RunFrames
from bacclab.dashboard.pack import as_json, packed, packets
from bacclab.tournament.files import refuse_device, write_atomically

if TYPE_CHECKING:
    import os

__all__ = ["MOST_BYTES", "write_page"]

#: No page is larger than this.
MOST_BYTES = 8_000_000
#: A first guess at the points of a line: this many over all bettors of all cells, within bounds.
POINT_BUDGET = 24_000
FEWEST, MOST = 24, 200
#: Bettors (in all cells together) with charts of their own, if there is room; the others are in the tables.
CHARTED = 2000


def write_page(run: RunFrames, path: str | os.PathLike[str]) -> Path:
    """Write the page of a run as one HTML file (UTF-8) and return its path.

    The file is put in place whole: a reader never sees half a page. StoreError where it cannot be written.
    """
    target = Path(path)
    refuse_device(target)
    text = page_text(run)
    write_atomically(target, lambda waiting: waiting.write_text(text, encoding="utf-8", newline="\n"))
    return target


def page_text(run: RunFrames) -> str:
    """The page of a run as text."""
    look = Lookup.of(run)
    fixed = _fixed_parts(look)
    room = MOST_BYTES - len(_asset("page.html")) - sum(len(part.encode("utf-8")) for part in fixed.values()) - 200_000
    names, data = _data(look, room)
    setup = {
        "cells": list(look.cells),
        "bettors": list(look.positions),
        "packets": names,
        "templates": {"light": theme.template("light"), "dark": theme.template("dark")},
        "dark": theme.swaps(),
    }
    return Template(_asset("page.html")).substitute(fixed, setup=as_json(setup), data=data)


def _fixed_parts(look: Lookup) -> dict[str, str]:
    """Everything but the data of the charts."""
    config = rules.config_of(look.run.manifest)
    title = str(config.get("title") or look.run.manifest.get("title") or "A baccarat experiment")
    alone = len(look.positions) == 1
    return {
        "version": escape(_version(look)),
        "title": escape(title),
        "style": _asset("page.css"),
        "script": _asset("page.js"),
        "sentence": escape(rules.sentence(look)),
        "answer": "\n".join(f"<p>{_prose(text)}</p>" for text in words.answer(look)),
        "warnings": _warnings(
            [*words.warnings(look, reason=words.refusal), *map(str, look.run.manifest.get("warnings", ()))]
        ),
        "brief": tables.facts(rules.brief_facts(look)),
        "filters": _filters(look),
        "summary": tables.summary_table(look),
        "meanings": tables.meanings(summary_columns(look.run.manifest)),
        "cellbar": _cell_bar(look),
        "allnav": "Charts" if alone else "All systems",
        "onenav": "Sessions" if alone else "One system",
        "comparenav": '<a href="#comparison">Comparison</a>' if look.run.comparisons.height else "",
        "allhead": "The system" if alone else "All systems, on the same rounds",
        "allcharts": _chart("ranges", "cell")
        + _chart("medians", "cell")
        + f'<div class="two">{_chart("bust", "cell")}{_chart("ends", "cell")}</div>',
        "onehead": "Its sessions" if alone else "One system at a time",
        "bettorbar": _bettor_bar(look),
        "onecharts": _chart("fan", "bettor")
        + f'<div class="two">{_chart("finals", "bettor")}{_chart("endings", "bettor")}'
        + ("" if look.slice().is_exact else f"{_chart('underwater', 'bettor')}{_chart('trajectories', 'bettor')}")
        + "</div>",
        "comparison": _comparison(look),
        "tablefacts": tables.facts(rules.table_facts(rules.table_settings(look.run.manifest, look.cell(None)))),
        "tablenote": _table_note(look),
        "facts": tables.facts(rules.experiment_facts(look)),
        "played": tables.played_table(look, config),
        "method": _asset("method.html"),
        "reproduce": _reproduce(look),
        "licence": _licence(),
        "plotly": _plotly(),
    }


def _data(look: Lookup, room: int) -> tuple[dict[str, int], str]:
    """The packet of each sheet, and all packets as script elements: as many points and bettors as there is room for."""
    charted = CHARTED
    points = max(FEWEST, min(MOST, POINT_BUDGET // sum(len(look.bettors(cell)) for cell in look.cells)))
    while True:
        names: dict[str, int] = {}
        parts = []
        for number, (held, text) in enumerate(packets(_sheets(look, points, charted))):
            names |= dict.fromkeys(held, number)
            parts.append(f'<script type="text/plain" id="p{number}">{text}</script>')
        data = "\n".join(parts)
        if len(data) <= room or charted <= 1:
            return names, data
        if points > FEWEST:
            points = max(FEWEST, points // 2)
        else:
            charted = int(charted * room / len(data) * 0.9)


def _sheets(look: Lookup, points: int, charted: int) -> dict[str, dict[str, Any]]:
    """The charts as plain values, by sheet: c<cell> for all bettors of a cell, b<cell>-<bettor> for one."""
    from bacclab.dashboard import charts

    wanted = [(cell, bettor) for cell in look.cells for bettor in look.bettors(cell)][:charted]
    lines = max(2, min(20, 400 // max(len(wanted), 1)))
    found: dict[str, dict[str, Any]] = {}
    for cell in look.cells:
        found[f"c{cell}"] = {
            "ranges": charts.ranges.sketch(look, cell=cell).values(),
            "medians": charts.medians.sketch(look, cell=cell, points=points).values(),
            "bust": charts.bust.sketch(look, cell=cell, points=points).values(),
            "ends": charts.ends.sketch(look, cell=cell).values(),
        }
    for cell, bettor in wanted:
        found[f"b{cell}-{look.positions[bettor]}"] = {
            "fan": charts.fan.sketch(look, bettor=bettor, cell=cell, points=points).values(),
            "finals": charts.finals.sketch(look, bettor=bettor, cell=cell, most=max(12, min(40, points))).values(),
            "endings": charts.bust.sketch(look, bettor=bettor, cell=cell, points=points).values(),
            "underwater": charts.underwater.sketch(look, bettor=bettor, cell=cell, points=points).values(),
            "differences": charts.differences.sketch(look, bettor=bettor, cell=cell).values(),
            "trajectories": charts.trajectories.sketch(
                look, bettor=bettor, cell=cell, lines=lines, points=2 * points
            ).values(),
        }
    return found


def _chart(name: str, of: str) -> str:
    return (
        f'<figure class="chart" id="{name}" data-chart="{name}" data-of="{of}"><figcaption><h3></h3><p></p></figcaption>'
        '<div class="plot waiting" role="img"></div><details class="chart-data"><summary>Figures as a table</summary>'
        '<button type="button" class="save">Save as CSV</button><div class="scroll" tabindex="0" role="region" '
        'aria-label="Figures of the chart"></div></details></figure>'
    )


def _prose(text: str) -> str:
    """A paragraph in HTML; a percent sign stays on the line of its number."""
    return escape(text).replace(" %", "&nbsp;%")


def _warnings(texts: list[str]) -> str:
    if not texts:
        return ""
    inside = "".join(f"<p>{_prose(text)}</p>" for text in texts)
    return f'<div class="warning" role="note">{inside}</div>'


def _filters(look: Lookup) -> str:
    parts = []
    if len(look.cells) > 1:
        parts.append('<label class="check"><input type="checkbox" id="every-cell"> Every setting</label>')
    if len(look.positions) > 12:
        parts.append('<input type="search" id="filter" placeholder="Find a bettor" aria-label="Find a bettor">')
    return "".join(parts)


def _cell_bar(look: Lookup) -> str:
    if len(look.cells) <= 1:
        return ""
    options = "".join(f'<option value="{cell}">{escape(label)}</option>' for cell, label in look.cells.items())
    return f'<div class="bar cellbar"><label for="cell">Setting</label><select id="cell">{options}</select></div>'


def _bettor_bar(look: Lookup) -> str:
    if len(look.positions) <= 1:
        return ""
    options = "".join(f'<option value="{k}">{escape(name)}</option>' for name, k in look.positions.items())
    return (
        '<div class="bar"><label for="bettor-choice">System</label>'
        '<button type="button" class="step" data-step="-1" aria-label="Previous system">◀</button>'
        f'<select id="bettor-choice">{options}</select>'
        '<button type="button" class="step" data-step="1" aria-label="Next system">▶</button></div>'
    )


def _comparison(look: Lookup) -> str:
    table, note = tables.comparison_table(look)
    if not table:
        return ""
    return (
        '<section id="comparison" aria-labelledby="comparison-head"><h2 id="comparison-head">Can they be told apart?</h2>'
        '<p class="hint">Each pair played the same rounds, so the difference is taken session by session. '
        f'{escape(note)}</p>{_chart("differences", "bettor")}<div class="scroll" tabindex="0" role="region" '
        f'aria-label="Comparison table, scrolls sideways">{table}</div></section>'
    )


def _table_note(look: Lookup) -> str:
    if len(look.cells) <= 1:
        return ""
    return '<p class="hint">These are the rules of the first setting; the others differ as their names say.</p>'


def _reproduce(look: Lookup) -> str:
    manifest = look.run.manifest
    command = str(manifest.get("command") or "bacclab run experiment.toml")
    seed, given = manifest.get("seed"), manifest.get("seed_given", True)
    tail = "" if seed is None or (given and "experiment" in manifest) else f" --seed {seed}"
    text = manifest.get("experiment_text") or _resolved(look)
    file = (
        f"<details><summary>The experiment file</summary><pre><code>{escape(str(text))}</code></pre></details>"
        if text
        else ""
    )
    return (
        "<p>The same file with the same seed deals the same cards and gives the same figures, with any number of "
        f"workers:</p><pre><code>{escape(command + tail)}</code></pre>{file}"
    )


def _resolved(look: Lookup) -> str:
    """The experiment file of the run folder, where there is one."""
    folder = getattr(look.run, "path", None)
    file = None if folder is None else Path(folder) / "experiment.toml"
    return file.read_text(encoding="utf-8") if file is not None and file.exists() else ""


def _version(look: Lookup) -> str:
    from bacclab._version import __version__

    versions = look.run.manifest.get("versions")
    return str(versions.get("bacclab", __version__)) if isinstance(versions, Mapping) else __version__


def _asset(name: str) -> str:
    return resources.files("bacclab.dashboard").joinpath("assets", name).read_text(encoding="utf-8")


@functools.cache
def _plotly() -> str:
    """plotly.js as gzip in base64: two megabytes in place of five."""
    from plotly.offline import get_plotlyjs

    return packed(get_plotlyjs())


def _licence() -> str:
    from plotly.offline import get_plotlyjs

    head = get_plotlyjs()[:400].partition("*/")[0]
    return " ".join(line.strip(" */") for line in head.splitlines() if line.strip(" */"))
