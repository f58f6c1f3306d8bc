"""What is sent to workers on other machines: files by content, used in their own place where that holds the same."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bacclab.errors import StoreError
from bacclab.plugins.files import digest
from bacclab.plugins.loader import PluginRequest, load_plugins
from bacclab.tournament.experiment.config import load_config
from bacclab.tournament.folder.store import RunFolder
from bacclab.tournament.plan import Block, files_of_source
from bacclab.tournament.workers.distant import Parcel
from bacclab.tournament.workers.executors import tasks_of
from bacclab.tournament.workers.luggage import MOST_BYTES, pack, pack_folder, pack_plugin
from bacclab.tournament.workers.work import Workshop


def package(folder: Path) -> Path:
    path = folder / "system"
    (path / "data").mkdir(parents=True)
    (path / "__pycache__").mkdir()
    (path / "__init__.py").write_text("from . import more\n")
    (path / "more.py").write_text("x = 1\n")
    (path / "data" / "map.csv").write_text("B,P\n")
    (path / "__pycache__" / "more.pyc").write_bytes(b"old")
    return path


def test_the_same_content_in_its_own_place_is_used(tmp_path: Path) -> None:
    path = package(tmp_path)
    assert pack_plugin(str(path)).place(tmp_path / "new") == str(path)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("change", ["gone", "other"])
def test_a_package_is_unpacked_with_its_data_and_the_same_digest(tmp_path: Path, change: str) -> None:
    path = package(tmp_path)
    before, packed = digest(path), pack_plugin(str(path))
    if change == "gone":
        shutil.rmtree(path)
    else:
        (path / "data" / "map.csv").write_text("P,B\n")
    found = Path(packed.place(tmp_path / "new"))
    assert found == tmp_path / "new" / "system"
    assert digest(found) == before
    assert (found / "data" / "map.csv").read_text() == "B,P\n"
    assert not (found / "__pycache__").exists()


def test_a_link_is_unpacked_under_the_name_that_it_leads_to(tmp_path: Path) -> None:
    """A plugin is called after its file, whatever the link is called, and workers must call it the same."""
    (tmp_path / "real.py").write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to("real.py")
    packed = pack_plugin(str(tmp_path / "link.py"))
    (tmp_path / "real.py").unlink()
    assert packed.place(tmp_path / "new") == str(tmp_path / "new" / "real.py")


def test_of_a_folder_only_plugins_are_sent(tmp_path: Path) -> None:
    folder = tmp_path / "plugins"
    package(folder)
    (folder / "one.py").write_text("x = 1\n")
    (folder / "test_one.py").write_text("x = 1\n")
    (folder / "records.bin").write_bytes(bytes(MOST_BYTES + 1))
    packed = pack_folder(str(folder))
    assert packed.content is not None
    assert sorted(packed.content) == ["one.py", "system/__init__.py", "system/data/map.csv", "system/more.py"]
    shutil.rmtree(folder)
    assert packed.place(tmp_path / "new") == str(tmp_path / "new")


def test_a_large_file_must_be_seen_by_the_worker(tmp_path: Path) -> None:
    path = tmp_path / "shoes.txt"
    path.write_bytes(b"B" * (MOST_BYTES + 1))
    packed = pack_plugin(str(path))
    assert packed.content is None
    assert packed.place(tmp_path / "new") == str(path)
    path.write_bytes(b"P" * (MOST_BYTES + 1))
    with pytest.raises(
        StoreError, match=r"shoes\.txt.*too large to be sent \(over 16 MiB\): put it where all machines"
    ):
        packed.place(tmp_path / "new")


def test_files_of_a_source_are_sent_for_every_cell_of_a_sweep(tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("BPBP\n")
    path = tmp_path / "e.toml"
    path.write_text(
        'bankroll = 100\nshoes = 1\nsessions = 1\nseed = 1\n[[bettor]]\nuse = "flat"\n'
        '[source]\nuse = "recorded"\npath = "one.txt"\nreplay = "in-order"\n'
        '[sweep]\n"source.path" = ["one.txt", "two.txt"]\n'
    )
    experiment = load_config(path)
    assert files_of_source(experiment.cell(1)[1]) == {"path": tmp_path / "two.txt"}
    luggage = pack(experiment, PluginRequest())
    assert [Path(one.path).name for one in luggage.inputs] == ["one.txt", "two.txt"]
    (tmp_path / "one.txt").unlink()
    _, moved = luggage.unpack(PluginRequest(), tmp_path / "new")
    assert moved == {str(tmp_path / "one.txt"): str(tmp_path / "new" / "0" / "one.txt")}


def test_a_parcel_puts_the_file_that_makes_it_count_last(tmp_path: Path, small) -> None:
    """Taken from a real block, so that the order is the writer's own."""
    names: list[str] = []

    class Noting(RunFolder):
        def put(self, name: str, data: bytes) -> None:
            names.append(name)

    workshop = Workshop(load_config(small("flat", sessions=4, rounds=10)), load_plugins(allow=()).registry)
    parcel = Parcel()
    parcel.record = workshop.do(Block(0, 0, 0, 4), parcel)
    assert parcel.deliver(Noting(tmp_path)) == parcel.record
    assert names[-1].endswith(".json")
    assert [name.rpartition(".")[2] for name in names[:-1]] == ["parquet"] * (len(names) - 1)


def test_whole_cells_are_sent_back_in_parts() -> None:
    blocks = [Block(cell, index, index * 5, 5) for cell in range(8) for index in range(3)]
    assert [len(task) for task in tasks_of(blocks, 2, most=2)] == [2, 1] * 8
