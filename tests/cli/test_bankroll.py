"""`bacclab bankroll` as typed."""

from __future__ import annotations

import pytest


def test_bankroll_for_a_risk(call):
    words = ["bankroll", "--table", "commission", "--bet", "player", "--unit", 25, "--risk", "5%", "--rounds", 500]
    called = call(*words)
    assert called.code == 0
    assert "player at table commission, 25.00 a round: house edge 1.2351 %" in called.out
    assert "1,175.00" in called.out
    assert "so none is enough" in called.out
    facts = call(*words, "--json").json
    limited, unlimited = facts["bankrolls"]
    assert (limited["bets"], limited["bankroll"], limited["rounds"]) == (47, 1175, 500)
    assert limited["ruin"] == pytest.approx(0.0498, abs=5e-5)
    assert unlimited["bets"] is None
    assert unlimited["least_ruin"] == 1
    assert facts["edge"] == pytest.approx(0.01235081, abs=5e-9)
    assert facts["kelly"] == {"fraction": 0, "raw": pytest.approx(-0.01235081, abs=5e-9)}


def test_all_defaults(call):
    facts = call("bankroll", "--json").json
    assert [row["rounds"] for row in facts["bankrolls"]] == [100, 500, 1000, None]
    assert {row["risk"] for row in facts["bankrolls"]} == {0.05}


def test_an_edge_for_the_player(call):
    words = ["bankroll", "--set", "commission=0", "--risk", "1%"]
    unlimited = call(*words, "--json").json["bankrolls"][-1]
    assert (unlimited["bets"], unlimited["rounds"]) == (169, None)
    out = call(*words).out
    assert "edge for the player 1.2351 %" in out
    assert "Kelly fraction: 1.36 %" in out


def test_four_kinds_of_ruin(call):
    words = ["bankroll", "--bankroll", 20, "--goal", 20, "--rounds", 500]
    called = call(*words)
    assert called.code == 0
    rows = call(*words, "--json").json["endings"]
    assert [(row["rounds"], row["goal"]) for row in rows] == [(500, None), (500, 20), (None, None), (None, 20)]
    assert rows[2]["bust"] == 1
    assert rows[3]["reached"] == pytest.approx(0.368510, abs=5e-7)
    assert rows[3]["mean_rounds"] == pytest.approx(451.86, abs=5e-3)
    for row in rows:
        assert sum(row[key] for key in ("bust", "reached", "ahead", "even", "behind")) == pytest.approx(1, abs=1e-12)
    assert "36.85 %" in called.out
    assert "451.9" in called.out


def test_two_way_table(call):
    words = ["bankroll", "--bet", "player", "--bankroll", 10, "--bankroll", 20, "--goal", 10, "--goal", 20]
    out = call(*words).out
    table = out.partition("Chance to reach a goal before bust, unlimited")[2].splitlines()
    assert table[2].split() == ["10.00", "43.22", "%", "24.75", "%"]
    assert table[3].split() == ["20.00", "57.27", "%", "36.68", "%"]
    rows = call(*words, "--json").json["endings"]
    assert len(rows) == 6


def test_a_goal_out_of_reach(call):
    out = call("bankroll", "--goal", 20, "--risk", "10%").out
    assert "the goal of 20.00 is still missed with a chance of 39.49 %" in out


def test_bets_laid_together(call):
    facts = call("bankroll", "--bet", "banker+tie=5", "--unit", 10, "--json").json
    assert facts["stake"] == 15
    assert facts["edge"] == pytest.approx((10 * 0.01057906 + 5 * 0.14359629) / 15, abs=1e-8)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bet", "bankr"], "did you mean banker?"),
        (["--table", "comission"], "did you mean commission?"),
        (["--risk", "5"], "--risk 5 is no share"),
        (["--risk", "lots"], "write 5% or 0.05"),
        (["--unit", "ten"], "--unit: 'ten' is not a sum of money"),
        (["--bankroll", "0.5"], "does not cover one bet of 1.00"),
        (["--bankroll", "10", "--goal", "-5"], "a goal must be above 0"),
        (["--rounds", "0"], "--rounds must be at least 1"),
        (["--rounds", "1000000000"], "rounds can be done"),
        (["--table", "no-commission", "--bet", "player_pair"], "only beside a main bet"),
        (["--set", "comission=4%"], "did you mean commission?"),
        (["--set", "maximum=10", "--unit", "25"], "takes 1.00 to 10.00"),
    ],
)
def test_mistakes(call, words, said):
    called = call("bankroll", *words)
    assert called.code == 2
    assert called.out == ""
    assert said in called.err
    assert len(called.err.splitlines()) <= 2
