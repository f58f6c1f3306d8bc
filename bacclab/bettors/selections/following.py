"""Selections that follow other bettors of the same experiment: the same side, or the opposite one.

Nothing is shared with the bettors that are followed: each is rebuilt from the experiment as a private copy and played
on paper (see `bacclab.bettors.selections.paper`) on the rounds of the shoe. So the follower bets the same whichever
bettors are in the run, and in whatever process it is played. The stakes are those of its own progression.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np

from bacclab.bettors.base import Bettor, Selection, selection
from bacclab.bettors.lanes.base import LaneBettor, LaneSelection
from bacclab.bettors.lanes.sides import SingleSide, TabledSides, walk_sides
from bacclab.bettors.params import Param
from bacclab.bettors.selections.paper import PaperBettor, PaperLanes, PaperResult, signs
from bacclab.bettors.selections.recent import opposite
from bacclab.errors import BettorError
from bacclab.game.codes import Outcome
from bacclab.game.layout import Layout

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.lanes.base import LaneResult, LaneView
    from bacclab.bettors.table import TransitionTable
    from bacclab.bettors.view import Result, View
    from bacclab.game.tables import Table

    Spots = NDArray[np.int16]
    Mask = NDArray[np.bool_]

__all__ = ["NOBODY", "Copy", "Following", "Oppose"]

Followed = Selection | Bettor

NOBODY = "Another bettor"
"""Whom a follower follows that was not told: an experiment has no such bettor, and says so."""


class Following(Selection):
    """What a follower wants; `playing` makes the selection that plays it, once the others are known."""

    opposed: ClassVar[bool] = False
    of: Annotated[str | tuple[str, ...], Param(text="the name of the bettor that is followed, or a list of names")] = (
        NOBODY
    )
    who: Annotated[
        Literal["best", "worst"], Param(text="of several: the one that has won most bets so far, or fewest")
    ] = "best"
    after: Annotated[
        Literal["any", "win", "loss"], Param(text="only after that bettor has won, or lost, its last bet")
    ] = "any"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bettors that are followed."""
        return (self.of,) if isinstance(self.of, str) else self.of

    def playing(self, followed: Sequence[Followed]) -> Selection:
        """The selection that plays it, with the bettors or selections of `names` in that order."""
        if len(followed) == 1 and not followed[0].vectorised:
            return _OneFollowed(self, PaperBettor(followed[0]))
        return _LanesFollowed(self, followed)

    def side(self, view: View) -> str | None:
        raise BettorError(
            f"{self.id} follows another bettor of an experiment, and none is here",
            hint='write of = "…" with the name of the bettor that is followed',
        )


@selection("copy")
class Copy(Following):
    """The side that another bettor of the experiment bets on: ``of`` is its name.

    With ``after = "win"`` only when that bettor has won its last bet (skip a loser), with ``"loss"`` only when it has
    lost it. With several names the one is followed that has won most bets of the session so far (bets won less bets
    lost, the first of equals), or with ``who = "worst"`` the one that has won fewest.

    The followed bettor is played on paper, on the same rounds: with money enough, within the limits of the table. Of
    one made of a selection and a progression the selection is followed, whatever its stakes come to.

    Source: common practice ("follow the winner").

    >>> from bacclab.bettors.rehearsal import sides
    >>> from bacclab.bettors.selections.recent import FollowLast
    >>> sides(Copy(of="Shadow").playing([FollowLast()]), "B B P T P")
    '- B B P P'
    >>> sides(Copy(of="Shadow", after="win").playing([FollowLast()]), "B B P T P P")
    '- - B - - P'
    """


@selection("oppose")
class Oppose(Following):
    """The side against another bettor of the experiment: Banker when it bets on Player, and the other way round.

    No bet when it bets on anything else, or not at all. With ``after = "loss"`` only when it has lost its last bet.
    With several names the one is opposed that has won fewest bets of the session so far ("against the worst system"),
    or with ``who = "best"`` the one that has won most. The followed bettor is played on paper, as for copy.

    Source: tournament play ("bet against the worst system"); common practice.

    >>> from bacclab.bettors.rehearsal import sides
    >>> from bacclab.bettors.selections.recent import Always, FollowLast
    >>> sides(Oppose(of="Shadow").playing([FollowLast()]), "B B P T P")
    '- P P B B'
    >>> both = [Always(on="banker"), Always(on="player")]
    >>> sides(Oppose(of=("B", "P")).playing(both), "B B P P P")      # the worst: B of equals, then P, then P, B, B
    'P B B B P'
    """

    opposed: ClassVar[bool] = True
    who: Annotated[
        Literal["best", "worst"], Param(text="of several: the one that has won most bets so far, or fewest")
    ] = "worst"


