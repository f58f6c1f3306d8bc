"""A bettor played on paper, to be followed by another: what it would bet, though nothing of it is laid.

On paper a bettor keeps the limits of the table (a bet that they refuse is cut to them) and has always money enough: it
does not end with its bankroll, and the stop rules of its session are left out. A selection bets the least that the
table takes on its side, in every round in which it names one. Random numbers belong to the bettor itself and cannot be
drawn for it by another.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from bacclab.bettors.base import Bettor, Selection
from bacclab.bettors.lanes.base import LaneBettor, LaneResult, LaneSelection, LaneView
from bacclab.bettors.lanes.sides import Asking
from bacclab.bettors.routed import RoutedResult
from bacclab.bettors.slip import Requests
from bacclab.bettors.table import NotTabular
from bacclab.bettors.view import Result, View
from bacclab.errors import BettorError
from bacclab.game.layout import Layout
from bacclab.money import Money

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.game.tables import Table

    Spots = NDArray[np.int16]
    Amounts = NDArray[np.int64]
    Mask = NDArray[np.bool_]

__all__ = ["PaperBettor", "PaperLanes", "PaperResult", "signs"]

Bets = tuple[tuple[int, int], ...]


def _no_random(*_: object) -> NoReturn:
    raise BettorError(
        "it follows a bettor that draws random numbers, which are its own",
        hint="follow one that does not, or give both the same rule",
    )


class PaperResult(RoutedResult):
    """The same round with other bets: what they won is worked out when it is asked for.

    Only what is needed is read of the round itself, because a bettor tells rounds apart by what it reads.
    """

    __slots__ = ("_bets", "_layout", "_outer")

    def __init__(self, outer: Result, bets: Bets, layout: Layout) -> None:
        super().__init__(outer._code, staked=sum(amount for _, amount in bets), net=0)
        self._outer, self._bets, self._layout = outer, bets, layout

    def note_bet(self, index: int) -> None:
        self._outer.note_bet(index)

    def _field(self, name: str) -> Any:
        return getattr(self._outer, name)

    def _won(self) -> int:
        for index, _ in self._bets:
            self._outer.note_bet(index)
        return sum(self._layout.settle(index, amount, self._code)[0] for index, amount in self._bets)


class _PaperView(View):
    """The view of the follower, with the money that the followed bettor has on paper: so much more, or less."""

    __slots__ = ("_more", "_outer")

    def __init__(self, outer: View, more: int) -> None:
        super().__init__(outer.table)
        self._outer, self._more = outer, more
        self._random = _no_random

    @property
    def bankroll(self) -> Money:
        return self._outer.bankroll + Money.of(self._more)

    round = property(lambda self: self._outer.round)
    shoe = property(lambda self: self._outer.shoe)
    shoe_round = property(lambda self: self._outer.shoe_round)
    history = property(lambda self: self._outer.history)
    rounds = property(lambda self: self._outer.rounds)
    roads = property(lambda self: self._outer.roads)
    unseen = property(lambda self: self._outer.unseen)


class PaperBettor(Selection):
    """The side that another bettor, or another selection, would bet on: the first main bet that it asks for.

    Without a main bet it is the first bet; without a bet, or once the bettor has left, None.

    >>> from bacclab.bettors.whole.forum import OneThreeFiveK
    >>> from bacclab.bettors.rehearsal import sides
    >>> sides(PaperBettor(OneThreeFiveK()), "B P B T P P B")
    '- - B - - B B'
    """

    def __init__(self, followed: Selection | Bettor) -> None:
        super().__init__()
        self.followed = followed

    @property
    def parameters(self) -> dict[str, Any]:
        """The followed one."""
        return {"followed": self.followed}

    def start(self, table: Table) -> None:
        self.layout = copy.copy(Layout(table))
        if isinstance(self.followed, Selection):
            self.layout.needs_main = False  # its side is asked for, whatever the table wants beside it
            self.bettor: Bettor = Asking(self.followed, self.layout)
        else:
            self.bettor = self.followed
        self.bettor.start(table)
        self.asked: Bets | None = None
        self.left = False
        self.money: int | None = None

    def shoe(self) -> None:
        self.bettor.shoe()

    def side(self, view: View) -> str | None:
        # A follower may be asked twice in a round; the followed one is asked once.
        if self.asked is None:
            self.asked = () if self.left else self._ask(view)
        mains = [index for index, _ in self.asked if not self.layout.side[index]]
        chosen = mains or [index for index, _ in self.asked]
        return self.layout.ids[chosen[0]] if chosen else None

    def _ask(self, view: View) -> Bets:
        shown = _bankroll(view)
        self.money = shown if self.money is None else self.money
        paper = _PaperView(view, 0 if shown is None or self.money is None else self.money - shown)
        slip, ending = Requests(self.layout).ask(self.bettor, paper, policy="cap")
        self.left = ending == "bettor"
        return slip.bets

    def see(self, result: Result) -> None:
        bets, self.asked = self.asked or (), None
        paper = PaperResult(result, bets, self.layout)
        if not self.left:
            self.bettor.settle(paper)
        if self.money is not None and bets:
            self.money += paper.net.amount


def _bankroll(view: View) -> int | None:
    """The bankroll that a view shows; None where it has none, and where no bettor that looks at one can be played."""
    try:
        return view.bankroll.amount
    except NotTabular:
        return None


class PaperLanes(LaneSelection):
    """The sides that another vectorised bettor, or selection, would bet on, a lane each; see `PaperBettor`."""

    def __init__(self, followed: LaneSelection | LaneBettor) -> None:
        super().__init__()
        self.followed = followed

    @property
    def parameters(self) -> dict[str, Any]:
        """The followed one."""
        return {"followed": self.followed}

    def start(self, table: Table) -> None:
        self.layout = Layout(table)
        self.view = LaneView(table, self.layout, lanes=self.lanes)
        self.view._random = _no_random
        step = self.layout.increment
        self.least = -(-np.maximum(self.layout.minimum, 1) // step) * step
        self.followed.lanes = self.lanes
        self.followed.start(table)
        self.money: Amounts | None = None
        self.asked: list[tuple[Spots, Amounts]] | None = None

    def shoe_lanes(self, where: Mask) -> None:
        self.followed.shoe_lanes(where)

    def side(self, view: LaneView) -> Spots:  # type: ignore[override]
        if self.asked is None:
            self.asked = self._ask(view)
        chosen = np.full(self.lanes, -1, dtype=np.int16)
        for side_bets in (False, True):
            for spots, amounts in self.asked:
                take = (chosen < 0) & (amounts > 0) & (self.layout.side[spots] == side_bets)
                chosen[take] = spots[take]
        return chosen

    def _ask(self, view: LaneView) -> list[tuple[Spots, Amounts]]:
        own = self.view
        self.money = view.bankroll if self.money is None else self.money
        own._bankroll, own._round, own._unseen = self.money, view.round, view._unseen
        own._shoe, own._shoe_start = view._shoe, view._shoe_start
        if isinstance(self.followed, LaneSelection):
            spots = np.asarray(self.followed.side(own), dtype=np.int16)
            return [(spots, np.where(spots >= 0, self.least[spots], 0))]
        bets = self.followed.bet(own)
        return [self._within_limits(spots, amounts) for spots, amounts in (bets.items if bets is not None else ())]

    def _within_limits(self, spots: Any, amounts: Any) -> tuple[Spots, Amounts]:
        low, high, step = self.layout.minimum[spots], self.layout.maximum[spots], self.layout.increment[spots]
        cut = np.minimum(np.asarray(amounts, dtype=np.int64), high) // step * step
        return np.asarray(spots, dtype=np.int16), np.where((spots >= 0) & (cut >= low), cut, 0)

    def see(self, result: LaneResult) -> None:  # type: ignore[override]
        asked, self.asked = self.asked or [], None
        staked, net = np.zeros(self.lanes, dtype=np.int64), np.zeros(self.lanes, dtype=np.int64)
        for spots, amounts in asked:
            staked += amounts
            net += self._nets(spots, amounts, result.code)
        if isinstance(self.followed, LaneSelection):
            self.followed.see(LaneResult(result.code, staked=staked, net=net))
        else:
            self.followed.settle(LaneResult(result.code, staked=staked, net=net))
        if self.money is not None:
            self.money = self.money + net

    def _nets(self, spots: Spots, amounts: Amounts, codes: NDArray[np.uint16]) -> Amounts:
        """What each lane's bet won: few bets are different, and each of these is settled once."""
        net = np.zeros(self.lanes, dtype=np.int64)
        lanes = np.flatnonzero(amounts)
        lines = self.layout.line[spots[lanes], codes[lanes]]
        different, which = np.unique(np.stack([spots[lanes], lines, amounts[lanes]]), axis=1, return_inverse=True)
        settled = [self._net(int(bet), int(line), int(amount)) for bet, line, amount in different.T]
        net[lanes] = np.array(settled, dtype=np.int64)[which.reshape(-1)]
        return net

    def _net(self, bet: int, line: int, amount: int) -> int:
        code = int(np.flatnonzero(self.layout.line[bet] == line)[0])
        return self.layout.settle(bet, amount, code)[0]


def signs(layout: Layout, spots: Spots, codes: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Whether a bet a lane (its index, −1 for none) won (1), pushed or was not laid (0), or lost (−1) on a round code.

    >>> from bacclab.game.codes import Round
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> layout = Layout(BUILT_IN_TABLES["commission"])
    >>> banker_won = np.full(3, Round(3, 5, 3, 3).code, dtype=np.uint16)
    >>> signs(layout, np.array([0, 1, -1], dtype=np.int16), banker_won).tolist()
    [1, -1, 0]
    """
    return np.where(spots >= 0, np.sign(layout.numerator[spots, layout.line[spots, codes]]), 0)
