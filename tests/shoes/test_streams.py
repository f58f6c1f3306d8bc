"""Random numbers: against published sequences, and an independent plain-Python shuffle."""

import math

import numpy as np
import pytest

from bacclab.errors import ConfigError
from bacclab.game.rules import ShoeRules
from bacclab.kernels import njit
from bacclab.shoes import dealer_kernels as kernels
from bacclab.shoes.dealer import cut_position, shuffled_shoe
from bacclab.shoes.streams import GOLDEN, bettor_key, check_seed, mix, root_words, uniform, uniforms

WORD = 2**64

# First outputs of the reference C programs: SplitMix64 from 1477776061723855037, xoshiro256++ from the state 1, 2, 3,
# 4.
SPLITMIX = [1985237415132408290, 2979275885539914483, 13511426838097143398, 8488337342461049707, 15141737807933549159]
XOSHIRO = [
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]


def test_mix_is_splitmix64():
    assert [mix((1477776061723855037 + GOLDEN * step) % WORD) for step in range(1, 6)] == SPLITMIX


def test_compiled_mix_is_the_same():
    words = [0, 1, WORD - 1, GOLDEN, *SPLITMIX]
    assert [int(kernels.mix(np.uint64(word))) for word in words] == [mix(word) for word in words]


def test_generator_is_xoshiro256_plus_plus():
    state = tuple(np.uint64(word) for word in (1, 2, 3, 4))
    words = []
    for _ in XOSHIRO:
        word, state = kernels.advance(state)
        state = tuple(np.uint64(part) for part in state)
        words.append(int(word))
    assert words == XOSHIRO


def test_wide_product_is_exact():
    wide = kernels.wide_product

    @njit
    def product(a, b):
        return wide(a, b)

    factors = np.random.default_rng(5).integers(0, WORD - 1, (200, 2), dtype=np.uint64, endpoint=True)
    for a, b in factors:
        assert tuple(int(part) for part in product(a, b)) == divmod(int(a) * int(b), WORD)


class PlainStream:
    """xoshiro256++ keyed as the dealer's streams are, with Python's integers."""

    def __init__(self, seed, session, shoe, purpose):
        roots = [int(word) for word in root_words(seed)]
        counter = (shoe | purpose << 56) + 1
        first, second = (
            mix(mix((roots[i] + GOLDEN * (session + 1)) % WORD) ^ ((roots[i + 1] + GOLDEN * counter) % WORD))
            for i in (0, 2)
        )
        self.state = [first, mix((first + GOLDEN) % WORD), second, mix((second + GOLDEN) % WORD)]
        self.rejected = 0

    def word(self):
        s0, s1, s2, s3 = self.state
        turn = lambda x, k: (x << k | x >> (64 - k)) % WORD  # noqa: E731
        word = (turn((s0 + s3) % WORD, 23) + s0) % WORD
        shifted = s1 << 17 & (WORD - 1)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        self.state = [s0, s1, s2, turn(s3, 45)]
        return word

    def digits(self, bounds):
        """Exact digits in a mixed base: words in the incomplete last interval are rejected."""
        total = math.prod(bounds)
        while True:
            rest, digits = self.word(), []
            for bound in bounds:
                digit, rest = divmod(rest * bound, WORD)
                digits.append(digit)
            if rest >= WORD % total:
                return digits
            self.rejected += 1


def plain_shuffle(cards, stream):
    n, place = len(cards), 0
    while place < n - 1:
        count = 6 if place + 6 < n else 1
        for digit in stream.digits([n - place - step for step in range(count)]):
            cards[place], cards[place + digit] = cards[place + digit], cards[place]
            place += 1
    return cards


@pytest.mark.parametrize("decks", [1, 2, 8, 16])
def test_shuffle_is_the_plain_fisher_yates(decks):
    rejected = 0
    for session in range(12):
        for shoe in range(3):
            stream = PlainStream(7, session, shoe, 0)
            cards = plain_shuffle([card for card in range(52) for _ in range(decks)], stream)
            assert shuffled_shoe(ShoeRules(decks=decks), seed=7, session=session, shoe=shoe).tolist() == cards
            rejected += stream.rejected
    assert rejected > 0 or decks < 16, "sixteen decks must have shown that rejection agrees too"


def test_cut_card_is_drawn_from_a_stream_of_its_own():
    rules = ShoeRules(cut_card=(10, 30))
    for shoe in range(50):
        (digit,) = PlainStream(3, 4, shoe, 1).digits([21])
        assert cut_position(rules, seed=3, session=4, shoe=shoe) == 10 + digit


def test_arrays_and_single_numbers_are_equal_bit_for_bit():
    key = bettor_key(2**70, "Münze")
    sessions = np.array([0, 1, 2, 4095, 10**9, 2**40])
    for round_number, draw in [(0, 0), (1, 0), (499, 0), (499, 3)]:
        lanes = uniforms(key, sessions, round_number, draw=draw)
        assert lanes.tolist() == [uniform(key, int(session), round_number, draw=draw) for session in sessions]


def test_bettor_numbers_are_uniform_and_unrelated():
    keys = [bettor_key(seed, name) for seed in (0, 1) for name in ("a", "b")]
    assert len(set(keys)) == 4
    draws = np.array([uniforms(key, np.arange(100_000), r, draw=d) for key in keys for r in (0, 1) for d in (0, 1)])
    assert draws.min() >= 0
    assert draws.max() < 1
    assert np.abs(draws.mean(axis=1) - 0.5).max() < 4.5 * math.sqrt(1 / 12 / 100_000)
    cells = np.array([np.bincount((row * 256).astype(int), minlength=256) for row in draws])
    expected = 100_000 / 256
    chi_square = ((cells - expected) ** 2 / expected).sum(axis=1)
    assert np.abs((chi_square - 255) / math.sqrt(510)).max() < 4.5
    correlations = np.corrcoef(draws)
    assert np.abs(correlations[~np.eye(len(draws), dtype=bool)]).max() < 5 / math.sqrt(100_000)
    assert abs(np.corrcoef(draws[0][1:], draws[0][:-1])[0, 1]) < 4.5 / math.sqrt(100_000), "neighbouring sessions"


@pytest.mark.parametrize("seed", [-1, 1.0, "1", True, None])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(ConfigError, match="seed"):
        check_seed(seed)


def test_any_large_seed_is_taken():
    assert check_seed(2**200) == 2**200
    assert root_words(2**200).tolist() != root_words(2**200 + 1).tolist()
