"""The experiment file as pydantic models, and the words for what is wrong with a value.

Types are strict: true is no number, 8.0 is no whole number, "1e3" is no money. The parts that belong to a table, a
source or a bettor stay mappings here; whoever owns them checks them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainValidator, WithJsonSchema

from bacclab.bettors.slip import POLICIES, Policy
from bacclab.errors import MoneyError, nearest, shown
from bacclab.game.override import KEYS
from bacclab.money import CENT, MAX_AMOUNT, Money, show, to_amount

if TYPE_CHECKING:
    from bacclab.tournament.experiment.locate import Key


def _amount(value: Any) -> int:
    """An amount of whole cents, not negative, from a number or a string of plain digits."""
    try:
        amount = value.amount if isinstance(value, Money) else to_amount(value)
    except MoneyError as error:
        raise ValueError(f"= {shown(value)} is not an amount of money: {error}") from None
    if amount < 0:
        raise ValueError(f"= {shown(value)} is below zero")
    if amount > MAX_AMOUNT:
        raise ValueError(f"= {shown(value)} is too large: amounts are exact up to {show(MAX_AMOUNT)}")
    if amount % CENT:
        raise ValueError(f"= {shown(value)} is not in whole cents")
    return amount


def _positive(value: Any) -> int:
    amount = _amount(value)
    if amount == 0:
        raise ValueError("must be more than 0")
    return amount


def _seconds(value: Any) -> float | None:
    if value == "none" or value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not 0 < value < math.inf:
        raise ValueError(f'= {shown(value)} must be a number of seconds above 0, or "none"')
    return float(value)


def choice_settings(value: Any) -> dict[str, Any]:
    """A selection or progression: its id, or a mapping with ``use`` and parameters."""
    if isinstance(value, str):
        return {"use": value}
    if not isinstance(value, dict):
        raise ValueError(f'= {shown(value)} must be a name or a table such as {{ use = "flat", unit = 10 }}')
    if not isinstance(value.get("use"), str):
        raise ValueError('needs a name: { use = "…", … }')
    return dict(value)


_MONEY = {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": r"^\d+(\.\d{1,2})?$"}]}
_CHOICE = {
    "anyOf": [
        {"type": "string"},
        {"type": "object", "properties": {"use": {"type": "string"}}, "required": ["use"]},
    ]
}
TIME_BUDGET = 600.0
_MOST_HINTED = 10**15
_SECONDS = {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"const": "none"}]}
_CHOICES = {"anyOf": [{"type": "string"}, {"type": "array", "items": _CHOICE, "minItems": 1}]}


def _list_of_choices(value: Any) -> list[Any]:
    """A list, or one name or table for a list of one."""
    return value if isinstance(value, list) else [value]


Amount = Annotated[int, PlainValidator(_positive), WithJsonSchema(_MONEY)]
ChoiceSettings = Annotated[dict[str, Any], PlainValidator(choice_settings), WithJsonSchema(_CHOICE)]


class Part(BaseModel):
    """A part of the file: strict types, no unknown keys."""

    model_config = ConfigDict(strict=True, extra="forbid", arbitrary_types_allowed=True)


class StopPart(Part):
    """When a session ends by its result."""

    win: Amount | None = Field(default=None, description="end the session when it is this much ahead")
    loss: Amount | None = Field(
        default=None, description="end the session when it is this much behind; no bet goes past it"
    )
    losses: int | None = Field(
        default=None, ge=1, le=1_000_000, description="end the session after so many lost rounds in a row"
    )


class RecordPart(Part):
    """What is kept of the sessions."""

    checkpoints: int = Field(
        default=100, ge=1, le=1000, description="rounds at which bankrolls are kept, the last one always"
    )
    trajectories: int = Field(default=50, ge=0, le=100_000, description="sessions kept round by round")
    confirm: bool = Field(
        default=True, description="whether the best of a sweep, or of many bettors, plays again on fresh rounds"
    )
    pace: int = Field(default=72, ge=1, le=1000, description="rounds an hour, for figures by the hour")


class PluginsPart(Part):
    """Plugins that this experiment needs; other keys are tables of settings, one for each plugin by its name."""

    model_config = ConfigDict(strict=True, extra="allow", arbitrary_types_allowed=True)

    files: list[str] = Field(default_factory=list, description="Python files, relative to the experiment file")
    time_budget: Annotated[float | None, PlainValidator(_seconds), WithJsonSchema(_SECONDS)] = Field(
        default=TIME_BUDGET,
        description='seconds that a bettor from a plugin may take to be made ready, and for each block; or "none"',
    )


class BettorPart(Part):
    """One bettor, whole (`use`) or a selection with a progression (`select`, `stake`); other keys are parameters."""

    model_config = ConfigDict(strict=True, extra="allow", arbitrary_types_allowed=True)

    name: str | None = Field(default=None, min_length=1, max_length=200, description="its name in tables and charts")
    use: str | None = Field(default=None, description="a registered bettor")
    select: ChoiceSettings | None = Field(default=None, description="a registered selection: which side")
    stake: Annotated[Any, WithJsonSchema(_CHOICE)] = Field(
        default=None, description="a registered progression: how much"
    )
    when_refused: Policy = Field(
        default="stop", description="what happens when a bet is not allowed by the bankroll or the table"
    )
    stop: StopPart | None = Field(default=None, description="in place of the experiment's [stop]")


class ProductPart(Part):
    """Every one of some selections with every one of some progressions, each pair a bettor named after both."""

    select: Annotated[list[Any], BeforeValidator(_list_of_choices), WithJsonSchema(_CHOICES)] = Field(
        min_length=1, description='selections, each a name or a table with use; "*" is every registered one'
    )
    stake: Annotated[list[Any], BeforeValidator(_list_of_choices), WithJsonSchema(_CHOICES)] = Field(
        min_length=1, description='progressions, each a name or a table with use; "*" is every registered one'
    )
    without: list[str] = Field(default_factory=list, description='names that "*" leaves out')
    unit: Annotated[Any, WithJsonSchema(_MONEY)] = Field(
        default=None, description="the unit of every progression that does not give its own"
    )
    when_refused: Policy = Field(default="stop", description="as in [[bettor]]")
    stop: StopPart | None = Field(default=None, description="in place of the experiment's [stop]")


class ExperimentPart(Part):
    """An experiment file."""

    title: str = Field(default="", description="a line for people")
    seed: int | None = Field(
        default=None, ge=0, lt=2**63, description="decides every card; drawn and recorded if left out"
    )
    bankroll: Amount = Field(description="bankroll at the start of every session, in currency units")
    sessions: int = Field(default=1000, ge=1, le=1_000_000_000, description="how many sessions each bettor plays")
    rounds: int | None = Field(default=None, ge=1, le=10_000_000, description="rounds in a session; or else shoes")
    shoes: int | None = Field(default=None, ge=1, le=100_000, description="shoes in a session; or else rounds")
    table: dict[str, Any] = Field(default_factory=dict, description="`rules` names a table; other keys override it")
    source: dict[str, Any] = Field(default_factory=dict, description="`use` names a source of rounds; its settings")
    stop: StopPart = Field(default_factory=StopPart)
    bettor: list[BettorPart] = Field(default_factory=list)
    product: list[ProductPart] = Field(default_factory=list)
    sweep: dict[str, Any] = Field(
        default_factory=dict, description="key path = list of values; each combination a cell"
    )
    record: RecordPart = Field(default_factory=RecordPart)
    plugins: PluginsPart = Field(default_factory=PluginsPart)


def part_of(key: Key) -> type[Part] | None:
    """The model to which a place in the file belongs; None inside a free mapping."""
    names = tuple(p for p in key if isinstance(p, str))
    parts: dict[tuple[str, ...], type[Part]] = {
        (): ExperimentPart,
        ("stop",): StopPart,
        ("record",): RecordPart,
        ("plugins",): PluginsPart,
        ("bettor",): BettorPart,
        ("bettor", "stop"): StopPart,
        ("product",): ProductPart,
        ("product", "stop"): StopPart,
    }
    return parts.get(names)


def fault_of(error: Mapping[str, Any]) -> tuple[Key, str, str | None]:
    """The place, the fault in words, and a hint, from one of pydantic's error records."""
    key: Key = tuple(error["loc"])
    kind, value, context = error["type"], error.get("input"), error.get("ctx", {})
    if kind == "extra_forbidden":
        return key, "is not a key of an experiment", near_key(key)
    if kind == "missing":
        return key, "is missing", _example(key)
    if kind in ("int_type", "int_from_float", "int_parsing"):
        return key, f"must be a whole number, not {shown(value)}", _whole_number_hint(value)
    if kind == "greater_than_equal":
        return key, f"must be at least {context['ge']:,}, not {shown(value)}", None
    if kind in ("less_than_equal", "less_than"):
        limit = context.get("le", context.get("lt"))
        return key, f"must be {'at most' if 'le' in context else 'under'} {limit:,}, not {shown(value)}", None
    if kind == "string_type":
        return key, f"must be text in quotes, not {shown(value)}", None
    if kind == "list_type":
        return key, f"must be a list, not {shown(value)}", "write [[bettor]]" if key == ("bettor",) else None
    if kind in ("dict_type", "model_type"):
        return key, f"must be a table of keys, not {shown(value)}", _section_hint(key, value)
    if kind == "too_short":
        return key, "is empty: an experiment needs at least one", None
    if kind == "literal_error":
        near = nearest(value, POLICIES) if isinstance(value, str) else None
        hint = f'did you mean "{near}"?' if near else f"one of: {', '.join(POLICIES)}"
        return key, f"= {shown(value)} is not a choice", hint
    if kind == "value_error":
        return key, str(context["error"]), None
    return key, f"= {shown(value)}: {error['msg'][:1].lower()}{error['msg'][1:]}", None


