r"""A test of a system as a table: rounds with the bets that are expected, compared with what the system really lays.

>>> from bacclab.bettors.csv_text import CsvText
>>> from bacclab.bettors.progressions.classic import Martingale
>>> from bacclab.bettors.selections.recent import Always
>>> from bacclab.game.tables import BUILT_IN_TABLES
>>> from bacclab.tournament.make import combined
>>> written = CsvText.of("round,outcome,bet,stake\n1,B,player,10\n2,T,player,20\n3,P,player,30\n", file="mine.csv")
>>> system = combined(Always(on="player"), Martingale(unit=10))
>>> print(compare_expected(read_expected(written), system, BUILT_IN_TABLES["commission"], bankroll=1000)[0])
mine.csv, row 4 (round 3): stake is 20.00, expected 30.00
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bacclab.bettors.csv_text import CsvText
from bacclab.errors import BettorError, ConfigError, MoneyError, shorten
from bacclab.game.layout import Layout
from bacclab.money import Money, to_amount
from bacclab.shoes.scripted import ScriptedSource
from bacclab.shoes.source import Horizon
from bacclab.tournament.experiment.csv_files import read_lines
from bacclab.tournament.experiment.specs import NO_STOP, Stop
from bacclab.tournament.ledger import ENDINGS
from bacclab.tournament.play.terms import Terms
from bacclab.tournament.play.ways import player_for

if TYPE_CHECKING:
    from pathlib import Path

    from bacclab.bettors.base import Bettor
    from bacclab.game.tables import Table
    from bacclab.tournament.ledger import Trace

__all__ = ["ExpectedRound", "Parting", "compare_expected", "read_expected", "read_expected_file"]

COLUMNS = ("round", "outcome")
OPTIONAL = ("bet", "stake", "result", "bankroll", "shoe")
_OUTCOMES = {"p": "P", "player": "P", "b": "B", "banker": "B", "t": "T", "tie": "T"}
_NONE = ("", "-", "none")


@dataclass(frozen=True, slots=True)
class ExpectedRound:
    """One row: the outcome of a round, the bets expected on it, and what they should come to; sums are amounts.

    ``result`` and ``bankroll`` (after the round) are None where the row does not say them; ``shoe`` is as written.
    """

    file: str
    row: int
    round: int
    outcome: str
    bets: tuple[tuple[str, int], ...]
    result: int | None = None
    bankroll: int | None = None
    shoe: str = ""


@dataclass(frozen=True, slots=True)
class Parting:
    """A field in which a row and the system part, both in words."""

    file: str
    row: int
    round: int
    field: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.file}, row {self.row} (round {self.round}): {self.field} is {self.got}, expected {self.expected}"


def read_expected(text: CsvText) -> tuple[ExpectedRound, ...]:
    """The rows of a table of rounds, in their order.

    Columns: round (1, 2, 3, …), outcome (B, P, T or a word), bet (a bet's id; empty or ``-`` for none) and stake; and
    if wanted result (net), bankroll (after the round) and shoe (a new value begins a new shoe). Several bets of a round
    are joined with ``+`` in both columns. Raises BettorError with the row of a fault.
    """
    rows: list[ExpectedRound] = []
    for number, cells in text.rows(*COLUMNS, optional=OPTIONAL):
        if cells["round"] != str(len(rows) + 1):
            raise text.fault(number, f"round {shorten(repr(cells['round']), 40)} should be {len(rows) + 1}")
        outcome = _OUTCOMES.get(cells["outcome"].lower())
        if outcome is None:
            raise text.fault(number, f"outcome {shorten(repr(cells['outcome']), 40)} must be P, B or T")
        result, bankroll = (_sum(text, number, name, cells[name]) for name in ("result", "bankroll"))
        bets = _bets(text, number, cells["bet"], cells["stake"])
        rows.append(ExpectedRound(text.file, number, len(rows) + 1, outcome, bets, result, bankroll, cells["shoe"]))
    if not rows:
        raise BettorError(f"{text.file} has no rows under its header")
    return tuple(rows)


def read_expected_file(path: Path) -> tuple[ExpectedRound, ...]:
    """`read_expected` on a CSV file. Raises ConfigError for a file that is not UTF-8 text, or no file."""
    if not path.is_file():
        raise ConfigError(f"there is no file {path}")
    return read_expected(CsvText(str(path), tuple(read_lines(path))))


def _bets(text: CsvText, number: int, bet: str, stake: str) -> tuple[tuple[str, int], ...]:
    if bet.lower() in _NONE:
        if stake not in ("", "-") and _sum(text, number, "stake", stake):
            raise text.fault(number, f"there is a stake of {stake} and no bet")
        return ()
    names, stakes = (re.split(r"\s*\+\s*", cell) for cell in (bet, stake))
    if len(names) != len(stakes):
        raise text.fault(number, f"has {len(names)} bets and {len(stakes)} stakes")
    found = []
    for name, one in zip(names, stakes, strict=True):
        amount = _sum(text, number, "stake", one)
        if not amount or amount < 0:
            raise text.fault(number, f"the bet {name} needs a stake above 0")
        found.append(({"P": "player", "B": "banker", "T": "tie"}.get(name.upper(), name), amount))
    return tuple(found)


def _sum(text: CsvText, number: int, name: str, cell: str) -> int | None:
    try:
        return to_amount(cell) if cell else None
    except MoneyError as error:
        raise text.fault(number, f"{name}: {error.message}", hint=error.hint) from None


def compare_expected(
    rows: Sequence[ExpectedRound],
    bettor: Bettor,
    table: Table,
    *,
    bankroll: Money | float | str,
    policy: str = "stop",
    stop: Stop = NO_STOP,
    seed: int = 0,
) -> tuple[Parting, ...]:
    """Play the rounds as one session of the bettor; the fields in which the first row parts, none where all agree.

    What follows the first row that parts is not compared: it follows from it. ``policy`` is `when_refused`, of ``stop``
    the sums count (losses in a row belong to the bettor), ``seed`` is that of the bettor's own random numbers.
    """
    script = "".join(
        ("|" if place and row.shoe != rows[place - 1].shoe else "") + row.outcome for place, row in enumerate(rows)
    )
    layout, count = Layout(table), len(rows)
    terms = Terms(
        layout=layout,
        bankroll=to_amount(bankroll),
        stop_win=stop.win,
        stop_loss=stop.loss,
        checkpoints=np.array([0, count]),
        traced=1,
        policy=policy,
        max_rounds=count,
        known=ScriptedSource.known,
    )
    rounds = ScriptedSource(script).rounds(0, 1, horizon=Horizon(rounds=count))
    ledger, trace = player_for(bettor, terms, name="expected", seed=seed, way="plain").play(rounds, first=0)
    over = f"nothing: the session has ended ({ENDINGS[int(ledger.ended_by[0])]})"
    for place, row in enumerate(rows):
        parted = tuple(
            Parting(row.file, row.row, row.round, *field) for field in _differences(row, trace, place, over=over)
        )
        if parted:
            return parted
    return ()


def _differences(row: ExpectedRound, trace: Trace, place: int, *, over: str) -> Iterator[tuple[str, str, str]]:
    """The fields of a row that differ from the round played: field, expected, got."""
    wanted = " + ".join(bet for bet, _ in row.bets) or "none"
    if place >= len(trace.round):
        if row.bets:
            yield "bet", wanted, over
        return
    laid = [one.rpartition(" ") for one in trace.bets[place].split(" + ") if one]
    got = " + ".join(bet for bet, _, _ in laid) or "none"
    if wanted != got:
        yield "bet", wanted, got
    stakes = " + ".join(str(Money.of(amount)) for _, amount in row.bets) or "0.00"
    staked = " + ".join(amount for _, _, amount in laid) or "0.00"
    if stakes != staked:
        yield "stake", stakes, staked
    for field, expected, found in (
        ("result", row.result, trace.net[place]),
        ("bankroll", row.bankroll, trace.bankroll[place]),
    ):
        if expected is not None and expected != int(found):
            yield field, str(Money.of(expected)), str(Money.of(int(found)))
