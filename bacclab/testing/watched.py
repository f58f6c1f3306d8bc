"""A bettor that is watched while it plays: what it asks for in every round, what it reads, what it writes.

The wrapper goes through the ordinary player, so what is checked is what a run does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bacclab.bettors.base import Bettor
from bacclab.bettors.freeze import duplicate
from bacclab.bettors.lanes.base import LaneBets, LaneBettor, LaneResult, LaneView
from bacclab.bettors.view import Bets, Result, View
from bacclab.money import Money

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bacclab.game.tables import Table

Asked = tuple[int, str]
"""A round (from 1) and what was asked for in it, in words."""

READS = ("won", "push", "lost", "pick", "outcome", "round", "net", "staked", "laid")


@dataclass(eq=False)
class Logbook:
    """What a watched bettor did; it is shared by all copies of the bettor that the player makes."""

    asked: list[list[Asked]] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    changes: list[str] = field(default_factory=list)
    round: int = 0
    fault: str = ""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    @property
    def where(self) -> str:
        """The place of the last call, in words."""
        return f"session {len(self.asked) - 1}, round {self.round}" if self.round else "before the first round"

    def begin(self) -> None:
        """A session begins."""
        self.asked.append([])
        self.round = 0

    def ask(self, round_number: int, what: str) -> None:
        """Keep what was asked for."""
        self.asked[-1].append((round_number, what))

    def change(self, what: str) -> None:
        """Keep that something was changed which is not the bettor's to change."""
        self.changes.append(f"{self.where}: {what}")


class Shared:
    """Holds a bettor of which no copies are made."""

    def __init__(self, bettor: Any) -> None:
        self.bettor = bettor

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


def in_words(bets: object, ids: Sequence[str] = ()) -> str:
    """What `bet` returned; `ids` are the bets by their indices in lanes.

    >>> in_words(None), in_words(Bets((("banker", 100_000),))), in_words(7)
    ('nothing', 'banker 10.00', '7')
    """
    if bets is None:
        return "nothing"
    if isinstance(bets, Bets):
        return "stop" if bets.ends_session else repr(bets).removeprefix("Bets(").removesuffix(")") or "nothing"
    if isinstance(bets, LaneBets):
        laid = [
            f"{_id(int(np.ravel(spot)[0]), ids)} {Money.of(int(np.ravel(stakes)[0]))}"
            for spot, stakes in bets.items
            if np.size(stakes) and np.ravel(stakes)[0] != 0 and np.ravel(spot)[0] != -1
        ]
        return " + ".join(laid) or "nothing"
    return repr(bets)


def _id(spot: int, ids: Sequence[str]) -> str:
    return ids[spot] if 0 <= spot < len(ids) else f"bet {spot}"


class Watched(Bettor):
    """A plain bettor under watch; `beside` plays along unseen, so that what two bettors share shows."""

    def __init__(self, bettor: Bettor, log: Logbook, *, shared: bool = False, beside: Bettor | None = None) -> None:
        super().__init__()
        self.inner: Bettor | Shared = Shared(bettor) if shared else bettor
        self.beside = beside
        self.log = log

    @property
    def own(self) -> Bettor:
        """The bettor under watch."""
        found: Bettor = self.inner.bettor if isinstance(self.inner, Shared) else self.inner
        return found

    def start(self, table: Table) -> None:
        self.log.begin()
        self.own.start(table)
        self._along("start", table)

    def shoe(self) -> None:
        self.own.shoe()
        self._along("shoe")

    def bet(self, view: View) -> Bets | None:
        log = self.log
        log.round = view._round
        before, values = _seen(view), repr(self.own.parameters)
        bets = self.own.bet(view)
        if _seen(view) != before:
            log.change("bet() changed the view that it was shown")
        if repr(self.own.parameters) != values:
            log.change("bet() changed a parameter of the bettor")
        log.ask(view._round, in_words(bets))
        self._along("bet", view)
        return bets

    def settle(self, result: Result) -> None:
        noting = _NotingResult(result._code, staked=result._staked, net=result._net, reads=self.log.reads)
        values = repr(self.own.parameters)
        self.own.settle(noting)
        if (noting._code, noting._staked, noting._net) != (result._code, result._staked, result._net):
            self.log.change("settle() changed the result that it was told")
        if repr(self.own.parameters) != values:
            self.log.change("settle() changed a parameter of the bettor")
        self._along("settle", result)

    def reset(self, table: Table) -> None:
        self.own.reset(table)
        self._along("reset", table)

    def _along(self, method: str, *arguments: Any) -> None:
        if self.beside is not None:
            getattr(self.beside, method)(*arguments)


