"""Figures of the app: those of the page, for what is chosen."""

from __future__ import annotations

import base64
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest

import bacclab as bl
from bacclab.dashboard.app.figures import dressed, logged, panels_of
from bacclab.dashboard.app.horizon import cut
from bacclab.dashboard.app.state import State
from bacclab.dashboard.charts.sketch import plain_values
from bacclab.plugins.panels import Chart
from bacclab.plugins.registry import Registry

LOOKED = State(view="run", run="plain")


def numbers(spec: Any) -> np.ndarray:
    return np.frombuffer(base64.b64decode(spec["bdata"]), dtype=spec["dtype"])


def drawn(context: Any, name: str, state: State = LOOKED, scheme: str = "light") -> Any:
    panel = next(panel for panel in context.panels if panel.id == name)
    return context.figures.drawn(panel, context.runs.open(state.run), state, scheme=scheme)


def test_every_chart_of_the_registry_is_drawn(context: Any) -> None:
    for panel in context.panels:
        found = context.figures.drawn(panel, context.runs.open("sweep"), replace(LOOKED, run="sweep"), scheme="dark")
        if panel.id in ("ranking", "settings_all", "survival", "edge_by_cards_left"):
            continue  # charts for many bettors, for two swept keys, for sessions that end early, for side bets
        assert found is not None, panel.id
        assert found.fault == "", panel.id
        assert found.figure["data"], panel.id
        assert found.title, panel.id
        assert found.alt, panel.id


def test_medians_are_those_of_the_whole_run(context: Any, played: Any) -> None:
    run = bl.load_run(played / "plain")
    trace = next(trace for trace in drawn(context, "medians").figure["data"] if trace["name"] == "Goal of 60")
    last = run.distribution.filter((pl.col("bettor") == "Goal of 60") & (pl.col("round") == 90))
    finals = np.repeat(last["bankroll"].to_numpy(), last["sessions"].to_numpy())
    assert numbers(trace["y"])[-1] == pytest.approx(np.median(finals))


def test_bettors_are_chosen(context: Any) -> None:
    state = replace(LOOKED, bettors=("Goal of 60",))
    names = {trace["name"] for trace in drawn(context, "medians", state).figure["data"]}
    assert {name for name in names if "expected" not in name} == {"Goal of 60"}


def test_bands_are_chosen(context: Any) -> None:
    state = replace(LOOKED, middles=(80,))
    names = [trace["name"] for trace in drawn(context, "fan", state).figure["data"]]
    assert "10 % to 90 %" in names
    assert "5 % to 95 %" not in names


def test_a_logarithmic_scale_has_no_zero(context: Any) -> None:
    state = replace(LOOKED, bettor="Doubler <b>5</b>", log=True)
    found = drawn(context, "fan", state)
    assert found.figure["layout"]["yaxis"]["type"] == "log"
    assert "Logarithmic" in found.note
    heights = [numbers(trace["y"]) for trace in found.figure["data"] if trace.get("yaxis", "y") == "y"]
    assert all(values.min() >= 1 for values in heights)
    linear = drawn(context, "fan", replace(state, log=False))
    assert "type" not in linear.figure["layout"]["yaxis"]


def test_on_a_logarithmic_scale_what_is_under_one_is_drawn_at_one() -> None:
    heights = np.array([0.0, 0.5, 7.0], dtype=np.float32)
    traces = [{"y": plain_values(heights)}, {"y": plain_values(heights), "yaxis": "y2"}]
    found = logged({"data": traces, "layout": {"meta": {"note": "Bankrolls."}}}, floor=1.0, note="Logarithmic scale.")
    assert [numbers(trace["y"]).tolist() for trace in found["data"]] == [[1.0, 1.0, 7.0], [0.0, 0.5, 7.0]]


def test_dark_colours(context: Any) -> None:
    light, dark = (drawn(context, "fan", scheme=scheme).figure for scheme in ("light", "dark"))
    assert light["layout"]["template"]["layout"]["paper_bgcolor"] == "#FFFFFF"
    assert dark["layout"]["template"]["layout"]["paper_bgcolor"] == "#14181D"
    assert {t["line"]["color"] for t in light["data"]}.isdisjoint({t["line"]["color"] for t in dark["data"]})


