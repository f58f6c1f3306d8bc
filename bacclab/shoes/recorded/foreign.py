"""Parquet files that are no records of bacclab: their rows are read as rounds."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from bacclab.errors import SourceError
from bacclab.shoes.recorded.feed import rounds_of_json
from bacclab.shoes.recorded.record import Record

if TYPE_CHECKING:
    from bacclab.shoes.recorded.draft import Drafts, Reading

__all__ = ["is_foreign", "rounds_of_parquet"]

_MOST_ROWS = 5_000_000


def is_foreign(data: bytes) -> bool:
    """Whether a Parquet file was written by another program; a damaged one is left to `Record.from_bytes`."""
    import polars as pl

    try:
        return not Record.is_own(pl.read_parquet_metadata(io.BytesIO(data)))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        return False


def rounds_of_parquet(data: bytes, reading: Reading) -> Drafts:
    """The rounds of its rows, by the names of its columns; the line of a round is its row, from 1.

    Raises SourceError where the file cannot be read or its columns do not tell of rounds.
    """
    import polars as pl

    try:
        if pl.scan_parquet(io.BytesIO(data)).select(pl.len()).collect().item() > _MOST_ROWS:
            raise SourceError(f"the table has more than {_MOST_ROWS:,} rows", hint="cut it into files")
        lines = pl.read_parquet(io.BytesIO(data)).write_ndjson().splitlines()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise SourceError(f"the Parquet table cannot be read: {' '.join(str(error).split())[:200]}") from None
    drafts = rounds_of_json(lines, reading)
    drafts.form = "Parquet table of another program"
    drafts.taken = {**drafts.taken, "line": "the row of the table, from 1"}
    return drafts
