"""The command `bacclab`: its global options, and the groups of commands that it is made of."""

from __future__ import annotations

from typing import Annotated

import typer

from bacclab import __version__
from bacclab.cli import (
    bankroll,
    check,
    compare,
    cost,
    dashboard,
    docs,
    exact,
    export,
    late,
    listing,
    new,
    odds,
    plugins,
    query,
    report,
    roads,
    run,
    runs,
    schema,
    shoes,
)
from bacclab.cli.call import Call
from bacclab.cli.output import emit
from bacclab.errors import PluginError

app = typer.Typer(
    name="bacclab",
    help="Tests baccarat betting systems: deals mini-baccarat, lets every system play the same rounds, "
    "and compares bankrolls.",
    epilog="Example: bacclab run experiments/classics.toml",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain help starts faster and survives any encoding
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for group in (
    run,
    runs,
    report,
    compare,
    dashboard,
    export,
    query,
    odds,
    late,
    exact,
    bankroll,
    cost,
    listing,
    shoes,
    roads,
    plugins,
    new,
    check,
    docs,
    schema,
):
    group.add_to(app)


def _version(asked: bool) -> None:
    if asked:
        emit(f"bacclab {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    plugin: Annotated[
        list[str] | None, typer.Option("--plugin", metavar="FILE", help="Load a plugin file or package folder.")
    ] = None,
    plugins_dir: Annotated[
        list[str] | None, typer.Option("--plugins-dir", metavar="DIR", help="Load every plugin in a folder.")
    ] = None,
    block: Annotated[
        list[str] | None, typer.Option("-p", metavar="no:NAME", help="Leave out the plugin called NAME.")
    ] = None,
    strict_plugins: Annotated[bool, typer.Option("--strict-plugins", help="Stop if any plugin fails to load.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", help="Print the version and stop.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Tests baccarat betting systems."""
    for word in block or ():
        if not word.startswith("no:") or word == "no:":
            raise PluginError(f"-p {word}: the form is -p no:NAME", hint="to load a file, use --plugin FILE")
    context.obj = Call(
        files=tuple(plugin or ()),
        directories=tuple(plugins_dir or ()),
        blocked=tuple(word.removeprefix("no:") for word in block or ()),
        strict=strict_plugins,
        debug=debug,
    )


_FLAGS = ("--debug", "--strict-plugins")
_WITH_VALUE = ("--plugin", "--plugins-dir", "-p")


def global_options_first(words: list[str]) -> list[str]:
    """Move the global options to the front, so that they may stand behind the command as well.

    >>> global_options_first(["run", "x.toml", "--debug", "--plugin", "mine.py", "--seed", "4"])
    ['--debug', '--plugin', 'mine.py', 'run', 'x.toml', '--seed', '4']
    """
    front: list[str] = []
    rest: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        if word == "--":
            rest += words[position:]
            break
        if word in _FLAGS or word.startswith(tuple(f"{option}=" for option in _WITH_VALUE if option != "-p")):
            front.append(word)
        elif word in _WITH_VALUE:
            front += words[position : position + 2]
            position += 1
        else:
            rest.append(word)
        position += 1
    return front + rest
