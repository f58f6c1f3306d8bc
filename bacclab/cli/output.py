"""How the command line prints: lines, tables and JSON, on a terminal, into a file or into a pipe.

On a terminal tables are drawn with rich; elsewhere they are plain aligned text of full width. Text that the encoding of
the stream does not have is escaped, never an error.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


_FOLDED = 24
"""Text in a table on a terminal is not folded to less than this many places."""

_BETWEEN = 3
"""Places between two columns on a terminal."""


class ReaderGone(Exception):
    """Nobody reads our output any more."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a printed table.

    Numbers line up on the right; an optional column is left out where a terminal is too narrow for it, and a spare one
    where it is too narrow even then.
    """

    title: str
    number: bool = False
    optional: bool = False
    spare: bool = False


def steady_streams() -> None:
    """Let the standard streams escape what their encoding lacks (a Windows code page has no card suits).

    Python has no stream where the caller closed one; what is printed there goes into nothing.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open as long as the process
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@contextlib.contextmanager
def aside(*, as_json: bool) -> Iterator[None]:
    """While the work is done with JSON asked for, what a plugin prints goes to stderr: stdout holds JSON alone."""
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        yield


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
    """Print a value as JSON on stdout; anything that JSON lacks is written as text, and zero has no sign."""
    from bacclab.json_text import without_minus_zero

    is_unicode = (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    text = json.dumps(without_minus_zero(value), indent=2, ensure_ascii=not is_unicode, default=str, allow_nan=False)
    emit(text)


def emit_table(columns: Sequence[Column], rows: Iterable[Sequence[str]], *, title: str = "") -> None:
    """Print a table on stdout, and under it which columns a narrow terminal has no room for."""
    tell_dropped(draw_table(columns, rows, title=title))


def draw_table(columns: Sequence[Column], rows: Iterable[Sequence[str]], *, title: str = "") -> list[str]:
    """Print a table on stdout; returns the titles of the columns for which the terminal is too narrow."""
    listed = [tuple(row) for row in rows]
    if sys.stdout.isatty():
        return _rich_table(columns, listed, title)
    if title:
        emit(title)
    for line in plain_table(columns, listed):
        emit(line)
    return []


def tell_dropped(titles: Sequence[str]) -> None:
    """Say in a line which columns were left out of a table, if any.

    >>> tell_dropped(["bets", "refused"])
    no room for: bets, refused (a wider terminal shows them, and so does a file)
    """
    if titles:
        emit(f"no room for: {', '.join(titles)} (a wider terminal shows them, and so does a file)")


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


def fitting(columns: Sequence[Column], rows: Sequence[Sequence[str]], *, width: int) -> list[int]:
    """Which columns to show so that a table fits: optional ones go, the last one first, then spare ones.

    Long text may be folded.

    >>> columns = [Column("bet"), Column("staked", optional=True), Column("return")]
    >>> fitting(columns, [("banker", "1,000.00", "-1.06 %")], width=80)
    [0, 1, 2]
    >>> fitting(columns, [("banker", "1,000.00", "-1.06 %")], width=20)
    [0, 2]
    >>> fitting([Column("bet"), Column("5 % to 95 %", spare=True)], [("banker", "900.00 to 1,100.00")], width=20)
    [0]
    """
    widths = [max(_width(column.title), *(_width(row[k]) for row in rows), 0) for k, column in enumerate(columns)]
    widths = [most if column.number else min(most, _FOLDED) for most, column in zip(widths, columns, strict=True)]
    shown = list(range(len(columns)))
    last_first = range(len(columns) - 1, -1, -1)
    for k in [*(k for k in last_first if columns[k].optional), *(k for k in last_first if columns[k].spare)]:
        if sum(widths[i] + _BETWEEN for i in shown) > width:
            shown.remove(k)
    return shown


def _rich_table(columns: Sequence[Column], rows: Sequence[Sequence[str]], title: str) -> list[str]:
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    table = Table(title=escape(title) or None, box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False)
    shown = fitting(columns, rows, width=console.width)
    titles = tuple(column.title for column in columns)
    for k in shown:
        table.add_column(
            escape(columns[k].title),
            justify="right" if columns[k].number else "left",
            no_wrap=columns[k].number,
            min_width=min(_FOLDED, max(_width(row[0]) for row in (titles, *rows))) if k == 0 else None,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*(escape(row[k]) for k in shown))
    try:
        console.print(table)
    except BrokenPipeError as error:
        raise ReaderGone from error
    return [column.title for k, column in enumerate(columns) if k not in shown]
