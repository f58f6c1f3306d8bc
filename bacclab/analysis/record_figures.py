"""A record of rounds against the exact chances of a full shoe: shares, totals, pairs, run lengths, what follows what.

Rounds that contradict themselves count as they are written; the report of faults stands beside the figures. Runs and
followers leave ties out and never go from one shoe into the next.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bacclab.analysis.statistics.chi_square import ChiSquare, goodness_of_fit
from bacclab.exact.odds import code_probabilities
from bacclab.game.codes import Outcome, outcomes
from bacclab.shoes.known import fields

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from bacclab.shoes.recorded.record import Record

WARN_BELOW: Final = 0.001
"""A p-value below which a record is called doubtful."""
LONGEST_RUN: Final = 8
"""Runs of this length and longer are counted together."""


@dataclass(frozen=True, slots=True)
class Share:
    """How often something came, against its exact chance; z is in standard errors."""

    what: str
    count: int
    of: int
    expected: float

    @property
    def share(self) -> float | None:
        """The share of the rounds."""
        return self.count / self.of if self.of else None

    @property
    def z(self) -> float | None:
        """The difference from the chance in standard errors."""
        spread = math.sqrt(self.of * self.expected * (1 - self.expected))
        return (self.count - self.of * self.expected) / spread if spread else None


@dataclass(frozen=True, slots=True)
class Followers:
    """How often a decision is Banker after Banker and after Player, and the z of the difference."""

    after_banker: int
    of_banker: int
    after_player: int
    of_player: int

    @property
    def shares(self) -> tuple[float | None, float | None]:
        """P(B after B) and P(B after P)."""
        return (
            self.after_banker / self.of_banker if self.of_banker else None,
            self.after_player / self.of_player if self.of_player else None,
        )

    @property
    def z(self) -> float | None:
        """The difference of the two shares in standard errors (pooled)."""
        if not self.of_banker or not self.of_player:
            return None
        pooled = (self.after_banker + self.after_player) / (self.of_banker + self.of_player)
        spread = math.sqrt(pooled * (1 - pooled) * (1 / self.of_banker + 1 / self.of_player))
        return (self.after_banker / self.of_banker - self.after_player / self.of_player) / spread if spread else None


@dataclass(frozen=True, slots=True)
class Run:
    """Runs of one length: how many there are, and how many independent decisions would give."""

    length: int
    count: int
    expected: float


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything that `bacclab shoes check` tells besides the faults; None where the record says too little."""

    rounds: int
    shoes: int
    decks: int
    shares: tuple[Share, ...]
    winners: ChiSquare | None
    totals: ChiSquare | None
    pairs: tuple[Share, ...]
    runs: tuple[Run, ...]
    run_lengths: ChiSquare | None
    followers: Followers

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is too far from chance to be let pass."""
        tests = {
            "the shares of the winners": self.winners,
            "the totals": self.totals,
            "the run lengths": self.run_lengths,
        }
        told = [
            f"{what} differ from those of a {self.decks}-deck shoe by more than chance (p = {test.p_value:.2g})"
            for what, test in tests.items()
            if test is not None and test.p_value < WARN_BELOW
        ]
        for what, z in [
            *((share.what, share.z) for share in self.pairs),
            ("Banker after Banker against after Player", self.followers.z),
        ]:
            p = 1.0 if z is None else math.erfc(abs(z) / math.sqrt(2))
            if p < WARN_BELOW:
                told.append(f"{what}: {z:+.1f} standard errors from its chance (p = {p:.2g})")
        return tuple(told)

    def as_values(self) -> dict[str, Any]:
        """The figures as plain values."""
        found = asdict(self)
        for name in ("winners", "totals", "run_lengths"):
            test = getattr(self, name)
            found[name] = None if test is None else test._asdict()
        for name in ("shares", "pairs"):
            found[name] = [asdict(one) | {"share": one.share, "z": one.z} for one in getattr(self, name)]
        found["followers"] |= {"share_after_banker": self.followers.shares[0],
                               "share_after_player": self.followers.shares[1],
                               "z": self.followers.z}  # fmt: skip
        return found | {"warnings": list(self.warnings)}


def figures_of(record: Record, *, decks: int = 8) -> Figures:
    """The figures of a record against shoes of so many decks."""
    frame = record.frame
    chances = code_probabilities(decks)
    by_winner = np.bincount(outcomes(), weights=chances, minlength=3)
    known = frame.filter(frame["winner"].is_not_null())
    winner = known["winner"].to_physical().to_numpy()
    counts = np.bincount(winner, minlength=3).tolist()
    titles = {Outcome.BANKER: "Banker", Outcome.PLAYER: "Player", Outcome.TIE: "Tie"}
    places = {outcome: place for place, outcome in enumerate(Outcome)}
    shares = tuple(
        Share(title, counts[places[outcome]], len(winner), float(by_winner[places[outcome]]))
        for outcome, title in titles.items()
    )
    decided = winner != places[Outcome.TIE]
    shoe, side = known["shoe"].to_numpy()[decided], winner[decided]
    banker = places[Outcome.BANKER]
    runs, test = _runs(shoe, side)
    return Figures(
        rounds=frame.height,
        shoes=record.shoe_count,
        decks=decks,
        shares=shares,
        winners=goodness_of_fit(counts, by_winner.tolist()),
        totals=_totals(frame, chances),
        pairs=_pairs(frame, chances),
        runs=runs,
        run_lengths=test,
        followers=_followers(shoe, side == banker),
    )


def _totals(frame: pl.DataFrame, chances: NDArray[np.float64]) -> ChiSquare | None:
    """The hundred cells of both totals."""
    known = frame.filter(frame["player_total"].is_not_null() & frame["banker_total"].is_not_null())
    if not known.height:
        return None
    cells = known["player_total"].to_numpy().astype(np.int64) * 10 + known["banker_total"].to_numpy()
    expected = np.bincount(fields()["totals"], weights=chances, minlength=100)
    return goodness_of_fit(np.bincount(cells, minlength=100).tolist(), expected.tolist())


def _pairs(frame: pl.DataFrame, chances: NDArray[np.float64]) -> tuple[Share, ...]:
    pairs = fields()["pairs"]
    expected = {"player_pair": float(chances[pairs >= 2].sum()), "banker_pair": float(chances[pairs % 2 == 1].sum())}
    found = []
    for column, title in (("player_pair", "Player pair"), ("banker_pair", "Banker pair")):
        known = frame[column].drop_nulls()
        if known.len():
            found.append(Share(title, int(known.sum()), known.len(), expected[column]))
    return tuple(found)


def _followers(shoe: NDArray[np.int64], banker: NDArray[np.bool_]) -> Followers:
    same = shoe[1:] == shoe[:-1]
    before, after = banker[:-1][same], banker[1:][same]
    return Followers(int((before & after).sum()), int(before.sum()), int((~before & after).sum()), int((~before).sum()))


def _runs(shoe: NDArray[np.int64], side: NDArray[np.integer[Any]]) -> tuple[tuple[Run, ...], ChiSquare | None]:
    """The lengths of runs that ended in their shoe, the first of a shoe too; a shoe's last run was cut off.

    Expected: given how many decisions were left in the shoe when a run began, independent decisions with the record's
    own share of Banker.
    """
    if not side.size:
        return (), None
    change = np.flatnonzero((np.diff(shoe) != 0) | (np.diff(side.astype(np.int64)) != 0)) + 1
    starts = np.concatenate([[0], change])
    ends = np.concatenate([change, [side.size]])
    shoe_end = np.searchsorted(shoe, shoe[starts], side="right")
    complete = ends < shoe_end
    lengths = (ends - starts)[complete]
    left = (shoe_end - starts)[complete]
    share = float((side == 1).mean())
    q = np.where(side[starts][complete] == 1, share, 1 - share)
    counts = np.bincount(np.minimum(lengths, LONGEST_RUN), minlength=LONGEST_RUN + 1)[1:]
    expected = np.zeros(LONGEST_RUN)
    # A run that starts with `left` decisions to go is seen to end if it is shorter than that.
    whole = 1 - q ** (left - 1.0)
    usable = whole > 0
    for length in range(1, LONGEST_RUN):
        chance = np.where(length < left, q ** (length - 1.0) * (1 - q), 0.0)
        expected[length - 1] = (chance[usable] / whole[usable]).sum()
    expected[-1] = max(0.0, lengths.size - expected[:-1].sum())
    runs = tuple(Run(length + 1, int(counts[length]), float(expected[length])) for length in range(LONGEST_RUN))
    total = expected.sum()
    return runs, goodness_of_fit(counts.tolist(), (expected / total).tolist(), estimated=1) if total else None
