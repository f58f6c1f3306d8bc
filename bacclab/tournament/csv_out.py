"""CSV that a spreadsheet may open: no text in it is taken as a formula.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` (also in their full-width forms) as a formula, which
may call other programs or send data away; a tab or a line end at the beginning is passed over first. A bettor's name or the
label of a cell may begin so. Such texts get an apostrophe in front, which a spreadsheet takes as "this is text"; numbers
stay numbers, and Parquet and JSON keep every text as it is.
Source: OWASP, CSV Injection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import polars as pl

__all__ = ["harmless"]

_FORMULA: Final = r"^[=+\-@\t\r\n\x{FF1D}\x{FF0B}\x{FF0D}\x{FF20}]"

Rows = TypeVar("Rows", "pl.DataFrame", "pl.LazyFrame")


def harmless(rows: Rows) -> Rows:
    """The rows with an apostrophe before each text, and before each name of a column, that would be a formula.

    >>> import polars as pl
    >>> harmless(pl.DataFrame({"bettor": ["=1+1", "Flat", None], "net": [-5.0, 0.0, 1.0]})).rows()
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
    return rows.with_columns(changed).rename({name: f"'{name}" for name in odd.filter(odd.str.contains(_FORMULA))})
