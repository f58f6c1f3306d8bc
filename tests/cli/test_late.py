"""`bacclab late` as a user calls it."""

from __future__ import annotations

import polars as pl
import pytest


def test_tables_in_words(call):
    called = call("late", "--bet", "player_pair", "--shoes", "60", "--cut-card", "14", "--cut-card", "20-30")
    assert called.code == 0, called.err
    lines = called.out.splitlines()
    assert lines[0] == "player_pair at table commission, 60 shoes, seed 1"
    assert lines[1] == "house edge on a full shoe 10.3614 %; returns are per unit staked"
    assert any(line.startswith("      14   8") for line in lines)
    assert any(line.startswith("20 to 30") for line in lines)
    assert any(line.startswith("404 to 416") and "-10.36 %" in line for line in lines)


def test_json(call):
    found = call("late", "--table", "ez", "--bet", "panda_8", "--shoes", "20", "--seed", "7", "--json").json
    assert (found["table"], found["bet"], found["shoes"], found["seed"]) == ("ez", "panda_8", 20, 7)
    assert found["full_shoe"] == pytest.approx(-0.101876, abs=1e-6)
    assert [row["cut_card"] for row in found["cut_cards"]] == [14]
    assert sum(row["rounds"] for row in found["cards_left"]) == round(20 * found["cut_cards"][0]["rounds"])


def test_a_changed_table(call):
    found = call("late", "--set", "decks=1", "--set", "odds.player_pair=12:1", "--shoes", "20", "--json").json
    assert found["cards_left"][0]["to_cards"] == 51  # the card turned at the burn is seen
    assert found["full_shoe"] == pytest.approx(13 * 3 / 51 - 1)


def test_files(call, tmp_path):
    page, table = tmp_path / "pairs.html", tmp_path / "pairs.parquet"
    assert call("late", "--shoes", "20", "-o", str(page)).code == 0
    text = page.read_text(encoding="utf-8")
    assert "Player Pair: what it is worth late in the shoe" in text
    assert "bacclab late --table commission --bet player_pair --shoes 20 --seed 1" in text
    assert 'name="viewport"' in text
    assert "://" not in text.partition("<script>")[0]
    found = call("late", "--shoes", "20", "-o", str(table), "--json").json
    assert pl.read_parquet(table).to_dicts() == found["cards_left"]
    assert found["file"] == str(table)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--bet", "player_pear"], "player_pair"),
        (["--cut-card", "deep"], "--cut-card deep is no number of cards"),
        (["--cut-card", "411"], "leaves no round"),
        (["--shoes", "0"], "at least one shoe"),
        (["-o", "pairs.png"], "end the name in .html or .csv or .parquet"),
    ],
)
def test_mistakes(call, words, said):
    called = call("late", *words)
    assert called.code == 2
    assert said in called.err
    assert "Traceback" not in called.err
