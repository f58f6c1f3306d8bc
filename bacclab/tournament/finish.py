"""The end of a run: blocks become frames, frames are summed up and compared, and the manifest says so."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import polars as pl

from bacclab.errors import BettorError
from bacclab.tournament.folder.manifest import now
from bacclab.tournament.frames import BLOCK_FRAMES, EXACT_SCHEMAS, OVERLAY_FRAMES, SCHEMAS, cells_frame
from bacclab.tournament.ledger import CARDS_LEFT, FULL_SHOE
from bacclab.tournament.reduce import Part, Reduction, slices_of, write_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from bacclab.tournament.files import FileRecord
    from bacclab.tournament.folder.store import BlockRecord, RunFolder
    from bacclab.tournament.plan import Block, Cell, Plan
    from bacclab.tournament.play.care import Failure


Result = TypeVar("Result")


class Meanwhile(Protocol):
    """Has something done while something else goes on; what it returns waits for what comes of it."""

    def __call__(self, do: Callable[[], Result], /) -> Callable[[], Result]: ...


@dataclass(frozen=True, slots=True)
class Finished:
    """What finished blocks came to, for those who sum it up; by cell, in the order of the plan.

    ``sessions``, ``finals`` (the distribution at each cell's last round) and ``ruin`` (the frame exact_ruin, empty
    where there is none) are sorted by their keys. ``finals`` may still be in the making: what does not need it comes
    first. ``meanwhile`` has something else done, by another process if there is one (then it must be possible to send
    it there); what it returns waits for what comes of it.
    """

    cells: Sequence[Cell]
    sessions: pl.LazyFrame
    finals: Callable[[], pl.DataFrame]
    ruin: pl.DataFrame
    played_by: Sequence[Mapping[str, str]]
    expected_on: Sequence[Mapping[str, str]]
    meanwhile: Meanwhile


@dataclass(frozen=True, slots=True)
class Again:
    """A bettor of a cell that is to play again on fresh sessions; `judge` makes the frame confirmation of them."""

    cell: int
    bettor: str
    judge: Callable[[Iterable[pl.DataFrame]], pl.DataFrame]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What a run comes to.

    Frames that sum up, by name; what the manifest says besides, by key; lines that a reader should know; and who is to
    play again.
    """

    frames: Mapping[str, pl.DataFrame]
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    again: Again | None = None


class Conclude(Protocol):
    """Sums up and compares what was played."""

    def __call__(self, finished: Finished) -> Conclusion: ...


class Hands(Protocol):
    """Those who do further work: blocks, or anything else beside this process if there is somebody who can."""

    def records(self, blocks: Iterable[Block], /) -> Iterable[BlockRecord]:
        """The records of blocks, as they are done."""
        ...

    @property
    def meanwhile(self) -> Meanwhile:
        """Has something done, here or elsewhere; what it returns waits for what comes of it."""
        ...

    def dismiss(self) -> None:
        """Nobody else is needed from now on: they may go while the rest is done here."""
        ...


def finish(
    folder: RunFolder,
    plan: Plan,
    records: Sequence[BlockRecord],
    manifest: dict[str, Any],
    conclude: Conclude,
    hands: Hands,
    *,
    seconds: Callable[[], float],
) -> None:
    """Write all frames, then the manifest of a complete run; then the blocks are taken away.

    The manifest is filled in; `conclude` makes the frames that sum up; `hands` do further blocks, and write the largest
    frame while the others are made; `seconds` tells how long the run has taken so far.
    """
    by_cell: list[list[BlockRecord]] = [[] for _ in plan.cells]
    for done in sorted(records, key=lambda r: r.block):
        by_cell[done.block.cell].append(done)
    failed = [_failed(cell, blocks) for cell, blocks in zip(plan.cells, by_cell, strict=True)]
    played = _Blocks(plan.cells, by_cell, failed)
    parts = [Part.of(cell, done, failed=gone) for cell, done, gone in zip(plan.cells, by_cell, failed, strict=True)]
    reduction = Reduction(folder, parts)
    distribution = hands.meanwhile(partial(reduction.write, "distribution"))
    overlaid = [name for name in OVERLAY_FRAMES if any(name in done.slices for done in records)]
    written = {name: reduction.write(name) for name in (*BLOCK_FRAMES, *overlaid) if name != "distribution"}
    written["cells"] = write_frame(folder.path, "cells", [cells_frame(plan.cells)])

    def finals() -> pl.DataFrame:
        distribution()
        return _finals(folder.path, parts)

    finished = _finished(folder, played, finals, hands.meanwhile, ruin="exact_ruin" in overlaid)
    concluded = conclude(finished)
    written["distribution"] = distribution()
    frames = {**concluded.frames, "summary": with_failed(concluded.frames["summary"], failed)}
    written |= {name: write_frame(folder.path, name, [rows], schema=rows.schema) for name, rows in frames.items()}
    confirmation = _confirmation(folder, plan, concluded.again, hands)
    written["confirmation"] = write_frame(folder.path, "confirmation", [confirmation])
    hands.dismiss()
    _fill_in(manifest, played, finished, concluded, written)
    manifest["timing"] = {"seconds": seconds(), "in_blocks": round(sum(done.seconds for done in records), 3)}
    folder.write_manifest(manifest)
    folder.remove_blocks()


@dataclass(frozen=True, slots=True)
class _Blocks:
    """What was played: by cell, the records of its blocks in order, and the bettors that failed in any of them."""

    cells: Sequence[Cell]
    records: Sequence[Sequence[BlockRecord]]
    failed: Sequence[Mapping[str, Failure]]


