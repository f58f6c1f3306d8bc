"""What is to be run and where: an experiment with its plugins, and the folder of an earlier run to go on with."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from bacclab._version import __version__
from bacclab.errors import ConfigError, StoreError, shorten
from bacclab.tournament.experiment.config import Experiment, load_config, with_all_registered
from bacclab.tournament.experiment.origin import Assignment
from bacclab.tournament.experiment.resolved import resolved
from bacclab.tournament.files import is_there
from bacclab.tournament.folder.manifest import identity, plugin_texts
from bacclab.tournament.folder.store import MANIFEST, RunFolder, default_names, fingerprint, folder_name

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path

    from bacclab.plugins.loader import LoadedPlugins, PluginRequest


@dataclass(frozen=True, slots=True)
class Job:
    """An experiment with the plugins that it needs."""

    experiment: Experiment
    loaded: LoadedPlugins

    @property
    def fingerprint(self) -> str:
        """Names what decides the results: two runs with one fingerprint give the same frames."""
        return fingerprint(identity(self.experiment, self.loaded))

    @property
    def stem(self) -> str:
        """The name of its run folders."""
        path = self.experiment.origin.path
        return folder_name(path.stem if path else self.experiment.title)

    def with_seed_of(self, manifest: Mapping[str, Any]) -> Job:
        """The same with the seed that an earlier run drew, if the experiment does not say one."""
        if self.experiment.seed_given:
            return self
        return replace(self, experiment=replace(self.experiment, seed=int(manifest["seed"])))


def make_job(
    config: str | os.PathLike[str] | Mapping[str, Any],
    seed: int | None,
    sessions: int | None,
    sets: tuple[str, ...],
    plugins: PluginRequest | None,
) -> Job:
    """Read the experiment, put values over it, and load the plugins that it and the caller ask for."""
    from bacclab.plugins.loader import PluginRequest, load_plugins
    from bacclab.plugins.settings import SettingsError

    chosen = [
        Assignment((name,), value, f"--{name} {value}")
        for name, value in (("seed", seed), ("sessions", sessions))
        if value is not None
    ]
    experiment = load_config(config, sets=sets, assignments=chosen)
    for position, path in enumerate(experiment.plugins):
        if not is_there(path):
            raise experiment.origin.fault(
                ("plugins", "files", position), f"= {shorten(str(path), 200)!r} does not exist"
            )
    asked = plugins or PluginRequest()
    try:
        loaded = load_plugins(
            files=(*asked.files, *experiment.plugins),
            directories=asked.directories,
            blocked=asked.blocked,
            strict=asked.strict,
            allow=asked.allow,
            settings=experiment.plugin_settings,
        )
    except SettingsError as error:
        key = ("plugins", error.plugin)
        place = experiment.origin.blame({key: experiment.plugin_settings[error.plugin]}, error.message)
        raise ConfigError(f"{place or experiment.origin.where(key)}: {error.message}", hint=error.hint) from None
    return Job(with_all_registered(experiment, loaded.registry), loaded)


def earlier(
    job: Job, out: Path | None, root: Path, *, resume: bool
) -> tuple[Job, RunFolder | None, dict[str, Any] | None]:
    """The folder to go on with and its manifest; None and None for a new run."""
    if not resume or (out is not None and not (out / MANIFEST).exists()):
        return job, None, None
    found = RunFolder(out) if out is not None else _newest(job, root)
    manifest = found.manifest()
    job = job.with_seed_of(manifest)
    if manifest["fingerprint"] != job.fingerprint:
        raise StoreError(f"the run in {found.path} is of another experiment: {_changes(manifest, job)}",
                         hint="choose another --out, or run without --resume")  # fmt: skip
    return job, found, manifest


def _newest(job: Job, root: Path) -> RunFolder:
    """The last run of this experiment under the default names."""
    found = None
    for path in default_names(root, job.stem):
        if not path.exists():
            break
        with contextlib.suppress(StoreError):
            folder = RunFolder(path)
            manifest = folder.manifest()
            if manifest["fingerprint"] == job.with_seed_of(manifest).fingerprint:
                found = folder
    if found is None:
        raise StoreError(f"there is no run of this experiment under {root / job.stem} to go on with",
                         hint="name its folder with --out, or run without --resume")  # fmt: skip
    return found


def _changes(manifest: Mapping[str, Any], job: Job) -> str:
    """Which parts of an experiment differ from those of a run, in words."""
    old, new = manifest["experiment"], resolved(job.experiment)
    names = [name for name in dict.fromkeys([*old, *new]) if old.get(name) != new.get(name) and name != "title"]
    texts = {p["name"]: p["sha256"] or p["version"] for p in manifest["plugins"] if p["items"] is not None}
    names += [f"plugin {name}" for name, text in plugin_texts(job.loaded).items() if texts.get(name) != text]
    if manifest["versions"]["bacclab"] != __version__:
        names.append(f"bacclab {manifest['versions']['bacclab']}, now {__version__}")
    return f"what differs is {', '.join(names) or 'its plugins'}"


def same_blocks(block: int | None, old: Mapping[str, Any] | None) -> int | None:
    """The size of blocks to go on with: that of the earlier run."""
    if old is None or old["block"] == block:
        return block
    if block is None:
        return int(old["block"])
    raise StoreError("a run keeps its size of blocks", hint=f"it was begun with {old['block'] or 'the usual size'}")
