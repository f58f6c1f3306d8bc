"""Which side, by runs: ride a streak, bet on the chop, on doubles, or against a long run.

A run is a row of decisions for one side, a chop a row of decisions that alternate. Both count without ties (see the
option ``ties`` of `bacclab.bettors.selections.recent.HistorySelection`), and both counters stop at the length that
matters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from bacclab.bettors.base import selection
from bacclab.bettors.params import Param
from bacclab.bettors.selections.recent import HistorySelection, opposite

if TYPE_CHECKING:
    from bacclab.game.codes import Outcome

__all__ = ["Chop", "RunSelection", "Streak", "ThreeBreaker", "TwoTwo"]


class RunSelection(HistorySelection):
    """A selection by the length of the current run; a base for your own.

    Keeps ``last``, the side of the run, and ``length``, which stops counting at `longest`: lengths from there on are
    all alike to the rule, which makes the states few.
    """

    def longest(self) -> int:
        """The length of a run past which nothing changes."""
        raise NotImplementedError(f"{type(self).__name__} does not say what a long run is: define longest(self)")

    def forget(self) -> None:
        self.last: Outcome | None = None
        self.length = 0

    def learn(self, outcome: Outcome) -> None:
        self.length = min(self.length + 1, self.longest()) if outcome is self.last else 1
        self.last = outcome


@selection("streak")
class Streak(RunSelection):
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

    def longest(self) -> int:
        return self.run

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


@selection("two-two")
class TwoTwo(RunSelection):
    """Bets that runs are two long ("two-two", "double chop"): the last side after one of it, the other side after two.

    No bet while a run is three long or longer; the next run starts it again. The first bet is on the second decision.

    Source: eliteinnovationsllc.com, "Baccarat strategy 4" (doubles); au.netbet.org, "Betting on streaks".

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(TwoTwo(), "B B P T P P P B B B")
    '- B P P P B - - B P'
    """

    def longest(self) -> int:
        return 3

    def choose(self) -> Outcome | None:
        if self.last is None or self.length > 2:
            return None
        return self.last if self.length == 1 else opposite(self.last)


@selection("three-breaker")
class ThreeBreaker(RunSelection):
    """Bets against a long run: the side opposite to the last while the run is ``run`` long or longer.

    With ``bets = "each"`` it bets on each decision until the run breaks, usually at doubled stakes; with
    ``bets = "once"`` only on the one after the run has reached that length.

    Source: realgambling.net, "Casino games, baccarat, strategy" (three in a row).

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(ThreeBreaker(), "B B B B T B P P")
    '- - - P P P P -'
    >>> sides(ThreeBreaker(bets="once"), "B B B T B B P P")
    '- - - P P - - -'
    """

    run: Annotated[int, Param(ge=1, text="length of the run from which it is bet against")] = 3
    bets: Annotated[Literal["each", "once"], Param(text="bet until the run breaks, or once in a run")] = "each"

    def longest(self) -> int:
        return self.run + 1

    def choose(self) -> Outcome | None:
        if self.last is None or self.length < self.run or (self.bets == "once" and self.length > self.run):
            return None
        return opposite(self.last)
