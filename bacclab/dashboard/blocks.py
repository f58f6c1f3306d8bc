"""Blocks of a section as HTML: a small marking of plain text, in which every character is escaped first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.language import ENGLISH, Language, language

if TYPE_CHECKING:
    from bacclab.plugins.panels import Blocks

__all__ = ["as_html", "safe"]

#: Rows of a table in a section; the rest is counted in words.
ROWS = 200


def as_html(found: Blocks, say: Language | None = None) -> str:
    r"""Text, frames, or both in turn, as HTML; figures are written as in a language, English if none is given.

    >>> as_html("A **strong** <b>word</b>.\n\n- one\n- two")
    '<p>A <strong>strong</strong> &lt;b&gt;word&lt;/b&gt;.</p>\n<ul><li>one</li><li>two</li></ul>'

    TypeError for anything that is neither text nor a frame.
    """
    parts = [found] if isinstance(found, str) or hasattr(found, "iter_rows") else found
    if not isinstance(parts, Iterable):
        raise TypeError(f"it returned a {type(found).__name__}, and text or frames are wanted")
    say = say or language(ENGLISH)
    return "\n".join(_text(part) if isinstance(part, str) else _table(part, say) for part in parts)


def safe(text: str) -> str:
    """Text for HTML, with its marks: two stars for strong words, backquotes for code.

    >>> safe("`a < b` & **c**")
    '<code>a &lt; b</code> &amp; <strong>c</strong>'
    """
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))
    return re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", marked)


def _text(text: str) -> str:
    return "\n".join(_block(block.strip()) for block in re.split(r"\n\s*\n", text) if block.strip())


def _block(block: str) -> str:
    lines = [line.strip() for line in block.splitlines()]
    if lines[0].startswith("### "):
        rest = "\n".join(lines[1:])
        return f"<h3>{safe(lines[0][4:])}</h3>" + (_block(rest) if rest else "")
    if all(line.startswith("- ") for line in lines):
        return f"<ul>{''.join(f'<li>{safe(line[2:])}</li>' for line in lines)}</ul>"
    return f"<p>{safe(' '.join(lines))}</p>"


def _table(frame: Any, say: Language) -> str:
    if not hasattr(frame, "iter_rows"):
        raise TypeError(f"it returned a {type(frame).__name__}, and text or frames are wanted")
    numeric = [dtype.is_numeric() for dtype in frame.dtypes]
    mark = ["" if number else ' class="t"' for number in numeric]
    heads = "".join(f'<th scope="col"{m}>{escape(name)}</th>' for name, m in zip(frame.columns, mark, strict=True))
    body = "".join(
        f"<tr>{''.join(f'<td{m}>{_cell(value, say)}</td>' for value, m in zip(row, mark, strict=True))}</tr>"
        for row in frame.head(ROWS).iter_rows()
    )
    more = (
        f"<p>{escape(say('page.rows_shown', n=say.count(ROWS), all=say.count(frame.height)))}</p>"
        if frame.height > ROWS
        else ""
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(say("page.table_label"))}">'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>{more}"
    )


def _cell(value: Any, say: Language) -> str:
    if isinstance(value, float):
        return escape(say.written(value, "number" if value == round(value) else "money"))
    if isinstance(value, int) and not isinstance(value, bool):
        return escape(say.written(value, "count"))
    return "–" if value is None else escape(str(value))
