"""Every command has help with an example, and help loads nothing heavy."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

PLAY = ["run", "runs", "show", "report", "compare", "dashboard", "export", "query"]
EXACT = ["odds", "late", "exact", "bankroll"]
LIST = ["tables", "bets", "bettors", "selections", "progressions", "sources", "metrics", "charts", "sections", "roads"]
PLUGINS = ["plugins", "new", "check", "docs", "schema"]
GROUPS = ["cost", "shoes"]
COMMANDS = PLAY + EXACT + LIST + PLUGINS + GROUPS


def test_all_commands_are_listed(call):
    called = call("--help")
    assert called.code == 0
    listed = re.findall(r"^  ([a-z]+)  +\S", called.out.partition("Commands:")[2], re.MULTILINE)
    assert listed == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(call, command):
    called = call(command, "--help")
    assert called.code == 0
    assert f"Example: bacclab {command}" in called.out or (command in called.out and "Example: bacclab" in called.out)
    assert "--json" in called.out
    assert call(command, "-h").out == called.out


def test_version(call):
    from bacclab import __version__

    assert call("--version").out == f"bacclab {__version__}\n"


def test_no_command_shows_help(call):
    called = call()
    assert "Commands:" in called.out + called.err
    assert called.code in (0, 2)


def test_help_loads_nothing_heavy():
    program = (
        "import sys; from bacclab.cli import main; main(['--help']); "
        "print(sorted({'polars', 'numba', 'numpy', 'pydantic', 'plotly', 'rich', 'click'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


LIGHT = [
    "run --help", "docs table", "tables", "tables ez", "bets", "bettors", "selections", "progressions", "sources",
    "metrics", "charts", "sections", "plugins", "odds", "odds --json", "schema", "runs .",
]  # fmt: skip


def test_commands_that_play_nothing_load_nothing_that_plays_or_draws(tmp_path):
    """One process for all of them: what is loaded stays, so the last line would show it. A pipe, so no colours."""
    program = (
        "import sys; from bacclab.cli import main; "
        f"codes = [main(words.split()) for words in {LIGHT}]; "
        "heavy = {'polars', 'numba', 'plotly', 'dash', 'distributed', 'rich'} & set(sys.modules); "
        "print(codes.count(0), sorted(heavy))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert ran.stdout.splitlines()[-1] == f"{len(LIGHT)} []"
