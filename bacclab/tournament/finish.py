"""The end of a run: blocks become frames, frames are summed up and compared, and the manifest says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from bacclab.tournament.frames import BLOCK_FRAMES, EXACT_SCHEMAS, OVERLAY_FRAMES, cells_frame
from bacclab.tournament.ledger import CARDS_LEFT, FULL_SHOE
from bacclab.tournament.manifest import now
from bacclab.tournament.reduce import Reduction, last_point, write_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bacclab.tournament.plan import Cell, Plan
    from bacclab.tournament.store import BlockRecord, RunFolder


@dataclass(frozen=True, slots=True)
class Finished:
    """What finished blocks came to, for those who sum it up; by cell, in the order of the plan.

    ``sessions``, ``finals`` (the distribution at each cell's last round) and ``ruin`` (the frame exact_ruin, empty where
    there is none) are sorted by their keys.
    """

    cells: Sequence[Cell]
    sessions: pl.LazyFrame
    finals: pl.DataFrame
    ruin: pl.DataFrame
    played_by: Sequence[Mapping[str, str]]
    expected_on: Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Frames that sum up, by name; what the manifest says besides, by key; and lines that a reader should know."""

    frames: Mapping[str, pl.DataFrame]
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[str] = ()


class Conclude(Protocol):
    """Sums up and compares what was played."""

    def __call__(self, finished: Finished) -> Conclusion: ...


def finish(
    folder: RunFolder,
    plan: Plan,
    records: Sequence[BlockRecord],
    manifest: dict[str, Any],
    conclude: Conclude,
    *,
    seconds: Callable[[], float],
) -> None:
    """Write all frames, then the manifest of a complete run; then the blocks are taken away.

    The manifest is filled in; `conclude` makes the frames that sum up; `seconds` tells how long the run has taken so far.
    """
    by_cell: list[list[BlockRecord]] = [[] for _ in plan.cells]
    for done in sorted(records, key=lambda r: r.block):
        by_cell[done.block.cell].append(done)
    reduction = Reduction(folder, plan.cells, by_cell)
    written = {name: reduction.write(name) for name in BLOCK_FRAMES}
    overlaid = [name for name in OVERLAY_FRAMES if any(name in done.slices for done in records)]
    written |= {name: reduction.write(name) for name in overlaid}
    written["cells"] = write_frame(folder.path, "cells", [cells_frame(plan.cells)])
    concluded = conclude(
        Finished(
            cells=plan.cells,
            sessions=pl.scan_parquet(folder.path / "sessions.parquet", glob=False),
            finals=_finals(folder.path, plan.cells, by_cell),
            ruin=pl.read_parquet(folder.path / "exact_ruin.parquet", glob=False)
            if "exact_ruin" in overlaid
            else EXACT_SCHEMAS["exact_ruin"].to_frame(),
            played_by=[blocks[0].played_by for blocks in by_cell],
            expected_on=[_expected_on(blocks) for blocks in by_cell],
        )
    )
    written |= {
        name: write_frame(folder.path, name, [rows], schema=rows.schema) for name, rows in concluded.frames.items()
    }
    for entry, blocks in zip(manifest["cells"], by_cell, strict=True):
        entry["digest"] = f"{_digest(blocks):064x}"
        entry["played_by"] = dict(blocks[0].played_by)
        entry["why"] = dict(blocks[0].why)
        entry["expected_on"] = _expected_on(blocks)
    manifest |= {
        "state": "complete",
        "digest": f"{sum(map(_digest, by_cell)) % 2**256:064x}",
        "files": {f"{name}.parquet": found.as_dict() for name, found in written.items()},
        **concluded.facts,
        "warnings": [*manifest["warnings"], *concluded.warnings],
        "finished": now(),
    }
    manifest["timing"] = {"seconds": seconds(), "in_blocks": round(sum(done.seconds for done in records), 3)}
    folder.write_manifest(manifest)
    folder.remove_blocks()


def _expected_on(records: Sequence[BlockRecord]) -> dict[str, str]:
    """What each bettor's expectation was taken on; one that saw the cards in any block is one that sees them."""
    return {
        bettor: max((done.expected_on[bettor] for done in records), key=(FULL_SHOE, CARDS_LEFT).index)
        for bettor in records[0].expected_on
    }


def _digest(records: Sequence[BlockRecord]) -> int:
    return sum(done.digest for done in records) % 2**256


def _finals(path: Path, cells: Sequence[Cell], by_cell: Sequence[Sequence[BlockRecord]]) -> pl.DataFrame:
    """The histograms of final bankrolls: the rows of the distribution at the last round of each cell."""
    last = pl.DataFrame(
        {
            "cell": [cell.index for cell in cells],
            "round": [int(c.checkpoints[last_point(c, done)]) for c, done in zip(cells, by_cell, strict=True)],
        },
        schema={"cell": pl.Int64, "round": pl.Int64},
    )
    distribution = pl.scan_parquet(path / "distribution.parquet", glob=False)
    found = distribution.join(last.lazy(), on=["cell", "round"], how="semi").collect(engine="streaming")
    return found.sort("cell", "bettor", "bankroll")
