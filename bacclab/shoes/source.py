"""What a source of rounds is: how far it is asked to go, and what it gives back.

A source gives the rounds of any sessions in one call, as arrays of round codes (`bacclab.game.codes`). What it gives
for session *k* may depend on *k* and on the source's own settings, and on nothing else.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol, Self

from bacclab.errors import ConfigError, did_you_mean
from bacclab.shoes.known import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from bacclab.game.rules import ShoeRules


@dataclass(frozen=True, slots=True, kw_only=True)
class Horizon:
    """How long a session is: a number of rounds, or a number of whole shoes. Exactly one of the two.

    >>> Horizon(rounds=500)
    Horizon(rounds=500, shoes=None)
    >>> Horizon()
    Traceback (most recent call last):
    ...
    bacclab.errors.ConfigError: a session needs either a number of rounds or a number of shoes
    """

    rounds: int | None = None
    shoes: int | None = None

    def __post_init__(self) -> None:
        if (self.rounds is None) == (self.shoes is None):
            raise ConfigError("a session needs either a number of rounds or a number of shoes")
        given: dict[str, object] = {"rounds": self.rounds, "shoes": self.shoes}
        for name, value in given.items():
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise ConfigError(f"{name} must be a whole number from 1 on, not {value!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rounds:
    """The rounds of `n` sessions, at most `R` each.

    * `codes`, uint16[n, R]: round codes; the first round of a shoe carries the flag `codes.NEW_SHOE`. Behind the end of
      a session stands 0.
    * `lengths`, int32[n]: how many rounds each session has.
    * `ran_out`, bool[n]: the source had no more rounds before the horizon was reached.
    * `unseen`, uint8[n, R, 13] or None: before each round, how many cards of each rank a player at the table has not
      seen in this shoe. Finished rounds and the first card turned at a burn are seen; cards burned face down and cards
      behind the cut card are not.
    """

    codes: NDArray[np.uint16]
    lengths: NDArray[np.int32]
    ran_out: NDArray[np.bool_]
    unseen: NDArray[np.uint8] | None = None


class Source(Protocol):
    """Anything that gives rounds. `name` is how the source is called in messages and manifests.

    A source that does not know everything of its rounds says what it knows in an attribute `known`
    (`bacclab.shoes.known.FACTS`); bets and bettors that need more are refused. One that has rounds for so many sessions
    only has a method `most_sessions(horizon)`.
    """

    @property
    def name(self) -> str:
        """How the source is called in messages."""
        ...

    def max_rounds(self, horizon: Horizon) -> int:
        """The width of the arrays for a horizon: no session has more rounds than this."""
        ...

    def rounds(self, first: int, count: int, *, horizon: Horizon, unseen: bool) -> Rounds:
        """The rounds of sessions first, first + 1, ..., first + count - 1; with the unseen cards if asked."""
        ...

    def describe(self) -> dict[str, object]:
        """What a manifest says of the source: `kind` and whatever decides the rounds, as plain values."""
        ...


class SourceFactory(Protocol):
    """What is registered as a source: a class that makes one from the [source] part of an experiment file."""

    id: ClassVar[str]

    @classmethod
    def from_config(cls, settings: Mapping[str, object], *, rules: ShoeRules, seed: int, folder: Path) -> Self:
        """A source for `settings` (the keys of [source] without `use`); relative paths start at `folder`."""
        ...


def known_of(source: Source) -> frozenset[str]:
    """What a source knows of its rounds; everything if it does not say.

    >>> from bacclab.shoes.scripted import ScriptedSource
    >>> known_of(ScriptedSource("PB"))
    frozenset({'winner'})
    """
    known: frozenset[str] = getattr(source, "known", EVERYTHING)
    return known


def supposes(source: Source) -> bool:
    """Whether what a source does not know stands in its codes as it supposes, on which main bets are settled."""
    return bool(getattr(source, "supposes", False))


def draws_again(source: Source) -> bool:
    """Whether a source gives the same few rounds again and again, so that sessions are not independent."""
    return bool(getattr(source, "draws_again", False))


def most_sessions(source: Source, horizon: Horizon) -> int | None:
    """How many sessions a source has rounds for; None without a limit."""
    counted = getattr(source, "most_sessions", None)
    return None if counted is None else counted(horizon)


def refuse_settings(settings: Mapping[str, object], *, known: tuple[str, ...], source: str) -> None:
    """Refuse keys of [source] that the source does not know, with the nearest name.

    >>> refuse_settings({"round": "PB"}, known=("rounds",), source="scripted")
    Traceback (most recent call last):
    ...
    bacclab.errors.ConfigError: the source scripted has no setting 'round' (did you mean rounds?)
    """
    for key in settings:
        if key not in known:
            hint = did_you_mean(key, known) if known else "it has none"
            raise ConfigError(f"the source {source} has no setting {key!r}", hint=hint)


def digest(rounds: Rounds, first: int) -> int:
    """A number under 2^256 that names the rounds of sessions first, first + 1, ...: the same cards, the same digest.

    It is the sum modulo 2^256 of SHA-256 of each session (its number as 8 bytes, then its codes with the flags as
    uint16, little-endian), so the digests of blocks add up (modulo 2^256) to the digest of all sessions.

    >>> import numpy as np
    >>> codes = np.array([[5, 6], [7, 0]], np.uint16)
    >>> both = Rounds(codes=codes, lengths=np.array([2, 1], np.int32), ran_out=np.zeros(2, np.bool_))
    >>> ones = [Rounds(codes=codes[k:k+1], lengths=both.lengths[k:k+1], ran_out=both.ran_out[k:k+1]) for k in (0, 1)]
    >>> digest(both, 0) == (digest(ones[0], 0) + digest(ones[1], 1)) % 2**256
    True
    """
    total = 0
    codes = rounds.codes.astype("<u2", copy=False)
    for row, length in enumerate(rounds.lengths.tolist()):
        state = hashlib.sha256((first + row).to_bytes(8, "little"))
        state.update(codes[row, :length].tobytes())
        total += int.from_bytes(state.digest(), "little")
    return total % 2**256
