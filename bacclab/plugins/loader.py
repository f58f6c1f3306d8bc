"""The loader of plugins: finds them, imports them, asks their hooks, and reports what came of each.

One plugin can never break another, nor the tool: whatever it raises is kept in its report, and what it had handed in
until then is undone. Two plugins that claim one id are both named, and the id is unusable until one is blocked; against
a built-in id the built-in stays. The result does not depend on the order in which packages were installed.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pluggy

from bacclab.errors import PluginError, did_you_mean
from bacclab.hooks import PROJECT
from bacclab.plugins import hookspecs
from bacclab.plugins.files import (
    Candidate,
    built_in_candidates,
    digest,
    directory_candidates,
    explain,
    file_candidate,
    installed_candidates,
    path_of,
)
from bacclab.plugins.items import VALUE_KINDS, check_item, marked_classes, named_values
from bacclab.plugins.registry import KINDS, Kind, Registry, clash, singular
from bacclab.plugins.settings import SettingsError, plain_settings, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

BUILT_IN_MODULES = (
    "bacclab.game.builtin",
    "bacclab.shoes.builtin",
    "bacclab.bettors.builtin",
    "bacclab.analysis.builtin",
    "bacclab.dashboard.builtin",
    "bacclab.tournament.builtin",
)

State = Literal["contributed", "empty", "repeated", "blocked", "not allowed", "failed"]


@dataclass(frozen=True, slots=True)
class PluginReport:
    """What came of one plugin.

    `state` is one of: contributed; empty (nothing to register); repeated (the same file or package as an earlier one);
    blocked (by ``-p no:NAME``); not allowed (left out by ``BACCLAB_LOAD_PLUGINS``); failed, with the reason in `error`.
    `items` are what it registered, as ``kind/id``.
    """

    name: str
    origin: str
    state: State
    version: str | None = None
    file_sha256: str | None = None
    items: tuple[str, ...] = ()
    error: str | None = None
    traceback: str | None = field(default=None, repr=False)
    settings: Mapping[str, Any] | None = None

    @property
    def built_in(self) -> bool:
        """Whether it is a part of bacclab itself."""
        return self.origin == "built in"


@dataclass(frozen=True, slots=True)
class PluginRequest:
    """Which plugins were asked for; it can be sent to a worker, which loads the same ones from it."""

    files: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    strict: bool = False
    allow: tuple[str, ...] | None = None
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoadedPlugins:
    """The registry that the plugins filled, and a report on each plugin."""

    registry: Registry
    reports: tuple[PluginReport, ...]
    request: PluginRequest

    @property
    def problems(self) -> tuple[str, ...]:
        """One line for each plugin that failed: its name, where it lives, and why."""
        return tuple(
            f"plugin {report.name} ({report.origin}) failed: {report.error}"
            for report in self.reports
            if report.state == "failed"
        )

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of the file or package of each plugin that is in use and is not built in, by name."""
        return {
            report.name: report.file_sha256
            for report in self.reports
            if report.state == "contributed" and report.file_sha256 and not report.built_in
        }


