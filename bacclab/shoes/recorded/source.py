"""The source of recorded rounds: shoes in their order, or drawn again and again."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Self

import numpy as np

from bacclab.errors import ConfigError, SourceError, did_you_mean, shown
from bacclab.game import codes
from bacclab.shoes.known import in_words
from bacclab.shoes.source import Horizon, Rounds, refuse_settings
from bacclab.shoes.streams import purpose_key, uniforms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from bacclab.game.rules import ShoeRules
    from bacclab.shoes.recorded.draft import Reading
    from bacclab.shoes.recorded.replay_codes import Replay

IN_ORDER: Final = "in-order"
RESAMPLED: Final = "resampled"
REPLAYS: Final = {
    IN_ORDER: "the shoes in their order, each once",
    RESAMPLED: "shoes drawn at random from the record, again and again",
}
_READING: Final = ("format", "language", "order", "shoe_column", "table_column", "shoes_in", "columns", "card_order",
                   "points",
                   "encoding", "fold_case")  # fmt: skip
_GENERATOR: Final = "SplitMix64 keyed by (seed, session, place), version 1"


class RecordedSource:
    """Recorded rounds from a file: the shoes in their order, or resampled.

    `path` names a record of `bacclab shoes import`, or any file that it reads. `replay = "in-order"` deals session
    after session from consecutive shoes, each shoe once; a session begins with a fresh shoe and takes as many as it
    needs, so a short record gives few sessions. `replay = "resampled"` draws each shoe of each session at random from
    the record, with replacement, by the seed, so that there are as many sessions as wanted, but no more to learn than
    the record holds. `faults` says what becomes of rounds that contradict themselves: "refuse", "skip-shoe",
    "skip-round", "as-recorded" or "by-cards". The options of `bacclab shoes import` are settings too, such as language
    = "colours" or order = "newest-first".

    A bettor or a bet that needs what the record lacks (totals, pairs, cards) is refused before the run. Where the
    record has the rank of every card, the cards left (view.unseen) are those not seen since the first recorded round of
    the shoe. Rounds on both sides of a gap are played one after the other; the run says how many gaps there are.
    """

    id: ClassVar[str] = "recorded"
    example: ClassVar[str] = (
        '[source]\nuse = "recorded"\npath = "shoes.parquet"\nreplay = "in-order"\nfaults = "refuse"'
    )

    def __init__(
        self,
        rounds: Replay,
        *,
        file: str,
        sha256: str,
        replay: str = IN_ORDER,
        seed: int = 0,
        decks: int = 8,
        form: str = "",
    ) -> None:
        self._rounds = rounds
        self.file, self.sha256, self.replay, self.form = file, sha256, replay, form
        self._seed, self._key, self._decks = seed, purpose_key(seed, "recorded shoes"), decks

    @classmethod
    def from_config(cls, settings: Mapping[str, object], *, rules: ShoeRules, seed: int, folder: Path) -> Self:
        """`[source] use = "recorded" path = "…"`, with replay, faults and the settings of reading."""
        refuse_settings(settings, known=("path", "replay", "faults", *_READING), source=cls.id)
        path = settings.get("path")
        if not isinstance(path, str):
            raise ConfigError('the source "recorded" needs path = "…", a file with rounds')
        replay = settings.get("replay", IN_ORDER)
        if replay not in REPLAYS:
            raise ConfigError(f"replay cannot be {shown(replay)}", hint=did_you_mean(str(replay), REPLAYS))
        faults = settings.get("faults", "refuse")
        if not isinstance(faults, str):
            raise ConfigError(f"faults must be a word, not {shown(faults)}")
        where = folder / path
        rounds, sha256, form = _replay(where, _reading(settings), faults)
        return cls(rounds, file=where.name, sha256=sha256, replay=str(replay), seed=seed, decks=rules.decks, form=form)

    @property
    def name(self) -> str:
        """How the source is called in messages."""
        return self.id

    @property
    def known(self) -> frozenset[str]:
        """What is known of every round: see `bacclab.shoes.known`."""
        return self._rounds.known

    @property
    def draws_again(self) -> bool:
        """Whether the same shoes come again in many sessions."""
        return self.replay == RESAMPLED

    def max_rounds(self, horizon: Horizon) -> int:
        """The rounds of the horizon, or the most that as many shoes can have."""
        if horizon.rounds is not None:
            return horizon.rounds
        assert horizon.shoes is not None
        lengths = self._rounds.lengths
        if self.replay == RESAMPLED:
            return horizon.shoes * int(lengths.max())
        ends = np.append(self._rounds.starts[:-1][:: horizon.shoes], self._rounds.starts[-1])
        return int(np.diff(ends).max())

    def most_sessions(self, horizon: Horizon) -> int | None:
        """How many sessions the record is enough for; None without a limit. The last one may run out of rounds."""
        return None if self.replay == RESAMPLED else len(self._first_shoes(horizon))

    def rounds(self, first: int, count: int, *, horizon: Horizon, unseen: bool = False) -> Rounds:
        """The rounds of sessions first, first + 1, …; SourceError for `unseen` where the record has not all cards."""
        if unseen:
            self._refuse_unknown_cards()
        width = self.max_rounds(horizon)
        dealt = np.zeros((count, width), np.uint16)
        lengths = np.zeros(count, np.int32)
        ran_out = np.zeros(count, np.bool_)
        cards = np.zeros((count, width, codes.RANKS), np.uint8) if unseen else None
        draw = self._drawn if self.replay == RESAMPLED else self._consecutive
        for row, shoes in enumerate(draw(first, count, horizon)):
            made = 0
            for shoe in shoes:
                start, end = self._rounds.starts[shoe], self._rounds.starts[shoe + 1]
                taken = min(int(end - start), width - made)
                dealt[row, made : made + taken] = self._rounds.codes[start : start + taken]
                dealt[row, made] |= codes.NEW_SHOE
                if cards is not None:
                    cards[row, made : made + taken] = self._left(shoe)[:taken]
                made += taken
                if made == width:
                    break
            lengths[row] = made
            ran_out[row] = made < width if horizon.shoes is None else len(shoes) < horizon.shoes
        return Rounds(codes=dealt, lengths=lengths, ran_out=ran_out, unseen=cards)

    def describe(self) -> dict[str, object]:
        """The file with its digest, and how it is replayed."""
        told = {
            "kind": self.id,
            "file": self.file,
            "sha256": self.sha256,
            "form": self.form,
            "recorded_shoes": self._rounds.shoes,
            "recorded_rounds": len(self._rounds.codes),
            "replay": f"{self.replay}: {REPLAYS[self.replay]}",
            "known": in_words(self.known),
            "rounds_with_a_fault": self._rounds.told,
            "gaps": self._rounds.gaps,
        }
        if self.replay == RESAMPLED:
            told |= {"generator": _GENERATOR, "seed": self._seed}
        return told

    def _first_shoes(self, horizon: Horizon) -> list[int]:
        """The first shoe of each session, when shoes come in their order."""
        shoes = self._rounds.shoes
        if horizon.shoes is not None:
            return list(range(0, shoes, horizon.shoes))
        assert horizon.rounds is not None
        starts = self._rounds.starts
        firsts = [0]
        while (after := int(np.searchsorted(starts, starts[firsts[-1]] + horizon.rounds))) < shoes:
            firsts.append(after)
        return firsts

    def _consecutive(self, first: int, count: int, horizon: Horizon) -> list[range]:
        firsts = [*self._first_shoes(horizon), self._rounds.shoes]
        most = len(firsts) - 1
        return [range(firsts[s], firsts[s + 1]) if s < most else range(0) for s in range(first, first + count)]

    def _drawn(self, first: int, count: int, horizon: Horizon) -> list[list[int]]:
        """Shoes drawn with replacement: the one at place j of session k follows from the seed, k and j."""
        lengths = self._rounds.lengths
        sessions = np.arange(first, first + count)
        most = horizon.shoes if horizon.shoes is not None else -(-self.max_rounds(horizon) // int(lengths.min()))
        drawn: list[NDArray[np.int64]] = []
        rounds = np.zeros(count, np.int64)
        for place in range(most):
            shoes = (uniforms(self._key, sessions, place) * self._rounds.shoes).astype(np.int64)
            drawn.append(shoes)
            rounds += lengths[shoes]
            if horizon.rounds is not None and (rounds >= horizon.rounds).all():
                break
        found: list[list[int]] = np.stack(drawn, axis=1).tolist()
        return found

    def _refuse_unknown_cards(self) -> None:
        if self._rounds.used is None:
            raise SourceError(
                f"the record knows {in_words(self.known)}, and not the cards, so a bettor that looks at the cards left "
                "cannot be played on it",
                hint="use the simulated source",
            )

    def _left(self, shoe: int) -> NDArray[np.uint8]:
        """The cards of each rank not seen before each round, for one who sat down with the first recorded round."""
        assert self._rounds.used is not None
        used = self._rounds.used[self._rounds.starts[shoe] : self._rounds.starts[shoe + 1]].astype(np.int64)
        left = 4 * self._decks - (np.cumsum(used, axis=0) - used)
        if (left < used).any():
            raise SourceError(
                f"shoe {shoe + 1} of the record has more cards of one rank than {self._decks} decks hold",
                hint="set decks under [table]; or two shoes run together in the record",
            )
        return left.astype(np.uint8)


def _reading(settings: Mapping[str, object]) -> Reading:
    """The settings of reading, each checked for its kind."""
    from bacclab.shoes.recorded.draft import Reading

    given = {name: settings[name] for name in _READING if name in settings}
    for name, value in given.items():
        if name == "columns" and isinstance(value, list) and all(isinstance(one, str) for one in value):
            continue
        wanted: type = bool if name in ("points", "fold_case") else str
        if not isinstance(value, wanted) or name == "columns":
            what = "true or false" if wanted is bool else "a list of names" if name == "columns" else "a word in quotes"
            raise ConfigError(f"{name} must be {what}, not {shown(value)}")
    if "columns" in given:
        given["columns"] = tuple(given["columns"])  # type: ignore[arg-type]
    return Reading(**given)  # type: ignore[arg-type]


def _replay(path: Path, reading: Reading, faults: str) -> tuple[Replay, str, str]:
    """The rounds of a file, its digest, and its form; a file is read again only when it has changed."""
    from bacclab.shoes.recorded.text import read_bytes

    data = read_bytes(path)
    return _replay_of(hashlib.sha256(data).hexdigest(), path, reading, faults)


@lru_cache(maxsize=4)
def _replay_of(sha256: str, path: Path, reading: Reading, faults: str) -> tuple[Replay, str, str]:
    from bacclab.shoes.recorded.importer import read_record
    from bacclab.shoes.recorded.replay_codes import replay

    record = read_record(path, reading)
    return replay(record, faults=faults), sha256, str(record.facts.get("form", ""))
