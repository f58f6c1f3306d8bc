"""What contradicts itself, comes twice or is missing is told by line, and left as it stands."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.game import codes, tableau
from bacclab.shoes.recorded.cards import NO_CARD, RANK_ONLY, values
from bacclab.shoes.recorded.checks import obeys
from bacclab.shoes.recorded.draft import Reading
from bacclab.shoes.recorded.importer import record_of

BBIN = "\n".join(
    [
        "shoe,round,P1,B1,P2,B2,P3,B3,winner",
        "1,1,D.8,H.5,S.1,C.13,,,Player",  # 9 to 5
        "1,2,S.2,H.6,D.3,C.13,S.4,,Banker",  # 9 to 6: Player by the cards
        "1,3,S.10,H.10,D.3,C.3,S.4,D.4,Tie",  # 7 to 7
        "1,4,C.7,D.2,C.9,D.6,,,Banker",  # 6 to 8
    ]
)


def test_a_wrong_winner_is_told_and_left_as_it_stands(read):
    record = read(BBIN)
    assert [(one.line, one.shoe, one.round, one.kind) for one in record.findings] == [(3, 1, 2, "winner")]
    assert record.findings[0].text == "Banker in the record, Player by the cards, 9 to 6"
    assert [shoe.letters for shoe in record.shoes()] == ["PBTB"]
    assert record.frame["fault"].to_list() == [None, "winner", None, None]
    assert record.frame["player_total"].to_list() == [9, 9, 7, 6]


def test_two_winners_of_one_row_are_told(read):
    record = read("winner,stored_winner\nB,B\nP,B\nT,T")
    assert [(one.line, one.kind, one.text) for one in record.findings] == [
        (3, "winner", "Player in column 'winner', Banker in column 'stored_winner'")
    ]
    assert [shoe.letters for shoe in read("round,stored_winner\n1,B\n2,P").shoes()] == ["BP"]


def test_repeats_empty_rows_and_split_points(read):
    text = "\n".join(
        [
            "shoe,winner,player_total,banker_total,player_pair,banker_pair,points",
            "1,Player,7,6,0,0,4 3 3 3",
            "1,Player,7,6,0,0,4 3 3 3",  # the row before again
            "1,Banker,5,6,0,0,2 3 0 6 0",
            "1,Banker,0,0,0,0,",  # a winner, but no cards and totals 0 0
            "1,Tie,0,0,0,0,",
            "1,Banker,1,7,0,0,2 9 0 7 0",
        ]
    )
    record = read(text)
    kinds = [(one.line, one.kind) for one in record.findings]
    assert (3, "repeat") in kinds
    assert [line for line, kind in kinds if kind == "empty"] == [5, 6]
    assert [line for line, kind in kinds if kind == "winner"] == []
    assert record.frame.height == 6, "nothing is dropped"
    assert record.frame["player_total"].to_list()[3:5] == [None, None]
    assert record.frame["winner"].to_list()[3:5] == ["banker", "tie"]


def test_a_row_with_the_number_before_is_a_repeat(read, told):
    assert told("round,winner\n1,B\n2,P\n2,P\n3,T") == [(4, "repeat")]
    record = read("round,winner\n1,B\n2,P\n2,T")
    assert record.findings[0].text == "the number of line 3, and another result"


def test_the_same_result_twice_is_no_repeat(told):
    assert told("BBBPPP") == []
    assert told("winner,player_total,banker_total\nP,7,3\nP,7,3") == []
    assert told("round,winner,player_total,banker_total\n1,P,7,3\n2,P,7,3") == []


def test_cards_alike_by_chance_are_no_repeat_in_a_long_record(read):
    rows = [f"{n},{1 + n % 7},{1 + n % 5},{1 + n % 9},{1 + n % 3}" for n in range(1, 2001)]
    rows[500] = "501," + rows[499].split(",", 1)[1]
    assert not [one for one in read("round,p1,p2,b1,b2\n" + "\n".join(rows)).findings if one.kind == "repeat"]


def test_gaps_and_rounds_that_go_back(told):
    assert told("round,winner\n1,B\n2,P\n5,T\n6,B") == [(4, "gap")]
    assert told("round,winner\n40,B\n41,P\n42,P\n39,T\n43,B") == [(2, "gap"), (5, "back"), (6, "gap")]
    assert told("shoe,round,winner\n1,1,B\n1,2,P\n2,3,P\n2,4,T") == [], "numbers that go on over shoes"


def test_ids_are_no_round_numbers(read):
    record = read("round,winner\n88120,B\n88180,P\n88240,T\n88301,B")
    assert not record.findings
    assert "ids" in record.facts["notes"][0]


def test_empty_rows_and_shoes(told):
    assert told("shoe,winner\n1,B\n,\n1,P") == [(3, "blank")]
    assert told("shoe,winner\n1,B\n1,\n1,P") == [(3, "empty")]
    assert told("Shoe 1: BPT\nShoe 2:\nShoe 3: PPB") == [(2, "empty shoe")]
    assert told("shoe,results\n1,BPT\n2,\n3,PPB") == [(3, "empty shoe")]


def test_totals_pairs_and_naturals_against_the_cards(told):
    row = "2S,3D,4S,6H,KC,"
    head = "p1,p2,p3,b1,b2,b3"
    assert told(f"{head},player_total,banker_total\n{row},9,6") == []
    assert told(f"{head},player_total,banker_total\n{row},8,6") == [(2, "total")]
    assert told(f"{head},player_pair\n{row},1") == [(2, "pair")]
    assert told(f"{head},natural,winner\n{row},player9,P") == [(2, "natural")]
    assert told("winner,natural,player_total,banker_total\nP,true,6,3\nB,false,1,2") == [(2, "natural")]
    assert told("winner,winning_total,player_total,banker_total\nP,7,6,3\nB,2,1,2") == [(2, "total")]


def test_a_third_card_that_was_not_due_is_told_even_when_it_is_not_in_the_total(read):
    record = read("p1,p2,p3,b1,b2,b3,player_total,banker_total,winner\n4S,4D,6H,KC,5D,,8,5,P\n9S,4D,,KC,6D,,3,6,B")
    assert [(one.line, one.kind) for one in record.findings] == [(2, "third card"), (2, "total"), (3, "third card")]
    assert "Player has a third card although none was due" in record.findings[0].text
    assert "Player lacks a third card" in record.findings[2].text


def test_facts_that_no_round_has_together(told):
    head = "winner,natural,player_total,banker_total,player_pair,banker_pair"
    assert told(f"{head}\nP,1,9,3,0,0\nP,0,7,3,1,1") == []
    assert told(f"{head}\nP,1,9,3,1,0") == [(2, "impossible")], "two equal cards have an even total"


def test_a_winner_against_the_totals(told):
    assert told("winner,player_total,banker_total\nB,3,7\nP,3,7\nT,3,3") == [(3, "winner")]


@given(st.lists(st.integers(0, 12), min_size=6, max_size=6))
def test_rounds_dealt_by_the_rules_have_no_fault_and_come_out_right(ranks):
    """Six ranks off a shoe, dealt in turn; the record says winner and totals by the game's own tableau."""
    worth = [codes.VALUES[rank] for rank in ranks]
    player_two, banker_two = (worth[0] + worth[2]) % 10, (worth[1] + worth[3]) % 10
    coup = tableau.coup(player_two, banker_two, worth[4], worth[5])
    names = [codes.RANK_NAMES[rank] for rank in ranks]
    third = names[4] if coup.player_cards == 3 else ""
    drawn = names[5] if coup.player_cards == 3 else names[4]
    banker_third = drawn if coup.banker_cards == 3 else ""
    winner = "P" if coup.player_total > coup.banker_total else "B" if coup.banker_total > coup.player_total else "T"
    other = {"P": "B", "B": "T", "T": "P"}[winner]
    head = "p1,b1,p2,b2,p3,b3,winner,player_total,banker_total"
    cards = f"{names[0]},{names[1]},{names[2]},{names[3]},{third},{banker_third}"
    text = f"{head}\n{cards},{winner},{coup.player_total},{coup.banker_total}\nA,A,9,9,A,A,,,"
    found = record_of(text.encode(), Reading(language="english"), name="x").findings
    assert [one for one in found if one.line == 2] == []
    wrong = text.replace(f",{winner},", f",{other},", 1)
    assert ("winner", 2) in [
        (one.kind, one.line) for one in record_of(wrong.encode(), Reading(language="english"), name="x").findings
    ]


