"""`bacclab shoes`: deal, import, check; and runs on recorded rounds through the command line."""

import json
import os
import threading
from pathlib import Path

import polars as pl
import pytest

BASE = """
seed = 1
bankroll = 1000
sessions = {sessions}
{length}
[source]
use = "recorded"
path = "{path}"
{source}
[table]
rules = "{rules}"
[[bettor]]
name = "Follow"
select = "follow-last"
stake = {{ use = "martingale", unit = 10, steps = 4 }}
when_refused = "cap"
"""


def experiment(folder, path, *, sessions=1, length="shoes = 1", source="", rules="commission", more=""):
    file = folder / "e.toml"
    file.write_text(BASE.format(path=path, sessions=sessions, length=length, source=source, rules=rules) + more)
    return file


@pytest.fixture
def night(tmp_path):
    path = tmp_path / "night.csv"
    path.write_text(
        "shoe,round,winner,player_total,banker_total\n1,1,P,8,1\n1,2,B,8,1\n1,4,T,3,3\n2,1,P,7,2\n2,2,B,1,2\n"
    )
    return path


def test_import_says_what_it_took_and_what_it_found(call, night, tmp_path):
    out = tmp_path / "night.parquet"
    called = call("shoes", "import", night, "-o", out)
    assert called.code == 0
    for words in ("5 rounds in 2 shoes", "separators: commas", "order: oldest first, by the numbers", "encoding: utf-8",
                  "known of every round: who won and both totals", ("not to be played on it: pair bets, and systems "
                      "that hunt"),
                  "not to be played on it: systems that count cards", ("line 3, shoe 1, round 2: winner: Banker in "
                      "the record"),
                  "line 4, shoe 1, round 4: gap: 1 round is missing after round 2"):  # fmt: skip
        assert words in called.out
    frame = pl.read_parquet(out)
    assert frame["fault"].to_list() == [None, "winner", None, None, None]
    facts = call("shoes", "import", night, "-o", out, "--json").json
    assert [one["kind"] for one in facts["findings"]] == ["winner", "gap"]
    assert [one["fault"] for one in facts["findings"]] == [True, False]
    assert [text.partition(" (")[0] for text in facts["not_playable"]] == [
        "bets on totals and third cards, such as Dragon 7 and Panda 8", "pair bets, and systems that hunt pairs",
        "systems that count cards",
    ]  # fmt: skip
    assert (facts["rounds"], facts["shoes"], facts["out"]) == (5, 2, str(out))


def test_import_can_stop_at_a_fault(call, night, tmp_path):
    out = tmp_path / "night.parquet"
    called = call("shoes", "import", night, "-o", out, "--on-fault", "stop")
    assert called.code == 2
    assert "nothing was written; the first: line 3" in called.err
    assert not out.exists()
    assert "did you mean stop" in call("shoes", "import", night, "-o", out, "--on-fault", "stopp").err


def test_check_prints_the_figures(call, tmp_path):
    path = tmp_path / "dealt.csv"
    assert call("shoes", "deal", "--shoes", "40", "--seed", "7", "-o", path).code == 0
    called = call("shoes", "check", path)
    assert called.code == 0
    for words in ("no contradiction, repeat or gap was found", "winners: chi-square", "on 2 degrees of freedom, p = ",
                  "both totals: chi-square", "Player pair", "run of", "Banker after Banker"):  # fmt: skip
        assert words in called.out
    assert "warning" not in called.out
    assert "not to be played" not in called.out, "a dealt shoe is known whole"
    figures = call("shoes", "check", path, "--json").json["figures"]
    assert figures["winners"]["p_value"] > 0.001
    assert [share["what"] for share in figures["shares"]] == ["Banker", "Player", "Tie"]
    assert figures["followers"]["share_after_banker"] == pytest.approx(0.5, abs=0.05)


