"""The catalogues: every language has every key, the same names in braces, and writes figures in its own way."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest

import bacclab.dashboard
from bacclab.dashboard.language import LANGUAGES, Language, language
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.pages.report import page_text
from bacclab.dashboard.pages.tables import comparison_table
from bacclab.dashboard.words.answer import answer
from bacclab.dashboard.words.cautions import warnings
from bacclab.errors import ConfigError

FOLDER = Path(bacclab.dashboard.__file__).parent
OTHERS = [code for code in LANGUAGES if code != "en"]


def names(text: Any) -> set[str]:
    """The names in braces of a text, or of all forms of one."""
    texts = text.values() if isinstance(text, dict) else text if isinstance(text, list) else [text]
    return {name for one in texts for name in re.findall(r"{(\w+)}", one)}


@pytest.mark.parametrize("code", OTHERS)
class TestCatalogues:
    def test_keys_are_those_of_english(self, code: str) -> None:
        assert list(language(code).texts) == list(language("en").texts)

    def test_braces_are_those_of_english(self, code: str) -> None:
        english = language("en").texts
        differing = {
            key: names(text) ^ names(english[key])
            for key, text in language(code).texts.items()
            if names(text) != names(english[key])
        }
        assert differing == {}

    def test_no_sentence_is_left_in_english(self, code: str) -> None:
        english = language("en").texts
        same = [
            key for key, text in language(code).texts.items() if text == english[key] and len(str(text).split()) > 3
        ]
        assert [key for key in same if names(english[key]) == set()] == []

    def test_numbers_have_their_forms(self, code: str) -> None:
        wanted = {"one", "few", "many"} if code == "pl" else {"one", "many"}
        forms = {key: set(text) for key, text in language(code).texts.items() if isinstance(text, dict)}
        assert forms
        assert {key: found for key, found in forms.items() if found != wanted} == {}


def test_every_key_that_is_used_is_there() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py"))
    source += "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.js"))
    keys = set(language("en").texts)
    tables = {key.partition(".")[0] for key in keys}
    used = {key for key in re.findall(r"[\"'](\w+\.\w+)[\"']", source) if key.partition(".")[0] in tables}
    files = (".py", ".html", ".css", ".js")
    begun = {"rules.round"}  # the beginning of several keys
    assert {key for key in used if key not in keys and not key.endswith(files)} - begun == set()


@pytest.mark.parametrize(
    ("code", "count", "text"),
    [
        ("pl", 1, "1 sesja"),
        ("pl", 3, "3 sesje"),
        ("pl", 12, "12 sesji"),
        ("pl", 22, "22 sesje"),
        ("pl", 112, "112 sesji"),
        ("pl", 5000, "5\u202f000 sesji"),
        ("pt", 1, "1 sessão"),
        ("pt", 1234, "1\u202f234 sessões"),
        ("el", 1234, "1.234 συνεδρίες"),
        ("sv", 10_000, "10\u202f000 spelpass"),
        ("en", 10_000, "10,000 sessions"),
    ],
)
def test_numbers_and_their_nouns(code: str, count: int, text: str) -> None:
    assert language(code).some("sentence.sessions", count) == text


class TestFigures:
    @pytest.mark.parametrize(
        ("code", "money", "rate", "date"),
        [
            ("en", "−1,234.50", "−1.06 %", "2026-11-30 08:18:14 UTC"),
            ("pt", "−1\u202f234,50", "−1,06 %", "30/11/2026 08:18:14 UTC"),
            ("pl", "−1\u202f234,50", "−1,06 %", "30.11.2026 08:18:14 UTC"),
            ("el", "−1.234,50", "−1,06%", "30/11/2026 08:18:14 UTC"),
            ("sv", "−1\u202f234,50", "−1,06 %", "2026-11-30 08:18:14 UTC"),
        ],
    )
    def test_are_written_as_the_language_writes_them(self, code: str, money: str, rate: str, date: str) -> None:
        say = language(code)
        assert say.money(-1234.5) == money
        assert say.signed(-0.0105791) == rate
        assert say.date("2026-11-30T08:18:14+00:00") == date
        assert say.written(-1234.5, "money") == money

    def test_what_is_no_time_stays(self) -> None:
        assert language("pl").date("") == ""


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ConfigError, match="pages are not written in 'de'"):
        language("de")


class TestPage:
    @pytest.mark.parametrize("code", OTHERS)
    def test_is_in_the_language(self, run: Any, code: str) -> None:
        text = page_text(run, lang=code)
        say = language(code)
        assert f'<html lang="{code}">' in text
        assert say("page.figures") in text
        assert say("method.p1")[:60] in text
        plain = re.sub(r"<script.*?</script>|<style.*?</style>|<pre>.*?</pre>", " ", text, flags=re.DOTALL)
        plain = re.sub(r"<[^>]+>", " ", plain)
        assert not re.search(r"\b(the|of|with|sessions|staked)\b", plain), plain

    def test_answer_and_warnings(self, run: Any) -> None:
        look = Lookup(run, language=language("sv"))
        text = " ".join(answer(look))
        assert "Inget system här slår bordet." in text
        assert "från 1,06 % (Flat on Banker och Grab 200 and go) till 14,36 % (Flat on Tie)" in text
        assert warnings(look) == [language("sv")("warning.idle_one", who="Never bets")]

    def test_english_is_what_a_page_is_written_in_unless_asked(self, run: Any) -> None:
        assert '<html lang="en">' in page_text(run)
        assert Lookup(run).language.code == "en"
        assert isinstance(Lookup(run).language, Language)


class TestVerdicts:
    """A run holds them in English; a page says the same in its language."""

    ROW = {  # noqa: RUF012
        "cell": 0, "bettor_a": "A", "bettor_b": "B", "mean_difference": 8.0, "ci_low": 7.0, "ci_high": 9.0,
        "p_value": 0.001,
        "p_adjusted": 0.01, "sessions_needed": 9, "sessions": 1200, "rounds_needed": 1234567.0,
    }  # fmt: skip

    @pytest.mark.parametrize(
        ("english", "p", "swedish"),
        [
            ("A loses less a session", 0.01, "A förlorar mindre per spelpass"),
            ("A loses less a session because it stakes less", 0.01, ("A förlorar mindre per spelpass, eftersom det "
                "satsar mindre")),
            ("A wins more a session because it stakes more", 0.01, ("A vinner mer per spelpass, eftersom det satsar "
                "mer")),
            ("cannot be told apart", 0.5, "går inte att skilja åt"),
            (
                "cannot be told apart; about 1,200,000 rounds would be needed",
                0.5,
                "går inte att skilja åt; ungefär 1\u202f200\u202f000 givar skulle behövas",
            ),
            (
                "A loses less a session; too heavy-tailed for 1,200 sessions",
                0.01,
                "A förlorar mindre per spelpass; för tunga svansar för 1\u202f200 spelpass",
            ),
            ("the same rounds: no test", None, "samma givar: ingen prövning"),
        ],
    )  # fmt: skip
    def test_have_their_reason(self, synthetic: ModuleType, english: str, p: float | None, swedish: str) -> None:
        run = synthetic.make_run(sessions=5, rounds=5)
        run.comparisons = pl.DataFrame([self.ROW | {"verdict": english, "p_adjusted": p}])
        table, _ = comparison_table(Lookup(run, language=language("sv")))
        assert f">{swedish}</td>" in table
