"""The manifest of a run: what was run and with what, in plain values."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
import platform
import shlex
from typing import TYPE_CHECKING, Any

from bacclab._version import __version__
from bacclab.money import from_amount
from bacclab.tournament.experiment.config import Experiment
from bacclab.tournament.experiment.csv_files import files_in
from bacclab.tournament.experiment.resolved import plain_value, resolved
from bacclab.tournament.folder.store import FORMAT, fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.game.tables import Table
    from bacclab.plugins.loader import LoadedPlugins
    from bacclab.tournament.plan import Cell, Plan

LIBRARIES = ("numpy", "polars", "numba", "pydantic")


def now() -> str:
    """This moment in UTC, as ISO 8601 to the second."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def identity(experiment: Experiment, loaded: LoadedPlugins) -> dict[str, Any]:
    """What decides the results: the experiment but for its title, plugins by text or version, bacclab's version."""
    values = resolved(experiment)
    values.pop("title")
    settings = {name: told for name, told in values.pop("plugins", {}).items() if name not in ("files", "time_budget")}
    values |= {"plugins": settings} if settings else {}
    return {"format": FORMAT, "bacclab": __version__, "experiment": values, "plugins": plugin_texts(loaded)}


def plugin_texts(loaded: LoadedPlugins) -> dict[str, str]:
    """Plugins in use that are not built in, by name, each with the digest of its text or else its version."""
    return {
        report.name: report.file_sha256 or report.version or ""
        for report in sorted(loaded.reports, key=lambda r: r.name)
        if report.state == "contributed" and not report.built_in
    }


def first_manifest(experiment: Experiment, plan: Plan, loaded: LoadedPlugins, *, block: int | None) -> dict[str, Any]:
    """The manifest before the first round."""
    sources = [plain_value(cell.source.describe()) for cell in plan.cells]
    return {
        "format": FORMAT,
        "state": "running",
        "title": experiment.title,
        "experiment": resolved(experiment),
        "experiment_text": experiment.text,
        "experiment_path": str(experiment.origin.path) if experiment.origin.path else None,
        "command": _command(experiment),
        "fingerprint": fingerprint(identity(experiment, loaded)),
        "seed": experiment.seed,
        "seed_given": experiment.seed_given,
        "generator": sources[0].get("generator"),
        "source": sources[0],
        "digest": None,
        "versions": versions(),
        "plugins": [_plugin(report) for report in loaded.reports],
        "inputs": files_in(resolved(experiment)),
        "tables": [_table(cell.table) for cell in plan.cells],
        "cells": [_cell(cell, source) for cell, source in zip(plan.cells, sources, strict=True)],
        "block": block,
        "blocks": plan.block_count,
        "files": {},
        "warnings": list(loaded.problems),
        "begun": now(),
        "finished": None,
        "timing": {},
    }


def versions() -> dict[str, str]:
    """Versions of Python and of the libraries that the figures pass through."""
    found = {"bacclab": __version__, "python": platform.python_version()}
    found |= {name: importlib.metadata.version(name) for name in LIBRARIES}
    return found | {"platform": platform.platform(terse=True)}


def _plugin(report: Any) -> dict[str, Any]:
    return {
        "name": report.name,
        "origin": report.origin,
        "state": report.state,
        "version": report.version,
        "sha256": report.file_sha256,
        "items": list(report.items) if not report.built_in else None,
        "error": report.error,
        "settings": plain_value(report.settings),
    }


def _table(table: Table) -> dict[str, Any]:
    """A table's rules by the keys of an experiment file; besides its title, its source and who pays commission."""
    paying = [bet.id for bet in table.bets.values() if bet.commission] if table.commission else []
    told = {"title": table.title, "source": table.source, "commission_on": paying}
    rules: dict[str, Any] = plain_value(table.settings())
    return told | rules


def _cell(cell: Cell, source: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "cell": cell.index,
        "label": cell.label,
        "settings": plain_value(cell.settings),
        "sessions": cell.sessions,
        "rounds": cell.horizon.rounds,
        "shoes": cell.horizon.shoes,
        "bankroll": from_amount(cell.bankroll),
        "table": cell.table.name,
        "source": source,
        "digest": None,
        "played_by": {},
        "why": {},
        "expected_on": {},
        "failed": {},
    }


def _command(experiment: Experiment) -> str:
    config = str(experiment.origin.path) if experiment.origin.path else "experiment.toml"
    options = [part for put in experiment.origin.assignments for part in put.shown.split(" ", maxsplit=1)]
    return shlex.join(["bacclab", "run", config, *options])
