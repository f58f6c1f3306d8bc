"""Small helpers for tests of one's own: what a file registers, what a system asks for, an edge, a metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.errors import PluginError, did_you_mean
from bacclab.exact.table_odds import odds
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.plugins.loader import load_plugins
from bacclab.testing.subject import subject_of
from bacclab.testing.watched import Logbook

if TYPE_CHECKING:
    import os

    from bacclab.plugins.metric import Metric

__all__ = ["asked", "house_edge", "load_item", "measured"]


def load_item(path: str | os.PathLike[str], id: str) -> Any:  # noqa: A002
    """What a plugin file registers under an id: a class, a bet, a table. Raises PluginError where it does not."""
    loaded = load_plugins(files=[path], allow=(), strict=True)
    own = [report for report in loaded.reports if not report.built_in]
    names = [item for report in own for item in report.items]
    for item in names:
        kind, _, name = item.partition("/")
        if name == id:
            return loaded.registry.of(kind).get(name).item  # type: ignore[arg-type, union-attr]
    raise PluginError(f"{path} registers no {id!r}", hint=did_you_mean(id, [item.partition("/")[2] for item in names]))


def asked(thing: Any, results: str, **settings: Any) -> list[str]:
    """What a bettor (or a selection at 10.00, or a progression on Banker) asks for in each round of one shoe, in words.

    `results` are letters P, B and T. `settings` are fields of `bacclab.testing.Subject`, such as `table` and
    `bankroll`.

    >>> from bacclab.bettors.whole.flat import FlatBettor
    >>> asked(FlatBettor(on="player", unit=5), "P B")
    ['player 5.00', 'player 5.00']
    """
    from bacclab.testing.checks import scripted

    letters = "".join(results.split()).upper()
    subject = subject_of(thing, **{"rounds": max(1, len(letters)), "sessions": 1, **settings})
    log: Logbook = subject.watch(scripted(letters, subject))
    return [what for _, what in log.asked[0]]


def house_edge(table: Table | str, bet: str) -> float:
    """The exact house edge of a bet, per unit staked and round, off a full shoe of the table.

    >>> round(house_edge("commission", "banker"), 6)
    0.010579
    """
    rules = BUILT_IN_TABLES[table] if isinstance(table, str) else table
    return float(odds(rules, bets=[bet]).bets["edge"][0])


def measured(metric: Metric, **columns: Any) -> float | None:
    """A metric of sessions whose columns are given: a list each, or one value for all.

    >>> from bacclab.plugins.metric import Metric
    >>> ahead = Metric(id="up", label="Up", unit="share", text="Ends ahead.", expression=lambda net: (net > 0).mean())
    >>> measured(ahead, net=[1.0, -1.0])
    0.5
    """
    import polars as pl

    rows = max((len(values) for values in columns.values() if isinstance(values, list)), default=1)
    return metric.of(
        pl.DataFrame(
            {name: values if isinstance(values, list) else [values] * rows for name, values in columns.items()}
        )
    )
