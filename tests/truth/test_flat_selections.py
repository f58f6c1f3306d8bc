"""Fifteen selections, bet flat on a record of shoes: what is bet, won, lost and pushed, counted by rules of this test's
own.

The conventions are those in which exact counts of selections on recorded shoes are published: histories begin anew with
each shoe and leave ties out; a bet that meets a tie is a push, and counts among the bets and in the amount bet.
"""

from __future__ import annotations

import json
import random
from itertools import groupby
from typing import TYPE_CHECKING

import polars as pl
import pytest

from bacclab.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OTHER = {"P": "B", "B": "P", "": ""}
COUNTED = ("bets", "wins", "losses", "pushes")


def depths(past: str) -> list[int]:
    return [len(list(run)) for _, run in groupby(past)]


def asked(past: str, side: str, back: int) -> str:
    """The colour that a derived road gets if a side wins next, by the depths of the columns with that win."""
    columns = depths(past + side)
    if columns[-1] == 1:
        if len(columns) < back + 2:
            return ""
        return "red" if columns[-2] == columns[-2 - back] else "blue"
    if len(columns) <= back:
        return ""
    return "blue" if columns[-1] == columns[-1 - back] + 1 else "red"


def red(*roads: int) -> Callable[[str], str]:
    """The side for which all these roads would be red."""

    def rule(past: str) -> str:
        return next((side for side in "BP" if past and all(asked(past, side, k) == "red" for k in roads)), "")

    return rule


def two_two(past: str) -> str:
    run = depths(past)[-1] if past else 0
    return past[-1] if run == 1 else OTHER[past[-1]] if run == 2 else ""


def majority(past: str) -> str:
    lead = past.count("B") - past.count("P")
    return "B" if lead > 0 else "P" if lead < 0 else ""


METHODS: dict[str, tuple[object, Callable[[str], str]]] = {
    "banker": ({"use": "always", "on": "banker"}, lambda _: "B"),
    "player": ({"use": "always", "on": "player"}, lambda _: "P"),
    "follow": ("follow-last", lambda past: past[-1:]),
    "oppose": ("opposite-last", lambda past: OTHER[past[-1:]]),
    "before": ("time-before-last", lambda past: past[-2] if len(past) > 1 else ""),
    "against": ("opposite-time-before-last", lambda past: OTHER[past[-2]] if len(past) > 1 else ""),
    "chop": ("chop", lambda past: past[-2] if len(past) > 1 and past[-1] != past[-2] else ""),
    "streak": ("streak", lambda past: past[-1] if past and depths(past)[-1] > 1 else ""),
    "two": ("two-two", two_two),
    "eye": ({"use": "derived-road", "road": "big-eye-boy"}, red(1)),
    "small": ({"use": "derived-road", "road": "small-road"}, red(2)),
    "pig": ({"use": "derived-road", "road": "cockroach-pig"}, red(3)),
    "three": ("three-roads", red(1, 2, 3)),
    "majority": ("majority-of-shoe", majority),
    "breaker": ("three-breaker", lambda past: OTHER[past[-1]] if past and depths(past)[-1] > 2 else ""),
}


def counts(rule: Callable[[str], str], shoes: list[str]) -> dict[str, int]:
    found = dict.fromkeys((*COUNTED, "banker_wins"), 0)
    for shoe in shoes:
        for before, letter in enumerate(shoe):
            side = rule(shoe[:before].replace("T", ""))
            if side:
                what = "pushes" if letter == "T" else "wins" if letter == side else "losses"
                found[what] += 1
                found["bets"] += 1
                found["banker_wins"] += what == "wins" and side == "B"
    return found


def test_by_hand() -> None:
    # B B T P B P: Banker wins 3 of 6, one push. Follow the last: no bet, B won, B pushed, B lost, P lost, B lost.
    # Big Eye Boy starts after B B P, beside the second row: red would be P (two deep beside two); it was B: lost. Then
    # columns 2 1 1: before P, equal depths of columns 2 and 3, red is the other side: P won.
    shoes = ["BBTPBP"]
    assert [counts(METHODS["banker"][1], shoes)[name] for name in COUNTED] == [6, 3, 2, 1]
    assert [counts(METHODS["follow"][1], shoes)[name] for name in COUNTED] == [5, 1, 3, 1]
    assert [counts(METHODS["eye"][1], shoes)[name] for name in COUNTED] == [2, 1, 1, 0]


@pytest.fixture(scope="module")
def shoes() -> list[str]:
    """Sixty shoes with streaks, chop, and ties at their beginnings and ends."""
    draw = random.Random(20250808)
    made = ["TT", "TBBTPBPT", "B", "PPPPPPPPPB"]
    for number in range(56):
        stay, shoe = (0.5, 0.75, 0.3, 0.5)[number % 4], draw.choice("BP")
        for _ in range(draw.randint(30, 75)):
            last = shoe.replace("T", "")[-1]
            shoe += "T" if draw.random() < 0.1 else last if draw.random() < stay else OTHER[last]
        made.append(shoe)
    return made


def test_counts_through_the_command_line(tmp_path: Path, shoes: list[str]) -> None:
    (tmp_path / "shoes.txt").write_text("\n".join(shoes) + "\n")
    bettors = "".join(
        f'[[bettor]]\nname = "{name}"\nselect = {inline(selection)}\nstake = {{ use = "flat", unit = 1 }}\n'
        for name, (selection, _) in METHODS.items()
    )
    (tmp_path / "e.toml").write_text(
        f"seed = 1\nbankroll = 100000\nsessions = 1\nshoes = {len(shoes)}\n"
        '[table]\nminimum = 1\n[source]\nuse = "recorded"\npath = "shoes.txt"\n' + bettors
    )
    assert main(["run", str(tmp_path / "e.toml"), "--out", str(tmp_path / "r"), "--no-report", "--quiet"]) == 0
    rows = {row["bettor"]: row for row in pl.read_parquet(tmp_path / "r" / "summary.parquet").iter_rows(named=True)}
    assert rows["banker"]["rounds"] == sum(map(len, shoes))
    for name, (_, rule) in METHODS.items():
        expected = counts(rule, shoes)
        assert {key: rows[name][key] for key in COUNTED} == {key: expected[key] for key in COUNTED}, name
        net = expected["wins"] - expected["losses"] - 0.05 * expected["banker_wins"]
        assert rows[name]["net"] == pytest.approx(net, abs=1e-9), name
        assert rows[name]["return_on_stake"] == pytest.approx(net / expected["bets"], abs=1e-12), (
            "pushes are in the action"
        )


def inline(selection: object) -> str:
    if isinstance(selection, dict):
        return "{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in selection.items()) + " }"
    return json.dumps(selection)
