"""An experiment as plain values again: what the run folder keeps, and what decides whether two runs are the same."""

from __future__ import annotations

import os
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bacclab.money import Money
from bacclab.tournament.experiment.specs import Stop

if TYPE_CHECKING:
    from bacclab.tournament.experiment.config import Experiment
    from bacclab.tournament.experiment.specs import BettorSpec


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
    # A product is written as the bettors that it makes, unless a sweep speaks of it.
    swept = any(axis.key[0] == "product" for axis in experiment.sweep)
    listed = [spec for spec in experiment.bettors if not swept or spec.key[0] != "product"]
    if listed:
        out["bettor"] = [_bettor_values(spec, experiment.stop) for spec in listed]
    if swept:
        out["product"] = raw["product"]
    if experiment.sweep:
        out["sweep"] = {axis.label: list(axis.values) for axis in experiment.sweep}
    out["record"] = {
        "checkpoints": experiment.record.checkpoints,
        "trajectories": experiment.record.trajectories,
        "pace": experiment.record.pace,
        "confirm": experiment.record.confirm,
    }
    if raw.get("plugins"):
        out["plugins"] = raw["plugins"] | {"files": [str(path) for path in experiment.plugins]}
    return {name: plain_value(value) for name, value in out.items()}


def _stop_values(stop: Stop) -> dict[str, Any]:
    values: dict[str, Any] = {
        name: str(Money.of(v)) for name, v in (("win", stop.win), ("loss", stop.loss)) if v is not None
    }
    return values if stop.losses is None else values | {"losses": stop.losses}


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
