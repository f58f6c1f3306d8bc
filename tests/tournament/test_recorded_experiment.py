"""The ready experiment on recorded rounds: a record beside simulated shoes, told apart on the page."""

from pathlib import Path

import bacclab
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.words.answer import answer
from bacclab.runs import run

EXPERIMENTS = Path(bacclab.__file__).parents[1] / "experiments"


def test_the_record_is_played_beside_simulated_shoes(tmp_path):
    made = run(EXPERIMENTS / "recorded.toml", out=tmp_path / "r", report=False)
    assert made.cells["label"].to_list() == ["source = recorded", "source = simulated"]
    flat = made.summary.filter(made.summary["bettor"] == "Flat on Banker")
    letters = (EXPERIMENTS / "dealt_120.txt").read_text().split()
    assert flat["wins"][0] == sum(shoe.count("B") for shoe in letters)
    assert flat["losses"][0] == sum(shoe.count("P") for shoe in letters)
    assert flat["pushes"][0] == sum(shoe.count("T") for shoe in letters)
    text = " ".join(answer(Lookup.of(made)))
    assert "source = recorded: the rounds are recorded ones: 9,715 rounds of 120 shoes in dealt_120.txt" in text


def test_the_record_is_what_its_comment_says():
    from bacclab.game.tables import BUILT_IN_TABLES
    from bacclab.shoes.recorded.dealt import deal_record, written

    record = deal_record(BUILT_IN_TABLES["commission"].shoe, seed=20250808, shoes=120, table="commission")
    assert written(record, "letters") == (EXPERIMENTS / "dealt_120.txt").read_bytes()
