"""A CSV file as the value of a parameter: its lines, taken in when the experiment was read.

In an experiment file ``csv = "map.csv"`` names the file; what reads the experiment puts the lines in its place, so that
everything after it (workers, a run that is resumed, the folder of the run) has the content and not a path.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass

from bacclab.errors import BettorError, did_you_mean, shorten

__all__ = ["CsvText"]


@dataclass(frozen=True, slots=True)
class CsvText:
    r"""The lines of a CSV file and its name; the first line that is not empty names the columns.

    Columns are separated by commas or semicolons, lines that are empty or begin with ``#`` are passed over.

    >>> text = CsvText.of("pattern,bet\nBB,P\n", file="map.csv")
    >>> list(text.rows("pattern", "bet"))
    [(2, {'pattern': 'BB', 'bet': 'P'})]
    >>> list(text.rows("patern", "bet"))
    Traceback (most recent call last):
      ...
    bacclab.errors.BettorError: map.csv, row 1: there is no column 'pattern' (did you mean patern?)
    """

    file: str
    lines: tuple[str, ...]

    @classmethod
    def of(cls, text: str, *, file: str) -> CsvText:
        """The value of a text; `file` is what messages call it."""
        return cls(file, tuple(text.splitlines()))

    def rows(self, *columns: str, optional: tuple[str, ...] = ()) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows under the header, each with the number of its line (from 1) and its cells by column, stripped.

        Cells of `columns` must be filled; those of `optional` may be empty or missing. Raises BettorError with the row.
        """
        numbered = [(n, line) for n, line in enumerate(self.lines, 1) if line.strip() and not line.startswith("#")]
        if not numbered:
            raise BettorError(f"{self.file} is empty", hint=f"its first line names the columns: {','.join(columns)}")
        (first, header), *body = numbered
        semicolons = ";" in header and "," not in header
        names = [cell.lower() for cell in _cells(header, semicolons=semicolons)]
        self._check_header(first, names, columns, optional)
        for number, line in body:
            cells = _cells(line, semicolons=semicolons)
            if len(cells) > len(names):
                raise self.fault(number, f"has {len(cells)} cells under {len(names)} columns")
            row = dict(zip(names, cells, strict=False))
            for name in columns:
                if not row.get(name):
                    raise self.fault(number, f"{name} is missing")
            yield number, {name: row.get(name, "") for name in (*columns, *optional)}

    def fault(self, row: int, what: str, *, hint: str | None = None) -> BettorError:
        """The error for a row: the file, the row, and what is wrong."""
        return BettorError(f"{self.file}, row {row}: {what}", hint=hint)

    def _check_header(self, first: int, names: list[str], columns: tuple[str, ...], optional: tuple[str, ...]) -> None:
        for place, name in enumerate(names):
            if name not in (*columns, *optional):
                hint = did_you_mean(name, (*columns, *optional))
                raise self.fault(first, f"there is no column {shorten(repr(name), 40)}", hint=hint)
            if name in names[:place]:
                raise self.fault(first, f"the column {name} is there twice")
        missing = next((name for name in columns if name not in names), None)
        if missing:
            raise self.fault(first, f"the column {missing} is missing", hint=f"write {','.join(columns)}")


def _cells(line: str, *, semicolons: bool) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=";" if semicolons else ","))]
