"""Input that means harm, and what the fuzzer found: refused in a line, and nothing of it comes into pages or
spreadsheets.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bacclab as bl
from bacclab import memory
from bacclab.errors import BacclabError, SourceError, StoreError
from bacclab.shoes.recorded.draft import Reading
from bacclab.shoes.recorded.importer import read_record, record_of
from bacclab.tournament.csv_out import for_csv

LONG = "9" * 5000


def experiment(*names: str, title: str = "Input", **changes: Any) -> dict[str, Any]:
    flat = {"use": "flat", "on": "banker", "unit": 10}
    bettors = [flat | {"name": name} for name in names or ("One", "Two")]
    return {"title": title, "seed": 4, "bankroll": 300, "sessions": 20, "rounds": 20, "bettor": bettors,
            "record": {"checkpoints": 4, "trajectories": 3}} | changes  # fmt: skip


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sweep = {"table.maximum": [50, 200]}
    return bl.run(experiment(sweep=sweep), out=tmp_path_factory.mktemp("good") / "run", report=False, workers=1).path


@pytest.fixture
def run(good: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(good, tmp_path / "runs" / "run"))


def edit(run: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest of a run."""
    manifest = json.loads((run / "manifest.json").read_text())
    change(manifest)
    (run / "manifest.json").write_text(json.dumps(manifest))


