"""From an experiment file (or a mapping) to a checked `Experiment`.

What belongs to a table, a source or a bettor is checked when the plan is made, because plugins may bring them; the
experiment keeps its origin, so those messages name file and line as well.
"""

from __future__ import annotations

import math
import numbers
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.errors import ConfigError, nearest
from bacclab.money import Money
from bacclab.shoes.source import Horizon
from bacclab.tournament.locate import Key, parse_key, show_key
from bacclab.tournament.origin import Assignment, Origin, assign, parse_set, read_file, refuse_unfit

if TYPE_CHECKING:
    from bacclab.tournament.models import BettorPart, ExperimentPart, StopPart

_NEVER_SWEPT = ("title", "sweep", "plugins")


@dataclass(frozen=True, slots=True)
class Choice:
    """A registered thing and its parameters: ``{ use = "martingale", unit = 10 }``."""

    id: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stop:
    """Amounts ahead or behind at which a session ends; None for no such rule."""

    win: int | None = None
    loss: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BettorSpec:
    """One bettor of an experiment: ``use`` with ``params``, or ``select`` with ``stake``."""

    name: str
    use: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    select: Choice | None = None
    stake: Choice | None = None
    when_refused: str = "stop"
    stop: Stop = Stop()
    key: Key = ()


@dataclass(frozen=True, slots=True)
class Record:
    """How many checkpoints hold histograms of bankrolls, how many sessions are kept round by round, and rounds an hour."""

    checkpoints: int = 100
    trajectories: int = 50
    pace: int = 72


@dataclass(frozen=True, slots=True)
class Axis:
    """One line of a sweep: the key path as written, and its values."""

    label: str
    key: Key
    values: tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """A checked experiment. ``bankroll`` is an amount; ``table`` and ``source`` are settings still to be looked up."""

    title: str
    seed: int
    bankroll: int
    sessions: int
    horizon: Horizon
    table: Mapping[str, Any]
    source: Mapping[str, Any]
    bettors: tuple[BettorSpec, ...]
    stop: Stop = Stop()
    sweep: tuple[Axis, ...] = ()
    record: Record = Record()
    plugins: tuple[Path, ...] = ()
    plugin_settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    time_budget: float | None = None
    origin: Origin
    raw: Mapping[str, Any] = field(repr=False)
    seed_given: bool = True

    @property
    def text(self) -> str:
        """The file as it was written; empty for a mapping."""
        return self.origin.text

    @property
    def base_folder(self) -> Path:
        """Where relative paths start."""
        return self.origin.folder

    @property
    def cell_count(self) -> int:
        """How many combinations the sweep has (1 without a sweep)."""
        return math.prod(len(axis.values) for axis in self.sweep)

    def cell(self, index: int) -> tuple[dict[str, Any], Experiment]:
        """One combination of the sweep, the last key fastest: its settings, and its experiment without a sweep."""
        plain = {k: v for k, v in self.raw.items() if k != "sweep"} | {"seed": self.seed}
        chosen, settings = [], {}
        for axis in reversed(self.sweep):
            index, position = divmod(index, len(axis.values))
            settings[axis.label] = axis.values[position]
            place = f"{self.origin.where(('sweep', axis.label))}, sweep of {axis.label}"
            chosen.append(Assignment(axis.key, axis.values[position], place))
        raw, origin = assign(plain, reversed(chosen), self.origin)
        return dict(reversed(settings.items())), _experiment(raw, origin)


def load_config(
    source: str | os.PathLike[str] | Mapping[str, Any],
    *,
    sets: Iterable[str] = (),
    assignments: Iterable[Assignment] = (),
) -> Experiment:
    """The experiment of a TOML file or a mapping, with ``KEY=VALUE`` texts, then `assignments`, put over it.

    Raises ConfigError that names the file, the line, the key and the nearest right name.

    >>> flat = {"use": "flat", "on": "banker", "unit": 10}
    >>> experiment = load_config({"bankroll": 1000, "rounds": 500, "seed": 1, "bettor": [flat]}, sets=["sessions=20"])
    >>> experiment.sessions, experiment.bankroll, experiment.bettors[0].name
    (20, 10000000, 'flat')
    >>> load_config({"bankrol": 1000, "rounds": 500, "seed": 1, "bettor": [flat]})
    Traceback (most recent call last):
    bacclab.errors.ConfigError: experiment: bankrol is not a key of an experiment (did you mean bankroll?)
    """
    if isinstance(source, Mapping):
        raw, origin = _from_mapping(source), Origin(None, "")
    else:
        raw, origin = read_file(Path(source))
    refuse_unfit(raw, origin)
    raw, origin = assign(raw, [*map(parse_set, sets), *assignments], origin)
    refuse_unfit(raw, origin)
    return _experiment(raw, origin)


