"""Bettors that follow others of the same experiment: from the file, in a run, and what is wrong with a circle."""

from __future__ import annotations

import re

import polars as pl
import pytest

from bacclab.errors import BacclabError
from bacclab.plugins.loader import load_plugins
from bacclab.runs import run
from bacclab.tournament.experiment.config import load_config
from bacclab.tournament.plan import plan

FLAT = {"use": "flat", "unit": 10}


def experiment(*bettors, **more):
    basis = {"seed": 4, "bankroll": 100_000, "sessions": 6, "rounds": 150, "table": {"maximum": "none"}}
    return {**basis, "record": {"trajectories": 6}, "bettor": list(bettors), **more}


LEADER = {"name": "Leader", "select": "opposite-last", "stake": {"use": "martingale", "unit": 10}}
ROADS = {"name": "Roads", "select": "three-roads", "stake": FLAT}
SHADOW = {"name": "Shadow", "select": {"use": "copy", "of": "Leader"}, "stake": FLAT}
RIVAL = {"name": "Rival", "select": {"use": "oppose", "of": "Leader"}, "stake": FLAT}
CROWD = {"name": "Crowd", "select": {"use": "oppose", "of": ["Roads", "Leader", "Shadow"]}, "stake": FLAT}


def bets_of(played, name) -> list[str]:
    words = played.trajectories.filter(pl.col("bettor") == name)["bets"]
    return [bets.split()[0] if bets else "-" for bets in words]


def test_a_shadow_bets_as_its_leader_and_a_rival_against_it(tmp_path):
    played = run(experiment(LEADER, SHADOW, RIVAL), out=tmp_path / "run", report=False, workers=1)
    own = bets_of(played, "Leader")
    assert len(own) == 6 * 150
    assert {"banker", "player"} < set(own)
    assert bets_of(played, "Shadow") == own
    other = {"banker": "player", "player": "banker"}
    assert bets_of(played, "Rival") == [other.get(bet, bet) for bet in own]
    assert set(played.summary["played_by"]) == {"table"}


def test_a_follower_does_not_depend_on_who_else_plays(tmp_path):
    few = run(experiment(LEADER, ROADS, SHADOW, CROWD), out=tmp_path / "few", report=False, workers=1)
    more = experiment(CROWD, RIVAL, SHADOW, ROADS, LEADER, {"name": "A", **FLAT})
    many = run(more, out=tmp_path / "many", report=False, workers=2)
    assert bets_of(few, "Crowd") == bets_of(many, "Crowd")
    assert dict(few.summary.select("bettor", "played_by").iter_rows())["Crowd"] == "lanes"


def test_the_worst_of_several_is_told_from_their_own_bets(tmp_path):
    """Each round again by hand: bets won less bets lost of every leader, and the side against the lowest."""
    away = {"name": "Away", "select": {"use": "oppose", "of": ["One", "Two"]}, "stake": FLAT}
    one = {"name": "One", "select": "follow-last", "stake": FLAT}
    two = {"name": "Two", "select": "time-before-last", "stake": FLAT}
    played = run(experiment(away, one, two, sessions=3), out=tmp_path / "run", report=False, workers=1)
    told, seen = [], []
    for session in range(3):
        score = {"One": 0, "Two": 0}
        rows = {
            name: played.trajectories.filter((pl.col("bettor") == name) & (pl.col("session") == session)).to_dicts()
            for name in ("Away", "One", "Two")
        }
        for r in range(150):
            worst = min(("One", "Two"), key=score.__getitem__)
            side = rows[worst][r]["bets"].split()[0] if rows[worst][r]["bets"] else "-"
            told.append({"banker": "player", "player": "banker"}.get(side, side))
            seen.append(rows["Away"][r]["bets"].split()[0] if rows["Away"][r]["bets"] else "-")
            for name in score:
                net = rows[name][r]["net"]
                score[name] += (net > 0) - (net < 0)
    assert seen == told


def test_a_follower_of_a_counter_sees_the_cards(tmp_path):
    counter = {"name": "Counter", "use": "main-count", "banker_from": 1, "player_from": -1}
    shadow = {"name": "Shadow", "select": {"use": "copy", "of": "Counter"}, "stake": FLAT}
    played = run(experiment(counter, shadow), out=tmp_path / "run", report=False, workers=1)
    assert bets_of(played, "Shadow") == bets_of(played, "Counter")
    assert set(played.summary["expected_on"]) == {"cards left"}


@pytest.mark.parametrize(
    ("bettors", "said"),
    [
        ([SHADOW], r"bettor 'Shadow': select: of = 'Leader': the experiment has no such bettor"),
        ([LEADER, {**SHADOW, "select": {"use": "copy", "of": "Leadr"}}], r"did you mean Leader"),
        ([{**SHADOW, "select": {"use": "copy", "of": "Shadow"}}], r"in a circle: Shadow, Shadow"),
        (
            [
                {**SHADOW, "select": {"use": "copy", "of": "Rival"}},
                {**RIVAL, "select": {"use": "oppose", "of": "Shadow"}},
            ],
            r"in a circle: Shadow, Rival, Shadow",
        ),
        ([{**SHADOW, "select": "copy"}], r"of = 'Another bettor': the experiment has no such bettor .*without = "),
        ([LEADER, {**SHADOW, "select": {"use": "copy", "of": []}}], r"needs the name of the bettor that is followed"),
        ([LEADER, {**SHADOW, "select": {"use": "copy", "off": "Leader"}}], r"did you mean of"),
    ],
)
def test_who_cannot_be_followed(bettors, said):
    with pytest.raises(BacclabError) as error:
        plan(load_config(experiment(*bettors)), load_plugins().registry)
    assert re.search(said, f"{error.value.message} ({error.value.hint})")
