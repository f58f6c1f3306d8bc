"""Vectorised bettors: one object plays many sessions at once, one array entry (a *lane*) a session.

For a system whose state has no bound (a Labouchere line), or that looks at its bankroll or at the cards left. The
methods are those of a plain bettor, with arrays for numbers: stakes are int64 amounts in ten-thousandths, 0 for no
bet. ``self.lanes`` is the number of sessions; `start` makes the arrays, and two methods take a mask of lanes in place
of ``shoe()`` and ``reset()``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bacclab.bettors.base import Bettor, Progression, Selection
from bacclab.bettors.view import UnseenNeeded, next_draw, no_such_bet
from bacclab.errors import BettorError
from bacclab.game.codes import outcomes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table

    Amounts = NDArray[np.int64]
    Mask = NDArray[np.bool_]

__all__ = ["LaneBets", "LaneBettor", "LaneProgression", "LaneResult", "LaneSelection", "LaneView"]


class LaneBets:
    """The bets of one round in every lane: (bet index a lane, −1 for none; amount a lane) for each bet asked for.

    ``ends`` is True in the lanes whose session ends here, without a bet; None for nowhere.
    """

    __slots__ = ("ends", "items")

    def __init__(self, items: tuple[tuple[NDArray[np.int16], Amounts], ...], *, ends: Mask | None = None) -> None:
        self.items = items
        self.ends = ends

    def __add__(self, other: LaneBets) -> LaneBets:
        ends = self.ends if other.ends is None else other.ends if self.ends is None else self.ends | other.ends
        return LaneBets(self.items + other.items, ends=ends)


class LaneView:
    """The table as a vectorised bettor sees it before a round: arrays with one entry a lane, all read-only."""

    __slots__ = (
        "_again",
        "_bankroll",
        "_drawn",
        "_index",
        "_numbers",
        "_random",
        "_round",
        "_shoe",
        "_shoe_start",
        "_spots",
        "_table",
        "_unseen",
    )

    def __init__(self, table: Table, layout: Layout, *, lanes: int) -> None:
        self._table = table
        self._index = layout.index
        self._spots = {bet: _locked(np.full(lanes, i, dtype=np.int16)) for bet, i in layout.index.items()}
        self._bankroll: Amounts = np.zeros(lanes, dtype=np.int64)
        self._round = 0
        self._shoe: Amounts = np.zeros(lanes, dtype=np.int64)
        self._shoe_start: Amounts = np.zeros(lanes, dtype=np.int64)
        self._unseen: NDArray[np.uint8] | None = None
        self._random: Callable[[int, int], NDArray[np.float64]] | None = None
        self._drawn = (0, 0)
        self._numbers: list[NDArray[np.float64]] = []
        self._again: tuple[Mask, list[NDArray[np.float64]]] | None = None

    @property
    def table(self) -> Table:
        """The table's rules."""
        return self._table

    @property
    def bankroll(self) -> Amounts:
        """The bankrolls before this round, in ten-thousandths."""
        return self._bankroll.copy()

    @property
    def round(self) -> int:
        """The number of this round in the session, from 1; the same in every lane."""
        return self._round

    @property
    def shoe(self) -> Amounts:
        """The number of the shoe in each session, from 1."""
        return self._shoe.copy()

    @property
    def shoe_round(self) -> Amounts:
        """The number of this round in its shoe, from 1."""
        return self._round - self._shoe_start

    @property
    def unseen(self) -> NDArray[np.uint8]:
        """Cards of each rank not yet seen in the shoe: shape (13, lanes), uint8."""
        if self._unseen is None:
            raise UnseenNeeded
        return self._unseen

    def random(self) -> NDArray[np.float64]:
        """A random number in [0, 1) a lane, the bettor's own; a further one each time it is called in a round.

        Where a bettor is asked again for some lanes, the others are shown the numbers that they were shown before.
        """
        if self._random is None:
            raise BettorError("this view has no random numbers (view.random)")
        draw, self._drawn = next_draw(self._round, self._drawn)
        numbers, place = self._random(self._round, draw), len(self._numbers)
        if self._again is not None and place < len(self._again[1]):
            numbers = np.where(self._again[0], numbers, self._again[1][place])
        self._numbers.append(numbers)
        return numbers.copy()

    def _ask(self, round_number: int) -> None:
        """The bettor is asked for the bets of a round."""
        self._round, self._numbers, self._again = round_number, [], None

    def _ask_again(self, where: Mask) -> None:
        """The bettor is asked once more in the same round, for the lanes where the mask is True."""
        self._numbers, self._again = [], (where, self._numbers)

    def banker(self, stakes: Amounts) -> LaneBets:
        """Stakes on Banker, in ten-thousandths; 0 where no bet is laid."""
        return self.on("banker", stakes)

    def player(self, stakes: Amounts) -> LaneBets:
        """Stakes on Player."""
        return self.on("player", stakes)

    def tie(self, stakes: Amounts) -> LaneBets:
        """Stakes on Tie."""
        return self.on("tie", stakes)

    def on(self, bet: str | NDArray[np.int16], stakes: Amounts) -> LaneBets:
        """Stakes on a bet named by its id, or on a bet index a lane (`spot`; −1 for none)."""
        if isinstance(bet, str):
            self.spot(bet)
            bet = self._spots[bet]
        return LaneBets(((bet, stakes),))

    def bet_of(self, spot: int) -> str:
        """The id of the bet with an index."""
        return next(bet for bet, index in self._index.items() if index == spot)

    def stop(self, where: Mask) -> LaneBets:
        """No bet, and the end of the session, in the lanes where the mask is True; add it to the bets of the others."""
        return LaneBets((), ends=where)

    def spot(self, bet: str) -> int:
        """The index of a bet at this table, for arrays of bets. Raises BettorError where the table has no such bet."""
        if bet not in self._index:
            raise no_such_bet(bet, self._index)
        return self._index[bet]


