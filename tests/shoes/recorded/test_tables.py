"""Tables of text: totals, pairs, cards in every order, shoes by column and by row, interleaved tables, newest first."""

import pytest

from bacclab.errors import SourceError


def cards(record, row=0):
    return [record.frame[name][row] for name in ("p1", "p2", "p3", "b1", "b2", "b3")]


@pytest.mark.parametrize(
    "header",
    [
        "winner,player_total,banker_total",
        "Winner,playerScore,bankerScore",
        "outcome,total_player,total_banker",
        "Winning Outcome,Player total,Banker total",
    ],
)
def test_totals_under_many_names(read, header):
    record = read(f"{header}\nB,3,7\nP,8,1\nT,6,6")
    assert record.frame["player_total"].to_list() == [3, 8, 6]
    assert record.frame["banker_total"].to_list() == [7, 1, 6]
    assert not record.findings


def test_the_banker_may_come_first_and_the_winner_be_left_out(read):
    record = read("banker_total,player_total\n7,3\n1,8\n6,6")
    assert [shoe.letters for shoe in record.shoes()] == ["BPT"]


def test_a_table_without_a_header_must_be_named(read):
    with pytest.raises(SourceError, match=r"no column tells who won.*--columns"):
        read("B,3,7\nP,8,1")
    record = read("x,B,3,7\ny,P,8,1", columns=("-", "winner", "player_total", "banker_total"))
    assert record.frame["banker_total"].to_list() == [7, 1]
    with pytest.raises(SourceError, match=r"'winer' is no column.*did you mean winner"):
        read("B,3,7", columns=("winer", "player_total", "banker_total"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("outcome,natural,pair\nbanker,banker9,none\nplayer,player8,player\ntie,none,both\nbanker,none,banker",
         [(False, False), (True, False), (True, True), (False, True)]),
        ("winner,player_pair,banker_pair\nB,0,0\nP,1,0\nT,1,1\nB,0,1",
         [(False, False), (True, False), (True, True), (False, True)]),
        ("winner,pairs\nB,No pair\nP,Player pair\nT,Player and banker pair\nB,Banker pair",
         [(False, False), (True, False), (True, True), (False, True)]),
    ],
)  # fmt: skip
def test_pairs(read, text, expected):
    frame = read(text).frame
    assert list(zip(frame["player_pair"], frame["banker_pair"], strict=True)) == expected


def test_naturals_of_the_winner(read):
    frame = read("outcome,natural\nbanker,banker9\nplayer,player8\ntie,none\nbanker,none").frame
    assert frame["natural"].to_list() == [True, True, False, False]
    assert frame["player_cards"].to_list() == [None, None, None, None], "the totals are not known"
    frame = read("outcome,natural,player_total,banker_total\nbanker,banker9,3,9\nplayer,none,8,2").frame
    assert frame["player_cards"].to_list() == [2, None]
    assert frame["banker_cards"].to_list() == [2, None]


@pytest.mark.parametrize(
    "text",
    [
        "P1,B1,P2,B2,P3,B3\n2S,6H,3D,KC,4S,",  # the order of dealing
        "P1,P2,P3,B1,B2,B3\n2S,3D,4S,6H,KC,NA",
        "player_card_1,player_card_2,player_card_3,banker_card_1,banker_card_2,banker_card_3\n2S,3D,4S,6H,KC,None",
        "player_cards,banker_cards\n2S 3D 4S,6H KC",
        'player_cards,banker_cards\n"2S,3D,4S","6H,KC"',
        "player_hand,banker_hand\n2S3D4S,6HKC",
        'pk\n"S.2,H6,D03,C.13,S4,"',
        'pk\n"S2,H6,D3,C13,S4"',
        "P1,P2,P3,B1,B2,B3\n♠2,♦3,♠4,♥6,♣K,",
        "P1;P2;P3;B1;B2;B3\n2 of Spades;3 of Diamonds;4 of Spades;6 of Hearts;K of Clubs;",
        'cards\n"2S 3D 4S 6H KC"',
    ],
)
def test_cards_in_every_order_and_writing(read, text):
    record = read(text, card_order="player-first" if text.startswith("cards") else None)
    assert cards(record) == ["2s", "3d", "4s", "6h", "Kc", ""]
    assert (record.frame["player_total"][0], record.frame["banker_total"][0]) == (9, 6)
    assert record.frame["winner"][0] == "player"
    assert record.frame["player_cards"][0] == 3
    assert record.frame["player_pair"][0] is False
    assert not record.findings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p1,p2,p3,b1,b2,b3\nA,9,,10,J,5", ["A", "9", "", "10", "J", "5"]),
        ("p1,p2,p3,b1,b2,b3\n1,9,,10,11,5", ["A", "9", "", "10", "J", "5"]),
        ("p1,p2,p3,b1,b2,b3\nA,9,0,T,Q,5\n2,4,,K,7,", ["A", "9", "", "10", "Q", "5"]),  # 0: the back of a card
    ],
)
def test_ranks_alone(read, text, expected):
    assert cards(read(text)) == expected


