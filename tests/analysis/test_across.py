"""Comparisons across runs, against plain arithmetic."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path

import pytest

import bacclab as bl
from bacclab.analysis.across import across
from bacclab.cli import main
from bacclab.errors import ConfigError


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bl.Run]:
    folder = tmp_path_factory.mktemp("across")

    def play(name: str, seed: int, **bettor) -> bl.Run:
        bettors = [{"name": "Flat", "use": "flat", "on": "banker", "unit": 10}, {"name": "Own", **bettor}]
        config = {"seed": seed, "bankroll": 1000, "sessions": 120, "rounds": 40, "bettor": bettors}
        return bl.run(config, out=folder / name, report=False)

    large = {"use": "flat", "on": "player", "unit": 30}
    return {
        "a": play("a", 1, **large),
        "same": play("same", 1, use="flat", on="banker", unit=50),
        "other": play("other", 2, **large),
        "exact": bl.exact(
            {"bankroll": 1000, "rounds": 40, "bettor": [{"name": "Flat", "use": "flat", "on": "banker", "unit": 10}]},
            out=folder / "exact",
            report=False,
        ),
    }


def nets(run: bl.Run, bettor: str) -> list[float]:
    return run.sessions.filter(bettor=bettor)["net"].to_list()


def pair(found, one: str, other: str) -> dict:
    rows = found.pairs.filter(bettor_a=one, bettor_b=other)
    return rows.row(0, named=True)


def test_the_same_rounds_are_compared_session_by_session(runs: dict[str, bl.Run]) -> None:
    found = across([("a", runs["a"]), ("same", runs["same"])])
    assert found.pairs.height == 4
    assert set(found.pairs["how"]) == {"paired"}
    row = pair(found, "Own", "Own")
    gaps = [x - y for x, y in zip(nets(runs["a"], "Own"), nets(runs["same"], "Own"), strict=True)]
    mean, error = statistics.fmean(gaps), statistics.stdev(gaps) / math.sqrt(120)
    assert row["mean_difference"] == pytest.approx(mean)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(
        (mean - 1.980100 * error, mean + 1.980100 * error), rel=1e-5
    )
    assert pair(found, "Flat", "Flat")["verdict"] == "the same in every session"
    assert found.figures["run"].to_list() == ["a", "a", "same", "same"]
    assert not found.notes


def test_other_rounds_are_compared_as_samples(runs: dict[str, bl.Run]) -> None:
    found = across([("a", runs["a"]), ("other", runs["other"])])
    row = pair(found, "Own", "Flat")
    one, other = nets(runs["a"], "Own"), nets(runs["other"], "Flat")
    gap = statistics.fmean(one) - statistics.fmean(other)
    error = math.sqrt(statistics.variance(one) / 120 + statistics.variance(other) / 120)
    assert row["how"] == "unpaired"
    assert row["mean_difference"] == pytest.approx(gap)
    squares = [statistics.variance(one) / 120, statistics.variance(other) / 120]
    freedom = sum(squares) ** 2 / sum(square**2 / 119 for square in squares)  # Welch
    reach = 1.959964 * (1 + (1.959964**2 + 1) / (4 * freedom))
    assert row["ci_high"] == pytest.approx(gap + reach * error, rel=1e-3)
    t = abs(gap) / error
    normal = t * (1 - (t * t + 1) / (4 * freedom))
    assert row["p_value"] == pytest.approx(2 * statistics.NormalDist().cdf(-normal), rel=2e-3)
    assert "other rounds" in found.notes[0]


def test_an_exact_run_has_no_error(runs: dict[str, bl.Run]) -> None:
    row = pair(across([("a", runs["a"]), ("exact", runs["exact"])]), "Flat", "Flat")
    one = nets(runs["a"], "Flat")
    assert (row["how"], row["sessions_b"]) == ("exact", None)
    assert row["mean_b"] == pytest.approx(-0.0105791 * 400, abs=1e-3)
    error = statistics.stdev(one) / math.sqrt(120)
    assert row["ci_high"] - row["mean_difference"] == pytest.approx(1.980100 * error, rel=1e-5)


def test_one_run_is_not_enough(runs: dict[str, bl.Run]) -> None:
    with pytest.raises(ConfigError, match="two runs"):
        across([("a", runs["a"])])


def test_the_command(runs: dict[str, bl.Run], capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(runs[name].path) for name in ("a", "same", "other")]
    assert main(["compare", *paths]) == 0
    out = capsys.readouterr().out
    assert "Own of a" in out
    assert "unpaired" in out
    assert main(["compare", *paths, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["pairs"]) == 12
    assert main(["compare", paths[0], str(Path(paths[1]).parent / "nowhere")]) == 2
