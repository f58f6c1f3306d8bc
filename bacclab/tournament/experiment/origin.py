"""Where an experiment came from: its file as text, what was set on the command line, and the place of each key.

Reading is strict about what a text editor may have done to the file (UTF-16, a byte-order mark, backslashes) because
each of these gives a baffling message further on.
"""

from __future__ import annotations

import codecs
import copy
import functools
import math
import re
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.errors import ConfigError, nearest, shorten
from bacclab.tournament.experiment.locate import Key, find_line, key_lines, parse_key, show_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_CONTROL = {"\t": r"\t", "\b": r"\b", "\f": r"\f", "\r": r"\r", "\n": r"\n"}
_MANY_DIGITS = re.compile(r"[0-9_]{2000,}")
_UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Control characters, ends of lines, and what turns the direction of writing round for all that follows."""
_DEEPEST = 30
MOST_BYTES = 2**24
"""Larger files hold no experiment: they are refused before they are read."""
_BACKSLASH = "in double quotes a backslash begins an escape; write the path in single quotes or with forward slashes"


@dataclass(frozen=True, slots=True)
class Assignment:
    """One value put over the file: ``--set table.maximum=500``, or one value of a sweep."""

    key: Key
    value: Any
    shown: str


@dataclass(frozen=True, slots=True)
class Origin:
    """The file (None for a mapping given in Python), its text, and the assignments put over it."""

    path: Path | None
    text: str
    assignments: tuple[Assignment, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder at which relative paths of the experiment start."""
        return (self.path.parent if self.path else Path()).resolve()

    def where(self, key: Key) -> str:
        r"""The place of a key in words, to begin a message with.

        >>> Origin(Path("classics.toml"), "title = 'x'\n[table]\nminimum = 5\n").where(("table", "minimum"))
        'classics.toml, line 3'
        """
        for assignment in reversed(self.assignments):
            if assignment.key == key[: len(assignment.key)]:
                return assignment.shown
        if self.path is None:
            return "experiment"
        line = find_line(_lines(self.text), key)
        return f"{self.path}, line {line}" if line else f"{self.path}"

    def fault(self, key: Key, fault: str, *, hint: str | None = None) -> ConfigError:
        """The error for a key: its place, its name and what is wrong with it."""
        shown = show_key(key)
        return ConfigError(f"{self.where(key)}: {shown + ' ' if shown else ''}{fault}", hint=hint)

    def blame(self, parts: Mapping[Key, Mapping[str, Any]], message: str) -> str | None:
        """The place of the setting that a message speaks of, among those under each key; None if it is about none."""
        for key, settings in parts.items():
            for name in settings:
                word = re.escape(name)
                if re.search(
                    rf"['\"]{word}['\"]|\b{word}( =|:| of| must| cannot|\[)|\b(key|parameter|setting) {word}\b", message
                ):
                    return self.where((*key, name))
        for key, settings in parts.items():
            for name, value in settings.items():
                if isinstance(value, str) and value and (repr(value) in message or f'"{value}"' in message):
                    return self.where((*key, name))
                if isinstance(value, dict) and isinstance(file := value.get("file"), str) and f"{file}, row" in message:
                    return self.where((*key, name))
        return None


@functools.lru_cache(maxsize=8)
def _lines(text: str) -> dict[Key, int]:
    try:
        return key_lines(text)
    except (IndexError, ValueError):  # a message without a line is better than none
        return {}


def read_file(path: Path) -> tuple[dict[str, Any], Origin]:
    """The keys of an experiment file as plain values, and its origin. Raises ConfigError with the line of a fault."""
    if not path.is_file():
        raise ConfigError(_no_such_file(path), hint=_nearest_file(path))
    text = text_of(path)
    try:
        raw = tomllib.loads(text, parse_float=exact_float)
    except tomllib.TOMLDecodeError as error:
        raise _unreadable(str(error), text, path) from None
    except _UnreadableNumber as error:
        line = text[: text.find(error.text)].count("\n") + 1
        raise ConfigError(f"{path}, line {line}: {error}") from None
    except ValueError:  # Python's own limit on the digits of a whole number
        long = _MANY_DIGITS.search(text)
        line = text[: long.start() if long else 0].count("\n") + 1
        raise ConfigError(f"{path}, line {line}: a number has too many digits") from None
    except RecursionError:
        raise ConfigError(f"{path}: lists or tables are nested too deeply") from None
    return raw, Origin(path, text)


