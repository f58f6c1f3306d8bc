"""Cards that have left the shoe: which are left, and what the loss of one does to each bet.

The *effect of removal* of a rank is the change of a bet's expected return when one card of that rank leaves the shoe.
Weighted by the cards of each rank in the shoe the effects add up to 0: on average an unseen card changes nothing.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bacclab.errors import TableError, counted
from bacclab.exact.odds import composition_of, full_shoe, line_chances, line_nets
from bacclab.game.codes import RANK_NAMES, RANKS, SUITS
from bacclab.game.rules import ROUND_CARDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

    from bacclab.game.layout import Layout

SUIT_NAMES: Final = ("s", "h", "d", "c")
"""Spades, hearts, diamonds, clubs: the columns of a composition of 13 by 4."""

_SYMBOLS: Final = {"♠": "s", "♥": "h", "♦": "d", "♣": "c", "♤": "s", "♡": "h", "♢": "d", "♧": "c"}
_CARD: Final = re.compile(r"(10|[AT2-9JQK])([SHDC])?", re.IGNORECASE)
_WRITE: Final = "write A, 2 to 10, J, Q, K, with the suit if it is known: 8s is the 8 of spades (s h d c)"


class Card(NamedTuple):
    """A card: its rank (0 for the ace to 12 for the king), and its suit (0 to 3), None if it is not known."""

    rank: int
    suit: int | None

    def __str__(self) -> str:
        return RANK_NAMES[self.rank] + ("" if self.suit is None else SUIT_NAMES[self.suit])


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards as people write them, divided by spaces or commas, with suits or without.

    >>> [str(card) for card in parse_cards("8 8, 9 K T")]
    ['8', '8', '9', 'K', '10']
    >>> [str(card) for card in parse_cards("8s 10♥ ad")]
    ['8s', '10h', 'Ad']
    >>> parse_cards("8 Z")
    Traceback (most recent call last):
    bacclab.errors.TableError: there is no card 'Z' (write A, 2 to 10, J, Q, K, with the suit if it is known: ...)
    """
    for symbol, letter in _SYMBOLS.items():
        text = text.replace(symbol, letter)
    cards = []
    for word in re.split(r"[\s,;]+", text.strip()) if text.strip() else ():
        found = _CARD.fullmatch(word)
        if found is None:
            raise TableError(f"there is no card {word!r}", hint=_WRITE)
        name, suit = found[1].upper(), found[2]
        rank = RANK_NAMES.index("10" if name == "T" else name)
        cards.append(Card(rank, None if suit is None else SUIT_NAMES.index(suit.lower())))
    return tuple(cards)


def without(composition: int | ArrayLike, cards: Iterable[Card]) -> NDArray[np.int64]:
    """The composition after cards have left a shoe: counts [13, 4] if the suits of all are known, else [13].

    Raises `TableError` if more cards of a kind leave than are in the shoe, or fewer than six are left.

    >>> without(8, parse_cards("8 8 9 K")).tolist()
    [32, 32, 32, 32, 32, 32, 32, 30, 31, 32, 32, 32, 31]
    >>> without(1, parse_cards("8 8 8 8 8"))
    Traceback (most recent call last):
    bacclab.errors.TableError: 5 cards of rank 8 cannot be gone: the shoe holds 4
    """
    gone = tuple(cards)
    full = full_shoe(composition) if isinstance(composition, int) else composition_of(composition)
    suits_known = {card.suit is not None for card in gone}
    if len(suits_known) == 2:
        raise TableError("some cards have a suit and some have none", hint="give the suit of every card or of none")
    if not gone:
        return full
    if not suits_known.pop():
        if full.ndim == 2 and not isinstance(composition, int):
            raise TableError("the suits of this shoe are known", hint="give the suit of each card that is gone: 8s")
        ranks = full.sum(axis=1) if full.ndim == 2 else full
        return _less(ranks, [card.rank for card in gone], [f"rank {name}" for name in RANK_NAMES])
    if full.ndim == 1:
        raise TableError("the suits of this shoe are not known", hint="give the ranks alone: 8, not 8s")
    places = [card.rank * SUITS + (card.suit or 0) for card in gone]
    names = [str(Card(rank, suit)) for rank in range(RANKS) for suit in range(SUITS)]
    return _less(full.reshape(-1), places, names).reshape(RANKS, SUITS)


