"""The folder that the app shows: which runs there are, and the way to their files.

Whatever a browser names is looked up in a listing and never joined to a path, and what leads out of the folder (a
symbolic link, say) is not in the listing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bacclab.errors import StoreError, did_you_mean
from bacclab.tournament.folder.store import BLOCKS, EXPERIMENT, MANIFEST, RunFolder

__all__ = ["Entry", "RunsFolder", "inside"]

Signature = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Entry:
    """What the list says of one run; `state` is running, interrupted, complete or unreadable."""

    id: str
    path: Path
    state: str
    title: str = ""
    begun: str = ""
    bettors: tuple[str, ...] = ()
    sessions: int | None = None
    rounds: int | None = None
    cells: int = 0
    blocks: int = 0
    signature: Signature = (0, 0, 0)

    @property
    def name(self) -> str:
        """The title, or the name of the folder where there is none."""
        return self.title or self.id


class RunsFolder:
    """The run folders directly under `root`; where `root` is a run folder itself, that one alone."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise StoreError(
                f"there is no folder {str(root)!r}", hint="`bacclab run` makes one; or name another folder"
            )
        found = root.resolve()
        alone = (found / MANIFEST).is_file()
        self.root = found.parent if alone else found
        self._only = found.name if alone else None
        self._known: dict[str, tuple[Signature, Mapping[str, Any] | None]] = {}

    def entries(self) -> list[Entry]:
        """The runs that there are now, by name of folder."""
        return [entry for name in self._names() if (entry := self._entry(self.root / name)) is not None]

    def find(self, run: str | None) -> Entry:
        """The run of this name; StoreError, with the nearest name, if there is none."""
        listed = next((name for name in self._names() if name == run), None)
        entry = None if listed is None else self._entry(self.root / listed)
        if entry is None:
            known = [entry.id for entry in self.entries()]
            raise StoreError(f"there is no run {run!r} in this folder", hint=did_you_mean(run or "", known[:200]))
        return entry

    def manifest(self, entry: Entry) -> Mapping[str, Any]:
        """The manifest of a run; StoreError if it cannot be read."""
        known = self._manifest(entry.path)
        if known is None:
            raise StoreError(f"the manifest of {entry.id} cannot be read")
        return known[1]

    def frame(self, entry: Entry, name: str) -> Path:
        """The file of a frame of a complete run; StoreError unless it is in the folder and of its recorded size."""
        files = self.manifest(entry)["files"]
        frames = [file.removesuffix(".parquet") for file in files if file.endswith(".parquet")]
        if name not in frames:
            raise StoreError(f"{entry.id} has no frame {name!r}", hint=did_you_mean(name, frames))
        path = inside(self.root, entry.path / f"{name}.parquet")
        if path is None or not path.is_file():
            raise StoreError(f"{name}.parquet of {entry.id} is missing")
        if path.stat().st_size != files[f"{name}.parquet"]["bytes"]:
            raise StoreError(f"{name}.parquet of {entry.id} is damaged: it has not the size that was written")
        return path

    def experiment(self, entry: Entry) -> Path | None:
        """The experiment of a run as it was resolved; None where there is no such file."""
        path = inside(self.root, entry.path / EXPERIMENT)
        return path if path is not None and path.is_file() else None

    def blocks_done(self, entry: Entry) -> int:
        """How many blocks of a run that is not complete are finished."""
        folder = inside(self.root, entry.path / BLOCKS)
        if folder is None or not folder.is_dir():
            return 0
        return sum(item.name.endswith(".json") and not item.name.startswith(".") for item in os.scandir(folder))

    def _names(self) -> list[str]:
        return sorted(path.name for path in self.root.iterdir() if self._only in (None, path.name))

    def _entry(self, path: Path) -> Entry | None:
        own = inside(self.root, path)
        if own is None or not own.is_dir() or not (own / MANIFEST).is_file():
            return None
        known = self._manifest(path)
        if known is None:
            return Entry(path.name, own, "unreadable")
        signature, manifest = known
        cells = manifest["cells"]
        exact = "exact" in manifest
        bettors = manifest["experiment"].get("bettor", ())
        return Entry(
            id=path.name,
            path=own,
            state=RunFolder(own).state(manifest),
            title=str(manifest.get("title") or ""),
            begun=str(manifest.get("begun") or ""),
            bettors=tuple(str(row.get("name", "")) for row in bettors),
            sessions=None if exact else sum(int(cell["sessions"]) for cell in cells),
            rounds=cells[0].get("rounds") if cells else None,
            cells=len(cells),
            blocks=int(manifest.get("blocks") or 0),
            signature=signature,
        )

    def _manifest(self, path: Path) -> tuple[Signature, Mapping[str, Any]] | None:
        """The manifest of a folder, read again only when its file has changed; None if it is none that can be read."""
        file = inside(self.root, path / MANIFEST)
        if file is None:
            return None
        try:
            status = file.stat()
            signature = (status.st_mtime_ns, status.st_size, status.st_ino)
            known = self._known.get(path.name)
            if known is None or known[0] != signature:
                known = (signature, _plausible(RunFolder(path).manifest()))
                self._known[path.name] = known
        except (StoreError, OSError):
            return None
        return None if known[1] is None else (known[0], known[1])


def _plausible(manifest: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The manifest if its parts have the shape that the list reads, else None."""
    cells, files, experiment = (manifest[key] for key in ("cells", "files", "experiment"))
    bettors = experiment.get("bettor", ()) if isinstance(experiment, Mapping) else None
    whole = (
        isinstance(cells, list)
        and all(isinstance(cell, Mapping) and "sessions" in cell for cell in cells)
        and isinstance(files, Mapping)
        and all(isinstance(record, Mapping) and "bytes" in record for record in files.values())
        and isinstance(bettors, list | tuple)
        and all(isinstance(row, Mapping) for row in bettors)
    )
    return manifest if whole else None


def inside(root: Path, path: Path) -> Path | None:
    """The path with every symbolic link followed, if it lies in `root`; None if it leads elsewhere or in a circle.

    >>> inside(Path("/"), Path("/no/such/../file"))
    PosixPath('/no/file')
    >>> inside(Path("/no"), Path("/no/../etc")) is None
    True
    """
    try:
        found = path.resolve()
    except (OSError, RuntimeError, ValueError):  # a circle of links; a name with a null in it
        return None
    return found if found.is_relative_to(root) else None
