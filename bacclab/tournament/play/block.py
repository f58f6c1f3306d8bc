"""A cell made ready for play, and a block of its rounds played by every bettor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from bacclab.bettors.view import UnseenNeeded
from bacclab.errors import BacclabError
from bacclab.game.layout import Layout
from bacclab.shoes.known import undecided_bets
from bacclab.shoes.source import Rounds, known_of, supposes
from bacclab.tournament.ledger import CARDS_LEFT, FULL_SHOE
from bacclab.tournament.make import make_bettor
from bacclab.tournament.play.care import Care, Failure, is_stranger, named
from bacclab.tournament.play.onlookers import refuse_onlooker
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import Chosen, choose, seeing

if TYPE_CHECKING:
    from bacclab.bettors.base import Bettor
    from bacclab.plugins.registry import Registry
    from bacclab.tournament.ledger import Ledger, Trace
    from bacclab.tournament.plan import Cell

__all__ = ["CellPlay", "Failed", "Played", "play_block", "prepare_cell"]

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
    stranger: bool


@dataclass(frozen=True, slots=True)
class CellPlay:
    """The bettors of a cell, sorted by name; whether any looks at the cards left, and how to deal with them shown.

    `failed` are bettors of plugins that failed, in this process: they play no block after the one in which they did.
    """

    bettors: tuple[BettorPlay, ...]
    unseen: bool
    deal_open: Deal
    care: Care = field(default_factory=Care)
    failed: dict[str, Failure] = field(default_factory=dict)

    @property
    def played_by(self) -> dict[str, str]:
        """The way each bettor is played: ``table``, ``lanes`` or ``plain``."""
        return {one.name: one.chosen.player.way for one in self.bettors}

    @property
    def why(self) -> dict[str, str]:
        """Why a bettor is not played from a table, in words; empty text where it is."""
        return {one.name: one.chosen.why for one in self.bettors}


@dataclass(frozen=True, slots=True)
class Failed:
    """A bettor that has no results, and why."""

    bettor: str
    failure: Failure


@dataclass(frozen=True, slots=True)
class Played:
    """What a bettor did in a block."""

    bettor: str
    ledger: Ledger
    trace: Trace
    expected_on: str


def prepare_cell(cell: Cell, registry: Registry, *, care: Care | None = None) -> CellPlay:
    """Make the bettors of a cell, choose how each is played, and check the choice on a few plain sessions.

    A bettor of a plugin that cannot be played is left out, with its reason; if none is left, the error is raised.
    """
    care = care or Care()
    layout = Layout(cell.table)
    known = known_of(cell.source)
    undecided = undecided_bets(layout, known)
    if supposes(cell.source):
        undecided -= frozenset(np.flatnonzero(~layout.side).tolist())
    trial = _Trial(cell)
    ready: list[BettorPlay] = []
    failed: dict[str, Failure] = {}
    for spec in sorted(cell.bettors, key=lambda one: one.name):
        terms = Terms(
            layout=layout,
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
        stranger = is_stranger(spec, registry, others=cell.bettors)
        try:
            with named(spec.name, stranger=stranger), care.limit(stranger=stranger):
                bettor = make_bettor(spec, registry, others=cell.bettors)
                chosen, sees_cards = _choice(bettor, terms, trial, name=spec.name)
        except BacclabError as error:
            if not care.endures(error, stranger=stranger) or not (ready or len(failed) + 1 < len(cell.bettors)):
                raise
            failed[spec.name] = Failure.of(error, spec.name)
        else:
            ready.append(BettorPlay(spec.name, chosen, sees_cards, stranger))
    return CellPlay(tuple(ready), trial.was_opened, trial.deal_open, care, failed)


class _Trial:
    """A few rounds of a cell to check a way to play; dealt anew with the cards left once a bettor looks at them."""

    def __init__(self, cell: Cell) -> None:
        self.cell = cell
        self.sessions = min(TRIAL_SESSIONS, cell.sessions)
        self.closed = _shortened(cell.source.rounds(0, self.sessions, horizon=cell.horizon, unseen=False))
        self._opened: Rounds | None = None

    def deal_open(self, first: int, count: int) -> Rounds:
        """Whole sessions with the cards left before every round."""
        return self.cell.source.rounds(first, count, horizon=self.cell.horizon, unseen=True)

    @property
    def was_opened(self) -> bool:
        """Whether a bettor looked at the cards left."""
        return self._opened is not None

    @property
    def opened(self) -> Rounds:
        """The same rounds with the cards left."""
        self._opened = self._opened or _shortened(self.deal_open(0, self.sessions))
        return self._opened


def _choice(bettor: Bettor, terms: Terms, trial: _Trial, *, name: str) -> tuple[Chosen, bool]:
    """How a bettor is played, and whether it sees the cards left."""
    rounds, seed = trial.closed, trial.cell.seed
    try:
        chosen = choose(bettor, terms, name=name, seed=seed, trial=rounds)
    except UnseenNeeded:
        rounds, terms = trial.opened, replace(terms, sees_cards=True)
        chosen = choose(bettor, terms, name=name, seed=seed, trial=rounds)
    if not supposes(trial.cell.source):
        refuse_onlooker(chosen.player, terms.known, rounds)
    return chosen, terms.sees_cards


def play_block(cell_play: CellPlay, rounds: Rounds, *, first: int) -> Iterator[Played | Failed]:
    """Let every bettor play the same rounds, one after the other; ``first`` is the number of the first session."""
    opened = None if rounds.unseen is None else rounds
    closed = rounds if opened is None else replace(rounds, unseen=None)
    failed = cell_play.failed
    yield from (Failed(name, failure) for name, failure in failed.items() if failure.first < 0)
    for one in cell_play.bettors:
        if one.name in failed and failed[one.name].first < first:
            yield Failed(one.name, failed[one.name])
            continue
        player, sees_cards = one.chosen.player, one.sees_cards
        try:
            with named(one.name, stranger=one.stranger), cell_play.care.limit(stranger=one.stranger):
                try:
                    ledger, trace = player.play(opened if sees_cards and opened is not None else closed, first=first)
                except UnseenNeeded:
                    # It did not look at the cards in the trial, and does now.
                    sees_cards, opened = True, opened or cell_play.deal_open(first, rounds.codes.shape[0])
                    ledger, trace = seeing(player).play(opened, first=first)
        except BacclabError as error:
            is_last = all(other.name in failed for other in cell_play.bettors if other is not one)
            if is_last or not cell_play.care.endures(error, stranger=one.stranger):
                raise
            failed[one.name] = Failure.of(error, one.name, first=first)
            yield Failed(one.name, failed[one.name])
            continue
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
