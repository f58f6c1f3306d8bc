"""Reading a small record that is written in the test."""

from __future__ import annotations

import pytest

from bacclab.shoes.recorded.draft import Reading
from bacclab.shoes.recorded.importer import record_of


@pytest.fixture
def read():
    """The record of a text (or of bytes); options as in `Reading`."""

    def run(text, *, encoding_of="utf-8", **reading):
        data = text if isinstance(text, bytes) else text.encode(encoding_of)
        return record_of(data, Reading(**reading), name="night.txt")

    return run


@pytest.fixture
def shoes(read):
    """The shoes of a text as letters."""

    def run(text, **options):
        return [shoe.letters for shoe in read(text, **options).shoes()]

    return run


@pytest.fixture
def told(read):
    """The findings of a text as (line, kind)."""

    def run(text, **options):
        return [(one.line, one.kind) for one in read(text, **options).findings]

    return run
