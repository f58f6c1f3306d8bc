"""Files that are whole or not there, and locks that end with their owner."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bacclab.errors import StoreError
from bacclab.tournament.files import fault, locked, put_file, read_json, record, write_atomically, write_json
from bacclab.tournament.folder.store import RunFolder, fingerprint

ROOT = Path(__file__).parents[2]


def test_a_fault_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_json(path, {"a": 1})

    def half(temporary: Path) -> None:
        temporary.write_text("{")
        raise OSError("disk full")

    with pytest.raises(StoreError, match=r"x\.json cannot be written: disk full"):
        write_atomically(path, half)
    assert read_json(path) == {"a": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["x.json"]


def test_a_link_to_a_file_is_written_through(tmp_path: Path) -> None:
    link, file = tmp_path / "latest.csv", tmp_path / "kept" / "a.csv"
    link.symlink_to(file)
    for text in ("one", "two"):
        put_file(link, lambda waiting, text=text: waiting.write_text(text))
        assert (link.is_symlink(), file.read_text()) == (True, text)
    (tmp_path / "round").symlink_to(tmp_path / "round")
    put_file(tmp_path / "round", lambda waiting: waiting.write_text("no circle"))
    with pytest.raises(StoreError, match="File name too long"):
        put_file(tmp_path / ("x" * 300), lambda waiting: waiting.write_text(""))


def test_json_holds_no_nan(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "x.json", {"a": float("nan")})
    assert list(tmp_path.iterdir()) == []


def test_faults_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(b"0123456789")
    whole = record(path, rows=1)
    assert fault(path, whole) is None
    path.write_bytes(b"0123456780")
    assert fault(path, whole) == f"{path} is damaged: its contents are not those that were written"
    path.write_bytes(b"01234")
    assert fault(path, whole) == f"{path} is damaged: 5 bytes where 10 were written"
    path.unlink()
    assert fault(path, whole) == f"{path} is missing"


class TestLock:
    def test_is_held_once_and_leaves_no_file(self, tmp_path: Path) -> None:
        lock = tmp_path / "lock"
        refused = pytest.raises(StoreError, match=rf"the thing is in use by another process \(process {os.getpid()}\)")
        with locked(lock, what="the thing"), refused, locked(lock, what="the thing"):
            pass
        assert list(tmp_path.iterdir()) == []
        with locked(tmp_path / "lock", what="the thing"):
            pass

    def test_of_a_killed_process_holds_nobody_up(self, tmp_path: Path) -> None:
        script = (
            "import sys, time; from pathlib import Path; from bacclab.tournament.files import locked\n"
            "with locked(Path(sys.argv[1]), what='x'):\n    print('held', flush=True); time.sleep(60)\n"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path / "lock")],
            stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match=f"process {process.pid}"), locked(tmp_path / "lock", what="x"):
            pass
        process.kill()
        process.communicate()
        assert (tmp_path / "lock").exists()
        with locked(tmp_path / "lock", what="x"):
            pass

    def test_only_one_of_many_gets_a_folder(self, tmp_path: Path) -> None:
        names = {RunFolder.create(None, stem="x", root=tmp_path).path.name for _ in range(5)}
        assert names == {"x", "x-2", "x-3", "x-4", "x-5"}


def test_fingerprints_do_not_depend_on_the_order_of_keys() -> None:
    assert fingerprint({"a": 1, "b": [1, 2]}) == fingerprint({"b": [1, 2], "a": 1})
    assert fingerprint({"a": 1, "b": [1, 2]}) != fingerprint({"a": 1, "b": [2, 1]})