def test_points_alone(read):
    record = read("p1,p2,p3,b1,b2,b3\n2,3,0,6,0,\n4,3,,0,5,0")
    assert cards(record) == ["2", "3", "0", "6", "0", ""]
    assert record.frame["player_total"].to_list() == [5, 7]
    assert record.frame["player_pair"].to_list() == [False, False]
    assert record.frame["banker_pair"].to_list() == [False, False]
    assert "points" in record.facts["notes"][0]


def test_pairs_of_points_are_not_known_where_both_are_tens(read):
    frame = read("p1,p2,p3,b1,b2,b3\n0,0,7,4,3,\n5,5,0,6,6,1").frame
    assert frame["player_pair"].to_list() == [None, True]


def test_a_zero_in_place_of_a_third_card_that_is_not_due_is_no_card(read):
    record = read("p1,p2,p3,b1,b2,b3\n4,3,0,4,4,0\n2,3,0,6,1,0\n1,1,0,3,2,0")
    assert cards(record, 0) == ["4", "3", "", "4", "4", ""]
    assert cards(record, 1) == ["2", "3", "0", "6", "A", ""]
    assert any("third card" in note for note in record.facts["notes"])
    assert not record.findings or {one.kind for one in record.findings} == {"third card"}


def test_five_points_without_a_mark_are_split_by_the_drawing_rules(read):
    text = "player_total,banker_total,winner,cards\n5,6,Banker,2 3 0 6 0\n7,8,Banker,4 3 2 3 3\n7,7,Tie,4 3 0 7"
    record = read(text)
    assert cards(record, 0) == ["2", "3", "0", "6", "0", ""]
    assert cards(record, 1) == ["4", "3", "", "2", "3", "3"]
    assert cards(record, 2) == ["4", "3", "", "0", "7", ""]
    assert not record.findings
    assert record.facts["order of the cards"].startswith("Player's")


def test_cards_that_could_be_in_either_order_are_asked_for(read):
    with pytest.raises(SourceError, match="--card-order player-first or --card-order in-turn"):
        read("cards\n9 9 9 9")
    assert cards(read("cards\n4 3 4 4", card_order="in-turn")) == ["4", "4", "", "3", "4", ""]


def test_one_shoe_a_row_and_one_a_column(shoes):
    assert shoes("day,results\n1,BPPT\n2,PPBB") == ["BPPT", "PPBB"]
    assert shoes("shoe,sequence\n7,B P P T\n8,P P B B") == ["BPPT", "PPBB"]
    assert shoes("first,second\nB,P\nP,P\nT,B\n,B") == ["BPT", "PPBB"]
    assert shoes("Shoe 1,Shoe 2\nBanker,Player\nTie,Banker") == ["BT", "PB"]


