"""How much, where commission and chips decide: a Martingale that pays for the commission, and letting a win ride."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from bacclab.bettors.base import Progression, progression
from bacclab.bettors.params import Param
from bacclab.game.settlement import ROUNDINGS, settle_bet
from bacclab.money import MAX_AMOUNT, Money

if TYPE_CHECKING:
    from bacclab.bettors.view import Result, View
    from bacclab.game.tables import Table

__all__ = ["CommissionMartingale", "Parlay", "least_stake"]

_PLAYER = "player"


def least_stake(table: Table, bet: str, *, net: Money, chip: Money) -> Money:
    """The smallest stake, in whole chips, of which a win nets a sum after commission.

    A bet with several odds is reckoned at those of its first pay line that wins. BetError for a bet that the table
    does not offer.

    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> table = BUILT_IN_TABLES["commission"]
    >>> least_stake(table, "banker", net=Money(20), chip=Money(5))
    Money('25.00')
    >>> least_stake(table, "tie", net=Money(20), chip=Money(1))
    Money('3.00')
    """
    rules = table.bet(bet)
    odds = rules.odds["win"] if "win" in rules.odds else next(o for o in rules.odds.values() if o.numerator > 0)
    rate = table.commission if rules.commission else table.commission * 0
    terms = (odds.numerator, odds.denominator, rate.numerator, rate.denominator)
    rounding, needed, commission = ROUNDINGS.index(table.commission_rounding), net.amount, 0
    # The commission grows with the stake: starting without any, each turn asks for no more than the smallest stake
    # needs.
    while True:
        amount = -(-(needed + commission) * odds.denominator // odds.numerator)
        amount = -(-amount // chip.amount) * chip.amount
        if amount > MAX_AMOUNT:
            return Money.of(amount)
        won, commission = settle_bet(amount, *terms, rounding, table.commission_coin)
        if won >= needed:
            return Money.of(amount)


@progression("commission-martingale")
class CommissionMartingale(Progression):
    """A Martingale that pays for the commission: after a loss the smallest bet that wins the losses back and a unit.

    What a bet wins is taken after commission, so on Banker the stakes grow a little faster than double, and on Player
    they double. On a bet with long odds, such as Tie, it stays at one unit until that no longer wins the losses back,
    and then grows by those odds. Losses are added up in money, as they were asked for; a win goes back to one unit. (On
    changing sides the number of sums that may be owed doubles with each loss: without a table maximum no table of
    states holds them.)

    Parameters: ``chip``, what a stake is a whole number of (by default the table's increment for the bet).

    Source: common practice at tables with commission.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(CommissionMartingale(unit=10, chip=5), "L L T L L W W", on="banker")
    '10 25 50 50 100 210 10'
    >>> stakes(CommissionMartingale(unit=10), "L L L W W")
    '10 20 40 80 10'
    >>> stakes(CommissionMartingale(unit=10, chip=5), "L L L L L L L L L L L W W", on="tie")
    '10 10 10 10 10 10 10 10 15 15 15 20 10'
    """

    chip: Annotated[Money | None, Param(gt=0, text="stakes are rounded up to it; none: the table's increment")] = None

    def start(self, table: Table) -> None:
        self.owed, self.asked = Money(0), Money(0)
        # What is owed past the largest bet is past every later bet too: it needs no further adding up.
        self.most = Money.of(max(table.limits_of(bet).ceiling for bet in table.bets))

    def stake(self, view: View) -> Money:
        return self.stake_on(_PLAYER, view)

    def stake_on(self, bet: str, view: View, *, edge: float | None = None) -> Money:
        self.asked = self.unit
        if self.owed:
            chip = self.chip or Money.of(view.table.limits_of(bet).increment)
            self.asked = max(self.unit, least_stake(view.table, bet, net=self.owed + self.unit, chip=chip))
        return self.asked

    def settle(self, result: Result) -> None:
        self.owed = result.pick(won=Money(0), push=self.owed, lost=min(self.owed + self.asked, self.most))
        self.asked = Money(0)


@progression("parlay")
class Parlay(Progression):
    """Lets it ride: after a win the stake and what it won are laid together, for ``wins`` wins; then one unit again.

    A loss goes back to one unit at once. What was won is taken after commission and rounded down to a chip, so on
    Banker a unit of 10 grows to 19.50 and not to 20.

    Parameters: ``wins``, and ``chip``, what a stake is a whole number of (by default the table's increment).

    Source: common practice.

    >>> from bacclab.bettors.rehearsal import stakes
    >>> stakes(Parlay(unit=1, wins=3), "W W T W W L")
    '1 2 4 4 1 2'
    >>> stakes(Parlay(unit=10, wins=3, chip=1), "W W W W", on="banker")
    '10 19 37 10'
    """

    wins: Annotated[int, Param(ge=1, le=30, text="wins in a row, the last of which is taken down")] = 2
    chip: Annotated[Money | None, Param(gt=0, text="stakes are rounded down to it; none: the table's increment")] = None

    def start(self, table: Table) -> None:
        self.step = self.chip or Money.of(table.limits.increment)
        self.won, self.riding = 0, self.unit

    def stake(self, view: View) -> Money:
        return self.riding

    def settle(self, result: Result) -> None:
        self.won = result.pick(won=(self.won + 1) % self.wins, push=self.won, lost=0)
        if result.won and self.won:
            self.riding = (result.staked + result.net).down_to(self.step)
        elif not result.push:
            self.riding = self.unit
