"""`bacclab runs` lists run folders; `bacclab show` prints one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.options import AsJson
from bacclab.cli.output import Column, emit, emit_json, emit_table, note
from bacclab.errors import shorten

if TYPE_CHECKING:
    from bacclab.runs import Run


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(epilog="Example: bacclab runs")(runs)
    app.command(epilog="Example: bacclab show runs/classics")(show)


def runs(
    folder: Annotated[str, typer.Argument(metavar="[DIR]", help="The folder with the run folders.")] = "runs",
    as_json: AsJson = False,
) -> None:
    """List run folders: title, state, size."""
    from bacclab.errors import StoreError

    root = Path(folder)
    if not root.is_dir():
        raise StoreError(f"there is no folder {folder!r}", hint="`bacclab run` makes one; or name another folder")
    found = [facts for path in sorted(root.iterdir()) if (facts := _facts(path)) is not None]
    if as_json:
        emit_json(found)
    elif not found:
        emit(f"no runs in {folder}")
        note_runs_below(root)
    else:
        columns = (Column("run"), Column("title"), Column("state"), Column("sessions", number=True), Column("begun"))
        rows = [
            (
                facts["run"],
                facts["title"] or "",
                facts["state"],
                "-" if facts["sessions"] is None else f"{facts['sessions']:,}",
                facts["begun"] or "",
            )
            for facts in found
        ]
        emit_table(columns, rows)


def note_runs_below(root: Path) -> None:
    """Say which folders in a folder hold runs: somebody who finds none in it may have meant one of them."""
    below = [str(path) for path in sorted(root.iterdir()) if _holds_runs(path)]
    if below:
        note(f"there are some in {shorten(', '.join(below), 200)}")


def _holds_runs(folder: Path) -> bool:
    from bacclab.tournament.folder.store import MANIFEST

    try:
        return folder.is_dir() and any((path / MANIFEST).is_file() for path in folder.iterdir())
    except OSError:  # a folder that we may not look into
        return False


def _facts(path: Path) -> dict[str, Any] | None:
    """What a listing says of a run folder; None for another folder."""
    from bacclab.errors import StoreError
    from bacclab.tournament.folder.store import MANIFEST, RunFolder

    if not (path / MANIFEST).is_file():
        return None
    facts: dict[str, Any] = {"run": str(path), "title": None, "state": "unreadable", "sessions": None, "begun": None}
    folder = RunFolder(path)
    try:
        manifest = folder.manifest()
    except StoreError:
        return facts
    sessions = None if "exact" in manifest else sum(cell["sessions"] for cell in manifest["cells"])
    return facts | {
        "title": manifest["title"],
        "state": folder.state(manifest),
        "sessions": sessions,
        "begun": manifest["begun"],
    }


def show(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run folder.")],
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", metavar="ID", help="Print this figure instead; may be repeated, `all` is every one."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print a run's summary and its audit.

    The audit sets each sampled return beside the exact one, with the distance in standard errors.
    """
    from bacclab.cli.metrics import show_metrics
    from bacclab.runs import load_run
    from bacclab.tournament.folder.doubts import doubting

    loaded = load_run(run)
    if metric:
        with doubting(loaded):
            show_metrics(loaded, metric, as_json=as_json)
        return
    with doubting(loaded):
        _show(loaded, as_json=as_json)


def _show(loaded: Run, *, as_json: bool) -> None:
    from bacclab.cli.summary import show_audit, show_summary, summary_rows, verdict

    if not as_json:
        show_summary(loaded)
        emit()
        show_audit(loaded)
        for line in loaded.warnings:
            emit(f"warning: {line}")
        return
    rows = summary_rows(loaded)
    audited = ["cell", "bettor", "staked", "return_on_stake", "expected_return", "expected_on"]
    audited += ["se_return", "se_controlled", "z"]
    audit = [{key: row.get(key) for key in audited} | {"verdict": verdict(row)} for row in rows]
    emit_json({"run": str(loaded.path), "summary": rows, "audit": audit})
