"""The end of a run: blocks become frames, frames are summed up and compared, and the manifest says so."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import polars as pl

from bacclab.tournament.frames import BLOCK_FRAMES, OVERLAY_FRAMES, cells_frame
from bacclab.tournament.ledger import CARDS_LEFT, FULL_SHOE
from bacclab.tournament.manifest import now
from bacclab.tournament.reduce import Reduction, last_point, write_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from bacclab.tournament.files import FileRecord
    from bacclab.tournament.plan import Cell, Plan
    from bacclab.tournament.store import BlockRecord, RunFolder


def finish(
    folder: RunFolder,
    plan: Plan,
    records: Sequence[BlockRecord],
    manifest: dict[str, Any],
    *,
    seconds: Callable[[], float],
) -> None:
    """Write all frames, then the manifest of a complete run; then the blocks are taken away.

    The manifest is filled in; `seconds` tells how long the run has taken so far.
    """
    by_cell: list[list[BlockRecord]] = [[] for _ in plan.cells]
    for done in sorted(records, key=lambda r: r.block):
        by_cell[done.block.cell].append(done)
    reduction = Reduction(folder, plan.cells, by_cell)
    written = {name: reduction.write(name) for name in BLOCK_FRAMES}
    overlaid = [name for name in OVERLAY_FRAMES if any(name in done.slices for done in records)]
    written |= {name: reduction.write(name) for name in overlaid}
    cells = cells_frame(plan.cells)
    written["cells"] = write_frame(folder.path, "cells", [cells])
    warnings = _analyse(folder.path, plan, by_cell, cells, written)
    for entry, blocks in zip(manifest["cells"], by_cell, strict=True):
        entry["digest"] = f"{_digest(blocks):064x}"
        entry["played_by"] = dict(blocks[0].played_by)
        entry["why"] = dict(blocks[0].why)
        entry["expected_on"] = _expected_on(blocks)
    manifest |= {
        "state": "complete",
        "digest": f"{sum(map(_digest, by_cell)) % 2**256:064x}",
        "files": {f"{name}.parquet": found.as_dict() for name, found in written.items()},
        "warnings": [*manifest["warnings"], *warnings],
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


def _analyse(
    path: Path,
    plan: Plan,
    by_cell: Sequence[Sequence[BlockRecord]],
    cells: pl.DataFrame,
    written: dict[str, FileRecord],
) -> list[str]:
    # Analysis stands above the tournament and works on finished frames; a run ends with it, so it is called by name.
    summary: Any = importlib.import_module("bacclab.analysis.summary")
    compare: Any = importlib.import_module("bacclab.analysis.compare")
    sessions = pl.scan_parquet(path / "sessions.parquet", glob=False)
    groups = summary.groups_of(
        cells, [records[0].played_by for records in by_cell], [_expected_on(records) for records in by_cell]
    )
    finals = _finals(path, plan.cells, by_cell)
    rows = summary.summarise(sessions, finals, groups)
    written["summary"] = write_frame(path, "summary", [rows])
    written["comparisons"] = write_frame(path, "comparisons", [compare.compare(sessions, groups)])
    found: list[str] = summary.warnings_of(rows, [cell.label for cell in plan.cells])
    return found


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
