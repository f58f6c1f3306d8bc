"""Which side, by the columns of the Big Road: bet that column lengths come again, in order or mirrored, or as written.

A column is a run of decisions for one side; its length is known when the other side wins. Lengths are counted up to
``longest`` (six is the height of the road on the wall), so a longer column counts as that long: this keeps the states
few.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from bacclab.bettors.base import selection
from bacclab.bettors.params import Param
from bacclab.bettors.selections.recent import HistorySelection, opposite
from bacclab.errors import BettorError

if TYPE_CHECKING:
    from bacclab.game.codes import Outcome

__all__ = ["ColumnPattern", "ColumnRepeat", "ColumnSelection", "Mirror"]


class ColumnSelection(HistorySelection):
    """Bets that the current column becomes as long as `expected` says; a base for your own.

    Define `finish` (a column is over: remember what the rule needs in ``finished`` and ``passed``) and `expected`.

    The side of the column while it is shorter, the other side when it is just as long. Once it is longer, what was
    expected did not come: no bet until the next column begins.
    """

    longest: Annotated[int, Param(ge=2, le=20, text="columns of this length and longer are one length")] = 6

    def finish(self, length: int) -> None:
        """A column of that length is finished."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it remembers: define finish(self, length)")

    def expected(self) -> int | None:
        """The length that the current column is expected to have; None for no expectation."""
        raise NotImplementedError(f"{type(self).__name__} does not expect anything: define expected(self)")

    def forget(self) -> None:
        self.last: Outcome | None = None
        self.length = 0
        self.finished: tuple[int, ...] = ()
        self.passed = 0

    def learn(self, outcome: Outcome) -> None:
        if outcome is self.last:
            self.length = min(self.length + 1, self.longest + 1)
            return
        if self.last is not None:
            self.finish(min(self.length, self.longest))
        self.last, self.length = outcome, 1

    def choose(self) -> Outcome | None:
        if self.last is None or (expected := self.expected()) is None or self.length > expected:
            return None
        return self.last if self.length < expected else opposite(self.last)


@selection("column-repeat")
class ColumnRepeat(ColumnSelection):
    """Bets as if the lengths of the last ``columns`` columns came again, each column as long as the one that far back.

    With ``columns = 1`` each column is expected to be as long as the one before it. The first bet is in the column
    after ``2 * columns`` finished ones. With ``confirmed = true`` it bets only while the last columns did come twice:
    each of the last ``columns`` as long as the one that far before it.

    Source: a way of reading the road that players call repeating patterns; common practice.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(ColumnRepeat(), "B B P T P B P")
    '- - - - - - B'
    >>> sides(ColumnRepeat(), "B P B B P P P B B B")
    '- - - P - P B - B B'
    >>> sides(ColumnRepeat(columns=2), "B P P B P P B P P P")
    '- - - - - - - P P B'
    """

    columns: Annotated[int, Param(ge=1, le=3, text="how many columns come again")] = 1
    confirmed: Annotated[bool, Param(text="bet only while the last columns came twice")] = False

    def finish(self, length: int) -> None:
        # Columns passed: not confirmed, those that only have to be over; confirmed, those in a row that came again.
        whole = len(self.finished) == self.columns
        if self.confirmed:
            self.passed = min(self.passed + 1, self.columns) if whole and length == self.finished[0] else 0
        elif self.passed < self.columns:
            self.passed += 1
            return
        self.finished = (*self.finished, length)[-self.columns :]

    def expected(self) -> int | None:
        ready = len(self.finished) == self.columns and self.passed == self.columns
        return self.finished[0] if ready else None


@selection("mirror")
class Mirror(ColumnSelection):
    """Bets that the columns come again in the opposite order: after lengths 1, 3 it expects 3, 1.

    The columns of a shoe are taken in blocks of ``columns``; each block from the third on is expected to be the mirror
    image of the block before it, so the first bet is in the column after ``2 * columns`` finished ones.

    Source: a way of reading the road that players call mirrors; common practice.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(Mirror(), "B P B P P B P P P B B")
    '- - - - - - B B - - B'
    """

    columns: Annotated[int, Param(ge=1, le=3, text="how many columns are mirrored")] = 2
    longest: Annotated[int, Param(ge=2, le=20, text="columns of this length and longer are one length")] = 4

    def forget(self) -> None:
        super().forget()
        self.mirrored: tuple[int, ...] = ()

    def finish(self, length: int) -> None:
        if self.passed < self.columns:
            self.passed += 1
            return
        self.finished, self.mirrored = (*self.finished, length), self.mirrored[:-1]
        if len(self.finished) == self.columns:
            self.finished, self.mirrored = (), self.finished

    def expected(self) -> int | None:
        return self.mirrored[-1] if self.mirrored else None


@selection("column-pattern")
class ColumnPattern(ColumnSelection):
    """Bets that columns go on with written lengths, such as 1-2 or 3-1, once they have come.

    The list is read as a circle: when the last columns, as many as it has, are the list from anywhere in it on, the
    next column is expected to have the length that follows. No bet otherwise. A length of ``longest`` means that long
    or longer.

    Source: patterns 1-2, 2-1, 3-1 … that players look for on the road; common practice.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(ColumnPattern(lengths=(1, 2)), "B P P B P P B B B P")
    '- - - - P P B P - -'
    """

    lengths: Annotated[tuple[int, ...], Param(min_length=1, text="the lengths of columns, over and over")] = (1, 2)

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        for length in self.lengths:
            if not 1 <= length <= self.longest:
                raise BettorError(
                    f"{self.id}: lengths = {list(self.lengths)} has {length}; a column is 1 to longest = {self.longest}"
                )

    def finish(self, length: int) -> None:
        # Longer than any that is looked for is one length: fewer states.
        length = min(length, max(self.lengths) + 1)
        self.finished = (*self.finished, length)[-len(self.lengths) :]

    def expected(self) -> int | None:
        for turn in range(len(self.lengths)):
            if self.finished == self.lengths[turn:] + self.lengths[:turn]:
                return self.lengths[turn]
        return None
