"""The charts of a sweep: squares over two keys, parallel axes over more, and what their colours mean."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from bacclab.dashboard import charts, theme
from bacclab.dashboard.lookup import Lookup
from bacclab.dashboard.pages import portions


@pytest.fixture
def two_keys(synthetic: ModuleType) -> Any:
    run = synthetic.make_run(cells=4, sessions=60, rounds=60)
    settings = [{"table.maximum": most, "bankroll": start} for most in (200, 500) for start in ("<b>1", "2")]
    run.manifest["cells"] = [{"cell": cell, "settings": one} for cell, one in enumerate(settings)]
    return run


def test_the_first_square_is_of_the_system_to_which_the_settings_matter_most(two_keys: Any) -> None:
    figure = charts.settings(two_keys)
    spread = {trace.name: trace.z.max() - trace.z.min() for trace in figure.data}
    (seen,) = (trace.name for trace in figure.data if trace.visible)
    assert spread[seen] == max(spread.values()) > 0
    menu = figure.layout.updatemenus[0]
    assert list(menu.buttons[menu.active].args[1]) == [trace.visible for trace in figure.data]


def legend(figure: Any) -> list[Any]:
    return [trace for trace in figure.data if trace.showlegend]


def test_colours_are_systems_and_the_legend_says_so(two_keys: Any) -> None:
    figure = charts.settings_all(two_keys)
    assert figure.layout.legend.title.text == "System"
    assert figure.layout.meta["note"].endswith("Colour: the system.")
    named = {trace.legendgroup: trace for trace in legend(figure)}
    assert len(named) == len(Lookup(two_keys).positions)
    for trace in figure.data:
        sample = named[trace.legendgroup]
        assert trace.line.color == sample.line.color
        assert sample.name.replace("<br>", " ") in trace.name.replace("<br>", " ")


def test_one_system_is_coloured_by_its_result_with_its_unit(synthetic: ModuleType, two_keys: Any) -> None:
    run = synthetic.make_run(systems=synthetic.SYSTEMS[1:2], cells=4, sessions=60, rounds=60)
    run.manifest["cells"] = two_keys.manifest["cells"]
    figure = charts.settings_all(run)
    assert figure.layout.legend.title.text == "Result a session (currency units)"
    lines = [trace for trace in figure.data if not trace.showlegend]
    assert [trace.line.color for trace in lines[::3]] == [theme.PALETTE[1][0], theme.PALETTE[0][0]]
    assert len(legend(figure)) == 3


def test_axes_tell_their_units_and_values(two_keys: Any) -> None:
    figure = charts.settings_all(two_keys)
    titles = [text.replace("<br>", " ") for text in figure.layout.xaxis.ticktext]
    assert titles == [
        "table.maximum", "bankroll", "Result a session (currency units)", "Median bankroll (currency units)",
        "Sessions ruined (%)",
    ]  # fmt: skip
    texts = [note.text for note in figure.layout.annotations]
    assert {"200", "500", "&lt;b&gt;1", "2"} <= set(texts)


def test_the_settings_come_first_and_then_one_is_chosen(two_keys: Any, run: Any) -> None:
    from bacclab.dashboard.lookup import registry_of

    look = Lookup(two_keys)
    parts = portions.portions(look, registry_of(two_keys))
    assert list(parts)[:4] == ["question", "answer", "sweep", "summary"]
    assert 'id="cell"' in parts["sweep"]
    assert 'href="#sweep"' in portions.nav(look)
    assert 'href="#sweep"' not in portions.nav(Lookup(run))
