"""Curves and drawdowns; the worked paths are those that users of other testers reported wrong."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.analysis.curves import bands, deepest, drawdowns, ended_curve, under_start, underwater


class TestDrawdowns:
    @pytest.mark.parametrize(
        ("path", "depth", "share"),
        [
            ((100, 80, 90), 20, 0.20),  # a loss on the first bet counts
            ((100, 50, 200), 50, 0.5),  # not the last peak minus the first trough
            ((100, 90, 120, 60, 80), 60, 0.5),
            ((100, 125, 100, 150, 120), 30, 0.2),
            ((100, 150, 0), 150, 1.0),
            ((100, 110, 120), 0, 0.0),
            ((100,), 0, 0.0),
            ((0, 0), 0, 0.0),
        ],
    )
    def test_depth_in_money_and_as_a_share(self, path, depth: float, share: float) -> None:
        assert deepest(path) == (depth, pytest.approx(share))

    def test_do_not_depend_on_the_size_of_the_bankroll(self) -> None:
        path = (50, 55, 52, 60, 54, 58)
        assert deepest(path)[1] == pytest.approx(0.10)
        assert deepest([v * 100 for v in path])[1] == pytest.approx(0.10)

    def test_one_closed_and_one_open(self) -> None:
        closed, still_open = drawdowns([100, 101, 99, 98, 97, 101, 99])
        assert (closed.peak, closed.trough, closed.recovered, closed.rounds, closed.depth) == (1, 4, 5, 3, 4)
        assert (still_open.peak, still_open.trough, still_open.recovered, still_open.rounds) == (5, 6, None, 1)

    def test_from_zero_the_share_is_undefined(self) -> None:
        assert drawdowns([0, -5])[0].share is None

    @given(st.lists(st.integers(0, 50), min_size=1, max_size=40))
    def test_agree_with_the_definition(self, path: list[int]) -> None:
        brute = max(path[i] - path[j] for i in range(len(path)) for j in range(i, len(path)))
        found = drawdowns(path)
        assert max((d.depth for d in found), default=0) == brute
        under = sum(value < max(path[: i + 1]) for i, value in enumerate(path))
        assert sum(d.rounds for d in found) == under


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


def test_shares_ended_by_each_round() -> None:
    sessions = pl.DataFrame(
        {
            "cell": [0] * 8,
            "bettor": ["b", "a"] * 4,
            "ended_by": ["bust", "rounds", "bust", "rounds", "cannot_cover", "bust", "rounds", "rounds"],
            "ended_round": [3, 9, 3, 9, 5, 9, 9, 9],
        }
    )
    found = ended_curve(sessions, [0, 3, 9])
    assert found.rows() == [
        (0, "a", 0, 0.0), (0, "a", 3, 0.0), (0, "a", 9, 0.25),
        (0, "b", 0, 0.0), (0, "b", 3, 0.5), (0, "b", 9, 0.5),
    ]  # fmt: skip
    both = ended_curve(sessions.lazy(), [9], endings=("bust", "cannot_cover"))
    assert both["share"].to_list() == [0.25, 0.75]


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
