"""Kill a run at random moments, go on with it, and compare what comes out with a run that nobody disturbed.

    python tests/faults/kill.py --kills 200 --seed 1

The run has two workers and many blocks. Each time either the parent or one of its workers is killed (kill -9), after a
random time or after a random number of finished blocks; then the same command goes on with the run, and may be killed
again. Every run that comes to its end must have the bytes of the undisturbed one in every frame, each session once, and
no block that was finished may be played again. Prints what was killed and when; exits 1 at the first difference.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BLOCK, SESSIONS = 20, 600
PATIENCE = 120.0

SCRIPT = """
import json, sys
import bacclab as bl

def told(done, total):
    print(done, flush=True)

if __name__ == "__main__":
    settings, out, block = json.loads(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    bl.run(settings, out=out, resume=True, report=False, workers=2, block=block, progress=told)
    print("complete", flush=True)
"""


def experiment() -> dict[str, Any]:
    """Two bettors that are ready soon, one by a table and one by lanes: most of the time is that of processes that
    begin.
    """
    progression = {"use": "labouchere", "unit": 10}
    return {
        "title": "To be killed",
        "seed": 20261129,
        "bankroll": 500,
        "sessions": SESSIONS,
        "rounds": 90,
        "table": {"rules": "no-commission", "minimum": 10, "maximum": 200},
        "bettor": [
            {"name": "Flat", "use": "flat", "on": "banker", "unit": 10},
            {"name": "Lines", "select": {"use": "always", "on": "player"}, "stake": progression, "when_refused": "cap"},
        ],
        "record": {"checkpoints": 10, "trajectories": 5},
    }


def begin(out: Path) -> subprocess.Popen[str]:
    """A process that begins the run in a folder or goes on with it; it prints a line a block."""
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, json.dumps(experiment()), str(out), str(BLOCK)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "BACCLAB_LOAD_PLUGINS": ""},
    )


def frames(out: Path) -> dict[str, bytes]:
    """The bytes of the frames of a run."""
    return {path.name: path.read_bytes() for path in sorted(out.glob("*.parquet"))}


def committed(out: Path) -> dict[str, int]:
    """The commit files of finished blocks, and when each was written."""
    return {path.name: path.stat().st_mtime_ns for path in (out / "blocks").glob("c*.json")}


def workers_of(pid: int) -> list[int]:
    """The worker processes of a process; it has a child besides that only watches semaphores."""
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    return []


def is_alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@dataclass(slots=True)
class Killer:
    """Kills runs, by one source of chance; `span` is about how long an undisturbed run takes."""

    chance: random.Random
    whole: dict[str, bytes]
    span: float
    counts: Counter[str] = field(default_factory=Counter)

    def rounds(self, folder: Path, kills: int) -> None:
        """Kill until `kills` have hit; runs that come to their end are compared, and the last one is let come to it."""
        number = 0
        while self.counts["kills"] < kills:
            number += 1
            self.one_run(folder / f"run-{number}", kills)

    def one_run(self, out: Path, kills: int) -> None:
        """Begin a run, and go on with it until it is complete."""
        before: dict[str, int] = {}
        times = 0
        while True:
            hit = self.attempt(out) if self.counts["kills"] < kills else self.attempt(out, spare=True)
            now = committed(out)
            again = [name for name, when in before.items() if name in now and now[name] != when]
            assert not again, f"finished blocks were played again: {again}"
            lost = before.keys() - now.keys()
            assert not lost or frames(out).keys() == self.whole.keys(), f"finished blocks are lost: {sorted(lost)}"
            before = now
            if not hit and json.loads((out / "manifest.json").read_text())["state"] == "complete":
                break
            times += 1
        self.compare(out)
        self.counts[f"runs killed {times if times < 5 else '5 or more'} times"] += 1

    def attempt(self, out: Path, *, spare: bool = False) -> bool:
        """Begin or go on; kill somebody at a random moment. True if anybody was hit before the end."""
        process = begin(out)
        assert process.stdout is not None
        blocks = SESSIONS // BLOCK
        after = self.chance.randrange(0, blocks + 8) if self.chance.random() < 0.6 else None
        wait = self.chance.random() * (self.span if after is None else 0.05)
        wants_worker = self.chance.random() < 0.5
        done = threading.Event()
        lines: list[str] = []

        def listen() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                lines.append(line)
                if after is not None and len(lines) > after:
                    done.set()
            done.set()

        listener = threading.Thread(target=listen)
        listener.start()
        children: list[int] = []
        hit = False
        if not spare:
            if after is not None:
                done.wait(PATIENCE)
            time.sleep(wait)
            children = workers_of(process.pid)
            victim = self.chance.choice(children) if wants_worker and children else process.pid
            hit = process.poll() is None  # the number of a process that has ended may be another's by now
            if hit:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
                self.counts["kills"] += 1
                self.counts["of a worker" if victim != process.pid else "of the parent"] += 1
                self.counts[_stage(out)] += 1
        process.wait(PATIENCE)
        listener.join(PATIENCE)
        process.stdout.close()
        assert process.stderr is not None
        said = process.stderr.read()
        process.stderr.close()
        deadline = time.monotonic() + PATIENCE
        while any(map(is_alive, children)):
            assert time.monotonic() < deadline, "workers outlive their parent"
            time.sleep(0.02)
        complete = bool(lines) and lines[-1] == "complete\n"
        assert complete or hit, f"it ended without being killed: {said}"
        if not complete and process.returncode != -signal.SIGKILL:
            assert "WorkerError" in said, said
            assert "--resume" in said, said
        return not complete

    def compare(self, out: Path) -> None:
        """Stop at a run that is not as the undisturbed one."""
        import bacclab as bl

        found = frames(out)
        assert found.keys() == self.whole.keys(), sorted(found.keys() ^ self.whole.keys())
        different = [name for name, data in found.items() if data != self.whole[name]]
        assert not different, f"{different} differ in {out}"
        sessions = bl.load_run(out).sessions
        assert sessions.height == sessions.select("cell", "bettor", "session").n_unique() == 2 * SESSIONS
        assert not (out / "blocks").exists()
        left = [path.name for path in out.iterdir() if path.name.startswith(".")]
        assert not left, left
        self.counts["runs"] += 1
        print(f"{self.counts['kills']} kills, {self.counts['runs']} runs", file=sys.stderr, flush=True)  # noqa: T201


def _stage(out: Path) -> str:
    """How far a run was when it was hit."""
    if not (out / "manifest.json").exists():
        return "before the manifest"
    if not (out / "blocks").exists():
        return "after the end"
    count = len(committed(out))
    if not count:
        return "before the first block"
    return "among the blocks" if count < SESSIONS // BLOCK else "while the frames were made"


def undisturbed(folder: Path) -> tuple[dict[str, bytes], float]:
    """The frames of a run that nobody kills, and how long it takes when the code is compiled."""
    for name in ("warm", "whole"):
        started = time.monotonic()
        process = begin(folder / name)
        said, errors = process.communicate(timeout=PATIENCE)
        assert said.endswith("complete\n"), errors
    return frames(folder / "whole"), time.monotonic() - started


def main() -> int:
    """Kill as many times as asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bacclab-kill-") as folder:
        whole, span = undisturbed(Path(folder))
        killer = Killer(random.Random(asked.seed), whole, span)
        started = time.monotonic()
        killer.rounds(Path(folder), asked.kills)
    for what, count in sorted(killer.counts.items()):
        print(f"{count:6,} {what}")  # noqa: T201
    print(f"all frames are those of the undisturbed run ({span:.1f} s); {time.monotonic() - started:.0f} s")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
