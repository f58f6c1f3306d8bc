"""Which side: the selections that look at no result, or at the last one or two.

Histories begin afresh with each shoe and leave ties out. Two other treatments of ties that players use are an option,
``ties``, of every selection with a history. The doctests show the side of each round for a shoe of results, ``-``
where the round is sat out; the side stands under the result of its own round and is chosen before it.

Selections that look at runs, streak and chop, are in `bacclab.bettors.selections.trend`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from bacclab.bettors.base import Selection, selection
from bacclab.bettors.params import Param
from bacclab.errors import BettorError
from bacclab.game.codes import Outcome

if TYPE_CHECKING:
    from bacclab.bettors.view import Result, View
    from bacclab.game.tables import Table

__all__ = [
    "Always",
    "FollowLast",
    "HistorySelection",
    "OppositeLast",
    "OppositeTimeBeforeLast",
    "Template",
    "TimeBeforeLast",
    "opposite",
]


def opposite(side: Outcome) -> Outcome:
    """Banker for Player, Player for Banker.

    >>> str(opposite(Outcome.PLAYER))
    'banker'
    """
    return Outcome.PLAYER if side is Outcome.BANKER else Outcome.BANKER


@selection("always")
class Always(Selection):
    """The same bet on every round.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(Always(on="player"), "P B T B")
    'P P P P'
    """

    on: Annotated[str, Param(text="the bet, by its id")] = "banker"

    def side(self, view: View) -> str:
        return self.on


@selection("template")
class Template(Selection):
    """Bets a written list of sides, from its beginning in each shoe, whatever the results.

    The list is made of P (Player), B (Banker) and - (sit out one decision). A tie uses nothing up: the same letter is
    bet again. At the end the list is repeated, or, with ``repeat = false``, the rest of the shoe is sat out.

    Source: README of the GitHub repository treyhamilton/baccarat-betting-simulator (P B P P B B, repeated).

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(Template(pattern="PBPPBB"), "P P T P B B B B")
    'P B P P P B B P'
    >>> sides(Template(pattern="PB-", repeat=False), "B B B B")
    'P B - -'
    """

    pattern: Annotated[str, Param(min_length=1, text="the sides, letters P and B, and - to sit out")] = "PBPPBB"
    repeat: Annotated[bool, Param(text="begin again at the end of the list")] = True

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        strange = sorted(set(self.pattern) - set("PB-"))
        if strange:
            raise BettorError(
                f'{self.id}: pattern = "{self.pattern}" has {strange[0]!r}; it takes the letters P, B and -'
            )

    def start(self, table: Table) -> None:
        self.place = 0

    def shoe(self) -> None:
        self.place = 0

    def side(self, view: View) -> str | None:
        if self.place == len(self.pattern):
            return None
        return {"P": Outcome.PLAYER, "B": Outcome.BANKER, "-": None}[self.pattern[self.place]]

    def see(self, result: Result) -> None:
        if result.outcome is Outcome.TIE or self.place == len(self.pattern):
            return
        self.place += 1
        if self.repeat:
            self.place %= len(self.pattern)


class HistorySelection(Selection):
    """A selection that learns from the decisions of the shoe; a base for your own.

    Define `forget` (the state at the start of a shoe), `learn` (a decision was added to the history) and `choose` (the
    side, or None). Ties are left out of the history; the option ``ties`` names two other customs: ``break`` forgets
    the history at a tie, ``sit-out`` keeps it but sits out the round after a tie.
    """

    ties: Annotated[
        Literal["left-out", "break", "sit-out"], Param(text="what a tie does: nothing, forget the history, sit out")
    ] = "left-out"

    def forget(self) -> None:
        """The history is empty."""
        raise NotImplementedError(f"{type(self).__name__} does not say what an empty history is: define forget(self)")

    def learn(self, outcome: Outcome) -> None:
        """Player or Banker won: the newest entry of the history."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it learns: define learn(self, outcome)")

    def choose(self) -> Outcome | None:
        """The side for the next round, from the history alone."""
        raise NotImplementedError(f"{type(self).__name__} does not choose a side: define choose(self)")

    def start(self, table: Table) -> None:
        self.shoe()

    def shoe(self) -> None:
        self.forget()
        self.sitting_out = False

    def side(self, view: View) -> str | None:
        return None if self.sitting_out else self.choose()

    def see(self, result: Result) -> None:
        outcome = result.outcome
        if outcome is not Outcome.TIE:
            self.learn(outcome)
        elif self.ties == "break":
            self.forget()
        self.sitting_out = outcome is Outcome.TIE and self.ties == "sit-out"


@selection("follow-last")
class FollowLast(HistorySelection):
    """The side that won last ("FTL"); the first bet is on the second decision of the shoe.

    Source: letstalkwinning.com (follow the last).

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(FollowLast(), "T T B P T P")
    '- - - B P P'
    >>> sides(FollowLast(ties="sit-out"), "T T B P T P")
    '- - - B P -'
    """

    def forget(self) -> None:
        self.last: Outcome | None = None

    def learn(self, outcome: Outcome) -> None:
        self.last = outcome

    def choose(self) -> Outcome | None:
        return self.last


@selection("opposite-last")
class OppositeLast(FollowLast):
    """The side that lost last ("oFTL"); the first bet is on the second decision of the shoe.

    Source: letstalkwinning.com (opposite the last).

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(OppositeLast(), "T T B P T P")
    '- - - P B B'
    """

    def choose(self) -> Outcome | None:
        return None if self.last is None else opposite(self.last)


@selection("time-before-last")
class TimeBeforeLast(HistorySelection):
    """The side that won the time before last ("TB4L", avant-dernier); the first bet is on the third decision.

    It wins in long streaks and in steady chop, and loses against doubles (B B P P).

    Source: betting777.com, "Which side to bet"; cardgameheaven.com, "Strategies".

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(TimeBeforeLast(), "B P T B B P P")
    '- - B B P B B'
    """

    def forget(self) -> None:
        self.before_last: Outcome | None = None
        self.last: Outcome | None = None

    def learn(self, outcome: Outcome) -> None:
        self.before_last, self.last = self.last, outcome

    def choose(self) -> Outcome | None:
        return self.before_last


@selection("opposite-time-before-last")
class OppositeTimeBeforeLast(TimeBeforeLast):
    """The side that lost the time before last ("OTB4L"); the first bet is on the third decision of the shoe.

    Source: the opposite of the time before last, named in full because players use the letters for two methods.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(OppositeTimeBeforeLast(), "B P T B B P P")
    '- - P P B P P'
    """

    def choose(self) -> Outcome | None:
        return None if self.before_last is None else opposite(self.before_last)
