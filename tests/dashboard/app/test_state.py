"""Addresses: what is chosen stands in them, and any of them can be opened."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bacclab.dashboard.app.navigation import navigate
from bacclab.dashboard.app.state import MIDDLES, TABS, State, address, parsed

names = st.text(min_size=1, max_size=20)
numbers = st.none() | st.integers(0, 10**9)
states = st.builds(
    State,
    view=st.just("run"),
    run=names,
    tab=st.sampled_from(TABS),
    cell=st.integers(0, 10**6),
    bettor=st.none() | names,
    bettors=st.lists(names, unique=True, max_size=4).map(tuple),
    horizon=numbers,
    middles=st.sets(st.sampled_from(MIDDLES)).map(lambda some: tuple(sorted(some))),
    log=st.booleans(),
    session=numbers,
    shoe=numbers,
)


@given(states)
def test_an_address_leads_back(state: State) -> None:
    assert parsed("/run", address(state)) == state


@given(states)
def test_a_browser_gives_back_what_it_was_given(state: State) -> None:
    assert State.of(state.values()) == state


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_address_can_be_read(path: str, search: str) -> None:
    for place in (path, "/run", "/compare"):
        assert isinstance(parsed(place, search), State)


@given(
    st.dictionaries(
        st.sampled_from(list(State().values())), st.none() | st.integers() | st.text() | st.lists(st.integers())
    )
)
def test_any_values_of_a_browser_can_be_read(values: dict[str, Any]) -> None:
    assert isinstance(State.of(values), State)


class TestNavigation:
    def test_a_link_opens_the_same_view(self, context: Any) -> None:
        search = "?id=sweep&tab=one&cell=1&bettor=Goal+of+60&round=45&scale=log&middle=80"
        place = navigate(context, "/run", search, control=None, value=None)
        assert place.search is None
        assert place.state["status"] == "complete"
        assert (place.values["cell"], place.values["bettor"], place.values["scale"]) == (1, "Goal of 60", "log")
        assert place.values["horizon"] == 50  # the next checkpoint
        assert place.values["middles"] == [80]

    def test_a_choice_changes_the_address(self, context: Any) -> None:
        place = navigate(context, "/run", "?id=sweep&tab=one", control="cell", value=1)
        assert place.search == "?id=sweep&tab=one&cell=1"
        place = navigate(context, "/run", place.search, control="bettor", value="Goal of 60")
        assert place.search == "?id=sweep&tab=one&cell=1&bettor=Goal+of+60"
        place = navigate(context, "/run", place.search, control="bettor", value="Flat on Banker")
        assert place.search == "?id=sweep&tab=one&cell=1"  # the first is as usual

    def test_what_the_run_has_not_is_left_out(self, context: Any) -> None:
        place = navigate(
            context, "/run", "?id=plain&cell=7&bettor=Nobody&with=Nobody&round=99999", control=None, value=None
        )
        assert place.values["cell"] == 0
        assert place.values["bettor"] == "Flat on Banker"
        assert place.values["horizon"] == 0
        assert place.values["bettors"] == ["Flat on Banker", "Doubler <b>5</b>", "Goal of 60"]

    def test_tabs_are_those_that_the_run_has(self, context: Any) -> None:
        def tabs(run: str) -> list[str]:
            place = navigate(context, "/run", f"?id={run}", control=None, value=None)
            return [option["value"] for option in place.options["tab"]]

        assert ("sweep" in tabs("sweep")) is any(panel.tab == "sweep" for panel in context.panels)
        assert "sweep" not in tabs("plain")
        assert "comparison" in tabs("plain")

    def test_sessions_of_the_sample(self, context: Any) -> None:
        place = navigate(context, "/run", "?id=plain&tab=sessions&session=9999", control=None, value=None)
        assert place.values["session"] == 0
        assert [option["value"] for option in place.options["session"]] == list(range(50))
        assert place.values["shoe"] is not None

    @pytest.mark.parametrize("run", ["", "nope", "../runs/plain", "plain/../plain"])
    def test_no_such_run(self, context: Any, run: str) -> None:
        place = navigate(context, "/run", f"?id={run}", control=None, value=None)
        assert place.state["status"] == "missing"
        assert "there is no run" in place.state["words"]

    def test_comparing(self, context: Any) -> None:
        place = navigate(context, "/compare", "?id=plain&id=nope", control=None, value=None)
        assert place.state["runs"] == ("plain",)
        place = navigate(context, "/compare", "?id=plain", control="compare-runs", value=["sweep", "plain"])
        assert place.search == "?id=sweep&id=plain"
