"""The summary and the audit of a run, as printed tables and sentences, and the end of the commands that make a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.analysis.confirm import sentence
from bacclab.cli.output import Column, draw_table, emit, emit_json, tell_dropped
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.words.rows import alarming, hangs_on_few_bets, ruin
from bacclab.errors import shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.run_frames import RunFrames
    from bacclab.runs import Run

Row = dict[str, Any]

NAME = 48
"""Characters of a bettor's name that are printed; the middle of a longer one gives way to an ellipsis."""


def emit_run(run: Run, *, quiet: bool, as_json: bool, **facts: Any) -> None:
    """Print what a command that made a run ends with: its summary and its page, or all of it and `facts` as JSON."""
    page = run.path / "report.html"
    if as_json:
        report = {"report": str(page)} if page.exists() else {}
        emit_json({"run": str(run.path), "summary": summary_rows(run), **facts, **report})
    elif not quiet:
        show_summary(run)
        emit()
        emit(f"page: {page}" if page.exists() else f"run folder: {run.path}")


def summary_rows(run: RunFrames) -> list[Row]:
    """The rows of the summary: cell by cell, bettors in the order of the experiment."""
    positions = Lookup.of(run).positions
    return sorted(
        run.summary.to_dicts(),
        key=lambda row: (row["cell"], positions.get(row["bettor"], len(positions)), row["bettor"]),
    )


def show_summary(run: RunFrames) -> None:
    """Print one line for each bettor and cell: what came of its sessions."""
    rows = summary_rows(run)
    columns = [
        Column("bettor"),
        Column("sessions", number=True, optional=True),
        Column("bets", number=True, optional=True),
        Column("return", number=True),
        Column("expected", number=True, optional=True),
        Column("z", number=True),
        Column("median", number=True),
        Column("5 % to 95 %", number=True, spare=True),
        Column("ahead", number=True),
        Column("bust", number=True, optional=True),
        Column("ruined", number=True),
        Column("mean max drawdown", number=True, optional=True),
        Column("refused", number=True, optional=True),
        Column("played by", optional=True),
    ]
    printed = [
        (
            shorten(row["bettor"], NAME),
            _count(row["sessions"]),
            _count(row["bets"]),
            "failed" if row.get("failed") else _percent(row["return_on_stake"], signed=True),
            _percent(row["expected_return"], signed=True),
            _number(row["z"], signed=True),
            _money(row["median"]),
            f"{_money(row['q05'])} to {_money(row['q95'])}",
            _percent(row["ahead"], digits=1),
            _percent(row["bust"], digits=1),
            _percent(ruined(row), digits=1),
            _money(row["mean_max_drawdown"]),
            _count(row["refusals"]),
            row["played_by"] or "-",
        )
        for row in rows
    ]
    _emit_by_cell(run, columns, rows, printed)
    confirmation = getattr(run, "confirmation", None)
    for row in confirmation.iter_rows(named=True) if confirmation is not None else ():
        emit()
        emit(sentence(row, Lookup.of(run).cells[row["cell"]]))


def ruined(row: Row) -> float | None:
    """The share of sessions that the bankroll ended: bust, or not enough left for the next bet.

    >>> ruined({"bust": 0.25, "ended_cannot_cover": 0.5}), ruined({"bust": None})
    (0.75, None)
    """
    return None if row["bust"] is None else ruin(row)


def show_audit(run: RunFrames) -> None:
    """Print the sampled return beside the exact one, and say in words where they do not agree."""
    rows = summary_rows(run)
    columns = [
        Column("bettor"),
        Column("staked", number=True, optional=True),
        Column("sampled", number=True),
        Column("exact", number=True),
        Column("z", number=True),
        Column("verdict"),
        Column("standard error", number=True, optional=True),
        Column("with control variate", number=True, optional=True),
        Column("exact on", optional=True),
    ]
    printed = [
        (
            shorten(row["bettor"], NAME),
            _money(row["staked"]),
            _percent(row["return_on_stake"], digits=4, signed=True),
            _percent(row["expected_return"], digits=4, signed=True),
            _number(row["z"], signed=True),
            verdict(row),
            _percent(row["se_return"], digits=4),
            _percent(row.get("se_controlled"), digits=4),
            "-" if row.get("failed") else row.get("expected_on") or "full shoe",
        )
        for row in rows
    ]
    emit(
        "Audit: return per unit staked, sampled and exact (on a full shoe, or on the cards left if a bettor sees them)"
    )
    _emit_by_cell(run, columns, rows, printed)


def verdict(row: Row) -> str:
    """Whether a bettor's sampled return agrees with the exact one, in a few words.

    >>> rows = ({"bets": 100, "z": -1.2}, {"bets": 0, "z": None}, {"bets": 100, "z": 5.4})
    >>> money = {"net": 900.0, "expected": -50.0, "largest_stake": 20.0}
    >>> [verdict({"sessions": 500, **money, **row}) for row in rows]
    ['agrees', 'no bets', 'does not agree']
    """
    if row.get("failed"):
        return "failed"
    if not row["bets"]:
        return "no bets"
    if row.get("played_by") == "exact":
        return "worked out, not sampled"
    if row["z"] is None:
        return "cannot be judged"
    if alarming(row):
        return "hangs on few bets" if hangs_on_few_bets(row) else "does not agree"
    return "agrees"


def _emit_by_cell(
    run: RunFrames, columns: Sequence[Column], rows: Sequence[Row], printed: Sequence[tuple[str, ...]]
) -> None:
    """Print one table for each cell, under its label."""
    dropped: list[str] = []
    for position, (cell, label) in enumerate(Lookup.of(run).cells.items()):
        if position:
            emit()
        lines = [line for row, line in zip(rows, printed, strict=True) if row["cell"] == cell]
        dropped += draw_table(columns, lines, title=label)
    tell_dropped(list(dict.fromkeys(dropped)))


def _count(value: float | None) -> str:
    """A count; the means of an exact run have two digits.

    >>> _count(1200), _count(434.21234)
    ('1,200', '434.21')
    """
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:z,.2f}"


def _money(value: float | None) -> str:
    return "-" if value is None else f"{value:z,.2f}"


def _number(value: float | None, *, signed: bool = False) -> str:
    return "-" if value is None else f"{value:{'+' if signed else ''}.2f}"


def _percent(value: float | None, *, digits: int = 2, signed: bool = False) -> str:
    return "-" if value is None else f"{value * 100:{'+' if signed else ''}.{digits}f} %"
