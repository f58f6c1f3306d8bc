r"""Line numbers for the keys of a TOML text: the standard reader keeps none, and a message wants its line.

>>> lines = key_lines('bankroll = 1000\n[table]\nminimum = 10\n[[bettor]]\nstake = { unit = 5 }\n')
>>> lines[("table", "minimum")], lines[("bettor", 0, "stake", "unit")]
(3, 5)
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

Key = tuple[str | int, ...]
"""A place in an experiment: names of keys and positions in lists, from the top."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_PLAIN = re.compile(r"[^,\]\}\n#]*")
_STRINGS = (
    re.compile(r'"""(?:\\.|[^\\])*?"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:\\.|[^"\\\n])*"'),
    re.compile(r"'[^'\n]*'"),
)


def key_lines(text: str) -> dict[Key, int]:
    """The line (from 1) on which each key and each item of a list stands; the text must be valid TOML."""
    return _Scanner(text).scan()


def find_line(lines: Mapping[Key, int], key: Key) -> int | None:
    """The line of a key, or of the nearest key around it that has one (for a key that is missing); None if none has.

    >>> find_line({("table",): 4, ("table", "minimum"): 5}, ("table", "maximum"))
    4
    """
    for length in range(len(key), 0, -1):
        if key[:length] in lines:
            return lines[key[:length]]
    return None


def parse_key(text: str) -> Key:
    """A dotted key as TOML writes it, with whole numbers as positions in a list. Raises ValueError if it is none.

    >>> parse_key('bettor.0.unit'), parse_key('bettor."Flat, 10.00".unit')
    (('bettor', 0, 'unit'), ('bettor', 'Flat, 10.00', 'unit'))
    """
    if "\n" in text or "=" in re.sub(r'"(?:\\.|[^"\\])*"|\'[^\']*\'', "", text):
        raise ValueError(text)
    node: Any = tomllib.loads(f"{text} = 0")
    key: list[str | int] = []
    while isinstance(node, dict):
        ((name, node),) = node.items()
        key.append(int(name) if name.isascii() and name.isdigit() else name)
    return tuple(key)


def show_key(key: Key) -> str:
    """A key path as it is written with ``--set`` and in a sweep.

    >>> show_key(("bettor", "Flat, 10.00", "unit"))
    'bettor."Flat, 10.00".unit'
    """
    return ".".join(p if isinstance(p, str) and _BARE.fullmatch(p) else _quoted(p) for p in key)


def _quoted(part: str | int) -> str:
    if isinstance(part, int):
        return str(part)
    return '"' + part.replace("\\", "\\\\").replace('"', '\\"') + '"'


class _Scanner:
    """Walks once through a valid text; what it does not need it skips without judging it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.counted = 0
        self.lines: dict[Key, int] = {}
        self.lists: dict[Key, int] = {}

    def scan(self) -> dict[Key, int]:
        head: Key = ()
        while self._skip(_BLANK) < len(self.text):
            if self.text.startswith("[[", self.at):
                self.at += 2
                head = self._header(is_list=True)
            elif self.text[self.at] == "[":
                self.at += 1
                head = self._header(is_list=False)
            else:
                self._pair(head)
        return self.lines

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.at

    def _note(self, key: Key) -> None:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        for length in range(1, len(key) + 1):
            self.lines.setdefault(key[:length], self.line)

    def _header(self, *, is_list: bool) -> Key:
        named = self._key()
        self.at = self.text.index("]", self.at) + (2 if is_list else 1)
        head: Key = ()
        for i, part in enumerate(named):
            head = (*head, part)
            if is_list and i == len(named) - 1:
                self.lists[head] = self.lists.get(head, -1) + 1
            if head in self.lists:
                head = (*head, self.lists[head])
        self._note(head)
        return head

    def _key(self) -> list[str]:
        parts = []
        while True:
            self._skip(_SPACE)
            string = self._string()
            if string is not None:
                parts.append(next(iter(tomllib.loads(f"{string} = 0"))))
            else:
                start = self.at
                parts.append(self.text[start : self._skip(_BARE)])
            self._skip(_SPACE)
            if self.at >= len(self.text) or self.text[self.at] != ".":
                return parts
            self.at += 1

    def _string(self) -> str | None:
        for pattern in _STRINGS:
            match = pattern.match(self.text, self.at)
            if match:
                self.at = match.end()
                return match.group()
        return None

    def _pair(self, head: Key) -> None:
        key = (*head, *self._key())
        self._note(key)
        self.at = self.text.index("=", self.at) + 1
        self._skip(_SPACE)
        self._value(key)

    def _value(self, key: Key) -> None:
        opening = self.text[self.at]
        if opening == "[":
            self._items(key, end="]")
        elif opening == "{":
            self._items(key, end="}")
        elif self._string() is None:
            self._skip(_PLAIN)

    def _items(self, key: Key, *, end: str) -> None:
        self.at += 1
        position = 0
        while True:
            self._skip(_BLANK)
            if self.text[self.at] == end:
                self.at += 1
                return
            if self.text[self.at] == ",":
                self.at += 1
            elif end == "}":
                self._pair(key)
            else:
                self._note((*key, position))
                self._value((*key, position))
                position += 1
