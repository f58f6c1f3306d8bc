"""Charts against the simulation that the run was made from: numpy on whole paths, no frame in between."""

from __future__ import annotations

import html
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
import pytest

from bacclab.dashboard import Charts, charts, lookup, theme
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.pages.report import page_text
from bacclab.dashboard.run_frames import apart
from bacclab.errors import ConfigError

SESSIONS, ROUNDS, SEED = 1000, 200, 5


@pytest.fixture(scope="module")
def played(synthetic: ModuleType) -> dict[str, dict[str, np.ndarray]]:
    draws = np.random.default_rng(SEED).random((SESSIONS, ROUNDS))
    return {system.name: synthetic.play(system, draws) for system in synthetic.SYSTEMS}


def traces(figure: Any) -> dict[str, Any]:
    return {trace.name: trace for trace in figure.data}


class TestFan:
    @pytest.mark.parametrize("name", ["Flat on Banker", "Martingale <b>7</b> & steps", "Never bets"])
    def test_bands_are_the_quantiles_of_all_paths(self, run: Any, played: Any, name: str) -> None:
        drawn = traces(charts.fan(run, bettor=name))
        rounds = drawn["median"].x.astype(int)
        q = np.quantile(played[name]["path"], [0.05, 0.25, 0.5, 0.75, 0.95], axis=0)[:, rounds]
        n = len(rounds)
        assert drawn["median"].y == pytest.approx(q[2], rel=1e-6)
        assert drawn["5 % to 95 %"].y[:n] == pytest.approx(q[4], rel=1e-6, abs=1e-3)
        assert drawn["5 % to 95 %"].y[n:][::-1] == pytest.approx(q[0], rel=1e-6, abs=1e-3)
        assert drawn["25 % to 75 %"].y[:n] == pytest.approx(q[3], rel=1e-6, abs=1e-3)
        assert drawn["median"].customdata[:, 2] == pytest.approx(q[3], rel=1e-6, abs=1e-3)

    def test_a_band_is_a_whole_polygon_and_cannot_be_hidden(self, run: Any) -> None:
        figure = charts.fan(run, bettor="Flat on Tie")
        for name in ("5 % to 95 %", "25 % to 75 %"):
            trace = traces(figure)[name]
            assert trace.fill == "toself"
            assert not np.isnan(trace.y).any()
            assert trace.x[0] == trace.x[-1] == 0
        assert figure.layout.legend.itemclick is False
        assert figure.layout.legend.itemdoubleclick is False

    @pytest.mark.parametrize("name", ["Flat on Banker", "Flat on Tie", "Grab 200 and go"])
    def test_house_edge_line_ends_at_the_exact_expectation(self, run: Any, played: Any, name: str) -> None:
        line = traces(charts.fan(run, bettor=name))["expected"]
        assert line.line.dash == "dot"
        assert line.y[0] == 1000
        assert line.y[-1] == pytest.approx(1000 + played[name]["expected"].mean(), rel=1e-6)
        assert (np.diff(line.y) <= 1e-3).all()

    def test_still_playing(self, run: Any, played: Any) -> None:
        line = traces(charts.fan(run, bettor="Grab 200 and go"))["still playing"]
        sim = played["Grab 200 and go"]
        for x, y in zip(line.x, line.y, strict=True):
            over = (sim["ended_round"] <= x) & (sim["ended_by"] != "rounds")
            assert y == pytest.approx(1 - over.mean())

    def test_points_are_limited_and_the_ends_kept(self, run: Any) -> None:
        line = traces(charts.fan(run, points=10))["median"]
        assert len(line.x) == 10
        assert (line.x[0], line.x[-1]) == (0, ROUNDS)

    @pytest.mark.parametrize("name", ["Flat on Banker", "Flat on Tie", "Paroli on Player"])
    def test_exact_lines_differ_in_colour_from_every_other(self, run: Any, name: str) -> None:
        rows = run.distribution.filter(pl.col("bettor") == name)
        bands = rows.select("cell", "bettor", "round").unique(maintain_order=True)
        bands = bands.with_columns(pl.lit(1000.0).alias(key) for key in ("q05", "q25", "q50", "q75", "q95"))
        look = Lookup(run)
        look.__dict__["_exact_bands"] = apart(bands)
        drawn = traces(charts.fan(look, bettor=name))
        assert drawn["exact"].line.color not in {drawn[other].line.color for other in ("median", "expected")}
        assert drawn["exact"].line.color in {light for light, _ in theme.PALETTE}


