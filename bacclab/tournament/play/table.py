"""The table way: a bettor's transition table, played by one compiled kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bacclab.bettors.slip import POLICIES
from bacclab.errors import MoneyError
from bacclab.money import MAX_AMOUNT, UNITS
from bacclab.tournament.ledger import ENDINGS, PLAYING, Ledger, Trace
from bacclab.tournament.play.plain import too_much
from bacclab.tournament.play.tracing import Tracer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.bettors.table import TransitionTable
    from bacclab.shoes.source import Rounds
    from bacclab.tournament.play.terms import Terms

__all__ = ["TablePlayer"]

_SPECIAL = 4 * MAX_AMOUNT
"""What a state needs, in place of its stake, when it has something to do besides laying it."""


class TablePlayer:
    """Plays a transition table; everything that a (state, class) comes to is looked up."""

    way = "table"

    def __init__(self, table: TransitionTable, terms: Terms) -> None:
        self.table = table
        self.terms = terms
        terms.refuse_undecided(index for slip in table.slips for index, _ in slip.bets)
        slips = table.slips
        stake = np.array([slip.total for slip in slips], dtype=np.int64)
        refused = np.array([slip.refused for slip in slips], dtype=np.int64)
        endings = np.array([PLAYING if e is None else ENDINGS.index(e) for e in table.endings], dtype=np.uint8)
        first_bet = np.array([slip.bets[0][0] if slip.bets else 0 for slip in slips], dtype=np.int64)
        special = (endings != PLAYING) | refused.any(axis=1)
        expected = np.array([terms.expectation(slip.bets) for slip in slips], dtype=np.float64)
        net, commission = self._results()
        self.cells = (
            net,
            commission,
            table.next.reshape(-1),
            table.idle.reshape(-1),
            table.shoe,
            np.where(special, _SPECIAL, stake),
            expected,
            table.classes,
        )
        self.states = (stake, endings, refused, table.reset, first_bet, terms.bounds())

    def _results(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Net result and commission of every (state, class), from one representative code a class."""
        table, terms = self.table, self.terms
        known: dict[tuple[tuple[int, int], ...], list[tuple[int, int]]] = {}
        for slip in table.slips:
            if slip.bets not in known:
                known[slip.bets] = [terms.settle(slip.bets, code) for code in table.representatives]
        both = np.array([known[slip.bets] for slip in table.slips], dtype=np.int64).reshape(-1, 2)
        return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])

    def play(self, rounds: Rounds, *, first: int) -> tuple[Ledger, Trace]:
        """Play the sessions of a block; ``first`` is the number of its first session."""
        from bacclab.tournament.play import table_kernels

        terms = self.terms
        sessions = rounds.codes.shape[0]
        ledger = Ledger.blank(sessions, start=terms.bankroll, checkpoints=len(terms.checkpoints))
        tracer = Tracer(terms, first=first, sessions=sessions)
        state = np.full(tracer.played.shape, -2, dtype=np.int64)
        s, r = table_kernels.play_table(
            rounds.codes,
            rounds.lengths,
            rounds.ran_out,
            self.table.class_of,
            self.cells,
            self.states,
            terms.book,
            (terms.bankroll, terms.floor, terms.goal, terms.least, POLICIES.index(terms.policy), terms.checkpoints),
            (
                ledger.figures,
                ledger.rounds,
                ledger.shoes,
                ledger.refused,
                ledger.ended_by,
                ledger.expected,
                ledger.bankrolls,
            ),
            (state, tracer.staked, tracer.net, tracer.commission, tracer.bankroll),
        )
        if s >= 0:
            raise MoneyError(too_much(first + s, r))
        np.divide(ledger.expected, UNITS, out=ledger.expected)
        self._tell(tracer, state)
        return ledger, tracer.trace(rounds)

    def _tell(self, tracer: Tracer, state: NDArray[np.int64]) -> None:
        """Number the slips of the traced rounds; a single bet may have been cut to the bankroll."""
        tracer.played[:] = state > -2
        laid = np.nonzero(tracer.staked)
        pairs, which = np.unique(np.stack([state[laid], tracer.staked[laid]]), axis=1, return_inverse=True)
        numbers = []
        for at, staked in pairs.T.tolist():
            slip = self.table.slips[at]
            numbers.append(tracer.number(slip.bets if slip.total == staked else ((slip.bets[0][0], staked),)))
        tracer.slip[laid] = np.array(numbers, dtype=np.int32)[which.reshape(-1)]
