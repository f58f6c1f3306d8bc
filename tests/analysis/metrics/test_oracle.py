"""Every built-in metric against plain loops over the rounds of sessions, and over all sequences of a few rounds."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest

import bacclab as bl
from bacclab.analysis.metrics import core, further, ruin, shoe
from bacclab.analysis.metrics.core import CORE
from bacclab.analysis.metrics.further import MORE
from bacclab.analysis.metrics.ruin import RUIN
from bacclab.analysis.metrics.shoe import SHOE
from bacclab.plugins.metric import UNITS

# Eight decks: sequences of six cards that Player, Banker and Tie win.
PLAYER, BANKER, TIE = 2_230_518_282_592_256, 2_292_252_566_437_888, 475_627_426_473_216
TOTAL = PLAYER + BANKER + TIE
EXPECTED = {
    "player": Fraction(PLAYER - BANKER, TOTAL),
    "banker": Fraction(19 * BANKER - 20 * PLAYER, 20 * TOTAL),
    "tie": Fraction(8 * TIE - PLAYER - BANKER, TOTAL),
    "player_pair": 12 * Fraction(31, 415) - 1,
}
START, PACE, ROUNDS, SESSIONS = 200, 60, 170, 40
FLAT = {"use": "flat", "on": "banker", "unit": 10}
BETTORS = [
    {"name": "Flat", **FLAT},
    {"name": "Goal", **FLAT, "on": "player", "unit": 20, "stop": {"win": 60}},
    {"name": "Floor", **FLAT, "on": "tie", "stop": {"loss": 90}},
    {
        "name": "Chaser",
        "select": "follow-last",
        "stake": {"use": "martingale", "unit": 10, "steps": 6},
        "when_refused": "reset",
    },
    {
        "name": "Pairs",
        "use": "pair-hunter",
        "main": {"on": "banker", "unit": 10},
        "pair": {"on": "player_pair", "unit": 15, "after": 3},
        "when_refused": "stop",
    },
    {
        "name": "Line",
        "select": {"use": "always", "on": "player"},
        "stake": {"use": "labouchere", "unit": 10},
        "when_refused": "cap",
    },
    {"name": "Never", **FLAT, "unit": 5, "when_refused": "skip"},
]
STOPS = {"Goal": (60, None), "Floor": (None, 90)}
Z = 1.959963984540054
T = 2.0226909201
"""Student's t for 39 degrees of freedom: forty sessions."""


@dataclass
class Session:
    """The rounds of a session, and what a loop makes of them."""

    ended_by: str
    refused: dict[str, int]
    nets: list[float] = field(default_factory=list)
    stakes: list[float] = field(default_factory=list)
    commissions: list[float] = field(default_factory=list)
    expectations: list[float] = field(default_factory=list)
    shoes: set[int] = field(default_factory=set)
    bankrolls: list[float] = field(default_factory=list)

    @property
    def net(self) -> float:
        return math.fsum(self.nets)

    @property
    def staked(self) -> float:
        return math.fsum(self.stakes)

    @property
    def expected(self) -> float:
        return math.fsum(self.expectations)

    @property
    def final(self) -> float:
        return START + self.net

    @property
    def rounds(self) -> int:
        return len(self.nets)

    @property
    def bets(self) -> int:
        return sum(stake > 0 for stake in self.stakes)

    @property
    def wins(self) -> int:
        return sum(net > 0 for net in self.nets)

    @property
    def losses(self) -> int:
        return sum(net < 0 for net in self.nets)

    @property
    def ruined(self) -> bool:
        return self.ended_by in ("bust", "cannot_cover")

    @cached_property
    def path(self) -> list[float]:
        return [round(money, 4) for money in itertools.accumulate(self.nets, initial=START)]

    @cached_property
    def falls(self) -> list[float]:
        return [max(self.path[: k + 1]) - money for k, money in enumerate(self.path)]

    @cached_property
    def losing_run(self) -> int:
        decided = [net for net in self.nets if net]
        runs = [len(list(group)) for lost, group in itertools.groupby(decided, lambda net: net < 0) if lost]
        return max(runs, default=0)


