"""Replaying a record: shoes in order or resampled, faults by policy, what is known, cards left, the settings."""

from dataclasses import replace

import numpy as np
import pytest

from bacclab.errors import ConfigError, SourceError
from bacclab.game import codes
from bacclab.game.rules import ShoeRules
from bacclab.shoes.recorded.faults import Finding
from bacclab.shoes.recorded.importer import read_record
from bacclab.shoes.recorded.record import Record, schema
from bacclab.shoes.recorded.source import RecordedSource
from bacclab.shoes.source import Horizon

LETTERS = np.array(list("PBT"))


@pytest.fixture
def source(tmp_path):
    """A source from a text and settings."""

    def make(text, *, seed=1, decks=8, **settings):
        path = tmp_path / "night.txt"
        path.write_text(text, encoding="utf-8")
        return RecordedSource.from_config(
            {"path": str(path), **settings}, rules=ShoeRules(decks=decks), seed=seed, folder=tmp_path
        )

    return make


def letters(dealt, row=0):
    text = ""
    for code in dealt.codes[row, : dealt.lengths[row]].tolist():
        text += ("|" if code & codes.NEW_SHOE else "") + LETTERS[codes.outcomes()[code & codes.CODE_MASK]]
    return text


def test_sessions_take_consecutive_shoes(source):
    made = source("BPT\nPPBB\nTB\nBBBPP\nPT")
    two = made.rounds(0, 3, horizon=Horizon(shoes=2))
    assert [letters(two, row) for row in range(3)] == ["|BPT|PPBB", "|TB|BBBPP", "|PT"]
    assert two.ran_out.tolist() == [False, False, True]
    assert made.max_rounds(Horizon(shoes=2)) == 7
    assert made.most_sessions(Horizon(shoes=2)) == 3


def test_a_number_of_rounds_takes_as_many_whole_shoes_as_it_needs(source):
    made = source("BPT\nPPBB\nTB\nBBBPP\nPT")
    four = made.rounds(0, 3, horizon=Horizon(rounds=4))
    assert [letters(four, row) for row in range(3)] == ["|BPT|P", "|TB|BB", "|PT"]
    assert (four.ran_out.tolist(), four.lengths.tolist()) == ([False, False, True], [4, 4, 2])
    assert made.most_sessions(Horizon(rounds=4)) == 3
    assert letters(made.rounds(0, 1, horizon=Horizon(rounds=100))) == "|BPT|PPBB|TB|BBBPP|PT"


def test_blocks_do_not_matter(source):
    text = "\n".join(["BPT", "PPBB", "TB", "BBBPP", "PT"] * 5)
    for replay in ("in-order", "resampled"):
        for horizon in (Horizon(rounds=9), Horizon(shoes=3)):
            made = source(text, replay=replay)
            count = made.most_sessions(horizon) or 20
            whole = made.rounds(0, count, horizon=horizon)
            for session in range(count):
                alone = made.rounds(session, 1, horizon=horizon)
                assert letters(alone) == letters(whole, session)
                assert alone.ran_out[0] == whole.ran_out[session]


def test_resampled_shoes_follow_from_the_seed_and_the_session(source):
    text = "\n".join(["B" * n + "P" for n in range(1, 41)])
    horizon = Horizon(shoes=6)
    one, again, other = (
        source(text, replay="resampled", seed=seed).rounds(0, 50, horizon=horizon) for seed in (1, 1, 2)
    )
    assert np.array_equal(one.codes, again.codes)
    assert not np.array_equal(one.codes, other.codes)
    assert not one.ran_out.any()
    assert source(text, replay="resampled").most_sessions(horizon) is None
    shoes = {shoe for row in range(50) for shoe in letters(one, row).split("|") if shoe}
    assert shoes <= {"B" * n + "P" for n in range(1, 41)}
    assert len(shoes) == 40, "300 draws from 40 shoes leave none out but with a chance of 2 per cent"


def test_each_shoe_is_drawn_equally_often(source):
    made = source("B\nBP\nBPP\nBPPP", replay="resampled", language="english")
    drawn = made.rounds(0, 4000, horizon=Horizon(shoes=1)).lengths
    counts = np.bincount(drawn, minlength=5)[1:]
    assert ((counts - 1000) ** 2 / 750).sum() < 25


