"""What is checked: a bettor, selection or progression with its parameters, and the sessions on which it is tried."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.base import Bettor, Progression, Selection
from bacclab.bettors.lanes.base import LaneBettor
from bacclab.bettors.progressions.classic import Flat
from bacclab.bettors.selections.recent import Always
from bacclab.bettors.view import UnseenNeeded
from bacclab.errors import BettorError
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.money import UNITS
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon, Rounds
from bacclab.testing.report import CheckFailed, said
from bacclab.testing.watched import Logbook, watched
from bacclab.tournament.make import combined
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.time_limit import OutOfTime, time_limit
from bacclab.tournament.play.ways import player_for

if TYPE_CHECKING:
    from bacclab.bettors.params import Configurable
    from bacclab.game.tables import Table
    from bacclab.tournament.play.ways import Player

SESSIONS = 3
ROUNDS = 150
"""How many sessions are tried, and how many rounds of each: two shoes."""

HANGS_AFTER = 20.0
"""Seconds after which a check takes a bettor for one that hangs."""


@dataclass(frozen=True)
class Subject:
    """A class with its parameters, and the sessions on which it is tried.

    `variant` are other parameters for the same class; without them the same ones stand for both. `beside` is what a
    selection or progression is played with.
    """

    cls: type[Configurable]
    values: Mapping[str, Any] = field(default_factory=dict)
    variant: Mapping[str, Any] | None = None
    table: Table = field(default_factory=lambda: BUILT_IN_TABLES["no-commission"])
    bankroll: int = 10_000 * UNITS
    seed: int = 1
    sessions: int = SESSIONS
    rounds: int = ROUNDS
    budget: float = 2.0
    """Milliseconds that the bettor may take for a round."""

    @property
    def title(self) -> str:
        """How the thing is called in messages."""
        kind = next(kind for kind in (Bettor, Selection, Progression) if issubclass(self.cls, kind))
        return f"{kind.__name__.lower()} {self.cls.id or self.cls.__name__}"

    def make(self, values: Mapping[str, Any] | None = None) -> Bettor:
        """A new bettor; a selection comes with a flat stake, a progression with Banker in every round."""
        made: Any = self.cls(**(self.values if values is None else values))
        if isinstance(made, Bettor):
            return made
        if isinstance(made, Selection):
            return combined(made, Flat(unit=10))
        return combined(Always(on="banker"), made)

    @functools.cached_property
    def layout(self) -> Layout:
        """The table's bets as arrays."""
        return Layout(self.table)

    @functools.cached_property
    def terms(self) -> Terms:
        """The terms of the sessions that are tried."""
        return Terms(
            layout=self.layout,
            bankroll=self.bankroll,
            stop_win=None,
            stop_loss=None,
            checkpoints=np.array([0, self.rounds], dtype=np.int64),
            traced=self.sessions,
            policy="cap",
            max_rounds=self.rounds,
            sees_cards=self.sees_cards,
        )

    @functools.cached_property
    def dealt(self) -> Rounds:
        """The rounds of the sessions; with the cards left where the bettor looks at them."""
        return self.deal(self.seed)

    def deal(self, seed: int) -> Rounds:
        """Rounds of as many sessions from another seed."""
        source = SimulatedSource(self.table.shoe, seed=seed)
        return source.rounds(0, self.sessions, horizon=Horizon(rounds=self.rounds), unseen=self.sees_cards)

    @functools.cached_property
    def sees_cards(self) -> bool:
        """Whether the bettor looks at the cards left."""
        closed = SimulatedSource(self.table.shoe, seed=self.seed).rounds(
            0, self.sessions, horizon=Horizon(rounds=self.rounds)
        )
        blind = replace(self)
        vars(blind)["sees_cards"] = False
        try:
            with time_limit(HANGS_AFTER, what="the kit's patience"):
                blind.player("plain").play(closed, first=0)
        except UnseenNeeded:
            return True
        except Exception:  # noqa: BLE001 - whatever it raises is told by the check that looks for it
            return False
        return False

    def player(self, way: str, bettor: Bettor | None = None) -> Player:
        """The bettor, or another, to be played in the named way."""
        return player_for(
            self.make() if bettor is None else bettor, self.terms, name="checked", seed=self.seed, way=way
        )

    def watch(
        self,
        rounds: Rounds | None = None,
        *,
        first: int = 0,
        bettor: Bettor | None = None,
        shared: bool = False,
        beside: Bettor | None = None,
    ) -> Logbook:
        """Play the sessions plainly under watch; raises CheckFailed, with session and round, where that fails."""
        log = Logbook()
        under_watch = watched(self.make() if bettor is None else bettor, log, shared=shared, beside=beside)
        try:
            with time_limit(HANGS_AFTER, what="the kit's patience"):
                self.player("plain", under_watch).play(self.dealt if rounds is None else rounds, first=first)
        except OutOfTime as error:
            raise CheckFailed(f"{log.where}: it hangs: {error}") from error
        except Exception as error:
            raise CheckFailed(f"{log.where}: {said(error)}") from error
        return log


def subject_of(thing: type[Configurable] | Configurable, **settings: Any) -> Subject:
    """The subject for a class, or for an instance with its parameters.

    Raises BettorError for anything else. `settings` are fields of `Subject`; `values` go before an instance's own.
    """
    base = (Bettor, Selection, Progression)
    if isinstance(thing, type) and issubclass(thing, base):
        return Subject(thing, **settings)
    if isinstance(thing, base):
        return Subject(type(thing), **{"values": thing.parameters, **settings})
    raise BettorError(f"{thing!r} is no bettor, selection or progression", hint="give the class, or an instance of it")


def part(rounds: Rounds, session: int) -> Rounds:
    """The rounds of one session."""
    one = slice(session, session + 1)
    return Rounds(
        codes=rounds.codes[one],
        lengths=rounds.lengths[one],
        ran_out=rounds.ran_out[one],
        unseen=None if rounds.unseen is None else rounds.unseen[one],
    )


__all__ = ["HANGS_AFTER", "LaneBettor", "Subject", "part", "subject_of"]
