"""The app in other languages: everything that it says itself comes from the catalogue of the language."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bacclab.dashboard.app.context import Context
from bacclab.dashboard.app.folder import RunsFolder
from bacclab.dashboard.language import LANGUAGES, language

pytest.importorskip("dash", reason="the extra dashboard is not installed")

from bacclab.dashboard.app import run_view, starting, tables
from bacclab.dashboard.app.comparing import compared
from bacclab.dashboard.app.layout import EXAMPLE, page
from bacclab.dashboard.app.navigation import navigate
from bacclab.dashboard.app.state import State

LOOKED = State(view="run", run="plain")
SHOWN = ("children", "label", "placeholder", "title", "aria-label", "data-light", "data-dark")


def context_in(code: str, context: Any) -> Any:
    return Context(RunsFolder(context.folder.root), say=language(code))


def said(item: Any) -> set[str]:
    """The texts of a layout that a reader sees."""
    found: set[str] = set()
    if hasattr(item, "to_plotly_json"):
        item = item.to_plotly_json()["props"]
    if isinstance(item, dict):
        for key, value in item.items():
            found |= {value} if key in SHOWN and isinstance(value, str) else said(value)
    elif isinstance(item, list | tuple):
        for value in item:
            found |= {value} if isinstance(value, str) else said(value)
    return found


def layout(context: Any) -> set[str]:
    return said(page(context.panels, root="/", may_start=True, say=context.say))


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_no_word_of_the_layout_is_left_in_english(context: Any, code: str) -> None:
    english = layout(context)
    same = {text for text in english & layout(context_in(code, context)) if re.search(r"[A-Za-z]{3}", text)}
    assert {text for text in same if " " in text} == {EXAMPLE}  # an experiment has the same keys in every language
    words = {"Search", "Refresh", "Answer", "Comparison", "Start", "Cancel"}
    assert words <= english
    assert not (words - {language(code)("app.start")}) & same


def test_tables_and_their_counts(context: Any) -> None:
    swedish = context_in("sv", context)
    look = swedish.runs.open("plain")
    entries = swedish.folder.entries()
    table, counted = tables.runs_table(entries, search="plain", state="", sort=tables.Sort(), say=swedish.say)
    assert counted.startswith("1 av ")
    assert {"Titel", "färdig"} <= said(table)
    table, _ = tables.summary_table(look, LOOKED, search="", sort=tables.Sort(), wide=False)
    assert {"Median", swedish.say("heading.return_on_stake")} <= said(table)
    assert any(re.fullmatch(r"[−+]\d+,\d\d\u202f?\u00a0? ?%", text) for text in said(table))
    table, counted = tables.comparison_table(look, LOOKED, sort=tables.Sort())
    assert counted.endswith(" par")
    assert not any("told apart" in text or "a session" in text for text in said(table))
    table, counted = tables.rounds_table(look, LOOKED)
    assert "Giv" in said(table)
    assert re.search(r"giv(ar)?$", counted.partition(";")[0])


def test_a_run_and_its_tabs(context: Any) -> None:
    polish = context_in("pl", context)
    place = navigate(polish, "/run", "?id=plain", control=None, value=None)
    assert [option["label"] for option in place.options["tab"]][:2] == ["Odpowiedź", "Wszystkie systemy"]
    assert run_view.heading(polish, {"view": "compare"}).window == "Porównanie przebiegów – bacclab"
    details = said(run_view.details(polish.runs.open("plain")))
    assert {"Tabele danych", "Jak powtórzyć"} <= details
    assert any(re.fullmatch(r" \(wiersze: .+ MB\): ", text) for text in details)


def test_figures_in_its_signs(context: Any) -> None:
    greek = context_in("el", context)
    panel = next(panel for panel in greek.panels if panel.id == "medians")
    drawn = greek.figures.drawn(
        panel, greek.runs.open("plain"), State(view="run", run="plain", log=True), scheme="light"
    )
    assert drawn is not None
    assert drawn.figure["layout"]["separators"] == ",."
    assert "Λογαριθμική κλίμακα" in drawn.note


def test_a_comparison(context: Any) -> None:
    found = compared(context_in("pt", context), ["plain", "sweep"], scheme="light")
    assert found.note.startswith(("Estas execuções", "Todas estas execuções"))
    assert found.drawn is not None
    assert found.drawn.title == "Onde acaba uma sessão, execução a execução"
    assert {"Execução", "Apostador"} <= said(found.table)


def test_a_session_is_found_by_its_line_in_every_language() -> None:
    for code in LANGUAGES:
        figure = {"data": [{"name": language(code)("trajectories.session", n=8)}]}
        assert run_view.session_of({"points": [{"curveNumber": 0}]}, figure) == 8


def test_how_far_a_run_is(context: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    swedish = context_in("sv", context)
    monkeypatch.setattr(Context, "status", lambda _self, _run: starting_status("interrupted"))
    assert starting.progress(swedish, "plain").words.startswith("Avbruten. Det som var klart finns kvar.")


def starting_status(state: str) -> Any:
    from bacclab.dashboard.app.context import Status

    return Status(state)


def test_the_page_says_its_language(client_of: Any, context: Any) -> None:
    answer = client_of(context_in("el", context)).get("/", headers={"Host": "127.0.0.1:8050"})
    assert '<html lang="el">' in answer.text


def test_the_script_has_no_words_of_its_own() -> None:
    import bacclab.dashboard.app as app

    script = (Path(app.__file__).parent / "assets" / "app.js").read_text(encoding="utf-8")
    assert not re.findall(r'"(Light|Dark)"', script)
    assert json.dumps(language("en")("page.light")) not in script
