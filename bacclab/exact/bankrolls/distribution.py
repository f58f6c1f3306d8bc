"""The exact distribution of (state, bankroll), round by round, of every bettor that has a transition table.

The model: every round is drawn afresh from a full shoe, with exact chances; a session is one shoe without end, so what
a selection does at the beginning of a shoe it does before the first round only. Limits, refusals, stop rules and
endings are judged by the very functions that judge them in a run. Nothing is estimated, and nothing that a float could
notice is cut off: only neighbouring bankrolls that together hold less than 1e-100 are let go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bacclab.exact.bankrolls.places import Explored, Plan, TooLarge, explored
from bacclab.exact.expectation import expectation
from bacclab.game.layout import Layout
from bacclab.money import to_amount
from bacclab.tournament.ledger import ENDINGS, PLAYING
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import player_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bacclab.bettors.base import Bettor
    from bacclab.game.tables import Table
    from bacclab.money import Money
    from bacclab.tournament.play.table import TablePlayer

    Floats = NDArray[np.float64]
    Amounts = NDArray[np.int64]
    Distribution = tuple[Amounts, Floats]

__all__ = ["MODEL", "ExactBankrolls", "TooLarge", "exact_bankrolls", "player_of", "solve"]

MODEL = (
    "every round is drawn afresh from a full shoe; a session counts as one shoe, so what a bettor does at the "
    "beginning of a shoe it does before the first round only"
)
"""What an exact result assumes, in words."""

LEAST = 1e-100
"""Neighbouring bankrolls that together are less likely are let go: no sum of floats would ever notice."""
STEP_WORK = 5 * 10**8
"""Work between two looks at whether the user wants to stop."""


@dataclass(frozen=True, slots=True)
class ExactBankrolls:
    """What a session comes to, exactly. Amounts are int64 in ten-thousandths, all else is probabilities or means.

    * ``places``: reachable states × bankrolls; ``states`` of the bettor's table; ``work``: places and branches times
      rounds.
    * ``checkpoints``: rounds; ``bankrolls``: for each of them amounts (rising) and their probabilities, sessions that
      ended carried forward. ``finals``: the same at the end, by ending.
    * ``ended`` [rounds + 1, endings]: the probability that a session ends in this way after so many rounds.
    * ``playing``, ``staked``, ``expected`` [rounds]: the probability that a round is played, the mean of what is staked
      on it, and the exact expectation of those bets (means in ten-thousandths).
    * ``bets``, ``wins``, ``losses``, ``commission``, ``refused`` (by reason): means a session.
    """

    states: int
    places: int
    work: int
    start: int
    checkpoints: Amounts
    bankrolls: tuple[Distribution, ...]
    finals: dict[str, Distribution]
    ended: Floats
    playing: Floats
    staked: Floats
    expected: Floats
    bets: float
    wins: float
    losses: float
    commission: float
    refused: Floats
    largest_stake: int

    @property
    def final(self) -> Distribution:
        """The bankroll at the end and its probability."""
        return self.bankrolls[-1]

    @property
    def net(self) -> float:
        """The mean result of a session, in ten-thousandths."""
        amounts, chances = self.final
        return float(expectation(amounts - self.start, chances))

    @property
    def mean_rounds(self) -> float:
        """The mean number of rounds that a session plays."""
        return float(self.playing.sum())

    def share(self, *endings: str) -> float:
        """The probability that a session ends in one of these ways."""
        return float(sum(self.ended[:, ENDINGS.index(how)].sum() for how in endings))


def exact_bankrolls(
    bettor: Bettor,
    table: Table,
    *,
    bankroll: Money | int | float | str,
    rounds: int,
    when_refused: str = "stop",
    stop_win: Money | int | float | str | None = None,
    stop_loss: Money | int | float | str | None = None,
    checkpoints: Sequence[int] | None = None,
) -> ExactBankrolls:
    """The exact distribution of one bettor's sessions; NotTabular if it has no table, TooLarge if it is too much.

    Money is in currency units. ``checkpoints`` are rounds (the beginning and the end are always kept).

    >>> from bacclab.bettors.whole.flat import FlatBettor
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> table = BUILT_IN_TABLES["commission"].override({"minimum": 1})
    >>> three = exact_bankrolls(FlatBettor(on="player", unit=1), table, bankroll=2, rounds=3)
    >>> round(three.mean_rounds, 6), round(three.net / 10_000, 7), round(three.share("bust"), 7)
    (2.789688, -0.0344549, 0.2503364)
    """
    return solve(
        player_of(
            bettor,
            table,
            bankroll=bankroll,
            rounds=rounds,
            when_refused=when_refused,
            stop_win=stop_win,
            stop_loss=stop_loss,
            checkpoints=checkpoints,
        )
    )


def player_of(
    bettor: Bettor,
    table: Table,
    *,
    bankroll: Money | int | float | str,
    rounds: int,
    when_refused: str = "stop",
    stop_win: Money | int | float | str | None = None,
    stop_loss: Money | int | float | str | None = None,
    checkpoints: Sequence[int] | None = None,
) -> TablePlayer:
    """A bettor played from its table, as `exact_bankrolls` is asked for it; NotTabular if it has none."""
    layout = Layout(table)
    kept = sorted({0, *(checkpoints or ()), rounds})
    terms = Terms(
        layout=layout,
        bankroll=to_amount(bankroll),
        stop_win=None if stop_win is None else to_amount(stop_win),
        stop_loss=None if stop_loss is None else to_amount(stop_loss),
        checkpoints=np.array(kept, dtype=np.int64),
        traced=0,
        policy=when_refused,
        max_rounds=rounds,
    )
    return player_for(bettor, terms, name="", seed=0, way="table")  # type: ignore[return-value]  # as asked


def solve(
    player: TablePlayer,
    *,
    most_places: int | None = None,
    most_work: int | None = None,
    least: float = LEAST,
    progress: Callable[[int, int], None] | None = None,
) -> ExactBankrolls:
    """The exact distribution for a bettor and the terms of its sessions; `progress` is told rounds done and rounds.

    Raises TooLarge past ``most_places`` places, or past ``most_work`` places and branches times rounds.
    """
    found = explored(player, most_places=most_places, most_work=most_work)
    plan = Plan(found, player)
    return _flow(found, plan, player, least, progress)


def _flow(
    found: Explored,
    plan: Plan,
    player: TablePlayer,
    least: float,
    progress: Callable[[int, int], None] | None,
) -> ExactBankrolls:
    """Let the probability flow from the first round to the last."""
    from bacclab.exact.bankrolls import distribution_kernels as kernels

    rounds, places, facts = found.rounds, found.places, plan.facts
    mass, held = np.zeros((2, places)), np.zeros(places)
    mass[0, plan.start] = 1.0
    playing, staked, expected = np.zeros(rounds), np.zeros(rounds), np.zeros(rounds)
    ended, visits = np.zeros((rounds + 1, len(ENDINGS))), np.zeros(len(plan.chunk_rows))
    chunks = (plan.bounds, plan.first_run, facts.over, facts.stake.astype(np.float64), facts.mean)
    out = (playing, staked, expected, ended, visits)
    amounts, which = np.unique(plan.bankrolls, return_inverse=True)
    kept = []
    step = max(1, STEP_WORK // plan.work)
    done = 0
    for checkpoint in player.terms.checkpoints.tolist():
        while done < checkpoint:
            last = min(done + step, checkpoint)
            kernels.advance(done, last, mass, held, chunks, plan.runs, out, least)
            done = last
            if progress is not None:
                progress(done, rounds)
        kept.append(_shares(amounts, which, held + mass[done % 2]))
    rest = mass[rounds % 2]
    ends, last_ends = _endings(plan)
    ended[rounds] += np.bincount(last_ends, weights=rest, minlength=len(ENDINGS))
    finals = {
        how: _shares(amounts, which, np.where(ends == code, held, 0.0) + np.where(last_ends == code, rest, 0.0))
        for code, how in enumerate(ENDINGS)
        if ended[:, code].any()
    }
    laid = visits * (facts.stake > 0)
    return ExactBankrolls(
        states=player.table.states,
        places=places,
        work=(places + len(found.targets)) * rounds,
        start=player.terms.bankroll,
        checkpoints=player.terms.checkpoints,
        bankrolls=tuple(kept),
        finals=finals,
        ended=ended,
        playing=playing,
        staked=staked,
        expected=expected,
        bets=float(laid.sum()),
        wins=float(expectation(facts.wins, visits)),
        losses=float(expectation(facts.loses, visits)),
        commission=float(expectation(facts.commission, visits)),
        refused=expectation(facts.refused.T, visits),
        largest_stake=int(facts.stake[visits > 0].max(initial=0)),
    )


def _endings(plan: Plan) -> tuple[Amounts, Amounts]:
    """The ending of each place: of a session that is over there, and of one that comes there with its last round.

    After the last round nothing more is laid, so a bet that could not be laid ends nothing then.
    """
    over, size = plan.facts.over, np.diff(plan.bounds)
    last_over = np.where(plan.facts.before | (over == PLAYING), ENDINGS.index("rounds"), over)
    return np.repeat(over, size), np.repeat(last_over, size)


def _shares(amounts: Amounts, which: NDArray[np.intp], chances: Floats) -> Distribution:
    """Probabilities by place added up by bankroll; bankrolls that cannot be are left out."""
    found: Floats = np.bincount(which, weights=chances, minlength=len(amounts)).astype(np.float64)
    some = found > 0
    return amounts[some], found[some]
