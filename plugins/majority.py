"""An example of a plugin of one file: a selection and a progression, each of which goes with any other.

Name the file in an experiment under ``[plugins]``, and under ``[[bettor]]`` write ``select = "majority"`` or ``stake =
{ use = "climb", most = 3 }``, or both. Try it with ``bacclab --plugin plugins/majority.py selections majority``.
"""

from typing import Annotated

import bacclab as bl


@bl.selection("majority")
class Majority(bl.Selection):
    """The side that has won more often in this shoe; nothing while the two are level."""

    def side(self, view):
        ahead = view.history.count("banker") - view.history.count("player")
        return None if ahead == 0 else "banker" if ahead > 0 else "player"


@bl.progression("climb")
class Climb(bl.Progression):
    """One unit more after each win, `most` units at most; one unit again after a loss."""

    most: Annotated[int, bl.Param(ge=1, le=20, text="the largest stake, in units")] = 4

    def start(self, table):
        self.units = 1

    def stake(self, view):
        return self.unit * self.units

    def settle(self, result):
        self.units = result.pick(won=min(self.units + 1, self.most), push=self.units, lost=1)
