"""Systems written as data: maps of the last results, ladders, tables of states, from the experiment or CSV files."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from bacclab.bettors.base import Selection
from bacclab.bettors.csv_text import CsvText
from bacclab.bettors.progressions.classic import Martingale, OneThreeTwoSix
from bacclab.bettors.progressions.series import ThirtyOne
from bacclab.bettors.progressions.written import StateTable
from bacclab.bettors.rehearsal import sides, stakes
from bacclab.bettors.selections.recent import FollowLast, OppositeTimeBeforeLast, TimeBeforeLast
from bacclab.bettors.selections.written import LastNMap
from bacclab.errors import BettorError


def csv_map(text: str) -> LastNMap:
    return LastNMap(csv=CsvText.of(text, file="map.csv"))


def csv_states(text: str, **values: Any) -> StateTable:
    return StateTable(csv=CsvText.of(text, file="states.csv"), **values)


SHOES = ["".join(letters) for letters in itertools.product("PBT", repeat=6)]


class TestMaps:
    @pytest.mark.parametrize(
        ("selection", "rows"),
        [
            (FollowLast(), {"P": "P", "B": "B"}),
            (TimeBeforeLast(), {"PP": "P", "PB": "P", "BP": "B", "BB": "B"}),
            (OppositeTimeBeforeLast(), {"PP": "B", "PB": "B", "BP": "P", "BB": "P"}),
        ],
        ids=repr,
    )
    def test_known_selections_are_such_maps(self, selection: Selection, rows: dict[str, str]) -> None:
        for shoe in SHOES:
            assert sides(LastNMap(map=rows), shoe) == sides(selection, shoe)

    def test_by_hand(self) -> None:
        # Banker after B B P, nothing after anything else; the last letter is the last result, a tie is no result.
        assert sides(LastNMap(map={"BBP": "B"}), "B B T P T B B P P") == "- - - - B B - - B"
        assert sides(LastNMap(map={"BB": "P", "PB": "-"}), "B B B P B B") == "- - P P - -"
        assert sides(LastNMap(map={"BB": "P"}, ties="break"), "B B T B B B") == "- - P - - P"

    def test_from_csv(self) -> None:
        text = "# mine\n\npattern;bet\nbb;p\n PP ; B \nPB;-\n"
        assert dict(csv_map(text).map) == {"BB": "P", "PP": "B", "PB": "-"}
        assert csv_map(text).csv is None

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "map.csv is empty"),
            ("pattern,bet\n", "map.csv has no rows"),
            ("patern,bet\nBB,P\n", r"map.csv, row 1: there is no column 'patern' .*pattern"),
            ("pattern\nBB\n", r"map.csv, row 1: the column bet is missing"),
            ("pattern,bet,bet\nBB,P,P\n", r"row 1: the column bet is there twice"),
            ("pattern,bet\nBB,P\nPP,X\n", r"map.csv, row 3: bet 'X' must be P, B or -"),
            ("pattern,bet\nBB,P\n\nBT,P\n", r"map.csv, row 4: pattern 'BT' must be .* \(ties are left out"),
            ("pattern,bet\nBB,P\nB,P\n", r"map.csv, row 3: pattern B differs in length from BB"),
            ("pattern,bet\nBB,P\nBB,B\n", r"map.csv, row 3: pattern BB is there twice"),
            ("pattern,bet\nBB\n", r"map.csv, row 2: bet is missing"),
            ("pattern,bet\nBB,P,B\n", r"map.csv, row 2: has 3 cells under 2 columns"),
            ("pattern,bet\nBBBBBBBBBBBBB,P\n", r"row 2: .* too long \(at most 12"),
        ],
    )
    def test_faults_name_the_row(self, text: str, said: str) -> None:
        with pytest.raises(BettorError, match=said):
            csv_map(text)

    @pytest.mark.parametrize(
        ("values", "said"),
        [
            ({"map": {}}, "no shorter than 1"),
            ({"map": {"BX": "P"}}, "letters P and B"),
            ({"map": {"BB": "P", "BBB": "P"}}, "BB and BBB differ in length"),
            ({"map": {"BB": "Q"}}, 'BB = "Q"'),
            ({"map": "BB"}, "must be a table"),
            ({"map": {"BB": "P"}, "csv": CsvText.of("pattern,bet\nB,P", file="m")}, "cannot both be given"),
        ],
    )
    def test_faults_of_a_map(self, values: dict[str, Any], said: str) -> None:
        with pytest.raises(BettorError, match=said):
            LastNMap(**values)


MARTINGALE = "state,stake,won,lost\n1,1,1,2\n2,2,1,3\n3,4,1,1\n"
ROW = "L L T W L L L L W T W W W W L"


class TestStates:
    def test_a_martingale_of_three_steps(self) -> None:
        assert stakes(csv_states(MARTINGALE, unit=5), ROW) == stakes(Martingale(unit=5, steps=3), ROW)
        assert stakes(StateTable(unit=5), ROW) == stakes(Martingale(unit=5, steps=3), ROW)

    def test_a_ladder_of_wins(self) -> None:
        text = "state,stake,won,lost\na,1,b,a\nb,3,c,a\nc,2,d,a\nd,6,a,a\n"
        assert stakes(csv_states(text), ROW) == stakes(OneThreeTwoSix(), ROW)

    def test_thirty_one_in_eighteen_states(self) -> None:
        bets = [1, 1, 1, 2, 2, 4, 4, 8, 8]
        rows = []
        for place, bet in enumerate(bets):
            after = f"bet {(place + 1) % 9}"
            rows.append({"state": f"bet {place}", "stake": bet, "won": f"double {place}", "lost": after})
            rows.append({"state": f"double {place}", "stake": 2 * bet, "won": "bet 0", "lost": after})
        for results in (ROW, "L" * 12, "W L" * 10, "L W L L W W L"):
            assert stakes(StateTable(rows=rows), results) == stakes(ThirtyOne(), results)

    def test_pushes_can_move_and_zero_bets_no_more(self) -> None:
        text = "state,stake,won,push,lost\na,1,a,b,end\nb,5,a,,a\nend,0,end,end,end\n"
        assert stakes(csv_states(text, unit=1), "W T T W L W L") == "1 1 5 5 1 0 0"

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("state,stake,won,lost\n1,1,1,2\n", r"states.csv, row 2: lost names no state '2' \(one of: 1\)"),
            ("state,stake,won,lost\n1,1.5,1,1\n", r"states.csv, row 2: stake '1.5' must be a whole number of units"),
            (f"state,stake,won,lost\n1,{'9' * 16},1,1\n", r"row 2: stake '9{16}' is more units than there is money"),
            ("state,stake,won,lost\n1,-1,1,1\n", r"stake '-1' must be a whole number"),
            ("state,stake,won,lost\n1,1,1,1\n\n1,2,1,1\n", r"states.csv, row 4: the state 1 is there twice"),
            ("state,stake,won,push,lost\none,1,one,two,one\n", r"row 2: push names no state 'two'"),
            ("state,stake,won,lost\n1,1,,1\n", r"row 2: won is missing"),
            ("state,stake,won,lost\n", "has no rows"),
        ],
    )
    def test_faults_name_the_row(self, text: str, said: str) -> None:
        with pytest.raises(BettorError, match=said):
            csv_states(text)
