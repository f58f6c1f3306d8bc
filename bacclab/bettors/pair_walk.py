"""The walk of a selection with a progression: what a round does to either of them is worked out once.

A state is a pair of numbers, that of the selection's state and that of the progression's. The two know nothing of each
other, so what a round does to a state of one is the same beside every state of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from bacclab.bettors.base import Bettor, Combined, Progression, Selection
from bacclab.bettors.freeze import duplicate, freeze
from bacclab.bettors.state_walk import NotingResult, Walk

if TYPE_CHECKING:
    from bacclab.bettors.slip import Slip

__all__ = ["PairWalk"]

Part = TypeVar("Part", Selection, Progression)
Pair = tuple[int, int]


class _Places(Generic[Part]):
    """The states of one part, numbered, and what was found to follow from each."""

    def __init__(self) -> None:
        self.number: dict[Hashable, int] = {}
        self.held: list[Part] = []
        self.following: dict[tuple[int, Hashable], int] = {}

    def place(self, part: Part) -> int:
        """The number of a state; the part must not be changed any more."""
        number = self.number.setdefault(freeze(part), len(self.held))
        if number == len(self.held):
            self.held.append(part)
        return number

    def still(self, place: int, part: Part) -> int:
        """The number of the state of a part that was duplicated from a place: the same if nothing was changed since."""
        held, now = vars(self.held[place]), vars(part)
        # What cannot change is shared by duplicates: the very same object was not touched.
        untouched = held.keys() == now.keys() and all(now[name] is value for name, value in held.items())
        return place if untouched else self.place(part)

    def after(self, place: int, event: Hashable, happen: Callable[[Part], Any]) -> int:
        """The state that follows from one when something happens, which ``event`` names."""
        following = self.following.get((place, event))
        if following is None:
            part = duplicate(self.held[place])
            happen(part)
            following = self.following[place, event] = self.place(part)
        return following


class PairWalk(Walk[Pair]):
    """A walk whose states are pairs (state of the selection, state of the progression)."""

    def begin(self, bettor: Bettor) -> Pair:
        assert isinstance(bettor, Combined)
        self.sides: _Places[Selection] = _Places()
        self.sizes: _Places[Progression] = _Places()
        return self.sides.place(bettor.selection), self.sizes.place(bettor.progression)

    def key(self, state: Pair) -> Hashable:
        return state

    def ask(self, state: Pair) -> tuple[Pair, Slip, str | None]:
        side, size = state
        asked = Combined(duplicate(self.sides.held[side]), duplicate(self.sizes.held[size]))
        slip, ending = self.requests.ask(asked, self.view, policy=self.policy)
        return (self.sides.still(side, asked.selection), self.sizes.still(size, asked.progression)), slip, ending

    def reset(self, state: Pair) -> Pair:
        side, size = state
        return side, self.sizes.after(size, "reset", lambda progression: progression.start(self.table_rules))

    def new_shoe(self, state: Pair) -> Pair:
        side, size = state
        return self.sides.after(side, "shoe", lambda selection: selection.shoe()), size

    def settle(self, state: Pair, result: NotingResult) -> Pair:
        side, size = state
        event = result.seen
        following = self.sides.after(side, event, lambda selection: selection.see(result))
        return following, self.sizes.after(size, event, lambda one: one.settle(result)) if result.laid else size
