"""Commands that plugins bring: looked for only when the command line names one that is not built in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.cli.call import Call

if TYPE_CHECKING:
    from collections.abc import Sequence

    import typer


def foreign(app: typer.Typer, words: Sequence[str]) -> str | None:
    """The command that the words name, if it is not one of the app's; global options stand before it.

    >>> import typer
    >>> own = typer.Typer()
    >>> own.command("run")(print) and None
    >>> foreign(own, ["--plugin", "mine.py", "count", "5"]), foreign(own, ["run", "x.toml"]), foreign(own, ["--help"])
    ('count', None, None)
    """
    place = _place(words)
    if place is None:
        return None
    own = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    own |= {group.name for group in app.registered_groups if isinstance(group.name, str)}
    return words[place] if words[place] not in own else None


def _place(words: Sequence[str]) -> int | None:
    """Where the command stands behind the global options."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in ("--plugin", "--plugins-dir", "-p") else 1
    return place if place < len(words) else None


def call_command(name: str, words: Sequence[str]) -> int | None:
    """Run a plugin's command with the words behind its name; None if no plugin has one of that name."""
    import typer

    place = _place(words)
    assert place is not None
    call = _call(words[:place])
    entry = call.load().registry.commands.get(name)
    if entry is None:
        return None
    app: Any = entry.item.app
    if not isinstance(app, typer.Typer):
        function, app = app, typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        app.command(help=entry.item.title)(function)
    code = app(list(words[place + 1 :]), prog_name=f"bacclab {name}", standalone_mode=False, obj=call)
    return code if isinstance(code, int) else 0


def _call(words: Sequence[str]) -> Call:
    """The global options, as the app reads them."""
    values: dict[str, list[str]] = {"--plugin": [], "--plugins-dir": [], "-p": []}
    place = 0
    while place < len(words):
        option, equals, value = words[place].partition("=")
        if option in values:
            values[option].append(value if equals else "".join(words[place + 1 : place + 2]))
            place += 0 if equals else 1
        place += 1
    return Call(
        files=tuple(values["--plugin"]),
        directories=tuple(values["--plugins-dir"]),
        blocked=tuple(word.removeprefix("no:") for word in values["-p"]),
        strict="--strict-plugins" in words,
        debug="--debug" in words,
    )
