"""What may be registered: each kind of thing is checked when a plugin hands it in, not when it is first used."""

from __future__ import annotations

import re
from difflib import get_close_matches
from importlib import import_module
from inspect import isfunction
from typing import TYPE_CHECKING, Any

from bacclab.errors import BettorError, PluginError
from bacclab.plugins.extensions import BUILT_IN_COMMANDS, Command, Exporter, Workers
from bacclab.plugins.metric import Metric
from bacclab.plugins.panels import Chart, Section
from bacclab.plugins.registry import KINDS, Kind, singular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from bacclab.bettors.params import Configurable

_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


def check_item(kind: Kind, item: Any) -> str:
    """The id of a thing that is fit to be registered; raises `PluginError` that says what is wrong with it.

    >>> from bacclab.bettors.base import Bettor, bettor
    >>> @bettor("sleeper")
    ... class Sleeper(Bettor):
    ...     def bet(self, view): ...
    >>> check_item("bettors", Sleeper)
    'sleeper'
    >>> check_item("bettors", 7)
    Traceback (most recent call last):
    bacclab.errors.PluginError: 7 is not a bettor: ...
    """
    wanted = _CHECKS[kind](item)
    if wanted is not None:
        raise PluginError(f"{_name(item)} is not a {singular(kind)}: {wanted}")
    id_ = item.name if kind == "tables" else _own_id(item)
    if not isinstance(id_, str) or not id_:
        mark = f"mark it with @bacclab.{singular(kind)}('name')" if kind in _CLASSES else "give it an `id`"
        raise PluginError(f"{singular(kind)} {_name(item)} has no id: {mark}")
    if not _ID.fullmatch(id_):
        raise PluginError(
            f"{id_!r} cannot be the id of a {singular(kind)}: use lower-case letters, digits, - and _ only"
        )
    if kind in _CLASSES:
        _refuse_unusable(kind, item)
    return id_


def marked_classes(module: ModuleType) -> Iterator[tuple[Kind, type]]:
    """The classes of a plugin that carry a mark such as `@bacclab.bettor("name")` and were defined in it."""
    homes = (module.__name__, module.__name__ + ".")
    for item in list(vars(module).values()):
        if isinstance(item, type) and (item.__module__ == homes[0] or item.__module__.startswith(homes[1])):
            for kind in _CLASSES:
                if _own_id(item) and _CHECKS[kind](item) is None:
                    yield kind, item


def named_values(module: ModuleType) -> Iterator[tuple[Kind, Any]]:
    """The values of `VALUE_KINDS` at the top level of a plugin under a name without `_` in front."""
    for name, value in list(vars(module).items()):
        for kind in VALUE_KINDS:
            fit = isinstance(value, Command) if kind == "commands" else _CHECKS[kind](value) is None
            if fit and not name.startswith("_"):
                yield kind, value


def _refuse_unusable(kind: Kind, cls: type[Configurable]) -> None:
    """Refuse a system that cannot be played, or whose parameters an experiment cannot set."""
    from bacclab.bettors import base
    from bacclab.bettors.lanes import base as lanes
    from bacclab.bettors.params import parameters_of

    undefined = {
        "bettors": (base.Bettor.bet, lanes.LaneBettor.bet),
        "selections": (base.Selection.side, lanes.LaneSelection.side),
        "progressions": (base.Progression.stake, lanes.LaneProgression.stake),
    }[kind]
    who = f"{singular(kind)} {cls.__qualname__}"
    methods = _methods(cls)
    own = [
        name for part in cls.__mro__ if not _is_base(part) for name, value in vars(part).items() if isfunction(value)
    ]
    missing = [name for name in methods if name not in own]
    for name in own:
        near = None if name.startswith("_") or name in methods else get_close_matches(name, missing, n=1, cutoff=0.8)
        if near:
            raise PluginError(
                f"{who} defines {name}, which nothing calls",
                hint=f"did you mean {near[0]}? A method of your own may be called _{name}",
            )
    needed = undefined[0].__name__
    if getattr(cls, needed) in undefined:
        raise PluginError(f"{who} cannot be played: define {needed}(self, view)")
    try:
        parameters = parameters_of(cls)
    except BettorError as error:
        raise PluginError(f"{who}: {error.message}", hint=error.hint) from None
    for parameter in parameters:
        if parameter.name in RESERVED:
            raise PluginError(
                f"{who} has a parameter {parameter.name!r}, which is a key of [[bettor]] in an experiment",
                hint="call it something else",
            )


def _is_base(cls: type) -> bool:
    return cls is object or cls.__module__ in (
        "bacclab.bettors.base",
        "bacclab.bettors.lanes.base",
        "bacclab.bettors.params",
    )


def _methods(cls: type) -> list[str]:
    """The methods that the base classes of a system call."""
    bases = [vars(part) for part in cls.__mro__ if _is_base(part) and part is not object]
    return [name for base in bases for name, value in base.items() if isfunction(value) and not name.startswith("_")]


def _own_id(item: Any) -> Any:
    # A class that extends a marked one is not marked itself.
    return vars(item).get("id") if isinstance(item, type) else getattr(item, "id", None)


def _name(item: Any) -> str:
    return item.__qualname__ if isinstance(item, type) else repr(item)


def _class_check(name: str) -> Callable[[Any], str | None]:
    def check(item: Any) -> str | None:
        from bacclab.bettors import base

        is_one = isinstance(item, type) and issubclass(item, getattr(base, name))
        return None if is_one else f"a subclass of bacclab.{name} is wanted"

    return check


def _value_check(cls: type) -> Callable[[Any], str | None]:
    return lambda item: None if isinstance(item, cls) else f"a bacclab.{cls.__name__} is wanted"


def _late_check(module: str, name: str) -> Callable[[Any], str | None]:
    """The check of a value whose class is imported when the first one is looked at, because it is heavy."""
    return lambda item: _value_check(getattr(import_module(module), name))(item)


def _check_command(item: Any) -> str | None:
    if not isinstance(item, Command):
        return "a bacclab.Command is wanted"
    return "a command of that name is built in" if item.id in BUILT_IN_COMMANDS else None


def _check_source(item: Any) -> str | None:
    if not isinstance(item, type):
        return "a class that makes a source of rounds is wanted"
    if not callable(getattr(item, "from_config", None)):
        return "it needs a class method from_config(settings, *, rules, seed, folder) that makes one from [source]"
    return None


RESERVED = ("name", "use", "select", "stake", "stop", "when_refused")
"""Keys of [[bettor]] in an experiment: no parameter can have these names."""

_CLASSES: tuple[Kind, ...] = ("bettors", "selections", "progressions")
VALUE_KINDS: tuple[Kind, ...] = (
    "bets", "tables", "metrics", "charts", "sections", "exporters", "commands", "executors",
)  # fmt: skip
"""Kinds of which a single file needs no hook: a value at its top level is enough."""

_CHECKS: dict[Kind, Callable[[Any], str | None]] = {
    "bettors": _class_check("Bettor"),
    "selections": _class_check("Selection"),
    "progressions": _class_check("Progression"),
    "bets": _late_check("bacclab.game.bets", "Bet"),
    "tables": _late_check("bacclab.game.tables", "Table"),
    "sources": _check_source,
    "charts": _value_check(Chart),
    "sections": _value_check(Section),
    "metrics": _value_check(Metric),
    "exporters": _value_check(Exporter),
    "commands": _check_command,
    "executors": _value_check(Workers),
}
assert set(_CHECKS) == set(KINDS)
