"""Bettors that look at what the source of the rounds does not know are refused before anything is played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from bacclab.errors import SourceError
from bacclab.game.codes import CODE_MASK
from bacclab.shoes.known import EVERYTHING, FACTS, in_words, is_decided, lacking, others
from bacclab.tournament.play.table import TablePlayer
from bacclab.tournament.play.ways import Player, difference

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bacclab.shoes.source import Rounds

__all__ = ["refuse_onlooker"]


def refuse_onlooker(player: Player, known: frozenset[str], trial: Rounds) -> None:
    """Raise SourceError for a bettor that does otherwise on rounds that agree in all that is known of them.

    A table shows which rounds its bettor tells apart; others play the trial on two further readings of its rounds.
    """
    if known == EVERYTHING:
        return
    if isinstance(player, TablePlayer):
        told_apart = _told_apart(player)
        if is_decided(told_apart, known):
            return
        needed = lacking(told_apart, known)
    elif not _differs(player, known, trial):
        return
    else:
        needed = tuple(f for f in FACTS if f not in known and not _differs(player, known | {f}, trial))[:1]
    what = in_words(needed) if needed else "more than that"
    raise SourceError(
        f"it looks at {what}, and the source knows {in_words(known)} of each round and nothing else",
        hint="use the simulated source, or a record that has it",
    )


def _told_apart(player: TablePlayer) -> NDArray[np.int64]:
    """A number per round code, the same for rounds after which the bettor always goes on in the same way.

    A bettor that asks for a pair is given more than yes or no; it need not make anything of it.
    """
    table = player.table
    _, alike = np.unique(np.concatenate([table.next, table.idle]), axis=1, return_inverse=True)
    found: NDArray[np.int64] = alike.reshape(-1)[table.class_of]
    return found


def _differs(player: Player, known: frozenset[str], trial: Rounds) -> bool:
    """Whether the bettor does otherwise when what is not known of the rounds is something else."""
    truth = player.play(trial, first=0)
    for other in others(known):
        read = (other[trial.codes & CODE_MASK] | trial.codes & ~np.uint16(CODE_MASK)).astype(np.uint16)
        if difference(player.play(replace(trial, codes=read), first=0), truth) is not None:
            return True
    return False