def text_of(path: Path) -> str:
    """The text of a file that a person wrote; ConfigError for one that is far too large for that, before it is read."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ConfigError(f"{path} has {size / 2**20:,.0f} MiB; at most {MOST_BYTES // 2**20} are read")
        return decode(path.read_bytes(), path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from None


def decode(data: bytes, path: Path) -> str:
    """The text of a file that should be UTF-8; a byte-order mark is taken off, all else is refused with its name."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in data[:64]:
        raise ConfigError(f"{path} is saved as UTF-16", hint="save it as UTF-8")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{path}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8", hint="save the file as UTF-8"
        ) from None


class _UnreadableNumber(ValueError):
    def __init__(self, text: str) -> None:
        super().__init__(f"the exponent of {shorten(text, 40)} is out of range")
        self.text = text


def exact_float(text: str) -> float | Decimal:
    """A TOML float: a float where its shortest form is the number as written, else a Decimal, so no digit is lost.

    >>> exact_float("0.10"), exact_float("0.1000000000000000055")
    (0.1, Decimal('0.1000000000000000055'))
    """
    if len(text.lower().partition("e")[2].lstrip("+-0_")) > 3:  # exact arithmetic with it would take for ever
        raise _UnreadableNumber(text)
    number = float(text)
    if not math.isfinite(number):
        return number
    return number if Decimal(text) == Decimal(repr(number)) else Decimal(text)


def parse_set(text: str) -> Assignment:
    """One ``--set KEY=VALUE``: the key with dots, the value as in TOML; a bare word is a string.

    >>> parse_set("table.maximum=500").value, parse_set("table.rules=ez").value
    (500, 'ez')
    """
    shown = f"--set {shorten(text, 200)}"
    key_text, equals, value_text = text.partition("=")
    if text.count('"') and key_text.count('"') % 2:  # an equals sign inside a quoted name
        split = re.match(r'(?P<key>(?:"[^"]*"|[^"=])*)=(?P<value>.*)', text, re.DOTALL)
        key_text, value_text = (split["key"], split["value"]) if split else (key_text, value_text)
    if not equals:
        raise ConfigError(f"{shown}: an equals sign is missing", hint="write --set table.maximum=500")
    try:
        key = parse_key(key_text.strip())
    except ValueError:
        raise ConfigError(
            f"{shown}: {key_text!r} is not a key", hint='write names with dots, odd names in quotes: bettor."A, b".unit'
        ) from None
    return Assignment(key, _set_value(value_text.strip()), shown)


def _set_value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}", parse_float=exact_float)["value"]
    except (tomllib.TOMLDecodeError, ValueError, RecursionError):
        return text


def assign(raw: Mapping[str, Any], assignments: Iterable[Assignment], origin: Origin) -> tuple[dict[str, Any], Origin]:
    """A copy of the raw experiment with values put over it; later ones win. Names of bettors become positions."""
    changed = copy.deepcopy(dict(raw))
    done = list(origin.assignments)
    for assignment in assignments:
        key = _put(changed, assignment)
        done.append(Assignment(key, assignment.value, assignment.shown))
    return changed, Origin(origin.path, origin.text, tuple(done))


def _put(raw: dict[str, Any], assignment: Assignment) -> Key:
    node: Any = raw
    resolved: list[str | int] = []
    *path, last = assignment.key
    for part in path:
        part, holder = _child(node, part, assignment)
        resolved.append(part)
        node = holder
    if isinstance(node, list):
        last = _position(node, last, assignment)
    elif isinstance(last, int):
        last = str(last)
    node[last] = copy.deepcopy(assignment.value)
    return (*resolved, last)


