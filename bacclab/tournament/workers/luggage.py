"""The files that workers on other machines need, sent along by content: plugins, and what a source reads.

A worker that finds the very same content in the same place uses that, so a plugin that reads a file beside it works
where folders are shared; otherwise it unpacks the copy. A file too large to be sent must lie where all machines see it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bacclab.errors import StoreError
from bacclab.plugins.files import directory_candidates
from bacclab.tournament.plan import files_of_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bacclab.plugins.loader import PluginRequest
    from bacclab.tournament.experiment.config import Experiment

__all__ = ["MOST_BYTES", "Luggage", "Packed", "pack", "pack_folder", "pack_plugin"]

MOST_BYTES = 2**24
"""A file or plugin with more bytes is not sent."""


@dataclass(frozen=True, slots=True)
class Packed:
    """One file or folder: its path, a digest of its content, and the content by relative names (None: too large)."""

    path: str
    sha256: str
    content: Mapping[str, bytes] | None
    kind: str

    def place(self, folder: Path) -> str:
        """Where it lies on this machine: in its own place if that holds the same, else unpacked in a folder.

        Raises StoreError for a file that was too large to be sent and is not here.
        """
        if _digest(_files(Path(self.path), self.kind)) == self.sha256:
            return self.path
        if self.content is None:
            raise StoreError(
                f"a worker does not see {self.path}, or sees another content there",
                hint=f"it is too large to be sent (over {MOST_BYTES >> 20} MiB): put it where all machines see it",
            )
        for name, data in self.content.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return str(folder if self.kind == "folder" else folder / Path(self.path).resolve().name)


def pack_plugin(path: str) -> Packed:
    """A file, or a package folder with everything in it."""
    return _packed(path, "plugin")


def pack_folder(path: str) -> Packed:
    """A folder of plugins: the plugins in it, not what else lies there."""
    return _packed(path, "folder")


def _packed(path: str, kind: str) -> Packed:
    size = sum(file.stat().st_size for file in _files(Path(path), kind).values())
    content = (
        {name: file.read_bytes() for name, file in _files(Path(path), kind).items()} if size <= MOST_BYTES else None
    )
    return Packed(path, _digest(_files(Path(path), kind)), content, kind)


def _files(path: Path, kind: str) -> dict[str, Path]:
    """What belongs to a path, by the names under which it is unpacked; empty if there is nothing."""
    if kind == "folder":
        plugins = [one.path for one in directory_candidates(path) if one.path] if path.is_dir() else []
    else:
        plugins = [path.resolve()]
    return {file.relative_to(plugin.parent).as_posix(): file for plugin in plugins for file in sorted(_inside(plugin))}


def _inside(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        for child in path.iterdir():
            if not child.name.startswith(".") and child.name != "__pycache__":
                yield from _inside(child)


def _digest(files: Mapping[str, Path]) -> str:
    total = hashlib.sha256()
    for name, file in files.items():
        with file.open("rb") as opened:
            total.update(name.encode() + b"\0" + hashlib.file_digest(opened, "sha256").digest())
    return total.hexdigest()


@dataclass(frozen=True, slots=True)
class Luggage:
    """All that is sent: files of plugins, folders of plugins, and files that sources read."""

    plugins: tuple[Packed, ...] = ()
    folders: tuple[Packed, ...] = ()
    inputs: tuple[Packed, ...] = ()

    def unpack(self, request: PluginRequest, folder: Path) -> tuple[PluginRequest, dict[str, str]]:
        """The same request with paths of this machine, and where the inputs lie, by their own paths."""
        here = {one.path: one.place(folder / f"{number}") for number, one in enumerate(self._all())}
        moved = {one.path: here[one.path] for one in self.inputs if here[one.path] != one.path}
        return replace(
            request,
            files=tuple(here[one.path] for one in self.plugins),
            directories=tuple(here[one.path] for one in self.folders),
        ), moved

    def _all(self) -> Iterable[Packed]:
        return (*self.plugins, *self.folders, *self.inputs)


def pack(experiment: Experiment, request: PluginRequest) -> Luggage:
    """The luggage of an experiment with its plugins."""
    cells = (experiment.cell(index)[1] for index in range(experiment.cell_count))
    inputs = {str(path) for cell in cells for path in files_of_source(cell).values()}
    return Luggage(
        plugins=tuple(pack_plugin(path) for path in request.files),
        folders=tuple(pack_folder(path) for path in request.directories),
        inputs=tuple(pack_plugin(path) for path in sorted(inputs)),
    )
