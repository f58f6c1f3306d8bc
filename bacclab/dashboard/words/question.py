"""The question of an experiment: the comment at the head of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["paragraphs"]


def paragraphs(manifest: Mapping[str, Any]) -> list[str]:
    r"""The comment that the experiment's file begins with, in paragraphs; none where it begins with a setting.

    >>> paragraphs({"experiment_text": "# Does it win?\n#\n# It may\n# not.\n\ntitle = 'x'\n# later"})
    ['Does it win?', 'It may not.']
    """
    lines: list[str] = []
    for line in str(manifest.get("experiment_text") or "").splitlines():
        text = line.strip()
        if text and not text.startswith("#"):
            break
        lines.append(text.lstrip("#").strip())
    blocks = "\n".join(lines).split("\n\n")
    return [" ".join(block.split()) for block in blocks if block.strip()]
