"""Comparisons against the plain arithmetic of paired differences."""

from __future__ import annotations

import itertools
import math
import statistics
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bacclab as bl
from bacclab.analysis import compare as module
from bacclab.analysis.compare import compare, holm
from bacclab.analysis.statistics.exact_sums import exact_products, exact_sum
from bacclab.analysis.summary import Group
from bacclab.tournament.frames import SCHEMAS


def compared(
    nets: dict[str, list[float]], *, held: int | None = None, summary: pl.DataFrame | None = None
) -> pl.DataFrame:
    """The comparisons of bettors with these net results, as one cell."""
    names = sorted(nets)
    count = len(nets[names[0]])
    sessions = pl.DataFrame({"net": [net for name in names for net in nets[name]]}, schema={"net": pl.Float64})
    groups = [Group(0, name, i * count, count, 100.0, "table") for i, name in enumerate(names)]
    with pytest.MonkeyPatch.context() as patch:
        if held:
            patch.setattr(module, "HELD", held)
        return compare(sessions.lazy(), groups, summary=summary)


@pytest.fixture(scope="module")
def nets() -> dict[str, list[float]]:
    """Results of three bettors on the same rounds; b is a little better."""
    rng = np.random.default_rng(3)
    common = rng.normal(0, 100, 2000)
    return {
        name: (np.round((common + rng.normal(shift, 40, 2000)) * 2) / 2).tolist()
        for name, shift in (("a", 0), ("b", 5), ("c", 0.1))
    }


class TestFigures:
    def test_are_those_of_paired_differences(self, nets) -> None:
        found = compared(nets)
        assert found.schema == SCHEMAS["comparisons"]
        for row, (one, other) in zip(found.iter_rows(named=True), itertools.combinations("abc", 2), strict=True):
            differences = [x - y for x, y in zip(nets[one], nets[other], strict=True)]
            mean, error = statistics.fmean(differences), statistics.stdev(differences) / math.sqrt(2000)
            assert (row["bettor_a"], row["bettor_b"], row["sessions"]) == (one, other, 2000)
            assert row["mean_difference"] == pytest.approx(mean, abs=1e-12)
            assert row["ci_low"] == pytest.approx(mean - 1.961151 * error, rel=1e-5)  # t, 1,999 degrees of freedom
            assert row["ci_high"] == pytest.approx(mean + 1.961151 * error, rel=1e-5)
            t = abs(mean) / error
            normal = t * (1 - (t * t + 1) / (4 * 1999))  # to the first order
            two_sided = 2 * statistics.NormalDist().cdf(-normal)
            assert row["p_value"] == pytest.approx(two_sided, rel=1e-3, abs=1e-15)
            needed = (1.959964 * statistics.stdev(differences) / mean) ** 2
            assert row["sessions_needed"] == pytest.approx(needed, rel=1e-4, abs=1)

    def test_do_not_depend_on_how_sessions_are_read(self, nets) -> None:
        whole = compared(nets)
        for held in (3, 10, 1000, 12_000):
            assert compared(nets, held=held).equals(whole)

    def test_verdicts_are_in_words(self, nets) -> None:
        verdicts = dict(zip(itertools.combinations("abc", 2), compared(nets)["verdict"], strict=True))
        assert verdicts["a", "b"] == "b wins more a session"
        assert verdicts["a", "c"] == "cannot be told apart"

    def test_who_stakes_less_is_not_called_better(self, tmp_path: Path) -> None:
        # On the same table every unit staked loses at the same rate, whoever stakes it.
        flat = {"use": "flat", "on": "player"}
        bettors = [{"name": "Small", "unit": 10, **flat}, {"name": "Large", "unit": 100, **flat}]
        experiment = {"bankroll": 100_000, "sessions": 1500, "rounds": 400, "seed": 8, "bettor": bettors}
        done = bl.run(experiment, out=tmp_path / "run", report=False)
        assert done.comparisons["verdict"].to_list() == ["Small loses less a session because it stakes less"]

    def test_who_stakes_better_is(self) -> None:
        rng = np.random.default_rng(4)
        nets = {"a": rng.normal(-14, 5, 900).round().tolist(), "b": rng.normal(-1, 5, 900).round().tolist()}
        summary = pl.DataFrame(
            {"cell": 0, "bettor": ["a", "b"], "return_on_stake": [-0.14, -0.01], "se_return": 0.002, "staked": 1e5}
        )
        assert compared(nets, summary=summary)["verdict"].to_list() == ["b loses less a session"]