def _less(counts: NDArray[np.int64], places: list[int], names: list[str]) -> NDArray[np.int64]:
    gone = np.bincount(places, minlength=counts.size)
    for place in np.flatnonzero(gone > counts)[:1].tolist():
        number = int(gone[place])
        raise TableError(
            f"{counted(number, 'card')} of {names[place]} cannot be gone: the shoe holds {counts[place] or 'none'}"
        )
    left = counts - gone
    if left.sum() < ROUND_CARDS:
        raise TableError(f"{left.sum()} cards are left", hint=f"a round may need {ROUND_CARDS}")
    return left.astype(np.int64)


def exact_returns(
    layout: Layout, composition: int | ArrayLike = 8, *, decks: int | None = None
) -> tuple[Fraction, ...]:
    """The mean result of one unit staked on each bet of a table, exactly.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> str(exact_returns(Layout(BUILT_IN_TABLES["commission"]))[3])
    '-43/415'
    """
    chances = line_chances(layout, composition, decks=decks)
    return tuple(
        sum((chance * net for chance, net in zip(row, nets, strict=True) if chance), Fraction(0))
        for row, nets in zip(chances, line_nets(layout), strict=True)
    )


def effects_of_removal(
    layout: Layout, composition: int | ArrayLike = 8, *, decks: int | None = None
) -> tuple[tuple[Fraction, ...] | None, ...]:
    """The change of each bet's expected return when one card of a rank leaves: 13 rows of B exact fractions.

    None for a rank of which there is no card, and for every rank if no more than six cards are there. If the suits in
    the shoe are known, the card is any of its rank with equal chance.

    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> effects = effects_of_removal(Layout(BUILT_IN_TABLES["commission"]))
    >>> [f"{float(effects[rank][0]):.2e}" for rank in (0, 3, 5, 12)]   # ace, 4, 6 and king, on Banker
    ['4.40e-05', '1.16e-04', '-1.13e-04', '1.88e-05']
    >>> effects[8][3]                                                  # no single card changes a pair bet
    Fraction(0, 1)
    """
    if isinstance(composition, int):
        decks = composition
        cards = full_shoe(decks).sum(axis=1)
    else:
        cards = composition_of(composition)
    if cards.sum() <= ROUND_CARDS:
        return (None,) * RANKS
    before = exact_returns(layout, cards, decks=decks)
    known: dict[tuple[int, ...], tuple[Fraction, ...]] = {}
    effects: list[tuple[Fraction, ...] | None] = []
    for rank in range(RANKS):
        held = cards[rank].reshape(-1).tolist()
        if not any(held):
            effects.append(None)
            continue
        # Ranks of one value and number are interchangeable.
        key = (min(rank, 9), *held) if cards.ndim == 1 or rank < 9 else (rank, *held)
        if key not in known:
            after = [exact_returns(layout, left, decks=decks) for left in _one_less(cards, rank)]
            weights = [number for number in held if number]
            known[key] = tuple(
                sum((Fraction(w) * e for w, e in zip(weights, column, strict=True)), Fraction(0)) / sum(weights)
                for column in zip(*after, strict=True)
            )
        effects.append(tuple(now - then for now, then in zip(known[key], before, strict=True)))
    return tuple(effects)


def _one_less(cards: NDArray[np.int64], rank: int) -> list[NDArray[np.int64]]:
    """The shoes after one card of a rank, one for each suit of which there is a card."""
    shoes = []
    for suit in range(SUITS if cards.ndim == 2 else 1):
        left = cards.copy()
        place = (rank, suit) if cards.ndim == 2 else (rank,)
        if left[place] > 0:
            left[place] -= 1
            shoes.append(left)
    return shoes
