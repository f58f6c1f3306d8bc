"""A limit on the time that a stranger's code may take, so that a bettor that hangs cannot hold up a run.

In the main thread of a process on Linux and macOS the interval timer interrupts also what waits (a sleep, a lock,
input). Elsewhere (Windows, threads of a Dask worker, a process whose timer is in use) a second thread raises an
exception in the first: that interrupts Python code, and what waits only when it comes back. Nothing here is looked at
while time is left, so results do not depend on the clock unless the limit is passed.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

from bacclab.errors import BettorError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["OutOfTime", "time_limit"]

AGAIN = 1.0
"""Seconds after which code that swallowed the interruption is interrupted once more."""


class OutOfTime(BettorError):
    """A bettor took longer than its time budget."""


class _Interruption(BaseException):
    """Raised in the middle of the code that takes too long; no ``except Exception`` stops it."""


@contextlib.contextmanager
def time_limit(seconds: float | None, *, what: str, hint: str | None = None) -> Iterator[None]:
    """Raise OutOfTime, with a hint, if the block takes longer; without a limit do nothing.

    >>> with time_limit(0.05, what="its time budget"):
    ...     while True:
    ...         pass
    Traceback (most recent call last):
    bacclab.tournament.play.time_limit.OutOfTime: it took longer than its time budget of 0.05 s
    """
    if seconds is None:
        yield
        return
    guard = _timer(seconds) if _has_timer() else _second_thread(seconds)
    try:
        with guard:
            yield
    except _Interruption as stop:
        late = OutOfTime(f"it took longer than {what} of {seconds:g} s", hint=hint)
        for note in getattr(stop, "__notes__", ()):
            late.add_note(note)
        raise late from None


def _has_timer() -> bool:
    """Whether the interval timer is there and nobody else's."""
    return (
        hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and not any(signal.getitimer(signal.ITIMER_REAL))
    )


@contextlib.contextmanager
def _timer(seconds: float) -> Iterator[None]:
    def interrupt(*_: Any) -> None:
        raise _Interruption

    before = signal.signal(signal.SIGALRM, interrupt)

    def stop() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    # Twice: an interruption that comes on the way to the first stop must not leave the timer running.
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
            yield
        finally:
            stop()
    finally:
        stop()


@contextlib.contextmanager
def _second_thread(seconds: float) -> Iterator[None]:
    over = threading.Event()
    fired = threading.Event()
    watched = ctypes.c_ulong(threading.get_ident())

    def watch() -> None:
        wait = seconds
        while not over.wait(wait):
            fired.set()
            ctypes.pythonapi.PyThreadState_SetAsyncExc(watched, ctypes.py_object(_Interruption))
            wait = AGAIN

    watcher = threading.Thread(target=watch, daemon=True)
    try:
        try:
            watcher.start()  # in here: a short limit may be over before this returns
            yield
        finally:
            over.set()
    finally:  # once more, as above; what was sent at the last moment is waited for
        over.set()
        watcher.join()
        if fired.is_set():
            _let_it_land()


def _let_it_land() -> None:
    """An interruption that was sent and has not arrived must not reach the code that comes after."""
    with contextlib.suppress(_Interruption):
        for _ in range(100):
            time.sleep(0)