def _finished(
    folder: RunFolder, played: _Blocks, finals: Callable[[], pl.DataFrame], meanwhile: Meanwhile, *, ruin: bool
) -> Finished:
    """What is summed up; `ruin`: whether the frame exact_ruin has been written."""
    rows = pl.read_parquet(folder.path / "exact_ruin.parquet", glob=False) if ruin else None
    by_cell = list(zip(played.records, played.failed, strict=True))
    return Finished(
        cells=played.cells,
        sessions=pl.scan_parquet(folder.path / "sessions.parquet", glob=False),
        finals=finals,
        ruin=EXACT_SCHEMAS["exact_ruin"].to_frame() if rows is None else rows,
        played_by=[_without(done[0].played_by, gone) for done, gone in by_cell],
        expected_on=[_without(_expected_on(done), gone) for done, gone in by_cell],
        meanwhile=meanwhile,
    )


def _fill_in(
    manifest: dict[str, Any],
    played: _Blocks,
    finished: Finished,
    concluded: Conclusion,
    written: Mapping[str, FileRecord],
) -> None:
    """Say in the manifest what a complete run came to, all but how long it took."""
    whose = (finished.played_by, finished.expected_on)
    by_cell = zip(manifest["cells"], played.records, played.failed, *whose, strict=True)
    for entry, done, gone, ways, shoes in by_cell:
        entry["failed"] = {name: failure.reason for name, failure in gone.items()}
        entry["digest"] = f"{_digest(done):064x}"
        entry["played_by"] = ways
        entry["why"] = dict(done[0].why)
        entry["expected_on"] = shoes
    manifest |= {
        "state": "complete",
        "digest": f"{sum(map(_digest, played.records)) % 2**256:064x}",
        "files": {f"{name}.parquet": found.as_dict() for name, found in written.items()},
        **concluded.facts,
        "warnings": [*manifest["warnings"], *failures_in_words(played.cells, played.failed), *concluded.warnings],
        "finished": now(),
    }


def _confirmation(folder: RunFolder, plan: Plan, again: Again | None, hands: Hands) -> pl.DataFrame:
    """The frame confirmation; without rows if nobody is to play again."""
    if again is None:
        return SCHEMAS["confirmation"].to_frame()
    records = sorted(hands.records(plan.again(again.cell, again.bettor)), key=lambda r: r.block)
    if any(done.failed for done in records):  # what it did on the rest is no answer
        return SCHEMAS["confirmation"].to_frame()
    return again.judge(slices_of("sessions", [(again.bettor, records)], folder))


def _expected_on(records: Sequence[BlockRecord]) -> dict[str, str]:
    """What each bettor's expectation was taken on; one that saw the cards in any block is one that sees them."""
    return {
        bettor: max((done.expected_on[bettor] for done in records), key=(FULL_SHOE, CARDS_LEFT).index)
        for bettor in records[0].expected_on
        if all(bettor in done.expected_on for done in records)
    }


def _without(values: Mapping[str, str], failed: Mapping[str, Failure]) -> dict[str, str]:
    return {bettor: value for bettor, value in values.items() if bettor not in failed}


def _failed(cell: Cell, records: Sequence[BlockRecord]) -> dict[str, Failure]:
    """The bettors of a cell that failed in any block, each with the reason of the first one that knows it."""
    found: dict[str, Failure] = {}
    for name in cell.names:
        failures = [done.failed[name] for done in records if name in done.failed]
        if failures:
            found[name] = min(failures)
    if len(found) == len(cell.names):
        name, failure = min(found.items(), key=lambda item: item[1])
        raise BettorError(f"bettor {name!r} failed, and no other is left: {failure.reason}")
    return found


def with_failed(summary: pl.DataFrame, failed: Sequence[Mapping[str, Failure]]) -> pl.DataFrame:
    """The summary with a row for each bettor that failed: its reason, and null in every other column."""
    rows = [
        {"cell": cell, "bettor": name, "failed": failure.reason}
        for cell, gone in enumerate(failed)
        for name, failure in gone.items()
    ]
    if not rows:
        return summary
    more = pl.DataFrame(rows, schema={name: summary.schema[name] for name in ("cell", "bettor", "failed")})
    return pl.concat([summary, more], how="diagonal").sort("cell", "bettor")


def failures_in_words(cells: Sequence[Cell], failed: Sequence[Mapping[str, Failure]]) -> list[str]:
    """A sentence for each bettor that failed."""
    labels = {cell.index: f" ({cell.label})" if cell.label else "" for cell in cells}
    return [
        f'"{name}"{labels[cell]} failed and has no results: {failure.reason}'
        for cell, gone in enumerate(failed)
        for name, failure in gone.items()
    ]


def _digest(records: Sequence[BlockRecord]) -> int:
    return sum(done.digest for done in records) % 2**256


def _finals(path: Path, parts: Sequence[Part]) -> pl.DataFrame:
    """The histograms of final bankrolls: the rows of the distribution at the last round of each cell."""
    last = pl.DataFrame(
        {
            "cell": [part.cell for part in parts],
            "round": [int(part.checkpoints[part.last]) for part in parts],
        },
        schema={"cell": pl.Int64, "round": pl.Int64},
    )
    distribution = pl.scan_parquet(path / "distribution.parquet", glob=False)
    found = distribution.join(last.lazy(), on=["cell", "round"], how="semi").collect(engine="streaming")
    return found.sort("cell", "bettor", "bankroll")
