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

from bacclab.dashboard import gallery, portions, rules, sheets, theme
from bacclab.dashboard.language import ENGLISH, Language, language
from bacclab.dashboard.lookup import Lookup, RunFrames
from bacclab.dashboard.pack import as_json, packed
from bacclab.tournament.files import refuse_device, write_atomically

if TYPE_CHECKING:
    import os
    from typing import Any

__all__ = ["MOST_BYTES", "page_text", "write_page"]

#: No page is larger than this.
MOST_BYTES = 8_000_000
#: Room left for what is not yet known when the charts are made: the setup and the parts around them.
SPARE = 200_000
#: Words that the script of the page puts in.
SCRIPTED = ("dark", "light", "to_dark", "to_light", "cannot_draw", "rows", "previous_rows", "next_rows", "no_rows")


def write_page(run: RunFrames, path: str | os.PathLike[str], *, lang: str = ENGLISH) -> Path:
    """Write the page of a run as one HTML file (UTF-8) and return its path.

    `lang` is the language of its words: en, el, pl, pt or sv (ConfigError for another). The file is put in place whole: a
    reader never sees half a page. StoreError where it cannot be written.
    """
    target = Path(path)
    refuse_device(target)
    text = page_text(run, lang=lang)
    write_atomically(target, lambda waiting: waiting.write_text(text, encoding="utf-8", newline="\n"))
    return target


def page_text(run: RunFrames, *, lang: str = ENGLISH) -> str:
    """The page of a run as text."""
    say = language(lang)
    look = Lookup(run, language=say)
    registry = gallery.registry_of(run)
    frame = _frame(look)
    parts = portions.portions(look, registry)
    room = (
        MOST_BYTES
        - len(asset("page.html"))
        - sum(len(text.encode()) for text in (*frame.values(), *parts.values()))
        - SPARE
    )
    found, names, data = sheets.data(look, registry, room=room)
    setup = {
        "cells": list(look.cells),
        "bettors": list(look.positions),
        "packets": names,
        **scripted(say),
    }
    main = portions.filled(parts, sheets.places(registry, found, say))
    return Template(asset("page.html")).substitute(frame, main=main, setup=as_json(setup), data=data)


def scripted(say: Language) -> dict[str, Any]:
    """What the script of a page needs besides its data: colours, and the words and figures of the language."""
    return {
        "templates": {"light": theme.template("light"), "dark": theme.template("dark")},
        "dark": theme.swaps(),
        "words": {key: say.texts[f"page.{key}"] for key in SCRIPTED},
        "decimal": say.texts["form.decimal"],
        "group": say.texts["form.group"],
    }


def _frame(look: Lookup) -> dict[str, str]:
    """Everything around the parts of the page."""
    say = look.language
    config = rules.config_of(look.run.manifest)
    title = str(config.get("title") or look.run.manifest.get("title") or say("page.untitled"))
    return {
        **shell(say, version=_version(look)),
        "title": escape(title),
        "sentence": escape(rules.sentence(look)),
        "nav": portions.nav(look),
    }


def shell(say: Language, *, version: str) -> dict[str, str]:
    """What all pages have in common: style, script, plotly and the words around them."""
    texts = {key: escape(say(f"page.{key}")) for key in ("brand", "skip", "dark", "no_script")}
    return {
        **texts,
        "lang": say.code,
        "version": escape(version),
        "style": asset("page.css"),
        "script": asset("page.js"),
        "made_by": escape(say("page.made_by", version=version)),
        "licence": _licence(),
        "plotly": _plotly(),
    }


def _version(look: Lookup) -> str:
    from bacclab._version import __version__

    versions = look.run.manifest.get("versions")
    return str(versions.get("bacclab", __version__)) if isinstance(versions, Mapping) else __version__


def asset(name: str) -> str:
    """The text of a file of the page: its frame, style or script."""
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
