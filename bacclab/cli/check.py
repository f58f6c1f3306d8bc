"""`bacclab check`: the test kit for plugins, from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from bacclab.cli.call import call_of
from bacclab.cli.output import aside, emit, emit_json
from bacclab.errors import PluginError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bacclab.cli.call import Call
    from bacclab.plugins.loader import LoadedPlugins, PluginReport
    from bacclab.plugins.registry import Kind
    from bacclab.testing import Report

Item = tuple["Kind", Any]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab check plugins/opposite_last.py")(check)


def check(
    context: typer.Context,
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET", help="A plugin file or folder, an installed plugin, a registered id, or a CSV file."
        ),
    ],
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="CHECK", help="Make this check alone; may be repeated.")
    ] = None,
    sets: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="A parameter of the system, as in an experiment; may be repeated."
        ),
    ] = None,
    table: Annotated[str | None, typer.Option("--table", metavar="NAME", help="The table to play at.")] = None,
    bettor: Annotated[
        str | None,
        typer.Option("--bettor", metavar="NAME", help="For a CSV file of rounds: who is expected to bet so."),
    ] = None,
    experiment: Annotated[
        str | None, typer.Option("--experiment", metavar="FILE", help="The experiment in which that bettor stands.")
    ] = None,
    bankroll: Annotated[str, typer.Option("--bankroll", metavar="N", help="Its bankroll, without one.")] = "1000",
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Check a plugin: no look-ahead, reset, legal bets, and more.

    Ends with 2 if a check fails; each fault is told with the round at which it shows.

    TARGET may also be a CSV file of rounds with expected bets (columns round, outcome, bet, stake, and if wanted
    result, bankroll, shoe): with --bettor it is compared with what that bettor lays, and row and field are named where
    they part.
    """
    if target.lower().endswith(".csv"):
        _check_rounds(target, context, bettor, experiment, sets or (), table, bankroll, as_json=as_json)
        return
    with aside(as_json=as_json):
        loaded, items = _items(target, call_of(context))
        reports = _reports(items, loaded, only=only, sets=sets or (), table=table)
    if as_json:
        emit_json([report.as_dict() for report in reports])
    else:
        for report in reports:
            for line in report.lines():
                emit(line)
    if not all(report.ok for report in reports):
        raise typer.Exit(2)


def _check_rounds(
    target: str,
    context: typer.Context,
    bettor: str | None,
    experiment: str | None,
    sets: Sequence[str],
    table: str | None,
    bankroll: str,
    *,
    as_json: bool,
) -> None:
    from bacclab.cli.expected import check_rounds

    if bettor is None:
        raise PluginError(f"{target} says what is expected; who is to bet so?", hint="add --bettor NAME")
    agrees = check_rounds(
        target,
        call_of(context),
        bettor=bettor,
        experiment=experiment,
        values=_values(sets),
        table=table,
        bankroll=bankroll,
        as_json=as_json,
    )
    if not agrees:
        raise typer.Exit(2)


def _reports(
    items: Sequence[Item],
    loaded: LoadedPlugins,
    *,
    only: list[str] | None,
    sets: Sequence[str],
    table: str | None,
) -> list[Report]:
    from bacclab.testing import check_thing

    settings: dict[str, Any] = {"only": only} if only else {}
    if table is not None:
        settings["table"] = loaded.registry.get("tables", table).item
    if sets:
        settings["values"] = _values(sets)
    found = [check_thing(kind, item, **settings) for kind, item in items]
    reports = [report for report in found if report is not None]
    if not reports:
        raise PluginError("there is nothing in it that the kit can check")
    return reports


def _values(sets: Sequence[str]) -> dict[str, Any]:
    """Parameters from KEY=VALUE, the value as TOML has it, or else text."""
    import tomllib

    values: dict[str, Any] = {}
    for word in sets:
        key, equals, text = word.partition("=")
        if not equals or not key:
            raise PluginError(f"--set {word}: the form is KEY=VALUE")
        try:
            values[key] = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            values[key] = text
    return values


def _items(target: str, call: Call) -> tuple[LoadedPlugins, list[Item]]:
    """What a target names: all that a file, folder or installed plugin brings, or one registered thing."""
    from bacclab.plugins.loader import load_plugins
    from bacclab.plugins.registry import KINDS

    path = Path(target)
    if path.suffix == ".py" or path.is_dir():
        places = _plugins_in(path)
        loaded = load_plugins(
            files=(*call.files, *places), directories=call.directories, blocked=call.blocked, strict=True
        )
        wanted = {str(place.resolve()) for place in places}
        texts = {report.file_sha256 for report in loaded.reports if report.origin in wanted}
        # A package that is installed as well is in use under its own name: its text tells that it is the same.
        return loaded, _of(loaded, lambda report: report.origin in wanted or report.file_sha256 in texts - {None})
    loaded = call.load()
    items = _of(loaded, lambda report: report.name == target or report.origin.startswith(f"{target} "))
    items = items or [
        (kind, loaded.registry.of(kind)[target].item) for kind in KINDS if target in loaded.registry.of(kind)
    ]
    if not items:
        known = [*(report.name for report in loaded.reports), *(entry.id for _, entry in loaded.registry.entries())]
        hint = (
            f"`bacclab run {target}` plays an experiment, and tells its faults"
            if path.suffix.lower() == ".toml"
            else did_you_mean(target, known)
        )
        raise PluginError(f"there is no plugin, and nothing is registered, called {target!r}", hint=hint)
    return loaded, items


def _plugins_in(path: Path) -> list[Path]:
    """The plugin that a path names: a file, a package folder, or the packages in the folder of a project."""
    if path.is_file() or (path / "__init__.py").is_file() or not path.is_dir():
        return [path]
    if not (path / "pyproject.toml").is_file():
        raise PluginError(f"{path} is no package and has no pyproject.toml", hint="name a plugin file in it")
    homes = [home for home in (path, path / "src") if home.is_dir()]
    found = [init.parent for home in homes for init in sorted(home.glob("*/__init__.py"))]
    found = [place for place in found if place.name not in ("tests", "test")]
    if not found:
        raise PluginError(f"{path} has no package: no folder with an __init__.py")
    return found


def _of(loaded: LoadedPlugins, wanted: Callable[[PluginReport], bool]) -> list[Item]:
    """All that some plugins registered."""
    names = [item for report in loaded.reports if wanted(report) for item in report.items]
    found = []
    for name in dict.fromkeys(names):
        kind, _, id_ = name.partition("/")
        entries = loaded.registry.of(cast("Kind", kind))
        found.append((cast("Kind", kind), entries[id_].item))
    return found