def test_doubtful_shares_are_warned_of(call, tmp_path):
    path = tmp_path / "bent.txt"
    path.write_text("BBP" * 200 + "T")
    called = call("shoes", "check", path)
    assert called.code == 0
    assert "warning: the shares of the winners differ from those of" in called.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BBB", "--language english or --colours"),
        ("BPpb", "--fold-case"),
        ("0 1 0", "--format codes-01"),
        ("PK\x03\x04rest", "zip archive"),
        ("hello", "no result of a round"),
        ("{", "JSON"),
    ],
)
def test_mistakes_are_told_in_two_lines(call, tmp_path, text, message):
    path = tmp_path / "x.txt"
    path.write_text(text)
    for command in (("check", path), ("import", path, "-o", tmp_path / "o.parquet")):
        called = call("shoes", *command)
        assert called.code == 2
        assert message in called.err
        assert len(called.err.splitlines()) <= 2
        assert "Traceback" not in called.err


def test_options_answer_the_questions(call, tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("BBB")
    assert "language: colours" in call("shoes", "check", path, "--colours").out
    assert call("shoes", "check", path, "--colours", "--language", "english").code == 2
    path.write_text("a;B;3;7\nb;P;8;1")
    out = call("shoes", "check", path, "--columns", "-,winner,player_total,banker_total", "--json").json
    assert out["known"] == ["winner", "winning_total", "totals"]


def test_a_record_with_faults_is_refused_by_a_run_until_it_is_said_what_becomes_of_them(call, night, tmp_path):
    called = call("run", experiment(tmp_path, night.name), "--out", tmp_path / "r", "--no-report")
    assert called.code == 2
    assert "e.toml, line" in called.err
    assert "1 round with a fault; the first: line 3" in called.err
    assert "skip-shoe" in called.err
    file = experiment(tmp_path, night.name, source='faults = "skip-shoe"')
    assert call("run", file, "--out", tmp_path / "r", "--no-report").code == 0
    manifest = json.loads((tmp_path / "r" / "manifest.json").read_text())
    assert manifest["source"]["rounds_with_a_fault"] == "left out: 1 shoe with a fault (3 rounds)"
    assert manifest["source"]["replay"].startswith("in-order")


def test_more_sessions_than_the_record_holds_are_refused(call, tmp_path):
    (tmp_path / "x.txt").write_text("BPT\nPPB\n")
    called = call("run", experiment(tmp_path, "x.txt", sessions=3), "--out", tmp_path / "r")
    assert called.code == 2
    assert "the source has rounds for 2 sessions" in called.err
    assert 'replay = "resampled"' in called.err


@pytest.mark.parametrize(
    ("bettor", "rules", "reason"),
    [
        (
            'use = "flat"\non = "player_pair"\nunit = 10',
            "commission",
            "the bet 'player_pair' cannot be settled: it needs pairs",
        ),
        (
            'use = "flat"\non = "banker"\nunit = 10',
            "no-commission",
            "the bet 'banker' cannot be settled: it needs the winner's total",
        ),
        (
            'use = "flat"\non = "dragon_7"\nunit = 10',
            "ez",
            "the bet 'dragon_7' cannot be settled: it needs the winner's total",
        ),
    ],
)
def test_a_bet_that_the_record_does_not_decide_is_refused_before_the_run(call, tmp_path, bettor, rules, reason):
    (tmp_path / "x.txt").write_text("BPT\nPPB\n")
    more = f'[[bettor]]\nname = "Needs more"\n{bettor}\n'
    called = call(
        "run",
        experiment(tmp_path, "x.txt", rules=rules, more=more).read_text() and tmp_path / "e.toml",
        "--out",
        tmp_path / "r",
    )
    assert called.code == 2
    assert "knows who won of each round and nothing else" in called.err
    assert reason in called.err or "needs" in called.err
    assert not (tmp_path / "r").exists()


PLUGIN = '''
import bacclab as bl


@bl.bettor("{name}")
class Looker(bl.Bettor):
    """Looks at what not every record has."""

    unit: bl.Money = bl.Money(10)

    def start(self, table):
        self.seen = 0

    def bet(self, view):
        {bet}

    def settle(self, result):
        {settle}
'''


@pytest.mark.parametrize(
    ("bet", "settle", "reason"),
    [
        (
            "return view.banker(self.unit) if self.seen else None",
            "self.seen = int(result.banker_pair > 0)",
            "looks at pairs",
        ),
        (
            "return view.banker(self.unit) if self.seen else None",
            "self.seen = int(result.player_total > 6)",
            "looks at",
        ),
        (
            "return view.banker(self.unit) if any(r.player_pair for r in view.rounds) else None",
            "pass",
            "looks at pairs",
        ),
        ("return view.banker(self.unit) if view.unseen[8] > 3 else None", "pass", "not the cards"),
    ],
)
def test_a_bettor_that_looks_at_what_the_record_lacks_is_refused_before_the_run(call, tmp_path, bet, settle, reason):
    (tmp_path / "x.txt").write_text("BPTBPBPBBPTBP\nPPBBPTPBPBPBP\n" * 10)
    (tmp_path / "looker.py").write_text(PLUGIN.format(name="looker", bet=bet, settle=settle))
    file = experiment(tmp_path, "x.txt", sessions=4, more='[[bettor]]\nuse = "looker"\n')
    called = call("--plugin", tmp_path / "looker.py", "run", file, "--out", tmp_path / "r")
    assert called.code == 2
    assert "bettor 'looker'" in called.err
    assert reason in called.err
    assert not (tmp_path / "r").exists()


def test_a_bettor_that_asks_for_pairs_plays_where_pairs_are_known(call, tmp_path):
    """The answer also tells suited pairs apart, which the record does not know and the bettor does not use."""
    rows = [f"{1 + n // 40},{1 + n % 40},{'BPT'[n % 3]},{n % 2},{int(n % 5 == 0)}" for n in range(160)]
    (tmp_path / "x.csv").write_text("shoe,round,winner,player_pair,banker_pair\n" + "\n".join(rows))
    plugin = PLUGIN.format(
        name="looker",
        bet="return view.banker(self.unit) if self.seen else None",
        settle="self.seen = bool(result.banker_pair)",
    )
    (tmp_path / "looker.py").write_text(plugin)
    file = experiment(tmp_path, "x.csv", sessions=4, more='[[bettor]]\nuse = "looker"\n')
    called = call("--plugin", tmp_path / "looker.py", "run", file, "--out", tmp_path / "r", "--no-report")
    assert (called.code, called.err.count("bacclab:")) == (0, 0)
    summary = pl.read_parquet(tmp_path / "r" / "summary.parquet").filter(pl.col("bettor") == "looker")
    assert summary["played_by"].to_list() == ["table"]
    assert summary["bets"][0] > 0


def test_deal_import_check_run_is_a_round_trip(call, tmp_path):
    """Simulated sessions of one shoe each, and the same shoes written down and replayed: same digest and results."""
    simulated = tmp_path / "s.toml"
    text = BASE.format(path="", sessions=12, length="shoes = 1", source="", rules="no-commission")
    simulated.write_text(
        text.replace('use = "recorded"\npath = ""', 'use = "simulated"').replace("seed = 1", "seed = 9")
    )
    assert call("run", simulated, "--out", tmp_path / "sim", "--no-report").code == 0
    for form in ("csv", "parquet"):
        dealt, record = tmp_path / f"dealt.{form}", tmp_path / "record.parquet"
        assert call("shoes", "deal", "--table", "no-commission", "--shoes", "12", "--seed", "9", "-o", dealt).code == 0
        assert call("shoes", "import", dealt, "-o", record).code == 0
        assert "no contradiction" in call("shoes", "check", record).out
        file = experiment(tmp_path, record.name, sessions=12, rules="no-commission")
        assert call("run", file, "--out", tmp_path / form, "--no-report").code == 0
        manifests = [json.loads((tmp_path / name / "manifest.json").read_text()) for name in ("sim", form)]
        assert manifests[0]["digest"] == manifests[1]["digest"]
        sessions = [pl.read_parquet(tmp_path / name / "sessions.parquet") for name in ("sim", form)]
        assert sessions[0].equals(sessions[1])


def test_letters_of_dealt_shoes(call, tmp_path):
    out = tmp_path / "dealt.txt"
    told = call("shoes", "deal", "--shoes", "3", "--seed", "2", "-o", out, "--json").json
    lines = out.read_text().splitlines()
    assert len(lines) == 3
    assert sum(map(len, lines)) == told["rounds"]
    assert call("shoes", "deal", "--shoes", "0", "-o", out).code == 2
    assert "did you mean letters" in call("shoes", "deal", "--format", "leters", "-o", out).err
    assert "did you mean commission" in call("shoes", "deal", "--table", "comission", "-o", out).err


def test_resampled_sessions_say_so_and_have_no_z(call, tmp_path):
    (tmp_path / "x.txt").write_text("BPTBPB\nPPBB\nBBBBT\n")
    more = '[[bettor]]\nuse = "flat"\non = "banker"\nunit = 10\n'
    file = experiment(tmp_path, "x.txt", sessions=500, source='replay = "resampled"', length="rounds = 20", more=more)
    called = call("run", file, "--out", tmp_path / "r")
    assert called.code == 0
    assert "points to a fault" not in called.err
    summary = pl.read_parquet(tmp_path / "r" / "summary.parquet")
    assert summary["z"].to_list() == [None, None]
    pair = pl.read_parquet(tmp_path / "r" / "comparisons.parquet").row(0, named=True)
    assert pair["mean_difference"] is not None
    assert (pair["p_value"], pair["p_adjusted"], pair["ci_low"], pair["sessions_needed"]) == (None,) * 4
    assert "no more than the record" in pair["verdict"]
    page = (tmp_path / "r" / "report.html").read_text()
    assert "15 rounds of 3 shoes in x.txt, drawn again and again at random" in page
    assert "told apart by their results" not in page


@pytest.mark.slow
def test_workers_draw_the_same_shoes(call, tmp_path):
    (tmp_path / "x.txt").write_text("BPTBPB\nPPBB\nBBBBT\n")
    file = experiment(tmp_path, "x.txt", sessions=500, source='replay = "resampled"', length="rounds = 20")
    for workers in ("1", "2"):
        assert call("run", file, "--out", tmp_path / workers, "--workers", workers, "--no-report").code == 0
    one, two = (pl.read_parquet(tmp_path / workers / "sessions.parquet") for workers in ("1", "2"))
    assert one.equals(two)


def test_sources_tell_how_to_write_them(call):
    shown = call("sources", "recorded").out
    assert 'use = "recorded"' in shown
    assert "resampled" in shown
    assert "skip-round" in shown
    assert {row["id"] for row in call("sources", "--json").json} >= {"simulated", "scripted", "recorded"}


@pytest.mark.parametrize("command", ["deal", "import", "check"])
def test_each_command_has_help_with_an_example(call, command):
    called = call("shoes", command, "--help")
    assert called.code == 0
    assert f"Example: bacclab shoes {command}" in called.out
    assert "--json" in called.out


def test_a_record_is_never_written_over_by_what_was_read_from_it(call, tmp_path):
    record = tmp_path / "night.csv"
    record.write_text("PBBPB\n\nBPPPB\n")
    called = call("shoes", "import", record, "-o", tmp_path / "." / "night.csv")
    assert called.code == 2
    assert "is the record that is read" in called.err
    assert record.read_text() == "PBBPB\n\nBPPPB\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device here")
@pytest.mark.parametrize("words", [["shoes", "check"], ["roads"]])
def test_a_device_without_an_end_is_not_read(call, words):
    called = call(*words, "/dev/zero")
    assert (called.code, called.err) == (2, "bacclab: /dev/zero is a device\n  name a file\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_record_may_come_through_a_pipe(call, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("PBBPB\n\nBPPPB\n",))
    writer.start()
    called = call("shoes", "check", pipe)
    writer.join()
    assert called.code == 0
    assert "10 rounds in 2 shoes" in called.out


@pytest.mark.parametrize("encoding", ["rot13", "\0", "zip", "klingon", ""])
def test_an_encoding_that_is_none(call, tmp_path, encoding):
    record = tmp_path / "night.txt"
    record.write_text("PBBPB\n")
    called = call("shoes", "check", record, "--encoding", encoding)
    assert called.code == 2
    assert f"there is no encoding {encoding!r}" in called.err
