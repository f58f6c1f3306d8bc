"""`bacclab docs`: the guide for authors of systems and plugins, in the terminal."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from bacclab.cli.options import AsJson
from bacclab.cli.output import Column, ReaderGone, emit, emit_json, emit_table


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab docs first-bettor")(docs)


def docs(
    page: Annotated[str | None, typer.Argument(metavar="[PAGE]", help="Show this page.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show the guide: bettors, bets, metrics, testing and more."""
    from bacclab.docs import pages, text, title

    if page is None:
        if as_json:
            emit_json([{"page": name, "title": title(name)} for name in pages()])
        else:
            emit_table((Column("page"), Column("what it is about")), [(name, title(name)) for name in pages()])
        return
    found = text(page)
    if as_json:
        emit_json({"page": page, "title": title(page), "text": found})
    elif sys.stdout.isatty():
        _draw(found)
    else:
        emit(found.rstrip("\n"))


def _draw(found: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    try:
        console.print(Markdown(found, code_theme="ansi_dark"), width=min(console.width, 110))
    except BrokenPipeError as error:
        raise ReaderGone from error
