"""Late in the shoe: how far the exact worth of a bet strays from its full-shoe edge as cards leave the shoe.

Shoes are dealt by the rules of a table, and before every round the bet is worked out exactly on the cards that nobody
at the table has seen: those in the shoe, those behind the cut card, and those burned face down. Ranks are counted,
suits are not. The mean of these exact returns is the same at every depth; their spread grows. *Perfect play* lays one
unit in every round in which the return is above nothing.

Source of the method: the spread of the conditional expectation grows with depletion (Thorp and Walden 1973, Ethier and
Levin 2005); E. Jacobson's figures for baccarat side bets count units won a shoe in this way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bacclab.display import html_table, shown_as
from bacclab.errors import TableError
from bacclab.exact.batch import Means
from bacclab.exact.odds import net_per_unit
from bacclab.exact.table_odds import odds
from bacclab.game.rules import DECK
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl
    from numpy.typing import NDArray

    from bacclab.game.rules import ShoeRules
    from bacclab.game.tables import Table
    from bacclab.plugins.registry import Registry

    Floats = NDArray[np.float64]

__all__ = ["QUANTILES", "Late", "late", "late_each"]

QUANTILES: Final = {"q05": 0.05, "q25": 0.25, "q50": 0.5, "q75": 0.75, "q95": 0.95}
"""The quantiles of the returns in each bin, linear between neighbours."""

Rows = list[dict[str, Any]]
CutCard = int | tuple[int, int]

MOST_SHOES: Final = 1_000_000
"""The return of every round is kept, which takes a kilobyte or two a shoe."""

_CHUNK: Final = 1000
_BINS: Final = 32
_ADVANTAGE: Final = 1e-12
"""A return above this is an advantage: less is what rounding leaves of nothing."""


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Late:
    """What a bet is worth by the number of cards left, and what perfect play wins by it.

    Returns are per unit staked, above 0 when the bet favours the bettor.
    """

    table: Table
    bet: str
    shoes: int
    seed: int
    full_shoe: float
    """The mean result of one unit on a full shoe: minus the house edge."""
    cards_left_rows: Rows
    """One row for each bin of cards left that a round began with, the fullest first, cut at the deepest cut card:
    from_cards, to_cards, rounds, mean_return, se_return, q05, q25, q50, q75, q95, advantage (share of the rounds)."""
    cut_card_rows: Rows
    """One row for each cut card: cut_card, cut_card_to (the same, unless its place is drawn), shoes, rounds (a shoe),
    bets, se_bets, units, se_units (a shoe, by perfect play), advantage (share of rounds), mean_advantage (when bet)."""

    def __repr__(self) -> str:
        return f"<late in the shoe: {self.bet} at {self.table.name}, {self.shoes:,} shoes>"

    def _repr_html_(self) -> str:
        shown = [
            (
                f"{row['from_cards']} to {row['to_cards']}",
                *(f"{row[key]:+z.2%}" for key in ("mean_return", "q05", "q95")),
                f"{row['advantage']:.2%}",
            )
            for row in self.cards_left_rows
        ]
        heads = ("Cards left", "Mean return", "5 %", "95 %", "Rounds above 0")
        return shown_as(f"{self.bet} at {self.table.title}, {self.shoes:,} shoes", html_table(heads, shown))

    @property
    def cards_left(self) -> pl.DataFrame:
        """`cards_left_rows` as a frame."""
        return _frame(self.cards_left_rows, whole=("from_cards", "to_cards", "rounds"))

    @property
    def cut_cards(self) -> pl.DataFrame:
        """`cut_card_rows` as a frame."""
        return _frame(self.cut_card_rows, whole=("cut_card", "cut_card_to", "shoes"))


def late(
    table: str | Table = "commission",
    bet: str = "player_pair",
    *,
    shoes: int = 2000,
    seed: int = 1,
    cut_cards: Sequence[CutCard] = (),
    width: int | None = None,
    registry: Registry | None = None,
) -> Late:
    """Deal shoes and work a bet out before every round, on the cards not seen.

    - `table`, `bet`: names; also a `Table`, a bet that the table does not offer, and "lucky_6:las-vegas" for a pay
      table;
    - `shoes`: how many are dealt; shoe k holds the same cards whatever the cut card;
    - `cut_cards`: places of the cut card, in cards from the end (0: none); by default the table's own;
    - `width`: cards left to a bin; by default about 32 bins to a shoe, 13 cards with eight decks.

    One unit on a pair loses 10.36 per cent at every depth, within a few standard errors; more than that only by chance:

    >>> found = late("commission", "player_pair", shoes=200, cut_cards=(14, 104))
    >>> found
    <late in the shoe: player_pair at commission, 200 shoes>
    >>> round(found.full_shoe, 6)
    -0.103614
    >>> max(abs(row["mean_return"] - found.full_shoe) / row["se_return"] for row in found.cards_left_rows[1:]) < 4
    True
    >>> deep, shallow = found.cut_card_rows
    >>> deep["units"] > shallow["units"], round(deep["rounds"]), round(shallow["rounds"])
    (True, 81, 63)
    """
    (found,) = late_each(table, [bet], shoes=shoes, seed=seed, cut_cards=cut_cards, width=width, registry=registry)
    return found


def late_each(
    table: str | Table,
    bets: Sequence[str],
    *,
    shoes: int = 2000,
    seed: int = 1,
    cut_cards: Sequence[CutCard] = (),
    width: int | None = None,
    registry: Registry | None = None,
) -> tuple[Late, ...]:
    """The same as `late` for several bets, on the same shoes: one composition is worked out once for all of them.

    >>> [found.bet for found in late_each("commission", ["tie", "player_pair"], shoes=5)]
    ['tie', 'player_pair']
    """
    if shoes < 1:
        raise TableError(f"there must be at least one shoe, not {shoes}")
    if shoes > MOST_SHOES:
        raise TableError(f"{shoes:,} shoes are too many", hint=f"at most {MOST_SHOES:,}")
    asked = odds(table, bets=bets, registry=registry)
    rules, names = asked.table.shoe, asked.shown
    every = [replace(rules, cut_card=cut) for cut in dict.fromkeys(cut_cards)] or [rules]
    deepest = replace(rules, cut_card=min(one.cut_cards[0] for one in every))
    wide = width if width is not None else max(1, rules.decks * DECK // _BINS)
    if wide < 1:
        raise TableError(f"a bin must hold at least one card, not {wide}")
    means = Means(net_per_unit(asked.layout)[[asked.layout.index[name] for name in names]], decks=rules.decks)
    full_shoe = [float(asked.figures[name].expected) for name in names]
    bins = [_Bins(wide, -(-rules.cards // wide), centre) for centre in full_shoe]
    tallies = [[_Perfect() for _ in every] for _ in names]
    for first in range(0, shoes, _CHUNK):
        count = min(_CHUNK, shoes - first)
        dealt = SimulatedSource(deepest, seed=seed).rounds(first, count, horizon=Horizon(shoes=1), unseen=True)
        assert dealt.unseen is not None
        there = np.arange(dealt.codes.shape[1]) < dealt.lengths[:, None]
        compositions = dealt.unseen[there]
        lengths = [dealt.lengths if one == deepest else _lengths(one, seed, first, count) for one in every]
        for k, returns in enumerate(means(compositions).T):
            bins[k].add(returns, compositions.sum(axis=1, dtype=np.int64), np.nonzero(there)[0])
            gains = np.zeros(there.shape)
            gains[there] = np.where(returns > _ADVANTAGE, returns, 0.0)
            for tally, length in zip(tallies[k], lengths, strict=True):
                tally.add(gains, length)
    return tuple(
        Late(
            table=asked.table,
            bet=name,
            shoes=shoes,
            seed=seed,
            full_shoe=full_shoe[k],
            cards_left_rows=bins[k].rows(),
            cut_card_rows=[tally.row(one.cut_cards) for one, tally in zip(every, tallies[k], strict=True)],
        )
        for k, name in enumerate(names)
    )


def _lengths(rules: ShoeRules, seed: int, first: int, count: int) -> NDArray[np.int32]:
    """How many rounds some shoes have by other rules: the first rounds of the same cards."""
    return SimulatedSource(rules, seed=seed).rounds(first, count, horizon=Horizon(shoes=1)).lengths


@dataclass(slots=True)
class _Bins:
    """Returns by the number of cards left; sums by shoe, as the rounds of one shoe are not independent."""

    width: int
    number: int
    centre: float
    """Squares are taken about this, which is near every mean."""
    returns: list[Floats] = field(default_factory=list)
    places: list[NDArray[np.int64]] = field(default_factory=list)
    moments: list[Floats] = field(default_factory=list)
    shoes: int = 0

    def add(self, returns: Floats, left: NDArray[np.int64], shoe: NDArray[np.int64]) -> None:
        place = (left - 1) // self.width
        shoes = int(shoe[-1]) + 1
        key = shoe * self.number + place
        sums = np.bincount(key, returns - self.centre, minlength=shoes * self.number).reshape(shoes, -1)
        rounds = np.bincount(key, minlength=shoes * self.number).reshape(shoes, -1).astype(np.float64)
        self.moments.append(
            np.array([(a * b).sum(axis=0) for a, b in ((sums, sums), (sums, rounds), (rounds, rounds))])
        )
        self.returns.append(returns)
        self.places.append(place)
        self.shoes += shoes

    def rows(self) -> Rows:
        """One row for each bin that has rounds, the fullest shoe first."""
        returns, places = np.concatenate(self.returns), np.concatenate(self.places)
        order = np.lexsort((returns, places))
        returns, moments = returns[order], np.sum(self.moments, axis=0)
        ends = np.cumsum(np.bincount(places, minlength=self.number))
        found = []
        for place in reversed(range(self.number)):
            inside = returns[ends[place - 1] if place else 0 : ends[place]]
            if not inside.size:
                continue
            mean = float(inside.mean())
            off = mean - self.centre
            squares = moments[0, place] - 2 * off * moments[1, place] + off**2 * moments[2, place]
            spread = self.shoes / (self.shoes - 1) * max(0.0, float(squares)) if self.shoes > 1 else None
            found.append(
                {
                    "from_cards": place * self.width + 1,
                    "to_cards": (place + 1) * self.width,
                    "rounds": inside.size,
                    "mean_return": mean,
                    "se_return": None if spread is None else math.sqrt(spread) / inside.size,
                    **dict(zip(QUANTILES, np.quantile(inside, list(QUANTILES.values())).tolist(), strict=True)),
                    "advantage": float((inside > _ADVANTAGE).mean()),
                }
            )
        return found


@dataclass(slots=True)
class _Perfect:
    """Bets and units won by perfect play, shoe by shoe."""

    bets: list[NDArray[np.int64]] = field(default_factory=list)
    units: list[Floats] = field(default_factory=list)
    rounds: int = 0

    def add(self, gains: Floats, lengths: NDArray[np.int32]) -> None:
        dealt = np.where(np.arange(gains.shape[1]) < lengths[:, None], gains, 0.0)
        self.bets.append((dealt > 0).sum(axis=1))
        self.units.append(dealt.sum(axis=1))
        self.rounds += int(lengths.sum())

    def row(self, cut_cards: tuple[int, int]) -> dict[str, Any]:
        bets, units = np.concatenate(self.bets), np.concatenate(self.units)
        shoes, laid = len(bets), int(bets.sum())
        return {
            "cut_card": cut_cards[0],
            "cut_card_to": cut_cards[1],
            "shoes": shoes,
            "rounds": self.rounds / shoes,
            "bets": laid / shoes,
            "se_bets": _standard_error(bets),
            "units": float(units.mean()),
            "se_units": _standard_error(units),
            "advantage": laid / self.rounds,
            "mean_advantage": float(units.sum()) / laid if laid else None,
        }


def _standard_error(values: NDArray[Any]) -> float | None:
    return float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else None


def _frame(rows: Rows, *, whole: tuple[str, ...]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(rows, schema={name: pl.Int64 if name in whole else pl.Float64 for name in rows[0]})
