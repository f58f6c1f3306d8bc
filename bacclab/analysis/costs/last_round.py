"""The last round of a casino tournament: which bet gives the best chance to finish ahead of the others.

Everybody lays one bet, in order of seats. Those who have bet before are known; those who bet later see what was laid
and answer with the bet that is best for themselves. All results of the one round are gone through with their exact
chances.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.errors import BetError, MoneyError
from bacclab.exact.flat.bet import line_nets, refuse_stake
from bacclab.game.layout import Layout
from bacclab.money import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bacclab.game.tables import Table

_MOST_WAYS: Final = 100_000_000
_MOST_LOOPS: Final = 100_000
"""Ways to bet, and those without the last player's, who is looked at all at once."""

_SAME: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Laid:
    """A bet in the last round: a bet of the table and a stake (an amount); no bet is ``Laid(None, 0)``."""

    bet: str | None
    stake: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: bankroll (an amount), and the bet if it has been laid already."""

    name: str
    bankroll: int
    laid: Laid | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One bet that I may lay: the chance to finish among the first, and how those after me answer."""

    laid: Laid
    chance: float
    answers: tuple[Laid, ...]


def last_round(
    table: Table,
    *,
    bankroll: int,
    before: Sequence[Seat] = (),
    after: Sequence[Seat] = (),
    bets: Sequence[str] | None = None,
    advance: int = 1,
    must_bet: bool = False,
) -> tuple[Choice, ...]:
    """All bets that I may lay in the last round, the best first.

    `before` have laid their bets (`Seat.laid`); `after` bet after me, in this order, a seat with `laid` as that says,
    the others as is best for themselves (of bets equally good to them the one that is worst for me). `bets` are the
    bets that may be laid (default: those on Player, Banker and Tie), one a player, within the table's limits. The first
    `advance` finishers win; if several are equal on the last of these places, it counts in equal parts.

    I lead by 50 and bet first, with one player to come; laying nothing is best, as she must then beat me on one bet:

    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> from bacclab.money import to_amount
    >>> table = BUILT_IN_TABLES["commission"].override({"minimum": 50, "maximum": 500, "increment": 50})
    >>> best = last_round(table, bankroll=to_amount(1050), after=[Seat("Ann", to_amount(1000))])[0]
    >>> best.laid, round(best.chance, 6), best.answers[0].bet
    (Laid(bet=None, stake=0), 0.541403, 'banker')
    """
    layout = Layout(table)
    names = _offered(table, layout, bets)
    known = {seat.laid.bet for seat in (*before, *after) if seat.laid is not None and seat.laid.bet is not None}
    chances, pays = _results(table, layout, {*names, *known})
    if advance < 1 or advance > len(before) + len(after):
        raise BetError(f"{advance} of {len(before) + len(after) + 1} players cannot be the first", hint="at least one")
    for seat in (Seat("I", bankroll), *before, *after):
        if seat.bankroll < 0:
            raise BetError(f"a bankroll cannot be below 0: {seat.name} with {show(seat.bankroll)}")
    seats = [Seat("I", bankroll), *after]
    for name in known:
        table.bet(name)
    fixed = [_end(table, layout, pays, seat, _known(table, seat)) for seat in before]
    options = [_options(layout, names, seat, must_bet=must_bet, table=table) for seat in seats]
    ways = math.prod(map(len, options))
    if ways > _MOST_WAYS or ways // len(options[-1]) > _MOST_LOOPS:
        raise BetError(
            f"there are {ways:,} ways to bet, too many to go through",
            hint="allow fewer bets or set a larger increment",
        )
    ends = [
        np.array([_end(table, layout, pays, seat, laid) for laid in mine])
        for seat, mine in zip(seats, options, strict=True)
    ]
    found = []
    for laid, end in zip(options[0], ends[0], strict=True):
        chance, picked = _answered(chances, [*fixed, end], len(fixed), ends[1:], advance)
        answers = tuple(option[k] for option, k in zip(options[1:], picked, strict=True))
        found.append(Choice(laid, chance, answers))
    return tuple(sorted(found, key=lambda choice: (-round(choice.chance, 12), choice.laid.stake)))


