"""Whatever the rounds are, every way of writing them gives them all back, the first and the last ones too."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bacclab.shoes.recorded.draft import Reading
from bacclab.shoes.recorded.importer import record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WORDS = {"B": "Banker", "P": "Player", "T": "Tie"}
SHOES = st.lists(st.text("BPT", min_size=2, max_size=12), min_size=1, max_size=5)


def table(header: Sequence[str], rows: Sequence[Sequence[object]], sign: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=sign, lineterminator="\n").writerows([header, *rows] if header else rows)
    return out.getvalue()


def each(shoes: Sequence[str]) -> list[tuple[int, int, str]]:
    return [(shoe, number, mark) for shoe, marks in enumerate(shoes, 1) for number, mark in enumerate(marks, 1)]


def one_hot(mark: str) -> list[int]:
    return [int(mark == which) for which in "BPT"]


WAYS: dict[str, Callable[[Sequence[str]], str]] = {
    "lines": "\n".join,
    "commas": lambda shoes: "\n".join(",".join(shoe) for shoe in shoes),
    "small letters and blanks": lambda shoes: "\n".join(" ".join(shoe.lower()) for shoe in shoes) + "\n",
    "words": lambda shoes: "\n".join(",".join(WORDS[mark] for mark in shoe) for shoe in shoes),
    "signs": lambda shoes: "\r\n".join("，".join({"B": "庄", "P": "闲",
                                                 "T": "和"}[mark] for mark in shoe) for shoe in shoes),
    "one round a line": lambda shoes: "\n\n".join("\n".join(WORDS[mark] for mark in shoe) for shoe in shoes),
    "labels": lambda shoes: "\n".join(f"Shoe {number}: {shoe}" for number, shoe in enumerate(shoes, 1)),
    "program": lambda shoes: " +\n".join(f'  "{shoe}"' for shoe in shoes) + ";\n",
    "rows of shoes": lambda shoes: table(("shoe", "results"), list(enumerate(shoes, 1))),
    "rows of shoes without a header": lambda shoes: table((), [(f"x{n}", shoe) for n, shoe in enumerate(shoes, 1)]),
    "rows of rounds": lambda shoes: table(("shoe", "hand", "winner"), each(shoes)),
    "semicolons": lambda shoes: table(("Shoe No", "#", "Winning Outcome"), each(shoes), ";"),
    "a column a winner": lambda shoes: table(
        ("shoe", "hand", "banker", "player", "tie"), [(s, n, *one_hot(mark)) for s, n, mark in each(shoes)]
    ),
    "JSON lines of shoes": lambda shoes: "\n".join(json.dumps({"shoe": n, "results": s}) for n,
                                                   s in enumerate(shoes, 1)),
    "JSON lines of rounds": lambda shoes: "\n".join(
        json.dumps({"shoe": shoe, "round": n, "outcome": WORDS[mark].lower()}) for shoe, n, mark in each(shoes)
    ),
    "JSON": lambda shoes: json.dumps([[{"winner": WORDS[mark]} for mark in shoe] for shoe in shoes], indent=1),
    "feed": lambda shoes: "".join(
        "[10:00:00] " + json.dumps({"type": "baccarat.encodedShoeState", "args": {"tableId": str(n), "history_v2": [
            {"winner": WORDS[mark]} for mark in shoe[:until]]}}) + "\n"
        for n, shoe in enumerate(shoes) for until in range(1, len(shoe) + 1)
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=25, deadline=None)
@given(shoes=SHOES)
def test_every_round_comes_back(way: str, shoes: list[str]) -> None:
    seen = set("".join(shoes))
    assume(seen != {"B"})  # every mark is B: which may be blue
    assume(len(shoes) > 1 or "without a header" not in way)  # one such row may be anything, and is refused
    record = record_of(WAYS[way](shoes).encode(), Reading(), name="night.txt")
    assert [shoe.letters for shoe in record.shoes()] == shoes
    assert not record.faults
