"""What charts read of a run: its frames, and the rows of one bettor in one cell of each of them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from bacclab.errors import ConfigError

if TYPE_CHECKING:
    import polars as pl

__all__ = ["RunFrames", "Slice", "apart", "part_of"]


class RunFrames(Protocol):
    """The part of a run that charts and pages read: its frames and its manifest."""

    @property
    def summary(self) -> pl.DataFrame:
        """One row per cell and bettor."""

    @property
    def sessions(self) -> pl.DataFrame:
        """One row per session."""

    @property
    def distribution(self) -> pl.DataFrame:
        """How many sessions stand at each bankroll, by checkpoint."""

    @property
    def trajectories(self) -> pl.DataFrame:
        """A sample of sessions, round by round."""

    @property
    def comparisons(self) -> pl.DataFrame:
        """Pairs of bettors on the same rounds."""

    @property
    def cells(self) -> pl.DataFrame:
        """The cells of the sweep."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """How the run was made."""


@dataclass(frozen=True, slots=True)
class Slice:
    """One bettor in one cell.

    `endings` counts sessions by ended_by and ended_round, with the sum of their expectations; `finals` counts them by
    ended_by and final bankroll; in an exact run they hold probabilities, and are empty in a run that holds neither.
    `paths` are the sampled sessions round by round, `fates` how each of them ended. `exact_rounds` and `exact_bands`
    are exact results, empty where they were not worked out.
    """

    cell: int
    label: str
    bettor: str
    position: int
    start: float
    rounds: int
    summary: Mapping[str, Any]
    distribution: pl.DataFrame
    endings: pl.DataFrame
    finals: pl.DataFrame
    paths: pl.DataFrame
    fates: Mapping[int, str]
    exact_rounds: pl.DataFrame
    exact_bands: pl.DataFrame

    @property
    def is_exact(self) -> bool:
        """Whether the figures themselves are exact, and not sampled."""
        return self.summary.get("played_by") == "exact"

    @property
    def title(self) -> str:
        """The bettor, and the cell where there are several."""
        return f"{self.bettor} ({self.label})" if self.label else self.bettor


def apart(frame: pl.DataFrame) -> dict[tuple[Any, ...], pl.DataFrame]:
    """The rows of each cell and bettor; frames are sorted by them, so each has its rows in one piece.

    >>> import polars as pl
    >>> found = apart(pl.DataFrame({"cell": [0, 0, 1], "bettor": ["a", "b", "a"], "net": [5, 6, 7]}))
    >>> {key: rows["net"].to_list() for key, rows in found.items()}
    {(0, 'a'): [5], (0, 'b'): [6], (1, 'a'): [7]}
    """
    import polars as pl

    # Where a piece begins is looked for in two flags a row: whole keys would double the memory of a large frame.
    other = pl.any_horizontal(pl.col(name).ne_missing(pl.col(name).shift()) for name in ("cell", "bettor"))
    starts = frame.select(other.arg_true()).to_series().to_list()
    found: dict[tuple[Any, ...], pl.DataFrame] = {}
    for first, end in itertools.pairwise([*starts, frame.height]):
        piece = frame.slice(first, end - first)
        found[piece["cell"][0], piece["bettor"][0]] = piece
    return found


def part_of(parts: Mapping[tuple[Any, ...], pl.DataFrame], key: tuple[int, str], name: str) -> pl.DataFrame:
    """The rows of a cell and bettor, no rows of a frame that has none; ConfigError for a run without bankrolls."""
    if key in parts:
        return parts[key]
    if name == "distribution":
        raise ConfigError(f"the run holds no bankrolls of {key[1]!r} in cell {key[0]}", hint="run it again")
    import polars as pl

    empty: dict[str, dict[str, Any]] = {
        "endings": {"ended_by": pl.String, "ended_round": pl.Int64, "sessions": pl.Int64, "expected": pl.Float64},
        "finals": {"ended_by": pl.String, "final": pl.Float64, "sessions": pl.Int64},
        "trajectories": {"session": pl.Int64, "round": pl.Int64, "bankroll": pl.Float64},
        "exact_rounds": {"round": pl.Int64},
        "exact_bands": {"round": pl.Int64},
    }
    return pl.DataFrame(schema=empty[name])
