"""Records in the very form in which they lie in public: same columns, keys and quirks, invented rounds."""

import json

import pytest

from bacclab.errors import SourceError
from bacclab.shoes.recorded.replay_codes import known_of

B14 = '{"winner":"Banker","playerScore":1,"bankerScore":4}'
T22 = '{"winner":"Tie","playerScore":2,"bankerScore":2}'
P91 = '{"winner":"Player","natural":true,"playerScore":9,"bankerScore":1}'
P71 = '{"winner":"Player","playerPair":true,"playerScore":7,"bankerScore":1}'
B67 = '{"winner":"Banker","playerPair":true,"bankerPair":true,"playerScore":6,"bankerScore":7}'


def logged(clock, *rounds, table="tableone", **counts):
    """What one message of the feed leaves in a log: the count, the message, the length of its list."""
    winners = [json.loads(one)["winner"] for one in rounds]
    stats = {
        "gameCount": len(rounds),
        "playerWins": winners.count("Player"),
        "bankerWins": winners.count("Banker"),
        "ties": winners.count("Tie"),
        "playerPairs": sum("playerPair" in one for one in rounds),
        "bankerPairs": sum("bankerPair" in one for one in rounds),
    } | counts
    return (
        f"[{clock}] [encodedShoeState] gameCount={len(rounds)}\n"
        f'[{clock}] {{"id":"1754600000000-7007","type":"baccarat.encodedShoeState","args":{{"stats":{json.dumps(stats)},'
        f'"history":"$a#L\\"F=@%\\\\&","history_v2":[{",".join(rounds)}],"tableId":"{table}"}},"time":1754600000000}}\n'
        f"[{clock}] [encodedShoeState] history={len(rounds)}\n"
    )


class TestTheLogOfALiveFeed:
    def test_a_log_that_begins_within_a_shoe(self, read):
        log = logged("08:46:12", B14, T22, P91) + logged("08:46:53", B14, T22, P91, P71) + logged("08:49:00", B67)
        record = read("[08:40:00] Kickout Getting Session Again!\n" * 250 + log)
        assert [(shoe.table, shoe.letters) for shoe in record.shoes()] == [("tableone", "BTPP"), ("tableone", "B")]
        assert record.frame["line"].to_list() == [252, 252, 252, 255, 258]
        assert record.frame["player_pair"].to_list() == [False, False, False, True, True]
        assert record.facts["form"] == "live-feed messages"
        assert not record.findings

    def test_of_a_whole_list_only_the_rounds_that_changed_are_told(self, read):
        log = logged("08:46:12", B14, T22, P91, P71) + logged("08:46:53", B14, P71, P91, B67, B14)
        record = read(log)
        assert [(one.line, one.round, one.kind) for one in record.findings] == [(2, 2, "changed"), (2, 4, "changed")]
        assert record.frame["fault"].to_list() == [None, "changed", None, "changed", None]

    def test_a_list_with_other_rounds_is_another_shoe_though_it_is_longer(self, read):
        log = logged("08:46:12", B14, T22, P91) + logged("09:30:00", P71, B14, B14, P91)
        record = read(log)
        assert [shoe.letters for shoe in record.shoes()] == ["BTP", "PBBP"]
        assert not record.findings

    def test_counts_of_the_feed_that_are_not_those_of_its_list(self, read):
        record = read(logged("08:46:12", B14, T22, playerPairs=1, ties=2))
        assert [(one.line, one.kind, one.text) for one in record.findings] == [
            (2, "counts", "ties is 2, 1 in its list; playerPairs is 1, 0 in its list")
        ]
        assert not record.faults, "the rounds may still be right"

    def test_a_log_that_names_the_table_in_a_second_bracket(self, shoes):
        log = logged("08:46:12", B14, T22) + logged("08:46:53", B14, T22, P71)
        assert shoes(log.replace("] {", "][스피드 바카라 C]{")) == ["BTP"]

    def test_hours_of_several_tables_put_together(self, read):
        log = logged("08:00:00", B14) + logged("08:00:10", P71, table="two") + logged("09:00:00", B14, T22)
        assert [(shoe.table, shoe.letters) for shoe in read(log).shoes()] == [("tableone", "BT"), ("two", "P")]


