"""One JSON document over many lines: its value, and the line on which each of its objects and lists begins."""

from __future__ import annotations

import json
import json.decoder
import json.scanner
from bisect import bisect_right
from typing import Any, Final

from bacclab.errors import SourceError
from bacclab.json_text import holds_half_a_character

__all__ = ["Places", "document"]

_MOST_CHARACTERS: Final = 20_000_000
"""Longer documents are read without their places, which takes a tenth of the time."""


class Places:
    """The line on which an object or a list of a document begins."""

    def __init__(self, text: str = "") -> None:
        self._ends = [place for place, character in enumerate(text) if character == "\n"]
        self._found: dict[int, int] = {}
        self._kept: list[Any] = []

    def __bool__(self) -> bool:
        return bool(self._found)

    def begins(self, value: Any, place: int) -> None:
        """A value begins at a place of the text."""
        self._found[id(value)] = bisect_right(self._ends, place) + 1
        self._kept.append(value)  # or another value might get its id

    def line(self, value: Any, otherwise: int) -> int:
        """The line on which a value begins."""
        return self._found.get(id(value), otherwise)

    def same(self, value: Any, other: Any) -> None:
        """A value stands for another one that was read."""
        if id(other) in self._found:
            self._found[id(value)] = self._found[id(other)]
            self._kept.append(value)


class _Decoder(json.JSONDecoder):
    """A decoder that notes where objects and lists begin."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self.parse_object = self._noting(json.decoder.JSONObject, places)  # type: ignore[attr-defined]
        self.parse_array = self._noting(json.decoder.JSONArray, places)  # type: ignore[attr-defined]
        self.scan_once = json.scanner.py_make_scanner(self)  # type: ignore[attr-defined]  # the compiled one does not ask

    @staticmethod
    def _noting(parse: Any, places: Places) -> Any:
        def noting(text_and_end: tuple[str, int], *rest: Any) -> tuple[Any, int]:
            value, end = parse(text_and_end, *rest)
            places.begins(value, text_and_end[1] - 1)
            return value, end

        return noting


def document(text: str) -> tuple[Any, Places]:
    r"""The value of a JSON text, and the places of its parts: none for a text of one line; ValueError for no JSON.

    >>> value, places = document('[\n  {"winner": "B"},\n\n  {"winner": "P"}\n]')
    >>> [places.line(one, 0) for one in (value, *value)], bool(document("[1]")[1])
    ([1, 2, 4], False)
    """
    try:
        if "\n" not in text.strip() or len(text) > _MOST_CHARACTERS:
            places, value = Places(), json.loads(text)
        else:
            places = Places(text)
            value = _Decoder(places).decode(text)
    except RecursionError:
        raise SourceError("the JSON is nested too deeply") from None
    if holds_half_a_character(text, value):
        raise SourceError("the JSON holds half of a character (a lone surrogate)")
    return value, places
