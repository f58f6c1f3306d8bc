"""Conducting a run: the blocks that are left are done, here or by workers, and the frames are made from them."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

from bacclab.errors import StoreError
from bacclab.memory import want_of_memory_told
from bacclab.tournament.experiment.resolved import resolved
from bacclab.tournament.experiment.toml_text import toml_text
from bacclab.tournament.finish import Conclude, finish
from bacclab.tournament.folder.manifest import first_manifest
from bacclab.tournament.folder.store import MANIFEST
from bacclab.tournament.workers.work import Overlay, Workshop, compiled_before

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bacclab.tournament.crew import Crew
    from bacclab.tournament.folder.store import BlockRecord, RunFolder
    from bacclab.tournament.job import Job
    from bacclab.tournament.plan import Plan


def open_workshop(job: Job, planned: Plan, say: Callable[[str], None] | None, overlay: Overlay | None) -> Workshop:
    """Make the first cell ready, so that what cannot be played is told before a folder is made."""
    if say is not None and not compiled_before():
        say("compiling the dealer and the players: some seconds, once")
    workshop = Workshop(
        job.experiment, job.loaded.registry, overlay, job.loaded.request.strict, dict(enumerate(planned.cells))
    )
    workshop.prepare(0)
    return workshop


def begin(
    folder: RunFolder, job: Job, planned: Plan, block: int | None, old: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Write the first manifest of a run, or that of a run that is gone on with; returns it."""
    if old is None and (folder.path / MANIFEST).exists():
        raise StoreError(f"another process has begun a run in {folder.path}", hint="choose another --out")
    manifest = first_manifest(job.experiment, planned, job.loaded, block=block)
    if old is not None:
        if [c["source"] for c in old["cells"]] != [c["source"] for c in manifest["cells"]]:
            raise StoreError(f"the rounds of the run in {folder.path} have changed since it was begun")
        manifest |= {"begun": old["begun"], "timing": {"before": old["timing"].get("seconds", 0.0)}}
    folder.begin(manifest, toml_text(resolved(job.experiment)))
    return manifest


LONG = 20
"""Seconds of play after which it is said that what follows takes a while too."""


def play(crew: Crew, planned: Plan, manifest: dict[str, Any], conclude: Conclude) -> None:
    """Do the blocks that are left, make the frames, fill in the manifest. Whatever happens, finished blocks stay."""
    started = time.perf_counter()
    folder, labour = crew.folder, crew.labour
    records: list[BlockRecord] = []
    rounds, total = 0, sum(cell.sessions * cell.max_rounds for cell in planned.cells)
    try:
        with want_of_memory_told(), crew:
            with contextlib.closing(crew.records(planned.blocks())) as finished:
                for done in finished:
                    records.append(done)
                    rounds += done.block.count * planned.cells[done.block.cell].max_rounds
                    if labour.progress is not None:
                        labour.progress(rounds, total)
            if labour.say is not None and time.perf_counter() - started > LONG:
                labour.say("all rounds are played: the frames are written now")
            finish(folder, planned, records, manifest, conclude, crew, seconds=lambda: _seconds(manifest, started))
    except BaseException:
        # Also on Ctrl-C and on faults: finished blocks stay, and the manifest says that there is more to do.
        with contextlib.suppress(OSError):
            folder.sweep()
        if not _is_complete(folder):  # else blocks may be gone already, and nothing is left to do
            manifest["state"] = "interrupted"
            manifest["timing"]["seconds"] = _seconds(manifest, started)
            with contextlib.suppress(OSError, StoreError):
                folder.write_manifest(manifest)
        raise


def _is_complete(folder: RunFolder) -> bool:
    """Whether the manifest of a complete run has been written."""
    try:
        return bool(folder.manifest()["state"] == "complete")
    except StoreError:
        return False


def _seconds(manifest: Mapping[str, Any], started: float) -> float:
    return round(float(manifest["timing"].get("before", 0.0)) + time.perf_counter() - started, 3)
