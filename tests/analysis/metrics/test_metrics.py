"""Metrics against loops in plain Python over sessions, and what becomes of metrics that go wrong."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from types import MappingProxyType

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bacclab as bl
from bacclab.analysis.metrics import measure as module
from bacclab.analysis.metrics.core import CORE
from bacclab.analysis.metrics.further import MORE
from bacclab.analysis.metrics.ruin import RUIN
from bacclab.cli import main
from bacclab.errors import PluginError
from bacclab.exact.flat.bet import FlatBet
from bacclab.exact.flat.ruin import ruin
from bacclab.plugins.metric import CONTEXT, SESSION
from bacclab.tournament.frames import SCHEMAS

OF = {metric.id: metric.of for metric in (*CORE, *MORE)}
BETTORS = (
    {"name": "Flat", "use": "flat", "on": "banker", "unit": 10},
    {
        "name": "Chaser",
        "select": "follow-last",
        "stake": {"use": "martingale", "unit": 10, "steps": 6},
        "when_refused": "reset",
    },
)
EXPERIMENT = MappingProxyType({"seed": 4, "bankroll": 400, "sessions": 301, "rounds": 80, "bettor": list(BETTORS)})

PLUGIN = '''"""Two figures of one's own."""

import bacclab as bl

halved = bl.Metric(
    id="halved",
    label="Halved",
    unit="share",
    text="Share of sessions that came down to half of their starting bankroll.",
    expression=lambda trough, start: (trough <= start / 2).mean(),
    exact=lambda sd_final, start: sd_final / start,
)
'''


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> bl.Run:
    folder = tmp_path_factory.mktemp("metrics")
    (folder / "halves.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "broken.py").write_text(
        "import bacclab as bl\n"
        "def metric(name, expression):\n"
        "    return bl.Metric(id=name, label=name, unit='number', text='Goes wrong.', expression=expression)\n"
        "def fail(net):\n"
        "    raise RuntimeError('no more\\nideas')\n"
        "raises = metric('raises', fail)\n"
        "wide = metric('wide', lambda net: net)\n"
        "lost = metric('lost', lambda bets: bets.sum() * 0 / (bets.sum() * 0))\n"
        "words = metric('words', lambda ended_by: ended_by.first())\n"
        "plain = metric('plain', lambda net: 7)\n"
        "lonely = metric('lonely', lambda net: net.str.len_chars().sum())\n",
        encoding="utf-8",
    )
    plugins = {"files": [str(folder / "halves.py"), str(folder / "broken.py")]}
    return bl.run({**EXPERIMENT, "plugins": plugins}, out=folder / "run")


def sessions_of(run: bl.Run, bettor: str) -> list[dict]:
    return list(run.sessions.filter(pl.col("bettor") == bettor).iter_rows(named=True))


def row_of(run: bl.Run, bettor: str) -> dict:
    return run.summary.row(by_predicate=pl.col("bettor") == bettor, named=True)


class TestNames:
    def test_the_columns_that_a_metric_may_ask_for_are_those_of_sessions(self) -> None:
        assert set(SESSION) == set(SCHEMAS["sessions"])
        assert not set(SESSION) & set(CONTEXT)

    def test_every_figure_of_the_summary_is_defined(self) -> None:
        texts = {"cell", "bettor", "expected_on", "played_by", "failed"}
        assert {metric.id for metric in CORE} == set(SCHEMAS["summary"]) - texts
        assert not {metric.id for metric in (*RUIN, *MORE)} & set(SCHEMAS["summary"])


class TestOracle:
    @pytest.mark.parametrize("bettor", ["Flat", "Chaser"])
    def test_definitions_say_what_the_summary_works_out(self, done: bl.Run, bettor: str) -> None:
        frame, row = done.sessions.filter(pl.col("bettor") == bettor), row_of(done, bettor)
        for metric in CORE:
            assert metric.of(frame) == pytest.approx(row[metric.id], rel=1e-9, abs=1e-12), metric.id

    @pytest.mark.parametrize("bettor", ["Flat", "Chaser"])
    def test_further_figures_by_loops(self, done: bl.Run, bettor: str) -> None:
        rows, found = sessions_of(done, bettor), row_of(done, bettor)
        n = len(rows)
        net, rounds, staked = (sum(row[name] for row in rows) for name in ("net", "rounds", "staked"))
        ruined = sum(row["ended_by"] in ("bust", "cannot_cover") for row in rows) / n
        assert found["ruined"] == found["ruin_within"] == pytest.approx(ruined)
        assert found["ruin_within_goal"] is found["ruin_ever_goal"] is None
        assert found["ruin_ever"] == 1.0
        assert found["mean_rounds"] == pytest.approx(rounds / n)
        assert found["mean_stake"] == pytest.approx(staked / sum(row["bets"] for row in rows))
        assert found["net_per_hour"] == pytest.approx(72 * net / rounds)
        expected = sum(row["expected"] for row in rows) / rounds
        assert found["ev_per_hour"] == pytest.approx(72 * expected)
        squares = sum((row["net"] - net / rounds * row["rounds"]) ** 2 for row in rows)
        variance = squares * n / (n - 1) / rounds
        assert found["sd_per_hour"] == pytest.approx(math.sqrt(72 * variance))
        assert found["n0"] == pytest.approx(variance / expected**2)
        runs = [row["longest_losing_run"] for row in rows]
        assert found["longest_losing_run_max"] == max(runs)
        assert found["longest_losing_run_q95"] == pytest.approx(
            statistics.quantiles(runs, n=20, method="inclusive")[-1]
        )
        falls = [row["max_drawdown"] for row in rows]
        assert found["max_drawdown_q95"] == pytest.approx(statistics.quantiles(falls, n=20, method="inclusive")[-1])
        assert found["return_low"] == pytest.approx(found["return_on_stake"] - 1.967903 * found["se_return"], abs=1e-9)
        assert found["return_high"] == pytest.approx(found["return_on_stake"] + 1.967903 * found["se_return"], abs=1e-9)

    @pytest.mark.parametrize("bettor", ["Flat", "Chaser"])
    def test_time_under_water_round_by_round(self, done: bl.Run, bettor: str) -> None:
        under = rounds = 0
        for session in range(50):
            high, count = 400.0, 0
            path = done.trajectories.filter(bettor=bettor, session=session)["bankroll"].to_list()
            for bankroll in path:
                high = max(high, bankroll)
                count += bankroll < high
            row = done.sessions.row(
                by_predicate=(pl.col("bettor") == bettor) & (pl.col("session") == session), named=True
            )
            assert row["rounds_under_water"] == count
            under, rounds = under + count, rounds + len(path)
        assert row_of(done, bettor)["time_under_water"] == pytest.approx(under / rounds)
        rest = done.sessions.filter((pl.col("bettor") == bettor) & (pl.col("session") >= 50))
        assert rest["rounds_under_water"].null_count() == 251

    @given(
        st.lists(
            st.tuples(st.integers(-5000, 5000), st.integers(1, 500), st.integers(1, 900), st.integers(0, 30)),
            min_size=1,
            max_size=12,
        )
    )
    def test_hand_made_sessions(self, made: list[tuple[int, int, int, int]]) -> None:
        frame = pl.DataFrame(
            made, schema=dict.fromkeys(("net", "rounds", "staked", "longest_losing_run"), pl.Int64), orient="row"
        ).with_columns(pl.col("net", "staked").cast(pl.Float64), pace=pl.lit(60))
        net, rounds, staked, _ = (sum(column) for column in zip(*made, strict=True))
        n = len(made)
        rate = net / staked
        squares = sum((one[0] - rate * one[2]) ** 2 for one in made)
        low, high = OF["return_low"](frame), OF["return_high"](frame)
        if n == 1:
            assert low is high is None
        else:
            # Student's t for 1 to 11 degrees of freedom, as printed.
            table = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010)
            half = table[n - 2] * math.sqrt(squares * n / (n - 1)) / staked
            assert (low, high) == pytest.approx((rate - half, rate + half), rel=1e-4, abs=1e-4 * half)
        assert OF["net_per_hour"](frame) == pytest.approx(60 * net / rounds)
        assert OF["longest_losing_run_max"](frame) == max(one[3] for one in made)

    def test_many_sessions_are_measured_like_few(self, done: bl.Run, monkeypatch: pytest.MonkeyPatch) -> None:
        from bacclab.analysis.summary import Group

        groups = [Group(0, name, i * 301, 301, 400.0, "table") for i, name in enumerate(("Chaser", "Flat"))]
        entries = [bl.load_plugins(allow=()).registry.get("metrics", metric.id) for metric in (*RUIN, *MORE)]
        fixed = dict.fromkeys(CONTEXT) | {"start": 400.0, "pace": 72}
        context = {(0, group.bettor): fixed for group in groups}
        whole = module.measure(done.scan("sessions"), groups, entries, context).columns
        for held, values in (
            (301, 1),
            (1, 3 * 301),
            (1, 1),
        ):  # a group at a time, some metrics at a time, one at a time
            monkeypatch.setattr(module, "HELD", held)
            monkeypatch.setattr(module, "HELD_VALUES", values)
            assert module.measure(done.scan("sessions"), groups, entries, context).columns == whole


class TestPlugins:
    def test_a_metric_of_a_plugin_is_a_column_with_its_definition(self, done: bl.Run) -> None:
        for bettor in ("Flat", "Chaser"):
            troughs = [row["trough"] for row in sessions_of(done, bettor)]
            assert row_of(done, bettor)["halved"] == sum(trough <= 200 for trough in troughs) / 301
        (told,) = [one for one in done.manifest["metrics"] if one["id"] == "halved"]
        assert (told["label"], told["unit"], told["plugin"]) == ("Halved", "share", "halves")
        assert ">Halved</button>" in (done.path / "report.html").read_text(encoding="utf-8")

    def test_it_is_shown_without_its_plugin(self, done: bl.Run, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["show", str(done.path), "--metric", "halved", "--metric", "ruin_ever", "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert [set(row) for row in shown] == [{"cell", "bettor", "halved", "ruin_ever"}] * 2
        assert main(["show", str(done.path), "--metric", "all"]) == 0
        assert "halved" in capsys.readouterr().out
        assert main(["show", str(done.path), "--metric", "halvd"]) == 2
        assert "did you mean halved?" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("metric", "line"),
        [
            ("raises", "metric raises raises RuntimeError: no more ideas (plugin broken, "),
            ("wide", "metric wide gives 301 values, not one (end with .mean() or .sum()) (plugin broken, "),
            ("lost", "metric lost gives NaN (null is right where a figure is undefined, such as a rate without a bet)"),
            ("words", "metric words gives String, not a number"),
            ("plain", "metric plain gives 7, not a polars expression"),
            ("lonely", "metric lonely cannot be worked out: "),
        ],
    )
    def test_one_that_goes_wrong_is_left_empty_and_named(self, done: bl.Run, metric: str, line: str) -> None:
        assert row_of(done, "Chaser")[metric] is None
        (told,) = [text for text in done.manifest["warnings"] if f"metric {metric} " in text]
        assert told.startswith(line)
        assert told.endswith(": its figure is left empty for Chaser, Flat")
        assert "\n" not in told

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"id": "Half"}, "cannot be the id of a metric"),
            ({"id": "cell"}, "a column of the summary that is no figure"),
            ({"id": "run"}, "a column of the summary that is no figure"),
            ({"label": " "}, "has no label"),
            ({"unit": "euros"}, "unknown unit 'euros'"),
            ({"expression": lambda nett: nett}, "did you mean net?"),
            ({"expression": pl.col("trouhg").min()}, "did you mean trough?"),
            ({"expression": 3}, "has no expression"),
            ({"expression": lambda *all_of_them: all_of_them}, "must name the columns"),
        ],
    )
    def test_what_cannot_be_a_metric_is_refused(self, changes: dict, message: str) -> None:
        fine = {"id": "half", "label": "Half", "unit": "share", "text": "Half.", "expression": lambda net: net.mean()}
        with pytest.raises(PluginError, match=message.replace("?", "[?]")):
            bl.Metric(**fine | changes)

    def test_the_name_of_a_built_in_column_is_taken(self, tmp_path: Path) -> None:
        plugin = tmp_path / "mine.py"
        plugin.write_text(PLUGIN.replace('"halved"', '"bust"'), encoding="utf-8")
        loaded = bl.load_plugins(files=[plugin], allow=())
        assert "metric 'bust' is provided twice" in loaded.problems[0]


class TestRuin:
    def test_four_kinds_of_a_flat_bettor(self, tmp_path: Path) -> None:
        # Player, 20 bets, to win 20 or lose all: 0.633212 without a limit of rounds, 1 without a goal.
        flat = {"use": "flat", "on": "player", "unit": 1}
        bettors = [
            {"name": "Goal", **flat, "stop": {"win": 20}},
            {"name": "None", **flat},
            {"name": "Loss", **flat, "stop": {"loss": 5}},
            {"name": "All", **flat, "stop": {"win": 20, "loss": 20}},
            {"name": "Larger", **flat, "unit": 2, "when_refused": "skip"},
        ]
        experiment = {
            "seed": 3,
            "bankroll": 20,
            "rounds": 100,
            "sessions": 50,
            "table": {"minimum": 1},
            "bettor": bettors,
        }
        sampled = bl.run(experiment, out=tmp_path / "run", report=False)
        exact = bl.exact(experiment, out=tmp_path / "exact", report=False)
        for run in (sampled, exact):
            goal, none, loss, larger = (row_of(run, name) for name in ("Goal", "None", "Loss", "Larger"))
            assert goal["ruin_ever_goal"] == pytest.approx(0.633212, abs=5e-7)
            assert goal["ruin_ever"] == none["ruin_ever"] == 1.0
            assert (goal["ruin_within"], none["ruin_within_goal"], none["ruin_ever_goal"]) == (None, None, None)
            kinds = ("ruin_within", "ruin_within_goal", "ruin_ever", "ruin_ever_goal")
            assert [loss[kind] for kind in kinds] == [None] * 4
            whole = row_of(run, "All")  # what it may lose is all it has
            assert [whole[kind] for kind in kinds] == [goal[kind] for kind in kinds]
            assert larger["ruin_ever"] is None  # with 1 left it waits; it is not the bankroll that ends it
            assert goal["ruin_within_goal"] == goal["ruined"]
            assert none["ruin_within"] == none["ruined"]
        # The recursion for flat bets, not the table of states.
        table = bl.table("commission").override({"minimum": 1})
        bet = FlatBet.at(table, {"player": 10_000})
        of_exact = {name: row_of(exact, name) for name in ("Goal", "None")}
        assert of_exact["None"]["ruin_within"] == pytest.approx(ruin(bet, bankroll=200_000, rounds=100), rel=1e-9)
        assert of_exact["Goal"]["ruin_within_goal"] == pytest.approx(
            ruin(bet, bankroll=200_000, rounds=100, goal=200_000), rel=1e-9
        )

    def test_a_martingale_to_its_goal(self, tmp_path: Path) -> None:
        """Steps of 10 and 20 on Player, until there are 40: its few equations, solved by hand."""
        p = 2_230_518_282_592_256 / (2_230_518_282_592_256 + 2_292_252_566_437_888)
        q = 1 - p
        # Ruin from 10, 20, 30 with the first stake next; a loss from 20 leaves 10, which does not cover 20: it begins
        # again. r10 = q + p r20; r20 = q r10 + p r30; r30 = q s20, where s20 (20 wanted with 20): won 40, the goal, or
        # bust: q.
        r30 = q * q
        r10 = (q + p * p * r30) / (1 - p * q)
        r20 = q * r10 + p * r30
        steps = {"use": "martingale", "unit": 10, "steps": 2}
        bettor = {"select": {"use": "always", "on": "player"}, "stake": steps, "when_refused": "reset"}
        for bankroll, goal, chance in ((30, 10, r30), (20, 20, r20), (10, 30, r10)):
            experiment = {"seed": 1, "bankroll": bankroll, "rounds": 30, "sessions": 5, "stop": {"win": goal}}
            experiment |= {"table": {"minimum": 10}, "bettor": [bettor]}
            for play in (bl.run, bl.exact):
                row = play(experiment, out=tmp_path / f"{play.__name__}{bankroll}", report=False).summary.row(
                    0, named=True
                )
                assert row["ruin_ever_goal"] == pytest.approx(chance, abs=1e-10)
                assert row["ruin_ever"] == 1.0

    def test_an_hour_of_an_exact_run(self, tmp_path: Path) -> None:
        # SD per hand 0.927372 bets on Banker, 7.869 an hour of 72 hands; N0 7,684 hands; the loss 0.7617 bets an hour.
        flat = {"use": "flat", "on": "banker", "unit": 10}
        done = bl.exact({"bankroll": 10_000, "rounds": 50, "bettor": [flat]}, out=tmp_path / "run", report=False)
        row = done.summary.row(0, named=True)
        assert row["sd_per_hour"] == pytest.approx(78.69, abs=0.005)
        assert row["n0"] == pytest.approx(7684, abs=1)
        assert row["ev_per_hour"] == pytest.approx(-7.617, abs=0.001)
        assert row["net_per_hour"] == pytest.approx(-7.617, abs=0.001)

    def test_the_pace_is_that_of_the_experiment(self, tmp_path: Path) -> None:
        flat = {"use": "flat", "on": "banker", "unit": 10}
        config = {"bankroll": 10_000, "rounds": 50, "bettor": [flat], "record": {"pace": 36}}
        done = bl.exact(config, out=tmp_path / "run", report=False)
        assert done.summary["ev_per_hour"][0] == pytest.approx(-7.617 / 2, abs=0.001)
