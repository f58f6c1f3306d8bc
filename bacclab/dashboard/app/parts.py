"""Small parts of layouts."""

from __future__ import annotations

from typing import Any

__all__ = ["aria"]


def aria(**words: str) -> dict[str, Any]:
    """Attributes for screen readers, to be given on to a component.

    >>> aria(label="Views", labelledby="title")
    {'aria-label': 'Views', 'aria-labelledby': 'title'}
    """
    return {f"aria-{name}": value for name, value in words.items()}
