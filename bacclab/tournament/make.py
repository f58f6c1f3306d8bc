"""From a bettor's lines in an experiment to the bettor itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.bettors.base import Bettor, Combined, Progression, Selection
from bacclab.bettors.lanes.combined import LaneCombined
from bacclab.bettors.params import build
from bacclab.bettors.selections.following import NOBODY, Following
from bacclab.bettors.whole.stopping import stop_after_losses
from bacclab.errors import BettorError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bacclab.plugins.registry import Registry
    from bacclab.tournament.experiment.specs import BettorSpec

__all__ = ["combined", "make_bettor"]


def make_bettor(spec: BettorSpec, registry: Registry, *, others: Iterable[BettorSpec] = ()) -> Bettor:
    """The bettor that a spec describes. Raises BettorError or PluginError for what is unknown or out of range.

    ``use`` names a bettor, or a progression, which then always plays one side: ``use = "flat"``, ``on = "banker"``.
    ``others`` are the bettors of the experiment that may be followed: a follower has private copies of them.
    """
    bettor = _made(spec, registry, {other.name: other for other in others}, ())
    return bettor if spec.stop.losses is None else stop_after_losses(bettor, spec.stop.losses)


def _made(spec: BettorSpec, registry: Registry, others: Mapping[str, BettorSpec], chain: tuple[str, ...]) -> Bettor:
    """The bettor of a spec; ``chain`` holds the names of those that follow it."""
    where = f"bettor {spec.name!r}"
    if spec.use is None:
        if spec.select is None or spec.stake is None:
            raise BettorError(f"{where}: it needs use = …, or select = … and stake = …")
        side = build(registry.get("selections", spec.select.id).item, spec.select.params, where=f"{where}: select")
        if isinstance(side, Following):
            side = side.playing(_followed(side, registry, others, (*chain, spec.name)))
        size = build(registry.get("progressions", spec.stake.id).item, spec.stake.params, where=f"{where}: stake")
        return combined(side, size)
    if spec.use in registry.progressions and spec.use not in registry.bettors:
        params = dict(spec.params)
        on = {"on": params.pop("on")} if "on" in params else {}
        side = build(registry.get("selections", "always").item, on, where=where)
        return combined(side, build(registry.get("progressions", spec.use).item, params, where=where))
    whole: Bettor = build(registry.get("bettors", spec.use).item, spec.params, where=where)
    return whole


def _followed(
    wish: Following, registry: Registry, others: Mapping[str, BettorSpec], chain: tuple[str, ...]
) -> list[Selection | Bettor]:
    """What a follower follows, in the order of its names: of a bettor made of two parts the selection."""
    where = f"bettor {chain[-1]!r}: select: of"
    if not wish.names:
        raise BettorError(f"{where}: it needs the name of the bettor that is followed")
    found: list[Selection | Bettor] = []
    for name in wish.names:
        if name in chain:
            raise BettorError(f"{where} = {name!r}: bettors follow each other in a circle: {', '.join((*chain, name))}")
        if name not in others:
            known = [other for other in others if other not in chain]
            hint = did_you_mean(name, known)
            if name == NOBODY:
                hint = 'name one: of = "NAME"; under [[product]] with select = "*": without = ["copy", "oppose"]'
            raise BettorError(f"{where} = {name!r}: the experiment has no such bettor", hint=hint)
        bettor = _made(others[name], registry, others, chain)
        found.append(bettor.selection if isinstance(bettor, Combined | LaneCombined) else bettor)
    return found


def combined(selection: Selection, progression: Progression) -> Bettor:
    """A selection with a progression, vectorised where one of them is."""
    if selection.vectorised or progression.vectorised:
        return LaneCombined(selection, progression)
    return Combined(selection, progression)
