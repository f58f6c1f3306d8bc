"""Plain values as TOML text: enough for an experiment file, which the standard library reads but does not write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bacclab.tournament.experiment.locate import show_key

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def toml_text(values: Mapping[str, Any]) -> str:
    """The text of a mapping of strings, numbers, booleans, lists and mappings.

    >>> print(toml_text({"title": "A", "table": {"rules": "ez"}, "bettor": [{"name": "x", "stake": {"unit": 10}}]}))
    title = "A"
    <BLANKLINE>
    [table]
    rules = "ez"
    <BLANKLINE>
    [[bettor]]
    name = "x"
    stake = { unit = 10 }
    <BLANKLINE>
    """
    lines = [_line(name, value) for name, value in values.items() if not _has_header(value)]
    for name, value in values.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{show_key((name,))}]", *(_line(k, v) for k, v in value.items())]
        elif _has_header(value):
            for item in value:
                lines += ["", f"[[{show_key((name,))}]]", *(_line(k, v) for k, v in item.items())]
    return "\n".join(lines) + "\n"


def _has_header(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and any(isinstance(v, Mapping) for v in value))


def _line(name: str, value: Any) -> str:
    return f"{show_key((name,))} = {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return (
            '"'
            + "".join(_ESCAPES.get(c) or (c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in value)
            + '"'
        )
    if isinstance(value, Mapping):
        inside = ", ".join(_line(k, v) for k, v in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, float):
        return repr(value)
    return str(value)
