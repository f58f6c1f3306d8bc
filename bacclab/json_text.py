"""What a value must not hold that is written as JSON or was read from it: a zero below zero, half of a character."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["holds_half_a_character", "without_minus_zero"]


def without_minus_zero(value: Any) -> Any:
    """The value with 0.0 in place of each -0.0 in it: what is negated or rounded to nothing has no sign.

    Dicts, lists and tuples are gone through; anything else is handed back as it is.

    >>> without_minus_zero({"edge": -0.0, "effects": [(-0.0, -0.5, 0)]})
    {'edge': 0.0, 'effects': [[0.0, -0.5, 0]]}
    """
    if isinstance(value, float):
        return value + 0.0
    if isinstance(value, dict):
        return {key: without_minus_zero(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [without_minus_zero(held) for held in value]
    return value


def holds_half_a_character(text: str, value: Any) -> bool:
    r"""Whether a value read from a JSON text has a lone surrogate in it, which cannot be written in UTF-8.

    JSON writes a character beyond 16 bits as two escapes (RFC 8259, section 7); one of them alone is read without a
    word.

    >>> smile, half = r'{"name": "\ud83d\ude00"}', r'{"name": "\ud83d"}'
    >>> [holds_half_a_character(text, json.loads(text)) for text in (smile, half)]
    [False, True]
    """
    if "\\ud" not in text.lower():  # the only way in which one comes in
        return False
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False
