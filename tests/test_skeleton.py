"""The house rules that a program can check: layers, light imports, no traces of a workplace, documents that agree."""

from __future__ import annotations

import ast
import importlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import bacclab
from bacclab.bettors.slip import POLICIES
from bacclab.game.override import KEYS
from bacclab.tournament.experiment import models

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bacclab"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HEAVY = ("polars", "numba", "numpy", "pydantic", "plotly", "rich", "pluggy", "typer")


def texts() -> list[Path]:
    """What git holds, or, where there is no git, all that is not made."""
    kinds = {".py", ".toml", ".md", ".txt", ".html", ".css", ".js", ".c", ".h", ""}
    paths = []
    if shutil.which("git"):
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
        paths = [ROOT / name for name in listed.split("\n") if name]
    if not paths:
        folders = ("bacclab", "experiments", "plugins", "tests")
        paths = [*ROOT.iterdir(), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    found = [path for path in paths if path.suffix in kinds and path.is_file() and "__pycache__" not in path.parts]
    assert Path(__file__) in found
    return found


class TestPublicFace:
    def test_every_name_can_be_had(self) -> None:
        for name in bacclab.__all__:
            assert getattr(bacclab, name) is not None, name
        assert set(dir(bacclab)) == set(bacclab.__all__)

    def test_checkers_see_the_same_names(self) -> None:
        tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
        seen = {
            alias.asname
            for block in tree.body
            if isinstance(block, ast.If)
            for line in block.body
            if isinstance(line, ast.ImportFrom)
            for alias in line.names
        }
        assert seen | {"__version__"} == set(bacclab.__all__)

    def test_unknown_name(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'Bettr'"):
            _ = bacclab.Bettr

    def test_import_is_light(self) -> None:
        program = f"import sys, bacclab; print(sorted(set({HEAVY!r}) & set(sys.modules)))"
        ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert ran.stdout == "[]\n"


def placed_in(contract: dict[str, Any]) -> set[str]:
    """The modules that a contract names."""
    return {name.strip(" ()") for layer in contract["layers"] for name in re.split("[:|]", layer)}


def parts_of(package: str) -> set[str]:
    """The modules and packages right inside a package, those of the package's own use left out."""
    folder = PACKAGE.parent.joinpath(*package.split("."))
    found = [path for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]
    return {f"{package}.{path.stem}" for path in found if not path.name.startswith("_")}


class TestLayers:
    def test_every_module_has_its_place(self) -> None:
        whole, *rooms = PROJECT["tool"]["importlinter"]["contracts"]
        # The modules of exact stand on several floors.
        assert placed_in(whole) == parts_of("bacclab") - {"bacclab.exact"} | parts_of("bacclab.exact")
        for room in rooms:
            for package in room["containers"]:
                assert {f"{package}.{name}" for name in placed_in(room)} == parts_of(package)

    def test_folders_are_packages(self) -> None:
        for folder in {path.parent for path in PACKAGE.rglob("*.py")}:
            assert (folder / "__init__.py").is_file(), folder


class TestHouseRules:
    def test_modules_are_short(self) -> None:
        long = {
            str(path): lines for path in PACKAGE.rglob("*.py") if (lines := len(path.read_text().splitlines())) > 400
        }
        assert not long

    def test_modules_say_what_they_are(self) -> None:
        for path in [*PACKAGE.rglob("*.py"), *(ROOT / "plugins").rglob("*.py")]:
            text = path.read_text(encoding="utf-8")
            assert not text.strip() or ast.get_docstring(ast.parse(text)), path

    def test_no_traces_of_a_workplace(self) -> None:
        # Put together here so that this file does not find itself.
        traces = [
            "/" + "work/",
            "/" + "opt/",
            "/" + "home/",
            "pypi" + ".org",
            "file" + "s.pythonhosted",
            "local" + "host:",
        ]
        for path in texts():
            text = path.read_text(encoding="utf-8", errors="replace")
            for trace in traces:
                assert trace not in text, f"{path}: {trace}"
            assert not re.search(r"\b[U]\d{3}\b", text), (
                f"{path}: the number of a case that only its author can look up"
            )

    def test_one_version(self) -> None:
        assert importlib.import_module("bacclab._version").__version__ == bacclab.__version__
        assert f"## {bacclab.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


class TestDependencies:
    def test_lower_bounds_are_the_versions_that_are_tested(self) -> None:
        wanted = {}
        for line in PROJECT["project"]["dependencies"]:
            name, bound = re.fullmatch(r"([\w-]+)>=([\d.]+)(?:,<[\d.]+)?", line).groups()
            wanted[name] = bound
        lowest = dict(
            line.split("==")
            for line in (ROOT / ".ci" / "lowest.txt").read_text().splitlines()
            if line and not line.startswith("#")
        )
        assert lowest.keys() == wanted.keys()
        for name, bound in wanted.items():
            assert re.fullmatch(rf"{re.escape(bound)}(\.0)*", lowest[name]), name

    def test_constraints_cover_them(self) -> None:
        lines = (ROOT / "constraints.txt").read_text().splitlines()
        pinned = {line.split("==")[0].lower() for line in lines if "==" in line}
        extras = PROJECT["project"]["optional-dependencies"].values()
        for line in [*PROJECT["project"]["dependencies"], *(line for extra in extras for line in extra)]:
            assert re.match(r"[\w-]+", line)[0].lower() in pinned, line

    def test_each_says_why(self) -> None:
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        for line in re.findall(r'^    "[\w-]+>=.*$', text, re.MULTILINE):
            assert re.search(r'",\s+# \S', line), line


class TestAllKeys:
    """The experiment file that shows every key."""

    FILE = ROOT / "experiments" / "all_keys.toml"

    def test_it_has_every_key(self) -> None:
        text = self.FILE.read_text(encoding="utf-8")
        parsed = tomllib.loads(text.replace("# shoes = ", "shoes = "))  # `rounds` and `shoes` exclude each other
        bettors = {key for bettor in parsed["bettor"] for key in bettor}
        assert set(models.ExperimentPart.model_fields) == set(parsed)
        assert set(models.BettorPart.model_fields) <= bettors
        assert set(models.StopPart.model_fields) == set(parsed["stop"])
        assert set(models.ProductPart.model_fields) == set(parsed["product"][0])
        assert set(models.RecordPart.model_fields) == set(parsed["record"])
        assert set(models.PluginsPart.model_fields) == set(parsed["plugins"])
        assert {*KEYS, "rules"} == set(parsed["table"])
        assert all(f'#   "{policy}" ' in text for policy in POLICIES)

    def test_it_runs(self, tmp_path: Path) -> None:
        """Two values of two keys are four settings, each with its five bettors and the rounds that the file says."""
        run = bacclab.run(self.FILE, sessions=5, out=tmp_path / "run", report=False, workers=1)
        assert run.summary.height == 4 * 5
        assert run.summary["rounds"].max() <= 5 * 80
        assert set(run.summary["sessions"]) == {5}
        assert run.cells["label"][0] == "table.maximum = 80, bettor.0.stake.steps = 4"


class TestReadme:
    README = (ROOT / "README.md").read_text(encoding="utf-8")

    def test_links_lead_somewhere(self) -> None:
        for target in re.findall(r"\]\(([^)#]+)\)", self.README):
            if "://" not in target:
                assert (ROOT / target).exists(), target

    def test_ci_runs_the_same_tests(self) -> None:
        command = re.search(r"&& \.venv/bin/(pytest.*)$", self.README, re.MULTILINE)
        assert command
        assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == command[1]

    def test_first_system_plays(self, tmp_path: Path) -> None:
        python = next(
            text for text in re.findall(r"```python\n(.*?)```", self.README, re.DOTALL) if "@bl.bettor" in text
        )
        (toml,) = re.findall(r"```toml\n(.*?)```", self.README, re.DOTALL)
        (tmp_path / "double_up.py").write_text(python)
        (tmp_path / "mine.toml").write_text(toml)
        run = bacclab.run(tmp_path / "mine.toml", sets=["sessions=20"], out=tmp_path / "run", workers=1)
        assert sorted(run.summary["bettor"]) == ["Double up, four steps", "Doubles break, 1 2 4 8", "Flat"]
