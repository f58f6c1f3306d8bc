"""How the command line prints: lines, tables and JSON, on a terminal, into a file or into a pipe.

On a terminal tables are drawn with rich; elsewhere they are plain aligned text of full width. Text that the encoding of
the stream does not have is escaped, never an error.
"""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class ReaderGone(Exception):
    """Nobody reads our output any more."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a printed table: its title, and whether it holds numbers, which line up on the right."""

    title: str
    number: bool = False


def steady_streams() -> None:
    """Let the standard streams escape what their encoding lacks (a Windows code page has no card suits)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def emit(text: str = "") -> None:
    """Print a line on stdout."""
    try:
        print(text)  # noqa: T201
    except BrokenPipeError as error:
        raise ReaderGone from error


def note(text: str) -> None:
    """Print a line on stderr, so that what a program reads from stdout stays clean."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def emit_json(value: Any) -> None:
    """Print a value as JSON on stdout; anything that JSON lacks is written as text."""
    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    emit(json.dumps(value, indent=2, ensure_ascii=not is_unicode, default=str, allow_nan=False))


def emit_table(columns: Sequence[Column], rows: Iterable[Sequence[str]], *, title: str = "") -> None:
    """Print a table on stdout."""
    listed = [tuple(row) for row in rows]
    if sys.stdout.isatty():
        _rich_table(columns, listed, title)
    else:
        if title:
            emit(title)
        for line in plain_table(columns, listed):
            emit(line)


def plain_table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table in plain text.

    >>> plain_table([Column("bet"), Column("edge", number=True)], [("banker", "1.06 %"), ("tie", "14.36 %")])
    ['bet        edge', 'banker   1.06 %', 'tie     14.36 %']
    """
    titles = tuple(column.title for column in columns)
    widths = [max(_width(row[k]) for row in (titles, *rows)) for k in range(len(columns))]
    lines = []
    for row in (titles, *rows):
        cells = [
            " " * (width - _width(cell)) + cell if column.number else cell + " " * (width - _width(cell))
            for column, cell, width in zip(columns, row, widths, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) > 0 for character in text)


def _rich_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], title: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(title) or None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    for column in columns:
        table.add_column(escape(column.title), justify="right" if column.number else "left", overflow="fold")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    try:
        Console().print(table)
    except BrokenPipeError as error:
        raise ReaderGone from error
