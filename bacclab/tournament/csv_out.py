"""CSV that a spreadsheet may open: no text in it is taken as a formula, and no zero has a sign.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` (also in their full-width forms) as a formula,
which may call other programs or send data away; a tab or a line end at the beginning is passed over first. A bettor's
name or the label of a cell may begin so. Such texts get an apostrophe in front, which a spreadsheet takes as "this is
text"; numbers stay numbers, and Parquet and JSON keep every text as it is. Source: OWASP, CSV Injection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import polars as pl

__all__ = ["for_csv", "without_minus_zero"]

_FORMULA: Final = r"^[=+\-@\t\r\n\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}]"

Rows = TypeVar("Rows", "pl.DataFrame", "pl.LazyFrame")


def without_minus_zero(rows: Rows) -> Rows:
    """The rows with 0.0 in place of each -0.0: what is negated or rounded to nothing has no sign.

    >>> import polars as pl
    >>> without_minus_zero(pl.DataFrame({"edge": [-0.0, -0.5, None]})).write_csv().split()
    ['edge', '0.0', '-0.5']
    """
    import polars as pl

    # Not `+ 0.0`, which polars takes for nothing to do.
    return rows.with_columns(
        pl.when(pl.col(name) == 0).then(pl.lit(0.0, kind)).otherwise(pl.col(name)).alias(name)
        for name, kind in rows.collect_schema().items()
        if kind.is_float()
    )


def for_csv(rows: Rows) -> Rows:
    """The rows with an apostrophe before each text, and before each name of a column, that would be a formula.

    Zero has no sign (`without_minus_zero`).

    >>> import polars as pl
    >>> for_csv(pl.DataFrame({"bettor": ["=1+1", "Flat", None], "net": [-5.0, -0.0, 1.0]})).rows()
    [("'=1+1", -5.0), ('Flat', 0.0), (None, 1.0)]
    """
    import polars as pl

    schema = rows.collect_schema()
    texts = [name for name, kind in schema.items() if kind in (pl.String, pl.Categorical, pl.Enum)]
    changed = [
        pl.when(pl.col(name).cast(pl.String).str.contains(_FORMULA))
        .then(pl.concat_str(pl.lit("'"), pl.col(name).cast(pl.String)))
        .otherwise(pl.col(name).cast(pl.String))
        .alias(name)
        for name in texts
    ]
    odd = pl.Series(schema.names(), dtype=pl.String)
    return (
        without_minus_zero(rows)
        .with_columns(changed)
        .rename({name: f"'{name}" for name in odd.filter(odd.str.contains(_FORMULA))})
    )
