"""Where the rounds of a run came from, in the page's plain words, when they were not dealt by the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.language import ENGLISH, language

if TYPE_CHECKING:
    from bacclab.dashboard.language import Language

__all__ = ["rounds_told"]


def rounds_told(manifest: Mapping[str, Any], *, say: Language | None = None) -> str:
    """A sentence or two on recorded rounds, for the settings that were played on them; empty for other rounds.

    In English unless a language is given.

    >>> told = {"kind": "recorded", "file": "night.csv", "recorded_rounds": 8146, "recorded_shoes": 120}
    >>> rounds_told({"source": told | {"replay": "in-order: each once", "rounds_with_a_fault": "none"}})
    'The rounds are recorded ones: 8,146 rounds of 120 shoes in night.csv, the shoes in their order, each once.'
    """
    say = say or language(ENGLISH)
    cells = [cell for cell in manifest.get("cells") or () if isinstance(cell, Mapping)]
    found: dict[str, list[str]] = {}
    for cell in cells or [{"source": manifest.get("source"), "label": ""}]:
        text = _told(cell.get("source"), say)
        if text:
            found.setdefault(text, []).append(str(cell.get("label") or ""))
    texts = []
    for text, labels in found.items():
        everywhere = len(labels) == max(1, len(cells))
        texts.append(text if everywhere or not all(labels) else f"{'; '.join(labels)}: {text[0].lower()}{text[1:]}")
    return " ".join(texts)


def _told(source: Any, say: Language) -> str:
    """The words for one source."""
    if not isinstance(source, Mapping) or source.get("kind") != "recorded":
        return ""
    again = str(source.get("replay", "")).startswith("resampled")
    texts = [
        say(
            "recorded.resampled" if again else "recorded.in_order",
            rounds=say.count(source["recorded_rounds"]),
            shoes=say.count(source["recorded_shoes"]),
            file=source["file"],
        )
    ]
    faults, gaps = source.get("rounds_with_a_fault", "none"), source.get("gaps", 0)
    if faults != "none":
        texts.append(say("recorded.faults", faults=faults))
    if gaps:
        texts.append(say.some("recorded.gaps", gaps))
    return " ".join(texts)
