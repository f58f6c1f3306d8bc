"""The page as a file: self-contained, escaped, small, and complete without a browser."""

from __future__ import annotations

import base64
import dataclasses
import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bacclab.dashboard import write_page
from bacclab.dashboard.columns import SUMMARY
from bacclab.dashboard.language import ENGLISH, language
from bacclab.dashboard.lookup import Lookup, registry_of
from bacclab.dashboard.pages import sheets as sheets_module
from bacclab.dashboard.pages import tables
from bacclab.dashboard.words import rules


class Page(HTMLParser):
    """Elements, script texts by id, and table cells of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.rows: dict[str, list[list[str]]] = {}
        self.words: list[str] = []
        self._table = self._id = ""
        self._cell = self._script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "table":
            self._table = found.get("id") or ""
            self.rows[self._table] = []
        if tag == "tr":
            self.rows[self._table].append([])
        self._cell = tag in ("td", "th") or (self._cell and tag in ("a", "small", "br", "button"))
        if tag in ("td", "th"):
            self.rows[self._table][-1].append("")
        self._script = tag in ("script", "style")
        self._id = found.get("id") or "" if tag == "script" else self._id

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._cell = False
        if tag in ("script", "style"):
            self._script = False

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[self._id] = self.scripts.get(self._id, "") + data
        elif self._cell:
            self.rows[self._table][-1][-1] += data
        if not self._script:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def written(run: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(run, tmp_path_factory.mktemp("page") / "report.html")


@pytest.fixture(scope="module")
def page(written: Path) -> Page:
    return Page(written.read_text(encoding="utf-8"))


def sheets(page: Page) -> dict[str, Any]:
    """All charts of a page by sheet."""
    found: dict[str, Any] = {}
    for name, text in page.scripts.items():
        if re.fullmatch(r"p\d+", name):
            found |= json.loads(gzip.decompress(base64.b64decode(text)))
    return found


class TestOneFile:
    def test_is_small_and_whole(self, written: Path) -> None:
        assert written.stat().st_size < 8_000_000
        assert [path.name for path in written.parent.iterdir()] == ["report.html"]

    def test_fetches_nothing(self, page: Page) -> None:
        for tag, attributes in page.tags:
            assert "src" not in attributes, tag
            address = attributes.get("href") or ""
            assert address.startswith("#") or address == "data:," or not address, (tag, address)
        policy = next(a["content"] for _, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
        assert policy is not None
        assert "default-src 'none'" in policy
        assert "http" not in policy

    def test_plotly_is_there_once(self, page: Page, written: Path) -> None:
        assert sum(a.get("id") == "plotly" for _, a in page.tags) == 1
        script = gzip.decompress(base64.b64decode(page.scripts["plotly"])).decode()
        assert "plotly.js v" in script[:200]
        assert written.read_text(encoding="utf-8").count("Licensed under the MIT license") == 1

    def test_same_run_same_page(self, run: Any, written: Path, tmp_path: Path) -> None:
        assert write_page(run, tmp_path / "again.html").read_bytes() == written.read_bytes()


class TestEscaping:
    def test_titles_and_names_are_text(self, page: Page, written: Path) -> None:
        raw = written.read_text(encoding="utf-8")
        assert "<script>alert(1)" not in raw
        assert "<b>7" not in raw
        assert "Classic systems <script>alert(1)</script>" in page.text
        assert any("Martingale <b>7</b> & steps" in row[0] for row in page.rows["summary-table"])

    @pytest.mark.parametrize("name", ["</script><img src=x onerror=alert(1)>", "%{x} $title ${style} \"'", "‮ 漢字 🂡"])
    def test_any_name(self, synthetic: ModuleType, tmp_path: Path, name: str) -> None:
        systems = [synthetic.System(name, "banker", (10.0,), synthetic.stay, synthetic.stay)]
        run = synthetic.make_run(systems=systems, sessions=20, rounds=20, title=name)
        page = Page(write_page(run, tmp_path / "p.html").read_text(encoding="utf-8"))
        assert page.rows["summary-table"][1][0] == name
        assert not any(tag == "img" for tag, _ in page.tags)


class TestContent:
    def test_charts_are_packed_without_loss(self, page: Page, run: Any) -> None:
        from bacclab.dashboard import charts

        name = run.summary["bettor"][0]
        sent = sheets(page)["b0-0"]["fan"]["data"]
        assert sent == json.loads(charts.fan(run, bettor=name, points=200).to_json())["data"]
        assert np.frombuffer(base64.b64decode(sent[2]["y"]["bdata"]), "<f4")[0] == 1000

    def test_summary_in_the_order_of_the_experiment(self, page: Page, run: Any) -> None:
        heads, *rows = page.rows["summary-table"]
        assert [row[0] for row in rows] == run.summary["bettor"].to_list()
        shown = dict(zip(heads, rows[0], strict=True))
        first = run.summary.row(0, named=True)
        assert shown["Median"] == f"{first['median']:,.0f}"
        assert shown["Ahead"] == f"{first['ahead'] * 100:.1f} %"
        assert shown["Exact"] == "−1.06 %"

    def test_undefined_is_a_dash(self, page: Page) -> None:
        heads, *rows = page.rows["summary-table"]
        idle = dict(zip(heads, next(row for row in rows if row[0] == "Never bets"), strict=True))
        assert (idle["Result ÷ staked"], idle["z"], idle["Median"]) == ("–", "–", "1,000")

    def test_pairs_with_verdicts(self, page: Page) -> None:
        assert len(page.rows["comparison-table"]) == 1 + 15
        assert any("ends higher" in row[-1] for row in page.rows["comparison-table"])

    def test_rules_card(self, synthetic: ModuleType, tmp_path: Path) -> None:
        from bacclab.game.tables import BUILT_IN_TABLES

        run = synthetic.make_run(sessions=20, rounds=20)
        run.manifest |= {
            "experiment": {"table": {"rules": "no-commission"}, "stop": {"win": "500.00"}},
            "tables": [BUILT_IN_TABLES["no-commission"].settings()],
            "generator": "g", "source": {"kind": "simulated", "generator": "xoshiro256++"}, "digest": "0bb1",
            "command": "bacclab run experiments/classics.toml", "seed_given": True,
            "versions": {"bacclab": "9.9", "numpy": "2.4.6"}, "plugins": [],
            "experiment_text": "title = '<x>'", "warnings": ["the plugin p failed"],
        }  # fmt: skip
        text = Page(write_page(run, tmp_path / "p.html").read_text(encoding="utf-8")).text
        for words in (
            "8 decks", "before the last 14 cards", "first card turned", "Commission none", "win 1:1, tie push, six 1:2",
            "only beside a main bet", "xoshiro256++", "0bb1", "20261129", "numpy 2.4.6", "500.00 ahead",
            "bacclab run experiments/classics.toml", "title = '<x>'", "the plugin p failed",
        ):  # fmt: skip
            assert words in text, words

    def test_rules_of_a_table_of_a_plugin(self, synthetic: ModuleType) -> None:
        run = synthetic.make_run(sessions=20, rounds=20)
        run.manifest |= {
            "experiment": {"table": {"rules": "riverboat"}},
            "tables": [
                {"title": "The riverboat", "source": "its card of rules", "commission": "5%",
                 "commission_on": ["player", "tie"],
                 "odds": {"player": {"win": "1:1", "tie": "push", "six": "none"}}}
            ],
        }  # fmt: skip
        look = Lookup(run)
        assert "at the table “The riverboat”" in rules.sentence(look)
        facts = dict(rules.table_facts(rules.table_settings(run.manifest, 0)))
        assert facts["Commission"] == "5 % of winnings on Player and Tie, to the exact sum"
        assert facts["Player"] == "pays 1:1, a tie pushes"
        assert facts["Rules from"] == "its card of rules"

    def test_of_a_pair_the_better_stands_first(self, run: Any, page: Page) -> None:
        worth = {row["bettor"]: row["mean_final"] for row in run.summary.iter_rows(named=True)}
        for pair, difference, *_ in page.rows["comparison-table"][1:]:
            first, second = pair.split("against ")
            shown = float(difference.replace(",", ""))
            assert shown >= 0
            assert shown == pytest.approx(worth[first.strip()] - worth[second.strip()], abs=0.5)

    def test_facts_of_a_sweep_are_those_of_every_setting(self, synthetic: ModuleType) -> None:
        run = synthetic.make_run(cells=3, sessions=20, rounds=20)
        rule = {"title": "Five per cent", "decks": 8, "minimum": "5.00"}
        run.manifest["tables"] = [{**rule, "maximum": most} for most in ("40.00", "200.00", "1000.00")]
        facts = dict(rules.brief_facts(Lookup(run)))
        assert facts["Limits"] == "by setting: 5 to 40; 5 to 200; 5 to 1,000"
        assert facts["Shoe"] == "8 decks"
        assert facts["Table"] == "Five per cent"
        run.manifest["tables"][2]["title"] = "None"
        assert "at the table" not in rules.sentence(Lookup(run))

    def test_no_heading_breaks_inside_a_number(self, run: Any) -> None:
        table = tables.summary_table(Lookup(run))
        assert ">Worst 5&nbsp;%<" in table
        assert ">Best 5&nbsp;%<" in table

    def test_ruined_is_more_than_bust(self) -> None:
        say = language(ENGLISH)
        (column,) = [column for column in SUMMARY if say.heading(column) == "Ruined"]
        assert "bust (less left than the table minimum) or unable to cover the next bet" in say.meaning(column)
        assert '"stop"' not in say.meaning(column)

    def test_cells_have_a_chooser(self, sweep: Any, page: Page, tmp_path: Path) -> None:
        found = Page(write_page(sweep, tmp_path / "p.html").read_text(encoding="utf-8"))
        assert {"c0", "c1", "c2", "b2-5"} <= set(sheets(found))
        assert any(a.get("id") == "cell" for tag, a in found.tags if tag == "select")
        assert not any(a.get("id") == "cell" for tag, a in page.tags if tag == "select")

    def test_every_chart_has_a_caption_and_a_table(self, page: Page) -> None:
        figures = [a for tag, a in page.tags if tag == "figure"]
        assert len(figures) == sum(tag == "figcaption" for tag, _ in page.tags) == 15
        assert sum("chart-data" in (a.get("class") or "") for tag, a in page.tags if tag == "details") == 15

    def test_ids_are_unique(self, page: Page) -> None:
        ids = [a["id"] for _, a in page.tags if a.get("id")]
        assert len(ids) == len(set(ids))
        targets = {(a.get("href") or "")[1:] for _, a in page.tags if (a.get("href") or "").startswith("#")}
        assert targets <= set(ids)


class TestMany:
    @pytest.mark.slow
    def test_a_thousand_bettors(self, synthetic: ModuleType, tmp_path: Path) -> None:
        systems = [
            synthetic.System(f"Paroli number {k}", "player", (10.0, 20.0, 30.0 + k), synthetic.climb, synthetic.restart)
            for k in range(1000)
        ]
        run = synthetic.make_run(systems=systems, sessions=30, rounds=60, checkpoints=30, sample=10)
        path = write_page(run, tmp_path / "p.html")
        assert path.stat().st_size < 8_000_000
        text = path.read_text(encoding="utf-8")
        assert len(sheets(Page(text))) == 1001
        assert "300 of 499,500 pairs" in text

    def test_where_there_is_little_room_no_chart_is_drawn_twice(
        self, synthetic: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        systems = [synthetic.SYSTEMS[k % 3] for k in range(12)]
        named = [dataclasses.replace(system, name=f"{system.name} {k}") for k, system in enumerate(systems)]
        look = Lookup(synthetic.make_run(systems=named, sessions=40, rounds=30))
        drawn: list[tuple[Any, ...]] = []
        draw = sheets_module.gallery.drawn

        def noted(entry: Any, look: Any, **more: Any) -> Any:
            drawn.append((entry.id, more["cell"], more["bettor"]))
            return draw(entry, look, **more)

        monkeypatch.setattr(sheets_module.gallery, "drawn", noted)
        monkeypatch.setattr(sheets_module, "MOST", sheets_module.FEWEST)
        registry = registry_of(look.run)
        _, names, whole = sheets_module.data(look, registry, room=10_000_000)
        assert sum(name.startswith("b") for name in names) == 12
        drawn.clear()
        found, names, text = sheets_module.data(look, registry, room=2 * len(whole) // 3)
        assert len(text) <= 2 * len(whole) // 3
        assert 0 < sum(name.startswith("b") for name in names) < 12
        assert {"c0", "b0-0"} <= set(found)
        assert len(drawn) == len(set(drawn))
