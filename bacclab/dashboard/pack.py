"""Figures as compact JSON for a page: arrays as float32, and every part that comes twice is sent once.

Equal parts (the rounds of a hundred lines, the axes of a hundred figures) go into a pool; where they stood there is
`{"$": 7}`, their place in the pool. The page puts them back when it draws.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import plotly.graph_objects as go

__all__ = ["Pool", "as_json", "bare"]

#: Parts whose JSON is shorter than this stay where they are.
WORTH = 24


def as_json(item: Any) -> str:
    r"""JSON that may stand inside a script element of an HTML page.

    >>> as_json({"name": "</script>"})
    '{"name":"\\u003c/script>"}'
    """
    return json.dumps(item, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def bare(figure: go.Figure) -> dict[str, Any]:
    """A figure as plain JSON values, without what the page gives to all figures (template, title, margins)."""
    plain: dict[str, Any] = json.loads(figure.to_json())
    layout = plain["layout"]
    for name in ("template", "title", "margin"):
        layout.pop(name, None)
    return {"data": plain["data"], "layout": layout}


class Pool:
    """Parts that several figures share.

    >>> pool = Pool([{"a": list(range(20))}, {"b": list(range(20))}])
    >>> pool.pack({"b": list(range(20))}), len(pool.parts)
    ({'b': {'$': 0}}, 1)
    """

    def __init__(self, items: Iterable[Any]) -> None:
        self.parts: list[Any] = []
        self._places: dict[str, int] = {}
        self._seen: Counter[str] = Counter()
        for item in items:
            self._count(item)

    def pack(self, item: Any) -> Any:
        """The item with its shared parts put into the pool."""
        if not isinstance(item, dict | list):
            return item
        text = _text(item)
        if len(text) >= WORTH and self._seen[text] > 1:
            if text not in self._places:
                inner = self._inner(item)
                self._places[text] = len(self.parts)
                self.parts.append(inner)
            return {"$": self._places[text]}
        return self._inner(item)

    def _inner(self, item: Any) -> Any:
        if isinstance(item, dict):
            return {key: self.pack(value) for key, value in item.items()}
        return [self.pack(value) for value in item]

    def _count(self, item: Any) -> None:
        if isinstance(item, dict | list):
            text = _text(item)
            self._seen[text] += 1
            if self._seen[text] > 1:
                return  # what lies inside a part that comes twice goes into the pool with it
            for value in item.values() if isinstance(item, dict) else item:
                self._count(value)


def _text(item: Mapping[str, Any] | list[Any]) -> str:
    return json.dumps(item, separators=(",", ":"), sort_keys=True)
