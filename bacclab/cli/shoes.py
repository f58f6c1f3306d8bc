"""`bacclab shoes`: bring recorded rounds in, check them, and write simulated ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.options import AsJson, TableName
from bacclab.cli.output import Column, emit, emit_json, emit_table
from bacclab.cli.reading import Reading, reads_a_record
from bacclab.errors import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.analysis.record_figures import Figures
    from bacclab.shoes.recorded.faults import Finding
    from bacclab.shoes.recorded.record import Record

_SHOWN = 20
"""Findings that are printed one by one; --all prints the others, --json has all."""


def add_to(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(
        help="Recorded and simulated shoes as files: bring in, check, deal. Each command has --json.",
        epilog="Example: bacclab shoes check my_shoes.csv",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("deal", epilog="Example: bacclab shoes deal --table commission --shoes 120 --seed 1 -o dealt.csv")(
        deal
    )
    group.command("import", epilog="Example: bacclab shoes import night.csv -o night.parquet")(import_)
    group.command("check", epilog="Example: bacclab shoes check night.csv --decks 8")(check)
    app.add_typer(group, name="shoes")


def deal(
    context: typer.Context,
    out: Annotated[str, typer.Option("-o", "--out", metavar="OUT", help="The file to write.")],
    table: TableName = "commission",
    shoes: Annotated[int, typer.Option("--shoes", metavar="N", help="How many shoes.")] = 1,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="Decides the cards; drawn if not given.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="F",
            help="parquet (bacclab's own form), csv (a row a round, with the cards) or letters (a line a shoe); by the "
            "ending of OUT if not given.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write simulated shoes as a record, every card of them.

    Shoe j is the one that session j of an experiment with the same table, the same seed and shoes = 1 is dealt, so a
    record can be compared with what made it.
    """
    import secrets

    from bacclab.cli.call import call_of
    from bacclab.errors import SourceError, did_you_mean
    from bacclab.shoes.recorded.dealt import FORMATS, deal_record, written
    from bacclab.tournament.files import ending_of, put_file

    if form is not None and form not in FORMATS:
        raise SourceError(f"--format {form}: there is no such form", hint=did_you_mean(form, FORMATS))
    if form is None:
        endings = {ending: name for name, ending in FORMATS.items()}
        form = endings[ending_of(Path(out), tuple(endings), why=", or say --format")]
    elif Path(out).suffix.lower() in FORMATS.values():
        ending_of(Path(out), (FORMATS[form],))
    rules = call_of(context).load().registry.get("tables", table).item.shoe
    seed = secrets.randbelow(2**31) if seed is None else seed
    record = deal_record(rules, seed=seed, shoes=shoes, table=table)
    put_file(Path(out), lambda waiting: waiting.write_bytes(written(record, form)))
    told = {"out": out, "format": form, "table": table, "seed": seed, "shoes": shoes, "rounds": record.frame.height}
    if as_json:
        emit_json(told)
    else:
        emit(
            f"written: {out} ({counted(record.frame.height, 'round')}, {counted(shoes, 'shoe')} of table {table}, "
            f"seed {seed}, as {form})"
        )


@reads_a_record
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record: text, CSV, JSON, a log of a live feed.")],
    *,
    out: Annotated[str, typer.Option("-o", "--out", metavar="OUT", help="The Parquet file to write.")],
    reading: Reading,
    on_fault: Annotated[
        str,
        typer.Option(
            "--on-fault", metavar="P", help="keep: write all rows, each with its faults; stop: write nothing."
        ),
    ] = "keep",
    show_all: Annotated[bool, typer.Option("--all", help="Print every finding.")] = False,
    as_json: AsJson = False,
) -> None:
    """Bring a record of rounds into bacclab's own form.

    Says what the file was taken for, and every contradiction, repeat and gap by line. Nothing is filled in, dropped or
    guessed: where marks can be read in two ways, the question to answer is asked. A row with a fault is kept as it
    stands, and its faults are named in the column fault; a replay refuses the record until [source] says what becomes
    of such rounds: faults = "skip-shoe", "skip-round", "as-recorded" or "by-cards".

    A log of a live feed that was kept in files of an hour is put together first (`cat A_*.txt > A.log`): every message
    repeats its shoe from the start, so a shoe that goes on in the next file would be taken for two.
    """
    from bacclab.errors import SourceError, did_you_mean
    from bacclab.shoes.recorded.importer import read_record
    from bacclab.tournament.files import ending_of, put_file

    if on_fault not in ("keep", "stop"):
        raise SourceError(f"--on-fault {on_fault}: there is no such way", hint=did_you_mean(on_fault, ("keep", "stop")))
    if Path(out).exists() and Path(file).exists() and Path(out).samefile(file):
        raise SourceError(f"-o {out} is the record that is read", hint="name another file, such as night.parquet")
    ending_of(Path(out), (".parquet",), why=": what was taken and found is kept beside the rounds")
    record = read_record(file, reading)
    if on_fault == "stop" and record.faults:
        raise SourceError(
            f"{file} has {counted(len(record.faults), 'fault')}, and nothing was written; "
            f"the first: {record.faults[0]}",
            hint="`bacclab shoes check` lists them; --on-fault keep writes the rows with their faults",
        )
    put_file(Path(out), lambda waiting: waiting.write_bytes(record.to_bytes()))
    if as_json:
        emit_json({"out": out, **_facts(record)})
        return
    _show_taken(record)
    _show_findings(record.findings, everything=show_all)
    emit()
    emit(f"written: {out} ({counted(record.frame.height, 'round')}, {counted(record.shoe_count, 'shoe')})")


