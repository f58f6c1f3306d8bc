"""The stakes of many sessions from a progression written for one: from its table, or from the object in a single lane.

A progression has a table where its state has few values and follows from whether its bets won, pushed or lost.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.base import Progression
from bacclab.bettors.freeze import Unfreezable, duplicate, freeze
from bacclab.bettors.lanes_sides import OneLane
from bacclab.bettors.table import MAX_STATES, BlindView, NotTabular, unreadable
from bacclab.bettors.view import Result
from bacclab.money import MAX_AMOUNT

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from bacclab.bettors.lanes import LaneProgression, LaneResult, LaneView
    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table

    Amounts = NDArray[np.int64]
    Mask = NDArray[np.bool_]
    Edge = NDArray[np.float64] | None

__all__ = ["SingleStake", "StakeTable", "TabledStakes", "WholeStakes", "walk_stakes"]


@dataclass(frozen=True, slots=True)
class StakeTable:
    """What a progression does in every state; state 0 is the start of a session.

    ``amount[s]`` is the stake in ten-thousandths (one above the largest amount for any that is larger), ``asked[s]``
    the state once it has been named and not laid, ``next[s]`` the states after it won, pushed and lost, ``reset[s]``
    the state when the progression begins again after a refusal.
    """

    amount: NDArray[np.int64]
    asked: NDArray[np.int32]
    next: NDArray[np.int32]
    reset: NDArray[np.int32]


def walk_stakes(progression: Progression, table: Table, layout: Layout, *, policy: str, rounds: int) -> StakeTable:
    """A progression walked over the states it can reach in ``rounds`` rounds. Raises NotTabular where it has no table.

    The progression itself is left untouched.
    """
    if type(progression).stake_on is not Progression.stake_on:
        raise NotTabular("it has no table of stakes: they depend on the bet")
    try:
        return _StakeWalk(duplicate(progression), table, layout, policy=policy, rounds=rounds).table()
    except (Unfreezable, NotTabular) as error:
        raise NotTabular(f"it has no table of stakes: {error}") from None
    except Exception as error:
        # The walk also reaches states that no session comes to; what fails there need not fail in play.
        raise NotTabular(f"walking its progression over its states failed ({type(error).__name__}: {error})") from error


class _StakeWalk:
    """One breadth-first walk; a round a level, and a level for beginning again within a round."""

    def __init__(self, progression: Progression, table: Table, layout: Layout, *, policy: str, rounds: int) -> None:
        self.rules, self.bet, self.resets = table, layout.ids[0], policy == "reset"
        # Where no table maximum is cut to, what is above all of them is never laid, and nothing follows from it.
        self.most = MAX_AMOUNT if policy == "cap" else int(layout.maximum.max())
        self.levels = 2 * rounds + 1 if self.resets else rounds
        self.view = BlindView(table)
        self.number: dict[Hashable, int] = {}
        self.queue: deque[tuple[int, Progression, int]] = deque()
        progression.start(table)
        self._reach(progression, level=0)

    def table(self) -> StakeTable:
        rows = []
        while self.queue:
            rows.append(self._expand(*self.queue.popleft()))
        amount, asked, after, reset = zip(*rows, strict=True)
        return StakeTable(
            amount=np.array(amount, dtype=np.int64),
            asked=np.array(asked, dtype=np.int32),
            next=np.array(after, dtype=np.int32),
            reset=np.array(reset, dtype=np.int32),
        )

    def _reach(self, progression: Progression, *, level: int) -> int:
        key = freeze(progression)
        state = self.number.get(key)
        if state is None:
            state = self.number[key] = len(self.number)
            self.queue.append((state, progression, level))
            if state >= MAX_STATES:
                raise NotTabular(f"it has more than {state:,} states")
        return state

    def _expand(self, state: int, before: Progression, level: int) -> tuple[int, int, tuple[int, ...], int]:
        asked = duplicate(before)
        ((_, stake),) = self.view.on(self.bet, asked.stake(self.view)).items
        if stake < 0:
            raise NotTabular("it names a stake below zero")
        amount = min(stake, MAX_AMOUNT + 1)
        if level >= self.levels:
            return amount, state, (state,) * 3, state
        reset = self._after(asked, None, level=level) if self.resets else state
        idle = self._reach(asked, level=level + 1)
        if not 0 < amount <= self.most:
            return amount, idle, (idle,) * 3, reset
        return amount, idle, tuple(self._after(asked, sign, level=level) for sign in (1, 0, -1)), reset

    def _after(self, asked: Progression, sign: int | None, *, level: int) -> int:
        """The state after a round that ended so, or after beginning again."""
        one = duplicate(asked)
        if sign is None:
            one.start(self.rules)
        else:
            one.settle(_Ending(0, staked=1, net=sign))
        return self._reach(one, level=level + 1)


class _Ending(Result):
    """A result of which only the ending may be read: won, push or lost."""

    __slots__ = ()
    outcome = round = unreadable("what the round was")
    player_total = banker_total = unreadable("what the round was")
    player_pair = banker_pair = natural = unreadable("what the round was")
    staked = net = unreadable("amounts")


class TabledStakes:
    """The stakes of many lanes, from one table."""

    def __init__(self, table: StakeTable, *, lanes: int) -> None:
        self.table = table
        self.following = table.next.reshape(-1)
        self.state = np.zeros(lanes, dtype=np.int32)
        self.named = np.zeros(lanes, dtype=np.bool_)

    def stake(self, view: LaneView, spots: NDArray[Any], *, edge: Edge = None) -> Amounts:
        """The stake a lane for the bets ``spots``."""
        self.named = np.asarray(spots) >= 0
        amounts: Amounts = self.table.amount[self.state]
        return amounts

    def settle(self, result: LaneResult) -> None:
        """A round is over; the state of a lane that named no stake stays."""
        from bacclab.bettors.lanes_kernels import step_stakes

        step_stakes(self.state, self.named, result.staked, result.net, self.following, self.table.asked)

    def reset_lanes(self, where: Mask) -> None:
        """Begin again in some lanes."""
        self.state[where] = self.table.reset[self.state[where]]


class SingleStake:
    """The stake of one lane, from the progression itself, asked only when there is a bet."""

    def __init__(self, progression: Progression, table: Table) -> None:
        self.progression, self.rules = progression, table
        self.lane = OneLane(table)
        progression.start(table)

    def shoe_lanes(self, where: Mask) -> None:
        """A new shoe begins."""
        if where[0]:
            self.lane.shoe()

    def stake(self, view: LaneView, spots: NDArray[Any], *, edge: Edge = None) -> Amounts:
        """The stake for the bet ``spots[0]``."""
        if spots[0] < 0:
            return np.zeros(1, dtype=np.int64)
        self.lane.show(view)
        bet = view.bet_of(int(spots[0]))
        reckoned = None if edge is None else float(edge[0])
        stake = self.progression.stake_on(bet, self.lane.view, edge=reckoned)
        ((_, amount),) = self.lane.view.on(bet, stake).items
        return np.array([max(-1, min(amount, MAX_AMOUNT + 1))], dtype=np.int64)

    def settle(self, result: LaneResult) -> None:
        """A round is over."""
        one = self.lane.result(result)
        if one.laid:
            self.progression.settle(one)

    def reset_lanes(self, where: Mask) -> None:
        """Begin again."""
        if where[0]:
            self.progression.start(self.rules)


class WholeStakes:
    """The stakes of a vectorised progression."""

    def __init__(self, progression: LaneProgression, table: Table, *, lanes: int) -> None:
        self.progression = progression
        progression.lanes = lanes
        progression.start(table)
        self.settle = progression.settle
        self.reset_lanes = progression.reset_lanes

    def stake(self, view: LaneView, spots: NDArray[Any], *, edge: Edge = None) -> Amounts:
        """The stake a lane for the bets ``spots``."""
        return self.progression.stake_on(spots, view, edge=edge)