def _from_mapping(source: Mapping[str, Any]) -> dict[str, Any]:
    try:
        plain: dict[str, Any] = _plain(source)
    except RecursionError:
        raise ConfigError("experiment: lists or mappings are nested too deeply") from None
    return plain


def _plain(value: Any, key: Key = ()) -> Any:
    """A mapping given in Python with dicts, lists and strings as a TOML file would give them."""
    if isinstance(value, Mapping):
        return {str(name): _plain(child, (*key, str(name))) for name, child in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(child, (*key, place)) for place, child in enumerate(value)]
    if isinstance(value, type):
        raise ConfigError(
            f"experiment: {show_key(key)} must be a name, not the class {value.__name__}",
            hint="put the class in a file, name the file under plugins: files, and write its id here",
        )
    if isinstance(value, Iterator):
        raise ConfigError(f"experiment: {show_key(key)} must be a list, not a {type(value).__name__}")
    if not isinstance(value, bool) and isinstance(value, numbers.Integral):  # numpy's too
        return int(value)
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _experiment(raw: dict[str, Any], origin: Origin) -> Experiment:
    from bacclab.tournament.plugin_settings import plugin_settings

    part = _checked(raw, origin)
    stop = _stop(part.stop)
    return Experiment(
        title=part.title or (origin.path.stem if origin.path else ""),
        seed=secrets.randbelow(2**31) if part.seed is None else part.seed,
        seed_given=part.seed is not None,
        bankroll=part.bankroll,
        sessions=part.sessions,
        horizon=_horizon(part, origin),
        table=_named(part.table, "table", "rules", "commission", origin),
        source=_source(part.source, origin),
        stop=stop,
        bettors=_bettors(part.bettor, stop, origin),
        sweep=_sweep(part.sweep, raw, origin),
        record=Record(part.record.checkpoints, part.record.trajectories, part.record.pace),
        plugins=tuple(origin.folder / Path(name).expanduser() for name in part.plugins.files),
        plugin_settings=plugin_settings(part.plugins, origin),
        time_budget=part.plugins.time_budget,
        origin=origin,
        raw=raw,
    )


def _checked(raw: dict[str, Any], origin: Origin) -> ExperimentPart:
    from pydantic import ValidationError

    from bacclab.tournament.models import ExperimentPart, fault_of

    try:
        return ExperimentPart.model_validate(raw)
    except ValidationError as error:
        faults = error.errors(include_url=False)
    # An unknown key explains a missing one (bankrol, bankroll), so it comes first.
    faults.sort(key=lambda fault: fault["type"] != "extra_forbidden")
    key, fault, hint = fault_of(faults[0])
    more = len(faults) - 1 - sum(f["type"] == "missing" for f in faults[1:])
    also = f"{more} more mistake{'s' if more > 1 else ''} after this one" if more > 0 else None
    raise origin.fault(key, fault, hint="; ".join(filter(None, (hint, also))) or None)


def _stop(part: StopPart) -> Stop:
    return Stop(win=part.win, loss=part.loss)


def _horizon(part: ExperimentPart, origin: Origin) -> Horizon:
    if part.rounds is not None and part.shoes is not None:
        raise origin.fault(("shoes",), "and rounds cannot both be given", hint="keep one of them")
    if part.rounds is None and part.shoes is None:
        raise origin.fault(("rounds",), "is missing", hint="write rounds = 500, or shoes = 6")
    return Horizon(rounds=part.rounds, shoes=part.shoes)


def _named(settings: dict[str, Any], part: str, key: str, default: str, origin: Origin) -> dict[str, Any]:
    settings = {key: default, **settings}
    if not isinstance(settings[key], str):
        raise origin.fault((part, key), "must be a name in quotes")
    return settings


def _source(settings: dict[str, Any], origin: Origin) -> dict[str, Any]:
    settings = _named(settings, "source", "use", "simulated", origin)
    path = settings.get("path")
    if isinstance(path, str):
        settings["path"] = str(origin.folder / Path(path).expanduser())
    return settings


def _bettors(parts: list[BettorPart], stop: Stop, origin: Origin) -> tuple[BettorSpec, ...]:
    specs: list[BettorSpec] = []
    for position, part in enumerate(parts):
        spec = _bettor(part, ("bettor", position), stop, origin)
        for earlier in specs:
            if earlier.name == spec.name:
                raise origin.fault(
                    (*spec.key, "name"),
                    f"= {spec.name!r} is the name of two bettors",
                    hint=f"the other is at {origin.where(earlier.key)}",
                )
        specs.append(spec)
    return tuple(specs)


