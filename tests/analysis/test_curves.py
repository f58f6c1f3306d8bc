"""Curves and drawdowns; the worked paths are those that users of other testers reported wrong."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.analysis.curves import bands, spells, under_start, underwater


def session(path: list[int]) -> pl.DataFrame:
    """The bankrolls along one session, of which the first is the start, as trajectories."""
    net = [after - before for before, after in itertools.pairwise(path)]
    whose = {"cell": 0, "bettor": "x", "session": 0, "round": range(1, len(path))}
    return pl.DataFrame({**whose, "net": net, "bankroll": path[1:]}, strict=False)


class TestDrawdowns:
    @pytest.mark.parametrize(
        ("path", "depth", "share"),
        [
            ([100, 80, 90], 20, 0.2),  # a loss on the first bet counts
            ([100, 50, 200], 50, 0.5),  # not the last peak minus the first trough
            ([100, 90, 120, 60, 80], 60, 0.5),
            ([100, 125, 100, 150, 120], 30, 0.2),
            ([100, 150, 0], 150, 1.0),
            ([100, 110, 120], 0, None),
            ([0, 0], 0, None),
        ],
    )
    def test_the_deepest(self, path: list[int], depth: int, share: float | None) -> None:
        assert underwater(session(path))["drawdown"].max() == depth
        assert spells(session(path))["share"].max() == share

    @given(st.lists(st.integers(0, 50), min_size=2, max_size=40))
    def test_agree_with_the_definition(self, path: list[int]) -> None:
        found = underwater(session(path))["drawdown"].to_list()
        assert found == [max(path[: place + 1]) - path[place] for place in range(1, len(path))]


class TestSpells:
    def test_one_that_is_closed_and_one_that_is_open(self) -> None:
        # The high at round 1, the trough at round 4, up again at round 5 after three rounds; then one more round under
        # it.
        found = spells(session([100, 101, 99, 98, 97, 101, 99]))
        assert found.select("peak", "trough", "recovered", "rounds", "depth").rows() == [
            (1, 4, 5, 3, 4.0),
            (5, 6, None, 1, 2.0),
        ]

    @pytest.mark.parametrize("scale", [1, 100])
    def test_the_size_of_the_bankroll_is_no_matter(self, scale: int) -> None:
        # 50, 55, 52, 60, 54, 58: the deepest fall is 6 of 60, a tenth, and a hundred times as much of a hundred times
        # as much.
        path = [scale * bankroll for bankroll in (50, 55, 52, 60, 54, 58)]
        found = spells(session(path))
        assert found["depth"].to_list() == [3 * scale, 6 * scale]
        assert found["share"].to_list() == pytest.approx([3 / 55, 0.1])

    def test_a_bankroll_in_cents_is_at_its_high_when_it_comes_back(self) -> None:
        """92.71 − 2.62 + 2.62: the start, worked out from floats, is 92.71000000000001."""
        path = pl.DataFrame(
            {"cell": 0, "bettor": "x", "session": 0, "round": [1, 2, 3], "net": [-2.62, 2.62, 1.0],
             "bankroll": [90.09, 92.71, 93.71]}
        )  # fmt: skip
        assert underwater(path)["drawdown"].to_list() == [2.62, 0.0, 0.0]
        assert spells(path).select("recovered", "rounds", "depth").rows() == [(2, 1, 2.62)]

    def test_a_loss_on_the_first_bet_and_a_bankroll_of_nothing(self) -> None:
        assert spells(session([100, 80, 90])).select("peak", "trough", "recovered", "depth").rows() == [
            (0, 1, None, 20.0)
        ]
        assert spells(session([100, 150, 0]))["depth"].to_list() == [150.0]
        assert spells(session([100, 110, 120])).is_empty()

    @given(st.lists(st.integers(0, 30), min_size=2, max_size=40))
    def test_add_up_to_the_rounds_under_water(self, path: list[int]) -> None:
        under = [max(path[: place + 1]) > path[place] for place in range(1, len(path))]
        found = spells(session(path))
        assert found["rounds"].sum() == sum(under)
        assert found["recovered"].null_count() == int(under[-1])


@pytest.fixture
def distribution() -> tuple[np.ndarray, pl.DataFrame]:
    """Bankrolls (checkpoints × sessions) of two bettors, and their histograms."""
    rng = np.random.default_rng(1)
    paths = 100 + rng.integers(-6, 7, (2, 5, 301)).cumsum(axis=1) * 0.5
    rows = [
        (0, name, 10 * point, float(value), int(count))
        for name, table in zip("ab", paths, strict=True)
        for point, row in enumerate(table)
        for value, count in zip(*np.unique(row, return_counts=True), strict=True)
    ]
    schema = {"cell": pl.Int64, "bettor": pl.String, "round": pl.Int64, "bankroll": pl.Float64, "sessions": pl.Int64}
    return paths, pl.DataFrame(rows, schema=schema, orient="row")


class TestBands:
    def test_are_the_quantiles_of_the_sessions(self, distribution) -> None:
        paths, frame = distribution
        found = bands(frame)
        assert found.columns == ["cell", "bettor", "round", "mean", "q05", "q25", "q50", "q75", "q95"]
        assert found["round"].to_list() == [0, 10, 20, 30, 40] * 2
        expected = np.quantile(paths, (0.05, 0.25, 0.5, 0.75, 0.95), axis=2).reshape(5, 10).T
        assert found.select("q05", "q25", "q50", "q75", "q95").to_numpy() == pytest.approx(expected)
        assert found["mean"].to_numpy() == pytest.approx(paths.mean(axis=2).ravel())

    def test_of_nothing_are_empty(self, distribution) -> None:
        assert bands(distribution[1].clear()).is_empty()

    def test_the_share_under_the_start(self, distribution) -> None:
        paths, frame = distribution
        found = under_start(frame, pl.DataFrame({"cell": [0], "bankroll": [100.0]}))
        assert found["share"].to_numpy() == pytest.approx((paths < 100).mean(axis=2).ravel())


def test_underwater_counts_the_start_as_a_high() -> None:
    path = [80.0, 90.0, 120.0, 60.0]
    trajectories = pl.DataFrame(
        {
            "cell": 0,
            "bettor": "x",
            "session": [0] * 4 + [1] * 2,
            "round": [1, 2, 3, 4, 1, 2],
            "net": [-20.0, 10.0, 30.0, -60.0, 5.0, -1.0],
            "bankroll": [*path, 105.0, 104.0],
        }
    )
    assert underwater(trajectories)["drawdown"].to_list() == [20.0, 10.0, 0.0, 60.0, 0.0, 1.0]
