"""Charts of a run as plotly figures: one plain function a chart, used alike by the page, the app and a notebook.

Each takes a run (or a `Lookup` of one) and, by keyword, the bettor and the cell; by default the first of each.
"""

from __future__ import annotations

from bacclab.dashboard.charts.action import action
from bacclab.dashboard.charts.cards_left import edge_by_cards_left
from bacclab.dashboard.charts.curves import fan, medians
from bacclab.dashboard.charts.differences import differences
from bacclab.dashboard.charts.drawdown import underwater
from bacclab.dashboard.charts.endings import bust, endings, ends
from bacclab.dashboard.charts.finals import finals
from bacclab.dashboard.charts.goals import goals
from bacclab.dashboard.charts.parallel import settings_all
from bacclab.dashboard.charts.paths import trajectories
from bacclab.dashboard.charts.ranges import ranges
from bacclab.dashboard.charts.ranking import ranking
from bacclab.dashboard.charts.roads import roads_figure
from bacclab.dashboard.charts.roads_board import RoundMark
from bacclab.dashboard.charts.session import session_path
from bacclab.dashboard.charts.session_roads import session_roads
from bacclab.dashboard.charts.settings import settings
from bacclab.dashboard.charts.survival import survival
from bacclab.dashboard.charts.tallies import runs, stakes

__all__ = [
    "RoundMark",
    "action",
    "bust",
    "differences",
    "edge_by_cards_left",
    "endings",
    "ends",
    "fan",
    "finals",
    "goals",
    "medians",
    "ranges",
    "ranking",
    "roads_figure",
    "runs",
    "session_path",
    "session_roads",
    "settings",
    "settings_all",
    "stakes",
    "survival",
    "trajectories",
    "underwater",
]
