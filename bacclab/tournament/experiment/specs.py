"""The bettors of an experiment file: one by one as listed, and by the product of selections and progressions."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bacclab.errors import nearest, shorten
from bacclab.tournament.experiment.locate import Key

if TYPE_CHECKING:
    from bacclab.tournament.experiment.models import BettorPart, ExperimentPart, ProductPart, StopPart
    from bacclab.tournament.experiment.origin import Origin

MOST_NAME = 500
MOST_PRODUCTS = 2_000
"""The most bettors that one product may make."""

ALL = "*"
"""In a product: every registered selection or progression."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A registered thing and its parameters: ``{ use = "martingale", unit = 10 }``."""

    id: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stop:
    """Amounts ahead or behind, and losses in a row, at which a session ends; None for no such rule."""

    win: int | None = None
    loss: int | None = None
    losses: int | None = None


NO_STOP = Stop()


@dataclass(frozen=True, slots=True, kw_only=True)
class BettorSpec:
    """One bettor of an experiment: ``use`` with ``params``, or ``select`` with ``stake``."""

    name: str
    use: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    select: Choice | None = None
    stake: Choice | None = None
    when_refused: str = "stop"
    stop: Stop = NO_STOP
    key: Key = ()


def stop_of(part: StopPart) -> Stop:
    """The stop rules of a part of the file."""
    return Stop(win=part.win, loss=part.loss, losses=part.losses)


def read_bettors(part: ExperimentPart, stop: Stop, origin: Origin) -> tuple[BettorSpec, ...]:
    """The bettors that an experiment lists and those that its products make, each with a name of its own."""
    if not part.bettor and not part.product:
        missing = (
            "is missing" if "bettor" not in part.model_fields_set else "is empty: an experiment needs at least one"
        )
        raise origin.fault(("bettor",), missing, hint="write [[bettor]] and under it use = … or select = …")
    listed = [_bettor(one, ("bettor", position), stop, origin) for position, one in enumerate(part.bettor)]
    made = [
        spec
        for position, product in enumerate(part.product)
        for spec in _product(product, ("product", position), stop, origin)
    ]
    named: dict[str, BettorSpec] = {}
    for spec in (*listed, *made):
        if len(spec.name) > MOST_NAME:
            fault = f"= {shorten(spec.name, 60)!r} has {len(spec.name):,} characters; a name has at most {MOST_NAME}"
            raise origin.fault((*spec.key, "name"), fault)
        if spec.name != spec.name.strip():
            fault = "is blank" if not spec.name.strip() else "begins or ends with a space"
            raise origin.fault((*spec.key, "name"), f"= {spec.name!r} {fault}")
        earlier = named.setdefault(_looks(spec.name), spec)
        if earlier is not spec:
            same = earlier.name == spec.name
            raise origin.fault(
                (*spec.key, "name"),
                f"= {spec.name!r} " + ("is the name of two bettors" if same else f"looks the same as {earlier.name!r}"),
                hint=f"the other is at {origin.where(earlier.key)}",
            )
    return tuple(named.values())


