"""The end of a run: its sessions are summed up, and its bettors compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.analysis.compare import compare
from bacclab.analysis.endings import by_final, by_round
from bacclab.analysis.summary import groups_of, summarise

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

__all__ = ["conclude"]


def conclude(
    sessions: pl.LazyFrame,
    finals: pl.DataFrame,
    *,
    cells: pl.DataFrame,
    played_by: Sequence[Mapping[str, str]],
    expected_on: Sequence[Mapping[str, str]],
) -> dict[str, pl.DataFrame]:
    """The frames ``summary``, ``comparisons``, ``endings`` and ``finals``, from the sessions and final bankrolls of a run."""
    groups = groups_of(cells, played_by, expected_on)
    summary = summarise(sessions, finals, groups)
    return {
        "summary": summary,
        "comparisons": compare(sessions, groups, summary=summary),
        "endings": by_round(sessions, groups),
        "finals": by_final(sessions, groups),
    }
