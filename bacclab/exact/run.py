"""An experiment worked out exactly: the frames, the run folder and the page of a run, with probabilities for sessions.

>>> import bacclab as bl
>>> import tempfile, pathlib
>>> flat = {"use": "flat", "on": "player", "unit": 1}
>>> experiment = {"bankroll": 2, "rounds": 3, "seed": 1, "table": {"minimum": 1}, "bettor": [flat]}
>>> with tempfile.TemporaryDirectory() as folder:
...     done = bl.exact(experiment, out=pathlib.Path(folder) / "exact", report=False)
...     round(done.summary["bust"][0], 7), round(done.distribution["sessions"].sum(), 12)
(0.2503364, 4.0)
"""

from __future__ import annotations

import shlex
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import polars as pl

from bacclab.analysis.metrics.measure import context_of, extra, facts_of, measure_exact
from bacclab.errors import BacclabError, BettorError
from bacclab.exact.bankrolls import forever, frames
from bacclab.exact.bankrolls.distribution import MODEL, solve
from bacclab.exact.bankrolls.places import TooLarge, explored
from bacclab.runs import ROOT, Run
from bacclab.shoes.dealer import SimulatedSource
from bacclab.tournament.experiment.resolved import resolved
from bacclab.tournament.experiment.toml_text import toml_text
from bacclab.tournament.folder.manifest import first_manifest, identity, now
from bacclab.tournament.folder.store import RunFolder, fingerprint
from bacclab.tournament.frames import EXACT_SCHEMAS, SCHEMAS, cells_frame
from bacclab.tournament.job import make_job
from bacclab.tournament.plan import plan
from bacclab.tournament.play import prepare_cell
from bacclab.tournament.play.care import Care
from bacclab.tournament.play.table import TablePlayer
from bacclab.tournament.reduce import write_frame

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from bacclab.plugins.loader import PluginRequest
    from bacclab.tournament.job import Job
    from bacclab.tournament.plan import Cell, Plan

__all__ = ["exact"]

RUIN_WORK: Final = 2 * 10**9
"""Places and branches times rounds for a chance of ruin before a goal, without limit of rounds: some seconds."""


def exact(
    config: str | os.PathLike[str] | Mapping[str, Any],
    *,
    sets: Iterable[str] = (),
    out: str | os.PathLike[str] | None = None,
    report: bool = True,
    progress: Callable[[int, int], None] | None = None,
    plugins: PluginRequest | None = None,
    root: str | os.PathLike[str] = ROOT,
) -> Run:
    """Work out an experiment exactly, and return it as a finished run.

    Every round is drawn afresh from a full shoe. The frames are those of a sampled run: ``sessions`` of the
    distribution are probabilities, the summary holds means of one session, and what only single sessions have is empty
    (the frames sessions, trajectories, comparisons, endings, finals, confirmation) or null (drawdowns and runs in the
    summary). Besides there are exact_rounds and exact_finals.

    Bettors that cannot be worked out (no transition table, too many states × bankrolls) are left out and named in the
    run's warnings; if none is left in a cell that is a BettorError. Sessions must be counted in rounds.
    """
    started = time.perf_counter()
    job = make_job(config, None, None, tuple(sets), plugins)
    planned = plan(job.experiment, job.loaded.registry)
    for cell in planned.cells:
        if cell.horizon.rounds is None:
            raise job.experiment.origin.fault(
                ("shoes",),
                "cannot be worked out exactly, since shoes differ in length",
                hint="say rounds = ...; a shoe of eight decks has about 81",
            )
    work = _Work(job, planned, progress)
    work.prepare()
    folder = RunFolder.create(Path(out) if out is not None else None, stem=f"{job.stem}-exact", root=Path(root))
    try:
        with folder.lock():
            manifest = work.write(folder, started)
    except BaseException:
        shutil.rmtree(folder.path, ignore_errors=True)  # nothing in it could be gone on with
        raise
    done = Run(folder.path, manifest, registry=job.loaded.registry)
    if report:
        done.report()
    return done


