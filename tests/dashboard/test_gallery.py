"""Charts and sections of plugins: drawn on the page, thinned, and never able to break it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl
import pytest

import bacclab as bl
from bacclab.dashboard import gallery
from bacclab.dashboard.blocks import as_html
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.pages.report import page_text
from bacclab.dashboard.run_charts import Charts
from bacclab.errors import PluginError
from bacclab.plugins.loader import load_plugins
from bacclab.plugins.registry import Entry

PLUGIN = """
import bacclab as bl
import plotly.graph_objects as go

def tops(run, *, cell, bettor):
    rows = run.sessions.filter(cell=cell, bettor=bettor)
    return go.Figure(go.Histogram(x=rows["peak"].to_list(), name="peaks"))

def fails(run, *, cell, bettor):
    raise ValueError("no <b>such</b> column")

peaks = bl.Chart(id="peaks", title="Highest & best", text="How high sessions stood.", draw=tops)
broken = bl.Chart(id="broken", title="Broken", scope="cell", draw=fails)
nothing = bl.Chart(id="nothing", title="Nothing", scope="run", draw=lambda run, *, cell, bettor: None)
remark = bl.Section(id="remark", title="A <remark>", after="summary",
                    write=lambda run: f"There are **{run.summary.height}** rows <script>.")