class TestHorizon:
    @pytest.fixture
    def slices(self, context: Any, played: Any) -> Any:
        look = context.runs.open("plain")
        whole = look.slice(cell=0, bettor="Doubler <b>5</b>")
        return cut(whole, 40), whole, bl.load_run(played / "plain")

    def test_curves_end_there(self, context: Any) -> None:
        found = drawn(context, "fan", replace(LOOKED, horizon=40))
        assert max(numbers(found.figure["data"][-1]["x"])) == 40

    def test_endings_are_those_of_the_sessions(self, slices: Any) -> None:
        part, _, run = slices
        sessions = run.sessions.filter(bettor="Doubler <b>5</b>")
        early = sessions.filter(pl.col("ended_round") <= 40, pl.col("ended_by") != "rounds")
        shares = dict(part.endings.group_by("ended_by").agg(pl.col("sessions").sum()).iter_rows())
        assert sum(count for how, count in shares.items() if how != "rounds") == early.height
        assert sum(shares.values()) == 300
        assert part.summary["ended_bust"] == pytest.approx(early.filter(ended_by="bust").height / 300)

    def test_quantiles_are_those_of_the_checkpoint(self, slices: Any) -> None:
        part, _, run = slices
        rows = run.distribution.filter((pl.col("bettor") == "Doubler <b>5</b>") & (pl.col("round") == 40))
        values = np.repeat(rows["bankroll"].to_numpy(), rows["sessions"].to_numpy())
        assert part.summary["median"] == pytest.approx(np.median(values))
        assert part.summary["ahead"] == pytest.approx((values > 200).mean())
        assert part.rounds == 40
        assert part.paths["round"].max() <= 40

    def test_at_the_end_nothing_is_cut(self, slices: Any) -> None:
        _, whole, _ = slices
        assert cut(whole, 90) is whole


class TestOfPlugins:
    @staticmethod
    def panel(draw: Any) -> Any:
        registry = Registry()
        chart = Chart(id="mine", title="Mine", text="My words.", draw=draw)
        registry.add("charts", "mine", chart, plugin="mine", origin="mine.py")
        return panels_of(registry)[0]

    def test_a_chart_of_a_plugin_appears(self, context: Any) -> None:
        panel = self.panel(lambda run, *, cell, bettor: {"data": [{"type": "bar", "x": [1], "y": [2]}], "layout": {}})
        found = context.figures.drawn(panel, context.runs.open("plain"), LOOKED, scheme="light")
        assert found.figure["data"][0]["type"] == "bar"
        assert "Mine" in found.title
        assert panel.id != "mine"

    def test_one_that_fails_is_a_line(self, context: Any) -> None:
        def draw(run: Any, *, cell: Any, bettor: Any) -> Any:
            raise RuntimeError("no luck")

        found = context.figures.drawn(self.panel(draw), context.runs.open("plain"), LOOKED, scheme="light")
        assert "no luck" in found.fault


class TestTelephone:
    VALUES: ClassVar[dict[str, Any]] = {
        "data": [
            {"type": "heatmap", "z": [[0.5]], "texttemplate": "%{z:.1%}"},
            *({"type": "scatter", "name": f"system {k}"} for k in range(6)),
        ],
        "layout": {
            "height": 300,
            "meta": {"title": "t", "note": "n", "alt": "a"},
            "xaxis": {"tickangle": 0, "title": "x"},
        },
        "narrow": {"layout": {"xaxis": {"tickangle": -90}}},
    }

    def test_it_has_its_own_layout_and_room_for_the_legend(self) -> None:
        wide, narrow = (dressed(self.VALUES, scheme=scheme) for scheme in ("light", "light narrow"))
        assert wide.figure["layout"]["xaxis"] == {"tickangle": 0, "title": "x"}
        assert narrow.figure["layout"]["xaxis"] == {"tickangle": -90, "title": "x"}
        assert narrow.figure["data"][0]["texttemplate"] == "%{z:.0%}"
        assert wide.figure["data"][0]["texttemplate"] == "%{z:.1%}"
        assert narrow.height > wide.height == 300

    def test_in_dark_colours_too(self) -> None:
        found = dressed(self.VALUES, scheme="dark narrow").figure["layout"]["template"]
        assert found == dressed(self.VALUES, scheme="dark").figure["layout"]["template"]
        assert found != dressed(self.VALUES, scheme="light narrow").figure["layout"]["template"]


def test_a_picture_without_axes_has_the_whole_width(context: Any) -> None:
    bare, other = (drawn(context, name).figure["layout"]["margin"] for name in ("session_roads", "session_path"))
    assert (bare["l"], bare["r"]) == (8, 8)
    assert other["l"] > 8
