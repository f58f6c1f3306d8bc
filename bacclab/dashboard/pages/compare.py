"""The page of several runs side by side: one offline HTML file with a chart, the figures, and the pairs."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bacclab.dashboard.charts.side_by_side import Row, side_by_side
from bacclab.dashboard.language import ENGLISH, language
from bacclab.dashboard.pages import offline, portions, sheets
from bacclab.dashboard.pages.pack import as_json, packets
from bacclab.dashboard.words.verdicts import told

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping, Sequence

    from bacclab.analysis.across import Across
    from bacclab.dashboard.language import Language
    from bacclab.dashboard.written import Kind

__all__ = ["write_compare_page"]

#: Rows of each table at most; `bacclab compare --json` has all of them.
ROWS = 1000

#: Columns: the words above them, the key in the frame, how a figure is written. The first names the row.
FIGURES: tuple[tuple[str, str, Kind], ...] = (
    ("rules.bettor", "bettor", "text"), ("compare.run", "run", "text"), ("page.setting", "setting", "text"),
    ("heading.sessions", "sessions", "count"), ("heading.return_on_stake", "return_on_stake", "return"),
    ("heading.expected_return", "expected_return", "return"), ("heading.q05", "q05", "money"),
    ("heading.median", "median", "money"), ("heading.q95", "q95", "money"), ("heading.ahead", "ahead", "share"),
    ("heading.ruined", "ruined", "share"),
)  # fmt: skip
PAIRS: tuple[tuple[str, str, Kind], ...] = (
    ("page.pair", "pair", "text"), ("compare.compared", "how", "text"),
    ("heading.mean_difference", "mean_difference", "money"), ("heading.ci_low", "ci_low", "money"),
    ("heading.ci_high", "ci_high", "money"), ("heading.p_value", "p_value", "p"),
    ("heading.p_adjusted", "p_adjusted", "p"), ("heading.verdict", "verdict", "text"),
)  # fmt: skip


def write_compare_page(found: Across, path: str | os.PathLike[str], *, command: str, lang: str = ENGLISH) -> Path:
    """Write the page as one HTML file (UTF-8) and return its path; `command` is how one gets it again.

    `lang` is the language of its words: en, el, pl, pt or sv (ConfigError for another).
    """
    return offline.put(path, lambda: page_text(found, command=command, lang=lang))


def page_text(found: Across, *, command: str, lang: str = ENGLISH) -> str:
    """The page as text."""
    from bacclab._version import __version__

    say = language(lang)
    runs = found.figures["run"].unique(maintain_order=True).to_list()
    values = side_by_side.sketch(_rows(found, runs), say=say).values()
    ((names, packet),) = packets({"r": {"side_by_side": values}})
    setup = {"cells": [0], "bettors": [], "packets": dict.fromkeys(names, 0), **offline.scripted(say)}
    title = say.some("compare.title", len(runs))
    figures = found.figures.head(ROWS).iter_rows(named=True)
    parts = {
        "answer": (say("compare.said"), _answer(found, say)),
        "all": (say("compare.ends"), sheets.figure("side_by_side", "run", say)),
        "figures": (say("page.figures"), _table(say("compare.figures_scroll"), FIGURES, figures, say)),
        "pairs": (say("compare.pairs"), _table(say("compare.pairs_scroll"), PAIRS, _pairs(found, say), say)),
        "method": (say("compare.again"), f"<pre><code>{escape(command)}</code></pre>"),
    }
    links = "".join(f'<a href="#{name}">{escape(heading)}</a>' for name, (heading, _) in parts.items())
    return offline.page("page").substitute(
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


def _answer(found: Across, say: Language) -> str:
    """How many pairs can be told apart, and what a reader should know."""
    from bacclab.analysis.compare import LEVEL

    pairs, apart = found.pairs.height, int((found.pairs["p_adjusted"].drop_nulls() < LEVEL).sum())
    paired = int((found.pairs["how"] == "paired").sum())
    texts = [
        say("compare.told", n=say.count(pairs), told=say.count(apart)),
        say("compare.paired_some", n=say.count(paired)) if paired else say("compare.paired_none"),
    ]
    # What the comparison itself remarks is kept as it was said.
    notes = [f'<p lang="en">{escape(f"{note[0].upper()}{note[1:]}.")}</p>' for note in found.notes]
    return "".join([*(f"<p>{escape(text)}</p>" for text in texts), *notes])


def _pairs(found: Across, say: Language) -> Iterator[Mapping[str, Any]]:
    shown = found.pairs.sort("p_adjusted", "p_value", nulls_last=True, maintain_order=True).head(ROWS)
    for row in shown.iter_rows(named=True):
        one, other = (say("compare.of", bettor=row[f"bettor_{side}"], run=row[f"run_{side}"]) for side in "ab")
        first = (row["mean_difference"] or 0) > 0
        setting = row["setting_a" if first else "setting_b"]
        better = f"{one if first else other}{f' ({setting})' if setting else ''}"
        sessions = min((n for n in (row["sessions_a"], row["sessions_b"]) if n is not None), default=0)
        verdict = told({**row, "sessions": sessions}, say, better=better)["verdict"]
        how = say(f"compare.{row['how']}") if f"compare.{row['how']}" in say.texts else row["how"]
        yield {**row, "how": how, "verdict": verdict, "pair": say("compare.against", one=one, other=other)}


def _table(
    label: str, columns: Sequence[tuple[str, str, Kind]], rows: Iterator[Mapping[str, Any]], say: Language
) -> str:
    heads = "".join(
        f'<th scope="col" aria-sort="none"{_mark(kind)}><button type="button">{escape(say(heading))}</button></th>'
        for heading, _, kind in columns
    )
    body = []
    for k, row in enumerate(rows):
        (_, name, _), *others = columns
        cells = "".join(f"<td{_mark(kind)}>{escape(say.written(row.get(key), kind))}</td>" for _, key, kind in others)
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
