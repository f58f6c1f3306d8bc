"""What all pages have in common: their files, plotly, the words around them, and a whole page of a single chart."""

from __future__ import annotations

import functools
import json
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from bacclab.dashboard import theme
from bacclab.dashboard.pages.pack import as_json, packed
from bacclab.tournament.files import ending_of, put_file, refuse_device

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    import plotly.graph_objects as go

    from bacclab.dashboard.language import Language

__all__ = ["asset", "page", "put", "scripted", "shell", "single"]

#: The script of the page, in parts: each gives the next ones its functions.
SCRIPTS = ("chart_table.js", "chart_menus.js", "long_tables.js", "page.js")
#: Words that the script of the page puts in.
SCRIPTED = ("dark", "light", "to_dark", "to_light", "cannot_draw", "rows", "previous_rows", "next_rows", "no_rows")


def put(path: str | os.PathLike[str], made: Callable[[], str]) -> Path:
    """Write a page as UTF-8 and return its path: nobody reads half of it. StoreError where it cannot be written."""
    target = Path(path)
    refuse_device(target)
    ending_of(target, (".html",))
    text = made()
    put_file(target, lambda waiting: waiting.write_text(text, encoding="utf-8", newline="\n"))
    return target


def single(figures: Mapping[str, go.Figure], *, brand: str, command: str, without: str, inside: str = "") -> str:
    """A page of one chart, in English: `figures` are its shapes, `wide` and, where it has one of its own, `narrow`.

    Title and explanation are those of the chart. `inside` is HTML under the chart, `without` what stands in for the
    chart where there is no JavaScript, and `command` is how one gets the page again.
    """
    from plotly.offline import get_plotlyjs

    from bacclab._version import __version__

    charts = {
        "light": {shape: json.loads(figure.to_json()) for shape, figure in figures.items()},
        "dark": {shape: json.loads(theme.recolour(figure, "dark").to_json()) for shape, figure in figures.items()},
    }
    words = figures["wide"].layout.meta
    texts = {"brand": brand, "version": __version__, "without": without, "command": command}
    return page("single").substitute(
        {name: escape(text) for name, text in texts.items()},
        **{name: escape(words[name]) for name in ("title", "note", "alt")},
        style=asset("page.css"),
        inside=inside,
        plotly=get_plotlyjs(),
        charts=as_json(charts),
    )


def scripted(say: Language) -> dict[str, Any]:
    """What the script of a page needs besides its data: colours, and the words and figures of the language."""
    return {
        "templates": {"light": theme.template("light"), "dark": theme.template("dark")},
        "dark": theme.swaps(),
        "words": {key: say.texts[f"page.{key}"] for key in SCRIPTED},
        "decimal": say.texts["form.decimal"],
        "group": say.texts["form.group"],
    }


def shell(say: Language, *, version: str) -> dict[str, str]:
    """What all pages have in common: style, script, plotly and the words around them."""
    texts = {key: escape(say(f"page.{key}")) for key in ("brand", "skip", "dark", "no_script")}
    return {
        **texts,
        "lang": say.code,
        "version": escape(version),
        "style": asset("page.css"),
        "script": "\n".join(asset(name) for name in SCRIPTS),
        "made_by": escape(say("page.made_by", version=version)),
        "licence": _licence(),
        "plotly": _plotly(),
    }


def page(frame: str) -> Template:
    """The frame of a page (``page`` or ``single``) with the head that all have, to be filled in."""
    return Template(asset(f"{frame}.html").replace("$head", asset("head.html").rstrip()))


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
