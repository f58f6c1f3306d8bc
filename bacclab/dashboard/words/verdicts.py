"""What a comparison says, in the language of a page; runs hold it in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.analysis.compare import LEVEL, roughly
from bacclab.dashboard.language import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.dashboard.language import Language

__all__ = ["told"]


def told(row: Mapping[str, Any], say: Language, *, better: str | None = None) -> dict[str, Any]:
    """The row of a pair with its verdict in a language; `better` is who did better, by default the first of the two.

    >>> from bacclab.dashboard.language import language
    >>> row = {"bettor_a": "A", "verdict": "A loses less a session", "p_adjusted": 0.01}
    >>> told(row, language("sv"))["verdict"]
    'A förlorar mindre per spelpass'
    """
    english, needed = str(row.get("verdict") or ""), row.get("rounds_needed")
    if say.code == ENGLISH:
        return dict(row)
    if english.startswith("the same rounds"):
        return {**row, "verdict": say("verdict.same")}
    if row["p_adjusted"] is None or row["p_adjusted"] >= LEVEL:
        if needed is not None and " would be needed" in english:
            words = say("verdict.cannot_yet", n=say.figures(roughly(needed)))
        else:
            words = say("verdict.cannot")
    else:
        who = row["bettor_a"] if better is None else better
        words = say("verdict.less" if " loses less " in english else "verdict.more", who=who)
        for less in ("less", "more"):
            if f" because it stakes {less}" in english:
                words = say(f"verdict.because_{less}", told=words)
    if "; too heavy-tailed for " in english:
        words = say("verdict.heavy", told=words, n=say.count(row["sessions"]))
    return {**row, "verdict": words}
