"""Where the rounds of a run came from, in the page's plain words, when they were not dealt by the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["rounds_told"]


def rounds_told(manifest: Mapping[str, Any]) -> str:
    """A sentence or two on recorded rounds, for the settings that were played on them; empty for other rounds.

    >>> told = {"kind": "recorded", "file": "night.csv", "recorded_rounds": 8146, "recorded_shoes": 120}
    >>> rounds_told({"source": told | {"replay": "in-order: each once", "rounds_with_a_fault": "none"}})
    'The rounds are recorded ones: 8,146 rounds of 120 shoes in night.csv, the shoes in their order, each once.'
    """
    cells = [cell for cell in manifest.get("cells") or () if isinstance(cell, Mapping)]
    found: dict[str, list[str]] = {}
    for cell in cells or [{"source": manifest.get("source"), "label": ""}]:
        text = _told(cell.get("source"))
        if text:
            found.setdefault(text, []).append(str(cell.get("label") or ""))
    texts = []
    for text, labels in found.items():
        everywhere = len(labels) == max(1, len(cells))
        texts.append(text if everywhere or not all(labels) else f"{'; '.join(labels)}: {text[0].lower()}{text[1:]}")
    return " ".join(texts)


def _told(source: Any) -> str:
    """The words for one source."""
    if not isinstance(source, Mapping) or source.get("kind") != "recorded":
        return ""
    text = (
        f"The rounds are recorded ones: {source['recorded_rounds']:,} rounds of {source['recorded_shoes']:,} shoes in "
        f"{source['file']}, "
    )
    if str(source.get("replay", "")).startswith("resampled"):
        text += (
            "drawn again and again at random, a shoe at a time. Many sessions from few shoes show what these shoes hold, "
            "not more: intervals and comparisons speak of the record, and become no surer by drawing it more often."
        )
    else:
        text += "the shoes in their order, each once."
    faults, gaps = source.get("rounds_with_a_fault", "none"), source.get("gaps", 0)
    if faults != "none":
        text += f" Of the rounds that contradict themselves: {faults}."
    if gaps:
        places = "At one place" if gaps == 1 else f"At {gaps:,} places"
        text += f" {places} rounds are missing, and those on both sides are played as neighbours."
    return text
