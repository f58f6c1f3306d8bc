"""`run.charts`: every chart of a run as a method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bacclab.dashboard.charts.curves import MIDDLES, fan, medians
from bacclab.dashboard.charts.differences import differences
from bacclab.dashboard.charts.drawdown import underwater
from bacclab.dashboard.charts.endings import bust, ends
from bacclab.dashboard.charts.finals import finals
from bacclab.dashboard.charts.paths import trajectories
from bacclab.dashboard.charts.ranges import ranges
from bacclab.dashboard.lookup import Lookup

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from bacclab.dashboard.lookup import RunFrames

__all__ = ["Charts"]


class Charts:
    """The charts of one run; the frames are taken apart once for all of them.

    `run.charts.fan(bettor="Flat on Banker")` gives a plotly figure; without a name the first bettor of the experiment
    is meant, and the title of the figure says which.
    """

    def __init__(self, run: RunFrames) -> None:
        self._look = Lookup.of(run)

    def medians(self, *, bettors: Sequence[str] | None = None, cell: int | None = None) -> go.Figure:
        """The median bankroll of every bettor, with the house-edge lines."""
        return medians(self._look, bettors=bettors, cell=cell)

    def fan(
        self, bettor: str | None = None, *, cell: int | None = None, middles: Sequence[float] = MIDDLES
    ) -> go.Figure:
        """How the bankrolls of one bettor spread; `middles` are the shares of sessions that the bands hold."""
        return fan(self._look, bettor=bettor, cell=cell, middles=middles)

    def finals(self, bettor: str | None = None, *, cell: int | None = None) -> go.Figure:
        """Where the sessions of one bettor end."""
        return finals(self._look, bettor=bettor, cell=cell)

    def bust(self, bettor: str | None = None, *, cell: int | None = None) -> go.Figure:
        """Bust by round: every bettor, or one with all its ways to end."""
        return bust(self._look, bettor=bettor, cell=cell)

    def differences(self, bettor: str | None = None, *, cell: int | None = None) -> go.Figure:
        """One bettor against the others on the same rounds."""
        return differences(self._look, bettor=bettor, cell=cell)

    def ends(self, *, bettors: Sequence[str] | None = None, cell: int | None = None) -> go.Figure:
        """How the sessions of every bettor end."""
        return ends(self._look, bettors=bettors, cell=cell)

    def ranges(self, *, bettors: Sequence[str] | None = None, cell: int | None = None) -> go.Figure:
        """Where the sessions of every bettor end, side by side."""
        return ranges(self._look, bettors=bettors, cell=cell)

    def underwater(self, bettor: str | None = None, *, cell: int | None = None) -> go.Figure:
        """How far under their peak the sessions of one bettor stand."""
        return underwater(self._look, bettor=bettor, cell=cell)

    def trajectories(self, bettor: str | None = None, *, cell: int | None = None, lines: int = 20) -> go.Figure:
        """A few sessions of one bettor, round by round."""
        return trajectories(self._look, bettor=bettor, cell=cell, lines=lines)
