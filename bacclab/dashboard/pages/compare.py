"""The page of several runs side by side: one offline HTML file with a chart, the figures, and the pairs."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.charts.side_by_side import Row, side_by_side
from bacclab.dashboard.language import ENGLISH, language
from bacclab.dashboard.pages import offline, portions, sheets
from bacclab.dashboard.pages.pack import as_json, packets

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from bacclab.analysis.across import Across
    from bacclab.dashboard.written import Kind

__all__ = ["write_compare_page"]

#: Rows of each table at most; `bacclab compare --json` has all of them.
ROWS = 1000

FIGURES: tuple[tuple[str, str, Kind], ...] = (
    ("Bettor", "bettor", "text"), ("Run", "run", "text"), ("Setting", "setting", "text"), ("Sessions", "sessions", "count"),
    ("Result ÷ staked", "return_on_stake", "return"), ("Exact", "expected_return", "return"), ("Worst 5 %", "q05", "money"),
    ("Median", "median", "money"), ("Best 5 %", "q95", "money"), ("Ahead", "ahead", "share"), ("Ruined", "ruined", "share"),
)  # fmt: skip
PAIRS: tuple[tuple[str, str, Kind], ...] = (
    ("Compared", "how", "text"), ("Difference a session", "mean_difference", "money"), ("95 % from", "ci_low", "money"),
    ("to", "ci_high", "money"), ("p", "p_value", "p"), ("p, all pairs", "p_adjusted", "p"), ("Verdict", "verdict", "text"),
)  # fmt: skip


def write_compare_page(found: Across, path: str | os.PathLike[str], *, command: str) -> Path:
    """Write the page as one HTML file (UTF-8) and return its path; `command` is how one gets it again."""
    return offline.put(path, lambda: page_text(found, command=command))


def page_text(found: Across, *, command: str) -> str:
    """The page as text; it is in English."""
    from bacclab._version import __version__

    say = language(ENGLISH)
    runs = found.figures["run"].unique(maintain_order=True).to_list()
    values = side_by_side.sketch(_rows(found, runs)).values()
    ((names, packet),) = packets({"r": {"side_by_side": values}})
    setup = {"cells": [0], "bettors": [], "packets": dict.fromkeys(names, 0), **offline.scripted(say)}
    title = f"{len(runs):,} runs side by side"
    parts = {
        "answer": ("What can be said", _answer(found)),
        "all": ("Where sessions end", sheets.figure("side_by_side", "run", say)),
        "figures": ("The figures", _table("Figures of the runs", FIGURES, _heads(found.figures, FIGURES))),
        "pairs": ("Pair by pair", _table("Pairs of bettors", (("Pair", "pair", "text"), *PAIRS), _pairs(found))),
        "method": ("How to get it again", f"<pre><code>{escape(command)}</code></pre>"),
    }
    links = "".join(f'<a href="#{name}">{escape(heading)}</a>' for name, (heading, _) in parts.items())
    return Template(offline.asset("page.html")).substitute(
        offline.shell(say, version=__version__),
        title=escape(title),
        sentence=escape(", ".join(map(str, runs))),
        nav=f'<nav aria-label="{escape(say("page.nav"))}">{links}</nav>',
        main="\n".join(portions.part(name, heading, inside) for name, (heading, inside) in parts.items()),
        setup=as_json(setup),
        data=f'<script type="text/plain" id="p0">{packet}</script>',
    )


def _rows(found: Across, runs: Sequence[str]) -> list[Row]:
    return [
        Row(" · ".join(str(row[key]) for key in ("run", "setting", "bettor") if row[key]), runs.index(row["run"]), row)
        for row in found.figures.iter_rows(named=True)
    ]


def _answer(found: Across) -> str:
    """How many pairs can be told apart, and what a reader should know."""
    from bacclab.analysis.compare import LEVEL

    pairs, told = found.pairs.height, int((found.pairs["p_adjusted"].drop_nulls() < LEVEL).sum())
    paired = int((found.pairs["how"] == "paired").sum())
    texts = [
        f"Of {pairs:,} pairs of bettors of different runs, {told:,} can be told apart.",
        f"{paired:,} of them played the same rounds and are compared session by session; the others as samples of their own."
        if paired
        else "None of them played the same rounds: all are compared as samples of their own.",
        *(f"{note[0].upper()}{note[1:]}." for note in found.notes),
    ]
    return "".join(f"<p>{escape(text)}</p>" for text in texts)


def _heads(frame: Any, columns: Sequence[tuple[str, str, Kind]]) -> Iterator[Mapping[str, Any]]:
    return ({key: row.get(key) for _, key, _ in columns} for row in frame.head(ROWS).iter_rows(named=True))


def _pairs(found: Across) -> Iterator[Mapping[str, Any]]:
    shown = found.pairs.sort("p_adjusted", "p_value", nulls_last=True, maintain_order=True).head(ROWS)
    for row in shown.iter_rows(named=True):
        yield {**row, "pair": f"{row['bettor_a']} of {row['run_a']} against {row['bettor_b']} of {row['run_b']}"}


def _table(label: str, columns: Sequence[tuple[str, str, Kind]], rows: Iterator[Mapping[str, Any]]) -> str:
    say = language(ENGLISH)
    heads = "".join(
        f'<th scope="col" aria-sort="none"{_mark(kind)}><button type="button">{escape(heading)}</button></th>'
        for heading, _, kind in columns
    )
    body = []
    for k, row in enumerate(rows):
        (_, name, _), *others = columns
        cells = "".join(f"<td{_mark(kind)}>{escape(say.written(row[key], kind))}</td>" for _, key, kind in others)
        body.append(f'<tr{_later(k)}><th scope="row">{escape(str(row[name]))}</th>{cells}</tr>')
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}"><table class="sortable paged">'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(body)}</tbody></table></div>"
    )


def _mark(kind: Kind) -> str:
    return ' class="t"' if kind == "text" else ""


def _later(number: int) -> str:
    from bacclab.dashboard.pages.tables import ROWS as PAGE

    return ' class="off"' if number >= PAGE else ""
