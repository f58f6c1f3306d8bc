"""What the global options of one call say, and the plugins that follow from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import typer

from bacclab.cli.output import note

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from bacclab.plugins import LoadedPlugins


@dataclass(slots=True)
class Session:
    """The global options: which plugins to load, and whether to show tracebacks."""

    files: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    strict: bool = False
    debug: bool = False
    _told: set[str] = field(default_factory=set)

    def load(self, *, files: Iterable[str | Path] = ()) -> LoadedPlugins:
        """Load the plugins, those of `files` as well, and tell on stderr which of them failed."""
        from bacclab.plugins import load_plugins

        loaded = load_plugins(
            files=(*self.files, *files), directories=self.directories, blocked=self.blocked, strict=self.strict
        )
        self.tell(loaded)
        return loaded

    def tell(self, loaded: LoadedPlugins) -> None:
        """One line on stderr for each plugin that failed, once."""
        for report, line in zip((r for r in loaded.reports if r.state == "failed"), loaded.problems, strict=True):
            if line not in self._told:
                self._told.add(line)
                note(f"warning: {line}")
                if self.debug and report.traceback:
                    note(report.traceback)


def session_of(context: typer.Context) -> Session:
    """The global options of the call that a command belongs to."""
    session = context.find_root().obj
    assert isinstance(session, Session)
    return session
