"""The errors that a user can mend: each says what is wrong, where, and the nearest right thing.

Everything that bacclab raises on purpose is a `BacclabError`. Another exception is a fault of the program.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable

_MOST = 40
"""Names that a hint lists at most."""

_LONG = 10**60
"""A whole number that nobody wants to read in a message."""

_LONGEST = 1800
"""Characters of a message, whatever a file has for a name or a value."""


class BacclabError(Exception):
    """A user's mistake: `message` says what is wrong and where, `hint` how to mend it.

    >>> str(BacclabError("no such bet: banker6", hint="did you mean banker?"))
    'no such bet: banker6 (did you mean banker?)'
    """

    exit_code: ClassVar[int] = 2

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = shorten(message, _LONGEST)
        self.hint = hint if hint is None else shorten(hint, _LONGEST)
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message} ({self.hint})"

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are pickled by their positional arguments; the hint has to travel from a worker process too.
        return type(self), (self.message,), {"message": self.message, "hint": self.hint}


class ConfigError(BacclabError):
    """An experiment file or a `--set` that cannot be used."""


class MoneyError(BacclabError):
    """An amount that is not exact, not a number, or too large."""


class TableError(BacclabError):
    """Rules of a table that contradict each other or do not exist."""


class BetError(BacclabError):
    """A bet that does not exist, or odds that cannot be paid exactly."""


class BettorError(BacclabError):
    """A bettor, selection or progression that is wrongly set up or does something that is not allowed."""


class PluginError(BacclabError):
    """A plugin that cannot be loaded or that clashes with another one."""


class SourceError(BacclabError):
    """A source of rounds that cannot be read."""


class StoreError(BacclabError):
    """A run folder that is missing, incomplete or damaged."""


class ResourceError(BacclabError):
    """The machine has not enough of something, such as memory."""


def nearest(name: str, options: Iterable[str]) -> str | None:
    """The option that is most like `name`, or None when nothing is near enough to be meant.

    >>> nearest("comission", ["commission", "cut_card", "decks"])
    'commission'
    >>> nearest("zebra", ["commission", "cut_card", "decks"]) is None
    True
    """
    by_plain_form = {_plain(option): option for option in options}
    found = difflib.get_close_matches(_plain(name), by_plain_form, n=1, cutoff=0.6)
    return by_plain_form[found[0]] if found else None


def did_you_mean(name: str, options: Iterable[str]) -> str:
    """A hint for an unknown `name`: the nearest option, or else all in the order given (the first forty of many).

    >>> did_you_mean("bankr", ["banker", "player"])
    'did you mean banker?'
    >>> did_you_mean("x", ["banker", "player"])
    'one of: banker, player'
    >>> did_you_mean("x", [f"bet {k}" for k in range(500)])[-17:]
    'bet 39 … 460 more'
    """
    listed = tuple(options)
    near = nearest(name, listed)
    if near is not None:
        return f"did you mean {near}?"
    if not listed:
        return "there are none"
    comma = "; " if any("," in option for option in listed) else ", "
    more = f" … {len(listed) - _MOST:,} more" if len(listed) > _MOST else ""
    return f"one of: {comma.join(listed[:_MOST])}{more}"


def shorten(text: str, most: int) -> str:
    """A text of at most `most` characters: the middle of a longer one gives way to an ellipsis.

    >>> shorten("Follow the last, seven-step Martingale", 20)
    'Follow the…artingale'
    """
    if len(text) <= most:
        return text
    head = most // 2
    return f"{text[:head]}…{text[len(text) - (most - head - 1) :]}"


def counted(number: int, one: str) -> str:
    """A number of things in words: the plural has an s.

    >>> counted(1, "shoe"), counted(12_000, "round"), counted(0, "fault")
    ('1 shoe', '12,000 rounds', '0 faults')
    """
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"


def shown(value: Any) -> str:
    """A value as an experiment file would have it, shortened where it is long.

    >>> shown(True), shown("1e3"), shown(8.0)
    ('true', '"1e3"', '8.0')
    >>> shown(10**5000)
    'a number of about 5,001 digits'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        size = abs(value)
        return str(value) if size < _LONG else f"a number of about {int(size.bit_length() * 0.30103) + 1:,} digits"
    if isinstance(value, str):
        return '"' + shorten(value.replace("\\", "\\\\").replace('"', '\\"'), 100) + '"'
    if isinstance(value, list | tuple):
        return "[…]" if len(value) > 4 else "[" + ", ".join(shown(v) for v in value) + "]"
    if isinstance(value, Mapping):
        if not value:
            return "{}"
        return shorten("{ " + ", ".join(f"{k} = {shown(v)}" for k, v in value.items()) + " }", 200)
    return shorten(str(value), 100)


def _plain(name: str) -> str:
    return name.lower().replace("-", "_").replace(" ", "_")
