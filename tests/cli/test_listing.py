"""The commands that list what is registered."""

from __future__ import annotations

import json
import tomllib

import pytest

from bacclab.plugins.loader import load_plugins

KINDS = ("tables", "bets", "bettors", "selections", "progressions", "sources", "metrics", "charts", "sections")


def every_item():
    registry = load_plugins(allow=()).registry
    alike = {"metrics": 12}  # of some kinds it is enough to look at one in so many
    return [(kind, name) for kind in KINDS for name in list(registry.of(kind))[:: alike.get(kind, 1)]]


@pytest.mark.parametrize("kind", KINDS)
def test_lists_every_registered_one(call, kind):
    registered = sorted(load_plugins(allow=()).registry.of(kind))
    assert registered
    called = call(kind)
    assert called.code == 0
    assert [line.split()[0] for line in called.out.splitlines()[1:]] == registered
    assert [facts["id"] for facts in call(kind, "--json").json] == registered


@pytest.mark.parametrize(("kind", "name"), every_item())
def test_tells_all_about_one(call, kind, name):
    called = call(kind, name)
    assert called.code == 0
    facts = call(kind, name, "--json").json
    assert called.out.startswith(f"{name}: {facts['title']}\n")
    assert f"from plugin {facts['plugin']} (built in)" in called.out
    assert facts["title"]
    assert ">>>" not in called.out
    if kind in ("bets", "tables"):
        assert facts["source"]
    if kind in ("charts", "sections"):
        return  # nothing in an experiment names them
    if kind not in ("bets", "metrics"):
        tomllib.loads(facts["example"])
    assert "example:" in called.out


def test_a_bet(call):
    facts = call("bets", "player_pair", "--json").json
    assert facts["odds"] == {"win": "11:1"}
    assert facts["kind"] == "side"
    assert "one rank" in facts["rule"]


def test_a_table(call):
    facts = call("tables", "no-commission", "--json").json
    assert facts["shoe"]["decks"] == 8
    assert "six 1:2" in facts["bets"]["banker"]
    assert facts["side_bets_need_main_bet"] is True


def test_parameters_and_ranges(call):
    facts = call("progressions", "martingale", "--json").json
    steps = next(parameter for parameter in facts["parameters"] if parameter["name"] == "steps")
    assert steps["limits"] == "at least 1"
    assert "at least 1" in call("progressions", "martingale").out


def test_a_plugin_of_one_file(call, tmp_path):
    plugin = tmp_path / "wide.py"
    plugin.write_text(
        'import bacclab as bl\n\n@bl.bettor("wide")\nclass Wide(bl.Bettor):\n    """百家乐 ♠."""\n    def '
        "bet(self, view): ...\n"
    )
    for words in (
        ["--plugin", plugin, "bettors"],
        ["bettors", "--plugin", plugin],
        ["--plugins-dir", tmp_path, "bettors"],
    ):
        called = call(*words)
        assert called.code == 0
        assert "百家乐 ♠." in called.out
    assert "wide" not in call("--plugins-dir", tmp_path, "-p", "no:wide", "bettors").out


def test_a_class_without_a_docstring_does_not_speak_for_its_base(call, tmp_path):
    plugin = tmp_path / "silent.py"
    plugin.write_text(
        "import bacclab as bl\n\n@bl.bettor('silent')\nclass Silent(bl.Bettor):\n    def bet(self, view): ...\n"
    )
    facts = call("--plugin", plugin, "bettors", "silent", "--json").json
    assert (facts["title"], facts["text"], facts["source"]) == ("", "", "")
    assert call("--plugin", plugin, "bettors", "silent").out.startswith("silent:")


def test_broken_plugin_is_one_line(call, tmp_path):
    plugin = tmp_path / "bad.py"
    plugin.write_text("import nothing_of_that_name\n")
    called = call("--plugin", plugin, "bets", "--json")
    assert called.code == 0
    assert called.json
    (line,) = called.err.splitlines()
    assert line.startswith(f"warning: plugin bad ({plugin}) failed: line 1: ModuleNotFoundError")
    strict = call("--plugin", plugin, "--strict-plugins", "bets")
    assert strict.code == 2
    assert "plugin bad" in strict.err
    asked = call("--plugin", plugin, "bettors", "bad-one")
    assert "Plugin bad, which failed to load, may provide it" in asked.err


def test_plugins(call, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("raise RuntimeError('out of luck')\n")
    called = call("--plugin", bad, "plugins", "--json")
    reports = {report["name"]: report for report in called.json}
    assert reports["bad"]["state"] == "failed"
    assert reports["bad"]["error"] == "line 1: RuntimeError: out of luck"
    assert "bets/banker" in reports["bacclab.game"]["items"]
    assert "out of luck" in call("--plugin", bad, "plugins").out
    shown = call("--plugin", bad, "plugins", "--errors").out
    assert "Traceback" in shown
    assert "bacclab.game" not in shown
    assert call("plugins", "--errors").out == "no plugin failed\n"
    assert "bets/banker" in call("plugins", "bacclab.game").out


def test_output_in_a_code_page(shell, tmp_path):
    plugin = tmp_path / "wide.py"
    plugin.write_text(
        (
            'import bacclab as bl\n\n@bl.bettor("wide")\nclass Wide(bl.Bettor):\n    """庄 ♠."""\n    def '
            "bet(self, view): ...\n"
        ),
        encoding="utf-8",
    )
    for words in (["bettors"], ["bettors", "wide"], ["--help"], ["bettors", "--json"], ["progressions", "fibonacci"]):
        ran = shell("--plugin", plugin, *words, environment={"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"})
        assert ran.returncode == 0, ran.stderr
        text = ran.stdout.decode("cp1252")
        if "--json" in words:
            assert any(facts["title"] == "庄 ♠." for facts in json.loads(text))
        elif words[0] == "bettors":
            assert r"\u5e84 \u2660." in text


def test_schema(call):
    schema = call("schema").json
    assert schema["type"] == "object"
    assert {"bankroll", "sessions", "bettor", "table", "sweep"} <= schema["properties"].keys()
    assert call("schema", "--json").json == schema
