"""The roads of many shoes at once, for vectorised bettors: fixed small arrays, a row a lane, updated each round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bacclab.game.codes import Outcome, outcomes
from bacclab.game.roads_now import DerivedRoad, road_of
from bacclab.game.roads_rule import DEPTH, EMPTY, FIELDS, LAST, SIDE

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LaneRoads"]


class LaneRoads:
    """The roads of the shoes in ``lanes`` sessions; a vectorised bettor makes one in ``start``.

    Call `forget` for the lanes in which a new shoe begins and `add` after every round. Marks are 0 (none yet), 1 (red)
    and 2 (blue), sides 0 (Player), 1 (Banker) and 2 (no win yet).

    >>> from bacclab.shoes.scripted import RESULTS
    >>> roads = LaneRoads(2)
    >>> for one, other in ("PB", "BB", "BT", "PP"):
    ...     roads.add(np.array([RESULTS[one].code, RESULTS[other].code], dtype=np.uint16))
    >>> roads.side.tolist(), roads.depths.tolist()
    ([0, 0], [[1, 2, 1, 0], [1, 2, 0, 0]])
    >>> roads.last("big-eye-boy").tolist(), roads.ask("big-eye-boy", "banker").tolist()
    ([2, 0], [2, 2])
    """

    __slots__ = ("state",)

    def __init__(self, lanes: int) -> None:
        self.state: NDArray[np.int16] = np.empty((lanes, FIELDS), dtype=np.int16)
        self.state[:] = EMPTY

    def forget(self, where: NDArray[np.bool_]) -> None:
        """A new shoe begins where the mask is True."""
        self.state[where] = EMPTY

    def add(self, codes: NDArray[np.uint16]) -> None:
        """A round is over: its code a lane."""
        from bacclab.game import roads_kernels

        roads_kernels.add_lanes(self.state, codes, outcomes())

    @property
    def side(self) -> NDArray[np.int16]:
        """The side of the current run a lane."""
        return self.state[:, SIDE].copy()

    @property
    def depths(self) -> NDArray[np.int16]:
        """The depths of the last four columns, the current one first: shape (lanes, 4), 0 where there is none."""
        return self.state[:, DEPTH : DEPTH + 4].copy()

    def last(self, road: str | DerivedRoad) -> NDArray[np.int16]:
        """The last mark of a derived road a lane."""
        return self.state[:, LAST + road_of(road).back].copy()

    def ask(self, road: str | DerivedRoad, side: str | Outcome) -> NDArray[np.int16]:
        """The mark that a derived road gets if a side wins next, a lane."""
        from bacclab.game import roads_kernels

        marks = np.empty(len(self.state), dtype=np.int16)
        place = (Outcome.PLAYER, Outcome.BANKER).index(Outcome(side))
        roads_kernels.ask_lanes(self.state, road_of(road).back, place, marks)
        return marks