class TestEdges:
    def test_the_same_results(self) -> None:
        row = compared({"a": [1, -2, 3], "b": [1, -2, 3]}).row(0, named=True)
        assert row["verdict"] == "the same in every session"
        assert (row["mean_difference"], row["sd_difference"]) == (0.0, 0.0)
        assert row["p_value"] is row["p_adjusted"] is row["sessions_needed"] is None

    def test_the_same_distance_in_every_session(self) -> None:
        row = compared({"a": [1.5, -2, 3], "b": [0.5, -3, 2]}).row(0, named=True)
        assert row["verdict"] == "a wins more a session, by the same in every session"
        assert row["p_value"] is None
        assert row["sessions_needed"] == 2

    def test_one_session(self) -> None:
        row = compared({"a": [1], "b": [3]}).row(0, named=True)
        assert row["verdict"] == "one session cannot tell"
        assert row["mean_difference"] == -2.0
        assert row["ci_low"] is row["p_value"] is row["p_adjusted"] is row["sd_difference"] is None

    def test_one_bettor(self) -> None:
        assert compared({"a": [1, 2]}).is_empty()

    def test_huge_results_are_exact(self) -> None:
        huge = [200_000_000_000.0, -150_000_000_000.05, 0.01]
        row = compared({"a": huge, "b": [0.0, 0.0, 0.0]}).row(0, named=True)
        assert row["mean_difference"] == pytest.approx(math.fsum(huge) / 3, rel=1e-15)
        assert row["sd_difference"] == pytest.approx(statistics.stdev(huge), rel=1e-14)

    def test_five_hundred_bettors(self) -> None:
        rng = np.random.default_rng(5)
        nets = {f"b{i:03d}": (rng.integers(-200, 200, 300) / 2).tolist() for i in range(500)}
        found = compared(nets)
        best = max(nets, key=lambda name: sum(nets[name]))
        pairs = set(found.select("bettor_a", "bettor_b").iter_rows())
        assert pairs == {tuple(sorted((one, name))) for one in (best, "b000") for name in nets if name != one}
        # All are alike. The best was picked from all of them, so its p-values are small, but not after the correction.
        assert found.filter((pl.col("bettor_a") == best) | (pl.col("bettor_b") == best))["p_value"].min() < 0.01
        assert not found["verdict"].str.contains("a session").any()


