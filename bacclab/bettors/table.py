"""A transition table: each state of a bettor × each class of round → the next state, and a slip a state.

Rounds fall into *classes*: rounds that the bettor cannot tell apart and that pay alike on every bet it lays. A bettor
that reads anything but its own state (the bankroll, the cards left, its random numbers) has no table; `BlindView` says
so with `NotTabular`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from bacclab.bettors.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bacclab.bettors.slip import Slip

__all__ = ["MAX_CELLS", "MAX_STATES", "BlindView", "NotTabular", "TransitionTable", "unreadable"]

MAX_STATES = 20_000
"""The largest table that is made; past it a bettor is played by lanes or plainly."""
MAX_CELLS = 400_000
"""The largest number of states × classes."""


class NotTabular(Exception):
    """The bettor cannot be played from a table; the message completes “it cannot, because …”."""


@dataclass(frozen=True, slots=True)
class TransitionTable:
    """Everything a bettor can do in a session of at most ``rounds`` rounds; state 0 is the start of the session.

    ``class_of`` uint16[CODES] maps a round code to its class, ``representatives`` has one code of each class. For state
    *s* and class *c*: ``slips[s]`` is what is laid (already within the table's limits), ``next[s, c]`` the state after
    the round, ``idle[s, c]`` the state after it when the slip was not laid, ``shoe[s]`` the state when a new shoe
    begins, ``reset[s]`` the state after a refused slip under the policy ``reset``, ``endings[s]`` the ending that the
    state brings (``bettor``, ``limit``) or None. ``looks_at_amounts`` says whether the bettor read what was staked or
    won, in money, ``looks_at_results`` whether it read that its bets won, pushed or lost. ``closed``: these are all the
    states it ever has, however long it plays; else the states of the last round are there without what follows from
    them.
    """

    class_of: NDArray[np.uint16]
    representatives: tuple[int, ...]
    slips: tuple[Slip, ...]
    endings: tuple[str | None, ...]
    next: NDArray[np.int32]
    idle: NDArray[np.int32]
    shoe: NDArray[np.int32]
    reset: NDArray[np.int32]
    looks_at_amounts: bool
    looks_at_results: bool
    closed: bool

    @property
    def states(self) -> int:
        """How many states the session can reach."""
        return len(self.slips)

    @property
    def classes(self) -> int:
        """How many classes of rounds the bettor tells apart."""
        return len(self.representatives)


def unreadable(what: str) -> property:
    """A property that cannot be read where a table is made."""

    def read(_: object) -> NoReturn:
        raise NotTabular(f"it looks at {what}")

    return property(read)


class BlindView(View):
    """A view on which reading anything but the table's rules ends the walk."""

    __slots__ = ()
    bankroll = unreadable("its bankroll")
    round = unreadable("the number of the round")
    shoe = unreadable("the number of the shoe")
    shoe_round = unreadable("the number of the round in the shoe")
    history = unreadable("the history of the shoe")
    rounds = unreadable("the rounds of the shoe")
    roads = unreadable("the roads of the shoe")
    unseen = unreadable("the cards left")

    def random(self) -> float:
        raise NotTabular("it draws random numbers")