def near_key(key: Key) -> str:
    """A hint for a key that does not exist: the nearest one, or all that there are."""
    *above, name = key
    own = tuple((part_of(tuple(above)) or ExperimentPart).model_fields)
    near = nearest(str(name), own)
    if near:
        return f"did you mean {near}?"
    if not above and (meant := nearest(str(name), KEYS)):
        return f"did you mean {meant}, under [table]?"
    if above and name in ExperimentPart.model_fields:
        return "it belongs above the first line in square brackets"
    return f"there are: {', '.join(own)}"


def _example(key: Key) -> str | None:
    examples = {"bankroll": "write bankroll = 1000", "bettor": "write [[bettor]] and under it use = … or select = …"}
    return examples.get(str(key[-1]))


def _section_hint(key: Key, value: Any) -> str | None:
    name = {"table": "rules", "source": "use"}.get(str(key[-1])) if len(key) == 1 and isinstance(value, str) else None
    return f"write [{key[0]}] and under it {name} = {shown(value)}" if name else None


def _whole_number_hint(value: Any) -> str | None:
    if isinstance(value, float | Decimal) and math.isfinite(value) and value == int(value):
        return f"write {int(value)}" if -_MOST_HINTED < value < _MOST_HINTED else None
    if isinstance(value, str) and value.strip().isdigit():
        return f"write {value.strip()} without quotes"
    return None
