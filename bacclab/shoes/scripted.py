"""Rounds from a script: the same few results for every session, for tests and for trying out a bettor."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from bacclab.errors import ConfigError, SourceError
from bacclab.game import codes
from bacclab.shoes.known import WINNER_ONLY
from bacclab.shoes.source import Horizon, Rounds, refuse_settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bacclab.game.rules import ShoeRules

#: The plainest round of each result: two cards a side, no pair, no natural, and no total that a variant singles out.
RESULTS = {
    "P": codes.Round(player_total=7, banker_total=6, player_cards=2, banker_cards=2),
    "B": codes.Round(player_total=6, banker_total=7, player_cards=2, banker_cards=2),
    "T": codes.Round(player_total=7, banker_total=7, player_cards=2, banker_cards=2),
}


class ScriptedSource:
    """Rounds as written: B, P, T in either case; `|` begins a new shoe; blanks are for the reader.

    A script says who won and nothing else: wins are taken as 7 over 6, ties as 7 all, with two cards a side, and side
    bets that depend on more are refused. A session ends where the script ends.

    >>> dealt = ScriptedSource("PB|T").rounds(0, 1, horizon=Horizon(rounds=10))
    >>> [str(codes.decode(int(code) & codes.CODE_MASK).outcome) for code in dealt.codes[0, :3]]
    ['player', 'banker', 'tie']
    >>> (dealt.codes[0, :3] & codes.NEW_SHOE > 0).tolist(), dealt.lengths.tolist(), dealt.ran_out.tolist()
    ([True, False, True], [3], [True])
    """

    id: ClassVar[str] = "scripted"
    known: ClassVar[frozenset[str]] = WINNER_ONLY
    """Side bets on pairs, totals or cards cannot be settled on these rounds."""
    supposes: ClassVar[bool] = True
    """Main bets are settled on the totals and cards that a script is taken to mean."""

    def __init__(self, script: str) -> None:
        self.script = script
        shoes: list[list[int]] = [[]]
        for place, letter in enumerate(script, start=1):
            if letter == "|":
                shoes.append([])
            elif letter.upper() in RESULTS:
                shoes[-1].append(RESULTS[letter.upper()].code)
            elif not letter.isspace():
                raise SourceError(f"letter {place} of the script is {letter!r}", hint="B, P, T, or | for a new shoe")
        self._shoes = [shoe for shoe in shoes if shoe]
        if not self._shoes:
            raise SourceError("the script has no rounds", hint='write letters such as rounds = "PBTB|PPB"')

    @classmethod
    def from_config(cls, settings: Mapping[str, object], *, rules: ShoeRules, seed: int, folder: Path) -> Self:  # noqa: ARG003
        """`[source] use = "scripted" rounds = "PBTB"`."""
        refuse_settings(settings, known=("rounds",), source=cls.id)
        script = settings.get("rounds")
        if not isinstance(script, str):
            raise ConfigError('the source "scripted" needs rounds = "...", letters B, P, T and | for a new shoe')
        return cls(script)

    @property
    def name(self) -> str:
        """How the source is called in messages."""
        return self.id

    def max_rounds(self, horizon: Horizon) -> int:
        """The rounds of the horizon, or all rounds of as many shoes.

        >>> ScriptedSource("PB|T").max_rounds(Horizon(shoes=1))
        2
        """
        if horizon.rounds is not None:
            return horizon.rounds
        return sum(map(len, self._shoes[: horizon.shoes]))

    def rounds(self, first: int, count: int, *, horizon: Horizon, unseen: bool = False) -> Rounds:
        """The script for each of `count` sessions; a script has no cards, so `unseen` is refused."""
        if unseen:
            raise SourceError(
                "a script has results and no cards, so a bettor that looks at the cards left cannot be played on it",
                hint="use the simulated source",
            )
        width = self.max_rounds(horizon)
        shoes = self._shoes[: horizon.shoes]
        row = np.concatenate([np.array(shoe, np.uint16) for shoe in shoes])
        row[np.cumsum([0, *map(len, shoes[:-1])])] |= codes.NEW_SHOE
        length = min(width, row.size)
        dealt = np.zeros((count, width), np.uint16)
        dealt[:, :length] = row[:length]
        short = length < width if horizon.shoes is None else len(shoes) < horizon.shoes
        return Rounds(
            codes=dealt,
            lengths=np.full(count, length, np.int32),
            ran_out=np.full(count, short, np.bool_),
        )

    def describe(self) -> dict[str, object]:
        """The script itself.

        >>> ScriptedSource("PB").describe()
        {'kind': 'scripted', 'rounds': 'PB'}
        """
        return {"kind": self.id, "rounds": self.script}
