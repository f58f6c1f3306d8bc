"""Data of a page: JSON in packets, each compressed, so that a page opens at once and reads only what it draws.

Sheets (the charts of one bettor in one cell) of one packet share most of their text, which compression takes out.
"""

from __future__ import annotations

import base64
import gzip
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["as_json", "packed", "packets"]

#: Sheets of one packet.
SHEETS = 8


def as_json(item: Any) -> str:
    r"""JSON that may stand inside a script element of an HTML page.

    >>> as_json({"name": "</script>"})
    '{"name":"\\u003c/script>"}'
    """
    return json.dumps(item, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def packed(text: str) -> str:
    """A text as gzip in base64; the same text gives the same characters."""
    return base64.b64encode(gzip.compress(text.encode("utf-8"), 6, mtime=0)).decode("ascii")


def packets(sheets: Mapping[str, Any]) -> Iterable[tuple[list[str], str]]:
    """The names of the sheets in each packet, and the packet.

    >>> [names for names, _ in packets(dict.fromkeys("abcdefghij", 0))]
    [['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], ['i', 'j']]
    """
    names = list(sheets)
    for first in range(0, len(names), SHEETS):
        some = names[first : first + SHEETS]
        yield some, packed(json.dumps({name: sheets[name] for name in some}, separators=(",", ":"), allow_nan=False))