def _bettor(part: BettorPart, key: Key, stop: Stop, origin: Origin) -> BettorSpec:
    extra = dict(part.model_extra or {})
    own = _stop(part.stop) if part.stop is not None else stop
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
    select, stake = _choice(part.select), _choice(_stake(part.stake, (*key, "stake"), origin))
    if extra:
        near = nearest(next(iter(extra)), ("name", "select", "stake", "when_refused", "stop"))
        hint = f"did you mean {near}?" if near else "parameters stand inside select = { … } or stake = { … }"
        raise origin.fault((*key, next(iter(extra))), "is not a key of a bettor made of select and stake", hint=hint)
    return BettorSpec(name=part.name or f"{select.id}, {stake.id}", select=select, stake=stake, key=key,
                      when_refused=part.when_refused, stop=own)  # fmt: skip


def _what_it_plays(extra: Mapping[str, Any]) -> str:
    near = next(((k, n) for k in extra if (n := nearest(k, ("use", "select")))), None)
    return f"did you mean {near[1]} for {near[0]}?" if near else "give it use = …, or select = … and stake = …"


def _stake(value: Any, key: Key, origin: Origin) -> dict[str, Any]:
    from bacclab.tournament.models import choice_settings

    try:
        return choice_settings(value)
    except ValueError as error:
        raise origin.fault(key, str(error)) from None


def _choice(settings: Mapping[str, Any]) -> Choice:
    return Choice(settings["use"], {name: value for name, value in settings.items() if name != "use"})


def _sweep(settings: Mapping[str, Any], raw: Mapping[str, Any], origin: Origin) -> tuple[Axis, ...]:
    axes = []
    for label, values in _flat(settings):
        place: Key = ("sweep", label)
        try:
            key = parse_key(label)
        except ValueError:
            raise origin.fault(place, "is not a key path", hint='write "table.maximum" or "bettor.0.unit"') from None
        if key[0] in _NEVER_SWEPT:
            raise origin.fault(place, f"cannot be swept: {key[0]} is the same for all cells")
        if not isinstance(values, list):
            raise origin.fault(place, "needs a list of values", hint=f'write "{label}" = [200, 500]')
        if not values:
            raise origin.fault(place, "has an empty list of values")
        twice = next((v for i, v in enumerate(values) if v in values[:i]), None)
        if twice is not None:
            raise origin.fault(place, f"lists {twice!r} twice")
        assign(raw, [Assignment(key, values[0], f"{origin.where(place)}, sweep of {label}")], origin)
        axes.append(Axis(label, key, tuple(values)))
    return tuple(axes)


def _flat(settings: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Sweep lines by label: ``"table.maximum" = […]`` in quotes, or ``table.maximum = […]`` without."""
    for name, value in settings.items():
        label = f"{above}.{show_key((name,))}" if above else name
        if isinstance(value, dict):
            yield from _flat(value, label if above else show_key((name,)))
        else:
            yield label, value


def resolved(experiment: Experiment) -> dict[str, Any]:
    """The experiment as plain values with defaults filled in, paths made absolute and the seed as used."""
    raw = experiment.raw
    out: dict[str, Any] = {
        "title": experiment.title,
        "seed": experiment.seed,
        "bankroll": str(Money.of(experiment.bankroll)),
        "sessions": experiment.sessions,
    }
    horizon = experiment.horizon
    out |= {"rounds": horizon.rounds} if horizon.shoes is None else {"shoes": horizon.shoes}
    out["table"] = dict(experiment.table)
    out["source"] = dict(experiment.source)
    if experiment.stop != Stop():
        out["stop"] = _stop_values(experiment.stop)
    out["bettor"] = [_bettor_values(spec, experiment.stop) for spec in experiment.bettors]
    if experiment.sweep:
        out["sweep"] = {axis.label: list(axis.values) for axis in experiment.sweep}
    out["record"] = {
        "checkpoints": experiment.record.checkpoints,
        "trajectories": experiment.record.trajectories,
        "pace": experiment.record.pace,
    }
    if raw.get("plugins"):
        out["plugins"] = raw["plugins"] | {"files": [str(path) for path in experiment.plugins]}
    return {name: plain_value(value) for name, value in out.items()}


def _stop_values(stop: Stop) -> dict[str, str]:
    return {name: str(Money.of(v)) for name, v in (("win", stop.win), ("loss", stop.loss)) if v is not None}


def _bettor_values(spec: BettorSpec, general: Stop) -> dict[str, Any]:
    out: dict[str, Any] = {"name": spec.name}
    if spec.use is not None:
        out |= {"use": spec.use, **spec.params}
    for name, choice in (("select", spec.select), ("stake", spec.stake)):
        if choice is not None:
            out[name] = {"use": choice.id, **choice.params}
    out["when_refused"] = spec.when_refused
    if spec.stop != general:
        out["stop"] = _stop_values(spec.stop)
    return out


def plain_value(value: Any) -> Any:
    """A value that both JSON and TOML can hold: money as text, mappings and lists all the way down."""
    if isinstance(value, Mapping):
        return {str(name): plain_value(child) for name, child in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(child) for child in value]
    return str(value) if isinstance(value, Money | Decimal | os.PathLike) else value
