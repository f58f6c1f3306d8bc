"""`bacclab new`: a plugin of one's own, from a template."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bacclab.cli.call import call_of
from bacclab.cli.output import emit, emit_json, note
from bacclab.errors import PluginError
from bacclab.scaffold import Kind, names_of, scaffold


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: bacclab new bettor double-up")(new)


def new(
    context: typer.Context,
    kind: Annotated[
        Kind, typer.Argument(metavar="KIND", help="bettor, selection, progression, bet (a side bet) or metric.")
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="What it is to be called, such as double-up.")],
    package: Annotated[bool, typer.Option("--package", help="A package to install, and not a single file.")] = False,
    vectorised: Annotated[
        bool, typer.Option("--vectorised", help="A bettor that plays many sessions at once, with arrays.")
    ] = False,
    to: Annotated[str, typer.Option("--to", metavar="DIR", help="Where to write it.")] = ".",
    as_json: Annotated[bool, typer.Option("--json", help="Print the names of the files as JSON.")] = False,
) -> None:
    """Begin a plugin: a file that plays at once, with tests.

    Nothing is overwritten.
    """
    names = names_of(name)
    id_ = names.bet if kind in ("bet", "metric") else names.id
    if id_ != name:
        note(f"{name!r} is written {id_!r} in experiment files")
    if vectorised and kind != "bettor":
        raise PluginError(f"--vectorised goes with a bettor; a {kind} is written plainly")
    taken = call_of(context).load().registry.of(f"{kind}s").get(id_)  # type: ignore[arg-type]
    if taken is not None:
        raise PluginError(f"there is a {kind} {id_!r} already, from {taken.plugin}", hint="choose another name")
    folder = Path(to)
    if folder.exists() and not folder.is_dir():
        raise PluginError(f"{to} is not a folder", hint="--to names a folder")
    written = scaffold(kind, names, folder=folder, package=package, vectorised=vectorised)
    if as_json:
        emit_json({"id": id_, "files": [str(path) for path in written]})
        return
    for path in written:
        emit(str(path))
    emit()
    for line in _next_steps(written, folder / names.package if package else None):
        emit(line)


def _next_steps(written: list[Path], root: Path | None) -> list[str]:
    experiment = written[-1]
    if root is None:
        return [f"check it:  bacclab check {written[0]}", f"play it:   bacclab run {experiment}"]
    return [
        f"install it:  pip install -e '{root}[test]'",
        f"check it:    pytest {root}",
        f"play it:     bacclab run {experiment}",
    ]