def _looks(name: str) -> str:
    """The same for names that a reader cannot tell apart.

    >>> _looks("A  B") == _looks("A B"), _looks("e\u0301") == _looks("\u00e9"), _looks("A") == _looks("a")
    (True, True, False)
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


def _bettor(part: BettorPart, key: Key, stop: Stop, origin: Origin) -> BettorSpec:
    extra = dict(part.model_extra or {})
    own = stop_of(part.stop) if part.stop is not None else stop
    if part.use is not None:
        if "stake" in part.model_fields_set:  # a whole bettor may have a parameter of that name
            extra["stake"] = part.stake
        if part.select is not None:
            raise origin.fault(key, "has both use and select", hint="use names a whole bettor; select goes with stake")
        return BettorSpec(name=part.name or part.use, use=part.use, params=extra, key=key,
                          when_refused=part.when_refused, stop=own)  # fmt: skip
    if part.select is None:
        raise origin.fault(key, "does not say what it plays", hint=_what_it_plays(extra))
    if part.stake is None:
        raise origin.fault(key, "has a selection but no stake", hint='write stake = { use = "flat", unit = 10 }')
    select, stake = _choice(part.select), _choice(_settings(part.stake, (*key, "stake"), origin))
    if extra:
        near = nearest(next(iter(extra)), ("name", "select", "stake", "when_refused", "stop"))
        hint = f"did you mean {near}?" if near else "parameters stand inside select = { … } or stake = { … }"
        raise origin.fault((*key, next(iter(extra))), "is not a key of a bettor made of select and stake", hint=hint)
    return BettorSpec(name=part.name or f"{select.id}, {stake.id}", select=select, stake=stake, key=key,
                      when_refused=part.when_refused, stop=own)  # fmt: skip


def _what_it_plays(extra: Mapping[str, Any]) -> str:
    near = next(((k, n) for k in extra if (n := nearest(k, ("use", "select")))), None)
    return f"did you mean {near[1]} for {near[0]}?" if near else "give it use = …, or select = … and stake = …"


def _settings(value: Any, key: Key, origin: Origin) -> dict[str, Any]:
    from bacclab.tournament.experiment.models import choice_settings

    try:
        return choice_settings(value)
    except ValueError as error:
        raise origin.fault(key, str(error)) from None


def _choice(settings: Mapping[str, Any]) -> Choice:
    return Choice(settings["use"], {name: value for name, value in settings.items() if name != "use"})


def _product(part: ProductPart, key: Key, stop: Stop, origin: Origin) -> Iterator[BettorSpec]:
    """Every selection with every progression; none while the registered ones are not known yet (`*`)."""
    selections, stakes = (
        [_choice(_settings(value, (*key, name, place), origin)) for place, value in enumerate(values)]
        for name, values in (("select", part.select), ("stake", part.stake))
    )
    if ALL in (choice.id for choice in (*selections, *stakes)):
        return
    if (count := len(selections) * len(stakes)) > MOST_PRODUCTS:
        raise origin.fault(
            key, f"makes {count:,} bettors; at most {MOST_PRODUCTS:,}", hint="name fewer, or use without"
        )
    own = stop_of(part.stop) if part.stop is not None else stop
    unit = {} if part.unit is None else {"unit": part.unit}
    sizes = [Choice(stake.id, {**unit, **stake.params}) for stake in stakes]
    for select, select_name in zip(selections, _labels(selections), strict=True):
        for stake, stake_name in zip(sizes, _labels(stakes), strict=True):
            name = f"{select_name}, {stake_name}"
            yield BettorSpec(name=name, select=select, stake=stake, key=key, when_refused=part.when_refused, stop=own)


def _labels(choices: list[Choice]) -> list[str]:
    """A name for each: its id, and where that is not enough its parameters.

    >>> _labels([Choice("flat", {}), Choice("martingale", {"steps": 4}), Choice("martingale", {"steps": 7})])
    ['flat', 'martingale (steps 4)', 'martingale (steps 7)']
    """
    ids = [choice.id for choice in choices]
    return [
        choice.id + (f" ({', '.join(f'{n} {v}' for n, v in choice.params.items())})" if choice.params else "")
        if ids.count(choice.id) > 1
        else choice.id
        for choice in choices
    ]


def with_registered(raw: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]) -> dict[str, Any] | None:
    """The raw experiment with every `*` of its products written out; None where there is none.

    ``names`` has the registered ids of ``select`` and of ``stake``; ``without`` leaves ids out.

    >>> names = {"select": ("always", "chop"), "stake": ("flat", "oscar")}
    >>> with_registered({"product": [{"select": "*", "stake": ["flat"], "without": ["chop"]}]}, names)
    {'product': [{'select': ['always'], 'stake': ['flat']}]}
    """
    products = raw.get("product", [])
    if not any(ALL in _listed(product.get(part)) for product in products for part in names):
        return None
    return {**raw, "product": [_written_out(product, names) for product in products]}


def _written_out(product: Mapping[str, Any], names: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    out = {name: value for name, value in product.items() if name != "without"}
    without = set(product.get("without", ()))
    for part, registered in names.items():
        listed = _listed(out.get(part))
        if ALL in listed:
            own = [value for value in listed if value != ALL]
            given = {value if isinstance(value, str) else value.get("use") for value in own} | without
            out[part] = own + [name for name in registered if name not in given]
    return out


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
