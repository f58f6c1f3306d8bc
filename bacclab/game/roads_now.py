"""The roads of a shoe as they stand before a round: what a bettor reads as ``view.roads``."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bacclab.errors import BettorError, did_you_mean
from bacclab.game.codes import CODE_MASK, Outcome, outcomes
from bacclab.game.roads_rule import DEPTH, EMPTY, LAST, SIDE, add, ask

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Colour", "DerivedRoad", "Follower", "RoadsNow", "road_of"]


class DerivedRoad(StrEnum):
    """The three roads that are derived from the Big Road."""

    BIG_EYE_BOY = "big-eye-boy"
    SMALL_ROAD = "small-road"
    COCKROACH_PIG = "cockroach-pig"

    @property
    def back(self) -> int:
        """How many columns back the road looks: 1, 2, 3."""
        return list(DerivedRoad).index(self) + 1

    @property
    def words(self) -> str:
        """The name of the road in words.

        >>> DerivedRoad("big-eye-boy").words
        'Big Eye Boy'
        """
        return self.value.replace("-", " ").title()


class Colour(StrEnum):
    """The mark of a derived road: red where the Big Road repeats itself, blue where it does not."""

    RED = "red"
    BLUE = "blue"


_COLOURS = (None, Colour.RED, Colour.BLUE)
_ORDER = tuple(Outcome)  # as in `bacclab.game.codes.outcomes`
_SIDES = (Outcome.PLAYER, Outcome.BANKER, None)


def road_of(name: str | DerivedRoad) -> DerivedRoad:
    """A derived road by its name. Raises BettorError for another name.

    >>> road_of("small-road").back
    2
    """
    try:
        return DerivedRoad(name)
    except ValueError:
        raise BettorError(f"there is no derived road {name!r}", hint=did_you_mean(name, DerivedRoad)) from None


@dataclass(frozen=True, slots=True)
class RoadsNow:
    """The roads of the shoe so far.

    >>> now = RoadsNow.of("P B B T P".replace(" ", ""))
    >>> str(now.side), now.length, now.depths
    ('player', 1, (1, 2, 1))
    >>> now.last("big-eye-boy"), now.ask("big-eye-boy", "banker"), now.ask("small-road", "banker")
    (<Colour.BLUE: 'blue'>, <Colour.BLUE: 'blue'>, <Colour.RED: 'red'>)
    """

    state: tuple[int, ...] = EMPTY

    @classmethod
    def of(cls, outcomes: str) -> RoadsNow:
        """The roads after a row of results written with the letters P, B and T."""
        now = cls()
        for letter in outcomes:
            now = now.after(_ORDER["PBT".index(letter)])
        return now

    def after(self, outcome: Outcome) -> RoadsNow:
        """The roads after one more round."""
        state = list(self.state)
        add(state, _ORDER.index(outcome))
        return RoadsNow(tuple(state))

    @property
    def side(self) -> Outcome | None:
        """The side of the current run; None before the first win."""
        return _SIDES[self.state[SIDE]]

    @property
    def length(self) -> int:
        """The length of the current run, ties left out; 0 before the first win."""
        return self.state[DEPTH]

    @property
    def depths(self) -> tuple[int, ...]:
        """The depths of the last columns of the Big Road, the current one first, at most four."""
        return tuple(depth for depth in self.state[DEPTH : DEPTH + 4] if depth)

    def last(self, road: str | DerivedRoad) -> Colour | None:
        """The last mark of a derived road; None before it has started."""
        return _COLOURS[self.state[LAST + road_of(road).back]]

    def ask(self, road: str | DerivedRoad, side: str | Outcome) -> Colour | None:
        """The mark that a derived road gets if a side wins next; None before it has started.

        The answers for Banker and for Player are always opposite.
        """
        if side not in (Outcome.PLAYER, Outcome.BANKER):
            raise BettorError(f"a road is asked for banker or player, not for {side!r}")
        return _COLOURS[ask(self.state, road_of(road).back, _SIDES.index(Outcome(side)))]


class Follower:
    """Keeps the roads of a growing shoe, adding only the rounds that are new."""

    __slots__ = ("_added", "_now", "_past")

    def __init__(self) -> None:
        self._past: Sequence[int] = ()
        self._added = 0
        self._now = RoadsNow()

    def of(self, past: Sequence[int]) -> RoadsNow:
        """The roads of a shoe, from the codes of its rounds; a shoe is told by the identity of its list.

        >>> shoe = [0, 13 * 4]  # a tie, then a win of Banker
        >>> follower = Follower(); follower.of(shoe).length
        1
        >>> shoe.append(13 * 4); follower.of(shoe).length
        2
        """
        if past is not self._past or self._added > len(past):
            self._past, self._added, self._now = past, 0, RoadsNow()
        if self._added < len(past):
            state, outcome_of = list(self._now.state), outcomes()
            for code in past[self._added :]:
                add(state, int(outcome_of[code & CODE_MASK]))
            self._added, self._now = len(past), RoadsNow(tuple(state))
        return self._now
