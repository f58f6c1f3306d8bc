"""`bacclab check`: the kit from the command line."""

from __future__ import annotations

from pathlib import Path

import bacclab

PLUGINS = Path(bacclab.__file__).parents[1] / "plugins"
QUICK = ("--only", "plays", "--only", "answers-all")

FORGETS = """
import bacclab as bl

@bl.bettor("forgets")
class Forgets(bl.Bettor):
    "Doubles whenever it has not won."
    top: int
    def start(self, table):
        self.units = 1
    def bet(self, view):
        return view.banker(10 * self.units)
    def settle(self, result):
        self.units = 1 if result.won else min(2 * self.units, self.top)
"""


def test_a_file_is_checked_whole(call):
    called = call("check", PLUGINS / "majority.py", *QUICK)
    assert called.code == 0
    assert "selection majority: passed" in called.out
    assert "progression climb: passed" in called.out


def test_bets_and_tables_are_checked(call):
    called = call("check", PLUGINS / "close_call.py", "--json")
    assert called.code == 0
    assert [(one["subject"], one["ok"]) for one in called.json] == [
        ("bet close_call", True),
        ("table close-call", True),
    ]


def test_a_fault_is_told_with_its_round(call, tmp_path):
    (tmp_path / "forgets.py").write_text(FORGETS)
    called = call("check", tmp_path / "forgets.py", *QUICK, "--set", "top=8")
    assert called.code == 2
    assert "failed   answers-all" in called.out
    assert "round 2, after a tie: it asked for banker 20.00, as after a loss" in called.out
    assert called.err == ""


def test_parameters_are_needed_where_they_have_no_default(call, tmp_path):
    (tmp_path / "forgets.py").write_text(FORGETS)
    called = call("check", tmp_path / "forgets.py", "--only", "plays")
    assert called.code == 2
    assert "the parameter 'top' must be given" in called.out


def test_a_registered_id_and_an_installed_plugin(call):
    called = call("check", "opposite-last", *QUICK)
    assert called.code == 0
    assert "selection opposite-last: passed" in called.out
    assert call("check", "bacclab.shoes").code == 2


def test_a_project_folder(call, tmp_path):
    assert call("new", "bettor", "mine", "--package", "--to", tmp_path).code == 0
    called = call("check", tmp_path / "bacclab-mine", *QUICK)
    assert (called.code, called.err) == (0, "")
    assert "bettor mine: passed" in called.out


def test_mistakes(call, tmp_path):
    for words, said in (
        (["opposite-lost"], "did you mean opposite-last?"),
        ([tmp_path], "no pyproject.toml"),
        ([tmp_path / "none.py"], "does not exist"),
        (["opposite-last", "--only", "playes"], "did you mean plays?"),
        (["opposite-last", "--set", "x"], "KEY=VALUE"),
        (["opposite-last", "--table", "ezz"], "did you mean ez?"),
    ):
        called = call("check", *words)
        assert called.code == 2
        assert said in called.err, words
