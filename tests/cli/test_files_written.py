"""Files that a command writes under a name it is given: the folders above are made, and the ending says the form."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

EXPERIMENT = 'rounds = 5\nsessions = 2\nseed = 1\nbankroll = 100\n[[bettor]]\nuse = "flat"\non = "banker"\nunit = 10\n'
NIGHT = "PBBPB\n\nBPPPB\n"

WRITING = (
    ["report", "run", "-o", "page.html"],
    ["compare", "run", "again", "-o", "both.html"],
    ["roads", "night.txt", "-o", "roads.html"],
    ["late", "--shoes", "2", "-o", "late.html"],
    ["late", "--shoes", "2", "-o", "late.csv"],
    ["late", "--shoes", "2", "-o", "late.parquet"],
    ["shoes", "deal", "-o", "dealt.csv"],
    ["shoes", "import", "night.txt", "-o", "night.parquet"],
    ["export", "run", "--to", "csv", "-o", "tables"],
    ["run", "e.toml", "--no-report", "--quiet", "--out", "third"],
    ["new", "bettor", "double-up", "--to", "plugins"],
)
FOREIGN = (
    (["report", "run", "-o", "page.pdf"], ".html"),
    (["report", "run", "-o", "page"], ".html"),
    (["compare", "run", "again", "-o", "both.csv"], ".html"),
    (["roads", "night.txt", "-o", "roads.png"], ".html"),
    (["late", "-o", "late.xlsx"], ".html or .csv or .parquet"),
    (["shoes", "deal", "-o", "dealt.json"], ".parquet or .csv or .txt, or say --format"),
    (["shoes", "deal", "-o", "dealt"], ".parquet or .csv or .txt, or say --format"),
    (["shoes", "deal", "--format", "letters", "-o", "dealt.csv"], "end the name in .txt"),
    (["shoes", "import", "night.txt", "-o", "night.csv"], "end the name in .parquet"),
    (["export", "run", "--to", "csv", "-o", "tables.csv"], "-o names a folder, such as tables"),
)


@pytest.fixture
def runs(call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs, their experiment and a record, in the folder in which commands are called."""
    monkeypatch.chdir(tmp_path)
    Path("e.toml").write_text(EXPERIMENT)
    Path("night.txt").write_text(NIGHT)
    for name in ("run", "again"):
        assert call("run", "e.toml", "--no-report", "--quiet", "--out", name).code == 0


def test_the_folders_above_are_made(call, runs: None) -> None:
    for k, words in enumerate(WRITING):
        out = Path(f"new-{k}", "folder", words[-1])
        called = call(*words[:-1], out)
        assert (called.code, out.exists()) == (0, True), (words, called.err)


def test_a_file_is_no_folder(call, runs: None) -> None:
    """What is told is that a folder above is none, and not that the file is there already."""
    for words in WRITING:
        called = call(*words[:-1], Path("night.txt", words[-1]))
        assert (called.code, "Not a directory" in called.err) == (2, True), (words, called.err)
    assert Path("night.txt").read_text() == NIGHT


def test_the_ending_agrees_with_what_is_written(call, runs: None) -> None:
    before = sorted(Path().iterdir())
    for words, said in FOREIGN:
        called = call(*words)
        assert (called.code, said in called.err) == (2, True), (words, called.err)
        assert len(called.err.splitlines()) == 2
    assert sorted(Path().iterdir()) == before


def test_a_form_that_is_named_may_have_an_ending_of_its_own(call, runs: None) -> None:
    assert call("shoes", "deal", "--format", "letters", "-o", "dealt.dat").code == 0
    assert set(Path("dealt.dat").read_text().strip()) <= set("PBT")
    assert call("late", "--shoes", "2", "-o", "LATE.PARQUET").code == 0
    assert pl.read_parquet("LATE.PARQUET").height > 0
