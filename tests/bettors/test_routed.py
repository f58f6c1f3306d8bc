"""Results that are told through two methods miss nothing that a result says."""

from __future__ import annotations

from typing import Any

import pytest

from bacclab.bettors.routed import FIELDS, RoutedResult
from bacclab.bettors.view import Result
from bacclab.game.codes import Pair, Round

ROUNDS = [
    Round(player_total=7, banker_total=6, player_cards=2, banker_cards=2, player_pair=Pair.SUITED),
    Round(player_total=4, banker_total=4, player_cards=3, banker_cards=3, banker_pair=Pair.PAIR),
    Round(player_total=0, banker_total=9, player_cards=2, banker_cards=2),
]
SAID = {name for name in vars(Result) if not name.startswith("_")} - {"note_bet", "pick"}
OF_BETS = {"won", "push", "lost", "net"}


class Noting(RoutedResult):
    """Notes what it is asked for."""

    def __init__(self, code: int, *, staked: int, net: int) -> None:
        super().__init__(code, staked=staked, net=net)
        self.noted: list[str] = []

    def _field(self, name: str) -> Any:
        self.noted.append(name)
        return super()._field(name)

    def _won(self) -> int:
        self.noted.append("bets")
        return super()._won()


def test_nothing_that_a_result_says_goes_past_them() -> None:
    assert set(FIELDS) | OF_BETS | {"staked", "laid"} == SAID
    for name in SAID:
        result = Noting(ROUNDS[0].code, staked=10_000, net=10_000)
        getattr(result, name)
        expected = [name] if name in FIELDS else ["bets"] if name in OF_BETS else []
        assert result.noted == expected, name


@pytest.mark.parametrize("played", ROUNDS)
@pytest.mark.parametrize(("staked", "net"), [(10_000, 9_500), (10_000, 0), (10_000, -10_000), (0, 0)])
def test_they_say_the_same(played: Round, staked: int, net: int) -> None:
    plain, routed = (kind(played.code, staked=staked, net=net) for kind in (Result, RoutedResult))
    assert {name: getattr(routed, name) for name in SAID} == {name: getattr(plain, name) for name in SAID}
    assert routed.pick(won=1, push=2, lost=3) == plain.pick(won=1, push=2, lost=3)
    assert routed.pick(won=1, push=2, lost=3, idle=4) == plain.pick(won=1, push=2, lost=3, idle=4)
