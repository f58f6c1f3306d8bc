"""What is registered: bettors, bets, tables and the rest, each under its id, with the plugin that it came from."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from bacclab.errors import PluginError, did_you_mean, nearest, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal[
    "bettors", "selections", "progressions", "bets", "tables", "sources", "metrics", "charts", "sections",
    "exporters", "commands", "executors",
]  # fmt: skip
"""The kinds of things that can be registered; each is also a hook, `register_<kind>`."""

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered thing: its id, the thing itself, the plugin that brought it and where that plugin lives."""

    id: str
    item: Any
    plugin: str
    origin: str


@dataclass(slots=True)
class Registry:
    """All registered things by kind and id.

    An id belongs to one provider. A second provider is refused with a message that names both.

    >>> registry = Registry()
    >>> registry.add("sources", "recorded", object(), plugin="bacclab", origin="built in")
    >>> registry.get("sources", "recorded").plugin
    'bacclab'
    >>> registry.add("sources", "recorded", object(), plugin="mine", origin="mine.py")
    Traceback (most recent call last):
    bacclab.errors.PluginError: source 'recorded' is provided twice: by bacclab (built in) and by mine (mine.py)
    """

    bettors: dict[str, Entry] = field(default_factory=dict)
    selections: dict[str, Entry] = field(default_factory=dict)
    progressions: dict[str, Entry] = field(default_factory=dict)
    bets: dict[str, Entry] = field(default_factory=dict)
    tables: dict[str, Entry] = field(default_factory=dict)
    sources: dict[str, Entry] = field(default_factory=dict)
    metrics: dict[str, Entry] = field(default_factory=dict)
    charts: dict[str, Entry] = field(default_factory=dict)
    sections: dict[str, Entry] = field(default_factory=dict)
    exporters: dict[str, Entry] = field(default_factory=dict)
    commands: dict[str, Entry] = field(default_factory=dict)
    executors: dict[str, Entry] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    """Plugins that could not be loaded, by name, with the reason: they might have provided what is missing."""
    disputes: dict[tuple[Kind, str], str] = field(default_factory=dict)
    """Ids that two plugins claim, with the sentence that says so: neither is used until one is blocked."""

    def of(self, kind: Kind) -> dict[str, Entry]:
        """All entries of one kind by id, in the order in which they came.

        >>> Registry().of("tables")
        {}
        """
        if kind not in KINDS:
            raise PluginError(f"there is no kind {kind!r} of registered things", hint=did_you_mean(kind, KINDS))
        entries: dict[str, Entry] = getattr(self, kind)
        return entries

    def add(self, kind: Kind, id: str, item: Any, *, plugin: str, origin: str) -> None:  # noqa: A002
        """Register `item` as `id`; raises `PluginError` if the id is taken."""
        entries = self.of(kind)
        # In Python a chart is called by its id with _ for -.
        near = id if kind != "charts" else next((e for e in entries if e.replace("-", "_") == id.replace("-", "_")), id)
        if near in entries:
            raise PluginError(clash(kind, near, entries[near].plugin, entries[near].origin, plugin, origin))
        entries[id] = Entry(id, item, plugin, origin)

    def get(self, kind: Kind, id: str) -> Entry:  # noqa: A002
        """Look up one entry.

        Raises `PluginError` that names the nearest id, or the plugins that failed and might have provided it.

        >>> registry = Registry(failures={"fib": "ImportError: no module named 'golden'"})
        >>> registry.add("bettors", "flat", object, plugin="bacclab", origin="built in")
        >>> registry.get("bettors", "flad")
        Traceback (most recent call last):
        bacclab.errors.PluginError: there is no bettor 'flad' (did you mean flat? Plugin fib, ...)
        """
        if (kind, id) in self.disputes:
            raise PluginError(self.disputes[kind, id], hint="block one of them with `-p no:NAME`")
        entries = self.of(kind)
        if id in entries:
            return entries[id]
        home = _in_script(id) or (None if nearest(id, entries) else self._elsewhere(kind, id))
        hint = home or did_you_mean(id, sorted(entries))
        for name, reason in self.failures.items():
            stop = "" if hint.endswith(("?", ".")) else "."
            hint += f"{stop} Plugin {name}, which failed to load, may provide it: {reason}"
        raise PluginError(f"there is no {singular(kind)} {shorten(id, 100)!r}", hint=hint)

    def entries(self) -> Iterator[tuple[Kind, Entry]]:
        """Every entry with its kind, kind by kind, sorted by id: the same whatever the order of loading."""
        for kind in KINDS:
            for _, entry in sorted(self.of(kind).items()):
                yield kind, entry

    def _elsewhere(self, kind: Kind, id: str) -> str:  # noqa: A002
        homes = [singular(other) for other in KINDS if other != kind and id in self.of(other)]
        return f"{id!r} is a {' and a '.join(homes)}" if homes else ""


def _in_script(id: str) -> str | None:  # noqa: A002
    """A hint where the thing is a class of the script that is run: workers could not load it from there."""
    own = vars(sys.modules["__main__"]).values() if "__main__" in sys.modules else ()
    if any(isinstance(item, type) and vars(item).get("id") == id for item in list(own)):
        return "a class must stand in a file of its own, named under [plugins] files or with --plugin"
    return None


def singular(kind: Kind) -> str:
    """The word for one thing of a kind.

    >>> singular("selections")
    'selection'
    """
    return kind.removesuffix("s")


def clash(kind: Kind, id: str, plugin: str, origin: str, other: str, other_origin: str) -> str:  # noqa: A002
    """The sentence for two providers of one id."""
    return f"{singular(kind)} {id!r} is provided twice: by {plugin} ({origin}) and by {other} ({other_origin})"