@dataclass(slots=True)
class _Work:
    """The bettors of all cells that can be worked out, and why others cannot."""

    job: Job
    planned: Plan
    progress: Callable[[int, int], None] | None
    players: list[tuple[Cell, str, TablePlayer]] = field(default_factory=list)
    left_out: list[dict[str, Any]] = field(default_factory=list)
    facts: list[dict[str, Any]] = field(default_factory=list)
    small: dict[str, list[Any]] = field(default_factory=dict)

    def prepare(self) -> None:
        """Find out who can be worked out, before anything is written."""
        for cell in self.planned.cells:
            found = 0
            budget, strict = self.job.experiment.time_budget, self.job.loaded.request.strict
            ready = prepare_cell(cell, self.job.loaded.registry, care=Care(strict=strict, time_budget=budget))
            for name, failure in ready.failed.items():
                self.left_out.append({"cell": cell.index, "bettor": name, "why": f"it failed: {failure.reason}"})
            for one in ready.bettors:
                why = self._why_not(cell, one.name, one.chosen.player, one.chosen.why)
                if why is None:
                    found += 1
                else:
                    self.left_out.append({"cell": cell.index, "bettor": one.name, "why": why})
            if not found:
                reasons = "; ".join(f"{row['bettor']}: {row['why']}" for row in self.left_out[-3:])
                raise BettorError(
                    f"no bettor can be worked out exactly: {reasons}", hint="bacclab run samples any bettor"
                )

    def _why_not(self, cell: Cell, name: str, player: Any, why: str) -> str | None:
        if not isinstance(player, TablePlayer):
            return f"it has no table of states: {why}"
        try:
            places = explored(player).places
        except TooLarge as error:
            return str(error)
        except BacclabError as error:
            raise type(error)(f"bettor {name!r}: {error.message}", hint=error.hint) from error
        self.players.append((cell, name, player))
        self.facts.append({"cell": cell.index, "bettor": name, "states": player.table.states, "places": places})
        return None

    def write(self, folder: RunFolder, started: float) -> dict[str, Any]:
        """Write the frames and the manifest; returns the manifest."""
        experiment = self.job.experiment
        manifest = first_manifest(experiment, self.planned, self.job.loaded, block=None)
        manifest |= {
            "fingerprint": fingerprint({"exact": True, **identity(experiment, self.job.loaded)}),
            "command": _command(manifest["command"]),
            "generator": None,
            "blocks": 0,
            "exact": {"model": MODEL, "bettors": self.facts, "left_out": self.left_out},
        }
        names = [(cell.index, name) for cell, name, _ in self.players]
        for entry in manifest["cells"]:
            entry |= {"sessions": 1, "played_by": {name: "exact" for cell, name in names if cell == entry["cell"]}}
        folder.begin(manifest, toml_text(resolved(experiment)))
        written = {
            "distribution": write_frame(
                folder.path, "distribution", self._distributions(), schema=EXACT_SCHEMAS["distribution"]
            )
        }
        for name in ("exact_rounds", "exact_finals"):
            written[name] = write_frame(folder.path, name, self.small[name])
        rows = pl.DataFrame(self.small["summary"], schema=EXACT_SCHEMAS["summary"])
        wanted = extra(self.job.loaded.registry.metrics)
        ruin = pl.concat([EXACT_SCHEMAS["exact_ruin"].to_frame(), *self._ruin()])
        measured = measure_exact(rows, wanted, context_of(self.planned.cells, ruin))
        rows = rows.hstack(measured.frame(wanted))
        written["summary"] = write_frame(folder.path, "summary", [rows], schema=rows.schema)
        cells = cells_frame(self.planned.cells).with_columns(sessions=pl.lit(1, pl.Int64))
        written["cells"] = write_frame(folder.path, "cells", [cells])
        for name in ("sessions", "trajectories", "comparisons", "endings", "finals", "confirmation"):
            written[name] = write_frame(folder.path, name, [SCHEMAS[name].to_frame()])
        manifest |= {
            "state": "complete",
            "files": {f"{name}.parquet": found.as_dict() for name, found in written.items()},
            "metrics": facts_of(wanted),
            "warnings": [*manifest["warnings"], *self._warnings(), *measured.warnings],
            "finished": now(),
            "timing": {"seconds": round(time.perf_counter() - started, 3)},
        }
        folder.write_manifest(manifest)
        folder.remove_blocks()
        return manifest

    def _distributions(self) -> Iterator[pl.DataFrame]:
        """The distribution of one bettor after the other; the small frames are kept for later."""
        total = sum(cell.max_rounds for cell, _, _ in self.players)
        before = 0
        for cell, name, player in self.players:
            found = solve(player, progress=self._reported(before, total))
            before += cell.max_rounds
            whose: dict[str, Any] = {"cell": cell.index, "bettor": name}
            self.small.setdefault("exact_rounds", []).append(frames.rounds(found, **whose))
            self.small.setdefault("exact_finals", []).append(frames.finals(found, **whose))
            self.small.setdefault("summary", []).append(frames.summary(found, **whose))
            yield frames.distribution(found, **whose)

    def _ruin(self) -> Iterator[pl.DataFrame]:
        """Ruin without a limit of rounds, where it is known."""
        for cell, name, player in self.players:
            found, _ = forever.ruin(cell, name, player, most_work=RUIN_WORK)
            if found is not None:
                yield found

    def _reported(self, before: int, total: int) -> Callable[[int, int], None] | None:
        told = self.progress
        return None if told is None else lambda done, _: told(before + done, total)

    def _warnings(self) -> list[str]:
        labels = {cell.index: f" ({cell.label})" if cell.label else "" for cell in self.planned.cells}
        dealt = [isinstance(cell.source, SimulatedSource) for cell in self.planned.cells]
        return [
            *(
                []
                if all(dealt)
                else ["every round is drawn afresh from a full shoe: these are not the rounds of the source"]
            ),
            *(f'"{row["bettor"]}"{labels[row["cell"]]} is left out: {row["why"]}' for row in self.left_out),
        ]


def _command(sampled: str) -> str:
    """The command line that does this again, from that of a sampled run."""
    return shlex.join(["bacclab", "exact", *shlex.split(sampled)[2:]])
