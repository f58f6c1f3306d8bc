"""The dealer against a plain-Python dealer with rules of its own, and against published figures of whole shoes."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bacclab.game import codes
from bacclab.game.rules import ShoeRules
from bacclab.kernels import njit
from bacclab.shoes import dealer
from bacclab.shoes import dealer_kernels as kernels
from bacclab.shoes.dealer import SimulatedSource, cut_position, most_rounds, shuffled_shoe
from bacclab.shoes.source import Horizon

# --- A dealer that shares nothing with the tested one but the shuffled cards -----------------------------------------


def value(card):
    return min(card // 4 + 1, 10) % 10


def banker_takes(banker, third):
    """The table as printed: Banker having ..., draws when Player's third card is ..."""
    if third is None:
        return banker <= 5
    if banker <= 2:
        return True
    if banker == 3:
        return third != 8
    if banker == 4:
        return third in (2, 3, 4, 5, 6, 7)
    if banker == 5:
        return third in (4, 5, 6, 7)
    if banker == 6:
        return third in (6, 7)
    return False


def pair(first, second):
    if first == second:
        return 2
    return 1 if first // 4 == second // 4 else 0


def plain_round(cards, order):
    """(code, cards used) of a round dealt from the front of `cards`."""
    if order == "in-turn":
        player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    else:
        player, banker = [cards[0], cards[1]], [cards[2], cards[3]]
    following = list(cards[4:6])
    player_pair, banker_pair = pair(*player), pair(*banker)
    same = player_pair > 0 and banker_pair > 0 and player[0] // 4 == banker[0] // 4
    total = lambda hand: sum(map(value, hand)) % 10  # noqa: E731
    if total(player) < 8 and total(banker) < 8:
        third = None
        if total(player) <= 5:
            player.append(following.pop(0))
            third = value(player[2])
        if banker_takes(total(banker), third):
            banker.append(following.pop(0))
    cell = (total(player) * 10 + total(banker)) * 4 + (len(player) - 2) * 2 + len(banker) - 2
    state = 9 + (player_pair - 1) * 2 + banker_pair - 1 if same else player_pair * 3 + banker_pair
    return cell * 13 + state, len(player) + len(banker)


