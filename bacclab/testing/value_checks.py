"""The checks of bets, tables, metrics and sources, and which checks a registered thing has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bacclab.exact.table_odds import odds
from bacclab.game.codes import CODE_MASK, CODES, NEW_SHOE, decode, possible_codes
from bacclab.game.layout import Layout
from bacclab.game.pay import LOST, pay_table
from bacclab.game.tables import BUILT_IN_TABLES, Table
from bacclab.money import UNITS
from bacclab.plugins.metric import CONTEXT
from bacclab.shoes.source import Horizon, digest
from bacclab.testing.helpers import house_edge
from bacclab.testing.report import CheckFailed, Finding, Report, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from bacclab.game.bets import Bet
    from bacclab.plugins.metric import Metric
    from bacclab.shoes.source import Rounds, Source

__all__ = ["check_bet", "check_metric", "check_source", "check_table", "check_thing"]


def check_bet(bet: Bet) -> Report:
    """Check a bet: its rule answers every round, always the same, can win and lose, and says what it is.

    >>> from bacclab.game.bets import BUILT_IN_BETS
    >>> check_bet(BUILT_IN_BETS["dragon_7"]).ok
    True
    """
    checks: tuple[tuple[str, str, Callable[[Bet], None]], ...] = (
        ("rule", "its rule answers every round, always the same", _rule),
        ("both", "can be won and lost", _both),
        ("edge", "has an exact house edge that is no gift", _edge),
        ("words", "says its rule and where it comes from", _words),
    )
    return Report(f"bet {bet.id}", tuple(_found(name, title, check, bet) for name, title, check in checks))


def _found(name: str, title: str, check: Callable[[Any], None], thing: Any) -> Finding:
    try:
        check(thing)
    except CheckFailed as error:
        return Finding(name, title, "failed", str(error))
    except Exception as error:  # noqa: BLE001 - a plugin may raise anything
        return Finding(name, title, "failed", said(error))
    return Finding(name, title, "passed")


def _rule(bet: Bet) -> None:
    first = pay_table(bet).line
    for code in np.flatnonzero(possible_codes()).tolist():
        hit = bet.lines(decode(code))
        named = () if hit is None else (hit,) if isinstance(hit, str) else tuple(hit)
        paid = next((line for line in named if line in bet.odds), LOST)
        before = (LOST, *bet.odds)[first[code]]
        if paid != before:
            raise CheckFailed(
                f"on {decode(code)} the rule answered {before} and then {paid}: it must depend on the round alone"
            )


def _both(bet: Bet) -> None:
    hit = set(pay_table(bet).line[np.flatnonzero(possible_codes())].tolist())
    for place, line in enumerate((LOST, *bet.odds)):
        if place not in hit:
            raise CheckFailed(f"no round that can be dealt hits the line {line!r}")


def _edge(bet: Bet) -> None:
    rules = BUILT_IN_TABLES["commission"]
    table = rules if bet.id in rules.bets else rules.variant("checked", title="checked", extra_bets=[bet])
    edge = house_edge(table, bet.id)
    if edge < 0:
        raise CheckFailed(f"its house edge is {100 * edge:.3f} % on a full shoe: the player has the advantage")


def _words(bet: Bet) -> None:
    for name in ("title", "rule", "source"):
        if not getattr(bet, name).strip():
            raise CheckFailed(f"it has no {name}: bacclab bets {bet.id} and the page show it")


def check_table(table: Table) -> Report:
    """Check a table: every bet settles all rounds and has an edge for the house; it is made again from its settings.

    >>> check_table(BUILT_IN_TABLES["ez"]).ok
    True
    """
    checks: tuple[tuple[str, str, Callable[[Table], None]], ...] = (
        ("settles", "settles every bet on every round", _settles),
        ("edges", "gives no bet away", _edges),
        ("settings", "is made again from its own settings", _settings),
    )
    return Report(f"table {table.name}", tuple(_found(name, title, check, table) for name, title, check in checks))


def _settles(table: Table) -> None:
    layout = Layout(table)
    for bet in layout.ids:
        for code in range(CODES):
            net, commission = layout.settle(layout.index[bet], 100 * UNITS, code)
            if net < -100 * UNITS or commission < 0:
                raise CheckFailed(f"{bet} on {decode(code)}: a stake of 100.00 comes to {net / UNITS:.2f}")


def _edges(table: Table) -> None:
    for bet, edge in odds(table).bets.select("bet", "edge").iter_rows():
        if edge < 0:
            raise CheckFailed(
                f"{bet} has a house edge of {100 * edge:.3f} % on a full shoe: the player has the advantage"
            )


def _settings(table: Table) -> None:
    again = table.override(table.settings(), bets=dict(table.bets))
    if again != table:
        raise CheckFailed("with its own settings put over it, it is another table")


def check_metric(metric: Metric) -> Report:
    """Check a metric: it comes to one number or null for any sessions, and does not hang on their order.

    >>> from bacclab.plugins.metric import Metric
    >>> ahead = Metric(id="up", label="Up", unit="share", text="Ends ahead.", expression=lambda net: (net > 0).mean())
    >>> check_metric(ahead).ok
    True
    """

    def sessions(*rows: tuple[float, ...]) -> Any:
        import polars as pl

        same = {"bettor": "x", "ended_by": "rounds"} | {
            name: 0.5 if name.startswith("ruin") else 100.0 for name in CONTEXT
        }
        columns = {name: [same.get(name, float(row[0])) for row in rows] for name in metric.columns}
        return pl.DataFrame(columns)

    def one(_: Metric) -> None:
        for rows in ([(0.0,)], [(100.0,)], [(0.0,), (0.0,)], [(50.0,), (100.0,), (250.0,)]):
            metric.of(sessions(*rows))

    def order(_: Metric) -> None:
        rows = [(20.0,), (0.0,), (100.0,), (70.0,), (300.0,)]
        first, last = metric.of(sessions(*rows)), metric.of(sessions(*reversed(rows)))
        if first != last and (first is None or last is None or abs(first - last) > 1e-9 * max(1.0, abs(first))):
            raise CheckFailed(f"it is {first} for some sessions and {last} for the same in another order")

    def share(_: Metric) -> None:
        found = metric.of(sessions((20.0,), (0.0,), (100.0,), (300.0,)))
        if metric.unit == "share" and found is not None and not 0 <= found <= 1:
            raise CheckFailed(f"its unit is a share, and it comes to {found}")

    checks: tuple[tuple[str, str, Callable[[Any], None]], ...] = (
        ("one", "comes to one number or null for any sessions", one),
        ("order", "does not hang on the order of the sessions", order),
        ("share", "is from 0 to 1 if its unit is a share", share),
    )
    return Report(f"metric {metric.id}", tuple(_found(name, title, check, metric) for name, title, check in checks))


def check_source(source: Source, *, horizon: Horizon | None = None, sessions: int = 6) -> Report:
    """Check a source: the rounds of a session do not depend on what else is asked for, and are in good form.

    >>> from bacclab.shoes.scripted import ScriptedSource
    >>> check_source(ScriptedSource("PBT|PB")).ok
    True
    """
    length = horizon or Horizon(rounds=60)

    def dealt(first: int, count: int) -> Rounds:
        return source.rounds(first, count, horizon=length, unseen=False)

    def same(_: Source) -> None:
        whole = digest(dealt(0, sessions), 0)
        parts = sum(digest(dealt(first, 1), first) for first in reversed(range(sessions))) % 2**256
        if whole != parts:
            raise CheckFailed("sessions asked for one by one, the last one first, have other rounds than all at once")

    def form(_: Source) -> None:
        rounds, width = dealt(0, sessions), source.max_rounds(length)
        if rounds.codes.shape != (sessions, width) or rounds.codes.dtype != np.uint16:
            raise CheckFailed(f"codes are {rounds.codes.dtype}{rounds.codes.shape}, not uint16({sessions}, {width})")
        for session, last in enumerate(rounds.lengths.tolist()):
            row = rounds.codes[session]
            if last and not row[0] & NEW_SHOE:
                raise CheckFailed(f"session {session}: its first round does not begin a shoe (codes.NEW_SHOE)")
            wrong = np.flatnonzero((row[:last] & CODE_MASK) >= CODES)
            if wrong.size:
                raise CheckFailed(f"session {session}, round {wrong[0] + 1}: {row[wrong[0]]} is no round code")
            if row[last:].any():
                raise CheckFailed(f"session {session} has codes behind its {last} rounds")

    def described(_: Source) -> None:
        if not source.describe().get("kind"):
            raise CheckFailed("describe() has no 'kind'; the manifest of a run needs it")

    checks: tuple[tuple[str, str, Callable[[Any], None]], ...] = (
        ("same", "a session has the same rounds, whatever else is asked for", same),
        ("form", "gives rounds in good form", form),
        ("described", "describes itself", described),
    )
    return Report(f"source {source.name}", tuple(_found(name, title, check, source) for name, title, check in checks))


def check_thing(kind: str, item: Any, **settings: Any) -> Report | None:
    """The report on a registered thing, or None for a kind that has no checks."""
    from bacclab.testing.doors import check_bettor

    if kind in ("bettors", "selections", "progressions"):
        return check_bettor(item, **settings)
    if kind == "bets":
        return check_bet(item)
    if kind == "tables":
        return check_table(item)
    if kind == "metrics":
        return check_metric(item)
    return None
