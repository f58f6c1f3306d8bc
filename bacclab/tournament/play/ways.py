"""Which way each bettor is played, and the proof that it is the plain way's equal.

A table if the bettor can be walked into one, lanes if it is vectorised, plainly otherwise. Whatever the way, a few
sessions are replayed plainly and must come out the same to the last cent; if they do not, the bettor is played plainly
and the reason is kept.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from bacclab.bettors.freeze import duplicate
from bacclab.bettors.lanes.base import LaneBettor
from bacclab.bettors.table import NotTabular
from bacclab.bettors.walk import walk
from bacclab.errors import BettorError
from bacclab.game.settlement import DOWN, EXACT, settle_bet
from bacclab.shoes.source import Rounds
from bacclab.shoes.streams import bettor_key, uniform, uniforms
from bacclab.tournament.play.lanes import LanePlayer
from bacclab.tournament.play.plain import PlainPlayer
from bacclab.tournament.play.table import TablePlayer

if TYPE_CHECKING:
    from bacclab.bettors.base import Bettor
    from bacclab.bettors.slip import Slip
    from bacclab.tournament.ledger import Ledger, Trace
    from bacclab.tournament.play.terms import Terms

__all__ = ["WAYS", "Chosen", "Player", "choose", "difference", "player_for", "seeing"]

VECTORISED = "it is vectorised"
"""Why a bettor that holds arrays has no table."""

WAYS = ("table", "lanes", "plain")
"""The ways to play, the fastest first."""


class Player(Protocol):
    """One bettor, ready to be played one way."""

    way: str
    terms: Terms

    def play(self, rounds: Rounds, *, first: int) -> tuple[Ledger, Trace]:
        """Play the sessions of a block, the first of which has the number ``first``."""
        ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """A player, and why no faster way was taken (empty for a table)."""

    player: Player
    why: str


def player_for(bettor: Bettor, terms: Terms, *, name: str, seed: int, way: str) -> Player:
    """A bettor to be played in the named way. Raises NotTabular where the way is not open to it."""
    key = bettor_key(seed, name)
    if isinstance(bettor, LaneBettor):
        if way == "table":
            raise NotTabular(VECTORISED)
        own = duplicate(bettor)
        if way == "lanes":
            own.tabulate(terms.table, terms.layout, policy=terms.policy, rounds=terms.max_rounds)
        width = 1 if way == "plain" else None
        return LanePlayer(own, terms, random=lambda lanes, r, draw: uniforms(key, lanes, r, draw=draw), width=width)
    if way == "lanes":
        raise NotTabular("it is not vectorised")
    if way == "plain":
        return PlainPlayer(bettor, terms, random=lambda session, r, draw: uniform(key, session, r, draw=draw))
    table = walk(bettor, terms.table, terms.layout, policy=terms.policy, rounds=terms.max_rounds)
    if terms.policy == "cap" and (
        table.looks_at_amounts or any(len(slip.bets) > 1 or _may_win_nothing(slip, terms) for slip in table.slips)
    ):
        raise NotTabular("its bets may be cut to the bankroll, and what follows depends on the amount")
    return TablePlayer(table, terms)


def _may_win_nothing(slip: Slip, terms: Terms) -> bool:
    """Whether the rounding of the commission may take a small win: a cut bet is then a push where the bet wins."""
    layout = terms.layout
    if layout.rounding in (EXACT, DOWN):
        return False
    for bet, _ in slip.bets:
        rate = int(layout.rate_numerator[bet]), int(layout.rate_denominator[bet])
        for odds in zip(layout.numerator[bet].tolist(), layout.denominator[bet].tolist(), strict=True):
            net, _ = settle_bet(int(layout.minimum[bet]), *odds, *rate, layout.rounding, layout.coin)
            if odds[0] > 0 and (net == 0 or 2 * rate[0] >= rate[1]):
                return True
    return False


def seeing(player: Player) -> Player:
    """The player of a bettor that turns out to see the cards: its bets are valued on those left before each round."""
    other = copy(player)
    other.terms = replace(player.terms, sees_cards=True)
    return other


def choose(bettor: Bettor, terms: Terms, *, name: str, seed: int, trial: Rounds) -> Chosen:
    """The fastest way that gives what the plain way gives on the rounds of ``trial`` (sessions 0, 1, …)."""
    plain = player_for(bettor, terms, name=name, seed=seed, way="plain")
    truth = plain.play(trial, first=0)  # also tells at once what is wrong with a bettor that cannot be played
    _refuse_unsteady(plain, trial, truth[0])
    why = ""
    for way in WAYS[:-1]:
        try:
            player = player_for(bettor, terms, name=name, seed=seed, way=way)
        except NotTabular as error:
            why = str(error) if why in ("", VECTORISED) else why
            continue
        fault = difference(player.play(trial, first=0), truth)
        if fault is None:
            return Chosen(player, why)
        why = f"played by {way} it would differ: {fault}"
    return Chosen(plain, why)


def _refuse_unsteady(plain: Player, trial: Rounds, truth: Ledger) -> None:
    """Refuse a bettor that bets otherwise when the same sessions are played again, in another order."""
    for s in reversed(range(truth.sessions)):
        one = slice(s, s + 1)
        alone = Rounds(
            codes=trial.codes[one],
            lengths=trial.lengths[one],
            ran_out=trial.ran_out[one],
            unseen=None if trial.unseen is None else trial.unseen[one],
        )
        again, _ = plain.play(alone, first=s)
        if not (np.array_equal(again.figures[0], truth.figures[s]) and again.rounds[0] == truth.rounds[s]):
            raise BettorError(
                "it bets otherwise when the same session is played again: it uses random numbers, the clock, or memory "
                "that outlives a session",
                hint="keep all memory in attributes set by start(), and draw random numbers with view.random()",
            )


def difference(one: tuple[Ledger, Trace], other: tuple[Ledger, Trace]) -> str | None:
    """Where two ways of playing the same rounds part, in words; None when they agree."""
    (a, trace_a), (b, trace_b) = one, other
    columns: dict[str, tuple[Any, Any]] = {
        "rounds": (a.rounds, b.rounds),
        "shoes": (a.shoes, b.shoes),
        "ended_by": (a.ended_by, b.ended_by),
        "refusals": (a.refused, b.refused),
        "figures": (a.figures, b.figures),
        "bankrolls": (a.bankrolls.T, b.bankrolls.T),
    }
    for column, (x, y) in columns.items():
        if (wrong := np.argwhere(x != y)).size:
            return f"session {wrong[0][0]} has other {column}"
    if not np.allclose(a.expected, b.expected, rtol=1e-9, atol=1e-9):
        return "the expectation of the bets differs"
    for place, (x, y) in enumerate(zip(trace_a.bets, trace_b.bets, strict=True)):
        if x != y:
            where = f"session {trace_a.session[place]}, round {trace_a.round[place]}"
            return f"{where}: {x or 'nothing'} and {y or 'nothing'}"
    return None
