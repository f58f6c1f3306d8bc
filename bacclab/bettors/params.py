"""Parameters of bettors, selections and progressions: annotated, range-checked class fields.

A parameter is a class attribute with an annotation and (usually) a default. Its limits stand in the annotation::

    class DoubleUp(Bettor):
        unit: Money = Money(10)
        steps: Annotated[int, Param(ge=1, le=30)] = 4

The same declaration checks keyword arguments in Python, reads the experiment file, fills ``bacclab bettors double-up``
and gives sweeps their paths.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping, Sized
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

from bacclab.errors import BettorError, MoneyError, did_you_mean
from bacclab.money import UNITS, Money

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["Configurable", "Param", "Parameter", "build", "parameters_of"]

_MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class Param:
    """The limits and the meaning of one parameter, put into its annotation.

    ``ge``/``gt``/``le``/``lt`` bound a number, ``choices`` lists the allowed values, ``min_length`` bounds a list,
    ``text`` says in a few words what the parameter does.

    >>> Param(ge=1, le=30).limits()
    'at least 1, at most 30'
    """

    ge: int | float | None = None
    gt: int | float | None = None
    le: int | float | None = None
    lt: int | float | None = None
    choices: tuple[str | int, ...] = ()
    min_length: int | None = None
    text: str = ""

    def limits(self) -> str:
        """The limits in words; an empty string when there are none."""
        parts = [
            (self.ge, "at least"),
            (self.gt, "more than"),
            (self.le, "at most"),
            (self.lt, "less than"),
            (self.min_length, "no shorter than"),
        ]
        words = [f"{name} {bound}" for bound, name in parts if bound is not None]
        if self.choices:
            words.append("one of " + ", ".join(map(str, self.choices)))
        return ", ".join(words)

    def fault(self, value: Any) -> str | None:
        """What is wrong with a value, in words, or None when it is within the limits."""
        number = value.amount / UNITS if isinstance(value, Money) else value
        out_of_bounds = isinstance(number, int | float) and (
            (self.ge is not None and number < self.ge)
            or (self.gt is not None and number <= self.gt)
            or (self.le is not None and number > self.le)
            or (self.lt is not None and number >= self.lt)
        )
        too_short = self.min_length is not None and isinstance(value, Sized) and len(value) < self.min_length
        not_listed = bool(self.choices) and value not in self.choices
        return f"must be {self.limits()}" if out_of_bounds or too_short or not_listed else None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One declared parameter: its name, type in words, default, and limits."""

    name: str
    annotation: Any
    default: Any
    param: Param

    @property
    def required(self) -> bool:
        """True when the parameter has no default."""
        return self.default is _MISSING

    @property
    def type_name(self) -> str:
        """The type in a reader's words, such as ``money``, ``int`` or ``text``."""
        return _type_name(self.annotation)

    @property
    def default_text(self) -> str:
        """The default as it would be written in an experiment file; empty when the parameter is required."""
        return "" if self.required else _written(self.default)


def _type_name(annotation: Any) -> str:
    if annotation is Money:
        return "money"
    if annotation is str:
        return "text"
    if typing.get_origin(annotation) is Literal:
        return " | ".join(map(str, typing.get_args(annotation)))
    if typing.get_origin(annotation) is Mapping:
        return f"map of {_type_name(typing.get_args(annotation)[1])}"
    if typing.get_origin(annotation) is tuple:
        return f"list of {_type_name(typing.get_args(annotation)[0])}"
    if typing.get_origin(annotation) in (types.UnionType, typing.Union):
        return " | ".join("none" if a is type(None) else _type_name(a) for a in typing.get_args(annotation))
    if typing.get_origin(annotation) is Annotated:
        return _type_name(typing.get_args(annotation)[0])
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        hints = typing.get_type_hints(annotation, include_extras=True)
        return "{" + ", ".join(f"{name}: {_type_name(hint)}" for name, hint in hints.items()) + "}"
    return getattr(annotation, "__name__", str(annotation))


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Money):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_written(key)} = {_written(inner)}" for key, inner in value.items()) + " }"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        pairs = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        return "{ " + ", ".join(f"{name} = {_written(v)}" for name, v in pairs if v is not None) + " }"
    return "none" if value is None else str(value)


