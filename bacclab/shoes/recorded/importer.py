"""Reading a record: the form is told or found out, rounds are put in shoes, checked, and kept in a form of our own."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bacclab.errors import SourceError, did_you_mean
from bacclab.game.codes import Outcome
from bacclab.shoes.recorded.apart import place_rounds
from bacclab.shoes.recorded.bbin_log import UPDATE, rounds_of_log
from bacclab.shoes.recorded.boards import BEAD_CELL, beads_of, refuse_roads
from bacclab.shoes.recorded.cards import UNKNOWN, show_card
from bacclab.shoes.recorded.channel import POST, posts_of
from bacclab.shoes.recorded.checks import OPEN, Arrays, check
from bacclab.shoes.recorded.columns import fact_of, says_something
from bacclab.shoes.recorded.draft import Draft, Drafts, Reading
from bacclab.shoes.recorded.faults import Finding
from bacclab.shoes.recorded.feed import looks_like_json, rounds_of_json
from bacclab.shoes.recorded.foreign import is_foreign, rounds_of_parquet
from bacclab.shoes.recorded.lines import are_marks, are_words, marks_of
from bacclab.shoes.recorded.marks import MARK_FORMATS
from bacclab.shoes.recorded.record import CARDS, Record, fault_names, schema
from bacclab.shoes.recorded.replay_codes import impossible
from bacclab.shoes.recorded.sheets import rounds_of_table
from bacclab.shoes.recorded.text import decode, is_parquet, read_bytes

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from bacclab.shoes.recorded.apart import Placed

__all__ = ["FORMATS", "Reading", "read_record"]

FORMATS: Final = (*MARK_FORMATS, "lines", "table", "json", "channel-posts", "bead-cells", "bbin-log")
"""Forms that can be named: kinds of marks, lines of marks, tables, JSON, posts of channels, bead plates, a log."""


def read_record(path: str | os.PathLike[str], reading: Reading | None = None) -> Record:
    """A record from a file: the own Parquet form, or any form of text that records come in.

    Nothing is guessed: where marks can be read in two ways, SourceError asks the question to answer in `reading`.
    Contradictions, repeats and gaps are in `findings`, by line; the rows stay as the source has them.
    """
    where = Path(path).expanduser()
    data = read_bytes(where)
    if is_parquet(data):
        return _of_parquet(data, reading or Reading(), name=where.name)
    return record_of(data, reading or Reading(), name=where.name)


def _of_parquet(data: bytes, reading: Reading, *, name: str) -> Record:
    """The own form, or the rounds of a table that another program wrote."""
    if not is_foreign(data):
        return Record.from_bytes(data, name=name)
    try:
        drafts = rounds_of_parquet(data, reading)
    except SourceError as error:
        raise SourceError(f"{name}: {error.message}", hint=error.hint) from None
    facts = {"file": name, "sha256": hashlib.sha256(data).hexdigest(), "form": drafts.form, "language": drafts.language}
    return record_of_drafts(drafts, reading, facts)


def record_of(data: bytes, reading: Reading, *, name: str) -> Record:
    """A record from the bytes of a text file called `name`."""
    if reading.format is not None and reading.format not in FORMATS:
        raise SourceError(f"there is no form {reading.format!r}", hint=did_you_mean(reading.format, FORMATS))
    text = decode(data, encoding=reading.encoding, name=name)
    try:
        drafts = _drafts(text.lines, reading)
    except SourceError as error:
        raise SourceError(f"{name}: {error.message}", hint=error.hint) from None
    facts = {
        "file": name,
        "sha256": hashlib.sha256(data).hexdigest(),
        "form": drafts.form,
        "language": drafts.language,
        "encoding": text.encoding,
        "line ends": text.line_ends,
        "lines": len(text.lines),
    }
    return record_of_drafts(drafts, reading, facts)


def record_of_drafts(drafts: Drafts, reading: Reading, facts: dict[str, Any]) -> Record:
    """A record of rounds that a form has given, put in shoes and checked; `facts` says what is known of the file."""
    if not drafts.rounds:
        raise SourceError(f"{facts['file']}: there is no round in the file")
    placed = place_rounds(drafts, reading)
    told = {**facts, **drafts.taken, "order": placed.order, "shoes": placed.split}
    told = {key: value for key, value in told.items() if value != ""}
    told["notes"] = [*dict.fromkeys([*drafts.notes, *placed.notes])]
    return _checked(placed, drafts, told)


def _drafts(lines: Sequence[str], reading: Reading) -> Drafts:
    """The rounds of some lines, by the form that is told or found."""
    form = reading.format
    if form == "json" or (form is None and looks_like_json(lines)):
        return rounds_of_json(lines, reading)
    there = [line for line in lines if line.strip()]
    if not there:
        raise SourceError("there is no round in the file")
    if form == "bbin-log" or (form is None and any("pk" in line and UPDATE.search(line) for line in there)):
        return rounds_of_log(lines)
    if form == "channel-posts" or (form is None and any(POST.search(line) for line in there[:200])):
        return posts_of(lines, reading)
    if form == "bead-cells" or (form is None and all(BEAD_CELL.search(line) for line in there[:20])):
        return beads_of(lines, reading)
    refuse_roads(there)
    if form == "lines":
        return marks_of(lines, reading)
    if form == "table" or reading.columns or reading.shoe_column or reading.shoes_in == "columns":
        return rounds_of_table(lines, reading)
    first = there[0]
    named = says_something(map(fact_of, re.split(r"[,;|\t，；]", first.replace('"', ""))))
    if named and len(there) > 1 and not are_words(there[:3]):
        return rounds_of_table(lines, reading)
    if are_marks([first]) or _is_label(first) or (form in MARK_FORMATS and are_marks(there[:3])):
        return marks_of(lines, reading)
    if len(there) == 1:
        return marks_of(lines, reading)
    return rounds_of_table(lines, reading)


def _is_label(line: str) -> bool:
    from bacclab.shoes.recorded.lines import _COMMENT, _LABEL

    return bool(_LABEL.match(line) or _COMMENT.match(line))


def _checked(placed: Placed, drafts: Drafts, facts: dict[str, Any]) -> Record:
    """The record of placed rounds, with every contradiction found."""
    rounds, found = placed.rounds, list(placed.findings)
    arrays = Arrays.of(rounds)

    def add(row: int, kind: str, text: str) -> None:
        found.append((row, Finding(rounds[row].line, placed.shoes[row].number, placed.number_of(row), kind, text)))

    def tell(rows: Any, kind: str, text: Any) -> None:
        for row in np.flatnonzero(rows).tolist():
            add(row, kind, text(row))

    for row, one in enumerate(rounds):
        if one.problem is not None:
            add(row, *one.problem)
    nothing = _empty(rounds, arrays)
    tell(nothing, "empty", lambda row: _what_is_missing(rounds[row]))
    for total in (arrays.player_total, arrays.banker_total):
        total[nothing] = OPEN
    check(arrays, tell)
    kinds = _kinds(found)
    frame = _frame(placed, arrays, kinds, facts["file"])
    together = impossible(frame)
    together[list(kinds)] = False  # its contradiction is told already
    if together.any():
        tell(together, "impossible", lambda row: _together(frame.row(row, named=True)))
        kinds = _kinds(found)
        frame = _frame(placed, arrays, kinds, facts["file"])
    findings = [finding for _, finding in found]
    findings += [Finding(line, 0, None, "blank", "nothing stands in the row") for line in drafts.blank]
    findings += [Finding(line, 0, None, "empty shoe", "it has no rounds") for line in drafts.empty_shoes]
    findings += [
        Finding(line, 0, None, "unreadable", "the JSON breaks off or is damaged") for line in drafts.unreadable
    ]
    findings.sort(key=lambda one: (one.line, one.shoe, one.round or 0, one.kind, one.text))
    facts["rounds"] = len(rounds)
    facts["found"] = dict(sorted(Counter(one.kind for one in findings).items()))
    return Record(frame, facts, tuple(findings))


def _kinds(found: Sequence[tuple[int, Finding]]) -> dict[int, list[str]]:
    """The kinds of faults of each round that has one."""
    kinds: dict[int, list[str]] = {}
    for row, finding in found:
        if finding.is_fault:
            kinds.setdefault(row, []).append(finding.kind)
    return kinds


def _together(row: dict[str, Any]) -> str:
    """The facts of a round that cannot be together, in words."""
    names = (
        "winner",
        "player_total",
        "banker_total",
        "natural",
        "player_pair",
        "banker_pair",
        "player_cards",
        "banker_cards",
    )
    told = [f"{name.replace('_', ' ')} {row[name]}" for name in names if row[name] is not None]
    return f"no round has {', '.join(told)}"


def _empty(rounds: Sequence[Draft], arrays: Arrays) -> Any:
    """Rows without a result, and rows without the cards that the others have, whose totals are 0 and 0."""
    no_result = (arrays.winner == OPEN) & ~arrays.full & ((arrays.player_total == OPEN) | (arrays.banker_total == OPEN))
    some_cards = any(one.cards is not None for one in rounds)
    if not some_cards:
        return no_result
    cardless = np.array([one.cards is None and one.problem is None for one in rounds], np.bool_)
    cardless &= arrays.winning_total == OPEN
    zero = (arrays.player_total <= 0) & (arrays.banker_total <= 0)
    return no_result | (cardless & zero)


def _what_is_missing(one: Draft) -> str:
    if one.winner is None:
        return "no winner, totals or cards"
    totals = "" if one.player_total is None else f", and totals {one.player_total} and {one.banker_total}"
    return f"{('Player', 'Banker', 'Tie')[one.winner]} and no cards{totals}"


def _frame(placed: Placed, arrays: Arrays, kinds: dict[int, list[str]], file: str) -> Any:
    """The typed rows."""
    import polars as pl

    rounds = placed.rounds
    names = [show_card(card) for card in range(UNKNOWN)] + [None]
    columns: dict[str, Any] = {
        "shoe": [shoe.number for shoe in placed.shoes],
        "shoe_name": [shoe.name for shoe in placed.shoes],
        "table": [shoe.table for shoe in placed.shoes],
        "round": [one.number for one in rounds],
        "winner": _winners(arrays),
        **{name: _small(getattr(arrays, name)) for name in ("player_total", "banker_total")},
        **{name: _truth(getattr(arrays, name)) for name in ("natural", "player_pair", "banker_pair")},
        **{name: _small(getattr(arrays, name)) for name in ("player_cards", "banker_cards")},
        **{name: pl.Series(name, [names[card] for card in arrays.cards[:, place].tolist()], pl.String)
           for place, name in enumerate(CARDS)},
        "time": [one.time for one in rounds],
        "line": [one.line for one in rounds],
        "file": pl.repeat(file, len(rounds), dtype=pl.String, eager=True),
        "fault": pl.Series([fault_names(kinds[row]) if row in kinds else None for row in range(len(rounds))],
                           dtype=pl.String),
    }  # fmt: skip
    return pl.DataFrame(columns, schema=schema())


def _winners(arrays: Arrays) -> Any:
    import polars as pl

    names = [outcome.value for outcome in Outcome]
    return pl.Series("winner", [None if w == OPEN else names[w] for w in arrays.winner.tolist()], pl.Enum(names))


def _small(values: Any) -> Any:
    import polars as pl

    found = pl.Series(values)
    return found.set(found == OPEN, None)


def _truth(values: Any) -> Any:
    return _small(values).cast(bool)
