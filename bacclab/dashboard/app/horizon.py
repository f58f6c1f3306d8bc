"""A run as it stood at an earlier checkpoint: what happened after the chosen round is taken away."""

from __future__ import annotations

from typing import Any

import polars as pl

from bacclab.analysis.statistics.quantiles import weighted_quantiles
from bacclab.dashboard.app.slices import LazySlice
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.run_frames import Slice
from bacclab.tournament.ledger import ENDINGS

__all__ = ["UpTo", "cut"]

QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}


class UpTo(Lookup):
    """Another lookup, each of whose slices ends with a round."""

    def __init__(self, look: Lookup, last: int) -> None:
        super().__init__(look.run, language=look.language)
        self._look = look
        self._last = last

    def slice(self, *, cell: int | None = None, bettor: str | None = None) -> Slice:
        """One bettor in one cell, up to the round."""
        return cut(self._look.slice(cell=cell, bettor=bettor), self._last)

    def pairs(self, part: Slice) -> list[dict[str, Any]]:
        """The comparisons of a bettor; they are of whole sessions."""
        return self._look.pairs(part)


def cut(part: Slice, last: int) -> Slice:
    """The slice with every session ended after the round `last`, which must be a checkpoint.

    A session that went on counts as one that ended with the round; the expectation of its bets is cut in proportion to
    the rounds that it lasted. Final bankrolls are those of the checkpoint, without the way in which sessions ended.
    """
    if last >= part.rounds:
        return part

    def read(name: str) -> Any:
        if name == "fates":
            return {}
        if name == "summary":
            return _summary(part, cut_off.distribution.filter(pl.col("round") == last), cut_off.endings)
        found: pl.DataFrame = getattr(part, name)
        if name == "endings":
            return _ended(found, last)
        if name == "finals":
            return found.clear()
        return found.filter(pl.col("round") <= last) if found.height else found

    cut_off = LazySlice(
        cell=part.cell,
        label=part.label,
        bettor=part.bettor,
        position=part.position,
        start=part.start,
        rounds=last,
        read=read,
    )
    return cut_off


def _ended(endings: pl.DataFrame, last: int) -> pl.DataFrame:
    """Endings as they stood at a round: those that came later are sessions that played every round."""
    if not endings.height:
        return endings
    later = pl.col("ended_round") > last
    return endings.with_columns(
        expected=pl.when(later).then(pl.col("expected") * last / pl.col("ended_round")).otherwise(pl.col("expected")),
        ended_by=pl.when(later).then(pl.lit("rounds")).otherwise(pl.col("ended_by")),
        ended_round=pl.when(later).then(pl.lit(last, pl.Int64)).otherwise(pl.col("ended_round")),
    )


def _summary(part: Slice, finals: pl.DataFrame, endings: pl.DataFrame) -> dict[str, Any]:
    """The figures of a summary that charts draw, at an earlier round; the others are left as they are."""
    values, weights = finals["bankroll"].to_numpy(), finals["sessions"].to_numpy()
    total = weights.sum()
    found = dict(part.summary)
    found |= dict(zip(QUANTILES, weighted_quantiles(values, weights, tuple(QUANTILES.values())), strict=True))
    found["ahead"] = float(weights[values > part.start].sum() / total)
    found["behind"] = float(weights[values < part.start].sum() / total)
    if endings.height:
        shares = dict(endings.group_by("ended_by").agg(pl.col("sessions").sum()).iter_rows())
        whole = sum(shares.values())
        found |= {f"ended_{how}": shares.get(how, 0) / whole for how in ENDINGS}
        found["bust"] = found["ended_bust"]
        if not endings["expected"].has_nulls():
            found["expected"] = float(endings["expected"].sum())
    return found