def forge(run: Path, name: str, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Change a frame and the digest that the manifest has of it."""
    path = run / f"{name}.parquet"
    rows = change(pl.read_parquet(path))
    rows.write_parquet(path)
    record = {
        "rows": rows.height,
        "bytes": path.stat().st_size,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
    }
    edit(run, lambda manifest: manifest["files"].update({path.name: record}))


class TestEditedManifest:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (lambda m: m["files"]["summary.parquet"].pop("sha256"), r"files.summary.parquet has no 'sha256'"),
            (lambda m: m["files"].update({"summary.parquet": 0.5}), "files.summary.parquet is 0.5"),
            (lambda m: m.update(state="done"), "state is 'done'"),
            (lambda m: m["cells"][1].pop("label"), r"cells\[1\] has no 'label'"),
            (lambda m: m.update(cells={}), "cells is a dict"),
            (lambda m: m.update(warnings=["x", None]), r"warnings\[1\] is None"),
            (lambda m: m.update(title=["x"]), "title is a list"),
            (lambda m: m["timing"].update(seconds="5"), "timing.seconds is '5'"),
            (lambda m: m["cells"][0].update(sessions=10**30), r"cells\[0\].sessions is 10000"),
            (lambda m: m.pop("fingerprint"), "it has no 'fingerprint'"),
        ],
    )
    def test_is_told_by_the_part_that_does_not_fit(self, call, run: Path, change, words: str) -> None:
        edit(run, change)
        with pytest.raises(StoreError, match=rf"manifest.json is damaged: {words}"):
            bl.load_run(run)
        for command in ("show", "report"):
            assert call(command, run)[0] == 2
        assert call("runs", run.parent)[0] == 0

    @pytest.mark.parametrize(
        "text", ['{"format": NaN}', '{"format": 1e999, "a": "\\ud800"}', '{"a":' * 5000, f"[{LONG}]"]
    )
    def test_of_odd_json_cannot_be_read(self, run: Path, text: str) -> None:
        (run / "manifest.json").write_text(text)
        with pytest.raises(StoreError, match=r"manifest.json (cannot be read|is not a JSON object)"):
            bl.load_run(run)

    @pytest.mark.parametrize(
        "name", ["../../secret.parquet", "/etc/secret.parquet", "a/b.parquet", "..parquet", "x\0.parquet"]
    )
    def test_cannot_name_a_file_elsewhere(self, call, run: Path, name: str) -> None:
        secret = run.parent.parent / "secret.parquet"
        pl.DataFrame({"secret": ["hidden"]}).write_parquet(secret)
        data = secret.read_bytes()
        record = {"rows": 1, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        edit(run, lambda manifest: manifest["files"].update({name: record}))
        with pytest.raises(StoreError, match="files holds the name"):
            bl.load_run(run)
        code, out, _ = call("export", run, "--to", "csv", "-o", run.parent / "out")
        assert code == 2
        assert not (run.parent / "out").exists()
        code, out, err = call("query", "select * from summary", run)
        assert (code, "hidden" in out + err) == (2, False)


class TestForgedFrames:
    """Frames that were changed together with their digests."""

    @pytest.mark.parametrize(
        ("name", "change", "words"),
        [
            ("summary", lambda rows: rows.drop("bettor"), "has no column 'bettor'"),
            ("sessions", lambda rows: rows.rename({"ended_round": "x"}), "has no column 'ended_round'"),
            ("sessions", lambda rows: rows.with_columns(pl.col("net").cast(pl.String)), "'net' is of the kind String"),
            ("cells", lambda rows: rows.with_columns(pl.lit([1]).alias("x")), "nothing is known of its column 'x'"),
        ],
    )
    def test_without_their_columns_are_refused(self, call, run: Path, name: str, change, words: str) -> None:
        forge(run, name, change)
        with pytest.raises(StoreError, match=words):
            bl.load_run(run)
        assert call("query", "select * from summary", run)[0] == 2

    @pytest.mark.parametrize(
        ("name", "change", "words"),
        [
            (
                "summary",
                lambda rows: rows.with_columns(cell=pl.lit(None, pl.Int64)),
                "summary.parquet is damaged: it has nothing in",
            ),
            (
                "summary",
                lambda rows: rows.filter(pl.col("cell") == 0),
                "of cell 1",
            ),
            (
                "distribution",
                lambda rows: rows.head(0),
                "no bankrolls of 'One' in cell 0",
            ),
            (
                "distribution",
                lambda rows: rows.with_columns(bankroll=pl.lit(float("nan"))),
                "distribution.parquet is damaged: it has a value",
            ),
        ],
    )
    def test_with_figures_that_cannot_be_are_told_where_a_reader_stumbles(
        self, call, run: Path, name: str, change, words: str
    ) -> None:
        forge(run, name, change)
        code, _, err = call("report", run, "-o", run.parent / "page.html")
        assert code == 2, err
        assert words in err
        assert "Traceback" not in err

    def test_with_damaged_pages_are_told_by_name(self, call, run: Path) -> None:
        path = run / "endings.parquet"
        data = bytearray(path.read_bytes())
        data[4:200] = bytes(196)
        path.write_bytes(data)
        record = {"rows": pl.scan_parquet(path).select(pl.len()).collect().item(), "bytes": len(data),
                  "sha256": hashlib.sha256(data).hexdigest()}  # fmt: skip
        edit(run, lambda manifest: manifest["files"].update({path.name: record}))
        code, _, err = call("report", run, "-o", run.parent / "page.html")
        assert code == 2, err
        assert "endings.parquet" in err

    def test_with_other_rows_than_written_are_refused(self, run: Path) -> None:
        edit(run, lambda manifest: manifest["files"]["sessions.parquet"].update(rows=10**12))
        with pytest.raises(
            StoreError, match=r"sessions.parquet is damaged: 80 rows where 1,000,000,000,000 were written"
        ):
            bl.load_run(run)


class TestEditedBlock:
    @pytest.mark.parametrize(
        "change",
        [
            lambda commit: commit.update(digest="f" * 64),
            lambda commit: commit["slices"]["sessions"]["One"].__setitem__(1, 5),
            lambda commit: commit["files"].clear(),
            lambda commit: commit["points"]["One"].__setitem__(0, 2**70),
            lambda commit: commit.update(slices=[]),
            lambda commit: commit.pop("sealed"),
        ],
    )  # fmt: skip
    def test_is_played_again(self, good: Path, tmp_path: Path, change) -> None:
        out = tmp_path / "run"

        def stop(done: int, total: int) -> None:
            if done > total // 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            bl.run(experiment(), out=out, report=False, workers=1, block=5, progress=stop)
        path = out / "blocks" / "c00000-b0000001.json"
        commit = json.loads(path.read_text())
        change(commit)
        path.write_text(json.dumps(commit))
        done = bl.run(experiment(), out=out, report=False, workers=1, resume=True)
        whole = bl.run(experiment(), out=tmp_path / "whole", report=False, workers=1)
        assert done.manifest["files"] == whole.manifest["files"]
        assert done.manifest["digest"] == whole.manifest["digest"]


class TestBombs:
    """Few bytes that would become many."""

    @pytest.fixture
    def tiny(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(memory, "free_memory", lambda: 1000)

    def test_a_record_of_too_many_rows_is_not_read(self, tmp_path: Path, tiny) -> None:
        path = tmp_path / "r.parquet"
        path.write_bytes(record_of(b"BPT" * 20, Reading(), name="n.txt").to_bytes())
        with pytest.raises(SourceError, match=r"r.parquet is a damaged record: its 60 rows need"):
            read_record(path)

    def test_a_frame_of_too_many_rows_is_not_read_whole(self, call, run: Path, tiny) -> None:
        loaded = bl.load_run(run)
        with pytest.raises(StoreError, match=r"sessions.parquet cannot be read whole: its 80 rows need .* \(run.scan"):
            loaded.sessions  # noqa: B018 - it is read here
        assert call("export", run, "--to", "json", "-o", run.parent / "out")[0] == 2
        assert call("export", run, "--to", "csv", "-o", run.parent / "out")[0] == 0

    def test_nested_columns_of_a_record_are_not_read(self, tmp_path: Path) -> None:
        record = record_of(b"BPT" * 20, Reading(), name="n.txt")
        frame = record.frame.with_columns(pl.lit([1, 2]).alias("p1"))
        told = {"version": 1, "facts": record.facts, "findings": []}
        path = tmp_path / "r.parquet"
        frame.write_parquet(path, metadata={"bacclab.record": json.dumps(told)})
        with pytest.raises(SourceError, match=r"its column 'p1' is of the kind List"):
            read_record(path)

    @pytest.mark.parametrize("magic", [b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0"])
    def test_archives_are_not_unpacked(self, tmp_path: Path, magic: bytes) -> None:
        (tmp_path / "r").write_bytes(magic + b"0" * 100)
        with pytest.raises(SourceError, match=r"not text .*(unpack|save)"):
            read_record(tmp_path / "r")


class TestRecords:
    """What the fuzzer found in the readers of recorded shoes."""

    @pytest.mark.parametrize(
        "text",
        [
            f'{{"shoe": 1, "round": {LONG}, "winner": "banker"}}',
            f'{{"shoe": 1,\n"round": {LONG}}}',
            f"{LONG}\n{LONG}",
            f"1,2,{LONG}",
            f"0,0,1,0;0,1,2,{LONG}",
            f"#N{LONG}. ✅9(9♠️K♦️) - 3(3♠️K♦️) #T12",
            f"time,winner\n{LONG},B\n{LONG[:-1]},P",
        ],
    )
    def test_numbers_of_thousands_of_digits_are_refused_or_left(self, text: str) -> None:
        said = ""
        try:
            record_of(text.encode(), Reading(), name="n.txt")
        except SourceError as error:
            said = str(error)
        assert len(said) < 600

    @pytest.mark.parametrize(
        "change",
        [
            lambda frame, told: told["facts"].update(notes=5),
            lambda frame, told: told["facts"].update(form=["x"]),
            lambda frame, told: told.update(facts=None),
            lambda frame, told: told.update(findings=[[1, 2]]),
            lambda frame, told: told.update(findings=[["1", 1, 1, "winner", "x"]]),
            lambda frame, told: frame.with_columns(shoe=pl.lit(None, pl.Int64)),
            lambda frame, told: frame.with_columns(shoe=-pl.col("shoe")),
            lambda frame, told: frame.with_columns(player_total=pl.lit(99, pl.Int8)),
            lambda frame, told: frame.with_columns(p1=pl.lit("<b>")),
            lambda frame, told: frame.head(0),
        ],
    )
    def test_a_stored_record_that_is_none_is_refused(self, tmp_path: Path, change) -> None:
        record = record_of(b"BPPT\nPPB\n", Reading(), name="n.txt")
        told = {"version": 1, "facts": dict(record.facts), "findings": []}
        changed = change(record.frame, told)
        frame = changed if isinstance(changed, pl.DataFrame) else record.frame
        path = tmp_path / "r.parquet"
        frame.write_parquet(path, metadata={"bacclab.record": json.dumps(told)})
        with pytest.raises(SourceError, match=r"r.parquet is a damaged record"):
            read_record(path)

    def test_a_stored_record_that_does_not_name_its_file_has_that_of_the_record(self, call, tmp_path: Path) -> None:
        record = record_of(b"BPPT\nPPB\n", Reading(), name="n.txt")
        path = tmp_path / "r.parquet"
        record.frame.write_parquet(path, metadata={"bacclab.record": json.dumps({"facts": {}, "findings": []})})
        code, out, _ = call("shoes", "check", path)
        assert code == 0
        assert "r.parquet" in out


class TestConfig:
    """What the fuzzer found in the reader of experiment files."""

    @pytest.mark.parametrize(
        "text",
        [
            f'[[bettor]]\nuse = "{LONG}"',
            f'[[bettor]]\nselect = "{LONG}"\nstake = "flat"',
            f'[[bettor]]\nuse = "flat"\n[plugins]\nfiles = ["{LONG}"]',
            f'[[bettor]]\nselect = {{ use = "last-n-map", csv = "{LONG}" }}\nstake = "flat"',
            "[" + '{"a":' * 3000,
        ],
    )
    def test_long_names_are_told_in_short(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "e.toml"
        path.write_text(f"bankroll = 100\nrounds = 5\n{text}\n")
        with pytest.raises(BacclabError) as caught:
            bl.run(path, out=tmp_path / "run", report=False)
        assert len(str(caught.value)) < 1500
        assert f"{path}, line" in str(caught.value)


class Tags(HTMLParser):
    """The tags of a page with the names of their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(name for name, _ in attrs)))


