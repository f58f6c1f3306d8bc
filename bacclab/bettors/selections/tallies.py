"""Which side, by what the shoe has brought: the side with more wins or fewer, and the tie that came or is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, Literal

from bacclab.bettors.base import Selection, selection
from bacclab.bettors.params import Param
from bacclab.bettors.selections.recent import HistorySelection
from bacclab.game.codes import Outcome

if TYPE_CHECKING:
    from bacclab.bettors.view import Result
    from bacclab.game.tables import Table

__all__ = ["MajorityOfShoe", "TieChaser"]

_FARTHEST: Final = 60
"""A lead is counted up to here: to pass it and lose it again takes 122 decisions, and eight decks have 104."""


@selection("majority-of-shoe")
class MajorityOfShoe(HistorySelection):
    """The side that has won more decisions of the shoe so far, or the one that has won fewer and is called "due".

    No bet while the two are level, so the first one is on the second decision.

    Source: common practice; both are said with the same conviction.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(MajorityOfShoe(), "P B T B B P")
    '- P - - B B'
    >>> sides(MajorityOfShoe(back="behind"), "P B T B B P")
    '- B - - P P'
    """

    back: Annotated[Literal["ahead", "behind"], Param(text="the side with more wins, or with fewer")] = "ahead"

    def forget(self) -> None:
        self.lead = 0

    def learn(self, outcome: Outcome) -> None:
        step = 1 if outcome is Outcome.BANKER else -1
        self.lead = max(-_FARTHEST, min(self.lead + step, _FARTHEST))

    def choose(self) -> Outcome | None:
        if self.lead == 0:
            return None
        return Outcome.BANKER if (self.lead > 0) == (self.back == "ahead") else Outcome.PLAYER


@selection("tie-chaser")
class TieChaser(Selection):
    """Bets on Tie once it has been missing for some rounds, or for some rounds after each one that came.

    With ``when = "missing"`` it bets after ``rounds`` rounds without a tie since the last one, or since the shoe began,
    and until one comes; with ``when = "came"`` on the ``rounds`` rounds that follow a tie, counted anew from a further
    one. Played flat, or with a progression whose steps grow by the odds of the tie, as those of commission-martingale
    do.

    Source: common practice.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(TieChaser(rounds=3), "P B P B T P")
    '- - - tie tie -'
    >>> sides(TieChaser(when="came", rounds=2), "P T B T P B P")
    '- - tie tie tie tie -'
    """

    when: Annotated[Literal["missing", "came"], Param(text="chase a tie that is missing, or one that came")] = "missing"
    rounds: Annotated[
        int, Param(ge=0, text="rounds without a tie before the first bet, or rounds of bets after one")
    ] = 10

    def start(self, table: Table) -> None:
        self.shoe()

    def shoe(self) -> None:
        self.since = 0 if self.when == "missing" else self.rounds

    def side(self, view: object) -> str | None:
        return Outcome.TIE if (self.since >= self.rounds) == (self.when == "missing") else None

    def see(self, result: Result) -> None:
        self.since = 0 if result.outcome is Outcome.TIE else min(self.since + 1, self.rounds)
