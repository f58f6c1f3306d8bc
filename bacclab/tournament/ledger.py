"""The ledger of a bettor: what every session of a block came to.

`post` books one round into the running figures of one session. It is the only place where a bankroll changes, in plain
Python and in the compiled players alike: plain whole-number arithmetic that numba can compile as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.game.limits import REASONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

__all__ = ["CARDS_LEFT", "ENDINGS", "FULL_SHOE", "RUINED", "Ledger", "Trace", "ending", "post", "uncovered"]

ENDINGS: Final = ("rounds", "bust", "cannot_cover", "stop_win", "stop_loss", "bettor", "source", "limit")
"""How a session can end.

``rounds``: the horizon was played out. ``bust``: what is left does not cover the table minimum. ``cannot_cover``: it
does not cover the bettor's next bet. ``stop_win``, ``stop_loss``: a stop rule. ``bettor``: the bettor chose to stop.
``source``: the recorded rounds ran out. ``limit``: the table's limits refused the bet and the bettor stops then.
"""

RUINED: Final = ("bust", "cannot_cover")
"""The endings that are ruin: the bankroll does not cover what is to be laid."""

ROUNDS: Final = 0
BUST: Final = 1
CANNOT_COVER: Final = 2
STOP_WIN: Final = 3
STOP_LOSS: Final = 4
BETTOR: Final = 5
SOURCE: Final = 6
LIMIT: Final = 7
PLAYING: Final = 255

FULL_SHOE: Final = "full shoe"
CARDS_LEFT: Final = "cards left"
"""What the expectation of bets is taken on: for a bettor that sees them, the cards left before each round."""

# The running figures of a session, in the order in which `post` takes and returns them.
BANKROLL: Final = 0
PEAK: Final = 1
TROUGH: Final = 2
DRAWDOWN: Final = 3
WINS: Final = 4
LOSSES: Final = 5
PUSHES: Final = 6
STAKED: Final = 7
COMMISSION: Final = 8
LARGEST: Final = 9
WINNING: Final = 10
LOSING: Final = 11
LONGEST_WINNING: Final = 12
LONGEST_LOSING: Final = 13
FIGURES: Final = 14

Figures = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int, int]


def opening(bankroll: int) -> Figures:
    """The figures before the first round.

    >>> opening(1_000)[:4]
    (1000, 1000, 1000, 0)
    """
    return (bankroll, bankroll, bankroll, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def post(figures: Figures, stake: int, net: int, commission: int) -> Figures:
    """Book a round: its stakes together, its net result and the commission in it; a stake of 0 changes nothing.

    A push neither lengthens nor breaks a run of wins or losses. Drawdown is the deepest fall from a peak, the starting
    bankroll counting as the first peak.

    >>> lost = post(opening(1_000), 200, -200, 0)
    >>> won = post(lost, 100, 95, 5)
    >>> won[BANKROLL], won[DRAWDOWN], won[WINS], won[LOSSES], won[STAKED], won[COMMISSION], won[LONGEST_LOSING]
    (895, 200, 1, 1, 300, 5, 1)
    """
    (
        bankroll,
        peak,
        trough,
        drawdown,
        wins,
        losses,
        pushes,
        staked,
        paid,
        largest,
        winning,
        losing,
        most_won,
        most_lost,
    ) = figures
    bankroll += net
    # Comparisons in place of max() and min(): plain Python runs them four times as fast.
    peak = bankroll if bankroll > peak else peak
    trough = bankroll if bankroll < trough else trough
    drawdown = peak - bankroll if peak - bankroll > drawdown else drawdown
    won = 1 if net > 0 else 0
    lost = 1 if net < 0 else 0
    wins += won
    losses += lost
    pushes += (1 if stake > 0 else 0) - won - lost
    staked += stake
    paid += commission
    largest = stake if stake > largest else largest
    winning = (winning + won) * (1 - lost)
    losing = (losing + lost) * (1 - won)
    most_won = winning if winning > most_won else most_won
    most_lost = losing if losing > most_lost else most_lost
    return (
        bankroll, peak, trough, drawdown, wins, losses, pushes, staked, paid, largest, winning, losing, most_won,
        most_lost,
    )  # fmt: skip


def ending(bankroll: int, floor: int, goal: int, least: int) -> int:
    """Whether a session is over with this bankroll: a place in `ENDINGS`, or PLAYING.

    ``floor`` is what a stop-loss keeps back (0 without one), ``goal`` the bankroll at which a stop-win ends the
    session, ``least`` the smallest stake that the table takes.

    >>> ending(30, 0, 2_000, 10) == PLAYING, ENDINGS[ending(5, 0, 2_000, 10)], ENDINGS[ending(905, 900, 2_000, 10)]
    (True, 'bust', 'stop_loss')
    """
    if bankroll >= goal:
        return STOP_WIN
    if bankroll - floor < least:
        return STOP_LOSS if bankroll >= least and floor > 0 else BUST
    return PLAYING


def uncovered(wanted: int, bankroll: int, floor: int) -> int:
    """The ending of a session whose next bet is not covered: the stop-loss, if that keeps back what is missing.

    >>> ENDINGS[uncovered(80, 100, 50)], ENDINGS[uncovered(80, 60, 50)], ENDINGS[uncovered(80, 60, 0)]
    ('stop_loss', 'cannot_cover', 'cannot_cover')
    """
    return STOP_LOSS if floor > 0 and wanted <= bankroll else CANNOT_COVER


@dataclass(frozen=True, slots=True)
class Ledger:
    """One entry a session, int64 unless said otherwise; money in ten-thousandths of the currency unit.

    ``refused`` is (sessions × reasons), ``bankrolls`` is (checkpoints × sessions) with ended sessions carried forward,
    ``expected`` (float64) the exact expectation of the bets that were laid, off the top of a full shoe; for a bettor
    that sees the cards, on the cards left before each round.
    """

    start: int
    figures: Counts  # (sessions, FIGURES)
    rounds: Counts
    shoes: Counts
    refused: Counts
    ended_by: NDArray[np.uint8]
    expected: NDArray[np.float64]
    bankrolls: Counts

    @classmethod
    def blank(cls, sessions: int, *, start: int, checkpoints: int) -> Ledger:
        """A ledger before the first round."""
        figures = np.empty((sessions, FIGURES), dtype=np.int64)
        figures[:] = opening(start)
        bankrolls = np.full((checkpoints, sessions), start, dtype=np.int64)
        zeros = np.zeros(sessions, dtype=np.int64)
        return cls(
            start=start,
            figures=figures,
            rounds=zeros,
            shoes=zeros.copy(),
            refused=np.zeros((sessions, len(REASONS)), dtype=np.int64),
            ended_by=np.full(sessions, PLAYING, dtype=np.uint8),
            expected=np.zeros(sessions, dtype=np.float64),
            bankrolls=bankrolls,
        )

    @property
    def sessions(self) -> int:
        """How many sessions the ledger holds."""
        return int(self.rounds.shape[0])

    def _figure(self, index: int) -> Counts:
        column: Counts = self.figures[:, index]
        return column

    @property
    def bets(self) -> Counts:
        """Rounds on which something was laid."""
        return self.wins + self.losses + self.pushes

    @property
    def wins(self) -> Counts:
        """Rounds whose bets won together."""
        return self._figure(WINS)

    @property
    def losses(self) -> Counts:
        """Rounds whose bets lost together."""
        return self._figure(LOSSES)

    @property
    def pushes(self) -> Counts:
        """Rounds whose bets were given back."""
        return self._figure(PUSHES)

    @property
    def staked(self) -> Counts:
        """The action: everything staked."""
        return self._figure(STAKED)

    @property
    def commission(self) -> Counts:
        """Commission paid."""
        return self._figure(COMMISSION)

    @property
    def net(self) -> Counts:
        """What the session won or lost."""
        return self.final - self.start

    @property
    def final(self) -> Counts:
        """The bankroll at the end."""
        return self._figure(BANKROLL)

    @property
    def peak(self) -> Counts:
        """The highest bankroll, the starting one included."""
        return self._figure(PEAK)

    @property
    def trough(self) -> Counts:
        """The lowest bankroll, the starting one included."""
        return self._figure(TROUGH)

    @property
    def max_drawdown(self) -> Counts:
        """The deepest fall from a peak."""
        return self._figure(DRAWDOWN)

    @property
    def longest_losing_run(self) -> Counts:
        """The most losses in a row, pushes left out."""
        return self._figure(LONGEST_LOSING)

    @property
    def longest_winning_run(self) -> Counts:
        """The most wins in a row, pushes left out."""
        return self._figure(LONGEST_WINNING)

    @property
    def largest_stake(self) -> Counts:
        """The most staked on one round."""
        return self._figure(LARGEST)

    @property
    def refusals(self) -> Counts:
        """Refused bets, all reasons together."""
        total: Counts = self.refused.sum(axis=1)
        return total

    @property
    def ended_round(self) -> Counts:
        """The round after which the session was over (0: before the first)."""
        return self.rounds


@dataclass(frozen=True, slots=True)
class Trace:
    """The sampled sessions round by round: one entry a round played, sorted by session and round.

    ``bets`` says in words what was laid (``banker 10.00 + player_pair 5.00``), empty where nothing was.
    """

    session: Counts
    round: Counts
    shoe: Counts
    outcome: NDArray[np.uint8]
    staked: Counts
    net: Counts
    commission: Counts
    bankroll: Counts
    bets: list[str] = field(default_factory=list)
