"""Ruin with no limit of rounds, found from a bettor's table of states; every round is drawn afresh from a full shoe.

A session is *ruined* when its bankroll ends it: it is bust or cannot cover the next bet. Here play goes on until then.

**Without a goal.** Where no bet that is laid has an expectation above 0, a bankroll is a supermartingale, and it never
falls below 0; so it converges (Doob), and since sums of money are whole, it stands still from some round on. But a bet
moves it with at least the chance of the rarest round, so that only finitely many bets are laid (Lévy). A bettor that
comes to a bet again from each of its states, that does not leave, and that is never left waiting with money for less
than its bet has therefore been ended by its bankroll: **the chance is 1, whatever it stakes and whatever it has won
before**. A bet that does have an edge for the bettor, laid alike every round, is a walk that drifts upwards
(`bacclab.exact.flat.ruin`).

**Before a goal** there are finitely many states × bankrolls, and probability flows over them until less than
`LEFT` is still in play; for the same bet every round the equations are solved instead.

Null is what does not follow: a bettor without a table, or whose states go on past the rounds of the session (they are
not all known); one that may leave, or sit out for ever; and what would take too long.

Source: W. Feller, An Introduction to Probability Theory and Its Applications, vol. 1, ch. XIV (ruin), vol. 2, ch. VII
(martingales).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.errors import BacclabError
from bacclab.exact.bankrolls.branches import class_counts
from bacclab.exact.bankrolls.places import Plan, explored
from bacclab.exact.flat import ruin as flat
from bacclab.exact.flat import walks
from bacclab.exact.flat.bet import FlatBet
from bacclab.tournament.frames import frame
from bacclab.tournament.ledger import ENDINGS, RUINED
from bacclab.tournament.play.table import TablePlayer

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from bacclab.bettors.table import TransitionTable
    from bacclab.tournament.plan import Cell

__all__ = ["before_goal", "certain", "ruin"]

MOST_WORK: Final = 2 * 10**7
"""Sums of money times the width of a step that are solved for the same bet every round: a tenth of a second."""
LEFT: Final = 1e-12
"""What may still be in play where a chance is taken to be known."""
MOST_PLACES: Final = 200_000
"""States × bankrolls below a goal."""

_ALL_ROUNDS: Final = 10**6
_STRIDE: Final = 256
_RUINED: Final = [ENDINGS.index(how) for how in RUINED]


def ruin(cell: Cell, bettor: str, player: TablePlayer, *, most_work: int) -> tuple[pl.DataFrame | None, int]:
    """A row of exact_ruin (None where neither chance is known, and with a stop-loss), and the work done for it.

    ``most_work`` bounds what is done for a goal: places and branches times rounds.
    """
    terms, work = player.terms, 0
    if terms.floor > 0:  # a stop-loss ends the session first
        return None, work
    same = _same_bet(cell, player)
    ever = 1.0 if certain(player) else None if same is None else _of_same(same, terms.bankroll, None)
    before = None
    if terms.stop_win is not None:
        before = None if same is None else _of_same(same, terms.bankroll, terms.stop_win)
        if before is None:
            before, work = before_goal(player, most_work=most_work)
    if ever is None and before is None:
        return None, work
    columns = {"cell": [cell.index], "bettor": [bettor], "ruin_ever": [ever], "ruin_ever_goal": [before]}
    return frame("exact_ruin", columns), work


def certain(player: TablePlayer) -> bool:
    """Whether the argument above makes ruin certain without a goal; False says nothing.

    >>> from bacclab.bettors.base import Combined
    >>> from bacclab.bettors.progressions.classic import Martingale
    >>> from bacclab.bettors.selections.recent import FollowLast
    >>> from bacclab.exact.bankrolls.distribution import player_of
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> seven = Combined(FollowLast(), Martingale(unit=10, steps=7))
    >>> [certain(player_of(seven, BUILT_IN_TABLES[table], bankroll=5000, rounds=100)) for table in ("commission", "ez")]
    [True, True]
    >>> free = BUILT_IN_TABLES["commission"].override({"commission": "0%"})  # Banker has an edge for the bettor
    >>> certain(player_of(seven, free, bankroll=5000, rounds=100))
    False
    """
    table, terms = player.table, player.terms
    if not table.closed:
        return False
    possible = class_counts(table, terms.table.shoe.decks) > 0
    reached = _reached(table, possible)
    net = player.cells[0].reshape(table.states, table.classes)[reached][:, possible]
    stakes = player.states[0][reached]
    if any(table.endings[state] for state in np.flatnonzero(reached)) or (player.cells[6][reached] > 0).any():
        return False
    if not (net != 0).any(axis=1)[stakes > 0].all():
        return False  # bets that cancel each other move nothing
    return bool(_bets_again(table, possible)[reached].all()) and not _left_waiting(player, reached)


def _reached(table: TransitionTable, possible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The states that sessions come to, by rounds that a shoe can give and by refusals."""
    reached = np.zeros(table.states, dtype=np.bool_)
    ahead = np.array([table.shoe[0]])
    while len(ahead):
        reached[ahead] = True
        found = np.unique(np.concatenate([part[ahead].reshape(-1) for part in _ways(table, possible)]))
        ahead = found[~reached[found]]
    return reached


