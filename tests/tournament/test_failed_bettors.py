"""A bettor of a plugin that misbehaves ends alone, with the reason; the others play on as if it had not been there."""

from __future__ import annotations

import contextlib
import gc
import re
from pathlib import Path
from typing import Any

import pytest

import bacclab as bl
from bacclab.cli import main
from bacclab.errors import BacclabError, BettorError, SourceError
from bacclab.plugins.loader import PluginRequest

PLUGIN = '''
import time
import numpy as np
import bacclab as bl

class Plain(bl.Bettor):
    """Behaves until its bankroll is over `rich`."""
    rich: bl.Money = bl.Money(530)
    def bet(self, view):
        return self.wrong(view) if view.bankroll > self.rich else view.banker(10)

@bl.bettor("raises")
class Raises(Plain):
    def wrong(self, view):
        return view.banker(1 / 0)

@bl.bettor("exits")
class Exits(Plain):
    def wrong(self, view):
        raise SystemExit(3)

@bl.bettor("owes")
class Owes(Plain):
    def wrong(self, view):
        return view.banker(-5)

@bl.bettor("not-a-number")
class NotANumber(Plain):
    def wrong(self, view):
        return view.banker(float("nan"))

@bl.bettor("boundless")
class Boundless(Plain):
    def wrong(self, view):
        return view.banker(float("inf"))

@bl.bettor("astray")
class Astray(Plain):
    def wrong(self, view):
        return view.on("bankr", 10)

@bl.bettor("a-word")
class AWord(Plain):
    def wrong(self, view):
        return "banker"

@bl.bettor("sleeps")
class Sleeps(Plain):
    def wrong(self, view):
        while True:
            with __import__("contextlib").suppress(Exception):
                time.sleep(0.01)

@bl.bettor("recurses")
class Recurses(Plain):
    def wrong(self, view):
        return self.wrong(view)

@bl.bettor("forgets")
class Forgets(Plain):
    """Remembers from session to session."""
    seen = []
    def bet(self, view):
        self.seen.append(1)
        return view.banker(10 + len(self.seen) % 3)

class Wide(bl.LaneBettor):
    """Behaves until round twenty."""
    def bet(self, view):
        tens = np.full(self.lanes, 100_000, dtype=np.int64)
        return self.wrong(view, tens) if view.round > 20 else view.banker(tens)

@bl.bettor("wrong-shape")
class WrongShape(Wide):
    def wrong(self, view, tens):
        return view.banker(tens[:-1] if self.lanes > 1 else np.zeros(2, dtype=np.int64))

@bl.bettor("wrong-kind")
class WrongKind(Wide):
    def wrong(self, view, tens):
        return view.banker(tens / 3)

@bl.bettor("paints")
class Paints(Wide):
    def wrong(self, view, tens):
        return view.banker(tens)
    def settle(self, result):
        result.net[:] = 10**12

@bl.progression("halves")
class Halves(bl.Progression):
    """Fails after a loss."""
    def stake(self, view):
        return self.unit
    def settle(self, result):
        if result.lost:
            raise KeyError("no such step")
'''

REASONS = {
    "raises": r"session \d+, round \d+: ZeroDivisionError: .*\(misbehaved\.py, line \d+\)",
    "exits": r"SystemExit: 3",
    "owes": r"session \d+, round \d+: the stake -5\.00 on banker is below zero",
    "not-a-number": r"session \d+, round \d+: .*nan",
    "boundless": r"session \d+, round \d+: .*inf",
    "astray": r"session \d+, round \d+: the table offers no bet 'bankr' \(did you mean banker\?\)",
    "a-word": r"session \d+, round \d+: .*must return bets made by the view, or None, and not 'banker'",
    "recurses": r"session \d+, round \d+: RecursionError",
    "forgets": r"bets otherwise when the same session is played again",
    "wrong-shape": r"round 21: .*arrays of shape",
    "wrong-kind": r"round 21: .*whole ten-thousandths",
    "paints": r"round 1: ValueError: .*read-only",
}
FLAT = {"name": "Flat", "use": "flat", "on": "banker", "unit": 10}
DOUBLES = {"name": "Martingale", "select": "follow-last", "stake": {"use": "martingale", "unit": 10}}


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plugins") / "misbehaved.py"
    path.write_text(PLUGIN)
    return path


