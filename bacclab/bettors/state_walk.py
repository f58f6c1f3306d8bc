"""The walk over the states of a bettor that makes its transition table.

The walk plays the bettor itself, in plain Python, once from every state that it can reach within the session. What the
bettor reads, and the bets it lays, refine the classes of rounds.
"""

from __future__ import annotations

import functools
from collections import deque
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeVar

import numpy as np

from bacclab.bettors.base import Bettor
from bacclab.bettors.freeze import duplicate, freeze
from bacclab.bettors.routed import RoutedResult
from bacclab.bettors.slip import Requests, Slip
from bacclab.bettors.table import MAX_CELLS, MAX_STATES, BlindView, NotTabular, TransitionTable
from bacclab.game.codes import CODES, Outcome, decode
from bacclab.money import Money

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table

__all__ = ["Classes", "Finer", "NotingResult", "Walk", "WholeWalk"]

_NEVER = 2**62

State = TypeVar("State")


class Finer(Exception):
    """The classes had to be split; the walk begins again with the finer ones."""


class Classes:
    """The partition of the rounds into classes, refined as features are read and bets are laid."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        # Codes that no shoe can give are told apart too: records may hold anything.
        self.codes = np.arange(CODES)
        self.columns: dict[str, NDArray[np.int64]] = {}
        self.class_of = np.zeros(CODES, dtype=np.uint16)
        self.representatives: list[int] = [int(self.codes[0])]

    def need_feature(self, name: str) -> None:
        """Tell rounds apart by a field of the round."""
        if name not in self.columns:
            self._split(name, self.codes if name == "code" else _feature(name))

    def need_bet(self, index: int) -> None:
        """Tell rounds apart by what they pay on a bet."""
        if (name := f"bet {index}") not in self.columns:
            self._split(name, self.layout.line[index, self.codes].astype(np.int64))

    def _split(self, name: str, column: NDArray[np.int64]) -> NoReturn:
        self.columns[name] = column
        stacked = np.stack(list(self.columns.values()), axis=1)
        _, first, inverse = np.unique(stacked, axis=0, return_index=True, return_inverse=True)
        self.class_of[self.codes] = inverse.reshape(-1)
        self.representatives = [int(self.codes[i]) for i in first]
        raise Finer


@functools.cache
def _feature(name: str) -> NDArray[np.int64]:
    """A field of the round for every code, as numbers."""
    return np.array([_rank(getattr(decode(code), name)) for code in range(CODES)])


def _rank(value: object) -> int:
    if isinstance(value, Outcome):
        return list(Outcome).index(value)
    assert isinstance(value, int)
    return int(value)


class Walk(Generic[State]):
    """One walk over the states with fixed classes; a 0–1 breadth-first search, so depth is the round number.

    What a state is, is left to the methods `begin` to `settle`.
    """

    def __init__(
        self, bettor: Bettor, table: Table, layout: Layout, classes: Classes, *, policy: str, rounds: int
    ) -> None:
        self.table_rules, self.layout, self.classes = table, layout, classes
        self.requests = Requests(layout)
        self.policy, self.rounds = policy, rounds
        self.view = BlindView(table)
        self.looks_at_amounts = self.looks_at_results = False
        self.number: dict[Hashable, int] = {}
        self.states: list[State] = []
        self.depth: list[int] = []
        self.queue: deque[int] = deque()
        self.begins: list[int] = []  # the first round that can begin in the state; only there can a new shoe
        self.shoes: dict[int, tuple[int, int]] = {}  # the state after a new shoe, and the round it was reached in
        self.rows: dict[int, tuple[Slip, str | None, list[int], list[int], int]] = {}
        self.nets: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}
        bettor.start(table)
        self._reach(self.begin(bettor), depth=0, same_round=False)

    def begin(self, bettor: Bettor) -> State:
        """The state of a bettor that has started."""
        raise NotImplementedError

    def key(self, state: State) -> Hashable:
        """What two equal states have in common."""
        raise NotImplementedError

    def ask(self, state: State) -> tuple[State, Slip, str | None]:
        """Ask for the bets of the next round: the state after the question, the slip, the ending that it brings."""
        raise NotImplementedError

    def reset(self, state: State) -> State:
        """The progression begins again after a refusal."""
        raise NotImplementedError

    def new_shoe(self, state: State) -> State:
        """A new shoe begins."""
        raise NotImplementedError

    def settle(self, state: State, result: NotingResult) -> State:
        """A round is over."""
        raise NotImplementedError

    def table(self) -> TransitionTable:
        """The table, when every state has been looked at."""
        while self.queue:
            state = self.queue.popleft()
            if state not in self.rows:
                self.rows[state] = self._expand(state)
            if self.begins[state] < self.shoes.get(state, (0, _NEVER))[1]:
                fresh = self.new_shoe(self.states[state])
                self.shoes[state] = (self._reach(fresh, depth=self.begins[state], same_round=True), self.begins[state])
        rows = [self.rows[s] for s in range(len(self.states))]
        return TransitionTable(
            class_of=self.classes.class_of,
            representatives=tuple(self.classes.representatives),
            slips=tuple(row[0] for row in rows),
            endings=tuple(row[1] for row in rows),
            next=np.array([row[2] for row in rows], dtype=np.int32),
            idle=np.array([row[3] for row in rows], dtype=np.int32),
            reset=np.array([row[4] for row in rows], dtype=np.int32),
            shoe=np.array([self.shoes.get(s, (s, 0))[0] for s in range(len(rows))], dtype=np.int32),
            looks_at_amounts=self.looks_at_amounts,
            looks_at_results=self.looks_at_results,
            closed=all(row[1] or depth < self.rounds for row, depth in zip(rows, self.depth, strict=True)),
        )

    def _reach(self, reached: State, *, depth: int, same_round: bool) -> int:
        key = self.key(reached)
        state = self.number.get(key)
        if state is None:
            state = self.number[key] = len(self.states)
            self.states.append(reached)
            self.depth.append(depth)
            self.begins.append(_NEVER if same_round else depth)
            if len(self.states) > MAX_STATES or len(self.states) * len(self.classes.representatives) > MAX_CELLS:
                raise NotTabular(f"it has more than {len(self.states) - 1:,} states within {self.rounds:,} rounds")
        elif depth >= self.depth[state] and (same_round or depth >= self.begins[state]):
            return state
        self.depth[state] = min(depth, self.depth[state])
        self.begins[state] = self.begins[state] if same_round else min(depth, self.begins[state])
        self.queue.appendleft(state) if same_round else self.queue.append(state)
        return state

    def _expand(self, state: int) -> tuple[Slip, str | None, list[int], list[int], int]:
        depth = self.depth[state]
        asked, slip, ending = self.ask(self.states[state])
        for index, _ in slip.bets:
            self.classes.need_bet(index)
        reset = state
        if self.policy == "reset" and slip.bets:
            reset = self._reach(self.reset(asked), depth=depth, same_round=True)
        nowhere = [state] * len(self.classes.representatives)
        if ending or depth >= self.rounds:
            return slip, ending, nowhere, nowhere, reset
        after = self._after(asked, slip, depth=depth)
        skips = self.policy == "skip" and slip.bets
        idle = self._after(asked, Slip((), 0), depth=depth) if skips else after
        return slip, None, after, idle, reset

    def _after(self, asked: State, slip: Slip, *, depth: int) -> list[int]:
        reached = []
        for code in self.classes.representatives:
            net = self.nets.get((slip.bets, code))
            if net is None:
                net = sum(self.layout.settle(index, amount, code)[0] for index, amount in slip.bets)
                self.nets[slip.bets, code] = net
            after = self.settle(asked, NotingResult(code, staked=slip.total, net=net, walk=self))
            reached.append(self._reach(after, depth=depth + 1, same_round=False))
        return reached


class WholeWalk(Walk[Bettor]):
    """A walk whose states are bettors; each is left as it is, and a copy goes on from it."""

    def begin(self, bettor: Bettor) -> Bettor:
        return bettor

    def key(self, state: Bettor) -> Hashable:
        return freeze(state)

    def ask(self, state: Bettor) -> tuple[Bettor, Slip, str | None]:
        asked = duplicate(state)
        slip, ending = self.requests.ask(asked, self.view, policy=self.policy)
        return asked, slip, ending

    def reset(self, state: Bettor) -> Bettor:
        again = duplicate(state)
        again.reset(self.table_rules)
        return again

    def new_shoe(self, state: Bettor) -> Bettor:
        fresh = duplicate(state)
        fresh.shoe()
        return fresh

    def settle(self, state: Bettor, result: NotingResult) -> Bettor:
        after = duplicate(state)
        after.settle(result)
        return after


class NotingResult(RoutedResult):
    """A result that notes which fields of the round, and whether amounts, are read."""

    __slots__ = ("_walk",)

    def __init__(self, code: int, *, staked: int, net: int, walk: Walk[Any]) -> None:
        super().__init__(code, staked=staked, net=net)
        self._walk = walk

    @property
    def seen(self) -> tuple[int, int, int]:
        """All that there is to be seen of the round: rounds with the same are the same."""
        return self._code, self._staked, self._net

    def _field(self, name: str) -> Any:
        self._walk.classes.need_feature("code" if name == "round" else name)
        return super()._field(name)

    def _won(self) -> int:
        self._walk.looks_at_results = True
        return self._net

    def note_bet(self, index: int) -> None:
        self._walk.classes.need_bet(index)

    @property
    def staked(self) -> Money:
        self._walk.looks_at_amounts = True
        return super().staked

    @property
    def net(self) -> Money:
        self._walk.looks_at_amounts = True
        return Money.of(self._net)
