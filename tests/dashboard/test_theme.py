"""Colours: enough contrast on both backgrounds (WCAG), partners that are one to one, dashes that differ."""

from __future__ import annotations

from typing import Any

import pytest

from bacclab.dashboard import charts, theme


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1])
def test_lines_stand_out_from_their_background(scheme: int) -> None:
    for pair in (*theme.PALETTE, theme.EDGE):
        assert contrast(pair[scheme], theme.BACKGROUND[scheme]) >= 3


@pytest.mark.parametrize("scheme", [0, 1])
def test_text_can_be_read(scheme: int) -> None:
    for pair in (theme.INK, theme.QUIET):
        assert contrast(pair[scheme], theme.BACKGROUND[scheme]) >= 4.5


def test_partners_are_one_to_one() -> None:
    found = theme.swaps()
    assert len(set(found.values())) == len(found)
    assert not set(found) & set(found.values())


def test_dots_are_kept_for_the_house_edge() -> None:
    assert "dot" not in theme.DASHES


def test_dark_and_back(run: Any) -> None:
    figure = charts.fan(run)
    dark = theme.recolour(figure, "dark")
    assert dark.layout.template.layout.paper_bgcolor == theme.BACKGROUND[1]
    assert dark.data[2].line.color == theme.PALETTE[0][1]
    again = theme.recolour(dark, "light")
    assert [trace.line.color for trace in again.data] == [trace.line.color for trace in figure.data]
    assert again.layout.template.layout.paper_bgcolor == theme.BACKGROUND[0]


def test_every_way_to_end_has_words_and_a_colour() -> None:
    from bacclab.tournament.ledger import ENDINGS

    assert set(theme.ENDINGS) == set(ENDINGS)