def experiment(plugin: Path, *more: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "seed": 5,
        "bankroll": 500,
        "sessions": 300,
        "rounds": 80,
        "bettor": [FLAT, DOUBLES, *more],
        "record": {"checkpoints": 10, "trajectories": 4},
        "plugins": {"files": [str(plugin)], **changes},
    }


def others(run: bl.Run) -> dict[str, Any]:
    """The frames without what tells of bettors that failed."""
    found = {name: run.scan(name).collect() for name in run.frames}
    found["summary"] = found["summary"].filter(found["summary"]["failed"].is_null())
    return found


def same(one: bl.Run, other: bl.Run) -> bool:
    a, b = others(one), others(other)
    return a.keys() == b.keys() and all(frame.equals(b[name]) for name, frame in a.items())


def reasons(run: bl.Run) -> dict[str, str]:
    rows = run.summary.filter(run.summary["failed"].is_not_null())
    return dict(rows.select("bettor", "failed").iter_rows())


@pytest.fixture(scope="module")
def alone(plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> bl.Run:
    return bl.run(experiment(plugin), out=tmp_path_factory.mktemp("alone") / "run", report=False, workers=1)


def test_each_ends_alone_with_its_reason(plugin: Path, alone: bl.Run, play) -> None:
    bettors = [{"name": name, "use": name} for name in REASONS]
    mixed = {"name": "halves", "select": {"use": "always"}, "stake": {"use": "halves", "unit": 10}}
    run = play(experiment(plugin, *bettors, mixed), workers=1, block=100)
    told = reasons(run)
    assert told.keys() == {*REASONS, "halves"}
    for name, words in REASONS.items():
        assert re.search(words, told[name]), (name, told[name])
    assert "KeyError: 'no such step'" in told["halves"]
    assert same(run, alone)
    failed = run.summary.filter(run.summary["failed"].is_not_null()).drop("cell", "bettor", "failed")
    assert failed.null_count().row(0) == (failed.height,) * failed.width
    assert run.manifest["cells"][0]["failed"] == told
    assert set(run.manifest["cells"][0]["played_by"]) == {"Flat", "Martingale"}
    assert len([line for line in run.warnings if "failed and has no results" in line]) == len(told)


def test_one_that_fails_late_is_without_results_as_a_whole(plugin: Path, alone: bl.Run, play) -> None:
    """It fails in a later block, whatever the blocks; what it had played until then is left out."""
    late = {"name": "late", "use": "raises", "rich": 620}
    runs = [play(experiment(plugin, late), workers=1, block=block) for block in (300, 100, 7)]
    told = {reasons(run)["late"] for run in runs}
    (reason,) = told
    assert int(re.match(r"session (\d+), ", reason)[1]) > 7
    assert all(same(run, alone) for run in runs)


def test_workers_and_resuming_come_to_the_same(plugin: Path, alone: bl.Run, play, tmp_path: Path, monkeypatch) -> None:
    bettors = [{"name": "late", "use": "raises", "rich": 620}, {"name": "owes", "use": "owes"}]
    wanted = reasons(play(experiment(plugin, *bettors), workers=1, block=50))
    pooled = play(experiment(plugin, *bettors), workers=2, block=50)
    assert reasons(pooled) == wanted
    assert same(pooled, alone)

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    out = tmp_path / "resumed"
    with contextlib.suppress(KeyboardInterrupt):
        play(experiment(plugin, *bettors), workers=1, block=50, out=out, progress=stop)
    resumed = play(experiment(plugin, *bettors), workers=1, block=50, out=out, resume=True)
    assert reasons(resumed) == wanted
    assert same(resumed, alone)


def test_one_that_hangs_is_stopped(plugin: Path, alone: bl.Run, play, request) -> None:
    # An interruption that lands in a callback of the garbage collector (hypothesis has one) is told as a warning.
    gc.disable()
    request.addfinalizer(gc.enable)
    hangs = {"name": "hangs", "use": "sleeps"}
    run = play(experiment(plugin, hangs, time_budget=1), workers=1)
    assert re.search(r"session \d+, round \d+: it took longer than its time budget of 1 s", reasons(run)["hangs"])
    assert same(run, alone)


def test_the_budget_leaves_results_alone_while_it_lasts(plugin: Path, play) -> None:
    steady = {"name": "steady", "use": "raises", "rich": 10**6}
    one = play(experiment(plugin, steady), workers=1)
    other = play(experiment(plugin, steady, time_budget="none"), workers=1)
    assert same(one, other)
    assert not reasons(one)


def test_whatever_shows_a_run_shows_one_with_a_failure(plugin: Path, play, tmp_path: Path, capsys) -> None:
    """Charts, the notebook, side by side, SQL and exports pass over the row of nulls."""
    run = play(experiment(plugin, {"name": "owes", "use": "owes"}), workers=1)
    other = play(experiment(plugin), workers=1)
    for name in ("fan", "finals", "bust", "ends", "medians", "ranges"):
        assert getattr(run.charts, name)().data
    assert "owes: failed, session" in run._repr_html_()
    paths = str(run.path), str(other.path)
    for words in (
        ["compare", *paths, "--json"],
        ["query", "select bettor, failed from summary where failed is not null", paths[0]],
        ["export", paths[0], "--to", "csv", "-o", str(tmp_path / "csv")],
        ["runs", str(run.path.parent)],
    ):
        assert main(words) == 0, (words, capsys.readouterr().err)
    assert "owes" in capsys.readouterr().out


def test_the_page_and_the_terminal_tell_it(plugin: Path, tmp_path: Path, capsys) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        f"""bankroll = 500\nsessions = 40\nrounds = 40\nseed = 1\n
[[bettor]]\nname = "Flat"\nuse = "flat"\n[[bettor]]\nname = "Mine"\nuse = "owes"\nrich = 400\n
[plugins]\nfiles = ['{plugin}']\n"""
    )
    assert main(["run", str(file), "--out", str(tmp_path / "run"), "--workers", "1"]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"^Mine +- +- +failed", out, re.MULTILINE)
    assert 'warning: "Mine" failed and has no results: session 0, round 1: the stake -5.00' in err
    page = (tmp_path / "run" / "report.html").read_text()
    assert "<small>failed: session 0, round 1: the stake -5.00 on banker is below zero</small>" in page
    assert main(["show", str(tmp_path / "run")]) == 0
    assert "failed" in capsys.readouterr().out
    assert main(["run", str(file), "--out", str(tmp_path / "strict"), "--strict-plugins"]) == 2
    assert "bettor 'Mine': session 0, round 1: the stake -5.00 on banker is below zero" in capsys.readouterr().err


