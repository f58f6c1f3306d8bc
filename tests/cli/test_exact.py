"""`bacclab exact`: a run folder with probabilities in place of sessions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CONFIG = """
title = "Two units"
seed = 1
bankroll = 2
rounds = 3

[table]
minimum = 1

[[bettor]]
name = "Flat"
use = "flat"
on = "player"
unit = 1

[[bettor]]
name = "Labouchere"
use = "labouchere"
on = "player"
unit = 1
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "two.toml"
    path.write_text(CONFIG, encoding="utf-8")
    return path


def test_json(call, config: Path, tmp_path: Path) -> None:
    called = call("exact", config, "--out", tmp_path / "run", "--json", "--no-report")
    assert called.code == 0
    (row,) = called.json["summary"]
    assert row["bust"] == pytest.approx(0.2503364, abs=5e-8)
    assert row["net"] == pytest.approx(-0.0344549, abs=5e-8)
    assert called.json["exact"]["left_out"][0]["bettor"] == "Labouchere"
    assert 'warning: "Labouchere" is left out' in called.err


def test_summary_page_and_what_else_reads_it(call, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    called = call("exact", config, "--out", folder)
    assert called.code == 0
    assert "exact" in called.out
    assert "25.0 %" in called.out
    assert (folder / "report.html").exists()
    assert call("show", folder).code == 0
    assert call("report", folder, "-o", tmp_path / "page.html").code == 0
    assert call("export", folder, "--to", "csv", "-o", tmp_path / "csv").code == 0
    rows = (tmp_path / "csv" / "distribution.csv").read_text(encoding="utf-8").splitlines()
    assert rows[1] == "0,Flat,0,2.0,1.0"
    listed = call("runs", tmp_path, "--json").json
    assert [row["sessions"] for row in listed if row["run"].endswith("run")] == [None]


def test_a_folder_of_its_own(call, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    called = call("exact", config, "--no-report", "--json", "--set", "rounds=5")
    assert Path(called.json["run"]) == Path("runs") / "two-exact"
    manifest = json.loads((tmp_path / "runs" / "two-exact" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["state"] == "complete"
    assert manifest["command"].startswith("bacclab exact")
    assert "rounds=5" in manifest["command"]


def test_nobody_left(call, config: Path, tmp_path: Path) -> None:
    only = CONFIG[: CONFIG.index("[[bettor]]")] + CONFIG[CONFIG.rindex("[[bettor]]") :]
    config.write_text(only, encoding="utf-8")
    called = call("exact", config, "--out", tmp_path / "run")
    assert called.code == 2
    assert "no bettor can be worked out exactly" in called.err
    assert "bacclab run" in called.err
