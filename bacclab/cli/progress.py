"""How a long command shows how far it is: a bar on a terminal, a line now and then elsewhere. All of it on stderr."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

from bacclab.cli.output import note

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

_SECONDS_BETWEEN_LINES = 5.0


class Progress:
    """Shows how much of a whole is done. Use it in a `with` statement; quiet shows nothing but notes.

    >>> with Progress("rounds", quiet=True) as progress:
    ...     progress(50, 100)
    """

    def __init__(self, what: str, *, quiet: bool = False) -> None:
        self.what = what
        self.quiet = quiet
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None
        self._started = time.monotonic()
        self._last_line = self._started

    def __enter__(self) -> Self:
        if not self.quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f} %"),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def __call__(self, done: int, total: int) -> None:
        """Say that `done` of `total` parts are done."""
        if self.quiet:
            return
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task(self.what, total=total)
            self._bar.update(self._task, completed=done, total=total)
            return
        now = time.monotonic()
        if done < total and now - self._last_line >= _SECONDS_BETWEEN_LINES:
            self._last_line = now
            note(f"{self.what}: {done:,} of {total:,} ({done / total:.0%}), {now - self._started:.0f} s")

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        if self._bar is not None:
            self._bar.console.print(text, markup=False, highlight=False)
        elif not self.quiet:
            note(text)