UPDATES = r"""/usr/sbin/mysqld, Version: 8.0.40 (MySQL Community Server - GPL). started with:
# Time: 2025-04-20T07:00:13.815435Z
# Query_time: 1.037398  Lock_time: 0.000001 Rows_sent: 0  Rows_examined: 1
SET timestamp=1745132412;
insert into `log` (`terrace_deck_id`, `issue`) values ('45672', '614186761');
update `log` set `result` = 'C.9,S.10,C.2,D.9,,', `transformationResult` = 'B', `RawData` = '{\"rs\":101,\"pk\":\"C.9,S.10,C.2,D.9,,\",\"st\":\"waiting\",\"res\":13,\"res2\":\"1,7\",\"map\":\"77-6,85-8,53-7,74-6,49-6,13-9\"}', `log`.`updated_at` = '2025-04-20 03:00:12' where `id` = '1';
update `log` set `result` = 'H.11,S.4,D.9,C.7,,', `transformationResult` = 'B', `RawData` = '{\"rs\":102,\"pk\":\"H.11,S.4,D.9,C.7,,\",\"res\":17,\"map\":\"77-6,85-8,53-7,74-6,49-6,13-9,1-7,17-9\"}' where `id` = '2';
update `log` set `result` = 'H.7,D.1,C.6,D.9,S.4,H.12', `transformationResult` = 'P', `RawData` = '{\"rs\":103,\"pk\":\"H.7,D.1,C.6,D.9,S.4,H.12\"}' where `id` = '3';
update `log` set `result` = 'D.11,S.13,C.6,D.5,,S.8', `transformationResult` = 'P', `RawData` = '{\"rs\":104,\"pk\":\"D.11,S.13,C.6,D.5,,S.8\",\"res\":29,\"map\":\"124-7,29-6\"}' where `id` = '4';
"""


class TestTheLogOfARecorder:
    def test_maps_are_shoes_and_their_last_rounds_have_cards(self, read):
        record = read(UPDATES)
        assert record.facts["form"] == "bbin-log"
        assert [shoe.letters for shoe in record.shoes()] == ["PBPBBBBB", "P", "BP"]
        assert record.frame["line"].to_list() == [6, 6, 6, 6, 6, 6, 7, 7, 8, 9, 9]
        carded = record.frame["p1"].is_not_null().to_list()
        assert [place for place, has in enumerate(carded) if has] == [5, 7, 8, 10]
        assert record.frame["p2"].drop_nulls().to_list() == ["2c", "9d", "6c", "6c"]
        assert record.frame["banker_total"].to_list() == [None, 8, None, 6, 6, 9, 7, 1, 0, 7, 3]
        assert known_of(record.frame) == {"winner", "winning_total", "pairs"}

    def test_a_winner_that_the_recorder_stored_wrongly(self, read):
        findings = read(UPDATES).findings
        assert [(one.line, one.kind, one.text) for one in findings] == [
            (7, "winner", "Banker in the record, Player by the cards, 9 to 1")
        ]

    @pytest.mark.parametrize(
        ("damage", "message"),
        [
            (('C.9,S.10,C.2,D.9,,\\",', 'C.9,X.1,C.2,D.9\\",'), "line 6: 'X.1' is no card"),
            (("77-6,85-8,53-7,74-6,49-6,13-9\\", "77-6,8x\\"), "line 6: '8x' in the map is no code and total"),
            (('"rs\\":101', '"rs\\":1.0.1'), "line 6: the data of the update cannot be read"),
        ],
    )
    def test_an_update_that_cannot_be_read(self, read, damage, message):
        with pytest.raises(SourceError) as caught:
            read(UPDATES.replace(*damage))
        assert message in str(caught.value)

    def test_cards_that_no_round_has_are_told(self, read):
        record = read(UPDATES.replace("H.7,D.1,C.6,D.9,S.4,H.12\\", "H.7,D.1,C.6\\"))
        assert [(one.line, one.kind) for one in record.findings] == [(7, "winner"), (8, "card")]

    def test_the_table_behind_the_log(self, read):
        text = (
            "id,terrace_deck_id,issue,result,transformationResult\n"
            '5,45672,614186761,"C.9,S.10,C.2,D.9,,",P\n6,45672,614186801,"H.7,D.1,C.6,D.9,S.4,H.12",P\n'
        )
        record = read(text)
        assert [(shoe.name, shoe.letters) for shoe in record.shoes()] == [("45672", "PP")]
        assert record.frame["p2"].to_list() == ["2c", "6c"]
        assert [(one.line, one.kind) for one in record.findings] == [(2, "winner")]


