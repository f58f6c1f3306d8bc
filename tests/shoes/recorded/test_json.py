"""JSON: messages of a live feed, shoes and rounds one a line, whole documents, cards in lists."""

import json

import pytest

from bacclab.errors import SourceError
from bacclab.shoes.recorded.importer import read_record
from bacclab.shoes.recorded.replay_codes import known_of

B37 = {"winner": "Banker", "playerScore": 3, "bankerScore": 7}
P84 = {"winner": "Player", "playerScore": 8, "bankerScore": 4, "natural": True, "playerPair": True}
T44 = {"winner": "Tie", "playerScore": 4, "bankerScore": 4, "bankerPair": True}
B69 = {"winner": "Banker", "playerScore": 6, "bankerScore": 9}


def message(*rounds, at="10:00:00", **arguments):
    body = {
        "id": "x",
        "type": "baccarat.encodedShoeState",
        "args": {"history": "aB", "history_v2": list(rounds), **arguments},
    }
    return f"[{at}] {json.dumps(body)}"


def test_a_log_is_reduced_to_the_longest_list_before_the_list_shrinks(read):
    log = "\n".join(
        [
            "[09:59:59] connected",
            message(B37),
            message(B37),
            '[10:00:02] {"type": "baccarat.bettingState", "args": {"balance": 1}}',
            message(B37, P84),
            message(B37, P84, T44, B69),
            message(),
            message(P84),
            message(P84, T44),
        ]
    )
    record = read(log)
    assert [shoe.letters for shoe in record.shoes()] == ["BPTB", "PT"]
    frame = record.frame
    assert frame["line"].to_list() == [2, 5, 6, 6, 8, 9], "where each round was first told"
    assert frame["player_total"].to_list() == [3, 8, 4, 6, 8, 4]
    assert frame["player_pair"].to_list() == [False, True, False, False, True, False], "an absent flag means no"
    assert frame["banker_pair"].to_list() == [False, False, True, False, False, True]
    assert frame["natural"].to_list() == [False, True, None, False, True, None], "a tie says nothing of naturals"
    assert frame["player_cards"].to_list() == [None, 2, None, None, 2, None], "a natural ends the round"
    assert known_of(record.frame) == {"winner", "winning_total", "totals", "natural", "pairs"}
    assert record.facts["form"] == "live-feed messages"
    assert not record.findings


def test_a_round_that_a_later_message_changes_is_told(read):
    record = read("\n".join([message(B37), message(P84, T44), message(P84, T44, B69)]))
    assert [(one.line, one.round, one.kind) for one in record.findings] == [(1, 1, "changed")]
    assert record.frame["fault"].to_list() == ["changed", None, None]


def test_messages_of_several_tables_are_kept_apart(read):
    log = "\n".join([message(B37, tableId="a"), message(P84, tableId="b"), message(B37, T44, tableId="a")])
    assert [(shoe.table, shoe.letters) for shoe in read(log).shoes()] == [("a", "BT"), ("b", "P")]


def test_shoes_one_a_line(read):
    lines = [
        json.dumps({"table": "7", "shoe": n, "history_v2": rounds}) for n, rounds in ((11, [B37, P84]), (12, [T44]))
    ]
    record = read("\n".join(lines))
    assert [(shoe.table, shoe.name, shoe.letters) for shoe in record.shoes()] == [("7", "11", "BP"), ("7", "12", "T")]
    assert record.frame["player_pair"].to_list() == [False, True, False]
    assert record.frame["line"].to_list() == [1, 1, 2]


