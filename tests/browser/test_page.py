"""The page of a run in Chromium: offline, without a word on the console, at a desk and on a phone."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest

if TYPE_CHECKING:
    from conftest import Browser

    import bacclab as bl

CHARTS = (
    "ranges", "medians", "bust", "survival", "ends", "action", "goals", "fan", "finals", "endings", "underwater",
    "trajectories", "runs", "stakes", "roads", "differences",
)  # fmt: skip

COLUMN = """
const heads = [...document.querySelectorAll('#summary-table thead th')];
const index = heads.findIndex((head) => head.textContent === arguments[0]);
const rows = document.querySelectorAll('#summary-table tbody tr:not([hidden]):not(.off)');
return [...rows].map((row) => row.cells[index].textContent);
"""
AXIS = """
const inside = document.querySelector(`#${arguments[0]} .main-svg`).getBoundingClientRect();
const labels = [...document.querySelectorAll(`#${arguments[0]} :is(.xtick text, .xtitle)`)];
const style = getComputedStyle;
const seen = labels.filter((text) => style(text).opacity !== '0' && style(text).display !== 'none');
return [inside.width, seen.map((text) => {
  const box = text.getBoundingClientRect();
  return [text.textContent, box.left - inside.left, box.right - inside.left];
})];
"""
CLICK = """
const heads = [...document.querySelectorAll('#summary-table thead th')];
const head = heads.find((head) => head.textContent === arguments[0]);
head.querySelector('button').click();
return head.getAttribute('aria-sort');
"""
CHOOSE = """
const box = document.getElementById(arguments[0]);
box.value = arguments[1];
box.dispatchEvent(new Event('change'));
"""
NOTED_WHEN_PRINTED = """
window.addEventListener('beforeprint', () => {
  window.noted = [...document.querySelectorAll('figure.chart:not([hidden])')].map((chart) => {
    const svg = chart.querySelector('.main-svg');
    return [chart.id, svg !== null, Number(svg?.getAttribute('width')), svg?.style.background];
  });
});
"""
DARK = "rgb(20, 24, 29)"
PAGER = "return document.querySelector('#summary .pager span').textContent"
TABLE = """
const rows = document.querySelectorAll(`#${arguments[0]} details tr`);
return [...rows].map((row) => [...row.cells].map((cell) => cell.textContent));
"""


def numbers(texts: list[str]) -> list[float | None]:
    plain = [text.replace("−", "-").replace(",", "").replace("%", "").strip() for text in texts]
    return [None if text == "–" else float(text) for text in plain]


@pytest.fixture
def page(browser: Browser, classic: bl.Run) -> Browser:
    browser.open(classic.path / "report.html")
    return browser


class TestOpening:
    def test_offline_and_silent_with_every_chart_drawn(self, page: Browser) -> None:
        for chart in CHARTS:
            page.show(chart)
            shapes = page.script(
                (
                    "return document.querySelectorAll(`#${arguments[0]} :is(.trace, .fills, .points, .hm) :is(path, "
                    "image)`).length"
                ),
                chart,
            )
            assert shapes > 0, chart
        assert page.errors() == []
        assert page.requests() == []

    def test_bands_are_filled(self, page: Browser) -> None:
        page.show("fan")
        fills = page.script(
            "return [...document.querySelectorAll('#fan .js-fill')].map((p) => p.getBoundingClientRect().height)"
        )
        assert sum(height > 20 for height in fills) >= 2

    def test_words_for_those_who_cannot_see(self, page: Browser) -> None:
        page.show("fan")
        role, label = page.script(
            "const p = document.querySelector('#fan .plot'); return [p.getAttribute('role'), "
            "p.getAttribute('aria-label')]"
        )
        assert role == "img"
        assert "median bankroll is" in label
        assert page.script("return document.documentElement.lang") == "en"

    def test_names_are_shown_as_text(self, page: Browser) -> None:
        assert page.script("return document.querySelector('h1').textContent") == "Four systems, <b>one</b> table"
        page.show("medians")
        legend = page.script("return document.querySelector('#medians .legend').textContent")
        assert "Martingale <i>five</i> & more" in legend


class TestTable:
    def test_a_click_sorts_by_number(self, page: Browser) -> None:
        assert page.script(CLICK, "z") == "descending"
        values = numbers(page.script(COLUMN, "z"))
        assert values == sorted(values, reverse=True)
        assert page.script(CLICK, "z") == "ascending"
        assert numbers(page.script(COLUMN, "z")) == values[::-1]

    def test_names_sort_by_letter(self, page: Browser) -> None:
        assert page.script(CLICK, "Bettor") == "ascending"
        names = page.script(COLUMN, "Bettor")
        assert names == sorted(names)

    def test_undefined_figures_come_last_either_way(self, page: Browser) -> None:
        page.script("document.querySelector('#summary-table tbody tr').cells[3].textContent = '–'")
        for _ in range(2):
            page.script(CLICK, "z")
            assert numbers(page.script(COLUMN, "z"))[-1] is None

    def test_by_keyboard(self, page: Browser) -> None:
        from selenium.webdriver.common.keys import Keys

        page.driver.find_element("css selector", "#summary-table thead th:nth-child(7) button").send_keys(Keys.ENTER)
        sorted_by = page.script("return document.querySelector('#summary-table th[aria-sort=descending]').textContent")
        assert numbers(page.script(COLUMN, sorted_by)) == sorted(
            numbers(page.script(COLUMN, sorted_by)), key=lambda v: -(v or 0)
        )

    def test_all_columns(self, page: Browser) -> None:
        seen = "return [...document.querySelectorAll('#summary-table thead th')].filter((h) => h.offsetWidth).length"
        few = page.script(seen)
        page.script("document.getElementById('all-columns').click()")
        assert page.script(seen) > few + 10


class TestChoosing:
    def test_another_bettor(self, page: Browser, classic: bl.Run) -> None:
        page.show("fan")
        page.script(CHOOSE, "bettor-choice", "3")
        page.until("return document.querySelector('#fan h3').textContent.startsWith('Flat on Tie')")
        page.until("return document.getElementById('fan').dataset.drawn.endsWith('0 3')")
        chosen = page.script("return document.querySelector('#summary-table tr.chosen th').textContent")
        assert chosen == "Flat on Tie"
        assert page.errors() == []

    def test_the_name_in_the_table_is_a_link(self, page: Browser) -> None:
        page.script("document.querySelector('#summary-table a[data-bettor=\"2\"]').click()")
        page.until("return document.querySelector('#fan h3').textContent.startsWith('Goal of 60')")

    def test_next_and_previous_go_round(self, page: Browser) -> None:
        page.show("fan")
        for expected in ("Martingale", "Goal of 60", "Flat on Tie", "Flat on Banker"):
            page.script("document.querySelectorAll('.step')[1].click()")
            page.until("return document.querySelector('#fan h3').textContent.startsWith(arguments[0])", expected)

    def test_a_cell_of_a_sweep(self, browser: Browser, sweep: bl.Run) -> None:
        browser.open(sweep.path / "report.html")
        assert len(browser.script(COLUMN, "Bettor")) == 2
        browser.show("medians")
        browser.script(CHOOSE, "cell", "1")
        browser.until("return document.querySelector('#medians h3').textContent.includes('500')")
        assert all("500" in text for text in browser.script(COLUMN, "Setting"))
        browser.script("document.getElementById('every-cell').click()")
        assert len(browser.script(COLUMN, "Bettor")) == 4
        assert browser.errors() == []


class TestTableBehindAChart:
    def test_holds_the_figures_of_the_frame(self, page: Browser, classic: bl.Run) -> None:
        page.show("fan")
        page.script("document.querySelector('#fan details').open = true")
        page.until("return document.querySelectorAll('#fan details tr').length > 1")
        heads, *rows = page.script(TABLE, "fan")
        last = dict(zip(heads, numbers(rows[-1]), strict=True))
        finals = classic.sessions.filter(pl.col("bettor") == "Flat on Banker")["final"].to_numpy()
        for share in (5, 25, 75, 95):
            assert last[f"{share} %"] == pytest.approx(np.quantile(finals, share / 100), abs=0.01)
        assert last["median"] == pytest.approx(np.median(finals), abs=0.01)
        assert last["Round"] == 120


class TestBetsLateInTheShoe:
    def test_one_bet_at_a_time_and_all_of_them_in_the_table(self, browser: Browser, make: Any) -> None:
        hunter = {"name": "Hunter", "use": "pair-hunter", "main": {"on": "banker", "unit": 10}}
        pair, other = ({**hunter, "name": on, "pair": {"on": on, "unit": 5}} for on in ("player_pair", "banker_pair"))
        run = make(title="Pairs", bettor=[pair, other], sessions=20, rounds=40)
        chart = "edge_by_cards_left"
        browser.open(run.path / "report.html")
        browser.show(chart)
        mean = f"return [...document.querySelectorAll('#{chart} .plot')][0].data.map((t) => [t.meta.of, t.visible])"
        seen = {of for of, visible in browser.script(mean) if visible}
        assert len(seen) == 1
        browser.script(f"document.querySelector('#{chart} details').open = true")
        browser.until(f"return document.querySelectorAll('#{chart} details tr').length > 1")
        heads, *rows = browser.script(TABLE, chart)
        assert {"Player Pair: mean", "Banker Pair: mean", "Player Pair: 95 %"} <= set(heads)
        deep = dict(zip(heads, numbers(rows[0]), strict=True))
        assert deep["Player Pair: mean"] == pytest.approx(deep["Player Pair: full shoe (house edge)"], abs=0.03)
        assert deep["Player Pair: 95 %"] > deep["Player Pair: mean"] > deep["Player Pair: 5 %"]
        assert browser.errors() == []


class TestColours:
    def test_dark_by_preference_and_by_button(self, browser: Browser, classic: bl.Run) -> None:
        browser.scheme("dark")
        browser.open(classic.path / "report.html")
        back = "return getComputedStyle(document.body).backgroundColor"
        paper = "return getComputedStyle(document.querySelector('#medians .main-svg')).backgroundColor"
        assert browser.script(back) == "rgb(20, 24, 29)"
        browser.show("medians")
        assert browser.script(paper) == "rgb(20, 24, 29)"
        browser.script("document.getElementById('theme').click()")
        assert browser.script(back) == "rgb(255, 255, 255)"
        browser.until("return document.getElementById('medians').dataset.drawn.startsWith('light')")
        assert browser.script(paper) == "rgb(255, 255, 255)"
        assert browser.script("return document.getElementById('theme').getAttribute('aria-pressed')") == "false"
        assert browser.errors() == []

    def test_lines_change_with_the_background(self, browser: Browser, classic: bl.Run) -> None:
        stroke = "return getComputedStyle(document.querySelector('#medians .js-line')).stroke"
        seen = []
        for scheme in ("light", "dark"):
            browser.scheme(scheme)
            browser.open(classic.path / "report.html")
            browser.show("medians")
            seen.append(browser.script(stroke))
        assert seen == ["rgb(0, 114, 178)", "rgb(74, 163, 223)"]


class TestSizes:
    @pytest.mark.parametrize("width", [320, 390, 768, 1400])
    def test_never_scrolls_sideways(self, browser: Browser, classic: bl.Run, width: int) -> None:
        browser.size(width, phone=width < 500)
        browser.open(classic.path / "report.html")
        for chart in CHARTS:
            browser.show(chart)
        assert browser.script("return document.documentElement.scrollWidth") <= width
        for chart in CHARTS:
            right = browser.script(
                "return document.querySelector(`#${arguments[0]} .main-svg`).getBoundingClientRect().right", chart
            )
            assert right <= width, chart
        assert browser.errors() == []

    @pytest.mark.parametrize("width", [390, 1400])
    def test_last_labels_and_titles_of_axes_are_whole(self, browser: Browser, make: Any, width: int) -> None:
        browser.size(width, phone=width < 500)
        names = ("Banker, ten units a round", "Player, ten units a round")
        bettors = [{"name": name, "use": "flat", "on": name[:6].lower(), "unit": 10} for name in names]
        played = make(bettor=bettors, bankroll=9000, sessions=50, rounds=2000)
        browser.open(played.path / "report.html")
        for chart, last in (("medians", "2,000"), ("ends", "100%"), ("differences", None)):
            browser.show(chart)
            inside, labels = browser.script(AXIS, chart)
            if last is not None:
                assert last in [text for text, _, _ in labels], chart
            for text, left, right in labels:
                assert left >= -0.5, (chart, text)
                assert right <= inside + 0.5, (chart, text)

    def test_names_stay_in_sight_on_a_phone(self, browser: Browser, classic: bl.Run) -> None:
        browser.size(390, phone=True)
        browser.open(classic.path / "report.html")
        left = "return document.querySelector('#summary-table tbody th').getBoundingClientRect().left"
        before = browser.script(left)
        moved = browser.script(
            "const s = document.querySelector('#summary .scroll'); s.scrollLeft = 300; return s.scrollLeft"
        )
        assert moved > 100
        assert browser.script(left) == before

    def test_charts_follow_the_window(self, page: Browser) -> None:
        width = "return document.querySelector('#medians .main-svg').getBoundingClientRect().width"
        page.show("medians")
        before = page.script(width)
        page.size(700)
        page.until(
            "return document.querySelector('#medians .main-svg').getBoundingClientRect().width < arguments[0]", before
        )
        assert page.script("return document.documentElement.scrollWidth") <= 700

    def test_headings_keep_apart_on_paper(self, browser: Browser, classic: bl.Run) -> None:
        browser.open(classic.path / "report.html")
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        try:
            sides = browser.script(
                "return [...document.querySelectorAll('#summary-table thead th')].map((head) => "
                "[getComputedStyle(head).paddingLeft, getComputedStyle(head).paddingRight])"
            )
        finally:
            browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        assert {side for pair in sides for side in pair} == {"3px"}

    def test_prints(self, browser: Browser, classic: bl.Run) -> None:
        browser.scheme("dark")
        browser.open(classic.path / "report.html")
        browser.until("return window.Plotly !== undefined")
        browser.script(NOTED_WHEN_PRINTED)
        request = {"printBackground": False, "preferCSSPageSize": True}
        printed: dict[str, Any] = browser.driver.execute_cdp_cmd("Page.printToPDF", request)
        assert base64.b64decode(printed["data"]).startswith(b"%PDF")
        charts = browser.script("return window.noted")
        assert len(charts) >= 10
        for name, drawn, width, ink in charts:
            assert drawn, name
            assert width <= 680, name
            assert ink == "rgb(255, 255, 255)", name
        assert browser.script("return document.documentElement.dataset.theme") == "dark"
        browser.show("medians")
        assert browser.script("return document.querySelector('#medians .main-svg').style.background") == DARK
        assert browser.script("return document.querySelector('#medians .main-svg').clientWidth") > 1000
        assert browser.errors() == []


class TestACrowd:
    def test_two_hundred_bettors(self, browser: Browser, crowd: bl.Run) -> None:
        path = crowd.path / "report.html"
        assert path.stat().st_size < 8_000_000
        browser.open(path)
        assert browser.script("return document.getElementById('bettor-choice').options.length") == 200
        browser.show("ranking")
        assert len(browser.script(COLUMN, "Bettor")) == 50
        assert browser.script(PAGER) == "Rows 1 to 50 of 200"
        browser.script("document.querySelector('#summary .pager button:last-child').click()")
        assert browser.script(PAGER) == "Rows 51 to 100 of 200"
        assert browser.script(COLUMN, "Bettor")[0] == "Flat 51"
        browser.script(CLICK, "Staked")
        assert browser.script(COLUMN, "Bettor")[0] == "Flat 200"
        browser.script(
            "const f = document.getElementById('filter'); f.value = 'flat 19'; f.dispatchEvent(new Event('input'))"
        )
        assert len(browser.script(COLUMN, "Bettor")) == 11
        browser.show("medians")
        browser.show("fan")
        browser.script(CHOOSE, "bettor-choice", "199")
        browser.until("return document.querySelector('#fan h3').textContent.startsWith('Flat 200')")
        assert browser.errors() == []
        assert browser.requests() == []


class TestMenus:
    SHOWN = "return document.querySelector('#settings .plot').data.map((trace) => trace.visible)"

    def test_by_keyboard_and_kept_when_the_chart_is_drawn_anew(self, browser: Browser, grid: bl.Run) -> None:
        from selenium.webdriver.common.keys import Keys

        browser.open(grid.path / "report.html")
        browser.show("settings")
        first = browser.script(self.SHOWN)
        assert sorted(first) == [False, True]
        menu = browser.driver.find_element("css selector", "#settings .menus select")
        assert menu.get_attribute("aria-label") == "System (Setting by setting: share of sessions ruined)"
        names = [option.text for option in menu.find_elements("css selector", "option")]
        assert names == ["Flat on Banker", "Martingale <i>five</i> & more"]
        menu.send_keys(Keys.ARROW_UP if first[1] else Keys.ARROW_DOWN)
        browser.until(f"{self.SHOWN}.join() === arguments[0]", ",".join(str(not seen).lower() for seen in first))
        browser.script("document.getElementById('theme').click()")
        browser.until("return document.getElementById('settings').dataset.drawn.startsWith('dark')")
        browser.until(f"{self.SHOWN}.join() === arguments[0]", ",".join(str(not seen).lower() for seen in first))
        assert browser.script("return document.querySelector('#settings .menus select').selectedIndex") == first[0]
        assert browser.script("return document.querySelector('#settings .updatemenu-container')") is None
        assert browser.errors() == []

    def test_those_of_a_plugin(self, browser: Browser, classic: bl.Run, tmp_path: Any) -> None:
        import bacclab as bl
        from bacclab.plugins.loader import load_plugins

        file = tmp_path / "mine.py"
        file.write_text(
            "import bacclab as bl\n"
            "def draw(run, *, cell, bettor):\n"
            "    buttons = [{'label': n, 'method': 'restyle', 'args': ['y', [[n]]]} for n in (1, 2)]\n"
            "    menus = [{'type': 'buttons', 'buttons': buttons}, {'buttons': buttons, 'visible': False}]\n"
            "    return {'data': [{'type': 'bar', 'x': ['a'], 'y': [1]}], 'layout': {'updatemenus': menus}}\n"
            "one = bl.Chart(id='one', title='One', draw=draw)\n"
        )
        run = bl.load_run(classic.path, registry=load_plugins(files=[file], strict=True).registry)
        browser.open(run.report(tmp_path / "page.html"))
        browser.show("chart-one")
        group, second = browser.script(
            "return [...document.querySelectorAll('#chart-one .menus :is([role=group], button:last-child)')]"
        )
        assert (group.get_attribute("aria-label"), second.text) == ("Flat on Banker: One", "2")
        assert browser.script(
            "return [...document.querySelectorAll('#chart-one .menus button')].map((b) => b.labels.length)"
        ) == [0, 0]
        pressed = "return [...document.querySelectorAll('#chart-one .menus button')].map((b) => b.ariaPressed)"
        assert browser.script(pressed) == ["true", "false"]
        second.send_keys(" ")
        browser.until("return document.querySelector('#chart-one .plot').data[0].y[0] === 2")
        assert browser.script(pressed) == ["false", "true"]
        browser.script("for (const theme of [0, 1]) document.getElementById('theme').click()")
        browser.show("chart-one")
        assert browser.script(pressed) == ["false", "true"]
        assert browser.errors() == []


class TestLanguages:
    @pytest.mark.parametrize("code", ["pt", "el"])
    def test_speaks_sorts_and_saves_as_the_language_writes(
        self, browser: Browser, classic: bl.Run, tmp_path: Any, code: str
    ) -> None:
        browser.open(classic.report(tmp_path / "page.html", lang=code))
        assert browser.script("return document.documentElement.lang") == code
        head = browser.script("return document.querySelectorAll('#summary-table thead th')[4].textContent")
        browser.script(CLICK, head)
        found = browser.script(COLUMN, head)
        plain = [
            float(text.replace("\u202f", "").replace(".", "").replace(",", ".").replace("−", "-")) for text in found
        ]
        assert plain == sorted(plain, reverse=True)
        browser.show("medians")
        browser.script("document.querySelector('#medians details').open = true")
        browser.until("return document.querySelector('#medians details td')")
        assert any("," in cell for row in browser.script(TABLE, "medians")[2:] for cell in row[1:])
        assert browser.errors() == []


class TestPlugins:
    def test_a_chart_that_raises_is_a_line_and_breaks_nothing(
        self, browser: Browser, classic: bl.Run, tmp_path: Any
    ) -> None:
        import bacclab as bl
        from bacclab.plugins.loader import load_plugins

        file = tmp_path / "mine.py"
        file.write_text(
            "import bacclab as bl\n"
            "def fails(run, *, cell, bettor):\n    raise ValueError('no <b>such</b> column')\n"
            "def works(run, *, cell, bettor):\n    return {'data': [{'type': 'bar', 'x': ['a'], 'y': [1]}]}\n"
            "one = bl.Chart(id='one', title='One', scope='cell', draw=fails)\n"
            "two = bl.Chart(id='two', title='Two', draw=works)\n"
        )
        run = bl.load_run(classic.path, registry=load_plugins(files=[file], strict=True).registry)
        browser.open(run.report(tmp_path / "page.html"))
        browser.show("chart-two")
        browser.script("document.getElementById('chart-one').scrollIntoView({behavior: 'instant'})")
        said = browser.until("return document.querySelector('#chart-one .fault').textContent")
        assert said == "“One” of plugin mine failed and is left out: ValueError: no <b>such</b> column"
        browser.show("fan")
        assert browser.errors() == []


class TestComparison:
    def test_two_runs(self, browser: Browser, classic: bl.Run, sweep: bl.Run, tmp_path: Any) -> None:
        from bacclab.analysis.across import across
        from bacclab.dashboard.pages.compare import write_compare_page

        found = across([("classic <1>", classic), ("sweep", sweep)])
        browser.open(write_compare_page(found, tmp_path / "both.html", command="bacclab compare a b"))
        browser.show("side_by_side")
        assert browser.script("return document.querySelectorAll('#figures tbody tr').length") == 8
        assert "classic <1>" in browser.script("return document.querySelector('#pairs').textContent")
        assert browser.errors() == []
        assert browser.requests() == []