def _ways(table: TransitionTable, possible: NDArray[np.bool_]) -> tuple[NDArray[np.int32], ...]:
    return table.next[:, possible], table.idle[:, possible], table.reset


def _bets_again(table: TransitionTable, possible: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The states from which a bet is come to, if not at once, then by some rounds."""
    bets = np.array([slip.total > 0 for slip in table.slips])
    following = table.next[:, possible]
    while True:
        more = bets | bets[following].any(axis=1)
        if (more == bets).all():
            return bets
        bets = more


def _left_waiting(player: TablePlayer, reached: NDArray[np.bool_]) -> bool:
    """Whether a bettor with money for a bet of the table may lay nothing, or less at a better price, when refused."""
    table, terms = player.table, player.terms
    slips = [table.slips[state] for state in np.flatnonzero(reached)]
    dear = [slip for slip in slips if slip.total > terms.least]
    if terms.policy == "skip":
        return bool(dear)
    if terms.policy == "reset":
        again = [table.slips[table.reset[state]] for state in np.flatnonzero(reached) if table.slips[state].total]
        return not all(slip.total for slip in again)
    if terms.policy == "cap":  # a commission that is rounded weighs otherwise on a smaller stake
        return any(np.isnan(terms.book[10][index]) for slip in dear for index, _ in slip.bets)
    return False


def before_goal(player: TablePlayer, *, most_work: int) -> tuple[float | None, int]:
    """The chance of ruin before the goal, to `LEFT`, and the work done; None if it is not known or takes more work.

    Raises nothing: what cannot be worked out is None.
    """
    from bacclab.exact.bankrolls import distribution_kernels as kernels

    if not player.table.closed or most_work <= 0:
        return None, 0
    longer = TablePlayer(player.table, replace(player.terms, checkpoints=np.array([0, _ALL_ROUNDS])))
    try:
        found = explored(longer, most_places=MOST_PLACES, most_work=most_work // _STRIDE * _ALL_ROUNDS)
    except BacclabError:  # too many places, or sums that are not exact
        return None, 0
    plan = Plan(found, longer)
    if plan.work * _STRIDE > most_work:
        return None, 0
    facts = plan.facts
    mass, held = np.zeros((2, found.places)), np.zeros(found.places)
    mass[0, plan.start] = 1.0
    chunks = (plan.bounds, plan.first_run, facts.over, facts.stake.astype(np.float64), facts.mean)
    ruined, playing, work = 0.0, 1.0, 0
    while playing > LEFT:
        ended = np.zeros((_STRIDE, len(ENDINGS)))
        out = (*(np.zeros(_STRIDE) for _ in range(3)), ended, np.zeros(len(plan.chunk_rows)))
        kernels.advance(0, _STRIDE, mass, held, chunks, plan.runs, out, 0.0)
        ruined += float(ended[:, _RUINED].sum())
        before, playing = playing, float(mass[0].sum())
        work += plan.work * _STRIDE
        if playing > LEFT and _too_long(before, playing, work / _STRIDE / plan.work, most_work / plan.work / _STRIDE):
            return None, work
    return ruined, work


def _too_long(before: float, playing: float, done: float, most: float) -> bool:
    """Whether strides are given up: past their number, or past a quarter of it when the pace will not do."""
    if done >= most or before <= playing:
        return done >= most or done >= most / 4
    further = np.log(LEFT / playing) / np.log(playing / before)
    return bool(done >= most / 4 and done + further > most)


def _same_bet(cell: Cell, player: TablePlayer) -> FlatBet | None:
    """The bet of a bettor that lays the same every round, and is ruined when that is not covered; else None."""
    terms, slips = player.terms, player.table.slips
    first = slips[0]
    if not first.bets or any(player.table.endings) or any(slip != first for slip in slips) or any(first.refused):
        return None
    if terms.bankroll < first.total or (terms.policy not in ("stop", "reset") and first.total > terms.least):
        return None
    try:
        return FlatBet.at(cell.table, {terms.layout.ids[index]: amount for index, amount in first.bets})
    except BacclabError:  # a table or sums that the exact question cannot be put to
        return None


def _of_same(bet: FlatBet, bankroll: int, goal: int | None) -> float | None:
    """The chance of ruin by the same bet every round, None where it would take long to work out."""
    walk = bet.walk
    places = bankroll // walk.unit
    if goal is not None:
        places += goal // walk.unit
    elif walk.mean > 0:
        places += walks.safe_height(walk)
    elif walk.down:
        return 1.0  # Without an edge for the bettor the bankroll comes down for certain.
    if places * (walk.down + walk.up) > MOST_WORK:
        return None
    try:
        return flat.ruin(bet, bankroll=bankroll, goal=goal)
    except BacclabError:
        return None