lost = bl.Section(id="lost", title="Lost", write=lambda run: run.nothing_of_that_name)
"""


def entry(draw: Any, **more: Any) -> Entry:
    return Entry("own", bl.Chart(id="own", title="Own", draw=draw, **more), "mine", "mine.py")


def sheets(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for packet in re.findall(r'<script type="text/plain" id="p\d+">(.*?)</script>', text):
        found |= json.loads(gzip.decompress(base64.b64decode(packet)))
    return found


@pytest.fixture(scope="module")
def text(run: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("plugin") / "mine.py"
    file.write_text(PLUGIN)
    own = replace(run)
    own.registry = load_plugins(files=[file], strict=True).registry
    return page_text(own)


class TestPage:
    def test_a_chart_of_a_plugin_stands_with_those_of_its_scope(self, text: str) -> None:
        assert 'id="chart-peaks"' in text
        sheet = sheets(text)["b0-0"]
        assert sheet["chart-peaks"]["layout"]["meta"]["title"] == "Flat on Banker: Highest & best"
        assert sheet["chart-peaks"]["layout"]["meta"]["note"] == "How high sessions stood."
        assert len(sheet["chart-peaks"]["data"][0]["x"]) == 1000
        assert "fan" in sheet

    def test_one_that_raises_is_a_line(self, text: str) -> None:
        fault = sheets(text)["c0"]["chart-broken"]["fault"]
        assert fault == "“Broken” of plugin mine failed and is left out: ValueError: no <b>such</b> column"
        assert "medians" in sheets(text)["c0"]

    def test_one_with_nothing_to_draw_has_no_place(self, text: str) -> None:
        assert "chart-nothing" not in text

    def test_sections_are_escaped_and_stand_where_they_say(self, text: str) -> None:
        assert "<p>There are <strong>6</strong> rows &lt;script&gt;.</p>" in text
        assert ">A &lt;remark&gt;</h2>" in text
        assert text.index('id="summary"') < text.index('id="section-remark"') < text.index('id="all"')

    def test_a_section_that_raises_is_a_line(self, text: str) -> None:
        assert re.search(r'<p class="fault">“Lost” of plugin mine failed and is left out: AttributeError', text)


class TestDrawn:
    def test_a_long_line_keeps_its_extremes(self, run: Any) -> None:
        values = np.sin(np.arange(100_000) / 500.0)
        values[77_777] = -9.0
        figure = go.Figure(go.Scatter(x=np.arange(100_000), y=values, mode="lines"))
        found = gallery.drawn(entry(lambda run, *, cell, bettor: figure), Lookup.of(run), cell=0, bettor=None)
        assert found is not None
        trace = found["data"][0]
        y = np.frombuffer(base64.b64decode(trace["y"]["bdata"]), "<f4")
        assert trace["y"]["dtype"] == "f4"
        assert len(y) <= gallery.MOST_POINTS // 10
        assert y.min() == -9.0
        assert y[-1] == pytest.approx(values[-1], rel=1e-6)

    @pytest.mark.parametrize(
        ("draw", "said"),
        [
            (
                lambda run, *, cell, bettor: {"data": [{"type": "bar", "x": list(range(30_000))}]},
                "it has 30,000 points",
            ),
            (lambda run, *, cell, bettor: 7, "it returned a int"),
            (lambda run, *, cell, bettor: {"data": [{"x": [float("nan")]}]}, "ValueError"),
            (lambda run, *, cell, bettor: {"data": [{"x": [object()]}]}, "TypeError"),
            (lambda run, *, cell, bettor: exit("bye"), "SystemExit: bye"),
        ],
    )
    def test_what_cannot_be_drawn_is_a_fault(self, run: Any, draw: Any, said: str) -> None:
        found = gallery.drawn(entry(draw), Lookup.of(run), cell=0, bettor="Flat on Tie")
        assert found is not None
        assert said in found["fault"]

    def test_plain_values_are_enough_and_the_page_gives_the_template(self, run: Any) -> None:
        values = {"data": [{"type": "bar", "x": ["a"], "y": [1]}], "layout": {"title": {"text": "T"}, "height": 300}}
        found = gallery.drawn(entry(lambda run, *, cell, bettor: values), Lookup.of(run), cell=0, bettor="Flat on Tie")
        assert found is not None
        assert found["data"] == values["data"]
        assert set(found["layout"]) == {"height", "meta"}

    def test_points_are_told_to_who_asks(self, run: Any) -> None:
        def draw(run: Any, *, cell: Any, bettor: Any, points: int = 9) -> Any:
            return {"data": [{"x": [points]}]}

        found = gallery.drawn(entry(draw), Lookup.of(run), cell=0, bettor=None, points=33)
        assert found is not None
        assert found["data"][0]["x"] == [33]


class TestFacade:
    def test_built_in_and_own_charts(self, run: Any, tmp_path: Path) -> None:
        file = tmp_path / "mine.py"
        file.write_text(PLUGIN)
        charts = Charts(run, registry=load_plugins(files=[file]).registry)
        assert charts.fan("Flat on Tie").layout.meta["title"].startswith("Flat on Tie")
        assert len(charts.peaks("Flat on Tie").data[0].x) == 1000
        assert {"fan", "peaks", "bust"} <= set(charts)
        assert "peaks" in dir(charts)
        assert charts.nothing() is None
        with pytest.raises(ValueError, match="no <b>such"):
            charts.broken()

    def test_an_unknown_one_names_the_nearest(self, run: Any) -> None:
        with pytest.raises(AttributeError, match="did you mean medians"):
            _ = Charts(run).median
        with pytest.raises(PluginError, match="no chart"):
            Charts(run)["pie"]


class TestValues:
    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"draw": 7}, "draw is not a function"),
            ({"draw": lambda run: None}, "cannot be called as draw"),
            ({"draw": lambda run, *, cell, bettor: None, "scope": "cel"}, "did you mean cell"),
        ],
    )
    def test_an_unfit_chart_is_refused(self, given: dict[str, Any], said: str) -> None:
        with pytest.raises(PluginError, match=said):
            bl.Chart(id="x", title="X", **given)

    def test_an_unfit_section_is_refused(self) -> None:
        with pytest.raises(PluginError, match="cannot be called as write"):
            bl.Section(id="x", title="X", write=lambda: "")  # type: ignore[misc, arg-type]


class TestBlocks:
    def test_headings_lists_and_tables(self) -> None:
        frame = pl.DataFrame({"<who>": ["a & b"], "much": [1234.5], "n": [1000], "none": [None]})
        text = as_html(["### Head\nand more\n\n- one\n- `two`", frame])
        assert "<h3>Head</h3><p>and more</p>\n<ul><li>one</li><li><code>two</code></li></ul>" in text
        assert '<th scope="col" class="t">&lt;who&gt;</th>' in text
        assert '<td class="t">a &amp; b</td><td>1,234.50</td><td>1,000</td>' in text

    @pytest.mark.parametrize("found", [7, [7]])
    def test_anything_else_is_refused(self, found: Any) -> None:
        with pytest.raises(TypeError, match="text or frames are wanted"):
            as_html(found)
