"""How sessions end, counted by round and by final bankroll: whoever looks at a run need not read its sessions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from bacclab.analysis.summary import pieces_of
from bacclab.tournament.frames import SCHEMAS
from bacclab.tournament.ledger import ENDINGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.analysis.summary import Group

__all__ = ["by_final", "by_round"]

_CODE = {how: code for code, how in enumerate(sorted(ENDINGS))}
_SHIFT = 48
"""Bits of a round in a key; those above hold the code of the ending."""


def by_round(sessions: pl.LazyFrame, groups: Sequence[Group]) -> pl.DataFrame:
    """The frame ``endings``: sessions by ending and last round, with the sum of their expectations (currency units).

    ``sessions`` are sorted by their key. Sums are taken in the order of the sessions, so the same sessions give the
    same bytes.
    """
    return _stacked("endings", [_rounds_of(sessions, group) for group in groups])


def by_final(sessions: pl.LazyFrame, groups: Sequence[Group]) -> pl.DataFrame:
    """The frame ``finals``: sessions by ending and final bankroll."""
    return _stacked("finals", [_finals_of(sessions, group) for group in groups])


def _stacked(name: str, parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    schema = SCHEMAS[name]
    return pl.concat([part.cast(dict(schema)) for part in parts]) if parts else schema.to_frame()  # type: ignore[arg-type]


def _rounds_of(sessions: pl.LazyFrame, group: Group) -> pl.DataFrame:
    counts: dict[int, int] = {}
    sums: dict[int, list[float]] = {}
    for piece in pieces_of(sessions, group, ("ended_by", "ended_round", "expected")):
        codes = piece["ended_by"].replace_strict(_CODE, return_dtype=pl.Int64).to_numpy()
        keys, places = np.unique(codes << _SHIFT | piece["ended_round"].to_numpy(), return_inverse=True)
        expected = np.bincount(places, weights=piece["expected"].to_numpy())
        for key, count, total in zip(keys.tolist(), np.bincount(places).tolist(), expected.tolist(), strict=True):
            counts[key] = counts.get(key, 0) + count
            sums.setdefault(key, []).append(total)
    names = sorted(_CODE)
    rows = [
        (group.cell, group.bettor, names[key >> _SHIFT], key & ((1 << _SHIFT) - 1), counts[key], math.fsum(sums[key]))
        for key in sorted(counts)
    ]
    return pl.DataFrame(rows, schema=SCHEMAS["endings"], orient="row")


def _finals_of(sessions: pl.LazyFrame, group: Group) -> pl.DataFrame:
    parts = [
        piece.group_by("ended_by", "final").agg(pl.len().cast(pl.Int64).alias("sessions"))
        for piece in pieces_of(sessions, group, ("ended_by", "final"))
    ]
    added = pl.concat(parts).group_by("ended_by", "final").agg(pl.col("sessions").sum()).sort("ended_by", "final")
    key = (pl.lit(group.cell, dtype=pl.Int64).alias("cell"), pl.lit(group.bettor).alias("bettor"))
    return added.select(*key, "ended_by", "final", "sessions")
