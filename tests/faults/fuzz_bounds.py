"""What a case of the fuzzer may do: so much time and memory, and writing in its own folder alone."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SECONDS = 30
MEMORY = 3 << 30
"""A case may take so many seconds of its own, and so many bytes of memory on top of what the process had."""


class Hang(BaseException):
    """A case took too long."""


_WATCHED: list[Path] = []
_WRITING = {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "shutil.rmtree"}


def watch(event: str, args: tuple[Any, ...]) -> None:
    if not _WATCHED or (event not in _WRITING and event != "open"):
        return
    path = args[0]
    if event == "open" and not (
        isinstance(path, str) and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    ):
        return
    if isinstance(path, int):
        return
    found = Path(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100 - links are not to be followed
    near = (
        found.is_relative_to(_WATCHED[-1]) or "__pycache__" in found.parts or found.suffix in (".nbi", ".nbc", ".pyc")
    )
    if not near and found != Path(os.devnull) and not str(found).startswith(("/proc/", "/dev/")):
        raise AssertionError(f"{event} touches {found}")


@contextlib.contextmanager
def allowed(folder: Path) -> Iterator[None]:
    """Allow only so many seconds, and writing only in a folder."""

    def late(*_: object) -> None:
        raise Hang(f"more than {SECONDS} s")

    before = [signal.signal(number, late) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of its own work: other programs may slow it down
    signal.alarm(20 * SECONDS)
    _WATCHED.append(folder.resolve())
    try:
        yield
    finally:
        _WATCHED.pop()
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.alarm(0)
        for number, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
            signal.signal(number, handler)


def limit_memory() -> None:
    """Allow this process only so much more memory than it has."""
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, resource.RLIM_INFINITY))
