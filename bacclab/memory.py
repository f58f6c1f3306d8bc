"""How much memory there is, so that what cannot fit is refused with a word and not ended by the operating system."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from bacclab.errors import ResourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["free_memory", "too_large", "want_of_memory_told"]

_CELL_BYTES = 8
_LIMITS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def free_memory() -> int | None:
    """Bytes that may still be used, by this machine or by this container of it; None where the system does not say."""
    found = []
    with contextlib.suppress(OSError):
        told = re.search(r"^MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)
        found += [int(told[1]) * 1024] if told else []
    for most, used in _LIMITS:
        with contextlib.suppress(OSError, ValueError):  # no such limit, or it is called "max"
            found.append(max(0, int(Path(most).read_text()) - int(Path(used).read_text())))
    return min(found, default=None)


def too_large(rows: int, columns: int, *, free: int | None = None) -> str | None:
    """Why a table cannot be read whole, in words; None if it can, or if nothing is known of the memory.

    It takes eight bytes for each value at least, however few bytes its file has. `free` is what there is, by default
    what the system says.

    >>> too_large(10**10, 20, free=2**30)
    'its 10,000,000,000 rows need 1,490.1 GiB of memory, and 1.0 GiB are free'
    >>> too_large(1000, 20, free=2**30) is None
    True
    """
    there = free_memory() if free is None else free
    need = rows * columns * _CELL_BYTES
    if there is None or need <= there:
        return None
    return f"its {rows:,} rows need {need / 2**30:,.1f} GiB of memory, and {there / 2**30:,.1f} GiB are free"


@contextlib.contextmanager
def want_of_memory_told(what: str = "") -> Iterator[None]:
    """Tell that memory has run out in words, with `what` in front: no bettor and no file is to blame for it.

    >>> with want_of_memory_told("bettor 'Big': "):
    ...     raise MemoryError("Unable to allocate 7.45 GiB")
    Traceback (most recent call last):
    bacclab.errors.ResourceError: bettor 'Big': there is not enough memory: Unable to allocate 7.45 GiB (finished ...
    """
    try:
        yield
    except MemoryError as error:
        said = f": {' '.join(str(error).split())[:200]}" if str(error) else ""
        raise ResourceError(
            f"{what}there is not enough memory{said}",
            hint="finished blocks are kept: go on with --resume, perhaps with fewer --workers",
        ) from error
