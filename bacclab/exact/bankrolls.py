"""The exact distribution of (state, bankroll), round by round, of every bettor that has a transition table.

The model: every round is drawn afresh from a full shoe, with exact chances; a session is one shoe without end, so what a
selection does at the beginning of a shoe it does before the first round only. Limits, refusals, stop rules and endings
are judged by the very functions that judge them in a run. Nothing is estimated, and nothing that a float could notice is
cut off: only neighbouring bankrolls that together hold less than 1e-100 are let go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.errors import BacclabError, MoneyError
from bacclab.bettors.slip import POLICIES
from bacclab.exact.branches import Branches, branches_of
from bacclab.exact.odds import line_probabilities
from bacclab.game.layout import Layout
from bacclab.game.limits import REASONS
from bacclab.money import MAX_AMOUNT, UNITS, to_amount
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

__all__ = ["MODEL", "ExactBankrolls", "TooLarge", "exact_bankrolls", "solve"]

MODEL = (
    "every round is drawn afresh from a full shoe; a session counts as one shoe, so what a bettor does at the beginning "
    "of a shoe it does before the first round only"
)
"""What an exact result assumes, in words."""

MOST_PLACES = 4_000_000
"""States × bankrolls that are kept; 400 MB or so. More are refused."""
MOST_WORK = 2 * 10**12
"""Places × branches × rounds that are gone through: some twenty minutes. More are refused."""
CHUNK = 512
"""Places whose probability is looked at together."""
STEP_WORK = 5 * 10**8
"""Work between two looks at whether the user wants to stop."""


class TooLarge(BacclabError):
    """There are more states × bankrolls than can be gone through."""


@dataclass(frozen=True, slots=True)
class ExactBankrolls:
    """What a session comes to, exactly. Amounts are int64 in ten-thousandths, everything else is probabilities or means.

    * ``places``: reachable states × bankrolls; ``states`` of the bettor's table.
    * ``checkpoints``: rounds; ``bankrolls``: for each of them amounts (rising) and their probabilities, sessions that
      ended carried forward. ``finals``: the same at the end, by ending.
    * ``ended`` [rounds + 1, endings]: the probability that a session ends in this way after so many rounds.
    * ``playing``, ``staked``, ``expected`` [rounds]: the probability that a round is played, the mean of what is staked
      on it, and the exact expectation of those bets (means in ten-thousandths).
    * ``bets``, ``wins``, ``losses``, ``commission``, ``refused`` (by reason): means a session.
    """

    states: int
    places: int
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
        return float((amounts - self.start) @ chances)

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
    """The exact distribution of one bettor's sessions; NotTabular if it has no table, TooLarge past MOST_PLACES.

    Money is in currency units. ``checkpoints`` are rounds (the beginning and the end are always kept).

    >>> from bacclab.bettors.flat import FlatBettor
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> table = BUILT_IN_TABLES["commission"].override({"minimum": 1})
    >>> three = exact_bankrolls(FlatBettor(on="player", unit=1), table, bankroll=2, rounds=3)
    >>> round(three.mean_rounds, 6), round(three.net / 10_000, 7), round(three.share("bust"), 7)
    (2.789688, -0.0344549, 0.2503364)
    """
    layout = Layout(table)
    kept = sorted({0, *(checkpoints or ()), rounds})
    terms = Terms(
        table=table,
        layout=layout,
        probabilities=line_probabilities(layout, table.shoe.decks),
        bankroll=to_amount(bankroll),
        stop_win=None if stop_win is None else to_amount(stop_win),
        stop_loss=None if stop_loss is None else to_amount(stop_loss),
        checkpoints=np.array(kept, dtype=np.int64),
        traced=0,
        policy=when_refused,
        max_rounds=rounds,
    )
    player = player_for(bettor, terms, name="", seed=0, way="table")
    return solve(player)  # type: ignore[arg-type]  # the way "table" gives a table player


def solve(
    player: TablePlayer,
    *,
    most_places: int | None = None,
    most_work: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ExactBankrolls:
    """The exact distribution for a bettor and the terms of its sessions; `progress` is told rounds done and rounds.

    Raises TooLarge past ``most_places`` places, or past ``most_work`` places × branches × rounds.
    """
    from bacclab.exact import bankrolls_kernels as kernels

    found = _explored(player, MOST_PLACES if most_places is None else most_places)
    plan = _Plan(found, player, kernels)
    if plan.work * found.rounds > (MOST_WORK if most_work is None else most_work):
        raise TooLarge(
            f"{found.places:,} reachable places (states × bankrolls) over {found.rounds:,} rounds are more than can be "
            "worked out in reasonable time",
            hint=_SMALLER,
        )
    return _flow(found, plan, player, kernels, progress)


_SMALLER = (
    "fewer rounds, a smaller bankroll, a stop rule, a lower table maximum, stakes on a coarser grid or a bettor with "
    "fewer states make it smaller"
)


@dataclass(frozen=True, slots=True)
class _Explored:
    """All places, as `explore` found them, and the branches between them."""

    rounds: int
    branches: Branches
    bankrolls: Amounts
    rows: Amounts
    begins: Amounts
    targets: NDArray[np.int32]
    refused: Amounts
    less_amount: Amounts
    less_state: Amounts

    @property
    def places(self) -> int:
        return len(self.rows)

    @property
    def steps(self) -> tuple[Amounts, Amounts, Amounts, Amounts]:
        """The branches as the kernels take them."""
        return (self.branches.first, self.branches.net, self.branches.next, self.branches.code)


def _explored(player: TablePlayer, most_places: int) -> _Explored:
    from bacclab.exact import bankrolls_kernels as kernels

    table, terms = player.table, player.terms
    branches = branches_of(player)
    rounds = int(terms.checkpoints[-1])
    numbers = (terms.bankroll, terms.floor, terms.goal, terms.least, POLICIES.index(terms.policy))
    width = int(np.diff(branches.first).max())
    room = min(4096, most_places)
    while True:
        edges = room * min(width, 6)
        keys = np.empty(room, dtype=np.int64)
        store = (
            np.empty(room, dtype=np.int64),
            np.empty(room, dtype=np.int64),
            np.empty(room, dtype=np.int64),
            np.empty(edges, dtype=np.int32),
            np.zeros((kernels.SLOTS * table.states, len(REASONS)), dtype=np.int64),
            np.empty(room, dtype=np.int64),
            np.empty(room, dtype=np.int64),
        )
        hashes = np.full(1 << (2 * room).bit_length(), -1, dtype=np.int32)
        steps = (branches.first, branches.net, branches.next, branches.code)
        start = int(table.shoe[0])
        places, gone, used, less = kernels.explore(
            start, rounds, steps, player.states, numbers, terms.book, hashes, keys, store
        )
        if places == kernels.TOO_MUCH:
            raise MoneyError(
                f"within {rounds:,} rounds a bankroll can pass {MAX_AMOUNT / UNITS:,.0f}, the largest amount that is kept "
                "exactly",
                hint="set a table maximum or a lower bankroll",
            )
        if places != kernels.TOO_MANY:
            bankrolls, rows, begins, targets, refused, less_amount, less_state = store
            return _Explored(
                rounds,
                branches,
                bankrolls[:places],
                rows[:places],
                begins[:places],
                targets[:used],
                refused,
                less_amount[:less],
                less_state[:less],
            )
        if room >= most_places:
            raise TooLarge(
                f"more than {most_places:,} places (states × bankrolls) can be reached within {gone + 1:,} of "
                f"{rounds:,} rounds; the bettor's table has {table.states:,} states",
                hint=_SMALLER,
            )
        room = min(8 * room, most_places)


class _Plan:
    """Places in order, cut into chunks of one row each, with the runs along which probability flows."""

    def __init__(self, found: _Explored, player: TablePlayer, kernels: Any) -> None:
        states = player.table.states
        is_less = found.rows >= kernels.SLOTS * states + len(ENDINGS)
        lives = is_less | (found.rows < kernels.ENDS * states)
        order = np.lexsort((found.bankrolls, found.rows, ~lives))
        self.rows, self.bankrolls = found.rows[order], found.bankrolls[order]
        self.lives = lives[order]
        self.start = int(np.flatnonzero(order == 0)[0])
        changes = np.flatnonzero(np.diff(self.rows)) + 1
        ends = np.concatenate([changes, [len(order)]])
        begins = np.concatenate([[0], changes])
        self.bounds = np.concatenate([np.arange(a, b, CHUNK) for a, b in zip(begins, ends, strict=True)] + [ends[-1:]])
        self.chunk_rows = self.rows[self.bounds[:-1]]
        self.facts = _Facts(self.chunk_rows, found, player, kernels)
        position = np.empty(len(order), dtype=np.int32)
        position[order] = np.arange(len(order), dtype=np.int32)
        edges = len(found.targets)
        runs = (*(np.empty(edges, dtype=np.int32) for _ in range(3)), np.empty(edges, dtype=np.float64))
        self.first_run = kernels.connect(
            self.bounds,
            self.facts.groups,
            found.begins[order],
            found.targets,
            position,
            found.branches.first,
            found.branches.chance,
            runs,
        )
        self.runs = tuple(column[: self.first_run[-1]].copy() for column in runs)
        self.work = edges + 8 * int(self.first_run[-1]) + len(order)


class _Facts:
    """What the places of each chunk do, by chunk."""

    def __init__(self, rows: Amounts, found: _Explored, player: TablePlayer, kernels: Any) -> None:
        number = player.table.states
        reset = player.states[3]
        slot, state = rows // number, rows % number
        less = rows - kernels.SLOTS * number - len(ENDINGS)
        done = (rows >= kernels.SLOTS * number) & (less < 0)
        slot = np.where(less >= 0, kernels.CUTS, np.where(done, kernels.SLOTS, slot))
        state[less >= 0] = found.less_state[less[less >= 0]]
        state[done] = 0
        lays = np.where(slot == kernels.AGAIN, reset[state], state)
        laid = slot <= kernels.AGAIN
        cut = slot == kernels.CUTS
        self.over = np.full(len(rows), PLAYING, dtype=np.int64)
        ends = (slot >= kernels.ENDS) & (slot < kernels.CUTS)
        self.over[ends] = slot[ends] - kernels.ENDS
        self.over[done] = less[done] + len(ENDINGS)
        #: Over before the next round, which only counts where there is one.
        self.before = ends
        self.groups = np.full(len(rows), -1, dtype=np.int64)
        self.groups[laid] = lays[laid]
        self.groups[slot == kernels.SITS] = number + state[slot == kernels.SITS]
        self.groups[cut] = 2 * number + state[cut]
        self.refused = found.refused[np.minimum(slot, kernels.CUTS) * number + state]
        self.refused[done] = 0
        tables = (found.branches.wins, found.branches.loses, found.branches.commission, player.cells[6])
        means = [np.where(laid, column[lays], 0.0) for column in tables]
        if len(found.less_amount):
            out = tuple(np.zeros(len(found.less_amount)) for _ in means)
            kernels.less_rows(
                found.steps,
                found.branches.chance,
                player.states,
                player.terms.book,
                found.less_amount,
                found.less_state,
                out,
            )
            for column, values in zip(means, out, strict=True):
                column[cut] = values[less[cut]]
        self.wins, self.loses, self.commission, self.mean = means
        self.stake = np.where(laid, player.states[0][lays], 0)
        self.stake[cut] = found.less_amount[less[cut]]


def _flow(
    found: _Explored,
    plan: _Plan,
    player: TablePlayer,
    kernels: Any,
    progress: Callable[[int, int], None] | None,
) -> ExactBankrolls:
    """Let the probability flow from the first round to the last."""
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
            kernels.advance(done, last, mass, held, chunks, plan.runs, out)
            done = last
            if progress is not None:
                progress(done, rounds)
        kept.append(_shares(amounts, which, held + mass[done % 2]))
    rest = mass[rounds % 2]
    size = np.diff(plan.bounds)
    over = np.repeat(facts.over, size)
    # What comes to its last round goes no further: a bet that could not be laid after it ends nothing.
    last_over = np.repeat(np.where(facts.before | (facts.over == PLAYING), ENDINGS.index("rounds"), facts.over), size)
    ended[rounds] += np.bincount(last_over, weights=rest, minlength=len(ENDINGS))
    finals = {}
    for code, how in enumerate(ENDINGS):
        if ended[:, code].any():
            finals[how] = _shares(
                amounts, which, np.where(over == code, held, 0.0) + np.where(last_over == code, rest, 0.0)
            )
    laid = visits * (facts.stake > 0)
    return ExactBankrolls(
        states=player.table.states,
        places=places,
        start=player.terms.bankroll,
        checkpoints=player.terms.checkpoints,
        bankrolls=tuple(kept),
        finals=finals,
        ended=ended,
        playing=playing,
        staked=staked,
        expected=expected,
        bets=float(laid.sum()),
        wins=float(visits @ facts.wins),
        losses=float(visits @ facts.loses),
        commission=float(visits @ facts.commission),
        refused=visits @ facts.refused,
        largest_stake=int(facts.stake[visits > 0].max(initial=0)),
    )


def _shares(amounts: Amounts, which: NDArray[np.intp], chances: Floats) -> Distribution:
    """Probabilities by place added up by bankroll; bankrolls that cannot be are left out."""
    found = np.bincount(which, weights=chances, minlength=len(amounts))
    some = found > 0
    return amounts[some], found[some]
