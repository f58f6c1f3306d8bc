"""`bacclab new` writes a plugin that passes its own tests at once and plays in an experiment."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import bacclab as bl
from bacclab.scaffold import KINDS, names_of

ROOT = Path(bl.__file__).parents[1]


def own_tests(folder: Path, *words: str) -> str:
    """Run pytest in a folder as its author would; its output, or the failure."""
    # The kit's check in another process takes a second a time; it has tests of its own.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:dash", *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "BACCLAB_LOAD_PLUGINS": ""}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def play(experiment: Path, out: Path, **options: object) -> bl.Run:
    return bl.run(experiment, sets=["sessions=20", "rounds=40"], out=out, report=False, workers=1, **options)


WAYS = [
    ("bettor", [], "table"),
    ("bettor", ["--vectorised"], "lanes"),
    ("selection", [], "table"),
    ("progression", [], "table"),
    ("bet", [], "table"),
    ("metric", [], "table"),
]


@pytest.mark.parametrize(("kind", "more", "way"), WAYS)
def test_a_new_plugin_plays_at_once(call, tmp_path, kind, more, way):
    called = call("new", kind, "first-try", *more, "--to", tmp_path, "--json")
    assert called.code == 0, called.err
    written = [Path(name) for name in called.json["files"]]
    assert [path.name for path in written] == ["first_try.py", "test_first_try.py", "first_try.toml"]
    run = play(written[-1], tmp_path / "run")
    row = run.summary.filter(bl_name(run) == "First try").to_dicts()[0]
    assert row["bets"] > 100
    assert row["played_by"] == way


def bl_name(run: bl.Run):
    return run.summary["bettor"]


@pytest.mark.slow
def test_all_single_files_pass_their_own_tests(call, tmp_path):
    for number, (kind, more, _) in enumerate(WAYS):
        assert call("new", kind, f"try {number}", *more, "--to", tmp_path).code == 0
    assert "passed" in own_tests(tmp_path, "-k", "not worker")


def test_a_bettor_passes_its_own_tests(call, tmp_path):
    assert call("new", "bettor", "mine", "--to", tmp_path).code == 0
    assert "13 passed" in own_tests(tmp_path, "-k", "not worker")


@pytest.mark.parametrize("kind", KINDS)
def test_a_package_is_found_once_it_is_installed(call, tmp_path, monkeypatch, kind):
    """Installed by hand: what pip writes is the folder on the path and the entry point beside it."""
    called = call("new", kind, "packed", "--package", "--to", tmp_path, "--json")
    root = tmp_path / "bacclab-packed"
    assert [Path(name).relative_to(root).as_posix() for name in called.json["files"]] == [
        "bacclab_packed/__init__.py", "tests/test_packed.py", "pyproject.toml", "README.md", "experiment.toml",
    ]  # fmt: skip
    meta = root / "bacclab_packed-0.1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: bacclab-packed\nVersion: 0.1.0\n")
    (meta / "entry_points.txt").write_text("[bacclab]\npacked = bacclab_packed\n")
    monkeypatch.syspath_prepend(str(root))
    monkeypatch.setenv("BACCLAB_LOAD_PLUGINS", "packed")
    try:
        run = play(root / "experiment.toml", tmp_path / "run")
    finally:
        sys.modules.pop("bacclab_packed", None)
    assert "Packed" in run.summary["bettor"].to_list()
    assert {plugin["name"] for plugin in run.manifest["plugins"] if plugin["items"]} == {"packed"}


@pytest.mark.slow
def test_a_package_is_installed_with_pip(call, tmp_path):
    """A new environment beside this one, into which the package is installed as a stranger would."""
    assert call("new", "bettor", "packed", "--package", "--to", tmp_path).code == 0
    root, home = tmp_path / "bacclab-packed", tmp_path / "venv"
    venv.create(home, with_pip=True, symlinks=True)
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = subprocess.check_output([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True)
    others = [entry for entry in sys.path if entry.endswith("site-packages")]
    (Path(site.strip()) / "others.pth").write_text("\n".join([str(ROOT), *others]))
    pip = [python, "-m", "pip", "install", "-q", "--no-deps", "--disable-pip-version-check", str(root)]
    installed = subprocess.run(pip, capture_output=True, text=True, check=False, timeout=300)
    if "hatchling" in installed.stderr and installed.returncode:
        pytest.skip("hatchling, which builds the package, cannot be fetched here")
    assert installed.returncode == 0, installed.stderr
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BACCLAB_")}
    listed = subprocess.run(
        [python, "-m", "bacclab", "plugins", "packed"], capture_output=True, text=True, env=environment, check=True
    )
    assert "packed: contributed" in listed.stdout
    tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:dash", str(root)]
    ran = subprocess.run(tests, capture_output=True, text=True, check=False, env=environment, cwd=root)
    assert ran.returncode == 0, ran.stdout


class TestNames:
    @pytest.mark.parametrize(
        ("name", "id_", "module", "cls"),
        [
            ("double-up", "double-up", "double_up", "DoubleUp"),
            ("Double Up", "double-up", "double_up", "DoubleUp"),
            ("DoubleUp", "double-up", "double_up", "DoubleUp"),
            ("7 steps!", "7-steps", "plugin_7_steps", "Plugin7Steps"),
            ("class", "class", "class", "Class"),
        ],
    )
    def test_every_form_is_made(self, name, id_, module, cls):
        names = names_of(name)
        assert (names.id, names.module, names.cls) == (id_, module, cls)

    def test_a_changed_name_is_told(self, call, tmp_path):
        called = call("new", "bettor", "Double Up!", "--to", tmp_path)
        assert "'Double Up!' is written 'double-up'" in called.err
        assert (tmp_path / "double_up.py").is_file()

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["new", "bettor", "¡!"], "no letter or digit"),
            (["new", "bettor", "flat"], "there is a bettor 'flat' already, from bacclab.bettors"),
            (["new", "progression", "x", "--vectorised"], "--vectorised goes with a bettor"),
            (["new", "bettor", "x" * 90], "too long"),
        ],
    )
    def test_what_cannot_be(self, call, tmp_path, words, said):
        called = call(*words, "--to", tmp_path)
        assert called.code == 2
        assert said in called.err
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("package", [[], ["--package"]])
def test_nothing_is_overwritten(call, tmp_path, package):
    assert call("new", "bettor", "mine", *package, "--to", tmp_path).code == 0
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    called = call("new", "bettor", "mine", *package, "--to", tmp_path)
    assert called.code == 2
    assert "is there already" in called.err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
