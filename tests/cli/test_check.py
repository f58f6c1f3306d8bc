"""`bacclab check`: the kit from the command line."""

from __future__ import annotations

from pathlib import Path

import bacclab

PLUGINS = Path(bacclab.__file__).parents[1] / "plugins"
QUICK = ("--only", "plays", "--only", "answers-all")

FORGETS = """
import bacclab as bl

@bl.bettor("forgets")
class Forgets(bl.Bettor):
    "Doubles whenever it has not won."
    top: int
    def start(self, table):
        self.units = 1
    def bet(self, view):
        return view.banker(10 * self.units)
    def settle(self, result):
        self.units = 1 if result.won else min(2 * self.units, self.top)
"""


def test_a_file_is_checked_whole(call):
    called = call("check", PLUGINS / "majority.py", *QUICK)
    assert called.code == 0
    assert "selection majority: passed" in called.out
    assert "progression climb: passed" in called.out


def test_bets_and_tables_are_checked(call):
    called = call("check", PLUGINS / "close_call.py", "--json")
    assert called.code == 0
    assert [(one["subject"], one["ok"]) for one in called.json] == [
        ("bet close_call", True),
        ("table close-call", True),
    ]


def test_a_fault_is_told_with_its_round(call, tmp_path):
    (tmp_path / "forgets.py").write_text(FORGETS)
    called = call("check", tmp_path / "forgets.py", *QUICK, "--set", "top=8")
    assert called.code == 2
    assert "failed   answers-all" in called.out
    assert "round 2, after a tie: it asked for banker 20.00, as after a loss" in called.out
    assert called.err == ""


def test_parameters_are_needed_where_they_have_no_default(call, tmp_path):
    (tmp_path / "forgets.py").write_text(FORGETS)
    called = call("check", tmp_path / "forgets.py", "--only", "plays")
    assert called.code == 2
    assert "the parameter 'top' must be given" in called.out


def test_a_registered_id_and_an_installed_plugin(call):
    called = call("check", "opposite-last", *QUICK)
    assert called.code == 0
    assert "selection opposite-last: passed" in called.out
    assert call("check", "bacclab.shoes").code == 2


def test_a_project_folder(call, tmp_path):
    assert call("new", "bettor", "mine", "--package", "--to", tmp_path).code == 0
    called = call("check", tmp_path / "bacclab-mine", *QUICK)
    assert (called.code, called.err) == (0, "")
    assert "bettor mine: passed" in called.out


def test_mistakes(call, tmp_path):
    for words, said in (
        (["opposite-lost"], "did you mean opposite-last?"),
        ([tmp_path], "no pyproject.toml"),
        ([tmp_path / "none.py"], "does not exist"),
        (["opposite-last", "--only", "playes"], "did you mean plays?"),
        (["opposite-last", "--set", "x"], "KEY=VALUE"),
        (["opposite-last", "--table", "ezz"], "did you mean ez?"),
    ):
        called = call("check", *words)
        assert called.code == 2
        assert said in called.err, words


class TestRounds:
    """A table of rounds with the bets that are expected."""

    # Martingale from 1 on Player: lost, lost, a tie (the stake stays), won, lost.
    ROWS = (
        "round,outcome,bet,stake,result,bankroll",
        "1,B,player,1,-1,99",
        "2,B,player,2,-2,97",
        "3,T,player,4,0,97",
        "4,P,player,4,4,101",
        "5,B,player,1,-1,100",
    )
    WORDS = ("--bettor", "martingale", "--set", "unit=1", "--set", "on=player", "--bankroll", "100")

    def write(self, folder: Path, *, changed: tuple[str, str] = ("", "")) -> Path:
        path = folder / "bets.csv"
        path.write_text("\n".join(self.ROWS).replace(*changed))
        return path

    def test_agrees(self, call, tmp_path):
        called = call("check", self.write(tmp_path), *self.WORDS)
        assert (called.code, called.err) == (0, "")
        assert called.out.endswith("martingale plays all 5 rounds as expected\n")

    def test_one_number_altered_is_named_by_row_and_field(self, call, tmp_path):
        path = self.write(tmp_path, changed=("3,T,player,4", "3,T,player,1"))
        called = call("check", path, *self.WORDS)
        assert called.code == 2
        assert called.out == f"{path}, row 4 (round 3): stake is 4.00, expected 1.00\n"
        told = call("check", path, *self.WORDS, "--json")
        assert told.code == 2
        assert told.json["parted"] == [{"row": 4, "round": 3, "field": "stake", "expected": "1.00", "got": "4.00"}]

    def test_a_bettor_of_an_experiment(self, call, tmp_path):
        (tmp_path / "e.toml").write_text(
            'bankroll = 100\nrounds = 5\n[[bettor]]\nname = "Mine"\nuse = "martingale"\nunit = 1\non = "player"\n'
        )
        words = ("check", self.write(tmp_path), "--experiment", tmp_path / "e.toml", "--bettor")
        assert call(*words, "Mine").code == 0
        called = call(*words, "Mime")
        assert called.code == 2
        assert "has no bettor 'Mime'" in called.err

    def test_a_selection_has_a_flat_stake(self, call, tmp_path):
        path = tmp_path / "sides.csv"
        path.write_text("round,outcome,bet,stake\n1,B,-,-\n2,P,banker,10\n3,T,player,10\n4,P,player,10\n")
        assert call("check", path, "--bettor", "follow-last").code == 0

    def test_mistakes(self, call, tmp_path):
        assert "add --bettor NAME" in call("check", self.write(tmp_path)).err
        assert "there is no file" in call("check", tmp_path / "none.csv", *self.WORDS).err
        called = call("check", self.write(tmp_path), "--bettor", "martingal")
        assert called.code == 2
        assert "did you mean martingale?" in called.err


OFFERS = """
import bacclab as bl

BET = bl.Bet(id="nine_apart", title="Nine", kind="side", lines=lambda coup: "win" if coup.margin == 9 else None,
             odds={"win": "26:1"}, rule="9 against 0.")
TABLE = bl.table("commission").variant("nine", title="Nine", extra_bets=[BET])
"""
BESIDE = """
import bacclab as bl

@bl.bettor("beside")
class Beside(bl.Bettor):
    "Both in every round."
    def bet(self, view):
        return view.banker(10) + view.on("nine_apart", 5)
"""


def test_another_process_finds_a_table_of_another_plugin(call, tmp_path):
    (tmp_path / "offers.py").write_text(OFFERS)
    (tmp_path / "beside.py").write_text(BESIDE)
    called = call(
        "--plugin", tmp_path / "offers.py", "check", tmp_path / "beside.py", "--table", "nine", "--only", "worker"
    )  # fmt: skip
    assert called.code == 0
    assert "bettor beside: passed" in called.out
