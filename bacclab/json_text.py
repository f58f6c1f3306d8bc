"""What JSON may hold that no file can: half of a character."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["holds_half_a_character"]


def holds_half_a_character(text: str, value: Any) -> bool:
    r"""Whether a value read from a JSON text has a lone surrogate in it, which cannot be written in UTF-8.

    JSON writes a character beyond 16 bits as two escapes (RFC 8259, section 7); one of them alone is read without a word.

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
