"""Memory, time and room on the disk of a long run with its page: a million sessions of a thousand rounds, ten bettors.

    python tests/benchmarks/memory.py [sessions] [rounds] [workers] [folder to keep the run in]

The run is a command of its own, as a user's is. Its memory is looked at ten times a second: that of all its processes
together, where pages that several of them share count once (Linux only: /proc/PID/smaps_rollup).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SESSIONS, ROUNDS, WORKERS = 1_000_000, 1_000, 2
STAKES = ("flat", "martingale", "dalembert", "fibonacci", "paroli")
SIDES = ("banker", "player")

PAIR = """
[[bettor]]
name = "{stake} on {side}"
select = {{ use = "always", on = "{side}" }}
stake = {{ use = "{stake}", unit = 10 }}
"""


def experiment(sessions: int, rounds: int) -> str:
    """Ten bettors: five progressions on each side, with a bankroll that lasts."""
    pairs = "".join(PAIR.format(stake=stake, side=side) for stake in STAKES for side in SIDES)
    return f'title = "Memory"\nseed = 1\nbankroll = 100_000\nsessions = {sessions}\nrounds = {rounds}\n{pairs}'


def family(parent: int) -> list[int]:
    """The numbers of a process and of all that descend from it."""
    members = [parent]
    for member in members:
        for listed in Path(f"/proc/{member}/task").glob("*/children"):
            members += map(int, listed.read_text().split())
    return members


def memory(processes: list[int]) -> int:
    """Bytes that processes hold together: each page is counted once."""
    held = 0
    for process in processes:
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue  # it ended just now
        held += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return held


def main() -> None:
    """Run and print the figures."""
    sessions, rounds, workers = (*map(int, sys.argv[1:4]), *(SESSIONS, ROUNDS, WORKERS)[len(sys.argv[1:4]) :])
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "memory.toml", Path(*sys.argv[4:] or [folder]) / "run"
        path.write_text(experiment(sessions, rounds))
        command = [sys.executable, "-m", "bacclab", "run", str(path), "--out", str(out), "--workers", str(workers)]
        begun, peak = time.perf_counter(), 0
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as run:
            while run.poll() is None:
                try:
                    peak = max(peak, memory(family(run.pid)))
                except OSError:
                    continue
                time.sleep(0.1)
        if run.returncode:
            sys.exit(run.returncode)
        wall = time.perf_counter() - begun
        timing = json.loads((out / "manifest.json").read_text())["timing"]
        frames = sum(file.stat().st_size for file in out.rglob("*.parquet"))
        page = (out / "report.html").stat().st_size
    sys.stdout.write(
        f"{sessions:,} sessions x {rounds:,} rounds x 10 bettors, {workers} workers\n"
        f"peak of all processes  {peak / 2**20:10,.0f} MiB\n"
        f"wall time              {wall:10,.1f} s (the run {timing['seconds']:,.1f} s)\n"
        f"rounds a second        {sessions * rounds / wall:10,.0f}\n"
        f"ns a bettor-round      {wall / sessions / rounds / 10 * 1e9:10,.2f}\n"
        f"bytes of frames        {frames / sessions:10,.1f} a session, {frames / sessions / 10:,.1f} for each bettor\n"
        f"page                   {page / 1e6:10,.1f} MB\n"
    )


if __name__ == "__main__":
    main()