BAD = ('<script>alert(1)</script>', '</script><img src=x onerror=alert(1)>', '"><b onclick="x">',
       "$main ${data} &lt;", "'; x='")  # fmt: skip


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bl.Run]:
    folder = tmp_path_factory.mktemp("pages")
    plain = tuple(f"name {place}" for place in range(len(BAD)))
    return {
        "bad": bl.run(experiment(*BAD, title=BAD[1]), out=folder / "bad", workers=1),
        "plain": bl.run(experiment(*plain, title="plain"), out=folder / "plain", workers=1),
    }


class TestPages:
    def test_names_and_titles_add_no_tag(self, pages: dict[str, bl.Run]) -> None:
        bad, plain = (Tags((pages[name].path / "report.html").read_text()).found for name in ("bad", "plain"))
        assert bad == plain
        assert sum(tag[0] == "script" for tag in bad) > 0

    def test_nor_in_a_notebook(self, pages: dict[str, bl.Run]) -> None:
        bad, plain = (Tags(pages[name]._repr_html_()).found for name in ("bad", "plain"))
        assert bad == plain
        assert "alert" in pages["bad"]._repr_html_()

    def test_nor_where_runs_are_compared(self, call, pages: dict[str, bl.Run], tmp_path: Path) -> None:
        found = {}
        for name, run in pages.items():
            page = tmp_path / f"{name}.html"
            again = shutil.copytree(run.path, tmp_path / "again" / name)
            assert call("compare", run.path, again, "-o", page)[0] == 0
            found[name] = Tags(page.read_text()).found
        assert found["bad"] == found["plain"]


