"""The exact result of a bettor beside plain play on every sequence of rounds that it can tell apart."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bacclab.errors import BacclabError
from bacclab.exact.bankrolls.distribution import solve
from bacclab.exact.odds import code_probabilities
from bacclab.game.codes import NEW_SHOE
from bacclab.shoes.source import Rounds
from bacclab.testing.report import CheckFailed
from bacclab.tournament.play.table import TablePlayer
from bacclab.tournament.play.ways import player_for

if TYPE_CHECKING:
    from bacclab.testing.subject import Subject

MOST_SEQUENCES = 2_500
"""How many sequences are played at most; the more classes of rounds a bettor tells apart, the shorter they are."""

NEAR = 1e-9
"""Probabilities of single bankrolls may differ by so much."""


def exact_agrees(subject: Subject) -> None:
    """Compare `bacclab exact` with plain play on all sequences of a few rounds, each weighed with its probability.

    CheckFailed names the bankroll whose probability differs. Nothing is compared where there is no table of states.
    """
    bettor = subject.make()
    length = 1
    player = _player(subject, length)
    if not isinstance(player, TablePlayer):
        return
    while length < 8 and player.table.classes ** (length + 1) <= MOST_SEQUENCES:
        longer = _player(subject, length + 1)
        if not isinstance(longer, TablePlayer) or longer.table.classes ** (length + 1) > MOST_SEQUENCES:
            break
        player, length = longer, length + 1
    if player.table.classes > MOST_SEQUENCES:
        return
    try:
        amounts, exact = solve(player).bankrolls[-1]
    except BacclabError:
        return  # too large: bacclab exact says so too
    by_code = code_probabilities(subject.table.shoe.decks)
    chances = np.bincount(player.table.class_of, weights=by_code, minlength=player.table.classes)
    sequences = np.array(list(itertools.product(range(player.table.classes), repeat=length)))
    codes = np.array(player.table.representatives, dtype=np.uint16)[sequences]
    codes[:, 0] |= NEW_SHOE
    rounds = Rounds(
        codes=np.ascontiguousarray(codes),
        lengths=np.full(len(codes), length, dtype=np.int32),
        ran_out=np.zeros(len(codes), dtype=np.bool_),
    )
    plain = player_for(bettor, player.terms, name="checked", seed=subject.seed, way="plain")
    finals = plain.play(rounds, first=0)[0].final
    weights = chances[sequences].prod(axis=1)
    wanted: dict[int, float] = {}
    for final, weight in zip(finals.tolist(), weights.tolist(), strict=True):
        wanted[final] = wanted.get(final, 0.0) + weight
    found = dict(zip(amounts.tolist(), exact.tolist(), strict=True))
    for amount in sorted(wanted.keys() | found.keys()):
        if abs(wanted.get(amount, 0.0) - found.get(amount, 0.0)) > NEAR:
            raise CheckFailed(
                f"exact and plain part: after {length} rounds a bankroll of {amount / 10_000:.2f} has probability "
                f"{found.get(amount, 0.0):.9f}, and {wanted.get(amount, 0.0):.9f} over all sequences played plainly"
            )


def _player(subject: Subject, length: int) -> object:
    """The bettor walked into a table for sessions of so many rounds; None where there is none."""
    checkpoints = np.array([0, length], dtype=np.int64)
    terms = replace(subject.terms, max_rounds=length, checkpoints=checkpoints, traced=0)
    try:
        return player_for(subject.make(), terms, name="checked", seed=subject.seed, way="table")
    except Exception:  # noqa: BLE001 - no table, or a fault that the other checks tell of
        return None
