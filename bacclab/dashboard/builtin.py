"""The charts and sections of bacclab itself, handed in through the hooks that are open to every plugin."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bacclab.hooks import hookimpl
from bacclab.plugins.panels import Chart, Scope, Section

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from bacclab.dashboard.charts.sketch import Sketch
    from bacclab.plugins.panels import Blocks

__all__ = ["BUILT_IN_CHARTS", "BUILT_IN_SECTIONS", "BuiltIn", "register_charts", "register_sections"]


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A chart function of bacclab, loaded when it is first drawn; `sketch` gives the figure as plain values.

    >>> BuiltIn("curves", "fan").function.__name__
    'fan'
    """

    module: str
    name: str

    @property
    def function(self) -> Any:
        """The chart function."""
        return getattr(importlib.import_module(f"bacclab.dashboard.charts.{self.module}"), self.name)

    def sketch(self, run: Any, /, *, cell: int | None, bettor: str | None, **more: Any) -> Sketch | None:
        """The figure before plotly has seen it; parameters that the chart lacks are left out where not given."""
        given = {key: value for key, value in {"cell": cell, "bettor": bettor, **more}.items() if value is not None}
        found: Sketch | None = self.function.sketch(run, **given)
        return found

    def __call__(
        self, run: Any, /, *, cell: int | None = None, bettor: str | None = None, **more: Any
    ) -> go.Figure | None:
        """The plotly figure."""
        found = self.sketch(run, cell=cell, bettor=bettor, **more)
        return None if found is None else found.figure()


@dataclass(frozen=True, slots=True)
class Written:
    """A section of bacclab, whose module is loaded when it is first written."""

    module: str

    def __call__(self, run: Any, /) -> Blocks | None:
        """What the section says of a run (or of a `Lookup` of one)."""
        from bacclab.dashboard.lookup import Lookup

        found: Blocks | None = importlib.import_module(f"bacclab.dashboard.words.{self.module}").write(Lookup.of(run))
        return found


def _chart(module: str, name: str, scope: Scope, title: str, text: str, **more: Any) -> Chart:
    return Chart(id=name, title=title, text=text, scope=scope, draw=BuiltIn(module, name), **more)


BUILT_IN_CHARTS: tuple[Chart, ...] = (
    _chart(
        "ranges", "ranges", "cell", "Where a session ends, system by system",
        "The middle 90 % and the middle half of final bankrolls, the median, and what the house edge leaves on "
        "average.",
    ),
    _chart(
        "ranking", "ranking", "cell", "From the least to the most expensive",
        "Many bettors by what they are expected to lose in a session, with the sampled result and its interval.",
    ),
    _chart(
        "curves", "medians", "cell", "All medians on one chart",
        "The median bankroll of every bettor by round, with its house-edge line.",
    ),
    _chart(
        "endings", "bust", "cell", "Ruin by round",
        "The share of sessions that are bust or cannot cover their next bet.",
        wide=False,
    ),
    _chart(
        "survival", "survival", "cell", "Who still plays", "The share of sessions that have not ended, by round.",
        wide=False,
    ),
    _chart("endings", "ends", "cell", "How sessions end", "The share of sessions by how they ended.", wide=False),
    _chart(
        "action", "action", "cell", "Result against what is staked",
        "Mean result against mean action, a point a bettor, with the house-edge line.", wide=False,
    ),
    _chart(
        "goals", "goals", "cell", "What a goal costs",
        "The exact chance of flat bets to win a goal before the bankroll is lost, by goal and bankroll.", wide=False,
    ),
    _chart(
        "cards_left", "edge_by_cards_left", "cell", "What bets are worth late in the shoe",
        "The exact return of side bets, and of bets laid by the cards, by cards left in the shoe.",
    ),
    _chart(
        "settings", "settings", "run", "Setting by setting", "Ruin over one swept key, or over the squares of two.",
    ),
    _chart(
        "parallel", "settings_all", "run", "All settings at once",
        "Parallel axes: from the swept values to what came of them.",
    ),
    _chart(
        "curves", "fan", "bettor", "How the bankrolls spread",
        "The median bankroll by round, and bands that hold the middle 50 % and 90 % of sessions.",
    ),
    _chart(
        "finals", "finals", "bettor", "Where sessions end", "Outcomes, and the histogram of final bankrolls.",
        wide=False,
    ),
    _chart(
        "endings", "endings", "bettor", "When sessions end, and how", "The ways to end, one upon the other.",
        wide=False,
    ),
    _chart(
        "drawdown", "underwater", "bettor", "Under water",
        "How far sessions stand under their peak, and how many stand behind.", wide=False,
    ),
    _chart(
        "paths", "trajectories", "bettor", "Sessions one by one", "A few sessions round by round, taken by number.",
        wide=False,
    ),
    _chart(
        "tallies", "runs", "bettor", "Longest losing runs", "Sessions by their longest run of lost bets.", wide=False,
    ),
    _chart(
        "tallies", "stakes", "bettor", "What it stakes",
        "The bets of the sample and the largest stakes of all sessions.",
        wide=False,
    ),
    _chart(
        "shoe", "roads", "bettor", "The roads of one shoe",
        "The roads of the first shoe of a sampled session, its bets marked.",
    ),
    _chart(
        "differences", "differences", "bettor", "Against the others",
        "Mean differences on the same rounds, with 95 % intervals.", section="comparison",
    ),
)  # fmt: skip

BUILT_IN_SECTIONS: tuple[Section, ...] = (
    Section(id="tried", title="How many were tried", write=Written("tried"), after="comparison"),
)


@hookimpl
def register_charts(register: Callable[[Chart], None]) -> None:
    """Hand in the charts, in the order in which a page shows them."""
    for chart in BUILT_IN_CHARTS:
        register(chart)


@hookimpl
def register_sections(register: Callable[[Section], None]) -> None:
    """Hand in the sections."""
    for section in BUILT_IN_SECTIONS:
        register(section)
