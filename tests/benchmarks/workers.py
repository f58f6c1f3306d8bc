"""Wall time of a whole run, page left out, with 1 and with 2 worker processes.

    python tests/benchmarks/workers.py [sessions] [repeats]

Ten bettors that are played from tables, 500 rounds a session. Each number of workers is timed several times in turn, in
a process of its own, as a user's command is; the least counts. One process by itself uses a second core too: polars
writes the frames with a thread a core. So a run that is held to one core is timed as well. The last column is what is
done outside blocks: start, frames, summary, comparisons. That part the workers do not share.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 500
SESSIONS = 1_000_000
STAKES = ("flat", "martingale", "dalembert", "fibonacci", "paroli")
SIDES = ("banker", "player")


def experiment(sessions: int) -> dict[str, object]:
    """Ten bettors: five progressions on each side."""
    bettors = [
        {"name": f"{stake} on {side}", "select": {"use": "always", "on": side}, "stake": {"use": stake, "unit": 10}}
        for stake in STAKES
        for side in SIDES
    ]
    return {"seed": 1, "bankroll": 1000, "sessions": sessions, "rounds": ROUNDS, "bettor": bettors}


KINDS = {"1 core": ("1", True), "1 worker": ("1", False), "2 workers": ("2", False)}
"""How many workers, and whether they are held to one core."""


def timed(sessions: int, workers: str, *, held: bool) -> tuple[float, float, bytes]:
    """Wall seconds of a run, those of its blocks added up, and the bytes of a frame."""
    program = (
        "import json, os, sys\n"
        "if sys.argv[4:]:\n"
        "    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "import bacclab as bl\n"
        "e, out, workers = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3])\n"
        "bl.run(e, out=out, workers=workers, report=False)\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        command = [sys.executable, "-c", program, json.dumps(experiment(sessions)), str(out), workers]
        command += ["held"] if held else []
        begun = time.perf_counter()
        subprocess.run(command, check=True)
        wall = time.perf_counter() - begun
        timing = json.loads((out / "manifest.json").read_text())["timing"]
        return wall, float(timing["in_blocks"]), (out / "sessions.parquet").read_bytes()


def main() -> None:
    """Run and print the table."""
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else SESSIONS
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    timed(1000, "1", held=False)  # compiles
    seconds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    outside: dict[str, list[float]] = {kind: [] for kind in KINDS}
    frames = set()
    for _ in range(repeats):
        for kind, (workers, held) in KINDS.items():
            wall, in_blocks, frame = timed(sessions, workers, held=held)
            seconds[kind].append(wall)
            outside[kind].append(wall - in_blocks / int(workers))
            frames.add(frame)
    assert len(frames) == 1, "the frames differ"
    least = {kind: min(times) for kind, times in seconds.items()}
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    sys.stdout.write(f"{sessions:,} sessions x {ROUNDS} rounds x 10 bettors; load of the machine {load}\n")
    sys.stdout.write(f"{'':12}{'seconds':>9}{'rounds/s':>13}{'ns/bettor-round':>17}{'outside blocks':>16}\n")
    for kind, wall in least.items():
        rate, each = sessions * ROUNDS / wall, wall / sessions / ROUNDS / 10 * 1e9
        sys.stdout.write(f"{kind:12}{wall:9.1f}{rate:13,.0f}{each:17.2f}{min(outside[kind]):16.1f}\n")
    of_core, of_worker = (least[kind] / least["2 workers"] for kind in ("1 core", "1 worker"))
    sys.stdout.write(f"2 workers are {of_core:.2f} times as fast as 1 core, {of_worker:.2f} times as 1 worker\n")


if __name__ == "__main__":
    main()
