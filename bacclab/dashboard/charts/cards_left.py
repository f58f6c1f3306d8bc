"""What the bets of a run are worth late in the shoe, where somebody goes by the cards or bets on the side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from bacclab.dashboard.charts.late import late_sketch
from bacclab.dashboard.charts.own_table import table_of, table_settings
from bacclab.dashboard.charts.sketch import Drawing, Sketch
from bacclab.dashboard.lookup import Lookup, registry_of
from bacclab.dashboard.words import rules
from bacclab.tournament.ledger import CARDS_LEFT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bacclab.dashboard.run_frames import RunFrames
    from bacclab.exact.late import Late
    from bacclab.game.tables import Table

__all__ = ["edge_by_cards_left"]

SHOES: Final = 100
"""Shoes that are dealt for all the tables of a run: a fifth of a second for bets that depend on the totals."""
PAIRS: Final = 10
"""So many times as many for bets that depend on pairs alone."""
FEWEST: Final = 25
"""With fewer shoes than these a table has no chart: its bands would be noise."""
MOST: Final = 6
"""Bets of a chart at most."""


@Drawing
def edge_by_cards_left(
    run: RunFrames | Lookup, *, cell: int | None = None, bet: str | None = None, shoes: int | None = None
) -> Sketch | None:
    """The exact return of bets by cards left, in shoes dealt by the rules of the cell's table; see `exact.late.late`.

    Shown are the bets of bettors that see the cards, and side bets, as far as they were laid in the sampled sessions
    (without such, the side bets that the experiment names); None where there are none, or the table cannot be told from
    the run. `bet` names one of the table's bets instead; `shoes` sets how many are dealt, by default 100 for all the
    tables of a sweep together (None for more than four).
    """
    look = Lookup.of(run)
    cell = look.cell(cell)
    label = f" ({look.cells[cell]})" if look.cells[cell] else ""
    wanted = _of_interest(look).get(cell, []) if bet is None else [bet]
    table = table_of(look, cell) if wanted else None
    names = [name for name in table.bets if name in wanted][:MOST] if table is not None else []
    if table is None or not names:
        return None
    number = _budget(look, table, names) if shoes is None else shoes
    return late_sketch(_worked_out(look, cell, table, names, number), look.language, label=label) if number else None


def _budget(look: Lookup, table: Table, names: Sequence[str]) -> int:
    """How many shoes are dealt for a table; none where a run has too many tables."""
    from bacclab.exact.batch import Means
    from bacclab.exact.odds import net_per_unit
    from bacclab.game.layout import Layout

    layout = Layout(table)
    quick = Means(net_per_unit(layout)[[layout.index[name] for name in names]], decks=table.shoe.decks).of_pairs
    number = SHOES * (PAIRS if quick else 1) // len({_key(look, cell) for cell in look.cells})
    return number if number >= FEWEST else 0


def _worked_out(look: Lookup, cell: int, table: Table, names: Sequence[str], shoes: int) -> Sequence[Late]:
    """The bets late in the shoe; cells whose tables differ in their limits alone share them."""
    from bacclab.exact.late import late_each

    key = ("late", _key(look, cell), tuple(names), shoes)
    if key not in look.worked_out:
        look.worked_out[key] = late_each(table, names, shoes=shoes)
    found: Sequence[Late] = look.worked_out[key]
    return found


def _key(look: Lookup, cell: int) -> str:
    return repr(sorted(table_settings(look, cell).items()))


def _of_interest(look: Lookup) -> dict[int, list[str]]:
    """By cell, the bets that were laid by bettors that see the cards, and the side bets that anyone laid."""
    if "bets of interest" not in look.worked_out:
        look.worked_out["bets of interest"] = _laid(look) or _named(look)
    found: dict[int, list[str]] = look.worked_out["bets of interest"]
    return found


def _named(look: Lookup) -> dict[int, list[str]]:
    """The side bets that the settings of the bettors name, for a run without sampled sessions."""
    import polars as pl

    if look.query("trajectories").select(pl.len()).collect().item():
        return {}
    side = _side_bets(look)
    names = [text for text in _texts(rules.config_of(look.run.manifest).get("bettor")) if text in side]
    return dict.fromkeys(look.cells, names) if names else {}


def _texts(settings: Any) -> Iterator[str]:
    """All texts in settings, however deep."""
    if isinstance(settings, str):
        yield settings
    elif isinstance(settings, Mapping):
        yield from (text for value in settings.values() for text in _texts(value))
    elif isinstance(settings, list | tuple):
        yield from (text for value in settings for text in _texts(value))


def _side_bets(look: Lookup) -> set[str]:
    return {entry.id for entry in registry_of(look.run).bets.values() if entry.item.kind == "side"}


def _laid(look: Lookup) -> dict[int, list[str]]:
    import polars as pl

    query = look.query("trajectories")
    if "bets" not in query.collect_schema().names():
        return {}
    # "banker 10.00 + player_pair 5.00": each bet is its name and its stake.
    slips = query.filter(pl.col("bets") != "").select("cell", "bettor", "bets").unique().collect(engine="streaming")
    side = _side_bets(look)
    found: dict[int, dict[str, None]] = {}
    for cell, bettor, slip in slips.sort("cell", "bettor", "bets").iter_rows():
        if bettor not in look.bettors(cell):
            continue  # one that failed: what it laid before is of no interest
        sees = look.summary(cell, bettor).get("expected_on") == CARDS_LEFT
        names = (laid.rpartition(" ")[0] for laid in slip.split(" + "))
        found.setdefault(cell, {}).update(dict.fromkeys(name for name in names if sees or name in side))
    return {cell: list(names) for cell, names in found.items()}