class TestMedians:
    def test_every_bettor_on_the_same_axes(self, run: Any, played: Any) -> None:
        figure = charts.medians(run)
        found = {trace.name: trace for trace in figure.data if trace.line.dash != "dot"}
        assert len(found) == len(played)
        assert found["Flat on Tie"].y[-1] == pytest.approx(np.median(played["Flat on Tie"]["final"]))
        dotted = [trace for trace in figure.data if trace.line.dash == "dot"]
        assert len(dotted) == len(played)

    def test_many_bettors_are_one_bundle(self, synthetic: ModuleType) -> None:
        systems = [synthetic.System(f"n{k:02d}", "banker", (10.0,), synthetic.stay, synthetic.stay) for k in range(20)]
        figure = charts.medians(synthetic.make_run(systems=systems, sessions=20, rounds=20))
        bundle = [trace for trace in figure.data if trace.meta]
        assert [trace.name for trace in bundle] == ["8 more"]
        assert len(figure.data) == 1 + 2 * 12

    @pytest.mark.parametrize("name", ["ranges", "bust", "ends"])
    def test_a_dozen_side_by_side_and_said_so(self, synthetic: ModuleType, name: str) -> None:
        systems = [synthetic.System(f"n{k:02d}", "tie", (200.0,), synthetic.stay, synthetic.stay) for k in range(20)]
        run = synthetic.make_run(systems=systems, sessions=20, rounds=20)
        figure = getattr(charts, name)(run)
        assert "12 of 20 bettors" in figure.layout.meta["note"]
        few = getattr(charts, name)(run, bettors=["n19", "n03"])
        assert "first 12" not in few.layout.meta["note"]
        assert "n19" in few.to_json()

    def test_chosen_ones(self, run: Any) -> None:
        figure = charts.medians(run, bettors=["Flat on Tie"])
        assert [trace.name for trace in figure.data] == ["Flat on Tie", "Flat on Tie, expected"]


class TestFinals:
    @pytest.mark.parametrize("name", ["Martingale <b>7</b> & steps", "Grab 200 and go", "Flat on Banker"])
    def test_every_session_is_counted_once(self, run: Any, played: Any, name: str) -> None:
        figure = charts.finals(run, bettor=name)
        bars = traces(figure)["outcome"]
        assert bars.x.sum() == pytest.approx(1, abs=1e-6)
        shares = dict(zip(bars.y, bars.x, strict=True))
        sim = played[name]
        whole = sim["ended_by"] == "rounds"
        assert shares.get("Bust", 0) == pytest.approx((sim["ended_by"] == "bust").mean())
        assert shares.get("Stop-win reached", 0) == pytest.approx((sim["ended_by"] == "stop_win").mean())
        assert shares.get("Ahead at the end", 0) == pytest.approx((whole & (sim["final"] > 1000)).mean())
        below = sum(trace.y.sum() for trace in figure.data if trace.name != "outcome")
        assert below == pytest.approx(whole.mean(), abs=1e-5)

    def test_bars_stand_where_the_sessions_are(self, run: Any, played: Any) -> None:
        finals = played["Flat on Banker"]["final"]
        for trace in charts.finals(run, bettor="Flat on Banker").data[1:]:
            for (low, high), share in zip(trace.customdata, trace.y, strict=True):
                assert share == pytest.approx(((finals >= low) & (finals < high)).mean(), abs=1e-6)

    def test_nobody_moves(self, run: Any) -> None:
        bars = traces(charts.finals(run, bettor="Never bets"))["outcome"]
        assert list(bars.y) == ["Even at the end"]


