"""Which side, by runs: ride a streak, or bet on the chop.

A run is a row of decisions for one side, a chop a row of decisions that alternate. Both count without ties (see the
option ``ties`` of `bacclab.bettors.selections.HistorySelection`), and both counters stop at the length that matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from bacclab.bettors.base import selection
from bacclab.bettors.params import Param
from bacclab.bettors.selections import HistorySelection, opposite

if TYPE_CHECKING:
    from bacclab.game.codes import Outcome

__all__ = ["Chop", "Streak"]


@selection("streak")
class Streak(HistorySelection):
    """Rides a streak ("dragon"): the side of the last decision while the current run is ``run`` long or longer.

    No bet otherwise. A lost bet ends the run, so the next one waits for a new run of that length. With ``run = 1`` it
    is follow-last.

    Source: hellotalk.co.uk, "Betting patterns and streaks"; usual values are 2 to 5.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(Streak(run=2), "B B B T P P P B")
    '- - B B B - P P'
    >>> sides(Streak(run=2, ties="break"), "B B B T B B B")
    '- - B B - - B'
    """

    run: Annotated[int, Param(ge=1, text="length of the run from which it is ridden")] = 2

    def forget(self) -> None:
        self.last: Outcome | None = None
        self.length = 0

    def learn(self, outcome: Outcome) -> None:
        self.length = min(self.length + 1, self.run) if outcome is self.last else 1
        self.last = outcome

    def choose(self) -> Outcome | None:
        return self.last if self.length >= self.run else None


@selection("chop")
class Chop(HistorySelection):
    """Bets that the chop ("ping-pong") goes on: opposite the last while the last ``results`` decisions alternate.

    No bet after the first repeat until that many decisions alternate again.

    Source: hellotalk.co.uk, "Betting patterns and streaks"; usual values are 2 to 4.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(Chop(results=3), "B P B T P P B P B")
    '- - - P P B - - B'
    """

    results: Annotated[int, Param(ge=2, text="how many of the last decisions must alternate")] = 2

    def forget(self) -> None:
        self.last: Outcome | None = None
        self.length = 0

    def learn(self, outcome: Outcome) -> None:
        self.length = 1 if outcome is self.last else min(self.length + 1, self.results)
        self.last = outcome

    def choose(self) -> Outcome | None:
        return opposite(self.last) if self.last is not None and self.length >= self.results else None
