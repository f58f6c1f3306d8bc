"""A system tried out on a written row of results: what a docstring shows, and what an author looks at first.

Results are letters with spaces or without: W, L, T (won, lost, push) for a progression, P, B, T for a selection and
for a whole bettor. Nothing is refused here; limits and the bankroll (1,000 at first) belong to a session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bacclab.bettors.lanes.base import LaneProgression, LaneResult, LaneSelection, LaneView
from bacclab.bettors.view import Result, View
from bacclab.errors import BettorError
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import Money, to_amount
from bacclab.shoes.scripted import RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bacclab.bettors.base import Bettor, Progression, Selection

__all__ = ["bets", "sides", "stakes"]

_AS_ROUND = {
    "player": {"W": "P", "L": "B", "T": "T"},
    "banker": {"W": "B", "L": "P", "T": "T"},
    "tie": {"W": "T", "L": "P"},
}


def _letters(results: str, known: str) -> Iterator[str]:
    for letter in results.replace(" ", ""):
        if letter not in known:
            raise BettorError(f"a row of results is made of {', '.join(known)}; it has {letter!r}")
        yield letter


def stakes(
    progression: Progression, results: str, *, on: str = "player", table: str = "commission", **rules: object
) -> str:
    """The stakes of a progression for a row of W, L and T, in currency units.

    The bets are laid on Player, at even money, or on Banker or Tie, at the odds and the commission of the table (a bet
    on Tie is never pushed); ``rules`` are rules of the table by the keys of an experiment file. BettorError for another
    bet.

    >>> from bacclab.bettors.progressions.classic import Martingale
    >>> stakes(Martingale(unit="2.50"), "L L W")
    '2.50 5 10'
    """
    if on not in _AS_ROUND:
        raise BettorError(f"stakes are tried out on {', '.join(_AS_ROUND)}, not on {on!r}")
    rows = {letter: RESULTS[named].code for letter, named in _AS_ROUND[on].items()}
    codes = [rows[letter] for letter in _letters(results, "".join(rows))]
    played = _lane_stakes if isinstance(progression, LaneProgression) else _plain_stakes
    named = played(progression, codes, on, BUILT_IN_TABLES[table].override(rules))  # type: ignore[arg-type]
    return " ".join(str(stake).removesuffix(".00") for stake in named)


def _plain_stakes(progression: Progression, codes: list[int], on: str, table: Table) -> Iterator[Money]:
    layout, view = Layout(table), View(table)
    progression.start(table)
    for code in codes:
        stake = progression.stake_on(on, view)
        yield stake
        if stake:
            net, _ = layout.settle(layout.index[on], stake.amount, code)
            progression.settle(Result(code, staked=stake.amount, net=net))


def _lane_stakes(progression: LaneProgression, codes: list[int], on: str, table: Table) -> Iterator[Money]:
    layout = Layout(table)
    view = LaneView(table, layout, lanes=1)
    view._bankroll = np.array([to_amount(1000)])
    progression.lanes = 1
    progression.start(table)
    for code in codes:
        staked = progression.stake_on(np.array([view.spot(on)], dtype=np.int16), view)
        yield Money.of(int(staked[0]))
        net = np.array([layout.settle(layout.index[on], int(staked[0]), code)[0]])
        progression.settle(LaneResult(np.array([code], dtype=np.uint16), staked=staked, net=net))
        view._bankroll = view._bankroll + net


def sides(selection: Selection, outcomes: str) -> str:
    """The sides that a selection chooses for the rounds of one shoe: P, B, another bet's id, or - to sit out.

    >>> from bacclab.bettors.selections.recent import FollowLast
    >>> sides(FollowLast(), "P B T B")
    '- P B B'
    """
    table = BUILT_IN_TABLES["commission"]
    if isinstance(selection, LaneSelection):
        named = _lane_sides(selection, outcomes, table)
    else:
        named = _plain_sides(selection, outcomes, table)
    return " ".join("-" if side is None else {"player": "P", "banker": "B"}.get(side, side) for side in named)


def _plain_sides(selection: Selection, outcomes: str, table: Table) -> Iterator[str | None]:
    view = View(table)
    selection.start(table)
    selection.shoe()
    for letter in _letters(outcomes, "PBT"):
        yield selection.side(view)
        selection.see(Result(RESULTS[letter].code, staked=0, net=0))
        view._past.append(RESULTS[letter].code)


def _lane_sides(selection: LaneSelection, outcomes: str, table: Table) -> Iterator[str | None]:
    view = LaneView(table, Layout(table), lanes=1)
    nothing = np.zeros(1, dtype=np.int64)
    selection.lanes = 1
    selection.start(table)
    view._shoe += 1
    selection.shoe_lanes(np.ones(1, dtype=np.bool_))
    for letter in _letters(outcomes, "PBT"):
        view._round += 1
        spot = int(selection.side(view)[0])
        yield None if spot < 0 else view.bet_of(spot)
        code = np.array([RESULTS[letter].code], dtype=np.uint16)
        selection.see(LaneResult(code, staked=nothing, net=nothing))


def bets(bettor: Bettor, outcomes: str, *, table: str = "no-commission", bankroll: float = 1000) -> list[str]:
    """What a plain bettor lays in the rounds of one shoe, in words; an empty text where it sits out.

    >>> from bacclab.bettors.whole.flat import FlatBettor
    >>> bets(FlatBettor(on="player", unit=5), "P B")
    ['player 5.00', 'player 5.00']
    """
    rules = BUILT_IN_TABLES[table]
    layout, view = Layout(rules), View(rules)
    view._bankroll = to_amount(bankroll)
    laid = []
    bettor.start(rules)
    bettor.shoe()
    for letter in _letters(outcomes, "PBT"):
        view._round += 1
        asked = bettor.bet(view)
        items = () if asked is None else asked.items
        code = RESULTS[letter].code
        net = sum(layout.settle(layout.index[bet], amount, code)[0] for bet, amount in items)
        laid.append(" + ".join(f"{bet} {Money.of(amount)}" for bet, amount in items))
        bettor.settle(Result(code, staked=sum(amount for _, amount in items), net=net))
        view._past.append(code)
        view._bankroll += net
    return laid
