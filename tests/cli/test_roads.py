"""`bacclab roads`: letters on a terminal, JSON, and a page."""

from __future__ import annotations

import re

import pytest

NIGHT = "TTPBBTP\nBPBPBP\n"
"""Two shoes. The first has columns P1 (with both leading ties), B2 (a tie on the second), P1."""


@pytest.fixture
def night(tmp_path):
    path = tmp_path / "night.txt"
    path.write_text(NIGHT, encoding="utf-8")
    return path


def panels(text: str) -> dict[str, list[str]]:
    blocks = [block.splitlines() for block in text.split("\n\n")]
    return {block[0]: [line.rstrip() for line in block[1:]] for block in blocks if block}


def test_the_first_shoe_in_letters(call, night):
    called = call("roads", night)
    assert (called.code, called.err) == (0, "")
    drawn = panels(called.out)
    assert called.out.startswith("night.txt: shoe 1 of 2\n")
    assert drawn["Bead plate"] == ["T P", "T .", "P .", "B .", "B .", "T ."]
    assert drawn["Big Road"] == ["P2B P", ". B1.", *[". . ."] * 4]
    assert drawn["Big Eye Boy"] == ["b", "b", *["."] * 4]
    assert "\x1b" not in called.out  # no colours into a file
    # Next: column 3 is one deep, column 2 two: red for Player below, blue for Banker beside.
    assert re.search(r"Banker: blue red -\s*\n\s*Player: red blue -", called.out)


def test_another_shoe(call, night):
    drawn = panels(call("roads", night, "--shoe", 2).out)
    assert drawn["Big Road"][0] == "B P B P B P"
    assert [drawn[name][0] for name in ("Big Eye Boy", "Small Road", "Cockroach Pig")] == ["r", "r", "r"]


def test_json(call, night):
    called = call("roads", night, "--json").json
    assert (called["shoe"], called["shoes"], called["leading_ties"], called["columns"]) == (1, 2, 2, [1, 2, 1])
    assert called["big_road"][0] == {
        "round": 3, "side": "player", "column": 0, "row": 0, "run": 1, "depth": 1, "ties": 2,
        "player_pair": False, "banker_pair": False,
    }  # fmt: skip
    assert [mark["colour"] for mark in called["derived"]["big-eye-boy"]] == ["blue", "blue"]
    assert called["ask"]["small-road"] == {"banker": "red", "player": "blue"}
    assert len(called["bead_plate"]) == 7


def test_a_page(call, night, tmp_path):
    target = tmp_path / "roads.html"
    called = call("roads", night, "-o", target)
    assert called.out.endswith(f"written: {target}\n")
    page = target.read_text(encoding="utf-8")
    assert "<title>night.txt: shoe 1 of 2</title>" in page
    assert "Roads of a shoe of 7 rounds: Banker 2, Player 2, Tie 3" in page
    without_programs = re.sub(r"<script\b.*?</script>", "", page, flags=re.DOTALL)
    assert len(without_programs) < 20_000, "something large stands outside the programs"
    assert not re.findall(r'(?:src|href)="(?!data:)', without_programs), "the page asks for something outside itself"


def test_colours_on_a_terminal_and_not_where_they_are_unwanted(monkeypatch):
    from io import StringIO

    from rich.console import Console

    from bacclab.cli.roads_text import road_lines
    from bacclab.game.roads import draw_roads

    def drawn() -> str:
        out = StringIO()
        console = Console(file=out, force_terminal=True, color_system="standard")
        for line in road_lines(draw_roads("BPT")):
            console.print(line, soft_wrap=True)
        return out.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;31mB" in drawn()
    assert "\x1b[1;34mP" in drawn()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", drawn())


def test_a_narrow_terminal_shows_the_newest_columns():
    from bacclab.cli.roads_text import road_lines
    from bacclab.game.roads import draw_roads

    lines = [line.plain for line in road_lines(draw_roads("BP" * 30 + "BB"), width=20)]
    place = next(k for k, line in enumerate(lines) if line.startswith("Big Road"))
    assert lines[place] == "Big Road (the first 51 columns do not fit and are left out)"
    assert lines[place + 1 : place + 3] == ["P B P B P B P B P B ", ". " * 9 + "B "]


def test_pairs_and_unknown_winners(call, tmp_path):
    path = tmp_path / "night.csv"
    path.write_text(
        "shoe,winner,player_pair,banker_pair\n1,banker,0,1\n1,,0,0\n1,player,1,1\n1,player,1,0\n", encoding="utf-8"
    )
    called = call("roads", path)
    assert called.code == 0
    assert "1 of 4 rounds have no winner" in called.err
    assert [line[:2] for line in panels(called.out)["Bead plate"][:3]] == ["Bb", "P&", "Pp"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--shoe", "3"], "no such shoe\n  it has shoes 1 to 2"),
        (["--shoe", "0"], "no such shoe"),
        (["-o", "roads.png"], "end the name in .html"),
        (["-o", "night.txt/roads.html"], "cannot be written"),
    ],
)
def test_mistakes(call, night, words, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    called = call("roads", night, *words)
    assert called.code == 2
    assert says in called.err
    assert "Traceback" not in called.err


def test_a_file_that_is_not_there(call, tmp_path):
    called = call("roads", tmp_path / "none.txt")
    assert called.code == 2
    assert "none.txt" in called.err
