"""`bacclab odds`: exact chances, edges and spreads of a table's bets, on a full shoe or any other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.call import call_of
from bacclab.cli.options import AsJson, TableName
from bacclab.cli.output import Column, emit, emit_json, emit_table
from bacclab.errors import counted

if TYPE_CHECKING:
    from bacclab.exact.table_odds import TableOdds

_FEW = 6
"""Up to so many bets, the effects of removal are printed with a column for each."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog='Example: bacclab odds --table no-commission --without "8 8 9 K" --effects')(odds)


def odds(
    context: typer.Context,
    table: TableName = "commission",
    decks: Annotated[int | None, typer.Option("--decks", metavar="N", help="Another number of decks, 1 to 16.")] = None,
    bet: Annotated[
        list[str] | None,
        typer.Option(
            "--bet",
            metavar="NAME",
            help="Only this bet, also one that the table does not offer; "
            "NAME:PAYTABLE takes one of its pay tables. May be repeated.",
        ),
    ] = None,
    gone: Annotated[
        str, typer.Option("--without", metavar="CARDS", help='Cards that are gone: "8 8 9 K", with suits "8s 8h".')
    ] = "",
    composition: Annotated[
        str | None,
        typer.Option(
            "--composition",
            metavar="N,N,…",
            help="Cards in the shoe: 13 counts A, 2, … K, or 52: for each rank spades, hearts, diamonds, clubs.",
        ),
    ] = None,
    stake: Annotated[
        str | None,
        typer.Option("--stake", metavar="S", help="Adds the edge at this stake, with the commission rounded."),
    ] = None,
    effects: Annotated[
        bool, typer.Option("--effects", help="Adds the effect of removing a card of each rank.")
    ] = False,
    covariance: Annotated[bool, typer.Option("--covariance", help="Adds the covariance of the bets.")] = False,
    as_json: AsJson = False,
) -> None:
    """Exact odds of a table's bets: chance of each result, house edge, spread.

    The edge is per round: what the house keeps of each unit bet. Per decision leaves pushes out of the divisor. N0 is
    the number of rounds after which the expected result equals one standard deviation.
    """  # fmt: skip
    from bacclab.exact.table_odds import odds as exact_odds

    found = exact_odds(
        table,
        decks=decks,
        composition=None if composition is None else _counts(composition),
        without=gone,
        bets=bet or (),
        stake=stake,
        registry=call_of(context).load().registry,
    )
    if as_json:
        emit_json(_facts(found, effects=effects, covariance=covariance))
        return
    _show_bets(found)
    emit()
    _show_results(found)
    if effects:
        emit()
        _show_effects(found)
    if covariance:
        emit()
        _show_covariance(found)


def _counts(text: str) -> Any:
    """The composition that a user wrote."""
    from bacclab.errors import TableError

    words = [word for word in re.split(r"[\s,;]+", text.strip()) if word]
    if not all(word.isdecimal() for word in words):
        wrong = next(word for word in words if not word.isdecimal())
        raise TableError(f"--composition: {wrong!r} is no number of cards", hint="write 13 counts: 32,32,30,…")
    counts = [int(word) for word in words]
    if len(counts) == 52:
        return [counts[rank * 4 : rank * 4 + 4] for rank in range(13)]
    if len(counts) != 13:
        raise TableError(
            f"--composition has {len(counts)} counts", hint="13 are wanted (A, 2, … K), or 52 with the suits"
        )
    return counts


def _facts(found: TableOdds, *, effects: bool, covariance: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "table": found.table.name,
        "title": found.table.title,
        "decks": found.decks,
        "cards": found.cards,
        "composition": list(found.ranks),
        "outcomes": found.outcomes(),
        "bets": found.bet_rows(),
        "results": found.result_rows(),
    }
    if effects:
        facts["effects"] = found.effect_rows()
    if covariance:
        facts["covariance"] = found.covariance_rows()
    return facts


def _show_bets(found: TableOdds) -> None:
    emit(f"{found.table.name}: {found.table.title}")
    made_of = counted(found.decks, "deck")
    emit(f"{made_of}, {found.cards} cards" + ("" if found.cards == found.decks * 52 else f" left: {_ranks(found)}"))
    chances = found.outcomes()
    emit(
        f"Player {_percent(chances['player'])}, Banker {_percent(chances['banker'])}, Tie {_percent(chances['tie'])}; "
        f"{chances['cards']:.4f} cards a round"
    )
    emit()
    columns = [
        Column("bet"),
        Column("win", number=True),
        Column("push", number=True, optional=True),
        Column("lost", number=True, optional=True),
        Column("edge", number=True),
        Column("per decision", number=True),
        Column("SD", number=True),
        Column("N0", number=True),
    ]
    if found.stake is not None:
        from bacclab.money import show

        columns.append(Column(f"edge at {show(found.stake)}", number=True))
    rows = []
    for row in found.bet_rows():
        cells = [row["bet"], *(_percent(row[name]) for name in ("win", "push", "lost", "edge", "edge_per_decision"))]
        cells += [f"{row['sd']:.4f}", "-" if row["n0"] is None else f"{row['n0']:,.0f}"]
        rows.append([*cells, *([_percent(row["edge_at_stake"])] if found.stake is not None else [])])
    emit_table(columns, rows)


def _ranks(found: TableOdds) -> str:
    from bacclab.game.codes import RANK_NAMES

    return ", ".join(f"{name} {held}" for name, held in zip(RANK_NAMES, found.ranks, strict=True))


def _show_results(found: TableOdds) -> None:
    columns = (
        Column("bet"),
        Column("result"),
        Column("pays"),
        Column("net", number=True),
        Column("chance", number=True),
        Column("of the return", number=True),
        Column("sequences of six cards", number=True, optional=True),
    )
    rows = [
        (
            row["bet"],
            row["line"],
            row["odds"],
            f"{row['net']:+g}" if row["net"] else "0",
            _percent(row["probability"], digits=6),
            _percent(row["contribution"], digits=6),
            "-" if row["sequences"] is None else f"{row['sequences']:,}",
        )
        for row in found.result_rows()
    ]
    emit_table(columns, rows)


def _show_effects(found: TableOdds) -> None:
    """A row for each rank while there are few bets, else a row for each bet."""
    rows = found.effect_rows()
    emit("Effect on the return when one card of the rank leaves the shoe, in % of the stake:")
    if len(found.shown) <= _FEW:
        columns = [Column("rank"), Column("cards", number=True), *(Column(bet, number=True) for bet in found.shown)]
        emit_table(
            columns, [(row["rank"], str(row["cards"]), *(_effect(row[bet]) for bet in found.shown)) for row in rows]
        )
    else:
        columns = [Column("bet"), *(Column(row["rank"], number=True) for row in rows)]
        emit_table(columns, [(bet, *(_effect(row[bet]) for row in rows)) for bet in found.shown])


def _show_covariance(found: TableOdds) -> None:
    emit("Covariance of one unit on each of two bets in the same round (on the diagonal: variance):")
    columns = [Column("bet"), *(Column(bet, number=True) for bet in found.shown)]
    rows = [(row["bet"], *(f"{row[bet]:z.6f}" for bet in found.shown)) for row in found.covariance_rows()]
    emit_table(columns, rows)


def _percent(share: float | None, *, digits: int = 4) -> str:
    return "-" if share is None else f"{100 * share:z.{digits}f} %"


def _effect(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{100 * value:+z.5f}" if value else "0"