def plain_session(rules, seed, session, *, rounds=None, shoes=None):
    """[(code with flag, unseen counts before the round)] of a session."""
    made, number = [], 0
    while len(made) < (rounds or math.inf) and number < (shoes or math.inf):
        cards = shuffled_shoe(rules, seed=seed, session=session, shoe=number).tolist()
        edge = len(cards) - cut_position(rules, seed=seed, session=session, shoe=number)
        unseen = [4 * rules.decks] * 13
        place = {"none": 0, "one": 1, "turned": 1 + (value(cards[0]) or 10)}[rules.burn]
        if rules.burn == "turned":
            unseen[cards[0] // 4] -= 1
        new, still = True, None  # still: rounds to come once the cut card is out
        while len(cards) - place >= 6 and still != 0 and len(made) < (rounds or math.inf):
            leads = still is None and edge < len(cards) and place == edge
            code, used = plain_round(cards[place:], rules.deal_order)
            made.append((code + 0x8000 * new, list(unseen)))
            new = False
            for card in cards[place : place + used]:
                unseen[card // 4] -= 1
            place += used
            if still is not None:
                still -= 1
            elif leads:
                still = 0 if rules.cut_card_first_out == "last" else rules.rounds_after_cut
            elif place > edge:
                still = rules.rounds_after_cut
        number += 1
    return made


def all_rules():
    def build(decks, burn, cut, spread, after, first_out, order):
        most = 52 * decks - {"none": 0, "one": 1, "turned": 11}[burn] - 6
        low = min(cut, most)
        return ShoeRules(
            decks=decks,
            burn=burn,
            cut_card=low if spread == 0 else (low, min(low + spread, most)),
            rounds_after_cut=after,
            cut_card_first_out=first_out,
            deal_order=order,
        )

    return st.builds(
        build,
        st.integers(1, 16),
        st.sampled_from(["none", "one", "turned"]),
        st.one_of(st.integers(0, 20), st.integers(0, 832)),
        st.sampled_from([0, 0, 1, 10, 300]),
        st.integers(0, 1),
        st.sampled_from(["last", "counts"]),
        st.sampled_from(["in-turn", "two-by-two"]),
    )


def compare(rules, seed, session, **horizon):
    dealt = SimulatedSource(rules, seed=seed).rounds(session, 1, horizon=Horizon(**horizon), unseen=True)
    made = plain_session(rules, seed, session, **horizon)
    length = int(dealt.lengths[0])
    assert length == len(made)
    assert dealt.codes[0, :length].tolist() == [code for code, _ in made]
    assert dealt.unseen[0, :length].tolist() == [unseen for _, unseen in made]
    assert not dealt.codes[0, length:].any()
    assert not dealt.unseen[0, length:].any()
    assert not dealt.ran_out.any()


@settings(max_examples=150, deadline=None)
@given(all_rules(), st.integers(0, 2**70), st.integers(0, 10**6), st.integers(1, 200))
def test_rounds_are_those_of_the_plain_dealer(rules, seed, session, rounds):
    compare(rules, seed, session, rounds=rounds)


@settings(max_examples=60, deadline=None)
@given(all_rules(), st.integers(0, 2**70), st.integers(0, 10**6), st.integers(1, 3))
def test_shoes_are_those_of_the_plain_dealer(rules, seed, session, shoes):
    compare(rules, seed, session, shoes=shoes)


@pytest.mark.parametrize("decks", [1, 16])
def test_smallest_and_largest_shoe(decks):
    most = 52 * decks - 17
    for cut in (0, 1, 5, 6, 7, most - 1, most, (0, most)):
        for session in range(10):
            compare(ShoeRules(decks=decks, burn="turned", cut_card=cut), 0, session, shoes=2)


# --- Single hands
# ------------------------------------------------------------------------------------------------------


def hand(text, *, order="in-turn"):
    """The round dealt from cards such as "K 4 2 K Q 5" (all of one suit, or with d: "Kd"), in the order of the shoe."""
    names = {name: rank for rank, name in enumerate(["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"])}
    cards = [names[card[0]] * 4 + ("sd".index(card[1]) if len(card) > 1 else 0) for card in text.split()]
    cards += [0] * (6 - len(cards))
    made = np.zeros(1, np.uint16)
    procedure = dealer._procedure(ShoeRules(deal_order=order))
    place, count = kernels.walk(
        np.array(cards, np.uint8), 0, 0, made, 0, 1, procedure, dealer._tables(8), None, np.zeros(13, np.uint8)
    )
    assert count == 1
    dealt = codes.decode(int(made[0]))
    assert place == dealt.cards
    return dealt


def summary(dealt):
    return dealt.player_total, dealt.banker_total, dealt.player_cards, dealt.banker_cards


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("K 4 2 K Q 5", (2, 4, 3, 2)),  # a third card worth nothing is a third card: Banker 4 stands
        ("K 5 2 K T 5", (2, 5, 3, 2)),  # Banker 5 stands on it
        ("K 3 2 K J 5", (2, 8, 3, 3)),  # Banker 3 draws on it
        ("K 3 2 K 8 5", (0, 3, 3, 2)),  # Banker 3 stands on an eight
        ("6 6 K K 9 9", (6, 6, 2, 2)),  # Banker 6 stands when Player stands
        ("6 5 K K 4 9", (6, 9, 2, 3)),  # Banker 5 draws when Player stands
        ("8 5 K K 4 4", (8, 5, 2, 2)),  # a natural stops Banker
        ("5 9 K K 4 4", (5, 9, 2, 2)),  # and Player
        ("K 7 K K 4 4", (4, 7, 3, 2)),  # Banker 7 stands
        ("9 K 9 K 9 9", (8, 0, 2, 2)),  # 18 is a natural 8
    ],
)
def test_known_hands(cards, expected):
    assert summary(hand(cards)) == expected


