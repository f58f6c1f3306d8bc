"""The page of several runs: complete, escaped, and nothing from the network."""

from __future__ import annotations

from typing import Any

import polars as pl

from bacclab.analysis.across import SCHEMA, Across
from bacclab.dashboard.pages.compare import page_text

PAIR = {
    "run_a": "one", "run_b": "<two>", "bettor_a": "A & B", "bettor_b": "C", "how": "paired", "mean_difference": -12.5,
    "ci_low": -20.0, "ci_high": -5.0, "p_value": 0.001, "p_adjusted": 0.001, "verdict": "C loses less a session",
}  # fmt: skip
ROW = {"setting": "", "sessions": 1000, "q05": 10.0, "q25": 50.0, "median": 90.0, "q75": 120.0, "q95": 150.0}


def found() -> Across:
    figures = pl.DataFrame([{"run": "one", "bettor": "A & B", **ROW}, {"run": "<two>", "bettor": "C", **ROW}])
    return Across(figures, pl.DataFrame([PAIR], schema=SCHEMA), ("other rounds in each",))


def test_says_what_can_be_said() -> None:
    text = page_text(found(), command="bacclab compare one two -o both.html")
    assert "Of 1 pairs of bettors of different runs, 1 can be told apart." in text
    assert "Other rounds in each." in text
    assert "A &amp; B of one against C of &lt;two&gt;" in text
    assert "<td>−12.50</td><td>−20.00</td><td>−5.00</td><td>0.0010</td>" in text
    assert "bacclab compare one two -o both.html" in text
    assert "<two>" not in text.split('id="setup"')[0]


def test_long_tables_are_paged(monkeypatch: Any) -> None:
    many = pl.DataFrame([{"run": "one", "bettor": f"n{k}", **ROW} for k in range(60)])
    text = page_text(Across(many, pl.DataFrame(schema=SCHEMA), ()), command="x")
    assert text.count('<tr class="off">') == 10
    assert text.count("<tr>") == 52  # the first fifty and two heads


def test_in_another_language() -> None:
    text = page_text(found(), command="x", lang="sv")
    assert '<html lang="sv">' in text
    assert "Av 1 par av spelare från olika körningar går 1 att skilja åt." in text
    assert "A &amp; B i one mot C i &lt;two&gt;" in text
    assert "C i &lt;two&gt; förlorar mindre per spelpass" in text
    assert '<p lang="en">Other rounds in each.</p>' in text
    assert "<td>−12,50</td>" in text
