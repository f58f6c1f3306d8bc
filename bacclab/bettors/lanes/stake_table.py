"""A progression written for one session, walked into a table of stakes for the lanes of a vectorised selection.

Most progressions go on from whether their bet won, pushed or lost, and name a stake whatever the bet: one column and
three endings. One whose stake depends on the bet has a column for each bet that the selection can name, and one that
looks at amounts an ending for each pay line, since bet, stake and line say what was won.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bacclab.bettors.base import Progression
from bacclab.bettors.freeze import Unfreezable, duplicate, freeze
from bacclab.bettors.table import MAX_STATES, BlindView, NotTabular, unreadable
from bacclab.bettors.view import Result
from bacclab.money import MAX_AMOUNT, Money

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table

__all__ = ["StakeTable", "walk_stakes"]

MOST_CELLS = 12_000
"""The most states × bets × endings where stakes depend on bets or amounts: they have few states or no end of them."""

Row = tuple[int, int, list[int], int]


@dataclass(frozen=True, slots=True)
class StakeTable:
    """What a progression does in every state *s* for a bet of column *k*; state 0 is the start of a session.

    ``amount[s, k]`` is the stake in ten-thousandths (one above the largest amount for any that is larger), ``asked[s,
    k]`` the state once it has been named and not laid, ``next[s, k, e]`` the state after the ending *e* (won, pushed,
    lost; or, ``by_line``, the pay line), ``reset[s, k]`` the state when the progression begins again after a refusal.
    ``column`` has the column of each bet: −2 for bets that were not walked, and last −1 for no bet.
    """

    column: NDArray[np.int16]
    amount: NDArray[np.int64]
    asked: NDArray[np.int32]
    next: NDArray[np.int32]
    reset: NDArray[np.int32]
    by_line: bool


def walk_stakes(
    progression: Progression,
    table: Table,
    layout: Layout,
    *,
    policy: str,
    rounds: int,
    bets: Sequence[str] | None = None,
    edges: bool = False,
) -> StakeTable:
    """A progression walked over the states it can reach in ``rounds`` rounds. Raises NotTabular where it has no table.

    ``bets`` are those that the selection can name (None: any bet of the table), ``edges`` says whether it reckons an
    edge. The progression itself is left untouched.
    """
    by_bet = type(progression).stake_on is not Progression.stake_on
    if by_bet and edges:
        raise NotTabular("it has no table of stakes: they may depend on the edge of the bet")
    named = [layout.index[bet] for bet in (layout.ids if bets is None else bets) if bet in layout.index]
    try:
        try:
            walk = _StakeWalk(table, layout, named if by_bet else [0], policy=policy, rounds=rounds, by_line=False)
            return _walked(walk, progression, whatever_bet=not by_bet)
        except _LooksAtAmounts:
            if policy == "cap":  # a bet that is cut to the bankroll wins less than the table says
                raise
            walk = _StakeWalk(table, layout, named, policy=policy, rounds=rounds, by_line=True)
            return _walked(walk, progression, whatever_bet=False)
    except NotTabular as error:
        raise NotTabular(f"it has no table of stakes: {error}") from None


def _walked(walk: _StakeWalk, progression: Progression, *, whatever_bet: bool) -> StakeTable:
    try:
        return walk.table(duplicate(progression), whatever_bet=whatever_bet)
    except Unfreezable as error:
        raise NotTabular(str(error)) from None
    except NotTabular:
        raise
    except Exception as error:
        # The walk also reaches states that no session comes to; what fails there need not fail in play.
        raise NotTabular(f"the walk over its states failed ({type(error).__name__}: {error})") from error


class _LooksAtAmounts(NotTabular):
    """The progression read what was staked or won, in money."""


class _StakeWalk:
    """One breadth-first walk; a round a level, and a level each time that it may begin again within a round."""

    def __init__(
        self, table: Table, layout: Layout, bets: Sequence[int], *, policy: str, rounds: int, by_line: bool
    ) -> None:
        self.rules, self.layout, self.bets, self.resets = table, layout, bets, policy == "reset"
        # Where no table maximum is cut to, what is above all of them is never laid, and nothing follows from it.
        self.most = MAX_AMOUNT if policy == "cap" else min(int(layout.maximum.max()), MAX_AMOUNT)
        # The limits may refuse a bet, and the bankroll the next one.
        self.levels = 3 * rounds + 2 if self.resets else rounds
        self.by_line, self.endings = by_line, layout.numerator.shape[1] if by_line else 3
        several = by_line or len(bets) > 1
        self.most_states = MOST_CELLS // (len(bets) * self.endings) if several else MAX_STATES
        self.view = BlindView(table)
        self.number: dict[Hashable, int] = {}
        self.queue: deque[tuple[int, Progression, int]] = deque()

    def table(self, progression: Progression, *, whatever_bet: bool) -> StakeTable:
        """The table; with ``whatever_bet`` its one column is that of every bet."""
        progression.start(self.rules)
        self._reach(progression, level=0)
        states = []
        while self.queue:
            state, before, level = self.queue.popleft()
            states.append([self._expand(state, before, bet, level) for bet in self.bets])
        column = np.full(len(self.layout.ids) + 1, 0 if whatever_bet else -2, dtype=np.int16)
        column[list(self.bets)] = np.arange(len(self.bets))
        column[-1] = -1
        return StakeTable(
            column=column,
            amount=np.array([[row[0] for row in rows] for rows in states], dtype=np.int64),
            asked=np.array([[row[1] for row in rows] for rows in states], dtype=np.int32),
            next=np.array([[row[2] for row in rows] for rows in states], dtype=np.int32),
            reset=np.array([[row[3] for row in rows] for rows in states], dtype=np.int32),
            by_line=self.by_line,
        )

    def _reach(self, progression: Progression, *, level: int) -> int:
        key = freeze(progression)
        state = self.number.get(key)
        if state is None:
            state = self.number[key] = len(self.number)
            self.queue.append((state, progression, level))
            if state >= self.most_states:
                raise NotTabular(f"it has more than {state:,} states")
        return state

    def _expand(self, state: int, before: Progression, bet: int, level: int) -> Row:
        asked, name = duplicate(before), self.layout.ids[bet]
        ((_, stake),) = self.view.on(name, asked.stake_on(name, self.view)).items
        if stake < 0:
            raise NotTabular("it names a stake below zero")
        amount = min(stake, MAX_AMOUNT + 1)
        if level >= self.levels:
            return amount, state, [state] * self.endings, state
        reset = state
        if self.resets:
            again = duplicate(asked)
            again.start(self.rules)
            reset = self._reach(again, level=level + 1)
        idle = self._reach(asked, level=level + 1)
        if not 0 < amount <= self.most:
            return amount, idle, [idle] * self.endings, reset
        results = self._by_line(bet, amount) if self.by_line else [_Ending(0, staked=1, net=n) for n in (1, 0, -1)]
        return amount, idle, [self._after(asked, result, idle, level=level) for result in results], reset

    def _by_line(self, bet: int, amount: int) -> list[Result | None]:
        """What each pay line of a bet gives; None for a line that it does not have."""
        found: list[Result | None] = [None] * self.endings
        lines, codes = np.unique(self.layout.line[bet], return_index=True)
        for line, code in zip(lines.tolist(), codes.tolist(), strict=True):
            found[line] = _Paid(code, staked=amount, net=self.layout.settle(bet, amount, code)[0])
        return found

    def _after(self, asked: Progression, result: Result | None, idle: int, *, level: int) -> int:
        if result is None:
            return idle
        one = duplicate(asked)
        one.settle(result)
        return self._reach(one, level=level + 1)


class _Paid(Result):
    """A result of which the ending and the amounts may be read, and nothing else of the round."""

    __slots__ = ()
    outcome = round = unreadable("what the round was")
    player_total = banker_total = unreadable("what the round was")
    player_pair = banker_pair = natural = unreadable("what the round was")


class _Ending(_Paid):
    """A result of which only the ending may be read: won, push or lost."""

    __slots__ = ()

    @property
    def staked(self) -> Money:
        raise _LooksAtAmounts("it looks at amounts")

    net = staked