class LaneResult:
    """What a round was in every lane, and what it did to the bets laid there."""

    __slots__ = ("_code", "_net", "_staked")

    def __init__(self, code: NDArray[np.uint16], *, staked: Amounts, net: Amounts) -> None:
        self._code = code
        self._staked = staked
        self._net = net

    @property
    def code(self) -> NDArray[np.uint16]:
        """The round code a lane."""
        return self._code

    @property
    def outcome(self) -> NDArray[np.uint8]:
        """The outcome a lane: 0 Player, 1 Banker, 2 Tie."""
        return outcomes()[self._code]

    @property
    def staked(self) -> Amounts:
        """What was laid, all bets of the round together."""
        return self._staked

    @property
    def net(self) -> Amounts:
        """What the round won or lost, commission taken off."""
        return self._net

    @property
    def laid(self) -> Mask:
        """True where something was laid."""
        return self._staked > 0

    @property
    def won(self) -> Mask:
        """True where the bets of the round won together."""
        return self._net > 0

    @property
    def push(self) -> Mask:
        """True where something was laid and nothing was won or lost."""
        pushes: Mask = (self._net == 0) & (self._staked > 0)
        return pushes

    @property
    def lost(self) -> Mask:
        """True where the bets of the round lost together."""
        return self._net < 0

    def pick(self, *, won: Any, push: Any, lost: Any, idle: Any = None) -> NDArray[Any]:
        """One of the values a lane, by how the round ended there; ``idle`` (default: ``push``) without a bet."""
        calm = push if idle is None else np.where(self._staked > 0, push, idle)
        picked: NDArray[Any] = np.where(self._net > 0, won, np.where(self._net < 0, lost, calm))
        return picked


