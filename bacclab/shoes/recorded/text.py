"""From the bytes of a file to its lines: byte-order marks, UTF-16, Chinese encodings, line ends, what is no text."""

from __future__ import annotations

import codecs
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bacclab.errors import SourceError
from bacclab.shoes.recorded.marks import SIGNS

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES: Final = 2**31
"""Larger files are refused: two gigabytes are some ten million rounds as text."""

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NO_TEXT: Final = (
    (b"PK\x03\x04", "a zip archive or a spreadsheet", "unpack it, or save the sheet as CSV"),
    (b"\x1f\x8b", "compressed with gzip", "unpack it first"),
    (b"BZh", "compressed with bzip2", "unpack it first"),
    (b"\xfd7zXZ", "compressed with xz", "unpack it first"),
    (b"SQLite format 3", "an SQLite database", "export its table as CSV"),
    (b"%PDF", "a PDF", "copy its text into a file"),
    (b"\x89PNG", "a picture", "records are read from text"),
    (b"\xff\xd8\xff", "a picture", "records are read from text"),
    (b"\xd0\xcf\x11\xe0", "an old spreadsheet", "save the sheet as CSV"),
    (b"\x93NUMPY", "a numpy array", "write letters or a CSV"),
)
_OTHERS: Final = ("gb18030", "big5")
"""Encodings that are tried where the text is not UTF-8; one is taken if it gives the signs for Banker and Player."""


@dataclass(frozen=True, slots=True)
class Text:
    """The lines of a file without their ends, and its encoding and line ends in words."""

    lines: list[str]
    encoding: str
    line_ends: str


def is_parquet(data: bytes) -> bool:
    """Whether the bytes are those of a Parquet file."""
    return data[:4] == b"PAR1"


def read_bytes(path: Path) -> bytes:
    """The bytes of a file; SourceError where there are none, or far too many."""
    try:
        if path.is_dir():
            raise SourceError(f"{path} is a folder", hint="name a file")
        told = path.stat()
        if stat.S_ISCHR(told.st_mode) or stat.S_ISBLK(told.st_mode):  # /dev/zero has no end
            raise SourceError(f"{path} is a device", hint="name a file")
        if told.st_size > MOST_BYTES:
            raise SourceError(
                f"{path} has {told.st_size / 2**30:.1f} GiB; at most 2 are read", hint="cut it into files"
            )
        data = path.read_bytes() if stat.S_ISREG(told.st_mode) else _piped(path)
    except FileNotFoundError:
        raise SourceError(f"there is no file {path}", hint=_escapes(path)) from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} cannot be read: {error}") from None
    if not data:
        raise SourceError(f"{path} is empty")
    return data


def _piped(path: Path) -> bytes:
    """What comes through a pipe, whose size nobody knows before its end."""
    data = bytearray()
    with path.open("rb") as stream:
        while portion := stream.read(2**20):
            data += portion
            if len(data) > MOST_BYTES:
                raise SourceError(f"{path} gives more than 2 GiB", hint="cut it into files")
    return bytes(data)


def _escapes(path: Path) -> str | None:
    if any(character in str(path) for character in "\t\n\r\a\b\f\v"):
        return "a backslash was read as an escape; write the path with / or in single quotes"
    return None


def decode(data: bytes, *, encoding: str | None = None, name: str = "the file") -> Text:
    r"""The text of a file. `encoding` is told, or found out; SourceError for what is no text.

    >>> decode("庄,闲\r\n和".encode("utf-16")).lines, decode("莊閒".encode("big5")).encoding
    (['庄,闲', '和'], 'big5')
    """
    for magic, what, hint in _NO_TEXT:
        if data.startswith(magic):
            raise SourceError(f"{name} is {what}, not text", hint=hint)
    text, taken = _decoded(data, encoding, name)
    if "\0" in text:
        place = text.index("\0")
        raise SourceError(
            f"{name} is no text: character {place + 1} is a zero byte", hint="say --encoding utf-16-le if it is text"
        )
    return _lines(text, taken)


def _decoded(data: bytes, encoding: str | None, name: str) -> tuple[str, str]:
    if encoding is not None:
        try:
            return data.decode(encoding).removeprefix("\ufeff"), encoding
        except UnicodeError as error:
            said = " ".join(str(error).split())
            raise SourceError(f"{name} is not {encoding}: {said}") from None
        except (LookupError, ValueError):
            raise SourceError(
                f"there is no encoding {encoding!r}", hint="such as utf-8, utf-16, gb18030, big5, cp874"
            ) from None
    for mark, its in _BOMS:
        if data.startswith(mark):
            try:
                return data.decode(its), {"utf-8-sig": "utf-8 with a byte-order mark"}.get(its, its)
            except UnicodeError as error:
                raise SourceError(f"{name} begins as {its} and is not: {error}") from None
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeError as error:
        for other in _OTHERS:
            try:
                text = data.decode(other)
            except UnicodeError:
                continue
            if sum(text.count(sign) for sign in SIGNS) > len(text) // 20:
                return text, other
        place = getattr(error, "start", 0)
        line = data.count(b"\n", 0, place) + 1
        raise SourceError(
            f"{name}, line {line}: byte 0x{data[place]:02x} is no UTF-8",
            hint="say its --encoding, such as gb18030 or big5",
        ) from None


def _lines(text: str, encoding: str) -> Text:
    pairs, returns, feeds = text.count("\r\n"), text.count("\r"), text.count("\n")
    ends = (
        "CRLF"
        if pairs and pairs == returns == feeds
        else "CR"
        if returns and not feeds
        else "LF"
        if not returns
        else "mixed"
    )
    if returns:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return Text(lines, encoding, ends)
