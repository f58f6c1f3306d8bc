"""Whether the rows of a stored record are such as an import writes: a file may say that it is a record and be none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bacclab.memory import too_large
from bacclab.shoes.recorded.cards import UNKNOWN, show_card
from bacclab.shoes.recorded.faults import FAULTS, NOTES, Finding

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

__all__ = ["facts_of", "findings_of", "rows_fault", "shape_fault"]

_CARDS: Final = ("p1", "p2", "p3", "b1", "b2", "b3")
_BETWEEN: Final = {"player_total": (0, 9), "banker_total": (0, 9), "player_cards": (2, 3), "banker_cards": (2, 3)}
_NOTHING: Final = type(None)


def shape_fault(found: Mapping[str, pl.DataType], wanted: Mapping[str, pl.DataType], *, rows: int) -> str | None:
    """What is wrong with the columns of a file, or with how many rows it has, before any of them is read."""
    for name, kind in wanted.items():
        if found[name].is_nested() or found[name].base_type() not in (kind.base_type(), *_alike(kind)):
            return f"its column {name!r} is of the kind {found[name]}, not {kind}"
    return too_large(rows, len(wanted))


def _alike(kind: pl.DataType) -> tuple[Any, ...]:
    """Kinds in which Parquet may give a column back."""
    import polars as pl

    return (pl.String, pl.Categorical, pl.Enum) if kind.base_type() in (pl.Enum, pl.String) else ()


def rows_fault(frame: pl.DataFrame) -> str | None:
    """What is wrong with the values of a record, in words; None if they can be those of one."""
    import polars as pl

    if not frame.height:
        return "it has no rounds"
    cards = [show_card(card) for card in range(UNKNOWN)]
    wrong = {
        "a round without a shoe": pl.col("shoe").is_null().any(),
        "shoes that do not count on from 1": (pl.col("shoe").first() < 1) | (pl.col("shoe").diff() < 0).any(),
        "a round without a line": pl.col("line").is_null().any(),
        **{
            f"a value in the column {name!r} that is not {least} to {most}": (
                ~pl.col(name).is_between(least, most)
            ).any()
            for name, (least, most) in _BETWEEN.items()
        },
        **{f"a card in the column {name!r} that is none": (~pl.col(name).is_in(cards)).any() for name in _CARDS},
    }
    told = frame.select(expression.fill_null(value=False).alias(words) for words, expression in wrong.items())
    return next((f"it has {words}" for words, is_so in told.row(0, named=True).items() if is_so), None)


def facts_of(values: Any, name: str) -> dict[str, Any]:
    """What an import took of a file; ValueError if it is not that. The file is called `name` where it is not said."""
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise ValueError("what was taken of its source cannot be read")
    notes, by_name = values.get("notes", []), (values.get("found", {}), values.get("rules", {}))
    if not isinstance(notes, list) or not all(isinstance(one, str) for one in notes):
        raise ValueError("what was taken of its source cannot be read")
    if not all(isinstance(one, dict) for one in by_name):
        raise ValueError("what was taken of its source cannot be read")
    odd = next((key for key, value in values.items() if key not in ("notes", "found", "rules")
                and not isinstance(value, str | int | float | _NOTHING)), None)  # fmt: skip
    if odd is not None:
        raise ValueError(f"what was taken of its source has no plain {odd!r:.60}")
    return {"file": name} | {key: str(value) if key == "file" else value for key, value in values.items()}


def findings_of(values: Any) -> tuple[Finding, ...]:
    """The findings of an import; ValueError if they are none."""
    if not isinstance(values, list) or not all(isinstance(row, list) and len(row) == 5 for row in values):
        raise ValueError("its findings cannot be read")
    for line, shoe, number, kind, text in values:
        whole = isinstance(line, int) and isinstance(shoe, int) and isinstance(number, int | _NOTHING)
        if not (whole and isinstance(kind, str) and isinstance(text, str)):
            raise ValueError("its findings cannot be read")
        if kind not in FAULTS and kind not in NOTES:  # nobody knows whether its round can be trusted
            raise ValueError(f"a finding of it is of no known kind: {kind!r:.60}")
    return tuple(Finding(*row) for row in values)