@pytest.mark.parametrize(("banker", "third"), list(product(range(8), range(10))))
def test_every_cell_of_the_drawing_table(banker, third):
    card = ["T", "A", "2", "3", "4", "5", "6", "7", "8", "9"]
    dealt = hand(f"K {card[banker]} K K {card[third]} A")
    draws = banker_takes(banker, third)
    assert summary(dealt) == (third, (banker + draws) % 10, 3, 2 + draws)


@pytest.mark.parametrize(("player", "banker"), list(product(range(6, 10), range(10))))
def test_every_cell_when_player_stands(player, banker):
    card = ["T", "A", "2", "3", "4", "5", "6", "7", "8", "9"]
    draws = player < 8 and banker <= 5
    assert summary(hand(f"{player} {card[banker]} K K 3 9")) == (
        player,
        (banker + 3 * draws) % 10,
        2,
        2 + draws,
    )


def test_deal_order():
    assert summary(hand("9 K K K")) == (9, 0, 2, 2)
    assert summary(hand("4 2 5 7")) == (9, 9, 2, 2)
    assert summary(hand("4 5 2 7", order="two-by-two")) == (9, 9, 2, 2)
    assert summary(hand("4 4 2 K", order="two-by-two")) == (8, 2, 2, 2)


def test_pairs_are_seen_whether_or_not_a_third_card_is_drawn():
    pairs = lambda dealt: (dealt.player_pair, dealt.banker_pair, dealt.same_rank)  # noqa: E731
    assert pairs(hand("4s 9s 4d K")) == (codes.Pair.PAIR, codes.Pair.NONE, False)
    assert pairs(hand("2s 7s 2d K A")) == (codes.Pair.PAIR, codes.Pair.NONE, False)
    assert hand("2s 7s 2d K A").player_cards == 3
    assert pairs(hand("2s 2s 2d 2s 3 3")) == (codes.Pair.PAIR, codes.Pair.SUITED, True)
    assert hand("2s 2s 2d 2s 3 3").cards == 6
    assert pairs(hand("2s Qs 2s Qd 3 3")) == (codes.Pair.SUITED, codes.Pair.PAIR, False)
    assert pairs(hand("Ks Qs 2s Ts")) == (codes.Pair.NONE, codes.Pair.NONE, False), "tens are no pairs of each other"
    assert pairs(hand("Ks Qs 3s Ts K K")) == (codes.Pair.NONE, codes.Pair.NONE, False), "third cards make no pair"
    assert pairs(hand("6s Ks Ts Kd", order="in-turn")) == (codes.Pair.NONE, codes.Pair.PAIR, False)
    assert pairs(hand("6s Ts Ks Kd", order="two-by-two")) == (codes.Pair.NONE, codes.Pair.PAIR, False)


@pytest.mark.parametrize("order", ["in-turn", "two-by-two"])
def test_random_hands(order):
    """All kinds of hands from eight decks, with many more pairs than chance would give."""
    rng = np.random.default_rng(11)
    hands = rng.integers(0, 52, (60_000, 6), dtype=np.uint8)
    places = (0, 2, 1, 3) if order == "in-turn" else (0, 1, 2, 3)
    for side in (0, 2):
        first, second = places[side], places[side + 1]
        chosen = rng.random(60_000)
        same_rank = hands[:, first] // 4 * 4 + rng.integers(0, 4, 60_000, dtype=np.uint8)
        hands[:, second] = np.where(chosen < 0.3, same_rank, hands[:, second])
        hands[:, second] = np.where(chosen < 0.1, hands[:, first], hands[:, second])
    walk, procedure, tables = kernels.walk, dealer._procedure(ShoeRules(deal_order=order)), dealer._tables(8)

    @njit
    def deal_all(hands, made, procedure, tables, left):
        for row in range(hands.shape[0]):
            walk(hands[row], 0, 0, made, row, row + 1, procedure, tables, None, left)

    made = np.zeros(60_000, np.uint16)
    deal_all(hands, made, procedure, tables, np.zeros(13, np.uint8))
    assert made.tolist() == [plain_round(row, order)[0] for row in hands.tolist()]
    assert codes.possible_codes()[made].all()
    assert np.unique(made).size > 1300, "nearly all of the 1,541 codes"