class _Played(Selection):
    """What the two selections that play a follower share: its words, and the values that it was given."""

    _wish: Following

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the follower."""
        return self._wish.parameters

    def __repr__(self) -> str:
        return repr(self._wish)


class _OneFollowed(_Played):
    """Follows one bettor that is played from an object: a table of states when that one has one."""

    def __init__(self, wish: Following, leader: PaperBettor) -> None:
        super().__init__()
        self._wish, self.leader = wish, leader

    def start(self, table: Table) -> None:
        self.layout = Layout(table)
        self.leader.start(table)
        self.theirs: str | None = None
        self.form = ""

    def shoe(self) -> None:
        self.leader.shoe()

    def side(self, view: View) -> str | None:
        self.theirs = self.leader.side(view)
        if self.theirs is None or (self._wish.after != "any" and self.form != self._wish.after):
            return None
        if not self._wish.opposed:
            return self.theirs
        main = self.theirs in (Outcome.BANKER, Outcome.PLAYER)
        return opposite(Outcome(self.theirs)) if main else None

    def see(self, result: Result) -> None:
        if self._wish.after != "any" and self.theirs is not None:
            bet = ((self.layout.index[self.theirs], 10_000),)
            paper = PaperResult(result, bet, self.layout)
            self.form = "win" if paper.won else "loss" if paper.lost else self.form
        self.theirs = None
        self.leader.see(result)


class _LanesFollowed(LaneSelection, _Played):
    """Follows one of several bettors in each lane, or one that is vectorised."""

    def __init__(self, wish: Following, followed: Sequence[Followed]) -> None:
        super().__init__()
        self._wish = wish
        self.followed = [
            PaperLanes(one) if isinstance(one, LaneSelection | LaneBettor) else PaperBettor(one) for one in followed
        ]
        self._walked: list[TransitionTable | None] = [None] * len(followed)

    def tabulate(self, table: Table, layout: Layout, *, rounds: int) -> None:
        self._walked = [
            None if isinstance(one, PaperLanes) else walk_sides(one, table, layout, rounds=rounds)
            for one in self.followed
        ]

    def start(self, table: Table) -> None:
        self.layout = Layout(table)
        self.leaders: list[PaperLanes | TabledSides | SingleSide] = []
        for one, walked in zip(self.followed, self._walked, strict=True):
            if isinstance(one, PaperLanes):
                one.lanes = self.lanes
                one.start(table)
                self.leaders.append(one)
            else:
                self.leaders.append(SingleSide(one, table) if walked is None else TabledSides(walked, lanes=self.lanes))
        shape = len(self.leaders), self.lanes
        self.theirs: Spots = np.full(shape, -1, dtype=np.int16)
        self.score, self.form = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        # The other side of each bet; the last entry is that of no bet.
        self.against: Spots = np.full(len(self.layout.ids) + 1, -1, dtype=np.int16)
        if {"banker", "player"} <= self.layout.index.keys():
            banker, player = self.layout.index["banker"], self.layout.index["player"]
            self.against[banker], self.against[player] = player, banker

    def shoe_lanes(self, where: Mask) -> None:
        for leader in self.leaders:
            leader.shoe_lanes(where)

    def side(self, view: LaneView) -> Spots:  # type: ignore[override]
        for row, leader in enumerate(self.leaders):
            self.theirs[row] = leader.side(view)
        best = self.score.argmax(axis=0) if self._wish.who == "best" else self.score.argmin(axis=0)
        lanes = np.arange(self.lanes)
        spots: Spots = self.theirs[best, lanes]
        if self._wish.opposed:
            spots = self.against[spots]
        if self._wish.after == "any":
            return spots
        spots[self.form[best, lanes] != (1 if self._wish.after == "win" else -1)] = -1
        return spots

    def see(self, result: LaneResult) -> None:  # type: ignore[override]
        for row, leader in enumerate(self.leaders):
            won = signs(self.layout, self.theirs[row], result.code)
            self.score[row] += won
            self.form[row] = np.where(won == 0, self.form[row], won)
            leader.see(result)
