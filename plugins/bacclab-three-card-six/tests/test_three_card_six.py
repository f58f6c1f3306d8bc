"""The package as its author tests it: the kit's checks, the edge by brute force, and a run."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from bacclab_three_card_six import BET, TABLE

import bacclab as bl
from bacclab.testing import check_bet, check_table, house_edge

COUNTS = {0: 128, **dict.fromkeys(range(1, 10), 32)}


def test_kit() -> None:
    check_bet(BET).require()
    check_table(TABLE).require()


def brute_force() -> tuple[Fraction, Fraction, Fraction]:
    """Chances that Banker wins with a three-card 6, wins otherwise, and loses; every deal from eight decks by value."""
    six = won = lost = 0
    for p1, p2, b1, b2 in product(range(10), repeat=4):
        left = dict(COUNTS)
        ways = 1
        for value in (p1, p2, b1, b2):
            ways *= left[value]
            left[value] -= 1
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        if player > 7 or banker > 7 or player in (6, 7):
            draws = [(None, banker if player > 7 or banker > 7 or banker > 5 else None)]
        else:
            draws = [(third, None) for third in range(10)]
        for third, stands in draws:
            after, chances, total = dict(left), ways, player
            if third is not None:
                chances, total = chances * after[third], (player + third) % 10
                after[third] -= 1
                if not banker_draws(banker, third):
                    stands = banker
            for fourth in (None,) if stands is not None else range(10):
                # What is not turned may be any card: six cards in order are counted, whatever is drawn.
                deals = chances
                if third is None:
                    deals = ways * (412 if fourth is None else after[fourth])
                deals *= after[fourth] if third is not None and fourth is not None else 411
                final = banker if fourth is None else (banker + fourth) % 10
                if final > total and final == 6 and fourth is not None:
                    six += deals
                elif final > total:
                    won += deals
                elif final < total:
                    lost += deals
    every = 416 * 415 * 414 * 413 * 412 * 411
    return Fraction(six, every), Fraction(won, every), Fraction(lost, every)


def banker_draws(banker: int, third: int) -> bool:
    """The third-card rule of Banker once Player has drawn."""
    least = {
        0: range(10),
        1: range(10),
        2: range(10),
        3: set(range(10)) - {8},
        4: range(2, 8),
        5: range(4, 8),
        6: (6, 7),
    }
    return third in least.get(banker, ())


def test_edges_by_brute_force() -> None:
    six, won, lost = brute_force()
    assert house_edge(TABLE, "three_card_six") == pytest.approx(float(1 - 51 * six), abs=1e-12)
    assert house_edge(TABLE, "banker") == pytest.approx(float(lost - won), abs=1e-12)


def test_it_runs(tmp_path: Path) -> None:
    run = bl.run(
        Path(__file__).parents[1] / "experiment.toml",
        sets=["sessions=200"],
        out=tmp_path / "run",
        report=False,
        workers=1,
    )
    side = run.summary.filter(run.summary["bettor"] == "Three-card Six alone").to_dicts()[0]
    assert abs(side["z"]) < 4
    assert side["net"] == 250 * side["wins"] - 5 * side["losses"]
    assert {plugin["name"] for plugin in run.manifest["plugins"] if plugin["items"]} >= {"three-card-six"}
