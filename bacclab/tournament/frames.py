"""The frames of a run: one typed schema each whatever the values, and how they are made from ledgers.

Money columns are Float64 in currency units, counts Int64, shares Float64 from 0 to 1; what is undefined is null.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from bacclab.game.codes import Outcome
from bacclab.game.limits import REASONS
from bacclab.money import UNITS, from_amount
from bacclab.tournament.ledger import ENDINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bacclab.tournament.ledger import Ledger, Trace
    from bacclab.tournament.plan import Cell


def _columns(keys: str, ints: str = "", floats: str = "", texts: str = "") -> dict[str, Any]:
    types: dict[str, Any] = {}
    for name in keys.split():
        types[name] = pl.String if name.startswith("bettor") or name in texts.split() else pl.Int64
    types |= dict.fromkeys(ints.split(), pl.Int64)
    types |= dict.fromkeys(floats.split(), pl.Float64)
    return types | {name: pl.String for name in texts.split() if name not in types}


def _ordered(order: str, types: Mapping[str, Any]) -> pl.Schema:
    return pl.Schema({name: types[name] for name in order.split()})


_REFUSED = [f"refused_{reason}" for reason in REASONS]
_ENDED = [f"ended_{ending}" for ending in ENDINGS]

_SESSION_TYPES = _columns(
    "cell bettor session",
    (
        "rounds shoes bets wins losses pushes rounds_under_water longest_losing_run longest_winning_run refusals "
        "ended_round "
    )
    + " ".join(_REFUSED),
    "staked commission net expected final peak trough max_drawdown largest_stake",
    "ended_by",
)
_SUMMARY_TYPES = _columns(
    "cell bettor",
    "sessions rounds bets decisions wins losses pushes refusals " + " ".join(_REFUSED),
    "staked commission net expected return_on_stake se_return expected_return se_controlled z win_rate_decisions "
    "win_rate_bets mean_final sd_final se_final q05 q25 median q75 q95 ahead even behind bust mean_max_drawdown "
    "median_longest_losing_run largest_stake " + " ".join(_ENDED),
    "expected_on played_by failed",
)

SCHEMAS: Mapping[str, pl.Schema] = {
    "summary": _ordered(
        "cell bettor sessions rounds bets decisions wins losses pushes win_rate_decisions win_rate_bets staked "
        "commission net expected return_on_stake se_return expected_return se_controlled z mean_final sd_final "
        "se_final q05 q25 median q75 q95 ahead even behind bust mean_max_drawdown median_longest_losing_run "
        "largest_stake refusals " + " ".join((*_REFUSED, *_ENDED)) + " expected_on played_by failed",
        _SUMMARY_TYPES,
    ),
    "sessions": _ordered(
        "cell bettor session rounds shoes bets wins losses pushes staked commission net expected final peak trough "
        "max_drawdown rounds_under_water longest_losing_run longest_winning_run largest_stake refusals "
        + " ".join(_REFUSED)
        + " ended_by ended_round",
        _SESSION_TYPES,
    ),
    "distribution": _ordered(
        "cell bettor round bankroll sessions", _columns("cell bettor round", "sessions", "bankroll")
    ),
    "trajectories": _ordered(
        "cell bettor session round shoe outcome staked net commission bankroll bets",
        _columns("cell bettor session round", "shoe", "staked net commission bankroll", "outcome bets"),
    ),
    "comparisons": _ordered(
        "cell bettor_a bettor_b sessions mean_difference sd_difference ci_low ci_high p_value p_adjusted verdict "
        "sessions_needed rounds_needed difference_per_100_rounds skewness heavy_tailed",
        _columns(
            "cell bettor_a bettor_b",
            "sessions sessions_needed rounds_needed",
            "mean_difference sd_difference ci_low ci_high p_value p_adjusted difference_per_100_rounds skewness",
            "verdict",
        )
        | {"heavy_tailed": pl.Boolean},
    ),
    "endings": _ordered(
        "cell bettor ended_by ended_round sessions expected",
        _columns("cell bettor", "ended_round sessions", "expected", "ended_by"),
    ),
    "finals": _ordered("cell bettor ended_by final sessions", _columns("cell bettor", "sessions", "final", "ended_by")),
    "confirmation": _ordered(
        "cell bettor tried sessions first_session staked net return_in_search return_fresh se_fresh ci_low ci_high "
        "expected_return",
        _columns(
            "cell bettor",
            "tried sessions first_session",
            "staked net return_in_search return_fresh se_fresh ci_low ci_high expected_return",
        ),
    ),
    "cells": _ordered(
        "cell label sessions rounds shoes bankroll table",
        _columns("cell", "sessions rounds shoes", "bankroll", "label table"),
    ),
}
"""The columns of each frame and their types."""

EXACT_SCHEMAS: Mapping[str, pl.Schema] = {
    "exact_rounds": _ordered(
        "cell bettor round playing staked expected " + " ".join(_ENDED),
        _columns("cell bettor round", floats="playing staked expected " + " ".join(_ENDED)),
    ),
    "exact_bands": _ordered(
        "cell bettor round mean q05 q25 q50 q75 q95",
        _columns("cell bettor round", floats="mean q05 q25 q50 q75 q95"),
    ),
    "exact_ruin": _ordered(
        "cell bettor ruin_ever ruin_ever_goal", _columns("cell bettor", floats="ruin_ever ruin_ever_goal")
    ),
    "exact_finals": _ordered(
        "cell bettor ended_by final probability",
        _columns("cell bettor", floats="final probability", texts="ended_by"),
    ),
    **{
        name: pl.Schema({key: pl.Float64 if key in means else kind for key, kind in SCHEMAS[name].items()})
        for name, means in (
            ("summary", ("rounds", "bets", "decisions", "wins", "losses", "pushes", "refusals", *_REFUSED)),
            ("distribution", ("sessions",)),
        )
    },
}
"""The frames of exact results, and those whose counts are means or probabilities in an exact run."""

OVERLAY_FRAMES = ("exact_rounds", "exact_bands", "exact_ruin")
"""Frames with exact results beside sampled ones, for bettors for which they cost little."""

BLOCK_FRAMES = ("sessions", "distribution", "trajectories")
"""Frames of which every block holds a part; the others are made from them at the end."""


def money(amounts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Currency units of amounts: the nearest Float64 of each.

    >>> money(np.array([3_550, -100])).tolist()
    [0.355, -0.01]
    """
    return amounts / np.float64(UNITS)


