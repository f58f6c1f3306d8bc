"""The sampled sessions, kept round by round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bacclab.game.codes import CODE_MASK, NEW_SHOE, outcomes
from bacclab.money import Money
from bacclab.tournament.ledger import Trace

if TYPE_CHECKING:
    from bacclab.shoes.source import Rounds
    from bacclab.tournament.play.terms import Terms

__all__ = ["Tracer", "in_words"]


def in_words(bets: tuple[tuple[int, int], ...], ids: tuple[str, ...]) -> str:
    """The bets of a round as text.

    >>> in_words(((0, 100_000), (3, 50_000)), ("banker", "player", "tie", "player_pair"))
    'banker 10.00 + player_pair 5.00'
    """
    return " + ".join(f"{ids[index]} {Money.of(amount)}" for index, amount in bets)


class Tracer:
    """Collects the rounds of those sessions of a block that belong to the sample (the first ones of the experiment).

    Arrays are (sessions in the sample × rounds); a slip is kept as a number and put into words once.
    """

    def __init__(self, terms: Terms, *, first: int, sessions: int) -> None:
        self.first = first
        self.ids = terms.layout.ids
        self.sessions = max(0, min(terms.traced - first, sessions))
        shape = (self.sessions, terms.max_rounds if self.sessions else 0)
        self.played = np.zeros(shape, dtype=np.bool_)
        self.staked, self.net, self.commission, self.bankroll = (np.zeros(shape, dtype=np.int64) for _ in range(4))
        self.slip = np.zeros(shape, dtype=np.int32)
        self.words = [""]
        self._numbers: dict[tuple[tuple[int, int], ...], int] = {(): 0}

    def wants(self, s: int) -> bool:
        """Whether session ``s`` of the block is in the sample."""
        return s < self.sessions

    def number(self, bets: tuple[tuple[int, int], ...]) -> int:
        """The number of a slip: the same bets, the same number; 0 for no bets."""
        number = self._numbers.get(bets)
        if number is None:
            number = self._numbers[bets] = len(self.words)
            self.words.append(in_words(bets, self.ids))
        return number

    def note(
        self, s: int, r: int, bets: tuple[tuple[int, int], ...], staked: int, net: int, commission: int, bankroll: int
    ) -> None:
        """Keep one round of one session (both counted from 0 in the block)."""
        self.played[s, r] = True
        self.staked[s, r], self.net[s, r], self.commission[s, r] = staked, net, commission
        self.bankroll[s, r] = bankroll
        self.slip[s, r] = self.number(bets)

    def trace(self, rounds: Rounds) -> Trace:
        """Everything noted, as one entry a round."""
        session, r = np.nonzero(self.played)
        codes = rounds.codes[: self.sessions]
        shoe = np.cumsum((codes & NEW_SHOE) != 0, axis=1, dtype=np.int64)
        return Trace(
            session=session + self.first,
            round=r + 1,
            shoe=shoe[session, r],
            outcome=outcomes()[codes[session, r] & CODE_MASK],
            staked=self.staked[session, r],
            net=self.net[session, r],
            commission=self.commission[session, r],
            bankroll=self.bankroll[session, r],
            bets=[self.words[number] for number in self.slip[session, r].tolist()],
        )
