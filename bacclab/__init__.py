"""bacclab: a tester for baccarat betting systems.

The names below are the public face. Each is imported when it is first used, so that `import bacclab` and
`bacclab --help` do not wait for numba, polars and plotly.

>>> import bacclab as bl
>>> str(bl.Money("0.95"))
'0.95'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from bacclab._version import __version__

if TYPE_CHECKING:
    from bacclab import errors as errors
    from bacclab.bettors.base import Bettor as Bettor
    from bacclab.bettors.base import Progression as Progression
    from bacclab.bettors.base import Selection as Selection
    from bacclab.bettors.base import bettor as bettor
    from bacclab.bettors.base import progression as progression
    from bacclab.bettors.base import selection as selection
    from bacclab.bettors.lanes.base import LaneBettor as LaneBettor
    from bacclab.bettors.lanes.base import LaneProgression as LaneProgression
    from bacclab.bettors.lanes.base import LaneSelection as LaneSelection
    from bacclab.bettors.params import Param as Param
    from bacclab.bettors.view import Bets as Bets
    from bacclab.bettors.view import Result as Result
    from bacclab.bettors.view import View as View
    from bacclab.errors import BacclabError as BacclabError
    from bacclab.exact.run import exact as exact
    from bacclab.exact.table_odds import odds as odds
    from bacclab.game.bets import Bet as Bet
    from bacclab.game.bets import Odds as Odds
    from bacclab.game.codes import Round as Round
    from bacclab.game.rules import Limits as Limits
    from bacclab.game.rules import ShoeRules as ShoeRules
    from bacclab.game.tables import Table as Table
    from bacclab.game.tables import table as table
    from bacclab.hooks import hookimpl as hookimpl
    from bacclab.money import Money as Money
    from bacclab.plugins.extensions import Command as Command
    from bacclab.plugins.extensions import Exporter as Exporter
    from bacclab.plugins.extensions import Workers as Workers
    from bacclab.plugins.loader import load_plugins as load_plugins
    from bacclab.plugins.metric import Metric as Metric
    from bacclab.plugins.panels import Chart as Chart
    from bacclab.plugins.panels import Section as Section
    from bacclab.plugins.settings import Settings as Settings
    from bacclab.runs import Run as Run
    from bacclab.runs import load_run as load_run
    from bacclab.runs import run as run

_HOMES = {
    "BacclabError": "bacclab.errors",
    "Bet": "bacclab.game.bets",
    "Bets": "bacclab.bettors.view",
    "Bettor": "bacclab.bettors.base",
    "Chart": "bacclab.plugins.panels",
    "Command": "bacclab.plugins.extensions",
    "Exporter": "bacclab.plugins.extensions",
    "LaneBettor": "bacclab.bettors.lanes.base",
    "LaneProgression": "bacclab.bettors.lanes.base",
    "LaneSelection": "bacclab.bettors.lanes.base",
    "Limits": "bacclab.game.rules",
    "Metric": "bacclab.plugins.metric",
    "Money": "bacclab.money",
    "Odds": "bacclab.game.bets",
    "Param": "bacclab.bettors.params",
    "Progression": "bacclab.bettors.base",
    "Result": "bacclab.bettors.view",
    "Round": "bacclab.game.codes",
    "Run": "bacclab.runs",
    "Section": "bacclab.plugins.panels",
    "Selection": "bacclab.bettors.base",
    "Settings": "bacclab.plugins.settings",
    "ShoeRules": "bacclab.game.rules",
    "Table": "bacclab.game.tables",
    "View": "bacclab.bettors.view",
    "Workers": "bacclab.plugins.extensions",
    "bettor": "bacclab.bettors.base",
    "hookimpl": "bacclab.hooks",
    "load_plugins": "bacclab.plugins.loader",
    "load_run": "bacclab.runs",
    "odds": "bacclab.exact.table_odds",
    "progression": "bacclab.bettors.base",
    "run": "bacclab.runs",
    "selection": "bacclab.bettors.base",
    "table": "bacclab.game.tables",
}

__all__ = [
    "BacclabError",
    "Bet",
    "Bets",
    "Bettor",
    "Chart",
    "Command",
    "Exporter",
    "LaneBettor",
    "LaneProgression",
    "LaneSelection",
    "Limits",
    "Metric",
    "Money",
    "Odds",
    "Param",
    "Progression",
    "Result",
    "Round",
    "Run",
    "Section",
    "Selection",
    "Settings",
    "ShoeRules",
    "Table",
    "View",
    "Workers",
    "__version__",
    "bettor",
    "errors",
    "exact",
    "hookimpl",
    "load_plugins",
    "load_run",
    "odds",
    "progression",
    "run",
    "selection",
    "table",
]


def __getattr__(name: str) -> Any:
    """Import a public name from its home the first time it is asked for."""
    if name in ("errors", "exact"):  # exact is a package that can be called
        return importlib.import_module(f"bacclab.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'bacclab' has no attribute {name!r}")
    item = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = item
    return item


def __dir__() -> list[str]:
    return sorted(__all__)
