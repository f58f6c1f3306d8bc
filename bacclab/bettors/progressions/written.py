"""How much, as data: a table of states with stakes, in the experiment file or in a CSV file beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from bacclab.bettors.base import Progression, progression
from bacclab.bettors.csv_text import CsvText
from bacclab.bettors.params import Param
from bacclab.errors import BettorError, did_you_mean, shorten
from bacclab.money import Money

if TYPE_CHECKING:
    from bacclab.bettors.view import Result, View
    from bacclab.game.tables import Table

__all__ = ["StateRow", "StateTable"]


@dataclass(frozen=True, slots=True)
class StateRow:
    """One state of a staking table: its name, its stake in units, and the states after a won, pushed, lost bet."""

    state: Annotated[str, Param(min_length=1, text="the name of the state")]
    stake: Annotated[int, Param(ge=0, text="the stake in units; 0 bets no more")]
    won: Annotated[str, Param(text="the state after a won bet")]
    lost: Annotated[str, Param(text="the state after a lost bet")]
    push: Annotated[str, Param(text="the state after a push; empty: the same")] = ""


_THREE_STEPS = (StateRow("1", 1, "1", "2"), StateRow("2", 2, "1", "3"), StateRow("3", 4, "1", "1"))


@progression("state-table")
class StateTable(Progression):
    """A written table of states: each has a stake and names the states that follow when it is won, pushed or lost.

    The first row is the start. A push stays in its state unless a row says otherwise (``push``). A state with a stake
    of 0 bets no more. In a CSV file (``csv = "states.csv"``) the columns are state, stake, won, push, lost; in the
    experiment file the rows are ``rows = [{ state = "1", stake = 1, won = "1", lost = "2" }, …]``.

    Every progression with finitely many states can be written so.

    Source: a finite automaton, as any staking rule of a few lines is one.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(StateTable(unit=1), "L L T L L W")
    '1 2 4 4 1 2'
    >>> StateTable(rows=[{"state": "a", "stake": 1, "won": "a", "lost": "b"}])
    Traceback (most recent call last):
      ...
    bacclab.errors.BettorError: state-table: rows: state a: lost names no state 'b' (one of: a)
    """

    rows: Annotated[tuple[StateRow, ...], Param(min_length=1, text="the states, the first one is the start")] = (
        _THREE_STEPS
    )
    csv: Annotated[CsvText | None, Param(text="the table as a file: state, stake, won, push, lost")] = None

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        where = [f"{self.id}: rows: state {row.state}" for row in self.rows]
        if self.csv is not None:
            if "rows" in values:
                raise BettorError(f"{self.id}: rows and csv cannot both be given")
            where, self.rows = _rows_of(self.csv)
            self.csv = None
        self.following = _numbered(self.rows, where)

    def start(self, table: Table) -> None:
        self.now = 0

    def stake(self, view: View) -> Money:
        return self.unit * self.rows[self.now].stake

    def settle(self, result: Result) -> None:
        won, push, lost = self.following[self.now]
        self.now = result.pick(won=won, push=push, lost=lost)


_DIGITS: Final = 15
"""More units than can be written with these are no amount of money, whatever the unit."""


def _rows_of(text: CsvText) -> tuple[list[str], tuple[StateRow, ...]]:
    """The rows of a file, with words for the place of each."""
    where, rows = [], []
    for number, row in text.rows("state", "stake", "won", "lost", optional=("push",)):
        stake = shorten(repr(row["stake"]), 40)
        if not (row["stake"].isascii() and row["stake"].isdigit()):
            hint = "amounts come from unit: a stake of 2 is twice the unit"
            raise text.fault(number, f"stake {stake} must be a whole number of units, none below 0", hint=hint)
        if len(row["stake"]) > _DIGITS:
            raise text.fault(
                number, f"stake {stake} is more units than there is money", hint=f"at most {_DIGITS} digits"
            )
        where.append(f"{text.file}, row {number}")
        rows.append(StateRow(row["state"], int(row["stake"]), row["won"], row["lost"], row["push"]))
    if not rows:
        raise BettorError(f"{text.file} has no rows under its header")
    return where, tuple(rows)


def _numbered(rows: tuple[StateRow, ...], where: list[str]) -> tuple[tuple[int, int, int], ...]:
    """For each state the numbers of those that follow a won, pushed and lost bet."""
    names: dict[str, int] = {}
    for number, row in enumerate(rows):
        if names.setdefault(row.state, number) != number:
            raise BettorError(f"{where[number]}: the state {row.state} is there twice")

    def number_of(name: str, number: int, column: str) -> int:
        if name not in names:
            raise BettorError(
                f"{where[number]}: {column} names no state {shorten(repr(name), 40)}", hint=did_you_mean(name, names)
            )
        return names[name]

    return tuple(
        (
            number_of(row.won, number, "won"),
            number_of(row.push or row.state, number, "push"),
            number_of(row.lost, number, "lost"),
        )
        for number, row in enumerate(rows)
    )
