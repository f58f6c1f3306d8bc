"""The frames of an exact run in the form in which charts read sessions: probabilities stand for counts."""

from __future__ import annotations

import polars as pl

from bacclab.tournament.ledger import ENDINGS

__all__ = ["endings", "finals"]


def endings(rounds: pl.DataFrame) -> pl.DataFrame:
    """How sessions of an exact run end, from exact_rounds: probabilities by ending and round in place of counts."""
    key = ["cell", "bettor"]
    shares = [pl.col(f"ended_{how}").diff().over(key).fill_null(pl.col(f"ended_{how}")) for how in sorted(ENDINGS)]
    return (
        rounds.select(*key, pl.col("round").alias("ended_round"), *shares)
        .unpivot(index=[*key, "ended_round"], variable_name="ended_by", value_name="sessions")
        .filter(pl.col("sessions") > 0)
        .with_columns(pl.col("ended_by").str.strip_prefix("ended_"))
        .select(*key, "ended_by", "ended_round", "sessions", pl.lit(None, pl.Float64).alias("expected"))
        .sort(*key, "ended_by", "ended_round")
    )


def finals(frame: pl.DataFrame) -> pl.DataFrame:
    """Final bankrolls of an exact run, from exact_finals: probabilities in place of counts."""
    return frame.rename({"probability": "sessions"})
