"""The state of a bettor as a value: to compare two states, and to go on from one of them twice."""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Hashable
from enum import Enum
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from bacclab.bettors.params import Configurable
from bacclab.game.layout import Layout
from bacclab.game.pay import Bet
from bacclab.game.tables import Table
from bacclab.money import Money

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["Unfreezable", "duplicate", "freeze"]

T = TypeVar("T")

_PLAIN = frozenset((bool, int, float, str, bytes, type(None), Money, Fraction))
"""Types whose values cannot change, asked for first: a walk makes tens of thousands of copies."""
_VALUES = (int, float, str, bytes, Money, Enum, Fraction)
_RULES = (Table, Bet, Layout, MappingProxyType)
"""Rules cannot change either; they are told apart by identity, since a rule is a function and a mapping may be long."""


class Unfreezable(Exception):
    """The state holds something that cannot be compared by value."""


def freeze(value: object) -> Hashable:
    """A hashable picture of a state. Two bettors with equal pictures hold equal values and go on alike.

    Kinds count (1 is not True), the order of a dict counts (a bettor can read it), and so does what is held twice:
    a list under two names is not two equal lists. Raises Unfreezable for what has no value of its own.

    >>> freeze([1, 2]) == freeze([1, 2]), freeze([1, 2]) == freeze((1, 2))
    (True, False)
    >>> line = [1]
    >>> freeze([line, line]) == freeze([[1], [1]])
    False
    """
    return _frozen(value, {})


def _frozen(value: object, seen: dict[int, int]) -> Hashable:
    """The picture of a part; `seen` numbers what can change in the order in which it is met."""
    kind = type(value)
    if kind in _PLAIN or isinstance(value, _VALUES):
        return (kind, value)  # 1 == True == 1.0 == Money(1), and a bettor can tell them apart
    if isinstance(value, _RULES):
        return (kind, id(value))
    if isinstance(value, tuple):
        return (kind, tuple([_frozen(v, seen) for v in value]))
    if isinstance(value, frozenset):
        return (kind, frozenset([_frozen(v, seen) for v in value]))
    if _is_frozen(value):
        return (kind, tuple([_frozen(getattr(value, f.name), seen) for f in dataclasses.fields(value)]))
    number = seen.get(id(value))
    if number is not None:
        return ("again", number)
    seen[id(value)] = len(seen)
    if isinstance(value, Configurable):
        return (kind, tuple([(name, _frozen(v, seen)) for name, v in sorted(vars(value).items())]))
    if isinstance(value, list):
        return (kind, tuple([_frozen(v, seen) for v in value]))
    if isinstance(value, deque):
        return (kind, value.maxlen, tuple([_frozen(v, seen) for v in value]))
    if isinstance(value, dict):
        return (kind, tuple([(_frozen(k, seen), _frozen(v, seen)) for k, v in value.items()]))
    if isinstance(value, set):
        return (kind, frozenset([_frozen(v, seen) for v in value]))
    if dataclasses.is_dataclass(value):
        return (kind, tuple([_frozen(getattr(value, f.name), seen) for f in dataclasses.fields(value)]))
    raise Unfreezable(f"its state holds a {kind.__name__}")


def duplicate(value: T) -> T:
    """A copy that shares only what cannot change; what is held twice is held twice in the copy too.

    >>> a = [1, [2]]
    >>> b = duplicate(a); b[1].append(3); a
    [1, [2]]
    >>> line = [2]
    >>> c = duplicate([line, line]); c[0].append(3); c
    [[2, 3], [2, 3]]
    """
    twin: T = _copied(value, {})
    return twin


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    """The copy of a part; `memo` has the copies made so far by the identity of the original, as `copy.deepcopy` has."""
    kind = type(value)
    if kind in _PLAIN or isinstance(value, (*_VALUES, *_RULES, frozenset)):
        return value
    if id(value) in memo:
        return memo[id(value)]
    if kind is tuple:
        return value if all(type(v) in _PLAIN for v in value) else tuple([_copied(v, memo) for v in value])
    if kind is list:
        twin: Any = []
        memo[id(value)] = twin
        twin += [_copied(v, memo) for v in value]
        return twin
    if kind is dict:
        twin = memo[id(value)] = {}
        twin.update([(_copied(k, memo), _copied(v, memo)) for k, v in value.items()])
        return twin
    if _is_frozen(value) and all(type(getattr(value, f.name)) in _PLAIN for f in dataclasses.fields(value)):
        return value
    if isinstance(value, Configurable):
        twin = memo[id(value)] = object.__new__(kind)
        own = vars(twin)
        for name, held in vars(value).items():
            own[name] = held if type(held) in _PLAIN else _copied(held, memo)
        return twin
    return copy.deepcopy(value, memo)


def _is_frozen(value: object) -> TypeGuard[DataclassInstance]:
    params = getattr(value, "__dataclass_params__", None)
    return params is not None and bool(params.frozen)
