"""The state of a bettor as a value: to compare two states, and to go on from one of them twice."""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Hashable
from enum import Enum
from fractions import Fraction
from typing import TypeVar

from bacclab.bettors.params import Configurable
from bacclab.money import Money

__all__ = ["Unfreezable", "duplicate", "freeze"]

T = TypeVar("T")

_VALUES = (int, float, str, bytes, type(None), Money, Enum, Fraction, frozenset)


class Unfreezable(Exception):
    """The state holds something that cannot be compared by value."""


def freeze(value: object) -> Hashable:
    """A hashable picture of a state: equal for two bettors exactly when they hold equal values.

    >>> freeze([1, 2]) == freeze([1, 2]), freeze([1, 2]) == freeze((1, 2))
    (True, False)
    """
    if isinstance(value, _VALUES):
        return (type(value), value)  # 1 == True == 1.0 == Money(1), and a bettor can tell them apart
    if isinstance(value, list | tuple | deque):
        return (type(value).__name__, tuple(map(freeze, value)))
    if isinstance(value, dict):
        return ("dict", tuple((freeze(k), freeze(v)) for k, v in value.items()))
    if isinstance(value, set):
        return ("set", frozenset(map(freeze, value)))
    if isinstance(value, Configurable):
        return (type(value), tuple((name, freeze(v)) for name, v in vars(value).items()))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return (type(value), tuple(freeze(getattr(value, f.name)) for f in dataclasses.fields(value)))
    raise Unfreezable(f"its state holds a {type(value).__name__}")


def duplicate(value: T) -> T:
    """A copy that shares only what cannot change.

    >>> a = [1, [2]]
    >>> b = duplicate(a); b[1].append(3); a
    [1, [2]]
    """
    if isinstance(value, _VALUES):
        return value
    if isinstance(value, list):
        return [duplicate(v) for v in value]  # type: ignore[return-value]
    if isinstance(value, tuple):
        return tuple(duplicate(v) for v in value) if type(value) is tuple else copy.deepcopy(value)  # type: ignore[return-value]
    if isinstance(value, Configurable):
        twin = type(value).__new__(type(value))
        vars(twin).update({name: duplicate(v) for name, v in vars(value).items()})
        return twin
    return copy.deepcopy(value)