@pytest.mark.parametrize(
    "text",
    [
        '{"shoes": ["BPT", "PB"]}',
        '["BPT", "PB"]',
        '[["B", "P", "T"], ["P", "B"]]',
        '{"shoes": [{"shoe": 1, "results": ["B", "P", "T"]}, {"shoe": 2, "results": "PB"}]}',
        '{"shoe": 1, "results": "BPT"}\n{"shoe": 2, "results": "PB"}',
        '{"rounds": ["Banker", "Player", "Tie"]}\n{"rounds": ["Player", "Banker"]}',
        '[{"shoe": 1, "winner": "B"}, {"shoe": 1, "winner": "P"}, {"shoe": 1, "winner": "T"},'
        ' {"shoe": 2, "winner": "P"}, {"shoe": 2, "winner": "B"}]',
        '{"shoe": 1, "round": 1, "outcome": "banker"}\n{"shoe": 1, "round": 2, "outcome": "player"}\n'
        '{"shoe": 1, "round": 3, "outcome": "tie"}\n{"shoe": 2, "round": 1, "outcome": "player"}\n'
        '{"shoe": 2, "round": 2, "outcome": "banker"}',
        '{\n  "shoes": [\n    ["庄", "闲", "和"],\n    ["閒", "莊"]\n  ]\n}',
        (
            '{"shoes": [{"columns": ["winner", "player_total"], "rounds": [["B", 3], ["P", 8], ["T", 4]]}, {"rounds": '
            '["P", "B"]}]}'
        ),
    ],
)
def test_many_shapes(shoes, text):
    assert shoes(text) == ["BPT", "PB"]


def test_short_keys(read):
    frame = read(
        '{"rounds": [{"w": "B", "p": 3, "b": 7, "pp": 1, "bp": 0}, {"w": "P", "p": 8, "b": 4, "pp": 0, "bp": 1}]}'
    ).frame
    assert frame["banker_total"].to_list() == [7, 4]
    assert frame["player_pair"].to_list() == [True, False]


def test_a_list_for_each_fact(read):
    shoe = {
        "shoe": 3,
        "winners": "BPT",
        "player_totals": [3, 8, 4],
        "banker_totals": [7, 4, 4],
        "player_pairs": [0, 1, 0],
    }
    record = read(json.dumps(shoe))
    assert [(one.name, one.letters) for one in record.shoes()] == [("3", "BPT")]
    assert record.frame["banker_total"].to_list() == [7, 4, 4]
    assert record.frame["player_pair"].to_list() == [False, True, False]
    uneven = shoe | {"winners": "BPTB"}
    with pytest.raises(SourceError):
        read(json.dumps(uneven))


def test_player_and_banker_may_be_totals(read):
    frame = read('[{"winner": "B", "player": 3, "banker": 7}, {"winner": "P", "player": 8, "banker": 4}]').frame
    assert frame["player_total"].to_list() == [3, 8]
    assert frame["p1"].to_list() == [None, None]


def test_hands_by_hand(read):
    record = read('{"hands": [[["8S", "0D"], ["5H", "KC"]], [["3S", "2D", "4H"], ["5H", "2C"]]]}')
    assert [shoe.letters for shoe in record.shoes()] == ["PP"]
    assert record.frame["p2"].to_list() == ["10d", "2d"]
    assert record.frame["player_total"].to_list() == [8, 9]


def test_rows_of_an_interface(read):
    rounds = [
        {
            "banker_cards": ["H5", "D8", "S4"],
            "player_cards": ["C6", "HK"],
            "banker_point": 7,
            "player_point": 6,
            "winner": "banker",
        },
        {
            "banker_cards": ["H5", "D4"],
            "player_cards": ["C6", "HK"],
            "banker_point": 9,
            "player_point": 6,
            "winner": "player",
        },
    ]
    record = read(json.dumps(rounds))
    assert record.frame["b3"].to_list() == ["4s", ""]
    assert [(one.line, one.kind) for one in record.findings] == [(2, "winner")]
    assert record.findings[0].text == "Player in the record, Banker by the cards, 6 to 9"


@pytest.mark.parametrize(
    "text",
    [
        '[["8S", "JD", "", "5H", "KC", ""], ["3S", "2D", "4H", "5H", "2C", ""]]',
        '{"cards": ["8S", "JD", "", "5H", "KC", ""]}\n{"cards": ["3S", "2D", "4H", "5H", "2C", ""]}',
        (
            '{"id": 5, "detail": ["8S", "JD", "", "5H", "KC", ""]}\n{"id": 6, "detail": ["3S", "2D", "4H", "5H", '
            '"2C", ""]}'
        ),
    ],
)
def test_six_strings(read, text):
    record = read(text)
    assert record.frame["p3"].to_list() == ["", "4h"]
    assert record.frame["winner"].to_list() == ["player", "player"]
    assert not record.findings


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}', "[]", "{}", "[[]]", '{"shoes": []}', '{"rounds": [{"x": 1}]}', '[1.5, 2.5]', '{"winner": ["B"]}',
        '{"history_v2": 5}', '[null, null]', '[{"winner": {"a": 1}}]', '[true, false]', '["B", ["P"]]',
        '{"shoes": [{"winner": "B"', '[{"winner": "B"},]', "[" * 3000 + "]" * 3000,
        '{"type": "baccarat.encodedShoeState", "args": null}', ('{"type": "baccarat.encodedShoeState", "args": '
            '{"history_v2": [1]}}'),
    ],
)  # fmt: skip
def test_json_that_holds_no_rounds_is_refused(read, text):
    with pytest.raises(SourceError):
        read(text)