def test_shoes_by_their_column_and_where_a_counter_falls_back(read, shoes):
    assert shoes("shoe_id,winner\nA,B\nA,P\nB,T") == ["BP", "T"]
    assert shoes("hand,winner\n1,B\n2,P\n1,T\n2,T") == ["BP", "TT"]
    assert shoes("round,winner\n0,B\n1,P\n0,T") == ["BP", "T"]
    assert shoes("box,winner\n4,B\n5,P", shoe_column="box") == ["B", "P"]
    with pytest.raises(SourceError, match=r"no column 'shoo'.*did you mean shoe"):
        read("shoe,winner\n1,B", shoe_column="shoo")
    assert read("winner\nB\nP").facts["shoes"] == "all rounds are one shoe: nothing tells shoes apart"


def test_interleaved_tables_with_gaps(read):
    text = "table,shoe,round,winner\nT1,4,1,莊\nT2,9,31,閒\nT1,4,2,和\nT2,9,32,莊\nT1,4,5,閒\nT1,5,1,莊\nT2,9,33,莊"
    record = read(text)
    assert [(shoe.table, shoe.name, shoe.letters) for shoe in record.shoes()] == [
        ("T1", "4", "BTP"), ("T2", "9", "PBB"), ("T1", "5", "B"),
    ]  # fmt: skip
    assert [(one.line, one.kind, one.text) for one in record.findings] == [
        (3, "gap", "the shoe begins with round 31"),
        (6, "gap", "2 rounds are missing after round 2"),
    ]
    assert record.frame["line"].to_list() == [2, 4, 6, 3, 5, 8, 7]


def test_newest_first(read, shoes):
    by_number = read("round,winner\n3,T\n2,P\n1,B")
    assert [shoe.letters for shoe in by_number.shoes()] == ["BPT"]
    assert by_number.facts["order"] == "newest first, by the numbers"
    by_time = read("time,winner\n2025-08-08 12:02:00,T\n2025-08-08 12:01:00,P\n2025-08-08 12:00:00,B")
    assert [shoe.letters for shoe in by_time.shoes()] == ["BPT"]
    assert shoes("RBG", order="newest-first") == ["TPB"], "colours, newest first"
    assert shoes("round,winner\n2,T\n1,P\n2,B\n1,B", order="newest-first") == ["BB", "PT"]
    assert "does not say" in read("BPT").facts["order"]


@pytest.mark.parametrize(
    "times",
    [
        ("2025-08-08T12:00:00Z", "2025-08-08T12:01:00Z"),
        ("2025-08-08 12:00:00", "2025-08-08 12:01:00"),
        ("1754654400", "1754654460"),
        ("1754654400000", "1754654460000"),
        ("999", "1000"),
    ],
)
def test_times_of_every_kind_tell_the_order(shoes, times):
    assert shoes(f"time,winner\n{times[0]},B\n{times[1]},P") == ["BP"]
    assert shoes(f"time,winner\n{times[1]},P\n{times[0]},B") == ["BP"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("winner,player_total,banker_total\nP,3,1\nB,3,17", "line 3, column 'banker_total': '17' is no total"),
        ("winner,player_total,banker_total\nP,−3,7", "line 2, column 'player_total': '−3' is no total"),
        ("winner,player_pair\nP,maybe", "line 2, column 'player_pair': 'maybe' is neither yes nor no"),
        ("p1,p2,p3,b1,b2,b3\n2S,3D,,6H,XX,", "line 2: 'XX' is no card"),
        ("winner,round\nP,one", "line 2, column 'round': 'one' is no number of a round"),
        ("shoe,winner\n1,B\n1,Q", "line 3: 'Q' is no result"),
        ("a,b\nc,d", "no column tells who won"),
        ("winner,outcome\nB,B\nP,P", "two columns hold the winner"),
    ],
)
def test_what_cannot_be_read_is_told_by_line_and_column(read, text, message):
    with pytest.raises(SourceError) as caught:
        read(text)
    assert message in str(caught.value)


def test_totals_as_a_spreadsheet_writes_them(read):
    assert read('winner,player_total,banker_total\nB,"3.0",7.0\nP,5,4.0').frame["banker_total"].to_list() == [7, 4]
