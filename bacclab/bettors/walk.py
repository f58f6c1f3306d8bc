"""From a bettor to its transition table, by a walk over its states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.bettors.base import Bettor, Combined
from bacclab.bettors.freeze import Unfreezable, duplicate
from bacclab.bettors.pair_walk import PairWalk
from bacclab.bettors.state_walk import Classes, Finer, WholeWalk
from bacclab.bettors.table import NotTabular, TransitionTable

if TYPE_CHECKING:
    from bacclab.game.layout import Layout
    from bacclab.game.tables import Table

__all__ = ["walk"]


def walk(bettor: Bettor, table: Table, layout: Layout, *, policy: str, rounds: int) -> TransitionTable:
    """Walk a bettor over all states it can reach within ``rounds`` rounds. Raises NotTabular where there is no table.

    The bettor itself is left untouched. Three doublings of a unit have three states; won, pushed and lost are three
    classes:

    >>> from bacclab.bettors.progressions.classic import Martingale
    >>> from bacclab.bettors.selections.recent import Always
    >>> from bacclab.game.layout import Layout
    >>> from bacclab.game.tables import BUILT_IN_TABLES
    >>> rules = BUILT_IN_TABLES["commission"]
    >>> system = Combined(Always(on="player"), Martingale(unit=10, steps=3))
    >>> found = walk(system, rules, Layout(rules), policy="reset", rounds=100)
    >>> found.states, [slip.total // 10_000 for slip in found.slips]
    (3, [10, 20, 40])
    >>> found.next.tolist()  # a row a state; Banker, Player and Tie are the classes
    [[1, 0, 0], [2, 0, 1], [0, 0, 2]]
    """
    if bettor.vectorised:
        raise NotTabular("it holds arrays of sessions")
    kind = PairWalk if type(bettor) is Combined else WholeWalk
    classes = Classes(layout)
    while True:
        try:
            return kind(duplicate(bettor), table, layout, classes, policy=policy, rounds=rounds).table()
        except Finer:
            continue
        except Unfreezable as error:
            raise NotTabular(str(error)) from None
        except NotTabular:
            raise
        except Exception as error:
            # The walk also reaches states that no session comes to; what fails there need not fail in play.
            raise NotTabular(f"walking it over its states failed ({type(error).__name__}: {error})") from error
