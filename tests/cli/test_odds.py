"""`bacclab odds` as a user calls it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest


def lines_of(called):
    assert called.code == 0, called.err
    return called.out.splitlines()


def test_a_table(call):
    lines = lines_of(call("odds", "--table", "no-commission"))
    assert lines[0] == "no-commission: No commission, Banker wins with 6 pay half"
    assert lines[1] == "8 decks, 416 cards"
    assert lines[2] == "Player 44.6247 %, Banker 45.8597 %, Tie 9.5156 %; 4.9388 cards a round"
    banker = next(line for line in lines if line.startswith("banker")).split()
    assert " ".join(banker) == "banker 45.8597 % 9.5156 % 44.6247 % 1.4581 % 1.6114 % 0.9296 4,065"
    assert any(line.split()[:4] == ["banker", "six", "1:2", "+0.5"] for line in lines)


def test_commission_is_the_table_unless_named(call):
    assert lines_of(call("odds"))[0].startswith("commission: ")


def test_every_bet_on_one_table(call):
    lines = lines_of(call("odds", "--table", "commission-all-bets"))
    assert any(line.startswith("egalite_7 ") and "6.3899 %" in line for line in lines)
    assert len(lines) > 150


def test_bets_that_the_table_does_not_offer(call):
    lines = lines_of(call("odds", "--bet", "dragon_7", "--bet", "lucky_6:las-vegas"))
    assert [line.split()[0] for line in lines[5:7]] == ["dragon_7", "lucky_6"]
    assert "7.6113 %" in lines[5]
    assert "11.6985 %" in lines[6]


def test_cards_that_are_gone(call):
    lines = lines_of(call("odds", "--without", "8 8 9 K", "--bet", "banker"))
    assert lines[1].startswith("8 decks, 412 cards left: A 32,")
    assert "8 30, 9 31, 10 32" in lines[1]
    same = call("odds", "--bet", "banker", "--composition", "32,32,32,32,32,32,32,30,31,32,32,32,31")
    assert same.out == call("odds", "--without", "8 8 9 K", "--bet", "banker").out


def test_a_composition_with_suits(call):
    full = ",".join(["8"] * 52)
    assert call("odds", "--composition", full).out == call("odds").out


def test_effects_and_covariance(call):
    lines = lines_of(call("odds", "--effects", "--covariance"))
    four = next(line for line in lines if line.startswith("4 ")).split()
    assert four == ["4", "32", "+0.01157", "-0.01195", "-0.02924", "0", "0"]
    start = next(k for k, line in enumerate(lines) if line.startswith("Covariance"))
    assert lines[start + 2].split() == ["banker", "0.860019", "-0.882045", "0.009060", "0.099166", "-0.105205"]
    many = lines_of(call("odds", "--table", "commission-side-bets", "--effects"))
    assert any(line.split()[:2] == ["dragon_7", "+0.04981"] for line in many)


def test_a_fair_bet_has_an_edge_of_nothing_without_a_sign(call):
    words = ("odds", "--composition", "0,0,0,0,0,0,10,0,0,0,0,0,0", "--effects", "--covariance")  # seven to seven
    called = call(*words, "--json")
    assert {row["bet"]: row["edge"] for row in called.json["bets"]}["banker"] == 0
    for text in (called.out, call(*words).out):
        assert not re.search(r"-0(\.0*)?(?![.\d])", text)


def test_edge_at_a_stake(call):
    lines = lines_of(call("odds", "--table", "commission-quarters", "--stake", "7", "--bet", "banker"))
    assert lines[4].endswith("edge at 7.00")
    assert lines[5].endswith("2.0406 %")


def test_json(call):
    answer = call("odds", "--table", "ez", "--decks", "6", "--effects", "--covariance", "--stake", "10", "--json").json
    assert answer["table"] == "ez"
    assert (answer["decks"], answer["cards"], answer["composition"]) == (6, 312, [24] * 13)
    assert [row["bet"] for row in answer["bets"]] == ["banker", "player", "tie", "dragon_7", "panda_8"]
    assert answer["outcomes"]["tie"] == pytest.approx(0.095068711336, abs=1e-12)
    assert {row["stake"] for row in answer["bets"]} == {10.0}
    assert answer["effects"][0]["rank"] == "A"
    assert answer["covariance"][0]["banker"] == pytest.approx(answer["bets"][0]["variance"])
    assert (
        sum(row["sequences"] for row in answer["results"] if row["bet"] == "tie") == 312 * 311 * 310 * 309 * 308 * 307
    )
    bare = call("odds", "--json").json
    assert "effects" not in bare
    assert "covariance" not in bare


@pytest.mark.parametrize(
    ("words", "said", "hint"),
    [
        (["--without", "Z"], "there is no card 'Z'", "write A, 2 to 10, J, Q, K"),
        (["--decks", "1", "--without", "8,8,8,8,8"], "5 cards of rank 8 cannot be gone: the shoe holds 4", ""),
        (["--composition", "6,0,0,0,0,0,0,0,0,0,0,0,0", "--without", "A"], "5 cards are left", "a round may need 6"),
        (["--composition", "5,0,0,0,0,0,0,0,0,0,0,0,0"], "a shoe of 5 cards", ""),
        (["--composition", "1,2,3"], "--composition has 3 counts", "13 are wanted"),
        (["--composition", "1,2,x"], "'x' is no number of cards", "write 13 counts"),
        (["--composition", ",".join(["40"] * 13)], "40 cards of one rank are more than 8 decks hold", "32 at most"),
        (["--decks", "17"], "decks must be 1 to 16, not 17", ""),
        (["--decks", "six"], "--decks", "bacclab odds --help"),
        (["--table", "no-comission"], "there is no table 'no-comission'", "did you mean no-commission?"),
        (["--bet", "bankr"], "there is no bet 'bankr'", "did you mean banker?"),
        (["--bet", "perfect_pair:25-25"], "perfect_pair has no pay table 25-25", "did you mean 25-250?"),
        (["--stake", "x"], "'x' is not a sum of money", ""),
        (["--stake", "0.50"], "no bet takes a stake of 0.50", "on banker it is under minimum"),
    ],
)
def test_mistakes(call, words, said, hint):
    called = call("odds", *words)
    assert called.code == 2
    assert called.out == ""
    lines = called.err.splitlines()
    assert said in lines[0]
    assert hint in lines[-1]
    assert len(lines) <= 2


def test_bets_and_tables_of_a_plugin(call, tmp_path):
    plugin = tmp_path / "odd.py"
    plugin.write_text(
        "import bacclab as bl\n"
        "odd = bl.Bet(id='odd_tie', title='Odd tie', kind='side', odds={'win': '20:1'},\n"
        "             lines=lambda r: 'win' if r.outcome == 'tie' and r.player_total % 2 else None)\n"
        "@bl.hookimpl\n"
        "def register_bets(register):\n"
        "    register(odd)\n",
        encoding="utf-8",
    )
    lines = lines_of(call("--plugin", plugin, "odds", "--bet", "odd_tie"))
    assert lines[5].split()[0] == "odd_tie"
    combinations = (
        20_499_217_668_352 + 22_250_510_129_408 + 39_684_046_743_808 + 101_717_538_899_968 + 55_146_054_060_032
    )
    assert f"{combinations:,}" in call("--plugin", plugin, "odds", "--bet", "odd_tie").out


def test_nothing_heavy_is_loaded():
    program = (
        "import sys; from bacclab.cli import main; code = main(['odds', '--effects', '--covariance']); "
        "print(code, sorted({'polars', 'numba', 'plotly', 'rich'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "0 []"


def test_output_in_an_old_code_page(shell):
    ran = shell("odds", "--bet", "egalite_7", environment={"PYTHONIOENCODING": "cp1252"})
    assert ran.returncode == 0
