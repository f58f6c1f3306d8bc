"""The built-in systems pass the kit that strangers' systems are asked to pass."""

from __future__ import annotations

import pytest

from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.plugins.loader import load_plugins
from bacclab.testing import check_bettor, check_metric

REGISTRY = load_plugins(allow=()).registry
LEFT_OUT = (
    *("copy", "oppose"),  # they follow another bettor of an experiment, and here is none
    "effects-count",  # works out effects of removal each time it is made: a minute
)
SYSTEMS = [
    (kind, name)
    for kind in ("bettors", "selections", "progressions")
    for name in REGISTRY.of(kind)
    if name not in LEFT_OUT
]
CHECKS = ("plays", "legal", "no-look-ahead", "starts-afresh", "independent", "no-mutation", "parameters")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), SYSTEMS)
def test_systems(kind, name) -> None:
    table = BUILT_IN_TABLES["commission-all-bets"]
    check_bettor(REGISTRY.of(kind)[name].item, only=CHECKS, table=table, rounds=25, sessions=2).require()


@pytest.mark.parametrize("name", REGISTRY.metrics)
def test_metrics(name) -> None:
    check_metric(REGISTRY.metrics[name].item).require()