class TestWhatStopsTheRun:
    def test_when_nobody_is_left(self, plugin: Path, play) -> None:
        for bettor in ({"name": "a", "use": "owes", "rich": 0}, {"name": "b", "use": "raises", "rich": 620}):
            with pytest.raises(BettorError, match=f"bettor '{bettor['name']}'"):
                play(experiment(plugin) | {"bettor": [bettor]}, workers=1)

    def test_strict(self, plugin: Path, play) -> None:
        late = {"name": "late", "use": "raises", "rich": 620}
        with pytest.raises(BettorError, match="'late' failed in session"):
            play(experiment(plugin, late), workers=1, plugins=PluginRequest(strict=True))

    def test_a_built_in_bettor_that_cannot_play_is_a_mistake_of_the_experiment(self, plugin: Path, play) -> None:
        with pytest.raises(BacclabError, match="the table offers no bet 'bankr'"):
            play(experiment(plugin, {"name": "x", "use": "flat", "on": "bankr"}), workers=1)

    def test_a_source_that_does_not_settle_a_bet_is_no_fault_of_a_bettor(self, plugin: Path, play) -> None:
        pairs = {"name": "x", "select": {"use": "always", "on": "player_pair"}, "stake": {"use": "halves"}}
        with pytest.raises(SourceError, match="knows who won"):
            play(experiment(plugin, pairs) | {"source": {"use": "scripted", "rounds": "BPBP"}, "rounds": 4}, workers=1)

    @pytest.mark.parametrize("budget", [0, -1, True, "soon"])
    def test_a_budget_that_is_none(self, plugin: Path, play, budget: Any) -> None:
        with pytest.raises(BacclabError, match=r"plugins\.time_budget .*seconds above 0"):
            play(experiment(plugin, time_budget=budget))