def over(a: float, b: float) -> float | None:
    return a / b if b else None


def mean(values: list[Any]) -> float:
    return math.fsum(values) / len(values)


def deviation(values: list[float]) -> float:
    centre = mean(values)
    return math.sqrt(math.fsum((v - centre) ** 2 for v in values) / (len(values) - 1))


def quantile(values: list[Any], share: float) -> float:
    """Between neighbours, in proportion."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low] + (place - low) * (ordered[high] - ordered[low]))


def skewness(values: list[float]) -> float | None:
    centre = mean(values)
    return over(mean([(v - centre) ** 3 for v in values]), mean([(v - centre) ** 2 for v in values]) ** 1.5)


def error_of_ratio(above: list[float], below: list[float]) -> float | None:
    """Cochran's standard error of a ratio of sums."""
    if not math.fsum(below):
        return None
    rate, n = math.fsum(above) / math.fsum(below), len(above)
    squares = math.fsum((a - rate * b) ** 2 for a, b in zip(above, below, strict=True))
    return math.sqrt(n / (n - 1) * squares) / math.fsum(below)


def wilson_low(hits: int, n: int) -> float:
    """The least share that is within Z of its own standard errors of what was seen, by halving."""
    low, high = 0.0, hits / n
    for _ in range(100):
        middle = (low + high) / 2
        inside = hits / n - middle <= Z * math.sqrt(middle * (1 - middle) / n)
        low, high = (low, middle) if inside else (middle, high)
    return low


def same(value: float | None, worked_out: float | None) -> bool:
    """Equal but for rounding, or both null."""
    if value is None or worked_out is None:
        return value is worked_out
    return math.isclose(value, worked_out, rel_tol=1e-9, abs_tol=1e-9)


class Told:
    """The sessions of a bettor, all of them round by round."""

    def __init__(self, run: bl.Run, bettor: str) -> None:
        self.goal, self.floor = STOPS.get(bettor, (None, None))
        rows = run.sessions.filter(pl.col("bettor") == bettor).iter_rows(named=True)
        self.all = [
            Session(row["ended_by"], {k: v for k, v in row.items() if k.startswith("refused_")}) for row in rows
        ]
        for row in run.trajectories.filter(pl.col("bettor") == bettor).iter_rows(named=True):
            one = self.all[row["session"]]
            one.nets.append(row["net"])
            one.stakes.append(row["staked"])
            one.commissions.append(row["commission"])
            one.shoes.add(row["shoe"])
            laid = [item.split() for item in row["bets"].split(" + ")] if row["bets"] else []
            one.expectations.append(float(sum(EXPECTED[bet] * Fraction(stake) for bet, stake in laid)))
            one.bankrolls.append(row["bankroll"])
        assert all(one.path == [START, *one.bankrolls] for one in self.all)

    def each(self, name: str) -> list[Any]:
        return [getattr(one, name) for one in self.all]

    def sum(self, name: str) -> Any:
        return math.fsum(self.each(name))

    def share(self, test: Callable[[Session], bool]) -> float:
        return mean([test(one) for one in self.all])

    def per_round(self) -> float | None:
        """Variance of the result of a round, from sessions of several lengths."""
        error = error_of_ratio(self.each("net"), self.each("rounds"))
        return None if error is None else error**2 * self.sum("rounds")

    def ruin(self, *, goal: bool) -> float | None:
        return self.share(lambda s: s.ruined) if (self.goal is not None) == goal and self.floor is None else None


def _return_ends(t: Told, sign: int) -> float | None:
    error = error_of_ratio(t.each("net"), t.each("staked"))
    return None if error is None else t.sum("net") / t.sum("staked") + sign * T * error


def _z(t: Told) -> float | None:
    gaps = [s.net - s.expected for s in t.all]
    return over(math.fsum(gaps), deviation(gaps) * math.sqrt(len(gaps)))


def _units_a_shoe(t: Told, name: str) -> float | None:
    return (
        None if not t.sum("bets") else t.sum(name) / sum(map(len, t.each("shoes"))) / (t.sum("staked") / t.sum("bets"))
    )


