"""The own storage form: one typed row a round, null for what is not known, with what was taken and found beside it."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bacclab.errors import SourceError
from bacclab.game.codes import Outcome
from bacclab.json_text import holds_half_a_character
from bacclab.shoes.recorded.faults import FAULTS, Finding
from bacclab.shoes.recorded.stored import facts_of, findings_of, rows_fault, shape_fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl
    from numpy.typing import NDArray

__all__ = ["Record", "Shoe", "schema"]

VERSION: Final = 1
_KEY: Final = "bacclab.record"
_UNREADABLE: Final = (OSError, ValueError, KeyError, TypeError, RecursionError)
CARDS: Final = ("p1", "p2", "p3", "b1", "b2", "b3")


def schema() -> dict[str, pl.DataType]:
    """The columns of a record.

    `shoe` counts from 1 and `shoe_name` is what the source calls it; `round` is the source's own number; `winner` and
    totals stand as the source has them, and what it leaves open is filled only where the cards or totals tell it;
    `natural` says that the winner won with a natural; cards are written `8s`, `10d`, rank alone where the suit is not
    known, `0` for a ten or a face of unknown rank, empty for no card; `line` is the line of the source; `fault` names
    what is wrong with the row.

    >>> list(schema())[:6]
    ['shoe', 'shoe_name', 'table', 'round', 'winner', 'player_total']
    """
    import polars as pl

    small, text, truth = pl.Int8(), pl.String(), pl.Boolean()
    return {
        "shoe": pl.Int64(), "shoe_name": text, "table": text, "round": pl.Int64(),
        "winner": pl.Enum([outcome.value for outcome in Outcome]), "player_total": small, "banker_total": small,
        "natural": truth, "player_pair": truth, "banker_pair": truth, "player_cards": small, "banker_cards": small,
        **dict.fromkeys(CARDS, text), "time": text, "line": pl.Int64(), "file": text, "fault": text,
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shoe:
    """One recorded shoe: its number, its name and table in the source, and its rounds, the oldest first.

    `outcomes` are places in `Outcome` (uint8: 0 player, 1 banker, 2 tie); a round without a winner is left out of them,
    so look at `rounds` for the rows themselves.
    """

    number: int
    name: str | None
    table: str | None
    rounds: pl.DataFrame

    @property
    def outcomes(self) -> NDArray[np.uint8]:
        """Who won each round."""
        found: NDArray[np.uint8] = self.rounds["winner"].drop_nulls().to_physical().to_numpy().astype(np.uint8)
        return found

    @property
    def letters(self) -> str:
        """The shoe as letters P, B, T."""
        return "".join("PBT"[outcome] for outcome in self.outcomes.tolist())


@dataclass(frozen=True, slots=True)
class Record:
    """A record: `frame` (see `schema`), `facts` (what was taken: form, language, encoding, …) and `findings`."""

    frame: pl.DataFrame
    facts: dict[str, Any] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings because of which a round cannot be trusted."""
        return tuple(one for one in self.findings if one.is_fault)

    @property
    def shoe_count(self) -> int:
        """How many shoes there are."""
        return int(self.frame["shoe"].n_unique())

    def shoes(self) -> Iterator[Shoe]:
        """The shoes one after the other."""
        starts = np.flatnonzero(np.diff(self.frame["shoe"].to_numpy(), prepend=0))
        ends = [*starts[1:].tolist(), self.frame.height]
        for start, end in zip(starts.tolist(), ends, strict=True):
            rounds = self.frame.slice(start, end - start)
            yield Shoe(int(rounds["shoe"][0]), rounds["shoe_name"][0], rounds["table"][0], rounds)

    def to_bytes(self) -> bytes:
        """The record as a Parquet file."""
        told = {
            "version": VERSION,
            "facts": self.facts,
            "findings": [[one.line, one.shoe, one.round, one.kind, one.text] for one in self.findings],
        }
        buffer = io.BytesIO()
        self.frame.write_parquet(buffer, metadata={_KEY: json.dumps(told, ensure_ascii=False)})
        return buffer.getvalue()

    @staticmethod
    def is_own(metadata: Mapping[str, str]) -> bool:
        """Whether the metadata of a Parquet file say that it is a record of bacclab."""
        return _KEY in metadata

    @classmethod
    def from_bytes(cls, data: bytes, *, name: str) -> Record:
        """A record from its Parquet file; SourceError for another file."""
        import polars as pl

        try:
            columns = pl.read_parquet_schema(io.BytesIO(data))
            told = pl.read_parquet_metadata(io.BytesIO(data)).get(_KEY)
            rows = pl.scan_parquet(io.BytesIO(data)).select(pl.len()).collect().item()
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
            raise SourceError(f"{name} is a damaged Parquet file: {_short(error)}") from None
        if told is None or list(columns) != list(schema()):
            raise SourceError(
                f"{name} is a Parquet file, but no record of bacclab",
                hint="write its table as CSV and bring it in with `bacclab shoes import`",
            )
        wrong = shape_fault(columns, schema(), rows=rows)
        if wrong is not None:
            raise SourceError(f"{name} is a damaged record: {wrong}")
        try:
            beside = json.loads(told)
            if holds_half_a_character(told, beside):
                raise ValueError("its facts hold half of a character (a lone surrogate)")
            frame = pl.read_parquet(io.BytesIO(data)).cast(schema())  # type: ignore[arg-type]
            findings, facts = findings_of(beside["findings"]), facts_of(beside["facts"], name)
        except (*_UNREADABLE, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            raise SourceError(f"{name} is a damaged record: {_short(error)}") from None
        wrong = rows_fault(frame)
        if wrong is not None:
            raise SourceError(f"{name} is a damaged record: {wrong}")
        return cls(frame, facts, findings)


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


def fault_names(kinds: list[str]) -> str:
    """Kinds of faults of one row in one text, in a fixed order.

    >>> fault_names(["winner", "third card", "winner"])
    'winner, third card'
    """
    return ", ".join(kind for kind in FAULTS if kind in kinds)
