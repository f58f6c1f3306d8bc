"""What a source knows of its rounds, and which bets its rounds decide.

A dealt round is known whole. A recorded or scripted one may tell who won and little else; its round code then stands
for all codes that agree in what is known, and a bet is decided only if it pays alike on all of them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from bacclab.game import codes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from bacclab.game.layout import Layout

FACTS: Final = {
    "winner": "who won",
    "winning_total": "the winner's total",
    "totals": "both totals",
    "natural": "whether the winner had a natural",
    "cards": "the number of cards",
    "pairs": "pairs",
    "suits": "suited pairs",
}
"""What may be known of every round, in words."""

EVERYTHING: Final = frozenset(FACTS)
WINNER_ONLY: Final = frozenset({"winner"})


@cache
def fields() -> dict[str, NDArray[np.int64]]:
    """For each fact a number per round code, the same for codes that agree in it (int64[CODES]).

    >>> fields()["winner"][[0, 13 * 4, 13 * 40]].tolist()
    [2, 1, 0]
    """
    all_codes = np.arange(codes.CODES)
    cell, state = np.divmod(all_codes, codes.PAIR_STATES)
    totals, cards = np.divmod(cell, 4)
    player, banker = np.divmod(totals, 10)
    winner = codes.outcomes().astype(np.int64)
    won_with = np.where(winner == 0, player, banker)
    same_rank = state >= 9
    player_pair = np.where(same_rank, 1 + (state - 9) // 2, state // 3) > 0
    banker_pair = np.where(same_rank, 1 + (state - 9) % 2, state % 3) > 0
    return {
        "winner": winner,
        "winning_total": won_with,
        "totals": totals,
        "natural": ((winner != 2) & (cards == 0) & (won_with >= 8)).astype(np.int64),
        "cards": cards,
        "pairs": player_pair * 2 + banker_pair.astype(np.int64),
        "suits": state,
    }


@cache
def classes(known: frozenset[str]) -> NDArray[np.int64]:
    """The class of each possible round code, -1 for the impossible ones: codes of a class agree in what is known.

    >>> int(classes(WINNER_ONLY).max()), bool(classes(EVERYTHING).max() > 1000)
    (2, True)
    """
    table = fields()
    keys = np.stack([table[fact] for fact in FACTS if fact in known])
    possible = codes.possible_codes()
    found = np.full(codes.CODES, -1, np.int64)
    found[possible] = np.unique(keys[:, possible], axis=1, return_inverse=True)[1].reshape(-1)
    found.setflags(write=False)
    return found


def is_decided(values: NDArray[np.generic], known: frozenset[str]) -> bool:
    """Whether something that depends on the round code (one value a code) follows from what is known."""
    place = classes(known)
    possible = place >= 0
    pairs = np.unique(np.stack([place[possible], values[possible].astype(np.int64)]), axis=1)
    return bool(pairs.shape[1] == int(place.max()) + 1)


def undecided_bets(layout: Layout, known: frozenset[str]) -> frozenset[int]:
    """The bets of a table (places in its layout) that rounds of which only this is known do not decide.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> layout = Layout(BUILT_IN_TABLES["no-commission"])
    >>> [layout.ids[bet] for bet in sorted(undecided_bets(layout, WINNER_ONLY))]
    ['banker', 'player_pair', 'banker_pair']
    """
    if known == EVERYTHING:
        return frozenset()
    return frozenset(bet for bet in range(len(layout.ids)) if not is_decided(layout.line[bet], known))


def lacking(values: NDArray[np.generic], known: frozenset[str]) -> tuple[str, ...]:
    """The facts that are needed beside those known to decide something: one if one is enough.

    >>> lacking(fields()["pairs"], WINNER_ONLY)
    ('pairs',)
    """
    if is_decided(values, known):
        return ()
    missing = [fact for fact in FACTS if fact not in known]
    for fact in missing:
        if is_decided(values, known | {fact}):
            return (fact,)
    needed = set(missing)
    for fact in missing:
        if is_decided(values, known | (needed - {fact})):
            needed.discard(fact)
    return tuple(fact for fact in missing if fact in needed)


def in_words(facts: Iterable[str]) -> str:
    """Facts as a list in words.

    >>> in_words(["winner"]), in_words(["totals", "pairs", "winner"])
    ('who won', 'who won, both totals and pairs')
    """
    wanted = set(facts)
    told = [
        text for fact, text in FACTS.items() if fact in wanted and not (fact == "winning_total" and "totals" in wanted)
    ]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}" if told else "nothing"


def others(known: frozenset[str]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """For each code two that agree with it in what is known: the first and the last of its class (uint16[CODES]).

    A bettor that does otherwise on them looks at what is not known.
    """
    place = classes(known)
    possible = np.flatnonzero(place >= 0)
    first, last = np.zeros(place.max() + 1, np.uint16), np.zeros(place.max() + 1, np.uint16)
    last[place[possible]] = possible
    first[place[possible[::-1]]] = possible[::-1]
    return tuple(np.where(place >= 0, ends[place], np.arange(codes.CODES)).astype(np.uint16) for ends in (first, last))  # type: ignore[return-value]