def test_rounds_read_off_a_screen(read):
    text = (
        "id,shoe_id,seq,winner,player_total,banker_total,p_pair,b_pair,p_suited,b_suited,is_natural,margin,cards\n"
        '1,3,0,B,3,7,0,0,0,0,0,4,"1,2,0,7,0"\n'
        '2,3,1,P,8,4,0,0,0,0,1,4,"3,5,4,0"\n'
        '3,3,2,P,8,4,0,0,0,0,1,4,"3,5,4,0"\n'
        "4,3,3,B,0,0,0,0,0,0,0,0,\n"
        "5,3,4,B,0,0,0,0,0,0,0,0,\n"
        '6,4,0,T,6,6,0,1,0,0,0,0,"0,6,3,3"\n'
        '7,4,2,P,6,3,0,0,0,0,0,3,"4,2,6,6,1"\n'
    )
    record = read(text)
    assert [(shoe.name, shoe.letters) for shoe in record.shoes()] == [("3", "BPPBB"), ("4", "TP")]
    assert [(one.line, one.kind) for one in record.findings] == [
        (4, "repeat"), (5, "empty"), (6, "empty"), (8, "gap"), (8, "pair"),
    ]  # fmt: skip
    frame = record.frame
    assert [frame[name][0] for name in ("p1", "p2", "p3", "b1", "b2", "b3")] == ["A", "2", "0", "7", "0", ""]
    assert frame["player_total"].to_list()[3:5] == [None, None], "totals 0 and 0 without cards are not totals"
    assert frame["round"].to_list() == [0, 1, 2, 3, 4, 0, 2]
    assert frame["natural"].to_list() == [False, True, True, False, False, False, False]


def test_a_simulated_table_with_words_for_pairs(told):
    header = (
        '"Shoe","Coup","Player card 1","Player card 2","Player card 3","Banker card 1","Banker card 2","Banker card 3",'
        '"Player total","Banker total","Winner","Pair outcome"\n'
    )
    rounds = (
        '1,1,"8","2",NA,"6","2",NA,"0","8","Banker","No pair"\n'
        '1,2,"4","6","3","8","2","K","3","0","Player","No pair"\n'
        '2,3,"10","10",NA,"9","9",NA,"0","8","Banker","Player and banker pair"\n'
        '2,4,"A","10","4","7","3","4","5","4","Player","Banker pair"\n'
    )
    assert told(header + rounds) == [(5, "pair")]


def test_points_with_third_cards_that_are_not_due(told, shoes):
    text = (
        "b total,player total,pcard1,pcard2,pcard3,bcard1,bcard2,bcard3,outcome,rounds,banker streak,player streak,"
        "tie streak,shoe number\n"
        "1,6,0,6,,1,0,0,player win,1,0,1,0,1\n"
        "6,6,0,6,,0,6,0,tie,2,0,1,1,1\n"
        "5,0,0,0,0,7,8,8,banker win,4,1,0,0,1\n"
        "5,9,0,2,7,3,2,0,player win,1,0,1,0,2\n"
    )
    assert shoes(text) == ["PTB", "P"]
    assert told(text) == [(3, "third card"), (4, "gap"), (4, "third card"), (4, "total")]


