"""Parquet files of other programs."""

import polars as pl
import pytest

from bacclab.errors import SourceError
from bacclab.shoes.recorded.importer import read_record


def test_rows_are_rounds(tmp_path):
    file = tmp_path / "export.parquet"
    frame = pl.DataFrame({
        "game_id": [11, 12, 13],
        "shoe": ["a", "a", "b"],
        "result": pl.Series(["player", "banker", "tie"], dtype=pl.Categorical),
        "player_hand": [["8S", "KD"], ["2C", "3C", "4C"], ["9H", "KH"]],
        "banker_hand": [["5H", "2C"], ["7S", "QD"], ["9S", "QS"]],
        "played_at": pl.Series([0, 1, 2]).cast(pl.Datetime("ms")),
    })  # fmt: skip
    frame.write_parquet(file)
    record = read_record(file)
    assert [(shoe.name, shoe.letters) for shoe in record.shoes()] == [("a", "PB"), ("b", "T")]
    assert record.frame["line"].to_list() == [1, 2, 3]
    assert record.frame["p3"].to_list() == ["", "4c", ""]
    assert [(one.line, one.kind) for one in record.findings] == [(2, "winner")]
    assert record.facts["form"] == "Parquet table of another program"
    kept = tmp_path / "kept.parquet"
    kept.write_bytes(record.to_bytes())
    assert read_record(kept).findings == record.findings


def test_a_table_without_rounds_is_refused(tmp_path):
    file = tmp_path / "weather.parquet"
    pl.DataFrame({"day": [1, 2], "rain": [0.5, 0.1]}).write_parquet(file)
    with pytest.raises(SourceError, match=r"weather\.parquet: it holds no rounds"):
        read_record(file)