def test_an_empty_shoe_is_told(told):
    assert told('{"shoe": 1, "rounds": ["B", "P"]}\n{"shoe": 2, "rounds": []}') == [(2, "empty shoe")]


def test_objects_without_a_round_are_told(read):
    record = read('{"winner": "B"}\n{"weather": "fine"}\n{"winner": "P"}')
    assert [shoe.letters for shoe in record.shoes()] == ["BP"]
    assert record.facts["notes"] == ["left out: 1 object without a round, the first in line 2"]


@pytest.mark.parametrize("indent", [1, 2])
def test_rounds_of_a_document_have_their_lines(read, indent):
    rounds = [
        {"winner": "Banker", "playerScore": 3, "bankerScore": 1},
        {"winner": "Tie", "playerScore": 2, "bankerScore": 2},
    ]
    for whole in ({"shoes": [{"shoe": 1, "history_v2": rounds}]}, rounds, {"table": "A", "rounds": rounds}):
        text = json.dumps(whole, indent=indent)
        record = read(text)
        lines = text.split("\n")
        expected = [n - 1 for n, line in enumerate(lines, start=1) if "winner" in line]
        assert record.frame["line"].to_list() == expected
        assert [(one.line, one.kind) for one in record.findings] == [(expected[0], "winner")]
        assert "line" not in record.facts
    record = read(json.dumps(rounds))
    assert record.frame["line"].to_list() == [1, 2]
    assert record.facts["line"] == "the number of the round in the document, which is one line"


def test_a_line_that_breaks_off_is_told(read):
    text = '{"winner": "B"}\n{"winner": "P", "player\nclosed\n[10:00:00] {"winner": "T"\n{"winner": "P"}\n'
    record = read(text)
    assert [shoe.letters for shoe in record.shoes()] == ["BP"]
    assert [(one.line, one.kind) for one in record.findings] == [(2, "unreadable"), (4, "unreadable")]
    assert record.facts["other lines"] == "left out: 1 line without rounds"


def test_a_shoe_or_table_that_is_null_has_no_name(read):
    record = read('{"shoe": null, "table": null, "winner": "B"}\n{"shoe": null, "table": null, "winner": "P"}')
    assert [(shoe.name, shoe.table, shoe.letters) for shoe in record.shoes()] == [(None, None, "BP")]


@pytest.mark.parametrize(
    "text",
    [
        '[{"shoe": "\\ud83d", "winner": "B"}]',
        '{"table": "a",\n "rounds": [{"winner": "B"}, {"shoe": "\\udE00", "winner": "B"}]}',
        'pk {"rs": "\\ud800", "pk": "C.9,H.2,S.3,D.4"}',
    ],
)
def test_half_of_a_character_is_refused(read, text):
    with pytest.raises(SourceError, match=r"half of a character|the update cannot be read"):
        read(text)


def test_a_line_with_half_of_a_character_is_told_and_a_whole_one_is_taken(read, tmp_path):
    record = read('{"shoe": "\\ud83d", "winner": "B"}\n{"shoe": "\\ud83d\\ude00", "winner": "P"}')
    assert [(shoe.name, shoe.letters) for shoe in record.shoes()] == [("\U0001f600", "P")]
    assert [(one.line, one.kind) for one in record.findings] == [(1, "unreadable")]
    (tmp_path / "r.parquet").write_bytes(record.to_bytes())


def test_facts_of_a_record_with_half_of_a_character_are_refused(read, tmp_path):
    record = read("BPPB")
    path = tmp_path / "r.parquet"
    record.frame.write_parquet(
        path, metadata={"bacclab.record": '{"version": 1, "facts": {"\\ud800": "a"}, "findings": []}'}
    )
    with pytest.raises(SourceError, match=r"damaged record: its facts hold half of a character"):
        read_record(path)
