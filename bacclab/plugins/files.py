"""Where plugins are found, and how a file becomes a module.

A *candidate* is a plugin that was found and not yet imported: a built-in module, an entry point of an installed
package, or a file or folder that the user named. Nothing of the user's folders is put on the import path, and a file is
imported under a private name, so a plugin called `random.py` hides nothing.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import sys
import traceback
from dataclasses import dataclass, field
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING

from bacclab._version import __version__
from bacclab.errors import PluginError, nearest, shorten
from bacclab.hooks import PROJECT

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator
    from types import CodeType, ModuleType

PRIVATE_PREFIX = "_bacclab_plugin_"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plugin that was found: its name, where it lives, and how to import it."""

    name: str
    origin: str
    load: Callable[[], ModuleType] = field(repr=False)
    version: str | None = None
    path: Path | None = None
    """The file or package folder, with links resolved, where it is known before the import."""
    built_in: bool = False
    from_folder: bool = False
    """Found in a folder of plugins, not named by the user: it may turn out to be no plugin at all."""


def built_in_candidates(modules: Iterable[str]) -> Iterator[Candidate]:
    """The modules of bacclab that bring its own bettors, bets, tables and sources, through the hooks of all plugins.

    >>> [candidate.name for candidate in built_in_candidates(["bacclab.game.builtin"])]
    ['bacclab.game']
    """
    for module in modules:
        yield Candidate(
            name=module.removesuffix(".builtin"),
            origin="built in",
            load=lambda module=module: importlib.import_module(module),  # type: ignore[misc]
            version=__version__,
            built_in=True,
        )


def installed_candidates() -> Iterator[Candidate]:
    """Entry points of the group `bacclab`, each once, sorted by name, whatever the order of installation."""
    seen: set[tuple[str, str, str]] = set()
    found = sorted(
        importlib.metadata.entry_points(group=PROJECT), key=lambda point: (point.name, _distribution(point)[0])
    )
    for point in found:
        distribution, version = _distribution(point)
        # One package can be found twice (lib and lib64, an editable installation beside a plain one).
        identity = (distribution.lower().replace("_", "-"), point.name, point.value)
        if identity not in seen:
            seen.add(identity)
            origin = f"{distribution} {version}, module {point.value}"
            yield Candidate(name=point.name, origin=origin, load=point.load, version=version)


def _distribution(point: importlib.metadata.EntryPoint) -> tuple[str, str]:
    return (point.dist.name, point.dist.version) if point.dist else ("unknown package", "?")


def file_candidate(path: str | os.PathLike[str], *, from_folder: bool = False) -> Candidate:
    """A plugin of one file, or a package folder with an `__init__.py`; raises `PluginError` where there is none."""
    resolved = Path(path).expanduser().resolve()
    if resolved.is_dir():
        if not (resolved / "__init__.py").is_file():
            raise PluginError(f"plugin {path} is a folder without __init__.py", hint="name it with --plugins-dir")
    elif not resolved.is_file():
        beside = nearest(resolved.name, [file.name for file in resolved.parent.glob("*.py")])
        raise PluginError(f"plugin file {path} does not exist", hint=f"did you mean {beside}?" if beside else None)
    elif resolved.suffix != ".py":
        raise PluginError(f"plugin file {path} is not a Python file", hint="its name must end in .py")
    return Candidate(
        name=resolved.stem,
        origin=str(resolved),
        load=lambda: import_file(resolved),
        path=resolved,
        from_folder=from_folder,
    )


def directory_candidates(folder: str | os.PathLike[str]) -> Iterator[Candidate]:
    """Every Python file and every package in a folder, by name, but for tests and names that begin with `_` or `.`."""
    root = Path(folder).expanduser().resolve()
    if not root.is_dir():
        raise PluginError(f"plugins folder {folder} does not exist")
    for path in sorted(root.iterdir()):
        is_plugin = path.suffix == ".py" if path.is_file() else (path / "__init__.py").is_file()
        if is_plugin and not path.name.startswith(("_", ".", "test_", "conftest")) and path.name != "tests":
            yield file_candidate(path, from_folder=True)


def digest(path: Path) -> str:
    """SHA-256 of a file, or of all Python files of a package folder with their names, in hexadecimal."""
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    total = hashlib.sha256()
    for file in sorted(path.rglob("*.py")):
        total.update(file.relative_to(path).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()


def path_of(module: ModuleType | None) -> Path | None:
    """The file of a module, or the folder of a package, with links resolved."""
    file = getattr(module, "__file__", None)
    if not file:
        return None
    path = Path(file).resolve()
    return path.parent if path.name == "__init__.py" else path


class _FreshLoader(SourceFileLoader):
    """Compiles from the text each time: a cache that goes by whole seconds can miss an edit, and litters the folder."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def import_file(path: Path) -> ModuleType:
    """Import a file or package folder under a private name that stands for its place and its text.

    The name is the same in every process, so that workers can unpickle what the file defines. A file that was imported
    before and has not changed is not run again.
    """
    name = PRIVATE_PREFIX + hashlib.sha256(f"{path}\0{digest(path)}".encode()).hexdigest()[:24]
    if name in sys.modules:
        return sys.modules[name]
    is_package = path.is_dir()
    file = path / "__init__.py" if is_package else path
    spec = importlib.util.spec_from_file_location(
        name,
        file,
        loader=_FreshLoader(name, str(file)),
        submodule_search_locations=[str(path)] if is_package else None,
    )
    if spec is None or spec.loader is None:  # pragma: no cover - a loader was given
        raise PluginError(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        for loaded in [key for key in sys.modules if key == name or key.startswith(name + ".")]:
            del sys.modules[loaded]
        raise
    return module


def explain(error: BaseException, *, path: Path | None) -> str:
    """One line on why a plugin failed, with the line of its file where that is known.

    >>> explain(ValueError("no unit"), path=None)
    'ValueError: no unit'
    """
    if isinstance(error, PluginError):
        return str(error)
    text = shorten(" ".join(str(error).split()), 300)
    if isinstance(error, SyntaxError):
        text = f"{error.msg}"
        line = error.lineno
    else:
        own = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_inside(frame.filename, path)]
        line = own[-1].lineno if own else None
    message = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, SystemExit):
        message = f"it called sys.exit({error.code!r})"
    if isinstance(error, ModuleNotFoundError) and path is not None and error.name:
        beside = path.parent / f"{error.name.partition('.')[0]}.py"
        if beside.is_file():
            message += (
                f" (a plugin cannot import {beside.name} beside it: make both a package, a folder with __init__.py)"
            )
    return f"line {line}: {message}" if line else message


def _is_inside(filename: str, path: Path | None) -> bool:
    return path is not None and (Path(filename) == path or path in Path(filename).parents)
