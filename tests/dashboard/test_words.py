"""The answer and the warnings: what they say follows from the figures, and no more."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import polars as pl
import pytest

from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.words.answer import answer, refusal, warnings


def changed(synthetic: ModuleType, run: Any, name: str, **values: Any) -> Lookup:
    """The run with some figures of one bettor replaced."""
    mine = pl.col("bettor") == name
    summary = run.summary.with_columns(
        pl.when(mine).then(pl.lit(value)).otherwise(pl.col(key) if key in run.summary.columns else None).alias(key)
        for key, value in values.items()
    )
    return Lookup(
        synthetic.SyntheticRun(
            summary, run.sessions, run.distribution, run.trajectories, run.comparisons, run.cells, run.manifest
        )
    )


class TestAnswer:
    def test_edge_and_price(self, run: Any) -> None:
        text = " ".join(answer(Lookup(run)))
        assert "No system here beats the table." in text
        assert "from 1.06 % (Flat on Banker and Grab 200 and go) to 14.36 % (Flat on Tie)" in text
        dear = run.summary.filter(pl.col("bettor") == "Flat on Tie").row(0, named=True)
        assert f"{-dear['expected'] / dear['sessions']:,.2f} with Flat on Tie" in text

    def test_many_small_wins(self, run: Any) -> None:
        text = " ".join(answer(Lookup(run)))
        grab = run.summary.filter(pl.col("bettor") == "Grab 200 and go").row(0, named=True)
        assert f"Most often ahead at the end is Grab 200 and go, in {grab['ahead'] * 100:.1f} % of sessions" in text
        assert f"expected to lose {-grab['expected'] / grab['sessions']:.2f} a session" in text

    def test_a_few_lucky_sessions_have_no_reason(self, run: Any, synthetic: ModuleType) -> None:
        few = {"sessions": 20, "ahead": 0.6, "expected": -1028.0}
        assert "rarer" not in " ".join(answer(changed(synthetic, run, "Grab 200 and go", **few)))
        many = few | {"sessions": 2000, "expected": -102_800.0}
        assert "rarer" in " ".join(answer(changed(synthetic, run, "Grab 200 and go", **many)))

    def test_a_profit_within_noise_is_called_so(self, run: Any, synthetic: ModuleType) -> None:
        text = " ".join(answer(changed(synthetic, run, "Flat on Banker", net=5000.0, z=1.3)))
        assert "Flat on Banker shows a profit" in text
        assert "within noise: 1.3 standard errors over" in text

    def test_a_rare_profit_is_set_against_the_number_of_tries(self, run: Any, synthetic: ModuleType) -> None:
        text = " ".join(answer(changed(synthetic, run, "Flat on Banker", net=5000.0, z=2.5)))
        # Half the area of Student's t beyond ±2.5, with 999 degrees of freedom, is one in 158.99.
        assert "about once in 159 such samples (5 were taken)" in text

    def test_an_impossible_profit_is_a_warning(self, run: Any, synthetic: ModuleType) -> None:
        look = changed(synthetic, run, "Flat on Banker", net=50_000.0, z=6.2)
        text = " ".join(answer(look))
        assert "No system here beats the table" not in text
        assert "see the warning" in text
        assert any("6.2 standard errors above" in line for line in warnings(look))

    def test_a_bound_on_the_distance_holds_the_farthest(self, run: Any, synthetic: ModuleType) -> None:
        name = "Flat on Banker"
        rest = {"net": -5.0, "z": 0.1}
        summary = run.summary.with_columns(
            pl.when(pl.col("bettor") == name).then(-0.927).when(pl.col("staked") > 0).then(rest["z"]).alias("z"),
            net=pl.lit(rest["net"]),
        )
        look = Lookup(
            synthetic.SyntheticRun(
                summary, run.sessions, run.distribution, run.trajectories, run.comparisons, run.cells, run.manifest
            )
        )
        assert "every system lost money, each within 1.0 standard errors" in " ".join(answer(look))

    def test_nobody_bet(self, synthetic: ModuleType) -> None:
        run = synthetic.make_run(systems=synthetic.SYSTEMS[-1:], sessions=10, rounds=10)
        assert answer(Lookup(run)) == ["Nobody placed a bet, so there is nothing to conclude."]

    def test_one_bettor(self, synthetic: ModuleType) -> None:
        run = synthetic.make_run(systems=synthetic.SYSTEMS[:1], sessions=50, rounds=50)
        text = " ".join(answer(Lookup(run)))
        assert "The house edge on what Flat on Banker stakes is 1.06 %." in text
        assert "pairs" not in text

    def test_pairs(self, run: Any) -> None:
        told = (run.comparisons["p_adjusted"] < 0.05).sum()
        assert f"Of 15 pairs of systems, {told} can be told apart" in " ".join(answer(Lookup(run)))


class TestWarnings:
    def test_no_bets(self, run: Any) -> None:
        assert warnings(Lookup(run)) == [
            "Never bets placed no bets. Its bankroll never moves, and rates per bet are empty."
        ]

    @pytest.mark.parametrize(("z", "side"), [(4.2, "above"), (-5.0, "below")])
    def test_far_from_expectation(self, run: Any, synthetic: ModuleType, z: float, side: str) -> None:
        found = warnings(changed(synthetic, run, "Flat on Tie", z=z))
        assert any(f"{abs(z):.1f} standard errors {side}" in line and "Flat on Tie" in line for line in found)

    def test_a_table_that_refuses(self, run: Any, synthetic: ModuleType) -> None:
        figures = {
            "ended_limit": 0.123,
            "refused_under_minimum": 123,
            "refused_over_maximum": 0,
            "refused_over_bankroll": 7,
        }
        found = warnings(changed(synthetic, run, "Flat on Banker", **figures))
        (line,) = [line for line in found if line.startswith("Flat on Banker")]
        assert "12.3 % of sessions ended because the table refused a stake (under_minimum: 123)" in line
        (line,) = [
            line
            for line in warnings(changed(synthetic, run, "Flat on Banker", **figures), reason=refusal)
            if line.startswith("Flat on Banker")
        ]
        assert "(under the minimum: 123)" in line
        exact = figures | {"refused_under_minimum": 0.16}
        assert any(
            "a stake (under_minimum)" in line for line in warnings(changed(synthetic, run, "Flat on Banker", **exact))
        )
        few = warnings(changed(synthetic, run, "Flat on Banker", **figures | {"ended_limit": 0.01}))
        assert not any("refused" in line for line in few)

    def test_a_caution_of_many_is_one_line(self, synthetic: ModuleType) -> None:
        rules = [synthetic.System(f"flat, {k}", "banker", (10.0,), synthetic.stay, synthetic.stay) for k in range(7)]
        many = synthetic.make_run(systems=rules, sessions=20, rounds=20)
        refused = {"ended_limit": [0.02 + k / 10 for k in range(7)], "refused_over_maximum": [3] * 7}
        many.summary = many.summary.with_columns(*(pl.Series(name, column) for name, column in refused.items()))
        (line,) = [line for line in warnings(Lookup(many)) if "refused a stake" in line]
        assert line.startswith("flat, 0; flat, 1; flat, 2 and 4 more: up to 62.0 % of sessions")
        assert "(over_maximum: 21)" in line

    def test_a_table_that_loses(self, run: Any, synthetic: ModuleType) -> None:
        found = warnings(changed(synthetic, run, "Flat on Banker", expected_return=0.0124))
        assert any("+1.24 %" in line and "player's favour" in line for line in found)
