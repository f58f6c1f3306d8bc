"""The plain way: one object a session, any Python. The other ways are measured against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bacclab.bettors.base import Bettor
from bacclab.bettors.freeze import duplicate
from bacclab.bettors.slip import NONE_REFUSED, Requests, Slip, fit
from bacclab.bettors.view import Result, View
from bacclab.errors import MoneyError
from bacclab.game.codes import CODE_MASK, NEW_SHOE
from bacclab.game.limits import OVER_BANKROLL
from bacclab.money import MAX_AMOUNT, UNITS
from bacclab.tournament.ledger import (
    BANKROLL,
    ENDINGS,
    PLAYING,
    ROUNDS,
    SOURCE,
    STAKED,
    Ledger,
    ending,
    opening,
    post,
    uncovered,
)
from bacclab.tournament.play.tracing import Tracer

if TYPE_CHECKING:
    from bacclab.shoes.source import Rounds
    from bacclab.tournament.ledger import Figures, Trace
    from bacclab.tournament.play.terms import Terms

__all__ = ["PlainPlayer"]

_NO_BETS = Slip((), 0)
Results = dict[int, tuple[int, int]]


class PlainPlayer:
    """Plays a bettor session by session, asking it before every round."""

    way = "plain"

    def __init__(self, bettor: Bettor, terms: Terms, *, random: Callable[[int, int, int], float]) -> None:
        self.bettor = bettor
        self.terms = terms
        self.random = random
        self.requests = Requests(terms.layout)
        self._known: dict[tuple[tuple[int, int], ...], tuple[Results, float]] = {}

    def play(self, rounds: Rounds, *, first: int) -> tuple[Ledger, Trace]:
        """Play the sessions of a block; ``first`` is the number of its first session."""
        terms = self.terms
        sessions = rounds.codes.shape[0]
        ledger = Ledger.blank(sessions, start=terms.bankroll, checkpoints=len(terms.checkpoints))
        tracer = Tracer(terms, first=first, sessions=sessions)
        for s in range(sessions):
            view = View(terms.table)
            try:
                self._session(rounds, s, first + s, ledger, tracer, view)
            except BaseException as error:
                error.add_note(f"session {first + s}, round {view.round}")
                raise
        return ledger, tracer.trace(rounds)

    def _session(self, rounds: Rounds, s: int, session: int, ledger: Ledger, tracer: Tracer, view: View) -> None:
        """One session. The loop is kept flat: it runs once a round for bettors that know no faster way."""
        terms, policy = self.terms, self.terms.policy
        floor, goal, lowest = terms.floor, terms.goal, terms.floor + terms.least
        length = int(rounds.lengths[s])
        codes: list[int] = rounds.codes[s, :length].tolist()
        checkpoints, bankrolls = set(terms.checkpoints.tolist()), {0: terms.bankroll}
        traced = tracer.wants(s)
        bettor = duplicate(self.bettor)
        view._random = lambda round_number, draw: self.random(session, round_number, draw)
        bettor.start(terms.table)
        figures, expected, played, shoes = opening(terms.bankroll), 0.0, 0, 0
        ended = ending(terms.bankroll, floor, goal, terms.least)
        bankroll, ask, unseen, past = terms.bankroll, self.requests.ask, rounds.unseen, view._past
        valued: list[tuple[int, tuple[tuple[int, int], ...]]] | None = [] if terms.sees_cards else None
        known, mean = _NO_BETS, 0.0  # the slip that was laid last, and what comes of it
        results: Results = {}
        for code in codes if ended == PLAYING else ():
            if code & NEW_SHOE:
                past = view._past = []
                view._shoe += 1
                shoes += 1
                bettor.shoe()
            code &= CODE_MASK
            view._bankroll, view._round = bankroll, played + 1
            if unseen is not None:
                view._unseen = unseen[s, played].tolist()
            slip, end = ask(bettor, view, policy=policy)
            if slip.refused is not NONE_REFUSED:  # `whole`, without a call
                _count(ledger, s, slip.refused)
            if end is not None:
                ended = ENDINGS.index(end)
                shoes -= not past  # no round of this shoe was played
                break
            if slip.total > bankroll - floor:
                slip, ended = self._uncovered(bettor, view, slip, figures, ledger, s)
                if ended != PLAYING:
                    shoes -= not past
                    break
            stake = slip.total
            if stake:
                if slip is not known:
                    results, mean = self._results(slip)
                    known = slip
                done = results.get(code)
                if done is None:
                    done = results[code] = terms.settle(slip.bets, code)
                net, commission = done
                expected += mean
                if valued is not None:
                    valued.append((played, slip.bets))
            else:
                net = commission = 0
            figures = post(figures, stake, net, commission)
            bettor.settle(Result(code, staked=stake, net=net))
            past.append(code)
            bankroll = figures[BANKROLL]
            if traced:
                tracer.note(s, played, slip.bets, stake, net, commission, bankroll)
            played += 1
            if played in checkpoints:
                bankrolls[played] = bankroll
            if bankroll > MAX_AMOUNT or figures[STAKED] > MAX_AMOUNT:
                raise MoneyError(too_much(session, played))
            if not lowest <= bankroll < goal:
                ended = ending(bankroll, floor, goal, terms.least)
                break
        if ended == PLAYING:
            ended = SOURCE if rounds.ran_out[s] else ROUNDS
        if valued and unseen is not None:
            on_cards = terms.cards_left.of_slips([bets for _, bets in valued], unseen[s, [r for r, _ in valued]])
            expected = float(on_cards.sum())
        ledger.figures[s] = figures
        ledger.rounds[s], ledger.shoes[s] = played, shoes
        ledger.ended_by[s], ledger.expected[s] = ended, expected / UNITS
        for c, checkpoint in enumerate(terms.checkpoints.tolist()):
            ledger.bankrolls[c, s] = bankrolls.get(checkpoint, bankroll)

    def _uncovered(
        self, bettor: Bettor, view: View, slip: Slip, figures: Figures, ledger: Ledger, s: int
    ) -> tuple[Slip, int]:
        """A slip that the bankroll does not cover: what is laid in its place, or the ending it brings."""
        policy, layout, floor = self.terms.policy, self.terms.layout, self.terms.floor
        available = figures[BANKROLL] - floor
        ledger.refused[s, OVER_BANKROLL - 1] += 1
        if policy == "skip":
            return _NO_BETS, PLAYING
        wanted = slip.total
        if policy == "cap":
            less = fit(slip.bets, layout, available=available)
            if less.total:
                return less, PLAYING
            wanted = int(layout.minimum[slip.bets[0][0]])
        if policy == "reset":
            bettor.reset(view.table)
            again, end = self.requests.ask(bettor, view, policy=policy)
            _count(ledger, s, again.refused)
            if end is not None:
                return _NO_BETS, ENDINGS.index(end)
            if again.total <= available:
                return again, PLAYING
            ledger.refused[s, OVER_BANKROLL - 1] += 1
            wanted = again.total
        return _NO_BETS, uncovered(wanted, figures[BANKROLL], floor)

    def _results(self, slip: Slip) -> tuple[Results, float]:
        known = self._known.get(slip.bets)
        if known is None:
            if len(self._known) > 50_000:
                self._known.clear()
            self.terms.refuse_undecided(index for index, _ in slip.bets)
            known = self._known[slip.bets] = ({}, self.terms.expectation(slip.bets))
        return known


def _count(ledger: Ledger, s: int, refused: tuple[int, ...]) -> None:
    for reason, times in enumerate(refused):
        ledger.refused[s, reason] += times


def too_much(session: int, round_number: int) -> str:
    """The message for an amount that the ledger does not hold exactly."""
    return (
        f"session {session}, round {round_number}: the bankroll or the total staked passes "
        f"{MAX_AMOUNT / UNITS:,.0f}, the largest amount that is kept exactly; set a table maximum or a lower bankroll"
    )
