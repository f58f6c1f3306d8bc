"""The figure of the roads: what is drawn where, and what the pointer is told."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
import pytest

from bacclab.dashboard import theme
from bacclab.dashboard.charts import RoundMark, roads_figure, session_roads
from bacclab.dashboard.charts.roads import board
from bacclab.dashboard.charts.roads_board import Plan
from bacclab.dashboard.language import language
from bacclab.errors import ConfigError
from bacclab.game.roads import draw_roads

SHOE = "TTPBBTPBPPPBBBBBBBBBPPPPPPPPTBPBPTTBBPP"


def words(figure: Any) -> list[str]:
    return list(figure.data[-1].text)


def closed(figure: Any, colour: str) -> int:
    """How many closed lines of a colour there are: rings that are not filled."""
    count = 0
    for trace in figure.data[:-1]:
        if trace.line.color == colour and trace.fill is None:
            points = np.stack([trace.x, trace.y], axis=1)
            for piece in np.split(points, np.flatnonzero(np.isnan(points[:, 0]))):
                piece = piece[~np.isnan(piece[:, 0])]
                count += len(piece) > 8 and np.allclose(piece[0], piece[-1], atol=1e-4)
    return int(count)


class TestFigure:
    def test_every_round_and_mark_can_be_pointed_at(self) -> None:
        roads, told = draw_roads(SHOE), words(roads_figure(SHOE))
        marks = sum(map(len, roads.derived.values()))
        assert len(told) == len(SHOE) + len(roads.big_road) + marks + 6  # and six answers of the ask
        assert told[0] == "Round 3: run 1, Player 1, 2 ties"
        assert "Round 6: Tie" in told
        assert f"Big Eye Boy, round 5: {roads.derived['big-eye-boy'][0].colour}" in told  # type: ignore[index]
        assert "Cockroach Pig, if Banker wins: " + str(roads.ask["cockroach-pig"]["banker"]) in told  # type: ignore[index]

    def test_rings_are_the_wins_and_the_marks_of_big_eye_boy(self) -> None:
        roads, figure = draw_roads(SHOE), roads_figure(SHOE)
        for letter, colour, pair in (("B", "red", theme.BANKER), ("P", "blue", theme.PLAYER)):
            eyes = sum(mark.colour == colour for mark in roads.derived["big-eye-boy"])  # type: ignore[index]
            assert closed(figure, pair[0]) == SHOE.count(letter) + eyes + 2  # and two of the ask

    def test_everything_is_inside_the_board(self) -> None:
        for shoe in (SHOE, "B" * 60, "BP" * 40, "T", ""):
            for narrow in (False, True):
                figure = roads_figure(shoe, narrow=narrow)
                (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
                for trace in figure.data:
                    assert not len(trace.x) or (left <= np.nanmin(trace.x) and np.nanmax(trace.x) <= right)
                    assert not len(trace.y) or (high <= np.nanmin(trace.y) and np.nanmax(trace.y) <= low)

    def test_cells_are_square(self) -> None:
        axis = roads_figure(SHOE).layout.yaxis
        assert (axis.scaleanchor, axis.constrain) == ("x", "domain")

    def test_bets_are_framed_and_told(self) -> None:
        bets = [
            RoundMark(""),
            RoundMark("banker 10.00", 10, 9.5),
            RoundMark("tie 5.00", 5, -5),
            RoundMark("p <b>", 1, 0),
        ]
        told = words(roads_figure("PBBT", bets=bets))
        assert "Round 1: run 1, Player 1<br>no bet" in told
        assert "Round 2: Banker<br>laid banker 10.00: won 9.50" in told
        assert "Round 3: Banker<br>laid tie 5.00: lost 5" in told
        assert "Round 4: Tie<br>laid p &lt;b&gt;: push" in told
        assert "Framed" in roads_figure("PB", bets=bets[:2]).layout.meta["note"]
        with pytest.raises(ValueError, match="1 bets for 2 rounds"):
            roads_figure("PB", bets=bets[:1])

    def test_pairs_and_totals(self) -> None:
        told = words(roads_figure("PB", pairs=[(True, False), (True, True)], totals=[(9, 1), (0, 7)]))
        assert "Round 1: Player 9, Player pair" in told
        assert "Round 2: Banker 7, Banker pair, Player pair" in told

    def test_who_cannot_see_it_is_told(self) -> None:
        alt = roads_figure("TPBB").layout.meta["alt"]
        assert alt == "Roads of a shoe of 4 rounds: Banker 2, Player 1, Tie 1. Lengths of the runs: 1, 2."

    def test_in_another_language(self) -> None:
        made = board(draw_roads("TPBB"), say=language("sv"))
        assert made.layout["meta"]["alt"].startswith("Vägar för en sko med 4 givar: ")
        for notes in (made.layout["annotations"], made.narrow["layout"]["annotations"]):
            assert any(note["text"] == "Fråga: om nästa vinst är" for note in notes)

    def test_dark_and_back(self) -> None:
        figure = roads_figure(SHOE)
        dark = theme.recolour(figure, "dark")
        colours = {trace.line.color for trace in dark.data}
        assert theme.BANKER[1] in colours
        assert not colours & {theme.BANKER[0], theme.PLAYER[0], theme.TIE[0], theme.GRID[0]}
        again = theme.recolour(dark, "light")
        assert [trace.line.color for trace in again.data] == [trace.line.color for trace in figure.data]

    @pytest.mark.parametrize("scheme", [0, 1])
    @pytest.mark.parametrize("pair", [theme.BANKER, theme.PLAYER, theme.TIE])
    def test_colours_stand_out(self, pair: tuple[str, str], scheme: int) -> None:
        def light(colour: str) -> float:
            parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
            linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
            return float(np.dot([0.2126, 0.7152, 0.0722], linear))

        low, high = sorted((light(pair[scheme]), light(theme.BACKGROUND[scheme])))
        assert (high + 0.05) / (low + 0.05) >= 4.5  # the letters on the beads are in the colour of the background

    def test_a_plan_holds_long_tails_and_many_columns(self) -> None:
        for narrow in (False, True):
            plan = Plan.of(draw_roads("B" * 60 + "P"), narrow=narrow)
            assert plan.width >= 55
            many = Plan.of(draw_roads("BP" * 40), narrow=narrow)
            assert many.derived_columns >= 1
            assert many.width >= 80


@dataclass
class Sampled:
    """A run of one bettor with two sampled sessions, of two shoes and of one."""

    @property
    def trajectories(self) -> pl.DataFrame:
        rows = [
            *((0, "A", 0, r, 1, outcome) for r, outcome in enumerate(["player", "banker", "tie"], 1)),
            *((0, "A", 0, r, 2, outcome) for r, outcome in enumerate(["banker", "banker"], 4)),
            *((0, "A", 7, r, 1, outcome) for r, outcome in enumerate(["tie"], 1)),
        ]
        frame = pl.DataFrame(rows, schema=["cell", "bettor", "session", "round", "shoe", "outcome"], orient="row")
        return frame.with_columns(bets=pl.lit("banker 10.00"), staked=10.0, net=9.5, bankroll=1000.0)


class TestSessionRoads:
    @pytest.fixture
    def run(self, synthetic: Any) -> Any:
        made = synthetic.make_run(sessions=8, rounds=5)
        frame = Sampled().trajectories.with_columns(bettor=pl.lit("Flat on Banker"))
        made.trajectories = frame
        return made

    def test_a_menu_of_shoes(self, run: Any) -> None:
        figure = session_roads(run, bettor="Flat on Banker")
        buttons = figure.layout.updatemenus[0].buttons
        assert [button.label for button in buttons] == ["Shoe 1", "Shoe 2"]
        assert figure.layout.title.text.startswith("Flat on Banker: session 0, shoe 1")
        shown = np.array([button.args[0]["visible"] for button in buttons])
        assert (shown.sum(axis=0) == 1).all()
        assert shown.shape[1] == len(figure.data)
        assert [trace.visible is not False for trace in figure.data] == shown[0].tolist()
        assert "session 0, shoe 2" in buttons[1].args[1]["title.text"]

    def test_one_shoe_has_no_menu(self, run: Any) -> None:
        figure = session_roads(run, session=0, shoe=2)
        assert not figure.layout.updatemenus
        assert any(text == "Round 2: run 1, Banker 2<br>laid banker 10.00: won 9.50" for text in words(figure))
        assert not session_roads(run, session=7).layout.updatemenus
        assert session_roads(run, session=7, narrow=True).layout.xaxis.range[1] == pytest.approx(24.3)

    @pytest.mark.parametrize(
        ("asked", "says"),
        [
            ({"session": 3}, "session 3 of 'Flat on Banker' was not kept.*kept: 0, 7"),
            ({"shoe": 5}, "session 0 has no shoe 5"),
            ({"bettor": "Never bets"}, "no session of 'Never bets' was kept"),
        ],
    )
    def test_what_was_not_kept_is_told(self, run: Any, asked: dict[str, Any], says: str) -> None:
        with pytest.raises(ConfigError) as told:
            session_roads(run, **asked)
        assert re.search(says, str(told.value))
