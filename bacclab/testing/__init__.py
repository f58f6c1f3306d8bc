"""The test kit for authors of plugins: one set of checks, behind three doors.

* A function: ``check_bettor(MyBettor).require()``.
* Parameters for pytest: ``@pytest.mark.parametrize("check", bettor_checks(MyBettor))``.
* A class to inherit from: ``class TestMine(BettorContract): bettor = MyBettor``.

The command ``bacclab check FILE`` runs the same checks without any test being written.
"""

from __future__ import annotations

from bacclab.bettors.rehearsal import bets, sides, stakes
from bacclab.testing.checks import CHECKS
from bacclab.testing.doors import BettorContract, bettor_checks, check_bettor
from bacclab.testing.helpers import asked, house_edge, load_item, measured
from bacclab.testing.report import CheckFailed, Finding, Report
from bacclab.testing.subject import Subject
from bacclab.testing.value_checks import check_bet, check_metric, check_source, check_table, check_thing

__all__ = [
    "CHECKS",
    "BettorContract",
    "CheckFailed",
    "Finding",
    "Report",
    "Subject",
    "asked",
    "bets",
    "bettor_checks",
    "check_bet",
    "check_bettor",
    "check_metric",
    "check_source",
    "check_table",
    "check_thing",
    "house_edge",
    "load_item",
    "measured",
    "sides",
    "stakes",
]