def amounts(column: NDArray[np.float64]) -> NDArray[np.int64]:
    """The exact amounts back from a money column (all of them, up to `bacclab.money.MAX_AMOUNT`).

    >>> amounts(np.array([0.355, -0.01])).tolist()
    [3550, -100]
    """
    return np.rint(column * UNITS).astype(np.int64)


def frame(name: str, columns: Mapping[str, Any], *, schema: pl.Schema | None = None) -> pl.DataFrame:
    """A frame with the schema of its name, or another; columns in any order, single values for all rows.

    >>> frame("cells", {"cell": [0], "label": "", "sessions": 5, "rounds": None, "shoes": 6, "bankroll": 100.0,
    ...                 "table": "ez"}).row(0)
    (0, '', 5, None, 6, 100.0, 'ez')
    """
    schema = schema or SCHEMAS.get(name) or EXACT_SCHEMAS[name]
    whole = {k: v for k, v in columns.items() if isinstance(v, np.ndarray | list | pl.Series)}
    rows = len(next(iter(whole.values())))
    series = [
        pl.Series(key, whole[key], dtype=kind)
        if key in whole
        else pl.repeat(columns[key], rows, dtype=kind, eager=True).alias(key)
        for key, kind in schema.items()
    ]
    return pl.DataFrame(series)


def sessions_frame(
    ledger: Ledger, *, cell: int, bettor: str, first: int, trace: Trace | None = None, traced: int = 0
) -> pl.DataFrame:
    """One row a session, from the ledger of a block that begins with session ``first``.

    How many rounds a session was under water is known of those of the experiment's first ``traced`` sessions that lie
    in the block: they are in its ``trace``.
    """
    endings = pl.Series(ENDINGS, dtype=pl.String)
    columns: dict[str, Any] = {
        "cell": cell,
        "bettor": bettor,
        "session": np.arange(first, first + ledger.sessions, dtype=np.int64),
        "expected": ledger.expected,
        "rounds_under_water": _under_water(ledger, trace, first, max(0, min(traced - first, ledger.sessions))),
        "ended_by": endings.gather(pl.Series(ledger.ended_by.astype(np.uint32))),
    }
    for name in ("staked", "commission", "net", "final", "peak", "trough", "max_drawdown", "largest_stake"):
        columns[name] = money(getattr(ledger, name))
    for name in (
        "rounds", "shoes", "bets", "wins", "losses", "pushes", "longest_losing_run", "longest_winning_run",
        "refusals", "ended_round",
    ):  # fmt: skip
        columns[name] = getattr(ledger, name)
    columns |= {name: ledger.refused[:, reason] for reason, name in enumerate(_REFUSED)}
    return frame(
        "sessions", {k: np.ascontiguousarray(v) if isinstance(v, np.ndarray) else v for k, v in columns.items()}
    )


