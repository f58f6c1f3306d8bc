"""Which side, as data: a map from the last results to a side, in the experiment file or in a CSV file beside it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Literal

from bacclab.bettors.base import selection
from bacclab.bettors.csv_text import CsvText
from bacclab.bettors.params import Param
from bacclab.bettors.selections.recent import HistorySelection
from bacclab.errors import BettorError, shorten
from bacclab.game.codes import Outcome

__all__ = ["LastNMap"]

_SIDES = {"P": Outcome.PLAYER, "B": Outcome.BANKER, "-": None}
_MOST_RESULTS = 12
"""The longest pattern: with it a map can have 4,096 rows."""


@selection("last-n-map")
class LastNMap(HistorySelection):
    """A written map from the last results of the shoe to a bet: ``map = { BB = "P", BP = "B", … }``.

    A row's pattern has the results in the order in which they came, the last result last; ties are left out. Its bet is
    ``P``, ``B`` or ``-`` (none); a pattern that is not in the map is sat out. All patterns have one length n, and
    nothing is bet before the shoe has n results. In a CSV file (``csv = "map.csv"``) the columns are pattern, bet.

    Follow the last, the time before last and two-two are such maps, and so are 2^(2^n) others.

    Source: letstalkwinning.com, systems by the last n results.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(LastNMap(map={"BB": "P", "PB": "B"}), "B B T P B P")
    '- - P P - B'
    >>> LastNMap(map={"BB": "P", "B": "P"})
    Traceback (most recent call last):
      ...
    bacclab.errors.BettorError: last-n-map: map: the patterns BB and B differ in length (a map looks at one number of
    results)
    """

    map: Annotated[Mapping[str, Literal["P", "B", "-"]], Param(min_length=1, text="bets by the last results")] = (
        MappingProxyType({"PP": "B", "BB": "P"})
    )
    csv: Annotated[CsvText | None, Param(text="the map as a file with the columns pattern, bet")] = None

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        if self.csv is not None:
            if "map" in values:
                raise BettorError(f"{self.id}: map and csv cannot both be given")
            self.map, self.csv = MappingProxyType(_map_of(self.csv)), None
        patterns = tuple(self.map)
        for pattern in patterns:
            _check_pattern(pattern, f"{self.id}: map")
            if len(pattern) != len(patterns[0]):
                raise BettorError(
                    f"{self.id}: map: the patterns {patterns[0]} and {pattern} differ in length",
                    hint="a map looks at one number of results",
                )
        self.results = len(patterns[0])

    def forget(self) -> None:
        self.last = ""

    def learn(self, outcome: Outcome) -> None:
        self.last = (self.last + ("P" if outcome is Outcome.PLAYER else "B"))[-self.results :]

    def choose(self) -> Outcome | None:
        return _SIDES[self.map.get(self.last, "-")]


def _map_of(text: CsvText) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, row in text.rows("pattern", "bet"):
        pattern, bet = row["pattern"].upper(), row["bet"].upper()
        _check_pattern(pattern, f"{text.file}, row {number}: pattern")
        if bet not in _SIDES:
            raise text.fault(number, f"bet {shorten(repr(row['bet']), 40)} must be P, B or -")
        if pattern in found:
            raise text.fault(number, f"pattern {pattern} is there twice")
        if found and len(pattern) != len(next(iter(found))):
            first = next(iter(found))
            raise text.fault(
                number,
                f"pattern {pattern} differs in length from {first}",
                hint="a map looks at one number of results",
            )
        found[pattern] = bet
    if not found:
        raise BettorError(f"{text.file} has no rows under its header")
    return found


def _check_pattern(pattern: str, where: str) -> None:
    if not pattern or set(pattern) - set("PB"):
        hint = "ties are left out of the history" if "T" in pattern else None
        raise BettorError(f"{where} {shorten(repr(pattern), 40)} must be made of the letters P and B", hint=hint)
    if len(pattern) > _MOST_RESULTS:
        raise BettorError(f"{where} {shorten(repr(pattern), 40)} is too long", hint=f"at most {_MOST_RESULTS} results")
