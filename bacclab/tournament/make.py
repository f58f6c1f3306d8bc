"""From a bettor's lines in an experiment to the bettor itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.bettors.base import Bettor, Combined, Progression, Selection
from bacclab.bettors.lanes_combined import LaneCombined
from bacclab.bettors.params import build
from bacclab.errors import BettorError

if TYPE_CHECKING:
    from bacclab.registry import Registry
    from bacclab.tournament.config import BettorSpec

__all__ = ["combined", "make_bettor"]


def make_bettor(spec: BettorSpec, registry: Registry) -> Bettor:
    """The bettor that a spec describes. Raises BettorError or PluginError for what is unknown or out of range.

    ``use`` names a bettor, or a progression, which then always plays one side: ``use = "flat"``, ``on = "banker"``.
    """
    where = f"bettor {spec.name!r}"
    if spec.use is None:
        if spec.select is None or spec.stake is None:
            raise BettorError(f"{where}: it needs use = …, or select = … and stake = …")
        side = build(registry.get("selections", spec.select.id).item, spec.select.params, where=f"{where}: select")
        size = build(registry.get("progressions", spec.stake.id).item, spec.stake.params, where=f"{where}: stake")
        return combined(side, size)
    if spec.use in registry.progressions and spec.use not in registry.bettors:
        params = dict(spec.params)
        on = {"on": params.pop("on")} if "on" in params else {}
        side = build(registry.get("selections", "always").item, on, where=where)
        return combined(side, build(registry.get("progressions", spec.use).item, params, where=where))
    whole: Bettor = build(registry.get("bettors", spec.use).item, spec.params, where=where)
    return whole


def combined(selection: Selection, progression: Progression) -> Bettor:
    """A selection with a progression, vectorised where one of them is."""
    if selection.vectorised or progression.vectorised:
        return LaneCombined(selection, progression)
    return Combined(selection, progression)