class TestWhatItIsInRounds:
    @staticmethod
    def summary(**columns: list[float]) -> pl.DataFrame:
        rest = {"cell": 0, "bettor": ["a", "b"], "return_on_stake": -0.01, "se_return": 1.0, "staked": 1.0}
        return pl.DataFrame(rest | {"sessions": 4, "rounds": [400, 200], "z": 0.0} | columns)

    def test_a_difference_per_100_rounds_and_the_rounds_needed(self) -> None:
        nets = {"a": [1.0, 2.0, 3.0, 6.0], "b": [0.0, 0.0, 0.0, 0.0]}
        row = compared(nets, summary=self.summary()).row(0, named=True)
        assert row["difference_per_100_rounds"] == pytest.approx(
            3.0
        )  # 3 a session of 100 rounds: the longer of the two
        assert row["rounds_needed"] == 100 * row["sessions_needed"]
        assert compared(nets)["rounds_needed"].to_list() == [None]

    def test_the_rounds_needed_are_those_of_the_expected_difference(self) -> None:
        nets = {"a": [1.0, 2.0, 3.0, 6.0], "b": [0.0, 0.0, 0.0, 0.0]}
        spread = statistics.stdev(nets["a"])
        row = compared(nets, summary=self.summary(expected=[-0.4, -0.8])).row(0, named=True)
        assert row["sessions_needed"] == math.ceil((1.959963984540054 * spread / 0.1) ** 2)  # 0.1 a session of 4
        equal = compared(nets, summary=self.summary(expected=[-0.8, -0.8])).row(0, named=True)
        assert (equal["sessions_needed"], equal["rounds_needed"]) == (None, None)  # no number of rounds would do

    def test_what_won_last_against_its_opposite(self, tmp_path: Path) -> None:
        """1.14528 and 1.14770 % of the stakes: published, 1.2e10 rounds until two runs of them are two errors apart.

        On the same rounds the two lay opposite sides, so that their difference varies twice as much as that of two
        runs.
        """
        system = {"stake": {"use": "flat", "unit": 10}}
        bettors = [{"name": name, "select": name, **system} for name in ("follow-last", "opposite-last")]
        experiment = {"seed": 3, "bankroll": 100_000, "sessions": 2_000, "rounds": 500, "bettor": bettors}
        done = bl.run(experiment | {"record": {"trajectories": 0}}, out=tmp_path / "run", report=False, workers=1)
        (row,) = done.comparisons.to_dicts()
        variances = (0.8600188668, 0.9046914894, -0.8820448208)  # Banker, Player, and between them
        twice = (variances[0] + variances[1] - 2 * variances[2]) / (variances[0] + variances[1])
        two_errors = row["rounds_needed"] * (2 / 1.96) ** 2 / twice
        assert 0.6e10 < two_errors < 2.4e10  # a million rounds give the expected difference to a twelfth
        assert row["verdict"].startswith("cannot be told apart; about ")

    def test_the_rounds_needed_are_in_the_verdict(self) -> None:
        nets = {"a": [10.0, -10.0, 12.0, -11.0], "b": [0.0, 0.0, 0.0, 0.0]}
        row = compared(nets, summary=self.summary()).row(0, named=True)
        assert row["verdict"].startswith("cannot be told apart; about ")
        assert row["verdict"].endswith(" rounds would be needed")

    @given(
        st.lists(
            st.tuples(st.integers(-900, 900), st.integers(-900, 900), st.integers(-900, 900)), min_size=3, max_size=30
        )
    )
    def test_skewness_by_hand(self, drawn: list[tuple[int, int, int]]) -> None:
        nets = {name: [float(row[k]) for row in drawn] for k, name in enumerate("abc")}
        for row in compared(nets).iter_rows(named=True):
            d = [x - y for x, y in zip(nets[row["bettor_a"]], nets[row["bettor_b"]], strict=True)]
            mean = statistics.fmean(d)
            variance = statistics.fmean((x - mean) ** 2 for x in d)
            if variance == 0:
                assert row["skewness"] is None
            else:
                by_hand = statistics.fmean((x - mean) ** 3 for x in d) / variance**1.5
                assert row["skewness"] == pytest.approx(by_hand, abs=0.0051)

    def test_a_rare_large_loss_is_marked(self) -> None:
        nets = {"a": [5.0] * 199 + [-1000.0], "b": [0.0, 1.0] * 100}
        row = compared(nets).row(0, named=True)
        assert row["heavy_tailed"]
        assert row["verdict"].endswith("; too heavy-tailed for 200 sessions")

    def test_and_so_is_one_that_is_not_in_the_sample(self) -> None:
        nets = {"a": [5.0, 6.0] * 100, "b": [1.0, 0.0] * 100}
        mild = {"sessions": 200, "rounds": [20_000, 20_000]}
        assert not compared(nets, summary=self.summary(**mild))["heavy_tailed"][0]
        # Its bets are expected to lose, far more than the sample shows: the losses are still to come.
        row = compared(nets, summary=self.summary(**mild, z=[9.0, 0.0])).row(0, named=True)
        assert row["heavy_tailed"]
        assert row["verdict"] == "a wins more a session; too heavy-tailed for 200 sessions"


