"""How results show themselves in a notebook."""

from __future__ import annotations

from typing import Any

import bacclab as bl
from bacclab.dashboard.notebook import run_html
from bacclab.display import ROWS, html_table


def test_a_run_shows_its_figures_and_escapes_names(run: Any) -> None:
    html = run_html(run, frames=["summary", "sessions"])
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "Martingale &lt;b&gt;7&lt;/b&gt; &amp; steps" in html
    assert "<code>run.summary</code>" in html
    assert html.count("<tr>") == 1 + run.summary.height


def test_odds_show_the_edges() -> None:
    html = bl.odds("commission", bets=["banker", "tie"])._repr_html_()
    assert "1.0579%" in html
    assert "14.3596%" in html


def test_charts_show_how_they_are_called(run: Any) -> None:
    from bacclab.dashboard.run_charts import Charts

    html = Charts(run)._repr_html_()
    assert "run.charts.fan()" in html
    assert "run.charts.medians()" in html


def test_of_many_rows_the_first() -> None:
    html = html_table(["a"], [(str(k),) for k in range(ROWS + 5)])
    assert html.count("<tr>") == 1 + ROWS
    assert f"The first {ROWS} of {ROWS + 5} rows." in html