ORACLES: dict[str, Callable[[Told], float | None]] = {
    "sessions": lambda t: len(t.all),
    "rounds": lambda t: t.sum("rounds"),
    "bets": lambda t: t.sum("bets"),
    "decisions": lambda t: sum(net != 0 for s in t.all for net in s.nets),
    "wins": lambda t: t.sum("wins"),
    "losses": lambda t: t.sum("losses"),
    "pushes": lambda t: sum(stake > 0 and net == 0 for s in t.all for stake, net in zip(s.stakes, s.nets, strict=True)),
    "win_rate_decisions": lambda t: over(t.sum("wins"), t.sum("wins") + t.sum("losses")),
    "win_rate_bets": lambda t: over(t.sum("wins"), t.sum("bets")),
    "staked": lambda t: t.sum("staked"),
    "commission": lambda t: math.fsum(c for s in t.all for c in s.commissions),
    "net": lambda t: t.sum("net"),
    "expected": lambda t: t.sum("expected"),
    "return_on_stake": lambda t: over(t.sum("net"), t.sum("staked")),
    "se_return": lambda t: error_of_ratio(t.each("net"), t.each("staked")),
    "expected_return": lambda t: over(t.sum("expected"), t.sum("staked")),
    "se_controlled": lambda t: error_of_ratio(t.each("expected"), t.each("staked")),
    "z": _z,
    "mean_final": lambda t: mean(t.each("final")),
    "sd_final": lambda t: deviation(t.each("final")),
    "se_final": lambda t: deviation(t.each("final")) / math.sqrt(len(t.all)),
    "q05": lambda t: quantile(t.each("final"), 0.05),
    "q25": lambda t: quantile(t.each("final"), 0.25),
    "median": lambda t: quantile(t.each("final"), 0.5),
    "q75": lambda t: quantile(t.each("final"), 0.75),
    "q95": lambda t: quantile(t.each("final"), 0.95),
    "ahead": lambda t: t.share(lambda s: s.path[-1] > START),
    "even": lambda t: t.share(lambda s: s.path[-1] == START),
    "behind": lambda t: t.share(lambda s: s.path[-1] < START),
    "bust": lambda t: t.share(lambda s: s.path[-1] < 10),
    "mean_max_drawdown": lambda t: mean([max(s.falls) for s in t.all]),
    "median_longest_losing_run": lambda t: quantile(t.each("losing_run"), 0.5),
    "largest_stake": lambda t: max(stake for s in t.all for stake in s.stakes),
    "refusals": lambda t: sum(sum(s.refused.values()) for s in t.all),
    **{
        f"refused_{reason}": lambda t, reason=reason: sum(s.refused[f"refused_{reason}"] for s in t.all)
        for reason in ("over_bankroll", "over_maximum", "under_minimum", "off_increment", "no_main_bet")
    },
    **{
        f"ended_{how}": lambda t, how=how: t.share(lambda s: s.ended_by == how)
        for how in ("rounds", "bust", "cannot_cover", "stop_win", "stop_loss", "bettor", "source", "limit")
    },
    "ruined": lambda t: t.share(lambda s: s.ruined),
    "ruined_low": lambda t: wilson_low(sum(t.each("ruined")), len(t.all)),
    "ruined_high": lambda t: 1 - wilson_low(len(t.all) - sum(t.each("ruined")), len(t.all)),
    "ruin_within": lambda t: t.ruin(goal=False),
    "ruin_within_goal": lambda t: t.ruin(goal=True),
    "return_low": lambda t: _return_ends(t, -1),
    "return_high": lambda t: _return_ends(t, 1),
    "mean_low": lambda t: mean(t.each("final")) - T * deviation(t.each("final")) / math.sqrt(len(t.all)),
    "mean_high": lambda t: mean(t.each("final")) + T * deviation(t.each("final")) / math.sqrt(len(t.all)),
    "skewness": lambda t: skewness(t.each("final")),
    "sessions_for_interval": lambda t: None if (g := skewness(t.each("final"))) is None else 25 * g**2,
    "mean_rounds": lambda t: mean(t.each("rounds")),
    "mean_stake": lambda t: over(t.sum("staked"), t.sum("bets")),
    "net_per_hour": lambda t: PACE * t.sum("net") / t.sum("rounds"),
    "ev_per_hour": lambda t: PACE * t.sum("expected") / t.sum("rounds"),
    "sd_per_hour": lambda t: math.sqrt(PACE * (t.per_round() or 0.0)),
    "n0": lambda t: over(t.per_round() or 0.0, (t.sum("expected") / t.sum("rounds")) ** 2),
    "longest_losing_run_q95": lambda t: quantile(t.each("losing_run"), 0.95),
    "longest_losing_run_max": lambda t: max(t.each("losing_run")),
    "max_drawdown_q95": lambda t: quantile([max(s.falls) for s in t.all], 0.95),
    "time_under_water": lambda t: sum(fall > 0 for s in t.all for fall in s.falls) / t.sum("rounds"),
    "bets_per_shoe": lambda t: t.sum("bets") / sum(map(len, t.each("shoes"))),
    "net_per_shoe": lambda t: t.sum("net") / sum(map(len, t.each("shoes"))),
    "units_per_shoe": lambda t: _units_a_shoe(t, "net"),
    "expected_units_per_shoe": lambda t: _units_a_shoe(t, "expected"),
}
ELSEWHERE = {"ruin_ever", "ruin_ever_goal"}
"""Not of sessions: worked out by equations in the tests of exact bankrolls."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> bl.Run:
    experiment = {
        "seed": 8,
        "bankroll": START,
        "sessions": SESSIONS,
        "rounds": ROUNDS,
        "table": {"minimum": 10, "maximum": 100, "decks": 8},
        "record": {"trajectories": SESSIONS, "pace": PACE},
        "bettor": BETTORS,
    }
    return bl.run(experiment, out=tmp_path_factory.mktemp("oracle") / "run", report=False)


def test_every_metric_has_an_oracle() -> None:
    assert set(ORACLES) | ELSEWHERE == {metric.id for metric in (*CORE, *RUIN, *MORE, *SHOE)}


@pytest.mark.parametrize(("module", "metrics"), [(core, CORE), (ruin, RUIN), (further, MORE), (shoe, SHOE)])
def test_every_metric_has_a_definition_a_unit_and_a_worked_example(module: ModuleType, metrics: Any) -> None:
    examples = " ".join(line for line in (module.__doc__ or "").splitlines() if line.startswith(">>>"))
    for metric in metrics:
        assert len(metric.text) > 10, metric.id
        assert metric.text.endswith("."), metric.id
        assert metric.unit in UNITS, metric.id
        assert re.search(rf"\b{metric.id}\b", examples), metric.id


@pytest.mark.parametrize("bettor", [bettor["name"] for bettor in BETTORS])
def test_round_by_round(run: bl.Run, bettor: str) -> None:
    told = Told(run, bettor)
    row = run.summary.row(by_predicate=pl.col("bettor") == bettor, named=True)
    for name, oracle in ORACLES.items():
        assert same(row[name], oracle(told)), (name, row[name], oracle(told))


def test_the_sessions_are_of_every_kind(run: bl.Run) -> None:
    """Else the oracle would say little."""
    assert set(run.sessions["ended_by"]) >= {"rounds", "bust", "cannot_cover", "stop_win", "stop_loss"}
    assert run.sessions["refused_over_maximum"].sum() > 0
    assert run.sessions["shoes"].max() == 3
    assert set(run.summary["played_by"]) == {"table", "lanes"}


# ---- an exact run


def martingale(outcomes: tuple[str, ...], *, bankroll: int, goal: int | None) -> tuple[list[int], list[int], str]:
    """Stakes 1, 2 on Player, begun again after the second loss or when 2 cannot be covered: stakes, nets, ending."""
    money, step = bankroll, 0
    stakes: list[int] = []
    nets: list[int] = []
    for outcome in outcomes:
        stake = 2**step
        if stake > money:
            stake, step = 1, 0
        net = {"P": stake, "B": -stake, "T": 0}[outcome]
        stakes.append(stake)
        nets.append(net)
        money += net
        step = {"P": 0, "B": (step + 1) % 2, "T": step}[outcome]
        if money < 1:
            return stakes, nets, "bust"
        if goal is not None and money >= bankroll + goal:
            return stakes, nets, "stop_win"
    return stakes, nets, "rounds"


def sequences(rounds: int) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    chances = {"P": Fraction(PLAYER, TOTAL), "B": Fraction(BANKER, TOTAL), "T": Fraction(TIE, TOTAL)}
    for outcomes in itertools.product("PBT", repeat=rounds):
        yield outcomes, Fraction(math.prod((chances[one] for one in outcomes), start=Fraction(1)))


@pytest.mark.parametrize(("bankroll", "goal"), [(3, None), (3, 2), (50, None)])
def test_exactly(tmp_path: Path, bankroll: int, goal: int | None) -> None:
    """The figures of an exact run against all 729 sequences of six rounds."""
    experiment = {
        "bankroll": bankroll,
        "rounds": 6,
        "table": {"minimum": 1},
        "record": {"pace": PACE},
        **({} if goal is None else {"stop": {"win": goal}}),
        "bettor": [
            {
                "name": "M",
                "select": {"use": "always", "on": "player"},
                "stake": {"use": "martingale", "unit": 1, "steps": 2},
                "when_refused": "reset",
            }
        ],
    }
    row = bl.exact(experiment, out=tmp_path / "exact", report=False).summary.row(0, named=True)
    played = [(chance, martingale(outcomes, bankroll=bankroll, goal=goal)) for outcomes, chance in sequences(6)]

    def average(figure: Callable[[list[int], list[int], str], Any]) -> float:
        return float(sum(chance * figure(*session) for chance, session in played))

    rounds, staked, net = (
        average(lambda stakes, nets, how: len(nets)),
        average(lambda stakes, nets, how: sum(stakes)),
        average(lambda stakes, nets, how: sum(nets)),
    )
    edge = float(EXPECTED["player"])
    variance = average(lambda stakes, nets, how: sum(nets) ** 2) - net**2
    busts = average(lambda stakes, nets, how: how == "bust")
    oracle: dict[str, float | None] = {
        "rounds": rounds,
        "mean_rounds": rounds,
        "bets": rounds,
        "decisions": average(lambda stakes, nets, how: sum(one != 0 for one in nets)),
        "wins": average(lambda stakes, nets, how: sum(one > 0 for one in nets)),
        "losses": average(lambda stakes, nets, how: sum(one < 0 for one in nets)),
        "pushes": average(lambda stakes, nets, how: sum(one == 0 for one in nets)),
        "staked": staked,
        "net": net,
        "expected": edge * staked,
        "mean_final": bankroll + net,
        "sd_final": math.sqrt(variance),
        "ahead": average(lambda stakes, nets, how: sum(nets) > 0),
        "even": average(lambda stakes, nets, how: sum(nets) == 0),
        "behind": average(lambda stakes, nets, how: sum(nets) < 0),
        "bust": busts,
        "ended_bust": busts,
        "ended_stop_win": average(lambda stakes, nets, how: how == "stop_win"),
        "ended_rounds": average(lambda stakes, nets, how: how == "rounds"),
        "largest_stake": 2.0,
        "ruined": busts,
        "ruin_within": busts if goal is None else None,
        "ruin_within_goal": None if goal is None else busts,
        "mean_stake": staked / rounds,
        "net_per_hour": PACE * net / rounds,
        "ev_per_hour": PACE * edge * staked / rounds,
        "sd_per_hour": math.sqrt(variance / 6 * PACE) if rounds == 6 else None,
        "n0": variance / 6 / (edge * staked / 6) ** 2 if rounds == 6 else None,
    }
    assert net == pytest.approx(edge * staked, rel=1e-12)  # no system changes what a stake costs
    for name, value in oracle.items():
        assert same(row[name], value), (name, row[name], value)