def test_words_alone_and_beside_the_results_of_bets(shoes, read):
    assert shoes("Winning Outcome\nPlayer\nBanker\nTie\n") == ["PBT"]
    text = (
        "Hand,Bet Side,Bet Amount,Outcome,Result,Balance,Sequence Step\n"
        "1,Player,5,Banker,Loss,495.0,1\n2,Banker,10,Banker,Win,504.5,2\n3,Player,5,Tie,Push,504.5,1\n"
    )
    record = read(text)
    assert [shoe.letters for shoe in record.shoes()] == ["BBT"]
    assert record.facts["notes"] == ["column 'Result' does not hold winners and was left out"]
    assert shoes(text.replace("Outcome,Result", "Result,Outcome").replace("Banker,Loss", "Loss,Banker")
                 .replace("Banker,Win", "Win,Banker").replace("Tie,Push", "Push,Tie")) == ["BBT"]  # fmt: skip


def test_a_report_whose_rounds_stand_beside_its_tables(read):
    report = {
        "title": "走勢實測結果",
        "total": {"rounds": 3, "hits": 1},
        "tables": [{"tableId": "BAG01", "rounds": 27, "lastWinner": "閒", "lastDiagnostics": {}}],
        "events": [
            {"no": 1, "at": "2026-06-29T14:48:22.230Z", "tableId": "BAG03", "shoe": 15052, "round": 9,
             "prediction": "閒",
             "actual": "閒", "side": {"tie": 0, "bankerPair": 0}, "sideActions": []},
            {"no": 2, "at": "2026-06-29T14:48:22.230Z", "tableId": "BAG01", "shoe": 18168, "round": 1,
             "prediction": "莊",
             "actual": "和", "side": {"tie": 0}, "sideActions": [{"key": "bankerPair", "hit": False}]},
            {"no": 3, "at": "2026-06-29T14:49:22.230Z", "tableId": "BAG03", "shoe": 15052, "round": 12,
             "prediction": "閒",
             "actual": "莊", "side": {}, "sideActions": []},
        ],
    }  # fmt: skip
    record = read(json.dumps(report, ensure_ascii=False, indent=2))
    assert [(shoe.table, shoe.name, shoe.letters) for shoe in record.shoes()] == [
        ("BAG03", "15052", "PB"), ("BAG01", "18168", "T"),
    ]  # fmt: skip
    assert [(one.round, one.kind) for one in record.findings] == [(9, "gap"), (12, "gap")]


def test_letters_that_carry_pairs_and_colours_with_totals_as_programs_list_them(read):
    record = read("pbpppbbp\nqqfw")
    assert [shoe.letters for shoe in record.shoes()] == ["PBPPPBBP", "BBPB"]
    assert record.frame["banker_pair"].to_list()[-4:] == [True, True, True, True]
    record = read("'R6n',\n'B7n',\n'G8n',\n'B8r',\n", order="newest-first")
    assert [shoe.letters for shoe in record.shoes()] == ["PTPB"]
    assert record.frame["banker_pair"].to_list() == [True, False, False, False]