def test_a_record_with_faults_is_refused_until_it_is_said_what_becomes_of_them(source):
    text = "shoe,winner,player_total,banker_total\n1,P,8,1\n1,B,8,1\n1,T,3,3\n2,P,7,2\n2,B,1,2"
    with pytest.raises(SourceError, match=r"1 round with a fault; the first: line 3, shoe 1, round 2: winner"):
        source(text)
    horizon = Horizon(rounds=9)
    whole = {policy: letters(source(text, faults=policy).rounds(0, 1, horizon=horizon))
             for policy in ("skip-shoe", "skip-round", "as-recorded")}  # fmt: skip
    assert whole == {"skip-shoe": "|PB", "skip-round": "|PT|PB", "as-recorded": "|PBT|PB"}
    assert (
        source(text, faults="skip-shoe").describe()["rounds_with_a_fault"] == "left out: 1 shoe with a fault (3 rounds)"
    )
    assert "totals" in source(text, faults="skip-round").known
    assert "totals" not in source(text, faults="as-recorded").known, "the faulty round has none that can be believed"
    with pytest.raises(SourceError, match="the cards do not settle 1 of the rounds"):
        source(text, faults="by-cards")
    with pytest.raises(SourceError, match=r"no faults = 'skip'.*skip-shoe"):
        source(text, faults="skip")


CARDS = (
    "shoe,P1,P2,P3,B1,B2,B3,winner\n1,8S,AS,,5H,KC,,P\n1,2S,3D,4S,6H,KC,,B\n2,TS,3D,4S,TH,3C,4D,T\n2,7C,9C,,2D,6D,,B"
)


def test_by_cards(source):
    made = source(CARDS, faults="by-cards")
    assert letters(made.rounds(0, 1, horizon=Horizon(shoes=2))) == "|PP|TB"
    assert made.known == {"winner", "winning_total", "totals", "natural", "cards", "pairs", "suits"}
    rounds = [codes.decode(int(c) & codes.CODE_MASK) for c in made.rounds(0, 1, horizon=Horizon(shoes=2)).codes[0, :4]]
    assert [(r.player_total, r.banker_total, r.player_cards, r.banker_cards) for r in rounds] == [
        (9, 5, 2, 2), (9, 6, 3, 2), (7, 7, 3, 3), (6, 8, 2, 2),
    ]  # fmt: skip


def test_pairs_and_suited_pairs_of_cards(source):
    text = "p1,p2,p3,b1,b2,b3\n4S,4S,,3H,5D,\n4S,4D,,4C,4C,\n9S,9S,,9H,9D,"
    rounds = source(text).rounds(0, 1, horizon=Horizon(rounds=3)).codes[0]
    found = [codes.decode(int(c) & codes.CODE_MASK) for c in rounds]
    assert [(r.player_pair, r.banker_pair, r.same_rank) for r in found] == [(2, 0, False), (1, 2, True), (2, 1, True)]


def test_cards_left_are_counted_from_the_first_recorded_round(source):
    made = source(CARDS, faults="by-cards")
    dealt = made.rounds(0, 1, horizon=Horizon(shoes=2), unseen=True)
    assert dealt.unseen[0, 0].tolist() == [32] * 13
    after = [32] * 13
    for rank in (7, 0, 4, 12):  # 8 A 5 K
        after[rank] -= 1
    assert dealt.unseen[0, 1].tolist() == after
    assert dealt.unseen[0, 2].tolist() == [32] * 13, "a new shoe is full"


def test_cards_left_are_refused_where_cards_are_not_known_or_too_many(source):
    with pytest.raises(SourceError, match="knows who won, and not the cards"):
        source("BPT").rounds(0, 1, horizon=Horizon(rounds=3), unseen=True)
    four_nines = "p1,p2,p3,b1,b2,b3\n9,9,,9,9,\n9,9,,8,9,"
    assert source(four_nines).rounds(0, 1, horizon=Horizon(rounds=2), unseen=True).unseen is not None
    with pytest.raises(SourceError, match="more cards of one rank than 1 decks"):
        source(four_nines, decks=1).rounds(0, 1, horizon=Horizon(rounds=2), unseen=True)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("BPT", {"winner"}),
        ("27-7,77-4,73-8", {"winner", "winning_total", "pairs"}),
        ("winner,player_total,banker_total\nB,3,7\nP,8,1", {"winner", "winning_total", "totals"}),
        ("winner,player_total,banker_total\nB,3,7\nP,8,", {"winner", "winning_total"}),
        ("winner,player_total,banker_total\nB,3,7\nP,,2", {"winner"}),
        ("winner,player_pair,banker_pair\nB,1,0\nP,0,0", {"winner", "pairs"}),
        ("p1,p2,p3,b1,b2,b3\n9,9,,4,A,\n6,A,,2,5,", {"winner", "winning_total", "totals", "natural", "cards", "pairs"}),
    ],
)
def test_what_is_known(source, text, known):
    assert source(text).known == known


