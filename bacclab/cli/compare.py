"""`bacclab compare`: the bettors of several runs side by side."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bacclab.cli.options import AsJson, Lang
from bacclab.cli.output import Column, emit, emit_json, emit_table, note

if TYPE_CHECKING:
    from bacclab.analysis.across import Across

SHOWN = 40
"""Pairs that are printed; --json has all of them."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab compare runs/classics runs/classics-2 -o both.html --lang sv")(compare)


def compare(
    runs: Annotated[list[str], typer.Argument(metavar="RUN RUN...", help="Run folders, two or more.")],
    out: Annotated[
        str | None, typer.Option("-o", "--out", metavar="FILE", help="Write a page: one offline HTML file.")
    ] = None,
    lang: Lang = "en",
    as_json: AsJson = False,
) -> None:
    """Set the bettors of several runs side by side.

    Where two runs dealt the same rounds (one seed, one shoe procedure, as many sessions) bettors are compared session
    by session; elsewhere as samples of their own. The table says which.
    """
    from bacclab.analysis.across import across
    from bacclab.cli.query import labelled
    from bacclab.dashboard.language import language
    from bacclab.tournament.files import ending_of
    from bacclab.tournament.folder.doubts import doubting

    if out is not None:
        ending_of(Path(out), (".html",))  # what cannot be written is refused before anything is worked out
    language(lang)
    read = labelled(runs)
    with doubting(*(run for _, run in read)):
        found = across(read)
    if out is not None:
        from bacclab.dashboard.pages.compare import write_compare_page

        command = shlex.join(["bacclab", "compare", *runs, "-o", out, *(["--lang", lang] if lang != "en" else [])])
        path = write_compare_page(found, out, command=command, lang=lang)
        if as_json:
            emit_json({"report": str(path)})
        else:
            emit(str(path))
        return
    if as_json:
        emit_json({"figures": found.figures.to_dicts(), "pairs": found.pairs.to_dicts(), "notes": list(found.notes)})
        return
    _show(found)


def _show(found: Across) -> None:
    from bacclab.dashboard.written import written

    emit_table(
        (
            Column("run"), Column("setting", optional=True), Column("bettor"),
            Column("sessions", number=True, optional=True),
            Column("return", number=True), Column("expected", number=True), Column("median", number=True),
            Column("ruined", number=True),
        ),
        [
            (
                row["run"], row["setting"], row["bettor"], written(row["sessions"], "count"),
                written(row["return_on_stake"], "return"), written(row["expected_return"], "return"),
                written(row["median"], "money"), written(row.get("ruined"), "share"),
            )
            for row in found.figures.iter_rows(named=True)
        ],
    )  # fmt: skip
    emit()
    shown = found.pairs.sort("p_adjusted", "p_value", nulls_last=True, maintain_order=True).head(SHOWN)
    emit_table(
        (
            Column("bettor"), Column("against"), Column("how"), Column("difference a session", number=True),
            Column("95 %", number=True), Column("p, all pairs", number=True, optional=True), Column("verdict"),
        ),
        [
            (
                f"{row['bettor_a']} of {row['run_a']}", f"{row['bettor_b']} of {row['run_b']}", row["how"],
                written(row["mean_difference"], "money"),
                f"{written(row['ci_low'], 'money')} to {written(row['ci_high'], 'money')}",
                written(row["p_adjusted"], "p"), row["verdict"],
            )
            for row in shown.iter_rows(named=True)
        ],
    )  # fmt: skip
    if found.pairs.height > SHOWN:
        note(f"{found.pairs.height - SHOWN:,} more pairs: --json has all of them")
    for line in found.notes:
        emit(f"note: {line}")
