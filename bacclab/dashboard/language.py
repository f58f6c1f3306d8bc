"""The words and figures of a page in one language: a catalogue a language, all with the same keys.

Catalogues are `languages/<code>.toml`: tables of texts, in which names in braces are put in. Where a text depends on a
number, the entry is a table of forms (`one`, `few`, `many`).
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from bacclab.dashboard import written
from bacclab.dashboard.columns import Column
from bacclab.errors import ConfigError, did_you_mean

__all__ = ["ENGLISH", "LANGUAGES", "Language", "language"]

LANGUAGES = ("en", "el", "pl", "pt", "sv")
"""The codes of the languages that pages are written in."""

ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Language:
    """One language. Called with a key and what its braces name, it gives the text.

    >>> english = language("en")
    >>> english("answer.ruined_one", share="3 %")
    'It is ruined (bust, or unable to cover its next bet) in 3 % of sessions.'
    >>> english.some("sentence.sessions", 1), english.some("sentence.sessions", 1200)
    ('1 session', '1,200 sessions')
    """

    code: str
    texts: Mapping[str, Any]

    def __call__(self, key: str, **values: Any) -> str:
        """The text of a key; a fault of the program (KeyError) where there is none."""
        return str(self.texts[key]).format(**values)

    def some(self, key: str, count: int, **values: Any) -> str:
        """The text of a key in the form that goes with a number, which stands for ``{n}``."""
        forms = self.texts[key]
        form = self._form(count)
        return str(forms.get(form, forms["many"])).format(n=self.count(count), **values)

    def list(self, key: str) -> list[str]:
        """A key that holds several texts."""
        return list(self.texts[key])

    def _form(self, count: int) -> str:
        if count == 1:
            return "one"
        few = self.code == "pl" and count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14)
        return "few" if few else "many"

    def figures(self, text: str) -> str:
        r"""Figures that are written as in English, with this language's decimal sign and grouping.

        >>> language("sv").figures("1,234.5") == "1\u202f234,5"
        True
        """
        swapped = text.translate({ord(","): self.texts["form.group"], ord("."): self.texts["form.decimal"]})
        return re.sub(" %", self.texts["form.percent"].removeprefix("{n}"), swapped)

    def count(self, number: float) -> str:
        """A whole number."""
        return self.figures(f"{round(number):,}")

    def money(self, amount: float) -> str:
        """An amount of currency units, without cents where there are none."""
        return self.figures(written.money(amount))

    def percent(self, share: float) -> str:
        """A share of sessions; a small one is never rounded to nothing."""
        return self.figures(written.percent(share))

    def signed(self, share: float) -> str:
        """A return per unit staked, with its sign."""
        return self.figures(f"{share * 100:+z.2f} %".replace("-", "−"))

    def written(self, value: Any, kind: written.Kind) -> str:
        """A figure of a table (see `bacclab.dashboard.written`)."""
        text = written.written(value, kind)
        return text if kind == "text" else self.figures(text)

    def heading(self, column: Column) -> str:
        """The heading of a column; a plugin's metric has its own."""
        return column.label or self(f"heading.{column.name}")

    def meaning(self, column: Column) -> str:
        """What the figures of a column mean."""
        return column.text or self(f"meaning.{column.name}")

    def listed(self, names: Sequence[str], most: int = 4) -> str:
        """Names in a sentence; of many the first ones and how many more. Names with commas are parted by semicolons.

        >>> language("en").listed(["A", "B", "C"]), language("en").listed(["A", "B", "C", "D", "E"])
        ('A, B and C', 'A, B, C and 2 more')
        >>> language("en").listed(["chop, flat", "chop, paroli", "mirror, flat"])
        'chop, flat; chop, paroli and mirror, flat'
        """
        comma = "; " if any(", " in name for name in names[:most]) else ", "
        if len(names) > most:
            return self("form.more", names=comma.join(names[: most - 1]), n=self.count(len(names) - most + 1))
        if len(names) < 2:
            return "".join(names)
        return str(self.texts["form.and"]).join([comma.join(names[:-1]), names[-1]])

    def date(self, text: str) -> str:
        """A time as the manifest holds it (ISO 8601, UTC), in the order of this language."""
        found = re.match(r"(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)(.*)", text)
        if not found:
            return text
        year, month, day, time, zone = found.groups()
        utc = " UTC" if zone in ("+00:00", "Z") else zone
        return self("form.date", year=year, month=month, day=day, time=time) + utc


@functools.cache
def language(code: str) -> Language:
    """The language of a code; ConfigError, with the nearest, for one that pages are not written in."""
    if code not in LANGUAGES:
        hint = did_you_mean(code, LANGUAGES) or f"there are {', '.join(LANGUAGES)}"
        raise ConfigError(f"pages are not written in {code!r}", hint=hint)
    text = resources.files("bacclab.dashboard").joinpath("languages", f"{code}.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    return Language(code, {f"{name}.{key}": value for name, table in tables.items() for key, value in table.items()})
