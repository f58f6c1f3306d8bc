"""`bacclab late`: what a bet is worth late in the shoe, and what perfect play wins by it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.asked import tables_asked
from bacclab.cli.call import call_of
from bacclab.cli.figures import percent
from bacclab.cli.options import AsJson, RuleSets, TableName
from bacclab.cli.output import Column, emit, emit_json, emit_table
from bacclab.errors import counted

if TYPE_CHECKING:
    from bacclab.exact.late import Late

_ENDINGS = (".html", ".csv", ".parquet")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab late --bet player_pair --cut-card 14 --cut-card 26 -o pairs.html")(late)


def late(
    context: typer.Context,
    table: TableName = "commission",
    bet: Annotated[
        str, typer.Option("--bet", metavar="BET", help="A bet; BET:PAYTABLE takes one of its pay tables.")
    ] = "player_pair",
    shoes: Annotated[int, typer.Option("--shoes", metavar="N", help="How many shoes are dealt.")] = 2000,
    cut_card: Annotated[
        list[str] | None,
        typer.Option(
            "--cut-card",
            metavar="N",
            help="Cards behind the cut card, also a range as 14-20; 0: none. May be repeated; else the table's own.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Which shoes.")] = 1,
    sets: RuleSets = None,
    out: Annotated[
        str | None,
        typer.Option("-o", "--out", metavar="FILE", help="Write FILE.html (chart and tables), or .csv or .parquet."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What a bet is worth late in the shoe, exactly.

    Shoes are dealt by the rules of the table; before every round the bet is worked out on the cards not seen. The mean
    stays at the full-shoe edge at every depth, the spread grows. Perfect play lays one unit whenever the bet is worth
    more than nothing.
    """
    from bacclab.exact.late import late as work_out
    from bacclab.tournament.files import ending_of

    if out is not None:
        ending_of(Path(out), _ENDINGS)  # before anything is worked out
    (rules,) = tables_asked(context, [table], sets)
    cuts = [_cut_card(text) for text in cut_card or ()]
    registry = call_of(context).load().registry
    found = work_out(rules, bet, shoes=shoes, seed=seed, cut_cards=cuts, registry=registry)
    if out is not None:
        _write(found, Path(out), _command(found, bet, cuts, sets or []))
    if as_json:
        emit_json(_facts(found) | ({"file": out} if out is not None else {}))
    else:
        _show(found)
        if out is not None:
            emit()
            emit(f"written: {out}")


def _cut_card(text: str) -> int | tuple[int, int]:
    """A place of the cut card as people write it.

    >>> _cut_card("14"), _cut_card("14-20")
    (14, (14, 20))
    """
    from bacclab.errors import TableError

    low, _, high = text.partition("-")
    if not low.strip().isdecimal() or (high and not high.strip().isdecimal()):
        raise TableError(f"--cut-card {text} is no number of cards", hint="write 14, or a range as 14-20")
    return (int(low), int(high)) if high else int(low)


def _command(found: Late, bet: str, cuts: list[int | tuple[int, int]], sets: list[str]) -> str:
    words = ["bacclab", "late", "--table", found.table.name, "--bet", bet]
    words += ["--shoes", str(found.shoes), "--seed", str(found.seed)]
    for cut in cuts:
        words += ["--cut-card", f"{cut[0]}-{cut[1]}" if isinstance(cut, tuple) else str(cut)]
    for text in sets:
        words += ["--set", text]
    return shlex.join(words)


def _facts(found: Late) -> dict[str, Any]:
    return {
        "table": found.table.name,
        "bet": found.bet,
        "shoes": found.shoes,
        "seed": found.seed,
        "full_shoe": found.full_shoe,
        "cut_cards": found.cut_card_rows,
        "cards_left": found.cards_left_rows,
    }


def _write(found: Late, path: Path, command: str) -> None:
    from bacclab.tournament.csv_out import for_csv
    from bacclab.tournament.files import ending_of, put_file

    ending = ending_of(path, _ENDINGS)
    if ending == ".html":
        from bacclab.dashboard.pages.late import write_late_page

        write_late_page(found, path, command=command)
    else:
        rows = found.cards_left
        put_file(path, for_csv(rows).write_csv if ending == ".csv" else rows.write_parquet)


def _show(found: Late) -> None:
    from bacclab.dashboard.pages.late import CARDS_LEFT, CUT_CARDS, printed

    by_cut, by_left = printed(found)
    emit(f"{found.bet} at table {found.table.name}, {counted(found.shoes, 'shoe')}, seed {found.seed}")
    side = "house edge" if found.full_shoe <= 0 else "edge for the player"
    emit(f"{side} on a full shoe {percent(abs(found.full_shoe), 4)}; returns are per unit staked")
    emit()
    columns = [Column(title, number=True, optional=title in ("Rounds", "± SE")) for title in CUT_CARDS]
    emit_table(columns, by_cut, title="Perfect play, a shoe in the mean")
    emit()
    columns = [Column(title, number=True, optional=title in ("± SE", "25 %", "75 %")) for title in CARDS_LEFT]
    emit_table(columns, by_left, title="Exact return by cards left")
