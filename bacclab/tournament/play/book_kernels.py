"""The rules of money, compiled: the very functions that plain Python uses, and two small ones over a table's bets.

A *book* is the table's bets as a tuple of arrays, made by `bacclab.tournament.play.terms.Terms.book`:
(line, numerator, denominator, rate_numerator, rate_denominator, rounding, coin, probability, cent_net,
cent_commission, mean).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bacclab.game import limits, settlement
from bacclab.kernels import njit
from bacclab.tournament import ledger

__all__ = ["ending", "expectation", "expected_net", "judge", "opening", "post", "settle_code", "uncovered"]

judge = njit(limits.judge)
settle_bet = njit(settlement.settle_bet)
post = njit(ledger.post)
opening = njit(ledger.opening)
ending = njit(ledger.ending)
uncovered = njit(ledger.uncovered)


@njit
def settle_code(stake: Any, bet: Any, code: Any, book: Any) -> Any:
    """Net result and commission of a stake on a bet of the book, for a round code."""
    line, numerator, denominator, rate_numerator, rate_denominator, rounding, coin, _, _, _, _ = book
    k = line[bet, code]
    return settle_bet(
        stake, numerator[bet, k], denominator[bet, k], rate_numerator[bet], rate_denominator[bet], rounding, coin
    )


@njit
def expectation(stake: Any, bet: Any, book: Any) -> Any:
    """The exact mean net result of a stake on a bet of the book: the sum over its pay lines of probability × net."""
    _, numerator, denominator, rate_numerator, rate_denominator, rounding, coin, probability, _, _, _ = book
    total = 0.0
    for k in range(probability.shape[1]):
        net, _ = settle_bet(
            stake, numerator[bet, k], denominator[bet, k], rate_numerator[bet], rate_denominator[bet], rounding, coin
        )
        total += probability[bet, k] * net
    return total


@njit
def expected_net(stake: Any, bet: Any, book: Any) -> Any:
    """`expectation`, by the short way where it is in proportion to the stake."""
    mean = book[10][bet]
    return expectation(stake, bet, book) if np.isnan(mean) else stake * mean