class TestEndings:
    def test_ruin_by_round(self, run: Any, played: Any) -> None:
        figure = charts.bust(run)
        for name in ("Flat on Tie", "Grab 200 and go"):
            line, sim = traces(figure)[name], played[name]
            for x, y in zip(line.x[::20], line.y[::20], strict=True):
                assert y == pytest.approx(((sim["ended_by"] == "bust") & (sim["ended_round"] <= x)).mean())
        assert "Never bets" not in traces(figure)

    def test_all_ways_of_one_bettor(self, run: Any, played: Any) -> None:
        found = traces(charts.bust(run, bettor="Grab 200 and go"))
        sim = played["Grab 200 and go"]
        assert set(found) == {"bust", "stop-win reached"}
        assert found["stop-win reached"].y[-1] == pytest.approx((sim["ended_by"] == "stop_win").mean())

    def test_nobody_ruined_is_said(self, run: Any) -> None:
        figure = charts.bust(run, bettors=["Never bets"])
        assert figure.layout.annotations[0].text == "No session was ruined"
        assert figure.data[0].y.max() == 0

    @pytest.mark.parametrize("bettor", [None, "Never bets", "Flat on Tie", "Grab 200 and go"])
    def test_no_axis_of_shares_passes_the_whole(self, run: Any, bettor: str | None) -> None:
        figures = [charts.bust(run, bettor=bettor), charts.finals(run, bettor=bettor or "Flat on Banker")]
        for figure in figures:
            low, high = figure.layout.yaxis.range
            stacked = (
                [trace.y.max() for trace in figure.data if trace.stackgroup] if bettor and figure is figures[0] else []
            )
            assert low == 0
            assert max([sum(stacked), *(t.y.max() for t in figure.data if t.yaxis != "y2")]) <= high <= 1.005

    def test_nothing_to_show_is_said(self, run: Any) -> None:
        figure = charts.bust(run, bettor="Never bets")
        assert figure.layout.annotations[0].text == "Every session played all 200<br>rounds"

    def test_shares_of_ends_add_up(self, run: Any) -> None:
        figure = charts.ends(run)
        assert np.sum([trace.x for trace in figure.data], axis=0) == pytest.approx(np.ones(6))


class TestUnderwater:
    def test_drawdowns_of_the_sample(self, run: Any, played: Any) -> None:
        line = traces(charts.underwater(run, bettor="Paroli on Player"))["median of the sample"]
        path = played["Paroli on Player"]["path"][:25]
        under = path - np.maximum.accumulate(path, axis=1)
        assert line.y == pytest.approx(np.median(under, axis=0)[line.x.astype(int)], rel=1e-5, abs=1e-3)

    def test_share_behind_is_of_all_sessions(self, run: Any, played: Any) -> None:
        line = traces(charts.underwater(run, bettor="Martingale <b>7</b> & steps"))["sessions behind"]
        path = played["Martingale <b>7</b> & steps"]["path"]
        assert line.y == pytest.approx((path < 1000).mean(axis=0)[line.x.astype(int)])

    def test_ended_sessions_stay_where_they_ended(self, run: Any, played: Any) -> None:
        band = traces(charts.underwater(run, bettor="Flat on Tie"))["deepest 5 % to shallowest 5 %"]
        path = played["Flat on Tie"]["path"][:25]
        under = path - np.maximum.accumulate(path, axis=1)
        n = len(band.x) // 2
        assert band.y[n:][0] == pytest.approx(np.quantile(under[:, -1], 0.05), rel=1e-5)


class TestTrajectories:
    def test_lines_are_the_first_sessions(self, run: Any, played: Any) -> None:
        figure = charts.trajectories(run, bettor="Flat on Tie", lines=5)
        assert [trace.name for trace in figure.data] == [f"session {k}" for k in range(5)]
        sim = played["Flat on Tie"]
        for k, trace in enumerate(figure.data):
            assert trace.y == pytest.approx(sim["path"][k][: int(sim["ended_round"][k]) + 1], rel=1e-6)

    def test_thinned_lines_keep_their_extremes(self, run: Any, played: Any) -> None:
        figure = charts.trajectories(run, bettor="Paroli on Player", lines=3, points=40)
        for k, trace in enumerate(figure.data):
            path = played["Paroli on Player"]["path"][k]
            assert len(trace.y) <= 40
            assert (trace.y.min(), trace.y.max()) == pytest.approx((path.min(), path.max()))
            assert trace.y[-1] == pytest.approx(path[-1])

    def test_every_colour_is_told(self, run: Any) -> None:
        note = charts.trajectories(run).layout.meta["note"]
        for words in ("Red: ruined (bust, or unable to cover", "Blue: ended ahead", "Grey: ended behind or even"):
            assert words in note


