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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.errors import ConfigError, counted, did_you_mean
from bacclab.shoes.source import Horizon
from bacclab.tournament.experiment.csv_files import file_or_value, take_in
from bacclab.tournament.experiment.locate import Key, parse_key, show_key
from bacclab.tournament.experiment.origin import Assignment, Origin, assign, parse_set, read_file, refuse_unfit
from bacclab.tournament.experiment.specs import NO_STOP, BettorSpec, Stop, read_bettors, stop_of, with_registered

if TYPE_CHECKING:
    from bacclab.plugins.registry import Registry
    from bacclab.tournament.experiment.models import ExperimentPart

_NEVER_SWEPT = ("title", "sweep", "plugins")
_KEY_PATHS = 'write "table.maximum", "bettor.0.unit", or \'bettor."A, b".unit\''


@dataclass(frozen=True, slots=True)
class Record:
    """How many checkpoints hold histograms of bankrolls, how many sessions are kept round by round, and rounds an hour.

    `confirm`: whether the best of many plays again on fresh rounds.
    """

    checkpoints: int = 100
    trajectories: int = 50
    pace: int = 72
    confirm: bool = True


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
    stop: Stop = NO_STOP
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
            settings[axis.label] = file_or_value(axis.values[position])
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
    return _experiment(take_in(raw, origin), origin)


def with_all_registered(experiment: Experiment, registry: Registry) -> Experiment:
    """The same experiment with the `*` of its products written out as the registered selections and progressions."""
    names = {"select": tuple(sorted(registry.selections)), "stake": tuple(sorted(registry.progressions))}
    _refuse_unknown_without(experiment, {*names["select"], *names["stake"]})
    raw = with_registered(experiment.raw, names)
    if raw is None:
        return experiment
    written = _experiment(raw | {"seed": experiment.seed}, experiment.origin)
    return replace(written, seed_given=experiment.seed_given)


def _refuse_unknown_without(experiment: Experiment, known: set[str]) -> None:
    for position, product in enumerate(experiment.raw.get("product", ())):
        for place, name in enumerate(product.get("without", ())):
            if name not in known:
                key: Key = ("product", position, "without", place)
                raise experiment.origin.fault(key, f"= {name!r} is not registered", hint=did_you_mean(name, known))


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
    from bacclab.tournament.experiment.plugin_settings import plugin_settings

    part = _checked(raw, origin)
    stop = stop_of(part.stop)
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
        bettors=read_bettors(part, stop, origin),
        sweep=_sweep(part.sweep, raw, origin),
        record=Record(part.record.checkpoints, part.record.trajectories, part.record.pace, part.record.confirm),
        plugins=tuple(origin.folder / Path(name).expanduser() for name in part.plugins.files),
        plugin_settings=plugin_settings(part.plugins, origin),
        time_budget=part.plugins.time_budget,
        origin=origin,
        raw=raw,
    )


def _checked(raw: dict[str, Any], origin: Origin) -> ExperimentPart:
    from pydantic import ValidationError

    from bacclab.tournament.experiment.models import ExperimentPart, fault_of

    try:
        return ExperimentPart.model_validate(raw)
    except ValidationError as error:
        faults = error.errors(include_url=False)
    # An unknown key explains a missing one (bankrol, bankroll), so it comes first.
    faults.sort(key=lambda fault: fault["type"] != "extra_forbidden")
    key, fault, hint = fault_of(faults[0])
    more = len(faults) - 1 - sum(f["type"] == "missing" for f in faults[1:])
    also = f"{counted(more, 'more mistake')} after this one" if more > 0 else None
    raise origin.fault(key, fault, hint="; ".join(filter(None, (hint, also))) or None)


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


def _sweep(settings: Mapping[str, Any], raw: Mapping[str, Any], origin: Origin) -> tuple[Axis, ...]:
    axes: list[Axis] = []
    places: list[tuple[Key, Axis]] = []
    for label, values in _flat(settings):
        place: Key = ("sweep", label)
        try:
            key = parse_key(label)
        except ValueError:
            raise origin.fault(place, "is not a key path", hint=_KEY_PATHS) from None
        if key[0] in _NEVER_SWEPT:
            raise origin.fault(place, f"cannot be swept: {key[0]} is the same for all cells")
        if not isinstance(values, list):
            raise origin.fault(place, "needs a list of values", hint=f'write "{label}" = [200, 500]')
        if not values:
            raise origin.fault(place, "has an empty list of values")
        twice = next((v for i, v in enumerate(values) if v in values[:i]), None)
        if twice is not None:
            raise origin.fault(place, f"lists {twice!r} twice")
        put = Assignment(key, values[0], f"{origin.where(place)}, sweep of {label}")
        resolved = assign(raw, [put], origin)[1].assignments[-1].key
        for done in origin.assignments:
            if done.key[: len(resolved)] == resolved:
                hint = f"""set its values: --set 'sweep."{label}"=[…]'"""
                raise ConfigError(f"{done.shown}: {label} is swept, so this would not hold", hint=hint)
        for earlier, above in places:
            if (fault := _contradiction(above, earlier, resolved)) is not None:
                raise origin.fault(place, fault)
        places.append((resolved, axis := Axis(label, key, tuple(values))))
        axes.append(axis)
    return tuple(axes)


def _contradiction(above: Axis, earlier: Key, later: Key) -> str | None:
    """Why a later key of a sweep makes an earlier one untrue: cells would be named after values that do not hold."""
    if later == earlier:
        return f"and {above.label} are the same key"
    if later == earlier[: len(later)]:
        return f"takes the place of all that {above.label} sets; write it above that"
    if earlier == later[: len(earlier)] and any(_holds(value, later[len(earlier) :]) for value in above.values):
        return f"is set by values of {above.label} too"
    return None


def _holds(value: Any, path: Key) -> bool:
    for part in path:
        inside = dict(enumerate(value)) if isinstance(value, list) else value
        if not isinstance(inside, Mapping) or part not in inside:
            return False
        value = inside[part]
    return True


def _flat(settings: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Sweep lines by label: ``"table.maximum" = […]`` in quotes, or ``table.maximum = […]`` without."""
    for name, value in settings.items():
        label = f"{above}.{show_key((name,))}" if above else name
        if isinstance(value, dict):
            yield from _flat(value, label if above else show_key((name,)))
        else:
            yield label, value
