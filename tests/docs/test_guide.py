"""The guide cannot drift: its programs run, its commands end well, options exist, every hook has a page's place."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from pathlib import Path

import pytest

import bacclab
from bacclab.cli import main
from bacclab.cli.app import app
from bacclab.docs import pages, text, title
from bacclab.plugins import hookspecs
from bacclab.plugins.loader import load_plugins
from bacclab.plugins.registry import KINDS, singular
from bacclab.testing import CHECKS
from bacclab.tournament.frames import EXACT_SCHEMAS, SCHEMAS
from bacclab.tournament.ledger import ENDINGS

ROOT = Path(bacclab.__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOOKS = [name for name, _ in inspect.getmembers(hookspecs, inspect.isfunction) if name.startswith("register_")]
GLOBAL = {"--plugin", "--plugins-dir", "-p", "--strict-plugins", "--debug", "--version", "--help"}


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "")


def test_pages_are_the_files() -> None:
    files = {path.stem for path in (ROOT / "bacclab" / "docs").glob("*.md")}
    assert set(pages()) == files
    assert all(title(page) for page in pages())


def test_every_place_in_the_source_that_a_page_names_is_there() -> None:
    named = {place for page in pages() for place in re.findall(r"`((?:bacclab|tests)/[\w./-]+)`", text(page))}
    assert named
    assert not [place for place in named if not (ROOT / place).exists()]


def columns_in(section: str) -> set[str]:
    """The columns in the tables of a section of the page on the run folder."""
    part = text("run-folder").partition(f"\n### {section}\n")[2].partition("\n### ")[0]
    return {
        name for cell in re.findall(r"^\| (`[^|]+`) \|", part, re.MULTILINE) for name in re.findall(r"`(\w+)`", cell)
    }


def test_the_page_on_the_run_folder_has_every_column() -> None:
    for name in ("sessions", "distribution", "trajectories", "comparisons", "cells", "confirmation"):
        assert columns_in(name) == set(SCHEMAS[name]), name
    assert columns_in("endings and finals") == {*SCHEMAS["endings"], *SCHEMAS["finals"]}
    own = [EXACT_SCHEMAS[name] for name in EXACT_SCHEMAS if name.startswith("exact_")]
    assert columns_in("Exact frames") == set().union(*own)
    assert all(f"`{ending}`" in text("run-folder") for ending in ENDINGS)


PLAYED = [
    pytest.param(page, marks=pytest.mark.slow) if page in ("reproducing", "vectorised-bettor") else page
    for page in pages()
]


@pytest.mark.parametrize("page", PLAYED)
def test_what_a_page_shows_works(page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In order: files are written, other programs are run, and every command ends with 0."""
    done = 0
    for kind, block in BLOCK.findall(text(page)):
        named = re.match(r"# (\w+\.(?:py|toml|csv))\n", block)
        if named:
            (tmp_path / named[1]).write_text(block, encoding="utf-8")
            if kind == "python":
                compile(block, f"{page}.md", "exec")
        elif kind == "python":
            exec(compile(block, f"{page}.md", "exec"), {"__name__": "page"})
        elif kind == "sh":
            for line in block.splitlines():
                program, *words = shlex.split(line, comments=True)
                assert program == "bacclab"
                if words[0] == "run":
                    words += ["--workers", "1"] if "--workers" not in words else []
                assert main(words) == 0, (line, capsys.readouterr().err)
                done += 1
    assert done


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_has_a_heading_and_an_example(hook: str, tmp_path: Path) -> None:
    signature = f"{hook}({', '.join(inspect.signature(getattr(hookspecs, hook)).parameters)})"
    _, found, after = text("hooks").partition(f"### {signature}\n")
    assert found, f"the page hooks has no heading {signature}"
    (_, example), *_ = BLOCK.findall(after.partition("\n### ")[0])
    assert f"def {hook}(register):" in example
    path = tmp_path / "example.py"
    path.write_text(example, encoding="utf-8")
    loaded = load_plugins(files=[path], allow=(), strict=True)
    kind = hook.removeprefix("register_")
    items = loaded.reports[-1].items
    assert items
    assert all(item.startswith(f"{kind}/") for item in items)


def test_every_kind_has_a_hook() -> None:
    assert {f"register_{kind}" for kind in KINDS} == set(HOOKS)
    assert all(singular(kind) in kind for kind in KINDS)


def test_the_page_on_testing_names_every_check() -> None:
    assert re.findall(r"^\| `([\w-]+)` \|", text("testing"), re.MULTILINE) == [check.name for check in CHECKS]


def commands() -> list[tuple[str, str]]:
    """Every line with a command in the README and the guide, with where it stands."""
    found = []
    for name, written in [("README", README), *((page, text(page)) for page in pages())]:
        lines = [line for kind, block in BLOCK.findall(written) if kind == "sh" for line in block.splitlines()]
        lines += re.findall(r"`(bacclab [^`]+)`", written.replace("\n", " "))
        found += [(name, line.partition("#")[0].strip()) for line in lines if "bacclab " in line]
    return found


@pytest.mark.parametrize(("where", "line"), commands())
def test_every_command_and_option_that_is_named_exists(where: str, line: str, capsys) -> None:
    words = shlex.split(line[line.index("bacclab ") :].replace("…", ""))[1:]
    names = {command.name or command.callback.__name__ for command in app.registered_commands}
    groups = {group.name for group in app.registered_groups}
    while words and words[0] in ("--plugin", "--plugins-dir", "-p"):
        words = words[2:]
    if not words or words[0] in ("--help", "COMMAND", "NAME", "ID", "-p"):
        return
    command = words[:2] if words[0] in groups else words[:1]
    assert words[0] in names | groups, f"{where}: {line}"
    assert main([*command, "--help"]) == 0
    known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", capsys.readouterr().out)) | GLOBAL
    for word in words:
        if word.startswith("-") and not word.lstrip("-").isdigit():
            assert word.partition("=")[0] in known, f"{where}: {line}: {word}"


class TestCommand:
    def test_without_a_page_it_lists_them(self, capsys) -> None:
        assert main(["docs"]) == 0
        out = capsys.readouterr().out
        assert all(page in out and title(page) in out for page in pages())
        assert main(["docs", "--json"]) == 0
        assert [one["page"] for one in json.loads(capsys.readouterr().out)] == list(pages())

    def test_a_page_is_plain_in_a_pipe(self, capsys) -> None:
        assert main(["docs", "metric"]) == 0
        assert capsys.readouterr().out == text("metric")

    def test_a_page_is_drawn_on_a_terminal(self, capsys, monkeypatch) -> None:
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        assert main(["docs", "table"]) == 0
        out = capsys.readouterr().out
        assert "A table" in out
        assert "```" not in out

    def test_an_unknown_page(self, capsys) -> None:
        assert main(["docs", "metrics"]) == 2
        assert "did you mean metric?" in capsys.readouterr().err
