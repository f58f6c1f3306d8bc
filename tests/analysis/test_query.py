"""Questions in SQL: answers against the frames, mistakes in one line, and nothing read but the runs that are named."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import polars as pl
import pytest

import bacclab as bl
from bacclab.analysis.query import query
from bacclab.cli import main
from bacclab.cli.query import labelled
from bacclab.errors import ConfigError, StoreError


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, bl.Run]]:
    folder = tmp_path_factory.mktemp("query")
    flat = {"use": "flat", "on": "banker"}
    bettors = [{"name": "Small", "unit": 10, **flat}, {"name": "Large", "unit": 50, **flat}]
    config = {"bankroll": 1000, "sessions": 30, "rounds": 20, "bettor": bettors}
    return [(f"s{seed}", bl.run({**config, "seed": seed}, out=folder / f"s{seed}", report=False)) for seed in (1, 2)]


def test_one_run(runs: list[tuple[str, bl.Run]]) -> None:
    answer = query("select bettor, sum(net) as won from sessions group by bettor order by bettor;", runs[:1])
    for name, won in answer.iter_rows():
        assert won == pytest.approx(runs[0][1].sessions.filter(bettor=name)["net"].sum())


def test_several_runs_have_a_column_that_names_them(runs: list[tuple[str, bl.Run]]) -> None:
    answer = query("select run, bettor, median from summary where bettor = 'Large' order by run", runs)
    assert answer["run"].to_list() == ["s1", "s2"]
    assert answer["median"].to_list() == [run.summary.filter(bettor="Large")["median"][0] for _, run in runs]


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("select bettr from summary", "did you mean bettor?"),
        ("select s.bettr from summary s", "did you mean bettor?"),
        ("select * from sumary", "did you mean summary?"),
        ("selec bettor from summary", "a question begins with SELECT or WITH"),
        ("drop table summary", "a question begins with SELECT or WITH"),
        ("select 1; drop table summary", "one question at a time"),
        ("", "there is no question"),
        ("select foo(bettor) from summary", "the question cannot be answered"),
        ("select * from '/etc/passwd'", "there is no table '/etc/passwd'"),
    ],
)
def test_mistakes_are_one_line(runs: list[tuple[str, bl.Run]], sql: str, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        query(sql, runs[:1])
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_csv('{file}')",
        "select * from READ_PARQUET ('{file}')",
        "select * from read_csv/* */('{file}')",
        "select * from \"read_csv\"('{file}')",
        "select * from `read_csv` ('{file}')",
        "select bettor as \"a'\", t.* from summary, read_csv('{file}') t where bettor <> \"b'\"",
        "with t as (select * from read_csv('{file}')) select * from t",
        "select * from summary where bettor in (select secret from read_csv('{file}'))",
    ],
)
def test_no_other_file_is_read(runs: list[tuple[str, bl.Run]], tmp_path: Path, sql: str) -> None:
    file = tmp_path / "other.csv"
    file.write_text("secret\nSmall\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="only the frames of the runs can be read"):
        query(sql.replace("{file}", str(file)), runs[:1])


def test_a_figure_that_is_no_number_is_null(runs: list[tuple[str, bl.Run]]) -> None:
    sql = "select staked/0.0 as much, (staked-staked)/0.0 as none, -staked/0.0 as less from summary"
    assert set(query(sql, runs[:1]).row(0)) == {None}


def test_such_words_in_a_text_are_no_matter(runs: list[tuple[str, bl.Run]]) -> None:
    assert query("select bettor from summary where bettor = 'read_csv(' -- read_csv('x')", runs[:1]).is_empty()


def test_the_command(runs: list[tuple[str, bl.Run]], capsys: pytest.CaptureFixture[str]) -> None:
    sql = "select bettor, bust from summary order by bettor"
    folders = [str(run.path) for _, run in runs]
    assert main(["query", sql, folders[0]]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["bettor", "bust"]
    assert main(["query", sql, *folders, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 4
    assert main(["query", sql, folders[0], "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["bettor"] for row in rows] == ["Large", "Small"]
    assert main(["query", "select bst from summary", folders[0]]) == 2
    assert "did you mean bust?" in capsys.readouterr().err


def test_columns_that_not_every_run_has(runs: list[tuple[str, bl.Run]], monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        frames = ("summary",)

        @staticmethod
        def scan(name: str) -> pl.LazyFrame:
            return pl.LazyFrame({"bettor": ["Third"], "own": [1.0]})

    answer = query("select run, bettor, own from summary", [*runs[:1], ("x", Other())])
    assert answer.filter(run="x").row(0) == ("x", "Third", 1.0)
    assert answer.filter(run="s1")["own"].null_count() == 2


def test_a_run_that_is_named_twice_is_refused(runs: list[tuple[str, bl.Run]]) -> None:
    path = runs[0][1].path
    with pytest.raises(StoreError, match="is named twice"):
        labelled([str(path), str(path.parent / "." / path.name)])
