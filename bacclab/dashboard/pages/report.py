"""report.html: one run as one file that opens anywhere, also without a network.

The file holds plotly.js once (compressed), the figures as compact JSON, and its tables as plain HTML. Charts are drawn
when they come near the window, so that a page with hundreds of bettors opens at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from bacclab.dashboard.language import ENGLISH, language
from bacclab.dashboard.lookup import Lookup, registry_of
from bacclab.dashboard.pages import offline, portions, sheets
from bacclab.dashboard.pages.pack import as_json
from bacclab.dashboard.run_frames import RunFrames
from bacclab.dashboard.words import rules

if TYPE_CHECKING:
    import os

__all__ = ["MOST_BYTES", "page_text", "write_page"]

#: No page is larger than this.
MOST_BYTES = 8_000_000
#: Room left for what is not yet known when the charts are made: the setup and the parts around them.
SPARE = 200_000


def write_page(run: RunFrames, path: str | os.PathLike[str], *, lang: str = ENGLISH) -> Path:
    """Write the page of a run as one HTML file (UTF-8) and return its path.

    `lang` is the language of its words: en, el, pl, pt or sv (ConfigError for another). The file is put in place whole:
    a reader never sees half a page. StoreError where it cannot be written.
    """
    return offline.put(path, lambda: page_text(run, lang=lang))


def page_text(run: RunFrames, *, lang: str = ENGLISH) -> str:
    """The page of a run as text."""
    say = language(lang)
    look = Lookup(run, language=say)
    registry = registry_of(run)
    frame = _frame(look)
    parts = portions.portions(look, registry)
    room = (
        MOST_BYTES
        - len(offline.page("page").template)
        - sum(len(text.encode()) for text in (*frame.values(), *parts.values()))
        - SPARE
    )
    found, names, data = sheets.data(look, registry, room=room)
    setup = {
        "cells": list(look.cells),
        "bettors": list(look.positions),
        "packets": names,
        **offline.scripted(say),
    }
    main = portions.filled(parts, sheets.places(registry, found, say))
    return offline.page("page").substitute(frame, main=main, setup=as_json(setup), data=data)


def _frame(look: Lookup) -> dict[str, str]:
    """Everything around the parts of the page."""
    say = look.language
    config = rules.config_of(look.run.manifest)
    title = str(config.get("title") or look.run.manifest.get("title") or say("page.untitled"))
    return {
        **offline.shell(say, version=_version(look)),
        "title": escape(title),
        "sentence": escape(rules.sentence(look)),
        "nav": portions.nav(look),
    }


def _version(look: Lookup) -> str:
    from bacclab._version import __version__

    versions = look.run.manifest.get("versions")
    return str(versions.get("bacclab", __version__)) if isinstance(versions, Mapping) else __version__
