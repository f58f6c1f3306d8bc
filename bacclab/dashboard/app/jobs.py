"""Runs that were started from the browser: each a process of its own, told to stop as with Ctrl-C.

What such a run has finished is kept, and it can be gone on with.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING

from bacclab.errors import StoreError
from bacclab.tournament.folder.store import MANIFEST, default_names, folder_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.dashboard.app.folder import Entry, RunsFolder

__all__ = ["Job", "Jobs"]

#: Runs at one time: a run uses every core, so more would only be in each other's way.
TOGETHER = 1
#: Lines of a process that are shown.
LINES = 40
#: Seconds that processes have to write what they are at when the app ends.
GRACE = 10.0

#: The command line with Ctrl-C as Python has it, also where the app itself was started so that it ignores it; -P, so
#: that no module comes from the folder in which the app happens to run.
COMMAND = (
    sys.executable,
    "-P",
    "-c",
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from bacclab.cli import main; sys.exit(main())",
)


@dataclass(slots=True)
class Job:
    """One process: the run that it makes, how it was started, and what it says."""

    run: str
    process: subprocess.Popen[bytes]
    said: IO[bytes]
    cancelled: bool = field(default=False)
    asked: float = field(default=0.0)
    """When it was told to stop, in seconds of the monotonic clock."""

    @property
    def deaf(self) -> bool:
        """Whether it was told to stop long ago and still runs."""
        return self.cancelled and self.code is None and time.monotonic() - self.asked > GRACE

    @property
    def code(self) -> int | None:
        """The exit code; None while it runs."""
        return self.process.poll()

    def lines(self) -> list[str]:
        """The last lines that it wrote."""
        if self.said.closed:
            return []
        size = os.fstat(self.said.fileno()).st_size
        data = os.pread(self.said.fileno(), 20_000, max(0, size - 20_000))
        return data.decode("utf-8", "replace").splitlines()[-LINES:]


class Jobs:
    """The processes that this app has started; no other process is ever touched."""

    def __init__(self, folder: RunsFolder, options: Sequence[str] = ()) -> None:
        self.folder = folder
        self.options = tuple(options)
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def start(self, text: str, *, stem: str) -> str:
        """Begin a run of an experiment text in a new folder named after `stem`; returns the name of the folder."""
        with self._lock:
            self._room()
            target = self._claim(folder_name(stem))
            path = target.with_name(f".{target.name}.toml")
            path.write_text(text, encoding="utf-8")
            self._begin(target, path, resume=False)
            return target.name

    def start_file(self, path: Path) -> str:
        """Begin a run of an experiment file."""
        with self._lock:
            self._room()
            target = self._claim(folder_name(path.stem))
            self._begin(target, path, resume=False)
            return target.name

    def resume(self, entry: Entry) -> None:
        """Go on with a run that was interrupted, from its experiment as it was resolved."""
        path = self.folder.experiment(entry)
        if path is None or entry.state != "interrupted":
            raise StoreError(f"{entry.id} cannot be gone on with: it is {entry.state}")
        with self._lock:
            self._room()
            self._begin(entry.path, path, resume=True)

    def cancel(self, run: str) -> bool:
        """Tell the process of a run to stop, as Ctrl-C does; False if this app has started none that runs.

        One that was told so long ago is ended with its workers: what it had finished is on the disk all the same.
        """
        job = self._jobs.get(run)
        if job is None or job.code is not None:
            return False
        if job.deaf:
            _end(job.process)
            return True
        job.cancelled, job.asked = True, time.monotonic()
        job.process.send_signal(signal.SIGINT)
        return True

    def job(self, run: str) -> Job | None:
        """The process of a run, running or ended; None if this app has started none."""
        return self._jobs.get(run)

    def running(self) -> list[str]:
        """The runs whose processes run."""
        return [run for run, job in self._jobs.items() if job.code is None]

    def close(self) -> list[str]:
        """Tell all processes to stop, and wait for them; returns the runs that were stopped."""
        stopped = [run for run in self.running() if self.cancel(run)]
        for run in stopped:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._jobs[run].process.wait(GRACE)
        for job in self._jobs.values():
            job.said.close()
        self._jobs.clear()
        return stopped

    def _room(self) -> None:
        running = self.running()
        if len(running) >= TOGETHER:
            raise StoreError(f"{running[0]} is still running", hint="wait for it, or cancel it")

    def _claim(self, stem: str) -> Path:
        """A new folder; making it is what claims its name."""
        for path in default_names(self.folder.root, stem):
            try:
                path.mkdir()
            except FileExistsError:
                continue
            except OSError as error:
                raise StoreError(f"{path} cannot be made: {error.strerror or error}") from error
            return path
        raise AssertionError("unreachable")

    def _begin(self, target: Path, config: Path, *, resume: bool) -> None:
        if (before := self._jobs.pop(target.name, None)) is not None:
            before.said.close()
        said = tempfile.TemporaryFile(prefix="bacclab-said-")  # noqa: SIM115 - open as long as the job is known
        words = [*self.options, "run", str(config), "--out", str(target), *(["--resume"] if resume else [])]
        process = subprocess.Popen(
            [*COMMAND, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=said,
            start_new_session=os.name == "posix",  # a Ctrl-C at the terminal of the app is for the app
        )
        self._jobs[target.name] = Job(target.name, process, said)

    def tidy(self, run: str) -> None:
        """Take away the folder that was claimed for a run that failed before it began."""
        job = self._jobs.get(run)
        folder = self.folder.root / run
        if job is not None and job.code is not None and folder.is_dir() and not (folder / MANIFEST).exists():
            (folder.with_name(f".{folder.name}.toml")).unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                folder.rmdir()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process that does not listen, and those that it has begun: it leads a group of its own."""
    with contextlib.suppress(ProcessLookupError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
