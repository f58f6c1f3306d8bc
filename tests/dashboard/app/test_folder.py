"""The folder of the app: what is listed, and that nothing outside it can be reached."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bacclab.dashboard.app.folder import RunsFolder
from bacclab.errors import StoreError


class TestList:
    def test_runs_with_their_facts(self, folder: RunsFolder) -> None:
        plain, sweep = folder.entries()
        assert (plain.id, plain.state, plain.name, plain.sessions, plain.rounds) == (
            "plain", "complete", "Three <i>systems</i>", 300, 90,
        )  # fmt: skip
        assert plain.bettors == ("Flat on Banker", "Doubler <b>5</b>", "Goal of 60")
        assert (sweep.cells, sweep.sessions) == (2, 120)

    def test_a_run_folder_is_shown_alone(self, played: Path) -> None:
        assert [entry.id for entry in RunsFolder(played / "plain").entries()] == ["plain"]

    def test_damaged_manifests_are_listed_as_such(self, root: Path) -> None:
        for name, text in (("a", "{"), ("b", "[]"), ("c", '{"format": 99}'), ("d", _manifest(root, cells=3))):
            (root / name).mkdir()
            (root / name / "manifest.json").write_text(text)
        states = {entry.id: entry.state for entry in RunsFolder(root).entries()}
        assert [states[name] for name in "abcd"] == ["unreadable"] * 4
        assert states["plain"] == "complete"

    def test_a_killed_run_is_interrupted(self, root: Path) -> None:
        (root / "plain" / "manifest.json").write_text(_manifest(root, state="running"))
        assert RunsFolder(root).find("plain").state == "interrupted"

    def test_a_changed_manifest_is_read_again(self, root: Path) -> None:
        folder = RunsFolder(root)
        assert folder.find("plain").title == "Three <i>systems</i>"
        (root / "plain" / "manifest.json").write_text(_manifest(root, title="Another"))
        assert folder.find("plain").title == "Another"

    def test_no_folder(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match="no folder"):
            RunsFolder(tmp_path / "none")


def _manifest(root: Path, **changes: object) -> str:
    return json.dumps(json.loads((root / "plain" / "manifest.json").read_text()) | changes)


class TestNothingOutside:
    @pytest.mark.parametrize(
        "name", ["..", "../runs/plain", "plain/../plain", "/", "", ".", "plain/", "PLAIN", "plain\0", "a" * 5000]
    )
    def test_a_name_is_looked_up_and_never_joined(self, folder: RunsFolder, name: str) -> None:
        with pytest.raises(StoreError, match="there is no run"):
            folder.find(name)

    @pytest.mark.parametrize(
        "name", ["../plain/summary", "manifest", "/etc/passwd", "", "summary.parquet", "experiment"]
    )
    def test_frames_are_those_of_the_manifest(self, folder: RunsFolder, name: str) -> None:
        with pytest.raises(StoreError, match="has no frame"):
            folder.frame(folder.find("plain"), name)

    def test_a_manifest_cannot_name_a_file_elsewhere(self, root: Path, tmp_path: Path) -> None:
        secret = tmp_path / "secret.parquet"
        secret.write_bytes(b"1234")
        files = {"../../secret.parquet": {"rows": 1, "bytes": 4, "sha256": ""}}
        (root / "plain" / "manifest.json").write_text(_manifest(root, files=files))
        folder = RunsFolder(root)
        assert folder.find("plain").state == "unreadable"
        with pytest.raises(StoreError, match="cannot be read"):
            folder.frame(folder.find("plain"), "../../secret")

    def test_links_that_lead_out_are_not_there(self, root: Path, tmp_path: Path) -> None:
        outside = (tmp_path / "elsewhere").resolve()
        (root / "sweep").rename(outside)
        (root / "sweep").symlink_to(outside)
        folder = RunsFolder(root)
        assert [entry.id for entry in folder.entries()] == ["plain"]
        with pytest.raises(StoreError):
            folder.find("sweep")

    def test_a_frame_that_is_a_link_out_is_not_read(self, root: Path, tmp_path: Path) -> None:
        frame = root / "plain" / "summary.parquet"
        frame.rename(tmp_path / "summary.parquet")
        frame.symlink_to(tmp_path / "summary.parquet")
        folder = RunsFolder(root)
        with pytest.raises(StoreError, match="is missing"):
            folder.frame(folder.find("plain"), "summary")

    def test_a_manifest_that_is_a_link_out_is_not_read(self, root: Path, tmp_path: Path) -> None:
        manifest = root / "plain" / "manifest.json"
        manifest.rename(tmp_path / "manifest.json")
        manifest.symlink_to(tmp_path / "manifest.json")
        assert [entry.state for entry in RunsFolder(root).entries()] == ["unreadable", "complete"]

    def test_links_in_a_circle(self, root: Path) -> None:
        (root / "one").symlink_to(root / "two")
        (root / "two").symlink_to(root / "one")
        (root / "self").symlink_to(root)
        assert [entry.id for entry in RunsFolder(root).entries()] == ["plain", "sweep"]

    def test_a_frame_of_another_size_is_refused(self, root: Path) -> None:
        (root / "plain" / "summary.parquet").write_bytes(b"PAR1")
        folder = RunsFolder(root)
        with pytest.raises(StoreError, match="damaged"):
            folder.frame(folder.find("plain"), "summary")