class WatchedLanes(LaneBettor):
    """A vectorised bettor under watch, one session after the other."""

    def __init__(
        self, bettor: LaneBettor, log: Logbook, *, shared: bool = False, beside: LaneBettor | None = None
    ) -> None:
        super().__init__()
        self.inner: LaneBettor | Shared = Shared(bettor) if shared else bettor
        self.beside = beside
        self.log = log

    @property
    def own(self) -> LaneBettor:
        """The bettor under watch."""
        found: LaneBettor = self.inner.bettor if isinstance(self.inner, Shared) else self.inner
        return found

    def start(self, table: Table) -> None:
        self.log.begin()
        for one in self._all():
            one.lanes = self.lanes
            one.start(table)

    def shoe_lanes(self, where: Any) -> None:
        for one in self._all():
            one.shoe_lanes(where.copy())

    def bet(self, view: LaneView) -> LaneBets | None:  # type: ignore[override]
        log = self.log
        log.round = view._round
        values, before = repr(self.own.parameters), _seen_lanes(view)
        bets = self.own.bet(view)
        if _seen_lanes(view) != before:
            log.change("bet() changed the view that it was shown")
        if repr(self.own.parameters) != values:
            log.change("bet() changed a parameter of the bettor")
        log.ask(view._round, in_words(bets, tuple(view._index)))
        if self.beside is not None:
            self.beside.bet(view)
        return bets

    def settle(self, result: LaneResult) -> None:  # type: ignore[override]
        noting = _NotingLaneResult(result._code, staked=result._staked, net=result._net, reads=self.log.reads)
        before = _array_bytes((result._code, result._staked, result._net))
        values = repr(self.own.parameters)
        self.own.settle(noting)
        if _array_bytes((noting._code, noting._staked, noting._net)) != before:
            self.log.change("settle() changed the result that it was told")
        if repr(self.own.parameters) != values:
            self.log.change("settle() changed a parameter of the bettor")
        if self.beside is not None:
            self.beside.settle(result)

    def reset_lanes(self, where: Any) -> None:
        for one in self._all():
            one.reset_lanes(where.copy())

    def _all(self) -> Iterable[LaneBettor]:
        return (self.own,) if self.beside is None else (self.own, self.beside)


def watched(bettor: Bettor, log: Logbook, *, shared: bool = False, beside: Bettor | None = None) -> Bettor:
    """The bettor under watch, of whichever kind it is."""
    along = None if beside is None else duplicate(beside)
    if isinstance(bettor, LaneBettor):
        assert along is None or isinstance(along, LaneBettor)
        return WatchedLanes(bettor, log, shared=shared, beside=along)
    return Watched(bettor, log, shared=shared, beside=along)


def _seen(view: View) -> tuple[object, ...]:
    unseen = None if view._unseen is None else tuple(view._unseen)
    return view._table, view._bankroll, view._round, view._shoe, tuple(view._past), unseen, view._random


def _seen_lanes(view: LaneView) -> tuple[object, ...]:
    spots = b"".join(spot.tobytes() for spot in view._spots.values())
    return view._table, view._round, spots, _array_bytes((view._bankroll, view._shoe, view._shoe_start))


def _array_bytes(arrays: Iterable[Any]) -> tuple[bytes, ...]:
    return tuple(array.tobytes() for array in arrays)


def _noted(name: str, kind: type) -> Any:
    parent = getattr(kind, name)
    if isinstance(parent, property):

        def read(self: Any) -> Any:
            self._reads.add(name)
            return parent.fget(self)  # type: ignore[misc]

        return property(read)

    def call(self: Any, **values: Any) -> Any:
        self._reads.add(name)
        return parent(self, **values)

    return call


class _NotingResult(Result):
    """A result that notes what is read of it."""

    __slots__ = ("_reads",)

    def __init__(self, code: int, *, staked: int, net: int, reads: set[str]) -> None:
        super().__init__(code, staked=staked, net=net)
        self._reads = reads


class _NotingLaneResult(LaneResult):
    """A result of lanes that notes what is read of it."""

    __slots__ = ("_reads",)

    def __init__(self, code: Any, *, staked: Any, net: Any, reads: set[str]) -> None:
        super().__init__(code, staked=staked, net=net)
        self._reads = reads


for _name in READS:
    setattr(_NotingResult, _name, _noted(_name, Result))
    if hasattr(LaneResult, _name):
        setattr(_NotingLaneResult, _name, _noted(_name, LaneResult))
