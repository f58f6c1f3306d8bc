"""The chance of n straight losses, by series and in a shoe: a table worked out elsewhere, the exact solver on it."""

from __future__ import annotations

import math

import pytest

from bacclab.bettors.base import Combined
from bacclab.bettors.progressions.classic import Flat, Martingale
from bacclab.bettors.selections.recent import Always
from bacclab.bettors.whole.stopping import stop_after_losses
from bacclab.exact.bankrolls.distribution import exact_bankrolls
from bacclab.exact.odds import line_chances
from bacclab.game.layout import Layout
from bacclab.game.tables import BUILT_IN_TABLES

TABLE = BUILT_IN_TABLES["commission"].override({"minimum": 1})
# n: Banker by series and at least once in 62 decided rounds, Player by series and in 62 rounds.
PUBLISHED = {
    5: (0.02917, 0.6129, 0.03344, 0.6574),
    6: (0.01439, 0.3580, 0.01695, 0.4008),
    7: (0.00710, 0.1896, 0.00859, 0.2205),
    8: (0.00350, 0.0958, 0.00435, 0.1152),
    9: (0.00173, 0.0473, 0.00221, 0.0587),
    10: (0.00085, 0.0231, 0.00112, 0.0295),
    11: (0.00042, 0.0112, 0.00057, 0.0148),
}
CASES = [
    (n, side, row[2 * k], row[2 * k + 1]) for n, row in PUBLISHED.items() for k, side in enumerate(("banker", "player"))
]


def chances(side: str) -> tuple[float, float]:
    """The chance that a round is decided, and that a decided one is lost."""
    layout = Layout(TABLE)
    lost, won, _tie = (float(chance) for chance in line_chances(layout, 8)[layout.index[side]][:3])
    return lost + won, lost / (lost + won)


def run_within(n: int, decided: int, lost: float) -> float:
    """The chance of n losses in a row in a number of independent decided rounds."""
    row, done = [1.0] + [0.0] * (n - 1), 0.0
    for _ in range(decided):
        done += row[-1] * lost
        row = [(1 - lost) * sum(row), *(share * lost for share in row[:-1])]
    return done


@pytest.mark.parametrize(("n", "side", "series", "shoe"), CASES)
def test_published(n: int, side: str, series: float, shoe: float) -> None:
    _, lost = chances(side)
    assert lost**n == pytest.approx(series, abs=6e-6)
    assert run_within(n, 62, lost) == pytest.approx(shoe, abs=6e-5)


def test_ten_in_a_thousand_decisions_on_player() -> None:
    assert run_within(10, 1000, chances("player")[1]) == pytest.approx(0.423, abs=5e-4)


@pytest.mark.parametrize("side", ["banker", "player"])
@pytest.mark.parametrize("n", [2, 5, 8])
def test_the_solver_ends_as_many_sessions(side: str, n: int) -> None:
    """A session that stops after n losses in a row is over when round 81 is asked for: eighty rounds, some of them
    ties.
    """
    decided, lost = chances(side)
    expected = sum(
        math.comb(80, k) * decided**k * (1 - decided) ** (80 - k) * run_within(n, k, lost) for k in range(81)
    )
    flat = stop_after_losses(Combined(Always(on=side), Flat(unit=1)), n)
    assert exact_bankrolls(flat, TABLE, bankroll=1000, rounds=81).share("bettor") == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(("side", "chance"), [("player", 0.0085902), ("banker", 0.0070959)])
def test_a_seven_step_series(side: str, chance: float) -> None:
    """The chance that the first series of a seven-step Martingale is lost, in rounds enough to decide it."""
    system = Combined(Always(on=side), Martingale(unit=5, steps=7, at_end="stop"))
    assert chances(side)[1] ** 7 == pytest.approx(chance, abs=5e-8)
    played = exact_bankrolls(stop_after_losses(system, 7), TABLE, bankroll=100_000, rounds=8)
    decided, lost = chances(side)
    assert played.share("bettor") == pytest.approx((decided * lost) ** 7, rel=1e-9)


@pytest.mark.parametrize(
    ("side", "rounds", "chance"),
    [("player", 1000, 0.9805), ("banker", 1000, 0.9641), ("player", 81, 0.2581), ("banker", 81, 0.2227)],
)
def test_seven_losses_with_ties_between_them_left_out(side: str, rounds: int, chance: float) -> None:
    """Ties move nothing: on Player 98.05 % in a thousand rounds, not 90.35 % (ties reset) or 99.94 % (ties lose).

    A run is ended by a win or by itself (seven losses are a lost series), so this is a lost seven-step Martingale too.
    """
    flat = stop_after_losses(Combined(Always(on=side), Flat(unit=1)), 7)
    assert exact_bankrolls(flat, TABLE, bankroll=3000, rounds=rounds + 1).share("bettor") == pytest.approx(
        chance, abs=6e-5
    )
