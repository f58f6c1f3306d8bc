"""Cells and blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.errors import BacclabError, ConfigError
from bacclab.plugins.loader import load_plugins
from bacclab.tournament.experiment.config import load_config
from bacclab.tournament.plan import BLOCK_ROUNDS, BLOCK_SESSIONS, block_size, checkpoints, plan


@pytest.fixture(scope="module")
def registry():
    return load_plugins(allow=()).registry


@given(sessions=st.integers(1, 10**9), rounds=st.integers(1, 10**7))
def test_blocks_are_neither_too_large_nor_too_many(sessions: int, rounds: int) -> None:
    size = block_size(sessions, rounds)
    assert 1 <= size <= BLOCK_SESSIONS
    assert size == 1 or size * rounds <= BLOCK_ROUNDS


@pytest.mark.parametrize("block", [None, 1, 7, 150, 4000])
def test_blocks_hold_every_session_once(small, registry, block: int | None) -> None:
    planned = plan(load_config(small(sweep={"sessions": [10, 150]})), registry, block=block)
    for cell in planned.cells:
        sessions = [s for b in planned.blocks_of(cell) for s in range(b.first, b.first + b.count)]
        assert sessions == list(range(cell.sessions))
    blocks = list(planned.blocks())
    assert blocks == sorted(blocks)
    assert len(blocks) == planned.block_count


def test_a_block_of_nothing_is_refused(small, registry) -> None:
    with pytest.raises(ConfigError, match="at least 1 session"):
        plan(load_config(small()), registry, block=0)


@given(rounds=st.integers(1, 5000), count=st.integers(1, 1000))
def test_checkpoints_are_spread_evenly_and_hold_the_last_round(rounds: int, count: int) -> None:
    points = checkpoints(rounds, count)
    assert points[0] == 0
    assert points[-1] == rounds
    steps = np.diff(points)
    assert len(steps) == min(count, rounds)
    assert steps.min() >= 1
    assert steps.max() - steps.min() <= 1


def test_cells_hold_what_players_need(small, registry) -> None:
    (cell,) = plan(
        load_config(small(stop={"win": 100}, record={"trajectories": 1000, "checkpoints": 9})), registry
    ).cells
    assert cell.names == ("A labouchere", "Flat on Banker", "Martingale", "Pairs")
    assert cell.trajectories == cell.sessions == 150
    assert cell.max_rounds == 90
    assert cell.checkpoints.tolist() == list(range(0, 91, 10))
    assert cell.bankroll == 5_000_000
    assert {spec.stop.win for spec in cell.bettors} == {1_000_000}
    assert cell.source.describe()["seed"] == 20261129


def test_seeds_rounds_and_bankrolls_can_be_swept(small, registry) -> None:
    sweep = {"seed": [1, 2], "bankroll": [100, "200.50"], "rounds": [10, 20]}
    cells = plan(load_config(small(sweep=sweep)), registry).cells
    assert [(c.seed, c.bankroll, c.horizon.rounds) for c in cells] == [
        (s, b, r) for s in (1, 2) for b in (1_000_000, 2_005_000) for r in (10, 20)
    ]


def test_too_many_bettors_are_refused(small, registry) -> None:
    many = [{"name": str(n), "use": "flat"} for n in range(2001)]
    with pytest.raises(ConfigError, match="at most 2,000"):
        plan(load_config(small() | {"bettor": many}), registry)


def test_bets_of_plugins_can_be_put_on_a_table(small, tmp_path) -> None:
    plugin = tmp_path / "lucky.py"
    plugin.write_text(
        "import bacclab as bl\n"
        "LUCKY = bl.Bet(id='lucky_nine', title='Lucky nine', kind='side', odds={'win': bl.Odds.parse('9:1')},\n"
        "    lines=lambda r: 'win' if r.player_total == 9 and r.player_cards == 2 else None,\n"
        "    rule='Player has nine with two cards', source='test', example='9 and 10')\n"
        "@bl.hookimpl\n"
        "def register_bets(register):\n"
        "    register(LUCKY)\n"
    )
    registry = load_plugins(files=[plugin], allow=(), strict=True).registry
    experiment = load_config(small("flat", table={"rules": "commission", "extra_bets": ["lucky_nine"]}))
    (cell,) = plan(experiment, registry).cells
    assert "lucky_nine" in cell.table.bets


PARTS_OF_CENTS = {
    "main": ('use = "pair-hunter"\nmain = { unit = "10.001" }', "line 7: .*main.unit = 10.001 is not in whole cents"),
    "below zero": ('use = "pair-hunter"\nmain = { unit = -1 }', "line 7: .*main.unit = -1.00 must be at least 0"),
    "list": ('use = "ladder"\nrungs = [1, "2.005"]', r"line 7: .*rungs\[1\] = 2.005 is not in whole cents"),
}


@pytest.mark.parametrize("name", PARTS_OF_CENTS)
def test_sums_inside_a_parameter_must_be_in_whole_cents(tmp_path, name: str) -> None:
    plugin = tmp_path / "ladder.py"
    plugin.write_text(
        "import bacclab as bl\n"
        "@bl.bettor('ladder')\n"
        "class Ladder(bl.Bettor):\n"
        "    rungs: tuple[bl.Money, ...] = (bl.Money(1),)\n"
        "    def bet(self, view):\n"
        "        return view.banker(self.rungs[0])\n"
    )
    lines, said = PARTS_OF_CENTS[name]
    path = tmp_path / "parts.toml"
    path.write_text(f'bankroll = 1000\nsessions = 10\nrounds = 10\n[[bettor]]\nname = "Mine"\n{lines}\n')
    registry = load_plugins(files=[plugin], allow=(), strict=True).registry
    with pytest.raises(BacclabError, match=said):
        plan(load_config(path), registry)
