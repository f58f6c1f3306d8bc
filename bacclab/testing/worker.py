"""The check that plays in another process: rebuilt there from its file and parameters, it must bet the same."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.plugins.files import PRIVATE_PREFIX, import_file
from bacclab.testing.report import CheckFailed, Skipped, said
from bacclab.testing.subject import Subject

if TYPE_CHECKING:
    from types import ModuleType

    from bacclab.game.tables import Table

Asked = list[list[tuple[int, str]]]
Home = tuple[str, str | None]
"""A module, and its file where it has no public name."""
OTHER_HASHES = "20261129"


def in_a_worker(subject: Subject) -> None:
    """Made in another process, where strings have other hashes, it asks for the same bets."""
    from bacclab.tournament.workers.executors import pool

    module, file, name = _home(subject.cls)
    offered_by = _home_of_table(subject.table)
    truth = subject.watch().asked
    before = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = OTHER_HASHES
    try:
        with pool(1) as executor:
            task = executor.submit(
                play_there, module, file, name, dict(subject.values), subject.table.name, offered_by,
                subject.seed, (subject.sessions, subject.rounds, subject.bankroll),
            )  # fmt: skip
            there = task.result()
    except Exception as error:
        raise CheckFailed(f"in another process: {said(error)}") from error
    finally:
        if before is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = before
    for session, (mine, yours) in enumerate(zip(truth, there, strict=True)):
        for (number, a), (_, b) in zip(mine, yours, strict=False):
            if a != b:
                raise CheckFailed(
                    f"session {session}, round {number}: it asked for {a} here and for {b} in another process: does "
                    "it go by the order of a set, by hash() or by id()?"
                )


def _home(cls: type) -> tuple[str, str | None, str]:
    """Where another process finds the class: its module, its file where the module has no public name, its name."""
    module = sys.modules.get(cls.__module__)
    path = getattr(module, "__file__", None)
    if "<locals>" in cls.__qualname__ or path is None or cls.__module__ == "__main__":
        raise Skipped("the class has no file from which another process could load it")
    if cls.__module__.startswith(PRIVATE_PREFIX):
        return cls.__module__, _file_of(path), cls.__qualname__
    if importlib.util.find_spec(cls.__module__.partition(".")[0]) is None:
        raise Skipped("its module cannot be imported by another process")
    return cls.__module__, None, cls.__qualname__


def _home_of_table(table: Table) -> Home | None:
    """The same for a table; None for a built-in one."""
    from bacclab.game.tables import BUILT_IN_TABLES

    if table.name in BUILT_IN_TABLES:
        return None
    homes = [
        module
        for module in list(sys.modules.values())
        if getattr(module, "__file__", None) is not None and any(value is table for value in vars(module).values())
    ]
    homes.sort(key=lambda module: not module.__name__.startswith(PRIVATE_PREFIX))
    if not homes:
        raise Skipped(f"the table {table.name} is no name in a file, so another process could not load it")
    home = homes[0]
    return home.__name__, _file_of(str(home.__file__)) if home.__name__.startswith(PRIVATE_PREFIX) else None


def _file_of(path: str) -> str:
    """The file to load again; for a package its folder."""
    place = Path(path)
    return str(place.parent if place.name == "__init__.py" else place)


def play_there(
    module: str,
    file: str | None,
    name: str,
    values: dict[str, Any],
    table: str,
    offered_by: Home | None,
    seed: int,
    size: tuple[int, int, int],
) -> Asked:
    """In the other process: load the class, play the sessions, give back what was asked for."""
    cls: Any = _loaded((module, file))
    for part in name.split("."):
        cls = getattr(cls, part)
    sessions, rounds, bankroll = size
    there = Subject(
        cls, values, table=_table(table, offered_by), seed=seed, sessions=sessions, rounds=rounds, bankroll=bankroll
    )
    return there.watch().asked


def _table(name: str, home: Home | None) -> Table:
    """A built-in table, or one that stands in a plugin."""
    from bacclab.game.tables import BUILT_IN_TABLES, Table

    if home is None:
        return BUILT_IN_TABLES[name]
    offered = vars(_loaded(home)).values()
    return next(value for value in offered if isinstance(value, Table) and value.name == name)


def _loaded(home: Home) -> ModuleType:
    module, file = home
    return importlib.import_module(module) if file is None else import_file(Path(file))