def load_plugins(
    *,
    files: Iterable[str | os.PathLike[str]] = (),
    directories: Iterable[str | os.PathLike[str]] = (),
    blocked: Iterable[str] = (),
    strict: bool = False,
    allow: Iterable[str] | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> LoadedPlugins:
    """Load the built-ins, the installed plugins, and the files and folders named here.

    `blocked` are names of plugins to leave out. `allow`, if given, are the only installed plugins to load (none:
    built-ins, `files` and `directories` only); without it the environment variable ``BACCLAB_LOAD_PLUGINS`` says so,
    names separated by commas. With `strict`, or with ``BACCLAB_STRICT_PLUGINS=1``, the first plugin that fails raises
    `PluginError`; otherwise its report says what failed. A file or folder that does not exist always raises, and so do
    `settings` (by name of plugin) that a plugin does not take.

    >>> loaded = load_plugins(allow=())
    >>> loaded.registry.get("bets", "banker").plugin, loaded.problems
    ('bacclab.game', ())
    """
    if allow is None and "BACCLAB_LOAD_PLUGINS" in os.environ:
        allow = [name.strip() for name in os.environ["BACCLAB_LOAD_PLUGINS"].split(",") if name.strip()]
    request = PluginRequest(
        files=tuple(_absolute(file) for file in files),
        directories=tuple(_absolute(folder) for folder in directories),
        blocked=tuple(blocked),
        strict=strict or os.environ.get("BACCLAB_STRICT_PLUGINS", "0") not in ("", "0"),
        allow=None if allow is None else tuple(allow),
        settings=settings or {},
    )
    return _load(request)


def reload_plugins(request: PluginRequest, *, expected: Mapping[str, str]) -> LoadedPlugins:
    """Load in a worker what the main process loaded; `PluginError` if a plugin's text differs from `expected`."""
    loaded = _load(request)
    for name, sha256 in expected.items():
        found = loaded.hashes.get(name)
        if found != sha256:
            why = next((line for line in loaded.problems if line.startswith(f"plugin {name} ")), None)
            changed = "its file has changed since the run began" if found else "it was not found"
            raise PluginError(f"a worker cannot load plugin {name}: {why or changed}")
    return loaded


def _absolute(path: str | os.PathLike[str]) -> str:
    return str(Path(path).expanduser().absolute())


def _load(request: PluginRequest) -> LoadedPlugins:
    loader = _Loader(request)
    named = [file_candidate(file) for file in request.files]
    folders = [candidate for folder in request.directories for candidate in directory_candidates(folder)]
    for candidate in (*built_in_candidates(BUILT_IN_MODULES), *installed_candidates(), *named, *folders):
        loader.take(candidate)
    _check_names(request.blocked, loader.reports, "to block")
    if request.allow:
        _check_names(request.allow, loader.reports, "to allow")
    for name in request.settings:
        known = [report.name for report in loader.reports if not report.built_in]
        if name not in known:
            hint = did_you_mean(name, known) if known else "no plugin is loaded"
            raise SettingsError(f"there is no plugin {name!r} that could have settings", hint=hint, plugin=name)
    loaded = LoadedPlugins(loader.registry, tuple(loader.reports), request)
    if request.strict and loaded.problems:
        more = len(loaded.problems) - 1
        raise PluginError(loaded.problems[0], hint=f"and {more} more: see `bacclab plugins`" if more else None)
    return loaded


def _check_names(names: Sequence[str], reports: Sequence[PluginReport], purpose: str) -> None:
    known = [report.name for report in reports]
    for name in names:
        if name not in known:
            raise PluginError(f"there is no plugin {name!r} {purpose}", hint=did_you_mean(name, known))


class _Loader:
    """Takes candidates one by one into a registry."""

    def __init__(self, request: PluginRequest) -> None:
        self.request = request
        self.registry = Registry()
        self.reports: list[PluginReport] = []
        self.manager = pluggy.PluginManager(PROJECT)
        self.manager.add_hookspecs(hookspecs)

    def take(self, candidate: Candidate) -> None:
        """Load one candidate and write its report."""
        if candidate.name in self.request.blocked:
            self._report(candidate, "blocked")
        elif self._is_left_out(candidate):
            self._report(candidate, "not allowed")
        elif candidate.built_in:
            self._load(candidate)  # an error here is a fault of bacclab: let it be seen
        else:
            try:
                self._load(candidate)
            except SettingsError:
                raise
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin may raise anything
                self._fail(candidate, error)

    def _is_left_out(self, candidate: Candidate) -> bool:
        is_installed = not candidate.built_in and candidate.path is None
        return is_installed and self.request.allow is not None and candidate.name not in self.request.allow

    def _load(self, candidate: Candidate) -> None:
        with contextlib.nullcontext() if candidate.built_in else _printing_aside():
            if candidate.path is not None and self._is_known(candidate.path):
                self._report(candidate, "repeated")
                return
            module = candidate.load()
            path = candidate.path or path_of(module)
            if path is not None and self._is_known(path):
                self._report(candidate, "repeated", module=module)
                return
            self._refuse_taken_name(candidate)
            settings = settings_of(module, self.request.settings.get(candidate.name), plugin=candidate.name)
            intake = _Intake(candidate.name, settings)
            self.manager.register(module, name=candidate.name)
            try:
                self._check_hooks(module)
                self._call_hooks(module, intake)
                for kind, cls in marked_classes(module):
                    intake.accept(kind, cls)
                for kind, value in self._values(candidate, module):
                    intake.accept(kind, value)
                self._commit(candidate, intake)
            except BaseException:
                self.manager.unregister(module)
                raise
        if not intake.items and not candidate.from_folder:
            self.manager.unregister(module)
            raise PluginError(
                "it registers nothing: mark its classes with @bacclab.bettor, @bacclab.selection or "
                "@bacclab.progression, give a bacclab.Bet, Table, Metric, Chart or Section a name at its top level, "
                "or mark its hooks with @bacclab.hookimpl"
            )
        self._report(
            candidate,
            "contributed" if intake.items else "empty",
            module=module,
            items=tuple(intake.items),
            settings=plain_settings(settings),
        )

    def _values(self, candidate: Candidate, module: ModuleType) -> Iterator[tuple[Kind, Any]]:
        """The values at the top level of a file that the user named, but for those that others brought."""
        if candidate.path is None:
            return
        brought = [entry.item for kind in VALUE_KINDS for entry in self.registry.of(kind).values()]
        brought += [bet for table in self.registry.tables.values() for bet in table.item.bets.values()]
        known = set(map(id, brought))
        yield from ((kind, value) for kind, value in named_values(module) if id(value) not in known)

    def _is_known(self, path: Path) -> bool:
        """Whether a plugin with the very same text is in use: a link, a copy, or an installed package named again."""
        in_use = {report.file_sha256 for report in self.reports if report.state in ("contributed", "empty")}
        return digest(path) in in_use - {None}

    def _refuse_taken_name(self, candidate: Candidate) -> None:
        for report in self.reports:
            if report.name == candidate.name and report.state in ("contributed", "failed"):
                raise PluginError(
                    f"two plugins are named {candidate.name!r}: {report.origin} and {candidate.origin}; rename one"
                )

    def _check_hooks(self, module: ModuleType) -> None:
        """Refuse hooks that do not exist, and hooks that were not marked; pluggy passes over both."""
        hooks = [f"register_{kind}" for kind in KINDS]
        for name, function in vars(module).items():
            if name in hooks and callable(function) and self.manager.parse_hookimpl_opts(module, name) is None:
                raise PluginError(f"hook {name} is not marked: put @bacclab.hookimpl above it")
        for caller in self.manager.get_hookcallers(module) or ():
            if not caller.has_spec():
                raise PluginError(f"there is no hook {caller.name!r}", hint=did_you_mean(caller.name, hooks))

    def _call_hooks(self, module: ModuleType, intake: _Intake) -> None:
        """Call this plugin's hooks alone, since in a common call one that raises takes the others' results along."""
        for kind in KINDS:
            for implementation in getattr(self.manager.hook, f"register_{kind}").get_hookimpls():
                if implementation.plugin is module:
                    arguments = {"register": intake.register(kind), "settings": intake.settings}
                    implementation.function(*(arguments[name] for name in implementation.argnames))

    def _commit(self, candidate: Candidate, intake: _Intake) -> None:
        """Move what the plugin handed in to the registry: all of it or nothing."""
        for kind, id_ in intake.items.values():
            dispute = self.registry.disputes.get((kind, id_))
            if dispute:
                raise PluginError(f"{dispute}, and by {candidate.name} ({candidate.origin})")
            taken = self.registry.of(kind).get(id_)
            if taken is not None:
                sentence = clash(kind, id_, taken.plugin, taken.origin, candidate.name, candidate.origin)
                if taken.origin != "built in":
                    self.registry.disputes[kind, id_] = sentence
                    del self.registry.of(kind)[id_]
                raise PluginError(sentence)
        for (kind, id_), item in zip(intake.items.values(), intake.things, strict=True):
            self.registry.add(kind, id_, item, plugin=candidate.name, origin=candidate.origin)

    def _fail(self, candidate: Candidate, error: BaseException) -> None:
        reason = explain(error, path=candidate.path)
        self.registry.failures[candidate.name] = reason
        text = "".join(traceback.format_exception(error))
        self._report(candidate, "failed", error=reason, traceback=text)

    def _report(
        self,
        candidate: Candidate,
        state: State,
        *,
        module: ModuleType | None = None,
        items: tuple[str, ...] = (),
        error: str | None = None,
        traceback: str | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        path = candidate.path or path_of(module)
        sha256 = digest(path) if path is not None and not candidate.built_in else None
        self.reports.append(
            PluginReport(
                name=candidate.name,
                origin=candidate.origin,
                state=state,
                version=candidate.version,
                file_sha256=sha256,
                items=items,
                error=error,
                traceback=traceback,
                settings=settings,
            )
        )


_PRINTING = threading.RLock()


@contextlib.contextmanager
def _printing_aside() -> Iterator[None]:
    """What a plugin prints while it is imported must not get between the lines of `--json`.

    The stream belongs to the whole process, so threads take turns: each puts back what it found.
    """
    with _PRINTING, contextlib.redirect_stdout(sys.stderr):
        yield


class _Intake:
    """What one plugin hands in. Nothing reaches the registry before all of it is found fit."""

    def __init__(self, plugin: str, settings: Any) -> None:
        self.plugin = plugin
        self.settings = settings
        self.items: dict[str, tuple[Kind, str]] = {}
        self.things: list[Any] = []

    def register(self, kind: Kind) -> Callable[[Any], None]:
        """The function that a hook gets."""

        def register(item: Any, /) -> None:
            self.accept(kind, item)

        return register

    def accept(self, kind: Kind, item: Any) -> None:
        """Check one thing and keep it; the same thing handed in twice (by a hook and by its mark) counts once."""
        id_ = check_item(kind, item)
        key = f"{kind}/{id_}"
        if key not in self.items:
            self.items[key] = (kind, id_)
            self.things.append(item)
        elif all(item is not thing for thing in self.things):
            raise PluginError(f"it defines two {kind} with the id {id_!r}: give each {singular(kind)} its own")