def _child(node: Any, part: str | int, assignment: Assignment) -> tuple[str | int, Any]:
    if isinstance(node, list):
        position = _position(node, part, assignment)
        child = node[position]
        if not isinstance(child, dict | list):
            raise ConfigError(f"{assignment.shown}: {show_key((part,))} holds no keys of its own")
        return position, child
    name = str(part)
    child = node.setdefault(name, {})
    if name in ("select", "stake") and isinstance(child, str):  # "martingale" is short for { use = "martingale" }
        child = node[name] = {"use": child}
    if not isinstance(child, dict | list):
        raise ConfigError(f"{assignment.shown}: {name} holds no keys of its own")
    return name, child


def _position(items: list[Any], part: str | int, assignment: Assignment) -> int:
    if isinstance(part, int):
        if part >= len(items):
            raise ConfigError(f"{assignment.shown}: there is no number {part}; the last one is {len(items) - 1}")
        return part
    names = [_name_of(item) for item in items]
    if part not in names:
        raise ConfigError(f"{assignment.shown}: there is no bettor named {part!r}", hint=_names_or_numbers(part, names))
    return names.index(part)


def _name_of(item: Any) -> str:
    """The name of a bettor as tables show it: without one of its own, what it plays."""
    if not isinstance(item, dict):
        return ""
    if item.get("name"):
        return str(item["name"])
    if item.get("use"):
        return str(item["use"])
    ids = [part.get("use") if isinstance(part, dict) else part for part in (item.get("select"), item.get("stake"))]
    return ", ".join(str(name) for name in ids) if all(ids) else ""


def _names_or_numbers(part: str, names: list[str]) -> str:
    shown = [name for name in names if name]
    close = nearest(part, shown)
    if close:
        return f"did you mean {close!r}?"
    return f"there are: {', '.join(shown)}" if shown else "count bettors from 0: bettor.0.unit"


def _no_such_file(path: Path) -> str:
    if path.is_dir():
        return f"{path} is a folder, not an experiment file"
    if path.is_symlink() and not path.exists():
        return f"{path} is a link to a file that is not there"
    if path.exists():
        return f"{path} is no ordinary file, but a pipe or a device"
    return f"there is no experiment file {path}"


def _nearest_file(path: Path) -> str | None:
    folder = path if path.is_dir() else path.parent
    if not folder.is_dir():
        return f"there is no folder {folder}"
    files = sorted(p.name for p in folder.glob("*.toml") if p.is_file())
    close = nearest(path.name, files) or nearest(f"{path.name}.toml", files)
    return f"did you mean {folder / close}?" if close else None


def _unreadable(message: str, text: str, path: Path) -> ConfigError:
    at = _AT.search(message)
    said = _AT.sub("", message)
    said = said[:1].lower() + said[1:]
    if not at or not at[1]:
        return ConfigError(f"{path}, at its end: {said}")
    line = text.split("\n")[int(at[1]) - 1]
    hint = _BACKSLASH if "\\" in line else None
    return ConfigError(
        f"{path}, line {at[1]}, column {at[2]}: {shorten(said, 200)}: {shorten(line.strip(), 120)}", hint=hint
    )


def refuse_unfit(node: Any, origin: Origin, key: Key = ()) -> None:
    """Refuse what no experiment means: control characters, halves of characters, lists in lists without end."""
    if len(key) > _DEEPEST:
        raise origin.fault(key[:1], "is nested too deeply")
    if isinstance(node, dict):
        for name, child in node.items():
            refuse_unfit(child, origin, (*key, name))
    elif isinstance(node, list):
        for position, child in enumerate(node):
            refuse_unfit(child, origin, (*key, position))
    elif isinstance(node, str):
        if any("\ud800" <= c <= "\udfff" for c in node):
            raise origin.fault(key, f"= {shorten(ascii(node), 80)} holds half of a character (a lone surrogate)")
        found = next((c for c in _UNFIT.findall(node) if not (c == "\n" and key == ("title",))), None)
        if found is not None:
            shown = _CONTROL.get(found, f"\\u{ord(found):04x}")
            fault = f"= {shorten(repr(node), 80)} holds a control character"
            if origin.path is None:
                raise origin.fault(key, fault)
            raise origin.fault(key, f"{fault}, read from the backslash {shown}", hint=_BACKSLASH)