class TestRanges:
    def test_quantiles_and_expectation(self, run: Any, played: Any) -> None:
        figure = charts.ranges(run, bettors=["Paroli on Player"])
        wide, half, median, expected = figure.data
        final = played["Paroli on Player"]["final"]
        assert wide.x == pytest.approx(np.quantile(final, [0.05, 0.95]))
        assert half.x == pytest.approx(np.quantile(final, [0.25, 0.75]))
        assert median.x == pytest.approx([np.median(final)])
        assert expected.x == pytest.approx([1000 + played["Paroli on Player"]["expected"].mean()])

    def test_no_whisker_touches_the_end_of_the_axis(self, run: Any) -> None:
        figure = charts.ranges(run)
        low, high = figure.layout.xaxis.range
        drawn = np.concatenate([trace.x for trace in figure.data])
        assert min(drawn.min() - low, high - drawn.max()) > 0.03 * (high - low)


class TestDifferences:
    def test_means_and_intervals_either_way(self, run: Any, played: Any) -> None:
        figure = charts.differences(run, bettor="Paroli on Player")
        found = {
            name: (x, low, high)
            for t in figure.data
            for name, x, (low, high) in zip(t.y, t.x, t.customdata, strict=True)
        }
        assert len(found) == 5
        for name, (mean, low, high) in found.items():
            difference = played[html.unescape(name.replace("<br>", " "))]["final"] - played["Paroli on Player"]["final"]
            half = 1.96 * difference.std(ddof=1) / np.sqrt(SESSIONS)
            assert (mean, low, high) == pytest.approx(
                (difference.mean(), difference.mean() - half, difference.mean() + half), abs=0.01
            )

    def test_grey_when_not_told_apart(self, run: Any) -> None:
        rows = run.comparisons.filter(
            (pl.col("bettor_a") == "Flat on Banker") | (pl.col("bettor_b") == "Flat on Banker")
        )
        told = [len(t.x) for t in charts.differences(run, bettor="Flat on Banker").data if t.name == "told apart"]
        assert sum(told) == (rows["p_adjusted"] < 0.05).sum()

    def test_alone(self, synthetic: ModuleType) -> None:
        run = synthetic.make_run(systems=synthetic.SYSTEMS[:1], sessions=10, rounds=10)
        assert charts.differences(run) is None, "nobody to compare with"
        page = page_text(run)
        assert "Can they be told apart?" not in page
        assert "Against the others" not in page


class TestBins:
    def test_no_teeth_on_a_coarse_grid(self) -> None:
        from bacclab.dashboard.numbers import bins

        values = 1000.0 + 20 * np.arange(-40, 41)
        _, held, width = bins(values, np.ones(81, np.int64), start=1000.0, most=40)
        assert width % 20 == 0
        assert len(set(held[1:-1].tolist())) == 1

    @pytest.mark.parametrize("value", [1000.0, 0.0, 1200.0])
    def test_a_single_value_is_a_single_bar(self, value: float) -> None:
        from bacclab.dashboard.numbers import bins

        centres, held, width = bins(np.array([value]), np.array([7]), start=1000.0)
        assert held.tolist() == [7]
        assert centres[0] - width / 2 <= value < centres[0] + width / 2


