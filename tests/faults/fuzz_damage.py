"""Small changes of good input: of bytes, of nested values, of frames; the same chance makes the same changes."""

from __future__ import annotations

import contextlib
import copy
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

NASTY: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 2**31, 2**63, -(2**63), 2**64, 10**400, 0.1, -0.0, 1e308, 1e-320, float("nan"),
    float("inf"), "", " ", "x", "0", "-5", "1e9", "9" * 5000, "nan", "../../../etc/passwd", "/etc/passwd", "..", "a/b",
    "<script>alert(1)</script>", "</script>", "=1+1", "@x", "\x00", "\ud800", "\u202e\u0301\U0001f0a1", "ä" * 20_000,
    [], {}, [[]], [None], {"": 1}, {"a": {"b": []}}, [1, "x"], "banker", "player_pair", "martingale", "recorded",
)  # fmt: skip
_TEXTS = (
    "[", "]", "{", "}", "[[", "]]", '"', "'", '"""', "=", ",", ";", "\n", "\r", "\t", "#", "\\", "\\u0000", ".", "-",
    "e",
    "1e999", "nan", "inf", "null", "true", "0", "-1", "99999999999999999999", "9" * 5000, "B", "P", "T", "bptx", "庄",
    "闲", "和",
    "\ufeff", "<b>", "shoe", "round", "winner", "player_total", "Shoe 1:", "[" * 3000, '{"a":' * 3000,
)  # fmt: skip
_BYTES = (b"\x00", b"\xff\xfe", b"PAR1", b"PK\x03\x04", b"\x80", b"\xed\xa0\x80")
TOKENS = (*(text.encode() for text in _TEXTS), *_BYTES)


@dataclass(slots=True)
class Damage:
    """Makes changes, by one source of chance."""

    chance: random.Random

    def bytes(self, data: bytes, other: bytes) -> bytes:
        """A few changes of bytes; `other` is what pieces may come from."""
        changed = bytearray(data)
        for _ in range(self.chance.choice((1, 1, 2, 3, 6))):
            at, length = self.chance.randrange(len(changed) + 1), self.chance.choice((1, 2, 8, 40, 400))
            way = self.chance.randrange(8)
            if way == 0 and changed:
                changed[at % len(changed)] ^= 1 << self.chance.randrange(8)
            elif way == 1:
                del changed[at : at + length]
            elif way == 2:
                changed[at:at] = changed[at : at + length] * self.chance.choice((1, 3, 200))
            elif way in (3, 4):
                changed[at:at] = self.chance.choice(TOKENS)
            elif way == 5:
                begin = self.chance.randrange(len(other) + 1)
                changed[at : at + length] = other[begin : begin + length]
            elif way == 6:
                lines = bytes(changed).split(b"\n")
                self.chance.shuffle(lines)
                changed = bytearray(b"\n".join(lines))
            elif self.chance.random() < 0.3:
                del changed[at:]
            else:
                changed[at : at + length] = self.chance.randbytes(length)
        return bytes(changed)

    def tree(self, value: Any) -> Any:
        """A few changes of nested values."""
        changed = json.loads(json.dumps(value))
        for _ in range(self.chance.choice((1, 1, 1, 2, 4))):
            places = list(_places(changed))
            if not places:
                return copy.deepcopy(self.chance.choice(NASTY))
            holder, key = self.chance.choice(places)
            way = self.chance.randrange(6)
            if way == 0:
                del holder[key]
            elif way == 1 and isinstance(holder, dict):
                holder[self.chance.choice(("", "x", "use", "name", "../x", "\ud800", str(key)[:-1]))] = holder.pop(key)
            elif way == 2 and len(places) > 1:
                holder[key] = json.loads(json.dumps(_at(self.chance.choice(places))))
            elif way == 3 and isinstance(holder[key], list):
                holder[key] = holder[key] * self.chance.choice((2, 50))
            else:
                holder[key] = copy.deepcopy(self.chance.choice(NASTY))
        return changed

    def frame(self, rows: Any) -> Any:
        """A few changes of a frame: columns that go, change their kind or their values; rows that go or come twice."""
        import polars as pl

        kinds = (
            pl.String,
            pl.Float64,
            pl.Int64,
            pl.Int8,
            pl.Boolean,
            pl.Null,
            pl.Categorical,
            pl.List(pl.Int64),
            pl.Date,
        )
        for _ in range(self.chance.choice((1, 1, 2))):
            if not rows.width:
                return rows
            name = self.chance.choice(rows.columns)
            way = self.chance.randrange(8)
            with contextlib.suppress(pl.exceptions.PolarsError, TypeError, OverflowError):
                if way == 0:
                    rows = rows.drop(name)
                elif way == 1:
                    rows = rows.rename({name: self.chance.choice(("", "x", "../x", "cell2"))})
                elif way == 2:
                    rows = rows.with_columns(pl.col(name).cast(self.chance.choice(kinds), strict=False))
                elif way == 3:
                    rows = rows.sample(fraction=1.0, shuffle=True, seed=self.chance.randrange(1000))
                elif way == 4:
                    rows = rows.head(self.chance.choice((0, 1, rows.height // 2)))
                elif way == 5:
                    rows = pl.concat([rows, rows.head(self.chance.choice((1, 50)))])
                else:
                    nasty = self.chance.choice(
                        (None, -1, 0, 1, 2**62, -(2**62), float("nan"), float("inf"), "", "x", "<b>", "=1")
                    )
                    some = pl.Series([self.chance.random() < 0.5 for _ in range(rows.height)], dtype=pl.Boolean)
                    value = pl.Series([nasty]).cast(rows.schema[name], strict=True)[0]
                    rows = rows.with_columns(
                        pl.when(some).then(pl.lit(value)).otherwise(pl.col(name)).cast(rows.schema[name]).alias(name)
                    )
        return rows


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in pairs:
        yield value, key
        yield from _places(child)


def _at(place: tuple[Any, Any]) -> Any:
    holder, key = place
    return holder[key]