def parameters_of(cls: type) -> tuple[Parameter, ...]:
    """The parameters that a class declares, its own and inherited ones, in the order of declaration.

    >>> class Doubling(Configurable):
    ...     unit: Money = Money(10)
    ...     steps: Annotated[int, Param(ge=1)] = 7
    >>> [(p.name, p.type_name, p.default_text, p.param.limits()) for p in parameters_of(Doubling)]
    [('unit', 'money', '10.00', ''), ('steps', 'int', '7', 'at least 1')]

    A default is checked like any other value: BettorError for one that no experiment could give.
    """
    return _declared(cls)


@functools.cache
def _declared(cls: type) -> tuple[Parameter, ...]:
    found = []
    for name, hint in typing.get_type_hints(cls, include_extras=True).items():
        if name.startswith("_") or typing.get_origin(hint) is ClassVar or hint is ClassVar:
            continue
        param, annotation = Param(), hint
        if typing.get_origin(hint) is Annotated:
            annotation, *notes = typing.get_args(hint)
            param = next((note for note in notes if isinstance(note, Param)), param)
        parameter = Parameter(name, annotation, getattr(cls, name, _MISSING), param)
        found.append(parameter if parameter.required else _with_checked_default(parameter, cls))
    return tuple(found)


def _with_checked_default(parameter: Parameter, cls: type) -> Parameter:
    """The parameter with its default as the annotated type: ``unit: Money = "10.00"`` is money from then on."""
    where = f"the defaults of {cls.__name__}"
    default = _checked(parameter, parameter.default, where=where)
    if isinstance(default, list | dict | set):
        raise BettorError(
            f"{where}: {parameter.name} = {parameter.default!r} would be shared by all that are made",
            hint="declare a list as tuple[int, ...]",
        )
    return replace(parameter, default=default)


@functools.cache
def _adapter(annotation: Any) -> TypeAdapter[Any]:
    from pydantic import ConfigDict, TypeAdapter

    if dataclasses.is_dataclass(annotation):
        return TypeAdapter(annotation)
    return TypeAdapter(annotation, config=ConfigDict(arbitrary_types_allowed=True, strict=True))


def _checked(parameter: Parameter, value: Any, *, where: str) -> Any:
    value = _typed(parameter.annotation, value, where=f"{where}: {parameter.name}")
    fault = None if value is None else parameter.param.fault(value)
    if fault:
        raise BettorError(f"{where}: {parameter.name} = {_written(value)} {fault}")
    return value


def _typed(annotation: Any, value: Any, *, where: str) -> Any:
    """The value as the annotated type; nothing is guessed: true is no number and "5" is no int."""
    if typing.get_origin(annotation) in (types.UnionType, typing.Union):
        return _one_of(typing.get_args(annotation), value, where=where)
    if typing.get_origin(annotation) is Annotated:
        inner, *notes = typing.get_args(annotation)
        typed = _typed(inner, value, where=where)
        fault = next((f for n in notes if isinstance(n, Param) and (f := n.fault(typed))), None)
        if fault:
            raise BettorError(f"{where} = {_written(typed)} {fault}")
        return typed
    if annotation is Money:
        return _money(value, where=where)
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        return _dataclass(annotation, value, where=where)
    if typing.get_origin(annotation) is tuple:
        return _tuple(annotation, value, where=where)
    if typing.get_origin(annotation) is Mapping:
        return _mapping(annotation, value, where=where)
    return _plain_value(annotation, value, where=where)


def _one_of(options: tuple[Any, ...], value: Any, *, where: str) -> Any:
    """The value as the first of several types that takes it; the type that it has already comes before all others."""
    if type(value) in options:
        options = (type(value), *options)
    faults = []
    for option in options:
        if option is type(None):
            if value is None:
                return None
            continue
        try:
            return _typed(option, value, where=where)
        except BettorError as error:
            faults.append(error)
    if len(faults) == 1:
        raise faults[0]
    named = dict.fromkeys(option for option in options if option is not type(None))
    raise BettorError(f"{where} = {_written(value)} must be {' or '.join(map(_type_name, named))}")


