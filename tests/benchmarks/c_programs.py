"""The C programs in the folder c, for benchmarks and for the test that they do bacclab's work: compiled, timed, played.

Each deals sessions and lets bettors play them, see c/tournament.h; without bettors it is a dealer.
"""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SOURCES = {"plain C": "tournament_plain.c", "scalar C": "tournament_scalar.c", "vector C": "tournament_vectors.c"}
"""Plainly written; the same session by session, but without branches on cards and results; with vector instructions."""

TILE = 64
"""The number of sessions must be a multiple of this."""

FIGURES = (
    "final", "peak", "trough", "max_drawdown", "wins", "losses", "pushes", "staked", "largest_stake",
    "longest_winning_run", "longest_losing_run",
)  # fmt: skip
"""What is kept of a session, under the names of bacclab's ledger, in the order of the programs."""

EVERY = 5
"""The bankroll is kept at every fifth round."""

START = 2**40
UNIT = 100_000
"""The bankroll at the start and the first bet, in ten-thousandths."""


@dataclass(frozen=True, slots=True)
class Work:
    """The rounds of sessions and what bettors came to on them.

    ``codes`` is (sessions × width), ``figures`` (bettors × sessions × FIGURES), ``bankrolls`` (bettors × sessions ×
    records).
    """

    codes: NDArray[np.uint16]
    figures: NDArray[np.int64]
    bankrolls: NDArray[np.int64]


def compiler() -> str | None:
    """A C compiler, if there is one."""
    return shutil.which("gcc") or shutil.which("cc")


def compiled(folder: Path) -> dict[str, Path]:
    """The programs by name, compiled into a folder; none without a compiler."""
    found = compiler()
    if found is None:
        return {}
    programs = {}
    for name, source in SOURCES.items():
        programs[name] = folder / Path(source).stem
        path = Path(__file__).parent / "c" / source
        subprocess.run([found, "-O3", "-march=native", "-o", programs[name], path], check=True)
    return programs


def times(program: Path, sessions: int, width: int, *, repeats: int, steps: tuple[int, ...] = ()) -> list[float]:
    """Nanoseconds of CPU time a round of each repeat, after a first one that touches the memory.

    Each of ``steps`` is a bettor on Player that doubles after a loss, up to so many bets in a row; without any, rounds
    are only dealt.
    """
    asked = [program, *map(str, (sessions, width, repeats + 1)), "-", "-", *map(str, steps)]
    run = subprocess.run(asked, check=True, capture_output=True, text=True)
    return [float(line) for line in run.stdout.split()][1:]


def played(
    program: Path, sessions: int, width: int, *, steps: tuple[int, ...], codes: NDArray[np.uint16] | None = None
) -> Work:
    """What a program comes to, on given rounds or on rounds that it deals."""
    given, out = program.with_suffix(".codes"), program.with_suffix(".out")
    if codes is not None:
        np.ascontiguousarray(codes, dtype=np.uint16).tofile(given)
    asked = [program, *map(str, (sessions, width, 1)), given if codes is not None else "-", out, *map(str, steps)]
    subprocess.run(asked, check=True, capture_output=True)
    content = out.read_bytes()
    out.unlink()
    rounds, figures = sessions * width, len(steps) * sessions * len(FIGURES)
    numbers = np.frombuffer(content, dtype=np.int64, offset=rounds * 2)
    return Work(
        codes=np.frombuffer(content, dtype=np.uint16, count=rounds).reshape(sessions, width),
        figures=numbers[:figures].reshape(len(steps), sessions, len(FIGURES)),
        bankrolls=numbers[figures:].reshape(len(steps), sessions, width // EVERY),
    )
