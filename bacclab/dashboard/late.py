"""The page of a bet late in the shoe: one offline HTML file with the chart and its figures."""

from __future__ import annotations

import json
from html import escape
from importlib import resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from bacclab.dashboard import theme
from bacclab.dashboard.charts.late import edge_by_cards_left
from bacclab.dashboard.pack import as_json

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bacclab.exact.late import Late

__all__ = ["CARDS_LEFT", "CUT_CARDS", "printed", "write_late_page"]

CUT_CARDS = ("Cut card", "Rounds", "Bets", "Units won", "± SE", "Rounds bet", "Return when bet")
"""The headings of the table by cut card; rounds, bets and units are means of a shoe."""
CARDS_LEFT = ("Cards left", "Rounds", "Mean", "± SE", "5 %", "25 %", "50 %", "75 %", "95 %", "Above 0")
"""The headings of the table by cards left."""


def write_late_page(found: Late, path: str | os.PathLike[str], *, command: str) -> Path:
    """Write the page as one HTML file (UTF-8) and return its path; `command` is how one gets it again."""
    from plotly.offline import get_plotlyjs

    from bacclab._version import __version__

    figure = edge_by_cards_left(found)
    words = edge_by_cards_left.sketch(found).layout["meta"]
    by_cut, by_left = printed(found)
    text = Template(_asset("late.html")).substitute(
        version=escape(__version__),
        title=escape(words["title"]),
        note=escape(words["note"]),
        alt=escape(words["alt"]),
        style=_asset("page.css"),
        cutcards=_table(CUT_CARDS, by_cut),
        cardsleft=_table(CARDS_LEFT, by_left),
        command=escape(command),
        plotly=get_plotlyjs(),
        charts=as_json(
            {
                "light": json.loads(figure.to_json()),
                "dark": json.loads(theme.recolour(figure, "dark").to_json()),
            }
        ),
    )
    target = Path(path)
    target.write_text(text, encoding="utf-8", newline="\n")
    return target


def printed(found: Late) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The rows of both tables as text: by cut card, by cards left."""
    by_cut: list[tuple[str, ...]] = [
        (
            _places(row["cut_card"], row["cut_card_to"]) if row["cut_card_to"] else "none",
            f"{row['rounds']:.2f}",
            f"{row['bets']:.3f}",
            f"{row['units']:.4f}",
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
    return "-" if share is None else f"{share:+.2%}".replace("%", " %")


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{_minus(cell)}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _minus(text: str) -> str:
    return "–" if text == "-" else escape(text.replace("-", "−"))


def _asset(name: str) -> str:
    return resources.files("bacclab.dashboard").joinpath("assets", name).read_text(encoding="utf-8")
