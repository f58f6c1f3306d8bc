"""CSV files that bettors name with `csv`: taken into the experiment by value, so it says by itself what was played.

A file is read once, when the experiment is. From then on its lines stand in the place of its name: workers need no
file, a changed file makes another experiment (and is refused by a run that is resumed), and the run folder holds the
content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.errors import ConfigError, nearest, shorten
from bacclab.tournament.experiment.origin import text_of
from bacclab.tournament.files import is_there

if TYPE_CHECKING:
    from bacclab.tournament.experiment.locate import Key
    from bacclab.tournament.experiment.origin import Origin

__all__ = ["file_or_value", "files_in", "read_lines", "take_in"]

KEY = "csv"
MOST_LINES = 100_000
_PARTS = ("bettor", "product", "sweep")


def take_in(raw: Mapping[str, Any], origin: Origin) -> dict[str, Any]:
    """The raw experiment with ``{ file, lines }`` in place of every file name under the key ``csv`` of a bettor.

    Paths are relative to the experiment file. Raises ConfigError, with the line, for a file that cannot be read.
    """
    return {name: _taken_in(value, (name,), origin) if name in _PARTS else value for name, value in raw.items()}


def _taken_in(value: Any, key: Key, origin: Origin) -> Any:
    if isinstance(value, dict):
        return {name: _taken_in(child, (*key, name), origin) for name, child in value.items()}
    if isinstance(value, list):
        return [_taken_in(child, (*key, place), origin) for place, child in enumerate(value)]
    return _content(value, key, origin) if isinstance(value, str) and _names_a_file(key) else value


def _names_a_file(key: Key) -> bool:
    """Whether the value of a key, or one of the values of a line of a sweep, is the name of a file."""
    if key[0] == "sweep":
        return any(isinstance(part, str) and part.rpartition(".")[2] == KEY for part in key)
    return key[-1] == KEY


def _content(name: str, key: Key, origin: Origin) -> dict[str, Any]:
    path = origin.folder / Path(name).expanduser()
    if not is_there(path) or not path.is_file():
        files = [p.name for p in sorted(path.parent.glob("*.csv")) if p.is_file()] if is_there(path.parent) else []
        near = nearest(path.name, files)
        raise origin.fault(
            key,
            f"= {shorten(name, 200)!r}: {'it is no file' if is_there(path) else 'there is no such file'}",
            hint=f"did you mean {near}?" if near else shorten(str(path), 200),
        )
    return {"file": name, "lines": read_lines(path)}


def read_lines(path: Path) -> list[str]:
    """The lines of a CSV file in UTF-8; tabs between columns become commas. Raises ConfigError with the line."""
    lines = [line.rstrip() for line in text_of(path).split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) > MOST_LINES:
        raise ConfigError(f"{path} has {len(lines):,} lines; at most {MOST_LINES:,} are taken in")
    lines = [line.replace("\t", ",") for line in lines]
    for number, line in enumerate(lines, 1):
        if any(ord(c) < 32 or ord(c) == 127 for c in line):
            raise ConfigError(f"{path}, line {number}: it holds a control character", hint="is it a text file?")
    return lines


def file_or_value(value: Any) -> Any:
    """The name of a file that was taken in, to be shown in place of its lines; any other value as it is.

    >>> file_or_value({"file": "map.csv", "lines": ["pattern,bet"]}), file_or_value(500)
    ('map.csv', 500)
    """
    return value["file"] if _is_content(value) else value


def files_in(values: Any) -> list[dict[str, str]]:
    """The files that were taken into an experiment: the name of each and the SHA-256 of its lines.

    >>> files_in({"bettor": [{"select": {"csv": {"file": "map.csv", "lines": ["pattern,bet"]}}}]})[0]["file"]
    'map.csv'
    """
    found = {(one["file"], _digest(one["lines"])) for one in _contents(values)}
    return [{"file": file, "sha256": digest} for file, digest in sorted(found)]


def _digest(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _contents(value: Any) -> Iterator[dict[str, Any]]:
    if _is_content(value):
        yield value
    elif isinstance(value, Mapping | list):
        for child in value.values() if isinstance(value, Mapping) else value:
            yield from _contents(child)


def _is_content(value: Any) -> bool:
    return isinstance(value, Mapping) and value.keys() == {"file", "lines"}
