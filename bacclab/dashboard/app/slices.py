"""One bettor in one cell, whose frames are read when a chart asks for them: most charts need one or two of seven."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bacclab.dashboard.run_frames import Slice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl

__all__ = ["LazySlice"]


class LazySlice(Slice):
    """A slice that reads its frames by name, each once.

    >>> def read(name):
    ...     print("reading", name)
    ...     return {}
    >>> part = LazySlice(cell=0, label="", bettor="x", position=0, start=100.0, rounds=9, read=read)
    >>> part.title, part.summary, part.summary
    reading summary
    ('x', {}, {})
    """

    __slots__ = ("_held", "_read")
    _held: dict[str, Any]
    _read: Callable[[str], Any]

    def __init__(
        self,
        *,
        cell: int,
        label: str,
        bettor: str,
        position: int,
        start: float,
        rounds: int,
        read: Callable[[str], Any],
    ) -> None:
        simple = {
            "cell": cell,
            "label": label,
            "bettor": bettor,
            "position": position,
            "start": start,
            "rounds": rounds,
        }
        for name, value in {**simple, "_read": read, "_held": {}}.items():
            object.__setattr__(self, name, value)

    def _get(self, name: str) -> Any:
        if name not in self._held:
            self._held[name] = self._read(name)
        return self._held[name]

    @property
    def summary(self) -> Mapping[str, Any]:
        """The row of the summary."""
        found: Mapping[str, Any] = self._get("summary")
        return found

    @property
    def distribution(self) -> pl.DataFrame:
        """The histograms at the checkpoints."""
        return self._frame("distribution")

    @property
    def endings(self) -> pl.DataFrame:
        """Sessions by ending and last round."""
        return self._frame("endings")

    @property
    def finals(self) -> pl.DataFrame:
        """Sessions by ending and final bankroll."""
        return self._frame("finals")

    @property
    def paths(self) -> pl.DataFrame:
        """The sampled sessions round by round."""
        return self._frame("paths")

    @property
    def fates(self) -> Mapping[int, str]:
        """How each of the sampled sessions ended."""
        found: Mapping[int, str] = self._get("fates")
        return found

    @property
    def exact_rounds(self) -> pl.DataFrame:
        """The exact course of a session."""
        return self._frame("exact_rounds")

    @property
    def exact_bands(self) -> pl.DataFrame:
        """Exact quantiles at the checkpoints."""
        return self._frame("exact_bands")

    def _frame(self, name: str) -> pl.DataFrame:
        found: pl.DataFrame = self._get(name)
        return found