class TestLiveShoesOneALine:
    """Shapes that a processed feed may have: 'winner' with both totals, flags only where they are true."""

    ROUNDS = tuple(json.loads(one) for one in (B14, P91, T22, B67))

    def letters(self):
        return "".join(one["winner"][0] for one in self.ROUNDS)

    @pytest.mark.parametrize("shape", ["objects", "message", "lists", "strings", "short", "places", "backwards"])
    def test_shape(self, read, shape):
        rounds, winners = self.ROUNDS, self.letters()
        player, banker = ([one[name] for one in rounds] for name in ("playerScore", "bankerScore"))
        pairs = [int("playerPair" in one) for one in rounds]
        shoe = {
            "objects": {"table": "A", "shoe": 7, "complete": True, "rounds": rounds},
            "message": {"tableId": "A", "shoe": 7, "history_v2": rounds},
            "lists": {"shoe": 7, "table": "A", "n": 4, "results": winners, "player": player, "banker": banker,
                      "player_pair": pairs},
            "strings": {"shoe": 7, "table": "A", "winners": winners, "player_totals": "".join(map(str, player)),
                        "banker_totals": "".join(map(str, banker)), "player_pairs": "".join(map(str, pairs))},
            "short": {"shoe": 7, "table": "A", "w": winners, "p": player, "b": "".join(map(str, banker)), "pp": pairs},
            "places": {"shoe": 7, "table": "A",
                       "rounds": [[one["winner"], one["playerScore"], one["bankerScore"]] for one in rounds]},
            "backwards": {"shoe": 7, "table": "A",
                          "rounds": [[one["bankerScore"], one["playerScore"], one["winner"][0]] for one in rounds]},
        }[shape]  # fmt: skip
        record = read(json.dumps(shoe))
        assert [(one.table, one.name, one.letters) for one in record.shoes()] == [("A", "7", "BPTB")]
        assert record.frame["player_total"].to_list() == player
        assert record.frame["banker_total"].to_list() == banker
        if shape not in ("places", "backwards"):
            assert record.frame["player_pair"].to_list() == [False, False, False, True]
        if shape in ("objects", "message"):
            assert record.frame["natural"].to_list() == [False, True, None, False]
        assert not record.findings

    def test_places_that_do_not_tell_themselves_can_be_named(self, read):
        text = json.dumps({"rounds": [["T", 2, 2], ["T", 1, 1]]})
        with pytest.raises(SourceError, match=r"places of \['T', 2, 2\].*--columns winner,player_total,banker_total"):
            read(text)
        record = read(text, columns=("winner", "banker_total", "player_total"))
        assert record.frame["player_total"].to_list() == [2, 1]


def test_two_keys_with_one_fact(read):
    text = (
        '[{"winner": "Banker", "result": "Loss", "no": 4, "round": 1}, {"winner": "Player", "result": "Win", "no": 9, '
        '"round": 2}]'
    )
    record = read(text)
    assert [shoe.letters for shoe in record.shoes()] == ["BP"]
    assert record.frame["round"].to_list() == [1, 2]
    with pytest.raises(SourceError, match="two columns hold the winner"):
        read('[{"winner": "Banker", "outcome": "Player"}]')
    assert [s.letters for s in read('[{"winner": "Banker"}, {"outcome": "Player"}]').shoes()] == ["BP"]


def test_the_history_that_a_program_exports(read):
    text = (
        "round_id,shoe_id,hand_number,timestamp,play_mode,winner,player_cards,banker_cards,player_total,banker_total,natural,"
        "player_pair,banker_pair,bet_player,bet_banker,total_stake,net,cards_remaining\n"
        "r-1,s-1,1,2026-07-31T00:00:00.000Z,bet,banker,2-spades|3-hearts,4-clubs|4-diamonds,5,8,true,false,true,0,100,100,95,400\n"
        "r-2,s-1,2,2026-07-31T00:01:00.000Z,bet,player,10-spades|K-hearts|7-clubs,A-clubs|2-diamonds|Q-hearts,7,3,false,"
        "false,false,0,100,100,-100,394\n"
    )
    record = read(text)
    assert record.frame["p1"].to_list() == ["2s", "10s"]
    assert record.frame["b3"].to_list() == ["", "Qh"]
    assert not record.findings


def test_sides_as_objects_and_cards_as_objects(read):
    spades, hearts = [{"rank": rank, "suit": "spades", "value": 0} for rank in ("K", "8")], ["A of Hearts", "3♥"]
    rounds = [
        {"player": {"cards": spades, "total": 8}, "banker": {"cards": hearts, "total": 4}, "winner": "player"},
        {"player": {"cards": [{"rank": 9, "suit": "S"}, {"rank": 2}], "total": 1},
         "banker": {"cards": ["9D", "KH"], "total": 9},
         "winner": "player"},
    ]  # fmt: skip
    record = read(json.dumps(rounds))
    assert record.frame["p1"].to_list() == ["Ks", "9s"]
    assert record.frame["p2"].to_list() == ["8s", "2"]
    assert [(one.line, one.kind) for one in record.findings] == [(2, "winner")]


