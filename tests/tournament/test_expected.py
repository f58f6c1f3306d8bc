"""Tables of rounds with expected bets: they pass where a system plays so, else row and field are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bacclab.bettors.base import Bettor
from bacclab.bettors.csv_text import CsvText
from bacclab.bettors.progressions.classic import DAlembert, Fibonacci, Flat, Martingale, OneThreeTwoSix, Paroli
from bacclab.bettors.progressions.money import Labouchere, OscarsGrind
from bacclab.bettors.selections.recent import Always, FollowLast
from bacclab.bettors.whole.flat import FlatBettor
from bacclab.errors import BettorError, ConfigError
from bacclab.game.tables import BUILT_IN_TABLES
from bacclab.tournament.expected import Parting, compare_expected, read_expected, read_expected_file
from bacclab.tournament.experiment.specs import Stop
from bacclab.tournament.make import combined

TABLE = BUILT_IN_TABLES["commission"].override({"minimum": 1})
COMMON = ["L", "L", "T", "W", "L", "W", "T", "W", "L", "W", "W", "W"]
GOLDEN = [
    (Flat, "1 1 1 1 1 1 1 1 1 1 1 1", 2),
    (Martingale, "1 2 4 4 1 2 1 1 1 2 1 1", 6),
    (DAlembert, "1 2 3 3 2 3 2 2 1 2 1 1", 6),
    (Fibonacci, "1 1 2 2 1 1 1 1 1 1 1 1", 3),
    (Labouchere, "5 6 7 7 7 9 8 8 4 8 5 5", 20),
    (Paroli, "1 1 1 1 2 1 2 2 4 1 2 4", 3),
    (OneThreeTwoSix, "1 1 1 1 3 1 3 3 2 1 3 2", 4),
    (OscarsGrind, "1 1 1 1 2 2 2 2 1 1 1 1", 3),
]


def golden(stakes: str) -> list[list[str]]:
    """Rows round, outcome, bet, stake, result, bankroll of a system on Player with 100 to begin with."""
    rows, bankroll = [], 100
    for number, (result, stake) in enumerate(zip(COMMON, map(int, stakes.split()), strict=True), 1):
        net = {"W": stake, "L": -stake, "T": 0}[result]
        bankroll += net
        outcome = {"W": "P", "L": "B", "T": "T"}[result]
        rows.append([str(number), outcome, "player", str(stake), str(net), str(bankroll)])
    return rows


def parted(rows: list[list[str]], bettor: Bettor, **options: Any) -> tuple[Parting, ...]:
    lines = [",".join(row) for row in (["round", "outcome", "bet", "stake", "result", "bankroll"], *rows)]
    return compare_expected(
        read_expected(CsvText("g.csv", tuple(lines))), bettor, TABLE, **{"bankroll": 100, **options}
    )


@pytest.mark.parametrize(("system", "stakes", "net"), GOLDEN, ids=[row[0].id for row in GOLDEN])
def test_golden_rows_pass_and_one_altered_number_is_named(system: Any, stakes: str, net: int) -> None:
    rows, bettor = golden(stakes), combined(Always(on="player"), system(unit=1))
    assert int(rows[-1][-1]) == 100 + net
    assert parted(rows, bettor) == ()
    for column, field in ((3, "stake"), (4, "result"), (5, "bankroll")):
        altered = [list(row) for row in rows]
        altered[7][column] = str(int(altered[7][column]) + 10)
        (found,) = parted(altered, bettor)
        assert (found.row, found.round, found.field) == (9, 8, field)
        assert (found.expected, found.got) == (f"{altered[7][column]}.00", f"{rows[7][column]}.00")


def test_a_bet_on_the_other_side() -> None:
    rows = golden(GOLDEN[0][1])
    rows[3][2] = "banker"
    found = parted(rows, combined(Always(on="player"), Flat(unit=1)))
    assert [str(one) for one in found] == ["g.csv, row 5 (round 4): bet is player, expected banker"]


def test_sitting_out_commission_and_a_new_shoe() -> None:
    lines = (
        "shoe;round;outcome;bet;stake;result;bankroll",
        "1;1;Banker;-;;0;100",
        "1;2;b;B;10;9.50;109.50",
        "",
        "2;3;P;;0;;",
        "2;4;T;player;10;0;109.50",
    )
    bettor = combined(FollowLast(), Flat(unit=10))
    assert compare_expected(read_expected(CsvText("f.csv", lines)), bettor, TABLE, bankroll=100) == ()
    one_shoe = tuple(line.replace("2;3", "1;3").replace("2;4", "1;4") for line in lines)
    found = compare_expected(read_expected(CsvText("f.csv", one_shoe)), bettor, TABLE, bankroll=100)
    assert [(one.row, one.field) for one in found] == [(5, "bet"), (5, "stake")]


def test_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_bytes("\ufeffround,outcome,bet,stake\r\n1,B,P,1\r\n2,P,P,2\r\n".encode())
    rows = read_expected_file(file)
    assert compare_expected(rows, combined(Always(on="player"), Martingale(unit=1)), TABLE, bankroll=9) == ()
    with pytest.raises(ConfigError, match="there is no file"):
        read_expected_file(tmp_path / "h.csv")


def test_a_session_that_is_over() -> None:
    rows = [
        ["1", "B", "player", "10", "-10", "90"],
        ["2", "B", "player", "20", "-20", "70"],
        ["3", "B", "player", "40", "", ""],
    ]
    bettor = combined(Always(on="player"), Martingale(unit=10))
    assert parted(rows, bettor) == ()
    (found,) = parted(rows, bettor, stop=Stop(loss=300_000))
    assert (found.row, found.field, found.got) == (4, "bet", "nothing: the session has ended (stop_loss)")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("2,B,player,5", "row 2: round '2' should be 1"),
        ("1,X,player,5", "row 2: outcome 'X' must be P, B or T"),
        ("1,B,player,five", r"row 2: stake: 'five' is not a sum of money"),
        ("1,B,player,", "row 2: the bet player needs a stake above 0"),
        ("1,B,,5", "row 2: there is a stake of 5 and no bet"),
        ("1,B,player + tie,5", "row 2: has 2 bets and 1 stakes"),
        ("", "has no rows"),
    ],
)
def test_faults_of_the_table(row: str, said: str) -> None:
    with pytest.raises(BettorError, match=said.replace("+", r"\+")):
        read_expected(CsvText("g.csv", ("round,outcome,bet,stake", row)))


@pytest.mark.parametrize(
    ("loss", "said"),
    [
        ("-10", None),
        ("-10.00", None),
        ("\N{MINUS SIGN}10.00", "minus as a plain -"),
        ("(10.00)", "minus as a plain -"),
        ("10.00-", "minus as a plain -"),
        ('"-10,00"', "decimal point"),
    ],
)
def test_a_loss_is_never_read_as_a_gain(loss: str, said: str | None) -> None:
    """Twenty rounds, every loss in one spelling: read alike, or refused; never turned round, nor a hundred times as
    much.
    """
    rows = [f"{n},{'PB'[n % 2]},player,10,{(10, loss)[n % 2]}" for n in range(1, 21)]
    table = CsvText("g.csv", ("round,outcome,bet,stake,result", *rows))
    if said is not None:
        with pytest.raises(BettorError, match=f"row 2: result: .*{said}"):
            read_expected(table)
        return
    assert [row.result for row in read_expected(table)] == [-100_000, 100_000] * 10
    assert compare_expected(read_expected(table), FlatBettor(on="player", unit=10), TABLE, bankroll=100) == ()
