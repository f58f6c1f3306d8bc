"""How far a stranger's bettor is trusted: what it raises, how long it may take, and what is told of it.

A bettor made only of built-in parts that cannot be played is a mistake in the experiment, and stops the run. One with a
part from a plugin ends alone, with the reason; the others play on as if it had never been there.
"""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.bettors.view import UnseenNeeded
from bacclab.errors import BacclabError, BettorError, ResourceError, SourceError, StoreError, shorten
from bacclab.memory import want_of_memory_told
from bacclab.tournament.play.time_limit import time_limit

if TYPE_CHECKING:
    from bacclab.plugins.registry import Kind, Registry
    from bacclab.tournament.experiment.specs import BettorSpec

__all__ = ["Care", "Failure", "is_stranger", "named"]

_KINDS: tuple[Kind, ...] = ("bettors", "selections", "progressions")


@dataclass(frozen=True, slots=True)
class Care:
    """What is done with bettors from plugins: `strict` stops the run at the first that fails.

    `time_budget` are the seconds that one may take to be made ready, and for each block; None is no limit.
    """

    strict: bool = False
    time_budget: float | None = None

    def limit(self, *, stranger: bool) -> contextlib.AbstractContextManager[None]:
        """The limit on the time of one bettor; built-in ones have none."""
        seconds = self.time_budget if stranger else None
        return time_limit(seconds, what="its time budget", hint="another machine may be faster: plugins.time_budget")

    def endures(self, error: BacclabError, *, stranger: bool) -> bool:
        """Whether the run goes on without the bettor. What is wrong with the source, the disk or the memory is none."""
        return stranger and not self.strict and not isinstance(error, SourceError | StoreError | ResourceError)


@dataclass(frozen=True, slots=True, order=True)
class Failure:
    """Why a bettor has no results, and the first session of the block in which it failed (−1: before the first)."""

    first: int
    reason: str

    @classmethod
    def of(cls, error: BacclabError, name: str, *, first: int = -1) -> Failure:
        """The failure that an error tells of."""
        text = str(error)
        for before in (f"bettor {name!r} failed: ", f"bettor {name!r} failed in ", f"bettor {name!r}: "):
            text = text.removeprefix(before)
        return cls(first, shorten(text, 500))


def is_stranger(spec: BettorSpec, registry: Registry, *, others: Iterable[BettorSpec] = ()) -> bool:
    """Whether a bettor has a part from a plugin that is not built in, or plays after one of the `others` that has."""
    strange = {entry.id for kind in _KINDS for entry in registry.of(kind).values() if entry.origin != "built in"}
    by_name = {other.name: other for other in others}
    waiting, seen = [spec], {spec.name}
    while strange and waiting:
        one = waiting.pop()
        parts: list[Any] = [one.use, one.params]
        parts += [part for own in (one.select, one.stake) if own is not None for part in (own.id, own.params)]
        texts = {text for part in parts for text in _texts(part)}
        if texts & strange:
            return True
        waiting += [by_name[name] for name in sorted((texts & by_name.keys()) - seen)]
        seen |= texts
    return False


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


@contextlib.contextmanager
def named(bettor: str, *, stranger: bool) -> Iterator[None]:
    """Say which bettor a fault belongs to; a fault in a bettor's own code is told by its file and line.

    A stranger's fault is told with the session and round; a mistake in the parameters of a built-in one has none.
    """
    try:
        yield
    except UnseenNeeded:
        raise
    except BacclabError as error:
        if repr(bettor) in error.message:
            raise
        raise type(error)(
            f"bettor {bettor!r}: {_place(error) if stranger else ''}{error.message}", hint=error.hint
        ) from error
    except MemoryError:
        with want_of_memory_told(f"bettor {bettor!r}: "):
            raise
    except (Exception, SystemExit, GeneratorExit) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(last.filename).name}, line {last.lineno}"
        said = shorten(" ".join(str(error).split()), 300)
        place = f" in {found.removesuffix(': ')}" if (found := _place(error)) else ""
        raise BettorError(f"bettor {bettor!r} failed{place}: {type(error).__name__}: {said} ({where})") from error


def _place(error: BaseException) -> str:
    notes = getattr(error, "__notes__", ())
    return f"{notes[0]}: " if notes else ""
