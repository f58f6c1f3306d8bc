"""The work of one block: deal its rounds, let every bettor play them, write what came of it."""

from __future__ import annotations

import time
from array import array
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from bacclab.errors import BacclabError, ResourceError, StoreError
from bacclab.shoes.source import digest
from bacclab.tournament.folder.store import BlockWriter
from bacclab.tournament.frames import POINT_SHIFT, histogram, sessions_frame, trajectories_frame
from bacclab.tournament.plan import Cell, placed, plan_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import polars as pl

    from bacclab.plugins.registry import Registry
    from bacclab.tournament.experiment.config import Experiment
    from bacclab.tournament.folder.store import BlockRecord, Shelf
    from bacclab.tournament.plan import Block
    from bacclab.tournament.play import CellPlay, Failed, Played


THIRD = 2


class Overlay(Protocol):
    """Works out what is cheap of a cell exactly: names of frames, bettors and rows. Workers import it by its name."""

    def __call__(self, cell: Cell, ready: CellPlay, *, cells: int) -> Iterable[tuple[str, str, pl.DataFrame]]: ...


@dataclass(slots=True)
class Workshop:
    """What a process needs to work on blocks: cells are prepared when the first of their blocks comes.

    `overlay` works out exact results, which are written beside the sampled ones; `moved` says where files that sources
    read lie here, by their own paths.
    """

    experiment: Experiment
    registry: Registry
    overlay: Overlay | None = None
    strict: bool = False
    cells: dict[int, Cell] = field(default_factory=dict)
    prepared: dict[tuple[int, str], CellPlay] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)

    def do(self, block: Block, shelf: Shelf) -> BlockRecord:
        """Play one block and put it on the shelf; returns its record once it counts."""
        from bacclab.tournament.play import play_block

        cell, ready = self.prepare(block.cell, block.bettor)
        started = time.perf_counter()
        rounds = cell.source.rounds(block.first, block.count, horizon=cell.horizon, unseen=ready.unseen)
        writer = BlockWriter(shelf, block)
        try:
            write_played(writer, cell, play_block(ready, rounds, first=block.first))
        except (StoreError, ResourceError):  # of the machine, not of a bettor
            raise
        except BacclabError as error:
            raise self._placed(error, block.cell) from error
        if self.overlay is not None and not block.bettor and _holds_overlay(block, cell):
            for name, bettor, rows in self.overlay(cell, ready, cells=self.experiment.cell_count):
                writer.add(name, bettor, rows)
        return writer.commit(
            digest=digest(rounds, block.first),
            longest=int(rounds.lengths.max(initial=0)),
            seconds=round(time.perf_counter() - started, 6),
            played_by=ready.played_by,
            why=ready.why,
        )

    def prepare(self, index: int, bettor: str = "") -> tuple[Cell, CellPlay]:
        """A cell and its bettors, ready to play; or one of its bettors alone, with nothing kept round by round."""
        from bacclab.tournament.play import prepare_cell
        from bacclab.tournament.play.care import Care

        if index not in self.cells:
            self.cells[index] = plan_cell(self.experiment, index, self.registry, moved=self.moved)
        cell = self.cells[index]
        if bettor:
            cell = replace(cell, bettors=tuple(s for s in cell.bettors if s.name == bettor), trajectories=0)
        if (index, bettor) not in self.prepared:
            self.prepared.clear()  # blocks come cell by cell; one prepared cell at a time keeps memory flat
            try:
                self.prepared[index, bettor] = prepare_cell(
                    cell,
                    self.registry,
                    care=Care(strict=self.strict, time_budget=self.experiment.time_budget),
                )
            except BacclabError as error:
                raise self._placed(error, index) from error
        return cell, self.prepared[index, bettor]

    def _placed(self, error: BacclabError, index: int) -> BacclabError:
        return placed(error, self.cells[index].bettors, self.experiment.cell(index)[1])


def compiled_before() -> bool:
    """Whether the machine code of the dealer and the players is there already, as far as one can see."""
    from bacclab.kernels import is_cached
    from bacclab.shoes import dealer_kernels

    return is_cached(dealer_kernels.deal)


def _holds_overlay(block: Block, cell: Cell) -> bool:
    """Whether exact results are written with this block: its cell's third; the first two tell how long one takes."""
    last = block.first + block.count == cell.sessions
    return block.index == THIRD or (block.index < THIRD and last)


def write_played(writer: BlockWriter, cell: Cell, played: Iterable[Played | Failed]) -> None:
    """Write the rows of every bettor, or why it has none."""
    from bacclab.tournament.play import Failed

    for one in played:
        if isinstance(one, Failed):
            writer.failed[one.bettor] = one.failure
            continue
        whose: dict[str, Any] = {"cell": cell.index, "bettor": one.bettor}
        writer.expected_on[one.bettor] = one.expected_on
        writer.add(
            "sessions",
            one.bettor,
            sessions_frame(one.ledger, first=writer.block.first, trace=one.trace, traced=cell.trajectories, **whose),
        )
        histograms = histogram(one.ledger.bankrolls)
        points = (histograms["key"].to_numpy() >> np.uint64(POINT_SHIFT)).astype(np.int64)
        writer.points[one.bettor] = array("q", np.bincount(points, minlength=len(cell.checkpoints)).tolist())
        writer.add("distribution", one.bettor, histograms)
        if len(one.trace.session):
            writer.add("trajectories", one.bettor, trajectories_frame(one.trace, **whose))
