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
from typing import TYPE_CHECKING

from bacclab.dashboard import gallery, rules, sheets, tables, theme, words
from bacclab.dashboard.columns import summary_columns
from bacclab.dashboard.lookup import Lookup, RunFrames
from bacclab.dashboard.pack import as_json, packed
from bacclab.tournament.files import refuse_device, write_atomically

if TYPE_CHECKING:
    import os

    from bacclab.registry import Registry

__all__ = ["MOST_BYTES", "write_page"]

#: No page is larger than this.
MOST_BYTES = 8_000_000


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
    registry = gallery.registry_of(run)
    found, names, data = sheets.data(look, registry, room=room)
    figures = sheets.places(registry, found)
    parts = _parts(look, fixed, figures)
    main = "\n".join(parts[name] + _sections(look, registry, name) for name in parts)
    setup = {
        "cells": list(look.cells),
        "bettors": list(look.positions),
        "packets": names,
        "templates": {"light": theme.template("light"), "dark": theme.template("dark")},
        "dark": theme.swaps(),
    }
    return Template(_asset("page.html")).substitute(fixed, main=main, setup=as_json(setup), data=data)


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
        "answer_box": _answer_box(look),
        "figures": _figures(look),
        "cellbar": _cell_bar(look),
        "allnav": "Charts" if alone else "All systems",
        "onenav": "Sessions" if alone else "One system",
        "comparenav": '<a href="#comparison">Comparison</a>' if look.run.comparisons.height else "",
        "allhead": "The system" if alone else "All systems, on the same rounds",
        "onehead": "Its sessions" if alone else "One system at a time",
        "bettorbar": _bettor_bar(look),
        "rules": _rules(look),
        "method": _asset("method.html") + _reproduce(look),
        "licence": _licence(),
        "plotly": _plotly(),
    }


#: The parts of a page in their order; a section of a plugin stands behind one of them.
PARTS = ("answer", "summary", "all", "sweep", "bettor", "comparison", "rules", "method")


def _parts(look: Lookup, fixed: dict[str, str], figures: dict[str, str]) -> dict[str, str]:
    """The parts of the page, by their ids; charts of an unknown section stand with those of all bettors."""
    lost = "".join(text for name, text in figures.items() if name not in PARTS)
    drawn = dict.fromkeys(PARTS, "") | figures
    drawn["all"] += lost
    several = len(look.cells) > 1
    return {
        "answer": _part("answer", "The answer", fixed["answer_box"] + drawn["answer"]) + fixed["cellbar"],
        "summary": _part("summary", "The figures", fixed["figures"] + drawn["summary"]),
        "all": _part("all", fixed["allhead"], drawn["all"]),
        "sweep": _part("sweep", "Setting by setting" if several else "The run as a whole", drawn["sweep"]),
        "bettor": _part("bettor", fixed["onehead"], fixed["bettorbar"] + drawn["bettor"]),
        "comparison": _comparison(look, drawn["comparison"]),
        "rules": _part("rules", "The experiment", fixed["rules"] + drawn["rules"]),
        "method": _part("method", "How to read it, and how to get it again", fixed["method"] + drawn["method"]),
    }


def _part(name: str, heading: str, inside: str) -> str:
    """One part of the page; nothing at all where it holds nothing."""
    if not inside:
        return ""
    return f'<section id="{name}" aria-labelledby="{name}-head"><h2 id="{name}-head">{escape(heading)}</h2>{inside}</section>'


def _sections(look: Lookup, registry: Registry, part: str) -> str:
    """The sections that stand behind a part of the page; one that names no part stands behind the comparison."""
    found = []
    for entry in registry.of("sections").values():
        after = entry.item.after if entry.item.after in PARTS else "comparison"
        inside = gallery.written(entry, look) if after == part else ""
        found.append(_part(f"section-{escape(entry.id)}", entry.item.title, inside))
    return "".join(found)


def _prose(text: str) -> str:
    """A paragraph in HTML; a percent sign stays on the line of its number."""
    return escape(text).replace(" %", "&nbsp;%")


def _warnings(texts: list[str]) -> str:
    if not texts:
        return ""
    inside = "".join(f"<p>{_prose(text)}</p>" for text in texts)
    return f'<div class="warning" role="note">{inside}</div>'


def _answer_box(look: Lookup) -> str:
    warned = [*words.warnings(look, reason=words.refusal), *map(str, look.run.manifest.get("warnings", ()))]
    texts = "\n".join(f"<p>{_prose(text)}</p>" for text in words.answer(look))
    return (
        f'<div class="answer"><div>{texts}{_warnings(warned)}</div>'
        f'<dl class="facts brief">{tables.facts(rules.brief_facts(look))}'
        '<div><dt>More</dt><dd><a href="#rules">All rules, digest and versions</a></dd></div></dl></div>'
    )


def _figures(look: Lookup) -> str:
    return (
        '<div class="tools"><p class="hint">Choose a heading to sort; choose a name to see its charts.</p>'
        f'{_filters(look)}<label class="check"><input type="checkbox" id="all-columns"> All columns</label></div>'
        '<div class="scroll" tabindex="0" role="region" aria-label="Summary table, scrolls sideways">'
        f'{tables.summary_table(look)}</div><details class="plain"><summary>What the columns mean</summary>'
        f'<dl class="meanings">{tables.meanings(summary_columns(look.run.manifest))}</dl></details>'
    )


def _rules(look: Lookup) -> str:
    manifest = look.run.manifest
    table = tables.facts(rules.table_facts(rules.table_settings(manifest, look.cell(None))))
    return (
        f'<h3>The table</h3><dl class="facts">{table}</dl>{_table_note(look)}'
        f'<h3>The sample</h3><dl class="facts">{tables.facts(rules.experiment_facts(look))}</dl>'
        '<h3>How each bettor was played</h3><div class="scroll" tabindex="0" role="region" '
        f'aria-label="How each bettor was played">{tables.played_table(look, rules.config_of(manifest))}</div>'
    )


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


def _comparison(look: Lookup, figures: str) -> str:
    table, note = tables.comparison_table(look)
    if not table:
        return ""
    return _part(
        "comparison",
        "Can they be told apart?",
        '<p class="hint">Each pair played the same rounds, so the difference is taken session by session. '
        f'{escape(note)}</p>{figures}<div class="scroll" tabindex="0" role="region" '
        f'aria-label="Comparison table, scrolls sideways">{table}</div>',
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