def _tuple(annotation: Any, value: Any, *, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise BettorError(f"{where} = {_written(value)} must be a list")
    item = typing.get_args(annotation)[0]
    return tuple(_typed(item, v, where=f"{where}[{i}]") for i, v in enumerate(value))


def _mapping(annotation: Any, value: Any, *, where: str) -> Mapping[str, Any]:
    """A mapping of names that can no longer be changed, so that states of a bettor may share it."""
    if not isinstance(value, Mapping):
        raise BettorError(f"{where} = {_written(value)} must be a table such as {{ name = … }}")
    inner = typing.get_args(annotation)[1]
    return types.MappingProxyType({str(k): _typed(inner, v, where=f"{where}.{k}") for k, v in value.items()})


def _money(value: Any, *, where: str) -> Money:
    if isinstance(value, Money):
        return value
    try:
        return Money(value)
    except MoneyError as error:
        raise BettorError(f"{where}: {error.message}", hint=error.hint) from None


def _plain_value(annotation: Any, value: Any, *, where: str) -> Any:
    if annotation is float and isinstance(value, Decimal):
        value = float(value)
    if annotation in (int, float) and isinstance(value, bool):
        raise BettorError(f"{where} = {_written(value)} must be a number, not true or false")
    # The plainest values need no pydantic, which takes long to import.
    if annotation in (bool, int, float, str) and type(value) is annotation:
        return value
    if typing.get_origin(annotation) is Literal and isinstance(value, str) and value in typing.get_args(annotation):
        return value
    from pydantic import ValidationError

    try:
        return _adapter(annotation).validate_python(value)
    except ValidationError as error:
        raise BettorError(f"{where} = {_written(value)}: {error.errors()[0]['msg'].lower()}") from None


def _dataclass(annotation: type, value: Any, *, where: str) -> Any:
    if isinstance(value, annotation):
        return _with_checked_fields(value, where=where)
    if not isinstance(value, Mapping):
        raise BettorError(f"{where} = {_written(value)} must be a table such as {{ {_example(annotation)} }}")
    hints = typing.get_type_hints(annotation, include_extras=True)
    _refuse_unknown(value, hints, where=where)
    typed = {name: _typed(hints[name], v, where=f"{where}.{name}") for name, v in value.items()}
    try:
        made = annotation(**typed)
    except TypeError as error:
        raise BettorError(f"{where}: {error}") from None
    return _with_checked_fields(made, where=where)


def _with_checked_fields(value: Any, *, where: str) -> Any:
    """The same dataclass with its fields, defaults among them, as the annotated types."""
    hints = typing.get_type_hints(type(value), include_extras=True)
    held = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
    typed = {name: _typed(hints[name], inner, where=f"{where}.{name}") for name, inner in held.items()}
    return value if all(typed[name] is held[name] for name in held) else replace(value, **typed)


def _example(annotation: type) -> str:
    return ", ".join(f"{name} = …" for name in typing.get_type_hints(annotation))


def _refuse_unknown(values: Mapping[str, Any], known: Mapping[str, Any], *, where: str) -> None:
    for name in values:
        if name not in known:
            raise BettorError(f"{where}: there is no parameter {name!r}", hint=did_you_mean(name, known))


class Configurable:
    """What bettors, selections and progressions share: an id and declared parameters, given by keyword.

    >>> class Doubling(Configurable):
    ...     unit: Money = Money(10)
    ...     steps: Annotated[int, Param(ge=1)] = 7
    >>> Doubling(steps=3)
    Doubling(unit=10.00, steps=3)
    >>> Doubling(steps=0)
    Traceback (most recent call last):
      ...
    bacclab.errors.BettorError: Doubling: steps = 0 must be at least 1
    """

    id: ClassVar[str] = ""

    def __init__(self, **values: Any) -> None:
        where = self.id or type(self).__name__
        known = {p.name: p for p in parameters_of(type(self))}
        _refuse_unknown(values, known, where=where)
        for name, parameter in known.items():
            if name in values:
                setattr(self, name, _checked(parameter, values[name], where=where))
            elif parameter.required:
                raise BettorError(f"{where}: the parameter {name!r} must be given")
            else:
                setattr(self, name, parameter.default)

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the declared parameters, by name."""
        return {p.name: getattr(self, p.name) for p in parameters_of(type(self))}

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={_written(value)}" for name, value in self.parameters.items())
        return f"{type(self).__name__}({inside})"


T = TypeVar("T", bound="Configurable")


def build(cls: type[T], values: Mapping[str, Any], *, where: str) -> T:
    """Make one from the values of an experiment file; a fault is a BettorError that begins with ``where``.

    >>> class Doubling(Configurable):
    ...     steps: Annotated[int, Param(ge=1)] = 7
    >>> build(Doubling, {"stebs": 3}, where="bettor 'Mine'")
    Traceback (most recent call last):
      ...
    bacclab.errors.BettorError: bettor 'Mine': there is no parameter 'stebs' (did you mean steps?)
    """
    try:
        return cls(**values)
    except BettorError as error:
        said = error.message.removeprefix(f"{cls.id or cls.__name__}: ")
        raise BettorError(f"{where}: {said}", hint=error.hint) from None
