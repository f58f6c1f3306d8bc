"""A cell made ready for play, and a block of its rounds played by every bettor."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bacclab.bettors.view import UnseenNeeded
from bacclab.errors import BacclabError, BettorError, shorten
from bacclab.exact.odds import line_probabilities
from bacclab.game.layout import Layout
from bacclab.shoes.known import undecided_bets
from bacclab.shoes.source import Rounds, known_of, supposes
from bacclab.tournament.ledger import CARDS_LEFT, FULL_SHOE
from bacclab.tournament.make import make_bettor
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.told import refuse_onlooker
from bacclab.tournament.play.ways import Chosen, choose, seeing

if TYPE_CHECKING:
    from bacclab.registry import Registry
    from bacclab.tournament.ledger import Ledger, Trace
    from bacclab.tournament.plan import Cell

__all__ = ["CellPlay", "Played", "play_block", "prepare_cell"]

TRIAL_SESSIONS = 3
TRIAL_ROUNDS = 200
"""How many sessions, and how many rounds of each, are replayed plainly to check a way of playing."""

Deal = Callable[[int, int], Rounds]


@dataclass(frozen=True, slots=True)
class BettorPlay:
    """A bettor of a cell with its player."""

    name: str
    chosen: Chosen
    sees_cards: bool


@dataclass(frozen=True, slots=True)
class CellPlay:
    """The bettors of a cell, sorted by name; whether any looks at the cards left, and how to deal with them shown."""

    bettors: tuple[BettorPlay, ...]
    unseen: bool
    deal_open: Deal

    @property
    def played_by(self) -> dict[str, str]:
        """The way each bettor is played: ``table``, ``lanes`` or ``plain``."""
        return {one.name: one.chosen.player.way for one in self.bettors}

    @property
    def why(self) -> dict[str, str]:
        """Why a bettor is not played from a table, in words; empty text where it is."""
        return {one.name: one.chosen.why for one in self.bettors}


@dataclass(frozen=True, slots=True)
class Played:
    """What a bettor did in a block."""

    bettor: str
    ledger: Ledger
    trace: Trace
    expected_on: str


def prepare_cell(cell: Cell, registry: Registry) -> CellPlay:
    """Make the bettors of a cell, choose how each is played, and check the choice on a few plain sessions."""
    layout = Layout(cell.table)
    probabilities = line_probabilities(layout, cell.table.shoe.decks)

    def deal_open(first: int, count: int) -> Rounds:
        return cell.source.rounds(first, count, horizon=cell.horizon, unseen=True)

    known = known_of(cell.source)
    undecided = undecided_bets(layout, known)
    supposed = supposes(cell.source)
    if supposed:
        undecided -= frozenset(np.flatnonzero(~layout.side).tolist())
    sessions = min(TRIAL_SESSIONS, cell.sessions)
    closed = _shortened(cell.source.rounds(0, sessions, horizon=cell.horizon, unseen=False))
    opened: Rounds | None = None
    ready = []
    for spec in sorted(cell.bettors, key=lambda one: one.name):
        terms = Terms(
            table=cell.table,
            layout=layout,
            probabilities=probabilities,
            bankroll=cell.bankroll,
            stop_win=spec.stop.win,
            stop_loss=spec.stop.loss,
            checkpoints=cell.checkpoints,
            traced=cell.trajectories,
            policy=spec.when_refused,
            max_rounds=cell.max_rounds,
            known=known,
            undecided=undecided,
        )
        with _named(spec.name):
            bettor = make_bettor(spec, registry, others=cell.bettors)
            try:
                chosen = choose(bettor, terms, name=spec.name, seed=cell.seed, trial=closed)
            except UnseenNeeded:
                opened = opened or _shortened(deal_open(0, sessions))
                terms = replace(terms, sees_cards=True)
                chosen = choose(bettor, terms, name=spec.name, seed=cell.seed, trial=opened)
            if not supposed:
                refuse_onlooker(chosen.player, known, opened if terms.sees_cards and opened is not None else closed)
        ready.append(BettorPlay(spec.name, chosen, terms.sees_cards))
    return CellPlay(tuple(ready), opened is not None, deal_open)


def play_block(cell_play: CellPlay, rounds: Rounds, *, first: int) -> Iterator[Played]:
    """Let every bettor play the same rounds, one after the other; ``first`` is the number of the first session."""
    opened = None if rounds.unseen is None else rounds
    closed = rounds if opened is None else replace(rounds, unseen=None)
    for one in cell_play.bettors:
        player, sees_cards = one.chosen.player, one.sees_cards
        with _named(one.name):
            try:
                ledger, trace = player.play(opened if sees_cards and opened is not None else closed, first=first)
            except UnseenNeeded:
                # It did not look at the cards in the trial, and does now.
                sees_cards, opened = True, opened or cell_play.deal_open(first, rounds.codes.shape[0])
                ledger, trace = seeing(player).play(opened, first=first)
        yield Played(one.name, ledger, trace, CARDS_LEFT if sees_cards else FULL_SHOE)


def _shortened(rounds: Rounds) -> Rounds:
    if rounds.codes.shape[1] <= TRIAL_ROUNDS:
        return rounds
    return Rounds(
        codes=np.ascontiguousarray(rounds.codes[:, :TRIAL_ROUNDS]),
        lengths=np.minimum(rounds.lengths, TRIAL_ROUNDS).astype(np.int32),
        ran_out=np.zeros_like(rounds.ran_out),
        unseen=None if rounds.unseen is None else np.ascontiguousarray(rounds.unseen[:, :TRIAL_ROUNDS]),
    )


@contextmanager
def _named(bettor: str) -> Iterator[None]:
    """Say which bettor a fault belongs to; a fault in a bettor's own code is told by its file and line."""
    try:
        yield
    except UnseenNeeded:
        raise
    except BacclabError as error:
        if repr(bettor) in error.message:
            raise
        raise type(error)(f"bettor {bettor!r}: {error.message}", hint=error.hint) from error
    except (Exception, SystemExit, GeneratorExit) as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        said = shorten(" ".join(str(error).split()), 300)
        raise BettorError(f"bettor {bettor!r} failed: {type(error).__name__}: {said} ({where})") from error