class TestPaths:
    def test_of_names_and_titles_lead_nowhere(self, tmp_path: Path) -> None:
        root = tmp_path / "a" / "runs"
        names = ("../../x", "/etc/passwd", "..", "C:\\x")
        done = bl.run(experiment(*names, title="../../../y"), root=root, workers=1)
        assert done.path.parent == root
        assert {path for path in tmp_path.rglob("*") if path.is_dir()} == {root.parent, root, done.path}
        assert {path.parent for path in tmp_path.rglob("*") if path.is_file()} == {done.path}


FORMULAS = ("=1+1", "+x", "-5", "@sum", '=HYPERLINK("http://x";"y")', "＝1", "Flat = 1", "a-b")


@pytest.fixture(scope="module")
def run_of_formulas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("formulas") / "run"
    return bl.run(experiment(*FORMULAS), out=out, report=False, workers=1).path


class TestFormulas:
    def check(self, text: str) -> None:
        rows = list(csv.DictReader(io.StringIO(text)))
        names = {row["bettor"] for row in rows}
        assert names == {name if name in ("Flat = 1", "a-b") else f"'{name}" for name in FORMULAS}
        assert any(float(row["net"]) < 0 for row in rows)

    def test_are_texts_in_an_export(self, call, run_of_formulas: Path, tmp_path: Path) -> None:
        assert call("export", run_of_formulas, "--to", "csv", "-o", tmp_path)[0] == 0
        self.check((tmp_path / "sessions.csv").read_text())
        assert call("export", run_of_formulas, "--to", "parquet", "-o", tmp_path)[0] == 0
        assert set(pl.read_parquet(tmp_path / "sessions.parquet")["bettor"]) == set(FORMULAS)

    def test_are_texts_in_an_answer(self, call, run_of_formulas: Path) -> None:
        code, out, _ = call("query", 'select bettor, net, 1 as "=x" from sessions', run_of_formulas, "--csv")
        assert code == 0
        assert out.startswith("bettor,net,'=x")
        self.check(out)

    def test_are_texts_in_what_the_app_gives(self, run_of_formulas: Path) -> None:
        downloads = pytest.importorskip(
            "bacclab.dashboard.app.downloads", reason="the extra dashboard is not installed"
        )
        self.check(b"".join(downloads.csv_pieces(run_of_formulas / "sessions.parquet")).decode())

    def test_tabs_and_line_ends_in_front_are_seen(self) -> None:
        rows = for_csv(pl.DataFrame({"a": ["\t=1", "\r=1", "\n=1", " x", ""], "=b": [1, 2, 3, 4, -5]}))
        assert rows["a"].to_list() == ["'\t=1", "'\r=1", "'\n=1", " x", ""]
        assert rows.columns == ["a", "'=b"]
        assert rows["'=b"].to_list() == [1, 2, 3, 4, -5]
