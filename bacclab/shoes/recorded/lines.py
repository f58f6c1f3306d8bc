"""Lines of marks: letters run together or apart, one shoe a line, or one round a line and one shoe a file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bacclab.errors import SourceError
from bacclab.shoes.recorded.draft import Draft, Drafts
from bacclab.shoes.recorded.marks import BBIN, COLOUR_TOTAL, MARK_FORMATS, is_single, run_together, vocabulary, word_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bacclab.shoes.recorded.draft import Reading

__all__ = ["are_marks", "are_words", "marks_of", "tokens_of"]

_LABEL: Final = re.compile(r"^\s*(?:shoe|boot|session|靴)\s*(?:no\.?|#)?\s*([\w-]+)\s*[:：]\s*(.*)$", re.IGNORECASE)
_COMMENT: Final = re.compile(r"^\s*(?:#(?:\s|$)|//)")
_SEPARATORS: Final = re.compile(r"[,，;；、|+\t]+")


def tokens_of(text: str, form: str | None = None) -> list[str]:
    """The marks of a line: pieces between separators; words of several parts stay whole, run-together marks come apart.

    >>> tokens_of("B,P， T;B"), tokens_of("BPT b"), tokens_of("It's a tie!, Banker win"), tokens_of("27-7,77-4")
    (['B', 'P', 'T', 'B'], ['B', 'P', 'T', 'b'], ["It's a tie!", 'Banker win'], ['27-7', '77-4'])
    """
    found: list[str] = []
    for piece in _SEPARATORS.split(text):
        piece = piece.strip().strip("\"'").strip()
        if not piece:
            continue
        parts = [piece] if word_of(piece) is not None else piece.split()
        for part in parts:
            if form in ("flags", "bbin-map", "colour-total-pair") or not run_together(part):
                found.append(part)
            else:
                found.extend(part)
    return found


def _is_mark(token: str) -> bool:
    return (
        (is_single(token) and token.lower() in "bptjergqwfghiklmno")
        or word_of(token) is not None
        or bool(BBIN.match(token) or COLOUR_TOTAL.match(token))
        or (token.isascii() and token.isdecimal() and int(token[:4]) < 32)
    )


def are_marks(lines: Sequence[str]) -> bool:
    """Whether some lines hold marks and nothing else.

    >>> are_marks(["BPPT", "庄,闲"]), are_marks(["B,7,3"]), are_marks(["1,2,3,1"]), are_marks(["7,3"])
    (True, False, True, False)
    """
    tokens = [token for line in lines for token in tokens_of(_text(line))]
    numbers = [token for token in tokens if token.isdecimal()]
    if numbers:
        flags = {len(token) < 10 and int(token) & 7 in (1, 2, 4) for token in numbers}
        codes = {token in ("0", "1", "2", "3") for token in numbers}
        return len(numbers) == len(tokens) and (codes == {True} or flags == {True})
    return bool(tokens) and all(map(_is_mark, tokens))


def are_words(lines: Sequence[str]) -> bool:
    """Whether some lines hold words for winners and nothing else: a line `Player,Banker` may also be a header.

    >>> are_words(["Player,Banker,Tie", "Banker,Banker"]), are_words(["Player,Banker", "7,3"])
    (True, False)
    """
    tokens = [token for line in lines for token in tokens_of(_text(line))]
    return bool(tokens) and all(word_of(token) is not None for token in tokens)


def _text(line: str) -> str:
    found = _LABEL.match(line)
    return found[2] if found else "" if _COMMENT.match(line) else line


def marks_of(lines: Sequence[str], reading: Reading) -> Drafts:
    """The rounds of lines of marks. A blank line, or a label such as `Shoe 3:`, ends a shoe of one mark a line.

    Raises SourceError for a mark that is unknown or can be read in two ways, with its line.
    """
    form = reading.format if reading.format in MARK_FORMATS else None
    rows: list[tuple[int, str | None, list[str]]] = []
    notes, labels, joined, empty = [], False, False, []
    for number, line in enumerate(lines, start=1):
        if _COMMENT.match(line):
            notes.append(f"line {number} is a comment: {line.strip()[:60]}")
            continue
        label = _LABEL.match(line)
        text = label[2] if label else line
        tokens = tokens_of(text, form)
        labels |= label is not None
        joined = joined or any(run_together(piece) for piece in text.split())
        if label and not tokens:
            empty.append(number)
        rows.append((number, label[1] if label else None, tokens))
    first_seen: dict[str, int] = {}
    for number, _, tokens in rows:
        for token in tokens:
            first_seen.setdefault(token, number)
    if not first_seen:
        raise SourceError("there is no round in the file")
    known = vocabulary(first_seen, reading, joined=joined)
    split, how = _shoes(rows, reading, labels=labels)
    rounds: list[Draft] = []
    for (number, _, tokens), shoe in zip(rows, split, strict=True):
        rounds += [known.marks[token].draft(number, shoe=shoe) for token in tokens]
    if labels:
        filled = {one.shoe for one in rounds}
        empty = [number for number, label, _ in rows if label is not None and label not in filled]
    taken = {"separators": _separators(rows, lines), "shoes": how}
    return Drafts(rounds, known.form, known.language, taken, [*known.notes, *notes], empty_shoes=empty)


def _shoes(
    rows: Sequence[tuple[int, str | None, list[str]]], reading: Reading, *, labels: bool
) -> tuple[list[str], str]:
    """The shoe of each line, and how shoes were told apart."""
    single = all(len(tokens) < 2 for _, _, tokens in rows)
    if reading.shoes_in == "file":
        return ["1"] * len(rows), "the whole file is one shoe"
    if labels:
        shoes, current = [], "1"
        for _, label, _ in rows:
            current = label or current
            shoes.append(current)
        return shoes, "labels such as Shoe 1:"
    if not single or reading.shoes_in == "lines":
        return [str(number) for number, _, _ in rows], "one shoe a line"
    names, shoe, begun = [], 1, False
    for _, _, tokens in rows:
        if not tokens and begun:
            shoe, begun = shoe + 1, False
        begun = begun or bool(tokens)
        names.append(str(shoe))
    return names, "one round a line, a blank line between shoes" if shoe > 1 else "one round a line, one shoe"


def _separators(rows: Sequence[tuple[int, str | None, list[str]]], lines: Sequence[str]) -> str:
    number, _, tokens = max(rows[:200], key=lambda row: len(row[2]))
    line = lines[number - 1]
    names = {",": "commas", "，": "Chinese commas", ";": "semicolons", "；": "Chinese semicolons", "、": "、",
             "\t": "tabs", "|": "bars"}  # fmt: skip
    found = [name for sign, name in names.items() if sign in line]
    if not found and len(tokens) > 1:
        found = ["blanks"] if " " in line.strip() else ["none, run together"]
    return " and ".join(found) or "one mark a line"
