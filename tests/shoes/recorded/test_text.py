"""Byte-order marks, UTF-16, Chinese encodings, line ends, and files that are no text."""

import gzip
import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bacclab.errors import BacclabError, SourceError
from bacclab.shoes.recorded.draft import Reading
from bacclab.shoes.recorded.importer import read_record, record_of

CSV = "shoe;winner\r\n1;庄\r\n1;闲\r\n2;和\r\n"


@pytest.mark.parametrize(
    ("encoding", "taken"),
    [
        ("utf-8", "utf-8"), ("utf-8-sig", "utf-8 with a byte-order mark"), ("utf-16", "utf-16"), ("utf-32", "utf-32"),
        ("gb18030", "gb18030"),
    ],
)  # fmt: skip
def test_encodings(read, encoding, taken):
    record = read(CSV, encoding_of=encoding)
    assert [shoe.letters for shoe in record.shoes()] == ["BP", "T"]
    assert (record.facts["encoding"], record.facts["line ends"], record.facts["separators"]) == (
        taken,
        "CRLF",
        "semicolons",
    )


def test_big_five(read):
    assert read("莊,閒,和,莊,閒,莊,莊,閒\n", encoding_of="big5").facts["encoding"] in ("big5", "gb18030")
    record = read("莊,閒,和,莊,閒,莊,莊,閒\n", encoding_of="big5", encoding="big5")
    assert [shoe.letters for shoe in record.shoes()] == ["BPTBPBBP"]


@pytest.mark.parametrize(
    ("text", "ends"), [("B\nP\n", "LF"), ("B\r\nP\r\n", "CRLF"), ("B\rP\r", "CR"), ("B\r\nP\n", "mixed")]
)
def test_line_ends(read, text, ends):
    record = read(text)
    assert [shoe.letters for shoe in record.shoes()] == ["BP"]
    assert record.facts["line ends"] == ends


def test_utf_16_without_a_mark_must_be_named(read):
    data = "B,P,T\n".encode("utf-16-le")
    with pytest.raises(SourceError, match=r"zero byte.*--encoding utf-16-le"):
        read(data)
    assert [shoe.letters for shoe in read(data, encoding="utf-16-le").shoes()] == ["BPT"]


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.txt", "B" * 10_000_000)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (zipped(), "zip archive or a spreadsheet"),
        (gzip.compress(b"BPT", mtime=0), "gzip"),
        (b"SQLite format 3\0abc", "SQLite"),
        (b"\x89PNG\r\n", "picture"),
        (b"%PDF-1.4", "PDF"),
        (b"\xff\xfe\x00", "utf-16"),
        (bytes(range(256)), "."),
        (b"B\nP\n\xe9\n", "line 3: byte 0xe9 is no UTF-8"),
        (b"PAR1" + bytes(100), "damaged Parquet"),
        (b"PAR1PAR1", "damaged Parquet"),
        (b"\n\n  \n", "no round"),
        (b"hello world", "no result"),
        (b"[", "JSON"),
        (b"{", "JSON"),
        (b",,,,\n,,,,", "no round|no result"),
    ],
)  # fmt: skip
def test_junk_is_refused_in_words(tmp_path, data, message):
    path = tmp_path / "junk.bin"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=message):
        read_record(path)


@pytest.mark.parametrize("text", ["B" * 60_000 + "P", "x" * 200_000, "1," * 30_000, "winner\n" + "B" * 30_000])
def test_giant_lines(text):
    try:
        said = record_of(text.encode(), Reading(), name="giant").facts["form"]
    except BacclabError as caught:
        said = str(caught)
    assert len(said) < 1000


PIECES = st.sampled_from(
    ["B", "P", "T", "b", "庄", "和", "Banker", "winner", "shoe", "round", "p1", "cards", "pk", "5", "0", "12", "8S",
     "27-7",
     "R5n", ",", ";", "\n", "\n", " ", "\t", "，", '"', "[", "]", "{", "}", ":", "#N1. 7(♠5♥2) - ✅8(♦9♣9)",
     "player_total",
     '{"winner": "B"}', '{"rounds": [', "null", "NA", "-1", "1e9", "Shoe 2:", "0,0,1,0", "#", "\x0b", "\u2028"]
)  # fmt: skip


@settings(max_examples=120)
@given(
    st.one_of(
        st.lists(PIECES, max_size=30).map("".join).map(str.encode),
        st.binary(max_size=60),
        st.text(max_size=60).map(str.encode),
    )
)
def test_whatever_stands_in_a_file_is_read_or_refused_in_words(data):
    for reading in (
        Reading(),
        Reading(language="english", fold_case=True),
        Reading(format="table"),
        Reading(format="flags"),
    ):
        try:
            record = record_of(data, reading, name="x")
        except SourceError:
            continue
        assert record.frame.height > 0
        assert record.shoe_count >= 1


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(SourceError, match="there is no file"):
        read_record(tmp_path / "no.csv")
    with pytest.raises(SourceError, match="backslash was read as an escape"):
        read_record("C:\temp\night.csv")
    with pytest.raises(SourceError, match="is a folder"):
        read_record(tmp_path)
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(SourceError, match="is empty"):
        read_record(tmp_path / "empty")
    with pytest.raises(SourceError, match="no encoding 'utf-99'"):
        record_of(b"BPT", Reading(encoding="utf-99"), name="x")


def test_a_chinese_comma_and_a_quoted_comma(shoes):
    assert shoes("庄，闲，和") == ["BPT"]
    assert shoes('note,winner\n"1,50",B\n"2,50",P') == ["BP"]