def _under_water(ledger: Ledger, trace: Trace | None, first: int, known: int) -> pl.Series:
    """Rounds after which each session stood below its highest bankroll so far; null but for the `known` first ones."""
    counts = np.zeros(known, dtype=np.int64)
    if trace is not None and known:
        begins = np.searchsorted(trace.session, np.arange(first, first + known + 1))
        for k, (begin, end) in enumerate(itertools.pairwise(begins.tolist())):
            path = trace.bankroll[begin:end]
            high = np.maximum(np.maximum.accumulate(path), ledger.start) if end > begin else path
            counts[k] = np.count_nonzero(path < high)
    return pl.Series(counts, dtype=pl.Int64).extend(
        pl.repeat(None, ledger.sessions - known, dtype=pl.Int64, eager=True)
    )


POINT_SHIFT = 54
"""Bits of an amount in the key of a histogram: the largest takes 52 of them; those above hold the checkpoint."""


def histogram(bankrolls: NDArray[np.int64]) -> pl.DataFrame:
    """Exact histograms, from amounts (checkpoints × sessions): how many sessions had each bankroll at each checkpoint.

    One row a checkpoint and bankroll, sorted: `key` holds both in one number, `sessions` counts.

    >>> two = histogram(np.array([[5_000, 5_000, 5_000], [9_000, 1_000, 9_000]]))
    >>> [(key >> POINT_SHIFT, key % 2**POINT_SHIFT, sessions) for key, sessions in two.rows()]
    [(0, 5000, 3), (1, 1000, 1), (1, 9000, 2)]
    """
    points, sessions = bankrolls.shape
    least = int(bankrolls.min())
    ordered: NDArray[np.integer[Any]]
    if int(bankrolls.max()) - least < 2**32:
        ordered = np.subtract(bankrolls, least).astype(np.uint32)  # numbers half as wide are sorted twice as fast
    else:
        ordered, least = bankrolls.copy(), 0
    ordered.sort(axis=1)
    begins = np.ones((points, sessions), dtype=np.bool_)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=begins[:, 1:])
    starts = np.flatnonzero(begins)
    amounts = ordered.ravel()[starts].astype(np.uint64) + np.uint64(least)
    keys = (starts // sessions).astype(np.uint64) << np.uint64(POINT_SHIFT) | amounts
    return pl.DataFrame({"key": keys, "sessions": np.diff(starts, append=points * sessions)})


def distribution_frame(
    keys: NDArray[np.uint64], sessions: NDArray[np.int64], rounds: NDArray[np.int64], *, cell: int, bettor: str
) -> pl.DataFrame:
    """Rows of the distribution from the keys and counts of `histogram`; `rounds` are those of the checkpoints."""
    amount = keys & np.uint64((1 << POINT_SHIFT) - 1)
    return frame(
        "distribution",
        {
            "cell": cell,
            "bettor": bettor,
            "round": rounds[(keys >> np.uint64(POINT_SHIFT)).astype(np.int64)],
            "bankroll": money(amount.astype(np.int64)),
            "sessions": sessions,
        },
    )


def trajectories_frame(trace: Trace, *, cell: int, bettor: str) -> pl.DataFrame:
    """One row a round of each sampled session."""
    outcomes = pl.Series(tuple(Outcome), dtype=pl.String)
    columns: dict[str, Any] = {
        "cell": cell,
        "bettor": bettor,
        "session": trace.session,
        "round": trace.round,
        "shoe": trace.shoe,
        "outcome": outcomes.gather(pl.Series(trace.outcome.astype(np.uint32))),
        "bets": trace.bets,
    }
    columns |= {name: money(getattr(trace, name)) for name in ("staked", "net", "commission", "bankroll")}
    return frame("trajectories", columns)


def cells_frame(cells: Sequence[Cell]) -> pl.DataFrame:
    """One row a cell: its label and what its sessions begin with."""
    return frame(
        "cells",
        {
            "cell": [cell.index for cell in cells],
            "label": [cell.label for cell in cells],
            "sessions": [cell.sessions for cell in cells],
            "rounds": [cell.horizon.rounds for cell in cells],
            "shoes": [cell.horizon.shoes for cell in cells],
            "bankroll": [from_amount(cell.bankroll) for cell in cells],
            "table": [cell.table.name for cell in cells],
        },
    )
