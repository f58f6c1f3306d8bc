"""Throw damaged input at the readers: experiment files, recorded shoes, run folders.

    python tests/faults/fuzz.py config --minutes 10
    python tests/faults/fuzz.py records --minutes 10 --seed 7 --keep findings
    python tests/faults/fuzz.py runs --minutes 10

Each case is a good file with a few changes of bytes or of values. A reader must either read it or refuse it with a
BacclabError (exit code 0 or 2), in seconds, without much memory, and must write nothing outside its own folder. Prints
how many cases were read and refused, and each different fault once with its traceback; exits 1 if there was any. With
--keep the first case of every fault is kept, and the last case before a crash is in DIR/last.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import random
import shutil
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # this file is run as a script and loaded by its path

from fuzz_bounds import Hang, allowed, limit_memory, watch
from fuzz_damage import Damage

ROOT = Path(__file__).parents[2]


@dataclass(slots=True)
class Fuzz:
    """One target: `case` makes a damaged input in a folder and reads it; True if it was taken, False if refused."""

    name: str
    case: Callable[[Damage, Path], bool]
    counts: Counter[str] = field(default_factory=Counter)
    faults: dict[str, str] = field(default_factory=dict)

    def one(self, seed: str, folder: Path, *, keep: Path | None = None) -> None:
        """One case, by its seed, in an empty folder."""
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / "last").write_text(f"{self.name} {seed}\n")
        try:
            with allowed(folder):
                taken = self.case(Damage(random.Random(seed)), folder)
            self.counts["taken" if taken else "refused"] += 1
        except (Exception, Hang) as error:  # noqa: BLE001 - this is what is looked for
            self.counts["faults"] += 1
            what = f"{type(error).__name__} at {_place(error)}"
            if what not in self.faults:
                self.faults[what] = "".join(traceback.format_exception(error))
                print(f"fault, case {seed}: {what}: {str(error)[:1500]}", flush=True)  # noqa: T201
                if keep is not None:
                    shutil.copytree(folder, keep / f"{self.name}-{seed}", dirs_exist_ok=True)


def _place(error: BaseException) -> str:
    if isinstance(error, Unclean):
        return error.place
    own = [part for part in traceback.extract_tb(error.__traceback__) if "/bacclab/" in part.filename]
    return f"{Path(own[-1].filename).name}:{own[-1].lineno}" if own else "?"


class Unclean(Exception):
    """A command ended in another way than with 0 or 2."""

    def __init__(self, words: list[str], code: int, said: str) -> None:
        own = [line.strip() for line in said.splitlines() if "/bacclab/" in line and ", line " in line]
        last = own[-1].split("/bacclab/")[-1].replace('", line ', ":").partition(",")[0] if own else said[-100:]
        kind = said.strip().splitlines()[-1][:60] if said.strip() else ""
        super().__init__(f"{words[:2]} gave {code}: {said[-2500:]}")
        self.place = f"{last} {kind}"


def command(*words: str) -> bool:
    """A command in this process: True for exit code 0, False for 2; anything else raises."""
    from bacclab.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["--debug", *words])
    said = err.getvalue()
    if code not in (0, 2) or "internal fault" in said:
        raise Unclean(list(words), code, said)
    return code == 0


def config_target() -> Fuzz:
    """Experiment files: read, checked, and planned; never played."""
    from bacclab.errors import BacclabError
    from bacclab.tournament.experiment.toml_text import toml_text
    from bacclab.tournament.job import make_job
    from bacclab.tournament.plan import plan

    seeds = [path.read_bytes() for path in sorted((ROOT / "experiments").glob("*.toml"))]
    sides = [path for path in (ROOT / "experiments").iterdir() if path.suffix in (".csv", ".txt")]

    def case(damage: Damage, folder: Path) -> bool:
        data = damage.chance.choice(seeds)
        if damage.chance.random() < 0.5:
            data = damage.bytes(data, damage.chance.choice(seeds))
        else:
            with contextlib.suppress(Exception):  # not every nasty value can be written
                data = toml_text(damage.tree(tomllib.loads(data.decode()))).encode()
        for side in sides:
            shutil.copy(side, folder)
        if damage.chance.random() < 0.2:
            side = damage.chance.choice(sides)
            (folder / side.name).write_bytes(damage.bytes(side.read_bytes(), data))
        path = folder / "e.toml"
        path.write_bytes(data)
        try:
            job = make_job(path, None, None, (), None)
            planned = plan(job.experiment, job.loaded.registry)
            next(planned.blocks(), None)
        except BacclabError as error:
            _look_at(error)
            return False
        return True

    return Fuzz("config", case)


def _look_at(error: Exception) -> None:
    text = str(error)
    assert text
    assert len(text) < 4000, f"a message of {len(text)} characters: {text[:300]}"


RECORDS = (
    "BPPTBBPBPT\nPPBTBB\n",
    "Shoe 1: B P P T\nShoe 2: P,B,B\n",
    "shoe,round,winner,player_total,banker_total,player_pair,banker_pair\n1,1,Banker,3,7,0,0\n1,2,Tie,6,6,1,0\n2,1,P,9,2,0,1\n",
    "shoe,round,P1,B1,P2,B2,P3,B3,winner\n1,1,D.8,H.5,S.1,C.13,,,Player\n1,2,S.2,H.6,D.3,C.13,S.4,,Banker\n",
    "庄,闲,和\n庄,庄,闲\n",
    "1,2,3,1,1,2\n",
    ('{"shoe": 1, "round": 1, "winner": "banker", "player_total": 3, "banker_total": 7}\n{"shoe": 1, "round": 2, '
        '"winner": "tie"}\n'),
    '{"shoes": [{"id": "a", "rounds": ["B", "P", "T"]}, {"id": "b", "rounds": [{"winner": "B", "playerScore": 1}]}]}\n',
    ('[12:00:01] {"type": "baccarat.gameResult", "args": {"gameId": "g1", "history": [{"winner": "Banker", '
        '"playerScore": 0}]}}\n'),
    "0,0,1,0;0,1,2,0;0,2,3,0\n",
    "time;table;result\n2024-01-01 10:00;A;Player\n2024-01-01 10:01;A;Banker\n",
)  # fmt: skip


def records_target() -> Fuzz:
    """Recorded shoes: texts of every form and the own Parquet form, imported, checked and drawn as roads."""
    from bacclab.errors import BacclabError
    from bacclab.shoes.recorded.draft import Reading
    from bacclab.shoes.recorded.importer import FORMATS, read_record, record_of
    from bacclab.shoes.recorded.replay_codes import known_of

    seeds = [text.encode() for text in RECORDS] + [text.encode("utf-16") for text in RECORDS[:2]]
    own = [record_of(text, Reading(), name="n.txt") for text in seeds[:5]]

    def case(damage: Damage, folder: Path) -> bool:
        path = folder / "n.txt"
        reading: dict[str, Any] = {}
        if damage.chance.random() < 0.25:
            record = damage.chance.choice(own)
            if damage.chance.random() < 0.5:
                data = damage.bytes(record.to_bytes(), damage.chance.choice(seeds))
            else:
                facts = damage.tree(record.facts) if damage.chance.random() < 0.5 else record.facts
                data = _parquet(damage.frame(record.frame), facts, damage)
        else:
            data = damage.bytes(damage.chance.choice(seeds), damage.chance.choice(seeds))
            if damage.chance.random() < 0.3:
                reading["format"] = damage.chance.choice(FORMATS)
            if damage.chance.random() < 0.2:
                reading["shoes_in"] = damage.chance.choice(("lines", "columns", "file"))
            if damage.chance.random() < 0.1:
                reading["encoding"] = damage.chance.choice(
                    ("utf-16", "gb18030", "rot13", "zip", "idna", "utf-7", "undefined")
                )
        path.write_bytes(data)
        way = damage.chance.randrange(5)
        if way == 0:
            return command("shoes", "check", str(path))
        if way == 1:
            return command("shoes", "import", str(path), "-o", str(folder / "out.parquet"))
        if way == 2:
            return command("roads", str(path))
        try:
            record = read_record(path, Reading(**reading))
        except BacclabError as error:
            _look_at(error)
            return False
        assert known_of(record.frame)
        assert all(shoe.letters is not None for shoe in record.shoes())
        if way == 3:
            (folder / "e.toml").write_text(
                'bankroll = 1000\nrounds = 20\n[source]\nuse = "recorded"\npath = "n.txt"\n[[bettor]]\nuse = '
                '"flat"\non = "banker"\nunit = 10\n'
            )
            return command(
                "run", str(folder / "e.toml"), "--out", str(folder / "run"), "--no-report", "--workers", "1", "--quiet"
            )
        return True

    return Fuzz("records", case)


def _parquet(rows: Any, facts: Any, damage: Damage) -> bytes:
    told = {"version": 1, "facts": facts, "findings": [[1, 1, 1, "winner", "x"]]}
    if damage.chance.random() < 0.5:
        told = damage.tree(told)
    buffer = io.BytesIO()
    rows.write_parquet(buffer, metadata={"bacclab.record": json.dumps(told)})
    return buffer.getvalue()


def runs_target() -> Fuzz:
    """Run folders: listed, shown, drawn, exported, asked, compared, and looked at by the app."""
    base = Path(tempfile.mkdtemp(prefix="bacclab-fuzz-"))
    whole = _good_run(base / "good")

    def case(damage: Damage, folder: Path) -> bool:
        run = folder / "runs" / "r"
        shutil.copytree(whole, run)
        _damage_run(damage, run)
        return _READERS[damage.chance.randrange(len(_READERS))](run, folder, whole)

    return Fuzz("runs", case)


def _good_run(path: Path) -> Path:
    import bacclab as bl

    bettors = [
        {"name": "Flat", "use": "flat", "on": "banker", "unit": 10},
        {
            "name": "Steps",
            "select": "follow-last",
            "stake": {"use": "martingale", "unit": 10, "steps": 5},
            "when_refused": "reset",
        },
    ]
    experiment = {
        "title": "Fuzz", "seed": 3, "bankroll": 200, "sessions": 40, "rounds": 30, "bettor": bettors,
        "sweep": {"table.maximum": [50, 200]}, "record": {"checkpoints": 5, "trajectories": 3},
    }  # fmt: skip
    return bl.run(experiment, out=path, report=False, workers=1).path


def _damage_run(damage: Damage, run: Path) -> None:
    import polars as pl

    manifest = json.loads((run / "manifest.json").read_text())
    way = damage.chance.random()
    if way < 0.35:
        part = damage.chance.choice(
            ("", "cells", "files", "experiment", "tables", "timing", "plugins", "versions", "warnings")
        )
        if part:
            manifest[part] = damage.tree(manifest[part])
        else:
            manifest = damage.tree(manifest)
        (run / "manifest.json").write_text(json.dumps(manifest))
    elif way < 0.45:
        path = run / "manifest.json"
        path.write_bytes(damage.bytes(path.read_bytes(), b""))
    else:
        name = damage.chance.choice(sorted(manifest["files"]))
        path = run / name
        if way < 0.85:
            rows = damage.frame(pl.read_parquet(path))
            rows.write_parquet(path)
            height = rows.height
        else:
            height = manifest["files"][name]["rows"]
            path.write_bytes(damage.bytes(path.read_bytes(), b""))
        if damage.chance.random() < 0.9:
            data = path.read_bytes()
            manifest["files"][name] = {"rows": height, "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            (run / "manifest.json").write_text(json.dumps(manifest))


def _app(run: Path, folder: Path, whole: Path) -> bool:
    from bacclab.dashboard.app.folder import RunsFolder
    from bacclab.dashboard.app.frames import Runs
    from bacclab.dashboard.words import answer as said
    from bacclab.dashboard.words import rules
    from bacclab.errors import BacclabError
    from bacclab.tournament.folder.doubts import doubting

    del folder, whole
    root = RunsFolder(run.parent)
    entries = root.entries()
    try:
        look = Runs(root).open(entries[0].id) if entries and entries[0].state == "complete" else None
        if look is None:
            return False
        with doubting(look.run):
            for cell in look.cells:
                for bettor in look.bettors(cell):
                    look.pairs(look.slice(cell=cell, bettor=bettor))
            said.answer(look)
            rules.sentence(look)
    except BacclabError:
        return False
    return True


def _python(run: Path, folder: Path, whole: Path) -> bool:
    import bacclab as bl
    from bacclab.errors import BacclabError

    del folder, whole
    try:
        found = bl.load_run(run)
        found._repr_html_()
        found.warnings  # noqa: B018 - it is worked out
        return all(found._read(name) is not None for name in found.frames)
    except BacclabError as error:
        _look_at(error)
        return False


_READERS: tuple[Callable[[Path, Path, Path], bool], ...] = (
    lambda run, _f, _w: command("show", str(run)),
    lambda run, _f, _w: command("show", str(run), "--json"),
    lambda run, _f, _w: command("show", str(run), "--metric", "all"),
    lambda run, _f, _w: command("runs", str(run.parent)),
    lambda run, _f, _w: command("runs", str(run.parent), "--json"),
    lambda run, folder, _w: command("report", str(run), "-o", str(folder / "page.html")),
    lambda run, folder, _w: command("export", str(run), "--to", "csv", "-o", str(folder / "out")),
    lambda run, folder, _w: command("export", str(run), "--to", "json", "-o", str(folder / "out")),
    lambda run, folder, _w: command("export", str(run), "--to", "parquet", "-o", str(folder / "out")),
    lambda run, _f, _w: command("query", "select bettor, median from summary order by median", str(run)),
    lambda run, _f,
    whole: command("query", "select run, sum(net) from sessions group by run", str(run), str(whole), "--csv"),
    lambda run, _f, whole: command("compare", str(run), str(whole)),
    lambda run, _f, whole: command("compare", str(whole), str(run), "--json"),
    _app,
    _python,
)  # fmt: skip

TARGETS = {"config": config_target, "records": records_target, "runs": runs_target}


def main() -> int:
    """Fuzz one target for some minutes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", default="1", help="another seed gives other cases")
    parser.add_argument("--only", help="play one case again, by its name")
    parser.add_argument("--keep", type=Path, help="where cases with faults are kept")
    asked = parser.parse_args()
    os.environ["BACCLAB_LOAD_PLUGINS"] = ""
    target = TARGETS[asked.target]()
    limit_memory()
    sys.addaudithook(watch)
    end, number = time.monotonic() + 60 * asked.minutes, 0
    while time.monotonic() < end:
        case = asked.only or f"{asked.seed}-{number}"
        with tempfile.TemporaryDirectory(prefix="bacclab-fuzz-") as folder:
            target.one(case, Path(folder), keep=asked.keep)
        number += 1
        if asked.only:
            break
    for text in target.faults.values():
        print(text)  # noqa: T201
    told = ", ".join(f"{count:,} {what}" for what, count in sorted(target.counts.items()))
    print(f"{target.name}: {number:,} cases: {told}; {len(target.faults)} different faults")  # noqa: T201
    return 1 if target.faults else 0


if __name__ == "__main__":
    sys.exit(main())
