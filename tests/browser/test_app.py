"""The app in Chromium: opened, searched, chosen, drawn, resized, darkened; a run started, watched and cancelled."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bacclab as bl

if TYPE_CHECKING:
    from conftest import Browser

pytest.importorskip("dash", reason="the extra dashboard is not installed")

BETTORS = [
    {"name": "Flat on Banker", "use": "flat", "on": "banker", "unit": 10},
    {"name": "Doubler <i>5</i>", "use": "martingale", "on": "player", "unit": 10, "steps": 5},
    {"name": "Goal of 60", "use": "paroli", "on": "banker", "unit": 10, "stop": {"win": 60}},
]
LONG = """
title = "Long"
seed = 3
bankroll = 500
sessions = 4_000_000
rounds = 100
[[bettor]]
use = "flat"
on = "banker"
unit = 10
"""

OPTION = """
const options = [...document.querySelectorAll('.dash-dropdown-content .dash-options-list-option')];
const found = options.find((option) => option.textContent === arguments[0]);
if (found) found.click();
return Boolean(found);
"""
TYPED = """
const box = document.getElementById(arguments[0]);
Object.getOwnPropertyDescriptor(Object.getPrototypeOf(box), 'value').set.call(box, arguments[1]);
box.dispatchEvent(new Event('input', {bubbles: true}));
"""
DRAWN = """
const chart = document.getElementById(`${arguments[0]}-chart`);
const plot = chart && chart.querySelector('.js-plotly-plot');
return Boolean(plot && !chart.hidden && plot.querySelector('.main-svg') && plot._fullData && plot._fullData.length);
"""
SEEN = "const e = document.getElementById(arguments[0]); return e && e.getBoundingClientRect().height > 0"
PICKED = "const b = document.querySelector(`#${arguments[0]} input[value='${arguments[1]}']`); b.click(); return true"


@dataclass
class App:
    """The app of a folder, as the browser sees it."""

    browser: Browser
    address: str
    root: Path

    def open(self, path: str) -> None:
        self.browser.driver.get("about:blank")
        self.browser.errors()
        self.browser.requests()
        self.browser.driver.get(self.address + path)

    def until_drawn(self, *charts: str) -> None:
        for chart in charts:
            self.browser.until(DRAWN, chart)

    def text(self, name: str) -> str:
        return str(self.browser.script("return document.getElementById(arguments[0]).textContent", name))

    def until_text(self, name: str, text: str, *, seconds: float = 60) -> None:
        script = "const e = document.getElementById(arguments[0]); return e && e.textContent.includes(arguments[1])"
        self.browser.until(script, name, text, seconds=seconds)

    def choose(self, menu: str, option: str) -> None:
        """Choose an option of a menu."""
        self.browser.until(
            "const b = document.getElementById(arguments[0]); return b && b.offsetParent && b", menu
        ).click()
        self.browser.until(OPTION, option)

    def silent(self) -> None:
        """Nothing on the console, and no request but to the app."""
        assert self.browser.errors() == []
        assert [url for url in self.browser.requests() if not url.startswith((self.address, "about:"))] == []


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("app") / "runs"
    root.mkdir()
    (root.parent / "experiments").mkdir()
    base = {"bankroll": 200, "sessions": 300, "rounds": 90, "seed": 7, "bettor": BETTORS}
    bl.run(base | {"title": "Three <i>systems</i>"}, out=root / "plain", report=False, workers=1)
    swept = base | {"title": "A sweep", "sessions": 60, "sweep": {"table.maximum": [50, 500]}}
    bl.run(swept, out=root / "sweep", report=False, workers=1)
    (root.parent / "experiments" / "long.toml").write_text(LONG)
    return root


@pytest.fixture(scope="module")
def served(root: Path) -> Iterator[str]:
    from bacclab.dashboard.app.context import Context
    from bacclab.dashboard.app.experiments import Experiments
    from bacclab.dashboard.app.folder import RunsFolder
    from bacclab.dashboard.app.jobs import Jobs
    from bacclab.dashboard.app.server import listening, make_app

    folder = RunsFolder(root)
    jobs = Jobs(folder)
    server = listening(make_app(Context(folder, jobs, Experiments(root))), host="127.0.0.1", port=0)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    jobs.close()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def app(browser: Browser, served: str, root: Path) -> Iterator[App]:
    limits = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, **limits})
    browser.size(1280)
    yield App(browser, served, root)
    browser.driver.execute_script("localStorage.clear()")
    browser.driver.get("about:blank")
    browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, **limits})


class TestList:
    def test_open_search_and_sort(self, app: App) -> None:
        app.open("/")
        app.until_text("runs-count", "2 runs")
        app.browser.script(TYPED, "runs-search", "goal sweep")
        app.until_text("runs-count", "1 of 2 runs")
        assert "A sweep" in app.text("runs-table")
        app.browser.script(TYPED, "runs-search", "")
        app.until_text("runs-count", "2 runs")
        # The table is put in place after its count: a click on the head of the old one would be lost.
        app.browser.until("return document.querySelectorAll('#runs-table tbody tr').length === 2")
        app.browser.script("document.querySelector('#runs-table thead button').click()")
        app.browser.until("return document.querySelector('#runs-table th[aria-sort=descending]')")
        assert (
            app.browser.script("return document.querySelector('#runs-table tbody th').textContent")
            == "Three <i>systems</i>"
        )
        app.silent()

    def test_a_click_opens_a_run_and_going_back_leaves_it(self, app: App) -> None:
        app.open("/")
        app.browser.until("return document.querySelector('#runs-table tbody a')").click()
        app.browser.until("const e = document.getElementById('run-whole'); return e && !e.hidden")
        assert "/run?id=" in app.browser.driver.current_url
        app.browser.driver.back()
        app.browser.until("const e = document.getElementById('view-runs'); return e && !e.hidden")
        app.silent()


class TestRun:
    def test_every_chart_is_drawn(self, app: App) -> None:
        app.open("/run?id=sweep&tab=all&cell=1")
        app.until_drawn("ranges", "medians", "bust", "ends")
        for tab, charts in (
            ("one", ("fan", "finals", "endings", "underwater")),
            ("sessions", ("trajectories", "session_path", "session_roads")),
            ("comparison", ("differences",)),
        ):
            app.browser.script(PICKED, "tab", tab)
            app.until_drawn(*charts)
            assert f"tab={tab}" in app.browser.driver.current_url
        app.silent()

    def test_choices_stand_in_the_address_and_going_back_takes_them_back(self, app: App) -> None:
        app.open("/run?id=sweep&tab=one")
        app.until_drawn("fan")
        app.choose("bettor", "Doubler <i>5</i>")
        app.until_text("fan-title", "Doubler <i>5</i>")
        app.choose("cell", "table.maximum = 500")
        app.until_text("fan-title", "table.maximum = 500")
        app.browser.script(PICKED, "scale", "log")
        app.until_text("fan-note", "Logarithmic")
        assert app.browser.driver.current_url.endswith("&cell=1&bettor=Doubler+%3Ci%3E5%3C%2Fi%3E&scale=log")
        app.browser.driver.back()
        app.browser.until("return !document.getElementById('fan-note').textContent.includes('Logarithmic')")
        app.browser.driver.back()
        app.until_text("fan-title", "table.maximum = 50)")
        app.browser.driver.back()
        app.until_text("fan-title", "Flat on Banker")
        app.silent()

    def test_hover_tells_figures(self, app: App) -> None:
        app.open("/run?id=plain&tab=one")
        app.until_drawn("fan")
        box = app.browser.script(
            "const p = document.querySelector('#fan-chart .nsewdrag').getBoundingClientRect();"
            "return [p.left + p.width / 2, p.top + p.height / 2]"
        )
        event = {"type": "mouseMoved", "x": box[0], "y": box[1]}
        for step in (0, 3):
            app.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event | {"x": box[0] + step})
            time.sleep(0.1)
        app.browser.until("return document.querySelector('#fan-chart .hoverlayer').textContent.includes('median')")

    def test_a_brush_on_a_session_chooses_its_rounds(self, app: App) -> None:
        app.open("/run?id=plain&tab=sessions&session=3")
        app.until_drawn("session_path")
        app.until_text("rounds-count", "90 rounds")
        app.browser.script(
            "const plot = document.querySelector('#session_path-graph .js-plotly-plot');"
            "window.Plotly.relayout(plot, {'xaxis.range[0]': 9.5, 'xaxis.range[1]': 20.5})"
        )
        app.until_text("rounds-count", "11 rounds")
        first = "return document.querySelector('#rounds-table tbody td').textContent"
        assert app.browser.script(first) == "10"

    def test_dark_follows_the_system_until_one_chooses(self, app: App) -> None:
        app.browser.scheme("dark")
        app.open("/run?id=plain&tab=one")
        app.until_drawn("fan")
        paper = "return getComputedStyle(document.querySelector('#fan-chart .main-svg')).backgroundColor"
        app.browser.until(f"{paper} === 'rgb(20, 24, 29)'")
        app.browser.script("document.getElementById('scheme-button').click()")
        app.browser.until(f"{paper} === 'rgb(255, 255, 255)'")
        app.browser.driver.refresh()
        app.until_drawn("fan")
        app.browser.until(f"{paper} === 'rgb(255, 255, 255)'")
        app.silent()

    def test_on_a_phone_nothing_is_wider_than_the_window(self, app: App) -> None:
        app.browser.size(390, 844, phone=True)
        for path, name in (("/", "runs-table"), ("/run?id=plain", "summary-table"), ("/new", "new-text")):
            app.open(path)
            app.browser.until(SEEN, name)
            assert app.browser.script("return document.documentElement.scrollWidth") <= 390
        app.open("/run?id=plain&tab=one")
        app.until_drawn("fan")
        app.browser.until("return document.querySelector('#fan-chart .main-svg').getBoundingClientRect().width <= 390")
        app.browser.size(800)
        app.browser.until("return document.querySelector('#fan-chart .main-svg').getBoundingClientRect().width > 500")

    def test_by_keyboard(self, app: App) -> None:
        from selenium.webdriver.common.keys import Keys

        app.open("/run?id=plain")
        app.browser.until("return document.querySelector('#tab input')")
        chosen = app.browser.script("const i = document.querySelector('#tab input:checked'); i.focus(); return i")
        chosen.send_keys(Keys.ARROW_RIGHT)
        app.until_drawn("medians")
        assert "tab=all" in app.browser.driver.current_url


class TestMenus:
    def test_of_a_chart_by_keyboard(self, app: App, grid: bl.Run, root: Path) -> None:
        from selenium.webdriver.common.keys import Keys

        shown = "return document.querySelector('#settings-graph .js-plotly-plot').data.map((trace) => trace.visible)"
        shutil.copytree(grid.path, root / "grid")
        try:
            app.open("/run?id=grid&tab=sweep")
            app.until_drawn("settings")
            first = app.browser.script(shown)
            menu = app.browser.until("return document.querySelector('#settings-menus select')")
            assert menu.get_attribute("aria-label").startswith("System (Setting by setting")
            menu.send_keys(Keys.ARROW_UP if first[1] else Keys.ARROW_DOWN)
            app.browser.until(f"{shown}.join() === arguments[0]", ",".join(str(not seen).lower() for seen in first))
            assert app.browser.script("return document.querySelector('#settings-graph .updatemenu-container')") is None
            app.silent()
        finally:
            shutil.rmtree(root / "grid")


class TestStarting:
    def test_a_mistake_is_told_with_its_line(self, app: App) -> None:
        app.open("/new")
        app.browser.until("return document.getElementById('new-text')")
        app.browser.script(TYPED, "new-text", LONG.replace("bankroll", "bankrol"))
        app.until_text("new-check", "line 4: bankrol is not a key")
        assert app.browser.script("return document.getElementById('new-start').disabled")

    @pytest.mark.slow
    def test_started_watched_and_cancelled(self, app: App) -> None:
        app.open("/new")
        app.choose("new-file", "long.toml")
        app.until_text("new-check", "Long: 1 bettor, 4,000,000 sessions")
        app.browser.until("return !document.getElementById('new-start').disabled")
        app.browser.script("document.getElementById('new-start').click()")
        app.until_text("progress-text", "Running", seconds=120)
        app.browser.until("return Number(document.getElementById('progress-bar').value) > 0", seconds=120)
        assert app.browser.script("return document.getElementById('cancel').hidden") is False
        app.browser.script("document.getElementById('cancel').click()")
        app.until_text("progress-text", "Interrupted", seconds=120)
        app.browser.until("const e = document.getElementById('resume'); return e && !e.hidden")
        app.silent()
        app.open("/")
        app.until_text("runs-table", "interrupted")
