"""From what a bettor asks for to what is laid: the table's limits, and the bettor's policy where they refuse.

Every way of playing goes through `Requests`, so a request is judged in one place. The bankroll is judged afterwards by
the ledger, because a bettor walked into a table has no bankroll yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from bacclab.bettors.view import Bets, View, no_such_bet
from bacclab.errors import BettorError
from bacclab.game.limits import NO_MAIN_BET, OK, REASONS, judge
from bacclab.money import MAX_AMOUNT, Money

if TYPE_CHECKING:
    from bacclab.bettors.base import Bettor
    from bacclab.game.layout import Layout

__all__ = ["POLICIES", "Policy", "Requests", "Slip", "fit"]

Policy = Literal["cap", "reset", "stop", "skip"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
"""What may be done with a bet that cannot be laid as asked (``when_refused``)."""

NONE_REFUSED = (0,) * len(REASONS)
UNLIMITED = 2 * MAX_AMOUNT
"""What is available when only the table's limits are judged."""


@dataclass(frozen=True, slots=True)
class Slip:
    """The bets of one round as they can be laid: (index in the layout, amount), and the refusals by reason."""

    bets: tuple[tuple[int, int], ...]
    total: int
    refused: tuple[int, ...] = NONE_REFUSED

    @property
    def whole(self) -> bool:
        """True when nothing of the request was refused."""
        return self.refused is NONE_REFUSED


EMPTY = Slip((), 0)


def fit(bets: tuple[tuple[int, int], ...], layout: Layout, *, available: int) -> Slip:
    """The bets cut to the table's limits and to the money available, in the order in which they were laid.

    A bet that would fall under its minimum is left out; so is a side bet whose main bet is left out where the table
    takes side bets only beside a main bet. Each cut bet counts once under its reason.
    """
    laid, refused = [], [0] * len(REASONS)
    for index, amount in bets:
        allowed, reason = judge(
            min(amount, MAX_AMOUNT + 1),
            int(layout.minimum[index]),
            int(layout.maximum[index]),
            int(layout.increment[index]),
            available,
        )
        if reason != OK:
            refused[reason - 1] += 1
        if allowed:
            laid.append((index, allowed))
            available -= allowed
    if layout.needs_main and laid and all(layout.side[index] for index, _ in laid):
        refused[NO_MAIN_BET - 1] += len(laid)
        laid = []
    return Slip(tuple(laid), sum(amount for _, amount in laid), tuple(refused) if any(refused) else NONE_REFUSED)


def request(bets: Bets, layout: Layout) -> tuple[tuple[int, int], ...]:
    """The bets by their index in the layout; stakes of zero left out, stakes on one bet added up."""
    wanted: dict[int, int] = {}
    for bet, amount in bets.items:
        if amount < 0:
            raise BettorError(f"the stake {Money.of(amount)} on {bet} is below zero")
        index = layout.index.get(bet)
        if index is None:
            raise no_such_bet(bet, layout.ids)
        if amount:
            wanted[index] = wanted.get(index, 0) + amount
    return tuple(wanted.items())


class Requests:
    """Judges requests by the limits of one table; equal requests are judged once.

    >>> from bacclab.bettors.view import Bets
    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> table = BUILT_IN_TABLES["commission"].override({"minimum": 10, "maximum": 500})
    >>> Requests(Layout(table)).judged(Bets((("banker", 6_400_000),)))
    Slip(bets=((0, 5000000),), total=5000000, refused=(0, 1, 0, 0, 0))
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._known: dict[tuple[tuple[str, int], ...], Slip] = {}

    def judged(self, bets: Bets) -> Slip:
        """The request as the table takes it."""
        slip = self._known.get(bets.items)
        if slip is None:
            if len(self._known) > 50_000:
                self._known.clear()
            slip = fit(request(bets, self.layout), self.layout, available=UNLIMITED)
            self._known[bets.items] = slip
        return slip

    def ask(self, bettor: Bettor, view: View, *, policy: str) -> tuple[Slip, str | None]:
        """Ask a bettor for its bets: the slip to lay, and the ending (``bettor``, ``limit``) that the answer brings.

        A refusal by the table's limits follows the policy: ``cap`` lays what the limits allow, ``skip`` sits the round
        out, ``stop`` ends the session, and ``reset`` begins the bettor's progression again and asks once more (a
        second refusal ends the session).
        """
        slip, ending = self._once(bettor, view)
        if slip.whole or ending or policy == "cap":
            return slip, ending
        if policy == "reset":
            bettor.reset(view.table)
            again, ending = self._once(bettor, view)
            refused = tuple(a + b for a, b in zip(slip.refused, again.refused, strict=True))
            if again.whole or ending:
                return Slip(again.bets, again.total, refused), ending
            slip = Slip((), 0, refused)
        return Slip((), 0, slip.refused), None if policy == "skip" else "limit"

    def _once(self, bettor: Bettor, view: View) -> tuple[Slip, str | None]:
        bets = bettor.bet(view)
        if bets is None:
            return EMPTY, None
        if not isinstance(bets, Bets):
            raise BettorError(f"{bettor!r}: bet() must return bets made by the view, or None, and not {bets!r}")
        if bets.ends_session:
            return EMPTY, "bettor"
        return self.judged(bets), None
