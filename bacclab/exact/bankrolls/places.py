"""The places (state, bankroll) that a session can reach, ordered and formed as probability flows over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.bettors.slip import POLICIES
from bacclab.errors import BacclabError, MoneyError
from bacclab.exact.bankrolls.branches import Branches, branches_of
from bacclab.game.limits import REASONS
from bacclab.money import MAX_AMOUNT, UNITS
from bacclab.tournament.ledger import ENDINGS, PLAYING

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.tournament.play.table import TablePlayer

    Amounts = NDArray[np.int64]

__all__ = ["Explored", "Plan", "TooLarge", "explored"]

MOST_PLACES = 4_000_000
"""States × bankrolls that are kept: half a gigabyte. More are refused."""
MOST_WORK = 2 * 10**12
"""Places and branches times rounds: half an hour or so. More is refused."""

CHUNK = 512
"""Places whose probability is looked at together."""

SMALLER = (
    "fewer rounds, a smaller bankroll, a stop rule, a lower table maximum, a larger table.increment or a bettor with "
    "fewer states make it smaller"
)


class TooLarge(BacclabError):
    """There are more states × bankrolls than can be gone through."""


@dataclass(frozen=True, slots=True)
class Explored:
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
        """How many there are."""
        return len(self.rows)

    @property
    def steps(self) -> tuple[Amounts, Amounts, Amounts, Amounts]:
        """The branches as the kernels take them."""
        return _steps(self.branches)


def _steps(branches: Branches) -> tuple[Amounts, Amounts, Amounts, Amounts]:
    return branches.first, branches.net, branches.next, branches.code


def explored(player: TablePlayer, *, most_places: int | None = None, most_work: int | None = None) -> Explored:
    """All places within reach.

    Raises TooLarge past ``most_places`` places, or past ``most_work`` places and branches times rounds; MoneyError
    where a bankroll cannot be kept exactly.
    """
    from bacclab.exact.bankrolls import distribution_kernels as kernels

    table, terms = player.table, player.terms
    branches = branches_of(player)
    rounds = int(terms.checkpoints[-1])
    numbers = (terms.bankroll, terms.floor, terms.goal, terms.least, POLICIES.index(terms.policy))
    width = int(np.diff(branches.first).max())
    most_places = MOST_PLACES if most_places is None else most_places
    most_work = MOST_WORK if most_work is None else most_work
    most_edges = most_work // max(rounds, 1)  # with more ways than this the work is too much, however many places
    room = min(4096, most_places)
    while True:
        edges = min(room * min(width, 6), most_edges + width)
        keys = np.empty((room, 2), dtype=np.int64)
        store = _store(room, edges, kernels.SLOTS * table.states)
        hashes = np.full(1 << (2 * room).bit_length(), -1, dtype=np.int32)
        start = int(table.shoe[0])  # a session begins with a new shoe
        places, gone, used, less = kernels.explore(
            start, rounds, _steps(branches), player.states, numbers, terms.book, hashes, keys, store
        )
        if places == kernels.TOO_MUCH:
            raise MoneyError(
                f"within {rounds:,} rounds a bankroll can pass {MAX_AMOUNT / UNITS:,.0f}, the largest amount that is "
                "kept exactly",
                hint="set a table maximum or a lower bankroll",
            )
        if places != kernels.TOO_MANY:
            if (places + used) * rounds > most_work:
                raise _too_slow(f"{places:,}", used, rounds)
            rows, begins, targets, refused, less_amount, less_state, _ = store
            return Explored(
                rounds,
                branches,
                keys[:places, 1].copy(),
                rows[:places],
                begins[:places],
                targets[:used],
                refused,
                less_amount[:less],
                less_state[:less],
            )
        if used > most_edges:
            raise _too_slow("many", used, rounds)
        if room >= most_places:
            raise TooLarge(
                f"more than {most_places:,} places (states × bankrolls) can be reached within {gone + 1:,} of "
                f"{rounds:,} rounds; the bettor's table has {table.states:,} states",
                hint=SMALLER,
            )
        room = min(8 * room, most_places)


def _store(room: int, edges: int, slots: int) -> tuple[Any, ...]:
    """Empty arrays for so many places and ways between them, in the order in which the kernel fills them.

    By place: its row and where its ways begin; the target of each way; refusals by slot and reason; amounts and states
    of bets that are laid for less; refusals of one question.
    """
    rows, begins, less_amount, less_state = (np.empty(room, dtype=np.int64) for _ in range(4))
    refused = np.zeros((slots, len(REASONS)), dtype=np.int64)
    asked = np.zeros(len(REASONS), dtype=np.int64)
    return rows, begins, np.empty(edges, dtype=np.int32), refused, less_amount, less_state, asked


def _too_slow(places: str, used: int, rounds: int) -> TooLarge:
    return TooLarge(
        f"{places} places (states × bankrolls) with {used:,} ways between them can be reached; over {rounds:,} rounds "
        "that takes too long",
        hint=SMALLER,
    )


class Plan:
    """Places in order, cut into chunks of one row each, with the runs along which probability flows."""

    def __init__(self, found: Explored, player: TablePlayer) -> None:
        from bacclab.exact.bankrolls import distribution_kernels as kernels

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
        self.facts = Facts(self.chunk_rows, found, player)
        position = np.empty(len(order), dtype=np.int32)
        position[order] = np.arange(len(order), dtype=np.int32)
        edges = len(found.targets)
        runs: tuple[NDArray[Any], ...] = (
            *(np.empty(edges, dtype=np.int32) for _ in range(3)),
            np.empty(edges, dtype=np.float64),
        )
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
        #: A measure of what a round costs.
        self.work = edges + 8 * int(self.first_run[-1]) + len(order)


class Facts:
    """What the places of each chunk do, by chunk."""

    def __init__(self, rows: Amounts, found: Explored, player: TablePlayer) -> None:
        from bacclab.exact.bankrolls import distribution_kernels as kernels

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
