"""From blocks to frames: the same rows give the same bytes however they come, and memory stays flat."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.tournament import reduce
from bacclab.tournament.frames import POINT_SHIFT, SCHEMAS, histogram
from bacclab.tournament.reduce import added_up, row_groups, write_frame

ROOT = Path(__file__).parents[2]


def rows_of(count: int) -> pl.DataFrame:
    numbers = np.arange(count)
    return pl.DataFrame(
        {
            "cell": numbers // 100_000,
            "bettor": pl.Series([f"Bettor {n // 50_000}" for n in numbers], dtype=pl.String),
            "round": numbers % 100,
            "bankroll": (numbers * 7919 % 100_003) / 2,
            "sessions": numbers % 13,
        },
        schema=SCHEMAS["distribution"],
    )


class TestWriting:
    @pytest.mark.parametrize("size", [1_000, 65_535, 65_536, 65_537, 300_000])
    def test_the_size_of_pieces_does_not_show_in_the_bytes(self, tmp_path: Path, size: int) -> None:
        rows = rows_of(200_001)
        rows.write_parquet(tmp_path / "plain.parquet", row_group_size=reduce.ROW_GROUP, compression_level=3)
        pieces = (rows.slice(first, size) for first in range(0, rows.height, size))
        found = write_frame(tmp_path, "distribution", pieces)
        assert found.rows == 200_001
        assert (tmp_path / "distribution.parquet").read_bytes() == (tmp_path / "plain.parquet").read_bytes()

    def test_nothing_gives_a_file_with_the_schema(self, tmp_path: Path) -> None:
        assert write_frame(tmp_path, "trajectories", []).rows == 0
        assert pl.read_parquet(tmp_path / "trajectories.parquet").schema == SCHEMAS["trajectories"]

    @given(sizes=st.lists(st.integers(0, 40), max_size=12))
    def test_row_groups_hold_all_rows_in_order(self, sizes: list[int]) -> None:
        rows = rows_of(sum(sizes))
        bounds = np.cumsum([0, *sizes])
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reduce, "ROW_GROUP", 16)
            pieces = [rows.slice(int(a), int(b - a)) for a, b in itertools.pairwise(bounds)]
            groups = list(row_groups(pieces, SCHEMAS["distribution"]))
        assert pl.concat(groups).equals(rows)
        assert all(group.height == 16 for group in groups[:-1])
        assert groups[-1].height <= 16

    def test_a_fault_leaves_no_file(self, tmp_path: Path) -> None:
        def pieces():
            yield rows_of(10)
            raise RuntimeError("broken")

        with pytest.raises(Exception, match="broken"):
            write_frame(tmp_path, "distribution", pieces())
        assert list(tmp_path.iterdir()) == []


class TestHistograms:
    @given(
        bankrolls=st.lists(
            st.lists(st.integers(0, 2**53) | st.integers(0, 5), min_size=7, max_size=7), min_size=1, max_size=5
        ),
        cut=st.integers(0, 7),
        held=st.integers(1, 20),
        room=st.integers(1, 20),
    )
    def test_of_blocks_add_up_to_that_of_all_sessions(
        self, bankrolls: list[list[int]], cut: int, held: int, room: int
    ) -> None:
        """However few rows there is room for, and so however often the blocks are read."""
        whole = np.array(bankrolls, dtype=np.int64)
        blocks = [histogram(part) for part in (whole[:, :cut], whole[:, cut:]) if part.size]

        def part(block: pl.DataFrame, first: int, last: int) -> list[tuple[np.ndarray, np.ndarray]]:
            rows = block.filter((pl.col("key") // 2**POINT_SHIFT).is_between(first, last, closed="left"))
            return [(rows["key"].to_numpy(writable=True), rows["sessions"].to_numpy(writable=True))]

        keys, sessions, first = [], [], 0
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reduce, "HISTOGRAM_ROWS", held)
            patch.setattr(reduce, "SUM_ROWS", room)
            while first < len(whole):
                first, *some = added_up((partial(part, block, first) for block in blocks), last=len(whole))
                keys += some[0].tolist()
                sessions += some[1].tolist()
        expected = [(p, a, row.count(a)) for p, row in enumerate(bankrolls) for a in sorted(set(row))]
        found = [(int(k) >> POINT_SHIFT, int(k) % 2**POINT_SHIFT, int(n)) for k, n in zip(keys, sessions, strict=True)]
        assert found == expected


MEASURE = """
import json, pathlib, sys
import bacclab as bl
bl.run(json.loads(sys.argv[1]), out=sys.argv[2], report=False, workers=1)
status = pathlib.Path("/proc/self/status").read_text()
print(status.split("VmHWM:")[1].split()[0])  # getrusage() also counts the process that this one was forked from
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of a process is read from /proc")
def test_ten_times_the_sessions_need_no_more_memory(tmp_path: Path, small) -> None:
    # With one thread and one arena the peak is that of the program, and not of how threads happened to meet.
    steady = {"POLARS_MAX_THREADS": "1", "MALLOC_ARENA_MAX": "1", "PYTHONPATH": str(ROOT)}
    peaks = []
    for sessions in (10_000, 100_000):
        experiment = small(sessions=sessions, rounds=100, record={"checkpoints": 50, "trajectories": 5})
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, json.dumps(experiment), str(tmp_path / str(sessions))],
            capture_output=True, text=True, check=True, env=os.environ | steady,
        )  # fmt: skip
        peaks.append(int(done.stdout) * 1024)
    assert peaks[1] <= 1.3 * peaks[0]
    assert peaks[1] < 2**30
