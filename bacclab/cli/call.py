"""What the global options of one call say, and the plugins that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from bacclab.cli.output import note

if TYPE_CHECKING:
    from bacclab.plugins.loader import LoadedPlugins, PluginRequest


@dataclass(slots=True)
class Call:
    """The global options: which plugins to load, and whether to show tracebacks."""

    files: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    strict: bool = False
    debug: bool = False

    @property
    def request(self) -> PluginRequest:
        """The plugins that were asked for."""
        from bacclab.plugins.loader import PluginRequest

        return PluginRequest(self.files, self.directories, self.blocked, self.strict)

    def load(self) -> LoadedPlugins:
        """Load the plugins, and tell on stderr which of them failed, a line each."""
        from bacclab.plugins.loader import load_plugins

        loaded = load_plugins(files=self.files, directories=self.directories, blocked=self.blocked, strict=self.strict)
        for line in loaded.problems:
            note(f"warning: {line}")
        return loaded


def call_of(context: typer.Context) -> Call:
    """The global options of the call that a command belongs to."""
    call = context.find_root().obj
    assert isinstance(call, Call)
    return call
