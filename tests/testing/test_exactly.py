"""Plain play on every sequence of rounds comes to the exact result, and another one would be told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bacclab.bettors.progressions.classic import Martingale
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.testing import check_bettor, exactly
from bacclab.testing.subject import subject_of


@pytest.mark.parametrize(
    "system", [FlatBettor(on="tie", unit=5), FlatBettor(on="banker", unit=10), Martingale(unit=10)]
)
def test_they_agree(system, monkeypatch) -> None:
    solved = []
    monkeypatch.setattr(exactly, "solve", lambda player, solve=exactly.solve: solved.append(player) or solve(player))
    exactly.exact_agrees(subject_of(system))
    assert solved
    assert solved[0].terms.max_rounds >= 3


def test_another_result_is_told(monkeypatch) -> None:
    def tilted(player, solve=exactly.solve):
        found = solve(player)
        (amounts, chances), *_ = reversed(found.bankrolls)
        return replace(found, bankrolls=(*found.bankrolls[:-1], (amounts, chances[::-1].copy())))

    monkeypatch.setattr(exactly, "solve", tilted)
    report = check_bettor(FlatBettor(on="banker", unit=10), only=["ways-agree"])
    assert report.failed[0].text.startswith("exact and plain part: after ")
