"""Records may hold rounds that no shoe can give; whichever way one is played, they are settled by the bet's rule."""

from __future__ import annotations

import numpy as np
import pytest

from bacclab.bettors.base import Combined
from bacclab.bettors.progressions.classic import Flat, Martingale
from bacclab.bettors.selections.recent import Always, FollowLast
from bacclab.game.codes import CODES, NEW_SHOE, Round, possible_codes
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.shoes.source import Rounds
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import player_for

TABLE = BUILT_IN_TABLES["no-commission"]
LAYOUT = Layout(TABLE)


def rounds_of(codes: list[int]) -> Rounds:
    row = np.array([codes], dtype=np.uint16)
    row[0, 0] |= NEW_SHOE
    return Rounds(codes=row, lengths=np.array([len(codes)], dtype=np.int32), ran_out=np.zeros(1, dtype=np.bool_))


def terms(rounds: int) -> Terms:
    return Terms(
        layout=LAYOUT,
        bankroll=10**9,
        stop_win=None,
        stop_loss=None,
        checkpoints=np.array([0, rounds], dtype=np.int64),
        traced=1,
        policy="stop",
        max_rounds=rounds,
    )


@pytest.mark.parametrize("way", ["table", "plain"])
def test_a_natural_with_a_third_card_on_the_other_side_is_won_by_the_higher_total(way: str) -> None:
    mistaken = Round(player_total=9, banker_total=1, player_cards=3, banker_cards=2)
    assert not possible_codes()[mistaken.code]
    player = player_for(Combined(Always(on="player"), Flat(unit=10)), terms(10), name="x", seed=1, way=way)
    ledger, _ = player.play(rounds_of([mistaken.code] * 10), first=0)
    assert ledger.net.tolist() == [10 * 10 * 10_000]


def test_all_codes_come_out_alike_from_the_table_and_plainly() -> None:
    codes = np.random.default_rng(5).permutation(CODES)[:2_000].tolist()
    for bettor in (Combined(Always(on="banker"), Flat(unit=10)), Combined(FollowLast(), Martingale(unit=1, steps=5))):
        table, plain = (
            player_for(bettor, terms(len(codes)), name="x", seed=1, way=way).play(rounds_of(codes), first=0)[0].figures
            for way in ("table", "plain")
        )
        assert np.array_equal(table, plain)
