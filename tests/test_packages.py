"""The example packages under plugins/, as if they were installed: their own tests pass."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = sorted(path.parent for path in (ROOT / "plugins").glob("*/pyproject.toml"))


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_their_own_tests_pass(package: Path, tmp_path: Path) -> None:
    module = package.name.replace("-", "_")
    info = tmp_path / f"{module}-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package.name}\nVersion: 0.1.0\n")
    name = package.name.removeprefix("bacclab-")
    (info / "entry_points.txt").write_text(f"[bacclab]\n{name} = {module}\n")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, package, tmp_path)))}
    environment |= {"BACCLAB_LOAD_PLUGINS": name}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    ran = subprocess.run(
        command, cwd=package, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_there_are_some() -> None:
    assert PACKAGES