class LaneBettor(Bettor):
    """A bettor that plays ``self.lanes`` sessions at once."""

    vectorised: ClassVar[bool] = True

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.lanes = 1

    def tabulate(self, table: Table, layout: Layout, *, policy: str, rounds: int) -> None:
        """Called once before play in many lanes, to work out what holds for all. Raises NotTabular to decline them."""

    def shoe_lanes(self, where: Mask) -> None:
        """A new shoe begins in the lanes where the mask is True."""

    def reset_lanes(self, where: Mask) -> None:
        """Begin the progression again where the mask is True, after a refused bet."""

    def bet(self, view: LaneView) -> LaneBets | None:  # type: ignore[override]
        """The bets for the next round, as arrays.

        After `reset_lanes` it is asked again within the round. What it answers in the other lanes is then not looked
        at, so it must leave what it remembers of them as it was.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what to bet: define bet(self, view)")

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        """A round is over in every lane; lanes whose session has ended show nothing laid."""


class LaneSelection(Selection):
    """A selection for ``self.lanes`` sessions at once: it names a bet index a lane.

    For a selection whose state has no bound, or that looks at the cards left. It is combined with any progression,
    plain or vectorised.

    >>> from bacclab.bettors.rehearsal import sides
    >>> class Ahead(LaneSelection):
    ...     "The side with more wins so far in the shoe."
    ...     def start(self, table):
    ...         self.lead = np.zeros(self.lanes, dtype=np.int64)
    ...     def shoe_lanes(self, where):
    ...         self.lead[where] = 0
    ...     def side(self, view):
    ...         player, banker = view.spot("player"), view.spot("banker")
    ...         return np.select([self.lead > 0, self.lead < 0], [player, banker], -1)
    ...     def see(self, result):
    ...         self.lead += np.select([result.outcome == 0, result.outcome == 1], [1, -1], 0)
    >>> sides(Ahead(), "P B B T B")
    '- P - B B'
    """

    vectorised: ClassVar[bool] = True

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.lanes = 1

    def tabulate(self, table: Table, layout: Layout, *, rounds: int) -> None:
        """Before many lanes are played: walk parts that are ordinary objects; NotTabular if that cannot be done."""

    def shoe_lanes(self, where: Mask) -> None:
        """A new shoe begins in the lanes where the mask is True: forget the old one."""

    def side(self, view: LaneView) -> NDArray[np.signedinteger[Any]]:  # type: ignore[override]
        """The index of the bet (`LaneView.spot`) for the next round a lane, −1 to sit it out."""
        raise NotImplementedError(f"{type(self).__name__} does not choose a side: define side(self, view)")

    def can_name(self) -> tuple[str, ...] | None:
        """The ids of all bets that it can name, where they are few; None for any bet of the table.

        A plain progression that looks at the bet or at amounts is played fast where they are few.
        """
        return None

    def edge(self, view: LaneView) -> NDArray[np.float64] | None:  # type: ignore[override]
        """What the chosen bet is reckoned to win on average a lane, per unit staked; None without a reckoning."""
        return None

    def see(self, result: LaneResult) -> None:  # type: ignore[override]
        """A round is over in every lane, laid or not."""


class LaneProgression(Progression):
    """A progression for ``self.lanes`` sessions at once."""

    vectorised: ClassVar[bool] = True

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.lanes = 1

    def reset_lanes(self, where: Mask) -> None:
        """Begin again where the mask is True."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to begin again: define reset_lanes")

    def stake(self, view: LaneView) -> Amounts:  # type: ignore[override]
        """The stake for the next round a lane, in ten-thousandths."""
        raise NotImplementedError(f"{type(self).__name__} does not name a stake: define stake(self, view)")

    def stake_on(  # type: ignore[override]
        self, spots: NDArray[np.int16], view: LaneView, *, edge: NDArray[np.float64] | None = None
    ) -> Amounts:
        """The stakes on bets by their indices (−1 for none); override it where they depend on the bet or on an edge."""
        return self.stake(view)

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        """A round is over; a lane where ``result.laid`` is False must keep its state."""


def _locked(array: NDArray[np.int16]) -> NDArray[np.int16]:
    array.flags.writeable = False
    return array
