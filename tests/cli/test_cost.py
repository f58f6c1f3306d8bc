"""`bacclab cost` as typed."""

from __future__ import annotations

import pytest

COMMANDS = ["hour", "comps", "bonus", "rebate", "last-round"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help(call, command):
    called = call("cost", command, "--help")
    assert called.code == 0
    assert f"Example: bacclab cost {command}" in " ".join(called.out.split())
    assert "--json" in called.out


def test_the_group_lists_its_commands(call):
    out = call("cost", "--help").out
    assert all(f"  {command} " in out for command in COMMANDS)


def test_hours_side_by_side(call):
    words = ["cost", "hour", "--table", "commission", "--table", "ez", "--table", "no-commission", "--stake", 25]
    facts = call(*words, "--json").json
    assert [round(row["hour"]["loss"], 2) for row in facts["bets"]] == [19.04, 18.33, 26.25]
    assert facts["bets"][0]["trip"]["loss"] == pytest.approx(76.17, abs=6e-3)
    assert facts["bets"][0]["trip"]["rounds"] == 288
    out = call(*words).out
    assert "An hour of 72 rounds" in out
    assert "4 hours, 288 rounds" in out
    assert "26.25" in out
    single = call("cost", "hour", "--bet", "player", "--bet", "tie", "--hours", 1, "--json").json
    assert [round(row["hour"]["loss"], 2) for row in single["bets"]] == [22.23, 258.47]


def test_comps(call):
    words = ["cost", "comps", "--stake", 25, "--hours", 4, "--rated-pace", 60, "--rated-edge", "1%", "--return", "40%"]
    facts = call(*words, "--json").json
    assert facts["rated_loss"] == pytest.approx(60)
    assert facts["comps"] == pytest.approx(24)
    assert facts["cost"] == pytest.approx(76.169 - 24, abs=1e-3)
    lines = [" ".join(line.split()) for line in call(*words).out.splitlines()]
    assert "comps (40 % of the rated loss) 24.00" in lines
    assert "mean loss less comps 52.17" in lines


def test_bonus(call):
    facts = call("cost", "bonus", "--bonus", 100, "--requirement", "30x", "--stake", 10, "--json").json
    assert facts["requirement"] == 3000
    (play,) = facts["plays"]
    assert play["formula"] == pytest.approx(68.26, abs=6e-3)
    assert play["rounds"] == 300
    words = ["cost", "bonus", "--bonus", 100, "--requirement", 3000, "--bet", "tie"]
    out = call(*words).out
    assert "worth -330.79" in out
    assert len(call(*words, "--json").json["plays"]) == 6


def test_rebate(call):
    words = ["cost", "rebate", "--bet", "player", "--stake", 1, "--rebate", "20%", "--rounds", 100]
    facts = call(*words, "--json").json
    assert facts["fixed"][0]["break_even"] == pytest.approx(0.278, abs=6e-4)
    assert (facts["stops"]["loss"], facts["stops"]["win"]) == (4, 4)
    assert "stop with 4.00 or more lost, or 4.00 or more won" in call(*words).out
    assert "not worth a single round" in call("cost", "rebate", "--rebate", "1%").out
    assert "no edge for the house" in call("cost", "rebate", "--set", "commission=0").out
    assert "play on until ahead" in call("cost", "rebate", "--rebate", "100%").out


def test_last_round(call):
    words = ["cost", "last-round", "--me", 950, "--before", "1000:banker=300", "--minimum", 100, "--maximum", 300]
    facts = call(*words, "--json").json
    assert facts["choices"][0]["bet"] == "tie"
    assert facts["choices"][0]["chance"] == pytest.approx(0.446246609 + 0.095155968, abs=1e-9)
    assert "Best: tie 100.00" in call(*words).out
    out = call("cost", "last-round", "--me", 1050, "--after", 1000, "--minimum", 50, "--maximum", 500).out
    assert "Best: no bet, 54.14 %." in out
    assert "answer of the player with 1,000.00" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hour", "--pace", "0"], "must be above 0"),
        (["hour", "--bet", "bankr"], "did you mean banker?"),
        (["comps", "--return", "30"], "write 30% or 0.3"),
        (["bonus", "--bonus", "100"], "--requirement"),
        (["bonus", "--bonus", "100", "--requirement", "many"], "is not a sum of money"),
        (["bonus", "--bonus", "100", "--requirement", "3000", "--stake", "500"], "does not cover one bet"),
        (["bonus", "--bonus", "0.10", "--requirement", "3000"], "no round stake fits"),
        (["bonus", "--bonus", "100", "--requirement", "3000", "--bet", "banker+tie"], "give --stake"),
        (["bonus", "--bonus", "100", "--requirement", "3000", "--counts", "0"], "must count"),
        (["rebate", "--rebate", "20"], "write 20% or 0.2"),
        (["last-round", "--me", "900"], "needs other players"),
        (["last-round", "--me", "900", "--before", "1000"], "the bet must be given"),
        (["last-round", "--me", "900", "--before", "1000:banker"], "the stake is missing"),
        (["last-round", "--me", "9000", "--after", "9000", "--after", "8000"], "too many to go through"),
    ],
)
def test_mistakes(call, words, said):
    called = call("cost", *words)
    assert called.code == 2
    assert called.out == ""
    assert said in called.err
    assert len(called.err.splitlines()) <= 2