@reads_a_record
def check(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A record, brought in or as it is.")],
    *,
    decks: Annotated[int, typer.Option("--decks", metavar="N", help="Decks of a shoe, for the chances.")] = 8,
    reading: Reading,
    show_all: Annotated[bool, typer.Option("--all", help="Print every finding.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check a record: faults by line, and its figures against exact chances.

    Shares of Banker, Player and Tie, both totals, pairs, run lengths, and Banker after Banker against Banker after
    Player. A p-value below 0.001 is warned of: hardly a record of fairly dealt shoes, or not one of so many decks.
    """
    from bacclab.analysis.record_figures import figures_of
    from bacclab.shoes.recorded.importer import read_record

    record = read_record(file, reading)
    figures = figures_of(record, decks=decks)
    if as_json:
        emit_json({**_facts(record), "figures": figures.as_values()})
        return
    _show_taken(record)
    _show_findings(record.findings, everything=show_all)
    emit()
    _show_figures(figures)


def _facts(record: Record) -> dict[str, Any]:
    from bacclab.shoes.known import FACTS
    from bacclab.shoes.recorded.lacks import not_playable
    from bacclab.shoes.recorded.replay_codes import known_of

    known = known_of(record.frame)
    return {
        "rounds": record.frame.height,
        "shoes": record.shoe_count,
        "taken": record.facts,
        "known": [fact for fact in FACTS if fact in known],
        "not_playable": list(not_playable(record.frame)),
        "findings": [
            {
                "line": one.line,
                "shoe": one.shoe,
                "round": one.round,
                "kind": one.kind,
                "fault": one.is_fault,
                "text": one.text,
            }
            for one in record.findings
        ],
    }


def _show_taken(record: Record) -> None:
    from bacclab.shoes.known import in_words
    from bacclab.shoes.recorded.lacks import not_playable
    from bacclab.shoes.recorded.replay_codes import known_of

    emit(f"{record.facts['file']}: {counted(record.frame.height, 'round')} in {counted(record.shoe_count, 'shoe')}")
    hidden = ("file", "sha256", "notes", "found", "rounds", "lines")
    for name, value in record.facts.items():
        if name not in hidden:
            emit(f"  {name}: {value}")
    for text in record.facts.get("notes", ()):
        emit(f"  note: {text}")
    emit(f"  known of every round: {in_words(known_of(record.frame))}")
    for text in not_playable(record.frame):
        emit(f"  not to be played on it: {text}")


def _show_findings(findings: Sequence[Finding], *, everything: bool) -> None:
    emit()
    if not findings:
        emit("no contradiction, repeat or gap was found")
        return
    counts = Counter(one.kind for one in findings)
    emit("found: " + ", ".join(f"{count:,} × {kind}" for kind, count in counts.most_common()))
    shown = findings if everything else findings[:_SHOWN]
    for one in shown:
        emit(f"  {one}")
    if len(shown) < len(findings):
        emit(f"  … and {len(findings) - len(shown):,} more (--all prints them)")


def _show_figures(figures: Figures) -> None:
    columns = (Column(""), Column("count", number=True), Column("share", number=True), Column("chance", number=True),
               Column("z", number=True))  # fmt: skip
    rows = [
        (one.what, f"{one.count:,}", _percent(one.share), _percent(one.expected), _signed(one.z))
        for one in (*figures.shares, *figures.pairs)
    ]
    emit_table(columns, rows, title=f"shares, against the exact chances of a full shoe of {figures.decks} decks")
    for name, test in (
        ("winners", figures.winners),
        ("both totals", figures.totals),
        ("run lengths", figures.run_lengths),
    ):
        if test is not None:
            freedom = counted(test.freedom, "degree")
            emit(f"{name}: chi-square {test.statistic:.2f} on {freedom} of freedom, p = {_p(test.p_value)}")
    emit()
    if figures.runs:
        longest = figures.runs[-1].length
        run_rows = [
            (f"{run.length}{' or more' if run.length == longest else ''}", f"{run.count:,}", f"{run.expected:,.1f}")
            for run in figures.runs
        ]
        emit_table((Column("run of"), Column("count", number=True), Column("expected", number=True)), run_rows)
        emit()
    after_banker, after_player = figures.followers.shares
    emit(
        f"Banker after Banker {_percent(after_banker)} of {figures.followers.of_banker:,}, Banker after Player "
        f"{_percent(after_player)} of {figures.followers.of_player:,}: z = {_signed(figures.followers.z)}"
    )
    for text in figures.warnings:
        emit(f"warning: {text}")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.3f} %"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+z.2f}"


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"
