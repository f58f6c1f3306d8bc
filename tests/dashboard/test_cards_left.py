"""What bets are worth late in the shoe: which runs have the chart, what it holds, and that settings share it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from bacclab.dashboard import charts
from bacclab.dashboard.charts import cards_left
from bacclab.dashboard.charts.cards_left import edge_by_cards_left
from bacclab.dashboard.language import LANGUAGES, language
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.pages.late import printed
from bacclab.exact.late import late

SHOES = 20


class Laid:
    """A run that says which bets two bettors laid; the second sees the cards."""

    def __init__(self, *slips: str, cells: int = 1, key: str = "maximum", **table: Any) -> None:
        self.summary = pl.DataFrame(
            {
                "cell": [cell for cell in range(cells) for _ in range(2)],
                "bettor": ["blind", "counter"] * cells,
                "expected_on": ["full shoe", "cards left"] * cells,
                "failed": [None] * (2 * cells),
            },
            schema_overrides={"failed": pl.String},
        )
        self.trajectories = pl.DataFrame(
            [(cell, who, bets) for cell in range(cells) for who, bets in zip(("blind", "counter"), slips, strict=True)],
            schema={"cell": pl.Int64, "bettor": pl.String, "bets": pl.String},
            orient="row",
        )
        self.cells = pl.DataFrame({"cell": range(cells), "label": [f"setting {cell}" for cell in range(cells)]})
        settings = [{f"table.{key}": 4 + cell} for cell in range(cells)]
        self.manifest = {
            "experiment": {"table": {"rules": "ez", **table}},
            "cells": [{"cell": cell, "settings": one} for cell, one in enumerate(settings)],
        }


def drawn(run: Any, **more: Any) -> Any:
    return edge_by_cards_left(run, **({"shoes": SHOES} | more))


def buttons(figure: Any) -> list[str]:
    return [button.label for menu in figure.layout.updatemenus for button in menu.buttons]


class TestOfInterest:
    @pytest.mark.parametrize(
        ("blind", "counter", "shown"),
        [
            ("banker 10.00", "", []),
            ("tie 10.00 + player 5.00", "", []),
            ("banker 10.00 + dragon_7 5.00", "", ["Dragon 7"]),
            ("player 10.00", "banker 10.00", ["Banker"]),
            ("player 10.00 + panda_8 1.00", "player 10.00 + dragon_7 20.00", ["Player", "Dragon 7", "Panda 8"]),
        ],
    )
    def test_side_bets_and_bets_by_the_cards(self, blind: str, counter: str, shown: list[str]) -> None:
        figure = drawn(Laid(blind, counter))
        if not shown:
            assert figure is None
        elif len(shown) == 1:
            assert figure.layout.meta["title"] == f"{shown[0]}: what it is worth late in the shoe"
            assert buttons(figure) == []
        else:
            assert buttons(figure) == shown

    def test_a_bet_by_name(self) -> None:
        assert drawn(Laid("", ""), bet="tie").layout.meta["title"].startswith("Tie: ")
        assert drawn(Laid("", ""), bet="lucky_6") is None

    def test_a_run_that_does_not_tell_its_bets(self, run: Any) -> None:
        assert charts.edge_by_cards_left(run) is None

    def test_without_sampled_sessions_the_experiment_names_them(self) -> None:
        run = Laid("", "")
        run.trajectories = run.trajectories.clear()
        run.manifest["experiment"]["bettor"] = [{"use": "flat", "on": "banker"}, {"pair": {"on": ["panda_8"]}}]
        assert drawn(run).layout.meta["title"].startswith("Panda 8: ")
        run.manifest["experiment"]["bettor"] = [{"use": "flat", "on": "banker"}]
        assert drawn(run) is None

    def test_a_bettor_that_failed(self) -> None:
        run = Laid("banker 10.00 + dragon_7 5.00", "panda_8 1.00")
        run.summary = run.summary.with_columns(failed=pl.Series(["it raised", None]))
        assert drawn(run).layout.meta["title"].startswith("Panda 8: ")

    def test_a_table_that_is_not_registered(self) -> None:
        assert drawn(Laid("dragon_7 5.00", "", rules="elsewhere")) is None


class TestFigure:
    def test_it_holds_the_figures_of_bacclab_late(self) -> None:
        figure = drawn(Laid("dragon_7 5.00", ""), shoes=40)
        found = late("ez", "dragon_7", shoes=40)
        rows = [row for row in found.cards_left_rows if row["rounds"] >= 10]
        traces = {trace.name: trace for trace in figure.data}
        assert traces["mean"].y == pytest.approx([row["mean_return"] for row in rows], rel=1e-6)
        assert traces["rounds above zero"].y == pytest.approx([row["advantage"] for row in rows], rel=1e-6)
        outer = traces["5 % to 95 %"]
        half = len(outer.y) // 2
        assert outer.y[:half] == pytest.approx([row["q95"] for row in rows], rel=1e-6)
        assert outer.y[half:][::-1] == pytest.approx([row["q05"] for row in rows], rel=1e-6)
        assert set(traces["full shoe (house edge)"].y) == {np.float32(found.full_shoe)}
        assert len(printed(found)[1]) == len(found.cards_left_rows)

    def test_a_menu_shows_one_bet_at_a_time_and_begins_with_the_best(self) -> None:
        figure = drawn(Laid("banker 10.00 + panda_8 1.00", "dragon_7 5.00"))
        assert buttons(figure) == ["Dragon 7", "Panda 8"]
        menu = figure.layout.updatemenus[0]
        of = [trace.meta["of"] for trace in figure.data]
        for button in menu.buttons:
            assert [bet == button.label for bet in of] == list(button.args[1])
        assert [trace.visible for trace in figure.data] == list(menu.buttons[menu.active].args[1])
        best = {bet: max(trace.y[-1] for trace in figure.data if trace.meta["of"] == bet) for bet in set(of)}
        assert menu.buttons[menu.active].label == max(best, key=lambda bet: best[bet])

    @pytest.mark.parametrize("code", LANGUAGES)
    def test_in_every_language(self, code: str) -> None:
        look = Lookup(Laid("dragon_7 5.00", ""), language=language(code))  # type: ignore[arg-type]
        meta = drawn(look).layout.meta
        assert "{" not in "".join(meta.values())
        assert "Dragon 7" in meta["alt"]


class TestBudget:
    def test_settings_that_differ_in_limits_alone_share_the_figures(self) -> None:
        look = Lookup(Laid("dragon_7 5.00", "", cells=30))  # type: ignore[arg-type]
        first, last = edge_by_cards_left(look, cell=0), edge_by_cards_left(look, cell=29)
        assert f"{cards_left.SHOES} shoes" in first.layout.meta["note"]
        assert [trace.y.tolist() for trace in first.data] == [trace.y.tolist() for trace in last.data]
        assert last.layout.meta["title"].endswith("(setting 29)")

    def test_tables_of_a_sweep_share_the_shoes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cards_left, "SHOES", 80)
        laid = ("dragon_7 5.00", "")
        assert "40 shoes" in edge_by_cards_left(Laid(*laid, cells=2, key="cut_card"), cell=1).layout.meta["note"]
        assert edge_by_cards_left(Laid(*laid, cells=4, key="cut_card")) is None
        assert drawn(Laid(*laid, cells=4, key="cut_card")) is not None

    def test_pairs_are_dealt_more_shoes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cards_left, "SHOES", 30)
        run = Laid("banker 5.00 + player_pair 5.00", "", rules="commission")
        assert "300 shoes" in edge_by_cards_left(run).layout.meta["note"]
