"""`bacclab plugins`: which plugins were found, what came of each, and why one failed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bacclab.cli.call import call_of
from bacclab.cli.options import AsJson
from bacclab.cli.output import Column, emit, emit_json, emit_table
from bacclab.errors import PluginError, did_you_mean

if TYPE_CHECKING:
    from bacclab.plugins.loader import PluginReport


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab --plugin plugins/opposite_last.py plugins --errors")(plugins)


def plugins(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Show one plugin in full.")] = None,
    errors: Annotated[bool, typer.Option("--errors", help="Only those that failed, with tracebacks.")] = False,
    as_json: AsJson = False,
) -> None:
    """List plugins: origin, contents, failures."""
    call = call_of(context)
    loaded = call.load()
    reports = [report for report in loaded.reports if not errors or report.state == "failed"]
    if name is not None:
        reports = [report for report in reports if report.name == name]
        if not reports:
            hint = did_you_mean(name, [report.name for report in loaded.reports])
            raise PluginError(f"there is no plugin {name!r}", hint=hint)
    if as_json:
        emit_json([_as_dict(report) for report in reports])
    elif name is not None or errors:
        for report in reports:
            _show(report)
        if not reports:
            emit("no plugin failed")
    else:
        columns = (Column("plugin"), Column("state"), Column("version"), Column("registers"), Column("where"))
        emit_table(columns, [_row(report) for report in reports])


def _as_dict(report: PluginReport) -> dict[str, Any]:
    return {
        "name": report.name,
        "state": report.state,
        "version": report.version,
        "origin": report.origin,
        "file_sha256": report.file_sha256,
        "items": list(report.items),
        "error": report.error,
        "settings": None if report.settings is None else {name: str(value) for name, value in report.settings.items()},
        "traceback": report.traceback,
    }


def _row(report: PluginReport) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for item in report.items:
        kind = item.partition("/")[0]
        counts[kind] = counts.get(kind, 0) + 1
    registers = ", ".join(f"{count} {kind if count > 1 else kind.removesuffix('s')}" for kind, count in counts.items())
    return report.name, report.state, report.version or "", registers or (report.error or ""), report.origin


def _show(report: PluginReport) -> None:
    emit(f"{report.name}: {report.state}")
    for label, value in (
        ("where", report.origin),
        ("version", report.version),
        ("sha256", report.file_sha256),
        ("registers", ", ".join(report.items)),
        ("error", report.error),
        ("settings", ", ".join(f"{name} = {value}" for name, value in (report.settings or {}).items())),
    ):
        if value:
            emit(f"  {label}: {value}")
    if report.traceback:
        emit(report.traceback)
