"""An example of a plugin of one file: a betting system of its own, used by an experiment.

Try it with ``bacclab --plugin plugins/opposite_last.py bettors opposite-last``, or name the file in an experiment under
``[plugins]``.
"""

from typing import Annotated

import bacclab as bl


@bl.bettor("opposite-last")
class OppositeLast(bl.Bettor):
    """Bets against the last decision of the shoe; one unit more after each loss, `most` units at most.

    A tie is no decision: it changes neither the side nor the stake. The first rounds of a shoe are sat out until there
    is a decision to bet against.
    """

    unit: bl.Money = bl.Money(10)
    most: Annotated[int, bl.Param(ge=1, le=20, text="the largest stake, in units")] = 3

    def start(self, table):
        self.last = None
        self.units = 1

    def shoe(self):
        self.last = None

    def bet(self, view):
        if self.last is None:
            return None
        side = "player" if self.last == "banker" else "banker"
        return view.on(side, self.unit * self.units)

    def settle(self, result):
        if result.outcome != "tie":
            self.last = result.outcome
        self.units = result.pick(won=1, push=self.units, lost=min(self.units + 1, self.most))
