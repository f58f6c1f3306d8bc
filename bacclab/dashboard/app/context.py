"""What all callbacks of one app share: the folder, its runs, the figures, and what may be started."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.app.figures import Figures, Panel, panels_of
from bacclab.dashboard.app.frames import Runs
from bacclab.dashboard.app.state import State
from bacclab.dashboard.language import ENGLISH, Language, language
from bacclab.errors import BacclabError, StoreError
from bacclab.plugins.loader import load_plugins

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bacclab.dashboard.app.experiments import Experiments
    from bacclab.dashboard.app.folder import RunsFolder
    from bacclab.dashboard.app.frames import Scanned
    from bacclab.dashboard.app.jobs import Jobs
    from bacclab.plugins.registry import Registry

__all__ = ["Context", "Status"]


@dataclass(frozen=True, slots=True)
class Status:
    """How a run stands: the states of an entry, besides `starting`, `failed` and `missing`; and why, in words."""

    state: str
    words: str = ""


@dataclass(slots=True)
class Context:
    """One app; `jobs` and `experiments` are None where nothing may be started.

    The registry is that of the command that began the app (the built-ins alone by default): what a run folder names as
    its plugins is never loaded. `say` is the language of everything that the app says itself.
    """

    folder: RunsFolder
    jobs: Jobs | None = None
    experiments: Experiments | None = None
    registry: Registry | None = None
    say: Language = field(default_factory=lambda: language(ENGLISH))
    figures: Figures = field(default_factory=Figures)
    runs: Runs = field(init=False)
    panels: tuple[Panel, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.runs = Runs(self.folder, self.say)
        if self.registry is None:
            self.registry = load_plugins(allow=()).registry
        self.panels = panels_of(self.registry)

    @property
    def may_start(self) -> bool:
        """Whether runs may be started and cancelled."""
        return self.jobs is not None and self.experiments is not None

    def warm(self) -> None:
        """Draw some charts of the newest run while a person still looks at the list: the first loads the compiler."""
        complete = [entry for entry in self.folder.entries() if entry.state == "complete"]
        newest = max(complete, key=lambda entry: entry.begun, default=None)
        if newest is None:
            return
        with contextlib.suppress(BacclabError):
            look = self.runs.open(newest.id)
            state = State(view="run", run=newest.id, cell=next(iter(look.cells)))
            for panel in self.panels:
                if panel.tab == "all":
                    self.figures.drawn(panel, look, state, scheme="light")

    def status(self, run: str | None) -> Status:
        """How a run stands at this moment."""
        job = self.jobs.job(run) if self.jobs is not None and run is not None else None
        try:
            entry = self.folder.find(run)
        except StoreError as error:
            if job is None:
                return Status("missing", str(error))
            return Status("starting") if job.code is None else Status("failed", "the run could not be started")
        if job is not None and job.code is None:
            return Status("running")
        if job is not None and entry.state == "running":
            return Status("interrupted")
        return Status(entry.state)

    def looked_at(self, values: Mapping[str, Any] | None, *, tab: str | None = None) -> tuple[State, Scanned] | None:
        """The state of a browser and the run that it looks at; None unless it looks at a complete run, on this tab."""
        if not values or values.get("view") != "run" or values.get("status") != "complete":
            return None
        state = State.of(values)
        if tab is not None and state.tab != tab:
            return None
        return state, self.runs.open(state.run)
