"""What may be registered: each kind of thing is checked when a plugin hands it in, not when it is first used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from bacclab.errors import PluginError
from bacclab.registry import KINDS, Kind, singular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

_ID = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


def check_item(kind: Kind, item: Any) -> str:
    """The id of a thing that is fit to be registered; raises `PluginError` that says what is wrong with it.

    >>> from bacclab.bettors.base import Bettor, bettor
    >>> @bettor("sleeper")
    ... class Sleeper(Bettor): ...
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
    return id_


def marked_classes(module: ModuleType) -> Iterator[tuple[Kind, type]]:
    """The classes of a plugin that carry a mark such as `@bacclab.bettor("name")` and were defined in it."""
    homes = (module.__name__, module.__name__ + ".")
    for item in list(vars(module).values()):
        if isinstance(item, type) and (item.__module__ == homes[0] or item.__module__.startswith(homes[1])):
            for kind in _CLASSES:
                if _own_id(item) and _CHECKS[kind](item) is None:
                    yield kind, item


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


def _check_bet(item: Any) -> str | None:
    from bacclab.game.bets import Bet

    return None if isinstance(item, Bet) else "a bacclab.Bet is wanted"


def _check_table(item: Any) -> str | None:
    from bacclab.game.tables import Table

    return None if isinstance(item, Table) else "a bacclab.Table is wanted"


def _check_source(item: Any) -> str | None:
    return None if isinstance(item, type) else "a class that makes a source of rounds is wanted"


def _check_metric(item: Any) -> str | None:
    return None if hasattr(item, "id") else "something with an `id` is wanted"


_CLASSES: tuple[Kind, ...] = ("bettors", "selections", "progressions")
_CHECKS: dict[Kind, Callable[[Any], str | None]] = {
    "bettors": _class_check("Bettor"),
    "selections": _class_check("Selection"),
    "progressions": _class_check("Progression"),
    "bets": _check_bet,
    "tables": _check_table,
    "sources": _check_source,
    "metrics": _check_metric,
}
assert set(_CHECKS) == set(KINDS)