def test_a_column_of_patterns_is_not_taken_for_shoes(read, shoes):
    text = "Pattern_3,Next_Outcome\nBBP,B\nBPB,P\nBPB,B\n"
    with pytest.raises(SourceError, match="two columns hold results, 'Pattern_3' several a row and 'Next_Outcome' one"):
        read(text)
    assert shoes(text.partition("\n")[2], columns=("-", "winner")) == ["BPB"]


def test_letters_cut_out_of_a_program(shoes):
    text = 'export const SEED =\n  "BPBPBBBB" +\n  "TBPBPPPB" +\n  "PPP";\n'
    assert shoes(text) == shoes(text.partition("\n")[2]) == ["BPBPBBBB", "TBPBPPPB", "PPP"]


def test_the_first_shoe_is_not_taken_for_a_header(shoes):
    assert shoes("1,BPPT\n2,PPBB\n") == ["BPPT", "PPBB"]
    assert shoes("night,results\n1,BPPT\n2,PPBB\n") == ["BPPT", "PPBB"]


def test_a_date_and_a_time_in_two_columns(read):
    record = read("#,Date,Time,Result\n3,2025-01-02,00:01,T\n2,2025-01-01,23:59,P\n1,2025-01-01,23:58,B\n")
    assert [shoe.letters for shoe in record.shoes()] == ["BPT"]
    assert record.frame["time"].to_list() == ["2025-01-01 23:58", "2025-01-01 23:59", "2025-01-02 00:01"]
    assert record.frame["round"].to_list() == [1, 2, 3]
    assert read("Date,Result\n2025-01-01,B\n2025-01-02,P\n").frame["time"].to_list() == ["2025-01-01", "2025-01-02"]


def test_words_in_the_first_line_are_rounds_and_not_a_header(shoes):
    assert shoes("Banker,Player,Tie\nPlayer,Player,Banker\n") == ["BPT", "PPB"]
    assert shoes("Banker,Player,Player\nTie\n") == ["BPP", "T"]
    assert shoes("Player,Banker\n7,3\n8,9\n") == ["PB"], "a header over totals"


@pytest.mark.parametrize(
    ("text", "letters", "notes"),
    [
        ("hand,banker,player,tie\n1,1,0,0\n2,0,1,0\n3,0,0,1\n", "BPT", []),
        ("hand,player,banker,tie\n1,false,true,false\n2,true,false,false\n", "BP", []),
        ("player,banker,tie,winner\n100,0,0,B\n0,50,5,T\n", "BT",
         ["columns 'player', 'banker', 'tie' stand beside the winner and were left out"]),
    ],
)  # fmt: skip
def test_a_column_for_each_winner(read, text, letters, notes):
    record = read(text)
    assert [shoe.letters for shoe in record.shoes()] == [letters]
    assert record.facts["notes"] == notes


def test_totals_or_cards_beside_a_flag_for_ties(read):
    record = read("player,banker,tie,winner\n7,3,0,P\n4,4,1,T\n9,2,0,B\n")
    assert record.frame["player_total"].to_list() == [7, 4, 9]
    assert [(one.line, one.kind) for one in record.findings] == [(4, "winner")]
    record = read('[{"player": ["8S", "KD"], "banker": ["5H", "2C"], "tie": false}]')
    assert record.frame["winner"].to_list() == ["player"]


def test_counts_of_whole_shoes_are_no_rounds(read):
    with pytest.raises(SourceError, match="'player', 'banker', 'tie' do not mark one winner in each row"):
        read("shoe,banker,player,tie\n1,34,30,6\n2,31,33,7\n")


def test_a_table_in_markdown(shoes):
    assert shoes("| hand | winner |\n|-----:|--------|\n| 1 | B |\n| 2 | P |\n") == ["BP"]