def _answered(
    chances: NDArray[np.float64],
    known: list[NDArray[np.int64]],
    me: int,
    coming: list[NDArray[np.int64]],
    advance: int,
) -> tuple[float, list[int]]:
    """My chance when the seats to come answer one after the other, and which of their options they take."""
    if not coming:
        return float(_places(known[me], known[:me] + known[me + 1 :], advance) @ chances), []
    options, *later = coming
    if not later:
        own = _places(options, known, advance) @ chances
        others = [*known[:me], *known[me + 1 :], options]
        mine = _places(np.broadcast_to(known[me], options.shape), others, advance) @ chances
        best = np.flatnonzero(own >= own.max() - _SAME)
        pick = int(best[mine[best].argmin()])
        return float(mine[pick]), [pick]
    best_own, best_mine, picked = -1.0, 2.0, list[int]()
    for k, end in enumerate(options):
        mine_here, following = _answered(chances, [*known, end], me, later, advance)
        ends = [*known, end, *(rest[j] for rest, j in zip(later, following, strict=True))]
        place = len(known)
        own_here = float(_places(end, ends[:place] + ends[place + 1 :], advance) @ chances)
        if own_here > best_own + _SAME or (own_here > best_own - _SAME and mine_here < best_mine):
            best_own, best_mine, picked = own_here, mine_here, [k, *following]
    return best_mine, picked


def _places(end: NDArray[np.int64], others: Sequence[NDArray[np.int64]], advance: int) -> NDArray[np.float64]:
    """The share of a place among the first that each result gives: 1, 0, or a part if several are equal."""
    above = np.zeros(end.shape)
    equal = np.ones(end.shape)
    for other in others:
        above += other > end
        equal += other == end
    share: NDArray[np.float64] = np.clip(advance - above, 0, equal) / equal
    return share


def _results(table: Table, layout: Layout, used: set[str]) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
    """The results that the bets in use can tell apart: their chances [R] and the pay line of each bet [B, R]."""
    from bacclab.exact.odds import code_counts, sequences

    counts = code_counts(table.shoe.decks)
    told = np.array([[name in used] for name in layout.ids])
    lines, place = np.unique(np.where(told, layout.line, 0)[:, counts > 0], axis=1, return_inverse=True)
    chances = np.zeros(lines.shape[1])
    np.add.at(chances, place.ravel(), counts[counts > 0] / sequences(table.shoe.decks))
    return chances, lines


def _end(table: Table, layout: Layout, pays: NDArray[np.uint8], seat: Seat, laid: Laid) -> NDArray[np.int64]:
    """The bankroll of a seat after each result."""
    if laid.bet is None:
        return np.full(pays.shape[1], seat.bankroll, np.int64)
    ends: NDArray[np.int64] = seat.bankroll + line_nets(table, laid.bet, laid.stake)[pays[layout.index[laid.bet]]]
    return ends


def _offered(table: Table, layout: Layout, bets: Sequence[str] | None) -> list[str]:
    if bets is None:
        return [name for name in layout.ids if table.bets[name].kind != "side"]
    for name in bets:
        if table.bet(name).kind == "side" and table.side_bets_need_main_bet:
            raise BetError(f"table {table.name} takes {name} only beside a main bet")
    return list(dict.fromkeys(bets))


def _known(table: Table, seat: Seat) -> Laid:
    if seat.laid is None:
        raise BetError(f"{seat.name} bets before me, so the bet must be given")
    return _checked(table, seat, seat.laid)


def _checked(table: Table, seat: Seat, laid: Laid) -> Laid:
    if laid.bet is None:
        return Laid(None, 0)
    refuse_stake(table, laid.bet, laid.stake, whose=f" from {seat.name}")
    if laid.stake > seat.bankroll:
        raise MoneyError(f"{seat.name} has {show(seat.bankroll)} and cannot lay {show(laid.stake)}")
    return laid


def _options(layout: Layout, names: list[str], seat: Seat, *, must_bet: bool, table: Table) -> list[Laid]:
    """What a seat may lay."""
    if seat.laid is not None:
        return [_checked(table, seat, seat.laid)]
    found = [] if must_bet else [Laid(None, 0)]
    for name in names:
        bet = layout.index[name]
        most = min(seat.bankroll, int(layout.maximum[bet]))
        low, step = int(layout.minimum[bet]), int(layout.increment[bet])
        if (most - low) // step > 1e6:
            raise BetError("the stakes are too many to go through", hint="set a maximum or a larger increment")
        found += [Laid(name, stake) for stake in range(low, most + 1, step)]
    return found or [Laid(None, 0)]
