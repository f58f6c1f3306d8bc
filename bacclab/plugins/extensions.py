"""What a plugin can add to the tool itself: a format to export to, a command, a place to work.

A plugin of one file needs no more than this to have a format of its own::

    import bacclab as bl

    def names(run, folder):
        path = folder / "bettors.txt"
        path.write_text(", ".join(run.summary["bettor"]))
        return [path]

    EXPORTER = bl.Exporter("names", "The names of the bettors.", names)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from pathlib import Path

__all__ = ["Command", "Exporter", "Workers"]


BUILT_IN_COMMANDS = frozenset(
    [
        "bankroll",
        "bets",
        "bettors",
        "charts",
        "check",
        "compare",
        "cost",
        "dashboard",
        "docs",
        "exact",
        "export",
        "late",
        "metrics",
        "new",
        "odds",
        "plugins",
        "progressions",
        "query",
        "report",
        "roads",
        "run",
        "runs",
        "schema",
        "sections",
        "selections",
        "shoes",
        "show",
        "sources",
        "tables",
    ]
)
"""Names that no plugin's command can have."""


@dataclass(frozen=True, slots=True)
class Exporter:
    """A format for ``bacclab export RUN --to ID``: `write(run, folder)` writes a run and returns the files.

    `run` is a `bacclab.Run`; the folder exists. `title` says in a few words what is written.
    """

    id: str
    title: str
    write: Callable[[Any, Path], Iterable[Path]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Command:
    """A command of one's own, ``bacclab ID …``: `app` is a `typer.Typer`, or a function whose arguments typer reads.

    A built-in command of the same name comes first, so an id must be a new one.
    """

    id: str
    title: str
    app: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Workers:
    """A place where blocks are played, for ``bacclab run --workers ID`` or ``ID:ADDRESS``.

    `open(address)` is a context manager around a `concurrent.futures.Executor`; the address is what stands behind the
    colon, empty without one. Its workers need the same versions of Python, bacclab, installed plugins and libraries;
    files are sent to them, and what they did comes back. An executor with workers that come and go has a method
    ``capacity()``: how many tasks it does at a time now.
    """

    id: str
    title: str
    open: Callable[[str], AbstractContextManager[Executor]] = field(repr=False)
