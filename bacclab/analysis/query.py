"""SQL over the frames of runs, by polars' own SQL: nothing is read but the frames of the runs that are named.

The tables are the frames (`summary`, `sessions`, `distribution` and so on). With several runs each table holds the rows
of all of them, with a column ``run`` in front. Frames are scanned, so a question about millions of sessions reads the
columns that it asks for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

import polars as pl

from bacclab.errors import ConfigError, did_you_mean, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Scanned", "query"]


class Scanned(Protocol):
    """A run as a question sees it."""

    @property
    def frames(self) -> tuple[str, ...]:
        """The names of its frames."""

    def scan(self, name: str) -> pl.LazyFrame:
        """One of them."""


_FIRST = ("SELECT", "WITH", "SHOW", "EXPLAIN", "(", "FROM", "VALUES")
_TEXT = re.compile(r"'(?:[^']|'')*'|(\"[^\"]*\"|`[^`]*`)|--[^\n]*|/\*.*?\*/", re.DOTALL)
_READS = re.compile(r"\b(?:read|scan)_\w+|[\"`]\s*\(", re.IGNORECASE)
_MISSING_COLUMN = re.compile(
    r"no column named '([^']+)'|unable to find column \"([^\"]+)\"|'([^']+)' was not "
    r"found|column.*?\"([^\"]+)\".*?not found|^([\w.]+)$"
)
_MISSING_TABLE = re.compile(r"relation '([^']+)' was not found", re.IGNORECASE)


def query(sql: str, runs: Sequence[tuple[str, Scanned]]) -> pl.DataFrame:
    """The answer to a question in SQL; `runs` are finished runs with the names that the column ``run`` gives them.

    A figure that is no number, such as a share of nothing, is null. ConfigError for anything but a question, for a
    function that reads files, and for a mistake in the SQL: one line, with the nearest table or column.
    """
    _refuse_other(sql)
    tables = _tables(runs)
    context = pl.SQLContext(tables, eager=False)
    try:
        answer = context.execute(sql).collect(engine="streaming")
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, ValueError, TypeError) as error:
        raise _told(error, sql, tables) from None
    floats = pl.selectors.float()
    return answer.with_columns(pl.when(floats.is_finite()).then(floats))


def _refuse_other(sql: str) -> None:
    # Texts and comments are nothing to look at; of a quoted name it is enough to know that it is one.
    plain = _TEXT.sub(lambda found: '"name"' if found[1] else " ", sql).strip()
    if not plain:
        raise ConfigError("there is no question", hint='for example "select bettor, median from summary"')
    if not plain.upper().startswith(_FIRST):
        raise ConfigError(f"a question begins with SELECT or WITH, not {plain.split()[0]!r}")
    if ";" in plain.rstrip(";").rstrip():
        raise ConfigError("one question at a time: there is more after the ;")
    reads = _READS.search(plain)
    if reads:
        raise ConfigError(
            f"only the frames of the runs can be read, not {reads[0].strip()!r}",
            hint="name the runs behind the question",
        )


def _tables(runs: Sequence[tuple[str, Scanned]]) -> dict[str, pl.LazyFrame]:
    names = dict.fromkeys(name for _, run in runs for name in run.frames)
    several = len(runs) > 1
    tables = {}
    for name in names:
        parts = [
            run.scan(name).select(pl.lit(label).alias("run"), pl.all()) if several else run.scan(name)
            for label, run in runs
            if name in run.frames
        ]
        # Metrics of plugins are columns of some runs and not of others.
        tables[name] = pl.concat(parts, how="diagonal_relaxed") if several else parts[0]
    return tables


def _told(error: BaseException, sql: str, tables: Mapping[str, pl.LazyFrame]) -> ConfigError:
    """The mistake in one line, with the nearest right name."""
    line = " ".join(str(error).split("Resolved plan")[0].split("\n\n")[0].split())
    missing = _MISSING_TABLE.search(line)
    if missing:
        return ConfigError(f"there is no table {missing[1]!r}", hint=did_you_mean(missing[1], list(tables)))
    found = (
        _MISSING_COLUMN.search(line)
        if isinstance(error, pl.exceptions.ColumnNotFoundError | pl.exceptions.SQLInterfaceError)
        else None
    )
    if found:
        column = next(group for group in found.groups() if group)
        named = [name for name in tables if re.search(rf"\b{re.escape(name)}\b", sql)]
        columns = list(dict.fromkeys(c for name in named for c in tables[name].collect_schema().names()))
        near = nearest(column.rpartition(".")[2], columns)
        where = f" in {' or '.join(named)}" if named else ""
        return ConfigError(
            f"there is no column {column!r}{where}",
            hint=f"did you mean {near}?" if near else f"there are {', '.join(columns)}",
        )
    return ConfigError(f"the question cannot be answered: {line[:300]}")
