"""The dealer: simulated shoes, dealt by the rules of a table.

The cards of shoe *j* of session *k* come from a random stream of their own, keyed by (seed, k, j), and the place of its
cut card from a second one. So they depend on the seed, the shoe rules, k and j, and on nothing else.

The order of a round is the house's: player, banker, player, banker ("in-turn"), or two and two ("two-by-two"); the
fifth card goes to the side that draws first. The cut card stands before the last `cut_card` cards. When it comes out
in mid-round, that round is finished and `rounds_after_cut` more are dealt. When it comes out as the first card of a
round, that round is the last ("last"), or counts as the round in which it came out ("counts").
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final, Self

import numpy as np

from bacclab.errors import SourceError
from bacclab.game import codes
from bacclab.game.rules import BURNS, ROUND_CARDS, ShoeRules
from bacclab.shoes.source import Horizon, Rounds, refuse_settings
from bacclab.shoes.streams import check_seed, root_words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from bacclab.shoes import dealer_kernels

GENERATOR: Final = "xoshiro256++ keyed by SplitMix64 (seed, session, shoe), batched Fisher-Yates, version 1"
"""Names how cards follow from a seed; another name means other cards."""

_WITHOUT_END = 2**62


class SimulatedSource:
    """Rounds dealt from shuffled shoes: `rules` say how, `seed` (0 or more) says which.

    >>> source = SimulatedSource(ShoeRules(), seed=1)
    >>> dealt = source.rounds(0, 2, horizon=Horizon(rounds=100))
    >>> dealt.codes.shape, dealt.lengths.tolist(), bool((dealt.codes[:, 0] & codes.NEW_SHOE).all())
    ((2, 100), [100, 100], True)
    >>> (source.rounds(1, 1, horizon=Horizon(rounds=20)).codes[0] == dealt.codes[1, :20]).all().item()
    True
    """

    id: ClassVar[str] = "simulated"

    def __init__(self, rules: ShoeRules, *, seed: int) -> None:
        self.rules = rules
        self.seed = check_seed(seed)
        self._roots = root_words(self.seed)

    @classmethod
    def from_config(cls, settings: Mapping[str, object], *, rules: ShoeRules, seed: int, folder: Path) -> Self:  # noqa: ARG003
        """The dealer has no settings of its own: the shoe is part of the table."""
        refuse_settings(settings, known=(), source=cls.id)
        return cls(rules, seed=seed)

    @property
    def name(self) -> str:
        """How the source is called in messages."""
        return self.id

    def max_rounds(self, horizon: Horizon) -> int:
        """No session has more rounds than this.

        >>> SimulatedSource(ShoeRules(), seed=1).max_rounds(Horizon(rounds=500))
        500
        """
        if horizon.rounds is not None:
            return horizon.rounds
        assert horizon.shoes is not None
        return horizon.shoes * most_rounds(self.rules)

    def rounds(self, first: int, count: int, *, horizon: Horizon, unseen: bool = False) -> Rounds:
        """Deal sessions first, first + 1, ..., first + count - 1 (the first call compiles, some seconds)."""
        from bacclab.shoes import dealer_kernels

        if first < 0 or count < 0 or first + count > 2**56:
            raise SourceError(f"there are no sessions {first} to {first + count - 1}")
        width = self.max_rounds(horizon)
        dealt = np.zeros((count, width), np.uint16)
        lengths = np.zeros(count, np.int32)
        cards = np.zeros((count, width, codes.RANKS), np.uint8) if unseen else None
        shoes = _WITHOUT_END if horizon.shoes is None else horizon.shoes
        procedure, tables = _procedure(self.rules), _tables(self.rules.decks)
        dealer_kernels.deal(self._roots, first, shoes, procedure, tables, dealt, lengths, cards)
        return Rounds(codes=dealt, lengths=lengths, ran_out=np.zeros(count, np.bool_), unseen=cards)

    def describe(self) -> dict[str, object]:
        """What decides the rounds, as plain values.

        >>> SimulatedSource(ShoeRules(), seed=1).describe()["kind"]
        'simulated'
        """
        low, high = self.rules.cut_cards
        return {
            "kind": self.id,
            "generator": GENERATOR,
            "seed": self.seed,
            "decks": self.rules.decks,
            "burn": self.rules.burn,
            "cut_card": low if low == high else [low, high],
            "rounds_after_cut": self.rules.rounds_after_cut,
            "cut_card_first_out": self.rules.cut_card_first_out,
            "deal_order": self.rules.deal_order,
        }


def shuffled_shoe(rules: ShoeRules, *, seed: int, session: int, shoe: int) -> NDArray[np.uint8]:
    """The cards of one shoe in the order in which they come out, as rank * 4 + suit (uint8[52 * decks]).

    >>> cards = shuffled_shoe(ShoeRules(), seed=1, session=0, shoe=0)
    >>> cards.size, np.bincount(cards // 4).tolist() == [32] * 13
    (416, True)
    """
    from bacclab.shoes import dealer_kernels

    cards: NDArray[np.uint8] = dealer_kernels.shuffled(root_words(seed), session, shoe, _tables(rules.decks))
    return cards


def cut_position(rules: ShoeRules, *, seed: int, session: int, shoe: int) -> int:
    """How many cards lie behind the cut card of one shoe (0: there is no cut card).

    >>> from dataclasses import replace
    >>> rules = replace(ShoeRules(), cut_card=(14, 20))
    >>> {cut_position(rules, seed=1, session=0, shoe=shoe) for shoe in range(100)} == set(range(14, 21))
    True
    """
    from bacclab.shoes import dealer_kernels

    low, high = rules.cut_cards
    return int(dealer_kernels.cut_cards(root_words(seed), session, shoe, low, high))


def most_rounds(rules: ShoeRules) -> int:
    """No shoe has more rounds than this (all of them of four cards, and the smallest burn).

    >>> most_rounds(ShoeRules())
    102
    """
    first = BURNS.index(rules.burn)
    last = min(rules.cards - rules.cut_cards[0] - 1, rules.cards - ROUND_CARDS)
    return max(0, (last - first) // 4 + 1) + 1 + rules.rounds_after_cut


def _procedure(rules: ShoeRules) -> dealer_kernels.Procedure:
    from bacclab.shoes.dealer_kernels import Procedure

    low, high = rules.cut_cards
    after = rules.rounds_after_cut
    after_first = 1 if rules.cut_card_first_out == "last" else 1 + after
    order = (2, 1, 3) if rules.deal_order == "in-turn" else (1, 2, 3)
    return Procedure(BURNS.index(rules.burn), low, high, after, after_first, *order)


@cache
def _tables(decks: int) -> dealer_kernels.Tables:
    from bacclab.shoes.dealer_kernels import BATCH, Tables

    cards = 52 * decks
    products = [np.prod(cards - place - np.arange(BATCH), dtype=np.uint64) for place in range(0, cards - BATCH, BATCH)]
    return Tables(
        fresh=np.repeat(np.arange(52, dtype=np.uint8), decks),
        products=np.array(products, np.uint64),
        hands=_hands(),
        cells=codes.deal_cells(),
        states=codes.pair_states(),
    )


def _hands() -> NDArray[np.uint8]:
    """Total and pair of two cards at first * 64 + second; the value of one card at card * 64 + 63."""
    hands = np.zeros((64, 64), np.uint8)
    for first in range(52):
        value = codes.VALUES[first // 4]
        hands[first, 63] = value
        for second in range(52):
            pair = codes.Pair.SUITED if first == second else codes.Pair(int(first // 4 == second // 4))
            hands[first, second] = (value + codes.VALUES[second // 4]) % 10 + 16 * pair
    return hands.reshape(-1)
