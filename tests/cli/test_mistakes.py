"""What a user sees after a mistake: one or two plain lines on stderr and exit code 2; a fault of ours is 1."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from bacclab.cli import listing


@pytest.mark.parametrize(
    ("words", "said", "hint"),
    [
        (["bets", "bankr"], "there is no bet 'bankr'", "did you mean banker?"),
        (["bettors", "follow-last"], "there is no bettor 'follow-last'", "'follow-last' is a selection"),
        (["-p", "bets", "bets"], "-p bets: the form is -p no:NAME", "--plugin FILE"),
        (
            ["-p", "no:bacclab.gone", "bets"],
            "there is no plugin 'bacclab.gone' to block",
            "did you mean bacclab.game?",
        ),
        (["--plugin", "nowhere.py", "bets"], "nowhere.py does not exist", ""),
        (["--plugins-dir", "nowhere", "bets"], "nowhere does not exist", ""),
        (["plugins", "bacclab.gam"], "there is no plugin 'bacclab.gam'", "did you mean bacclab.game?"),
        (["runs", "nowhere"], "there is no folder 'nowhere'", "bacclab run"),
        (["bets", "--bogus"], "No such option: --bogus", "`bacclab bets --help` lists"),
        (["shoes", "deal", "--bogus"], "No such option: --bogus", "`bacclab shoes deal --help` lists"),
        (["bogus"], "No such command 'bogus'", "bacclab --help"),
        (["run"], "Missing argument", "`bacclab run --help` lists"),
        (["check", "mine.toml"], "called 'mine.toml'", "`bacclab run mine.toml`"),
        (["odds", "--stake", "0"], "a stake of 0.00 is no bet", "write what is laid"),
        (["odds", "--bet", ""], "there is no bet ''", "one of: "),
        (["bankroll", "--unit", "9" * 18], "is too large", "the limit is 225,179,981,368.5248"),
        (["bankroll", "--bet", "dragon_7"], "does not offer 'dragon_7'", 'extra_bets = ["dragon_7"]'),
        (["bankroll", "--bankroll", "1" + "0" * 9], "runs over 19,999,999,981 sums of money", "larger stake"),
        (["late", "--shoes", "1" + "0" * 9], "1,000,000,000 shoes are too many", "at most 1,000,000"),
        (["cost", "hour", "--bet", "banker+"], "does not offer ''", "one of: "),
        (["cost", "hour", "--hours", "1e308"], "are too many rounds", "fewer hours"),
        (["cost", "hour", "--hours", "1e10"], "are too many to add up exactly", "fewer rounds"),
        (["cost", "bonus", "--bonus", "-100", "--requirement", "3000"], "cannot be below 0", ""),
        (["cost", "bonus", "--bonus", "0", "--requirement", "3000"], "nothing to play with", "--deposit"),
        (["cost", "last-round", "--me", "-1", "--after", "1000"], "cannot be below 0: I with -1.00", ""),
        (["cost", "last-round", "--me", "900", "--after", "-5"], "cannot be below 0: after 1 with -5.00", ""),
        (
            ["export", "runs/x", "--to", "excel", "-o", "x"],
            "there is no exporter 'excel'",
            "one of: csv, json, parquet",
        ),
    ],
)
def test_is_told_in_plain_lines(call, words, said, hint):
    called = call(*words)
    assert called.code == 2
    assert called.out == ""
    lines = called.err.splitlines()
    assert len(lines) == (2 if hint else 1)
    assert lines[0].startswith("bacclab: ")
    assert said in lines[0]
    assert hint in lines[-1]
    assert "Traceback" not in called.err


def test_nothing_asked_gives_the_plain_help(call):
    called = call()
    assert (called.code, called.out) == (2, "")
    assert called.err.startswith("Usage: bacclab ")
    assert called.err.rstrip().endswith("Example: bacclab run experiments/classics.toml")


def test_a_choice_that_is_none_is_told_without_the_words_of_a_library(call):
    assert ": 'bettr' is not one of" in call("new", "bettr", "mine").err


def test_debug_shows_the_traceback_wherever_it_stands(call):
    for words in (["--debug", "bets", "bankr"], ["bets", "bankr", "--debug"]):
        called = call(*words)
        assert called.code == 2
        assert "Traceback" in called.err
        assert called.err.splitlines()[-2:] == ["bacclab: there is no bet 'bankr'", "  did you mean banker?"]


def test_a_fault_of_ours(call, monkeypatch):
    def describe(*_):
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(listing, "describe", describe)
    called = call("bets", "banker")
    assert called.code == 1
    assert called.err == "bacclab: internal fault: ZeroDivisionError: a fault\n  use --debug for the traceback\n"
    assert "Traceback" in call("bets", "banker", "--debug").err


def test_ctrl_c_in_this_process(call, monkeypatch):
    def describe(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(listing, "describe", describe)
    called = call("bets", "banker")
    assert called.code == 130
    assert "Traceback" not in called.err


def test_ctrl_c_from_outside(tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text("import time\nprint('waiting', flush=True)\ntime.sleep(60)\n")
    program = "import sys; from bacclab.cli import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "--plugin", str(slow), "bets"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "waiting\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == "\nbacclab: interrupted\n"


def test_reader_that_goes_away_is_no_error():
    program = "import sys; from bacclab.cli import main; sys.exit(main(['schema']))"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
        assert process.wait(timeout=30) == 0
    assert err == b""


def test_what_is_there_and_no_experiment_file(call, tmp_path):
    dead, pipe = tmp_path / "dead.toml", tmp_path / "pipe.toml"
    dead.symlink_to("gone.toml")
    os.mkfifo(pipe)
    called = call("run", dead)
    assert (called.code, called.err) == (2, f"bacclab: {dead} is a link to a file that is not there\n")
    called = call("run", pipe)
    assert (called.code, called.err) == (2, f"bacclab: {pipe} is no ordinary file, but a pipe or a device\n")
