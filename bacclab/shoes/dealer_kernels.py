"""The compiled dealer: streams, shuffle, cut card and the walk through a shoe. Imported only by `bacclab.shoes.dealer`.

All numbers of a stream are unsigned 64-bit words; arithmetic on them wraps. The plain-Python twin of `mix` is in
`bacclab.shoes.streams`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bacclab.game.codes import NEW_SHOE, PAIR_STATES, RANKS, VALUES
from bacclab.game.rules import BURNS, ROUND_CARDS
from bacclab.kernels import njit
from bacclab.shoes.streams import GOLDEN, MIX_1, MIX_2

U64 = np.uint64
_GOLDEN, _MIX_1, _MIX_2 = U64(GOLDEN), U64(MIX_1), U64(MIX_2)

BATCH = 6
"""Bounded numbers taken from one 64-bit word; 832^6 (sixteen decks) is under 2^59, so few words are rejected."""
MOST_BURNED = 11
CARDS_PURPOSE = 0
CUT_PURPOSE = 1
_PURPOSE_SHIFT = U64(56)
_FACE_VALUES = np.array(VALUES, np.int64)

BURN_TURNED = BURNS.index("turned")
"""Without a turned card, the place in BURNS is the number of cards that go: 0 or 1."""


class Procedure(NamedTuple):
    """The shoe rules as numbers: see `bacclab.game.rules.ShoeRules`."""

    burn: int
    cut_low: int
    cut_high: int
    after_cut: int
    after_cut_first: int
    """Rounds still to come when the cut card is the next card of the shoe."""
    player_second: int
    """Place of Player's second card in a round, counted from 0; then Banker's first and second."""
    banker_first: int
    banker_second: int


class Tables(NamedTuple):
    """Look-up tables of the walk."""

    fresh: Any
    """uint8[n]: the shoe before the shuffle, in order."""
    products: Any
    """uint64[n / BATCH]: the product of the bounds of each batch."""
    hands: Any
    """uint8[64 * 64]: at first card * 64 + second card, the total of a hand, plus 16 for a pair, 32 if suited."""
    cells: Any
    states: Any


def _wide_product() -> Any:
    """A compiled function (a, b) -> (high word, low word) of a * b: one instruction on common processors."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    pair: Any = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]

    def wide(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001 - numba calls it by these names
        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            double, single = ir.IntType(128), ir.IntType(64)
            product = builder.mul(builder.zext(arguments[0], double), builder.zext(arguments[1], double))
            high = builder.trunc(builder.lshr(product, ir.Constant(double, 64)), single)
            return context.make_tuple(builder, signature.return_type, (high, builder.trunc(product, single)))

        return pair(types.uint64, types.uint64), build

    return intrinsic(wide)


wide_product = _wide_product()


@njit
def mix(word: Any) -> Any:
    """The finaliser of SplitMix64."""
    word = (word ^ (word >> U64(30))) * _MIX_1
    word = (word ^ (word >> U64(27))) * _MIX_2
    return word ^ (word >> U64(31))


@njit
def stream(roots: Any, session: Any, shoe: Any, purpose: Any) -> Any:
    """The xoshiro256++ state that belongs to (seed, session, shoe, purpose); never all zeros, as mix(GOLDEN) is not."""
    at_session = _GOLDEN * (U64(session) + U64(1))
    at_shoe = _GOLDEN * ((U64(shoe) | (U64(purpose) << _PURPOSE_SHIFT)) + U64(1))
    # Two chains of 64 bits, so that two of a billion shoes share a state with a chance of 10^-20, not of 10^-2.
    first = mix(mix(roots[0] + at_session) ^ (roots[1] + at_shoe))
    second = mix(mix(roots[2] + at_session) ^ (roots[3] + at_shoe))
    return first, mix(first + _GOLDEN), second, mix(second + _GOLDEN)


@njit
def advance(state: Any) -> Any:
    """One step of xoshiro256++ (Blackman and Vigna 2019): (the next word, the next state)."""
    s0, s1, s2, s3 = state
    total = s0 + s3
    word = ((total << U64(23)) | (total >> U64(41))) + s0
    shifted = s1 << U64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << U64(45)) | (s3 >> U64(19))
    return word, (s0, s1, s2, s3)


@njit
def swap(shoe: Any, place: Any, jump: Any) -> None:
    """Exchange the card at `place` with the one `jump` places behind it."""
    other = place + np.int64(jump)
    card = shoe[place]
    shoe[place] = shoe[other]
    shoe[other] = card


@njit
def shuffle(shoe: Any, need: Any, fresh: Any, products: Any, state: Any) -> None:
    """Fill `shoe` with a fresh shoe of which the first `need` cards (or a few more) are drawn at random.

    Fisher-Yates from the front: the card for place i is drawn from the n - i cards that are left. BATCH bounded numbers
    are the digits of one word in the mixed base n - i, n - i - 1, ...: exact, with rejection (Brackett-Rozinsky and
    Lemire 2024). The first cards are the same whatever `need` is.
    """
    n = fresh.size
    shoe[:n] = fresh
    place = 0
    batch = 0
    while place < need and place + BATCH < n:
        bound = U64(n - place)
        product = products[batch]
        while True:
            word, state = advance(state)
            jump0, rest = wide_product(word, bound)
            jump1, rest = wide_product(rest, bound - U64(1))
            jump2, rest = wide_product(rest, bound - U64(2))
            jump3, rest = wide_product(rest, bound - U64(3))
            jump4, rest = wide_product(rest, bound - U64(4))
            jump5, rest = wide_product(rest, bound - U64(5))
            if rest >= product or rest >= (U64(0) - product) % product:
                break
        swap(shoe, place, jump0)
        swap(shoe, place + 1, jump1)
        swap(shoe, place + 2, jump2)
        swap(shoe, place + 3, jump3)
        swap(shoe, place + 4, jump4)
        swap(shoe, place + 5, jump5)
        place += BATCH
        batch += 1
    while place < need and place + 1 < n:
        jump, state = below(U64(n - place), state)
        swap(shoe, place, jump)
        place += 1


