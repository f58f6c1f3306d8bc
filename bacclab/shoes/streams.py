"""Random numbers that belong to a place, not to a moment.

Every random number of an experiment is a function of the seed and of what it is for: the cards of a shoe of (seed,
session, shoe), a bettor's own number of (seed, bettor's name, session, round). Nothing is drawn "next", so neither the
number of workers nor the size of blocks nor the other bettors can change anything.

The mixing step is the finaliser of SplitMix64 (Steele, Lea and Flood 2014, constants by Stafford), here over plain
integers and numpy arrays; the dealer's compiled twin is in `bacclab.shoes.dealer_kernels`.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from bacclab.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray

GOLDEN = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio, odd: multiples of it spread counters over 64 bits."""
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
_WORD = 0xFFFF_FFFF_FFFF_FFFF
_STEP = 2.0**-53


def check_seed(seed: object) -> int:
    """The seed as an int: any whole number from 0 on, however large (ConfigError for anything else).

    >>> check_seed(0)
    0
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise ConfigError(f"the seed must be a whole number, not {seed!r}")
    if seed < 0:
        raise ConfigError(f"the seed must be 0 or more, not {seed}")
    return int(seed)


def root_words(seed: int) -> NDArray[np.uint64]:
    """The four 64-bit words that a seed stands for (numpy's SeedSequence: neighbouring seeds have nothing in common).

    >>> len({int(word) for seed in (0, 1, 2) for word in root_words(seed)})
    12
    """
    return np.random.SeedSequence(check_seed(seed)).generate_state(4, np.uint64).astype(np.uint64, copy=False)


def mix(word: int) -> int:
    """Scramble 64 bits (one to one): the finaliser of SplitMix64.

    >>> hex(mix(GOLDEN))  # the first output of SplitMix64 with seed 0
    '0xe220a8397b1dcdaf'
    """
    word = ((word ^ (word >> 30)) * MIX_1) & _WORD
    word = ((word ^ (word >> 27)) * MIX_2) & _WORD
    return word ^ (word >> 31)


def bettor_key(seed: int, name: str) -> int:
    """The 64-bit key of a bettor's own random numbers.

    >>> bettor_key(1, "Coin") != bettor_key(1, "Dice") != bettor_key(2, "Coin")
    True
    """
    text = f"{check_seed(seed)}\0bettor\0{name}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "little")


def purpose_key(seed: int, purpose: str) -> int:
    """The 64-bit key of the random numbers for a purpose that has nothing to do with a bettor.

    >>> purpose_key(1, "recorded shoes") != purpose_key(2, "recorded shoes") != bettor_key(2, "recorded shoes")
    True
    """
    text = f"{check_seed(seed)}\0purpose\0{purpose}".encode()
    return int.from_bytes(hashlib.sha256(text).digest()[:8], "little")


def uniform(key: int, session: int, round_number: int, *, draw: int = 0) -> float:
    """A number in [0, 1), a multiple of 2^-53, that belongs to (key, session, round, draw).

    `draw` numbers further ones of the same round.

    >>> uniform(5, 0, 0) == uniform(5, 0, 0) != uniform(5, 0, 1)
    True
    """
    word = mix((key + GOLDEN * (session + 1)) & _WORD)
    word = mix((word + GOLDEN * (round_number + 1)) & _WORD)
    word = mix((word + GOLDEN * (draw + 1)) & _WORD)
    return (word >> 11) * _STEP


def uniforms(key: int, sessions: NDArray[np.integer], round_number: int, *, draw: int = 0) -> NDArray[np.float64]:
    """`uniform` for an array of session numbers at once, equal to it bit for bit.

    >>> lanes = uniforms(5, np.arange(3), 7)
    >>> lanes.tolist() == [uniform(5, session, 7) for session in range(3)]
    True
    """
    golden = np.uint64(GOLDEN)
    word = _mix_array(np.uint64(key) + golden * (sessions.astype(np.uint64) + np.uint64(1)))
    word = _mix_array(word + np.uint64(GOLDEN * (round_number + 1) & _WORD))
    word = _mix_array(word + np.uint64(GOLDEN * (draw + 1) & _WORD))
    return (word >> np.uint64(11)).astype(np.float64) * _STEP


def _mix_array(word: NDArray[np.uint64]) -> NDArray[np.uint64]:
    word = (word ^ (word >> np.uint64(30))) * np.uint64(MIX_1)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(MIX_2)
    return word ^ (word >> np.uint64(31))