# --- A session is a session
# --------------------------------------------------------------------------------------------

RULES = ShoeRules(cut_card=(14, 20))


def test_any_split_into_blocks_gives_the_same_rounds():
    source, horizon = SimulatedSource(RULES, seed=9), Horizon(rounds=170)
    whole = source.rounds(0, 60, horizon=horizon, unseen=True)
    for size in (1, 7, 59):
        for first in range(0, 60, size):
            count = min(size, 60 - first)
            part = SimulatedSource(RULES, seed=9).rounds(first, count, horizon=horizon, unseen=first % 2 == 0)
            assert (part.codes == whole.codes[first : first + count]).all()
            if part.unseen is not None:
                assert (part.unseen == whole.unseen[first : first + count]).all()


def test_fifty_sessions_begin_five_hundred():
    source = SimulatedSource(RULES, seed=9)
    few, many = (source.rounds(0, count, horizon=Horizon(rounds=90)) for count in (50, 500))
    assert (many.codes[:50] == few.codes).all()


@settings(max_examples=40, deadline=None)
@given(all_rules(), st.integers(1, 300), st.integers(1, 300))
def test_a_shorter_horizon_is_a_prefix(rules, rounds, more):
    source = SimulatedSource(rules, seed=4)
    short = source.rounds(17, 3, horizon=Horizon(rounds=rounds), unseen=True)
    long = source.rounds(17, 3, horizon=Horizon(rounds=rounds + more), unseen=True)
    assert (long.codes[:, :rounds] == short.codes).all()
    assert (long.unseen[:, :rounds] == short.unseen).all()


@settings(max_examples=40, deadline=None)
@given(all_rules(), st.integers(1, 4))
def test_shoes_and_rounds_are_one_stream(rules, shoes):
    source = SimulatedSource(rules, seed=4)
    by_shoes = source.rounds(0, 3, horizon=Horizon(shoes=shoes))
    assert by_shoes.lengths.max() <= source.max_rounds(Horizon(shoes=shoes)) == shoes * most_rounds(rules)
    assert ((by_shoes.codes & codes.NEW_SHOE > 0).sum(axis=1) == shoes).all()
    for row, length in enumerate(by_shoes.lengths.tolist()):
        by_rounds = source.rounds(row, 1, horizon=Horizon(rounds=length + 1))
        assert (by_rounds.codes[0, :length] == by_shoes.codes[row, :length]).all()
        assert by_rounds.codes[0, length] & codes.NEW_SHOE


def test_seeds_give_different_rounds():
    dealt = [
        SimulatedSource(RULES, seed=seed).rounds(0, 5, horizon=Horizon(rounds=50)).codes.tobytes()
        for seed in (0, 1, 2, 3, 2**32, 2**64, 2**64 + 1)
    ]
    assert len(set(dealt)) == len(dealt)


def test_no_sessions_are_no_fault():
    dealt = SimulatedSource(RULES, seed=0).rounds(5, 0, horizon=Horizon(rounds=10))
    assert dealt.codes.shape == (0, 10)


def test_the_manifest_names_all_that_decides_the_rounds():
    described = SimulatedSource(RULES, seed=3).describe()
    assert described["kind"] == "simulated"
    assert "xoshiro256++" in str(described["generator"])
    assert described["seed"] == 3
    assert described["cut_card"] == [14, 20]
    assert {"decks", "burn", "rounds_after_cut", "cut_card_first_out", "deal_order"} <= set(described)
