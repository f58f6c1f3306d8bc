"""Which side, by the derived roads: the side that would draw a mark of one colour.

Before each round a road can be *asked* which mark it gets if Banker wins next, and which if Player does; once it has
started the answers are opposite. Red means that the Big Road repeats itself. Ties are left out, as on the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from bacclab.bettors.base import selection
from bacclab.bettors.lanes.base import LaneSelection
from bacclab.bettors.params import Param
from bacclab.game.codes import outcomes
from bacclab.game.roads_lanes import LaneRoads
from bacclab.game.roads_now import DerivedRoad
from bacclab.game.roads_rule import BLUE, RED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.lanes.base import LaneResult, LaneView
    from bacclab.game.tables import Table

    Mask = NDArray[np.bool_]

__all__ = ["DerivedRoadSelection", "RoadSelection", "ThreeRoads"]

_COLOURS = {"red": RED, "blue": BLUE}


class RoadSelection(LaneSelection):
    """A selection that asks derived roads; a base for those below.

    Define `wanted`: the roads that are asked, how many of them must agree, and on which colour. No side is chosen
    before all of them have started.
    """

    ties: Annotated[
        Literal["left-out", "sit-out"], Param(text="what a tie does: nothing, or the next round is sat out")
    ] = "left-out"

    def can_name(self) -> tuple[str, ...]:
        return ("player", "banker")

    def wanted(self) -> tuple[tuple[DerivedRoad, ...], int, str]:
        """The roads that are asked, how many must agree, and the colour."""
        raise NotImplementedError(f"{type(self).__name__} does not say which roads it asks: define wanted(self)")

    def start(self, table: Table) -> None:
        asked, needed, colour = self.wanted()
        counts = np.array([False, *(road in asked for road in DerivedRoad)])
        self.rule = (counts, needed, _COLOURS[colour], int(self.ties == "sit-out"))
        self.roads = LaneRoads(self.lanes)
        self.opinion = np.full(self.lanes, -1, dtype=np.int8)

    def shoe_lanes(self, where: Mask) -> None:
        self.roads.forget(where)
        self.opinion[where] = -1

    def side(self, view: LaneView) -> NDArray[np.int16]:  # type: ignore[override]
        spots = np.array([view.spot("player"), view.spot("banker"), -1], dtype=np.int16)
        named: NDArray[np.int16] = spots[self.opinion]
        return named

    def see(self, result: LaneResult) -> None:  # type: ignore[override]
        from bacclab.game import roads_kernels

        roads_kernels.follow_lanes(self.roads.state, self.opinion, result.code, outcomes(), self.rule)


@selection("derived-road")
class DerivedRoadSelection(RoadSelection):
    """The side for which one derived road gets a red mark (the Big Road repeats itself), or a blue one.

    It bets every round from the moment the road has started. Following blue is the opposite of following red.

    Source: "Baccarat Roadmap Manual" of the Microgaming live team (livedealer.org), for the roads and the ask; the
    GitHub repository LeonClancy/baccarat-bet-analyze bets by it.

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(DerivedRoadSelection(road="big-eye-boy"), "P B B T P B")
    '- - P B B P'
    >>> sides(DerivedRoadSelection(road="big-eye-boy", follow="blue", ties="sit-out"), "P B B T P B")
    '- - B P - B'
    """

    road: Annotated[Literal["big-eye-boy", "small-road", "cockroach-pig"], Param(text="the road that is asked")] = (
        "big-eye-boy"
    )
    follow: Annotated[Literal["red", "blue"], Param(text="the colour that the bet would draw")] = "red"

    def wanted(self) -> tuple[tuple[DerivedRoad, ...], int, str]:
        return (DerivedRoad(self.road),), 1, self.follow


@selection("three-roads")
class ThreeRoads(RoadSelection):
    """The side for which all three derived roads get a mark of one colour, or most of them; no bet otherwise.

    Nothing is bet before all three roads have started; from then on a majority always names a side.

    Source: GitHub repository LeonClancy/baccarat-bet-analyze (ask road).

    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(ThreeRoads(agree="all"), "B P B P B P P B")
    '- - - - B P B P'
    >>> sides(ThreeRoads(agree="majority", colour="blue"), "B P B P B P P B")
    '- - - - P B P B'
    """

    agree: Annotated[Literal["all", "majority"], Param(text="how many of the three must agree")] = "all"
    colour: Annotated[Literal["red", "blue"], Param(text="the colour that the bet would draw")] = "red"

    def wanted(self) -> tuple[tuple[DerivedRoad, ...], int, str]:
        return tuple(DerivedRoad), 3 if self.agree == "all" else 2, self.colour
