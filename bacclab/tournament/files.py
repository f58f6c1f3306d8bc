"""Writing files so that half of one is never read as whole, and proving that a file is the one that was written."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NoReturn

from bacclab.errors import StoreError, shorten
from bacclab.json_text import holds_half_a_character

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


_SEAL: Final = "sealed"


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What is known of a finished file: rows, bytes and SHA-256."""

    rows: int
    bytes: int
    sha256: str

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"rows": self.rows, "bytes": self.bytes, "sha256": self.sha256}

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> FileRecord:
        """Back from JSON."""
        return cls(int(values["rows"]), int(values["bytes"]), str(values["sha256"]))


def write_atomically(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a temporary file beside ``path``; it takes the name only when it is whole and on the disk."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with told(path):
        try:
            write(temporary)
            sync(temporary)
            temporary.replace(path)
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink()


def put_file(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file whose name a user gave: the folders above it are made; no device is replaced, and no link to a file.

    `write` fills the file that it is handed, as for `write_atomically`. StoreError where the file cannot be written.
    """
    refuse_device(path)
    with told(path):
        target = Path(os.path.realpath(path)) if path.is_symlink() else path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:  # what is there is a file, and it is not the one that was to be written
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from error
    write_atomically(target, write)


def ending_of(path: Path, endings: Sequence[str], *, why: str = "") -> str:
    """The ending of a file that is to be written, which says in what form; StoreError if it is none of `endings`.

    ``.htm`` is taken for ``.html``; `why` is a reason, put behind what is to be done.

    >>> from pathlib import Path
    >>> ending_of(Path("pairs.CSV"), (".html", ".csv"))
    '.csv'
    >>> ending_of(Path("pairs.xlsx"), (".html", ".csv"))
    Traceback (most recent call last):
    bacclab.errors.StoreError: the ending of pairs.xlsx is not that of what is written (end the name in .html or .csv)
    """
    ending = path.suffix.lower()
    ending = ".html" if ending == ".htm" else ending
    if ending not in endings:
        hint = f"end the name in {' or '.join(endings)}{why}"
        raise StoreError(f"the ending of {path} is not that of what is written", hint=hint)
    return ending


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """Tell a fault of the disk or the path as a StoreError that names it: a full disk, a name that is too long."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
    except Exception as error:
        if not _of_polars(error):
            raise
        raise StoreError(f"{path} cannot be written: {' '.join(str(error).split())}") from error


def _of_polars(error: Exception) -> bool:
    """Whether polars says so: to it a full disk is a fault of the format. It is not imported where it was not used."""
    known = sys.modules.get("polars.exceptions")
    return known is not None and isinstance(error, known.PolarsError)


def refuse_device(path: Path) -> None:
    """Refuse a target that is there and is no regular file, such as /dev/null, which a new file must not replace.

    >>> from pathlib import Path
    >>> refuse_device(Path("/dev/null"))
    Traceback (most recent call last):
    bacclab.errors.StoreError: /dev/null is not a regular file (name a new file, or one to write over)
    """
    with told(path):
        if path.exists() and not path.is_file():
            what = "a folder" if path.is_dir() else "not a regular file"
            raise StoreError(f"{path} is {what}", hint="name a new file, or one to write over")


def is_there(path: Path) -> bool:
    """Whether there is a file or folder of this name; a name that no disk can hold is not there.

    >>> from pathlib import Path
    >>> is_there(Path("x" * 5000)), is_there(Path("."))
    (False, True)
    """
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def sync(path: Path) -> None:
    """Wait until the bytes of a file are on the disk."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """Write JSON atomically."""
    text = json_text(values)
    write_atomically(path, lambda temporary: temporary.write_text(text, encoding="utf-8"))


def json_text(values: Mapping[str, Any]) -> str:
    r"""JSON as it is written to files: in lines, and NaN is refused.

    >>> json_text({"drawn": 3})
    '{\n "drawn": 3\n}\n'
    """
    return json.dumps(values, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON object; StoreError names the file if it is missing or damaged."""
    try:
        text = path.read_text(encoding="utf-8")
        values = json.loads(text, parse_constant=_no_number)
        if holds_half_a_character(text, values):
            raise ValueError("it holds half of a character (a lone surrogate)")
    except FileNotFoundError:
        raise StoreError(f"{path} is missing") from None
    except (ValueError, OSError) as error:
        raise StoreError(f"{path} cannot be read: {shorten(str(error), 200)}") from None
    except RecursionError:
        raise StoreError(f"{path} cannot be read: it is nested too deeply") from None
    if not isinstance(values, dict):
        raise StoreError(f"{path} is not a JSON object")
    return values


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def sealed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Plain values with a digest of their own, by which a change of any of them is found.

    >>> unsealed(sealed({"a": 1}))
    {'a': 1}
    >>> unsealed(sealed({"a": 1}) | {"a": 2})
    Traceback (most recent call last):
    bacclab.errors.StoreError: the values are not those that were written
    """
    return {**values, _SEAL: _digest_of(values)}


def unsealed(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without their digest; StoreError if it is not theirs."""
    plain = {name: value for name, value in values.items() if name != _SEAL}
    if values.get(_SEAL) != _digest_of(plain):
        raise StoreError("the values are not those that were written")
    return plain


def _digest_of(values: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True, allow_nan=False).encode()).hexdigest()


def record(path: Path, *, rows: int) -> FileRecord:
    """The record of a file as it is now."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return FileRecord(rows, path.stat().st_size, digest)


def fault(path: Path, expected: FileRecord, *, digest: bool = True) -> str | None:
    """What is wrong with a file, in words that name it; None if it is the one that was recorded.

    Without `digest` only its size is looked at.
    """
    try:
        found = path.stat().st_size
    except FileNotFoundError:
        return f"{path} is missing"
    except OSError as error:  # a circle of links, a folder that may not be entered
        return f"{path} cannot be read: {error.strerror or error}"
    if found != expected.bytes:
        return f"{path} is damaged: {found:,} bytes where {expected.bytes:,} were written"
    if digest and record(path, rows=expected.rows).sha256 != expected.sha256:
        return f"{path} is damaged: its contents are not those that were written"
    return None


@contextlib.contextmanager
def locked(path: Path, *, what: str) -> Iterator[None]:
    """Hold a lock file while in use by this process; a second process gets a StoreError that names the first.

    The operating system drops the lock when its process ends, however that happens, so no lock outlives its owner.
    """
    while True:
        with told(path):
            path.touch()
            file = path.open("r+b")
        if not _locked_soon(file):
            owner = file.read().decode("utf-8", "replace").strip()
            file.close()
            raise StoreError(f"{what} is in use by another process{f' ({owner})' if owner else ''}")
        with contextlib.suppress(FileNotFoundError):
            if os.fstat(file.fileno()).st_ino == path.stat().st_ino:
                break
        file.close()  # its owner took the file away between our opening and locking it
    try:
        file.truncate(0)
        file.write(f"process {os.getpid()}\n".encode())
        file.flush()
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
        file.close()


def is_held(path: Path) -> bool:
    """Whether a process holds a lock file at this moment; nothing is written, so a read-only folder will do."""
    try:
        with path.open("rb") as file:
            return not _try_lock(file, shared=True)
    except OSError:
        return False


def _locked_soon(file: BinaryIO) -> bool:
    """Whether the lock is ours; somebody who only looks whether it is held has it for a moment."""
    for pause in (0.02, 0.1, None):
        if _try_lock(file):
            return True
        if pause is not None:
            time.sleep(pause)
    return False


def _try_lock(file: BinaryIO, *, shared: bool = False) -> bool:
    try:
        if os.name == "nt":  # pragma: no cover - another operating system
            import msvcrt

            file.seek(1 << 20)  # past the text, so that others can read who holds it
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
            file.seek(0)
        else:
            import fcntl

            fcntl.flock(file.fileno(), (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
