"""A small run made by a simulation of its own: the frames that a page is drawn from, with the columns of a real run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

BANKER, PLAYER, TIE = 0.458597422633, 0.446246609344, 0.095155968024
EDGE = {"banker": -0.01057905784, "player": -0.01235081329, "tie": -0.1435962878}
START, MINIMUM = 1000.0, 10.0

PAIRS = pl.Schema(
    {
        "cell": pl.Int64, "bettor_a": pl.String, "bettor_b": pl.String,
        **dict.fromkeys(("mean_difference", "ci_low", "ci_high", "p_value", "p_adjusted"), pl.Float64),
        "verdict": pl.String, "sessions_needed": pl.Int64,
    }
)  # fmt: skip

Stake = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass
class SyntheticRun:
    """What a page needs of a run: frames and a manifest."""

    summary: pl.DataFrame
    sessions: pl.DataFrame
    distribution: pl.DataFrame
    trajectories: pl.DataFrame
    comparisons: pl.DataFrame
    cells: pl.DataFrame
    manifest: dict[str, Any] = field(default_factory=dict)


@dataclass
class System:
    """A bettor in numpy: the bet it is on, its stakes by level, and how the level moves on a win and on a loss."""

    name: str
    side: str
    stakes: tuple[float, ...]
    won: Callable[[np.ndarray, int], np.ndarray]
    lost: Callable[[np.ndarray, int], np.ndarray]
    stop_win: float = np.inf


def restart(level: np.ndarray, top: int) -> np.ndarray:
    return np.zeros_like(level)


def climb(level: np.ndarray, top: int) -> np.ndarray:
    return (level + 1) % top


def stay(level: np.ndarray, top: int) -> np.ndarray:
    return level


SYSTEMS = (
    System("Flat on Banker", "banker", (10.0,), stay, stay),
    System("Martingale <b>7</b> & steps", "player", tuple(10.0 * 2**k for k in range(7)), restart, climb),
    System("Paroli on Player", "player", (10.0, 20.0, 40.0), climb, restart),
    System("Flat on Tie", "tie", (50.0,), stay, stay),
    System("Grab 200 and go", "banker", tuple(20.0 * 2**k for k in range(5)), restart, climb, stop_win=200.0),
    System("Never bets", "banker", (0.0,), stay, stay),
)


def play(system: System, draws: np.ndarray, seed: int = 0) -> dict[str, np.ndarray]:
    """One system over all sessions; arrays by session, and the bankroll path."""
    count, rounds = draws.shape
    top = len(system.stakes)
    level, bank = np.zeros(count, np.int64), np.full(count, START)
    path = np.empty((count, rounds + 1))
    path[:, 0] = START
    stakes_path, alive = np.zeros((count, rounds)), np.ones(count, bool)
    ended_by = np.full(count, "rounds", object)
    ended_round = np.full(count, rounds)
    tally = {k: np.zeros(count) for k in ("bets", "wins", "losses", "pushes", "staked", "commission", "expected")}
    run_now, run_most = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for r in range(rounds):
        stake = np.where(alive, np.array(system.stakes)[level], 0.0)
        stake = np.minimum(stake, np.where(bank >= MINIMUM, bank, 0.0)) // 1
        laid = stake > 0
        draw = draws[:, r]
        banker, tie = draw < BANKER, draw >= BANKER + PLAYER
        if system.side == "tie":
            won, push, pay = tie, np.zeros(count, bool), 8.0
        else:
            won = banker if system.side == "banker" else ~banker & ~tie
            push, pay = tie, 0.95 if system.side == "banker" else 1.0
        lost = laid & ~won & ~push
        net = np.where(laid & won, stake * pay, 0.0) - np.where(lost, stake, 0.0)
        bank = bank + net
        for key, value in (("bets", laid), ("wins", laid & won), ("losses", lost), ("pushes", laid & push)):
            tally[key] += value
        tally["staked"] += stake
        tally["commission"] += np.where(laid & won, stake * 0.05, 0.0) if system.side == "banker" else 0.0
        tally["expected"] += stake * EDGE[system.side]
        run_now = np.where(lost, run_now + 1, np.where(laid & won, 0, run_now))
        run_most = np.maximum(run_most, run_now)
        level = np.where(laid & won, system.won(level, top), np.where(lost, system.lost(level, top), level))
        path[:, r + 1], stakes_path[:, r] = bank, stake
        for reason, hit in (("bust", bank < MINIMUM), ("stop_win", bank >= START + system.stop_win)):
            new = alive & hit
            ended_by[new], ended_round[new] = reason, r + 1
            alive &= ~new
    peak = np.maximum.accumulate(path, axis=1)
    return {
        **tally,
        "path": path,
        "stakes": stakes_path,
        "ended_by": ended_by,
        "ended_round": ended_round,
        "final": bank,
        "peak": path.max(1),
        "trough": path.min(1),
        "max_drawdown": (peak - path).max(1),
        "longest_losing_run": run_most,
        "longest_winning_run": run_most * 0,
        "largest_stake": stakes_path.max(1),
    }


def summary_row(cell: int, system: System, p: dict[str, np.ndarray], rounds: int) -> dict[str, Any]:
    """One row of the summary."""
    final, staked, net = p["final"], p["staked"].sum(), (p["final"] - START).sum()
    expected = p["expected"].sum()
    gap = (p["final"] - START) - p["expected"]
    se = gap.std(ddof=1) * np.sqrt(len(final))
    quantiles = np.quantile(final, [0.05, 0.25, 0.5, 0.75, 0.95])
    return {
        "cell": cell,
        "bettor": system.name,
        "sessions": len(final),
        "rounds": int(p["ended_round"].sum()),
        "bets": int(p["bets"].sum()),
        "decisions": int(p["wins"].sum() + p["losses"].sum()),
        "wins": int(p["wins"].sum()),
        "losses": int(p["losses"].sum()),
        "pushes": int(p["pushes"].sum()),
        "staked": staked,
        "commission": p["commission"].sum(),
        "net": net,
        "expected": expected,
        "return_on_stake": net / staked if staked else None,
        "se_return": se / staked if staked else None,
        "expected_return": expected / staked if staked else None,
        "z": float((net - expected) / se) if staked and se else None,
        "mean_final": final.mean(),
        "sd_final": final.std(ddof=1),
        **dict(zip(("q05", "q25", "median", "q75", "q95"), quantiles.tolist(), strict=True)),
        "ahead": float((final > START).mean()),
        "even": float((final == START).mean()),
        "behind": float((final < START).mean()),
        "bust": float((p["ended_by"] == "bust").mean()),
        **{
            f"ended_{how}": float((p["ended_by"] == how).mean())
            for how in ("rounds", "bust", "cannot_cover", "stop_win", "stop_loss", "bettor", "source", "limit")
        },
        "mean_max_drawdown": p["max_drawdown"].mean(),
        "median_longest_losing_run": float(np.median(p["longest_losing_run"])),
        "largest_stake": p["largest_stake"].max(),
        "refusals": 3 if "Martingale" in system.name else 0,
        "played_by": "table",
    }


def compare(cell: int, names: Sequence[str], finals: Sequence[np.ndarray]) -> list[dict[str, Any]]:
    """Every pair, with a verdict."""
    rows = []
    for i, a in enumerate(names[:-1]):
        differences = finals[i] - np.array(finals[i + 1 :])
        halves = (1.96 * differences.std(axis=1, ddof=1) / np.sqrt(differences.shape[1])).tolist()
        for b, mean, half in zip(names[i + 1 :], differences.mean(axis=1).tolist(), halves, strict=True):
            told = abs(mean) > half
            rows.append(
                {
                    "cell": cell,
                    "bettor_a": a,
                    "bettor_b": b,
                    "mean_difference": mean,
                    "ci_low": mean - half,
                    "ci_high": mean + half,
                    "p_value": 0.01 if told else 0.4,
                    "p_adjusted": 0.03 if told else 1.0,
                    "verdict": f"{a if mean > 0 else b} ends higher" if told else "cannot be told apart",
                    "sessions_needed": None if told else 123456,
                }
            )
    return rows


def make_run(
    *,
    systems: Sequence[System] = SYSTEMS,
    cells: int = 1,
    sessions: int = 1000,
    rounds: int = 200,
    checkpoints: int = 50,
    sample: int = 25,
    seed: int = 5,
    title: str = "Classic systems <script>alert(1)</script>",
) -> SyntheticRun:
    """A run of every system in every cell."""
    marks = np.unique(np.linspace(0, rounds, checkpoints + 1).round().astype(int))
    summary, session_frames, dist, tracks, comparisons = [], [], [], [], []
    for cell in range(cells):
        draws = np.random.default_rng(seed + cell).random((sessions, rounds))
        finals = []
        for system in systems:
            p = play(system, draws)
            finals.append(p["final"])
            summary.append(summary_row(cell, system, p, rounds))
            index = {
                "cell": np.full(sessions, cell),
                "bettor": np.full(sessions, system.name),
                "session": np.arange(sessions),
            }
            keep = (
                "bets",
                "wins",
                "losses",
                "pushes",
                "staked",
                "commission",
                "expected",
                "final",
                "peak",
                "trough",
                "max_drawdown",
                "longest_losing_run",
                "longest_winning_run",
                "largest_stake",
                "ended_by",
                "ended_round",
            )
            session_frames.append(
                pl.DataFrame(
                    {
                        **index,
                        "rounds": p["ended_round"],
                        "net": p["final"] - START,
                        **{k: p[k].astype(str) if k == "ended_by" else p[k] for k in keep},
                    }
                )
            )
            for mark in marks:
                value, count = np.unique(p["path"][:, mark], return_counts=True)
                dist.append(
                    pl.DataFrame(
                        {
                            "cell": np.full(len(value), cell),
                            "bettor": np.full(len(value), system.name),
                            "round": np.full(len(value), mark),
                            "bankroll": value,
                            "sessions": count,
                        }
                    )
                )
            for s in range(min(sample, sessions)):
                end = int(p["ended_round"][s])
                tracks.append(
                    pl.DataFrame(
                        {
                            "cell": np.full(end, cell),
                            "bettor": np.full(end, system.name),
                            "session": np.full(end, s),
                            "shoe": np.arange(end) // 80,
                            "round": np.arange(1, end + 1),
                            "outcome": ["banker"] * end,
                            "staked": p["stakes"][s, :end],
                            "net": np.diff(p["path"][s, : end + 1]),
                            "bankroll": p["path"][s, 1 : end + 1],
                        }
                    )
                )
        comparisons += compare(cell, [s.name for s in systems], finals)
    return SyntheticRun(
        summary=pl.DataFrame(summary, infer_schema_length=None).sort("cell", "bettor"),
        sessions=pl.concat(session_frames).sort("cell", "bettor", "session"),
        distribution=pl.concat(dist).sort("cell", "bettor", "round", "bankroll"),
        trajectories=pl.concat(tracks).sort("cell", "bettor", "session", "round"),
        comparisons=pl.DataFrame(comparisons, schema=PAIRS),
        cells=pl.DataFrame({"cell": range(cells), "label": [f"table.maximum = {200 * (c + 1)}" for c in range(cells)]}),
        manifest={"title": title, "seed": 20261129},
    )