def test_five_cards_have_one_way_to_be_split():
    """Every five values: at most one of the two splits is dealt by the rules."""
    value = values()
    for index in range(0, 100_000, 7):
        found = [RANK_ONLY + (9 if digit == "0" else int(digit) - 1) for digit in f"{index:05d}"]
        ways = [
            (*found[:3], *found[3:], NO_CARD),
            (*found[:2], NO_CARD, *found[2:]),
        ]
        assert sum(obeys(way) for way in ways) <= 1
    assert value[RANK_ONLY + 9] == 0


def test_findings_say_where(read):
    finding = read(BBIN).findings[0]
    assert str(finding) == "line 3, shoe 1, round 2: winner: Banker in the record, Player by the cards, 9 to 6"
    assert str(replace(finding, shoe=0, round=None)).startswith("line 3: winner")


def test_a_faulty_round_of_a_line_marks_only_itself(read):
    record = read('{"rounds": [{"w": "B", "p": 3, "b": 7}, {"w": "P", "p": 3, "b": 7}, {"w": "T", "p": 3, "b": 3}]}')
    assert record.frame["fault"].to_list() == [None, "winner", None]


@pytest.mark.parametrize("count", [109, 111])
def test_more_rounds_than_a_shoe_has_are_told(read, count):
    notes = read("BP" * (count // 2) + "T").facts["notes"]
    assert any("run together" in note for note in notes) == (count > 110)
    assert np.array(notes).size in (0, 1)
