"""The run folder: its manifest, its lock, and the blocks that are finished.

* manifest.json: what was run, with what, and the digest of every file; written anew as the run goes on
* experiment.toml: the experiment as resolved
* blocks/: finished blocks while the run goes on: Parquet files, then a commit file that makes them count
* Parquet files: the frames, when the run is complete
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import shutil
from array import array
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from bacclab.errors import StoreError
from bacclab.tournament.files import (
    FileRecord,
    fault,
    is_held,
    json_text,
    locked,
    read_json,
    sealed,
    told,
    unsealed,
    write_atomically,
    write_json,
)
from bacclab.tournament.folder.doubts import misshapen
from bacclab.tournament.folder.shapes import MANIFEST_SHAPE, misfit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    import polars as pl

    from bacclab.tournament.plan import Block
    from bacclab.tournament.play.care import Failure

FORMAT = 1
"""Number of the layout of run folders; another number is refused."""

MANIFEST = "manifest.json"
EXPERIMENT = "experiment.toml"
BLOCKS = "blocks"
LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class Slice:
    """Where the rows of one bettor lie: a file of the block, the first row, and how many."""

    file: str
    offset: int
    rows: int


@dataclass(frozen=True, slots=True)
class BlockRecord:
    """What a commit file says of a finished block.

    ``slices`` are by frame and bettor; ``points`` are the rows of the distribution at each checkpoint, by bettor;
    ``digest`` is that of the block's dealt rounds; ``longest`` the most rounds that one of its sessions had; ``why``
    says of bettors that were not played from a table why they were not, ``failed`` of those without results why.
    """

    block: Block
    digest: int
    seconds: float
    longest: int
    played_by: Mapping[str, str]
    why: Mapping[str, str]
    expected_on: Mapping[str, str]
    failed: Mapping[str, Failure]
    files: Mapping[str, FileRecord]
    slices: Mapping[str, Mapping[str, Slice]]
    points: Mapping[str, Sequence[int]]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        block = self.block
        return {
            "cell": block.cell,
            "block": block.index,
            "first": block.first,
            "count": block.count,
            "bettor": block.bettor,
            "digest": f"{self.digest:064x}",
            "seconds": self.seconds,
            "longest": self.longest,
            "played_by": dict(self.played_by),
            "why": dict(self.why),
            "expected_on": dict(self.expected_on),
            "failed": {bettor: [failure.first, failure.reason] for bettor, failure in self.failed.items()},
            "files": {name: record.as_dict() for name, record in self.files.items()},
            "slices": {
                name: {bettor: [s.file, s.offset, s.rows] for bettor, s in slices.items()}
                for name, slices in self.slices.items()
            },
            "points": {bettor: list(rows) for bettor, rows in self.points.items()},
        }

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> BlockRecord:
        """Back from JSON."""
        from bacclab.tournament.plan import Block
        from bacclab.tournament.play.care import Failure

        return cls(
            block=Block(values["cell"], values["block"], values["first"], values["count"], values["bettor"]),
            digest=int(values["digest"], 16),
            seconds=values["seconds"],
            longest=values["longest"],
            played_by=values["played_by"],
            why=values["why"],
            expected_on=values["expected_on"],
            failed={bettor: Failure(*failure) for bettor, failure in values["failed"].items()},
            files={name: FileRecord.of(record) for name, record in values["files"].items()},
            slices={
                name: {bettor: Slice(*place) for bettor, place in slices.items()}
                for name, slices in values["slices"].items()
            },
            points={bettor: array("q", rows) for bettor, rows in values["points"].items()},
        )


class Shelf(Protocol):
    """Where the files of blocks are put: a run folder, or a parcel that is sent to one."""

    def put(self, name: str, data: bytes) -> None:
        """Keep a file: all of it or nothing."""
        ...


class BlockWriter:
    """Writes one block: rows bettor by bettor, then the commit file without which nothing of it counts."""

    #: Rows that are held before a file is written, so that many bettors need no more memory than a few.
    HELD_ROWS = 200_000

    def __init__(self, shelf: Shelf, block: Block) -> None:
        self.shelf = shelf
        self.block = block
        self.held: dict[str, list[pl.DataFrame]] = {}
        self.files: dict[str, FileRecord] = {}
        self.slices: dict[str, dict[str, Slice]] = {}
        self.points: dict[str, array[int]] = {}
        self.parts: dict[str, int] = {}
        self.expected_on: dict[str, str] = {}
        self.failed: dict[str, Failure] = {}

    def add(self, name: str, bettor: str, rows: pl.DataFrame) -> None:
        """The rows of one bettor for one frame."""
        held = self.held.setdefault(name, [])
        offset = sum(frame.height for frame in held)
        self.slices.setdefault(name, {})[bettor] = Slice(self._file(name), offset, rows.height)
        held.append(rows)
        if offset + rows.height >= self.HELD_ROWS:
            self._flush(name)

    def commit(
        self, *, digest: int, seconds: float, longest: int, played_by: Mapping[str, str], why: Mapping[str, str]
    ) -> BlockRecord:
        """Write what is held, then the commit file."""
        for name in list(self.held):
            self._flush(name)
        done = BlockRecord(
            block=self.block,
            digest=digest,
            seconds=seconds,
            longest=longest,
            played_by=dict(played_by),
            why={bettor: reason for bettor, reason in why.items() if reason},
            expected_on=self.expected_on,
            failed=self.failed,
            files=self.files,
            slices=self.slices,
            points=self.points,
        )
        self.shelf.put(_commit_name(self.block), json_text(sealed(done.as_dict())).encode())
        return done

    def _file(self, name: str) -> str:
        part = self.parts.setdefault(name, 0)
        return f"{_stem(self.block)}-{name}-{part}.parquet"

    def _flush(self, name: str) -> None:
        import polars as pl

        held = self.held.pop(name, [])
        if not held:
            return
        rows = pl.concat(held)
        buffer = io.BytesIO()
        rows.write_parquet(buffer, compression="lz4", row_group_size=max(1024, held[0].height), statistics=False)
        data = buffer.getvalue()
        file = self._file(name)
        self.parts[name] += 1
        self.shelf.put(file, data)
        self.files[file] = FileRecord(rows.height, len(data), hashlib.sha256(data).hexdigest())


class RunFolder:
    """One run folder on the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, out: Path | None, *, stem: str, root: Path) -> RunFolder:
        """A new folder: ``out``, absent or empty so far; or ``root/stem``, ``root/stem-2`` …, the first free one.

        Making the folder is what claims its name, so two runs at one moment get two folders.
        """
        if out is not None:
            with told(out):
                if out.exists() and not out.is_dir():
                    raise StoreError(f"{out} is a file", hint="--out names a folder")
                out.mkdir(parents=True, exist_ok=True)
            if not all(_is_leftover(path) for path in out.iterdir()):
                hint = "add --resume to go on with it" if (out / MANIFEST).exists() else "choose another --out"
                raise StoreError(f"the folder {out} is not empty", hint=hint)
            return cls(out)
        with told(root):
            root.mkdir(parents=True, exist_ok=True)
        for path in default_names(root, stem):
            with told(path), contextlib.suppress(FileExistsError):
                path.mkdir()
                return cls(path)
        raise AssertionError("unreachable")

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Hold the folder for this process while writing."""
        return locked(self.path / LOCK, what=f"the run folder {self.path}")

    def in_use(self) -> bool:
        """Whether a process is writing in the folder at this moment."""
        return is_held(self.path / LOCK)

    def state(self, manifest: Mapping[str, Any]) -> str:
        """How far the run is: running, interrupted (also when its process was killed) or complete."""
        found = str(manifest["state"])
        return "interrupted" if found == "running" and not self.in_use() else found

    def begin(self, manifest: Mapping[str, Any], experiment: str) -> None:
        """Write the first manifest and the resolved experiment; what a killed process left half written goes."""
        self.sweep()
        with told(self.path / BLOCKS):
            (self.path / BLOCKS).mkdir(exist_ok=True)
        self.write_manifest(manifest)  # first, so that a folder with a name in it can be told from a stranger's
        write_atomically(self.path / EXPERIMENT, lambda temporary: temporary.write_text(experiment, encoding="utf-8"))

    def sweep(self) -> None:
        """Take away what a process left half written that was killed; for whoever holds the lock."""
        for place in (self.path, self.path / BLOCKS):
            for leftover in place.glob(".*.tmp"):
                leftover.unlink(missing_ok=True)

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Replace the manifest."""
        write_json(self.path / MANIFEST, manifest)

    def manifest(self) -> dict[str, Any]:
        """The manifest; StoreError when this is no run folder or one of another format."""
        if not self.path.is_dir():
            raise StoreError(f"there is no run folder {self.path}")
        if not (self.path / MANIFEST).exists():
            raise StoreError(f"{self.path} is not a run folder: it has no {MANIFEST}")
        manifest = read_json(self.path / MANIFEST)
        if manifest.get("format") != FORMAT:
            raise StoreError(
                f"{self.path / MANIFEST} has format {manifest.get('format')!r}; this version reads format {FORMAT}"
            )
        wrong = misfit(manifest, MANIFEST_SHAPE)
        if wrong is not None:
            raise StoreError(f"{self.path / MANIFEST} is damaged: {wrong}")
        return manifest

    def commit_path(self, block: Block) -> Path:
        """The file that makes a block count."""
        return self.path / BLOCKS / _commit_name(block)

    def put(self, name: str, data: bytes) -> None:
        """Write a file of a block."""
        write_atomically(self.path / BLOCKS / name, lambda temporary: temporary.write_bytes(data))

    def finished(self, block: Block) -> BlockRecord | None:
        """The record of a block if it is finished and whole, else None (what is there of it will be written anew)."""
        try:
            found = BlockRecord.of(unsealed(read_json(self.commit_path(block))))
        except (StoreError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
            return None
        whole = found.block == block and not any(
            fault(self.path / BLOCKS / name, expected) for name, expected in found.files.items()
        )
        return found if whole else None

    def read_slices(self, name: str, bettor: str, blocks: Iterable[BlockRecord]) -> list[pl.DataFrame]:
        """The rows of a bettor in each of some finished blocks; none of a block that has none."""
        places = (done.slices.get(name, {}).get(bettor) for done in blocks)
        return self.read_rows([place for place in places if place is not None])

    def read_rows(self, places: Sequence[Slice]) -> list[pl.DataFrame]:
        """The rows of some slices, read side by side; StoreError names the first file that cannot be read."""
        import polars as pl

        def rows(place: Slice) -> pl.LazyFrame:
            return pl.scan_parquet(self.path / BLOCKS / place.file, glob=False).slice(place.offset, place.rows)

        faults = (pl.exceptions.PolarsError, OSError)
        try:
            return pl.collect_all([rows(place) for place in places])
        except faults:
            for place in places:
                try:
                    rows(place).collect()
                except faults as error:
                    raise StoreError(f"{self.path / BLOCKS / place.file} cannot be read: {error}") from None
            raise

    def tidy(self) -> None:
        """Take away what a process may have left that was killed when its run was complete: blocks and the lock.

        Nothing is done where the folder is in use or may only be read.
        """
        with contextlib.suppress(StoreError), self.lock():
            self.remove_blocks()

    def remove_blocks(self) -> None:
        """Take away the blocks, once the frames are complete."""
        shutil.rmtree(self.path / BLOCKS, ignore_errors=True)

    def broken_frame(self, manifest: Mapping[str, Any], *, digests: bool = True) -> str | None:
        """What is wrong with the first frame that is not as the manifest says; None if all are whole.

        Without `digests` only sizes, rows and columns are looked at, which takes no time.
        """
        for file, values in manifest["files"].items():
            expected, name = FileRecord.of(values), file.removesuffix(".parquet")
            found = fault(self.path / file, expected, digest=digests)
            found = found or misshapen(self.path / file, name, rows=expected.rows, exact="exact" in manifest)
            if found:
                return found
        return None


def fingerprint(values: Mapping[str, Any]) -> str:
    """A digest of plain values, whatever their order: equal for two runs that must give the same results."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def folder_name(title: str) -> str:
    """A folder name from the stem of a config file or a title.

    >>> folder_name("Late shoe: pairs / 8 decks")
    'late-shoe-pairs-8-decks'
    """
    name = re.sub(r"[^\w.-]+", "-", title).strip("-.").lower()
    return name[:60] or "run"


def default_names(root: Path, stem: str) -> Iterator[Path]:
    """The folders that runs of one name get, one after the other."""
    yield root / stem
    number = 2
    while True:
        yield root / f"{stem}-{number}"
        number += 1


def _is_leftover(path: Path) -> bool:
    """Whether this is all that is left of a run that was killed before its first manifest was written."""
    if path.name == BLOCKS:
        return path.is_dir() and not any(path.iterdir())
    return path.name == LOCK or (path.name.startswith(".") and path.suffix == ".tmp")


def _stem(block: Block) -> str:
    return f"c{block.cell:05d}-b{block.index:07d}"


def _commit_name(block: Block) -> str:
    return f"{_stem(block)}.json"