class TestManyAlike:
    def test_two_hundred_bettors_of_one_law(self) -> None:
        rng = np.random.default_rng(11)
        nets = {f"b{i:03d}": (rng.integers(-200, 200, 300) / 2).tolist() for i in range(200)}
        found = compared(nets)
        assert found.height == 200 * 199 // 2
        assert found.filter(pl.col("p_value") < 0.05).height == pytest.approx(0.05 * found.height, rel=0.2)
        assert not found["verdict"].str.contains("a session").any()

    @pytest.mark.parametrize("pairwise", [True, False])
    def test_a_false_discovery_is_as_rare_as_promised(self, pairwise: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        # 300 experiments of 12 bettors alike: one that tells any two apart comes up in at most one of twenty.
        monkeypatch.setattr(module, "ALL_PAIRS", 200 if pairwise else 5)
        rng = np.random.default_rng(6)
        false = 0
        for _ in range(300):
            nets = (rng.integers(-200, 200, (12, 100)) / 2).tolist()
            found = compared(dict(zip("abcdefghijkl", nets, strict=True)))
            false += found.filter(pl.col("p_adjusted") < 0.05).height > 0
        assert 0 < false <= 300 * 0.05 + 3 * math.sqrt(300 * 0.05 * 0.95)

    def test_nor_in_a_sweep(self) -> None:
        # Twenty cells of two bettors alike: alone, each pair would be told apart in one experiment of twenty.
        rng = np.random.default_rng(7)
        false = 0
        for _ in range(200):
            nets = rng.integers(-200, 201, (20, 2, 100)) / 2
            sessions = pl.DataFrame({"net": nets.reshape(-1)}).lazy()
            groups = [
                Group(c, name, (2 * c + k) * 100, 100, 100.0, "table") for c in range(20) for k, name in enumerate("ab")
            ]
            found = compare(sessions, groups)
            assert found["cell"].to_list() == list(range(20))
            assert found["p_adjusted"].to_list() == holm(found["p_value"].to_list())
            false += found.filter(pl.col("p_adjusted") < 0.05).height > 0
        assert false / 200 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)

    @pytest.mark.parametrize("sessions", [2, 3, 5, 10, 20])
    def test_nor_with_a_few_sessions(self, sessions: int) -> None:
        # By normal values one of 12 bettors alike would be called better in every experiment of two, in every fifth of
        # twenty.
        rng = np.random.default_rng(6)
        false = 0
        for _ in range(200):
            nets = {f"b{i}": (rng.integers(-200, 201, sessions) / 2).tolist() for i in range(12)}
            false += compared(nets).filter(pl.col("p_adjusted") < 0.05).height > 0
        assert false / 200 < 0.05 + 3 * math.sqrt(0.05 * 0.95 / 200)


class TestHolm:
    def test_a_published_example(self) -> None:
        # Four hypotheses at 0.01, 0.04, 0.03, 0.005: adjusted 0.03, 0.06, 0.06, 0.02.
        assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
    def test_rejects_what_the_step_down_procedure_rejects(self, values: list[float]) -> None:
        adjusted = holm(values)
        for level in (0.01, 0.05, 0.3):
            rejected = set()
            order = sorted(range(len(values)), key=lambda i: values[i])
            for rank, i in enumerate(order):
                if min(1.0, values[i] * (len(values) - rank)) > level:
                    break
                rejected.add(i)
            assert {i for i, p in enumerate(adjusted) if p is not None and p <= level} == rejected

    def test_undefined_ones_are_left_out(self) -> None:
        assert holm([None, 0.02, None]) == [None, 0.02, None]


class TestExactSums:
    @given(
        st.integers(1, 4).flatmap(
            lambda rows: st.lists(
                st.lists(st.integers(-(2**53), 2**53), min_size=rows, max_size=rows), min_size=0, max_size=30
            ).map(lambda columns: (rows, columns))
        ),
        st.integers(1, 7),
    )
    def test_products_are_those_of_whole_numbers(self, drawn: tuple[int, list[list[int]]], size: int) -> None:
        rows, columns = drawn
        table = np.array(columns, dtype=np.int64).reshape(len(columns), rows).T
        pieces = [table[:, first : first + size] for first in range(0, len(columns), size)]
        found = exact_products(pieces, rows)
        assert found.count == len(columns)
        assert found.sums == [sum(c[i] for c in columns) for i in range(rows)]
        assert found.squares == [sum(c[i] ** 2 for c in columns) for i in range(rows)]
        assert found.products.tolist() == [
            [sum(c[i] * c[j] for c in columns) for j in range(rows)] for i in range(rows)
        ]

    def test_full_pieces_of_the_largest_limbs_are_exact(self) -> None:
        value = 2**40 - 1
        found = exact_products([np.full((2, 20_000), value)], 2)
        assert found.products[0, 1] == 20_000 * value**2

    @given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=50))
    def test_sums_do_not_wrap(self, values: list[int]) -> None:
        assert exact_sum(np.array(values, dtype=np.int64)) == sum(values)