def test_codes_agree_with_all_that_is_known(source):
    def facts(p, b):
        natural = p != b and max(p, b) > 7 and (p + b) % 2 == 1
        return natural, not natural and p % 2 == 1, not natural and b % 2 == 1  # no pair of two cards has an odd total

    rows = [
        f"{'P' if p > b else 'B' if b > p else 'T'},{p},{b},{','.join(str(int(fact)) for fact in facts(p, b))}"
        for p in range(10)
        for b in range(10)
    ]
    made = source("winner,player_total,banker_total,natural,player_pair,banker_pair\n" + "\n".join(rows))
    dealt = made.rounds(0, 1, horizon=Horizon(rounds=100)).codes[0] & codes.CODE_MASK
    assert codes.possible_codes()[dealt].all()
    for place, code in enumerate(dealt.tolist()):
        p, b = divmod(place, 10)
        one = codes.decode(code)
        natural = p != b and max(p, b) > 7 and one.cards == 4
        assert (one.player_total, one.banker_total) == (p, b)
        assert (natural, one.player_pair > 0, one.banker_pair > 0) == facts(p, b)


def test_settings_are_checked(source, tmp_path):
    assert source("RBG", order="newest-first").describe()["form"] == "letters"
    assert letters(source("BB", language="colours").rounds(0, 1, horizon=Horizon(rounds=2))) == "|PP"
    for settings, message in (
        ({"replay": "random"}, "replay cannot be"),
        ({"languge": "english"}, "did you mean language"),
        ({"points": "yes"}, "points must be true or false"),
        ({"columns": "winner"}, "columns must be a list of names"),
        ({"faults": 1}, "faults must be a word"),
        ({"format": 3}, "format must be a word"),
    ):
        with pytest.raises((ConfigError, SourceError), match=message):
            source("BPT", **settings)
    with pytest.raises(ConfigError, match="needs path"):
        RecordedSource.from_config({}, rules=ShoeRules(), seed=1, folder=tmp_path)


def test_the_manifest_says_what_was_replayed(source):
    told = source("BPT\nPB", replay="resampled").describe()
    assert (told["recorded_shoes"], told["recorded_rounds"]) == (2, 5)
    assert len(told["sha256"]) == 64
    assert "again and again" in told["replay"]
    assert told["known"] == "who won"


def test_gaps_are_counted(source):
    assert source("round,winner\n1,B\n2,P\n5,T\n9,B").describe()["gaps"] == 2


def test_the_own_form_holds_everything(tmp_path):
    text = "shoe;time;winner;player_total\n庄1;2025-08-08 12:00;莊;3\n庄1;2025-08-08 12:01;閒;8\n2;2025-08-08 12:03;和;"
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode("utf-16"))
    record = read_record(path)
    out = tmp_path / "a.parquet"
    out.write_bytes(record.to_bytes())
    again = read_record(out)
    assert again.frame.equals(record.frame)
    assert (again.facts, again.findings) == (record.facts, record.findings)
    assert dict(again.frame.schema) == schema()
    assert [shoe.name for shoe in read_record(out).shoes()] == ["庄1", "2"]
    assert again.frame["file"].unique().to_list() == ["a.csv"]
    assert record.to_bytes() == read_record(path).to_bytes(), "the same record gives the same bytes"


def test_a_record_without_what_was_told_of_it_is_read_as_a_table(tmp_path, read):

    path = tmp_path / "x.parquet"
    record = read("shoe,round,winner,p1,p2,b1,b2\n4,1,B,8S,KH,9S,QD\n4,2,P,3S,5D,2C,4H\n7,1,T,9C,QH,9D,JS\n")
    record.frame.write_parquet(path)
    with pytest.raises(SourceError, match=r"no record of bacclab.*CSV"):
        Record.from_bytes(path.read_bytes(), name="x.parquet")
    again = read_record(path)
    same = [name for name in again.frame.columns if name not in ("shoe_name", "line", "file")]
    assert again.frame.select(same).equals(record.frame.select(same))


def test_a_finding_of_no_known_kind_is_refused(tmp_path):
    """Nobody knows whether its round can be trusted: it would be played as if it were none."""
    (tmp_path / "l.txt").write_text("BPT")
    record = read_record(tmp_path / "l.txt")
    odd = replace(record, findings=(Finding(1, 1, 1, "winners", "of a later bacclab"),))
    with pytest.raises(SourceError, match="of no known kind: 'winners'"):
        Record.from_bytes(odd.to_bytes(), name="odd.parquet")


def test_damaged_records_are_refused(tmp_path):
    good = tmp_path / "good.parquet"
    (tmp_path / "l.txt").write_text("BPT")
    data = read_record(tmp_path / "l.txt").to_bytes()
    good.write_bytes(data)
    for cut in (10, len(data) // 2, len(data) - 5):
        with pytest.raises(SourceError, match="damaged"):
            Record.from_bytes(data[:cut], name="cut")
