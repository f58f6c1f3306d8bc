"""Compiled functions: light to import, cached where a folder can be written, right where none can, safe in threads."""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import bacclab
from bacclab import kernels
from bacclab.game.rules import ShoeRules
from bacclab.shoes.dealer import SimulatedSource
from bacclab.shoes.source import Horizon

PACKAGE = Path(bacclab.__file__).parent


def run(code, *, folder=None, **environment):
    """Run code in a fresh interpreter, with the package in `folder` if given."""
    plain = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH") if name in os.environ}
    paths = os.pathsep.join([str(folder or PACKAGE.parent), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**plain, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        cwd=folder,
    )


def test_importing_the_shoes_does_not_load_numba():
    code = (
        "import sys, bacclab.kernels, bacclab.shoes.dealer, bacclab.shoes.scripted, bacclab.shoes.builtin\n"
        "print([name for name in ('numba', 'polars', 'plotly') if name in sys.modules])"
    )
    assert run(code).stdout.strip() == "[]"


TINY = """
from bacclab.kernels import njit
from bacclab.game.tiny import NUMBER

@njit
def tiny(x):
    return x + NUMBER
"""

ASK = """
from bacclab import kernels, tiny_kernels
before = kernels.is_cached(tiny_kernels.tiny)
print(tiny_kernels.tiny(40), before, kernels.is_cached(tiny_kernels.tiny), tiny_kernels.tiny.stats.cache_hits)
"""


@pytest.fixture
def small_package(tmp_path):
    """A package with the compiler's module and one kernel that uses a constant of another file."""
    package = tmp_path / "bacclab"
    (package / "game").mkdir(parents=True)
    shutil.copy(PACKAGE / "kernels.py", package)
    for file, text in {"__init__.py": "", "game/__init__.py": "", "game/tiny.py": "NUMBER = 2\n"}.items():
        (package / file).write_text(text)
    (package / "tiny_kernels.py").write_text(TINY)
    return tmp_path


def answer(folder, **environment):
    """(value, cached before the call, cached after it, loaded from the cache)."""
    result = run(ASK, folder=folder, HOME=str(folder / "home"), **environment)
    assert result.returncode == 0, result.stderr
    assert not result.stderr
    return result.stdout.split()[:3]


def test_code_is_kept_and_not_used_when_a_constant_of_another_file_changed(small_package):
    assert answer(small_package) == ["42", "False", "True"]
    assert answer(small_package) == ["42", "True", "True"]
    (small_package / "bacclab/game/tiny.py").write_text("NUMBER = 3\n")
    assert answer(small_package) == ["43", "False", "True"]


def test_damaged_files_of_the_cache_are_compiled_again(small_package):
    answer(small_package)
    files = list(small_package.rglob("*.nbc"))
    assert files
    for file in files:
        file.write_bytes(file.read_bytes()[:100])
    assert answer(small_package) == ["42", "True", "True"]
    for file in small_package.rglob("*.nbi"):
        file.write_bytes(b"nonsense")
    assert answer(small_package) == ["42", "False", "True"]


def test_a_read_only_installation_keeps_code_for_the_user(small_package):
    # A file where the folder should be: also the superuser cannot write there.
    (small_package / "bacclab/__pycache__").write_text("")
    assert answer(small_package) == ["42", "False", "True"]
    assert list((small_package / "home").rglob("*.nbc"))
    assert answer(small_package) == ["42", "True", "True"]


def test_no_folder_at_all_runs_without_a_cache(small_package):
    (small_package / "bacclab/__pycache__").write_text("")
    (small_package / "home").write_text("")
    assert answer(small_package) == ["42", "False", "True"]
    assert answer(small_package) == ["42", "False", "True"]
    assert not list(small_package.rglob("*.nb[ci]"))


def test_threads_deal_at_the_same_time():
    sources = [SimulatedSource(ShoeRules(), seed=seed) for seed in range(4)]
    alone = [source.rounds(0, 400, horizon=Horizon(rounds=500)).codes for source in sources]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda source: source.rounds(0, 400, horizon=Horizon(rounds=500)).codes, sources))
    assert all((one == other).all() for one, other in zip(alone, together, strict=True))


def test_options_reach_the_compiler():
    @kernels.njit(inline="always")
    def half(x):
        return x / 0

    assert np.isinf(half(1.0)), "division by zero follows IEEE"
    assert kernels.is_cached(half)


def test_ctrl_c_in_a_call_back_from_the_compiler_is_not_lost(capfd):
    back = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would ignore it
    try:
        with pytest.raises(KeyboardInterrupt), kernels.interrupt_heeded():
            back()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert "KeyboardInterrupt" not in capfd.readouterr().err


INTERRUPTED = """
import signal
import numba.core.codegen as codegen

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job would ignore it
hook, times = codegen.JITCodeLibrary._object_compiled_hook.__func__, []

def during(cls, module, buffer):
    if not times:
        times.append(1)
        signal.raise_signal(signal.SIGINT)
    return hook(cls, module, buffer)

codegen.JITCodeLibrary._object_compiled_hook = classmethod(during)
from bacclab import tiny_kernels  # the hook must be there before the first compiler
try:
    print(tiny_kernels.tiny(40), times)
except KeyboardInterrupt:
    print("interrupted", tiny_kernels.tiny(40))
"""


def test_ctrl_c_while_machine_code_is_made_ends_the_call_and_no_later_one(small_package):
    result = run(INTERRUPTED, folder=small_package, HOME=str(small_package / "home"))
    assert (result.stdout, result.stderr) == ("interrupted 42\n", "")
