"""Runs in several threads leave the process as it is; a bettor's fault is told in a line, with its place."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bacclab as bl
from bacclab.errors import BacclabError, ConfigError
from bacclab.tournament.workers.executors import hidden_main

FAULTY = """
import bacclab as bl

@bl.bettor("faulty")
class Faulty(bl.Bettor):
    "Fails late in the block."
    def start(self, table):
        self.rounds = 0
    def bet(self, view):
        self.rounds += 1
        if self.rounds == 80:
            raise ValueError("one\\n" * 1000)
        return view.player(10)
"""


def test_runs_in_threads_leave_the_streams_and_the_main_module_alone(small, tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    out, main = sys.stdout, sys.modules["__main__"]

    def one(number: int) -> None:
        experiment = small("flat", sessions=20, rounds=10, plugins={"files": [str(tmp_path / "faulty.py")]})
        bl.run(experiment, out=tmp_path / str(number), report=False, workers=2, block=10)

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(one, range(6)))
    assert sys.stdout is out
    assert sys.modules["__main__"] is main


def test_the_main_module_comes_back_after_many_threads_hid_it() -> None:
    main = sys.modules["__main__"]

    def hide(_: int) -> None:
        with hidden_main():
            assert sys.modules["__main__"] is not main

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(hide, range(500)))
    assert sys.modules["__main__"] is main


@pytest.mark.parametrize("workers", [1, 2])
def test_a_late_fault_of_a_bettor_is_one_line_with_its_place(tmp_path: Path, workers: int) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    path = tmp_path / "e.toml"
    path.write_text(
        'bankroll = 5000\nrounds = 90\nseed = 1\nsessions = 300\n[[bettor]]\nname = "F"\nuse = "faulty"\n'
        '[plugins]\nfiles = ["faulty.py"]\n'
    )
    with pytest.raises(BacclabError) as caught:
        bl.run(path, out=tmp_path / "run", report=False, workers=workers)
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < 600
    assert re.match(rf"{re.escape(str(path))}, line 5: bettor 'F' failed( in [^:]+)?: ValueError: one one", said)
    assert said.endswith("(faulty.py, line 12)")


def test_a_class_in_place_of_a_name_is_told_where_it_must_stand(small) -> None:
    class Mine(bl.Bettor):
        """Mine."""

    with pytest.raises(ConfigError, match=r"bettor\.0\.use must be a name, not the class Mine .*file"):
        bl.run(small(bettor=[{"use": Mine}]))


def test_a_class_of_the_script_itself_is_told_where_it_must_stand(small, monkeypatch: pytest.MonkeyPatch) -> None:
    @bl.bettor("of-the-script")
    class Mine(bl.Bettor):
        """Mine."""

    monkeypatch.setattr(sys.modules["__main__"], "Mine", Mine, raising=False)
    with pytest.raises(BacclabError, match=r"no bettor 'of-the-script' \(a class must stand in a file"):
        bl.run(small(bettor=[{"use": "of-the-script"}]))


def test_a_bettor_whose_requests_are_all_refused_is_told_why(play, small) -> None:
    bettor = {"name": "Odd", "use": "flat", "on": "banker", "unit": 12.5, "when_refused": "skip"}
    table = {"rules": "no-commission", "minimum": 10, "increment": 5}
    done = play(small(bettor=[bettor], table=table, sessions=5, rounds=10))
    assert "Odd placed no bets: all 50 requests were refused: off the increment." in done.warnings
