"""`bacclab roads`: the five roads of a recorded shoe, in the terminal or as a picture."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.options import AsJson
from bacclab.cli.output import ReaderGone, emit, emit_json, note
from bacclab.cli.reading import Reading, reads_a_record
from bacclab.errors import counted

if TYPE_CHECKING:
    from bacclab.game.roads import Roads
    from bacclab.shoes.recorded.record import Shoe


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab roads night.csv --shoe 3 -o roads.html")(roads)


@reads_a_record
def roads(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record of rounds, as `bacclab shoes check` takes it.")],
    *,
    shoe: Annotated[int, typer.Option("--shoe", metavar="N", help="Which shoe of the file, from 1.")] = 1,
    out: Annotated[
        str | None, typer.Option("-o", "--out", metavar="FILE", help="Write FILE.html, a page with the picture.")
    ] = None,
    reading: Reading,
    as_json: AsJson = False,
) -> None:
    """Draw the roads of one shoe: bead plate, Big Road, Big Eye Boy, Small Road, Cockroach Pig, and the ask.

    Columns and rows in the JSON count from 0. Colours are left out where NO_COLOR is set, and outside a terminal.
    """
    from bacclab.errors import BacclabError
    from bacclab.shoes.recorded.importer import read_record
    from bacclab.tournament.files import ending_of

    if out is not None:
        ending_of(Path(out), (".html",))  # before anything is worked out
    record = read_record(file, reading)
    found = list(record.shoes())
    if not 1 <= shoe <= len(found):
        raise BacclabError(f"--shoe {shoe}: {file} has no such shoe", hint=f"it has {_count(len(found))}")
    chosen = found[shoe - 1]
    drawn, unknown = _drawn(chosen)
    if unknown:
        note(f"warning: {unknown} of {chosen.rounds.height} rounds have no winner and are left out of the roads")
    if faults := sum(fault.shoe == chosen.number for fault in record.faults):
        note(
            f"warning: the shoe has {counted(faults, 'fault')} and is drawn as recorded; "
            "`bacclab shoes check` lists them"
        )
    title = _title(file, chosen, place=shoe, of=len(found))
    if out is not None:
        from bacclab.dashboard.pages.roads import write_roads_page

        command = shlex.join(["bacclab", "roads", file, "--shoe", str(shoe)])
        write_roads_page(drawn, out, title=title, command=command)
    if as_json:
        facts = {"file": file, "shoe": shoe, "shoes": len(found), "rounds_without_winner": unknown}
        emit_json(facts | ({"picture": out} if out is not None else {}) | _facts(drawn))
        return
    emit(title)
    emit()
    _show(drawn)
    if out is not None:
        emit()
        emit(f"written: {out}")


def _count(shoes: int) -> str:
    return "one shoe" if shoes == 1 else f"shoes 1 to {shoes:,}" if shoes else "none"


def _title(file: str, shoe: Shoe, *, place: int, of: int) -> str:
    name = "" if shoe.name in (None, str(place)) else f" ({shoe.name})"
    table = "" if shoe.table is None else f", table {shoe.table}"
    return f"{Path(file).name}: shoe {place} of {of:,}{name}{table}"


def _drawn(shoe: Shoe) -> tuple[Roads, int]:
    """The roads of a recorded shoe, pairs and totals where every round has them; and the rounds without a winner."""
    from bacclab.game.roads import draw_roads

    rows = shoe.rounds.drop_nulls("winner")
    pairs = rows.select("player_pair", "banker_pair").rows()
    totals = rows.select("player_total", "banker_total").rows()
    roads = draw_roads(
        rows["winner"].to_list(),
        pairs=[(bool(player), bool(banker)) for player, banker in pairs],
        totals=None if any(None in both for both in totals) else totals,
    )
    return roads, shoe.rounds.height - rows.height


def _facts(roads: Roads) -> dict[str, Any]:
    import dataclasses

    return {
        "bead_plate": [dataclasses.asdict(bead) for bead in roads.beads],
        "big_road": [dataclasses.asdict(icon) for icon in roads.big_road],
        "leading_ties": roads.leading_ties,
        "columns": list(roads.columns),
        "derived": {road.value: [dataclasses.asdict(mark) for mark in marks] for road, marks in roads.derived.items()},
        "ask": {
            road.value: {side.value: colour for side, colour in asked.items()} for road, asked in roads.ask.items()
        },
    }


def _show(roads: Roads) -> None:
    from rich.console import Console

    from bacclab.cli.roads_text import road_lines

    console = Console(highlight=False)
    width = console.width if sys.stdout.isatty() else None
    try:
        for line in road_lines(roads, width=width):
            console.print(line, soft_wrap=True)
    except BrokenPipeError as error:
        raise ReaderGone from error
