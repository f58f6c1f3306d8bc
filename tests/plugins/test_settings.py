"""Settings of plugins: checked by the plugin's own class, told with line, kept in the manifest, sent to workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bacclab as bl
from bacclab.errors import ConfigError
from bacclab.plugins.loader import load_plugins, reload_plugins

OWN = '''
from typing import Annotated
import bacclab as bl

class Settings(bl.Settings):
    """How much a tie pays."""
    tie: Annotated[int, bl.Param(ge=8, le=9)] = 8

@bl.hookimpl
def register_tables(register, settings):
    register(bl.table("commission").variant("ours", title="Ours", odds={"tie": f"{settings.tie}:1"}))
'''
MODEL = (
    OWN.replace("from typing import Annotated", "from pydantic import BaseModel, Field")
    .replace("(bl.Settings)", "(BaseModel)")
    .replace("Annotated[int, bl.Param(ge=8, le=9)] = 8", "int = Field(default=8, ge=8, le=9)")
)


@pytest.fixture(params=[OWN, MODEL], ids=["own", "pydantic"])
def plugin(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "tie.py"
    path.write_text(request.param)
    return path


def file(plugin: Path, settings: str) -> Path:
    path = plugin.with_name("e.toml")
    path.write_text(
        'bankroll = 100\nsessions = 300\nrounds = 10\nseed = 2\ntable = { rules = "ours" }\n'
        f'[[bettor]]\nuse = "flat"\non = "tie"\nunit = 1\n[plugins]\nfiles = ["tie.py"]\n{settings}'
    )
    return path


def test_values_reach_the_hooks_and_the_manifest(plugin: Path, tmp_path: Path) -> None:
    runs = {}
    for name, settings in (("default", ""), ("nine", "[plugins.tie]\ntie = 9\n")):
        run = bl.run(file(plugin, settings), out=tmp_path / name, report=False, workers=1)
        (own,) = [entry for entry in run.manifest["plugins"] if entry["name"] == "tie"]
        runs[name] = run.manifest["tables"][0]["odds"]["tie"]["win"], own["settings"], run.manifest["fingerprint"]
    assert runs["default"][:2] == ("8:1", {"tie": 8})
    assert runs["nine"][:2] == ("9:1", {"tie": 9})
    assert runs["default"][2] != runs["nine"][2]


def test_workers_get_them(plugin: Path, tmp_path: Path) -> None:
    loaded = load_plugins(files=[plugin], allow=(), settings={"tie": {"tie": 9}})
    again = reload_plugins(loaded.request, expected=loaded.hashes)
    assert str(again.registry.get("tables", "ours").item.bet("tie").odds["win"]) == "9:1"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("[plugins.tie]\ntie = 10\n", r"line 13: plugin 'tie': tie.*(at most 9|less than or equal to 9)"),
        ("[plugins.tie]\ntye = 9\n", r"line 13: plugin 'tie': there is no (parameter|setting) 'tye'"),
        (
            "[plugins.tye]\ntie = 9\n",
            r"line 12: there is no plugin 'tye' that could have settings \(did you mean tie\?\)",
        ),
        ("tie = 9\n", r"plugins\.tie is not a key of an experiment"),
    ],
)
def test_mistakes_are_told_with_their_line(plugin: Path, tmp_path: Path, settings: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        bl.run(file(plugin, settings), out=tmp_path / "run", report=False, workers=1)


def test_a_plugin_without_settings_takes_none(tmp_path: Path) -> None:
    path = tmp_path / "plain.py"
    path.write_text('import bacclab as bl\nT = bl.table("ez").variant("mine", title="Mine")\n')
    experiment: dict[str, Any] = {
        "bankroll": 100,
        "sessions": 2,
        "rounds": 2,
        "bettor": [{"use": "flat"}],
        "plugins": {"files": [str(path)], "plain": {"x": 1}},
    }
    with pytest.raises(ConfigError, match="plugin 'plain' takes no settings"):
        bl.run(experiment, out=tmp_path / "run", report=False)