@njit
def below(bound: Any, state: Any) -> Any:
    """An exact random number under `bound` from as many words as it takes (Lemire 2019): (number, next state)."""
    while True:
        word, state = advance(state)
        number, rest = wide_product(word, bound)
        if rest >= bound or rest >= (U64(0) - bound) % bound:
            return number, state


@njit
def shuffled(roots: Any, session: Any, shoe_number: Any, tables: Any) -> Any:
    """The whole shuffled shoe of (seed, session, shoe), as a new array."""
    shoe = np.empty_like(tables.fresh)
    state = stream(roots, session, shoe_number, CARDS_PURPOSE)
    shuffle(shoe, shoe.size, tables.fresh, tables.products, state)
    return shoe


@njit
def cut_cards(roots: Any, session: Any, shoe_number: Any, low: Any, high: Any) -> Any:
    """How many cards lie behind the cut card of a shoe: `low` to `high`, drawn from a stream of its own."""
    if low == high:
        return low
    number, _ = below(U64(high - low + 1), stream(roots, session, shoe_number, CUT_PURPOSE))
    return low + np.int64(number)


@njit
def burn_cards(shoe: Any, burn: Any) -> Any:
    """How many cards go before the first round, the one that is turned included."""
    if burn != BURN_TURNED:
        return burn
    value = _FACE_VALUES[np.int64(shoe[0]) >> 2]
    return MOST_BURNED if value == 0 else 1 + value


@njit
def walk(
    shoe: Any,
    place: Any,
    last: Any,
    codes: Any,
    made: Any,
    limit: Any,
    procedure: Any,
    tables: Any,
    unseen: Any,
    left: Any,
) -> Any:
    """Deal rounds from `place` on while they start at `last` or before and fewer than `limit` are made.

    Nothing branches on the cards: the tableau is a look-up. Returns (next place, rounds made).
    """
    hands, cells, states = tables.hands, tables.cells, tables.states
    while place <= last and made < limit:
        p1 = np.int64(shoe[place])
        p2 = np.int64(shoe[place + procedure.player_second])
        b1 = np.int64(shoe[place + procedure.banker_first])
        b2 = np.int64(shoe[place + procedure.banker_second])
        player = np.int64(hands[(p1 << 6) | p2])
        banker = np.int64(hands[(b1 << 6) | b2])
        fifth = np.int64(hands[(np.int64(shoe[place + 4]) << 6) | 63])
        sixth = np.int64(hands[(np.int64(shoe[place + 5]) << 6) | 63])
        cell = np.int64(cells[(player & 15) * 1000 + (banker & 15) * 100 + fifth * 10 + sixth])
        pair = (player >> 4) * 3 + (banker >> 4) + 9 * np.int64((p1 >> 2) == (b1 >> 2))
        codes[made] = cell * PAIR_STATES + np.int64(states[pair])
        used = 4 + (cell & 1) + ((cell >> 1) & 1)
        if unseen is not None:
            unseen[made] = left
            for card in range(place, place + used):
                left[shoe[card] >> 2] -= 1
        place += used
        made += 1
    return place, made


@njit
def deal(
    roots: Any, first: Any, shoes: Any, procedure: Any, tables: Any, codes: Any, lengths: Any, unseen: Any
) -> None:
    """Deal sessions first, first + 1, ... into the rows of `codes`, each until the row is full or `shoes` are dealt.

    `unseen` is uint8[sessions, rounds, 13], or None. A shoe always has at least one round.
    """
    fresh = tables.fresh
    n = fresh.size
    width = codes.shape[1]
    shoe = np.empty(n, np.uint8)
    left = np.empty(RANKS, np.uint8)
    for row in range(codes.shape[0]):
        session = U64(first + row)
        made = 0
        shoe_number = 0
        while made < width and shoe_number < shoes:
            # A round takes six cards at most and the burn eleven: the rest of a shoe is not drawn when a session ends.
            shuffle(
                shoe,
                min(n, MOST_BURNED + ROUND_CARDS * (width - made)),
                fresh,
                tables.products,
                stream(roots, session, shoe_number, CARDS_PURPOSE),
            )
            place = burn_cards(shoe, procedure.burn)
            left[:] = n // RANKS
            if procedure.burn == BURN_TURNED:
                left[shoe[0] >> 2] -= 1
            edge = n - cut_cards(roots, session, shoe_number, procedure.cut_low, procedure.cut_high)
            start = made
            row_unseen = None if unseen is None else unseen[row]
            place, made = walk(
                shoe,
                place,
                min(edge - 1, n - ROUND_CARDS),
                codes[row],
                made,
                width,
                procedure,
                tables,
                row_unseen,
                left,
            )
            more = procedure.after_cut if place > edge and made > start else procedure.after_cut_first
            place, made = walk(
                shoe,
                place,
                n - ROUND_CARDS,
                codes[row],
                made,
                min(width, made + more),
                procedure,
                tables,
                row_unseen,
                left,
            )
            codes[row, start] |= NEW_SHOE
            shoe_number += 1
        lengths[row] = made
