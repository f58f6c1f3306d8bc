"""The terms of a session, whatever the bettor chooses: money, stop rules, checkpoints, the table's bets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.errors import SourceError
from bacclab.exact.odds import line_probabilities
from bacclab.game.settlement import EXACT, settle_bet
from bacclab.money import CENT, UNITS
from bacclab.shoes.known import EVERYTHING, in_words, lacking

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table
    from bacclab.tournament.play.cards_left import CardsLeft

    Book = tuple[Any, ...]

__all__ = ["NEVER", "Terms"]

NEVER = 2**63 - 1
"""A bankroll that no session reaches: the settlement of one round stays below it."""


@lru_cache(maxsize=8)
def _probabilities(layout: Layout) -> NDArray[np.float64]:
    """Worked out once for all bettors of a table."""
    return line_probabilities(layout, layout.table.shoe.decks)


@dataclass(frozen=True)
class Terms:
    """What every way of playing needs to know of a bettor's sessions; money in ten-thousandths.

    ``floor`` is what a stop-loss keeps back, ``goal`` the bankroll at which a stop-win ends a session (NEVER without
    one), ``checkpoints`` the rounds at which bankrolls are kept (the first is 0), ``traced`` how many of the first
    sessions of the *experiment* are kept round by round. ``sees_cards``: bets are valued on the cards left before each
    round, as the bettor sees them. ``known``: what the source knows of its rounds; ``undecided``: bets that they do not
    decide.
    """

    layout: Layout
    bankroll: int
    stop_win: int | None
    stop_loss: int | None
    checkpoints: NDArray[np.int64]
    traced: int
    policy: str
    max_rounds: int
    known: frozenset[str] = EVERYTHING
    undecided: frozenset[int] = frozenset()
    sees_cards: bool = False

    @property
    def table(self) -> Table:
        """The rules of the table."""
        return self.layout.table

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The chance of each pay line of each bet off the top of a full shoe, (bets, pay lines)."""
        return _probabilities(self.layout)

    def refuse_undecided(self, bets: Iterable[int]) -> None:
        """Raise SourceError for a bet that the rounds of the source do not decide."""
        if refused := self.undecided.intersection(bets):
            bet = min(refused)
            raise SourceError(
                f"the source knows {in_words(self.known)} of each round and nothing else, so the bet "
                f"{self.layout.ids[bet]!r} cannot be settled: it needs "
                f"{in_words(lacking(self.layout.line[bet], self.known))}",
                hint="use the simulated source, or a record that has it",
            )

    @property
    def floor(self) -> int:
        """The part of the bankroll that is never staked."""
        return 0 if self.stop_loss is None else max(0, self.bankroll - self.stop_loss)

    @property
    def goal(self) -> int:
        """The bankroll that ends a session as won."""
        return NEVER if self.stop_win is None else self.bankroll + self.stop_win

    @property
    def least(self) -> int:
        """The smallest stake that the table takes."""
        return max(1, self.table.lowest_minimum)

    @cached_property
    def cards_left(self) -> CardsLeft:
        """The expectation of bets on the cards left before a round."""
        from bacclab.tournament.play.cards_left import CardsLeft

        means = self.book[10]
        return CardsLeft(self.layout, decks=self.table.shoe.decks, linear=[bool(mean == mean) for mean in means])

    def expectation(self, bets: tuple[tuple[int, int], ...]) -> float:
        """The exact mean net result of some bets, in ten-thousandths, rounds dealt off the top of a full shoe."""
        from bacclab.tournament.play.book_kernels import expected_net

        return sum(float(expected_net(amount, index, self.book)) for index, amount in bets)

    @cached_property
    def book(self) -> Book:
        """The table's bets as arrays, in the order in which the compiled players take them; see `book_kernels`."""
        layout = self.layout
        whole = (
            layout.line,
            layout.numerator,
            layout.denominator,
            layout.rate_numerator,
            layout.rate_denominator,
            layout.rounding,
            layout.coin,
            self.probabilities,
        )
        return (*whole, *self._linear(whole))

    def _linear(self, whole: Book) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """The results that are in proportion to the stake.

        Net and commission of one cent (bets × pay lines), and the expectation of a stake of one: NaN for a bet whose
        commission has to be worked out on the whole stake.
        """
        from bacclab.tournament.play.book_kernels import expectation

        layout = self.layout
        net, commission = np.zeros_like(layout.numerator), np.zeros_like(layout.numerator)
        mean = np.full(len(layout.ids), np.nan)
        for bet in range(len(layout.ids)):
            rate = Fraction(int(layout.rate_numerator[bet]), int(layout.rate_denominator[bet]))
            wins = [
                Fraction(int(n), int(d)) for n, d in zip(layout.numerator[bet], layout.denominator[bet], strict=True)
            ]
            if rate and (layout.rounding != EXACT or any((CENT * odds * rate).denominator != 1 for odds in wins)):
                continue
            mean[bet] = expectation(UNITS, bet, (*whole, net, commission, mean)) / UNITS
            for line in range(layout.numerator.shape[1]):
                odds = int(layout.numerator[bet, line]), int(layout.denominator[bet, line])
                net[bet, line], commission[bet, line] = settle_bet(
                    CENT, *odds, rate.numerator, rate.denominator, EXACT, layout.coin
                )
        return net, commission, mean

    def bounds(self) -> NDArray[np.int64]:
        """Minimum, maximum and increment of every bet: shape (3, bets)."""
        return np.stack([self.layout.minimum, self.layout.maximum, self.layout.increment])

    def settle(self, bets: tuple[tuple[int, int], ...], code: int) -> tuple[int, int]:
        """Net result and commission of some bets on a round."""
        net = commission = 0
        for index, amount in bets:
            one, paid = self.layout.settle(index, amount, code)
            net += one
            commission += paid
        return net, commission
