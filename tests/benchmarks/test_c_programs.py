"""The C programs that bacclab is timed against do its work: exactly on the same rounds, by chance on their own."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bacclab.exact.odds import code_probabilities
from bacclab.game.codes import CODE_MASK, NEW_SHOE, outcomes
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon

STEPS = (1, 2, 7, 10)
WIDTH, SESSIONS = 500, 4096
PROGRAMS = ("plain C", "scalar C", "vector C")


@pytest.fixture(scope="module")
def benchmark(script: Callable[[Path], ModuleType]) -> Any:
    """The benchmark as a module: the bettors and the table that it measures, and what plays them in C."""
    return script(Path(__file__).with_name("tournament.py"))


@pytest.fixture(scope="module")
def programs(benchmark: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    compiled: dict[str, Path] = benchmark.c_programs.compiled(tmp_path_factory.mktemp("c"))
    if not compiled:
        pytest.skip("there is no C compiler (gcc or cc)")
    assert tuple(compiled) == PROGRAMS
    return compiled


@pytest.fixture(scope="module")
def works(benchmark: Any, programs: dict[str, Path]) -> dict[str, Any]:
    """What each program comes to on two million rounds that it deals itself."""
    return {
        name: benchmark.c_programs.played(program, SESSIONS, WIDTH, steps=STEPS) for name, program in programs.items()
    }


@pytest.mark.parametrize("name", PROGRAMS)
def test_on_the_same_rounds_they_keep_what_bacclab_keeps(name: str, benchmark: Any, programs: dict[str, Path]) -> None:
    helper = benchmark.c_programs
    rounds = SimulatedSource(benchmark.TABLE.shoe, seed=3).rounds(0, 128, horizon=Horizon(rounds=WIDTH))
    work = helper.played(programs[name], 128, WIDTH, steps=STEPS, codes=rounds.codes)
    assert (work.codes == rounds.codes).all()
    for place, player in enumerate(benchmark.players(STEPS)):
        ledger, _ = player.play(rounds, first=0)
        assert (ledger.rounds == WIDTH).all()
        for column, figure in enumerate(helper.FIGURES):
            assert (work.figures[place, :, column] == getattr(ledger, figure)).all(), (figure, STEPS[place])
        assert (work.bankrolls[place] == ledger.bankrolls[1:].T).all()


@pytest.mark.parametrize("dealt_by", PROGRAMS)
def test_on_each_others_rounds_they_agree(
    dealt_by: str, benchmark: Any, programs: dict[str, Path], works: dict[str, Any]
) -> None:
    dealt = works[dealt_by]
    for program in programs.values():
        again = benchmark.c_programs.played(program, SESSIONS, WIDTH, steps=STEPS, codes=dealt.codes)
        assert (again.figures == dealt.figures).all()
        assert (again.bankrolls == dealt.bankrolls).all()


def test_plain_and_scalar_deal_the_same_first_shoe(works: dict[str, Any]) -> None:
    """Their random numbers are the same until a shoe ends, of which the plain one leaves the last cards unmixed."""
    plain, scalar = works["plain C"].codes[0], works["scalar C"].codes[0]
    end = int(np.flatnonzero(plain & NEW_SHOE)[1])
    assert end > 60
    assert (plain[:end] == scalar[:end]).all()
    assert scalar[end] & NEW_SHOE


@pytest.mark.parametrize("name", PROGRAMS)
class TestOnTheirOwnRounds:
    def test_codes_have_their_exact_probabilities(self, name: str, works: dict[str, Any]) -> None:
        chances = code_probabilities(8)
        dealt = np.bincount((works[name].codes & CODE_MASK).reshape(-1), minlength=chances.size)
        assert dealt.size == chances.size
        assert not dealt[chances == 0].any()
        # Codes of which fewer than ten are expected are counted together.
        expected = chances * SESSIONS * WIDTH
        rare = expected < 10
        observed = np.append(dealt[~rare], dealt[rare].sum())
        means = np.append(expected[~rare], expected[rare].sum())
        chi_square, freedom = ((observed - means) ** 2 / means).sum(), means.size - 1
        assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)

    def test_bankrolls_have_their_exact_expectation(self, name: str, works: dict[str, Any], benchmark: Any) -> None:
        helper = benchmark.c_programs
        chances = np.bincount(outcomes(), weights=code_probabilities(8))
        return_on_stake = chances[0] - chances[1]
        assert return_on_stake == pytest.approx(-0.0123508, abs=1e-7)  # the published house edge of Player
        column = {figure: place for place, figure in enumerate(helper.FIGURES)}
        for figures in works[name].figures:
            staked, net = figures[:, column["staked"]], figures[:, column["final"]] - helper.START
            bets = figures[:, [column["wins"], column["losses"], column["pushes"]]]
            assert (bets.sum(axis=1) == WIDTH).all()
            # Net less the expectation of what was laid has the mean 0, however the stakes were chosen.
            surplus = (net - return_on_stake * staked) / helper.UNIT
            assert abs(surplus.mean()) < 4 * surplus.std() / math.sqrt(SESSIONS)
            shares = bets.sum(axis=0) / (SESSIONS * WIDTH)
            assert (np.abs(shares - chances) < 4 * np.sqrt(chances * (1 - chances) / (SESSIONS * WIDTH))).all()

    def test_shoes_are_as_long_as_the_dealers(self, name: str, works: dict[str, Any], benchmark: Any) -> None:
        sessions = 4 * SESSIONS
        source = SimulatedSource(benchmark.TABLE.shoe, seed=4)
        ours = five_shoes(source.rounds(0, sessions, horizon=Horizon(rounds=WIDTH)).codes)
        theirs = five_shoes(works[name].codes)
        error = math.sqrt(ours.var() / sessions + theirs.var() / SESSIONS)
        # One card less burned after every tenth, jack, queen and king would make five shoes 0.3 rounds longer.
        assert abs(ours.mean() - theirs.mean()) < 4 * error < 0.3


def five_shoes(codes: Any) -> Any:
    """How many rounds the first five shoes of every session have."""
    assert (codes[:, 0] & NEW_SHOE).all()
    begun = np.cumsum(codes & NEW_SHOE != 0, axis=1)
    assert (begun[:, -1] > 5).all()
    return np.argmax(begun == 6, axis=1)
