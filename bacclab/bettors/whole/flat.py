"""The plainest bettor: one bet, one stake, every round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from bacclab.bettors.base import Bettor, bettor
from bacclab.bettors.params import Param
from bacclab.money import Money

if TYPE_CHECKING:
    from bacclab.bettors.view import Bets, View

__all__ = ["FlatBettor"]


@bettor("flat")
class FlatBettor(Bettor):
    """The same stake on the same bet in every round: what every other system is measured against.

    >>> from bacclab.bettors.rehearsal import bets
    >>> bets(FlatBettor(on="tie", unit=5), "P T")
    ['tie 5.00', 'tie 5.00']
    """

    on: Annotated[str, Param(text="the bet, by its id")] = "banker"
    unit: Annotated[Money, Param(gt=0, text="the stake")] = Money(10)

    def bet(self, view: View) -> Bets:
        return view.on(self.on, self.unit)
