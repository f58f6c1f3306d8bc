"""How results show themselves in a notebook: a heading, a line, a small table, every character of them escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["html_table", "shown_as"]

#: Rows that are shown; the frame has all of them.
ROWS = 20
_CELL = "padding:2px 10px;text-align:"


def html_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text and whose others are figures; of many rows the first, and how many there are.

    >>> html_table(["bet", "edge"], [("<tie>", "14.36 %")])
    '<table><thead><tr><th style="padding:2px 10px;text-align:left">bet</th>...<td ...>&lt;tie&gt;</td>...'
    """
    listed = list(rows)

    def row(cells: Sequence[str], tag: str) -> str:
        sides = ("left" if place == 0 else "right" for place in range(len(cells)))
        inside = (
            f'<{tag} style="{_CELL}{side}">{escape(cell)}</{tag}>' for cell, side in zip(cells, sides, strict=True)
        )
        return f"<tr>{''.join(inside)}</tr>"

    body = "".join(row(cells, "td") for cells in listed[:ROWS])
    more = f"<p>The first {ROWS} of {len(listed):,} rows.</p>" if len(listed) > ROWS else ""
    return f"<table><thead>{row(headings, 'th')}</thead><tbody>{body}</tbody></table>{more}"


def shown_as(title: str, *parts: str) -> str:
    """A result as HTML: its title, and parts that are HTML already.

    >>> shown_as("A & B", "<p>x</p>")
    '<div><strong>A &amp; B</strong><p>x</p></div>'
    """
    return f"<div><strong>{escape(title)}</strong>{''.join(parts)}</div>"
