"""The page of a bet late in the shoe: one offline HTML file with the chart and its figures."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from bacclab.dashboard.charts.late import late_figure
from bacclab.dashboard.pages import offline

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

    from bacclab.exact.late import Late

__all__ = ["CARDS_LEFT", "CUT_CARDS", "printed", "write_late_page"]

CUT_CARDS = ("Cut card", "Rounds", "Bets", "Units won", "± SE", "Rounds bet", "Return when bet")
"""The headings of the table by cut card; rounds, bets and units are means of a shoe."""
CARDS_LEFT = ("Cards left", "Rounds", "Mean", "± SE", "5 %", "25 %", "50 %", "75 %", "95 %", "Above 0")
"""The headings of the table by cards left."""


def write_late_page(found: Late, path: str | os.PathLike[str], *, command: str) -> Path:
    """Write the page as one HTML file (UTF-8) and return its path; `command` is how one gets it again."""
    by_cut, by_left = printed(found)
    inside = (
        "<h2>Perfect play, by cut card</h2>"
        '<p class="hint">One unit laid in every round in which the bet is worth more than nothing, and in no other.</p>'
        f"{_table('Perfect play by cut card', CUT_CARDS, by_cut)}"
        f"<h2>By cards left</h2>{_table('Returns by cards left', CARDS_LEFT, by_left)}"
    )
    figures, without = (
        {"wide": late_figure(found)},
        "The chart needs JavaScript; the tables are complete without it.",
    )
    return offline.put(
        path, lambda: offline.single(figures, brand="bacclab late", command=command, without=without, inside=inside)
    )


def printed(found: Late) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The rows of both tables as text: by cut card, by cards left."""
    by_cut: list[tuple[str, ...]] = [
        (
            _places(row["cut_card"], row["cut_card_to"]) if row["cut_card_to"] else "none",
            f"{row['rounds']:.2f}",
            f"{row['bets']:.3f}",
            f"{row['units']:z.4f}",
            "-" if row["se_units"] is None else f"{row['se_units']:.4f}",
            f"{row['advantage']:.2%}".replace("%", " %"),
            _signed(row["mean_advantage"]),
        )
        for row in found.cut_card_rows
    ]
    by_left: list[tuple[str, ...]] = [
        (
            _places(row["from_cards"], row["to_cards"]),
            f"{row['rounds']:,}",
            _signed(row["mean_return"]),
            "-" if row["se_return"] is None else f"{row['se_return']:.2%}".replace("%", " %"),
            *(_signed(row[name]) for name in ("q05", "q25", "q50", "q75", "q95")),
            f"{row['advantage']:.2%}".replace("%", " %"),
        )
        for row in found.cards_left_rows
    ]
    return by_cut, by_left


def _places(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def _signed(share: float | None) -> str:
    return "-" if share is None else f"{share:+z.2%}".replace("%", " %")


def _table(label: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{_minus(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{table}</div>'


def _minus(text: str) -> str:
    return "–" if text == "-" else escape(text.replace("-", "−"))
