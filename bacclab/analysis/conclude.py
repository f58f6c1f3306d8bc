"""The end of a run: its sessions are summed up, metrics are worked out, and its bettors compared."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from bacclab.analysis.compare import compare
from bacclab.analysis.confirm import best_of
from bacclab.analysis.endings import by_final, by_round
from bacclab.analysis.metrics.measure import context_of, extra, facts_of, measure
from bacclab.analysis.summary import groups_of, summarise
from bacclab.tournament.finish import Conclusion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.plugins.registry import Entry
    from bacclab.tournament.finish import Finished

__all__ = ["conclude"]


def conclude(finished: Finished, *, metrics: Mapping[str, Entry]) -> Conclusion:
    """The frames ``summary``, ``comparisons``, ``endings`` and ``finals``, from what was played.

    `metrics` are those that are registered; the ones that the summary does not have by itself are columns behind its
    own, and the manifest says what they are.
    """
    sessions = finished.sessions
    groups = groups_of(finished.cells, finished.played_by, finished.expected_on)
    wanted = extra(metrics)
    endings, finals = (finished.meanwhile(partial(count, sessions, groups)) for count in (by_round, by_final))
    measured = measure(sessions, groups, wanted, context_of(finished.cells, finished.ruin))
    half = len(groups) // 2
    ends = finished.finals()
    more = finished.meanwhile(partial(summarise, sessions, ends, groups[half:]))
    summary = pl.concat([summarise(sessions, ends, groups[:half]), more()])
    firsts = {cell.index: cell.bettors[0].name for cell in finished.cells}
    return Conclusion(
        frames={
            "summary": summary.hstack(measured.frame(wanted)),
            "comparisons": compare(sessions, groups, summary=summary, firsts=firsts),
            "endings": endings(),
            "finals": finals(),
        },
        facts={"metrics": facts_of(wanted), "tried": summary.height},
        warnings=measured.warnings,
        again=best_of(summary, finished.cells),
    )