class TestAllCharts:
    NAMES = ("differences", "medians", "ranges", "fan", "finals", "bust", "ends", "underwater", "trajectories")

    @pytest.mark.parametrize("name", NAMES)
    def test_facade_words_and_float32(self, run: Any, name: str) -> None:
        figure = getattr(Charts(run), name)()
        assert figure.layout.meta["title"]
        assert len(figure.layout.meta["alt"]) > 20
        assert figure.layout.title.text
        assert figure.layout.xaxis.title.text
        for trace in figure.data:
            for values in (trace.x, trace.y):
                if isinstance(values, np.ndarray) and values.dtype.kind == "f":
                    assert values.dtype == np.float32
                    assert trace.type == "scatter" or len(values) <= 400
            assert len(trace.x) <= 2 * 400
        assert '"f8"' not in figure.to_json()

    @pytest.mark.parametrize("name", NAMES)
    def test_names_are_never_markup(self, run: Any, name: str) -> None:
        arguments = {} if name in ("medians", "ranges", "ends") else {"bettor": "Martingale <b>7</b> & steps"}
        text = getattr(charts, name)(run, **arguments).update_layout(meta=None).to_json()
        assert "Martingale <b>" not in text
        assert "Martingale \\u003cb" not in text

    @pytest.mark.parametrize("name", NAMES)
    def test_cells(self, sweep: Any, name: str) -> None:
        figure = getattr(charts, name)(sweep, cell=2)
        assert "table.maximum = 600" in figure.layout.meta["title"]

    def test_unknown_names(self, run: Any) -> None:
        with pytest.raises(ConfigError, match=r"no bettor 'Flat on Bankr' in this run \(did you mean 'Flat on Banker'"):
            charts.fan(run, bettor="Flat on Bankr")
        with pytest.raises(ConfigError, match="no cell 7"):
            charts.fan(run, cell=7)

    def test_order_of_the_experiment_decides_colours(self, synthetic: ModuleType) -> None:
        run = synthetic.make_run(sessions=20, rounds=10)
        run.manifest["experiment"] = {"bettor": [{"name": "Paroli on Player"}, {"name": "Flat on Tie"}]}
        assert charts.fan(run).layout.meta["title"].startswith("Paroli on Player")
        assert charts.fan(run).data[2].line.color == theme.style(0).colour

    def test_exact_run_without_sessions(self, run: Any, synthetic: ModuleType) -> None:
        exact = synthetic.SyntheticRun(
            summary=run.summary.with_columns(sessions=pl.lit(None, pl.Int64)),
            sessions=run.sessions.clear(),
            distribution=run.distribution.with_columns(pl.col("sessions") / SESSIONS),
            trajectories=run.trajectories.clear(),
            comparisons=run.comparisons.clear(),
            cells=run.cells,
        )
        for name in self.NAMES:
            assert getattr(charts, name)(exact).layout.meta["alt"]
        bars = traces(charts.finals(exact, bettor="Flat on Banker"))["outcome"]
        assert bars.x.sum() == pytest.approx(1, abs=1e-6)


@pytest.fixture(scope="module")
def crowd(synthetic: Any) -> Any:
    systems = [
        synthetic.System(
            f"A system whose long name goes over two lines, number {k}",
            "player",
            (10.0,),
            synthetic.stay,
            synthetic.stay,
        )
        for k in range(61)
    ]
    return synthetic.make_run(systems=systems, sessions=8, rounds=8, checkpoints=2, sample=1)


class TestACrowd:
    def test_points_of_many_are_not_hidden_by_their_intervals(self, crowd: Any, run: Any) -> None:
        many, few = (charts.action(one).data[-1] for one in (crowd, run))
        assert (many.error_y.thickness, few.error_y.thickness) == (0, 1.5)
        assert len(many.error_y.array) == 61
        assert "where a point is chosen" in charts.action(crowd).layout.meta["note"]
        assert "where a point is chosen" not in charts.action(run).layout.meta["note"]

    def test_names_on_two_lines_have_room(self, crowd: Any) -> None:
        figure = charts.ranking(crowd)
        assert all("<br>" in name for name in figure.data[0].y)
        assert figure.layout.height / len(figure.data[0].y) >= 32


def test_a_large_run_is_tallied_bettor_by_bettor(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def tallied() -> list[Any]:
        look = Lookup(run)
        parts = [look.slice(bettor=name) for name in look.positions]
        return [[found.tolist() for found in look.tally("largest_stake", part)] for part in parts]

    at_once = tallied()
    monkeypatch.setattr(lookup, "TALLIED_AT_ONCE", 0)
    assert tallied() == at_once
    assert [sum(counts) for _, counts in at_once] == [run.sessions.height / len(at_once)] * len(at_once)
