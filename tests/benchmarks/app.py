"""How long the app takes to answer, on a run of 1,000,000 sessions × 40 bettors and in a folder of 200 runs.

    python tests/benchmarks/app.py [--sessions N] [--bettors N] [--runs N] [--folder DIR]

The frames are written by their schemas, a bettor at a time: bankrolls of a million sessions after each of 100
checkpoints, from random walks, each of which ten sessions share. Every callback of the app is asked over HTTP as a
browser asks it, once with nothing kept and once more, and the longest answers are printed. The run takes about two
gigabytes of the disk while this runs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import bacclab as bl
from bacclab.analysis.compare import compare
from bacclab.analysis.endings import by_final, by_round
from bacclab.analysis.summary import Group, summarise
from bacclab.tournament.frames import SCHEMAS, frame
from bacclab.tournament.reduce import write_frame

ROUNDS, POINTS, START = 1000, 100, 1000.0
SAMPLE = 50
COPIES = 10


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def name(k: int) -> str:
    return f"System {k:03d}"


def walk(seed: int, sessions: int) -> np.ndarray:
    """Bankrolls at the checkpoints (checkpoints + 1 × sessions), on a grid of half a unit; a ruined session stays at
    zero.
    """
    random = np.random.default_rng(seed)
    steps = np.rint(random.normal(-0.5, 25 + 2 * (seed % 20), (POINTS, sessions)).astype(np.float32)) * 0.5
    path = np.empty((POINTS + 1, sessions), dtype=np.float32)
    path[0] = START
    alive = np.ones(sessions, bool)
    for point in range(POINTS):
        path[point + 1] = np.where(alive, np.maximum(path[point] + steps[point], 0), path[point])
        alive &= path[point + 1] > 0
    return path


def build(folder: Path, sessions: int, bettors: int) -> None:
    """A complete run folder of that size; its small frames come from a real run of two bettors and a few sessions."""
    unit = [{"name": name(k), "use": "flat", "on": "banker", "unit": 10} for k in range(bettors)]
    experiment = {
        "title": "A large run",
        "seed": 1,
        "bankroll": START,
        "sessions": 40,
        "rounds": ROUNDS,
        "bettor": unit,
    }
    bl.run(
        experiment | {"record": {"checkpoints": POINTS, "trajectories": SAMPLE}}, out=folder, report=False, workers=1
    )
    manifest = json.loads((folder / "manifest.json").read_text())
    marks = np.linspace(0, ROUNDS, POINTS + 1).round().astype(np.int64)
    finals: list[pl.DataFrame] = []
    written: dict[str, Any] = {}

    def distribution() -> Iterator[pl.DataFrame]:
        for k in range(bettors):
            path = walk(k, sessions // COPIES)
            for mark, bankrolls in zip(marks, path, strict=True):
                values, counts = np.unique(bankrolls, return_counts=True)
                rows = {
                    "cell": 0,
                    "bettor": name(k),
                    "round": int(mark),
                    "bankroll": values.astype(float),
                    "sessions": counts,
                }
                part = frame("distribution", rows)
                if mark == ROUNDS:
                    finals.append(part)
                yield part

    def rows() -> Iterator[pl.DataFrame]:
        for k in range(bettors):
            path = np.tile(walk(k, sessions // COPIES), COPIES)
            ruined = (path <= 0).any(axis=0)
            ended = np.where(ruined, marks[(path <= 0).argmax(axis=0)], ROUNDS)
            for first in range(0, sessions, 1 << 17):
                some = slice(first, first + (1 << 17))
                final = path[-1, some].astype(float)
                rounds = ended[some]
                yield frame("sessions", _session(k, first, final, rounds, ruined[some]))

    written["distribution"] = write_frame(folder, "distribution", distribution())
    written["sessions"] = write_frame(folder, "sessions", rows())
    cells = pl.read_parquet(folder / "cells.parquet").with_columns(sessions=pl.lit(sessions, pl.Int64))
    written["cells"] = write_frame(folder, "cells", [cells])
    table = pl.scan_parquet(folder / "sessions.parquet")
    groups = [Group(0, name(k), k * sessions, sessions, START, "table") for k in range(bettors)]
    summary = summarise(table, pl.concat(finals), groups)
    concluded = {
        "summary": summary,
        "comparisons": compare(table, groups, summary=summary, firsts={0: name(0)}),
        "endings": by_round(table, groups),
        "finals": by_final(table, groups),
    }
    for key, found in concluded.items():
        written[key] = write_frame(folder, key, [found], schema=found.schema)
    manifest["cells"][0]["sessions"] = sessions
    manifest["files"] |= {f"{key}.parquet": record.as_dict() for key, record in written.items()}
    (folder / "manifest.json").write_text(json.dumps(manifest))


def _session(k: int, first: int, final: np.ndarray, rounds: np.ndarray, ruined: np.ndarray) -> dict[str, Any]:
    zeros = np.zeros(len(final), dtype=np.int64)
    columns: dict[str, Any] = {}
    for key, kind in SCHEMAS["sessions"].items():
        columns[key] = zeros.astype(float) if kind == pl.Float64 else zeros
    columns |= {
        "cell": 0,
        "bettor": name(k),
        "session": np.arange(first, first + len(final)),
        "rounds": rounds,
        "bets": rounds,
        "staked": rounds * 10.0,
        "net": final - START,
        "expected": rounds * -0.1057905784,
        "final": final,
        "ended_by": np.where(ruined, "bust", "rounds"),
        "ended_round": rounds,
    }
    return columns


def many(root: Path, count: int) -> None:
    """Further small runs, copies of one."""
    first = root / "small-000"
    bettor = [{"name": name(k), "use": "flat", "on": "banker", "unit": 10} for k in range(10)]
    bl.run(
        {"title": "Small", "seed": 1, "bankroll": 500, "sessions": 50, "rounds": 50, "bettor": bettor},
        out=first,
        report=False,
    )
    for k in range(1, count):
        shutil.copytree(first, root / f"small-{k:03d}")


HOST = {"Host": "127.0.0.1:8050"}


def ask(client: Any, known: Any, given: dict[str, Any]) -> float:
    """The seconds that one callback takes to answer."""

    def filled(parts: Any) -> Any:
        return [part | {"value": given.get(f"{part['id']}.{part['property']}")} for part in parts]

    outputs = []
    for text in known["output"].strip(".").split("..."):
        key, _, prop = text.partition("@")[0].rpartition(".")
        outputs.append({"id": key, "property": prop})
    body = {
        "output": known["output"],
        "outputs": outputs if known["output"].startswith("..") else outputs[0],
        "inputs": filled(known["inputs"]),
        "state": filled(known["state"]),
        "changedPropIds": list(given),
    }
    begun = time.perf_counter()
    answer = client.post("/_dash-update-component", json=body, headers=HOST | {"Origin": "http://127.0.0.1:8050"})
    took = time.perf_counter() - begun
    assert answer.status_code in (200, 204), (known["output"], answer.text[:500])
    return took


REPEATS = 3


def answers(root: Path, cases: list[tuple[str, dict[str, Any]]]) -> dict[tuple[str, str], tuple[float, float]]:
    """Seconds of every callback in every case, by both: with nothing kept, and once more."""
    from bacclab.dashboard.app.context import Context
    from bacclab.dashboard.app.folder import RunsFolder
    from bacclab.dashboard.app.server import make_app

    context = Context(RunsFolder(root))
    context.warm()  # as the command does
    client = make_app(context).server.test_client()
    client.get("/", headers=HOST)
    callbacks = [c for c in client.get("/_dash-dependencies", headers=HOST).json if not c.get("clientside_function")]
    found = {}
    for words, state in cases:
        given = {"state.data": state, "scheme.data": "light"}
        for one in callbacks:
            if any(part["id"] == "state" for part in one["inputs"]):
                first = ask(client, one, given)
                found[words, one["output"]] = (first, ask(client, one, given))
    places = next(one for one in callbacks if "url.search" in one["output"])
    for words, search in (("an address", "?id=large&tab=one"), ("its sessions", "?id=large&tab=sessions")):
        given = {"url.pathname": "/run", "url.search": search}
        found[words, places["output"]] = (ask(client, places, given), ask(client, places, given))
    return found


def measure(root: Path, bettors: int) -> None:
    """Ask everything on every tab, some times over with nothing kept; print the longest answer of each case, at its
    best.
    """
    everyone = [name(k) for k in range(bettors)]
    base = {"view": "run", "run": "large", "status": "complete"}
    other = base | {"bettor": name(bettors // 2)}
    cases = [
        ("the list of runs", {"view": "runs"}),
        *((f"tab {tab}", base | {"tab": tab}) for tab in ("answer", "all", "one", "sessions", "comparison", "details")),
        ("another system", other | {"tab": "one"}),
        ("other bands", other | {"tab": "one", "middles": [50, 98]}),
        ("another horizon", other | {"tab": "one", "horizon": 500}),
        ("logarithmic", other | {"tab": "one", "log": True}),
        ("another session", other | {"tab": "sessions", "session": 7}),
        ("other systems", base | {"tab": "all", "bettors": everyone[12:24]}),
        ("all systems", base | {"tab": "all", "bettors": everyone}),
    ]
    runs = [answers(root, cases) for _ in range(REPEATS)]
    say(f"{'':22}{'longest, first':>16}{'again':>10}  of which")
    for words in dict.fromkeys(case for case, _ in runs[0]):
        best = {
            output: tuple(min(run[words, output][k] for run in runs) for k in (0, 1))
            for case, output in runs[0]
            if case == words
        }
        output, (first, _) = max(best.items(), key=lambda item: item[1][0])
        again = max(second for _, second in best.values())
        say(f"{words:22}{first * 1000:13.0f} ms{again * 1000:7.0f} ms  {output[:50].strip('.')}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sessions", type=int, default=1_000_000)
    options.add_argument("--bettors", type=int, default=40)
    options.add_argument("--runs", type=int, default=200)
    options.add_argument("--folder", type=Path, help="keep the runs there, and use those that are there")
    asked = options.parse_args()
    root = asked.folder or Path(tempfile.mkdtemp(prefix="bacclab-app-"))
    root.mkdir(exist_ok=True)
    try:
        if not (root / "large").exists():
            begun = time.perf_counter()
            build(root / "large", asked.sessions, asked.bettors)
            many(root, asked.runs - 1)
            say(f"built in {time.perf_counter() - begun:.0f} s")
        for file in sorted((root / "large").glob("*.parquet")):
            say(
                f"{file.name:22}{pl.scan_parquet(file).select(pl.len()).collect().item():>12,} rows "
                f"{file.stat().st_size / 1e6:8.1f} MB"
            )
        measure(root, asked.bettors)
    finally:
        if asked.folder is None:
            shutil.rmtree(root)


if __name__ == "__main__":
    main()
